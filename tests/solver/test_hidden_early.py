"""What search tells early: whoever stops it has a move, and what is certain is told as such."""

from __future__ import annotations

from fractions import Fraction

import pytest

from puzzles.puzzle import Goal, Objective
from rules.core.files import read_text
from rules.core.position import Position, new_position, read_position
from solver.engines.hidden import HiddenQuestion, best_hidden
from solver.question import CERTAIN, Question, Status
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


SECOND_DAY = """
game = "iditacards"
ruleset = "2019-02"
[state]
weather = "storm"
[[state.players]]
pos = 50
dogs = [{ dog = "wheel_dog" }]
hand = ["move", "mush", "lunch", "first_aid", "dinner", "husky"]
"""


def position_of(text: str) -> Position:
    return read_position(read_text(text))


@pytest.mark.parametrize("turns", [2, 3])
def test_certain_success_is_found_without_the_other_chances(turns: int) -> None:
    game, start = position_of(SECOND_DAY).start()
    goal = Goal(Objective.REACH, 56, turns)
    found = HiddenQuestion(game, start, goal, Budget(), 20_000, rivals=False).answer()
    assert (found.status, found.method) == (Status.OPTIMAL, CERTAIN)
    assert found.value == 1
    assert found.moves[0].value == 1


def test_fewest_turns_lie_between_late_arrivals_and_a_certain_one() -> None:
    game, start = position_of(SECOND_DAY).start()
    found = HiddenQuestion(game, start, Goal(Objective.MIN_TURNS, 56, None), Budget(), 20_000).answer()
    assert found.value == 2
    assert found.bound is not None
    assert found.bound >= Fraction(11, 6)
