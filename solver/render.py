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
from typing import TYPE_CHECKING, Final

from rules.core.errors import escaped

if TYPE_CHECKING:
    from rich.console import Console

ASCII: Final = str.maketrans(
    {
        "→": "->",
        "·": "-",
        "—": "-",
        "–": "-",
        "−": "-",
        "×": "x",
        "…": "...",
        "≥": ">=",
        "≤": "<=",
        "±": "+-",
        "✓": "ok",
        "█": "#",
        "▒": "=",
        "░": "-",
        "▲": "^",
        "▼": "v",
        "◆": "@",
        "◇": "+",
        "●": "%",
        "►": ">",
        "■": "#",
        "□": "_",
        "○": "&",
        "◊": "o",
        "◎": "X",
        "─": "-",
        "├": "+",
        "│": "|",
        "└": "+",
        "║": "|",
    }
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
_SIGNED: Final = re.compile(rf"([{''.join(SIGNS)}]+[^\s,;]*)")
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


_PAGE: Final = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"/><title>{title}</title>
<style>body {{ color: {foreground}; background: {background}; margin: 2em; }}</style></head>
<body><pre style="font-family: monospace"><code>{code}</code></pre></body>
</html>
"""
"""What a screen is put into; ``title`` is filled in beforehand."""
_FONT: Final = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""Fonts that rich would load from elsewhere."""

NARROW: Final = 25
"""Columns below which a text that does not fit is set on a line of its own."""
EMPTY: Final = Row("")
"""A blank row between two blocks."""


def draw(rows: Iterable[Row], style: Style) -> str:
    """Return a screen as text, with ANSI colours only where the style wants them."""
    lines = [
        (escaped(line), look) for row in rows for line, look in (_plain(row) if style.plain else _laid_out(row, style))
    ]
    if not style.colour:
        return _encoded("\n".join(line for line, _ in lines) + "\n", style)
    target = io.StringIO()
    _printed(lines, style, target)
    return target.getvalue()


def markdown(rows: Iterable[Row]) -> str:
    """Return a screen as Markdown: its title, paragraphs, lists of facts, and numbered turns with what they do."""
    lines: list[str] = []
    for row in rows:
        text, label, right = (_marked(each) for each in (row.text, row.label.strip(), row.right))
        code, beside = f"`{escaped(row.text)}`", f" ({right})" if right else ""
        if row.drawn and (picture := row.drawn(Style().width)):
            lines += [
                f"- **{label}**" if label else "",
                "",
                "  ```",
                *(f"  {escaped(each)}" for each in picture),
                "  ```",
            ]
        elif row.look == "title":
            lines += ["", f"{label}. {code}{beside}" if label else f"{'##' if lines else '#'} {text}", ""]
        elif label == "·":
            lines.append(f"   - {text}{beside}")
        elif row.look in ("good", "bad", "open"):
            lines.append(f"**{f'{label} {text}'.strip()}**")
        elif label:
            lines.append(f"{'   ' * (row.indent > 2)}- **{label}** {code if label == 'code' else text}{beside}")
        else:
            lines.append(f"- {code}{beside}" if row.indent else text)
    return "\n".join(line for place, line in enumerate(lines[1:]) if line or lines[place]) + "\n"


def _marked(text: str) -> str:
    """Return a text in which nothing is markup."""
    return re.sub(r"([\\`*_\[\]<>#|])", r"\\\1", escaped(text))


def page(rows: Iterable[Row], title: str) -> str:
    """Return a screen as one HTML page that loads nothing."""
    from html import escape

    from rich.terminal_theme import SVG_EXPORT_THEME

    recorded = _recorded(rows)
    # rich fills in the page with ``format``, so braces of the title are doubled.
    form = _PAGE.replace("{title}", escape(escaped(title)).replace("{", "{{").replace("}", "}}"))
    return recorded.export_html(theme=SVG_EXPORT_THEME, inline_styles=True, code_format=form)


def picture(rows: Iterable[Row], title: str) -> str:
    """Return a screen as an SVG picture that loads nothing."""
    drawing = _FONT.sub("", _recorded(rows).export_svg(title=escaped(title)))
    return drawing if drawing.endswith("\n") else f"{drawing}\n"


def _recorded(rows: Iterable[Row]) -> Console:
    style = Style()
    lines = ((escaped(line), look) for row in rows for line, look in _laid_out(row, style))
    return _printed(lines, style, io.StringIO(), is_recorded=True)


def _printed(
    lines: Iterable[tuple[str, str]], style: Style, target: io.StringIO, *, is_recorded: bool = False
) -> Console:
    """Print rows with colours for a terminal, or keep them to be exported."""
    from rich.console import Console
    from rich.text import Text

    console = Console(
        file=target,
        width=style.width,
        highlight=False,
        emoji=False,
        markup=False,
        record=is_recorded,
        force_terminal=None if is_recorded else True,
    )
    for line, look in lines:
        # Text is never parsed as markup, so a card named "[red]" stays what it is.
        parts = ((_encoded(part, style), LOOKS.get(kind, kind)) for part, kind in _parts(line, look))
        console.print(Text.assemble(*parts), soft_wrap=True)
    return console


def _parts(line: str, look: str) -> Iterator[tuple[str, str]]:
    """Yield a line in parts of one look or colour each."""
    for part in filter(None, _SIGNED.split(line)):
        yield part, SIGNS.get(part[0], look)


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
