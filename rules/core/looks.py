"""Looks at a deck, for whoever adds up what they are worth.

Before a look the deck has some cards *there*, some of which are shown; the others lie *below*. Afterwards it has what
lies below and what is put back: any part, in between, of what is there. So a look is worth the sum, over all parts of
what is there that may lie below, each in so many ways by copies, of the greatest worth of what lies in between.

Decks are numbers, with a digit for the copies of each class, the last one the lowest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Protocol

Counts = tuple[int, ...]


class Looks(Protocol):
    """Adds up what looks are worth."""

    def sums(
        self,
        copies: Counts,
        looked: int,
        below: int,
        decks: Sequence[int],
        worths: Sequence[int],
        there: Sequence[int],
        check: Callable[[], None],
    ) -> list[int] | None:
        """Return what a look at some cards above some others is worth for all that may be there.

        ``copies`` are the most of each class. All other decks than those given are worth nothing. ``check`` is called
        now and then, and raises if time is up. Nothing is returned where it is left to the rules.
        """


@lru_cache(maxsize=4096)
def pair_counts(copies: Counts, looked: int, below: int) -> int:
    """Return how many pairs there are of what lies below and what is there."""
    found = {(0, 0): 1}
    for n in copies:
        more: dict[tuple[int, int], int] = {}
        for (under, shown), many in found.items():
            for low in range(min(n, below - under) + 1):
                for high in range(low, min(n, low + looked - shown) + 1):
                    target = (under + low, shown + high - low)
                    more[target] = more.get(target, 0) + many
        found = more
    return found.get((below, looked), 0)
