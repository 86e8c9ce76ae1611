"""What a valid Iditacards ruleset looks like: the shape of its tables, and what must agree between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from rules.core.files import KeyPath
from rules.core.schema import (
    Boolean,
    Either,
    Faults,
    Field,
    Integer,
    ListOf,
    MapOf,
    Number,
    Table,
    Text,
    listed,
    optional,
)
from rules.iditacards.content import ALL, NO_LEG
from rules.iditacards.vocabulary import OPTIONS, Effect, check_board_option, ops

FACES: Final = ("snow", "sun", "wind", "cloud", "storm", "rain")
"""Faces of the weather die (R62)."""
CARD_TYPES: Final = ("dog", "attachment", "food", "personal", "sled", "movement", "utility", "damage")
CONDITIONS: Final = ("hypothermia", "starvation")
ROLES: Final = ("starter", "upgrade", "legendary", "damage")

_ID: Final = Text(pattern=r"[a-z][a-z0-9_]*", kind="an id: small letters, digits and _, beginning with a letter")
_REMARKS: Final = ("note", "source", "provenance", "adapted_from", "adaptation")
"""Keys that say where a fact comes from; they never affect play."""
_SHOWN: Final = ("name", "summary", "rarity")
"""Keys that people read; they never affect play either."""


def _with_remarks(fields: dict[str, Field]) -> Table:
    return Table({**fields, **{name: optional(Text()) for name in _REMARKS}})


@cache
def _card() -> Table:
    cost = Integer(0, 99)
    return _with_remarks(
        {
            "name": Field(Text(), doc="name on the card"),
            "type": Field(Text(CARD_TYPES)),
            "tags": optional(ListOf(Text(), unique=True), "words that effects ask for, such as fake or venison"),
            "rarity": optional(Text()),
            "deck": Field(Text(), doc="the deck it belongs to"),
            "copies": Field(Integer(1, 99), doc="copies in one deck"),
            "energy": Field(Either((cost, Text((ALL,)))), doc="hand cards to discard"),
            "health": Field(cost, doc="deck cards to discard"),
            "risk": Field(cost, doc="deck cards to play, one on each later turn"),
            "effects": optional(ListOf(Effect(of_leg=False)), "what it does, in order"),
            "summary": optional(Text(), "what it does, in one sentence"),
        }
    )


def _leg() -> Table:
    number = optional(Integer(0, 99))
    return _with_remarks(
        {
            "name": Field(Text()),
            "type": optional(Integer(1, 99), "leg type, where the board has a place for a type"),
            "copies": optional(Integer(1, 99), "cards of this leg among those of its type"),
            **{name: number for kind in CONDITIONS for name in (kind, f"{kind}_solo")},
            "effects": optional(ListOf(Effect(of_leg=True))),
            "summary": optional(Text()),
        }
    )


def _board() -> Table:
    space = Integer(1, 100_000)
    spaces = optional(ListOf(space, unique=True))
    section = Table({"leg": Field(Text()), "from": Field(space), "to": Field(space)})
    return _with_remarks(
        {
            "spaces": Field(space, doc="length of the track"),
            "start": optional(Integer(0, 0), "where the sleds stand before the race"),
            "sections": Field(ListOf(section, least=1), doc="which leg lies where"),
            **dict.fromkeys(("checkpoints", "cold", "hungry", "damage"), spaces),
            "default_legs": optional(ListOf(Text()), "the leg of each leg type, from type 1"),
            "solo": optional(Boolean(), "whether the solitaire numbers of the legs count"),
        }
    )


class _Die(ListOf):
    """The six faces of the weather die in their order, or an empty list for a game without weather."""

    def __init__(self) -> None:
        super().__init__(Text(FACES), least=len(FACES), most=len(FACES), unique=True)

    def check(self, value: Any, path: KeyPath, faults: Faults) -> None:
        """Note a list that is neither empty nor the whole die."""
        if value != []:
            super().check(value, path, faults)

    def json_schema(self) -> dict[str, Any]:
        """Return both forms."""
        return {"anyOf": [{"const": []}, super().json_schema()]}


def _rules() -> Table:
    level = optional(Integer(1, 99))
    return Table(
        {
            "starting_hand": Field(Integer(0, 99), doc="R7, R64: cards of a new hand"),
            "dog_limit": Field(Integer(0, 99), doc="R50"),
            "condition_cap": optional(Integer(1, 99), "R48: no counter rises above it"),
            "death_at": optional(Integer(1, 99), "R49: a counter this high throws the sled back"),
            "death_back": optional(Integer(0, 10_000), "R49: spaces it is thrown back"),
            "no_move_at": level,
            "legendary_dealt": Field(Integer(0, 99), doc="R6: legendary cards dealt to each player"),
            "legendary_to": Field(Text(("discard", "hand")), doc="R66: where a chosen legendary card goes"),
            "weather": Field(_Die(), doc="R62: the six faces of the die, or none where there is no weather"),
            "solitaire_removed_types": Field(ListOf(Text(CARD_TYPES), unique=True), doc="R10"),
            "leg_cards_in_source": optional(Integer(0, 999), "leg cards of the published box; says nothing about play"),
            "condition_cost": Field(Text(("each", "half", "none")), doc="R18"),
            "condition_speed": Field(Text(("half_up", "none")), doc="R43"),
            "auto_move_by_condition": Field(Boolean(), doc="R47"),
            "heal_rest": Field(Text(("hand", "discard")), doc="where a looked-at card goes that does not go back"),
            "take_from": Field(Text(("deck", "supply")), doc="where sled cards take upgrades from"),
        }
    )


@cache
def ruleset_schema() -> Table:
    """Return the shape of a resolved ruleset."""
    points = optional(Integer(-99, 99))
    yes = optional(Boolean())
    flags = ("empties_supply", "cancels_bonuses", "caps_hand", "no_move", "no_sled")
    face = Table({"speed": points, **dict.fromkeys(CONDITIONS, points), **dict.fromkeys(flags, yes)})
    deck = Table(
        {
            "role": Field(Text(ROLES)),
            "cards": Field(Integer(0, 9999), doc="cards in one such deck; the sum of its cards' copies"),
            "sets": optional(Integer(1, 99), "equal decks in the box, one for each player"),
        }
    )
    target = Table(
        {"metric": Field(Text()), "min": optional(Number()), "max": optional(Number())},
        open=True,
    )
    meta = {name: optional(Text()) for name in ("title", "summary", "author", "game", "edition", "version", "date")}
    sources = {name: optional(Text()) for name in ("rules_source", "card_source")}
    lists = {"card_types": optional(ListOf(Text(CARD_TYPES), unique=True)), "notes": optional(ListOf(Text()))}
    return Table(
        {
            "meta": optional(Table({**meta, **sources, **lists})),
            "rules": Field(_rules()),
            "options": Field(OPTIONS.schema),
            "weather": optional(MapOf(face, Text(FACES, kind="a face of the die"))),
            "decks": Field(MapOf(deck, _ID)),
            "boards": Field(MapOf(_board(), _ID)),
            "legs": Field(MapOf(_leg(), _ID)),
            "cards": Field(MapOf(_card(), _ID)),
            "assert": optional(ListOf(target), "the designer's own targets"),
        }
    )


def check(raw: Mapping[str, Any], faults: Faults) -> None:
    """Note every disagreement between the tables of a ruleset, as far as their own shapes are right."""
    parts = ruleset_schema().fields
    sound = {name for name, part in parts.items() if name in raw and part.schema.accepts(raw[name])}
    if isinstance(raw.get("options"), dict):
        layout, boards = raw["options"].get("board_layout"), [name for name, _ in _entries(raw, "boards")]
        check_board_option(layout, boards, ("options", "board_layout"), faults)
    types = raw["meta"].get("card_types", CARD_TYPES) if "meta" in sound else CARD_TYPES
    roles = {name: deck.get("role") if isinstance(deck, dict) else None for name, deck in _entries(raw, "decks")}
    for name, card in _entries(raw, "cards") if isinstance(raw.get("decks"), dict) else ():
        if isinstance(card, dict):
            _check_card(name, card, roles, types, faults)
    if "decks" in sound:
        cards = [card for _, card in _entries(raw, "cards")]
        if cards and all(_is_counted(card, raw["decks"]) for card in cards):
            _check_deck_sizes(raw, faults)
    if {"cards", "decks", "rules"} <= sound:
        _check_decks(raw, faults)
    legs = {name: leg for name, leg in _entries(raw, "legs") if isinstance(leg, dict)}
    for name, board in _entries(raw, "boards"):
        if _board().accepts(board):
            _check_board(board, legs, ("boards", name), faults)
    for name, leg in _entries(raw, "legs") if "legs" in sound else ():
        for kind in CONDITIONS:
            solo = leg.get(f"{kind}_solo")
            if solo is not None and solo < leg.get(kind, 0):
                faults.add(("legs", name, f"{kind}_solo"), f"must not be below the leg's {kind} of {leg.get(kind, 0)}")
    if "rules" in sound and "death_at" in raw["rules"] and "death_back" not in raw["rules"]:
        faults.add(("rules",), "'death_at' needs 'death_back', the spaces a sled is thrown back")


def _entries(raw: Mapping[str, Any], table: str) -> list[tuple[str, Any]]:
    entries = raw.get(table)
    return list(entries.items()) if isinstance(entries, dict) else []


def _is_counted(card: Any, decks: Mapping[str, Any]) -> bool:
    """Return whether it is known to which deck a card belongs, and how often."""
    if not isinstance(card, dict) or not isinstance(card.get("copies"), int):
        return False
    return isinstance(card.get("deck"), str) and card["deck"] in decks


def deck_sizes(raw: Mapping[str, Any]) -> dict[str, int]:
    """Return the copies of all cards of each deck, added up."""
    sizes = dict.fromkeys(raw["decks"], 0)
    for card in raw["cards"].values():
        if _is_counted(card, raw["decks"]):
            sizes[card["deck"]] += card["copies"]
    return sizes


def _check_deck_sizes(raw: Mapping[str, Any], faults: Faults) -> None:
    sizes = deck_sizes(raw)
    for name, deck in raw["decks"].items():
        if deck["cards"] != sizes[name]:
            message = f"says {deck['cards']}, but the copies of its cards add up to {sizes[name]}"
            faults.add(("decks", name, "cards"), message)


def _check_decks(raw: Mapping[str, Any], faults: Faults) -> None:
    for role, least, most in (("starter", 1, 1), ("legendary", 0, 1), ("damage", 1, 1)):
        names = [name for name, deck in raw["decks"].items() if deck["role"] == role]
        if not least <= len(names) <= most:
            wanted = "exactly one" if least else "at most one"
            faults.add(("decks",), f"there must be {wanted} deck with the role '{role}', not {len(names)}")
        elif role == "damage":
            kinds = [card for card, facts in raw["cards"].items() if facts["deck"] == names[0]]
            if len(kinds) != 1:
                faults.add(("decks", names[0]), f"must hold exactly one kind of card, not {len(kinds)}")
        elif role == "legendary" and not names and raw["rules"]["legendary_dealt"] > 0:
            faults.add(("rules", "legendary_dealt"), "must be 0 without a deck with the role 'legendary'")


def _check_card(
    name: str, card: Mapping[str, Any], roles: Mapping[str, Any], types: Sequence[str], faults: Faults
) -> None:
    """Note what is wrong between a card and its deck; ``roles`` has the role of each deck, as far as it is known."""
    path: KeyPath = ("cards", name)
    kind, deck = card.get("type"), card.get("deck")
    role = roles.get(deck) if isinstance(deck, str) else None
    if isinstance(deck, str) and deck not in roles:
        hint = faults.nearest(deck, roles) or f"; its decks: {listed(roles)}"
        faults.add((*path, "deck"), f"'{deck}' is no deck of this ruleset{hint}")
    if kind not in CARD_TYPES:
        return
    if role and (role == "damage") != (kind == "damage"):
        faults.add((*path, "deck"), "cards of type damage, and no others, lie in the deck with the role 'damage'")
    if kind not in types:
        faults.add((*path, "type"), f"'{kind}' is no card type of this ruleset; its types: {listed(types)}")
    effects = card.get("effects")
    for place, effect in enumerate(effects if isinstance(effects, list) else ()):
        at: KeyPath = (*path, "effects", place, "op")
        op = str(effect.get("op")) if isinstance(effect, dict) else ""
        carriers = ops().get(op, {}).get("on", CARD_TYPES)
        if kind not in carriers:
            faults.add(at, f"'{op}' works only on a card of type {' or '.join(carriers)}, not on a {kind} card")
        if op == "start_in_play" and role and role != "starter":
            faults.add(at, "only a card of the starter deck can start in play")


def _check_board(board: Mapping[str, Any], legs: Mapping[str, Any], path: KeyPath, faults: Faults) -> None:
    end = 0
    for place, section in enumerate(board["sections"]):
        at: KeyPath = (*path, "sections", place)
        if section["from"] != end + 1 or section["to"] < section["from"]:
            faults.add(at, f"must reach from space {end + 1} to a space at or after it; sections follow without a gap")
        end = max(end, section["to"])
        _check_section_leg(section["leg"], board, legs, (*at, "leg"), faults)
    if end != board["spaces"]:
        faults.add((*path, "sections"), f"end at space {end}, but the board has {board['spaces']} spaces")
    for kind in ("checkpoints", "cold", "hungry", "damage"):
        for place, space in enumerate(board.get(kind, ())):
            if space > board["spaces"]:
                faults.add((*path, kind, place), f"space {space} lies beyond the last space, {board['spaces']}")
    for place, leg in enumerate(board.get("default_legs", ())):
        _check_leg_of_type(leg, place + 1, legs, (*path, "default_legs", place), faults)


def _check_section_leg(
    leg: str, board: Mapping[str, Any], legs: Mapping[str, Any], path: KeyPath, faults: Faults
) -> None:
    kind = leg_type(leg)
    if kind is not None:
        if kind > len(board.get("default_legs", ())):
            faults.add(path, f"'default_legs' of the board names no leg of type {kind}")
    elif leg != NO_LEG and leg not in legs:
        hint = faults.nearest(leg, [*legs, NO_LEG]) or f"; legs: {listed([*legs, NO_LEG, 'type1'], 30)}"
        faults.add(path, f"'{leg}' is no leg of this ruleset{hint}")


def _check_leg_of_type(leg: str, kind: int, legs: Mapping[str, Any], path: KeyPath, faults: Faults) -> None:
    fitting = [name for name, facts in legs.items() if facts.get("type") == kind]
    if leg not in fitting:
        hint = faults.nearest(leg, fitting) or f"; legs of that type: {listed(fitting)}"
        faults.add(path, f"'{leg}' is no leg of type {kind}{hint}")


def leg_type(leg: str) -> int | None:
    """Return the number of a section's leg type, or nothing when the section names a leg itself."""
    return int(leg[4:]) if leg.startswith("type") and leg[4:].isdecimal() else None


