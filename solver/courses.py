"""What to do about several cards that may fail: the best order, what to play first, when to stop, what failing costs.

All of it is for whoever plays as ``rules.core.ventures.Course`` says, a real way to play that does not use what was
drawn. Its chances are never above the greatest. Where its chance of a card equals the greatest, which an engine of its
own finds, so do its chances after every card turned up: none of them is above the greatest there, and their mean is
the greatest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations
from types import MappingProxyType
from typing import Final

from rules.core.position import Position
from rules.core.race import Race
from rules.core.ventures import Course, Courses, OutOfReach, TurnedUp

MOST_CARDS: Final = 4
"""Different cards that orders are compared of."""


@dataclass(frozen=True, slots=True)
class Failing:
    """What failing on one turn costs."""

    turns: int
    """Own turns gone by then."""
    chance: Fraction
    cards: Fraction
    """Cards that hand and deck have fewer by then, on average."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A card after another one was played first."""

    first: str
    chance: Fraction


@dataclass(frozen=True, slots=True)
class Prospect:
    """One card, played as a course."""

    card: str
    chance: Fraction
    turned_up: tuple[TurnedUp, ...]
    """What the first risk may turn up, and the chance after it."""
    failing: tuple[Failing, ...]
    """The turns on which it may fail; the chances and that of the card add to 1."""
    prepared: tuple[Prepared, ...]
    """The chance after each other hand card, the best first; empty unless asked for."""
    with_more: tuple[tuple[int, Fraction], ...]
    """The chance with so many more cards in hand that can pay; empty unless asked for."""


@dataclass(frozen=True, slots=True)
class Prospects:
    """All that was found before the time was up."""

    orders: tuple[Course, ...]
    """All orders, the best first: by cards that come through, then by turns; empty unless all were found."""
    cards: tuple[Prospect, ...]
    complete: bool
    """Nothing was left out for want of time, nor because the form does not carry it."""
    interrupted: bool = False
    """The user stopped it; what was found until then is told."""

    def of(self, card: str) -> Prospect | None:
        """Return what was found of one card."""
        return next((each for each in self.cards if each.card == card), None)


NOTHING: Final = Prospects((), (), complete=False)


def prospects(
    position: Position,
    cards: Sequence[str],
    alive: Callable[[], bool],
    *,
    prepared: bool = False,
    more: Mapping[str, Sequence[int]] = MappingProxyType({}),
) -> Prospects:
    """Return what can be told of the cards of the seat to act; ``prepared`` asks also for chances after other cards.

    ``more`` are by card numbers of further cards in hand that break points are told for. A turn under way is not looked
    into.
    """
    game, state = position.start()
    seat = int(position.state.get("active", 0))
    ventures = game.ventures(state.table, seat) if isinstance(game, Race) else None
    courses = None if ventures is None or state.pending else ventures.courses(alive)
    if courses is None or ventures is None or not isinstance(game, Race):
        return NOTHING
    search = _Search(courses)
    under_way = ventures.under_way
    named = [card for card in cards if under_way in (None, card)]
    others = sorted({card for card in game.hand(state.table, seat) if ventures.playable(card)}) if prepared else []
    try:
        search.run(named, others, more)
    except KeyboardInterrupt:
        return Prospects((), tuple(search.told.values()), complete=False, interrupted=True)
    return Prospects(tuple(search.orders), tuple(search.told.values()), search.complete)


class _Search:
    """Asks courses one after the other and remembers whether all could be had."""

    def __init__(self, courses: Courses) -> None:
        self._courses = courses
        self.complete = True
        self.told: dict[str, Prospect] = {}
        self.orders: list[Course] = []
        """All orders of the cards, the best first, or none."""

    def run(self, named: Sequence[str], others: Sequence[str], more: Mapping[str, Sequence[int]]) -> None:
        """Find all that is within reach, after each of the ``others`` too, and then with ``more`` cards in hand."""
        for card in named:
            found = self.prospect(card)
            if found is not None:
                self.told[card] = found
        if 1 < len(named) <= MOST_CARDS:
            compared = [self.course(plan) for plan in permutations(named)]
            orders = sorted(filter(None, compared), key=lambda each: (-each.expected, each.turns, each.cards))
            self.orders = orders if len(orders) == len(compared) else []
        for card in tuple(self.told) if others else ():
            self.told[card] = self.prepared(self.told[card], others)
        for card in tuple(self.told):
            self.told[card] = self.with_more(self.told[card], more.get(card, ()))

    def course(self, cards: Sequence[str], more: int = 0) -> Course | None:
        """Return a course, or nothing where it is out of reach."""
        try:
            return self._courses.course(cards, more)
        except OutOfReach:
            self.complete = False
            return None

    def prospect(self, card: str) -> Prospect | None:
        """Return what is known of one card, the parts that are out of reach left out."""
        now = self.course([card])
        if now is None:
            return None
        try:
            turned_up = tuple(self._courses.turned_up(card))
        except OutOfReach:
            self.complete = False
            turned_up = ()
        return Prospect(card, now.chance(0), turned_up, _failing(now), (), ())

    def prepared(self, found: Prospect, others: Sequence[str]) -> Prospect:
        """Return the same after each other hand card."""
        after = [
            Prepared(other, now.chance(1))
            for other in others
            if other != found.card and (now := self.course([other, found.card])) is not None
        ]
        after.sort(key=lambda each: (-each.chance, each.first))
        return replace(found, prepared=tuple(after))

    def with_more(self, found: Prospect, more: Sequence[int]) -> Prospect:
        """Return the same with more cards in hand."""
        courses = [(number, self.course([found.card], number)) for number in more]
        return replace(found, with_more=tuple((number, now.chance(0)) for number, now in courses if now is not None))


def _failing(course: Course) -> tuple[Failing, ...]:
    lost: dict[int, tuple[Fraction, Fraction]] = {}
    for (fared,), chance in course.law.items():
        if not fared.came and chance:
            before, cards = lost.get(fared.turns, (Fraction(0), Fraction(0)))
            lost[fared.turns] = before + chance, cards + chance * fared.cards
    return tuple(Failing(turns, chance, cards / chance) for turns, (chance, cards) in sorted(lost.items()))
