"""The facts of one resolved Iditacards ruleset as typed values, and what a valid one looks like.

What is declared here is also what the tables of a ruleset may say. ``build`` trusts its input; ``check`` has looked
at it first.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from rules.core.errors import told_names, word_list
from rules.core.files import Faults, KeyPath, data_file
from rules.core.registry import (
    REMARK,
    SHOWN,
    Meta,
    OptionTable,
    Remark,
    Title,
    entries,
    entry_of,
    ruleset_table,
    stated_shape,
)
from rules.core.schema import (
    APART,
    MISSING,
    ORDERED,
    SET,
    SORTED,
    Called,
    Default,
    Either,
    Field,
    Integer,
    LeftOut,
    ListOf,
    MapOf,
    Named,
    Size,
    Table,
    Tagged,
    Text,
    built,
    table_of,
)

NO_LEG: Final = "none"
"""Leg id of spaces that belong to no leg."""
ALL: Final = "all"
"""The energy cost, or the number of a card, that means every card there is."""
UNTIL_DOG: Final = "until_dog"
"""The number that means cards up to and including the first dog."""
DESTROYED: Final = "destroyed"
"""The number that means as many as were destroyed by ``destroy_hand``."""

FACES: Final = ("snow", "sun", "wind", "cloud", "storm", "rain")
"""Faces of the weather die (R62)."""
CARD_TYPES: Final = ("dog", "attachment", "food", "personal", "sled", "movement", "utility", "damage")
CONDITIONS: Final = ("hypothermia", "starvation")
ROLES: Final = ("starter", "upgrade", "legendary", "damage")
MARKED: Final = ("checkpoints", "cold", "hungry", "damage")
"""Spaces of a board at which something happens."""

Option = str | bool | int
Space: TypeAlias = Annotated[int, Integer(1, 100_000)]
Spaces: TypeAlias = Annotated[frozenset[Space], SORTED, Default(())]
Points: TypeAlias = Annotated[int, Integer(-99, 99), Default(0)]
Flag: TypeAlias = Annotated[bool, Default(False)]
Cost: TypeAlias = Annotated[int, Integer(0, 99)]
Some: TypeAlias = Annotated[int, Integer(1, 99)]
Printed: TypeAlias = Annotated[int | None, Integer(0, 99), Default(None)]
Limit: TypeAlias = Annotated[int | None, Integer(1, 99), Default(None)]
CardType: TypeAlias = Annotated[str, Text(CARD_TYPES)]


class Effect(NamedTuple):
    """One operation of a card or leg, with conditions of it; ``ops.toml`` says what each one means."""

    op: str
    args: Mapping[str, Any]
    """Keyword arguments of the op, defaults left out."""
    when: str | None = None
    unless: str | None = None


class Card(NamedTuple):
    """One card of the game; all its copies are interchangeable."""

    id: Annotated[str, APART]
    name: Annotated[str, SHOWN, "name on the card"]
    type: Annotated[str, Text(CARD_TYPES), "kind of card"]
    tags: Annotated[frozenset[str], SORTED, Default(()), "words that effects ask for, such as fake or venison"]
    rarity: Annotated[Title, "how rare it is"]
    deck: Annotated[str, "the deck it belongs to"]
    copies: Annotated[Some, "copies in one deck"]
    energy: Annotated[int | None, Either((Integer(0, 99), Text((ALL,)))), "hand cards to discard"]
    """``None`` means "all"."""
    health: Annotated[Cost, "deck cards to discard"]
    risk: Annotated[Cost, "deck cards to play, one on each later turn"]
    effects: Annotated[tuple[Annotated[Any, Named("effect")], ...], Default(()), "what it does, in order"]
    summary: Annotated[Title, "what it does, in one sentence"]
    instant: Annotated[tuple[Effect, ...], APART]
    """What happens when the card resolves, in order; second steps included."""
    passive: Annotated[Mapping[str, Mapping[str, Any]], APART]
    """What holds while it is in play, or on the stack, or always: arguments by op, numbers of equal ops added."""

    def number(self, op: str, default: int = 0) -> int:
        """Return the ``n`` of a passive op of this card, or ``default`` without it."""
        return int(self.passive[op]["n"]) if op in self.passive else default


class Leg(NamedTuple):
    """One leg of the track."""

    id: Annotated[str, APART]
    name: Annotated[str, SHOWN]
    type: Annotated[Limit, "leg type, where the board has a place for a type"]
    copies: Annotated[Some, Default(1), "cards of this leg among those of its type"]
    hypothermia: Printed
    hypothermia_solo: Printed
    starvation: Printed
    starvation_solo: Printed
    effects: Annotated[tuple[Annotated[Any, Named("effect")], ...], Default(()), "what holds on it"]
    summary: Title
    passive: Annotated[Mapping[str, Mapping[str, Any]], APART]
    """Arguments by leg op, numbers of equal ops added."""

    @property
    def numbers(self) -> dict[str, int]:
        """Return the printed numbers of the conditions; one that is not printed is absent."""
        return {kind: number for kind in CONDITIONS if (number := getattr(self, kind)) is not None}

    @property
    def pluses(self) -> dict[str, int]:
        """Return the points a solitaire board adds to the printed numbers, by condition."""
        numbers = self.numbers
        return {kind: solo - numbers[kind] for kind in numbers if (solo := getattr(self, f"{kind}_solo")) is not None}

    def cost_mod(self, cost: str) -> int:
        """Return the points added to a cost of cards."""
        op = f"leg_cost_mod:{cost}"
        return int(self.passive[op]["n"]) if op in self.passive else 0


NOWHERE: Final = Leg(NO_LEG, "", None, 0, None, None, None, None, (), "", {})
"""What is underfoot on a space that belongs to no leg."""


class Section(NamedTuple):
    """A stretch of spaces that holds one leg."""

    leg: Annotated[str, "leg id, none, or type<k> where the leg is one card of type k"]
    first: Annotated[Space, Called("from"), "its first space"]
    last: Annotated[Space, Called("to"), "its last space"]


class Board(NamedTuple):
    """The track."""

    spaces: Annotated[Space, "length of the track"]
    sections: Annotated[tuple[Section, ...], Size(1), "which leg lies where"]
    checkpoints: Annotated[Spaces, "where a sled that passes may rest"]
    cold: Annotated[Spaces, "where hypothermia rises"]
    hungry: Annotated[Spaces, "where starvation rises"]
    damage: Annotated[Spaces, "where a sled takes damage"]
    default_legs: Annotated[tuple[str, ...], Default(()), "the leg of each leg type, from type 1"]
    solo: Annotated[Flag, "whether the solitaire numbers of the legs count (Q76)"]


class Weather(NamedTuple):
    """What one face of the die does (R62)."""

    face: Annotated[str, APART]
    speed: Annotated[Points, "added to the speed"]
    hypothermia: Annotated[Points, "added to hypothermia on arrival"]
    starvation: Annotated[Points, "added to starvation on arrival"]
    empties_supply: Flag
    cancels_bonuses: Flag
    caps_hand: Flag
    no_move: Flag
    no_sled: Flag


CALM: Final = Weather("none", 0, 0, 0, False, False, False, False, False)
"""What acts on who is out of the weather."""


class Deck(NamedTuple):
    """A deck as it lies in the box."""

    id: Annotated[str, APART]
    role: Annotated[str, Text(ROLES), "what the deck is for"]
    cards: Annotated[int, Integer(0, 9999), "cards in one such deck; the sum of its cards' copies"]
    sets: Annotated[Some, Default(1), "equal decks in the box, one for each player"]


class Rules(NamedTuple):
    """Numbers and other facts that are neither a ruling nor a card."""

    starting_hand: Annotated[Cost, "R7, R64: cards of a new hand"]
    dog_limit: Annotated[Cost, "R50"]
    condition_cap: Annotated[Limit, "R48: no counter rises above it; left out: no cap"]
    death_at: Annotated[Limit, "R49: a counter this high throws the sled back; left out: nobody dies"]
    death_back: Annotated[int | None, Integer(0, 10_000), Default(None), "R49: spaces it is thrown back"]
    no_move_at: Annotated[Limit, "R44: no own move while a counter is at this level; left out: no such level"]
    legendary_dealt: Annotated[Cost, "R6: legendary cards dealt to each player"]
    legendary_to: Annotated[str, Text(("discard", "hand")), "R66: where a chosen legendary card goes"]
    weather: Annotated[
        tuple[str, ...], ListOf(Text(FACES), 6, 6, unique=True, or_empty=True), "R62: the six faces of the die, or none"
    ]
    solitaire_removed_types: Annotated[tuple[CardType, ...], Size(unique=True), "R10"]
    leg_cards_in_source: Annotated[int | None, Integer(0, 999), Default(None), REMARK, "leg cards of the published box"]
    condition_cost: Annotated[str, Text(("each", "half", "none")), "R18"]
    condition_speed: Annotated[str, Text(("half_up", "none")), "R43"]
    auto_move_by_condition: Annotated[bool, "R47"]
    heal_rest: Annotated[str, Text(("hand", "discard")), "where a looked-at card goes that does not go back"]
    take_from: Annotated[str, Text(("deck", "supply")), "where sled cards take upgrades from"]


class Content(NamedTuple):
    """Everything a ruleset says."""

    rules: Rules
    options: Mapping[str, Option]
    """Every option of the specification with its value, those left to their neutral value included."""
    decks: Mapping[str, Deck]
    boards: Mapping[str, Board]
    legs: Mapping[str, Leg]
    cards: Mapping[str, Card]
    weather: Mapping[str, Weather]
    """By face, in the order of the die."""

    def upgrade_decks(self) -> tuple[str, ...]:
        """Return the upgrade decks' names in file order, the order of the state's ``upgrade`` field."""
        return tuple(deck.id for deck in self.decks.values() if deck.role == "upgrade")

    def deck_cards(self, deck: str | None) -> list[str]:
        """Return the card ids of one deck, all copies written out, ascending; none where there is no such deck."""
        return sorted(card.id for card in self.cards.values() if card.deck == deck for _ in range(card.copies))

    def deck_of_role(self, role: str) -> str | None:
        """Return the name of the first deck with this role."""
        return next((deck.id for deck in self.decks.values() if deck.role == role), None)


def leg_type(leg: str) -> int | None:
    """Return the number of a section's leg type, or nothing when the section names a leg itself."""
    return int(leg[4:]) if leg.startswith("type") and leg[4:].isdecimal() else None


