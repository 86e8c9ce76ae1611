"""The forms of a game: the fastest one that carries a question, and the search that suits it."""

from __future__ import annotations

from typing import Any

from puzzles.goal import Goal, Objective
from rules.core.race import Race
from rules.core.turns import State
from solver.search.asking.search import FactSearch
from solver.search.layers import LayeredSearch, Watch
from solver.search.packed_search import PackedSearch
from solver.search.plain import PlainTurns
from solver.search.problem import SearchProblem


def search_of(problem: Any, watch: Watch, roots: list[Any]) -> LayeredSearch[Any] | PackedSearch:
    """Return the search that suits a problem: packed where its turns are functions over numbers."""
    if hasattr(problem, "kernel"):
        return PackedSearch(problem, watch, roots)
    if hasattr(problem, "form"):
        return FactSearch(problem, watch, roots)
    return LayeredSearch(problem, watch, roots)


def search_problem(game: Race[Any], start: State[Any], goal: Goal) -> SearchProblem[Any, Any]:
    """Return the fastest form of the game that carries a question."""
    target = None if goal.objective is Objective.MAX_DISTANCE else goal.target
    compact: SearchProblem[Any, Any] | None = game.compact_turns(
        start.table, goal.seat, goal.forbidden, target, goal.within_turns
    )
    return compact if compact is not None else PlainTurns(game, goal.seat, goal.forbidden)
