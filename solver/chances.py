"""The chances of cards that take several turns: what is known soon first, then all that there is time for.

Every card gets what a player has who simply goes on, and bounds, before anything that may take long is looked into.
Whatever other engines find afterwards has to lie between them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, Final, NamedTuple

from rules.core.errors import DisagreementError
from rules.core.position import Position
from rules.core.race import Opening, OutOfReach, Race, TurnedUp, Ventures
from rules.core.steps import Forced, Step
from solver.forms import venture_odds
from solver.payments import preferred
from solver.search.budget import Budget
from solver.search.ventures import PlainOdds

PATIENCE_S: Final = 3.0
"""Seconds spent where no limit is set,"""
TABLE_S: Final = 9.0
"""or where more cards in hand are asked about, too."""
SOON_PART: Final = 0.3
"""Part of the time, in equal parts for all cards, by which is found what is known soon."""
SETTLED_PART: Final = 0.75
"""Part of the time, likewise, by which chances are found exactly or left to their bounds."""
PLAYED_PART: Final = 0.2
"""Part of what a card has that goes into playing through all that can happen where no encoding carries it."""
PAYING_PART: Final = 0.85
"""Part of the time, likewise, by which is found what to pay with."""
MORE: Final = (1, 2, 3)
"""Further cards in hand that the break points are told for."""
FIRST_SAID_S: Final = 0.5
"""Seconds after which is said for the first time what is known."""
LONGER: Final = 3
"""How many times as long it takes to the next time."""


@dataclass(frozen=True, slots=True)
class Paying:
    """How a card is begun by whoever has its greatest chance."""

    before: tuple[str, ...]
    """Moves that come first, as texts,"""
    paid: tuple[str, ...]
    """then the hand cards to pay with, one choice of those that have the chance,"""
    further: int = 0
    """and so many cards that the hand does not hold yet."""


def paying(position: Position, card: str, opening: Opening[Any], hand: Sequence[str]) -> Paying:
    """Return how to begin a card by an opening of which every payment has the chance.

    It is the payment with the fewest cards beyond those of a ``hand``, and of these the one that leaves most.
    """
    own = Counter(hand)
    own[card] -= 1
    known = {way: tuple(sorted((Counter(way) & own).elements())) for way in opening.moves}
    most = max(map(len, known.values()))
    ways = [way for way, paid in known.items() if len(paid) == most]
    way = preferred(position, opening.table, card, ways)
    before = tuple(step.text for step in opening.before if not isinstance(step, Forced))
    return Paying(before, known[way], len(way) - most)


class More(NamedTuple):
    """The chance with more cards in hand that can pay."""

    cards: int
    """So many more."""
    chance: Fraction
    exact: bool
    """Whether that is the greatest chance; else that of who simply goes on."""


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
    """The chance of who only goes on and uses nothing that was drawn or looked at, exact where it is told."""
    under_way: bool
    """It was begun before and waits."""
    with_more: tuple[More, ...]
    """With more cards in hand; empty unless asked for."""
    because: str = ""
    """Why it is not told exactly whatever time there is, in words."""
    paying: Paying | None = None
    """How to begin with an exact chance; none where the card waits already, nothing helps, or it is not known."""
    kept: Fraction | None = None
    """The exact chance with nothing given up first, where that is less and known."""
    turned_up: tuple[TurnedUp, ...] = ()
    """What the first risk may turn up, and the chance after it of who simply goes on."""

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
        limit: Budget,
        said: Said | None = None,
        *,
        table: bool = False,
        waiting: str | None = None,
    ) -> None:
        """``asked`` are cards with what begins them now, none where they wait; ``waiting`` is the one under way.

        ``table`` asks for break points, too.
        """
        self._position = position
        self._ventures = ventures
        self._pending = pending
        game, _ = position.start()
        assert isinstance(game, Race)  # no other game has ventures
        self._game = game
        self._seat = int(position.state.get("active", 0))
        self._said = said
        self._clock = limit.clock
        self._begin_s = self._clock()
        self._next_s = self._begin_s + FIRST_SAID_S
        self._table = table
        self._patience_s = (TABLE_S if table else PATIENCE_S) if limit.time_s is None else limit.time_s
        self._found = {
            card: Chance(card, Fraction(0), Fraction(1), "bounds", None, card == waiting, ()) for begin, card in asked
        }
        self._asked = asked
        self._odds = {begin: self._odds_of(ventures.table, begin) for begin, _ in asked} if not pending else {}
        self._turns: dict[str, tuple[PlainOdds, int]] = {}
        """Plays on turn by turn, and for how many turns next."""

    def _odds_of(self, table: Any, begin: str | None, *, at_once: bool = False) -> Any:
        return venture_odds(self._game, table, self._seat, begin, at_once=at_once)

    def run(self) -> None:
        """Find all that there is time for.

        Raises:
            KeyboardInterrupt: the user stopped it; what was found stands.
            DisagreementError: two engines do not agree.
        """
        for begin, card, stop in self._shared(SOON_PART * self._patience_s):
            self._soon(begin, card, stop)
        for begin, card, stop in self._shared(SETTLED_PART * self._patience_s):
            self._settle(begin, card, stop)
        for begin, card, stop in self._shared(PAYING_PART * self._patience_s):
            self._pay(begin, card, stop)
        for begin, card, stop in self._shared(self._patience_s):
            self._turn_up(begin, card, stop)
            if self._table:
                self._set(card, with_more=self._with_more(begin, card, stop))

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
        if now > self._next_s and self._said is not None:
            bounded = [chance for chance in self.chances() if chance.low or chance.high < 1]
            if bounded:
                self._next_s = now + (LONGER - 1) * (now - self._begin_s)
                self._said(bounded)
        return now < stop

    # What is known

    def _set(self, card: str, **known: Any) -> None:
        self._found[card] = replace(self._found[card], **known)

    def _narrow(self, card: str, low: Fraction, high: Fraction) -> None:
        """Take notice of bounds.

        Raises:
            DisagreementError: they contradict what was known.
        """
        known = self._found[card]
        low, high = max(low, known.low), min(high, known.high)
        if low > high:
            raise DisagreementError(f"the chance of {card} is said to be at least {low} and at most {high}")
        self._set(card, low=low, high=high, method="exact" if low == high else "bounds")

    def chances(self) -> list[Chance]:
        """Return what was found of each card."""
        return [self._found[card] for _, card in self._asked]

    # Engines

    def _soon(self, begin: str | None, card: str, stop: float) -> None:
        """Find what who simply goes on has, and bounds."""
        odds = self._odds.get(begin)
        if odds is None:
            self._play_on(begin, card, self._part(stop, PLAYED_PART))
            return
        alive = self._until(stop)
        with suppress(OutOfReach):
            self._set(card, plain=odds.plain(alive))
            odds.between(alive)
        self._narrow(card, odds.low, odds.high)

    def _settle(self, begin: str | None, card: str, stop: float) -> None:
        """Find a chance exactly, or bring its bounds closer."""
        odds = self._odds.get(begin)
        if odds is not None and not self._found[card].exact:
            self._narrow(card, *odds.greatest(self._until(stop)))
            self._set(card, because=odds.unfollowed)
        if odds is None and not self._found[card].exact:
            self._play_through(begin, card, self._part(stop, 1 - PLAYED_PART))
            self._play_on(begin, card, stop)

    def _play_through(self, begin: str | None, card: str, stop: float) -> None:
        """Play through all that can happen."""
        with suppress(OutOfReach):
            value = PlainOdds(self._ventures, self._until(stop)).chance(self._ventures.table, begin, self._pending)
            self._narrow(card, value, value)

    def _play_on(self, begin: str | None, card: str, stop: float) -> None:
        """Bring bounds closer turn by turn."""
        alive = self._until(stop)
        odds, turns = self._turns.get(card) or (PlainOdds(self._ventures, alive), 1)
        odds.alive = alive
        while alive() and not self._found[card].exact:
            self._turns[card] = odds, turns
            try:
                self._narrow(card, *odds.within(self._ventures.table, begin, turns, self._pending))
            except OutOfReach:
                return
            turns += 1

    def _pay(self, begin: str | None, card: str, stop: float) -> None:
        """Find what to pay with for an exact chance, and what is had with nothing given up first."""
        known = self._found[card]
        if begin is None or not known.exact or not known.low or self._pending:
            return
        alive, opening = self._until(stop), None
        with suppress(OutOfReach):
            if self._odds.get(begin) is None:
                opening = PlainOdds(self._ventures, alive).attaining(begin, known.low)
            else:
                opening = self._attaining(begin, known.low, alive)
        if opening is not None:
            hand = self._game.hand(self._ventures.table, self._seat)
            self._set(card, paying=paying(self._position, begin, opening, hand))

    def _attaining(self, begin: str, chance: Fraction, alive: Callable[[], bool]) -> Opening[Any] | None:
        """Return the first opening from which a chance can be had, with those payments that lead to it."""
        for place, opening in enumerate(self._ventures.openings(begin)):
            odds = self._odds_of(opening.table, begin, at_once=True)
            low, high = odds.greatest(alive)
            if place == 0 and not opening.before and low == high < chance:
                self._set(begin, kept=low)
            moves = {paid: move for paid, move in opening.moves.items() if odds.attains(paid, chance)}
            if low == high == chance and moves:
                return replace(opening, moves=moves)
            if not alive():
                return None
        return None

    def _turn_up(self, begin: str | None, card: str, stop: float) -> None:
        """Find what the first risk may turn up, and the chance after it."""
        odds = self._odds.get(begin)
        if odds is not None and self._found[card].plain is not None:
            with suppress(OutOfReach):
                self._set(card, turned_up=tuple(odds.turned_up(self._until(stop))))

    def _with_more(self, begin: str | None, card: str, stop: float) -> tuple[More, ...]:
        """Return the chances with more cards in hand: all exact, else those of who simply goes on."""
        alive = self._until(stop)
        odds = [self._odds_of(self._ventures.with_more(cards).table, begin) for cards in MORE]
        if None in odds or self._pending:
            return ()
        bounds = [each.greatest(alive) for each in odds] if self._found[card].exact else []
        if bounds and all(low == high for low, high in bounds):
            return tuple(More(cards, low, exact=True) for cards, (low, _) in zip(MORE, bounds, strict=True))
        found = []
        with suppress(OutOfReach):
            for cards, each in zip(MORE, odds, strict=True):
                plain = each.plain(alive)
                if plain is not None:
                    found.append(More(cards, plain, exact=False))
        return tuple(found)
