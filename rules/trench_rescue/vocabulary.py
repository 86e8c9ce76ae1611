"""The option table of the game as shapes that rulesets and positions are checked against."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from rules.core.files import read_file
from rules.core.registry import Option
from rules.core.schema import Boolean, Integer, Schema, Table, Text, optional

_HERE: Final = Path(__file__).resolve().parent


@cache
def options() -> Mapping[str, Mapping[str, Any]]:
    """Return the option table, by name, in the order of the rulings."""
    return dict(read_file(_HERE / "options.toml").data["options"])


@cache
def neutral_options() -> Mapping[str, Option]:
    """Return the value that each option has in a ruleset that leaves it open."""
    return {name: option["neutral"] for name, option in options().items()}


@cache
def option_schema(name: str) -> Schema:
    """Return the shape of one option's value."""
    option = options()[name]
    if "min" in option:
        return Integer(option["min"], option["max"])
    if isinstance(option["neutral"], bool):
        return Boolean()
    return Text(tuple(option["values"]), kind=f"a value of {name} ({option['ruling']})")


@cache
def options_schema() -> Table:
    """Return the shape of an ``options`` table."""
    return Table(
        {name: optional(option_schema(name), f"{row['ruling']}: {row['question']}") for name, row in options().items()}
    )
