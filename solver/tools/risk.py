"""What chance may bring: cards that take several turns to come through, hazards, and the next cards of a deck.

A hazard and a draw are always exact. The chance of a card is exact, or between proved bounds. Every card first gets
bounds and the chance of *plain continuation*: the player goes on each turn and uses nothing that is drawn or looked at.
Results of slower engines must lie between these bounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any, Final, NamedTuple

from rules.core.errors import BestlineError, DisagreementError, UnsupportedRuleset, nearest
from rules.core.position import Position
from rules.core.race import Hazard, Lot, Opening, TurnedUp, Unsupported
from rules.core.scripts import UNKNOWN, Forced, Step, known
from solver.encodings import venture_odds
from solver.question import refuse_unknown
from solver.search.budget import Budget
from solver.search.expectimax import WeighedEnd, fold
from solver.tools.payment import not_in_hand, preferred

BOUNDS_PART: Final = 0.3
"""Part of the time for first bounds of every card."""
EXACT_PART: Final = 0.8
"""Part of what is left to a card for finding its chance exactly."""
MORE: Final = (1, 2, 3)
"""Further cards in hand that chances are listed for."""


class Paying(NamedTuple):
    """One way to begin a card that has its greatest chance: the moves that come first, and the hand cards that pay."""

    before: tuple[str, ...]
    paid: tuple[str, ...]
    further: int = 0
    """Number of cards paid that the hand does not hold yet."""


class More(NamedTuple):
    """The chance with more cards in hand that can pay."""

    cards: int
    chance: Fraction
    exact: bool
    """Whether that is the greatest chance; else that of plain continuation."""


@dataclass(slots=True)
class Chance:
    """The greatest chance of one card, or proved bounds of it."""

    card: str
    low: Fraction = Fraction(0)
    """Some policy has this chance or more."""
    high: Fraction = Fraction(1)
    """No policy has more; equal to ``low`` when exact."""
    plain: Fraction | None = None
    """The exact chance of plain continuation, where it was found."""
    under_way: bool = False
    """It was begun before and waits."""
    with_more: tuple[More, ...] = ()
    """With more cards in hand; empty unless asked for."""
    because: str = ""
    """Why no time would make it exact, in words."""
    paying: Paying | None = None
    """How to begin with an exact chance; none where the card waits already, nothing helps, or it was not found."""
    kept: Fraction | None = None
    """The exact chance with nothing given up first, where that is less and was found."""
    turned_up: tuple[TurnedUp, ...] = ()
    """What the first risk may turn up, and the chance of plain continuation after it."""

    @property
    def exact(self) -> bool:
        """Whether the chance is exact."""
        return self.low == self.high


class Risks(NamedTuple):
    """The risks of one position."""

    chances: tuple[Chance, ...]
    interrupted: bool = False


def threats(position: Position, subjects: Sequence[str] = ()) -> list[tuple[int, Hazard]] | None:
    """Return the hazards, each with its seat, or nothing where the game has none; ``subjects`` names parts of them.

    Raises:
        BestlineError: nothing that is called so is threatened.
    """
    table = _table_now(position)
    hazards = [position.game.hazards(table, seat) for seat in range(position.players)]
    if hazards[0] is None:
        return None
    every = [(seat, hazard) for seat, those in enumerate(hazards) for hazard in those or ()]
    names = [hazard.subject.lower() for _, hazard in every]
    for name in subjects:
        if not any(name.lower() in each for each in names):
            threatened = ", ".join(dict.fromkeys(hazard.subject for _, hazard in every)) or "nothing"
            raise BestlineError(f"nothing threatens '{name}' now; threatened: {threatened}")
    wanted = [name.lower() for name in subjects] or [""]
    return [each for each, name in zip(every, names, strict=True) if any(part in name for part in wanted)]


def _table_now(position: Position) -> Any:
    """Return the table as it is, within a turn too."""
    game, state = position.start()
    return game.decode(position.state_so_far()) if state.pending else state.table


def risks(position: Position, cards: Sequence[str] = (), limit: Budget | None = None, *, table: bool = False) -> Risks:
    """Return the chance of each card named, or of every one in hand that takes several turns, or of the one under way.

    ``table`` asks also for the chances with more cards in hand. Ctrl-C keeps what was found.

    Raises:
        UnsupportedRuleset: the game has no such cards.
        BestlineError: a card cannot be begun now.
        DisagreementError: two engines do not agree; always a bug.
    """
    limit, interrupted = (limit or Budget()).start(), True
    searches = _searches(position, cards)
    # Cards have equal shares of the time, and all have bounds before one is looked into.
    shares = [1 / number for number in range(len(searches), 0, -1)]
    with suppress(KeyboardInterrupt):
        for search, share in zip(searches, shares, strict=True):
            search.bound(_alive(limit.share(BOUNDS_PART * share)))
        for search, share in zip(searches, shares, strict=True):
            search.settle(limit.share(share), table=table)
        interrupted = False
    return Risks(tuple(search.chance for search in searches), interrupted)


def _alive(limit: Budget) -> Callable[[], bool]:
    return lambda: not limit.is_over


def _searches(position: Position, cards: Sequence[str]) -> list[_Search]:
    """Return the search for each of some cards, for all that can be begun where none are named."""
    game, state = position.start()
    seat = int(position.state.get("active", 0))
    refuse_unknown(position, seat)
    if (ventures := game.hand_model(state.table, seat)) is None:
        raise UnsupportedRuleset(["a game without cards that take several turns to come through"])
    begun, busy = ventures.begun(state.pending)
    waiting = begun if busy and begun is not None else ventures.under_way
    for card in cards:
        if waiting not in (None, card):
            raise BestlineError(f"'{card}' cannot be begun now: '{waiting}' is under way")
        if card != waiting and (busy or not any(ventures.openings(card))):
            owned = sorted(set(game.hand(ventures.table, seat)))
            if card not in owned:
                raise not_in_hand(card, owned)
            raise BestlineError(f"'{card}' cannot be begun now; 'bestline moves' lists what can be done")
    if waiting is not None:
        return [_Search(position, seat, ventures, Chance(waiting, under_way=True), begun)]
    each_once = () if busy else dict.fromkeys(cards or ventures.cards())
    return [_Search(position, seat, ventures, Chance(card), card) for card in each_once]


class _Search:
    """The chance of one card, the quickest results first."""

    def __init__(self, position: Position, seat: int, ventures: Any, chance: Chance, begin: str | None) -> None:
        """``begin`` is the hand card that is begun now, none where it waits."""
        self._game, state = position.start()
        self._position, self._seat, self._ventures = position, seat, ventures
        self.chance, self._begin, self._pending = chance, begin, state.pending
        self._odds = None if state.pending else self._odds_of(ventures.table)

    def _odds_of(self, table: Any, *, at_once: bool = False) -> Any:
        return venture_odds(self._game, table, self._seat, self._begin, at_once=at_once)

    def _narrow(self, low: Fraction, high: Fraction) -> None:
        chance = self.chance
        chance.low, chance.high = max(low, chance.low), min(high, chance.high)
        if chance.low > chance.high:
            raise DisagreementError(f"the chance of {chance.card} is at least {chance.low} and at most {chance.high}")

    def bound(self, alive: Callable[[], bool]) -> None:
        """Find the chance of plain continuation, and bounds."""
        if self._odds is not None:
            with suppress(Unsupported):
                self.chance.plain = self._odds.plain(alive)
                self._odds.between(alive)
            self._narrow(self._odds.low, self._odds.high)

    def settle(self, limit: Budget, *, table: bool) -> None:
        """Find the rest: the chance exactly, how to pay, what may be turned up, and what more cards would change."""
        alive = _alive(limit)
        if not self.chance.exact:
            self._find(limit.share(EXACT_PART))
        self._pay(alive)
        if self._odds is not None and self.chance.plain is not None:
            with suppress(Unsupported):
                self.chance.turned_up = tuple(self._odds.turned_up(alive))
        if table:
            self.chance.with_more = self._with_more(alive)

    def _find(self, limit: Budget) -> None:
        if self._odds is not None:
            self._narrow(*self._odds.greatest(_alive(limit)))
            self.chance.because = self._odds.unfollowed
            return
        with suppress(Unsupported):
            value = PlainOdds(self._ventures, _alive(limit)).chance(self._ventures.table, self._begin, self._pending)
            self._narrow(value, value)

    def _pay(self, alive: Callable[[], bool]) -> None:
        """Find a payment that has an exact chance, and the chance with nothing given up first."""
        chance, begin, opening = self.chance, self._begin, None
        if begin is None or not chance.exact or not chance.low or self._pending:
            return
        with suppress(Unsupported):
            if self._odds is None:
                opening = PlainOdds(self._ventures, alive).attaining(begin, chance.low)
            else:
                opening = self._attaining(begin, alive)
        if opening is not None:
            chance.paying = self._paying(begin, opening)

    def _attaining(self, begin: str, alive: Callable[[], bool]) -> Opening[Any] | None:
        """Return the first opening from which the chance can be had: which cards pay makes no difference to it."""
        openings: Iterable[Opening[Any]] = self._ventures.openings(begin)
        for place, opening in enumerate(openings):
            low, high = self._odds_of(opening.table, at_once=True).greatest(alive)
            if place == 0 and not opening.before and low == high < self.chance.low:
                self.chance.kept = low
            if low == high == self.chance.low:
                return opening
            if not alive():
                return None
        return None

    def _paying(self, card: str, opening: Opening[Any]) -> Paying:
        """Return how to begin the card by an opening of which every payment has the chance.

        It is the payment with the fewest cards beyond those of the hand, and of these the one that leaves most.
        """
        own = Counter(self._game.hand(self._ventures.table, self._seat))
        own[card] -= 1
        owned = {cost: tuple(sorted((Counter(cost) & own).elements())) for cost in opening.moves}
        most = max(map(len, owned.values()))
        ways = [cost for cost, paid in owned.items() if len(paid) == most]
        cost = preferred(self._position, opening.table, card, ways)
        before = tuple(step.text for step in opening.before if not isinstance(step, Forced))
        return Paying(before, owned[cost], len(cost) - most)

    def _with_more(self, alive: Callable[[], bool]) -> tuple[More, ...]:
        """Return the chances with more cards in hand: all exact, else those of plain continuation."""
        odds = [self._odds_of(self._ventures.with_more(cards).table) for cards in MORE]
        if None in odds or self._pending:
            return ()
        bounds = [each.greatest(alive) for each in odds] if self.chance.exact else []
        if bounds and all(low == high for low, high in bounds):
            return tuple(More(cards, low, exact=True) for cards, (low, _) in zip(MORE, bounds, strict=True))
        more = []
        with suppress(Unsupported):
            for cards, each in zip(MORE, odds, strict=True):
                if (plain := each.plain(alive)) is not None:
                    more.append(More(cards, plain, exact=False))
        return tuple(more)


# Decks


class DrawReport(NamedTuple):
    """What may come up next."""

    seat: int
    deck: str
    size: int
    """Cards that come up before nothing more can be told."""
    number: int
    """Cards of these that count."""
    chance: Fraction
    """That at least one of the cards asked about is among them."""
    is_named: bool
    each: tuple[tuple[str, Fraction], ...]
    """The same of each card alone, the likeliest first."""


def draw_chances(position: Position, cards: Sequence[str], number: int = 1, seat: int | None = None) -> DrawReport:
    """Return the chance of some cards, or of every one without any, to be among the next ``number`` of their deck.

    The ``seat`` that draws is the one to move where none is named. Its chances are those of what it knows.

    Raises:
        BestlineError: there is no such seat, no such card, or no deck of which this can be told.
    """
    game, start = position.start()
    seat = max(0, game.to_act(start)) if seat is None else seat
    if seat >= position.players:
        raise BestlineError(f"--seat: there is no player {seat}; the last one is {position.players - 1}")
    everybody = [game.decks(_table_now(position), each) for each in range(position.players)]
    if not (decks := everybody[seat]):
        raise BestlineError("what comes up next cannot be told here; 'bestline moves' lists what chance decides")
    kinds = {name: set(known(card for lot in lots for card in lot.pool)) for name, lots in decks.items()}
    shapes = position.definition.named_shapes(position.ruleset).values()
    every = known(name for shape in shapes for name in getattr(shape, "choices", None) or ())
    cards = list(map(game.spelt, cards))
    for card in cards:
        if card not in every:
            raise BestlineError(f"there is no card '{card}'{nearest(card, every)}")
        if all(card not in kinds[name] and UNKNOWN in lots[0].pool for name, lots in decks.items() if lots):
            fault = f"'{card}' lies in sight: it comes up only after it has gone into the deck itself"
            for other, theirs in enumerate(everybody):
                if any(card in lot.pool for lots in theirs.values() for lot in lots):
                    fault = f"'{card}' comes up for {game.profile.seat_name(other)} alone: --seat {other} asks for that"
            raise BestlineError(fault)
    holding = [name for name in decks if kinds[name] & set(cards)] or list(decks)[:1]
    if len(holding) > 1:
        raise BestlineError(f"these cards lie in different decks ({', '.join(holding)}); ask for each deck alone")
    lots = decks[holding[0]]
    asked = dict.fromkeys(cards or sorted(kinds[holding[0]]))
    return DrawReport(
        seat,
        holding[0],
        sum(lot.size for lot in lots),
        number,
        chance_among(lots, asked, number),
        bool(cards),
        tuple(sorted([(card, chance_among(lots, {card}, number)) for card in asked], key=lambda one: -one[1])),
    )


def with_draws(position: Position, cards: Sequence[str], seat: int | None = None) -> Position:
    """Return the position on which a seat, the one to move where none is named, draws these cards next.

    Raises:
        BestlineError: the cards are not those that may come up next, or the rules have no known top cards.
    """
    game, start = position.start()
    seat = max(0, game.to_act(start)) if seat is None else seat
    if start.pending:
        raise BestlineError("--draw asks at the beginning of a turn; here one is under way ('bestline apply' goes on)")
    for card in dict.fromkeys(cards):
        report = draw_chances(position, (card,), len(cards), seat)
        if not report.chance:
            raise BestlineError(f"'{card}' is not among the next {len(cards)} cards of the {report.deck}")
    hand = game.hand_model(start.table, seat)
    if (table := hand and hand.with_draws(start.table, cards)) is None:
        raise BestlineError(f"{', '.join(cards)} cannot be put on top here: --draw needs a hidden deck of one's own")
    return position.with_table(table)


def chance_among(lots: Sequence[Lot], cards: Collection[str], number: int) -> Fraction:
    """Return the chance that one of some cards is among the next ``number``."""
    none = Fraction(1)
    for lot in lots:
        drawn = min(number, lot.size)
        others = sum(card not in cards for card in lot.pool)
        none *= Fraction(comb(others, drawn), comb(len(lot.pool), drawn))
        number -= drawn
    return 1 - none


class PlainOdds:
    """The chances of ventures over whole tables; equal tables are looked at once."""

    def __init__(self, ventures: Any, alive: Callable[[], bool]) -> None:
        """``alive`` is asked before every way through a turn whether there is time left."""
        self._ventures, self._alive = ventures, alive
        self._known: dict[Any, Fraction] = {}

    def chance(self, table: Any, begin: str | None, pending: Sequence[Step | Forced] = ()) -> Fraction:
        """Return the greatest chance that a venture comes through, from the start of a turn or after some steps of it.

        Raises:
            Unsupported: ``alive`` has said no.
        """
        goes_on = begin is None and not pending
        if goes_on and table in self._known:
            return self._known[table]
        ends: list[WeighedEnd] = []
        for end in self._ventures.ends(table, begin, pending):
            if not self._alive():
                raise Unsupported
            worth = Fraction(end.is_through) if end.table is None else self.chance(end.table, None)
            ends.append((end.steps, end.orders, worth))
        value = fold(ends, depth=len(pending))
        assert value is not None  # every end has a fate
        if goes_on:
            self._known[table] = value
        return value

    def attaining(self, card: str, chance: Fraction) -> Opening[Any] | None:
        """Return the first opening of a hand card from which a chance can be had, with all moves that lead to it.

        Raises:
            Unsupported: ``alive`` has said no.
        """
        ventures = self._ventures
        openings: Iterable[Opening[Any]] = ventures.openings(card)
        for opening in openings:
            moves = {
                paid: move
                for paid, move in opening.moves.items()
                if self.chance(ventures.table, card, (*opening.before, move)) == chance
            }
            if moves:
                return opening._replace(moves=moves)
        return None
