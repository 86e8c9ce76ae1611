"""The tables of ops, modifiers and options as shapes that rulesets are checked against."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from rules.abyss.content import EVENTS
from rules.core.files import KeyPath, data_file
from rules.core.registry import OptionTable, stated_shape
from rules.core.schema import Faults, Field, Table, Tagged, Text, listed

_HERE: Final = Path(__file__).resolve().parent
OPTIONS: Final = OptionTable(_HERE / "options.toml")


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
                    hint = faults.nearest(key, entries) or f"; known: {listed(entries)}"
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
