"""What a card costs now, and the ways to pay its energy (R17 to R25)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from rules.iditacards.content import Card
from rules.iditacards.speed import starvation_here
from rules.iditacards.turn import Seat, Turn

LOWERED_ON_TABLE: Final = {"food": "starvation", "personal": "hypothermia"}
"""The condition that a card lowers as soon as it is on the table, by card type (R21)."""

ALL_USABLE: Final = -1
"""Stands for all cards that may pay, where energy is a plain number."""


class Costs(NamedTuple):
    """What a card on the table costs (R18, R19)."""

    energy: int | None
    """Hand cards; nothing stands for all that may pay."""
    health: int
    """Cards of the deck."""
    risk: int
    """Risk cards."""

    @property
    def cards(self) -> int:
        """Return the energy as a number, ``ALL_USABLE`` for all that may pay."""
        return ALL_USABLE if self.energy is None else self.energy


def costs_on_table(turn: Turn, seat: Seat, card: Card) -> Costs:
    """Return what a card costs that is on the table already, if all of it is paid now (R18, R19)."""
    energy = energy_cost(turn, seat, card, seat.hypothermia)
    return Costs(energy, health_cost(turn, seat, card.health), risk_cost(turn, seat, card))


def lowers(card: Card, kind: str) -> int:
    """Return by how much a card lowers a condition as soon as it is on the table (R21)."""
    return int(LOWERED_ON_TABLE.get(card.type) == kind)


def once_on_table(seat: Seat, card: Card, kind: str) -> int:
    """Return what a condition of a player is once a card is on the table (R21)."""
    level: int = getattr(seat, kind)
    return max(0, level - lowers(card, kind))


def energy_cost(turn: Turn, seat: Seat, card: Card, hypothermia: int) -> int | None:
    """Return the energy cost of a card in cards, or ``None`` for all that may be discarded (R18).

    ``hypothermia`` is the level when the energy is paid, R21 included.
    """
    if seat.free_energy == "on":
        return 0
    if card.energy is None:
        return None
    return _cost(turn, seat, "energy", card.energy, hypothermia)


def health_cost(turn: Turn, seat: Seat, printed: int) -> int:
    """Return what a printed health cost amounts to now, in cards of the deck (R18)."""
    if seat.free_health == "on":
        return 0
    return _cost(turn, seat, "health", printed, starvation_here(turn, seat))


def risk_cost(turn: Turn, seat: Seat, card: Card) -> int:
    """Return the number of risk cards a card needs, computed once when the other parts are paid (R19)."""
    if card.risk == 0:
        return 0
    leg = turn.leg(seat)
    mult = 1 if leg is None or "leg_risk_mult" not in leg.effects else leg.effects["leg_risk_mult"]["n"]
    return max(0, card.risk * mult + own_mods(turn, seat, "risk"))


def own_mods(turn: Turn, seat: Seat, cost: str) -> int:
    """Return the sum of the cost modifiers in play that count for a player (R18, Q81)."""
    mods = turn.rulings.cost_mod[cost]
    if not mods:
        return 0
    owners = turn.seats if turn.rulings.options["cost_mod_scope"] == "everyone" else [seat]
    total = 0
    for owner in owners:
        for team in owner.dogs:
            total += mods.get(team.dog, 0)
            for card in team.attachments:
                total += mods.get(card, 0)
    return total


def _cost(turn: Turn, seat: Seat, cost: str, printed: int, level: int) -> int:
    rulings = turn.rulings
    if rulings.condition_cost != "none":
        if printed == 0 and rulings.options["zero_cost_conditions"] == "exempt":
            return 0
        printed += level if rulings.condition_cost == "each" else level // 2
    leg = turn.leg(seat)
    if leg is not None and leg.cost_mod:
        printed += leg.cost_mod.get(cost, 0)
    return max(0, printed + own_mods(turn, seat, cost))


def usable(turn: Turn, hand: Sequence[str]) -> tuple[str, ...]:
    """Return the hand cards that may pay energy, sorted (R22)."""
    damage = turn.rulings.damage_ids
    return tuple(sorted([card for card in hand if card not in damage]))


def payments(turn: Turn, seat: Seat, card: Card, hand: Sequence[str], hypothermia: int) -> Sequence[tuple[str, ...]]:
    """Return the different ways to pay a card's energy from ``hand``, each sorted.

    A single empty payment stands for a cost of 0 and for a cost that cannot be paid; R25 makes who can pay pay.
    A payment that holds a damage card fails at that card (Q25).
    """
    rulings = turn.rulings
    cards = usable(turn, hand)
    cost = energy_cost(turn, seat, card, hypothermia)
    if cost is None:
        fails = rulings.options["all_cost"] == "fails_with_damage" and len(cards) < len(hand)
        return [()] if fails else [cards]
    whole = combinations(cards, cost) if cost <= len(cards) else ()
    if len(cards) == len(hand):
        return whole or ((),)
    ways = list(whole)
    damaged = [card for card in hand if card in rulings.damage_ids]
    if rulings.options["damage_for_energy"] and damaged and cost <= len(hand):
        for before in range(min(cost, len(cards) + 1)):
            ways.extend((*part, damaged[0]) for part in combinations(cards, before))
    return ways or [()]


@lru_cache(maxsize=65536)
def combinations(cards: tuple[str, ...], n: int) -> tuple[tuple[str, ...], ...]:
    """Return the different multisets of n cards out of the sorted ``cards``, each sorted, in ascending order."""
    if n == 0:
        return ((),)
    ways: list[tuple[str, ...]] = []
    previous = None
    for index in range(len(cards) - n + 1):
        card = cards[index]
        if card == previous:
            continue
        previous = card
        ways.extend((card, *rest) for rest in combinations(cards[index + 1 :], n - 1))
    return tuple(ways)
