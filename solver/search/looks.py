"""Looks at a deck (``rules.core.decks``) on whole arrays.

What lies below and what is there are a *pair*. Of a class that has some copies below and some there, what lies in
between has any number between those. So the greatest worth in between is found class by class, for all pairs at once;
of each class, both are gone through only where as many cards can still lie below and be shown as have to; the first few
classes, while there is little to go through, whatever can. Where there are too many pairs at once, the classes of which
there are most copies are gone through one by one.

Only the order of worths counts for which deck is best, so this is done with their *ranks*. The worths themselves are
cut into limbs so small that no sum of them leaves the integers that a double holds.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb, prod
from typing import Any, Final, NamedTuple

from rules.core.decks import Counts, pair_counts

AT_ONCE: Final = 2_000_000
"""About how many pairs are held at once at most."""
KEPT: Final = 16_000_000
"""Pairs of which the numbers are kept for further looks."""
WHOLE: Final = 60_000
"""Ranks up to which classes are gone through as a whole, with pairs of any numbers of cards."""
EXACT_BITS: Final = 53
"""Integers of so many bits are added up exactly by doubles."""


Cards = tuple[int, int]
"""Cards that lie below, and cards that are shown."""
Move = tuple[Cards, int, int, Cards, int]
"""Ranks for some copies of a class below and there, from those of the classes before: cards of these, the copies, cards
of all then, and where they begin among all of as many."""


class Round(NamedTuple):
    """One class."""

    copies: int
    moves: tuple[Move, ...]
    sizes: dict[Cards, int]
    """Pairs of each target."""


class Shape(NamedTuple):
    """How the pairs of some classes are gone through, from the last class on."""

    whole: Counts
    """Classes that are gone through as a whole."""
    kept: tuple[tuple[Cards, Any], ...]
    """Of their pairs those that may lead on, by cards below and shown."""
    rounds: tuple[Round, ...]
    """The other classes."""
    numbers: Any
    """For all pairs in the end the number of what is there, and in how many ways what is below lies there."""
    ways: Any


def rounds(sizes: dict[Cards, int], copies: Counts, looked: int, below: int) -> tuple[Round, ...]:
    """Return the rounds of some classes, in which as many cards lie below and are shown as have to.

    ``sizes`` are the pairs of the classes before, by their cards below and shown.
    """
    found: list[Round] = []
    rest = sum(copies)
    for n in copies:
        rest -= n
        moves: list[Move] = []
        more: dict[tuple[int, int], int] = {}
        for source, many in sizes.items():
            under, shown = source
            for low in range(min(n, below - under) + 1):
                least = below + looked - under - shown - rest
                for high in range(max(low, least), min(n, low + looked - shown) + 1):
                    target = (under + low, shown + high - low)
                    first = more.get(target, 0)
                    more[target] = first + many
                    moves.append((source, low, high, target, first))
        found.append(Round(n, tuple(moves), more))
        sizes = more
    return tuple(found)


def pairs_of(copies: int) -> list[tuple[int, int]]:
    """Return how many copies of a class lie below and are there."""
    return [(low, high) for low in range(copies + 1) for high in range(low, copies + 1)]


class LookSums:
    """Adds looks up; how the pairs of one shape are gone through is kept."""

    def __init__(self, np: Any) -> None:
        self._np = np
        self._kept: dict[tuple[Counts, int, int], Shape] = {}
        self._pairs = 0

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
        outer, pairs = 0, pair_counts(copies, looked, below)
        while pairs > AT_ONCE:
            pairs //= comb(copies[outer] + 2, 2)
            outer += 1
        sums = [np.zeros(len(ranks)) for _ in limbs]

        def add(place: int, ranks: Any, below: int, looked: int, ways: int, first: int) -> None:
            """Add up over all pairs of parts of the classes from a place on, with so many cards."""
            if place == outer:
                check()
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
        return sums, bits

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
        order = copies[::-1]
        whole, size = 0, prod(n + 1 for n in copies)
        for n in order:
            size = size * (n + 2) // 2
            if size > WHOLE:
                break
            whole += 1
        unit = sum(order[:whole]) + 1
        small = np.int16 if unit * unit < 1 << 15 else np.int32  # which are put in order much sooner
        cards, numbers, ways = np.zeros(1, small), np.zeros(1, np.int32), np.ones(1)
        place = 1
        for n in order[:whole]:
            pairs = pairs_of(n)
            cards = np.add.outer(np.array([low + unit * (high - low) for low, high in pairs], small), cards).ravel()
            numbers = np.add.outer(np.array([high * place for _, high in pairs], np.int32), numbers).ravel()
            ways = np.multiply.outer(np.array([comb(high, low) for low, high in pairs], np.float64), ways).ravel()
            place *= n + 1
        rest = sum(order[whole:])
        rows = np.argsort(cards, kind="stable")
        last = np.cumsum(np.bincount(cards, minlength=unit * unit)).tolist()
        kept: dict[Cards, Any] = {}
        for seen in range(min(looked, unit - 1) + 1):
            for low in range(max(0, below + looked - seen - rest), min(below, unit - 1) + 1):
                number = low + unit * seen
                first = last[number - 1] if number else 0
                if first < last[number]:
                    kept[low, seen] = rows[first : last[number]]
        found = {key: (numbers[each], ways[each]) for key, each in kept.items()}
        turns = rounds({key: len(each) for key, each in kept.items()}, order[whole:], looked, below)
        for n, moves, sizes in turns:
            more = {target: (np.empty(size, np.int32), np.empty(size)) for target, size in sizes.items()}
            for source, low, high, target, first in moves:
                numbers, ways = found[source]
                into, times = more[target]
                part = slice(first, first + len(numbers))
                if high:
                    np.add(numbers, high * place, out=into[part])
                else:
                    into[part] = numbers
                if low and low < high:
                    np.multiply(ways, comb(high, low), out=times[part])
                else:
                    times[part] = ways
            found = more
            place *= n + 1
        return Shape(order[:whole], tuple(kept.items()), turns, *found[below, looked])

    def _greatest(self, shape: Shape, copies: Counts, ranks: Any) -> Any:
        """Return for all pairs the greatest rank in between.

        Pairs are the last axis, parts of the classes that are left the first one.
        """
        np = self._np
        every = ranks.reshape([n + 1 for n in copies]).transpose()
        rows, rest = 1, len(ranks)
        for n in shape.whole:
            rest //= n + 1
            pieces, pairs = every.reshape(n + 1, rest, rows), pairs_of(n)
            every = np.empty((rest, len(pairs), rows), ranks.dtype)
            for place, (low, high) in enumerate(pairs):
                if high == low:
                    every[:, place] = pieces[low]
                else:
                    np.maximum(every[:, place - 1], pieces[high], out=every[:, place])
            rows *= len(pairs)
        every = every.reshape(rest, rows)
        found = {key: every[:, kept] for key, kept in shape.kept}
        for n, moves, sizes in shape.rounds:
            rest //= n + 1
            more = {target: np.empty((rest, size), ranks.dtype) for target, size in sizes.items()}
            of, start, reached, many = (-1, -1), -1, -1, 0
            pieces = best = ranks
            for source, low, high, target, first in moves:
                if source != of:
                    of, start, many = source, -1, found[source].shape[1]
                    pieces = found[source].reshape(n + 1, rest, many)
                if low != start:
                    start = reached = low
                    best = pieces[low]
                while reached < high - 1:
                    reached += 1
                    best = np.maximum(best, pieces[reached])
                into = more[target][:, first : first + many]
                if reached < high:
                    reached += 1
                    np.maximum(best, pieces[reached], out=into)
                else:
                    into[:] = best
                best = into
            found = more
        (last,) = found.values()  # all pairs have as many cards below and shown
        return last.reshape(-1)
