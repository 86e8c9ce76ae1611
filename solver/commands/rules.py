"""Commands about rulesets: listed, told in sentences, compared, begun, checked."""

from __future__ import annotations

import json
import os
from dataclasses import MISSING
from pathlib import Path
from typing import Any

import typer

from puzzles.loader import puzzle_schema
from rules.core.errors import BestlineError, escaped, nearest
from rules.core.files import file_text, is_there, path_text
from rules.core.registry import find_game, game_names
from rules.core.ruleset import check_ruleset, list_rulesets, load_ruleset
from rules.core.tools.output import write_file
from rules.core.tools.rulebook import (
    Chapter,
    Difference,
    Side,
    differences,
    find_entry,
    option_texts,
    rule_texts,
    words_of,
)
from solver.commands.inputs import Check, checked
from solver.commands.settings import RULESET, Group, Settings, Shown, argument, option, refuse_unwritable
from solver.render import table


def rules_list(settings: Settings) -> Shown:
    """List the editions and variants that come along."""
    found = list_rulesets()
    told = [
        {"id": each.id, "title": each.title, "fingerprint": each.fingerprint, "extends": each.extends or None}
        for each in found
    ]
    cells = [("ruleset", "fingerprint", "title"), *((each.id, each.fingerprint, each.title) for each in found)]
    return Shown({"rulesets": told}, table(cells, settings.style, headed=True))


def rules_show(
    ruleset: str = RULESET,
    what: str | None = argument("WHAT", "One card, leg, rule, option or chapter, by id, number or name.", None),
) -> Shown:
    """Tell a ruleset in sentences, or one card or rule of it."""
    from solver.screens.rules import chapter_rows, entry_rows

    resolved = load_ruleset(ruleset)
    game = resolved.definition
    chapters = list(words_of(resolved).chapters(resolved)) if what is None else [find_entry(resolved, what)]
    answer: dict[str, Any] = {
        "ruleset": resolved.id,
        "title": resolved.title,
        "fingerprint": resolved.fingerprint,
        "chapters": [_chapter(chapter) for chapter in chapters],
        **({"rules": dict(resolved.raw, options=game.options(resolved))} if what is None else {}),
    }
    alone = what is not None and len(chapters[0].entries) == 1 and chapters[0].id == chapters[0].entries[0].id
    rows = entry_rows(resolved, chapters[0]) if alone else chapter_rows(resolved, chapters)
    return Shown(answer, rows)


def rules_options(settings: Settings, ruleset: str = RULESET) -> Shown:
    """List every option with its answers and its rule."""
    from solver.screens.rules import option_rows

    resolved = load_ruleset(ruleset)
    values, rules = resolved.definition.options(resolved), rule_texts(resolved)
    texts = option_texts(resolved)
    told = [
        {
            "name": name,
            "ruling": text.ruling or None,
            "question": text.question,
            "values": dict(text.values),
            "range": list(text.range) if text.range else None,
            "default": values[name],
            "rule": text.rule or None,
            "rule_heading": rules[text.rule].name if text.rule in rules else None,
            "stated": resolved.stated(("options", name)) is not None,
            "note": text.note,
        }
        for name, text in texts.items()
    ]
    rows = [
        (text, values[name], f"({rules[text.rule].name})" if text.rule in rules else "") for name, text in texts.items()
    ]
    data = {"ruleset": resolved.id, "fingerprint": resolved.fingerprint, "options": told}
    return Shown(data, option_rows(resolved, rows, settings.style))


def rules_diff(
    settings: Settings,
    old: str = argument("A", "An id of 'bestline rules list', or a file."),
    new: str = argument("B", "The ruleset to compare it with."),
) -> Shown:
    """Tell what plays differently in B than in A, and where."""
    from solver.screens.rules import difference_rows

    before, after = load_ruleset(old), load_ruleset(new)
    found = differences(before, after)
    sides = {
        name: {"ruleset": each.id, "title": each.title, "fingerprint": each.fingerprint}
        for name, each in (("a", before), ("b", after))
    }
    same = before.fingerprint == after.fingerprint
    data = {**sides, "same": same, "differences": list(map(_difference, found))}
    return Shown(data, difference_rows(before, after, found, settings.style))


EXTENDS = option("What the variant changes.", MISSING, metavar="RULESET")


