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
PLAYED_PART: Final = 0.2
"""Part of a card's time for closing bounds turn by turn where no encoding carries it."""
MORE: Final = (1, 2, 3)
"""Further cards in hand that chances are listed for."""


class Paying(NamedTuple):
    """One way to begin a card that has its greatest chance."""

    before: tuple[str, ...]
    """Texts of the moves that come first."""
    paid: tuple[str, ...]
    """Hand cards that pay."""
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
    """The user stopped it; what was found until then stands."""


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
    search = _Search(position, limit or Budget(), cards, table=table)
    with suppress(KeyboardInterrupt):
        search.run()
        return Risks(tuple(search.chances.values()))
    return Risks(tuple(search.chances.values()), interrupted=True)


def _alive(limit: Budget) -> Callable[[], bool]:
    """Return what tells whether time is left."""
    return lambda: not limit.is_over


class _Search:
    """The chances of some cards, the quickest results first."""

    def __init__(self, position: Position, limit: Budget, cards: Sequence[str], *, table: bool) -> None:
        """Ask about some cards, about all that can be begun where none are named.

        Raises:
            BestlineError: a card cannot be begun now.
        """
        game, state = position.start()
        self._seat = int(position.state.get("active", 0))
        refuse_unknown(position, self._seat)
        ventures = game.hand_model(state.table, self._seat)
        if ventures is None:
            raise UnsupportedRuleset(["a game without cards that take several turns to come through"])
        self._position, self._game, self._pending = position, game, state.pending
        self._ventures = ventures
        self._with_table, self._limit = table, limit.start()
        self._begins: dict[str, str | None] = {}
        """By card: the hand card that is begun now, none where it waits."""
        begun, busy = ventures.begun(self._pending)
        waiting = begun if busy and begun is not None else ventures.under_way
        for card in cards:
            if waiting not in (None, card):
                raise BestlineError(f"'{card}' cannot be begun now: '{waiting}' is under way")
            if card != waiting and (busy or not ventures.playable(card)):
                owned = sorted(set(game.hand(ventures.table, self._seat)))
                if card not in owned:
                    raise not_in_hand(card, owned)
                raise BestlineError(f"'{card}' cannot be begun now; 'bestline moves' lists what can be done")
        if waiting is not None:
            self._begins = {waiting: begun}
        elif not busy:
            self._begins = {card: card for card in cards or ventures.cards()}
        self.chances = {card: Chance(card, under_way=card == waiting) for card in self._begins}
        self._odds: dict[str, Any] = {}
        if not self._pending:
            self._odds = {card: self._odds_of(ventures.table, begin) for card, begin in self._begins.items()}

    def run(self) -> None:
        """Find all that there is time for.

        Raises:
            KeyboardInterrupt: the user stopped it; what was found stands.
            DisagreementError: two engines do not agree.
        """
        # Cards have equal shares of the time, and all have bounds before one is looked into.
        shares = [1 / number for number in range(len(self._begins), 0, -1)]
        for card, share in zip(self._begins, shares, strict=True):
            self._bound(card, _alive(self._limit.share(BOUNDS_PART * share)))
        for card, share in zip(self._begins, shares, strict=True):
            limit = self._limit.share(share)
            alive = _alive(limit)
            if not self.chances[card].exact:
                self._settle(card, limit.share(EXACT_PART))
            self._pay(card, alive)
            self._turn_up(card, alive)

    def _odds_of(self, table: Any, begin: str | None, *, at_once: bool = False) -> Any:
        return venture_odds(self._game, table, self._seat, begin, at_once=at_once)

    def _narrow(self, card: str, low: Fraction, high: Fraction) -> None:
        """Take over bounds.

        Raises:
            DisagreementError: they contradict the earlier ones.
        """
        chance = self.chances[card]
        chance.low, chance.high = max(low, chance.low), min(high, chance.high)
        if chance.low > chance.high:
            raise DisagreementError(f"the chance of {card} is at least {chance.low} and at most {chance.high}")

    # Engines

    def _bound(self, card: str, alive: Callable[[], bool]) -> None:
        """Find the chance of plain continuation, and bounds."""
        odds = self._odds.get(card)
        if odds is None:
            return
        with suppress(Unsupported):
            self.chances[card].plain = odds.plain(alive)
            odds.between(alive)
        self._narrow(card, odds.low, odds.high)

    def _settle(self, card: str, limit: Budget) -> None:
        """Find a chance exactly, or bring its bounds closer."""
        odds = self._odds.get(card)
        if odds is not None:
            self._narrow(card, *odds.greatest(_alive(limit)))
            self.chances[card].because = odds.unfollowed
            return
        ventures, begin, alive = self._ventures, self._begins[card], _alive(limit)
        with suppress(Unsupported):
            most = _alive(limit.share(1 - PLAYED_PART))
            value = PlainOdds(ventures, most).chance(ventures.table, begin, self._pending)
            self._narrow(card, value, value)
        odds, turns = PlainOdds(ventures, alive), 0
        with suppress(Unsupported):
            while alive() and not self.chances[card].exact:  # bounds come closer turn by turn
                turns += 1
                worths = (odds.chance(ventures.table, begin, self._pending, turns, Fraction(n)) for n in (0, 1))
                self._narrow(card, *worths)

    def _pay(self, card: str, alive: Callable[[], bool]) -> None:
        """Find a payment that has an exact chance, and the chance with nothing given up first."""
        chance, begin = self.chances[card], self._begins[card]
        if begin is None or not chance.exact or not chance.low or self._pending:
            return
        opening = None
        with suppress(Unsupported):
            if self._odds.get(card) is None:
                opening = PlainOdds(self._ventures, alive).attaining(begin, chance.low)
            else:
                opening = self._attaining(begin, chance.low, alive)
        if opening is not None:
            hand = self._game.hand(self._ventures.table, self._seat)
            chance.paying = paying(self._position, begin, opening, hand)

    def _attaining(self, begin: str, chance: Fraction, alive: Callable[[], bool]) -> Opening[Any] | None:
        """Return the first opening from which a chance can be had: which cards pay makes no difference to it."""
        openings: Iterable[Opening[Any]] = self._ventures.openings(begin)
        for place, opening in enumerate(openings):
            odds = self._odds_of(opening.table, begin, at_once=True)
            low, high = odds.greatest(alive)
            if place == 0 and not opening.before and low == high < chance:
                self.chances[begin].kept = low
            if low == high == chance:
                return opening
            if not alive():
                return None
        return None

    def _turn_up(self, card: str, alive: Callable[[], bool]) -> None:
        """Find what the first risk may turn up, with the chance after it, and what more cards in hand would change."""
        odds = self._odds.get(card)
        if odds is not None and self.chances[card].plain is not None:
            with suppress(Unsupported):
                self.chances[card].turned_up = tuple(odds.turned_up(alive))
        if self._with_table:
            self.chances[card].with_more = self._with_more(card, alive)

    def _with_more(self, card: str, alive: Callable[[], bool]) -> tuple[More, ...]:
        """Return the chances with more cards in hand: all exact, else those of plain continuation."""
        odds = [self._odds_of(self._ventures.with_more(cards).table, self._begins[card]) for cards in MORE]
        if None in odds or self._pending:
            return ()
        bounds = [each.greatest(alive) for each in odds] if self.chances[card].exact else []
        if bounds and all(low == high for low, high in bounds):
            return tuple(More(cards, low, exact=True) for cards, (low, _) in zip(MORE, bounds, strict=True))
        more = []
        with suppress(Unsupported):
            for cards, each in zip(MORE, odds, strict=True):
                plain = each.plain(alive)
                if plain is not None:
                    more.append(More(cards, plain, exact=False))
        return tuple(more)


