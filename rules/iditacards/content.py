"""The facts of one resolved Iditacards ruleset as typed values, and unpacked for the engine.

What is declared here is also what the tables of a ruleset may say. ``build`` trusts its input, which ``validation``
has checked. ``Rulings`` has lookups by card and space, and options as plain values.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from rules.core.chance import Chance
from rules.core.declared import APART, REMARK, SHOWN, SORTED, Called, Default, Named, Size, Title, built
from rules.core.errors import told_names
from rules.core.schema import Either, Integer, ListOf, Text

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
        printed = {kind: getattr(self, kind) for kind in CONDITIONS}
        return {kind: number for kind, number in printed.items() if number is not None}

    @property
    def pluses(self) -> dict[str, int]:
        """Return the points a solitaire board adds to the printed numbers, by condition."""
        solo = {kind: getattr(self, f"{kind}_solo") for kind in self.numbers}
        return {kind: number - self.numbers[kind] for kind, number in solo.items() if number is not None}

    def cost_mod(self, cost: str) -> int:
        """Return the points added to a cost of cards."""
        mod = self.passive.get(f"leg_cost_mod:{cost}") if self.passive else None
        return 0 if mod is None else int(mod["n"])


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


@dataclass(frozen=True, slots=True)
class Content:
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


def build(raw: Mapping[str, Any], ops: Mapping[str, Any]) -> Content:
    """Return the typed content of a resolved and validated ruleset; ``ops`` is the op table, by name."""
    weather = raw.get("weather", {})
    names = {table: told_names(raw.get(table, {})) for table in ("cards", "legs")}
    return Content(
        rules=built(Rules, raw["rules"]),
        options=raw["options"],
        decks={name: built(Deck, deck, id=name) for name, deck in raw["decks"].items()},
        boards={name: built(Board, board) for name, board in raw["boards"].items()},
        legs={
            key: built(Leg, {**leg, "name": names["legs"][key]}, id=key, passive=_acting(leg, ops)[1])
            for key, leg in raw.get("legs", {}).items()
        },
        cards={key: _card(key, names["cards"][key], card, ops) for key, card in raw["cards"].items()},
        weather={face: built(Weather, weather.get(face, {}), face=face) for face in raw["rules"]["weather"]},
    )


def _card(key: str, name: str, raw: Mapping[str, Any], ops: Mapping[str, Any]) -> Card:
    instant, passive = _acting(raw, ops)
    energy = None if raw["energy"] == ALL else raw["energy"]
    return built(Card, {**raw, "name": name, "energy": energy}, id=key, instant=instant, passive=passive)


def _acting(entry: Mapping[str, Any], ops: Mapping[str, Any]) -> tuple[tuple[Effect, ...], dict[str, dict[str, Any]]]:
    """Return what a card does once, and what it or a leg does for as long as it is there.

    Cost modifiers are kept apart by cost, so that ``number("cost_mod:energy")`` is one lookup.
    """
    instant: list[Effect] = []
    passive: dict[str, dict[str, Any]] = {}
    for effect in entry.get("effects", ()):
        op, args = effect["op"], {key: value for key, value in effect.items() if key not in _NO_ARGS}
        if ops[op]["kind"] in ("instant", "second_step"):
            instant.append(Effect(op, args, effect.get("when"), effect.get("unless")))
        else:
            _merge(passive, f"{op}:{args['cost']}" if "cost" in args else op, args)
    return tuple(instant), passive


_NO_ARGS: Final = ("op", "when", "unless", "while")


def _merge(table: dict[str, dict[str, Any]], key: str, args: Mapping[str, Any]) -> None:
    known = table.setdefault(key, {})
    for name, value in args.items():
        summed = isinstance(value, int) and not isinstance(value, bool) and name in known and key != "speed_mult"
        known[name] = known[name] + value if summed else value


EVENTS: Final = {"deck": 1, "weather": 2, "legs": 3, "legendary": 4, "upgrade": 5}
"""Numbers of the kinds of chance events, by source (R72)."""

_AUTO_BASE: Final[dict[str, int | None]] = {"none": None, "speed": 0, "one_plus_speed": 1}


class Rulings:
    """Everything about a ruleset and its open chance that a turn looks up; only a cache ever changes."""

    def __init__(self, content: Content, players: int, chance: Chance) -> None:
        self.content = content
        self.players = players
        self.chance = chance
        self.cards: Mapping[str, Card] = content.cards
        self.options: Mapping[str, Any] = content.options
        self.rules = content.rules
        self.board: Board = content.boards[str(self.options["board_layout"])]
        self.spaces = max(section.last for section in self.board.sections)
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

        self.legendary_cards = content.deck_cards(content.deck_of_role("legendary"))
        """All that several players are dealt from."""
        box = next(deck for deck in content.decks.values() if deck.role == "damage")
        self.damage_cards = box.cards
        self.damage_card = next(card.id for card in self.cards.values() if card.deck == box.id)
        self.damage_ids = frozenset(card.id for card in self.cards.values() if card.type == "damage")
        self.free_cost_until: Mapping[str, str] = {
            effect.args["cost"]: effect.args["until"]
            for card in self.cards.values()
            for effect in card.instant
            if effect.op == "free_cost"
        }
        self.numbers: dict[str, dict[str, int]] = defaultdict(dict)
        """By passive op: its number on each card that has it, 1 where it has none."""
        for card in self.cards.values():
            for op, args in card.passive.items():
                self.numbers[op][card.id] = args.get("n", 1)

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

    def orders(self, source: str, owner: int) -> Sequence[Sequence[str]]:
        """Return the listed orders of one owner of a source, from the first event on (R74)."""
        lists = self.chance.lists.get(source)
        return lists[owner] if lists else ()

    def track(self, legs: tuple[str, ...]) -> tuple[Leg | None, ...]:
        """Return the leg of each space from 0 to the end of the track, or nothing where there is none."""
        if legs not in self._tracks:
            track: list[Leg | None] = [None] * (self.spaces + 1)
            for section, leg in zip(self.board.sections, legs, strict=True):
                here = None if leg == NO_LEG else self.content.legs[leg]
                track[section.first : section.last + 1] = [here] * (section.last + 1 - section.first)
            self._tracks[legs] = tuple(track)
        return self._tracks[legs]

    def leg_number(self, leg: Leg, kind: str) -> int | None:
        """Return the number of a condition that counts on this board's leg (Q76, Q77); none if not printed."""
        number: int | None = getattr(leg, kind)
        raised = number is not None and self.board.solo and self.options["solo_plus"] != "add_after"
        return (number or 0) + leg.pluses.get(kind, 0) if raised else number

    def leg_plus(self, leg: Leg, kind: str) -> int:
        """Return the points added after the number is set, on a solitaire board with Q77 ``add_after``."""
        later = self.board.solo and self.options["solo_plus"] == "add_after"
        return leg.pluses.get(kind, 0) if later else 0