def build(raw: Mapping[str, Any]) -> Content:
    """Return the typed content of a resolved and validated ruleset."""
    weather = raw.get("weather", {})
    names = {table: told_names(raw.get(table, {})) for table in ("cards", "legs")}
    return Content(
        rules=built(Rules, raw["rules"]),
        options=raw["options"],
        decks={name: built(Deck, deck, id=name) for name, deck in raw["decks"].items()},
        boards={name: built(Board, board) for name, board in raw["boards"].items()},
        legs={
            key: built(Leg, {**leg, "name": names["legs"][key]}, id=key, passive=_acting(leg)[1])
            for key, leg in raw.get("legs", {}).items()
        },
        cards={key: _card(key, {**card, "name": names["cards"][key]}) for key, card in raw["cards"].items()},
        weather={face: built(Weather, weather.get(face, {}), face=face) for face in raw["rules"]["weather"]},
    )


def _card(key: str, raw: Mapping[str, Any]) -> Card:
    instant, passive = _acting(raw)
    energy = None if raw["energy"] == ALL else raw["energy"]
    return built(Card, raw, id=key, energy=energy, instant=instant, passive=passive)


def _acting(entry: Mapping[str, Any]) -> tuple[tuple[Effect, ...], dict[str, dict[str, Any]]]:
    """Return what a card does once, and what it or a leg does for as long as it is there.

    Cost modifiers are kept apart by cost, so that ``number("cost_mod:energy")`` is one lookup.
    """
    instant: list[Effect] = []
    passive: dict[str, dict[str, Any]] = {}
    for effect in entry.get("effects", ()):
        op = effect["op"]
        args = {key: value for key, value in effect.items() if key not in ("op", "when", "unless", "while")}
        if ops()[op]["kind"] in INSTANT_KINDS:
            instant.append(Effect(op, args, effect.get("when"), effect.get("unless")))
        else:
            known = passive.setdefault(f"{op}:{args['cost']}" if "cost" in args else op, {})
            for name, value in args.items():
                summed = type(value) is int and name in known and op != "speed_mult"
                known[name] = known[name] + value if summed else value
    return tuple(instant), passive


