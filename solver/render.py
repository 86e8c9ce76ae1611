"""Answers on a screen: rows of words laid out for a width, with or without colour, columns and Unicode.

The only module that knows ``rich``, and loads it only for colours and pages. What is shown is settled elsewhere;
here it only gets its place, so every screen also exists as plain text.
"""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rules.core.errors import escaped

ASCII: Final = str.maketrans(
    dict(zip("·—–−×█▒░▲▼◆◇●►■□○◊◎─├│└║", "----x#=-^v@+%>#_&oX-+|+|", strict=True))
    | {"→": "->", "…": "...", "≥": ">=", "≤": "<=", "±": "+-", "✓": "ok"}
)
"""What stands for each glyph of ours where only ASCII may be written."""

LOOKS: Final = {"title": "bold", "good": "bold green", "bad": "bold red", "open": "bold yellow", "quiet": "dim", "": ""}
"""Styles of rows, by what they mean; a meaning is never carried by colour alone."""
SIGNS: Final = {
    **dict.fromkeys("▲◆", "cyan"),
    **dict.fromkeys("▼◇", "red"),
    **dict.fromkeys("●█▒", "green"),
    **dict.fromkeys("►◎", "magenta"),
    **dict.fromkeys("■○", "blue"),
    **dict.fromkeys("□◊", "yellow"),
}
"""Colours of signs and of the word behind them."""
_SIGNED: Final = re.compile(rf"([{''.join(SIGNS)}]+[^\s,;─├║]*)")
_UNSIGNED: Final = re.compile(rf"(?<!\S)[{''.join(SIGNS)}]+ ?")
"""Signs where nobody needs them."""
_NUMBER: Final = re.compile(r"(?<=\d) (?=[%\w→+])|(?<=[→+]) (?=\d)|(?<= of| to| or) (?=\d)|(?<=[\w→]) (?=[+-]\d|x\d)")
"""Blanks within what is read as one number,"""
_GLUE: Final = "\x01"
"""and what stands for them while lines are broken."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a screen is drawn."""

    ascii: bool = False
    plain: bool = False
    """One fact a line, nothing aligned."""
    colour: bool = False
    width: int = 80
    """Columns."""


@dataclass(frozen=True, slots=True)
class Row:
    """One statement: a label in front, a text that wraps under itself, and something at the right edge."""

    text: str
    label: str = ""
    right: str = ""
    indent: int = 0
    """Columns before the label."""
    column: int = 0
    """Columns from the label to the text; 0 for one space after the label."""
    look: str = ""
    """Key of ``LOOKS`` for label and text."""
    drawn: Callable[[int], Sequence[str]] | None = None
    """Returns the lines of a picture for so many columns, or none where the text says it.

    No columns at all ask for lines that stand alone, one fact each.
    """


NARROW: Final = 25
"""Columns below which a text that does not fit is set on a line of its own."""
EMPTY: Final = Row("")
"""A blank row between two blocks."""


def draw(rows: Iterable[Row], style: Style) -> str:
    """Return a screen as text, with ANSI colours only where the style wants them."""
    if not style.colour:
        return "".join(f"{''.join(part for part, _ in line)}\n" for line in lines_of(rows, style))
    from rich.console import Console
    from rich.text import Text

    target = io.StringIO()
    console = Console(file=target, width=style.width, highlight=False, emoji=False, markup=False, force_terminal=True)
    for line in lines_of(rows, style):
        # Text is never parsed as markup, so a card named "[red]" stays what it is.
        console.print(Text.assemble(*((part, LOOKS.get(look, look)) for part, look in line)), soft_wrap=True)
    return target.getvalue()


def lines_of(rows: Iterable[Row], style: Style) -> Iterator[list[tuple[str, str]]]:
    """Yield the lines of a screen in parts, each with a key of ``LOOKS`` or a colour of ``SIGNS``."""
    for row in rows:
        for line, look in _plain(row) if style.plain else _laid_out(row, style):
            parts = filter(None, _SIGNED.split(escaped(line)))
            yield [(_encoded(part, style), SIGNS.get(part[0], look)) for part in parts]


def wrapped(text: str, width: int, first: str = "", others: str = "") -> list[str]:
    """Return a text in lines, broken only between words, and never within a number and its unit."""
    lines = textwrap.wrap(
        _NUMBER.sub(_GLUE, text),
        width=width,
        initial_indent=first,
        subsequent_indent=others,
        break_on_hyphens=False,
        break_long_words=False,  # a position code must stay in one piece
    )
    return [line.replace(_GLUE, " ") for line in lines]


