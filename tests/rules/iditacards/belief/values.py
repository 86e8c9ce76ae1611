"""Values of small tables with a hidden deck, in the form that is asked for."""

from __future__ import annotations

from fractions import Fraction

from puzzles.goal import Goal
from rules.core.ventures import OutOfReach
from rules.iditacards.belief.day import BeliefDay
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Table
from solver.report import Limit
from solver.search.beliefs import BeliefSearch
from solver.search.layers import Watch


def searched(game: Iditacards, table: Table, goal: Goal, *, packed: bool = True) -> tuple[Fraction | None] | None:
    """Return a value; nothing where it is not carried as asked."""
    turns = goal.within_turns or 0
    form = game.belief_turns(table, 0, goal.forbidden, goal.target or None, turns)
    if form is None:
        return None
    assert isinstance(form, BeliefDay)
    search = BeliefSearch(form, goal, Watch(Limit()), packed=packed)
    try:
        value = search.value(form.project(table, turns), turns)
    except OutOfReach:
        return None
    return (value,) if search.is_packed == packed else None
