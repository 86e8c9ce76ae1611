"""Last turns of a question about one target, stance by stance: which cards win them, and what has to be paid.

A *stance* is a board with its risk stack, by number. All is read off the plays on it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Final, NamedTuple

ALWAYS: Final = "always"
"""The need of a card that wins paid or not."""
Needs = frozenset[Hashable]
Signs = tuple[tuple[Hashable, ...], ...]


class Leading(NamedTuple):
    """Where a play leads: a stance, spaces won, and cards drawn."""

    stance: int
    spaces: int
    drawn: int


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


class LastNeeds:
    """What wins the last turn."""

    def __init__(
        self,
        told: Callable[[int], Told],
        place: Callable[[int], int],
        target: int,
        finish: int,
        kept_back: frozenset[int],
        kinds: range,
    ) -> None:
        """``told`` gives what is known of a stance, ``place`` where it is; ``kept_back`` kinds are not played."""
        self._told = told
        self._place = place
        self._target = target
        self._finish = finish
        self._kept_back = kept_back
        self._kinds = kinds
        self._hands: dict[int, tuple[Needs, ...]] = {}
        self._decks: dict[int, tuple[Signs, bool]] = {}

    def wins(self, end: Leading) -> bool:
        """Return whether a turn ends at the target."""
        return self._place(end.stance) >= self._target

    def _need(self, record: Record) -> Hashable:
        """Return what a last play needs to win; nothing where it does not."""
        paid, failed = any(map(self.wins, record.ends)), self.wins(record.failed)
        if paid and failed:
            return ALWAYS
        return (paid, record.energy, record.health) if paid or failed else None

    def from_hand(self, stance: int) -> tuple[Needs, ...]:
        """Return by kind what a last turn from the hand needs to win, whichever free actions come first."""
        found = self._hands.get(stance)
        if found is None:
            acts = [self._told(free) for free in self._told(stance).frees]
            needs: list[Needs] = []
            for kind in self._kinds:
                ways = {self._need(act.plays[kind]) for act in acts} - {None}
                needs.append(frozenset(() if kind in self._kept_back else {ALWAYS} if ALWAYS in ways else ways))
            found = self._hands[stance] = tuple(needs)
        return found

    def from_deck(self, stance: int) -> tuple[Signs, bool]:
        """Return by kind what turning it over on a last turn needs to win, and whether turning none over wins."""
        found = self._decks.get(stance)
        if found is None:
            acts = [self._told(free) for free in self._told(stance).frees]
            vain = any(self.wins(end) for act in acts for end in (*act.vain.ends, act.vain.failed))
            signs = tuple(
                tuple(self._need(act.vain if act.fizzles else act.plays[kind]) for act in acts) for kind in self._kinds
            )
            found = self._decks[stance] = (signs, vain)
        return found

    def is_over(self, stance: int) -> bool:
        """Return whether the race is over there."""
        return self._place(stance) >= self._finish

    def is_as_good(self, record: Record, need: Hashable, kind: int) -> bool:
        """Return whether a play for no more than is needed later wins, with another card of a kind to end on."""
        if not isinstance(need, tuple):
            return False
        paid, energy, health = need
        if not paid or not 0 <= record.energy <= energy or record.health > health:
            return False
        return any(self.wins(end) or self._is_certain(end.stance, kind) for end in record.ends)

    def _is_certain(self, stance: int, kind: int) -> bool:
        return not self.is_over(stance) and not self._told(stance).waits and ALWAYS in self.from_hand(stance)[kind]
