"""Exact values of hidden questions against processes written out step by step."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from puzzles.puzzle import Goal, Objective
from rules.core.position import Position
from rules.core.race import Race
from solver.engines.hidden import solve_hidden
from solver.question import Status
from tests.rules.iditacards.boards import Board, seat
from tests.solver.search.belief_mdp import Builder, backward

NO_DAY = frozenset({"new_day"})
REACH, FAR, SOON = Objective.REACH, Objective.MAX_DISTANCE, Objective.MIN_TURNS


def board(edition: str, weather: str, **fields: Any) -> Position:
    return Board(edition, seat(**{"dogs": "wheel_dog", **fields}), known=(), weather=weather).position


CASES: Mapping[str, tuple[Position, Goal]] = {
    "one risk card, two turns": (
        board("2019-02", "storm", pos=50, hand="mush lunch armour", deck="rest breakfast lunch a_hat"),
        Goal(REACH, 64, 2, NO_DAY),
    ),
    "a risk card or a sure move": (
        board("2019-02", "storm", pos=50, hand="mush move lunch", deck="rest breakfast a_hat"),
        Goal(REACH, 60, 3, NO_DAY),
    ),
    "a risk card under way": (
        board("2019-02", "storm", pos=50, hand="lunch move", deck="rest lunch a_hat move", stack="husky:2:0"),
        Goal(REACH, 57, 3, NO_DAY),
    ),
    "as far as three turns go": (
        board("2019-02", "storm", pos=50, hand="mush move lunch", deck="rest move a_hat"),
        Goal(FAR, 0, 3, NO_DAY),
    ),
    "as far as two turns go with food": (
        board("2017", "sun", pos=30, hand="mush lunch armour", deck="move breakfast move"),
        Goal(FAR, 0, 2, NO_DAY),
    ),
    "soon and surely": (
        board("2019-02", "storm", pos=50, hand="move move lunch", deck="rest move"),
        Goal(SOON, 58, 4, NO_DAY),
    ),
    "soon, whatever lunch brings": (
        board("2019-02", "storm", pos=50, hand="lunch move armour", deck="move rest a_hat move"),
        Goal(SOON, 58, 4, NO_DAY),
    ),
    "a new day and its weather": (
        board("2019-02", "storm", pos=50, hand="rest", deck="move a_hat", discard="mush"),
        Goal(REACH, 59, 2),
    ),
    "as far as a new day lets one": (
        board("2019-02", "storm", pos=50, hand="rest", deck="move", discard="move lunch"),
        Goal(FAR, 0, 2),
    ),
    "the first edition": (
        board("2017", "snow", pos=50, hand="mush lunch armour", deck="move breakfast lunch a_hat"),
        Goal(REACH, 62, 3, NO_DAY),
    ),
    "the last edition": (
        board("2019-08", "sun", pos=30, hand="mush lunch armour", deck="move breakfast lunch a_hat"),
        Goal(REACH, 42, 2, NO_DAY),
    ),
    "as far as the last edition goes": (
        board("2019-08", "rain", pos=20, hand="move lunch mush", deck="armour move breakfast"),
        Goal(FAR, 0, 2, NO_DAY),
    ),
}
TRIVIAL = {Fraction(0), Fraction(1), None}


def begun(position: Position, goal: Goal) -> int:
    """Return what a distance already has; rewards count only what is added."""
    game = position.game
    assert isinstance(game, Race)
    return game.progress(position.table()) if goal.objective is FAR else 0


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_values_are_those_of_the_process_written_out(name: str) -> None:
    position, goal = CASES[name]
    report = solve_hidden(position, goal)
    assert report.status is Status.OPTIMAL
    assert report.value not in TRIVIAL, "a case must have something to find"
    value = backward(Builder(position, goal).build(), goal.objective)
    assert value is not None
    assert report.value == value + begun(position, goal)
