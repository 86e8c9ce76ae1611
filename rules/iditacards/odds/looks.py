"""What a look at the deck is worth to somebody who puts back the best cards, for all decks at once.

It is the sum that ``rules.core.decks`` describes, of the greatest worth of what lies in between.

Of a class that has some copies below and some there, what lies in between has any number between those. So the greatest
worth is found class by class: from the worths of all decks, by the copies of a class in the deck, those by the copies
below and there. Of each class, both are gone through only where as many cards can still lie below and be shown as have
to. Where that leads to too many pairs at once, the classes of which there are most copies are gone through one by one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import comb
from typing import Final, NamedTuple

from rules.core.decks import Counts

PAIRS: Final = 500_000
"""Pairs of what lies below and what is there that are worked out at once, at most."""
Worths = list[int]
"""By the number of a deck, with a digit for each class, the last one the lowest."""


class Step(NamedTuple):
    """Which pairs follow from those of the classes before, by how many copies of one class are below and there."""

    source: tuple[int, int]
    """Cards that lie below, and cards that are shown, of the classes before."""
    low: int
    high: int
    target: tuple[int, int]


@lru_cache(maxsize=1024)
def steps(copies: Counts, looked: int, below: int) -> tuple[tuple[int, list[Step]], ...]:
    """Return for each class, from the last one on, its copies and the steps to all pairs with so many cards."""
    found: list[tuple[int, list[Step]]] = []
    sources = [(0, 0)]
    rest = sum(copies)
    for n in reversed(copies):
        rest -= n
        made: list[Step] = []
        for under, shown in sources:
            for low in range(min(n, below - under) + 1):
                least = below + looked - under - shown - rest
                made.extend(
                    Step((under, shown), low, high, (under + low, shown + high - low))
                    for high in range(max(low, least), min(n, low + looked - shown) + 1)
                )
        sources = list(dict.fromkeys(step.target for step in made))
        found.append((n, made))
    return tuple(found)


@lru_cache(maxsize=64)
def uppers(copies: Counts, looked: int, below: int) -> list[int]:
    """Return for all pairs the number of what is there."""
    found = {(0, 0): [0]}
    place = 1
    for n, made in steps(copies, looked, below):
        more: dict[tuple[int, int], list[int]] = {step.target: [] for step in made}
        for source, _, high, target in made:
            unit = high * place
            more[target] += [number + unit for number in found[source]] if unit else found[source]
        found = more
        place *= n + 1
    return found.get((below, looked), [])


def greatest(copies: Counts, looked: int, below: int, worths: Worths) -> list[int]:
    """Return for all pairs the greatest worth in between, as many times as what lies below is one by copies."""
    found = {(0, 0): worths}
    for n, made in steps(copies, looked, below):
        more: dict[tuple[int, int], list[int]] = {step.target: [] for step in made}
        pieces: list[list[int]] = []
        best: list[int] = []
        of, start = (-1, -1), -1
        for source, low, high, target in made:
            if source != of:
                of, start, each = source, -1, found[source]
                pieces = [each[digit :: n + 1] for digit in range(n + 1)]
            if low != start:
                start = reached = low
                best = pieces[low]
            while reached < high:
                reached += 1
                best = [x if x > y else y for x, y in zip(best, pieces[reached], strict=True)]
            ways = comb(high, low)
            more[target] += best if ways == 1 else [ways * worth for worth in best]
        found = more
    return found.get((below, looked), [])


class Look:
    """One look, at cards of any deck within some copies of each class, most copies first."""

    def __init__(self, copies: Counts, looked: int, below: int, check: Callable[[], None]) -> None:
        """``check`` is called now and then, and raises if time is up."""
        self._looked, self._below, self._check = looked, below, check
        inner, outer = 1, len(copies)
        while outer and inner * pairs(copies[outer - 1]) <= PAIRS:
            outer -= 1
            inner *= pairs(copies[outer])
        self._outer, self._inner = copies[:outer], copies[outer:]
        self._rest = [sum(copies[place:]) for place in range(outer + 1)]

    def sums(self, worths: Worths) -> Worths:
        """Return for all that may be there what the look is worth, from what all decks are worth afterwards."""
        self._found = [0] * len(worths)
        self._all(0, worths, self._below, self._looked, 1, 0)
        return self._found

    def _all(self, place: int, worths: Worths, below: int, looked: int, ways: int, first: int) -> None:
        """Add up over all pairs of parts of the classes from a place on, with so many cards."""
        if place == len(self._outer):
            self._check()
            found = self._found
            best = greatest(self._inner, looked, below, worths)
            if ways != 1:
                best = [ways * worth for worth in best]
            for upper, worth in zip(uppers(self._inner, looked, below), best, strict=True):
                found[first + upper] += worth
            return
        copies, rest = self._outer[place], self._rest[place + 1]
        step = len(worths) // (copies + 1)
        pieces = [worths[n * step : (n + 1) * step] for n in range(copies + 1)]
        for low in range(max(0, below - rest), min(copies, below) + 1):
            best = pieces[low]
            for high in range(low, min(copies, low + looked) + 1):
                if high > low:
                    best = [x if x > y else y for x, y in zip(best, pieces[high], strict=True)]
                if below + looked - high <= rest:
                    times, shown = ways * comb(high, low), looked - high + low
                    self._all(place + 1, best, below - low, shown, times, first + high * step)


def pairs(copies: int) -> int:
    """Return in how many ways so many copies or fewer may be there, of which so many or fewer lie below."""
    return (copies + 1) * (copies + 2) // 2
