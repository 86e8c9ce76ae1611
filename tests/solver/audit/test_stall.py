from __future__ import annotations

from typing import Any

import pytest

from rules.core.position import Position
from rules.core.registry import Ruleset
from rules.core.ruleset import extended, load_ruleset
from solver.audit import stall
from solver.audit.blame import compared
from solver.audit.finding import Audit, Change, Finding, Level, Notebook, Witness
from solver.audit.play import opening
from solver.audit.stall import acting, find_stall, gained, idle_game, longest_wait
from solver.search.budget import Budget, WorkClock

TRENCH = "trench_rescue/2012"
RACE = "iditacards/2019-02"


def found(ruleset: Ruleset, about: str = "") -> dict[str, Finding]:
    notebook = Notebook(ruleset, Budget(None), about=about)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stall, "GAMES", 3)
        patch.setattr(stall, "DUELS", 11)
        find_stall(notebook)
    assert all(each.complete for each in notebook.searched)
    return {each.subject: each for each in notebook.findings}


def test_a_race_that_moves_by_itself_is_not_idle() -> None:
    idle = idle_game(opening(load_ruleset(RACE), 0, 0, 2))
    assert gained(idle) > 0


def test_a_hand_with_too_many_ways_to_play_is_not_said_to_stall() -> None:
    cards = {"move": {"copies": 99}, "rest": {"effects": [{"op": "draw", "n": 999}]}}
    notebook = Notebook(
        extended(load_ruleset(RACE), {"cards": cards, "rules": {"starting_hand": 99}}), Budget(None), about="idle play"
    )
    find_stall(notebook)
    assert (notebook.findings, [each.complete for each in notebook.searched]) == ([], [False])


def test_who_draws_a_new_soldier_need_not_wait() -> None:
    drawing = extended(load_ruleset(TRENCH), {"options": {"reinforcement": "draw_when_empty"}})
    longest = [
        max(longest_wait(opening(ruleset, 0, number, 2), number).rounds for number in range(3))
        for ruleset in (load_ruleset(TRENCH), drawing)
    ]
    assert longest[0] >= stall.WAITS > longest[1]


def test_whoever_acts_has_as_many_rounds_in_every_game(monkeypatch: pytest.MonkeyPatch) -> None:
    position = opening(load_ruleset("abyss/2021"), 0, 3, 2)
    worth, line = acting(position, 3)
    assert worth == 1
    assert Witness(position, line.steps).replay().table.round > 17  # more than 200 stages, of 12 a round
    monkeypatch.setattr(stall, "ACTING_ROUNDS", 10)
    assert acting(position, 3)[0] == 0


def ditch(spaces: int, space: int = 1, edition: str = RACE) -> Ruleset:
    """Return a race with a leg of one space on which every move covers so many spaces."""
    leg = {"name": "Ditch", "effects": [{"op": "leg_card_move", "n": spaces}]}
    parts = (("none", 1, space - 1), ("ditch", space, space), ("none", space + 1, 160))
    sections = [{"leg": name, "from": first, "to": last} for name, first, last in parts if first <= last]
    board = {"sections": sections, "checkpoints": []}
    return extended(
        load_ruleset(edition),
        {"options": {"leg_card_move": "final_distance"}, "legs": {"ditch": leg}, "boards": {"standard": board}},
    )


def test_a_space_that_nobody_leaves_is_a_dead_end() -> None:
    finding = found(ditch(0), "dead end")["dead end"]
    assert "nothing leads beyond space 1 within 3 turns" in finding.claim
    assert finding.witness is not None
    finding.witness.replay()
    assert "dead end" not in found(ditch(1), "dead end")
    with_it, without = Audit(ditch(0), (finding,), (), ()), Audit(ditch(1), (), (), ())
    assert [each.change for each in compared(with_it, without)] == [Change.NEW]
    assert [each.change for each in compared(without, with_it)] == [Change.GONE]
    assert [each.change for each in compared(with_it, without._replace(ruleset=ditch(0)))] == [Change.SAME]


def test_a_space_that_only_several_turns_lead_to_is_a_dead_end_too() -> None:
    assert "nothing leads beyond space 2 " in found(ditch(0, 2, "iditacards/2017"), "dead end")["dead end"].claim
    assert "nothing leads beyond space 97 " in found(ditch(0, 97), "dead end")["dead end"].claim


def test_the_last_turns_of_a_game_are_no_dead_end() -> None:
    for limit, told in ((1, True), (12, False)):
        assert (
            "dead end" in found(extended(load_ruleset(TRENCH), {"options": {"turn_limit": limit}}), "dead end")
        ) == told


@pytest.mark.slow
def test_who_has_no_card_and_draws_none_is_at_a_dead_end() -> None:
    few: dict[str, Any] = {"rules": {"hand": 7, "refill_cards": 0, "give_up_draw": 0}}
    assert "no card is left" in found(extended(load_ruleset("abyss/2021"), few), "dead end")["dead end"].claim
    assert "dead end" not in found(extended(load_ruleset("abyss/2021"), {"rules": {"hand": 7}}), "dead end")


def test_a_game_that_soldiers_keep_open_need_not_end() -> None:
    options = {"turn_limit": 10, "barrage_timing": "after_each", "shell_count_of": "own", "withdrawal": "free"}
    finding = found(extended(load_ruleset(TRENCH), {"options": options}), "no end")["no end"]
    assert "need not end" in finding.claim
    assert finding.witness is not None
    assert not finding.witness.position.game.is_over(finding.witness.replay().table)
    home = extended(load_ruleset(TRENCH), {"options": {**options, "withdrawal": "direct_home"}})
    assert "no end" not in found(home, "no end")
    (new,) = compared(Audit(home, (finding,), (), ()), Audit(load_ruleset(TRENCH), (), (), ()))
    assert new.change is Change.NEW


def test_duels_end_once_it_is_clear_and_count_as_work(monkeypatch: pytest.MonkeyPatch) -> None:
    duels: list[int] = []

    def lost(position: Position, seed: int) -> tuple[float, Witness]:
        duels.append(seed)
        return 0.0, Witness(position, ("go_on",) * 1000)

    monkeypatch.setattr(stall, "acting", lost)
    for limit, many in ((None, stall.TOLD), (5.0, 3)):
        duels.clear()
        notebook = Notebook(load_ruleset("abyss/2021"), Budget(limit, clock=WorkClock()).start())
        stall._find_idle(notebook, notebook.budget)
        assert len(duels) == many


def test_idle_play_without_enough_evidence_is_no_warning() -> None:
    notebook = Notebook(load_ruleset(TRENCH), Budget(0.0))
    find_stall(notebook)
    (idle,) = [each for each in notebook.findings if each.subject == "idle play"]
    assert idle.level is Level.NOTE
    assert "whether acting against idle seats pays was not settled (0 of 10 deals at least)" in idle.claim


def test_a_goal_that_whole_games_do_not_reach_is_told_beside_a_base() -> None:
    base = load_ruleset(RACE)
    town = {"hypothermia": 7, "hypothermia_solo": 7}
    frozen = {"legs": {"town": town}, "cards": {name: {"remove": True} for name in ("first_aid", "grandma_soup")}}
    for ruleset, told in ((extended(base, frozen), 1), (extended(base, {"rules": {"dog_limit": 5}}), 0)):
        notebook = Notebook(ruleset, Budget(None), base=base, about="out of reach")
        find_stall(notebook)
        assert len(notebook.findings) == told
