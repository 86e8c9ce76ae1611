"""The op and option tables of the game as shapes that rulesets are checked against."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from rules.core.files import KeyPath, read_file
from rules.core.registry import OptionTable
from rules.core.schema import Boolean, Either, Faults, Field, Integer, Schema, Table, Text, listed, optional

_HERE: Final = Path(__file__).resolve().parent
OPTIONS: Final = OptionTable(_HERE / "options.toml")

INSTANT_KINDS: Final = frozenset({"instant", "second_step"})
"""Kinds of ops that happen once, and may depend on a condition."""
LEG_KIND: Final = "leg"
"""Kind of the ops that legs have, and cards have not."""


@cache
def _op_file() -> Mapping[str, Any]:
    return read_file(_HERE / "ops.toml").data


@cache
def ops() -> Mapping[str, Mapping[str, Any]]:
    """Return the op table, by name."""
    return dict(_op_file()["ops"])


@cache
def conditions() -> tuple[str, ...]:
    """Return the names of the conditions that an effect may depend on."""
    return tuple(_op_file()["conditions"])


def condition_meaning(name: str) -> str:
    """Return a condition in words."""
    return str(_op_file()["conditions"][name]["meaning"])


def value_words() -> Mapping[str, Any]:
    """Return how the words among the values of effects are said, those of one key alone in a table of its name."""
    words: Mapping[str, Any] = _op_file()["values"]
    return words


def check_board_option(value: Any, boards: Iterable[str], path: KeyPath, faults: Faults) -> None:
    """Note a board layout that the ruleset does not have."""
    names = list(boards)
    if isinstance(value, str) and value not in names:
        hint = faults.nearest(value, names) or f"; its boards: {listed(names)}"
        faults.add(path, f"'{value}' is no board of this ruleset{hint}")


@cache
def effect_schema(op: str) -> Table:
    """Return the shape of an effect with this op."""
    table = ops()[op]
    fields = {"op": Field(Text((op,)), doc=table["meaning"])}
    for name, key in table.get("keys", {}).items():
        fields[name] = Field(_key_schema(key), required="default" not in key and "optional" not in key)
    if table["kind"] in INSTANT_KINDS:
        condition = Text(conditions(), kind="a condition")
        fields["when"] = optional(condition, "the effect happens only if this holds")
        fields["unless"] = optional(condition, "the effect happens only if this does not hold")
    if "while" in table:
        fields["while"] = optional(Text((table["while"],)), "repeats the kind of the op, for readers")
    return Table(fields)


def _key_schema(key: Mapping[str, Any]) -> Schema:
    if key["type"] == "boolean":
        return Boolean()
    if key["type"] == "text":
        return Text(tuple(key["values"]) if "values" in key else None)
    number = Integer(key.get("min", 0), key.get("max", 999))
    return Either((number, Text(tuple(key["words"])))) if "words" in key else number


class Effect(Schema):
    """An effect of a card or a leg: a table whose keys depend on its op."""

    def __init__(self, *, of_leg: bool) -> None:
        self._ops = tuple(name for name, op in ops().items() if (op["kind"] == LEG_KIND) == of_leg)
        self._owner = "legs" if of_leg else "cards"

    def check(self, value: Any, path: KeyPath, faults: Faults) -> None:
        """Note a value that is no table, an unknown op, and every fault of the op's keys."""
        if not isinstance(value, dict):
            faults.add(path, 'must be a table such as { op = "' + self._ops[0] + '" }')
        elif "op" not in value:
            faults.add(path, "the key 'op' is missing; it names the effect")
        elif not isinstance(value["op"], str) or value["op"] not in ops():
            hint = faults.nearest(str(value["op"]), self._ops) or f"; ops of {self._owner}: {listed(self._ops, 60)}"
            faults.add((*path, "op"), f"unknown op '{value['op']}'{hint}")
        elif value["op"] not in self._ops:
            other = "a leg, not of a card" if self._owner == "cards" else "a card, not of a leg"
            faults.add((*path, "op"), f"'{value['op']}' is an op of {other}{faults.nearest(value['op'], self._ops)}")
        else:
            effect_schema(value["op"]).check(value, path, faults)

    def json_schema(self) -> dict[str, Any]:
        """Return one shape for each op."""
        shapes = []
        for name in self._ops:
            shape = effect_schema(name).json_schema()
            shape["properties"]["op"] = {"const": name, "description": ops()[name]["meaning"]}
            shapes.append(shape)
        return {"oneOf": shapes}

    def described(self) -> str:
        """Return the kind of value in words."""
        return "a table with an op"
