"""What a valid Abyss ruleset looks like: the shape of its tables, and what must agree between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from rules.abyss.content import ACTIONS, ANY, EVENTS
from rules.abyss.state import ABYSS, CITY
from rules.abyss.vocabulary import OPTIONS, Entry, check_option_tables, location_options, ops
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

_ID: Final = Text(pattern=r"[a-z][a-z0-9_]*", kind="an id: small letters, digits and _, beginning with a letter")
_REMARKS: Final = ("note", "source", "provenance", "count_provenance")
"""Keys that say where a fact comes from; they never affect play."""
_SHOWN: Final = ("name", "summary")
"""Keys that people read; they never affect play either."""
_FLAGS: Final = ("icon", "unowned", "flashlight_stops")
_MOST: Final = Integer(0, 999)


def _with_remarks(fields: dict[str, Field]) -> Table:
    return Table({**fields, **{name: optional(Text()) for name in _REMARKS}})


@cache
def _card() -> Table:
    needs = Table(
        {
            "option": Field(Text(tuple(OPTIONS.rows), kind="an option")),
            "value": Field(Either((Boolean(), Integer(), Text()))),
        }
    )
    return _with_remarks(
        {
            "name": Field(Text(), doc="name on the card"),
            "deck": Field(Text((ACTIONS, EVENTS))),
            "count": Field(_MOST, doc="copies in the deck"),
            "location": Field(
                Text((CITY, ABYSS, ANY, *location_options())), doc="where it works, or the option for it"
            ),
            "timing": optional(Text(("event", "modifier")), "modifier: an Event that works as soon as it is dealt"),
            "icon": optional(Boolean(), "the picture of two people stands on it (AB-Q18)"),
            "unowned": optional(Boolean(), "its text does not say whose partners it means (AB-Q17)"),
            "flashlight_stops": optional(Boolean(), "a Flashlight stops its damage"),
            "needs": optional(needs, "the option and value under which the card takes part"),
            "effects": Field(ListOf(Entry("op")), doc="what it does, in order"),
            "summary": optional(Text(), "what it does, in one sentence"),
        }
    )


def _rules() -> Table:
    points, number = Integer(-999, 999), Integer(0, 99)
    return Table(
        {
            "players_most": Field(Integer(1, 12)),
            "ap": Field(points, doc="3: AP at the start"),
            "rp": Field(points, doc="3: RP at the start"),
            "hand": Field(number, doc="3: cards of the first hand"),
            "refill_below": Field(number, doc="5.I: a smaller hand may draw"),
            "refill_cards": Field(number, doc="5.I"),
            "give_up_most": Field(number, doc="5.B: cards that may be given up in a round"),
            "give_up_draw": Field(number, doc="5.B: cards drawn for them"),
            "treasure_ap": Field(number, doc="5.H"),
            "treasure_rp": Field(number, doc="5.H"),
            "boost_factor": Field(Integer(1, 99), doc="10.1"),
            "boost_damage": Field(number, doc="10.1"),
        }
    )


@cache
def ruleset_schema() -> Table:
    """Return the shape of a resolved ruleset."""
    points = Integer(-999, 999)
    goal = _with_remarks({"ap": Field(points), "rp": Field(points)})
    identity = _with_remarks(
        {"name": Field(Text()), "modifiers": Field(ListOf(Entry("mod"))), "summary": optional(Text())}
    )
    partner = _with_remarks(
        {
            "name": Field(Text()),
            "cost": Field(Integer(1, 99), doc="printed cost"),
            "hp": Field(Integer(1, 99)),
            "summary": optional(Text()),
        }
    )
    target = Table({"metric": Field(Text()), "min": optional(Number()), "max": optional(Number())}, open=True)
    meta = {
        name: optional(Text())
        for name in ("title", "summary", "author", "game", "edition", "version", "date", "rules_source")
    }
    return Table(
        {
            "meta": optional(Table({**meta, "notes": optional(ListOf(Text()))})),
            "rules": Field(_rules()),
            "goals": Field(Table({"money": Field(goal), "fame": Field(goal)}), doc="8.1: either wins"),
            "options": Field(OPTIONS.schema),
            "identities": Field(MapOf(identity, _ID)),
            "partners": Field(MapOf(partner, _ID)),
            "cards": Field(MapOf(_card(), _ID)),
            "assert": optional(ListOf(target), "the designer's own targets"),
        }
    )


def check(raw: Mapping[str, Any], faults: Faults) -> None:
    """Note every disagreement between the tables of a ruleset, as far as their own shapes are right."""
    if isinstance(raw.get("options"), dict):
        check_option_tables(raw["options"], raw, ("options",), faults)
    for name in ("identities", "partners"):
        if isinstance(raw.get(name), dict) and not raw[name]:
            faults.add((name,), f"there must be at least one of the {name}")
    for name, card in _sound(raw, "cards", _card()):
        for place, effect in enumerate(card["effects"]):
            if card["deck"] not in ops()[effect["op"]]["on"]:
                message = f"'{effect['op']}' is no op of a card of the deck '{card['deck']}'"
                faults.add(("cards", name, "effects", place, "op"), message)
        needs = card.get("needs")
        if needs is not None and not OPTIONS.schema.fields[needs["option"]].schema.accepts(needs["value"]):
            known = listed(OPTIONS.rows[needs["option"]].get("values", ()))
            faults.add(("cards", name, "needs", "value"), f"no value of '{needs['option']}'; known: {known}")
        if card.get("timing") == "modifier" and card["deck"] != EVENTS:
            faults.add(("cards", name, "timing"), "only an Event can be a modifier")
    for name, identity in _sound(raw, "identities", Table({"modifiers": Field(ListOf(Entry("mod")))}, open=True)):
        names = [entry["mod"] for entry in identity["modifiers"]]
        for place, modifier in enumerate(names):
            if modifier in names[:place]:
                faults.add(("identities", name, "modifiers", place), f"'{modifier}' stands twice")


def _sound(raw: Mapping[str, Any], table: str, shape: Table) -> Iterator[tuple[str, Any]]:
    entries = raw.get(table)
    if isinstance(entries, dict):
        yield from ((name, entry) for name, entry in entries.items() if shape.accepts(entry))


def check_options(given: Mapping[str, Any], raw: Mapping[str, Any], faults: Faults) -> None:
    """Note every unknown option and impossible value, the number of players among them, which is no option here."""
    if "players" in given:
        faults.add(
            ("players",), "the number of players (AB-Q1) is no option here; write it as the position's 'players'"
        )
    rest = {name: value for name, value in given.items() if name != "players"}
    OPTIONS.schema.check(rest, (), faults)
    check_option_tables(rest, raw, (), faults)


def play_facts(raw: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return what affects play, with every default written out; equal for rulesets that play alike.

    Partners are a list because their order counts.
    """
    return {
        "rules": dict(raw["rules"]),
        "goals": {name: _plain(goal) for name, goal in raw["goals"].items()},
        "options": dict(values),
        "identities": {name: _plain(identity) for name, identity in raw["identities"].items()},
        "partners": [{"id": name, **_plain(partner)} for name, partner in raw["partners"].items()],
        "cards": {name: {**dict.fromkeys(_FLAGS, False), **_plain(card)} for name, card in raw["cards"].items()},
    }


def _plain(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name not in (*_REMARKS, *_SHOWN)}


def shown_facts(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry without sources and remarks."""
    return {name: value for name, value in entry.items() if name not in _REMARKS}
