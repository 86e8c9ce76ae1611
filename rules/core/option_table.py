"""The option table of a game: each ruling that a ruleset can choose, with its answers, as shapes that are checked."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from rules.core.files import read_file
from rules.core.schema import Boolean, Either, Integer, MapOf, Schema, Table, Text, optional

_ENTRIES: Final = Integer(0, 999)
"""Shape of a number in a table that is an option's value."""


class OptionTable:
    """The options of one file, which is read when they are first asked for."""

    def __init__(self, file: Path) -> None:
        self._file = file

    @cached_property
    def rows(self) -> Mapping[str, Mapping[str, Any]]:
        """Return what the file says of each option, by name, in the order of the rulings."""
        return dict(read_file(self._file).data["options"])

    @cached_property
    def neutral(self) -> Mapping[str, Any]:
        """Return the value that each option has in a ruleset that leaves it open."""
        return {name: row["neutral"] for name, row in self.rows.items()}

    @cached_property
    def schema(self) -> Table:
        """Return the shape of an ``options`` table."""
        return Table(
            {
                name: optional(self.shape_of(name), f"{row['ruling']}: {row['question']}")
                for name, row in self.rows.items()
            }
        )

    def shape_of(self, name: str) -> Schema:
        """Return the shape of one option's value.

        A board's name is only known to be a text, and entries of a table are only known to be numbers.
        """
        row = self.rows[name]
        if isinstance(row["neutral"], bool):
            return Boolean()
        if row.get("boards"):
            return Text()
        shapes: list[Schema] = []
        if "values" in row:
            shapes.append(Text(tuple(row["values"]), kind=f"a value of {name} ({row['ruling']})"))
        if "min" in row:
            shapes.append(Integer(row["min"], row["max"]))
        if "table" in row:
            shapes.append(MapOf(_ENTRIES))
        return shapes[0] if len(shapes) == 1 else Either(tuple(shapes))
