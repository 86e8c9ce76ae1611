"""What a valid Iditacards ruleset looks like: the shape of its tables, and what must agree between them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

from rules.core.declared import ID, REMARK, LeftOut, Meta, Remark, Size, entries, entry_of, ruleset_table, table_of
from rules.core.errors import word_list
from rules.core.files import KeyPath, data_file
from rules.core.registry import Doubt, OptionTable, Ruleset, stated_shape
from rules.core.schema import MISSING, Faults, Field, Integer, MapOf, Table, Tagged, Text, optional
from rules.iditacards.content import (
    CARD_TYPES,
    CONDITIONS,
    FACES,
    NO_LEG,
    ROLES,
    Board,
    Card,
    CardType,
    Deck,
    LegEntry,
    Rules,
    Weather,
    leg_type,
)

_REMARKS: Final = ("note", "source", "provenance", "adapted_from", "adaptation")
"""Keys that say where a fact comes from."""


class MetaTable(Meta):
    """What an edition says about itself."""

    rules_source: Remark
    card_source: Remark
    card_types: Annotated[tuple[CardType, ...], Size(unique=True), LeftOut("all"), "types of its cards"]


@cache
def ruleset_schema() -> Table:
    """Return the shape of a resolved ruleset."""
    board = entry_of(Board, _REMARKS)
    weather = MapOf(table_of(Weather), Text(FACES, kind="a face of the die"))
    start = Field(Integer(0, 0), False, "where the sleds stand before the race", marks=(REMARK,))
    return ruleset_table(
        MetaTable,
        Rules,
        OPTIONS.schema,
        weather=Field(weather, False, "what each face does", default={}),
        decks=entries(Deck, ()),
        boards=MapOf(Table({**board.fields, "start": start}), ID),
        legs=entries(LegEntry, _REMARKS, effect=effects_of(leg=True)),
        cards=entries(Card, _REMARKS, effect=effects_of(leg=False)),
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
        if parts["boards"].schema.accepts({name: board}):
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
        hint = faults.nearest(deck, roles) or f"; its decks: {word_list(roles)}"
        faults.add((*path, "deck"), f"'{deck}' is no deck of this ruleset{hint}")
    if kind not in CARD_TYPES:
        return
    if role and (role == "damage") != (kind == "damage"):
        faults.add((*path, "deck"), "cards of type damage, and no others, lie in the deck with the role 'damage'")
    if kind not in types:
        faults.add((*path, "type"), f"'{kind}' is no card type of this ruleset; its types: {word_list(types)}")
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
        hint = faults.nearest(leg, [*legs, NO_LEG]) or f"; legs: {word_list([*legs, NO_LEG, 'type1'], 30)}"
        faults.add(path, f"'{leg}' is no leg of this ruleset{hint}")


def _check_leg_of_type(leg: str, kind: int, legs: Mapping[str, Any], path: KeyPath, faults: Faults) -> None:
    fitting = [name for name, facts in legs.items() if facts.get("type") == kind]
    if leg not in fitting:
        hint = faults.nearest(leg, fitting) or f"; legs of that type: {word_list(fitting)}"
        faults.add(path, f"'{leg}' is no leg of type {kind}{hint}")


_HERE: Final = Path(__file__).resolve().parent
OPTIONS: Final = OptionTable(_HERE)

INSTANT_KINDS: Final = frozenset({"instant", "second_step"})
"""Kinds of ops that happen once, and may depend on a condition."""
LEG_KIND: Final = "leg"
"""Kind of the ops that legs have, and cards have not."""


def _op_file() -> Mapping[str, Any]:
    return data_file(_HERE, "ops")


def ops() -> Mapping[str, Mapping[str, Any]]:
    """Return the op table, by name."""
    return dict(_op_file()["ops"])


def conditions() -> tuple[str, ...]:
    """Return the names of the conditions that an effect may depend on."""
    return tuple(_op_file()["conditions"])


def check_board_option(value: Any, boards: Iterable[str], path: KeyPath, faults: Faults) -> None:
    """Note a board layout that the ruleset does not have."""
    names = list(boards)
    if isinstance(value, str) and value not in names:
        hint = faults.nearest(value, names) or f"; its boards: {word_list(names)}"
        faults.add(path, f"'{value}' is no board of this ruleset{hint}")


@cache
def effect_schema(op: str) -> Table:
    """Return the shape of an effect with this op."""
    table = ops()[op]
    fields = {"op": Field(Text((op,)), doc=table["meaning"])}
    for name, key in table.get("keys", {}).items():
        needed = "default" not in key and "optional" not in key
        fields[name] = Field(stated_shape(key), needed, default=key.get("default", MISSING))
    if table["kind"] in INSTANT_KINDS:
        condition = Text(conditions(), kind="a condition")
        fields["when"] = optional(condition, "the effect happens only if this holds")
        fields["unless"] = optional(condition, "the effect happens only if this does not hold")
    if "while" in table:
        told = "repeats the kind of the op, for readers"
        fields["while"] = Field(Text((table["while"],)), required=False, doc=told, marks=(REMARK,))
    return Table(fields)


def effects_of(*, leg: bool) -> Tagged:
    """Return the shape of an effect of a card, or of a leg: a table whose keys depend on its op."""
    own = tuple(name for name, op in ops().items() if (op["kind"] == LEG_KIND) == leg)
    other = "an op of a card, not of a leg" if leg else "an op of a leg, not of a card"
    return Tagged("op", own, effect_schema, {name: other for name in ops() if name not in own})


# What a sound ruleset says in vain


def doubts(ruleset: Ruleset) -> Iterator[Doubt]:
    """Yield costs that nobody can pay, effects that find nothing, spaces out of reach, and cards that nobody sees."""
    raw = ruleset.raw
    decks, cards, dealt = raw["decks"], raw["cards"], raw["rules"]["legendary_dealt"]
    size = {role: sum(deck["cards"] for deck in decks.values() if deck["role"] == role) for role in ROLES}
    effects = [effect["op"] for card in cards.values() for effect in card.get("effects", ())]
    gained = size["upgrade"] if {"take", "take_next"} & {*effects} else 0
    most = min(2 * size["starter"], size["starter"] + size["damage"] + dealt + gained)
    for name, card in cards.items():
        for cost, what in _COSTS.items():
            needed = card[cost] if isinstance(card[cost], int) else 0
            owned = size["starter"] - (cost == "energy")
            if needed > owned:
                never = name if needed > most else ""
                yield Doubt(("cards", name, cost), f"asks for {needed} {what}, and a player begins with {owned}", never)
        yield from _idle(name, card, cards, raw["rules"]["dog_limit"])
    legendary = [name for name, card in cards.items() if decks[card["deck"]]["role"] == "legendary"]
    if legendary and not dealt:
        yield Doubt(
            ("rules", "legendary_dealt"), f"deals no legendary card, so that nobody sees {word_list(legendary)}"
        )
    if size["upgrade"] and not gained:
        yield Doubt(("decks",), "no card takes upgrades, so that nobody sees the upgrade decks")
    yield from _unused_places(ruleset)


_COSTS: Final = {"energy": "other cards of the hand", "health": "cards of the deck", "risk": "cards of the deck"}
"""What each cost takes."""


def _idle(name: str, card: Mapping[str, Any], cards: Mapping[str, Any], limit: int) -> Iterator[Doubt]:
    """Yield the effects of a card that can never do anything, and the card where all are such."""
    effects = card.get("effects", ())
    tags = {tag for other in cards.values() for tag in other.get("tags", ())}
    types = {other["type"] for other in cards.values()}
    vain = []
    for place, effect in enumerate(effects):
        tag = effect.get("tag") or ("fake" if effect.get("filter") == "fake" else "")
        if tag and tag not in tags:
            vain.append((place, "tag" if "tag" in effect else "filter", f"no card is tagged '{tag}'"))
        elif effect.get("filter") == "has_attachment" and "attachment" not in types:
            vain.append((place, "filter", "there is no attachment"))
        elif effect["op"] == "counts_as" and effect["n"] > limit:
            message = f"takes the room of {effect['n']} dogs, and a team has room for {limit}"
            yield Doubt(("cards", name, "effects", place, "n"), message, name)
    never = name if len(vain) == len(effects) else ""
    for place, key, message in vain:
        yield Doubt(("cards", name, "effects", place, key), message, never)
    if not effects and card["type"] not in ("dog", "damage"):
        yield Doubt(("cards", name, "effects"), "is empty, so that the card does nothing", name)


def _unused_places(ruleset: Ruleset) -> Iterator[Doubt]:
    """Yield marked spaces behind the finish, and legs of the last text that lie on no space."""
    raw, options = ruleset.raw, {**OPTIONS.neutral, **ruleset.raw["options"]}
    layout, finish = str(options["board_layout"]), int(options["finish_at"])
    board = raw["boards"][layout]
    for kind in ("checkpoints", "cold", "hungry", "damage"):
        for place, space in enumerate(board.get(kind, ())):
            if space > finish:
                what = "checkpoint" if kind == "checkpoints" else f"{kind} space"
                yield Doubt(
                    ("boards", layout, kind, place), f"the {what} on space {space} lies behind the finish, {finish}"
                )
    used = {section["leg"] for section in board["sections"]}
    for name, leg in raw["legs"].items():
        if ruleset.layers[-1].reaches(("legs", name)) and not used & {name, f"type{leg.get('type')}"}:
            yield Doubt(("legs", name), f"lies on no space of the board '{layout}'")
