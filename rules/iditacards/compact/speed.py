"""The best speed a seat could have on each part of the track, asked of the rules for made-up boards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, Final

from rules.core.scripts import Asking
from rules.iditacards.costs import speed
from rules.iditacards.movement import cannot_move, forward
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Dog, Table, in_play
from rules.iditacards.turn import Team, Turn

STUCK: Final = -(1 << 20)
"""The speed that stands for not being able to move."""
NOT_ADDITIVE: Final = ("speed_mult", "speed_other_dogs")
"""Ops of dogs and attachments whose speeds are no sum over the dogs."""

Pack = tuple[Dog, ...]
"""Dogs in play with what they wear."""


class SpeedTables:
    """Speeds by section: a stretch of spaces on which nothing but the position itself differs."""

    def __init__(self, rulings: Rulings, table: Table, seat: int) -> None:
        """``table`` gives everything that stays as it is: weather, legs, immunity."""
        self._rulings = rulings
        self._turn = Turn(rulings, table, Asking(()))
        self._seat = self._turn.seats[seat]
        self.section: list[int] = []
        """Number of the section of each space up to the first beyond the track; that one stands for all beyond."""
        self.first: list[int] = []
        """First space of each section."""
        last = None
        for pos in range(rulings.spaces + 2):
            self._seat.pos = pos
            leg = self._turn.leg(self._seat)
            name = (leg.id if leg is not None else None, pos == 0)
            if name != last:
                self.first.append(pos)
                last = name
            self.section.append(len(self.first) - 1)
        self._best: dict[tuple[int, int, int, Pack], int] = {}
        self._alone: dict[tuple[int, int, int], int] = {}
        self._counted: dict[str, bool] = {}
        self._dogs: dict[tuple[Any, ...], int] = {}
        self._entry: dict[tuple[int, Pack], tuple[int, int]] = {}

    def section_of(self, pos: int) -> int:
        """Return the section of a space."""
        return self.section[min(pos, len(self.section) - 1)]

    def best(self, section: int, hypothermia: int, starvation: int, pack: Pack) -> int:
        """Return the highest speed with some of the dogs and attachments of ``pack``; ``STUCK`` where none may move."""
        name = (section, hypothermia, starvation, pack)
        value = self._best.get(name)
        if value is None:
            alone = self._alone_at(section, hypothermia, starvation)
            value = self._best[name] = STUCK if alone == STUCK else self._best_subset(name, alone)
        return value

    def _alone_at(self, section: int, hypothermia: int, starvation: int) -> int:
        """Return the speed without dogs, ``STUCK`` where nobody may move."""
        name = (section, hypothermia, starvation)
        alone = self._alone.get(name)
        if alone is None:
            self._stand(self.first[section], hypothermia, starvation)
            stuck = cannot_move(self._turn, self._seat) is not None
            alone = self._alone[name] = STUCK if stuck else self._speed(())
        return alone

    def entry(self, section: int, pack: Pack) -> tuple[int, int]:
        """Return the conditions that entering a section brings to a seat that had none."""
        name = (section, pack)
        value = self._entry.get(name)
        if value is None:
            self._stand(max(0, self.first[section] - 1), 0, 0)
            self._seat.dogs = [Team(dog.dog, dog.attachments) for dog in pack]
            self._seat.finished = True
            if self.first[section] > 0:
                forward(self._turn, self._seat, 1)
            value = self._entry[name] = (self._seat.hypothermia, self._seat.starvation)
        return value

    def _stand(self, pos: int, hypothermia: int, starvation: int) -> None:
        self._seat.pos, self._seat.hypothermia, self._seat.starvation = pos, hypothermia, starvation

    def parts(
        self, section: int, hypothermia: int, starvation: int, dogs: Sequence[Dog]
    ) -> tuple[int, tuple[int, ...]] | None:
        """Return the speed without dogs and the most that each dog adds; nothing where speeds are no such sums."""
        alone = self._alone_at(section, hypothermia, starvation)
        if alone == STUCK:
            return alone, (0,) * len(dogs)
        if any(map(self._is_counted, in_play(dogs))):
            return None
        return alone, tuple([self._added((section, hypothermia, starvation, dog), alone) for dog in dogs])

    def _best_subset(self, name: tuple[int, int, int, Pack], alone: int) -> int:
        """Each dog adds to the speed by itself unless a card multiplies or counts dogs; then every subset is tried."""
        *where, pack = name
        if any(map(self._is_counted, in_play(pack))):
            self._stand(self.first[name[0]], name[1], name[2])
            return max(self._speed(subset) for subset in _subpacks(pack))
        return alone + sum([self._added((*where, dog), alone) for dog in pack])

    def _is_counted(self, card: str) -> bool:
        counted = self._counted.get(card)
        if counted is None:
            counted = self._counted[card] = any(op in self._rulings.cards[card].passive for op in NOT_ADDITIVE)
        return counted

    def _added(self, name: tuple[Any, ...], alone: int) -> int:
        """Return the most that a dog, or some of what it wears with it, adds to the speed without dogs."""
        added = self._dogs.get(name)
        if added is None:
            section, hypothermia, starvation, dog = name
            self._stand(self.first[section], hypothermia, starvation)
            speeds = [self._speed((each,)) for each in (dog, *_lighter(dog))]
            added = self._dogs[name] = max(0, max(speeds) - alone)
        return added

    def _speed(self, pack: Sequence[Dog]) -> int:
        self._seat.dogs = [Team(dog.dog, dog.attachments) for dog in pack]
        return speed(self._turn, self._seat)


def _lighter(dog: Dog) -> Iterator[Dog]:
    """Yield a dog with fewer of its attachments."""
    for n in range(len(dog.attachments)):
        for kept in combinations(dog.attachments, n):
            yield Dog(dog.dog, kept)


def _subpacks(pack: Pack) -> Iterator[Pack]:
    """Yield every choice of dogs with every choice of their attachments."""
    if not pack:
        yield ()
        return
    for rest in _subpacks(pack[1:]):
        yield rest
        yield (pack[0], *rest)
        for lighter in _lighter(pack[0]):
            yield (lighter, *rest)
