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
SPARSE: Final = 8
"""Times as many numbers as decks that are asked for, from which on decks are searched for and not looked up."""


class Some(NamedTuple):
    """All decks of one shape and size, lowest number first."""

    parts: Any
    """The copies of each class, a row for each, as doubles."""
    numbers: Any


class Page:
    """What the decks of one task are worth."""

    def __init__(self, np: Any, copies: Counts, numbers: Any, worths: Any, unit: Fraction, most: int) -> None:
        self._np = np
        self._box = prod(n + 1 for n in copies)
        self._numbers = numbers
        self._worths = worths
        self.unit = unit
        self.most = most
        self._all: Any = None

    def at(self, numbers: Any) -> Any:
        """Return the worths of decks; of a number that is that of no deck, anything."""
        np = self._np
        if self._box > SPARSE * len(numbers) + 1024:
            places = np.minimum(np.searchsorted(self._numbers, numbers), len(self._numbers) - 1)
            return np.where(self._numbers[places] == numbers, self._worths[places], 0)
        if self._all is None:
            self._all = np.zeros(self._box, self._worths.dtype)
            self._all[self._numbers] = self._worths
        return self._all[numbers]

    def value(self) -> Fraction:
        """Return what its only deck is worth."""
        return int(self._worths[0]) * self.unit