_REMARKS: Final = ("note", "source", "provenance", "adapted_from", "adaptation")


class MetaTable(Meta):
    """What an edition says about itself."""

    rules_source: Remark
    card_source: Remark
    card_types: Annotated[tuple[CardType, ...], Size(unique=True), LeftOut("all"), "types of its cards"]


@cache
def ruleset_schema() -> Table:
    """Return the shape of a resolved ruleset."""
    weather = MapOf(table_of(Weather), Text(FACES, kind="a face of the die"))
    start = Field(Integer(0, 0), False, "where the sleds stand before the race", marks=(REMARK,))
    return ruleset_table(
        MetaTable,
        Rules,
        OPTIONS.schema,
        weather=Field(weather, False, "what each face does", default={}, marks=(SET,)),
        cards=entries(entry_of(Card, _REMARKS, effect=effects_of(leg=False))),
        decks=entries(table_of(Deck), ORDERED),
        boards=entries(Table({**entry_of(Board, _REMARKS).fields, "start": start})),
        legs=entries(entry_of(Leg, _REMARKS, effect=effects_of(leg=True)), ORDERED),
    )


def check(raw: Mapping[str, Any], faults: Faults) -> None:
    """Note every disagreement between the entries of a ruleset whose own shape is right."""
    parts, whole = ruleset_schema().fields, raw
    if faults.count:
        whole = {name: raw[name] for name, part in parts.items() if name in raw and part.schema.accepts(raw[name])}
    given = {name: table if isinstance(table, dict) else {} for name, table in raw.items()}

    def sound(table: str) -> Mapping[str, Any]:
        shape, entries = parts[table].schema, given.get(table, {})
        return whole.get(table) or {name: entry for name, entry in entries.items() if shape.accepts({name: entry})}

    cards, decks, legs = given.get("cards", {}), sound("decks"), sound("legs")
    types = whole.get("meta", {}).get("card_types", CARD_TYPES)
    roles = {name: decks[name]["role"] if name in decks else "" for name in given.get("decks", {})}
    for name, card in cards.items() if isinstance(raw.get("decks"), dict) else ():
        if isinstance(card, dict):
            _check_card(name, card, roles, types, faults)
    if "decks" in whole and cards and all(_counted(card, decks) for card in cards.values()):
        for name, size in deck_sizes(raw).items():
            if (says := decks[name]["cards"]) != size:
                faults.add(("decks", name, "cards"), f"says {says}, but the copies of its cards add up to {size}")
    needed = {"starter": 1, "legendary": 0, "damage": 1} if {"cards", "decks", "rules"} <= whole.keys() else {}
    for role, least in needed.items():
        names = [name for name, deck in decks.items() if deck["role"] == role]
        if not least <= len(names) <= 1:
            wanted = "exactly one" if least else "at most one"
            faults.add(("decks",), f"there must be {wanted} deck with the role '{role}', not {len(names)}")
        elif role == "damage":
            kinds = [card for card, facts in cards.items() if facts["deck"] == names[0]]
            if len(kinds) != 1:
                faults.add(("decks", names[0]), f"must hold exactly one kind of card, not {len(kinds)}")
        elif role == "legendary" and not names and raw["rules"]["legendary_dealt"] > 0:
            faults.add(("rules", "legendary_dealt"), "must be 0 without a deck with the role 'legendary'")
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

