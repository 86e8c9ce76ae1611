"""Last turns of a question, stance by stance: what each card is worth there, and what has to be paid for it.

A *stance* is a board with its risk stack, by number. All is read off the plays on it. What a turn that ends the
question is *worth* is the place, or 1 if that is the target or beyond it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Final, NamedTuple

NEVER: Final = -(1 << 20)
"""Less than anything is worth."""
NO_GIFT: Final = -1
"""The kind of no card."""


class Leading(NamedTuple):
    """Where a play leads: a stance, spaces won, and cards drawn."""

    stance: int
    spaces: int
    drawn: int
    gift: int = NO_GIFT
    """Kind of a card that comes to the hand from elsewhere."""


class Sight(NamedTuple):
    """Cards of the deck to be looked at and sorted out."""

    stance: int
    """Where that leads, perhaps to more cards to be looked at."""
    n: int
    destroy: int
    """How many of them may be destroyed, where that counts."""
    drawn: int
    """Cards drawn afterwards, before anything else."""
    last: int
    """Where it leads once all are looked at,"""
    more: int
    """and cards drawn until then."""


Picks = dict[int, tuple[Leading, ...]]
"""By stance: where it leads to choose there before anything else."""


class Record(NamedTuple):
    """A play on a stance."""

    energy: int
    """Negative where it is all of the hand."""
    health: int
    ends: tuple[Leading, ...]
    failed: Leading


class Told(NamedTuple):
    """What the rules say about a stance."""

    waits: bool
    frees: tuple[int, ...]
    """Stances that free actions make of it, itself first."""
    fizzles: bool
    vain: Record
    """The play of a turn on which no card is turned over."""
    plays: tuple[Record, ...]
    """By kind."""


class Way(NamedTuple):
    """What a last play costs and is worth, paid and not; costs are 0 where they do not count."""

    energy: int
    health: int
    paid: int
    failed: int

    @property
    def least(self) -> int:
        """What it is worth in any case."""
        return min(self.paid, self.failed)

    @property
    def most(self) -> int:
        """What it is worth at best."""
        return max(self.paid, self.failed)


Ways = frozenset[Way]


class FromHand(NamedTuple):
    """A last turn that plays a card from the hand."""

    least: int
    """What any card is worth in any case;"""
    sure: tuple[int, ...]
    """by kind what it is worth in any case,"""
    ways: tuple[Ways, ...]
    """and the ways to play it that count, after any free actions; none where it is always worth the least."""
    all_ways: tuple[Ways, ...]
    """The same without leaving any out."""
    above: tuple[int, ...]
    """By kind the kinds that are worth no less, whatever there is to pay with, as bits."""


class FromDeck(NamedTuple):
    """A last turn that turns over a card for one that waits, by free actions that come before."""

    ways: tuple[tuple[Way, ...], ...]
    """For each of them what each kind is worth,"""
    vain: tuple[Way, ...]
    """and what it is worth to turn over none,"""
    fizzles: tuple[bool, ...]
    """which none is in any case."""

    @property
    def least(self) -> int:
        """Return what it is worth in any case."""
        return max(min(way.least for way in (vain, *ways)) for ways, vain in zip(self.ways, self.vain, strict=True))


class LastTurns:
    """What last turns are worth."""

    def __init__(
        self,
        told: Callable[[int], Told],
        place: Callable[[int], int],
        target: int | None,
        finish: int,
        kept_back: frozenset[int],
        kinds: range,
    ) -> None:
        """``told`` gives what is known of a stance, ``place`` where it is; ``kept_back`` kinds are not played.

        Without a ``target`` distance counts.
        """
        self._told = told
        self._place = place
        self._target = target
        self._finish = finish
        self._kept_back = kept_back
        self._kinds = kinds
        self._hands: dict[int, FromHand] = {}
        self._decks: dict[int, FromDeck] = {}

    def worth(self, stance: int) -> int:
        """Return what it is worth to end there."""
        place = self._place(stance)
        return place if self._target is None else int(place >= self._target)

    def is_over(self, stance: int) -> bool:
        """Return whether no further turn counts there."""
        place = self._place(stance)
        return place >= self._finish or (self._target is not None and place >= self._target)

    def _way(self, record: Record) -> Way:
        paid = max(self.worth(end.stance) for end in record.ends)
        failed = self.worth(record.failed.stance)
        free = record.energy <= 0 and not record.health
        return Way(0, 0, paid, paid) if free or paid == failed else Way(record.energy, record.health, paid, failed)

    def from_hand(self, stance: int) -> FromHand:
        """Return what a last turn from the hand is worth."""
        found = self._hands.get(stance)
        if found is None:
            acts = [self._told(free) for free in self._told(stance).frees]
            each = [best_ways(frozenset(self._way(act.plays[kind]) for act in acts)) for kind in self._kinds]
            sure = tuple(max(way.least for way in ways) for ways in each)
            least = min((sure[kind] for kind in self._kinds if kind not in self._kept_back), default=NEVER)
            ways = tuple(some if any(way.most > least for way in some) else frozenset() for some in each)
            above = tuple(
                sum(1 << other for other in self._kinds if no_worse(each[other], each[kind])) for kind in self._kinds
            )
            found = self._hands[stance] = FromHand(least, sure, ways, tuple(each), above)
        return found

    def from_deck(self, stance: int) -> FromDeck:
        """Return what a last turn is worth on which a card is turned over."""
        found = self._decks.get(stance)
        if found is None:
            acts = [self._told(free) for free in self._told(stance).frees]
            ways = tuple(
                tuple(self._way(act.vain if act.fizzles else act.plays[kind]) for kind in self._kinds) for act in acts
            )
            found = FromDeck(ways, tuple(self._way(act.vain) for act in acts), tuple(act.fizzles for act in acts))
            self._decks[stance] = found
        return found

    def floor(self, stance: int) -> int:
        """Return what a last turn is worth at least, with whatever cards, if there is one to play."""
        if self.is_over(stance):
            return self.worth(stance)
        return self.from_deck(stance).least if self._told(stance).waits else self.from_hand(stance).least


@cache
def _is_as_good(one: Way, other: Way) -> bool:
    """Return whether a play is worth no less than another, whatever there is to pay with."""
    if one.least >= other.most:
        return True
    cheaper = one.energy <= other.energy and one.health <= other.health
    return cheaper and one.paid >= other.most and one.failed >= other.failed


@cache
def no_worse(some: Ways, others: Ways) -> bool:
    """Return whether for each of some ways to play there is another one that is worth no less."""
    return all(any(_is_as_good(one, other) for one in some) for other in others)


@cache
def best_ways(ways: Ways) -> Ways:
    """Return the ways to play of which no other is at least as good."""
    kept: list[Way] = []
    for way in sorted(ways):
        if not any(_is_as_good(one, way) for one in kept):
            kept = [one for one in kept if not _is_as_good(way, one)] + [way]
    return frozenset(kept)


def bits(numbers: Iterable[int]) -> int:
    """Return some numbers as bits."""
    return sum(1 << number for number in numbers)
