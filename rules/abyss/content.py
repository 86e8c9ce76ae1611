"""One Abyss ruleset: its facts as typed values, what its rulings make of them, and what a valid one looks like.

``build`` trusts its input; ``check_ruleset`` has looked at it first.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from rules.abyss.state import ABYSS, ANY, CITY
from rules.core.errors import told_names, word_list
from rules.core.files import Faults, data_file
from rules.core.registry import (
    SHOWN,
    Doubt,
    Meta,
    OptionTable,
    Remark,
    Ruleset,
    Title,
    entries,
    entry_of,
    ruleset_table,
    stated_shape,
)
from rules.core.schema import (
    APART,
    ORDERED,
    Default,
    Field,
    Integer,
    ListOf,
    MapOf,
    Named,
    Schema,
    Table,
    Tagged,
    Text,
    built,
    table_of,
)
from rules.core.scripts import Chance

ACTIONS: Final = "actions"
EVENTS: Final = "events"
MODIFIER: Final = "modifier"
"""The timing of an Event that works from the moment it is dealt (5.E)."""

Number: TypeAlias = Annotated[int, Integer(0, 99)]
Points: TypeAlias = Annotated[int, Integer(-999, 999)]
Some: TypeAlias = Annotated[int, Integer(1, 99)]
Flag: TypeAlias = Annotated[bool, Default(False)]


class Effect(NamedTuple):
    """One operation of a card; ``ops.toml`` says what each one means."""

    op: str
    args: Mapping[str, Any]
    """Keyword arguments of the op, options written out."""


@dataclass(frozen=True, slots=True)
class Card:
    """One Action or Event card; all its copies are interchangeable."""

    id: Annotated[str, APART]
    name: Annotated[str, SHOWN, "name on the card"]
    deck: Annotated[str, Text((ACTIONS, EVENTS)), "where it belongs"]
    count: Annotated[int, Integer(0, 999), "copies in the deck"]
    """Copies with the options that hold; 0 where an option keeps it out."""
    location: Annotated[str, Named("location"), "where it works, or the option for it"]
    timing: Annotated[
        str | None, Text(("event", MODIFIER)), Default(None), "modifier: an Event that works as soon as it is dealt"
    ]
    icon: Annotated[Flag, "the picture of two people stands on it (AB-Q18)"]
    unowned: Annotated[Flag, "its text does not say whose partners it means (AB-Q17)"]
    flashlight_stops: Annotated[Flag, "a Flashlight stops its damage"]
    needs: Annotated[Any, Named("needs"), Default(None), "the option and value under which the card takes part"]
    effects: Annotated[tuple[Annotated[Effect, Named("effect")], ...], "what it does, in order"]
    summary: Annotated[Title, "what it does, in one sentence"]

    @property
    def is_modifier(self) -> bool:
        """Return whether it works from the moment it is dealt (5.E)."""
        return self.timing == MODIFIER

    def args(self, op: str) -> Mapping[str, Any] | None:
        """Return the arguments of the first effect with this op, or nothing without one."""
        return next((effect.args for effect in self.effects if effect.op == op), None)


class Hireling(NamedTuple):
    """A type of partner."""

    id: Annotated[str, APART]
    name: Annotated[str, SHOWN]
    cost: Annotated[Some, "printed cost"]
    hp: Annotated[Some, "HP of a healthy one"]
    summary: Title


class Identity(NamedTuple):
    """Who a player is."""

    id: Annotated[str, APART]
    name: Annotated[str, SHOWN]
    modifiers: Annotated[Mapping[str, Mapping[str, Any]], Named("modifiers"), "what it changes"]
    """Arguments by modifier."""
    summary: Title


class Goal(NamedTuple):
    """AP and RP that win together."""

    ap: Points
    rp: Points

    def is_met(self, ap: int, rp: int) -> bool:
        """Return whether these points win (8.1)."""
        return ap >= self.ap and rp >= self.rp


class Content(NamedTuple):
    """Everything a ruleset says."""

    rules: Mapping[str, int]
    goals: Mapping[str, Goal]
    options: Mapping[str, Any]
    """Every option of the specification with its value, those left to their neutral value included."""
    identities: Mapping[str, Identity]
    partners: Mapping[str, Hireling]
    """In canonical order."""
    cards: Mapping[str, Card]

    def deck_cards(self, deck: str) -> list[str]:
        """Return the card ids of one deck, all copies written out, ascending."""
        return sorted(card.id for card in self.cards.values() if card.deck == deck for _ in range(card.count))


def build(raw: Mapping[str, Any]) -> Content:
    """Return the typed content of a resolved and validated ruleset."""
    options = raw["options"]
    cards, people, partners = (
        {key: {**raw[table][key], "name": name} for key, name in told_names(raw[table]).items()}
        for table in ("cards", "identities", "partners")
    )
    for person in people.values():
        person["modifiers"] = {entry["mod"]: entry for entry in person["modifiers"]}
    return Content(
        rules=dict(raw["rules"]),
        goals={name: built(Goal, goal) for name, goal in raw["goals"].items()},
        options=options,
        identities={key: built(Identity, entry, id=key) for key, entry in sorted(people.items())},
        partners={key: built(Hireling, entry, id=key) for key, entry in partners.items()},
        cards={key: built(Card, _card(key, entry, options), id=key) for key, entry in sorted(cards.items())},
    )


def _card(key: str, raw: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    needs, counts = raw.get("needs"), options["event_counts"]
    count = counts.get(key, raw["count"]) if isinstance(counts, Mapping) else raw["count"]
    if needs is not None and options[needs["option"]] != needs["value"]:
        count = 0
    location, effects = options.get(raw["location"], raw["location"]), raw["effects"]
    return {**raw, "location": location, "effects": [_effect(each, options) for each in effects], "count": count}


def _effect(raw: Mapping[str, Any], options: Mapping[str, Any]) -> Effect:
    args = {key: value for key, value in raw.items() if key != "op"}
    if isinstance(args.get("amount"), str):
        args["amount"] = options[args["amount"]]
    return Effect(raw["op"], args)


# Rulings

KINDS: Final = {ACTIONS: 1, EVENTS: 2}
"""Numbers of the kinds of chance events, by source (17)."""


class Traits(NamedTuple):
    """What an identity makes of the numbers."""

    prices: tuple[int, ...]
    """Of each partner type, in order (5.B)."""
    penalties: Mapping[str, int]
    """By partner type (7)."""
    temp_price: int | None
    """Of a temporary partner; nothing where the identity takes none."""
    two_cards: bool
    """Temporary partners may be a second team."""
    damage: Mapping[str, tuple[int, int]]
    """Points added to each loss of HP and the least loss, by location (10.2)."""
    treatment: tuple[int, int]
    """AP added to the payment for one healing card, and the least payment."""


class Rulings:
    """Everything about a ruleset and its open chance that a stage looks up."""

    def __init__(self, content: Content, players: int, chance: Chance) -> None:
        self.content, self.players, self.chance = content, players, chance
        self.cards, self.rules, self.options = content.cards, content.rules, content.options
        self.goals, option = tuple(content.goals.values()), self.options

        self.types = tuple(content.partners)
        self.place = {name: place for place, name in enumerate(self.types)}
        self.full_hp = {name: partner.hp for name, partner in content.partners.items()}
        self.traits = {name: self._traits(name) for name in content.identities}
        supply = option["partner_supply"]
        same = dict.fromkeys(self.types, supply) if isinstance(supply, int) else {}
        self.supply: Mapping[str, int] = supply if isinstance(supply, Mapping) else same
        """How many partners of each type there are, those without limit left out (AB-Q7)."""
        self.cap: int | None = _number(option["partner_cap"])
        self.treasure_supply: int | None = _number(option["treasure_supply"])
        self.temp_hp: int | None = _number(option["temp_hp"])
        self.round_limit: int | None = _number(option["round_limit"])
        self.temps_count: bool = option["temps_count"]

        self.rotates = option["start_player"] == "rotate"
        self.orders = [tuple((first + step) % players for step in range(players)) for first in range(players)]
        self.immediate = option["win_check"] == "immediate"
        self.joint = option["tie"] == "joint"
        self.own_carrier = option["treasure_needs"] == "own_carrier"
        self.everyone = option["event_scope"] == "everyone_there"
        self.icon_for_all = option["icon_reading"] == "all_players"

    def order(self, number: int) -> tuple[int, ...]:
        """Return the seats in the order of a round (1.2, AB-Q3)."""
        return self.orders[(number - 1) % self.players if self.rotates else 0]

    def _traits(self, name: str) -> Traits:
        modifiers = self.content.identities[name].modifiers
        penalty, damage, temps = (modifiers.get(each) for each in ("penalty_delta", "damage_delta", "temps"))
        paid = self.options["penalty_base"] == "paid"
        costs = {kind: partner.cost for kind, partner in self.content.partners.items()}
        prices = {kind: _changed(cost, modifiers.get("price_delta")) for kind, cost in costs.items()}
        return Traits(
            prices=tuple(prices.values()),
            penalties={kind: _changed(cost, penalty) for kind, cost in (prices if paid else costs).items()},
            temp_price=None if temps is None else temps["price"],
            two_cards=temps is not None and temps["max_cards"] > 1,
            damage={where: _delta(damage if damage and damage["where"] == where else None) for where in (CITY, ABYSS)},
            treatment=_delta(modifiers.get("treatment_payment_delta")),
        )


def _number(value: Any) -> int | None:
    """Return the number of an option that may be a word instead, which then means no number."""
    return None if isinstance(value, str) else int(value)


def _changed(number: int, modifier: Mapping[str, Any] | None) -> int:
    change, floor = _delta(modifier)
    return max(floor, number + change)


def _delta(modifier: Mapping[str, Any] | None) -> tuple[int, int]:
    return (0, 0) if modifier is None else (modifier["amount"], modifier["floor"])


# What a valid ruleset looks like


_HERE: Final = Path(__file__).resolve().parent
OPTIONS: Final = OptionTable(_HERE)
_REMARKS: Final = ("note", "source", "provenance", "count_provenance")


def entry_table(tag: str) -> Tagged:
    """Return the shape of an effect of a card, or of a modifier of an identity: its keys depend on its op."""
    words = data_file(_HERE, "ops")["ops" if tag == "op" else "modifiers"]

    def shape(name: str) -> Table:
        keys = {key: Field(stated_shape(facts)) for key, facts in words[name].get("keys", {}).items()}
        return Table({tag: Field(Text((name,)), doc=words[name]["meaning"]), **keys})

    return Tagged(tag, {name: shape(name) for name in words})


class MetaTable(Meta):
    """What an edition says about itself."""

    rules_source: Remark


class RulesTable:
    """Numbers that are no ruling."""

    players_most: Annotated[int, Integer(1, 12), "most players of a game"]
    ap: Annotated[Points, "3: AP at the start"]
    rp: Annotated[Points, "3: RP at the start"]
    hand: Annotated[Number, "3: cards of the first hand"]
    refill_below: Annotated[Number, "5.I: a smaller hand may draw"]
    refill_cards: Annotated[Number, "5.I: cards that it draws"]
    give_up_most: Annotated[Number, "5.B: cards that may be given up in a round"]
    give_up_draw: Annotated[Number, "5.B: cards drawn for them"]
    treasure_ap: Annotated[Number, "5.H: AP for a treasure"]
    treasure_rp: Annotated[Number, "5.H: RP for a treasure"]
    boost_factor: Annotated[int, Integer(1, 99), "10.1: how many times as much is found"]
    boost_damage: Annotated[Number, "10.1: HP that are lost besides"]


class NeedsTable:
    """Under which option a card takes part."""

    option: Annotated[str, Named("option")]
    value: Annotated[bool | Annotated[int, Integer()] | str, "its value"]


@cache
def ruleset_schema() -> Table:
    """Return the shape of a resolved ruleset."""
    goal = entry_of(Goal, _REMARKS)
    places = (name for name, row in OPTIONS.rows.items() if CITY in row.get("values", ()))
    words: dict[str, Schema] = {
        "needs": table_of(NeedsTable, option=Text(tuple(OPTIONS.rows), kind="an option")),
        "location": Text((CITY, ABYSS, ANY, *places)),
        "effect": entry_table("op"),
    }
    return ruleset_table(
        MetaTable,
        RulesTable,
        OPTIONS.schema,
        goals=Field(Table({"money": Field(goal), "fame": Field(goal)}), doc="8.1: either wins"),
        cards=entries(entry_of(Card, _REMARKS, **words)),
        identities=entries(entry_of(Identity, _REMARKS, modifiers=ListOf(entry_table("mod")))),
        partners=entries(entry_of(Hireling, _REMARKS), ORDERED),
    )


def check_ruleset(ruleset: Ruleset, faults: Faults) -> None:
    """Note every disagreement between the tables of a ruleset, as far as their own shapes are right."""
    raw = ruleset.raw
    for name in ("identities", "partners"):
        if isinstance(raw.get(name), dict) and not raw[name]:
            faults.add((name,), f"there must be at least one of the {name}")
    changes = Table({"modifiers": Field(ListOf(entry_table("mod")))}, open=True)
    for name, card in _sound(raw, "cards", ruleset_schema().fields["cards"].schema):
        for place, effect in enumerate(card["effects"]):
            if card["deck"] not in data_file(_HERE, "ops")["ops"][effect["op"]]["on"]:
                message = f"'{effect['op']}' is no op of a card of the deck '{card['deck']}'"
                faults.add(("cards", name, "effects", place, "op"), message)
        needs = card.get("needs")
        if needs is not None and not OPTIONS.schema.fields[needs["option"]].schema.accepts(needs["value"]):
            known = word_list(OPTIONS.rows[needs["option"]].get("values", ()))
            faults.add(("cards", name, "needs", "value"), f"no value of '{needs['option']}'; known: {known}")
        if card.get("timing") == MODIFIER and card["deck"] != EVENTS:
            faults.add(("cards", name, "timing"), "only an Event can be a modifier")
    for name, identity in _sound(raw, "identities", MapOf(changes)):
        names = [entry["mod"] for entry in identity["modifiers"]]
        for place, modifier in enumerate(names):
            if modifier in names[:place]:
                faults.add(("identities", name, "modifiers", place), f"'{modifier}' stands twice")


def _sound(raw: Mapping[str, Any], table: str, shape: Schema) -> Iterator[tuple[str, Any]]:
    found = raw.get(table)
    if isinstance(found, dict):
        yield from ((name, entry) for name, entry in found.items() if shape.accepts({name: entry}))


# What a sound ruleset says in vain

_TARGETED: Final = frozenset({"remove_partner", "take_card", "exchange_cards"})
"""Ops that need another player."""


def doubts(ruleset: Ruleset) -> Iterator[Doubt]:
    """Yield prices beyond the goal, cards that take no part or do nothing, and goals that are met at the start."""
    raw, options = ruleset.raw, ruleset.raw["options"]
    rules, money = raw["rules"], raw["goals"]["money"]["ap"]
    for name, goal in raw["goals"].items():
        if rules["ap"] >= goal["ap"] and rules["rp"] >= goal["rp"]:
            yield Doubt(("goals", name), "is met before anybody has moved")
    for name, partner in raw["partners"].items():
        if partner["cost"] > max(money, rules["ap"]):
            yield Doubt(("partners", name, "cost"), f"costs {partner['cost']} AP, and whoever has {money} has won")
    counts = options["event_counts"] if isinstance(options["event_counts"], Mapping) else {}
    dealt = {name: card for name, card in raw["cards"].items() if counts.get(name, card["count"])}
    events = [card for card in dealt.values() if card["deck"] == EVENTS]
    for name, card in raw["cards"].items():
        needs, path = card.get("needs"), ("cards", name)
        if needs is not None and options[needs["option"]] != needs["value"]:
            yield Doubt((*path, "needs"), f"takes no part while option {needs['option']} has another value", name)
        elif name not in dealt:
            yield Doubt((*path, "count"), "has no copy in the deck", name)
        elif card["deck"] == ACTIONS:
            yield from _vain(name, card, raw, events)
    held, deck = rules["hand"], sum(card["count"] for card in raw["cards"].values() if card["deck"] == ACTIONS)
    if held > deck:
        yield Doubt(("rules", "hand"), f"deals {held} Action cards to everybody, and there are {deck} at most")


def _vain(name: str, card: Mapping[str, Any], raw: Mapping[str, Any], events: Sequence[Any]) -> Iterator[Doubt]:
    """Yield the effects of an Action card that can never do anything, and the card where all are such."""
    rules, options = raw["rules"], raw["options"]
    effects, location = card["effects"], options.get(card["location"], card["location"])
    harmful = [each for each in events if any(effect["op"] == "damage" for effect in each["effects"])]
    vain = []
    for place, effect in enumerate(effects):
        if effect["op"] in _TARGETED and rules["players_most"] < 2:
            vain.append((place, "op", "needs another player, and one plays alone"))
        elif effect.get("where", location) != location and location != ANY:
            vain.append((place, "where", "is another place than that of the card"))
        elif options.get(effect.get("amount"), effect.get("amount")) == 0:
            vain.append((place, "amount", "changes nothing"))
        elif effect["op"] == "pay_per_healed" and all(each["op"] != "heal_all" for each in effects):
            vain.append((place, "op", "takes pay for healing, and the card heals nobody"))
        elif effect["op"] in ("heal_all", "pay_per_healed") and not harmful:
            vain.append((place, "op", "is about damage, and no Event does any"))
        elif effect.get("flag") == "flashlight" and not any(each.get("flashlight_stops") for each in harmful):
            vain.append((place, "flag", "waits for an Event that it stops, and there is none"))
        elif effect["op"] == "treasure" and not rules["treasure_ap"] and not rules["treasure_rp"]:
            vain.append((place, "op", "finds treasure, which is worth nothing"))
        elif effect.get("flag") == "explore_pending" and rules["boost_factor"] <= 1:
            vain.append((place, "flag", f"waits for a trip that gains {rules['boost_factor']} times as much"))
    never = name if len(vain) == len(effects) else ""
    sure = location == CITY  # elsewhere a card that does nothing still leads a team there
    for place, key, message in vain:
        yield Doubt(("cards", name, "effects", place, key), message, never, sure)
    if not effects:
        yield Doubt(("cards", name, "effects"), "is empty, so that the card does nothing", name, sure)
