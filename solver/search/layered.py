"""Exact search turn by turn: all positions after one turn, after two, …, with a transposition table per layer.

A layer holds each position once. An admissible bound cuts positions from which the target is out of reach in the turns
left. So a run that never meets the target proves that no line of so many turns does. Runs of growing horizon give the
fewest turns: the last failing one proves optimality. For the greatest distance one run is enough. It cuts what cannot
beat the line of a beam, so the best of its last layer is the best.

Most questions are small and are searched key by key. Larger ones of an encoding are searched in bulk
(``iterative_deepening``), which needs numpy, whose import takes longer than a small question.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from rules.core.race import NEVER
from solver.search.budget import Budget, Counters, NodesExceeded
from solver.search.problem import PATIENCE, EncodedTurns, Run, SearchProblem

if TYPE_CHECKING:
    from solver.search.iterative_deepening import DeepeningSearch

K = TypeVar("K", bound=Hashable)

_CHECK_EVERY: Final = 32
"""Positions generated between two looks at the clock."""


@dataclass(slots=True)
class LayeredSearch(Generic[K]):
    """Searches one problem; the counters add up over all runs."""

    problem: SearchProblem[Any, K]
    budget: Budget
    roots: Sequence[K]
    """The positions to start from: one, or all that an unfinished turn can end in."""
    counters: Counters = field(default_factory=Counters)
    _most: int | None = None

    def soon(self, target: int, turns: int, most: int, *, at_end: bool = False) -> Run[K] | None:
        """Return the same as ``earliest``, or nothing where all runs together would generate too many positions.

        With ``at_end`` the same as ``farthest``.
        """
        self._most = most
        try:
            return self.farthest(target, turns) if at_end else self.earliest(target, turns)
        except NodesExceeded:
            return None
        finally:
            self._most = None

    def earliest(self, target: int, turns: int) -> Run[K]:
        """Return the shortest way to ``target`` in at most ``turns`` turns, of those the one of fewest rounds."""
        there = [key for key in self.roots if self.problem.progress(key) >= target]
        if there:
            return Run([self._best(there, False)], True)
        return self._search(target, turns, at_end=False)

    def farthest(self, target: int, turns: int) -> Run[K]:
        """Return the way of exactly ``turns`` turns that gets farthest, if that is at least ``target``."""
        return self._search(target, turns, at_end=True)

    def _search(self, target: int, turns: int, at_end: bool) -> Run[K]:
        problem, counters = self.problem, self.counters
        counters.states, counters.pruned = len(self.roots), 0
        layers: list[dict[K, K | None]] = [dict.fromkeys(self.roots)]
        complete, lacking = True, NEVER
        for left in range(turns - 1, -1, -1):
            layer: dict[K, K | None] = {}
            cut: set[K] = set()
            for key in layers[-1]:
                counters.expanded += 1
                if at_end and problem.is_over(key):
                    layer.setdefault(key, key)
                    continue
                for after in problem.successors(key):
                    counters.generated += 1
                    if counters.generated % _CHECK_EVERY == 0:
                        self._look(counters.states + len(layer))
                    if after in layer or after in cut:
                        continue
                    lacks = problem.lacking(after, left, target)
                    if lacks:
                        cut.add(after)
                        lacking = min(lacking, lacks)
                    else:
                        layer[after] = key
            counters.pruned += len(cut)
            counters.states += len(layer)
            complete = complete and not cut
            layers.append(layer)
            found = [key for key in layer if (left == 0 or not at_end) and problem.progress(key) >= target]
            if found:
                return Run(_path(layers, self._best(found, at_end)), complete)
            if not layer:
                return Run(None, complete, lacking=lacking)
        return Run(None, False)

    def _look(self, states: int) -> None:
        """Look at the clock and at what was allowed."""
        self.budget.check(states)
        if self._most is not None and self.counters.generated > self._most:
            raise NodesExceeded

    def _best(self, found: list[K], at_end: bool) -> K:
        problem = self.problem
        if at_end:
            return max(found, key=lambda key: (problem.progress(key), -problem.rounds(key)))
        return min(found, key=problem.rounds)

    def beam(self, width: int, turns: int, target: int | None) -> list[K] | None:
        """Return a way found by keeping only the ``width`` most promising positions of each layer.

        With a target: the first way that meets it; without: the way of exactly ``turns`` turns that gets farthest.
        """
        problem, counters = self.problem, self.counters
        layers: list[dict[K, K | None]] = [dict.fromkeys(self.roots)]
        best, stale = max(map(problem.promise, self.roots), default=0), 0
        for _ in range(turns):
            layer: dict[K, K | None] = {}
            for key in layers[-1]:
                counters.expanded += 1
                if problem.is_over(key):
                    layer.setdefault(key, key)
                    continue
                for after in problem.some_successors(key):
                    counters.generated += 1
                    if counters.generated % _CHECK_EVERY == 0:
                        self.budget.check()
                    layer.setdefault(after, key)
            if not layer:
                return None
            if target is not None:
                found = [key for key in layer if problem.progress(key) >= target]
                if found:
                    return _path([*layers, layer], self._best(found, False))
            kept = nlargest(width, layer, key=problem.promise)
            layers.append({key: layer[key] for key in kept})
            stale = 0 if problem.promise(kept[0]) > best else stale + 1
            best = max(best, problem.promise(kept[0]))
            if target is not None and stale > PATIENCE:
                return None
        return None if target is not None else _path(layers, max(layers[-1], key=problem.progress))


def _path(layers: list[dict[K, K | None]], last: K) -> list[K]:
    path = [last]
    for layer in reversed(layers[1:]):
        before = layer[path[-1]]
        assert before is not None
        path.append(before)
    return path[::-1]


SMALL: Final = 3_000
"""Positions that a question may generate before it is searched in bulk."""


class GradualSearch(LayeredSearch[bytes]):
    """Searches one encoded problem; the counters add up over all runs."""

    problem: EncodedTurns

    _bulk: DeepeningSearch | None = None

    def _search(self, target: int, turns: int, at_end: bool) -> Run[bytes]:
        if self._bulk is None:
            allowed = self._most
            self._most = SMALL if allowed is None else min(SMALL, allowed)
            self.problem.most_ends = SMALL
            try:
                return super()._search(target, turns, at_end)
            except NodesExceeded:
                if allowed is not None and self.counters.generated > allowed:
                    raise
            finally:
                self._most, self.problem.most_ends = allowed, 0
        return self._in_bulk().run(target, turns, at_end=at_end, most=self._most)

    def _in_bulk(self) -> DeepeningSearch:
        if self._bulk is None:
            from solver.search.iterative_deepening import DeepeningSearch

            self._bulk = DeepeningSearch(self.problem, self.budget, self.roots, self.counters)
        return self._bulk

    def beam(self, width: int, turns: int, target: int | None) -> list[bytes] | None:
        """Return the line of a beam that keeps the ``width`` most promising positions of each turn."""
        return self._in_bulk().beam(width, turns, target)
