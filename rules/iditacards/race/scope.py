"""Which races on a bare track are told by hand, deck and what is in play alone."""

from __future__ import annotations

from collections import Counter
from typing import Final

from rules.iditacards.compact.scope import missing as missing_in_a_day
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Player, Table, in_play

_OPS: Final = frozenset({"draw", "move", "take"})
_PASSIVES: Final = frozenset({"day_draw", "death_shield", "dies_to", "leg_condition_mod", "speed", "start_in_play"})
_NEW_DAY: Final = frozenset({"new_day"})


def missing(rulings: Rulings, table: Table, seat: int, forbidden: frozenset[str]) -> list[str]:
    """Return every feature of a question that the race form lacks; none means that it plays it exactly.

    Beyond ``compact.scope`` the deck must be all that changes: no legs, weather, conditions or damage cards, nothing to
    gain, and only such cards as ``race.boards`` can ask about.
    """
    player = table.players[seat]
    lacking = [lack for lack in missing_in_a_day(rulings, table, seat, forbidden | _NEW_DAY) if lack != "op take"]
    facts = {
        "forbidden moves": bool(forbidden),
        "legs": any(leg is not None for leg in rulings.track(table.legs)),
        "weather": bool(rulings.faces) or table.weather != "none",
        "special spaces": bool(rulings.special_spaces),
        "cards to gain": bool(table.supply or player.legendary) or any(table.upgrade),
        "conditions": bool(player.hypothermia or player.starvation),
        "free costs": player.free_energy != "no" or player.free_health != "no",
        "moves stopped": table.freeze,
        "moves back": rulings.options["negative_distance"] != "zero",
        "a second step": any(frame.step != "risk" for frame in player.stack),
        "an ended game": table.over or player.finished or table.final is not None,
    }
    lacking.extend(name for name, holds in facts.items() if holds)
    for name in sorted(cards_of(player)):
        card = rulings.cards[name]
        lacking.extend(f"op {effect.op} in a race" for effect in card.instant if effect.op not in _OPS)
        lacking.extend(f"op {op} in a race" for op in card.passive if op not in _PASSIVES)
        if card.energy is None:
            lacking.append("the whole hand as a cost")
        if name in rulings.damage_ids:
            lacking.append("damage cards")
    return sorted(set(lacking))


def cards_of(player: Player) -> Counter[str]:
    """Return every card of a player, those in play included."""
    cards = Counter([*player.deck, *player.hand, *player.discard, *player.resolved, *in_play(player.dogs)])
    cards.update(frame.card for frame in player.stack)
    return cards
