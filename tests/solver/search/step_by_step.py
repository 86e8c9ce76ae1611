"""Values by asking the rules for one step after the other."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from puzzles.puzzle import Goal, Objective
from rules.core.scripts import CHANCE, OVER, ChanceOutcome
from rules.core.turns import Game, State


def read(game: Game[Any], state: State[Any], goal: Goal, turns: int) -> Fraction | None:
    """Return a value by asking for one step after the other; none where it must not happen, or has begun so."""
    if any(getattr(step, "text", "").split()[:1] == [word] for step in state.pending for word in goal.forbidden):
        return Fraction(0) if goal.objective is Objective.REACH else None
    if not state.pending:
        progress = state.table.players[0].pos
        over = turns == 0 or game.to_act(state) == OVER
        if goal.objective is Objective.MAX_DISTANCE:
            if over:
                return Fraction(progress)
        elif progress >= goal.target:
            return Fraction(goal.objective is Objective.REACH)
        elif over:
            return Fraction(0) if goal.objective is Objective.REACH else None
    outcomes = game.chance_outcomes(state)
    if game.to_act(state) == CHANCE:
        parts = [(step.probability, after(game, state, step, goal, turns)) for step in outcomes]
        return None if any(value is None for _, value in parts) else sum(p * (v or 0) for p, v in parts) + Fraction(0)
    moves = [move for move in game.legal_moves(state) if move.text.split()[0] not in goal.forbidden]
    values = [value for move in moves if (value := after(game, state, move, goal, turns)) is not None]
    if not values:
        return Fraction(0) if goal.objective is Objective.REACH else None
    return min(values) if goal.objective is Objective.MIN_TURNS else max(values)


def after(game: Game[Any], state: State[Any], step: Any, goal: Goal, turns: int) -> Fraction | None:
    """Return what a step is worth likewise."""
    assert isinstance(step, ChanceOutcome) or step in game.legal_moves(state)
    following = game.apply(state, step).state
    ended = not following.pending
    value = read(game, following, goal, turns - ended)
    counts = ended and goal.objective is Objective.MIN_TURNS
    return None if value is None else value + counts
