"""Cards coming off a hidden deck, counted: every multiset that may come, with the number of orders it comes in.

A hidden deck of n cards stands for its n! orders, all copies told apart, each as likely as the others (R73). What is
counted here are orders of the cards that come off; each of them leaves all orders of the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import comb, factorial
from typing import Final, NamedTuple, TypeVar

from rules.iditacards.compact.cards import Kinds

PAUSE: Final = 2_000
"""Results made between two pauses."""
T = TypeVar("T")


class Dealt(NamedTuple):
    """Cards that came off the deck."""

    orders: int
    cards: int
    """Those that came, packed."""
    left: int
    """The deck without them."""


class Paid(NamedTuple):
    """A payment of health (R23)."""

    orders: int
    left: int
    complete: bool


class Deals:
    """What may come off hidden decks; a deck is a packed multiset."""

    def __init__(self, kinds: Kinds, stoppers: int) -> None:
        """``stoppers`` masks the kinds that end a payment when they come up (R26)."""
        self._kinds = kinds
        self._stoppers = stoppers
        self.pause: Callable[[], None] = _go_on
        """Called now and then while many results are made; what it raises leaves nothing half done behind."""
        self._draws: dict[tuple[int, int], tuple[Dealt, ...]] = {}
        self._payments: dict[tuple[int, int], tuple[Paid, ...]] = {}
        self._parts: dict[tuple[int, int], tuple[int, ...]] = {}
        self._mapped: dict[tuple[int, ...], dict[int, int]] = {}

    def draws(self, deck: int, n: int) -> tuple[Dealt, ...]:
        """Return every multiset of ``n`` cards that may come off, at most the whole deck."""
        name = (deck, n)
        found = self._draws.get(name)
        if found is None:
            size = min(n, self._kinds.count(deck))
            orders = factorial(size)
            found = self._draws[name] = tuple(
                Dealt(ways * orders, cards, deck - cards) for cards, ways in self.paused(self._of(deck, size))
            )
        return found

    def number(self, deck: int, n: int) -> int:
        """Return how many multisets of ``n`` cards may come off, at most the whole deck."""
        sizes = [1] + [0] * min(n, self._kinds.count(deck))
        for _, copies in self._kinds.cards(deck):
            sizes = [sum(sizes[max(0, size - copies) : size + 1]) for size in range(len(sizes))]
        return sizes[-1]

    def payments(self, deck: int, cost: int) -> tuple[Paid, ...]:
        """Return every way a payment of health may go: it stops at an empty deck and at the first stopper."""
        name = (deck, cost)
        found = self._payments.get(name)
        if found is None:
            found = self._payments[name] = tuple(self._ways_to_pay(deck, cost))
        return found

    def _ways_to_pay(self, deck: int, cost: int) -> Iterator[Paid]:
        plain = deck & ~self._stoppers
        size = self._kinds.count(plain)
        for paid in range(min(cost, size) + 1):
            orders = factorial(paid)
            for cards, ways in self.paused(self._of(plain, paid)):
                if paid == cost:
                    yield Paid(ways * orders, deck - cards, True)
                    continue
                for kind, copies in self._kinds.cards(deck & self._stoppers):
                    yield Paid(ways * orders * copies, deck - cards - self._kinds.unit[kind], False)
                if deck == cards:
                    yield Paid(ways * orders, 0, False)

    def parts(self, cards: int, n: int) -> tuple[int, ...]:
        """Return every multiset of exactly ``n`` of some cards."""
        name = (cards, n)
        found = self._parts.get(name)
        if found is None:
            found = self._parts[name] = tuple(part for part, _ in self._of(cards, n))
        return found

    def _of(self, cards: int, n: int) -> list[tuple[int, int]]:
        """Return every multiset of ``n`` of some cards with the number of ways by copies."""
        found = [(0, 0, 1)]
        below = self._kinds.count(cards)
        for kind, copies in self._kinds.cards(cards):
            below -= copies
            unit = self._kinds.unit[kind]
            ways = [comb(copies, taken) for taken in range(copies + 1)]
            found = [
                (part + taken * unit, size + taken, many * ways[taken])
                for part, size, many in self.paused(found)
                for taken in range(max(0, n - size - below), min(copies, n - size) + 1)
            ]
        return [(part, many) for part, size, many in found if size == n]

    def paused(self, results: Sequence[T]) -> Iterable[T]:
        """Return some results, with pauses between them where they are many."""
        return results if len(results) <= PAUSE else self._with_pauses(results)

    def _with_pauses(self, results: Sequence[T]) -> Iterator[T]:
        for first in range(0, len(results), PAUSE):
            self.pause()
            yield from results[first : first + PAUSE]

    def mapped(self, cards: int, classes: tuple[int, ...]) -> int:
        """Return some cards with each kind replaced by its class."""
        known = self._mapped.setdefault(classes, {})
        found = known.get(cards)
        if found is None:
            unit = self._kinds.unit
            found = known[cards] = sum(n * unit[classes[kind]] for kind, n in self._kinds.cards(cards))
        return found


def _go_on() -> None:
    """Nobody has to be asked."""