INSTANT_KINDS: Final = ("instant", "second_step")
"""Kinds of ops that happen once, and may depend on a condition."""


@cache
def ops() -> Mapping[str, Mapping[str, Any]]:
    """Return the op table, by name."""
    return dict(data_file(_HERE, "ops")["ops"])


def ops_bringing(*sources: str) -> frozenset[str]:
    """Return the ops that bring cards back from some of ``discard``, ``supply`` and ``day``."""
    return frozenset(name for name, op in ops().items() if op.get("brings") in sources)


@cache
def effect_schema(op: str) -> Table:
    """Return the shape of an effect with this op."""
    table = ops()[op]
    fields = {"op": Field(Text((op,)), doc=table["meaning"])}
    for name, key in table.get("keys", {}).items():
        is_needed = {"default", "optional"}.isdisjoint(key)
        fields[name] = Field(stated_shape(key), is_needed, default=key.get("default", MISSING))
    if table["kind"] in INSTANT_KINDS:
        condition = Text(tuple(data_file(_HERE, "ops")["conditions"]), kind="a condition")
        fields["when"] = Field(condition, False, "the effect happens only if this holds")
        fields["unless"] = Field(condition, False, "the effect happens only if this does not hold")
    if "while" in table:
        told = "repeats the kind of the op, for readers"
        fields["while"] = Field(Text((table["while"],)), required=False, doc=told, marks=(REMARK,))
    return Table(fields)


def effects_of(*, leg: bool) -> Tagged:
    """Return the shape of an effect of a card, or of a leg: a table whose keys depend on its op."""
    own = {name: effect_schema(name) for name, op in ops().items() if (op["kind"] == "leg") == leg}
    other = "an op of a card, not of a leg" if leg else "an op of a leg, not of a card"
    return Tagged("op", own, {name: other for name in ops() if name not in own})
