"""What looks at a deck are worth, added up with numpy: the same integers as in plain Python, much sooner.

What a look is worth is described in ``rules.core.looks``. Only the order of worths counts for which deck is best, so
the greatest is found among their *ranks*, class by class as there, on whole arrays. The worths themselves are cut into
limbs that are so small that no sum of them leaves the integers that a double holds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import comb, gcd, prod
from typing import Any, Final, NamedTuple

from rules.core.looks import Counts, pair_counts

AT_ONCE: Final = 2_000_000
"""About how many pairs are held at once at most; else the classes with most copies are gone through one by one."""
KEPT: Final = 16_000_000
"""Pairs of which the numbers are kept for further looks."""
EXACT_BITS: Final = 53
"""Integers of so many bits are added up exactly."""
WORTHWHILE: Final = 4_000
"""Pairs from which on arrays are quicker than lists."""
FIRST: Final = 150_000
"""Pairs from which on they are so even if numpy is loaded for it."""


class Move(NamedTuple):
    """Ranks for some copies of a class below and there, from those of the classes before."""

    source: tuple[int, int]
    """Cards that lie below, and cards that are shown, of the classes before."""
    low: int
    high: int
    target: tuple[int, int]
    first: int
    """Where they begin among those of the target."""


class Round(NamedTuple):
    """One class."""

    copies: int
    moves: tuple[Move, ...]
    sizes: dict[tuple[int, int], int]
    """Pairs of each target."""


@lru_cache(maxsize=512)
def rounds(copies: Counts, looked: int, below: int) -> tuple[Round, ...]:
    """Return the rounds of some classes, in which as many cards lie below and are shown as have to."""
    found: list[Round] = []
    sizes = {(0, 0): 1}
    rest = sum(copies)
    for n in copies:
        rest -= n
        moves: list[Move] = []
        more: dict[tuple[int, int], int] = {}
        for (under, shown), many in sizes.items():
            for low in range(min(n, below - under) + 1):
                least = below + looked - under - shown - rest
                for high in range(max(low, least), min(n, low + looked - shown) + 1):
                    target = (under + low, shown + high - low)
                    first = more.get(target, 0)
                    more[target] = first + many
                    moves.append(Move((under, shown), low, high, target, first))
        found.append(Round(n, tuple(moves), more))
        sizes = more
    return tuple(found)


class NumpyLooks:
    """Adds up looks; what is the same for looks of one shape is kept."""

    def __init__(self) -> None:
        self._numpy: Any = None
        self._kept: dict[tuple[Counts, int, int], tuple[Any, Any]] = {}
        self._pairs = 0

    def sums(
        self,
        copies: Counts,
        looked: int,
        below: int,
        decks: Sequence[int],
        worths: Sequence[int],
        there: Sequence[int],
        check: Callable[[], None],
    ) -> list[int] | None:
        """Return what a look is worth for all that may be there, nothing where plain Python does as well."""
        if pair_counts(copies, looked, below) < (WORTHWHILE if self._numpy is not None else FIRST):
            return None
        if self._numpy is None:
            import numpy as np

            self._numpy = np
        np = self._numpy
        distinct = sorted({0, *worths})
        ranks = {worth: rank for rank, worth in enumerate(distinct)}
        box = np.zeros(prod(n + 1 for n in copies), np.uint16 if len(distinct) <= 1 << 16 else np.int32)
        box[np.array(decks, np.int64)] = np.fromiter(map(ranks.__getitem__, worths), box.dtype, len(worths))
        look = _Look(np, copies, looked, below, distinct, self._numbers, check)
        look.add(box)
        return look.told(np.array(there, np.int64))

    def _numbers(self, copies: Counts, looked: int, below: int) -> tuple[Any, Any]:
        """Return for all pairs the number of what is there, and in how many ways what is below lies there."""
        key = (copies, looked, below)
        known = self._kept.get(key)
        if known is None:
            known = self._numbered(copies, looked, below)
            if self._pairs > KEPT:
                self._kept.clear()
                self._pairs = 0
            self._pairs += len(known[0])
            self._kept[key] = known
        return known

    def _numbered(self, copies: Counts, looked: int, below: int) -> tuple[Any, Any]:
        np = self._numpy
        found = {(0, 0): (np.zeros(1, np.int32), np.ones(1))}
        place = 1
        for n, moves, sizes in rounds(copies[::-1], looked, below):
            more = {target: (np.empty(size, np.int32), np.empty(size)) for target, size in sizes.items()}
            for source, low, high, target, first in moves:
                numbers, ways = found[source]
                part = slice(first, first + len(numbers))
                np.add(numbers, high * place, out=more[target][0][part])
                np.multiply(ways, comb(high, low), out=more[target][1][part])
            found = more
            place *= n + 1
        return found[below, looked]


class _Look:
    """One look."""

    def __init__(
        self,
        np: Any,
        copies: Counts,
        looked: int,
        below: int,
        distinct: list[int],
        numbers: Callable[[Counts, int, int], tuple[Any, Any]],
        check: Callable[[], None],
    ) -> None:
        self._np = np
        self._looked, self._below = looked, below
        self._numbers, self._check = numbers, check
        outer, pairs = 0, pair_counts(copies, looked, below)
        while pairs > AT_ONCE:
            pairs //= comb(copies[outer] + 2, 2)
            outer += 1
        self._outer, self._inner = copies[:outer], copies[outer:]
        self._rest = [sum(copies[place:]) for place in range(outer + 1)]
        self._unit = gcd(*distinct) or 1
        self._bits = EXACT_BITS - comb(looked + below, below).bit_length()
        """Of a limb: what is below can lie in what is there in so many ways, all pairs of it together."""
        worths = [worth // self._unit for worth in distinct]
        self._limbs: list[Any] = []
        while not self._limbs or any(worths):
            self._limbs.append(np.array([worth & (1 << self._bits) - 1 for worth in worths], np.float64))
            worths = [worth >> self._bits for worth in worths]
        self._sums = [np.zeros(prod(n + 1 for n in copies)) for _ in self._limbs]

    def add(self, ranks: Any) -> None:
        """Add up over all pairs, given the ranks of all decks."""
        self._all(0, ranks, self._below, self._looked, 1, 0)

    def told(self, there: Any) -> list[int]:
        """Return the sums for some decks."""
        found = [0] * len(there)
        for place, sums in enumerate(self._sums):
            shift = self._bits * place
            limbs = sums[there].astype(self._np.int64).tolist()
            found = [total + (limb << shift) for total, limb in zip(found, limbs, strict=True)]
        return [total * self._unit for total in found]

    def _all(self, place: int, ranks: Any, below: int, looked: int, ways: int, first: int) -> None:
        """Add up over all pairs of parts of the classes from a place on, with so many cards."""
        np = self._np
        if place == len(self._outer):
            self._check()
            best = self._greatest(ranks, looked, below)
            numbers, many = self._numbers(self._inner, looked, below)
            part = slice(first, first + len(ranks))
            for limbs, sums in zip(self._limbs, self._sums, strict=True):
                sums[part] += ways * np.bincount(numbers, many * limbs[best], len(ranks))
            return
        copies, rest = self._outer[place], self._rest[place + 1]
        step = len(ranks) // (copies + 1)
        pieces = ranks.reshape(copies + 1, step)
        for low in range(max(0, below - rest), min(copies, below) + 1):
            best = pieces[low]
            for high in range(low, min(copies, low + looked) + 1):
                if high > low:
                    best = np.maximum(best, pieces[high])
                if below + looked - high <= rest:
                    times, shown = ways * comb(high, low), looked - high + low
                    self._all(place + 1, best, below - low, shown, times, first + high * step)

    def _greatest(self, ranks: Any, looked: int, below: int) -> Any:
        """Return for all pairs the greatest rank in between.

        Classes with few copies go first: so what is held grows latest.
        """
        np = self._np
        shape = [n + 1 for n in self._inner]
        found = {(0, 0): ranks.reshape(shape).transpose().reshape(1, -1)}
        rest = len(ranks)
        for n, moves, sizes in rounds(self._inner[::-1], looked, below):
            rest //= n + 1
            more = {target: np.empty((size, rest), ranks.dtype) for target, size in sizes.items()}
            of, start, reached = (-1, -1), -1, -1
            pieces = best = ranks
            for source, low, high, target, first in moves:
                if source != of:
                    of, start = source, -1
                    pieces = found[source].reshape(-1, n + 1, rest)
                if low != start:
                    start = reached = low
                    best = pieces[:, low]
                while reached < high - 1:
                    reached += 1
                    best = np.maximum(best, pieces[:, reached])
                into = more[target][first : first + len(best)]
                if reached < high:
                    reached += 1
                    np.maximum(best, pieces[:, reached], out=into)
                else:
                    into[:] = best
                best = into
            found = more
        return found[below, looked].reshape(-1)
