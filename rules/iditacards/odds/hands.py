"""What is known of hand and pile while a venture is followed card by card, and what may become of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Final, NamedTuple

from rules.iditacards.content import Card
from rules.iditacards.odds.numbers import Left
from rules.iditacards.odds.orders import Orders
from rules.iditacards.odds.waiting import Stack

ZERO: Final = Fraction(0)
ONE: Final = Fraction(1)
Bounds = tuple[Fraction, Fraction]
"""The least and the most that a chance may be."""
LOST: Final[Bounds] = (ZERO, ZERO)
THROUGH: Final[Bounds] = (ONE, ONE)
UNKNOWN: Final[Bounds] = (ZERO, ONE)
Cards = tuple[int, ...]
"""Classes of cards, sorted."""
Pool = tuple[int, ...]
"""Copies of each class."""
PAY: Final = 30
"""An order: so many cards of the hand are paid."""
MANY: Final = 4000
"""Ways to tell cards apart that are followed at most."""


class NotFollowed(Exception):
    """What follows is not carried."""


class TooMany(NotFollowed):
    """There are too many cards to be told apart."""


class Trace(NamedTuple):
    """The start of a turn."""

    board: int
    stack: Stack
    pos: int
    hand: int
    deck: int
    pile: int
    """Cards in the pile."""
    left: Left
    extra: bool
    """Upgrades have been turned over, and may lie in the pile or in the deck."""


Hands = frozenset[tuple[Cards, Cards]]
"""Hands, each with what is known to lie in the pile."""


class Seen(NamedTuple):
    """What is known of hand and pile."""

    least: Hands
    """Hands and piles that may be those of who pays the cheapest cards."""
    most: Hands
    """Hands and piles of which the best may be chosen."""
    past: Orders
    """What was drawn and paid since."""
    dead: bool
    """It is not known any more."""


NOTHING: Final = Seen(frozenset([((), ())]), frozenset([((), ())]), (), True)
Told = dict[tuple[Pool, Hands, Hands], int]
"""Cards not told, hands and piles of either sort: in how many ways."""
Outcome = tuple[tuple[Orders, int, Stack, int], ...] | bool
"""Whether all comes through, or the ways on: orders, a board, a stack, a place."""


def mean(values: dict[int, Fraction], deck: Counter[int], n: int) -> Fraction:
    """Return the mean of the best of so many cards of a deck."""
    size = left = sum(deck.values())
    n = min(n, size)
    if not n:
        return ZERO
    value = ZERO
    for number in sorted(deck, key=lambda each: -values[each]):
        value += (comb(left, n) - comb(left - deck[number], n)) * values[number]
        left -= deck[number]
    return value / comb(size, n)


def more_of(cards: Mapping[str, Card], own: Sequence[str], joining: Iterable[str], takable: Iterable[str]) -> list[str]:
    """Return those cards that cost as much as some own one and may come to be one copy more of it.

    All of those ``joining`` may, which are in play or given by checkpoints; of the ``takable`` ones one may be taken,
    and that counts where copies of risk cards are counted.
    """

    def cost(name: str) -> tuple[object, ...]:
        return cards[name].energy, cards[name].health, cards[name].risk

    costs = set(map(cost, own))
    alike = [name for name in joining if cost(name) in costs]
    return alike + [name for name in takable if cards[name].risk and cost(name) in costs]


def among(cards: Cards, first: Cards) -> Cards:
    """Return cards with the first class of each group in the place of the others."""
    return tuple(sorted(first[number] for number in cards))


def both(cards: Iterable[int], others: Iterable[int]) -> Cards:
    """Return all of some cards and others."""
    return tuple(sorted((*cards, *others)))


def put(seen: Seen, cards: Cards) -> Seen:
    """Return what is known once some cards lie in the pile."""
    if seen.dead or not cards:
        return seen
    least, most = (frozenset((a, both(b, cards)) for a, b in one) for one in (seen.least, seen.most))
    return seen._replace(least=least, most=most)


def pay(hands: Hands, n: int) -> Iterator[tuple[Cards, Cards]]:
    """Yield every hand and pile after so many cards are paid."""
    for hand, pile in hands:
        for some in set(combinations(hand, n)):
            yield tuple(sorted((Counter(hand) - Counter(some)).elements())), both(pile, some)


@lru_cache(maxsize=1 << 14)
def puts(shown: Cards, gone: int, last: bool, dead: bool) -> Sequence[tuple[Cards, Cards]]:
    """Return which of some cards may go back and which to the pile, while the others leave the game.

    Where the pile goes back next they all go back, where it is not read any more none leaves the game.
    """
    kinds = sorted(set(shown))
    found: list[tuple[Cards, Cards]] = []

    def go(place: int, back: Cards, pile: Cards, lost: int) -> None:
        if place == len(kinds):
            found.append((back, pile))
            return
        kind = kinds[place]
        copies = shown.count(kind)
        for k in range(copies + 1):
            rest = copies - k
            if dead:
                go(place + 1, back + (kind,) * k, pile, lost)
            elif last:
                if lost + rest <= gone:
                    go(place + 1, back + (kind,) * k, pile, lost + rest)
            else:
                for n in range(min(rest, gone - lost) + 1):
                    go(place + 1, back + (kind,) * k, pile + (kind,) * (rest - n), lost + n)

    go(0, (), (), 0)
    return found


def chosen(pool: Pool, n: int) -> Iterator[tuple[Cards, Pool, int]]:
    """Yield every choice of so many cards of a pool, what is left, and in how many ways."""
    kinds = [number for number, copies in enumerate(pool) if copies]
    rest = list(pool)
    after = [0] * (len(kinds) + 1)
    for place in range(len(kinds) - 1, -1, -1):
        after[place] = after[place + 1] + pool[kinds[place]]

    def go(place: int, n: int, shown: Cards, ways: int) -> Iterator[tuple[Cards, Pool, int]]:
        if not n:
            yield shown, tuple(rest), ways
            return
        if after[place] < n:
            return
        kind = kinds[place]
        copies = pool[kind]
        for k in range(min(copies, n) + 1):
            rest[kind] = copies - k
            yield from go(place + 1, n - k, shown + (kind,) * k, ways * comb(copies, k))
        rest[kind] = copies

    yield from go(0, n, (), 1)


def cheapest(hands: Hands, n: int, ranks: Sequence[tuple[int, int]]) -> Hands:
    """Return what is left to who pays the cheapest cards, whichever of those that are alike in that."""
    found: set[tuple[Cards, Cards]] = set()
    for hand, pile in hands:
        order = sorted(ranks[number] for number in hand)
        bound = order[n - 1]
        sure = tuple(number for number in hand if n and ranks[number] < bound)
        ties = tuple(number for number in hand if n and ranks[number] == bound)
        rest = tuple(number for number in hand if not n or ranks[number] > bound)
        for some in set(combinations(ties, n - len(sure))):
            others = Counter(ties) - Counter(some)
            found.add((both(rest, others.elements()), both(pile, (*sure, *some))))
    return frozenset(found)


def grouped(pool: Pool, first: Cards) -> Pool:
    """Return likewise the copies of a pool."""
    found = [0] * len(pool)
    for number, copies in enumerate(pool):
        found[first[number]] += copies
    return tuple(found)


def merged_in(seen: Seen, first: Cards) -> Seen:
    """Return likewise what is known of hand and pile."""
    least, most = (frozenset((among(a, first), among(b, first)) for a, b in one) for one in (seen.least, seen.most))
    return seen._replace(least=least, most=most)
