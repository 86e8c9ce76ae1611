"""The words of the screens about rulesets: one in sentences, its options, two compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rules.core.registry import Option, Ruleset
from rules.core.tools.rulebook import Chapter, ChapterEntry, Difference, OptionText, Side
from solver.render import EMPTY, Row, Style

_NAMES: Final = 24
"""Columns of the names of entries."""


def chapter_rows(ruleset: Ruleset, chapters: Sequence[Chapter]) -> list[Row]:
    """Return a ruleset chapter by chapter."""
    rows = [Row(f"{ruleset.id} {ruleset.fingerprint}", look="quiet")]
    for chapter in chapters:
        rows += [EMPTY, Row(chapter.title, look="title"), *([Row(chapter.text)] if chapter.text else [])]
        rows += [Row(entry.text, label=_label(entry), indent=2, column=_NAMES) for entry in chapter.entries]
    return rows


def entry_rows(ruleset: Ruleset, chapter: Chapter) -> list[Row]:
    """Return one thing of a ruleset with everything that is known about it, and where it stands."""
    rows = [Row(f"{ruleset.id} {ruleset.fingerprint}", look="quiet")]
    for entry in chapter.entries:
        rows += [EMPTY, Row(f"{entry.name} ({chapter.title})", look="title"), Row(entry.text)]
        rows += [Row(text, label=label, indent=2, column=_NAMES) for label, text in entry.more if text]
        if entry.key and ruleset.stated(entry.key) is not None:
            place = ruleset.place(entry.key)
            rows.append(Row(f"{place.file}:{place.line}", label="stands in", indent=2, column=_NAMES))
    return rows


def option_rows(ruleset: Ruleset, options: Sequence[tuple[OptionText, Option, str]], style: Style) -> list[Row]:
    """Return every option: question, answers, the one that holds here marked, and the rule it touches."""
    here_mark, other_mark = ("holds here", "or") if style.plain else ("*", "-")
    rows = [Row(ruleset.title, look="title"), Row(f"{ruleset.id} {ruleset.fingerprint}", look="quiet")]
    for text, value, rule in options:
        rows += [EMPTY, Row(f"{text.ruling} {text.name}".strip(), right=text.rule, look="title")]
        rows += [Row(" ".join(filter(None, (text.question, rule))), indent=2)]
        here = text.described(value)
        if text.values:
            here = next((name for name in text.values if name == str(value).lower()), "")
            rows += [
                Row(told, f"{here_mark if name == here else other_mark} {name}", "", 2, _NAMES)
                for name, told in text.values.items()
            ]
        if not here or not text.values:
            limits = f", of {text.range[0]} to {text.range[1]}" if text.range else ""
            rows.append(Row(f"{text.described(value)}{limits}", label=here_mark, indent=2))
        if text.note:
            rows.append(Row(text.note, indent=2))
    return rows if style.plain else [*rows, EMPTY, Row("* holds in this ruleset", look="quiet")]


def difference_rows(old: Ruleset, new: Ruleset, found: Sequence[Difference], style: Style) -> list[Row]:
    """Return what differs between two rulesets, both values of each with its place."""
    before, after = ("before", "after") if style.plain else ("-", "+")
    rows = [
        Row(f"{old.title}", label=before, look="title", right=old.fingerprint),
        Row(f"{new.title}", label=after, look="title", right=new.fingerprint),
        EMPTY,
    ]
    if old.fingerprint == new.fingerprint:
        rows.append(Row("These play the same.", look="good"))
    for each in found:
        kind = "" if each.kind == "changed" else f" {each.kind}"
        rows.append(Row(f"{each.what}{kind}", look="title"))
        if each.kind != "added":
            rows.append(_side(each.old, before))
        if each.kind != "removed":
            rows.append(_side(each.new, after))
    return rows


def _side(side: Side, sign: str) -> Row:
    place = f"{side.file}:{side.line}" if side.line else side.file or "not stated"
    return Row(f"{side.words} [{place}]", label=sign, indent=2)


def _label(entry: ChapterEntry) -> str:
    return f"{entry.copies} {entry.name}" if entry.copies > 1 else entry.name
