"""Chance and unknown cards: what nobody knows in advance, and what nobody here has seen.

- Open sources have fixed results, from explicit lists or a seed (Iditacards R72 to R74; the other games use the same
  streams). Hidden sources have no result here: the game branches over their outcomes instead.
- A hand is known cards and a number of others, each any card of a pool that nobody here has seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Final, TypeVar

from rules.core.errors import ContentError, Fault, counted, with_copies

Card = TypeVar("Card", str, int)
"""A card by its id, or by its place in the order that a game gives its cards."""

_MASK = 0xFFFFFFFFFFFFFFFF
_GAMMA = 0x9E3779B97F4A7C15

UNKNOWN: Final = "?"
"""Stands for a card that is not known; it sorts before every other card, and is written behind them."""
MOST: Final = 99
"""Unknown cards that a number may stand for."""


class SplitMix64:
    """The generator of one chance event (R74); ``state`` is a 64-bit integer."""

    __slots__ = ("state",)

    def __init__(self, state: int) -> None:
        self.state = state & _MASK

    def next(self) -> int:
        """Return the next 64-bit output."""
        self.state = (self.state + _GAMMA) & _MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        """Return an integer uniform on 0 … n - 1."""
        limit = (1 << 64) - ((1 << 64) % n)
        while True:
            r = self.next()
            if r < limit:
                return r % n

    def shuffle(self, cards: Iterable[Card]) -> list[Card]:
        """Return the cards in a random order that depends on their multiset only; index 0 is the top."""
        a = sorted(cards)
        for i in range(len(a) - 1, 0, -1):
            j = self.below(i + 1)
            a[i], a[j] = a[j], a[i]
        return a


def mix(x: int) -> int:
    """Return the first output of the generator with state ``x``."""
    return SplitMix64(x).next()


def stream(seed: int, kind: int, owner: int, event: int) -> SplitMix64:
    """Return the generator of one chance event, the same for every line of play that reaches it."""
    x = seed & _MASK
    for part in (kind, owner, event):
        x = mix(x ^ part)
    return SplitMix64(x)


def priority_order(order: Sequence[str], cards: Iterable[str]) -> list[str]:
    """Return ``cards`` in the order of a priority list, the cards it does not name last, ascending (R74)."""
    left = Counter(cards)
    result: list[str] = []
    for card in order:
        if left[card] > 0:
            left[card] -= 1
            result.append(card)
    return [*result, *sorted(left.elements())]


@dataclass(frozen=True)
class Chance:
    """Which sources of chance are known in advance, and their results."""

    open: frozenset[str]
    """Names of the open sources; every other source is hidden."""
    seed: int | None = None
    """Seed of every open result that no list gives; 0 … 2^64 - 1."""
    lists: Mapping[str, Any] = field(default_factory=dict)
    """Explicit results, by source; their shape is the game's (Iditacards R74)."""

    def seeded(self) -> Chance:
        """Return the same with a seed, which is 0 where none is given."""
        return self if self.seed is not None else Chance(self.open, 0, self.lists)

    def is_open(self, source: str) -> bool:
        """Return whether the results of this source are known in advance."""
        return source in self.open

    def stream(self, kind: int, owner: int, event: int) -> SplitMix64:
        """Return the random numbers of one event of an open source (R72).

        Raises:
            ContentError: there is no seed, and lists do not reach so far.
        """
        if self.seed is None:
            message = "an open source has run out of listed results and there is no seed; give chance.seed"
            raise ContentError([Fault(message, "chance")])
        return stream(self.seed, kind, owner, event)


def written_out(hand: Any, dealt: int) -> list[str]:
    """Return a hand as a list: a number stands for so many unknown cards, ``?`` for those that are ``dealt``."""
    if isinstance(hand, int):
        return [UNKNOWN] * hand
    return [UNKNOWN] * dealt if hand == UNKNOWN else list(hand)


def in_short(hand: Sequence[str]) -> list[str] | int:
    """Return a hand as files have it: the number of its cards where all are unknown, unknown ones last elsewhere."""
    return len(hand) if hand and len(known(hand)) == 0 else in_order(hand)


def in_order(hand: Iterable[str]) -> list[str]:
    """Return a hand in its canonical order: known cards ascending, then the others."""
    return sorted(hand, key=lambda card: (card == UNKNOWN, card))


def known(cards: Iterable[str]) -> list[str]:
    """Return the known cards."""
    return [card for card in cards if card != UNKNOWN]


def in_words(hand: Sequence[str]) -> str:
    """Return a hand in words."""
    shown = known(hand)
    unknown = len(hand) - len(shown)
    if unknown:
        return f"{with_copies(shown)}, and {unknown} unknown" if shown else f"{counted(unknown, 'card')}, unknown"
    return with_copies(shown) or "empty"


def kinds(hand: Sequence[str], pool: Iterable[str]) -> list[str]:
    """Return the different cards that may be in a hand, ascending."""
    return sorted({*known(hand), *(pool if UNKNOWN in hand else ())})


def selections(hand: Sequence[str], pool: Iterable[str], number: int) -> Iterator[tuple[str, ...]]:
    """Yield the different ways to take so many cards out of a hand, each of them and all ascending."""
    seen = sorted(known(hand))
    unseen = sorted(pool) if len(seen) < len(hand) else []
    found = {
        tuple(sorted(mine + others))
        for n in range(min(number, len(hand) - len(seen)) + 1)
        for mine in combinations(seen, number - n)
        for others in set(combinations(unseen, n))
    }
    yield from sorted(found)


def take(hand: list[str], pool: list[str], card: str) -> None:
    """Take a card out of a hand; one that was not known there is in the pool no more."""
    if card in hand:
        hand.remove(card)
    else:
        hand.remove(UNKNOWN)
        pool.remove(card)
