"""What a turn of a venture does apart from hand, deck and stack: found once for each board and stretch of the track.

Its start and its end, free actions and prices are pieces (``odds.pieces``), asked of the rules.
"""

from __future__ import annotations

from typing import Any

from rules.core.ventures import OutOfReach
from rules.iditacards.content import Card
from rules.iditacards.costs import LOWERED_ON_TABLE, costs_on_table
from rules.iditacards.dogs import free_action
from rules.iditacards.odds.orders import ANYWHERE, GAIN, RECALL, Carried, Orders, Price, Priced, Way, Ways, holding
from rules.iditacards.odds.pieces import Pieces
from rules.iditacards.odds.scope import Scope
from rules.iditacards.odds.venture import RiskCards
from rules.iditacards.risk import ending_leg, fizzling_leg, put_on_table
from rules.iditacards.state import Dog, in_play
from rules.iditacards.turn import Seat, Turn


class Boards(Pieces):
    """What the rules say about each board."""

    opens = False
    """What legs give back from the discard pile is an order; else it is out of reach."""

    def __init__(self, ventures: RiskCards, scope: Scope, carried: Carried) -> None:
        super().__init__(ventures, scope, carried)
        self._mods: dict[tuple[Dog, ...], tuple[str, ...]] = {}
        self._ending: dict[int, tuple[int, int, bool]] = {}
        self._priced: dict[tuple[str, int], list[Priced]] = {}
        self._prices = scope.prices

    def forget(self) -> None:
        """Let go of all but the boards."""
        super().forget()
        self._priced.clear()

    @property
    def gives(self) -> int | None:
        """The first place whose leg gives cards back that may go into the deck: then few cards in it may be enough."""
        return self._track.gives

    def zone(self, pos: int) -> tuple[int, int]:
        """Return the first and the last place like one."""
        return self._track.zone(pos)

    def draws_first(self, number: int) -> bool:
        """Return whether something in play draws the first risk card of a frame (R33)."""
        holders = self._carried.draws_first
        dogs = self._boards[number].dogs if holders else ()
        return any(card in holders for card in in_play(dogs))

    def began(self, number: int, pos: int) -> Ways:
        """Return what the start of a turn does (R12)."""
        return self.piece("start", number, pos, self._game.start_turn, anywhere=True)

    def ended(self, number: int, pos: int) -> Ways:
        """Return what the end of a turn and the start of the next one do (R12, R16).

        Raises:
            OutOfReach: it reads the discard pile, which is not carried.
        """
        given = self._track.given(pos)
        if given:
            self._scope.reading = True
            if not self.opens:
                raise OutOfReach
            _, _, ways = self._ends(number, pos)  # nothing comes back: the discard pile of a question is empty
            gives = (RECALL, self._carried.recall(None, given))
            return pos, pos, tuple(way._replace(orders=(gives, *way.orders)) for way in ways)
        return self._ends(number, pos)

    def _ends(self, number: int, pos: int) -> Ways:
        def end(turn: Turn, seat: Seat) -> None:
            self._game.end_turn(turn, seat)
            if not turn.over:
                self._game.start_turn(turn, seat)

        return self.piece("end", number, pos, end, anywhere=self._track.quiet)

    def ends_waiting(self, pos: int) -> tuple[int, int, bool]:
        """Return whether all that waits fizzles on a turn that begins here (R33)."""
        known = self._ending.get(pos)
        if known is None:
            turn, seat = self.question(self.start, pos)
            first, last, _ = self._track.priced(pos)
            known = self._ending[pos] = (first, last, ending_leg(turn, seat) is not None)
        return known

    def free(self, number: int, pos: int) -> Ways:
        """Return every result of some free actions, that of none first (R13)."""
        pieces = self._pieces.setdefault(("free", number), [])
        known = holding(pieces, pos)
        if known is not None:
            return known
        low, high = ANYWHERE
        start = Way((), number, 0)
        reached = {start: None}
        queue = [start]
        while queue:
            way = queue.pop()
            first, last, ways = self.piece("act", way.board, pos, free_action, anywhere=True, places=True)
            low, high = max(low, first), min(high, last)
            for after in ways:
                both = Way(self._gathered(way.orders + after.orders), after.board, 0)
                if both not in reached:
                    reached[both] = None
                    queue.append(both)
        found = (low, high, tuple(reached))
        pieces.append(found)
        return found

    def _gathered(self, orders: Orders) -> Orders:
        """Return what counts of the orders of several free actions."""
        gained = sum(n for order, n in orders if order == GAIN)
        return ((GAIN, gained),) if gained else ()

    def price(self, number: int, pos: int, card: Card) -> Priced:
        """Return what it costs to play a card, with the places for which it holds.

        Costs read the conditions, the cards in play that change costs, free costs and the leg (R18, R19).
        """
        pieces = self._priced.setdefault((card.id, number), [])
        piece = holding(pieces, pos)
        if piece is not None:
            return piece
        board = self._boards[number]
        mods = self._modifying(board.dogs)
        first, last, facts = self._track.priced(pos)
        key = (card.id, facts, board[:2], board.free_energy, board.free_health, mods)
        known = self._prices.get(key)
        if known is None:
            turn, seat = self.question(number, pos)
            put_on_table(turn, seat, card)
            costs = costs_on_table(turn, seat, card)
            known = self._prices[key] = (
                costs.cards,
                costs.health,
                costs.risk,
                fizzling_leg(turn, seat) is not None,
                seat.hypothermia,
                seat.starvation,
            )
        after = board if known[4:] == board[:2] else board._replace(hypothermia=known[4], starvation=known[5])
        if self._reads and card.type in LOWERED_ON_TABLE:
            turn, seat = self.question(number, pos)
            put_on_table(turn, seat, card)
            after = self._boards[self._answer(turn, seat, board.supply)]
        found = (first, last, Price(number if after is board else self.number(after), *known[:4]))
        pieces.append(found)
        return found

    def pricing(self, number: int, pos: int) -> tuple[int, int, Any]:
        """Return all that prices and the records of cards that are played read, with the places for which it holds."""
        board = self._boards[number]
        first, last, facts = self._track.priced(pos)
        free = (board.free_energy, board.free_health)
        return first, last, (facts, board[:2], free, self._modifying(board.dogs), board.foods, board.personal)

    def _modifying(self, dogs: tuple[Dog, ...]) -> tuple[str, ...]:
        """Return those dogs and attachments that change costs."""
        mods = self._mods.get(dogs)
        if mods is None:
            mods = self._mods[dogs] = tuple(filter(self._changes_cost, in_play(dogs)))
        return mods

    def _changes_cost(self, card: str) -> bool:
        return any(card in mods for mods in self._rulings.cost_mod.values())
