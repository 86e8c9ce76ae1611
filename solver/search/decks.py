"""Worths of decks (``rules.core.decks``) worked out with numpy: the same fractions as in plain Python, much sooner.

Worths of a task are integers, so many times a *unit* that is a fraction. They are held in 64 bits where a bound proves
that nothing leaves them, and as Python's own integers where it does not.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb, gcd, lcm, prod
from typing import Any, Final, NamedTuple

from rules.core.decks import Chosen, Counts, LeftOut, Looked, Read, Task, Turned
from solver.search.looks import LookSums

WORTHWHILE: Final = 1_000
"""Decks and pairs of decks from which on arrays are quicker than lists."""
FIRST: Final = 150_000
"""Likewise if numpy has to be loaded."""
WIDE: Final = 1 << 62
"""What 64 bits hold for sure."""
LONG: Final = 1 << 40
"""Integers from which on a common divisor is looked for."""
SHAPES: Final = 128
"""Copies of classes of which the sizes of all decks are kept."""
LISTED: Final = 512
"""Parts of the last classes of a deck that are listed at most."""
LONG_ROWS: Final = 400
"""Decks from which on sums of weights are looked up by both halves of their classes."""
AT_ONCE: Final = 100_000
"""Pairs of pools and decks that are gone through at once at most."""
KEPT: Final = 31 << 20
"""Bytes that are asked for and given back, with nothing written: from then on the allocator of glibc keeps blocks up to
that size when they are given back. Else each large array is made of new pages, which takes longer than to fill it."""
SPARSE: Final = 8
"""Times as many numbers as decks that are asked for, from which on decks are searched for and not looked up."""


class Some(NamedTuple):
    """All decks of one shape and size, lowest number first."""

    parts: Any
    """The copies of each class, a row for each, as doubles."""
    numbers: Any
    halves: tuple[Any, ...]
    """The places of the first classes and of the last ones in lists of all their parts, and those lists."""


class Page:
    """What the decks of one task are worth."""

    def __init__(self, np: Any, copies: Counts, numbers: Any, worths: Any, unit: Fraction, most: int) -> None:
        self._np = np
        self._box = prod(n + 1 for n in copies)
        self._numbers = numbers
        self.worths = worths
        self.unit = unit
        self.most = most
        self._all: Any = None

    def at(self, numbers: Any, of: Any = None) -> Any:
        """Return the worths of decks, or something else ``of`` them; of a number that is that of no deck, anything."""
        np = self._np
        values = self.worths if of is None else of
        if self._box > SPARSE * len(numbers) + 1024:
            places = np.minimum(np.searchsorted(self._numbers, numbers), len(self._numbers) - 1)
            return np.where(self._numbers[places] == numbers, values[places], 0)
        if of is None and self._all is not None:
            return self._all[numbers]
        every = np.zeros(self._box, values.dtype)
        every[self._numbers] = values
        if of is None:
            self._all = every
        return every[numbers]

    def value(self) -> Fraction:
        """Return what its only deck is worth."""
        return int(self.worths[0]) * self.unit


class NumpyDecks:
    """Works tasks out; what is the same for decks of one shape is kept."""

    def __init__(self) -> None:
        self._numpy: Any = None
        self._looks: Any = None
        self._parts: dict[tuple[Counts, int], Some] = {}
        self._sizes: dict[Counts, Any] = {}
        self._listed: dict[Counts, tuple[Any, Any]] = {}
        self._combs: dict[int, Any] = {}

    def worthwhile(self, entries: int) -> bool:
        """Return whether arrays are quicker than lists."""
        return entries >= (WORTHWHILE if "numpy" in sys.modules else FIRST)

    def worth(self, tasks: Sequence[Task], check: Callable[[], None]) -> Fraction:
        """Return what the only deck of the last task is worth."""
        if self._numpy is None:
            import numpy as np

            self._numpy, self._looks = np, LookSums(np)
            np.empty(KEPT, np.uint8)
        self._parts.clear()
        last = {read.task: place for place, task in enumerate(tasks) for read in reads_of(task)}
        pages: dict[int, Page] = {}
        for place, task in enumerate(tasks):
            check()
            pages[place] = self._page(task, pages, check)
            for read in reads_of(task):
                if last[read.task] == place:
                    pages.pop(read.task, None)
        return pages[len(tasks) - 1].value()

    def _page(self, task: Task, pages: dict[int, Page], check: Callable[[], None]) -> Page:
        decks = self._of_size(task.copies, task.size)
        if isinstance(task, Turned):
            worths, unit = self._turned(task, decks, pages)
        elif isinstance(task, LeftOut):
            worths, unit = self._left_out(task, decks, pages)
        elif isinstance(task, Chosen):
            worths, unit = self._chosen(task, decks, pages)
        else:
            worths, unit = self._looked(task, decks.numbers, pages, check)
        return Page(self._numpy, task.copies, decks.numbers, *self._shorter(worths, unit))

    def _of_size(self, copies: Counts, size: int) -> Some:
        """Return all decks of a size, lowest number first."""
        known = self._parts.get((copies, size))
        if known is None:
            np = self._numpy
            numbers = np.flatnonzero(self._all_sizes(copies) == size)
            first, last = self._halves(copies)
            upper = lower = numbers
            if len(first):
                upper, lower = np.divmod(numbers, last.shape[1])
                parts = np.concatenate([first.take(upper, 1), last.take(lower, 1)])
            else:
                parts = last.take(numbers, 1)
            known = self._parts[copies, size] = Some(parts, numbers, (upper, lower, first, last))
        return known

    def _halves(self, copies: Counts) -> tuple[Any, Any]:
        """Return all parts of the first classes and of the last ones, a row for each class, lowest number first."""
        known = self._listed.get(copies)
        if known is None:
            place, box = len(copies), 1
            while place and box * (copies[place - 1] + 1) <= LISTED:
                place -= 1
                box *= copies[place] + 1
            known = self._list(copies[:place]), self._list(copies[place:])
            while len(self._listed) >= SHAPES:
                del self._listed[next(iter(self._listed))]
            self._listed[copies] = known
        return known

    def _list(self, copies: Counts) -> Any:
        np = self._numpy
        boxes = [n + 1 for n in copies]
        return np.indices(boxes, np.float64).reshape(len(copies), prod(boxes))

    def _all_sizes(self, copies: Counts) -> Any:
        """Return how many cards all decks have, lowest number first; shapes that end alike share what they end with."""
        np = self._numpy
        sizes = self._sizes.get(copies)
        if sizes is None:
            if copies:
                less = self._all_sizes(copies[1:])
                sizes = np.add.outer(np.arange(copies[0] + 1, dtype=np.uint8), less).reshape(-1)
            else:
                sizes = np.zeros(1, np.uint8)
            while len(self._sizes) >= SHAPES:
                del self._sizes[next(iter(self._sizes))]
            self._sizes[copies] = sizes
        return sizes

    def _numbers(self, decks: Some, weights: Counts) -> Any:
        """Return the sums of weights."""
        return self._rows(decks, self._numpy.array([weights], self._numpy.float64))[0]

    def _rows(self, decks: Some, weights: Any) -> Any:
        """Return sums of weights, a row for each row of weights; all in one thread."""
        np = self._numpy
        upper, lower, first, last = decks.halves
        if len(decks.numbers) < LONG_ROWS or not len(first):
            return np.einsum("kj,ji->ki", weights, decks.parts).astype(np.int64)
        found = np.einsum("kj,ji->ki", weights[:, : len(first)], first).astype(np.int64).take(upper, 1)
        found += np.einsum("kj,ji->ki", weights[:, len(first) :], last).astype(np.int64).take(lower, 1)
        return found

    def _wide(self, worths: Any, bound: int) -> Any:
        """Return worths as integers that hold up to a bound."""
        return worths if bound < WIDE else worths.astype(object)

    def _shorter(self, worths: Any, unit: Fraction) -> tuple[Any, Fraction, int]:
        """Return the same without a common divisor, in 64 bits where that is enough, and the greatest."""
        np = self._numpy
        most = int(worths.max()) if len(worths) else 0
        if most >= LONG:
            divisor = int(np.gcd.reduce(worths)) if worths.dtype != object else gcd(*worths.tolist())
            if divisor > 1:
                worths, unit, most = worths // divisor, unit * divisor, most // divisor
        if worths.dtype == object and most < WIDE:
            worths = worths.astype(np.int64)
        return worths, unit, most

    def _turned(self, task: Turned, decks: Some, pages: dict[int, Page]) -> tuple[Any, Fraction]:
        np = self._numpy
        size = task.size
        pairs = [(read, pages.get(read.task)) for read, _ in task.ways]
        unit, factors = common_unit([page.unit if page else Fraction(1) for _, page in pairs])
        bounds = [factor * (max(page.most, 1) if page else 1) for factor, (_, page) in zip(factors, pairs, strict=True)]
        bound = size * max(bounds, default=0)
        weights = np.array([read.weights for read, page in pairs if page], np.float64)
        rows = iter(self._rows(decks, weights) if len(weights) else ())
        total = self._wide(np.zeros(len(decks.numbers), np.int64), bound)
        for factor, (read, page), (_, kinds) in zip(factors, pairs, task.ways, strict=True):
            many = decks.parts[kinds[0]]
            for kind in kinds[1:]:
                many = many + decks.parts[kind]
            many = self._wide(many.astype(np.int64), bound)
            if factor != 1:
                many = many * factor
            total += many if page is None else page.at(next(rows) - read.fewer) * many
        return total, unit / size

    def _left_out(self, task: LeftOut, pools: Some, pages: dict[int, Page]) -> tuple[Any, Fraction]:
        """Every deck counts as often as it is one by copies."""
        np = self._numpy
        decks = self._of_size(task.copies, task.there)
        page = pages[task.read.task]
        every = comb(task.size, task.there)
        bound = every * page.most
        worths = self._wide(page.at(self._numbers(decks, task.read.weights)), bound)
        box = prod(n + 1 for n in task.copies)
        if len(pools.numbers) * len(decks.numbers) < 2 * box:
            upper, lower, first, last = decks.halves
            copies = pools.parts.astype(np.int64)
            firsts, lasts = self._chosen_of(copies[: len(first)], first), self._chosen_of(copies[len(first) :], last)
            found = np.zeros(len(pools.numbers), worths.dtype)
            some = max(1, AT_ONCE // len(decks.numbers))
            for row in range(0, len(found), some):
                ways = lasts[row : row + some].take(lower, 1)
                if len(first):
                    ways *= firsts[row : row + some].take(upper, 1)
                found[row : row + some] = (ways * worths).sum(1)
        else:
            found = np.zeros(box, worths.dtype)
            found[decks.numbers] = worths
            for place, n in enumerate(task.copies):
                axis = found.reshape(prod(each + 1 for each in task.copies[:place]), n + 1, -1)
                for upper in range(n, 0, -1):
                    for lower in range(upper):
                        many = comb(upper, lower)
                        axis[:, upper] += axis[:, lower] if many == 1 else many * axis[:, lower]
            found = found[pools.numbers]
        return found, page.unit / every

    def _chosen_of(self, pools: Any, parts: Any) -> Any:
        """Return in how many ways parts are chosen of each pool by copies, a row for each pool."""
        np = self._numpy
        found = np.ones((pools.shape[1], parts.shape[1]), np.int64)
        for copies, each in zip(pools, parts.astype(np.int64), strict=True):
            found *= self._choices(int(each[-1]) + 1)[copies[:, None], each]
        return found

    def _choices(self, size: int) -> Any:
        """Return in how many ways so many cards are some of so many, a row for each number of cards."""
        known = self._combs.get(size)
        if known is None:
            rows = [[comb(n, each) for each in range(size)] for n in range(size)]
            known = self._combs[size] = self._numpy.array(rows)
        return known

    def _scaled(self, reads: Sequence[Read], pages: dict[int, Page]) -> tuple[list[Page | None], Fraction, list[int]]:
        """Return what is read, none where every deck is worth 1, a common unit, and how often each has it."""
        found = [pages.get(read.task) for read in reads]
        return found, *common_unit([page.unit if page else Fraction(1) for page in found])

    def _read(self, ways: Sequence[tuple[Some, Read]], pages: dict[int, Page]) -> tuple[list[Any], Fraction]:
        """Return what decks are worth in several ways."""
        np = self._numpy
        found, unit, factors = self._scaled([read for _, read in ways], pages)
        worths = []
        for (decks, read), page, factor in zip(ways, found, factors, strict=True):
            if page is None:
                worths.append(self._wide(np.ones(len(decks.numbers), np.int64), factor) * factor)
            else:
                bound = factor * max(page.most, 1)
                worths.append(self._wide(page.at(self._numbers(decks, read.weights)), bound) * factor)
        return worths, unit

    def _chosen(self, task: Chosen, decks: Some, pages: dict[int, Page]) -> tuple[Any, Fraction]:
        worths, unit = self._read([(decks, read) for read in task.ways], pages)
        best = worths[0]
        for each in worths[1:]:
            best = self._numpy.maximum(best, each)
        return best, unit

    def _looked(
        self, task: Looked, there: Any, pages: dict[int, Page], check: Callable[[], None]
    ) -> tuple[Any, Fraction]:
        np = self._numpy
        copies, looked, below = task.copies, task.looked, task.below
        sizes = [self._of_size(copies, below + back) for back, _ in task.ways]
        ways = [(decks, read) for decks, (_, read) in zip(sizes, task.ways, strict=True)]
        found, unit, factors = self._scaled([read for _, read in ways], pages)
        box = prod(n + 1 for n in copies)
        if not below and all(
            factor * (page.most if page else 1) < WIDE for factor, page in zip(factors, found, strict=True)
        ):
            worths = np.zeros(box, np.int64)
            for decks, each in zip(sizes, self._read(ways, pages)[0], strict=True):
                worths[decks.numbers] = each
            return self._looks.of_all(copies, worths)[there], unit
        every: list[Any] = [np.zeros(1, np.int64)]
        for page, factor in zip(found, factors, strict=True):
            worths = np.ones(1, np.int64) if page is None else page.worths
            every.append(self._wide(worths, factor * max(page.most if page else 1, 1)) * factor)
        values, places = np.unique(np.concatenate(every), return_inverse=True)
        ranks = np.zeros(box, np.uint16 if len(values) <= 1 << 16 else np.int32)
        places = places.astype(ranks.dtype)
        first = 1
        for (decks, read), page, each in zip(ways, found, every[1:], strict=True):
            own = places[first : first + len(each)]
            first += len(each)
            ranks[decks.numbers] = own if page is None else page.at(self._numbers(decks, read.weights), own)
        divisor = (int(np.gcd.reduce(values)) if values.dtype != object else gcd(*values.tolist())) or 1
        values = values // divisor
        limbs, bits = self._looks.sums(copies, looked, below, ranks, values, check)
        chosen = comb(looked + below, below)
        bound = chosen * int(values[-1])
        total = self._wide(np.zeros(len(there), np.int64), bound)
        for place, limb in enumerate(limbs):
            total += self._wide(limb[there].astype(np.int64), bound) << bits * place
        return total, unit * divisor / chosen


def reads_of(task: Task) -> list[Read]:
    """Return what a task reads."""
    if isinstance(task, LeftOut):
        return [task.read]
    if isinstance(task, Chosen):
        return list(task.ways)
    return [read for read, _ in task.ways] if isinstance(task, Turned) else [read for _, read in task.ways]


def common_unit(units: Sequence[Fraction]) -> tuple[Fraction, list[int]]:
    """Return a unit of which some others are so many times as much, and how many times."""
    if len(units) < 2:
        return (units[0] if units else Fraction(1)), [1] * len(units)
    unit = Fraction(gcd(*(each.numerator for each in units)), lcm(*(each.denominator for each in units)))
    above, under = unit.numerator, unit.denominator
    return unit, [each.numerator * under // (above * each.denominator) for each in units]
