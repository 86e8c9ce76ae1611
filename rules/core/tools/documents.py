"""Texts for designers: JSON Schema of whole files, a new variant with commented examples, cards as a sheet.

JSON Schema and examples are made of the shapes that the files are checked against. A sheet has comma-separated values,
for spreadsheets; a changed one makes a variant.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from rules.core.errors import ContentError, Fault, nearest
from rules.core.files import KeyPath, Source, json_value
from rules.core.position import VECTOR_KEYS, PendingFile, position_shape
from rules.core.registry import GameDefinition, Ruleset
from rules.core.ruleset import extended, table_changes
from rules.core.schema import MISSING, Either, Field, Integer, ListOf, MapOf, Schema, Table, Tagged, Text, table_of
from rules.core.tools.output import toml_text
from rules.core.tools.rulebook import SILENT, book_of

NAMED: Final = 6
"""Cards that a note names, where more are counted."""
ID: Final = "id"
"""The first column; the others are the keys of a card."""


def json_schema(shape: Schema) -> dict[str, Any]:
    """Return a shape as JSON Schema, draft 2020-12."""
    match shape:
        case Integer():
            return _stated("integer", minimum=shape.low, maximum=shape.high)
        case Text(choices=()):
            return {"not": {}}
        case Text():
            pattern = f"^(?:{shape.pattern})$" if shape.pattern else None
            return _stated("string", enum=None if shape.choices is None else list(shape.choices), pattern=pattern)
        case ListOf():
            limits = {"minItems": shape.least or None, "maxItems": shape.most, "uniqueItems": shape.unique or None}
            told = _stated("array", items=json_schema(shape.item), **limits)
            return {"anyOf": [{"const": []}, told]} if shape.or_empty else told
        case MapOf():
            names = None if shape.key.choices is None and not shape.key.pattern else json_schema(shape.key)
            return _stated("object", additionalProperties=json_schema(shape.item), propertyNames=names)
        case Table():
            fields = {name: _field(part) for name, part in shape.fields.items()}
            required = [name for name, part in shape.fields.items() if part.required] or None
            closed = None if shape.open else False
            return _stated("object", properties=fields, required=required, additionalProperties=closed)
        case Tagged():
            shapes = {name: json_schema(table) for name, table in shape.shapes.items()}
            for name, each in shapes.items():
                keys = each["properties"]
                keys[shape.tag] = {"const": name, "description": keys[shape.tag]["description"]}
            return {"oneOf": list(shapes.values())}
        case Either():
            return {"anyOf": [json_schema(option) for option in shape.options]}
    kinds = {"true or false": "boolean", "a number": "number", "null": "null"}
    return {"type": kinds[shape.words]} if shape.words in kinds else {}


def _stated(kind: str, **told: Any) -> dict[str, Any]:
    return {"type": kind, **{name: value for name, value in told.items() if value is not None}}


def _field(part: Field) -> dict[str, Any]:
    """Return the shape of a key's value with what the key means."""
    default = {} if part.default is MISSING else {"default": part.default}
    return {**json_schema(part.schema), **({"description": part.doc} if part.doc else {}), **default}


def ruleset_document(game: GameDefinition) -> dict[str, Any]:
    """Return the JSON Schema of rulesets of a game: a variant where the file says ``extends``, else an edition."""
    shape = {"if": {"required": ["extends"]}, "then": variant_shape(game), "else": json_schema(game.ruleset_schema())}
    return _document(f"{game.title}: ruleset", shape)


def variant_shape(game: GameDefinition) -> dict[str, Any]:
    """Return the JSON Schema of a variant: what a ruleset may say, anything left out, entries removed or replaced."""
    shape = _partial(json_schema(game.ruleset_schema()))
    for table in game.collections:
        entries = shape["properties"].get(table, {}).get("additionalProperties")
        if isinstance(entries, dict):
            removed = {"const": True, "description": "takes the entry out; it stands alone"}
            replaced = {"type": "boolean", "description": "the entry is written anew as a whole"}
            entries["properties"] = {**entries["properties"], "remove": removed, "replace": replaced}
    order = json_schema(MapOf(ListOf(Text()), Text(game.ordered))) if game.ordered else {"type": "object"}
    extends = {"type": "string", "description": "the ruleset it changes: an id, or the path of a file"}
    return {**shape, "required": ["extends"], "properties": {"extends": extends, **shape["properties"], "order": order}}


def position_document(game: GameDefinition) -> dict[str, Any]:
    """Return the JSON Schema of position files of a game."""
    return _document(f"{game.title}: position", position_json(game, lines=True))


