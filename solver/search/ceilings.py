"""What no way to play exceeds where chance is hidden, by a game's packed beliefs."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.race import Race
from rules.core.turns import State
from rules.core.ventures import OutOfReach
from solver.search.beliefs import BeliefSearch
from solver.search.layers import LimitHit, Watch

HORIZON: Final = 60
"""Turns looked ahead at most where the question sets no limit."""


def belief_form(game: Race[Any], table: Any, goal: Goal, *, resting: bool = False) -> Any | None:
    """Return the packed beliefs of a question, or nothing where the game has none for it; ``resting`` as there."""
    target = None if goal.objective is Objective.MAX_DISTANCE else goal.target
    turns = HORIZON if goal.within_turns is None else goal.within_turns
    return game.belief_turns(table, goal.seat, goal.forbidden, target, turns, resting=resting)


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


def is_excluded(game: Race[Any], table: Any, goal: Goal) -> bool:
    """Return whether a goal is out of reach in the turns given whatever comes up, by the bound of the game."""
    if goal.objective is Objective.MAX_DISTANCE or goal.within_turns is None:
        return False
    return game.least_turns(table, goal.seat, goal.target) > goal.within_turns


def chance_above(game: Race[Any], start: State[Any], goal: Goal, watch: Watch, most: int | None) -> Fraction:
    """Return a chance that no way to play exceeds, by the larger game (``Race.belief_ceiling``).

    It is 1 where that tells nothing, or not within the limit; ``most`` beliefs are looked at.
    """
    above = Fraction(1)
    form = None if start.pending else game.belief_ceiling(start.table, goal.seat, goal.forbidden, goal.target)
    if form is not None:
        turns = goal.within_turns or 0
        with suppress(LimitHit, OutOfReach):
            above = BeliefSearch(form, goal, watch, most=most).value(
                form.project(start.table, turns), turns
            ) or Fraction(0)
    return above
