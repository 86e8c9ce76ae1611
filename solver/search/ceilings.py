"""What no way to play exceeds where chance is hidden, by a game's packed beliefs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.race import Race
from rules.core.turns import State

HORIZON: Final = 60
"""Turns looked ahead at most where the question sets no limit."""


def belief_form(game: Race[Any], table: Any, goal: Goal) -> Any | None:
    """Return the packed beliefs of a question, or nothing where the game has none for it."""
    target = None if goal.objective is Objective.MAX_DISTANCE else goal.target
    turns = HORIZON if goal.within_turns is None else goal.within_turns
    return game.belief_turns(table, goal.seat, goal.forbidden, target, turns)


def ceiling(game: Race[Any], start: State[Any], goal: Goal) -> Fraction | None:
    """Return what no way to play exceeds, not even one that knows the deck; none where nothing is known.

    A distance; a chance, 0 or 1; or a number of turns that none falls below.
    """
    table, turns = start.table, goal.within_turns or 0
    if goal.objective is Objective.REACH:
        form = None if start.pending else belief_form(game, table, goal)
        hopeless = form is not None and form.hopeless(form.project(table, max(turns, 1)), turns, goal.target)
        return Fraction(not hopeless)
    if start.pending:
        return None
    if goal.objective is Objective.MIN_TURNS:
        return Fraction(game.least_turns(table, goal.seat, goal.target))
    form = belief_form(game, table, goal)
    return None if form is None or not form.is_bounded else Fraction(form.furthest(table, turns))
