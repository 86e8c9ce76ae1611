"""Commands about rulesets: listed, told in sentences, compared, begun, checked."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from puzzles.loader import PUZZLE_FILE
from rules.core.errors import BestlineError, ContentError, escaped, nearest
from rules.core.files import file_text, is_there, path_text
from rules.core.registry import GameDefinition, find_game, game_names
from rules.core.ruleset import list_rulesets, load_ruleset
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
from solver.commands.inputs import Check, answer_checks
from solver.commands.settings import RULESET, Group, Settings, refuse_unwritable, shared
from solver.render import table


@shared
def rules_list(settings: Settings) -> None:
    """List the editions and variants that come along."""
    found = list_rulesets()
    told = [
        {"id": each.id, "title": each.title, "fingerprint": each.fingerprint, "extends": each.extends or None}
        for each in found
    ]
    cells = [("ruleset", "fingerprint", "title"), *((each.id, each.fingerprint, each.title) for each in found)]
    settings.show(lambda: {"rulesets": told}, lambda style: table(cells, style, headed=True))


@shared
def rules_show(
    ruleset: RULESET,
    settings: Settings,
    what: Annotated[
        str | None,
        typer.Argument(metavar="WHAT", help="One card, leg, rule, option or chapter, by id, number or name."),
    ] = None,
) -> None:
    """Tell a ruleset in sentences, or one card or rule of it."""
    from solver.screens.rules import chapter_rows, entry_rows

    resolved = load_ruleset(ruleset)
    chapters = list(words_of(resolved).chapters(resolved)) if what is None else [find_entry(resolved, what)]
    answer: dict[str, Any] = {
        "ruleset": resolved.id,
        "title": resolved.title,
        "fingerprint": resolved.fingerprint,
        "chapters": [_chapter(chapter) for chapter in chapters],
        **({"rules": dict(resolved.raw)} if what is None else {}),
    }
    alone = what is not None and len(chapters[0].entries) == 1 and chapters[0].id == chapters[0].entries[0].id
    rows = entry_rows(resolved, chapters[0]) if alone else chapter_rows(resolved, chapters)
    settings.show(lambda: answer, lambda _: rows)


@shared
def rules_options(ruleset: RULESET, settings: Settings) -> None:
    """List every option with its answers and its rule."""
    from solver.screens.rules import option_rows

    resolved = load_ruleset(ruleset)
    values, rules = resolved.raw["options"], rule_texts(resolved)
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
    settings.show(
        lambda: {"ruleset": resolved.id, "fingerprint": resolved.fingerprint, "options": told},
        lambda style: option_rows(resolved, rows, style),
    )


@shared
def rules_diff(
    old: Annotated[str, typer.Argument(metavar="A", help="An id of 'bestline rules list', or a file.")],
    new: Annotated[str, typer.Argument(metavar="B", help="The ruleset to compare it with.")],
    settings: Settings,
) -> None:
    """Tell what plays differently in B than in A, and where."""
    from solver.screens.rules import difference_rows

    before, after = load_ruleset(old), load_ruleset(new)
    found = differences(before, after)
    sides = {
        name: {"ruleset": each.id, "title": each.title, "fingerprint": each.fingerprint}
        for name, each in (("a", before), ("b", after))
    }
    same = before.fingerprint == after.fingerprint
    settings.show(
        lambda: {**sides, "same": same, "differences": list(map(_difference, found))},
        lambda style: difference_rows(before, after, found, style),
    )


@shared
def rules_new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the variant is written.")],
    extends: Annotated[str, typer.Option("--extends", metavar="RULESET", help="What the variant changes.")],
    settings: Settings,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> None:
    """Write a small variant with comments, to be filled in."""
    from rules.core.tools.documents import starter_variant

    refuse_unwritable(file)
    base = load_ruleset(extends)
    if is_there(file) and not force:
        raise BestlineError(f"{file}: there is a file already; choose another name, or write over it with --force")
    text = starter_variant(base, _seen_from(file, extends, base.is_shipped), file.stem.replace("_", " "))
    write_file(file, text)
    settings.say({"file": str(file), "extends": extends}, escaped(f"wrote {file}"))


def _seen_from(file: Path, extends: str, shipped: bool) -> str:
    """Return how a new file names the ruleset it extends: by id, or by the way from its own folder."""
    if shipped:
        return load_ruleset(extends).id
    return Path(os.path.relpath(Path(extends).expanduser(), file.parent)).as_posix()


TABLE = Annotated[str, typer.Option("--table", metavar="NAME", help="Another table than the cards.")]


@shared
def rules_cards(ruleset: RULESET, settings: Settings, what: TABLE = "cards") -> None:
    """Write the cards as a sheet (CSV) for spreadsheets."""
    from rules.core.tools.documents import collection_of, csv_text

    resolved = load_ruleset(ruleset)
    collection = collection_of(resolved, what)
    settings.say({"ruleset": resolved.id, collection: resolved.raw[collection]}, csv_text(resolved, collection))


@shared
def rules_import(
    sheet: Annotated[Path, typer.Argument(metavar="SHEET", help="A file as 'bestline rules cards' writes it.")],
    extends: Annotated[str, typer.Option("--extends", metavar="RULESET", help="What the variant changes.")],
    settings: Settings,
    what: TABLE = "cards",
) -> None:
    """Make the variant of a changed sheet; faults name the row or the card."""
    from rules.core.tools.documents import collection_of, csv_variant

    base, text = load_ruleset(extends), file_text(sheet)
    named = extends if base.is_shipped or settings.output is None else _seen_from(settings.output, extends, False)
    variant = csv_variant(text, str(sheet), base, collection_of(base, what), named)
    settings.say({"sheet": str(sheet), "extends": named, "variant": variant}, variant)


@shared
def rules_check(
    ruleset: Annotated[list[str], typer.Argument(metavar="RULESET...", help="Ids or files.")], settings: Settings
) -> None:
    """Tell every fault of rulesets.

    The exit code is 1 if there is any, 2 if a file cannot be read at all.
    """
    from solver.audit.targets import lint

    checks = []
    for each in ruleset:
        try:
            checks.append(Check(each, (), lint(load_ruleset(each))))
        except ContentError as error:
            checks.append(Check(each, error.faults))
    raise typer.Exit(answer_checks(checks, settings))


@shared
def rules_schema(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="ruleset, position or puzzle.")],
    settings: Settings,
    game: Annotated[
        str | None, typer.Option("--game", metavar="GAME", help="Whose files: a game of 'rules list'.")
    ] = None,
) -> None:
    """Print the JSON Schema of a kind of file, for editors."""
    from rules.core.tools.documents import position_document, puzzle_document, ruleset_document

    makers: dict[str, Callable[[GameDefinition], dict[str, Any]]] = {
        "ruleset": ruleset_document,
        "position": position_document,
        "puzzle": partial(puzzle_document, PUZZLE_FILE),
    }
    if kind not in makers:
        hint = nearest(kind, makers) or f"; kinds: {', '.join(makers)}"
        raise typer.BadParameter(f"there is no kind of file '{kind}'{hint}", param_hint="KIND")
    if game is None and len(game_names()) > 1:
        raise typer.BadParameter(f"say which game: {', '.join(game_names())}", param_hint="--game")
    definition = find_game(game or game_names()[0])
    made = makers[kind](definition)
    settings.say(made, json.dumps(made, indent=2))


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
