"""Unknown cards: a hand is known cards and a number of others, each any card of a pool that nobody here has seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any, Final

from rules.core.errors import counted, with_copies

UNKNOWN: Final = "?"
"""Stands for a card that is not known; it sorts before every other card, and is written behind them."""
MOST: Final = 99
"""Unknown cards that a number may stand for."""


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


def ways(hand: Sequence[str], pool: Iterable[str], number: int) -> Iterator[tuple[str, ...]]:
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
