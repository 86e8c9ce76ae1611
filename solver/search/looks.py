"""Looks at a deck (``rules.core.decks``) on whole arrays.

What lies below and what is there are a *pair*. Of a class that has some copies below and some there, what lies in
between has any number between those. So the greatest worth in between is found class by class, for all pairs at once;
of each class, both are gone through only where as many cards can still lie below and be shown as have to; the first few
classes, while there is little to go through, whatever can. Where there are too many pairs at once, the classes of which
there are most copies are gone through one by one.

Only the order of worths counts for which deck is best, so this is done with their *ranks*. Then the worths of the best
decks are added up class by class, the last one first: for each number of copies there, over those below. What is left
are pairs of the classes before, for each *rest*: copies there of the classes that are done, so many cards in all as
have to be there. Where worths are so large that sums of them might leave 64 bits, they are cut into limbs.
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
WHOLE: Final = 150_000
"""Ranks up to which classes are gone through as a whole, with pairs of any numbers of cards."""
SURE_BITS: Final = 62
"""Integers of so many bits are held for sure."""


Cards = tuple[int, int]
"""Cards that lie below, and cards that are shown."""
Move = tuple[Cards, int, int, Cards, int, int]
"""Ranks for some copies of a class below and there, from those of the classes before: cards of these, the copies, cards
of all then, and where they begin among all of as many; and the first rest with as many copies there."""


class Round(NamedTuple):
    """One class."""

    copies: int
    moves: tuple[Move, ...]
    sizes: dict[Cards, int]
    """Pairs of each target."""
    sources: dict[Cards, tuple[int, int]]
    """Rests, this class among them, and pairs of each source."""


class Kept(NamedTuple):
    """Pairs with as many cards below and shown of the classes that are gone through as a whole."""

    rows: Any
    """Their places; what is there in rising order."""
    ways: Any
    """In how many ways what is below lies there."""
    firsts: Any
    """The first of those with the same there."""
    numbers: Any
    """For each of these the number of what is there, a row for each rest."""


class Shape(NamedTuple):
    """How the pairs of some classes are gone through, from the last class on."""

    whole: Counts
    """Classes that are gone through as a whole."""
    kept: dict[Cards, Kept]
    """Their pairs that may lead on."""
    rounds: tuple[Round, ...]
    """The other classes."""


def rounds(sizes: dict[Cards, int], copies: Counts, looked: int, below: int) -> tuple[Round, ...]:
    """Return the rounds of some classes, in which as many cards lie below and are shown as have to.

    ``sizes`` are the pairs of the classes before, by their cards below and shown.
    """
    found: list[Round] = []
    rest = sum(copies)
    counts = suffix_counts(copies)
    for place, n in enumerate(copies):
        rest -= n
        after = counts[place + 1]
        moves: list[Move] = []
        more: dict[Cards, int] = {}
        for source, many in sizes.items():
            under, shown = source
            left = below + looked - under - shown
            rows = [0]
            for high in range(min(n, left) + 1):
                rows.append(rows[-1] + (after[left - high] if left - high < len(after) else 0))
            for low in range(min(n, below - under) + 1):
                for high in range(max(low, left - rest), min(n, low + looked - shown) + 1):
                    target = (under + low, shown + high - low)
                    first = more.get(target, 0)
                    more[target] = first + many
                    moves.append((source, low, high, target, first, rows[high]))
        here = counts[place]
        sources = {source: (here[below + looked - sum(source)], many) for source, many in sizes.items()}
        found.append(Round(n, tuple(moves), more, sources))
        sizes = more
    return tuple(found)


def suffix_counts(copies: Counts) -> list[list[int]]:
    """Return for the classes from each place on, and for none, how many decks there are by size."""
    found = [[1]]
    for n in reversed(copies):
        more = [0] * (len(found[-1]) + n)
        for size, many in enumerate(found[-1]):
            for place in range(size, size + n + 1):
                more[place] += many
        found.append(more)
    return found[::-1]


def pairs_of(copies: int) -> list[tuple[int, int]]:
    """Return how many copies of a class lie below and are there."""
    return [(low, high) for low in range(copies + 1) for high in range(low, copies + 1)]


class Group:
    """Classes that are gone through as a whole, with pairs of any numbers of cards."""

    def __init__(self, np: Any, copies: Counts) -> None:
        self._np = np
        self._unit = unit = sum(copies) + 1
        small = np.int16 if unit * unit < 1 << 15 else np.int32  # which are put in order much sooner
        cards, numbers, ways = np.zeros(1, small), np.zeros(1, np.int32), np.ones(1, np.int64)
        place = 1
        for n in copies:
            pairs = pairs_of(n)
            cards = np.add.outer(np.array([low + unit * (high - low) for low, high in pairs], small), cards).ravel()
            numbers = np.add.outer(np.array([high * place for _, high in pairs], np.int32), numbers).ravel()
            ways = np.multiply.outer(np.array([comb(high, low) for low, high in pairs]), ways).ravel()
            place *= n + 1
        self.cards, self._numbers, self._ways = cards, numbers, ways
        self._rows = np.argsort(cards, kind="stable")
        self._last = [0, *np.cumsum(np.bincount(cards, minlength=unit * unit)).tolist()]
        self._known: dict[Cards, Kept] = {}

    def of(self, low: int, seen: int) -> Kept:
        """Return the pairs with so many cards below and shown; numbers are those of what is there, in one row."""
        known = self._known.get((low, seen))
        if known is None:
            np = self._np
            number = low + self._unit * seen
            rows = self._rows[self._last[number] : self._last[number + 1]]
            rows = rows[np.argsort(self._numbers[rows], kind="stable")]
            upper = self._numbers[rows]
            firsts = np.flatnonzero(np.concatenate(([True], upper[1:] != upper[:-1])))
            known = self._known[low, seen] = Kept(rows, self._ways[rows], firsts, upper[firsts])
        return known


class LookSums:
    """Adds looks up; how the pairs of one shape are gone through is kept."""

    def __init__(self, np: Any) -> None:
        self._np = np
        self._kept: dict[tuple[Counts, int, int], Shape] = {}
        self._groups: dict[Counts, Group] = {}
        self._pairs = 0

    def sums(
        self, copies: Counts, looked: int, below: int, ranks: Any, worths: Any, check: Callable[[], None]
    ) -> tuple[list[Any], int]:
        """Return limbs, lowest first, of the sums for all that may be there, and how many bits a limb goes further.

        ``ranks`` are those of all decks, ``worths`` by rank. What lies below counts as often as it does by copies.
        """
        np = self._np
        bits = SURE_BITS - comb(looked + below, below).bit_length()
        limbs: list[Any] = []
        while not limbs or worths.any():
            limbs.append((worths & (1 << bits) - 1).astype(np.int64))
            worths = worths >> bits
        if not below:
            best = self.of_all(copies, ranks)
            return [limb[best] for limb in limbs], bits
        outer, pairs = 0, pair_counts(copies, looked, below)
        while pairs > AT_ONCE:
            pairs //= comb(copies[outer] + 2, 2)
            outer += 1
        sums = [np.zeros(len(ranks), np.int64) for _ in limbs]

        def add(place: int, ranks: Any, below: int, looked: int, ways: int, first: int) -> None:
            """Add up over all pairs of parts of the classes from a place on, with so many cards."""
            if place == outer:
                check()
                shape = self._shape(copies[outer:], looked, below)
                best = self._greatest(shape, copies[outer:], ranks)
                for limb, total in zip(limbs, sums, strict=True):
                    self._added(shape, (below, looked), limb[best], ways, total[first : first + len(ranks)])
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
                self._groups.clear()
                self._pairs = 0
            self._pairs += sum(each.numbers.size + len(each.rows) for each in known.kept.values())
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
        group = self._group(order[:whole])
        rests, there = np.zeros(1, np.int16), np.zeros(1, np.int32)
        step = prod(n + 1 for n in copies)
        for n in copies[: len(copies) - whole]:
            step //= n + 1
            rests = np.add.outer(np.arange(n + 1, dtype=np.int16), rests).ravel()
            there = np.add.outer(np.arange(n + 1, dtype=np.int32) * step, there).ravel()
        rest = sum(order[whole:])
        kept: dict[Cards, Kept] = {}
        most = sum(order[:whole])
        for seen in range(min(looked, most) + 1):
            for low in range(max(0, below + looked - seen - rest), min(below, most - seen) + 1):
                some = group.of(low, seen)
                later = there[rests == below + looked - low - seen]
                kept[low, seen] = Kept(some.rows, some.ways, some.firsts, np.add.outer(later, some.numbers))
        turns = rounds({key: len(each.rows) for key, each in kept.items()}, order[whole:], looked, below)
        return Shape(order[:whole], kept, turns)

    def _group(self, copies: Counts) -> Group:
        """Return classes that are gone through as a whole, as they are kept."""
        known = self._groups.get(copies)
        if known is None:
            known = self._groups[copies] = Group(self._np, copies)
            self._pairs += len(known.cards)
        return known

    def _added(self, shape: Shape, cards: Cards, worths: Any, ways: int, total: Any) -> None:
        """Add the worths of all pairs, so many times, to those of what is there."""
        np = self._np
        found = {cards: worths.reshape(1, -1)}
        for _, moves, _, sources in reversed(shape.rounds):
            more = {source: np.zeros(size, np.int64) for source, size in sources.items()}
            for source, low, high, target, first, row in moves:
                piece = found[target]
                into = more[source][row : row + len(piece)]
                part = piece[:, first : first + into.shape[1]]
                into += part if low in (0, high) else comb(high, low) * part
            found = more
        for key, kept in shape.kept.items():
            each = found[key]
            if len(kept.firsts) < len(kept.rows):
                each = np.add.reduceat(each * kept.ways, kept.firsts, axis=1)
            else:
                each = each * kept.ways
            total[kept.numbers] += each if ways == 1 else ways * each

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
        found = {key: every[:, kept.rows] for key, kept in shape.kept.items()}
        for n, moves, sizes, _ in shape.rounds:
            rest //= n + 1
            more = {target: np.empty((rest, size), ranks.dtype) for target, size in sizes.items()}
            of, start, reached, many = (-1, -1), -1, -1, 0
            pieces = best = ranks
            for source, low, high, target, first, _ in moves:
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
