"""Iterative deepening in layers over an encoding: compiled code plays and stores, this module decides what is next.

The search for the fewest turns is A* by horizons. A position waits under its turn and its total, the turn plus an
admissible lower bound of the turns still to go. A horizon expands every position whose total it covers, turn by turn,
so a horizon without an arrival proves that no line is so short. Positions that a horizon leaves wait for the next one:
each is expanded once for the earliest turn on which it was reached.

The search for the greatest distance keeps a table for each turn, because more turns are not always better. It drops
positions that cannot beat the line known so far.

Source: iterative deepening A* (Korf 1985) with a transposition table, breadth first within a horizon.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rules.core.race import NEVER
from solver.search.budget import Budget, BudgetExceeded, Counters, NodesExceeded
from solver.search.layered import NO_TARGET, PATIENCE, UNREACHABLE, Ends, Run
from solver.search.transposition_table import KNOWN, Positions, as_column

Indices = NDArray[np.int32]

BYTES_A_STATE: Final = 174
"""Memory of one position at most, key and columns, to turn a limit of positions into one of bytes."""
ENDS: Final = 8_192
"""Turn ends for which there is room at first."""
AMPLE: Final = 20_000
"""Positions of one turn after which a beam leaves out what the less promising ones lead to, at least,"""
AMPLE_EACH: Final = 20
"""and for each position that it keeps."""
OVER: Final = 1
"""Flag of a position at which the game has ended."""
CUT: Final = 2
"""Flag of a position that the bound excludes."""


END_S: Final = 0.000001
"""About the seconds of a turn end."""


class DeepeningSearch:
    """Searches one encoded problem in bulk; the counters add up over all runs."""

    def __init__(self, problem: Any, budget: Budget, roots: Sequence[bytes], counters: Counters) -> None:
        self.problem, self.budget, self.roots, self.counters = problem, budget, roots, counters
        self.ends = Ends(ENDS)
        """The buffer that the last expansion filled."""
        self._most: int | None = None
        self._most_ends = 0
        self._frontier: _Frontier | None = None

    def run(self, target: int, turns: int, *, at_end: bool, most: int | None) -> Run[bytes]:
        """Return the shortest line to a target in ``turns`` turns at most, or the farthest of exactly so many.

        Raises:
            NodesExceeded: more than ``most`` positions have been generated.
            BudgetExceeded: the budget allows no more.
        """
        self._most = most
        if at_end:
            return self._farthest(target, turns)
        if self._frontier is None or self._frontier.target != target:
            self._frontier = _Frontier(self, target)
        return self._frontier.advance(turns)

    # One run of exactly so many turns

    def _farthest(self, target: int, turns: int) -> Run[bytes]:
        """Return the run of exactly ``turns`` turns, with the line that gets farthest if that reaches ``target``."""
        self.counters.states = self.counters.pruned = 0
        layer = self.first_layer()
        layers, complete, alive = [layer], True, np.arange(len(layer))
        for left in range(turns - 1, -1, -1):
            layer = self._next_layer(layers, target, left)
            layers.append(layer)
            alive = np.flatnonzero(layer.flags & CUT == 0)
            self.counters.pruned += len(layer) - len(alive)
            self.counters.states += len(alive)
            complete = complete and len(alive) == len(layer)
            if not len(alive):
                return Run(None, complete)
        best = int(alive[np.lexsort((layer.days[alive], -layer.progress[alive]))[0]])
        if layer.progress[best] < target:
            return Run(None, complete)
        return Run(chain(layers, best), complete)

    def _next_layer(self, layers: Sequence[Positions], target: int, left: int) -> Positions:
        """Return what one more turn reaches; what cannot get to the target in the turns left is flagged."""
        layer, after = layers[-1], self._new_positions(*layers)
        over = layer.flags & OVER != 0
        for index in np.flatnonzero(over & (layer.flags & CUT == 0)):
            place = after.start(layer.key(int(index)), int(layer.progress[index]), 0, int(layer.days[index]))
            after.parents[place], after.flags[place] = index, OVER
        for places in self.expansions(layer, np.flatnonzero(layer.flags == 0).astype(np.int32), after, target, 0):
            late = after.least[places] > left
            after.flags[places[late]] |= CUT
        return after

    # Beams

    def beam(self, width: int, turns: int, target: int | None) -> list[bytes] | None:
        """Return the line of a beam that keeps the ``width`` most promising positions of each turn.

        With a target: the first line that meets it; without: the line of exactly ``turns`` turns that gets farthest.
        """
        self._most = None
        self._most_ends, self.ends.sparing = AMPLE, True
        try:
            return self._beam(width, turns, target)
        except BudgetExceeded:
            self.budget.check()
            return None  # a narrower beam has found what there is room for
        finally:
            self._most_ends, self.ends.sparing = 0, False

    def _beam(self, width: int, turns: int, target: int | None) -> list[bytes] | None:
        layers: list[Positions | _Kept] = []
        layer, chosen = self.first_layer(), np.arange(len(self.roots), dtype=np.int32)
        best, stale = -NEVER, 0
        for _ in range(turns):
            layers.append(_Kept(layer, chosen))
            layer = self._new_positions()
            for _ in self.expansions(layers[-1], np.arange(len(chosen), dtype=np.int32), layer, NO_TARGET, 0):
                if len(layer) > max(AMPLE, AMPLE_EACH * width):
                    break
            if not len(layer):
                return None
            if target is not None and len(arrived := np.flatnonzero(layer.progress >= target)):
                return chain([*layers, layer], int(arrived[layer.days[arrived].argmin()]))
            promise = layer.promise
            kept = min(width, len(layer))
            chosen = np.argpartition(-promise, kept - 1)[:kept].astype(np.int32)
            chosen = chosen[np.argsort(-promise[chosen], kind="stable")]
            stale = 0 if promise.max() > best else stale + 1
            best = max(best, int(promise.max()))
            if target is not None and stale > PATIENCE:
                return None
        return None if target is not None else chain([*layers, layer], int(layer.progress.argmax()))

    # What all of them share

    def _new_positions(self, *others: Positions) -> Positions:
        """Return an empty table with the memory that the frontier and other tables leave."""
        tables = others if self._frontier is None else (*others, self._frontier.table)
        memory = self.budget.max_states * BYTES_A_STATE - sum(table.bytes_used for table in tables)
        return Positions(memory)

    def first_layer(self) -> Positions:
        """Return the roots as a layer of their own."""
        layer, problem = self._new_positions(), self.problem
        for root in self.roots:
            place = layer.start(root, problem.progress(root), 0, problem.rounds(root))
            layer.flags[place] = OVER if problem.is_over(root) else 0
        return layer

    def expansions(
        self, sources: Positions | _Kept, chosen: Indices, into: Positions, target: int, turn: int
    ) -> Iterator[Indices]:
        """Expand chosen positions into a table; yield the places there that are new or reached earlier, part by part.

        Raises:
            BudgetExceeded: the budget allows no more, or the table is full.
            NodesExceeded: the run has generated as many positions as it was allowed.
        """
        if not len(chosen):
            return
        keys, offsets = sources.gather(chosen)
        at, ends = 0, self.ends

        def enough(count: int) -> bool:
            self.budget.check(self.counters.states + len(into) + count)
            return bool(self._most_ends) and count > self._most_ends

        ends.enough = enough
        while at < len(chosen):
            ends.count = 0
            after = self.problem.expand(keys, offsets, at, len(chosen), target, ends)
            self.counters.generated += ends.count
            self.counters.expanded += after - at
            self.budget.spend(ends.count * END_S)
            at = after
            outcomes = np.empty(ends.count, np.uint8)
            places = into.add(ends, chosen, turn, outcomes)
            fresh = outcomes != KNOWN
            places = places[fresh]
            into.flags[places] = as_column(ends.over)[: ends.count][fresh]
            yield places
            self.budget.check(self.counters.states + len(into))
            if self._most is not None and self.counters.generated > self._most:
                raise NodesExceeded


class _Frontier:
    """Everything reached on the way to one target; horizons go on from it."""

    def __init__(self, search: DeepeningSearch, target: int) -> None:
        self.target = target
        self._search = search
        self.table = search.first_layer()
        self._waiting: dict[tuple[int, int], list[Indices]] = defaultdict(list)
        """Positions still to be expanded, by turn and total."""
        for root in range(len(self.table)):
            least = search.problem.lacking(self.table.key(root), 0, target)
            if least < NEVER:
                self._waiting[0, least].append(np.array([root], np.int32))

    def advance(self, horizon: int) -> Run[bytes]:
        """Expand what may arrive within ``horizon`` turns; return the run with its shortest line, if there is one."""
        counters = self._search.counters
        begun = counters.generated
        for turn in range(horizon):
            for total in sorted(total for at, total in self._waiting if at == turn and total <= horizon):
                self._expand(turn, total)
            counters.states = len(self.table)
            arrived = self._arrived(turn + 1)
            if arrived is not None:
                return Run(self.table.chain(arrived), not self._waiting)
        counters.pruned = sum(len(part) for parts in self._waiting.values() for part in parts)
        lacking = min((total for _, total in self._waiting), default=horizon + NEVER) - horizon
        tried = counters.generated - begun
        return Run(None, not self._waiting, lacking=min(lacking, NEVER), tried=tried)

    def _expand(self, turn: int, total: int) -> None:
        """Expand the positions of one turn and total; all wait again if a limit stops it."""
        positions = self.table
        parts = self._waiting.pop((turn, total))
        chosen = np.unique(np.concatenate(parts))
        # The others were reached earlier and wait there, or are expanded.
        chosen = chosen[positions.turns[chosen] == turn]
        positions.memory = self._search.budget.max_states * BYTES_A_STATE
        self._search.counters.states = 0
        try:
            for places in self._search.expansions(positions, chosen, positions, self.target, turn + 1):
                least = positions.least[places].astype(np.int64)
                least[(positions.flags[places] & OVER != 0) & (least > 0)] = UNREACHABLE
                totals = np.where(least == 0, turn + 1, np.maximum(least + turn + 1, total))
                for after in np.unique(totals[least < UNREACHABLE]):
                    self._waiting[turn + 1, int(after)].append(places[totals == after])
        except BaseException:
            self._waiting[turn, total] += parts
            raise

    def _arrived(self, turn: int) -> int | None:
        """Return the position of fewest rounds that is at the target on a turn, if any is."""
        parts = self._waiting.get((turn, turn))
        if not parts:
            return None
        there = np.concatenate(parts)
        positions = self.table
        there = there[positions.progress[there] >= self.target]
        return int(there[positions.days[there].argmin()]) if len(there) else None


class _Kept:
    """The positions of one turn that a beam goes on from."""

    def __init__(self, layer: Positions, chosen: Indices) -> None:
        self._keys, self._offsets = layer.gather(chosen)
        self.parents = layer.parents[chosen].copy()

    def gather(self, chosen: Indices) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Return all keys and their offsets."""
        assert len(chosen) == len(self.parents)
        return self._keys, self._offsets

    def key(self, index: int) -> bytes:
        """Return the key of a position."""
        return self._keys[self._offsets[index] : self._offsets[index + 1]].tobytes()


def chain(layers: Sequence[Positions | _Kept], last: int) -> list[bytes]:
    """Return the keys from a root to a position of the last layer."""
    path = []
    for layer in reversed(layers):
        path.append(layer.key(last))
        last = int(layer.parents[last])
    return path[::-1]
