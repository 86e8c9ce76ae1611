"""What acts on a player now: speed, weather and immunity, costs, and the ways to pay energy.

Rules: R17 to R25, R43, R63, R67.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from rules.iditacards.content import Card, Leg, Weather
from rules.iditacards.turn import Seat, Turn


class SpeedPart(NamedTuple):
    """One part of the speed."""

    source: str
    """Card id, leg id, weather face or condition."""
    n: int
    own: bool
    """It comes from an own dog or attachment (Q4)."""


_part = lru_cache(maxsize=4096)(SpeedPart)
"""The same parts come again and again."""


def is_immune(turn: Turn, seat: Seat) -> bool:
    """Return whether a player is immune now (R67); what that means is Q67."""
    if seat.immune:
        return True
    leg = turn.leg(seat)
    return leg is not None and "leg_immune" in leg.effects


def shielded_from(turn: Turn, owner: Seat, card_type: str, target: Seat) -> bool:
    """Return whether an op of ``owner``'s card skips ``target`` because of immunity (R67, Q67)."""
    if target is owner or not is_immune(turn, target):
        return False
    return turn.rulings.others_scope or (turn.rulings.utility_scope and card_type == "utility")


def weather_on(turn: Turn, seat: Seat) -> Weather | None:
    """Return the weather as far as it affects a player, or nothing (R63)."""
    if turn.weather == "none":
        return None
    rulings = turn.rulings
    if seat.pos == 0 and rulings.options["weather_off_board"] == "unaffected":
        return None
    leg = turn.leg(seat)
    if leg is not None and "leg_no_weather" in leg.effects:
        return None
    if rulings.others_scope and is_immune(turn, seat):
        return None
    return rulings.weathers[turn.weather]


def starvation_here(turn: Turn, seat: Seat) -> int:
    """Return starvation as far as it acts where the player stands (Q12)."""
    if turn.rulings.no_starve_effect:
        leg = turn.leg(seat)
        if leg is not None and "leg_no_starve" in leg.effects:
            return 0
    return seat.starvation


def speed_parts(turn: Turn, seat: Seat) -> list[SpeedPart]:
    """Return the parts of a player's speed before multiplying and cancelling (R43)."""
    return _parts(turn, seat, turn.leg(seat), weather_on(turn, seat))


def _parts(turn: Turn, seat: Seat, leg: Leg | None, weather: Weather | None) -> list[SpeedPart]:
    rulings = turn.rulings
    parts: list[SpeedPart] = []
    dogs, speeds, others_of = len(seat.dogs), rulings.speed, rulings.speed_other_dogs
    for team in seat.dogs:
        cards = [team.dog, *team.attachments]
        parts += [_part(card, speeds[card], True) for card in cards if speeds.get(card)]
        for card in cards if others_of else ():
            each = others_of.get(card, 0)
            if each:
                others = dogs - 1
                if rulings.count_everything:
                    others = sum(rulings.counts_as.get(other.dog, 1) for other in seat.dogs if other is not team)
                if others:
                    parts.append(_part(card, each * others, True))
    if leg is not None and "leg_dog_speed" in leg.effects:
        each = leg.effects["leg_dog_speed"]["n"]
        for team in seat.dogs:
            times = rulings.counts_as.get(team.dog, 1) if rulings.count_everything else 1
            parts.append(_part(leg.id, each * times, False))
    if weather is not None and weather.speed:
        parts.append(_part(weather.face, weather.speed, False))
    if rulings.condition_speed == "half_up":
        if seat.hypothermia:
            parts.append(_part("hypothermia", -((seat.hypothermia + 1) // 2), False))
        starvation = starvation_here(turn, seat)
        if starvation:
            parts.append(_part("starvation", -((starvation + 1) // 2), False))
    return parts


def cancelled_by(turn: Turn, seat: Seat) -> str | None:
    """Return the leg or weather face that cancels the player's speed bonuses, or nothing (R43, Q60).

    Weather goes first, since it may take away more than a leg does.
    """
    return _cancelled(turn.leg(seat), weather_on(turn, seat))


def _cancelled(leg: Leg | None, weather: Weather | None) -> str | None:
    if weather is not None and weather.cancels_bonuses:
        return weather.face
    return leg.id if leg is not None and "leg_no_speed_bonus" in leg.effects else None


def speed(turn: Turn, seat: Seat) -> int:
    """Return a player's speed now; it may be negative (R43)."""
    rulings = turn.rulings
    leg, weather = turn.leg(seat), weather_on(turn, seat)
    parts = _parts(turn, seat, leg, weather)
    cancel = _cancelled(leg, weather)
    if cancel is not None:
        if cancel in rulings.weathers and rulings.options["cloud_scope"] == "all_parts":
            return 0
        return sum([part.n for part in parts if part.n < 0])
    factor = 1
    if rulings.speed_mult:
        for card in seat.in_play():
            factor *= rulings.speed_mult.get(card, 1)
    if factor == 1:
        return sum([part.n for part in parts])
    if rulings.options["speed_multiplier"] == "own_cards":
        return sum(part.n * factor if part.own else part.n for part in parts)
    return sum(part.n for part in parts) * factor


LOWERED_ON_TABLE: Final = {"food": "starvation", "personal": "hypothermia"}
"""The condition that a card lowers as soon as it is on the table, by card type (R21)."""


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
