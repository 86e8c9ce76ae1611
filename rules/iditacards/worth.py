"""What a card is worth in a player's deck, for plain play: to be gained, put back, destroyed or given up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rules.iditacards.content import Card
from rules.iditacards.deeds import Deeds
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Table
from rules.iditacards.turn import Seat

CURE: Final = 8.0
"""What a card in a deck is worth for each point that it takes away of a condition of which only the presence counts."""
USUAL_SPEED: Final = 4
"""The speed at which moving cards are compared with others."""
RISKED: Final = 0.5
"""Part of a card's worth in a deck that is left by each risk card."""
ENERGY: Final = 1.5
"""What a card of energy costs, when cards of a deck are compared."""
HEALTH: Final = 0.3
"""Likewise a card of health."""
DRAWN: Final = 1.5
"""Likewise what a drawn card is worth."""
ALL: Final = 4
"""What stands for the energy of "all"."""


class Worth:
    """What one player holds cards to be worth in one turn, in spaces."""

    def __init__(self, rulings: Rulings, deeds: Mapping[str, Deeds], table: Table, seat: Seat, ahead: float) -> None:
        """``ahead`` are the turns for which what is gained is of use."""
        self._rulings = rulings
        self._deeds = deeds
        self._table = table
        self._seat = seat
        self._ahead = ahead
        self._owning: dict[str, float] = {}
        self._usual: float | None = None

    def owning(self, card: str) -> float:
        """Return what a card is worth in the deck."""
        value = self._owning.get(card)
        if value is None:
            value = self._owning[card] = self._owned(self._deeds[card])
        return value

    def _owned(self, deeds: Deeds) -> float:
        card = deeds.card
        value = float(deeds.distance.at(USUAL_SPEED)) if deeds.moves else 0.0
        value += DRAWN * (deeds.draws + 2 * deeds.draws_a_dog) + deeds.gains + 0.5 * deeds.destroys
        if deeds.placed:
            faster = card.number("speed") + 1.5 * card.number("speed_other_dogs") + 3.0 * ("speed_mult" in card.passive)
            value += self._ahead * (faster + 0.3 * card.number("day_draw") + 0.05 * comfort(card))
        value += 2.0 * sum(deeds.clears) - deeds.hypothermia - deeds.starvation - deeds.damage - 5.0 * deeds.kills
        value += (CURE - 1.0) * sum(deeds.cures) if self._rulings.auto_move_by_condition else 0.0
        energy = ALL if card.energy is None else card.energy
        value = RISKED**card.risk * value - ENERGY * energy - HEALTH * card.health - card.risk
        return value - 5.0 if card.type == "damage" else value

    def usual(self) -> float:
        """Return what the own cards are worth on average."""
        if self._usual is None:
            cards = [*self._seat.hand, *self._seat.deck, *self._seat.discard]
            self._usual = sum(map(self.owning, cards)) / max(1, len(cards))
        return self._usual

    def of_deck(self, name: str) -> float:
        """Return what the better quarter of an upgrade deck is worth on average."""
        deck = self._table.upgrade[self._rulings.upgrade_decks.index(name)]
        worth = sorted(map(self.owning, deck), reverse=True)
        best = worth[: max(1, len(worth) // 4)]
        return sum(best) / max(1, len(best))


def comfort(card: Card) -> float:
    """Return what a card in play does besides speed and hands, in points."""
    passive = card.passive
    cheaper = -sum(card.number(f"cost_mod:{cost}") for cost in ("energy", "health", "risk"))
    shields = 3.0 * ("leg_condition_mod" in passive) + ("death_shield" in passive) + ("cannot_die" in passive)
    return 10.0 * cheaper + shields + 10.0 * ("on_move_draw" in passive)
