"""What a valid Trench Rescue ruleset looks like: the shape of its tables, and what must agree between them."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

from rules.core.declared import LeftOut, Meta, Remark, Size, entries, entry_of, ruleset_table
from rules.core.errors import word_list
from rules.core.registry import Doubt, OptionTable, Ruleset
from rules.core.schema import Faults, Integer, Table, Text
from rules.trench_rescue.state import COLOURS, Colour

OPTIONS: Final = OptionTable(Path(__file__).resolve().parent)
_REMARKS: Final = ("provenance", "summary", "note")
"""Keys that say where a fact comes from."""
_SIGN: Final = Text(pattern=r"[0-9A-Z]", kind="one digit or capital letter")
Place: TypeAlias = Annotated[str, Text(("trench", "infirmary", "own_deck", "enemy_deck"))]
"""Where a rescued card may go (5)."""
Edge: TypeAlias = Annotated[int, Integer(1, 99)]


class MetaTable(Meta):
    """What an edition says about itself."""

    sources: Annotated[tuple[Remark, ...], LeftOut(), "where its facts come from"]


class RulesTable:
    """Numbers that are no ruling."""

    field_size: Annotated[Edge, "1.4: cells along one edge of a field that is dealt"]
    trench_cards: Annotated[int, Integer(1, 25), "2.4: cards each player begins with in the trench"]
    die_sides: Annotated[int, Integer(1, 100), "6.3"]
    solitaire_colour: Annotated[Colour, "11.1: who plays a game for one that is dealt"]


class PackTable:
    """The pack of cards."""

    colours: Annotated[tuple[Colour, ...], Size(2, 2, unique=True), "1.2: in canonical order"]
    ranks: Annotated[tuple[Annotated[str, _SIGN], ...], Size(1, unique=True), "1.1"]
    values: Annotated[tuple[Annotated[int, Integer(0, 999)], ...], Size(1), "1.1: the value of each rank"]
    suits: Annotated[Mapping[Annotated[str, _SIGN], Colour], "1.1: the colour of each suit, in canonical order"]


class FieldEntry:
    """A field of one size."""

    size: Annotated[Edge, "1.4: cells along one edge"]
    cards_per_colour: Annotated[int, Integer(0, 999), "2.2"]


class RescueTable:
    """Where a rescued card goes: of the own colour or not, within the rescuer's value or above it (5)."""

    own_within: Place
    own_above: Place
    enemy_within: Place
    enemy_above: Place


@cache
def ruleset_schema() -> Table:
    """Return the shape of a resolved ruleset."""
    return ruleset_table(
        MetaTable,
        RulesTable,
        OPTIONS.schema,
        pack=entry_of(PackTable, _REMARKS),
        fields=entries(FieldEntry, _REMARKS),
        rescue=entry_of(RescueTable, _REMARKS),
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
        message = f"there is no field of this size; its fields: {word_list(str(size) for size in sorted(sizes))}"
        faults.add(("rules", "field_size"), message)
    if len(set(sizes)) < len(sizes):
        faults.add(("fields",), "two fields have the same size")


def doubts(ruleset: Ruleset) -> Iterator[Doubt]:
    """Yield lines of the field that no shell can hit."""
    rules = ruleset.raw["rules"]
    if rules["die_sides"] < rules["field_size"]:
        message = f"no shell falls beyond line {rules['die_sides']} of the {rules['field_size']} lines of the field"
        yield Doubt(("rules", "die_sides"), message)
