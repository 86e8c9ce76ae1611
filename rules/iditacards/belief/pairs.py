"""What each first of two last turns leads to, as numbers: so a search can tell which cards of one hand still count.

``belief.room`` says which cards count whatever else is in hand. Here it is written down, for so many cards in hand and
deck, what every card is worth on the last turn after each first one; ``solver.search.dealing.pairs`` compares that with
what a hand is sure of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from rules.iditacards.belief.needs import NEVER, NO_GIFT
from rules.iditacards.belief.room import ALL, First, Rest, Worths

SETTLED: Final = 0
"""Sorts of last turns: nothing more counts,"""
PLAYED: Final = 1
"""a card is played from the hand,"""
TURNED: Final = 2
"""or one is turned over."""


class Pair(NamedTuple):
    """A first play and one of the last turns after it."""

    kind: int
    """What is played first."""
    alone: bool
    """Whether it is chosen before more of the deck is seen, or has a worth that does not depend on the deck."""
    sort: int
    drawn: int
    """Cards of the deck that come to the hand before the last turn, or are seen and may."""
    kept: bool
    """Whether a card of the hand is left then, or one comes from elsewhere."""
    hand: Worths
    """By kind what it is worth to play it last from the hand, or what comes from elsewhere in its place; the same for
    all where nothing more counts,"""
    deck: Worths
    """and what it is worth if it comes off the deck, drawn or turned over."""


def pairs(plays: Sequence[Sequence[First]], held: int) -> list[Pair]:
    """Return what pairs may be best with so many cards in hand, by kind its first plays; none where not all is known.

    Of two that are chosen before more is seen, one that is worth no less for every card is enough.
    """
    found: dict[Pair, None] = {}
    for kind, firsts in enumerate(plays):
        for first in firsts:
            if any(rest.look or (rest.seen and rest.drawn) for rest in first.rests):
                return []
            kept = first.energy != ALL and first.energy < held - 1
            rests = sorted(first.rests)
            alone = len(rests) == 1 or not first.seen or not any(rest.drawn or rest.deck or rest.seen for rest in rests)
            for rest in rests:
                found |= dict.fromkeys(_pairs(kind, rest, alone, bool(first.seen), kept, len(plays)))
    return [pair for pair in found if not any(_is_better(other, pair) for other in found)]


def _pairs(kind: int, rest: Rest, alone: bool, seen: bool, kept: bool, kinds: int) -> Iterator[Pair]:
    if rest.over != NEVER or not (rest.hand or rest.deck):
        worths = (max(rest.over, -1),) * kinds
        yield Pair(kind, alone, SETTLED, 0, kept, worths, worths)
    elif rest.deck:
        ways = [each for each in sorted(rest.deck) if not any(_outdoes(other, each) for other in rest.deck)]
        alone = alone and (len(ways) == 1 or not (seen or rest.drawn))
        for worths in ways:
            yield Pair(kind, alone, TURNED, 0, kept, worths, worths)
    else:
        hand, deck = rest.hand, rest.shown or rest.hand
        if rest.gift != NO_GIFT:  # it may be played in place of any other
            given = rest.hand[rest.gift]
            hand = tuple(max(worth, given) if kept else given for worth in hand)
            deck, kept = tuple(max(worth, given) for worth in deck), True
        yield Pair(kind, alone, PLAYED, rest.seen or rest.drawn, kept, hand, deck)


def _is_better(pair: Pair, other: Pair) -> bool:
    """Return whether a pair stands for another of the same first card."""
    same = pair.kind == other.kind and pair.sort == other.sort and pair.drawn == other.drawn
    if not same or pair == other or not (pair.alone and other.alone) or pair.kept < other.kept:
        return False
    return all(one >= worth for one, worth in zip(pair.hand + pair.deck, other.hand + other.deck, strict=True))


def _outdoes(some: Worths, others: Worths) -> bool:
    return some != others and all(one >= other for one, other in zip(some, others, strict=True))


def written(worths: Worths) -> tuple[int, ...]:
    """Return worths by kind, then how many different ones there are, and from the best on each with its kinds."""
    levels = sorted(set(worths), reverse=True)
    bits = (sum(1 << kind for kind, each in enumerate(worths) if each == worth) for worth in levels)
    return (*worths, len(levels), *(number for pair in zip(levels, bits, strict=True) for number in pair))