def puzzle_document(puzzle: Table, game: GameDefinition) -> dict[str, Any]:
    """Return the JSON Schema of puzzle files; ``puzzle`` is the shape of one whose position is not yet known."""
    shape = json_schema(puzzle)
    properties = {**shape["properties"], "position": position_json(game)}
    return _document(f"{game.title}: puzzle", {**shape, "properties": properties})


def position_json(game: GameDefinition, *, lines: bool = False) -> dict[str, Any]:
    """Return the shape of a position; ``lines`` allows what a line of a batch says besides.

    Any text stands for an id: which there are depends on the ruleset.
    """
    shape = json_schema(position_shape(VECTOR_KEYS if lines else ()))
    name = {"type": "string", "description": "an edition or variant that comes along, or the path of a variant file"}
    special = {"ruleset": {"anyOf": [name, variant_shape(game)]}, "options": json_schema(game.option_table.schema)}
    whole = json_schema(game.state_schema())
    pending = {**json_schema(table_of(PendingFile)), "description": "a turn under way"}
    pending["properties"]["from"] = {**whole, "description": "the state it began at"}
    said = {"description": shape["properties"]["state"]["description"], **whole}
    state = {**said, "properties": {**whole["properties"], "pending": pending}}
    return {**shape, "properties": {**shape["properties"], "game": {"const": game.name}, **special, "state": state}}


def _partial(shape: Mapping[str, Any]) -> dict[str, Any]:
    """Return the shape of a table in which anything may be left out; lists are replaced as a whole."""
    kept = {name: value for name, value in shape.items() if name != "required"}
    if isinstance(kept.get("properties"), dict):
        kept["properties"] = {name: _partial(part) for name, part in kept["properties"].items()}
    if isinstance(kept.get("additionalProperties"), dict):
        kept["additionalProperties"] = _partial(kept["additionalProperties"])
    return kept


def _document(title: str, shape: Mapping[str, Any]) -> dict[str, Any]:
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **shape}


def starter_variant(ruleset: Ruleset, extends: str, title: str) -> str:
    """Return the text of a variant file that changes nothing yet; ``extends`` is the ruleset as the file names it."""
    head = f"""# A variant of {ruleset.title}: only what differs stands here.
# 'bestline rules check FILE' finds every fault, 'bestline rules diff {extends} FILE' says what you changed.
# Lines that begin with # are examples; take the sign away where there is no space after it."""
    meta = toml_text({"extends": extends, "meta": {"title": title, "summary": "What is different, in one sentence."}})
    return "\n\n".join([head, meta.strip(), *_examples(ruleset)]) + "\n"


def _examples(ruleset: Ruleset) -> Iterator[str]:
    """Yield commented examples, of each kind the first change with which the ruleset stays valid."""
    game, raw = ruleset.definition, ruleset.raw
    answers, values = book_of(ruleset).options, raw["options"]
    entries = [(table, name, entry) for table in game.collections for name, entry in raw.get(table, {}).items()]
    changes: dict[str, Iterator[dict[str, Any]]] = {
        "An option; 'bestline rules options' asks and answers them all.": (
            {"options": {name: answer}}
            for name, value in values.items()
            for answer in answers[name].values
            if isinstance(value, str) and answer != value
        ),
        "A number.": (
            {table: {key: number + 1}}
            for table, part in raw.items()
            for key, number in _numbers(part)
            if table not in (*game.collections, "options", "meta")
        ),
        "An entry: what is not named stays. A new id with all its keys adds one.": (
            {table: {name: {key: number + 1}}} for table, name, entry in entries for key, number in _numbers(entry)
        ),
        "An entry taken out.": ({table: {name: {"remove": True}}} for table, name, _ in reversed(entries)),
    }
    for prose, candidates in changes.items():
        change = next((each for each in candidates if _holds(ruleset, each)), None)
        if change is not None:
            # A header with nothing under it would stand twice as soon as two examples of one table are used.
            blocks = [block for block in toml_text(change).strip().split("\n\n") if "\n" in block]
            yield "\n".join([f"# {prose}", *(f"#{line}" for block in blocks for line in block.splitlines())])


def _numbers(table: Any) -> list[tuple[str, int]]:
    return [(key, value) for key, value in table.items() if type(value) is int] if isinstance(table, Mapping) else []


def _holds(ruleset: Ruleset, data: Mapping[str, Any]) -> bool:
    try:
        extended(ruleset, data)
    except ContentError:
        return False
    return True


