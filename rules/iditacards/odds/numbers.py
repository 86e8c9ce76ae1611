"""Numbers of cards in hand and deck, what orders change about them, and the boxes of numbers for which it is alike."""

from __future__ import annotations

from typing import Final, NamedTuple

from rules.iditacards.odds.counts import EVERYWHERE
from rules.iditacards.odds.orders import ASIDE, BACK, DRAW, EMPTY_HAND, GAIN, KEEP, Orders

Left = int
"""Copies not turned over of each class of risk cards, packed."""


Box = tuple[int, int, int, int, int, int, Left]
"""Least and most cards in hand, cards in the deck, and places; a bit for each class of risk cards that ran out, above
those of its copies."""
EVERYTHING: Final[Box] = (*EVERYWHERE, 0)
RAN_OUT: Final = 6


class Numbers(NamedTuple):
    """Where a piece of a turn begins."""

    before: tuple[int, int]
    """Cards in hand and deck at the start of the turn, of which boxes are."""
    hand: int
    deck: int
    pos: int
    left: Left


def ordered(order: int, n: int, before: tuple[int, int], hand: int, deck: int, box: list[int]) -> tuple[int, int, int]:
    """Carry an order out and narrow the box: return cards in hand and deck, and how many have left the deck.

    Of those that have, a player keeps or puts back what the order allows; only drawn ones are in the hand already.
    """
    if order == GAIN:
        return hand + n, deck, 0
    if order == EMPTY_HAND:
        box[0] = box[1] = before[0]
        return 0, deck, 0
    if deck < n:
        n = deck
        box[2] = box[3] = before[1]
    else:
        box[2] = max(box[2], n + before[1] - deck)
    return (hand + n if order == DRAW else hand), deck - n, n


def dealt(orders: Orders, before: tuple[int, int], hand: int, deck: int, box: list[int]) -> list[tuple[int, int, int]]:
    """Carry orders out: return cards in hand, in the deck and set aside, for every choice, fewest in hand first."""
    aside = 0
    for place, (order, printed) in enumerate(orders):
        if order == BACK:
            deck, aside = deck + aside, 0
            continue
        hand, deck, n = ordered(order, printed, before, hand, deck, box)
        if order == KEEP:
            rest = orders[place + 1 :]
            kept = [dealt(rest, before, hand + k, deck + n - k, box) for k in range(n + 1)]
            return [(held, hidden, aside + more) for each in kept for held, hidden, more in each]
        if order == ASIDE:
            aside += n
    return [(hand, deck, aside)]


def met(box: list[int], inner: Box, hand: int, deck: int, by: int) -> None:
    """Narrow a box to what such changes lead into another one from."""
    a, b, c, d, e, f, out = inner
    if a - hand > box[0]:
        box[0] = a - hand
    if b - hand < box[1]:
        box[1] = b - hand
    if c - deck > box[2]:
        box[2] = c - deck
    if d - deck < box[3]:
        box[3] = d - deck
    if e - by > box[4]:
        box[4] = e - by
    if f - by < box[5]:
        box[5] = f - by
    box[RAN_OUT] |= out


def narrow(box: list[int], low: int, high: int) -> None:
    """Narrow a box to the places between two."""
    if low > box[4]:
        box[4] = low
    if high < box[5]:
        box[5] = high


def boxed(box: list[int]) -> Box:
    """Return a box that is narrowed no more."""
    a, b, c, d, e, f, out = box
    return a, b, c, d, e, f, out
