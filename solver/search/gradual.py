"""The search over an encoding: key by key while a question is small, then in bulk.

Most questions are small. The search in bulk needs numpy, whose import takes longer than they do.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import TYPE_CHECKING, Any, Final

from solver.search.budget import NodesExceeded
from solver.search.layers import LayeredSearch, Run

if TYPE_CHECKING:
    from solver.search.deepening import DeepeningSearch, EncodedProblem

SMALL: Final = 3_000
"""Positions that a question may generate before it is searched in bulk."""


class GradualSearch(LayeredSearch[bytes]):
    """Searches one encoded problem; the counters add up over all runs."""

    problem: EncodedProblem

    _bulk: DeepeningSearch | None = None

    def _search(self, target: int, turns: int, meets: Callable[[bytes, int], bool], at_end: bool) -> Run[bytes]:
        if self._bulk is None:
            allowed = self._most
            self._most = SMALL if allowed is None else min(SMALL, allowed)
            self.problem.most_ends = SMALL
            try:
                return super()._search(target, turns, meets, at_end)
            except NodesExceeded:
                if allowed is not None and self.counters.generated > allowed:
                    raise
            finally:
                self._most, self.problem.most_ends = allowed, 0
        return self._in_bulk().run(target, turns, at_end=at_end, most=self._most)

    def _in_bulk(self) -> DeepeningSearch:
        if self._bulk is None:
            from solver.search.deepening import DeepeningSearch

            self._bulk = DeepeningSearch(self.problem, self.budget, self.roots, self.counters)
        return self._bulk

    def alive(self, run: Run[bytes], most: int, *, ties: bool) -> list[Container[Any]] | None:
        """Return the shapes of all positions of each turn that lie on some line as good as the one found."""
        if not run.layers:
            bulk = self._in_bulk()
            if bulk.kept > most:
                return None
            run = bulk.with_layers(run)
        return super().alive(run, most, ties=ties)

    def beam(self, width: int, turns: int, target: int | None) -> list[bytes] | None:
        """Return the line of a beam that keeps the ``width`` most promising positions of each turn."""
        return self._in_bulk().beam(width, turns, target)
