"""Which races the track form carries, and which of them exactly."""

from __future__ import annotations

from typing import Final, NamedTuple

from rules.iditacards.compact.scope import missing as missing_in_a_day
from rules.iditacards.content import Card
from rules.iditacards.race.scope import cards_of
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Table, in_play

_OPTIONS: Final = {
    "cannot_starve": "no_gain",
    "conditions_model": "counter",
    "entry_through": "every_leg",
    "leg_entry": "raise",
    "negative_distance": "zero",
    "weather_roll": "before_draw",
}
"""The readings that the kernel is written for, beyond those of ``compact.scope``."""
_LEGS: Final = frozenset(
    {
        "leg_immune",
        "leg_dog_speed",
        "leg_no_starve",
        "leg_no_freeze",
        "leg_no_weather",
        "leg_risks_fizzle",
        "leg_no_day_draw",
        "leg_day_start_starve",
        "leg_day_start_kill_dog",
        "leg_no_speed_bonus",
    }
)
_LEG_RECOVERS: Final = "leg_turn_end_recover"
"""What a leg may do beyond these: it is declined, so the form is not exact."""
_OPS: Final = frozenset({"draw", "move", "take", "heal"})
_PASSIVES: Final = frozenset({"day_draw", "death_shield", "dies_to", "leg_condition_mod", "speed", "start_in_play"})
_NEW_DAY: Final = frozenset({"new_day"})
_ABOUT_CARDS: Final = frozenset({"conditions about the day", "dogs that die to the hand"})


MOST_LOOKED_AT: Final = 4
"""Cards of the deck that a personal card looks at in the form: of many, too many ways to put them away."""


class Scope(NamedTuple):
    """How far a question is carried."""

    missing: tuple[str, ...]
    """What keeps the form from it; none means that every line of the form is a line of the game."""
    loose: tuple[str, ...]
    """What the form leaves out of the game; none means that it plays all lines."""

    @property
    def exact(self) -> bool:
        """Return whether the form plays exactly the turns of the game."""
        return not self.missing and not self.loose


def scope(rulings: Rulings, table: Table, seat: int, forbidden: frozenset[str]) -> Scope:
    """Return what the track form lacks and what it leaves out of a question."""
    player = table.players[seat]
    options = rulings.options
    day = missing_in_a_day(rulings, table, seat, forbidden | _NEW_DAY)
    lacking = [lack for lack in day if not lack.startswith("op ") and lack not in _ABOUT_CARDS]
    lacking.extend(f"{name} = {options[name]}" for name, value in _OPTIONS.items() if options[name] != value)
    if rulings.auto_base is None or rulings.auto_move_by_condition:
        lacking.append(f"auto_move = {options['auto_move']}")
    legs = [leg for leg in rulings.track(table.legs) if leg is not None]
    ops = {op for leg in legs for op in leg.effects}
    lacking.extend(sorted(ops - _LEGS - {_LEG_RECOVERS}))
    facts = {
        "forbidden moves": bool(forbidden),
        "legs that change costs": any(leg.cost_mod for leg in legs),
        "weather that stops moves or sleds": any(each.no_move or each.no_sled for each in rulings.weathers.values()),
        "a hidden die": bool(rulings.faces) and not rulings.weather_open,
        "special spaces": bool(rulings.special_spaces),
        "death": rulings.death_at is not None,
        "conditions beyond three bits": max(player.hypothermia, player.starvation, rulings.condition_cap or 8) > 7,
        "free costs": player.free_energy != "no" or player.free_health != "no",
        "immunity": player.immune,
        "moves stopped": table.freeze,
        "a second step": any(frame.step != "risk" for frame in player.stack),
        "an ended game": table.over or player.finished or table.final is not None,
        "damage cards": any(name in rulings.damage_ids for name in cards_of(player)),
    }
    lacking.extend(name for name, holds in facts.items() if holds)
    active = [*in_play(player.dogs), *(frame.card for frame in player.stack)]
    lacking.extend(f"{name} in play" for name in active if is_idle(rulings, name))
    cards = [rulings.cards[name] for name in cards_of(player)]
    loose = {
        "cards that only pay": any(is_idle(rulings, card.id) for card in cards),
        "what personal cards do": any(looked_at(card) for card in cards),
        "supply": bool(table.supply or any(table.upgrade)) and any(card.type == "sled" for card in cards),
        "legendary cards": bool(player.legendary),
        "legs that give cards back": _LEG_RECOVERS in ops,
    }
    return Scope(tuple(sorted(set(lacking))), tuple(name for name, holds in loose.items() if holds))


def is_idle(rulings: Rulings, name: str) -> bool:
    """Return whether a card only pays for others in the form."""
    return is_unknown(rulings, name) or looked_at(rulings.cards[name]) > MOST_LOOKED_AT


def is_unknown(rulings: Rulings, name: str) -> bool:
    """Return whether a card may do what neither the form nor its bound knows of."""
    card = rulings.cards[name]
    moves = [effect for effect in card.instant if effect.op == "move"]
    return (
        card.energy is None
        or any(effect.op not in _OPS or effect.when or effect.unless for effect in card.instant)
        or any(op not in _PASSIVES for op in card.passive)
        or card.passive.get("dies_to", {}).get("zone") == "hand"
        or any(set(effect.args) - {"n"} for effect in card.instant if effect.op in ("move", "draw"))
        or any(not isinstance(effect.args.get("of"), int) for effect in card.instant if effect.op == "heal")
        or len(moves) > 1
        or (any(effect.op == "take" for effect in card.instant) and rulings.options["take_amount"] != "up_to")
    )


def looked_at(card: Card) -> int:
    """Return how many cards of the deck a personal card looks at."""
    looks = [effect.args["of"] for effect in card.instant if effect.op == "heal"]
    return sum(of if isinstance(of, int) else MOST_LOOKED_AT + 1 for of in looks)
