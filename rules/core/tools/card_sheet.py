"""Cards as a sheet of comma-separated values, for spreadsheets, and the variant that a changed sheet makes."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from rules.core.errors import ContentError, Fault, nearest
from rules.core.files import KeyPath, Source
from rules.core.registry import Ruleset
from rules.core.ruleset import extended, table_changes
from rules.core.tools.output import toml_text

ID: Final = "id"
"""The first column; the others are the keys of a card."""
_SILENT: Final = ("provenance", "source", "note")
"""Keys that say where a card comes from, which no sheet needs."""


@dataclass(frozen=True)
class SheetSource(Source):
    """The tables that a sheet makes; faults in them name the row."""

    rows: Mapping[KeyPath, int] = field(default_factory=dict)

    @property
    def lines(self) -> Mapping[KeyPath, int]:
        """Return the row of every card."""
        return self.rows


def collection_of(ruleset: Ruleset, name: str) -> str:
    """Return the table of a ruleset whose entries are the rows.

    Raises:
        ContentError: there is none of this name.
    """
    known = [each for each in ruleset.definition.collections if ruleset.raw.get(each)]
    if name in known:
        return name
    hint = nearest(name, known) or f"; there are {', '.join(known)}"
    raise ContentError([Fault(f"{ruleset.id} has no table '{name}'{hint}")])


def csv_text(ruleset: Ruleset, collection: str) -> str:
    """Return the entries of a table as a sheet: one row each, a column for each key; lists and tables as JSON."""
    entries = ruleset.raw[collection]
    keys = list(dict.fromkeys(key for entry in entries.values() for key in entry if key not in _SILENT))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([ID, *keys])
    for name, entry in entries.items():
        writer.writerow([name, *(_cell(entry[key]) if key in entry else "" for key in keys)])
    return text.getvalue()


def csv_variant(text: str, file: str, base: Ruleset, collection: str, extends: str) -> str:
    """Return the variant, as TOML, that makes the entries of a table what a sheet says; others stay as they are.

    Raises:
        ContentError: every fault of the sheet, by its rows.
    """
    entries: dict[str, Any] = {}
    rows: dict[KeyPath, int] = {}
    faults: list[Fault] = []
    for line, name, cells in _rows(text, file):
        if name in entries:
            faults.append(Fault(f"'{name}' stands twice", collection, file, line))
        old = base.raw[collection].get(name, {})
        entries[name] = {key: value for key, value in old.items() if key not in cells}
        rows[(collection, name)] = line
        for key, cell in cells.items():
            if cell:
                try:
                    entries[name][key] = _value(cell, is_text=_is_text(base, collection, key))
                except ValueError as fault:
                    faults.append(Fault(f"is no JSON: {fault}", f"{collection}.{name}.{key}", file, line))
    if faults:
        raise ContentError(faults)
    before = {name: base.raw[collection][name] for name in entries if name in base.raw[collection]}
    changes = table_changes(before, entries, entries=True)
    extended(base, SheetSource({collection: changes}, "", file, rows=rows))
    return toml_text({"extends": extends, **({collection: changes} if changes else {})})


def _rows(text: str, file: str) -> Iterator[tuple[int, str, dict[str, str]]]:
    """Yield the rows of a sheet: the line, the id, and the cells by key.

    Raises:
        ContentError: the sheet has no head, or a row has no id or too many cells.
    """
    signs = max(",;\t", key=text.partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=signs)
    try:
        head = [name.strip() for name in next(reader, [])]
        if not head or head[0] != ID:
            raise ContentError([Fault(f"must begin with a row of names, the first of them '{ID}'", file=file, line=1)])
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells):
                if not cells[0] or len(cells) > len(head):
                    what = "has no id" if not cells[0] else f"has {len(cells)} cells, and there are {len(head)} columns"
                    raise ContentError([Fault(f"the row {what}", file=file, line=reader.line_num)])
                yield reader.line_num, cells[0], dict(zip(head[1:], [*cells[1:], *[""] * len(head)], strict=False))
    except csv.Error as fault:
        raise ContentError([Fault(f"malformed sheet: {fault}", file=file, line=reader.line_num)]) from fault


def _is_text(base: Ruleset, collection: str, key: str) -> bool:
    """Return whether the cells of a column are words, whatever they look like."""
    values = [entry[key] for entry in base.raw[collection].values() if key in entry]
    return bool(values) and all(isinstance(value, str) for value in values)


def _cell(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _value(cell: str, *, is_text: bool) -> Any:
    """Return what a cell says: words, or a number, a truth, a list or a table as JSON.

    Raises:
        ValueError: a list or table is not written as JSON is.
    """
    if is_text:
        return cell
    try:
        return json.loads(cell)
    except ValueError:
        if cell[0] in "[{":
            raise
        return {"TRUE": True, "FALSE": False}.get(cell, cell)