def table(rows: Sequence[Sequence[str]], style: Style, *, indent: int = 0, headed: bool = False) -> list[Row]:
    """Return rows of cells as aligned rows, the last column wrapping; with ``plain`` the cells follow each other.

    Where hardly any room is left for the last column, it stands below the others. ``headed``: the first row names the
    columns; with ``plain`` every cell has its name beside it instead.
    """
    if not rows:
        return []
    if style.plain:
        names, told = (rows[0], rows[1:]) if headed else ([""] * len(rows[0]), rows)
        return [
            Row(", ".join(f"{name}: {cell}" if name else cell for name, cell in zip(names, row, strict=True) if cell))
            for row in told
        ]
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]) - 1)]
    column = sum(widths) + 2 * len(widths)
    room = style.width - indent - column
    if room < min(NARROW, max(len(row[-1]) for row in rows)):
        return [part for row in rows for part in _stacked(row, widths, style.width, indent)]
    return [Row(row[-1], label=_side_by_side(row, widths), indent=indent, column=column) for row in rows]


def _side_by_side(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=False))


def _stacked(row: Sequence[str], widths: Sequence[int], width: int, indent: int) -> list[Row]:
    """Return a row of a table with its last cell on a line of its own, and the others too where they have no room."""
    first, *middle = row[:-1]
    start = widths[0] + 2 if middle and width - indent - widths[0] - 2 >= NARROW else 2
    if indent + sum(widths) + 2 * len(middle) <= width:
        rows = [Row("", label=_side_by_side(row[:-1], widths), indent=indent)]
    else:
        cells = [cell for cell in middle if cell] or [""]
        beside = start > 2
        rows = [Row(cells[0] if beside else "", label=first, indent=indent, column=start)]
        rows += [Row(cell, indent=indent + start) for cell in (cells[1:] if beside else cells) if cell]
    return [*rows, Row(row[-1], indent=indent + start)] if row[-1] else rows


def _plain(row: Row) -> list[tuple[str, str]]:
    if row.drawn and (lines := row.drawn(0)):
        return [(_UNSIGNED.sub("", line), row.look) for line in lines]
    label = " ".join(row.label.split()).strip("·")
    told = f"{label}: {row.text}" if label and row.text else label or row.text
    right = row.right.replace(" → ", " to ")
    return [(_UNSIGNED.sub("", f"{told} ({right})" if right else told), row.look)]


def _laid_out(row: Row, style: Style) -> list[tuple[str, str]]:
    # Glyphs may be wider in ASCII, so they are exchanged before anything is measured.
    text, label, right = (part.translate(ASCII) if style.ascii else part for part in (row.text, row.label, row.right))
    head = " " * row.indent + label
    start = row.indent + max(row.column, len(label) + 1 if label else 0)
    first = f"{head:<{start}}" if text else head
    if row.drawn:
        beside = row.drawn(style.width - start)
        if beside:
            heads = [head, *[""] * len(beside)]
            return [(f"{each:<{start}}{line}".rstrip(), row.look) for each, line in zip(heads, beside, strict=False)]
        if under := row.drawn(style.width - row.indent):
            return [(line.rstrip(), row.look) for line in (head, *(" " * row.indent + line for line in under))]
    longest = max(map(len, _NUMBER.sub(_GLUE, text).split(" ")), default=0)
    if label and style.width - start < min(NARROW, len(text)):  # no room beside the label
        below = replace(row, text=text, label="", right=right, indent=row.indent + 2, column=0, drawn=None)
        alone = replace(row, text=label, label="", right="", column=0, drawn=None)
        return [*_laid_out(alone, style), *_laid_out(below, style)]
    room = style.width - (len(right) + 2 if right else 0)
    if right and start + longest > room:  # no room beside what stands at the edge
        alone = replace(row, text=right, label="", right="", indent=start, column=0)
        return [*_laid_out(replace(row, text=text, label=label, right=""), style), *_laid_out(alone, style)]
    told = wrapped(text, style.width, first + "\0" * (style.width - room), " " * start) or [first.rstrip()]
    lines = [line.replace("\0", "") for line in told]
    if right:
        lines[0] = f"{lines[0]:<{room}}  {right}"
    return [(line.rstrip(), row.look) for line in lines]


def _encoded(line: str, style: Style) -> str:
    return line.translate(ASCII).encode("ascii", "backslashreplace").decode() if style.ascii else line
