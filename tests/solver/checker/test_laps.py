"""Whole races by boards, decks and sets of hands: the same as every line played, and no forgery passes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from puzzles.goal import Goal, Objective
from rules.core.canonical import canonical_json
from rules.core.chance import SplitMix64
from rules.core.errors import DisagreementError
from rules.core.files import read_text
from rules.core.position import Position, new_position, read_position
from rules.iditacards.race import free as free_race
from rules.iditacards.race.free import FreeRace
from rules.iditacards.race.laps import IditacardsLaps
from rules.iditacards.state import Table
from solver.checker.archive import check_archive, read_archive
from solver.checker.bounded import Reached
from solver.checker.closed import Budget, Tables, Unfit
from solver.checker.evidence import Astray
from solver.checker.laps import Laps
from solver.checker.question import Rejected
from solver.proofs import write_large
from solver.report import Report, Status
from solver.solve import searchable, solve
from tests.solver.checker.forging import Forge, block, claim, forged, records

RACE = "iditacards/starter-race"
LATE = [(1, 11), (6, 23), (7, 13), (12, 4), (13, 6)]
"""Races by seed and turns played at random: hand and deck are short then, and a new day is near."""
SPACES = 26
"""From there to the target."""


@pytest.fixture(autouse=True, scope="module")
def few_walks() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("solver.checker.laps.WALKS", 1)
        yield


def plenty() -> Budget:
    return Budget(3_000_000, 3_000_000)


@cache
def met(seed: int, turns: int) -> Position:
    """Return a race after some turns at random."""
    position = new_position(RACE, seed=seed)
    table, generator = position.start()[1].table, SplitMix64(seed)
    for _ in range(turns):
        table = position.game.sample_turn(table, generator).table
    return read_position(read_text(canonical_json({**position.canonical(), "state": position.game.encode(table)})))


def laps_of(position: Position, turns: int, spaces: int = SPACES, *, cuts: bool = True) -> Laps[Any]:
    return Laps(searchable(position), position.start()[1], goal_of(position, spaces), turns, plenty(), cuts=cuts)


def goal_of(position: Position, spaces: int = SPACES) -> Goal:
    return Goal(Objective.MIN_TURNS, searchable(position).progress(position.start()[1].table) + spaces)


def all_layers(laps: Laps[Any]) -> int:
    with laps:
        return [turn for turn, _ in laps.layers()][-1]


@pytest.mark.parametrize(("seed", "turns"), LATE)
def test_layers_without_bound_hold_every_line_and_nothing_further(seed: int, turns: int) -> None:
    """The control: whole tables, every way through every turn, beside boards and sets of hands."""
    position = met(seed, turns)
    everything = Tables(searchable(position), position.start()[1], goal_of(position, 60), plenty())
    with laps_of(position, 2, 60, cuts=False) as laps:
        for turn, _ in laps.layers():
            everything.advance()
            assert laps.furthest() == everything.furthest()
            assert all(laps.reaches(table) for table in everything.tables)
            gained = (everything.furthest() or 0) + 60 - goal_of(position, 60).target
            assert gained <= laps_of(position, turn).allowed(position.start()[1].table, turn)


def test_the_ceiling_of_a_whole_race() -> None:
    position = new_position(RACE, seed=0)
    with laps_of(position, 20, 161) as laps:
        allowed = [laps.allowed(position.start()[1].table, turns) for turns in range(21)]
    assert all(less <= more for less, more in pairwise(allowed))
    assert allowed[14] < 161 <= allowed[15]


@pytest.mark.parametrize(("seed", "turns"), [(6, 23), (13, 6)])
def test_cutting_loses_no_line_to_the_target(seed: int, turns: int) -> None:
    position = met(seed, turns)
    least = solve(position, goal_of(position)).value or 0
    assert all_layers(laps_of(position, least - 1)) == least - 1
    for over, cuts in ((0, True), (1, True)):
        with pytest.raises(Reached) as reached:
            all_layers(laps_of(position, least + over, cuts=cuts))
        assert reached.value.turn == least


def test_a_line_over_the_finish_is_held_against_its_parts(tmp_path: Path) -> None:
    """The last turn ends the game where the line is, and does not where the rules are asked."""
    late = met(6, 23)
    state = late.canonical()["state"]
    player = {**state["players"][0], "pos": 150}
    late = read_position(read_text(canonical_json({**late.canonical(), "state": {**state, "players": [player]}})))
    goal = Goal(Objective.MIN_TURNS, 161)
    report = solve(late, goal)
    write_large(late, goal, report, tmp_path / "finish.proof")
    assert check_archive(read_archive(tmp_path / "finish.proof")).value == report.value


# Certificates


@cache
def race() -> tuple[Position, Goal, Report]:
    position = met(7, 13)
    return position, goal_of(position), solve(position, goal_of(position))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("laps") / "race.proof"
    write_large(*race(), path)
    return path


def test_a_race_with_new_days_is_proved(written: Path, tmp_path: Path) -> None:
    archive = read_archive(written)
    checked = check_archive(archive)
    report = race()[2]
    assert any("new_day" in moves for moves in archive.claim.line)
    assert (archive.claim.form, checked.relies) == ("laps", "free race")
    assert (checked.status, checked.value, checked.turns) == ("optimal", 8, 7)
    assert report.value == 8
    assert checked.positions == sum(layer.positions for layer in archive.layers) > 100
    assert write_large(*race(), tmp_path / "again.proof") == archive.seal


FORGED: dict[str, tuple[Forge, str]] = {
    "fewer turns claimed": (claim(value=7), "the claimed value is 7, but the line is worth 8"),
    "fewer turns excluded": (claim(turns=3), "turns to be excluded"),
    "a state dropped": (block(2, records(lambda data: data[9:])), "turn 2: the certificate leaves out position"),
    "a state added": (block(1, records(lambda data: bytes(9) + data)), "turn 1: the certificate lists position 0000"),
    "a bound raised": (
        block(2, records(lambda data: data[:8] + bytes((data[8] + 1,)) + data[9:])),
        r"turn 2: position \w+ is \d turns away by the bound, not",
    ),
    "a damaged block": (block(2, lambda data: b"\x00" + data[1:]), "turn 2: block 0 is damaged"),
    "a layer dropped": (lambda disk: disk.execute("DELETE FROM layer WHERE turn = 7").close(), "no such layer"),
    "another bound": (claim(bound="a better one"), "the rules here bring 'free race'"),
    "foreign rules": (claim(fingerprint="0123456789ab"), "made for other rules"),
    "another form": (claim(form="bounded"), "the rules here bring ''"),
    "called impossible": (claim(status="infeasible"), "neither a line nor a value"),
    "a move left out": (claim(line=[]), "but the line is|short of the target"),
}


@pytest.mark.parametrize("change", FORGED)
def test_a_forged_race_is_rejected_and_says_why(change: str, written: Path, tmp_path: Path) -> None:
    forge, why = FORGED[change]
    archive = forged(written, tmp_path / "forged.proof", forge)
    with pytest.raises(Rejected, match=why):
        check_archive(archive)


def test_an_answer_that_the_rules_beat_is_not_certified(tmp_path: Path) -> None:
    position, goal, report = race()
    worse = replace(report, status=Status.INFEASIBLE, value=None, line=())
    with pytest.raises(DisagreementError, match="the rules get there in 8"):
        write_large(position, replace(goal, within_turns=9), worse, tmp_path / "a.proof")


# What is relied on is watched


def test_a_ceiling_that_is_too_low_is_found_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A smaller game in which jumps land short cannot hold what the line claimed does."""
    whole = FreeRace.moves
    monkeypatch.setattr(
        FreeRace, "moves", lambda self: [[(min(gain, 8), after) for gain, after in turns] for turns in whole(self)]
    )
    with pytest.raises(DisagreementError, match="differ: the bound allows"):
        write_large(*race(), tmp_path / "low.proof")


