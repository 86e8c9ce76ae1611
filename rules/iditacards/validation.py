"""What a valid Iditacards ruleset looks like: the shape of its tables, and what must agree between them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

from rules.core.declared import ORDERED, REMARK, LeftOut, Meta, Remark, Size, entries, entry_of, ruleset_table, table_of
from rules.core.errors import word_list
from rules.core.files import KeyPath, data_file
from rules.core.registry import Doubt, OptionTable, Ruleset, stated_shape
from rules.core.schema import MISSING, Faults, Field, Integer, MapOf, Table, Tagged, Text, optional
from rules.iditacards.content import (
    CARD_TYPES,
    CONDITIONS,
    FACES,
    MARKED,
    NO_LEG,
    ROLES,
    Board,
    Card,
    CardType,
    Deck,
    Leg,
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
        cards=entries(entry_of(Card, _REMARKS, effect=effects_of(leg=False))),
        decks=entries(table_of(Deck), ORDERED),
        boards=entries(Table({**board.fields, "start": start})),
        legs=entries(entry_of(Leg, _REMARKS, effect=effects_of(leg=True)), ORDERED),
    )


def check(raw: Mapping[str, Any], faults: Faults) -> None:
    """Note every disagreement between the entries of a ruleset whose own shape is right."""
    parts = ruleset_schema().fields
    whole = {name: raw[name] for name, part in parts.items() if name in raw and part.schema.accepts(raw[name])}
    given = {name: table if isinstance(table, dict) else {} for name, table in raw.items()}

    def sound(table: str) -> Mapping[str, Any]:
        shape, entries = parts[table].schema, given.get(table, {})
        return whole.get(table) or {name: entry for name, entry in entries.items() if shape.accepts({name: entry})}

    layout = given.get("options", {}).get("board_layout")
    check_board_option(layout, given.get("boards", {}), ("options", "board_layout"), faults)
    cards, decks, legs = given.get("cards", {}), sound("decks"), sound("legs")
    types = whole.get("meta", {}).get("card_types", CARD_TYPES)
    roles = {name: decks[name]["role"] if name in decks else "" for name in given.get("decks", {})}
    for name, card in cards.items() if isinstance(raw.get("decks"), dict) else ():
        if isinstance(card, dict):
            _check_card(name, card, roles, types, faults)
    if "decks" in whole and cards and all(_counted(card, decks) for card in cards.values()):
        for name, size in deck_sizes(raw).items():
            if decks[name]["cards"] != size:
                message = f"says {decks[name]['cards']}, but the copies of its cards add up to {size}"
                faults.add(("decks", name, "cards"), message)
    if {"cards", "decks", "rules"} <= whole.keys():
        _check_decks(raw, faults)
    for name, board in sound("boards").items():
        _check_board(board, {**given.get("legs", {}), **legs}, ("boards", name), faults)
    for name, leg in legs.items():
        for kind in CONDITIONS:
            if leg.get(f"{kind}_solo", 99) < leg.get(kind, 0):
                faults.add(("legs", name, f"{kind}_solo"), f"must not be below the leg's {kind} of {leg.get(kind, 0)}")
    if "death_at" in whole.get("rules", {}) and "death_back" not in whole["rules"]:
        faults.add(("rules",), "'death_at' needs 'death_back', the spaces a sled is thrown back")


def _counted(card: Any, decks: Mapping[str, Any]) -> bool:
    """Return whether it is known to which deck a card belongs, and how often."""
    told = (card.get("deck"), card.get("copies")) if isinstance(card, dict) else (None, None)
    return isinstance(told[0], str) and told[0] in decks and isinstance(told[1], int)


def deck_sizes(raw: Mapping[str, Any]) -> dict[str, int]:
    """Return the copies of all cards of each deck, added up, as far as the entries of cards say them."""
    sizes = dict.fromkeys(raw["decks"], 0)
    for card in raw["cards"].values():
        if _counted(card, sizes):
            sizes[card["deck"]] += card["copies"]
    return sizes


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
    name: str, card: Mapping[str, Any], roles: Mapping[str, str], types: Sequence[str], faults: Faults
) -> None:
    """Note what is wrong between a card and its deck; ``roles`` has the role of each deck, empty if not known."""
    path: KeyPath = ("cards", name)
    kind, deck = card.get("type"), card.get("deck")
    role = roles.get(deck, "") if isinstance(deck, str) else ""
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
        at, op = (*path, "effects", place, "op"), str(effect.get("op")) if isinstance(effect, dict) else ""
        carriers = ops().get(op, {}).get("on", CARD_TYPES)
        if kind not in carriers:
            faults.add(at, f"'{op}' works only on a card of type {' or '.join(carriers)}, not on a {kind} card")
        if op == "start_in_play" and role not in ("", "starter"):
            faults.add(at, "only a card of the starter deck can start in play")


def _check_board(board: Mapping[str, Any], legs: Mapping[str, Any], path: KeyPath, faults: Faults) -> None:
    end = 0
    for place, section in enumerate(board["sections"]):
        at: KeyPath = (*path, "sections", place)
        if section["from"] != end + 1 or section["to"] < section["from"]:
            faults.add(at, f"must reach from space {end + 1} to a space at or after it; sections follow without a gap")
        end = max(end, section["to"])
        lies, number = section["leg"], leg_type(section["leg"])
        if number is not None and number > len(board.get("default_legs", ())):
            faults.add((*at, "leg"), f"'default_legs' of the board names no leg of type {number}")
        elif number is None and lies != NO_LEG and lies not in legs:
            hint = faults.nearest(lies, [*legs, NO_LEG]) or f"; legs: {word_list([*legs, NO_LEG, 'type1'], 30)}"
            faults.add((*at, "leg"), f"'{lies}' is no leg of this ruleset{hint}")
    if end != board["spaces"]:
        faults.add((*path, "sections"), f"end at space {end}, but the board has {board['spaces']} spaces")
    for kind in MARKED:
        for place, space in enumerate(board.get(kind, ())):
            if space > board["spaces"]:
                faults.add((*path, kind, place), f"space {space} lies beyond the last space, {board['spaces']}")
    for place, leg in enumerate(board.get("default_legs", ())):
        fitting = [name for name, facts in legs.items() if isinstance(facts, dict) and facts.get("type") == place + 1]
        if leg not in fitting:
            hint = faults.nearest(leg, fitting) or f"; legs of that type: {word_list(fitting)}"
            faults.add((*path, "default_legs", place), f"'{leg}' is no leg of type {place + 1}{hint}")


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


def ops_bringing(*sources: str) -> frozenset[str]:
    """Return the ops that bring cards back from some of ``discard``, ``supply`` and ``day``."""
    return frozenset(name for name, op in ops().items() if op.get("brings") in sources)


def conditions() -> tuple[str, ...]:
    """Return the names of the conditions that an effect may depend on."""
    return tuple(_op_file()["conditions"])


def check_board_option(value: Any, boards: Iterable[str], path: KeyPath, faults: Faults) -> None:
    """Note a board layout that the ruleset does not have."""
    if isinstance(value, str) and value not in boards:
        hint = faults.nearest(value, boards) or f"; its boards: {word_list(boards)}"
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
    most = size["starter"] + size["damage"] + dealt + gained
    held = _most_held(raw, size["starter"])
    for name, card in cards.items():
        for cost, what in _COSTS.items():
            needed = card[cost] if isinstance(card[cost], int) else 0
            owned = size["starter"] - (cost == "energy")
            if needed > owned:
                never = name if needed > min(most, 2 * size["starter"]) else ""
                has = f"can own {most}" if needed > most else f"begins with {owned}"
                told = f"asks for {needed} {what}, and a player {has}"
                yield Doubt(("cards", name, cost), told, never, sure=needed > most)
            elif cost == "energy" and needed >= held:
                told = f"asks for {needed} {what}, and all draws of the starter deck fill a hand to {held}"
                yield Doubt(("cards", name, cost), told, name, sure=False)
        yield from _idle(name, card, cards, raw["rules"]["dog_limit"])
    hand = raw["rules"]["starting_hand"]
    if hand > size["starter"]:
        yield Doubt(("rules", "starting_hand"), f"deals {hand} cards, and a player begins with {size['starter']}")
    if not raw["rules"]["dog_limit"]:
        yield Doubt(("rules", "dog_limit"), "leaves no room for a dog")
    legendary = [name for name, card in cards.items() if decks[card["deck"]]["role"] == "legendary"]
    if legendary and not dealt:
        yield Doubt(
            ("rules", "legendary_dealt"), f"deals no legendary card, so that nobody sees {word_list(legendary)}"
        )
    if size["upgrade"] and not gained:
        yield Doubt(("decks",), "no card takes upgrades, so that nobody sees the upgrade decks")
    yield from _unused_places(ruleset)


def _most_held(raw: Mapping[str, Any], deck: int) -> int:
    """Return the cards of a first hand and all that starter cards draw beyond themselves and what they cost."""
    held, dogs = int(raw["rules"]["starting_hand"]), int(raw["rules"]["dog_limit"])
    for card in raw["cards"].values():
        if raw["decks"][card["deck"]]["role"] == "starter":
            drawn = -1 - (card["energy"] if isinstance(card["energy"], int) else 0)
            for effect in card.get("effects", ()):
                many = effect.get("n", deck) if effect["op"] in _FILLING else 0
                drawn += (many if isinstance(many, int) else deck) * (dogs if "per" in effect else 1)
            held += max(0, drawn) * card["copies"]
    return held


_FILLING: Final = ("draw", "recover", "recover_tag", "day_draw", "on_move_draw")
"""Ops that bring cards to a hand."""
_COSTS: Final = {"energy": "other cards of the hand", "health": "cards of the deck", "risk": "cards of the deck"}
"""What each cost takes."""
_NOTHING_AT_ZERO: Final = (
    *("draw", "recover", "damage", "hypothermia", "starvation", "day_draw", "on_move_draw", "speed"),
)
"""Ops that do nothing at all with the number 0; a move still covers the speed."""


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
        elif effect["op"] in _NOTHING_AT_ZERO and effect["n"] == 0:
            vain.append((place, "n", "is 0, so that it does nothing"))
        elif effect["op"] == "counts_as" and effect["n"] > limit:
            message = f"takes the room of {effect['n']} dogs, and a team has room for {limit}"
            yield Doubt(("cards", name, "effects", place, "n"), message, name)
    never = name if len(vain) == len(effects) and card["type"] not in ("dog", "damage") else ""
    for place, key, message in vain:
        yield Doubt(("cards", name, "effects", place, key), message, never)
    if not effects and card["type"] not in ("dog", "damage"):
        yield Doubt(("cards", name, "effects"), "is empty, so that the card does nothing", name)


def _unused_places(ruleset: Ruleset) -> Iterator[Doubt]:
    """Yield marked spaces behind the finish, and legs of the last text that lie on no space."""
    raw, options = ruleset.raw, ruleset.raw["options"]
    layout, finish = str(options["board_layout"]), int(options["finish_at"])
    board = raw["boards"][layout]
    for kind in MARKED:
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
