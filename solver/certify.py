"""The replay: what a line really does when the rules play it, with nothing of the search in between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from puzzles.goal import Goal, Objective, forbids
from rules.core.errors import BestlineError, DisagreementError
from rules.core.race import Race
from rules.core.turns import State, TurnEnd
from solver.report import TurnLine

T = TypeVar("T")


def replayed_value(game: Race[T], start: State[T], line: Sequence[TurnLine], goal: Goal) -> int:
    """Return the value of a line for a goal, as the rules play it.

    Raises:
        DisagreementError: a move is not open where the line has it, is forbidden by the goal, or the line ends in the
            middle of a turn or short of its goal.
    """
    state, table = start, start.table
    begun = start.pending
    best = game.progress(start.table, goal.seat)
    for turn in line:
        for step in turn.steps:
            if forbids(goal.forbidden, step.text):
                raise DisagreementError(f"the search used '{step.text}', which the goal forbids")
            try:
                state = game.apply(state, step).state
            except BestlineError as refused:
                raise DisagreementError(f"the search and the rules differ: {refused}") from refused
        if state.pending:
            raise DisagreementError("the search's line stops in the middle of a turn")
        if not game.allows(table, TurnEnd((*begun, *turn.steps), state.table)):
            raise DisagreementError("the search's line does what the challenge forbids")
        table, begun = state.table, ()
        best = max(best, game.progress(state.table, goal.seat))
    taken = game.turns(state.table, goal.seat) - game.turns(start.table, goal.seat)
    reached = game.progress(state.table, goal.seat)
    if goal.objective is Objective.MAX_DISTANCE:
        return reached
    if goal.objective is Objective.REACH:
        return int(best >= goal.target and taken <= (goal.within_turns or 0))
    if reached < goal.target:
        raise DisagreementError(f"the search's line ends at {reached}, short of {goal.target}")
    return taken


def agreed(claimed: int | None, replayed: int) -> int:
    """Return the value both agree on.

    Raises:
        DisagreementError: the search claims another value than the replay gives.
    """
    if claimed != replayed:
        raise DisagreementError(f"the search claims {claimed}, but its line is worth {replayed} when the rules play it")
    return replayed
