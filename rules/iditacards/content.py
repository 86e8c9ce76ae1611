"""The facts of one resolved Iditacards ruleset as typed values: cards, legs, board, weather, numbers, options.

What is declared here is also what the tables of a ruleset may say. ``build`` trusts its input, which ``validation``
has checked.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from rules.core.declared import APART, SHOWN, SORTED, Called, Default, LeftOut, Named, Size, Title, built
from rules.core.errors import told_names
from rules.core.schema import Either, Integer, Text

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

Option = str | bool | int
Space: TypeAlias = Annotated[int, Integer(1, 100_000)]
Spaces: TypeAlias = Annotated[frozenset[Space], SORTED, Default(())]
Points: TypeAlias = Annotated[int, Integer(-99, 99), Default(0)]
Flag: TypeAlias = Annotated[bool, Default(False)]
Cost: TypeAlias = Annotated[int, Integer(0, 99)]
Some: TypeAlias = Annotated[int, Integer(1, 99)]


@dataclass(frozen=True, slots=True)
class Effect:
    """One operation of a card or leg; ``ops.toml`` says what each one means."""

    op: str
    args: Mapping[str, Any]
    """Keyword arguments of the op, defaults left out."""
    when: str | None = None
    """Condition that must hold."""
    unless: str | None = None
    """Condition that must not hold."""


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
        args = self.passive.get(op)
        return default if args is None else int(args["n"])


@dataclass(frozen=True, slots=True)
class Leg:
    """One leg of the track."""

    id: str
    name: str
    numbers: Mapping[str, int]
    """Printed hypothermia and starvation; a number that is not printed is absent."""
    pluses: Mapping[str, int]
    """Points a solitaire board adds to the printed numbers, by condition."""
    effects: Mapping[str, Mapping[str, Any]]
    """Arguments by leg op."""
    cost_mod: Mapping[str, int]
    """Points added to the costs of cards, by cost."""
    type: int | None
    copies: int


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


class Deck(NamedTuple):
    """A deck as it lies in the box."""

    id: Annotated[str, APART]
    role: Annotated[str, Text(ROLES), "what the deck is for"]
    cards: Annotated[int, Integer(0, 9999), "cards in one such deck; the sum of its cards' copies"]
    sets: Annotated[Some, Default(1), "equal decks in the box, one for each player"]


class LegEntry:
    """What a file says of a leg."""

    name: Annotated[str, SHOWN]
    type: Annotated[Some, LeftOut(), "leg type, where the board has a place for a type"]
    copies: Annotated[Some, Default(1), "cards of this leg among those of its type"]
    hypothermia: Annotated[Cost, LeftOut()]
    hypothermia_solo: Annotated[Cost, LeftOut()]
    starvation: Annotated[Cost, LeftOut()]
    starvation_solo: Annotated[Cost, LeftOut()]
    effects: Annotated[tuple[Annotated[Any, Named("effect")], ...], Default(()), "what holds on it"]
    summary: Title


@dataclass(frozen=True, slots=True)
class Content:
    """Everything a ruleset says."""

    rules: Mapping[str, Any]
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

    def deck_cards(self, deck: str) -> list[str]:
        """Return the card ids of one deck, all copies written out, ascending."""
        return sorted(card.id for card in self.cards.values() if card.deck == deck for _ in range(card.copies))

    def deck_of_role(self, role: str) -> str | None:
        """Return the name of the first deck with this role."""
        return next((deck.id for deck in self.decks.values() if deck.role == role), None)


def leg_type(leg: str) -> int | None:
    """Return the number of a section's leg type, or nothing when the section names a leg itself."""
    return int(leg[4:]) if leg.startswith("type") and leg[4:].isdecimal() else None


def build(raw: Mapping[str, Any], ops: Mapping[str, Any], neutral: Mapping[str, Option]) -> Content:
    """Return the typed content of a resolved and validated ruleset.

    ``ops`` is the op table, by name; ``neutral`` gives the value of each option that the ruleset leaves open.
    """
    weather = raw.get("weather", {})
    names = {table: told_names(raw.get(table, {})) for table in ("cards", "legs")}
    return Content(
        rules=dict(raw["rules"]),
        options={**neutral, **raw["options"]},
        decks={name: built(Deck, deck, id=name) for name, deck in raw["decks"].items()},
        boards={name: built(Board, board) for name, board in raw["boards"].items()},
        legs={key: _leg(key, names["legs"][key], leg) for key, leg in raw.get("legs", {}).items()},
        cards={key: _card(key, names["cards"][key], card, ops) for key, card in raw["cards"].items()},
        weather={face: built(Weather, weather.get(face, {}), face=face) for face in raw["rules"]["weather"]},
    )


def _effects(raw: Any) -> list[Effect]:
    return [
        Effect(
            effect["op"],
            {key: value for key, value in effect.items() if key not in ("op", "when", "unless", "while")},
            effect.get("when"),
            effect.get("unless"),
        )
        for effect in raw
    ]


def _card(key: str, name: str, raw: Mapping[str, Any], ops: Mapping[str, Any]) -> Card:
    instant: list[Effect] = []
    passive: dict[str, dict[str, Any]] = {}
    for effect in _effects(raw.get("effects", ())):
        if ops[effect.op]["kind"] in ("instant", "second_step"):
            instant.append(effect)
        else:
            _merge(passive, _passive_key(effect), effect.args)
    energy = None if raw["energy"] == ALL else raw["energy"]
    return built(Card, {**raw, "name": name, "energy": energy}, id=key, instant=tuple(instant), passive=passive)


def _passive_key(effect: Effect) -> str:
    """Cost modifiers are kept apart by cost, so that ``number("cost_mod:energy")`` is one lookup."""
    return f"cost_mod:{effect.args['cost']}" if effect.op == "cost_mod" else effect.op


def _merge(table: dict[str, dict[str, Any]], key: str, args: Mapping[str, Any]) -> None:
    known = table.setdefault(key, {})
    for name, value in args.items():
        summed = isinstance(value, int) and not isinstance(value, bool) and name in known and key != "speed_mult"
        known[name] = known[name] + value if summed else value


def _leg(key: str, name: str, raw: Mapping[str, Any]) -> Leg:
    numbers = {kind: raw[kind] for kind in ("hypothermia", "starvation") if kind in raw}
    pluses = {kind: raw[f"{kind}_solo"] - raw[kind] for kind in numbers if f"{kind}_solo" in raw}
    effects: dict[str, dict[str, Any]] = {}
    cost_mod: dict[str, int] = {}
    for effect in _effects(raw.get("effects", ())):
        if effect.op == "leg_cost_mod":
            cost_mod[effect.args["cost"]] = cost_mod.get(effect.args["cost"], 0) + effect.args["n"]
        else:
            _merge(effects, effect.op, effect.args)
    return Leg(
        id=key,
        name=name,
        numbers=numbers,
        pluses=pluses,
        effects=effects,
        cost_mod=cost_mod,
        type=raw.get("type"),
        copies=raw.get("copies", 1),
    )
