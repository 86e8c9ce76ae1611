"""Values that are known from one side where chance is hidden, rounded to the side on which they hold."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import Final

from puzzles.goal import Goal, Objective
from solver.screens.common import Unit, percent
from solver.screens.hidden_words import value_text

PARTS: Final = 1000
"""Parts of one to which chances that are proved from one side are shown, rounded to that side."""


def least_text(goal: Goal) -> str:
    """Return on which side the value lies of a way to play that was worked out."""
    return "at most" if goal.objective is Objective.MIN_TURNS else "at least"


def proved_text(value: Fraction, goal: Goal, unit: Unit) -> str:
    """Return what some way to play is worth, rounded to the side on which it holds."""
    if goal.objective is Objective.REACH:
        return percent(Fraction(floor(value * PARTS), PARTS))
    return value_text(value, goal, unit)


def at_most_text(chance: Fraction) -> str:
    """Return a chance that no way to play exceeds, rounded up."""
    return f"at most {percent(Fraction(ceil(chance * PARTS), PARTS))}"
