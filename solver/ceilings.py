"""What no way to play exceeds where chance is hidden, by bounds that hold in whatever order cards come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.race import Race
from solver.encodings.turns import hidden_values

FURTHEST: Final = 6
"""Turns up to which the bound is asked how far they lead."""
MEMORY: Final = 1 << 20
"""Bytes for the table of an encoding of which only the bound is asked."""


def ceiling(game: Race[Any], table: Any, goal: Goal) -> Fraction | None:
    """Return what no way to play exceeds, not even one that knows all cards; none where nothing is known.

    A distance short of the usual target; a chance, 0 or 1; or a number of turns that none falls below.
    """
    if goal.objective is Objective.REACH:
        return Fraction(not is_excluded(game, table, goal))
    least = _least(game, table, goal)
    if goal.objective is Objective.MIN_TURNS:
        return Fraction(least(goal.target))
    if goal.within_turns is None or goal.within_turns > FURTHEST:
        return None
    low, high = game.progress(table, goal.seat), game.default_target()
    if least(high) <= goal.within_turns:
        return None
    while low < high:
        middle = (low + high + 1) // 2
        if least(middle) > goal.within_turns:
            high = middle - 1
        else:
            low = middle
    return Fraction(low)


def is_excluded(game: Race[Any], table: Any, goal: Goal) -> bool:
    """Return whether a goal is out of reach in the turns given whatever comes up."""
    if goal.objective is Objective.MAX_DISTANCE or goal.within_turns is None:
        return False
    return _least(game, table, goal)(goal.target) > goal.within_turns


def _least(game: Race[Any], table: Any, goal: Goal) -> Callable[[int], int]:
    """Return what tells the turns to a target below which no way to play falls."""
    asked = replace(goal, objective=Objective.MAX_DISTANCE)
    values = hidden_values(game, table, asked, goal.within_turns or 1, MEMORY, _go_on)
    if values is None:
        return lambda target: game.least_turns(table, goal.seat, target, goal.forbidden)
    return lambda target: int(values.least(table, target))


def _go_on() -> None:
    pass
