"""Carries cards and legs that read the discard pile: what they bring back is an order, whoever carries that out."""

from __future__ import annotations

from typing import Final, NamedTuple

from rules.iditacards.content import Card, Effect
from rules.iditacards.odds.boards import Boards
from rules.iditacards.odds.orders import Carried
from rules.iditacards.odds.scope import READERS, Scope
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Table, in_play

MANY: Final = 99
"""More cards than any discard pile has."""


class Recall(NamedTuple):
    """Cards that come back from the discard pile."""

    n: int
    """At most."""
    energy: int
    """Hand cards that have been paid for it, at least."""
    paid: int
    """Likewise, cards of the deck among them."""
    waits: bool
    """Others may have been turned over after that."""
    counted: bool
    """It is known what lies there to be taken: of a card, and whatever the player likes."""


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
        self._waiting = frozenset(frame.card for frame in player.stack)
        self._own = [rulings.cards[card] for card in own]
        self.destroys = any(effect.op == "destroy_hand" for effect in effects)
        """The hand may be destroyed."""
        self._takes = any(effect.op == "take" for effect in effects)
        legs = [leg for leg in rulings.track(table.legs) if leg is not None]
        self.brings_back = any(effect.op in READERS for effect in effects)
        """Cards may come back from the discard pile into the deck by a card, wherever that is played."""
        for_nothing = {player.free_energy, player.free_health} != {"no"} or any(
            each.op == "free_cost" for each in effects
        )
        own += tuple(in_play(player.dogs))
        self._less = {
            cost: MANY
            if for_nothing
            else sum(max(0, -rulings.cards[card].number(f"cost_mod:{cost}")) for card in own)
            + max((max(0, -leg.cost_mod.get(cost, 0)) for leg in legs), default=0)
            for cost in ("energy", "health")
        }
        """By how much cards may cost less than is printed."""
        self.recalls: list[Recall] = []
        super().__init__(rulings, table, seat, scope, free=free, sees=sees)

    def idle(self, effect: Effect) -> bool:
        """Return whether an op changes nothing that is read."""
        return effect.op not in READERS and super().idle(effect)

    def recall(self, card: Card | None, n: int | str) -> int:
        """Return the number of what a card brings back, or a leg; nothing if it brings nothing back.

        All with a tag where that is given in the place of a number; upgrades may come to lie in the pile (R40).
        """
        every = not isinstance(n, str)
        if isinstance(n, str):
            n = MANY if self._takes else sum(n in each.tags for each in self._own)
        if not n:
            return -1
        paid = self.paid(card) if card is not None else (0, 0)
        recall = Recall(n, paid[0], sum(paid), card is None or card.risk > 0, every and card is not None)
        if recall not in self.recalls:
            self.recalls.append(recall)
        return self.recalls.index(recall)

    def paid(self, card: Card) -> tuple[int, int]:
        """Return how many cards of the hand and of the deck are paid for a card, at least (R18)."""
        if card.id in self._waiting:  # paid for before this
            return 0, 0
        energy, health = self._less["energy"], self._less["health"]
        return max(0, (card.energy or 0) - energy), max(0, card.health - health)
