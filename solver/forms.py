"""The search problem of a question, over the fastest form of the game that carries it, and the search that suits it."""

from __future__ import annotations

from typing import Any

from puzzles.goal import Goal, Objective
from rules.core.race import Race
from rules.core.turns import State
from solver.encodings.turns import EncodedTurns, encoded_turns, encoding_module
from solver.search.gradual import GradualSearch
from solver.search.layers import LayeredSearch, Watch
from solver.search.plain import PlainTurns
from solver.search.problem import SearchProblem


def search_of(problem: Any, watch: Watch, roots: list[Any]) -> LayeredSearch[Any]:
    """Return the search that suits a problem: in bulk where an encoding plays the turns."""
    if isinstance(problem, EncodedTurns):
        return GradualSearch(problem, watch, roots)
    return LayeredSearch(problem, watch, roots)


def search_problem(game: Race[Any], start: State[Any], goal: Goal) -> SearchProblem[Any, Any]:
    """Return the turns of a question over the encoding of the game, or over its rules where none carries it."""
    target = None if goal.objective is Objective.MAX_DISTANCE else goal.target
    encoded = encoded_turns(game, start.table, goal.seat, goal.forbidden, target, goal.within_turns)
    return encoded if encoded is not None else PlainTurns(game, goal.seat, goal.forbidden)


def roomier(problem: Any, game: Race[Any], start: State[Any], goal: Goal) -> SearchProblem[Any, Any]:
    """Return the problem of a question over a form with room for more than the one that was too small."""
    target = None if goal.objective is Objective.MAX_DISTANCE else goal.target
    encoded = None
    if problem.decides_late:
        encoded = encoded_turns(game, start.table, goal.seat, goal.forbidden, target, goal.within_turns, late=False)
    return encoded if encoded is not None else PlainTurns(game, goal.seat, goal.forbidden)


def venture_odds(game: Race[Any], table: Any, seat: int, begin: str | None, *, at_once: bool = False) -> Any:
    """Return the chances of a card of a seat over the encoding of the game, or nothing where none carries it.

    ``begin`` is a hand card begun now, or none for the one under way; ``at_once`` lets nothing come before it.
    """
    module = encoding_module(game, "ventures")
    return None if module is None else module.venture_odds(game, table, seat, begin, at_once=at_once)
