"""What a valid Trench Rescue ruleset looks like: the shape of its tables, and what must agree between them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from rules.core.registry import Option
from rules.core.schema import Faults, Field, Integer, ListOf, MapOf, Number, Table, Text, listed, optional
from rules.trench_rescue.vocabulary import OPTIONS

COLOURS: Final = ("black", "red")
"""The two sides, as states name them (1.5, 15)."""
PLACES: Final = ("trench", "infirmary", "own_deck", "enemy_deck")
"""Where a rescued card may go (5)."""
_REMARKS: Final = ("provenance", "summary", "note")
"""Keys that say where a fact comes from; they never affect play."""
_ID: Final = Text(pattern=r"[a-z][a-z0-9_]*", kind="an id: small letters, digits and _, beginning with a letter")
_SIGN: Final = Text(pattern=r"[0-9A-Z]", kind="one digit or capital letter")


def _with_remarks(fields: dict[str, Field]) -> Table:
    return Table({**fields, **{name: optional(Text()) for name in _REMARKS}})


@cache
def ruleset_schema() -> Table:
    """Return the shape of a resolved ruleset."""
    colour = Text(COLOURS)
    meta = {name: optional(Text()) for name in ("title", "summary", "author", "game", "edition", "version", "date")}
    lists = {name: optional(ListOf(Text())) for name in ("sources", "notes")}
    target = Table({"metric": Field(Text()), "min": optional(Number()), "max": optional(Number())}, open=True)
    rules = Table(
        {
            "field_size": Field(Integer(1, 99), doc="1.4: cells along one edge of a field that is dealt"),
            "trench_cards": Field(Integer(1, 25), doc="2.4: cards each player begins with in the trench"),
            "die_sides": Field(Integer(1, 100), doc="6.3"),
            "solitaire_colour": Field(colour, doc="11.1: who plays a game for one that is dealt"),
        }
    )
    pack = {
        "colours": Field(ListOf(colour, least=2, most=2, unique=True), doc="1.2: in canonical order"),
        "ranks": Field(ListOf(_SIGN, least=1, unique=True), doc="1.1"),
        "values": Field(ListOf(Integer(0, 999), least=1), doc="1.1: the value of each rank"),
        "suits": Field(MapOf(colour, _SIGN), doc="1.1: the colour of each suit, in canonical order"),
    }
    field = {
        "size": Field(Integer(1, 99), doc="1.4: cells along one edge"),
        "cards_per_colour": Field(Integer(0, 999), doc="2.2"),
    }
    place = Field(Text(PLACES))
    rescue = dict.fromkeys(("own_within", "own_above", "enemy_within", "enemy_above"), place)
    return Table(
        {
            "meta": optional(Table({**meta, **lists})),
            "rules": Field(rules),
            "options": Field(OPTIONS.schema),
            "pack": Field(_with_remarks(pack)),
            "fields": Field(MapOf(_with_remarks(field), _ID)),
            "rescue": Field(_with_remarks(rescue)),
            "assert": optional(ListOf(target), "the designer's own targets"),
        }
    )


def check(raw: Mapping[str, Any], faults: Faults) -> None:
    """Note every disagreement between the tables of a ruleset, as far as their own shapes are right."""
    parts = ruleset_schema().fields
    sound = {name for name, part in parts.items() if name in raw and part.schema.accepts(raw[name])}
    if "pack" in sound:
        _check_pack(raw["pack"], faults)
    if {"fields", "pack", "rules"} <= sound:
        _check_fields(raw, faults)
    if "rescue" in sound:
        for name, wrong in {"own": "enemy_deck", "enemy": "own_deck"}.items():
            for test in ("within", "above"):
                if raw["rescue"][f"{name}_{test}"] == wrong:
                    message = f"a deck holds its own colour only; '{wrong}' cannot take these cards"
                    faults.add(("rescue", f"{name}_{test}"), message)
    if "rescue" in sound and "trench" in (raw["rescue"]["enemy_within"], raw["rescue"]["enemy_above"]):
        faults.add(("rescue",), "an enemy card cannot fight in the own trench")


def _check_pack(pack: Mapping[str, Any], faults: Faults) -> None:
    if len(pack["values"]) != len(pack["ranks"]):
        message = f"must have {len(pack['ranks'])} numbers, one for each rank, not {len(pack['values'])}"
        faults.add(("pack", "values"), message)
    suits = list(pack["suits"].values())
    if suits.count(COLOURS[0]) != suits.count(COLOURS[1]) or not suits:
        faults.add(("pack", "suits"), "there must be equally many suits of both colours")


def _check_fields(raw: Mapping[str, Any], faults: Faults) -> None:
    cards = len(raw["pack"]["ranks"]) * len(raw["pack"]["suits"]) // len(COLOURS)
    most = cards - raw["rules"]["trench_cards"]
    for name, field in raw["fields"].items():
        laid = field["cards_per_colour"]
        if len(COLOURS) * laid != field["size"] ** 2:
            cells = field["size"] ** 2
            faults.add(("fields", name, "cards_per_colour"), f"{laid} of each colour do not fill {cells} cells")
        elif laid > most:
            message = f"{laid} of each colour leave no card for the trench; there are {cards}"
            faults.add(("fields", name, "cards_per_colour"), message)
    sizes = [field["size"] for field in raw["fields"].values()]
    if raw["rules"]["field_size"] not in sizes:
        message = f"there is no field of this size; its fields: {listed(str(size) for size in sorted(sizes))}"
        faults.add(("rules", "field_size"), message)
    if len(set(sizes)) < len(sizes):
        faults.add(("fields",), "two fields have the same size")


def play_facts(raw: Mapping[str, Any], options: Mapping[str, Option]) -> dict[str, Any]:
    """Return what affects play; equal for rulesets that play alike."""
    fields = sorted((field["size"], field["cards_per_colour"]) for field in raw["fields"].values())
    return {
        "rules": dict(raw["rules"]),
        "options": dict(options),
        "pack": {**shown_facts(raw["pack"]), "suits": list(raw["pack"]["suits"].items())},
        "fields": fields,
        "rescue": shown_facts(raw["rescue"]),
    }


def shown_facts(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry without sources and remarks."""
    return {name: value for name, value in entry.items() if name not in _REMARKS}
