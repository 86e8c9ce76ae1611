"""A ruleset's facts unpacked once for the engine: lookups by card and space, options as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rules.core.chance import Chance
from rules.iditacards.content import NO_LEG, Board, Card, Content, Leg, Weather

DECK_EVENTS: Final = 1
"""Kinds of chance events (R72)."""
WEATHER_EVENTS: Final = 2
LEG_EVENTS: Final = 3
LEGENDARY_EVENTS: Final = 4
UPGRADE_EVENTS: Final = 5

_AUTO_BASE: Final[dict[str, int | None]] = {"none": None, "speed": 0, "one_plus_speed": 1}


class Rulings:
    """Everything about a ruleset and its open chance that a turn looks up; only a cache ever changes."""

    def __init__(self, content: Content, players: int, chance: Chance) -> None:
        self.content = content
        self.players = players
        self.chance = chance
        self.cards: Mapping[str, Card] = content.cards
        self.options: Mapping[str, Any] = content.options
        rules = content.rules
        self.starting_hand: int = rules["starting_hand"]
        self.dog_limit: int = rules["dog_limit"]
        self.condition_cap: int | None = rules.get("condition_cap")
        self.no_move_at: int | None = rules.get("no_move_at")
        self.death_at: int | None = rules.get("death_at")
        self.death_back: int = rules.get("death_back", 0)
        self.condition_cost: str = rules["condition_cost"]
        self.condition_speed: str = rules["condition_speed"]
        self.auto_move_by_condition: bool = rules["auto_move_by_condition"]
        self.heal_rest: str = rules["heal_rest"]
        self.take_from: str = rules["take_from"]
        self.legendary_to: str = rules["legendary_to"]
        self.legendary_dealt: int = rules.get("legendary_dealt", 0)

        self.board: Board = content.boards[str(self.options["board_layout"])]
        self.spaces = max(section.last for section in self.board.sections)
        self.section_at: list[int] = [-1] * (self.spaces + 1)
        for index, section in enumerate(self.board.sections):
            for space in range(section.first, section.last + 1):
                self.section_at[space] = index
        self._tracks: dict[tuple[str, ...], tuple[Leg | None, ...]] = {}
        self.special_spaces = self.board.cold | self.board.hungry | self.board.damage

        self.upgrade_decks = content.upgrade_decks()
        self.deck_open = chance.is_open("deck")
        self.upgrade_open = chance.is_open("upgrade")
        self.weather_open = chance.is_open("weather")
        self.legendary_open = chance.is_open("legendary")
        self.opponents_open = chance.is_open("opponents")
        self.weathers: Mapping[str, Weather] = content.weather
        self.faces: tuple[str, ...] = tuple(content.weather)
        self.deck_orders = orders_by_owner(chance.lists.get("deck", ()), players)
        self.upgrade_orders = orders_by_owner(chance.lists.get("upgrade", ()), len(self.upgrade_decks))
        self.legendary_order = _one_order(chance.lists.get("legendary", ()))
        self.leg_list: list[str] = list(chance.lists.get("legs", ()))
        self.weather_list: list[str] = list(chance.lists.get("weather", ()))

        legendary_deck = content.deck_of_role("legendary")
        self.legendary_cards = content.deck_cards(legendary_deck) if legendary_deck else []
        """All that several players are dealt from."""
        damage_deck = content.deck_of_role("damage")
        self.damage_card = next((card.id for card in self.cards.values() if card.deck == damage_deck), "")
        self.damage_cards = content.decks[damage_deck].cards if damage_deck else 0
        self.damage_ids = frozenset(card.id for card in self.cards.values() if card.type == "damage")
        self.ends_turn = frozenset(card.id for card in self.cards.values() if "ends_turn_on_discard" in card.passive)
        self.free_cost_until: Mapping[str, str] = {
            effect.args["cost"]: effect.args["until"]
            for card in self.cards.values()
            for effect in card.instant
            if effect.op == "free_cost"
        }

        self.speed = self._numbers("speed")
        self.speed_other_dogs = self._numbers("speed_other_dogs")
        self.speed_mult = self._numbers("speed_mult")
        self.day_draw = self._numbers("day_draw")
        self.cost_mod = {cost: self._numbers(f"cost_mod:{cost}") for cost in ("energy", "health", "risk")}
        self.leg_condition_mod = self._numbers("leg_condition_mod")
        self.counts_as = self._numbers("counts_as")
        self.attach_slots = self._numbers("attach_slots")
        self.on_move_draw = self._numbers("on_move_draw")
        self.day_end_empty_move = self._numbers("day_end_empty_move")
        self.cannot_die = self._holders("cannot_die")
        self.death_shield = self._holders("death_shield")
        self.draw_first_risk = self._holders("draw_first_risk")
        self.dies_on_fizzle = self._holders("dies_on_fizzle")
        self.no_pass_damage = self._holders("no_pass_damage")
        self.double_risk = self._holders("double_risk")
        self.start_in_play = self._holders("start_in_play")
        self.bonus = {op: self._args(op) for op in ("heal_bonus", "take_bonus")}

        option = self.options
        self.finish_at = int(option["finish_at"])
        self.win_at_once = option["last_turns"] == "none"
        self.sacrifice_any_time = option["sacrifice_timing"] == "any_time"
        self.others_scope = option["immunity_scope"] == "weather_others_damage"
        self.utility_scope = option["immunity_scope"] == "utility_only"
        self.damage_stops = option["damage_in_effect"] == "ends_turn"
        self.no_starve_effect = option["cannot_starve"] == "no_effect"
        self.count_everything = option["counts_as_scope"] == "everything"
        self.final_distance = option["leg_card_move"] == "final_distance"
        self.parent_now = option["second_step_in_risk"] == "parent_now"
        self.every_leg = option["entry_through"] == "every_leg"
        self.auto_base = _AUTO_BASE[str(option["auto_move"])]
        """Spaces of the automatic move at speed 0; nothing where there is no such move (R47)."""

    def _numbers(self, op: str) -> dict[str, int]:
        return {card.id: int(card.passive[op]["n"]) for card in self.cards.values() if op in card.passive}

    def _holders(self, op: str) -> frozenset[str]:
        return frozenset(card.id for card in self.cards.values() if op in card.passive)

    def _args(self, op: str) -> dict[str, Mapping[str, Any]]:
        return {card.id: card.passive[op] for card in self.cards.values() if op in card.passive}

    def track(self, legs: tuple[str, ...]) -> tuple[Leg | None, ...]:
        """Return the leg of each space from 0 to the end of the track, or nothing where there is none."""
        known = self._tracks.get(legs)
        if known is None:
            ids = (legs[section] if section >= 0 else NO_LEG for section in self.section_at)
            known = tuple(None if leg == NO_LEG else self.content.legs[leg] for leg in ids)
            self._tracks[legs] = known
        return known

    def leg_number(self, leg: Leg, kind: str) -> int | None:
        """Return the number of a condition that counts on this board's leg (Q76, Q77); none if not printed."""
        number = leg.numbers.get(kind)
        if number is None or not self.board.solo:
            return number
        return number if self.options["solo_plus"] == "add_after" else number + leg.pluses.get(kind, 0)

    def leg_plus(self, leg: Leg, kind: str) -> int:
        """Return the points added after the number is set, on a solitaire board with Q77 ``add_after``."""
        if not self.board.solo or self.options["solo_plus"] != "add_after":
            return 0
        return leg.pluses.get(kind, 0)


def orders_by_owner(lists: Any, owners: int) -> list[list[list[str]]]:
    """Return explicit orders as one list of orders per owner; one owner may leave the outer list out (R74)."""
    if not lists:
        return [[] for _ in range(owners)]
    first: Any = next((entry for entry in lists if entry), [])
    if owners == 1 and first and isinstance(first[0], str):
        return [[list(order) for order in lists]]
    return [[list(order) for order in orders] for orders in lists]


def _one_order(lists: Any) -> list[str]:
    """The legendary deck has one order, given bare or as a list of one."""
    return list(lists[0]) if lists and isinstance(lists[0], (list, tuple)) else list(lists)
