"""Which questions about one day the tables of boards and plays carry, whatever is hidden besides."""

from __future__ import annotations

from typing import Final

from rules.iditacards.compact.board import BOARD_OPS
from rules.iditacards.compact.speed import NOT_ADDITIVE
from rules.iditacards.content import Leg
from rules.iditacards.moves import NEW_DAY, Play
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Player, Table, in_play

OPS: Final = BOARD_OPS | {"draw", "heal"}
"""Ops that a card within reach may have."""
PACK: Final = 14
"""Dogs and attachments within reach up to which every choice of them is tried where their speeds are no sum."""
_OPTIONS: Final = {
    "all_cost": "usable_hand",
    "auto_move_after_stop": True,
    "damage_as_risk": "playable",
    "damage_for_energy": False,
    "damage_in_effect": "ends_turn",
    "empty_deck_risk": "on_turn",
    "fizzle_scope": "whole_stack",
    "knife_scope": "all_above",
    "partial_energy": "none",
    "pass_turn": False,
    "reshuffle": "only_if_returned",
    "risks_fizzle_timing": "push_and_turn",
    "sacrifice_timing": "own_turn",
    "snow_scope": "no_effect",
    "storm_scope": "movement_only",
    "turn_end_leg": "own_turns",
    "unaffordable_play": True,
}
"""The readings that the tables are written for."""


def missing(rulings: Rulings, table: Table, seat: int, forbidden: frozenset[str]) -> list[str]:
    """Return every feature of a question that the tables lack; none means that they play it exactly.

    The day must not end, nothing within reach may read the discard pile, the supply or the day's records, and nothing
    on the track may touch the deck: then ``belief.day.PROJECTIONS`` holds. Legs that act at the end of a turn are
    left to the caller, who knows how far the question goes.
    """
    player = table.players[seat]
    lacking = [
        f"{name} = {rulings.options[name]}" for name, value in _OPTIONS.items() if rulings.options[name] != value
    ]
    facts = {
        "several players": len(table.players) > 1,
        "new days": NEW_DAY.text not in forbidden,
        "forbidden moves of other kinds": len(banned(forbidden)) + 1 != len(forbidden),
        "a hidden deck": not rulings.deck_open,
        "an ended game": table.over,
        "looked-at cards kept": rulings.heal_rest != "discard",
        "legendary cards to the hand": rulings.legendary_to == "hand" and bool(player.legendary),
        "free costs of a single turn": "armed" in (player.free_energy, player.free_health)
        or "next_turn" in rulings.free_cost_until.values(),
        "second steps": bool(player.seen) or any(frame.step != "risk" for frame in player.stack),
        "legs that give moves their whole distance": rulings.final_distance
        and any(leg is not None and "leg_card_move" in leg.effects for leg in _track(rulings, table)),
        "legs that cost cards": any(
            leg is not None and "leg_enter_health" in leg.effects for leg in _track(rulings, table)
        ),
    }
    return [*lacking, *(name for name, holds in facts.items() if holds), *_cards_lacking(rulings, player)]


def banned(forbidden: frozenset[str]) -> frozenset[str]:
    """Return the cards that a question does not let be played from the hand."""
    plays = Play("").text
    return frozenset(words.removeprefix(plays) for words in forbidden if words.startswith(plays))


def _cards_lacking(rulings: Rulings, player: Player) -> list[str]:
    lacking: set[str] = set()
    reach = [*in_play(player.dogs), *player.hand, *player.deck, *player.seen, *(frame.card for frame in player.stack)]
    pack = [rulings.cards[name] for name in reach if rulings.cards[name].type in ("dog", "attachment")]
    if len(pack) > PACK and any(op in card.passive for card in pack for op in NOT_ADDITIVE):
        lacking.add("large packs whose speeds are no sum")
    for name in set(reach):
        card = rulings.cards[name]
        lacking.update(f"op {effect.op}" for effect in card.instant if effect.op not in OPS)
        if any(effect.when or effect.unless for effect in card.instant):
            lacking.add("conditions about the day")
        if card.passive.get("dies_to", {}).get("zone") == "hand":
            lacking.add("dogs that die to the hand")
        lacking.update(f"op {op}" for op in ("draw_first_risk", "dies_on_fizzle") if op in card.passive)
        if card.type == "utility" and rulings.utility_scope:
            lacking.add("utility cards under immunity")
        if card.type == "sled" and any(weather.no_sled for weather in rulings.weathers.values()):
            lacking.add("sled cards that weather stops")
    return sorted(lacking)


def _track(rulings: Rulings, table: Table) -> tuple[Leg | None, ...]:
    return rulings.track(table.legs)
