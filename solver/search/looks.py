"""Looks at a deck (``rules.core.decks``) on whole arrays.

What lies below and what is there are a *pair*. Of a class that has some copies below and some there, what lies in
between has any number between those. So the greatest worth in between is found class by class, for all pairs at once;
of each class, only those pairs lead on with which as many cards can still lie below and be shown as have to. Where
there are too many pairs at once, the classes of which there are most copies are gone through one by one.

Only the order of worths counts for which deck is best, so this is done with their *ranks*. The worths themselves are
cut into limbs so small that no sum of them leaves the integers that a double holds.

Where there are many pairs, those that come to the same are worked out once (``solver.search.shared_looks``), and so are
looks with the same ranks and worths.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import Any, Final, NamedTuple

from rules.core.decks import Counts, pair_counts
from solver.search.shared_looks import SharedLooks, pairs_of

AT_ONCE: Final = 8_000_000
"""About how many pairs are gone through at once at most."""
SHARED: Final = 40_000
"""Pairs from which on those that come to the same are worked out once (``solver.search.shared_looks``)."""
SAME: Final = 24
"""Looks with so many pairs of which the sums are kept."""
KEPT: Final = 16_000_000
"""Pairs of which the numbers are kept for further looks."""
EXACT_BITS: Final = 53
"""Integers of so many bits are added up exactly by doubles."""


class Shape(NamedTuple):
    """How the pairs of some classes are gone through, from the last class on."""

    kept: tuple[Any, ...]
    """For each class which pairs of it and those before may lead on, nothing where all may."""
    numbers: Any
    """For all pairs in the end the number of what is there, and in how many ways what is below lies there."""
    ways: Any


class Known(NamedTuple):
    """A look that was worked out."""

    ranks: Any
    limbs: list[Any]
    sums: list[Any]


class LookSums:
    """Adds looks up; how the pairs of one shape are gone through is kept."""

    def __init__(self, np: Any) -> None:
        self._np = np
        self._kept: dict[tuple[Counts, int, int], Shape] = {}
        self._pairs = 0
        self._classes: dict[int, tuple[Any, Any, Any]] = {}
        self.shared = SharedLooks(np)
        self._same: dict[tuple[Counts, int, int], list[Known]] = {}

    def sums(
        self, copies: Counts, looked: int, below: int, ranks: Any, worths: Any, check: Callable[[], None]
    ) -> tuple[list[Any], int]:
        """Return limbs, lowest first, of the sums for all that may be there, and how many bits a limb goes further.

        ``ranks`` are those of all decks, ``worths`` by rank. What lies below counts as often as it does by copies.
        """
        np = self._np
        bits = EXACT_BITS - comb(looked + below, below).bit_length()
        limbs: list[Any] = []
        while not limbs or worths.any():
            limbs.append((worths & (1 << bits) - 1).astype(np.float64))
            worths = worths >> bits
        if not below:
            best = self.of_all(copies, ranks)
            return [limb[best] for limb in limbs], bits
        pairs = pair_counts(copies, looked, below)
        if pairs < SHARED:
            return self._added(copies, looked, below, ranks, limbs, pairs, check), bits
        same = self._same.setdefault((copies, looked, below), [])
        for known in same:
            if np.array_equal(known.ranks, ranks) and np.array_equal(known.limbs, limbs):
                return known.sums, bits
        sums = self._added(copies, looked, below, ranks, limbs, pairs, check)
        same.append(Known(ranks, limbs, sums))
        if sum(map(len, self._same.values())) > SAME:
            self._same.clear()
        return sums, bits

    def _added(
        self,
        copies: Counts,
        looked: int,
        below: int,
        ranks: Any,
        limbs: list[Any],
        pairs: int,
        check: Callable[[], None],
    ) -> list[Any]:
        """Return the sums of limbs."""
        np = self._np
        outer = 0
        while pairs > AT_ONCE:
            pairs //= comb(copies[outer] + 2, 2)
            outer += 1
        sums = [np.zeros(len(ranks)) for _ in limbs]

        def add(place: int, ranks: Any, below: int, looked: int, ways: int, first: int) -> None:
            """Add up over all pairs of parts of the classes from a place on, with so many cards."""
            if place == outer:
                check()
                if pair_counts(copies[outer:], looked, below) >= SHARED:
                    found = self.shared.sums(copies[outer:], looked, below, ranks, limbs, check)
                    for each, total in zip(found, sums, strict=True):
                        total[first : first + len(ranks)] += ways * each
                    return
                shape = self._shape(copies[outer:], looked, below)
                best = self._greatest(shape, copies[outer:], ranks)
                for limb, total in zip(limbs, sums, strict=True):
                    worths = np.bincount(shape.numbers, shape.ways * limb[best], len(ranks))
                    total[first : first + len(ranks)] += ways * worths
                return
            n, rest = copies[place], sum(copies[place + 1 :])
            step = len(ranks) // (n + 1)
            pieces = ranks.reshape(n + 1, step)
            for low in range(max(0, below - rest), min(n, below) + 1):
                best = pieces[low]
                for high in range(low, min(n, low + looked) + 1):
                    if high > low:
                        best = np.maximum(best, pieces[high])
                    if below + looked - high <= rest:
                        times = ways * comb(high, low)
                        add(place + 1, best, below - low, looked - high + low, times, first + high * step)

        add(0, ranks, below, looked, 1, 0)
        return sums

    def of_all(self, copies: Counts, worths: Any) -> Any:
        """Return for all that may be there, where nothing lies below, what is worth most of its parts."""
        best = worths.copy()
        rest = len(best)
        for n in copies:
            rest //= n + 1
            pieces = best.reshape(-1, n + 1, rest)
            for high in range(1, n + 1):
                self._np.maximum(pieces[:, high], pieces[:, high - 1], out=pieces[:, high])
        return best

    def _shape(self, copies: Counts, looked: int, below: int) -> Shape:
        """Return how pairs are gone through, as it is kept."""
        key = (copies, looked, below)
        known = self._kept.get(key)
        if known is None:
            known = self._shaped(copies, looked, below)
            if self._pairs > KEPT:
                self._kept.clear()
                self._pairs = 0
            self._pairs += len(known.numbers)
            self._kept[key] = known
        return known

    def _shaped(self, copies: Counts, looked: int, below: int) -> Shape:
        """Return how pairs are gone through; classes with few copies go first, so what is held grows latest."""
        np = self._np
        low = there = numbers = np.zeros(1, np.int32)
        ways = np.ones(1)
        kept: list[Any] = []
        rest, place = sum(copies), 1
        cards = rest
        for n in reversed(copies):
            rest -= n
            lows, highs, times = self._class(n)
            low, there = np.add.outer(lows, low).ravel(), np.add.outer(highs, there).ravel()
            numbers = np.add.outer(highs * place, numbers).ravel()
            ways = np.multiply.outer(times, ways).ravel()
            place *= n + 1
            if cards - rest <= min(below, looked) and below + looked <= rest:
                kept.append(None)
                continue
            may = (low <= below) & (low >= below - rest) & (there - low <= looked) & (there >= below + looked - rest)
            which = np.flatnonzero(may)
            kept.append(which)
            low, there, numbers, ways = low[which], there[which], numbers[which], ways[which]
        return Shape(tuple(kept), numbers, ways)

    def _class(self, copies: int) -> tuple[Any, Any, Any]:
        """Return for each pair of a class the copies below and there, and in how many ways they lie so."""
        known = self._classes.get(copies)
        if known is None:
            np = self._np
            pairs = pairs_of(copies)
            lows, highs = np.array(pairs, np.int32).T
            ways = np.array([comb(high, low) for low, high in pairs], np.float64)
            known = self._classes[copies] = (lows.copy(), highs.copy(), ways)
        return known

    def _greatest(self, shape: Shape, copies: Counts, ranks: Any) -> Any:
        """Return for all pairs the greatest rank in between.

        Pairs are the last axis, parts of the classes that are left the first one.
        """
        np = self._np
        every = ranks.reshape([n + 1 for n in copies]).transpose()
        rows, rest = 1, len(ranks)
        for n, kept in zip(reversed(copies), shape.kept, strict=True):
            rest //= n + 1
            pieces, pairs = every.reshape(n + 1, rest, rows), pairs_of(n)
            every = np.empty((rest, len(pairs), rows), ranks.dtype)
            for place, (low, high) in enumerate(pairs):
                if high == low:
                    every[:, place] = pieces[low]
                else:
                    np.maximum(every[:, place - 1], pieces[high], out=every[:, place])
            every = every.reshape(rest, rows * len(pairs))
            if kept is not None:
                every = every.take(kept, 1)
            rows = every.shape[1]
        return every.reshape(-1)