def rules_new(
    file: Path = argument("FILE", "Where the variant is written."),
    extends: str = EXTENDS,
    force: bool = option("Write over a file that is there.", False),
) -> Shown:
    """Write a small variant with comments, to be filled in."""
    from rules.core.tools.documents import starter_variant

    refuse_unwritable(file)
    base = load_ruleset(extends)
    if is_there(file) and not force:
        raise BestlineError(f"{file}: there is a file already; choose another name, or write over it with --force")
    text = starter_variant(base, _seen_from(file, extends, base.is_shipped), file.stem.replace("_", " "))
    write_file(file, text)
    return Shown({"file": str(file), "extends": extends}, escaped(f"wrote {file}"))


def _seen_from(file: Path, extends: str, shipped: bool) -> str:
    """Return how a new file names the ruleset it extends: by id, or by the way from its own folder."""
    if shipped:
        return load_ruleset(extends).id
    return Path(os.path.relpath(Path(extends).expanduser(), file.parent)).as_posix()


TABLE = option("Another table than the cards.", "cards", "--table", metavar="NAME")


def rules_cards(ruleset: str = RULESET, what: str = TABLE) -> Shown:
    """Write the cards as a sheet (CSV) for spreadsheets."""
    from rules.core.tools.card_sheet import collection_of, csv_text

    resolved = load_ruleset(ruleset)
    collection = collection_of(resolved, what)
    return Shown({"ruleset": resolved.id, collection: resolved.raw[collection]}, csv_text(resolved, collection))


def rules_import(
    settings: Settings,
    sheet: Path = argument("SHEET", "A file as 'bestline rules cards' writes it."),
    extends: str = EXTENDS,
    what: str = TABLE,
) -> Shown:
    """Make the variant of a changed sheet; faults name the row."""
    from rules.core.tools.card_sheet import collection_of, csv_variant

    base, text = load_ruleset(extends), file_text(sheet)
    named = extends if base.is_shipped or settings.output is None else _seen_from(settings.output, extends, False)
    variant = csv_variant(text, str(sheet), base, collection_of(base, what), named)
    return Shown({"sheet": str(sheet), "extends": named, "variant": variant}, variant)


def rules_check(settings: Settings, ruleset: list[str] = argument("RULESET...", "Ids or files.")) -> Shown:
    """Tell every fault of rulesets.

    The exit code is 1 if there is any, 2 if a file cannot be read at all.
    """
    from solver.audit.targets import lint

    checks = []
    for each in ruleset:
        faults = check_ruleset(each)
        doubts = () if faults else lint(load_ruleset(each))
        checks.append(Check(each, faults, doubts))
    return checked(checks, settings)


def rules_schema(
    kind: str = argument("KIND", "ruleset, position or puzzle."),
    game: str | None = option("Whose files: a game of 'rules list'.", metavar="GAME"),
) -> Shown:
    """Print the JSON Schema of a kind of file, for editors."""
    from rules.core.tools.documents import position_document, ruleset_document

    makers = {"ruleset": ruleset_document, "position": position_document, "puzzle": puzzle_schema}
    if kind not in makers:
        hint = nearest(kind, makers) or f"; kinds: {', '.join(makers)}"
        raise typer.BadParameter(f"there is no kind of file '{kind}'{hint}", param_hint="KIND")
    if game is None and len(game_names()) > 1:
        raise typer.BadParameter(f"say which game: {', '.join(game_names())}", param_hint="--game")
    definition = find_game(game or game_names()[0])
    made = makers[kind](definition)
    return Shown(made, json.dumps(made, indent=2))


def _chapter(chapter: Chapter) -> dict[str, Any]:
    return {
        "id": chapter.id,
        "title": chapter.title,
        "text": chapter.text,
        "entries": [
            {"id": entry.id, "name": entry.name, "copies": entry.copies, "text": entry.text}
            for entry in chapter.entries
        ],
    }


def _difference(found: Difference) -> dict[str, Any]:

    return {
        "key": path_text(found.key),
        "kind": found.kind,
        "what": found.what,
        "plays": found.plays,
        "a": None if found.kind == "added" else _side(found.old),
        "b": None if found.kind == "removed" else _side(found.new),
    }


def _side(side: Side) -> dict[str, Any]:
    return {"value": side.value, "words": side.words, "file": side.file or None, "line": side.line}


COMMANDS = {
    "rules": Group(
        "Show, compare and check rulesets.",
        {
            "list": rules_list,
            "show": rules_show,
            "options": rules_options,
            "diff": rules_diff,
            "cards": rules_cards,
            "import": rules_import,
            "check": rules_check,
            "new": rules_new,
            "schema": rules_schema,
        },
    )
}
