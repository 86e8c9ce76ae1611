"""Speed, weather and immunity: what acts on a player where it stands (R43, R63, R67)."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rules.iditacards.content import Leg, Weather
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