def collection_of(ruleset: Ruleset, name: str) -> str:
    """Return the table of a ruleset whose entries are the rows.

    Raises:
        ContentError: there is none of this name.
    """
    known = [each for each in ruleset.definition.collections if ruleset.raw.get(each)]
    if name in known:
        return name
    hint = nearest(name, known) or f"; name another one with --table: {', '.join(known)}"
    raise ContentError([Fault(f"{ruleset.id} has no table '{name}'{hint}")])


def csv_text(ruleset: Ruleset, collection: str) -> str:
    """Return the entries of a table as a sheet: one row each, a column for each key; lists and tables as JSON."""
    entries = ruleset.raw[collection]
    keys = list(dict.fromkeys(key for entry in entries.values() for key in entry if key not in SILENT))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([ID, *keys])
    for name, entry in entries.items():
        writer.writerow([name, *(_cell(entry[key]) if key in entry else "" for key in keys)])
    return text.getvalue()


def csv_variant(text: str, file: str, base: Ruleset, collection: str, extends: str) -> str:
    """Return the variant, as TOML, that makes the entries of a table what a sheet says; others stay as they are.

    Raises:
        ContentError: every fault of the sheet.
    """
    old: Mapping[str, Mapping[str, Any]] = base.raw[collection]
    known = [pair for entry in old.values() for pair in entry.items()]
    # Cells of these columns are words, whatever they look like.
    texts = {key for key, _ in known} - {key for key, value in known if not isinstance(value, str)}
    entries: dict[str, dict[str, Any]] = {}
    faults: list[Fault] = []
    lines: dict[KeyPath, int] = {}
    for line, name, cells in _rows(text, file):
        lines[collection, name] = line
        if name in entries:
            faults.append(Fault(f"'{name}' stands twice", collection, file, line))
        entries[name] = {key: value for key, value in old.get(name, {}).items() if key not in cells}
        for key, cell in cells.items():
            try:
                entries[name] |= {key: cell if key in texts else _value(cell)} if cell else {}
            except (ValueError, RecursionError) as fault:
                faults.append(Fault(f"is no JSON: {fault}", f"{collection}.{name}.{key}", file, line))
    if not entries.keys() & old.keys():
        others = [name for name in base.definition.collections if entries.keys() & base.raw.get(name, {}).keys()]
        faults += [Fault(f"these rows are {name}; import them with --table {name}", file=file) for name in others]
    if faults:
        raise ContentError(faults)
    changes = table_changes({name: old[name] for name in entries if name in old}, entries, entries=True)
    try:
        extended(base, Source({collection: changes}, "", file, rows=lines))
    except ContentError as error:
        # A column that is no key is told once, not for every card.
        kinds = [
            each.key.rpartition(".")[2] if each.message.startswith("unknown key") else each for each in error.faults
        ]
        raise ContentError([each for n, each in enumerate(error.faults) if kinds[n] not in kinds[:n]]) from None
    kept = [name for name in old if name not in entries]
    left = ", ".join(kept) if len(kept) <= NAMED else f"{len(kept)} {collection}"
    note = f"# Not in the sheet, and as before: {left}. 'remove = true' takes an entry out.\n" if kept else ""
    return note + toml_text({"extends": extends, **({collection: changes} if changes else {})})


def _rows(text: str, file: str) -> Iterator[tuple[int, str, dict[str, str]]]:
    """Yield the rows of a sheet: the line, the id, and the cells by key."""
    signs = max(",;\t", key=text.partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=None), delimiter=signs, strict=True)
    try:
        head = [name.strip() for name in next(reader, [])]
        if not head or head[0] != ID:
            raise ContentError([Fault(f"must begin with a row of names, the first of them '{ID}'", file=file, line=1)])
        twice, most = Counter(filter(None, head)).most_common(1)[0]
        if most > 1:
            raise ContentError([Fault(f"the column '{twice}' stands twice", file=file, line=1)])
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells):
                if not cells[0] or len(cells) > len(head):
                    what = "has no id" if not cells[0] else f"has {len(cells)} cells, and there are {len(head)} columns"
                    raise ContentError([Fault(f"the row {what}", file=file, line=reader.line_num)])
                yield reader.line_num, cells[0], dict(zip(head[1:], [*cells[1:], *[""] * len(head)], strict=False))
    except csv.Error as fault:
        raise ContentError([Fault(f"malformed sheet: {fault}", file=file, line=reader.line_num)]) from fault


def _cell(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _value(cell: str) -> Any:
    """Return what a cell says: a number, a truth, a list or a table as JSON, or words."""
    try:
        return json_value(cell)
    except (ValueError, RecursionError):
        if cell[0] in "[{":
            raise
        return {"TRUE": True, "FALSE": False}.get(cell, cell)
