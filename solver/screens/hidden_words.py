"""Values of questions with hidden chance in words."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from puzzles.goal import Goal, Objective
from solver.screens.common import Unit, percent

UNCERTAIN: Final = "not certain to arrive"
"""Why a move has no expected number of turns,"""
UNSETTLED: Final = "not settled by the turns looked ahead"
"""or none that is known."""
STUCK: Final = "no move is left that the goal allows"
"""Where a move may lead to a turn with nothing that may be done."""
SHORT: Final = 12
"""Columns of a fraction that is worth showing beside its decimal."""


def value_text(value: Fraction | None, goal: Goal, unit: Unit) -> str:
    """Return a value in words: a chance in percent, an expectation in turns or progress."""
    if value is None:
        return STUCK if goal.objective is Objective.MAX_DISTANCE else UNCERTAIN
    if goal.objective is Objective.REACH:
        return f"{percent(value)}{exactly(value)}"
    shown = rounded(value)
    if goal.objective is Objective.MIN_TURNS:
        turn, of = ("turn", "") if goal.clock is None else (goal.clock.turn, f", {goal.clock.turns} to a round")
        return f"{shown} {turn}{'' if value == 1 else 's'}{exactly(value)}{of}"
    return f"{unit.told(shown)}{exactly(value)}"


def loss_text(loss: Fraction, goal: Goal) -> str:
    """Return a loss in words."""
    return f"{float(loss) * 100:.1f} %" if goal.objective is Objective.REACH else rounded(loss)


def rounded(value: Fraction) -> str:
    """Return an expectation as a decimal number."""
    return f"{float(value):.3f}".rstrip("0").rstrip(".")


def exactly(value: Fraction) -> str:
    """Return a fraction to stand beside its decimal; empty where there is none, or none worth showing."""
    text = str(value)
    return f" ({text})" if value.denominator > 1 and len(text) <= SHORT else ""


def decided_text(verdict: str, kind: str) -> str:
    """Return how sure the best move is, or only what kind of move it is."""
    if not kind:
        return "the best two moves are close" if verdict == "close" else f"the best move is {verdict}"
    return f"to {kind} is decided, {'the best two ways are close' if verdict == 'close' else 'which way is undecided'}"
