"""The tables of ops, modifiers and options as shapes that rulesets are checked against."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from rules.core.files import KeyPath, read_file
from rules.core.registry import OptionTable
from rules.core.schema import Either, Faults, Field, Integer, Schema, Table, Text, listed

_HERE: Final = Path(__file__).resolve().parent
OPTIONS: Final = OptionTable(_HERE / "options.toml")


@cache
def _op_file() -> Mapping[str, Any]:
    return read_file(_HERE / "ops.toml").data


@cache
def ops() -> Mapping[str, Mapping[str, Any]]:
    """Return the op table, by name."""
    return dict(_op_file()["ops"])


@cache
def modifiers() -> Mapping[str, Mapping[str, Any]]:
    """Return the table of what identities can change, by name."""
    return dict(_op_file()["modifiers"])


def check_option_tables(values: Mapping[str, Any], raw: Mapping[str, Any], path: KeyPath, faults: Faults) -> None:
    """Note entries of tables among the options that the ruleset does not have."""
    known: dict[str, list[str]] = {"events": [], "partners": [], **_option_entries(raw)}
    for name, value in values.items():
        if name in OPTIONS.rows and isinstance(value, dict):
            entries = known[OPTIONS.rows[name].get("table", "events")]
            for key in value:
                if key not in entries:
                    hint = faults.nearest(key, entries) or f"; known: {listed(entries)}"
                    faults.add((*path, name, key), f"'{key}' is nothing that has a number here{hint}")


def _option_entries(raw: Mapping[str, Any]) -> dict[str, list[str]]:
    cards, partners = raw.get("cards"), raw.get("partners")
    found: dict[str, list[str]] = {}
    if isinstance(cards, dict):
        found["events"] = [
            name for name, card in cards.items() if isinstance(card, dict) and card.get("deck") == "events"
        ]
    if isinstance(partners, dict):
        found["partners"] = list(partners)
    return found


def number_options() -> tuple[str, ...]:
    """Return the options whose value is always a number, which may stand for one in an effect."""
    return tuple(name for name, row in OPTIONS.rows.items() if "min" in row and "values" not in row)


def location_options() -> tuple[str, ...]:
    """Return the options whose values are locations."""
    return tuple(name for name, row in OPTIONS.rows.items() if "city" in row.get("values", ()))


class Entry(Schema):
    """An effect of a card or a modifier of an identity: a table whose keys depend on its op."""

    def __init__(self, key: str) -> None:
        self._key = key
        self._words = ops() if key == "op" else modifiers()

    def check(self, value: Any, path: KeyPath, faults: Faults) -> None:
        """Note a value that is no table, an unknown op, and every fault of the op's keys."""
        key, words = self._key, self._words
        if not isinstance(value, dict):
            faults.add(path, f'must be a table such as {{ {key} = "{next(iter(words))}" }}')
        elif key not in value:
            faults.add(path, f"the key '{key}' is missing")
        elif not isinstance(value[key], str) or value[key] not in words:
            hint = faults.nearest(str(value[key]), words) or f"; known: {listed(words, 60)}"
            faults.add((*path, key), f"unknown {key} '{value[key]}'{hint}")
        else:
            self.shape(value[key]).check(value, path, faults)

    def shape(self, name: str) -> Table:
        """Return the shape of an entry with this op."""
        word = self._words[name]
        fields = {self._key: Field(Text((name,)), doc=word["meaning"])}
        for key, facts in word.get("keys", {}).items():
            fields[key] = Field(_key_schema(facts))
        return Table(fields)

    def json_schema(self) -> dict[str, Any]:
        """Return one shape for each op."""
        shapes = []
        for name in self._words:
            shape = self.shape(name).json_schema()
            shape["properties"][self._key] = {"const": name, "description": self._words[name]["meaning"]}
            shapes.append(shape)
        return {"oneOf": shapes}

    def described(self) -> str:
        """Return the kind of value in words."""
        return f"a table with the key '{self._key}'"


def _key_schema(facts: Mapping[str, Any]) -> Schema:
    if facts["type"] == "text":
        return Text(tuple(facts["values"]))
    number = Integer(facts["min"], facts["max"])
    return Either((number, Text(number_options()))) if facts.get("option") else number
