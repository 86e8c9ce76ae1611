"""What a valid Abyss ruleset looks like: the shape of its tables, and what must agree between them."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

from rules.abyss.content import ACTIONS, EVENTS, MODIFIER, Card, Goal, Hireling, Identity, Number, Points
from rules.abyss.state import ABYSS, ANY, CITY
from rules.core.declared import Meta, Named, Remark, entries, entry_of, ruleset_table, table_of
from rules.core.errors import word_list
from rules.core.files import KeyPath, data_file
from rules.core.registry import Doubt, OptionTable, Ruleset, stated_shape
from rules.core.schema import Faults, Field, Integer, ListOf, MapOf, Schema, Table, Tagged, Text

_HERE: Final = Path(__file__).resolve().parent
OPTIONS: Final = OptionTable(_HERE)
_REMARKS: Final = ("note", "source", "provenance", "count_provenance")
"""Keys that say where a fact comes from."""


def ops() -> Mapping[str, Mapping[str, Any]]:
    """Return the op table, by name."""
    return dict(data_file(_HERE, "ops")["ops"])


def modifiers() -> Mapping[str, Mapping[str, Any]]:
    """Return the table of what identities can change, by name."""
    return dict(data_file(_HERE, "ops")["modifiers"])


def check_option_tables(values: Mapping[str, Any], raw: Mapping[str, Any], path: KeyPath, faults: Faults) -> None:
    """Note entries of tables among the options that the ruleset does not have."""
    cards, partners = (raw[table] if isinstance(raw.get(table), dict) else {} for table in ("cards", "partners"))
    events = [name for name, card in cards.items() if isinstance(card, dict) and card.get("deck") == EVENTS]
    for name, value in values.items():
        if name in OPTIONS.rows and isinstance(value, dict):
            entries = list(partners) if OPTIONS.rows[name].get("table") == "partners" else events
            for key in value:
                if key not in entries:
                    hint = faults.nearest(key, entries) or f"; known: {word_list(entries)}"
                    faults.add((*path, name, key), f"'{key}' is nothing that has a number here{hint}")


def location_options() -> tuple[str, ...]:
    """Return the options whose values are locations."""
    return tuple(name for name, row in OPTIONS.rows.items() if "city" in row.get("values", ()))


def entry_table(tag: str) -> Tagged:
    """Return the shape of an effect of a card, or of a modifier of an identity: its keys depend on its op."""
    words = ops() if tag == "op" else modifiers()

    def shape(name: str) -> Table:
        keys = {key: Field(stated_shape(facts)) for key, facts in words[name].get("keys", {}).items()}
        return Table({tag: Field(Text((name,)), doc=words[name]["meaning"]), **keys})

    return Tagged(tag, tuple(words), cache(shape))


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
    words: dict[str, Schema] = {
        "needs": table_of(NeedsTable, option=Text(tuple(OPTIONS.rows), kind="an option")),
        "location": Text((CITY, ABYSS, ANY, *location_options())),
        "effect": entry_table("op"),
    }
    return ruleset_table(
        MetaTable,
        RulesTable,
        OPTIONS.schema,
        goals=Field(Table({"money": Field(goal), "fame": Field(goal)}), doc="8.1: either wins"),
        identities=entries(Identity, _REMARKS, modifiers=ListOf(entry_table("mod"))),
        partners=entries(Hireling, _REMARKS),
        cards=entries(Card, _REMARKS, **words),
    )


def check_ruleset(raw: Mapping[str, Any], faults: Faults) -> None:
    """Note every disagreement between the tables of a ruleset, as far as their own shapes are right."""
    if isinstance(raw.get("options"), dict):
        check_option_tables(raw["options"], raw, ("options",), faults)
    for name in ("identities", "partners"):
        if isinstance(raw.get(name), dict) and not raw[name]:
            faults.add((name,), f"there must be at least one of the {name}")
    changes = Table({"modifiers": Field(ListOf(entry_table("mod")))}, open=True)
    for name, card in _sound(raw, "cards", ruleset_schema().fields["cards"].schema):
        for place, effect in enumerate(card["effects"]):
            if card["deck"] not in ops()[effect["op"]]["on"]:
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


def check_options(raw: Mapping[str, Any], options: Mapping[str, Any], faults: Faults) -> None:
    """Note every unknown option and impossible value, the number of players among them, which is no option here."""
    if "players" in options:
        faults.add(
            ("players",), "the number of players (AB-Q1) is no option here; write it as the position's 'players'"
        )
    rest = {name: value for name, value in options.items() if name != "players"}
    OPTIONS.schema.check(rest, (), faults)
    check_option_tables(rest, raw, (), faults)


# What a sound ruleset says in vain

_TARGETED: Final = frozenset({"remove_partner", "take_card", "exchange_cards"})
"""Ops that need another player."""


def doubts(ruleset: Ruleset) -> Iterator[Doubt]:
    """Yield prices beyond the goal, cards that take no part or do nothing, and goals that are met at the start."""
    raw, options = ruleset.raw, {**OPTIONS.neutral, **ruleset.raw["options"]}
    rules, money = raw["rules"], raw["goals"]["money"]["ap"]
    for name, goal in raw["goals"].items():
        if rules["ap"] >= goal["ap"] and rules["rp"] >= goal["rp"]:
            yield Doubt(("goals", name), "is met before anybody has moved")
    for name, partner in raw["partners"].items():
        if partner["cost"] > max(money, rules["ap"]):
            yield Doubt(("partners", name, "cost"), f"costs {partner['cost']} AP, and whoever has {money} has won")
    counts = options["event_counts"] if isinstance(options["event_counts"], Mapping) else {}
    for name, card in raw["cards"].items():
        needs, path = card.get("needs"), ("cards", name)
        if needs is not None and options[needs["option"]] != needs["value"]:
            yield Doubt((*path, "needs"), f"takes no part while option {needs['option']} has another value", name)
        elif counts.get(name, card["count"]) == 0:
            yield Doubt((*path, "count"), "there is no copy in the deck", name)
        elif card["deck"] == ACTIONS:
            yield from _vain(name, card, rules["players_most"], options)


def _vain(name: str, card: Mapping[str, Any], players: int, options: Mapping[str, Any]) -> Iterator[Doubt]:
    """Yield the effects of an Action card that can never do anything, and the card where all are such."""
    effects, location = card["effects"], options.get(card["location"], card["location"])
    vain = []
    for place, effect in enumerate(effects):
        if effect["op"] in _TARGETED and players < 2:
            vain.append((place, "op", "needs another player, and one plays alone"))
        elif effect.get("where", location) != location and location != ANY:
            vain.append((place, "where", "is another place than that of the card"))
    never = name if len(vain) == len(effects) else ""
    for place, key, message in vain:
        yield Doubt(("cards", name, "effects", place, key), message, never)
    if not effects:
        yield Doubt(("cards", name, "effects"), "is empty, so that the card does nothing", name)
