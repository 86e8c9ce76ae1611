"""Whoever stops the search early, at whatever moment, still has a move."""

from __future__ import annotations

import pytest

from puzzles.goal import Goal, Objective
from rules.core.position import new_position
from solver.engines.hidden import best_hidden
from solver.question import Question
from solver.search.budget import LOOKS, Budget

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

    report = best_hidden(Question(new_position(ruleset, seed=5, open_sources=[]), goal, Budget(time_s=60, clock=clock)))
    assert looked >= looks
    assert report.interrupted
    assert report.method == "sampled"
    assert report.moves[0].value is not None
