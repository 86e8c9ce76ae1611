"""Exact search turn by turn: all positions after one turn, after two, …, with a transposition table per layer.

A layer holds each position once. Positions are cut when an admissible bound shows that the target is out of reach in
the turns left; a run that never meets the target is therefore the proof that no line of so many turns does. Runs of
growing horizon give the fewest turns: the last failing one is the proof of optimality. For the greatest distance one
run is enough, cut by what a beam has found: whatever could beat it is kept, so the best of its last layer is the best.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from typing import Any, Final, Generic, TypeVar

from rules.core.challenge import NEVER
from solver.report import Limit, WorkClock
from solver.search.problem import SearchProblem

K = TypeVar("K", bound=Hashable)

STATES: Final = 6_000_000
"""Positions kept in one run unless the limit says otherwise; about 1.5 GB."""
PATIENCE: Final = 20
"""Layers without a more promising position after which a beam gives up."""
_CHECK_EVERY: Final = 32
"""Positions generated between two looks at the clock."""


class LimitHit(Exception):
    """The time or the memory allowed is used up."""


class Enough(Exception):
    """A run has generated as many positions as it was allowed."""


@dataclass(slots=True)
class Counters:
    """What a search has done so far."""

    generated: int = 0
    """Positions generated, repeats included."""
    expanded: int = 0
    states: int = 0
    """Distinct positions kept by the last run."""
    pruned: int = 0
    """Positions cut by the bound in the last run."""


class Watch:
    """Keeps a search within its limit."""

    def __init__(self, limit: Limit) -> None:
        self._clock = limit.clock
        self._started = limit.clock()
        self._time_s = limit.time_s
        self.states = limit.states or STATES
        self.asked_states = limit.states
        self.steady = limit.steady
        """What is searched may not depend on how fast anything is."""

    @property
    def time_s(self) -> float:
        """Seconds since the search began."""
        return self._clock() - self._started

    def spend(self, seconds: float) -> None:
        """Count work that is done without a look at the clock, where work is what is counted."""
        if isinstance(self._clock, WorkClock):
            self._clock.spend(seconds)

    def extend(self, time_s: float | None) -> None:
        """Allow so many seconds since the search began."""
        self._time_s = time_s

    def stop(self) -> None:
        """Stop the search for want of room.

        Raises:
            LimitHit: always.
        """
        raise LimitHit

    def check(self, states: int = 0) -> None:
        """Look at the clock and at the number of positions kept.

        Raises:
            LimitHit: one of them is used up.
        """
        if states > self.states or (self._time_s is not None and self.time_s > self._time_s):
            raise LimitHit


@dataclass(slots=True)
class Run(Generic[K]):
    """One exhausted search to a horizon."""

    path: list[K] | None
    """Keys from a root to the best one that meets the target, both included; none if none does."""
    complete: bool
    """Nothing was cut for lack of turns: no line of any length meets the target if none was found."""
    layers: list[dict[K, K | None]] = field(default_factory=list)
    """The keys of each layer with one key before; empty where nothing was found."""
    lacking: int = 1
    """Turns more that a line needs at least where none was found."""
    target: int | None = None
    """Progress that was enough; none where the most counts."""


@dataclass(slots=True)
class LayeredSearch(Generic[K]):
    """Searches one problem; the counters add up over all runs."""

    problem: SearchProblem[Any, K]
    watch: Watch
    roots: Sequence[K]
    """The positions to start from: one, or all that an unfinished turn can end in."""
    counters: Counters = field(default_factory=Counters)
    _most: int | None = None

    @property
    def rate(self) -> int:
        """How many positions are generated while plain Python generates one, about."""
        return 1

    def soon(self, target: int, turns: int, most: int) -> Run[K] | None:
        """Return the same as ``earliest``, or nothing where all runs together would generate too many positions.

        These are ``most`` and the ``rate`` times that.
        """
        self._most = most
        try:
            return self.earliest(target, turns)
        except Enough:
            return None
        finally:
            self._most = None

    def earliest(self, target: int, turns: int) -> Run[K]:
        """Return the shortest way to ``target`` in at most ``turns`` turns, of those the one of fewest rounds."""
        there = [key for key in self.roots if self.problem.progress(key) >= target]
        if there:
            return Run([self._best(there, False)], True, [dict.fromkeys(there)], target=target)
        return self._search(target, turns, lambda key, _: self.problem.progress(key) >= target, at_end=False)

    def farthest(self, target: int, turns: int) -> Run[K]:
        """Return the way of exactly ``turns`` turns that gets farthest, if that is at least ``target``."""
        return self._search(target, turns, lambda key, left: left == 0 and self.problem.progress(key) >= target, True)

    def _search(self, target: int, turns: int, meets: Callable[[K, int], bool], at_end: bool) -> Run[K]:
        problem, counters = self.problem, self.counters
        counters.states, counters.pruned = len(self.roots), 0
        layers: list[dict[K, K | None]] = [dict.fromkeys(self.roots)]
        complete, lacking = True, NEVER
        for left in range(turns - 1, -1, -1):
            problem.forget()
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
                    if problem.promising(after, left, target):
                        layer[after] = key
                    else:
                        cut.add(after)
                        if lacking > 1:
                            lacking = min(lacking, problem.lacking(after, left, target))
            counters.pruned += len(cut)
            counters.states += len(layer)
            complete = complete and not cut
            layers.append(layer)
            found = [key for key in layer if meets(key, left)]
            if found:
                best = self._best(found, at_end)
                return Run(_path(layers, best), complete, layers, target=None if at_end else target)
            if not layer:
                return Run(None, complete, lacking=lacking)
        return Run(None, False)

    def _look(self, states: int) -> None:
        """Look at the clock and at what was allowed."""
        self.watch.check(states)
        if self._most is not None and self.counters.generated > self._most:
            raise Enough

    def _best(self, found: list[K], at_end: bool) -> K:
        problem = self.problem
        if at_end:
            return max(found, key=lambda key: (problem.progress(key), -problem.rounds(key)))
        return min(found, key=problem.rounds)

    def alive(self, run: Run[K]) -> list[Container[Any]]:
        """Return the shapes of all positions of each layer that lie on some way as good as the one found.

        Whether one of them does is looked for when it is asked.
        """
        assert run.path is not None
        last = run.path[-1]
        ends = Living(self, lambda key: self._as_good(key, last, run.target), run.layers[-1], None)
        living = [ends]
        for layer in reversed(run.layers[:-1]):
            living.append(Living(self, None, layer, living[-1]))
        return [*reversed(living)]

    def _as_good(self, key: K, best: K, target: int | None) -> bool:
        """Return whether a last position is worth as much as the best: where a target is enough, more is no better."""
        problem = self.problem
        enough = problem.progress(best) if target is None else target
        return problem.progress(key) >= enough and problem.rounds(key) == problem.rounds(best)

    def beam(self, width: int, turns: int, target: int | None) -> list[K] | None:
        """Return a way found by keeping only the ``width`` most promising positions of each layer.

        With a target: the first way that meets it; without: the way of exactly ``turns`` turns that gets farthest.
        """
        problem, counters = self.problem, self.counters
        layers: list[dict[K, K | None]] = [dict.fromkeys(self.roots)]
        best, stale = max(map(problem.promise, self.roots), default=0), 0
        for _ in range(turns):
            problem.forget()
            layer: dict[K, K | None] = {}
            for key in layers[-1]:
                counters.expanded += 1
                if problem.is_over(key):
                    layer.setdefault(key, key)
                    continue
                for after in problem.some_successors(key):
                    counters.generated += 1
                    if counters.generated % _CHECK_EVERY == 0:
                        self.watch.check()
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


class Living(Generic[K]):
    """The shapes of the positions of one layer from which the rest of a best way can be walked."""

    def __init__(
        self,
        search: LayeredSearch[K],
        ends: Callable[[K], bool] | None,
        layer: dict[K, K | None],
        after: Living[K] | None,
    ) -> None:
        """``ends`` says which positions of the last layer are meant; any other has the layer ``after`` it."""
        self._search = search
        self._ends = ends
        self._layer = layer
        self._after = after
        self._keys: dict[Any, list[K]] | None = None
        self._known: dict[K, bool] = {}

    def __contains__(self, shape: object) -> bool:
        if self._keys is None:
            self._keys = {}
            for key in self._layer:
                self._keys.setdefault(self._search.problem.shape(key), []).append(key)
        return any(self.has(key) for key in self._keys.get(shape, ()))

    def has(self, key: K) -> bool:
        """Return whether a position of the layer is one of them."""
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = key in self._layer and self._leads_on(key)
        return known

    def _leads_on(self, key: K) -> bool:
        if self._after is None:
            return self._ends is not None and self._ends(key)
        problem = self._search.problem
        if problem.is_over(key):
            return self._after.has(key)
        return any(self._after.has(after) for after in problem.successors(key))


def _path(layers: list[dict[K, K | None]], last: K) -> list[K]:
    path = [last]
    for layer in reversed(layers[1:]):
        before = layer[path[-1]]
        assert before is not None
        path.append(before)
    return path[::-1]
