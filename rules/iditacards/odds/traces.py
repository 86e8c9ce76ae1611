"""What a turn of a venture puts into the discard pile, as further orders of the pieces that it is made of.

The forms by numbers leave out where cards go that nothing reads. Where the pile goes back into the deck they are read:
dogs that die to it, attachments put off, upgrades taken, and what a player does with cards that were looked at. So
cards in play are told apart by their names here, and cards that take effect alike but cost otherwise, too.
"""

from __future__ import annotations

from typing import Final

from rules.iditacards.content import ALL, Card, Effect
from rules.iditacards.odds.effects import Effects
from rules.iditacards.odds.open import MANY, OpenBoards, Opened
from rules.iditacards.odds.orders import ANYWHERE, Carried, Orders, Way, Ways
from rules.iditacards.odds.pieces import UNDER
from rules.iditacards.odds.scope import Scope
from rules.iditacards.odds.venture import RiskCards
from rules.iditacards.odds.waiting import Waiting
from rules.iditacards.turn import Seat

PILED: Final = 20
"""Orders: cards in play that go to the discard pile; a number says which."""
TAKEN: Final = 21
"""Upgrades taken into the discard pile; a number says how many out of how many."""
SORTED: Final = 22
"""Cards of the deck looked at, some of which may leave the game; a number says how many out of how many."""
SPOILT: Final = 23
"""What is not carried."""
SPOILING: Final = frozenset({"damage", "destroy_from_hand"})
"""Ops that change the discard pile or the hand in a way that is not carried."""


class Traced(Opened):
    """Carries cards that change the discard pile."""

    def idle(self, effect: Effect) -> bool:
        """Return whether an op changes nothing that is read."""
        return effect.op not in SPOILING and effect.op != "take" and super().idle(effect)


class TracedWaiting(Waiting):
    """Classes that stand for no others that cost otherwise."""

    def number(self, name: str) -> int:
        """Return the class of a card."""
        number = super().number(name)
        self.effect[number] = number
        return number


class Unpiled(Effects):
    """Effects without what they put into the discard pile."""

    def _op(self, way: Way, pos: int, card: Card, effect: Effect) -> Ways:
        if effect.op == "take" or effect.op in SPOILING:
            return *ANYWHERE, (Way((), way.board, 0),)
        return super()._op(way, pos, card, effect)


class PiledEffects(Effects):
    """Effects with what they put into the discard pile."""

    def __init__(self, boards: PiledBoards, carried: Traced, pool: int) -> None:
        super().__init__(boards, carried, pool)
        self.numbers: list[tuple[int, int]] = []
        """Cards taken, or that may leave the game, and out of how many."""

    def _op(self, way: Way, pos: int, card: Card, effect: Effect) -> Ways:
        order = (SPOILT, 0)
        args = effect.args
        if effect.op == "heal":
            least = MANY if args["n"] == ALL else self._number(way.board, card, "heal_bonus", args["n"], 0)[0]
            order = (SORTED, self._index(least, self._raised(way.board, card, "heal_bonus", args["of"])))
        elif effect.op == "take":
            if isinstance(args["n"], int) and isinstance(args["of"], int):
                order = (TAKEN, self._index(*self._number(way.board, card, "take_bonus", args["n"], args["of"])))
        elif effect.op not in SPOILING:
            return super()._op(way, pos, card, effect)
        return *ANYWHERE, (Way((order,), way.board, 0),)

    def _index(self, n: int, of: int) -> int:
        pair = (n, of)
        if pair not in self.numbers:
            self.numbers.append(pair)
        return self.numbers.index(pair)


class PiledBoards(OpenBoards):
    """Boards of which is told what goes from them to the discard pile."""

    piles = True

    def __init__(self, ventures: RiskCards, scope: Scope, carried: Carried) -> None:
        self._piles: list[tuple[str, ...]] = [()]
        super().__init__(ventures, scope, carried)
        player = ventures.table.players[ventures.seat]
        if not self._legendary and player.legendary:
            self._legendary = True  # checkpoints put them into the discard pile (R66)
            start = self.board(self.start)._replace(legendary=player.legendary, passed=player.passed)
            self.start = self.number(start)

    def further(self, seat: Seat) -> Orders:
        """Return orders for what an action has put into the discard pile."""
        names = tuple(sorted(card for card in seat.discard if card != UNDER))
        if names not in self._piles:
            self._piles.append(names)
        return ((PILED, self._piles.index(names)),)

    def piled(self, number: int) -> tuple[str, ...]:
        """Return the cards of an order."""
        return self._piles[number]

    def _gathered(self, orders: Orders) -> Orders:
        """Return the orders of several free actions, which all count."""
        return tuple(sorted(orders))
