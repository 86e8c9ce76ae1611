from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.core.position import Position, new_position
from rules.core.registry import Ruleset
from rules.core.ruleset import extended, load_ruleset
from solver.audit import stall
from solver.audit.finding import Finding, Level, Notebook, Witness
from solver.audit.play import dealt
from solver.audit.stall import acting, dead_end, find_stall, idle_game, longest_wait
from solver.search.budget import Budget

TRENCH = "trench_rescue/2012"
RACE = "iditacards/2019-02"


def found(ruleset: Ruleset) -> dict[str, Finding]:
    notebook = Notebook(ruleset, Budget(None))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stall, "GAMES", 3)
        patch.setattr(stall, "DUELS", 12)
        find_stall(notebook)
    assert all(each.complete for each in notebook.searched)
    return {each.subject: each for each in notebook.findings}


def test_nobody_has_to_leave_the_trench() -> None:
    findings = found(load_ruleset(TRENCH))
    idle = findings["idle play"]
    assert idle.witness is not None
    assert set(idle.witness.steps) == {"end"}
    game, _ = idle.witness.position.start()
    outcome = game.outcome(idle.witness.replay().table)
    assert outcome is not None
    assert outcome.winners == ()
    waiting = findings["forced waiting"]
    assert waiting.level is Level.WARNING
    assert waiting.witness is not None
    waiting.witness.replay()


def test_a_race_that_moves_by_itself_is_not_idle() -> None:
    idle = idle_game(dealt(load_ruleset(RACE), 2, 0, 0))
    assert idle.progress > 0


def test_who_draws_a_new_soldier_need_not_wait() -> None:
    drawing = extended(load_ruleset(TRENCH), {"options": {"reinforcement": "draw_when_empty"}})
    longest = [
        max(longest_wait(dealt(ruleset, 2, 0, number), number).rounds for number in range(3))
        for ruleset in (load_ruleset(TRENCH), drawing)
    ]
    assert longest[0] >= stall.WAITS > longest[1]


def test_whoever_acts_has_as_many_rounds_in_every_game(monkeypatch: pytest.MonkeyPatch) -> None:
    position = dealt(load_ruleset("abyss/2021"), 2, 0, 3)
    worth, line = acting(position, 3)
    assert worth == 1
    assert Witness(position, line.steps).replay().table.round > 17  # more than 200 stages, of 12 a round
    monkeypatch.setattr(stall, "ACTING_ROUNDS", 10)
    assert acting(position, 3)[0] == 0


def starving(hand: list[str]) -> Position:
    """Return a table of a sled that is too hungry to move, all its cards in the hand."""
    position = new_position(RACE, 1, 0, ())
    player = {**position.state["players"][0], "hand": hand, "deck": [], "pos": 150, "starvation": 7, "passed": [36, 76]}
    state: dict[str, Any] = {**position.state, "players": [player]}
    return replace(position, state=state)


@pytest.mark.slow
def test_who_starves_without_food_never_arrives() -> None:
    position = starving(["move"])
    walked = dead_end(position.game, position.table(), Budget(None))
    assert walked is not None
    assert 1 < walked <= stall.STATES
    fed = starving(["move", "lunch"])
    assert dead_end(fed.game, fed.table(), Budget(None)) is None


def test_idle_play_without_enough_evidence_is_no_warning() -> None:
    notebook = Notebook(load_ruleset(TRENCH), Budget(0.0))
    find_stall(notebook)
    (idle,) = [each for each in notebook.findings if each.subject == "idle play"]
    assert idle.level is Level.NOTE
    assert "whether acting against idle seats pays was not settled (0 of 10 deals at least)" in idle.claim
