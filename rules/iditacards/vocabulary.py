"""The op and option tables of the game as shapes that rulesets are checked against."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from rules.core.declared import REMARK
from rules.core.errors import listed
from rules.core.files import KeyPath, data_file
from rules.core.registry import OptionTable, stated_shape
from rules.core.schema import MISSING, Faults, Field, Table, Tagged, Text, optional

_HERE: Final = Path(__file__).resolve().parent
OPTIONS: Final = OptionTable(_HERE)

INSTANT_KINDS: Final = frozenset({"instant", "second_step"})
"""Kinds of ops that happen once, and may depend on a condition."""
LEG_KIND: Final = "leg"
"""Kind of the ops that legs have, and cards have not."""


def _op_file() -> Mapping[str, Any]:
    return data_file(_HERE, "ops")


def ops() -> Mapping[str, Mapping[str, Any]]:
    """Return the op table, by name."""
    return dict(_op_file()["ops"])


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
        needed = "default" not in key and "optional" not in key
        fields[name] = Field(stated_shape(key), needed, default=key.get("default", MISSING))
    if table["kind"] in INSTANT_KINDS:
        condition = Text(conditions(), kind="a condition")
        fields["when"] = optional(condition, "the effect happens only if this holds")
        fields["unless"] = optional(condition, "the effect happens only if this does not hold")
    if "while" in table:
        told = "repeats the kind of the op, for readers"
        fields["while"] = Field(Text((table["while"],)), required=False, doc=told, marks=(REMARK,))
    return Table(fields)


def effects_of(*, leg: bool) -> Tagged:
    """Return the shape of an effect of a card, or of a leg: a table whose keys depend on its op."""
    own = tuple(name for name, op in ops().items() if (op["kind"] == LEG_KIND) == leg)
    other = "an op of a card, not of a leg" if leg else "an op of a leg, not of a card"
    return Tagged("op", own, effect_schema, {name: other for name in ops() if name not in own})
