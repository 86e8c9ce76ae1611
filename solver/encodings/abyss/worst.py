"""Events with which an adversary holds out longest, as a guess, and what they leave of a round for certain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rules.abyss.content import Card
from rules.abyss.rulings import Traits
from rules.abyss.state import ABYSS, ANY, CITY
from solver.encodings.abyss.crews import Uses


class Worst(NamedTuple):
    """Answers of an adversary who knows two Events: whoever can hold out against every Event can against these."""

    abroad: str
    """The Event where a team is in the Abyss."""
    home: str
    """The Event where none is."""
    harm: int
    """Printed loss of HP by the first one in the Abyss; nothing stops it."""
    idle: bool
    """By the second one no card that is used in the City has any effect."""

    def loss(self, traits: Traits) -> int:
        """Return the HP that each partner loses on a trip at least (10.2)."""
        change, floor = traits.damage[ABYSS]
        return max(floor, self.harm + change) if self.harm else 0

    def of(self, uses: Uses) -> str:
        """Return the Event of a round."""
        return self.abroad if ABYSS in (uses.place, uses.second_place) else self.home


def worst_of(cards: Sequence[Card]) -> Worst:
    """Return the Events that leave least, of a box with at least one."""
    abroad = max(cards, key=lambda card: _danger(card, ABYSS))
    home = max(cards, key=lambda card: _danger(card, CITY))
    lost = abroad.args("damage")
    certain = lost is not None and lost["where"] == ABYSS and not abroad.flashlight_stops
    return Worst(
        abroad=abroad.id,
        home=home.id,
        harm=int(lost["amount"]) if lost is not None and certain else 0,
        idle=home.is_modifier and _cancels(home) and home.location in (ANY, CITY),
    )


def by_danger(cards: Sequence[Card]) -> list[str]:
    """Return the Events, those first that a player may fear most, wherever they work."""
    return [card.id for card in sorted(cards, key=lambda card: -max(_danger(card, ABYSS), _danger(card, CITY)))]


def _danger(card: Card, place: str) -> int:
    """Return a guess of how much somebody at a place fears an Event: which one is taken is a matter of speed only."""
    if card.location not in (ANY, place):
        return 0
    lost = card.args("damage")
    if lost is not None:
        return 2 * int(lost["amount"]) if lost["where"] == place else 0
    return 3 * (_cancels(card) and place == CITY) + card.is_modifier


def _cancels(card: Card) -> bool:
    args = card.args("cancel_actions")
    return args is not None and args["where"] == CITY
