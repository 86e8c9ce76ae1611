"""The search that suits a problem."""

from __future__ import annotations

from typing import Any

from solver.search.asking_search import FactSearch
from solver.search.layers import LayeredSearch, Watch
from solver.search.packed_search import PackedSearch


def suited_search(problem: Any, watch: Watch, roots: list[Any]) -> LayeredSearch[Any] | PackedSearch:
    """Return the search of a problem: packed where turns are functions over numbers, by facts where it has a form."""
    if hasattr(problem, "kernel"):
        return PackedSearch(problem, watch, roots)
    if hasattr(problem, "form"):
        return FactSearch(problem, watch, roots)
    return LayeredSearch(problem, watch, roots)