def play_facts(raw: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return what affects play, with every default written out; equal for rulesets that play alike.

    Decks and legs are lists because their order counts: the first for the state's upgrade decks, the second for a
    drawn leg (R74). Names, summaries, sources and targets are left out.
    """
    return {
        "rules": {name: value for name, value in raw["rules"].items() if name != "leg_cards_in_source"},
        "options": dict(options),
        "weather": {face: _without_empty(facts) for face, facts in raw.get("weather", {}).items()},
        "decks": [{"id": name, "sets": 1, **deck} for name, deck in raw["decks"].items()],
        "boards": {name: _board_facts(board) for name, board in raw["boards"].items()},
        "legs": [{"id": name, "copies": 1, **_plain(leg)} for name, leg in raw.get("legs", {}).items()],
        "cards": {name: {**_plain(card), "tags": sorted(card.get("tags", ()))} for name, card in raw["cards"].items()},
    }


def _without_empty(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in facts.items() if value}


def _plain(entry: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in entry.items() if name not in (*_REMARKS, *_SHOWN)}
    return {**kept, "effects": [_effect_facts(effect) for effect in entry.get("effects", ())]}


def _effect_facts(effect: Mapping[str, Any]) -> dict[str, Any]:
    keys = ops()[effect["op"]].get("keys", {})
    defaults = {name: key["default"] for name, key in keys.items() if "default" in key}
    return {**defaults, **{name: value for name, value in effect.items() if name != "while"}}


def _board_facts(board: Mapping[str, Any]) -> dict[str, Any]:
    spaces = {name: sorted(board.get(name, ())) for name in ("checkpoints", "cold", "hungry", "damage")}
    return {
        "spaces": board["spaces"],
        "sections": board["sections"],
        "default_legs": board.get("default_legs", []),
        "solo": board.get("solo", False),
        **spaces,
    }


def shown_facts(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry without sources and remarks, its effects always written out."""
    kept = {name: value for name, value in entry.items() if name not in _REMARKS}
    if "effects" in kept:
        kept["effects"] = [_effect_facts(effect) for effect in kept["effects"]]
    return kept
