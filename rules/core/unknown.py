"""Unknown cards: a hand is known cards and a number of others, each any card of a pool that nobody here has seen."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from rules.core.errors import counted, with_copies
from rules.core.files import KeyPath

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


def left_out(given: Any, complete: Any, zones: Collection[str], path: KeyPath = ()) -> Iterator[tuple[KeyPath, str]]:
    """Yield the paths of the zones that a state leaves out, each with what a complete one has there, in words."""
    if isinstance(complete, list):
        for place, part in enumerate(complete):
            yield from left_out(given[place] if place < len(given) else {}, part, zones, (*path, place))
    for name, value in complete.items() if isinstance(complete, Mapping) else ():
        part = given.get(name)
        if name not in zones:
            yield from left_out(part or [], value, zones, (*path, name)) if isinstance(value, list) else ()
        elif part is None and value:
            unknown = complete["hand"].count(UNKNOWN) if name == "deck" and "hand" in complete else 0
            yield (*path, name), _in_words(value) + (f"; {unknown} of them in the hand" if unknown else "")
        elif isinstance(part, Mapping) and len(part) < len(value):
            yield (*path, name), f"{counted(len(value) - len(part), 'more place')}, as dealt"


def _in_words(zone: Any) -> str:
    """Return a zone in words: cards, several lists of them, or cards that others lie on."""
    if isinstance(zone, Mapping):
        return "; ".join(f"{name} {_in_words(part)}" for name, part in zone.items() if part)
    if isinstance(zone[0], str):
        return f"{counted(len(zone), 'card')}: {in_words(zone)}" if known(zone) else in_words(zone)
    if isinstance(zone[0], Mapping):
        return ", ".join(card for each in zone for card in each.values() if isinstance(card, str))
    return f"{', '.join(str(len(part)) for part in zone)} cards"


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