class NumpyDecks:
    """Works tasks out; what is the same for decks of one shape is kept."""

    def __init__(self) -> None:
        self._numpy: Any = None
        self._looks: Any = None
        self._parts: dict[tuple[Counts, int], Some] = {}
        self._sizes: dict[Counts, Any] = {}
        self._combs: dict[int, Any] = {}

    def worthwhile(self, entries: int) -> bool:
        """Return whether arrays are quicker than lists."""
        return entries >= (WORTHWHILE if "numpy" in sys.modules else FIRST)

    def worth(self, tasks: Sequence[Task], check: Callable[[], None]) -> Fraction:
        """Return what the only deck of the last task is worth."""
        if self._numpy is None:
            import numpy as np

            self._numpy, self._looks = np, LookSums(np)
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
        parts, numbers = self._of_size(task.copies, task.size)
        if isinstance(task, Turned):
            worths, unit = self._turned(task, parts, pages)
        elif isinstance(task, LeftOut):
            worths, unit = self._left_out(task, parts, numbers, pages)
        elif isinstance(task, Chosen):
            worths, unit = self._chosen(task, parts, pages)
        else:
            worths, unit = self._looked(task, numbers, pages, check)
        return Page(self._numpy, task.copies, numbers, *self._shorter(worths, unit))

    def _of_size(self, copies: Counts, size: int) -> Some:
        """Return all decks of a size, lowest number first."""
        known = self._parts.get((copies, size))
        if known is None:
            np = self._numpy
            numbers = np.flatnonzero(self._all_sizes(copies) == size)
            digits = np.unravel_index(numbers, [n + 1 for n in copies]) if copies else ()
            parts = np.array(digits, np.float64).reshape(len(copies), len(numbers))
            known = self._parts[copies, size] = Some(parts, numbers)
        return known

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

    def _numbers(self, parts: Any, weights: Counts) -> Any:
        """Return the sums of weights."""
        return self._rows(parts, self._numpy.array([weights], self._numpy.float64))[0]

    def _rows(self, parts: Any, weights: Any) -> Any:
        """Return sums of weights, a row for each row of weights; all in one thread."""
        return self._numpy.einsum("kj,ji->ki", weights, parts).astype(self._numpy.int64)

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

    def _turned(self, task: Turned, parts: Any, pages: dict[int, Page]) -> tuple[Any, Fraction]:
        np = self._numpy
        size = task.size
        pairs = [(read, pages.get(read.task)) for read, _ in task.ways]
        unit, factors = common_unit([page.unit if page else Fraction(1) for _, page in pairs])
        bounds = [factor * (max(page.most, 1) if page else 1) for factor, (_, page) in zip(factors, pairs, strict=True)]
        bound = size * max(bounds, default=0)
        weights = np.zeros((2 * len(task.ways), len(task.copies)))
        for place, (read, kinds) in enumerate(task.ways):
            weights[2 * place] = read.weights
            weights[2 * place + 1, list(kinds)] = 1
        rows = self._rows(parts, weights)
        total = self._wide(np.zeros(parts.shape[1], np.int64), bound)
        for place, (factor, (read, page)) in enumerate(zip(factors, pairs, strict=True)):
            many = self._wide(rows[2 * place + 1], bound) * factor
            total += many if page is None else page.at(rows[2 * place] - read.fewer) * many
        return total, unit / size

    def _left_out(self, task: LeftOut, parts: Any, numbers: Any, pages: dict[int, Page]) -> tuple[Any, Fraction]:
        """Every deck counts as often as it is one by copies."""
        np = self._numpy
        decks, there = self._of_size(task.copies, task.there)
        page = pages[task.read.task]
        every = comb(task.size, task.there)
        bound = every * page.most
        worths = self._wide(page.at(self._numbers(decks, task.read.weights)), bound)
        box = prod(n + 1 for n in task.copies)
        if parts.shape[1] * decks.shape[1] < 2 * box:
            choices = self._choices(max(task.copies) + 1)
            places = decks.astype(np.int64)
            found = np.zeros(parts.shape[1], worths.dtype)
            for row, pool in enumerate(parts.astype(np.int64).T):
                ways = choices[pool[:, None], places].prod(0)
                found[row] = (worths * ways).sum()
        else:
            found = np.zeros(box, worths.dtype)
            found[there] = worths
            for place, n in enumerate(task.copies):
                axis = found.reshape(prod(each + 1 for each in task.copies[:place]), n + 1, -1)
                for upper in range(n, 0, -1):
                    for lower in range(upper):
                        many = comb(upper, lower)
                        axis[:, upper] += axis[:, lower] if many == 1 else many * axis[:, lower]
            found = found[numbers]
        return found, page.unit / every

    def _choices(self, size: int) -> Any:
        """Return in how many ways so many cards are some of so many, a row for each number of cards."""
        known = self._combs.get(size)
        if known is None:
            rows = [[comb(n, each) for each in range(size)] for n in range(size)]
            known = self._combs[size] = self._numpy.array(rows)
        return known

    def _read(self, ways: Sequence[tuple[Any, Read]], pages: dict[int, Page]) -> tuple[list[Any], Fraction]:
        """Return what decks are worth in several ways."""
        np = self._numpy
        found = [pages.get(read.task) for _, read in ways]
        unit, factors = common_unit([page.unit if page else Fraction(1) for page in found])
        worths = []
        for (decks, read), page, factor in zip(ways, found, factors, strict=True):
            if page is None:
                worths.append(self._wide(np.ones(decks.shape[1], np.int64), factor) * factor)
            else:
                bound = factor * max(page.most, 1)
                worths.append(self._wide(page.at(self._numbers(decks, read.weights)), bound) * factor)
        return worths, unit

    def _chosen(self, task: Chosen, parts: Any, pages: dict[int, Page]) -> tuple[Any, Fraction]:
        worths, unit = self._read([(parts, read) for read in task.ways], pages)
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
        ways = [(decks.parts, read) for decks, (_, read) in zip(sizes, task.ways, strict=True)]
        worths, unit = self._read(ways, pages)
        if not below and all(each.dtype == np.int64 for each in worths):
            box = np.zeros(prod(n + 1 for n in copies), np.int64)
            for decks, each in zip(sizes, worths, strict=True):
                box[decks.numbers] = each
            return self._looks.of_all(copies, box)[there], unit
        distinct, ranks = np.unique(np.concatenate([np.zeros(1, np.int64), *worths]), return_inverse=True)
        divisor = int(np.gcd.reduce(distinct)) if distinct.dtype != object else gcd(*distinct.tolist())
        box = np.zeros(prod(n + 1 for n in copies), np.uint16 if len(distinct) <= 1 << 16 else np.int32)
        box[np.concatenate([decks.numbers for decks in sizes])] = ranks[1:]
        values = distinct // (divisor or 1)
        limbs, bits = self._looks.sums(copies, looked, below, box, values, check)
        every = comb(looked + below, below)
        bound = every * int(values[-1])
        total = self._wide(np.zeros(len(there), np.int64), bound)
        for place, limb in enumerate(limbs):
            total += self._wide(limb[there].astype(np.int64), bound) << bits * place
        return total, unit * (divisor or 1) / every


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
