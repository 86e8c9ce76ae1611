"""Closed layers: everything that play reaches, a bound that cuts no line, and limits that are kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from puzzles.puzzle import Goal, Objective, load_puzzle
from rules.core.position import new_position
from rules.core.race import Race, Unsupported
from rules.iditacards.engine import Iditacards
from solver.checker.layers import Allowance, Evidence, Reached, TooLarge, UnsoundBound
from solver.engines.answers import searchable, solve
from solver.proofs import write_proof
from tests.solver.checker.forging import checked_file
from tests.solver.model.small_positions import exhaustive, random_position

ONE_DAY = frozenset({"new_day"})
RACE = Goal(Objective.MIN_TURNS, 20, None, ONE_DAY)


def race(*, cuts: bool = True, most: int = 200_000, time_s: float | None = None) -> Evidence[Any]:
    position = load_puzzle("sprint-20").position
    budget = Allowance(most, time_s)
    return Evidence(searchable(position), position.start()[1], RACE, budget, RACE.target, cuts=cuts)


@pytest.mark.parametrize("cuts", [False, True])
def test_the_goal_comes_in_the_turn_of_the_answer_and_no_sooner(*, cuts: bool) -> None:
    assert [layer.turn for layer in race(cuts=cuts).layers(3)] == [1, 2, 3]
    with pytest.raises(Reached) as reached:
        list(race(cuts=cuts).layers(4))
    assert reached.value.turn == 4


def test_little_memory_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    layers = [(layer.furthest, list(layer.names or ())) for layer in race().layers(3)]
    monkeypatch.setattr("solver.checker.layers._MEMORY_KB", 16)
    assert [(layer.furthest, list(layer.names or ())) for layer in race().layers(3)] == layers


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ["iditacards/2017", "iditacards/2019-02", "iditacards/2019-08"])
def test_random_positions_get_as_far_as_every_line_played_out(ruleset: str) -> None:
    """Layers without a bound list every table; with one they exclude what nothing reaches, and nothing else."""
    compared = 0
    for seed in range(12):
        position = random_position(ruleset, 700 + seed, starter=bool(seed % 2), cards=5)
        if position is None:
            continue
        game, start = position.start()
        assert isinstance(game, Race)
        reached = exhaustive(game, start.table, ONE_DAY, 3, most=1500)
        if reached is None or not reached[-1]:
            continue
        best = max(reached[-1])
        goal = Goal(Objective.MAX_DISTANCE, 161, 3, ONE_DAY)
        closed = Evidence(game, start, goal, Allowance(400_000), best, cuts=False)
        furthest = [max(each, default=None) for each in reached]
        assert [layer.furthest for layer in closed.layers(3)] == furthest[:3]
        list(Evidence(game, start, goal, Allowance(400_000), best, cuts=True).layers(3))
        with pytest.raises(Reached):
            list(Evidence(game, start, goal, Allowance(400_000), best - 1, cuts=True).layers(3))
        compared += 1
    assert compared >= 2


def test_layers_end_by_themselves_where_every_line_ends() -> None:
    puzzle = load_puzzle("rope-bridge")
    game, start = searchable(puzzle.position), puzzle.position.start()[1]
    beyond = replace(puzzle.goal, target=161)
    closed = Evidence(game, start, beyond, Allowance(200_000), None, cuts=True)
    last = [(layer.furthest, list(layer.names or ())) for layer in closed.layers(None)][-1]
    assert last == (None, [])


@pytest.mark.parametrize(("limits", "why"), [({"most": 50}, "limit"), ({"time_s": 0.0}, "time")])
def test_what_does_not_fit_is_refused(limits: dict[str, Any], why: str) -> None:
    with pytest.raises(TooLarge, match=why):
        list(race(cuts=False, **limits).layers(3))


def test_hidden_chance_is_not_for_layers() -> None:
    position = new_position("iditacards/2019-02", open_sources=[])
    game, start = position.start()
    assert isinstance(game, Race)
    with pytest.raises(Unsupported, match="hidden chance"):
        list(Evidence(game, start, RACE, Allowance(2_000), RACE.target, cuts=False).layers(2))


def test_a_bound_that_promises_too_little_is_found_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A bound that falls by more than a turn within one turn is refused and not relied on."""

    def least(_: Iditacards, table: Any, seat: int, *_more: Any) -> int:
        return 1 if table.players[seat].pos else 5

    monkeypatch.setattr(Iditacards, "least_turns", least)
    monkeypatch.setattr("solver.proofs.QUICK", 0)
    with pytest.raises(UnsoundBound, match="bound"):
        list(race().layers(3))
    position = load_puzzle("sprint-20").position
    write_proof(position, RACE, solve(position, RACE), tmp_path / "proof")
    assert checked_file(tmp_path / "proof").relies == ""
