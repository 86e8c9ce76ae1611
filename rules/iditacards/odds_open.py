"""Carries cards and legs that read the discard pile: what they bring back is an order, whoever carries that out."""

from __future__ import annotations

from rules.iditacards.content import Effect
from rules.iditacards.odds_boards import Boards
from rules.iditacards.odds_orders import Carried
from rules.iditacards.odds_scope import READERS, Scope
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Table

MANY = 99
"""More cards than any discard pile has."""


class OpenBoards(Boards):
    """Boards on which legs give cards back."""

    opens = True


class Opened(Carried):
    """Carries cards that read the discard pile, too."""

    ops = Carried.ops | READERS

    def __init__(
        self, rulings: Rulings, table: Table, seat: int, scope: Scope, *, free: bool, sees: bool = False
    ) -> None:
        player = table.players[seat]
        own = (*player.deck, *player.hand, *player.discard, *(frame.card for frame in player.stack))
        effects = [effect for card in scope.played for effect in card.instant]
        self._own = [rulings.cards[card] for card in own]
        self._takes = any(effect.op == "take" for effect in effects)
        legs = [leg for leg in rulings.track(table.legs) if leg is not None]
        read = any(effect.op in READERS for effect in effects)
        self.brings_back = read or any("leg_turn_end_recover" in leg.effects for leg in legs)
        """Cards may come back from the discard pile into the deck, by a card or on a leg."""
        super().__init__(rulings, table, seat, scope, free=free, sees=sees)

    def idle(self, effect: Effect) -> bool:
        """Return whether an op changes nothing that is read."""
        return effect.op not in READERS and super().idle(effect)

    def tagged(self, tag: str) -> int:
        """Return how many cards with a tag the discard pile may hold at most; upgrades may come to lie there (R40)."""
        return MANY if self._takes else sum(tag in card.tags for card in self._own)
