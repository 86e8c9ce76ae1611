"""A ruleset's facts unpacked once for the engine: prices, penalties, seat orders, options as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from rules.abyss.content import Card, Content
from rules.abyss.state import ABYSS, CITY
from rules.core.chance import Chance

ACTION_EVENTS: Final = 1
"""Kinds of chance events (17)."""
EVENT_EVENTS: Final = 2


class Traits(NamedTuple):
    """What an identity makes of the numbers."""

    prices: tuple[int, ...]
    """Of each partner type, in order (5.B)."""
    penalties: Mapping[str, int]
    """By partner type (7)."""
    temp_price: int | None
    """Of a temporary partner; nothing where the identity takes none."""
    two_cards: bool
    """Temporary partners may be a second team."""
    damage: Mapping[str, tuple[int, int]]
    """Points added to each loss of HP and the least loss, by location (10.2)."""
    treatment: tuple[int, int]
    """AP added to the payment for one healing card, and the least payment."""


class Rulings:
    """Everything about a ruleset and its open chance that a stage looks up."""

    def __init__(self, content: Content, players: int, chance: Chance) -> None:
        self.content = content
        self.players = players
        self.chance = chance
        self.cards: Mapping[str, Card] = content.cards
        option = content.options
        self.options: Mapping[str, Any] = option
        rules = content.rules
        self.rules: Mapping[str, int] = rules
        self.goals = tuple(content.goals.values())

        self.types = tuple(content.partners)
        self.place = {name: place for place, name in enumerate(self.types)}
        self.full_hp = {name: partner.hp for name, partner in content.partners.items()}
        self.traits = {name: self._traits(name) for name in content.identities}
        self.supply = self._supply(option["partner_supply"])
        self.cap: int | None = _number(option["partner_cap"])
        self.treasure_supply: int | None = _number(option["treasure_supply"])
        self.temp_hp: int | None = _number(option["temp_hp"])
        self.round_limit: int | None = _number(option["round_limit"])
        self.temps_count: bool = option["temps_count"]

        self.rotates = option["start_player"] == "rotate"
        self.orders = [tuple((first + step) % players for step in range(players)) for first in range(players)]
        self.immediate = option["win_check"] == "immediate"
        self.joint = option["tie"] == "joint"
        self.merges = option["reshuffle"] == "merge"
        self.own_carrier = option["treasure_needs"] == "own_carrier"
        self.everyone = option["event_scope"] == "everyone_there"
        self.icon_for_all = option["icon_reading"] == "all_players"
        self.picks_open = chance.is_open("picks")

    def order(self, number: int) -> tuple[int, ...]:
        """Return the seats in the order of a round (1.2, AB-Q3)."""
        return self.orders[(number - 1) % self.players if self.rotates else 0]

    def _traits(self, name: str) -> Traits:
        modifiers = self.content.identities[name].modifiers
        price = modifiers.get("price_delta")
        penalty = modifiers.get("penalty_delta")
        temps = modifiers.get("temps")
        damage = modifiers.get("damage_delta")
        paid = self.options["penalty_base"] == "paid"
        costs = {kind: partner.cost for kind, partner in self.content.partners.items()}
        prices = {kind: _changed(cost, price) for kind, cost in costs.items()}
        return Traits(
            prices=tuple(prices.values()),
            penalties={kind: _changed(cost, penalty) for kind, cost in (prices if paid else costs).items()},
            temp_price=None if temps is None else temps["price"],
            two_cards=temps is not None and temps["max_cards"] > 1,
            damage={
                where: (damage["amount"], damage["floor"]) if damage and damage["where"] == where else (0, 0)
                for where in (CITY, ABYSS)
            },
            treatment=_delta(modifiers.get("treatment_payment_delta")),
        )

    def _supply(self, value: Any) -> Mapping[str, int] | None:
        """Return how many partners of each type there are, those without limit left out (AB-Q7)."""
        if value == "unlimited":
            return None
        return dict(value) if isinstance(value, Mapping) else dict.fromkeys(self.types, value)


def _number(value: Any) -> int | None:
    """Return the number of an option that may be a word instead, which then means no number."""
    return None if isinstance(value, str) else int(value)


def _changed(number: int, modifier: Mapping[str, Any] | None) -> int:
    return number if modifier is None else max(modifier["floor"], number + modifier["amount"])


def _delta(modifier: Mapping[str, Any] | None) -> tuple[int, int]:
    return (0, 0) if modifier is None else (modifier["amount"], modifier["floor"])
