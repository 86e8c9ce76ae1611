from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from rules.core.position import new_position
from rules.core.race import Race, Tally, tally
from rules.core.registry import Ruleset
from rules.core.ruleset import extended, load_ruleset
from solver.audit import loop, walks
from solver.audit.finding import Finding, Level, Notebook, Witness
from solver.audit.loop import Certificate, Confirmer, confirm, find_loops, telling
from solver.audit.play import TURNS, games
from solver.audit.walks import Proposal
from solver.search.budget import Budget, WorkClock

BROKEN = "iditacards/treadmill"
EDITION = "iditacards/2019-02"
CARD = "treadmill"
PLAY = (("play treadmill", "recover treadmill"),)


FLAT = {
    "options": {"board_layout": "flat"},
    "rules": {"weather": []},
    "boards": {"flat": {"spaces": 200, "sections": [{"leg": "none", "from": 1, "to": 200}]}},
}
"""A board on which nothing happens."""


def found(ruleset: Ruleset, games: int) -> list[Finding]:
    """Return what a finder says after so many recorded games."""
    notebook = Notebook(ruleset, Budget(None))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "GAMES", games)
        find_loops(notebook)
    (searched,) = notebook.searched
    assert searched.complete
    return notebook.findings


@pytest.fixture(scope="module")
def broken() -> Finding:
    """The one error of the variant that is broken on purpose."""
    (finding,) = [each for each in found(load_ruleset(BROKEN), 3) if each.level is Level.ERROR]
    return finding


def dealt(ruleset: Ruleset) -> tuple[Race[Any], Any]:
    """Return a game and its table after the setup, with one treadmill in the hand and one discarded."""
    position = new_position(ruleset)
    player = {**position.state["players"][0], "hand": [CARD], "discard": [CARD], "deck": [], "moved": True}
    game = position.game
    assert isinstance(game, Race)
    return game, game.decode({**position.state, "players": [player]})


def test_the_broken_variant_is_found_with_a_witness(broken: Finding) -> None:
    ruleset, finding = load_ruleset(BROKEN), broken
    assert finding.code == "LOOP"
    assert "play treadmill" in finding.subject
    assert (finding.place.file, finding.place.key) == (ruleset.id, f"cards.{CARD}")
    assert finding.data["kind"] == "growing"
    assert finding.witness is not None
    game, _ = finding.witness.position.start()
    assert isinstance(game, Race)
    end = finding.witness.replay()
    assert not end.pending
    assert game.progress(end.table) >= game.profile.target


def test_the_witness_of_a_loop_changes_nothing_but_goods(broken: Finding) -> None:
    witness = broken.witness
    assert witness is not None
    game, state = witness.position.start()
    assert isinstance(game, Race)
    for text in witness.line:
        state = game.apply(state, game.parse_step(state, text)).state
    tallies = [tally(game, state.table)]
    for _ in range(witness.repeats):
        for text in witness.cycle:
            state = game.apply(state, game.parse_step(state, text)).state
        tallies.append(tally(game, state.table))
    assert len(tallies) >= 3
    for before, after in pairwise(tallies):
        assert after.gains(before)


def test_a_sound_edition_has_no_loop() -> None:
    assert found(load_ruleset(EDITION), 3) == []


@pytest.mark.parametrize(
    "twin",
    [
        {"cards": {CARD: {"effects": [{"op": "move", "n": 15}]}}},
        {"cards": {CARD: {"energy": 1}}},
        {"cards": {CARD: {"health": 1}}},
        {"cards": {CARD: {"tags": []}}},
    ],
    ids=["nothing recovered", "energy", "health", "no tag"],
)
def test_a_twin_without_the_closing_piece_is_not_certified(twin: dict[str, Any]) -> None:
    broken = extended(load_ruleset(BROKEN), FLAT)
    game, table = dealt(broken)
    certificate = confirm(game, table, PLAY, game.profile.target)
    assert certificate is not None
    assert (certificate.kind, certificate.end) == ("growing", "goal")
    assert certificate.clean >= 8
    assert certificate.gains == {"players.0.pos": 18}
    game, table = dealt(extended(broken, twin))
    for cycle in (PLAY, (("play treadmill",),)):
        assert confirm(game, table, cycle, game.profile.target) is None


def test_a_loop_that_is_known_to_reach_the_goal_is_not_confirmed_again() -> None:
    position = new_position(extended(load_ruleset(BROKEN), FLAT))
    _, table = dealt(position.ruleset)
    confirmer = Confirmer(Budget(None))
    for _ in range(2):
        confirmer.see(position, Proposal((), table, PLAY))
    assert confirmer.tried == {PLAY: 1}
    assert len(confirmer.best) == 1


def test_a_recorded_game_ends_with_the_time_unless_work_is_counted() -> None:
    ruleset = load_ruleset(EDITION)
    assert next(games(ruleset, 0, Budget(0.0))).ends == ()
    assert len(next(games(ruleset, 0, Budget(0.0, clock=WorkClock()))).ends) == TURNS


def test_doing_nothing_is_a_note_where_it_is_slow() -> None:
    findings = found(load_ruleset("iditacards/breather"), 2)
    assert {each.level for each in findings} == {Level.NOTE}


def test_a_stop_by_the_budget_is_told() -> None:
    notebook = Notebook(load_ruleset(EDITION), Budget(0.0))
    find_loops(notebook)
    assert [each.complete for each in notebook.searched] == [False]


def test_a_tally_sees_what_is_used_up() -> None:
    before = Tally("x", {"hand: move": 2, "pos": 3})
    assert Tally("x", {"hand: move": 2, "pos": 5}).gains(before) == {"pos": 2}
    assert Tally("x", {"hand: move": 1, "pos": 9}).gains(before) is None
    assert Tally("x", {"pos": 9}).gains(before) is None
    assert Tally("y", {"hand: move": 2, "pos": 5}).gains(before) is None
    assert Tally("x", dict(before.goods)).gains(before) == {}


def test_a_long_step_is_a_loop_though_it_soon_crosses_into_another_leg() -> None:
    far = {"cards": {CARD: {"effects": [{"op": "move", "n": 24}, {"op": "recover_tag", "tag": CARD}]}}}
    notebook = Notebook(extended(load_ruleset(BROKEN), far), Budget(None), base=load_ruleset(EDITION))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "GAMES", 0)
        patch.setattr(walks, "playable", lambda _: ())  # the card alone
        find_loops(notebook)
    (finding,) = [each for each in notebook.findings if CARD in each.subject]
    assert finding.data["clean"] == 1
    assert finding.data["end"] == "goal"


def test_a_loop_with_other_turns_between_is_no_other_loop() -> None:
    witness = Witness(new_position(load_ruleset("iditacards/2019-02")), ())

    def looping(*turns: str, pace: float, gains: int = 1) -> tuple[Certificate, Witness]:
        goods = {"pos": gains} if gains else {}
        return Certificate(tuple((turn,) for turn in turns), goods, 3, (), 9, "goal", pace), witness

    best = {
        "stall": looping("rest", pace=0, gains=0),
        "short": looping("play a pay c", pace=2),
        "long": looping("play a pay d", "play b", pace=1),
        "other": looping("play b", "play c", pace=1),
    }
    assert [subject for subject, *_ in telling(best, [])] == ["short", "stall", "other"]
    best["long"] = looping("play a pay d", "play b", pace=9)
    ordinary = [(("walk",), 2)]
    assert [subject for subject, *_ in telling(best, ordinary)] == ["short", "stall", "long", "other"]