def test_parts_that_lose_something_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A probe that loses a card on the way is refused before any layer is played."""
    whole = IditacardsLaps.whole

    def losing(self: IditacardsLaps, board: Table, hand: Any, deck: Any, progress: int) -> Table:
        return whole(self, board, hand, deck[:-1], progress)

    monkeypatch.setattr(IditacardsLaps, "whole", losing)
    with pytest.raises(Astray, match="taken apart"):
        all_layers(laps_of(race()[0], 3))


def test_a_choice_that_is_left_out_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards that forget free actions lead to fewer positions than the turns of the game."""
    monkeypatch.setattr(IditacardsLaps, "after_free", lambda _, board: [board])
    with pytest.raises(Astray, match="not among those reached"):
        all_layers(laps_of(met(6, 23), 2, 60, cuts=False))


def test_what_is_no_such_race_goes_to_another_form() -> None:
    for ruleset, goal in (
        ("iditacards/2019-02", Goal(Objective.MIN_TURNS, 161)),
        (RACE, Goal(Objective.MIN_TURNS, 20, None, frozenset({"new_day"}))),
        (RACE, Goal(Objective.MIN_TURNS, 200)),
    ):
        position = new_position(ruleset, seed=0)
        with pytest.raises(Unfit):
            Laps(searchable(position), position.start()[1], goal, 3, plenty())


def test_a_race_whose_smaller_game_is_not_small_has_no_ceiling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(free_race, "MOST_MARKS", 10)
    free_race.free_race.cache_clear()
    with pytest.raises(Unfit, match="no bound"):
        laps_of(race()[0], 3)
    free_race.free_race.cache_clear()
