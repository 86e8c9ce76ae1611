"""What decks are worth, for all decks of one size at once: a list of tasks for whoever works them out.

A task is about all decks of so many cards that have, class by class, no more copies than some most. A deck is a number
with a digit for the copies of each class, the last class the lowest; how far a digit goes is told by those copies.
Worths are between 0 and 1. Each task reads some before it; a deck without a card that is taken away reads anything,
so many times as it has that card.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple, Protocol

Counts = tuple[int, ...]
ONE: Final = -1
"""Stands for a task after which every deck is worth 1."""


class Read(NamedTuple):
    """Where a deck is read."""

    task: int
    """Its place, or ``ONE``."""
    weights: Counts
    """What a card of each class counts for there."""
    fewer: int = 0
    """What a card that is taken away counts for there."""


class Turned(NamedTuple):
    """The mean over the next card of the deck."""

    copies: Counts
    size: int
    ways: tuple[tuple[Read, Counts], ...]
    """What follows, and for the places of which classes; after all others a deck is worth nothing."""


class LeftOut(NamedTuple):
    """The mean over all decks of ``there`` cards out of these."""

    copies: Counts
    size: int
    there: int
    read: Read


class Chosen(NamedTuple):
    """The greatest of some worths."""

    copies: Counts
    size: int
    ways: tuple[Read, ...]


class Looked(NamedTuple):
    """A look at some cards of the deck, those shown; the others lie below.

    Afterwards the deck has what lies below and what is put back: any part, in between, of what was there. So this is
    the mean, over all parts that may lie below, of the greatest worth of what lies in between.
    """

    copies: Counts
    looked: int
    below: int
    ways: tuple[tuple[int, Read], ...]
    """Cards put back, and where decks of so many more cards are read; all others are worth nothing."""

    @property
    def size(self) -> int:
        """Cards of the deck before the look."""
        return self.looked + self.below


Task = Turned | LeftOut | Chosen | Looked


class Decks(Protocol):
    """Works tasks out."""

    def worthwhile(self, entries: int) -> bool:
        """Return whether it is quicker than plain Python, for so many decks and pairs of decks in all."""

    def worth(self, tasks: Sequence[Task], check: Callable[[], None]) -> Fraction:
        """Return what the only deck of the last task is worth; ``check`` raises if time is up."""


def radix(copies: Counts) -> Counts:
    """Return by class what a copy counts for in the number of a deck."""
    places = []
    place = 1
    for n in reversed(copies):
        places.append(place)
        place *= n + 1
    return tuple(places[::-1])


@lru_cache(maxsize=4096)
def deck_counts(copies: Counts) -> Counts:
    """Return by size how many decks there are."""
    found = [1]
    for n in copies:
        more = [0] * (len(found) + n)
        for size, many in enumerate(found):
            for place in range(size, size + n + 1):
                more[place] += many
        found = more
    return tuple(found)


@lru_cache(maxsize=4096)
def pair_counts(copies: Counts, looked: int, below: int) -> int:
    """Return how many pairs there are of what lies below and what is there.

    It is a coefficient of a product of polynomials, a factor for each class, in powers of two that are far enough apart
    for coefficients to fit: there are fewer than four pairs to the power of the cards.
    """
    cards = sum(copies)
    under = 2 * cards
    shown = under * (cards + 1)
    found = 1
    for n in copies:
        found *= sum(1 << under * low + shown * (high - low) for high in range(n + 1) for low in range(high + 1))
    return found >> under * below + shown * looked & (1 << under) - 1
