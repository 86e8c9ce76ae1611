"""Looks at a deck (``rules.core.decks``) on whole arrays.

What lies below and what is there are a *pair*. Of a class that has some copies below and some there, what lies in
between has any number between those. So the greatest worth in between is found class by class, for all pairs at once;
of each class, both are gone through only where as many cards can still lie below and be shown as have to. Where that
leads to too many pairs at once, the classes of which there are most copies are gone through one by one.

Only the order of worths counts for which deck is best, so this is done with their *ranks*. The worths themselves are
cut into limbs so small that no sum of them leaves the integers that a double holds.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import comb, prod
from typing import Any, Final, NamedTuple

from rules.core.decks import Counts, pair_counts

AT_ONCE: Final = 2_000_000
"""About how many pairs are held at once at most."""
KEPT: Final = 16_000_000
"""Pairs of which the numbers are kept for further looks."""
EXACT_BITS: Final = 53
"""Integers of so many bits are added up exactly by doubles."""


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


class LookSums:
    """Adds looks up; the numbers of the pairs of one shape are kept."""

    def __init__(self, np: Any) -> None:
        self._np = np
        self._kept: dict[tuple[Counts, int, int], tuple[Any, Any]] = {}
        self._pairs = 0

    def sums(
        self, copies: Counts, looked: int, below: int, ranks: Any, worths: list[int], check: Callable[[], None]
    ) -> tuple[list[Any], int]:
        """Return limbs, lowest first, of the sums for all that may be there, and how many bits a limb goes further.

        ``ranks`` are those of all decks, ``worths`` by rank. What lies below counts as often as it does by copies.
        """
        np = self._np
        outer, pairs = 0, pair_counts(copies, looked, below)
        while pairs > AT_ONCE:
            pairs //= comb(copies[outer] + 2, 2)
            outer += 1
        bits = EXACT_BITS - comb(looked + below, below).bit_length()
        limbs: list[Any] = []
        while not limbs or any(worths):
            limbs.append(np.array([worth & (1 << bits) - 1 for worth in worths], np.float64))
            worths = [worth >> bits for worth in worths]
        sums = [np.zeros(prod(n + 1 for n in copies)) for _ in limbs]

        def add(place: int, ranks: Any, below: int, looked: int, ways: int, first: int) -> None:
            """Add up over all pairs of parts of the classes from a place on, with so many cards."""
            if place == outer:
                check()
                inner = copies[outer:]
                best = self._greatest(inner, looked, below, ranks)
                numbers, many = self._numbers(inner, looked, below)
                for limb, total in zip(limbs, sums, strict=True):
                    total[first : first + len(ranks)] += ways * np.bincount(numbers, many * limb[best], len(ranks))
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
        return sums, bits

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
        np = self._np
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

    def _greatest(self, copies: Counts, looked: int, below: int, ranks: Any) -> Any:
        """Return for all pairs the greatest rank in between.

        Classes with few copies go first: so what is held grows latest.
        """
        np = self._np
        found = {(0, 0): ranks.reshape([n + 1 for n in copies]).transpose().reshape(1, -1)}
        rest = len(ranks)
        for n, moves, sizes in rounds(copies[::-1], looked, below):
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
