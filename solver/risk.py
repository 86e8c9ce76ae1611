"""What may go wrong: cards that take several turns to come through, and what threatens a player's things.

The chance of a card is exact, or between what one way to play has and 1; what threatens is always exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Final

from rules.core.errors import BestlineError, DisagreementError, UnsupportedRuleset
from rules.core.hazard import Hazard, Hazardous
from rules.core.position import Position
from rules.core.race import Race
from rules.core.steps import Forced, Step
from rules.core.ventures import OutOfReach, Ventures
from rules.core.wrapped import WrappedRace
from solver.courses import NOTHING, Prospects, prospects
from solver.report import Limit
from solver.search.ventures import PlainOdds

PATIENCE_S: Final = 10.0
"""Seconds spent where no limit is set; the fast form needs a small part of it."""
PLAIN_PART: Final = 0.35
"""Part of the time, in equal parts for all cards, that goes into what a player has who just goes on."""
COURSES_PART: Final = 0.7
"""Part of the time after which orders and conditions are left as they are."""
MORE: Final = (1, 2, 3)
"""Further cards in hand that the break points are told for."""


@dataclass(frozen=True, slots=True)
class Chance:
    """The greatest chance of one card, or what is known of it."""

    card: str
    low: Fraction
    """Some way to play has this chance."""
    high: Fraction
    """No way to play has more; equal to ``low`` when exact."""
    method: str
    """``exact``, or ``bounds`` when a limit was hit."""
    plain: Fraction | None
    """The greatest chance of who only goes on and uses nothing that was drawn or looked at, exact where it is told."""
    under_way: bool
    """It was begun before and waits."""
    with_more: tuple[tuple[int, Fraction], ...]
    """The chance with so many more cards in hand that can pay; empty unless exact and asked for."""

    @property
    def exact(self) -> bool:
        """Whether the chance is known exactly."""
        return self.low == self.high


@dataclass(frozen=True, slots=True)
class Risks:
    """All that can be told of the risks of one position."""

    chances: tuple[Chance, ...]
    prospects: Prospects
    """The best order, when to stop, and what failing costs."""
    interrupted: bool = False
    """The user stopped it; what was found until then is told."""


@dataclass(frozen=True, slots=True)
class Threat:
    """One thing that may happen to a seat before it decides again."""

    seat: int
    hazard: Hazard


def threats(position: Position, subjects: Sequence[str] = ()) -> list[Threat] | None:
    """Return what threatens every seat, or nothing at all where the game cannot say; ``subjects`` names parts of them.

    Raises:
        BestlineError: nothing that is called so is threatened.
    """
    game, state = position.start()
    while isinstance(game, WrappedRace):
        game = game.inner
    if not isinstance(game, Hazardous):
        return None
    table = state.table
    if state.pending:
        table = game.decode(position.state_so_far())
    found = [Threat(seat, hazard) for seat in range(position.players) for hazard in game.hazards(table, seat)]
    for name in subjects:
        if not any(_named(name, each.hazard) for each in found):
            known = ", ".join(dict.fromkeys(each.hazard.subject for each in found))
            raise BestlineError(f"nothing threatens '{name}' now; threatened: {known or 'nothing'}")
    return [each for each in found if not subjects or any(_named(name, each.hazard) for name in subjects)]


def _named(name: str, hazard: Hazard) -> bool:
    return name.lower() in hazard.subject.lower()


def risks(position: Position, cards: Sequence[str] = (), limit: Limit | None = None, *, table: bool = False) -> Risks:
    """Return the chance of each card named, or of every one in hand that takes several turns, or of the one under way.

    ``table`` asks also for the chances with more cards in hand, and after other cards. What a player has who uses
    nothing that is seen comes first for all cards. At most 7 tenths of the time go into what is told of the chances,
    the rest in equal parts into finding each exactly. Ctrl-C keeps what was found.

    Raises:
        UnsupportedRuleset: the game has no such cards.
        BestlineError: a card cannot be begun now.
    """
    game, state = position.start()
    ventures = game.ventures(state.table, int(position.state.get("active", 0))) if isinstance(game, Race) else None
    if ventures is None:
        raise UnsupportedRuleset(["a game without cards that take several turns to come through"])
    begun, busy = ventures.begun(state.pending)
    waiting = begun if busy and begun is not None else ventures.under_way
    if busy or waiting is not None:
        asked = [] if waiting is None else [(begun, waiting)]
    else:
        asked = [(card, card) for card in dict.fromkeys(cards or ventures.cards())]
    for card in cards:
        if waiting not in (None, card):
            raise BestlineError(f"'{card}' cannot be begun now: '{waiting}' is under way")
        if card != waiting and (busy or not ventures.playable(card)):
            raise BestlineError(f"'{card}' cannot be begun now; 'bestline moves' lists what can be done")
    search = _Search(position, ventures, asked, state.pending, Limit() if limit is None else limit)
    interrupted = False
    try:
        search.run(table=table, courses=not busy)
    except KeyboardInterrupt:
        interrupted = True
    chances = tuple(search.chance(begin, card, under_way=card == waiting) for begin, card in asked)
    return Risks(chances, search.told, interrupted or search.told.interrupted)


class _Search:
    """Finds what can be told of some cards, the soonest first, and keeps it."""

    def __init__(
        self,
        position: Position,
        ventures: Ventures[Any],
        asked: Sequence[tuple[str | None, str]],
        pending: Sequence[Step | Forced],
        limit: Limit,
    ) -> None:
        """``asked`` are cards with what begins them now, none where they wait already."""
        self._position = position
        self._ventures = ventures
        self._asked = asked
        self._pending = pending
        self._clock = limit.clock
        self._begin_s = self._clock()
        self._patience_s = PATIENCE_S if limit.time_s is None else limit.time_s
        self._plain: dict[str, Fraction] = {}
        self._bounds: dict[str, tuple[Fraction, Fraction, str]] = {}
        self._more: dict[str, tuple[tuple[int, Fraction], ...]] = {}
        self.told = NOTHING

    def run(self, *, table: bool, courses: bool) -> None:
        """Find all that there is time for.

        Raises:
            KeyboardInterrupt: the user stopped it; what was found stands.
        """
        ventures, pending = self._ventures, self._pending
        for place, (begin, card) in enumerate(() if pending else self._asked):
            plain = ventures.plain_chance(begin, self._share(PLAIN_PART * self._patience_s, len(self._asked) - place))
            if plain is not None:
                self._plain[card] = plain
        if courses:
            names = [card for _, card in self._asked]
            alive = self._until(COURSES_PART * self._patience_s)
            self.told = prospects(self._position, names, alive, more=MORE if table else ())
            if self.told.interrupted:
                raise KeyboardInterrupt
        for place, (begin, card) in enumerate(self._asked):
            alive = self._share(self._patience_s, len(self._asked) - place)
            self._bounds[card] = _chance(ventures, begin, pending, alive)
            if table and self._bounds[card][2] == "exact" and not pending:
                self._more[card] = _more(ventures, begin, alive)

    def _share(self, seconds: float, parts: int) -> Callable[[], bool]:
        """Return whether one of so many equal parts of what is left of some seconds still goes on."""
        gone = self._clock() - self._begin_s
        return self._until(gone + (seconds - gone) / parts)

    def _until(self, seconds: float) -> Callable[[], bool]:
        return partial(_before, self._begin_s + seconds, self._clock)

    def chance(self, begin: str | None, card: str, *, under_way: bool) -> Chance:
        """Return what was found of one card.

        Raises:
            DisagreementError: a way to play has more than the greatest chance.
        """
        low, high, method = self._bounds.get(card, (Fraction(0), Fraction(1), "bounds"))
        plain, prospect = self._plain.get(card), self.told.of(card)
        for known in (plain, None if prospect is None else prospect.chance):
            if known is not None and known > low:
                if method == "exact":
                    raise DisagreementError(f"a way to play has {known} for {card}, the greatest chance is {low}")
                low = known
        if low == high:
            method = "exact"
        return Chance(card, low, high, method, plain, under_way=under_way, with_more=self._more.get(card, ()))


def _before(stop: float, clock: Callable[[], float]) -> bool:
    return clock() < stop


def _chance(
    ventures: Ventures[Any], card: str | None, pending: Sequence[Step | Forced], alive: Callable[[], bool]
) -> tuple[Fraction, Fraction, str]:
    low = Fraction(0)
    if not pending:
        low, exact = ventures.chance(card, alive)
        if exact or low == 1:
            return low, low, "exact"
    try:
        value = PlainOdds(ventures, alive).chance(ventures.table, card, pending)
    except OutOfReach:
        return low, Fraction(1), "bounds"
    return value, value, "exact"


def _more(ventures: Ventures[Any], card: str | None, alive: Callable[[], bool]) -> tuple[tuple[int, Fraction], ...]:
    found = []
    for cards in MORE:
        value, exact = ventures.with_more(cards).chance(card, alive)
        if not exact:
            break
        found.append((cards, value))
    return tuple(found)
