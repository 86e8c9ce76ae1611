"""Commands about rulesets: listed, told in sentences, compared, begun, checked."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import MISSING, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import typer

from puzzles.puzzle import PUZZLE_FILE
from rules.core.errors import ContentError, escaped, nearest
from rules.core.files import file_text, path_text
from rules.core.position import new_position
from rules.core.registry import GameDefinition, Ruleset, find_game, game_names
from rules.core.ruleset import list_rulesets, load_ruleset
from rules.core.tools import documents, rulebook
from rules.core.tools.output import picked, refuse_unwritable, write_file
from solver.commands.position import Check, checked
from solver.commands.question import RULESET
from solver.commands.settings import Settings, Shown, argument, option
from solver.render import EMPTY, Row, table

_NAMES: Final = 24
"""Columns of the names of entries."""


def rules_list() -> Shown:
    """List the editions and variants that come along."""
    found = list_rulesets()
    told = [{**picked(each, "id", "title", "fingerprint"), "extends": each.extends or None} for each in found]
    cells = [("ruleset", "fingerprint", "title"), *((each.id, each.fingerprint, each.title) for each in found)]
    return Shown({"rulesets": told}, table(cells, headed=True))


def rules_show(
    ruleset: str = RULESET,
    what: str | None = argument("WHAT", "One card, leg, rule, option or chapter, by id, number or name.", None),
) -> Shown:
    """Tell a ruleset in sentences, or one card or rule of it."""
    resolved = load_ruleset(ruleset)
    book = rulebook.book_of(resolved)
    told = list(book.chapters()) if what is None else [book.find_entry(what)]
    chapters = [
        {
            **picked(chapter, "id", "title", "text"),
            "entries": [picked(entry, "id", "name", "copies", "text") for entry in chapter.entries],
        }
        for chapter in told
    ]
    answer = {**_named(resolved), "chapters": chapters, **({"rules": dict(resolved.raw)} if what is None else {})}
    rows = [Row(f"{resolved.id} {resolved.fingerprint}", look="quiet")]
    if what is not None and len(told[0].entries) == 1 and told[0].id == told[0].entries[0].id:
        # One thing with everything that is known about it, and where it stands.
        entry = told[0].entries[0]
        rows += [EMPTY, Row(f"{entry.name} ({told[0].title})", look="title"), Row(entry.text)]
        rows += [Row(text, label=label, indent=2, column=_NAMES) for label, text in entry.more if text]
        if entry.key and resolved.stated(entry.key) is not None:
            place = resolved.place(entry.key)
            rows.append(Row(f"{place.file}:{place.line}", label="stands in", indent=2, column=_NAMES))
        return Shown(answer, rows)
    for chapter in told:
        rows += [EMPTY, Row(chapter.title, look="title"), *([Row(chapter.text)] if chapter.text else [])]
        for entry in chapter.entries:
            label = f"{entry.copies} {entry.name}" if entry.copies > 1 else entry.name
            rows.append(Row(entry.text, label=label, indent=2, column=_NAMES))
    return Shown(answer, rows)


def rules_options(settings: Settings, ruleset: str = RULESET) -> Shown:
    """List every option with its answers and its rule."""
    resolved = load_ruleset(ruleset)
    values, book = resolved.raw["options"], rulebook.book_of(resolved)
    texts, rules = book.options, book.rules
    headings = {name: rules[text.rule].name if text.rule in rules else None for name, text in texts.items()}
    told = [
        {
            "name": name,
            "ruling": text.ruling or None,
            **picked(text, "question", "values", "range"),
            "default": values[name],
            "rule": text.rule or None,
            "rule_heading": headings[name],
            "stated": resolved.stated(("options", name)) is not None,
            "note": text.note,
        }
        for name, text in texts.items()
    ]
    # Question, answers, the one that holds here marked, and the rule that each touches.
    here_mark, other_mark = ("holds here", "or") if settings.plain else ("*", "-")
    rows = [Row(resolved.title, look="title"), Row(f"{resolved.id} {resolved.fingerprint}", look="quiet")]
    for name, text in texts.items():
        value, rule = values[name], headings[name]
        rows += [EMPTY, Row(f"{text.ruling} {name}".strip(), right=text.rule, look="title")]
        rows += [Row(" ".join(filter(None, (text.question, rule and f"({rule})"))), indent=2)]
        here = str(value).lower()
        rows += [
            Row(words, f"{here_mark if each == here else other_mark} {each}", "", 2, _NAMES)
            for each, words in text.values.items()
        ]
        if here not in text.values:
            limits = f", of {text.range[0]} to {text.range[1]}" if text.range else ""
            rows.append(Row(f"{text.described(value)}{limits}", label=here_mark, indent=2))
        rows += [Row(text.note, indent=2)] if text.note else []
    rows += [] if settings.plain else [EMPTY, Row("* holds in this ruleset", look="quiet")]
    return Shown({"ruleset": resolved.id, "fingerprint": resolved.fingerprint, "options": told}, rows)


def rules_diff(
    settings: Settings,
    old: str = argument("A", "An id of 'bestline rules list', or a file."),
    new: str = argument("B", "The ruleset to compare it with."),
) -> Shown:
    """Tell what plays differently in B than in A, and where."""
    before, after = load_ruleset(old), load_ruleset(new)
    found, is_same = rulebook.differences(before, after), before.fingerprint == after.fingerprint
    data = {"a": _named(before), "b": _named(after), "same": is_same, "differences": list(map(_difference, found))}
    signs = ("before", "after") if settings.plain else ("-", "+")
    both = zip(signs, (before, after), strict=True)
    rows = [Row(each.title, label=sign, look="title", right=each.fingerprint) for sign, each in both]
    rows += [EMPTY, Row("These play the same." if is_same else "", look="good")]
    for each in found:
        rows.append(Row(f"{each.what}{'' if each.kind == 'changed' else f' {each.kind}'}", look="title"))
        rows += [] if each.kind == "added" else [_side_row(each.old, signs[0])]
        rows += [] if each.kind == "removed" else [_side_row(each.new, signs[1])]
    return Shown(data, rows)


EXTENDS = option("What the variant changes.", MISSING, metavar="RULESET")
FORCE = option("Write over a file that is there.", False)


def rules_new(
    file: Path = argument("FILE", "Where the variant is written."),
    extends: str = EXTENDS,
    force: bool = FORCE,
) -> Shown:
    """Write a small variant with comments, to be filled in."""
    refuse_unwritable(file, new=not force)
    base = load_ruleset(extends)
    named = base.id if base.is_shipped else _seen_from(file, extends)
    write_file(file, documents.starter_variant(base, named, file.stem.replace("_", " ")))
    return Shown({"file": str(file), "extends": extends}, escaped(f"wrote {file}"))


def _seen_from(file: Path, extends: str) -> str:
    """Return the way from the folder of a new file to the ruleset that it extends."""
    return Path(os.path.relpath(Path(extends).expanduser(), file.parent)).as_posix()


TABLE = option("Another table than the cards.", "cards", "--table", metavar="NAME")


def rules_cards(ruleset: str = RULESET, what: str = TABLE) -> Shown:
    """Write the cards as a sheet (CSV) for spreadsheets."""
    resolved = load_ruleset(ruleset)
    collection = documents.collection_of(resolved, what)
    sheet = documents.csv_text(resolved, collection)
    return Shown({"ruleset": resolved.id, collection: resolved.raw[collection]}, sheet)


def rules_import(
    settings: Settings,
    sheet: Path = argument("SHEET", "A file as 'bestline rules cards' writes it."),
    extends: str = EXTENDS,
    what: str = TABLE,
    force: bool = FORCE,
) -> Shown:
    """Make the variant of a changed sheet; faults name the row or the card."""
    refuse_unwritable(settings.output, new=not force)
    base, text = load_ruleset(extends), file_text(sheet)
    named = extends if base.is_shipped or settings.output is None else _seen_from(settings.output, extends)
    variant = documents.csv_variant(text, str(sheet), base, documents.collection_of(base, what), named)
    return Shown({"sheet": str(sheet), "extends": named, "variant": variant}, variant)


def rules_check(settings: Settings, ruleset: list[str] = argument("RULESET...", "Ids or files.")) -> Shown:
    """Tell every fault of rulesets.

    The exit code is 1 if there is any, 2 if a file cannot be read at all.
    """
    from solver.audit.targets import lint

    checks = []
    for each in ruleset:
        try:
            resolved = load_ruleset(each)
            new_position(resolved, resolved.definition.players_allowed(resolved)[0], 0)  # its options fit each other
            checks.append(Check(each, (), lint(resolved)))
        except ContentError as error:
            named = (fault if fault.file or not fault.key else replace(fault, file=each) for fault in error.faults)
            checks.append(Check(each, tuple(named)))
    return checked(checks, settings)


def rules_schema(
    kind: str = argument("KIND", "ruleset, position or puzzle."),
    game: str | None = option("Whose files: a game of 'rules list'.", metavar="GAME"),
) -> Shown:
    """Print the JSON Schema of a kind of file, for editors."""
    makers: dict[str, Callable[[GameDefinition], dict[str, Any]]] = {
        "ruleset": documents.ruleset_document,
        "position": documents.position_document,
        "puzzle": partial(documents.puzzle_document, PUZZLE_FILE),
    }
    if kind not in makers:
        hint = nearest(kind, makers) or f"; kinds: {', '.join(makers)}"
        raise typer.BadParameter(f"there is no kind of file '{kind}'{hint}", param_hint="KIND")
    if game is None and len(game_names()) > 1:
        raise typer.BadParameter(f"say which game: {', '.join(game_names())}", param_hint="--game")
    made = makers[kind](find_game(game or game_names()[0]))
    return Shown(made, json.dumps(made, indent=2))


def _named(ruleset: Ruleset) -> dict[str, Any]:
    return {"ruleset": ruleset.id, **picked(ruleset, "title", "fingerprint")}


def _difference(found: rulebook.Difference) -> dict[str, Any]:
    sides = {
        name: None
        if found.kind == alone
        else {**picked(side, "value", "words"), "file": side.file or None, "line": side.line}
        for name, side, alone in (("a", found.old, "added"), ("b", found.new, "removed"))
    }
    return {"key": path_text(found.key), **picked(found, "kind", "what"), **sides}


def _side_row(side: rulebook.Side, sign: str) -> Row:
    place = f"{side.file}:{side.line}" if side.line else side.file or "not stated"
    return Row(f"{side.words} [{place}]", label=sign, indent=2)