def paying(position: Position, card: str, opening: Opening[Any], hand: Sequence[str]) -> Paying:
    """Return how to begin a card by an opening of which every payment has the chance.

    It is the payment with the fewest cards beyond those of a ``hand``, and of these the one that leaves most.
    """
    own = Counter(hand)
    own[card] -= 1
    owned = {cost: tuple(sorted((Counter(cost) & own).elements())) for cost in opening.moves}
    most = max(map(len, owned.values()))
    cost = preferred(position, opening.table, card, [cost for cost, paid in owned.items() if len(paid) == most])
    before = tuple(step.text for step in opening.before if not isinstance(step, Forced))
    return Paying(before, owned[cost], len(cost) - most)


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
    """The cards were named."""
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
    decks = game.decks(_table_now(position), seat)
    if not decks:
        raise BestlineError("what comes up next cannot be told here; 'bestline moves' lists what chance decides")
    kinds = {name: set(known(card for lot in lots for card in lot.pool)) for name, lots in decks.items()}
    shapes = position.definition.named_shapes(position.ruleset).values()
    every = known(name for shape in shapes for name in getattr(shape, "choices", None) or ())
    for card in cards:
        if card not in every:
            raise BestlineError(f"there is no card '{card}'{nearest(card, every)}")
        if all(card not in kinds[name] and UNKNOWN in lots[0].pool for name, lots in decks.items() if lots):
            raise BestlineError(f"'{card}' lies in sight: it comes up only after it has gone into the deck itself")
    holding = [name for name in decks if kinds[name] & set(cards)] or list(decks)[:1]
    if len(holding) > 1:
        raise BestlineError(f"these cards lie in different decks ({', '.join(holding)}); ask for each deck alone")
    lots = decks[holding[0]]
    asked = dict.fromkeys(cards or sorted(kinds[holding[0]]))
    each = [(card, chance_among(lots, {card}, number)) for card in asked]
    return DrawReport(
        seat,
        holding[0],
        sum(lot.size for lot in lots),
        number,
        chance_among(lots, asked, number),
        bool(cards),
        tuple(sorted(each, key=lambda one: -one[1])),
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
    table = hand and hand.with_draws(start.table, cards)
    if table is None:
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
        self._known: dict[tuple[Any, int | None, Fraction], Fraction] = {}

    def chance(
        self,
        table: Any,
        begin: str | None,
        pending: Sequence[Step | Forced] = (),
        turns: int | None = None,
        beyond: Fraction = Fraction(0),
    ) -> Fraction:
        """Return the greatest chance that a venture comes through, from the start of a turn or after some steps of it.

        What still waits after so many ``turns``, where these are given, is worth ``beyond``. With 0 and 1 that gives
        bounds: every way to play has at least the one and at most the other, so the greatest chances have.

        Raises:
            Unsupported: ``alive`` has said no.
        """
        if turns == 0:
            return beyond
        plain = begin is None and not pending
        key = (table, turns, beyond)
        if plain and key in self._known:
            return self._known[key]
        left = None if turns is None else turns - 1
        ends: list[WeighedEnd] = []
        for end in self._ventures.ends(table, begin, pending):
            if not self._alive():
                raise Unsupported
            worth = Fraction(end.is_through) if end.table is None else self.chance(end.table, None, (), left, beyond)
            ends.append((end.steps, end.orders, worth))
        value = fold(ends, depth=len(pending))
        assert value is not None  # every end has a fate
        if plain:
            self._known[key] = value
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
