"""Whoever stops the search early, at whatever moment, still has a move."""

from __future__ import annotations

from fractions import Fraction

import pytest

from puzzles.goal import Goal, Objective
from rules.core.position import new_position
from solver.hidden import best_hidden
from solver.report import LOOKS, Limit, Status
from tests.rules.iditacards.boards import Board, seat

REACH = Goal(Objective.REACH, 16, 4)
FAR = Goal(Objective.MIN_TURNS, 161, None)


@pytest.mark.parametrize(
    ("ruleset", "goal", "looks"),
    [
        ("iditacards/2019-02", REACH, 2),
        ("iditacards/2019-02", REACH, 40),
        ("iditacards/2019-02", FAR, 60),
        ("iditacards/2019-08", REACH, 100),
        ("iditacards/starter-race", Goal(Objective.MAX_DISTANCE, 0, 3), 20),
    ],
)
def test_ctrl_c_at_any_look_at_the_clock_leaves_a_move(ruleset: str, goal: Goal, looks: int) -> None:
    looked = 0

    def clock() -> float:
        nonlocal looked
        looked += 1
        if looked == looks:
            raise KeyboardInterrupt
        return looked / LOOKS

    report = best_hidden(new_position(ruleset, seed=5, open_sources=[]), goal, Limit(clock=clock))
    assert looked >= looks
    assert report.interrupted
    assert report.method == "sampled"
    assert report.options[0].value is not None


def test_what_is_found_in_a_moment_is_found_however_long_it_took_to_load(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first search of a process finds half of its time gone."""
    now = 0.0

    def loading(*_: object) -> bool:
        nonlocal now
        now += 0.6
        return False

    def clock() -> float:
        nonlocal now
        now += 0.0001
        return now

    monkeypatch.setattr("solver.hidden.may_restart", loading)
    fields = {"pos": 50, "hand": "mush lunch armour", "deck": "rest breakfast lunch a_hat"}
    position = Board("2019-02", seat(**fields, dogs="wheel_dog"), known=(), weather="storm").position
    goal = Goal(Objective.REACH, 64, 2, forbidden=frozenset({"new_day"}))
    report = best_hidden(position, goal, Limit(time_s=1.0, clock=clock))
    assert (report.status, report.value) == (Status.OPTIMAL, Fraction(1, 4))
