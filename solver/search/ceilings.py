"""What no way to play exceeds where chance is hidden, by the bound of the game."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.race import Race

HIGHEST: Final = 2_000
"""Units of progress up to which the bound is asked what it excludes."""


def ceiling(game: Race[Any], table: Any, goal: Goal) -> Fraction | None:
    """Return what no way to play exceeds, not even one that knows all cards; none where nothing is known.

    A distance; a chance, 0 or 1; or a number of turns that none falls below.
    """
    if goal.objective is Objective.REACH:
        return Fraction(not is_excluded(game, table, goal))
    if goal.objective is Objective.MIN_TURNS:
        return Fraction(game.least_turns(table, goal.seat, goal.target))
    if not game.bound_name:
        return None
    low, high = game.progress(table, goal.seat), HIGHEST
    while low < high:
        middle = (low + high + 1) // 2
        if game.least_turns(table, goal.seat, middle) > (goal.within_turns or 0):
            high = middle - 1
        else:
            low = middle
    return Fraction(low) if low < HIGHEST else None


def is_excluded(game: Race[Any], table: Any, goal: Goal) -> bool:
    """Return whether a goal is out of reach in the turns given whatever comes up, by the bound of the game."""
    if goal.objective is Objective.MAX_DISTANCE or goal.within_turns is None:
        return False
    return game.least_turns(table, goal.seat, goal.target) > goal.within_turns
