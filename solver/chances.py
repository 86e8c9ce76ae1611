"""The chances of cards that take several turns: what is known soon first, then all that there is time for.

Every card gets proved bounds before anything that may take long is looked into. Whatever other engines find afterwards
has to lie between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, Final, NamedTuple

from rules.core.errors import DisagreementError
from rules.core.position import Position
from rules.core.race import Race
from rules.core.steps import Forced, Step
from rules.core.ventures import Opening, OutOfReach, Ventures
from solver.courses import NOTHING, Prospect, prospects
from solver.paying import Paying, paying
from solver.report import Limit
from solver.search.ventures import PlainOdds

PATIENCE_S: Final = 3.0
"""Seconds spent where no limit is set,"""
TABLE_S: Final = 9.0
"""or where other cards are asked about, too."""
SOON_S: Final = 0.6
"""Seconds for the first bounds of all cards, in equal parts, but no more than this part of the time:"""
SOON_PART: Final = 0.25
PLAIN_PART: Final = 0.35
"""Part of the time, in equal parts for all cards, by which is found what a player has who just goes on."""
SETTLED_PART: Final = 0.7
"""Part of the time, likewise, by which chances are found exactly or left to their bounds."""
EXACT_PART: Final = 0.6
"""Part of what a card has for that which goes into finding its chance exactly; the rest goes into its bounds."""
HOPE_PART: Final = 0.15
"""Part of what is then left that goes into playing through all that can happen."""
PAYING_PART: Final = 0.75
"""Part of the time, likewise, by which is found what to pay with."""
MORE_PART: Final = 0.8
"""Part of the time, likewise, by which break points are found."""
COURSES_PART: Final = 0.95
"""Part of the time after which orders and conditions are left as they are."""
MORE: Final = (1, 2, 3)
"""Further cards in hand that the break points are told for."""
FIRST_SAID_S: Final = 0.5
"""Seconds after which is said for the first time what is known."""
LONGER: Final = 3
"""How many times as long it takes to the next time."""


class More(NamedTuple):
    """The chance with more cards in hand that can pay."""

    cards: int
    """So many more."""
    chance: Fraction
    paying: Paying | None
    """How to begin then, where that is known."""


@dataclass(frozen=True, slots=True)
class Chance:
    """The greatest chance of one card, or what is known of it."""

    card: str
    low: Fraction
    """Some way to play has this chance or more."""
    high: Fraction
    """No way to play has more; equal to ``low`` when exact."""
    method: str
    """``exact``, or ``bounds`` when a limit was hit."""
    plain: Fraction | None
    """The greatest chance of who only goes on and uses nothing that was drawn or looked at, exact where it is told."""
    under_way: bool
    """It was begun before and waits."""
    with_more: tuple[More, ...]
    """With more cards in hand; empty unless exact and asked for."""
    because: str = ""
    """Why it is not told exactly whatever time there is, in words."""
    paying: Paying | None = None
    """How to begin with an exact chance; none where the card waits already, nothing helps, or it is not known."""

    @property
    def exact(self) -> bool:
        """Whether the chance is known exactly."""
        return self.low == self.high


Said = Callable[[Sequence[Chance]], None]
"""Is told what is known so far."""


class Chances:
    """Finds what can be told of some cards, the soonest first, and keeps it."""

    def __init__(
        self,
        position: Position,
        ventures: Ventures[Any],
        asked: Sequence[tuple[str | None, str]],
        pending: Sequence[Step | Forced],
        limit: Limit,
        said: Said | None = None,
        *,
        table: bool = False,
    ) -> None:
        """``asked`` are cards with what begins them now, none where they wait; ``table`` asks for preparations, too."""
        self._position = position
        self._ventures = ventures
        self._asked = asked
        self._pending = pending
        game, _ = position.start()
        assert isinstance(game, Race)  # no other game has ventures
        self._hand = game.hand(ventures.table, int(position.state.get("active", 0)))
        self._said = said
        self._clock = limit.clock
        self._begin_s = self._clock()
        self._next_s = self._begin_s + FIRST_SAID_S
        self._table = table
        self._patience_s = (TABLE_S if table else PATIENCE_S) if limit.time_s is None else limit.time_s
        self._plain: dict[str, Fraction] = {}
        self._bounds: dict[str, tuple[Fraction, Fraction]] = {}
        self._turns: dict[str, tuple[PlainOdds, int]] = {}
        """Plays on turn by turn, and for how many turns next."""
        self._played: dict[str, PlainOdds] = {}
        """Has found a chance by playing through all that can happen."""
        self._paying: dict[str, Paying] = {}
        self._more: dict[str, tuple[More, ...]] = {}
        self.told = NOTHING

    def run(self, *, courses: bool) -> None:
        """Find all that there is time for.

        Raises:
            KeyboardInterrupt: the user stopped it; what was found stands.
            DisagreementError: two engines do not agree.
        """
        for begin, card, stop in self._shared(min(SOON_S, SOON_PART * self._patience_s)):
            self._bound(begin, card, stop)
        for begin, card, stop in () if self._pending else self._shared(PLAIN_PART * self._patience_s):
            plain = self._ventures.plain_chance(begin, self._until(stop))
            if plain is not None:
                self._plain[card] = plain
        for begin, card, stop in self._shared(SETTLED_PART * self._patience_s):
            self._settle(begin, card, stop)
        for begin, card, stop in self._shared(PAYING_PART * self._patience_s):
            self._pay(begin, card, stop)
        for begin, card, stop in self._shared(MORE_PART * self._patience_s) if self._table else ():
            if self._exact(card) and not self._pending:
                self._more[card] = self._with_more(begin, stop)
        if courses:
            alive = self._until(COURSES_PART * self._patience_s)
            names = [card for _, card in self._asked]
            more = {card: MORE for card in names if self._table and not self._more.get(card)}
            self.told = prospects(self._position, names, alive, prepared=self._table, more=more)
            if self.told.interrupted:
                raise KeyboardInterrupt
            self._complete(alive)
        for begin, card, stop in self._shared(self._patience_s):
            if not self._exact(card):
                self._bound(begin, card, stop)
            self._pay(begin, card, stop)

    def _complete(self, alive: Callable[[], bool]) -> None:
        """Add what is known without a course: when to stop, for whoever just goes on."""
        for begin, card in self._asked:
            if self.told.of(card) is None and card in self._plain:
                turned_up = tuple(self._ventures.turned_up(begin, alive))
                known = Prospect(card, self._plain[card], turned_up, (), (), ())
                self.told = replace(self.told, cards=(*self.told.cards, known), complete=False)

    # Time

    def _shared(self, seconds: float) -> Iterator[tuple[str | None, str, float]]:
        """Yield the cards that are asked, each with when its equal part of what is left of some seconds is over."""
        for place, (begin, card) in enumerate(self._asked):
            yield begin, card, self._part(seconds, 1 / (len(self._asked) - place))

    def _part(self, stop: float, part: float) -> float:
        """Return when so much of the time from now on is over; all in seconds since the beginning."""
        gone = self._clock() - self._begin_s
        return gone + (stop - gone) * part

    def _until(self, stop: float) -> Callable[[], bool]:
        return partial(self._before, self._begin_s + stop)

    def _before(self, stop: float) -> bool:
        now = self._clock()
        if now > self._next_s and self._said is not None and self._bounds:
            self._next_s = now + (LONGER - 1) * (now - self._begin_s)
            self._said([chance for chance in self.chances() if chance.card in self._bounds])
        return now < stop

    # What is known

    def _exact(self, card: str) -> bool:
        low, high = self._known(card)
        return low == high

    def _known(self, card: str) -> tuple[Fraction, Fraction]:
        return self._bounds.get(card, (Fraction(0), Fraction(1)))

    def _narrow(self, card: str, low: Fraction, high: Fraction) -> None:
        """Take notice of bounds.

        Raises:
            DisagreementError: they contradict what was known.
        """
        least, most = self._known(card)
        low, high = max(low, least), min(high, most)
        if low > high:
            raise DisagreementError(f"the chance of {card} is said to be at least {low} and at most {high}")
        self._bounds[card] = low, high

    def chances(self, waiting: str | None = None) -> Iterator[Chance]:
        """Yield what was found of each card, of which one may be under way.

        Raises:
            DisagreementError: a way to play has more than the greatest chance.
        """
        for begin, card in self._asked:
            low, high = self._known(card)
            plain, prospect = self._plain.get(card), self.told.of(card)
            for known in (plain, None if prospect is None else prospect.chance):
                if known is not None and known > high:
                    raise DisagreementError(f"a way to play has {known} for {card}, the greatest chance is {high}")
                if known is not None:
                    low = max(low, known)
            method = "exact" if low == high else "bounds"
            because = "" if low == high else self._ventures.unsettled(begin)
            more = self._more.get(card, ())
            how = self._paying.get(card)
            yield Chance(card, low, high, method, plain, card == waiting, more, because, how)

    # Engines

    def _bound(self, begin: str | None, card: str, stop: float) -> None:
        """Bring bounds closer: by the game's own form, or turn by turn where it tells nothing."""
        alive = self._until(stop)
        if not self._pending:
            low, high = self._ventures.between(begin, alive)
            self._narrow(card, low, high)
            if low or high != 1:
                return
        odds, turns = self._turns.get(card) or (PlainOdds(self._ventures, alive), 1)
        odds.alive = alive
        while alive() and not self._exact(card):
            self._turns[card] = odds, turns
            try:
                self._narrow(card, *odds.within(self._ventures.table, begin, turns, self._pending))
            except OutOfReach:
                return
            turns += 1

    def _settle(self, begin: str | None, card: str, stop: float) -> None:
        """Find a chance exactly, or bring its bounds closer."""
        ventures = self._ventures
        if not self._pending and not self._exact(card):
            value, exact = ventures.chance(begin, self._until(self._part(stop, EXACT_PART)))
            self._narrow(card, value, value if exact else Fraction(1))
        if not self._exact(card):
            self._bound(begin, card, stop)
        if not self._exact(card):
            hope = self._until(self._part(stop, HOPE_PART))
            with suppress(OutOfReach):
                odds = PlainOdds(ventures, hope)
                value = odds.chance(ventures.table, begin, self._pending)
                self._narrow(card, value, value)
                self._played[card] = odds

    def _pay(self, begin: str | None, card: str, stop: float) -> None:
        """Find what to pay with for an exact chance."""
        if begin is not None and self._exact(card) and not self._pending and card not in self._paying:
            chance = self._known(card)[0]
            opening = self._opening(self._ventures, begin, chance, self._until(stop))
            opening = opening or (self._played_out(begin, chance, stop) if chance else None)
            if opening is not None:
                self._paying[card] = paying(self._position, begin, opening, self._hand)

    def _played_out(self, begin: str, chance: Fraction, stop: float) -> Opening[Any] | None:
        """Return how a card is begun by playing all that can happen: the forms of a game may know chances alone."""
        with suppress(OutOfReach):
            return PlainOdds(self._ventures, self._until(self._part(stop, HOPE_PART))).attaining(begin, chance)
        return None

    def _opening(
        self, ventures: Ventures[Any], begin: str, chance: Fraction, alive: Callable[[], bool]
    ) -> Opening[Any] | None:
        """Return how a card is begun with its greatest chance: as the game says, or as was found by playing it."""
        odds = self._played.get(begin) if ventures is self._ventures else None
        if odds is None or not chance:
            return ventures.attaining(begin, chance, alive)
        odds.alive = alive
        with suppress(OutOfReach):
            return odds.attaining(begin, chance)
        return None

    def _with_more(self, begin: str | None, stop: float) -> tuple[More, ...]:
        found = []
        for cards in MORE:
            ventures, alive = self._ventures.with_more(cards), self._until(stop)
            value, exact = ventures.chance(begin, alive)
            if not exact:
                break
            opening = None if begin is None else self._opening(ventures, begin, value, alive)
            how = None
            if opening is not None and begin is not None:
                how = paying(self._position, begin, opening, self._hand)
            found.append(More(cards, value, how))
        return tuple(found)
