"""Answers on a screen, a page or a picture: rows of words laid out for a width, with or without colour and columns.

The only module that knows ``rich``, and loads it only for colours. What is shown is settled elsewhere;
here it only gets its place, so every screen also exists as plain text.
"""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import zip_longest
from typing import Final, NamedTuple

from rules.core.errors import counted, escaped
from rules.core.race import Grid, Mark, Picture, Shape, Stack, Strip

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
_NUMBER: Final = re.compile(
    r"(?<=\d) (?=[%\w→+])|(?<=[→+]) (?=\d)|(?<= of| to| or) (?=\d)|(?<=[\w→]) (?=[+-]\d|x\d)|(?<=%) (?=\(\d)"
)
"""Blanks within what is read as one number,"""
_GLUE: Final = "\x01"
"""and what stands for them while lines are broken."""


class Style(NamedTuple):
    """How a screen is drawn."""

    ascii: bool = False
    plain: bool = False
    """One fact a line, nothing aligned."""
    colour: bool = False
    width: int = 80
    """Columns."""


class Row(NamedTuple):
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


BAR: Final = 16
"""Columns of a bar that stands for certainty."""
LEAST: Final = 20
"""Columns below which nothing is drawn; a column of a seat has a few more."""
FACTS: Final = 11
"""Columns of the labels of facts."""
TARGET: Final = "◎"
"""Sign of the place to get to."""
NARROW: Final = 25
"""Columns below which a text that does not fit is set on a line of its own."""
EMPTY: Final = Row("")


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
    """Yield the lines of a screen in parts, each with a key of ``LOOKS`` or a colour of ``SIGNS``.

    Blank rows stand only between others, and there is never more than one.
    """
    begun = apart = False
    for row in rows:
        if not (row.text or row.label or row.right or row.drawn):
            apart = begun
            continue
        if apart:
            yield []
        begun, apart = True, False
        for line, look in _plain(row) if style.plain else _laid_out(row, style):
            parts = [(part, SIGNS.get(part[0], look)) for part in _SIGNED.split(escaped(line)) if part]
            if style.ascii:
                parts = [(part.translate(ASCII).encode("ascii", "backslashreplace").decode(), it) for part, it in parts]
            yield parts


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


def table(
    cells: Sequence[Sequence[str]], *, indent: int = 0, headed: bool = False, bars: int | None = None
) -> list[Row]:
    """Return rows of cells as one row that is drawn: aligned, the last column wrapping, or one fact a line.

    Where hardly any room is left for the last column, it stands below the others. ``headed``: the first row names the
    columns; where nothing is aligned, every cell has its name beside it instead. A column of ``bars`` is left out where
    it is empty, where nobody sees it, or where it leaves no room for the last one.
    """
    return [Row("", indent=indent, drawn=partial(_table, cells, headed, bars))] if cells else []


def _table(rows: Sequence[Sequence[str]], headed: bool, bars: int | None, room: int) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    column = sum(widths[:-1]) + 2 * (len(widths) - 1)
    if bars is not None and not (widths[bars] and room - column >= min(NARROW, widths[-1])):
        return _table([(*row[:bars], *row[bars + 1 :]) for row in rows], headed, None, room)
    if not room:  # one fact a line
        names, *facts = rows if headed else ([""] * len(widths), *rows)
        named = [
            [f"{name}: {cell}" if name else cell for name, cell in zip(names, row, strict=True) if cell]
            for row in facts
        ]
        return [", ".join(row) for row in named]
    left = room - column
    beside = [wrapped(row[-1], left) for row in rows] if left > 0 else []
    is_short = beside and all(len(cell) <= 2 and max(map(len, cell), default=0) <= left for cell in beside)
    labels = ["  ".join(cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=False)) for row in rows]
    if is_short or left >= min(NARROW, widths[-1]):
        parts = [zip_longest([label], cell, fillvalue="") for label, cell in zip(labels, beside, strict=True)]
        return [f"{label:<{column}}{line}".rstrip() for part in parts for label, line in part]
    apart = " " * (2 + (widths[0] if room - widths[0] > 2 * NARROW else 0))
    lines: list[str] = []
    for row, label in zip(rows, labels, strict=True):
        alone = label if len(label) <= room else "  ".join(filter(None, row[:-1]))
        lines += [*wrapped(alone, room, "", apart), *wrapped(row[-1], room, apart, apart)]
    return lines


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
        if beside := row.drawn(style.width - start):
            heads = [head, *[""] * len(beside)]
            return [(f"{each:<{start}}{line}".rstrip(), row.look) for each, line in zip(heads, beside, strict=False)]
        if under := row.drawn(style.width - row.indent):
            return [(line.rstrip(), row.look) for line in (head, *(" " * row.indent + line for line in under))]
    longest = max(map(len, _NUMBER.sub(_GLUE, text).split(" ")), default=0)
    if label and style.width - start < min(NARROW, len(text)):  # no room beside the label
        below = row._replace(text=text, label="", right=right, indent=row.indent + 2, column=0, drawn=None)
        alone = row._replace(text=label, label="", right="", column=0, drawn=None)
        return [*_laid_out(alone, style), *_laid_out(below, style)]
    room = style.width - (len(right) + 2 if right else 0)
    if right and start + longest > room:  # no room beside what stands at the edge
        alone = row._replace(text=right, label="", right="", indent=start, column=0)
        return [*_laid_out(row._replace(text=text, label=label, right=""), style), *_laid_out(alone, style)]
    told = wrapped(text, style.width, first + "\0" * (style.width - room), " " * start) or [first.rstrip()]
    lines = [line.replace("\0", "") for line in told]
    if right:
        lines[0] = f"{lines[0]:<{room}}  {right}"
    return [(line.rstrip(), row.look) for line in lines]


# Pictures of text: bars of chances, strips of places, grids of cells, stacks, and seats side by side


def bar(value: Fraction | float, interval: tuple[Fraction | float, Fraction | float] | None = None) -> str:
    """Return a bar that is full only for certainty and empty only for 0; what an interval leaves open is unsure."""
    ends = ((each, round(each * BAR)) for each in interval or (value, value))
    low, high = (min(max(near, int(each > 0)), BAR if each >= 1 else BAR - 1) for each, near in ends)
    return "█" * low + "▒" * (high - low) + "░" * (BAR - high)


def fact_row(
    label: str, text: str, indent: int = 0, column: int = FACTS, look: str = "", target: int | None = None
) -> Row:
    """Return one labelled fact, which is drawn where it is a picture; ``target`` is marked where places are drawn."""
    shape = text.shape if isinstance(text, Picture) else None
    if isinstance(shape, Strip) and target is not None:
        shape = shape._replace(marks=(*shape.marks, Mark(target, TARGET, f"target {target}")))
    return Row(text, label, indent=indent, column=column, look=look, drawn=shape and partial(shape_lines, shape))


def shape_lines(shape: Shape, room: int) -> list[str]:
    """Return the lines of a picture, none where there is no room for it."""
    if room < LEAST:
        return []
    if isinstance(shape, Strip):
        return _strip(shape, room)
    return _grid(shape, room) if isinstance(shape, Grid) else _stack(shape)


def _strip(strip: Strip, room: int) -> list[str]:
    """Return the stretches around all that has a name, and those ahead as far as there is room for each place.

    Names of marks stand above the track, those of stretches with their first places below.
    """
    named = sorted((mark for mark in strip.marks if mark.name), key=lambda mark: mark.place)
    low, high = named[0].place, named[-1].place
    first = next(start for start, end, _ in strip.stretches if end >= low)
    seen = [each for each in strip.stretches if each[1] >= low and (each[0] <= high or each[1] - first < room)]
    last = max(seen[-1][1], high)
    step = -(-(last - first + 1) // room)
    track = ["─"] * ((last - first) // step + 1)
    for start, *_ in seen:
        track[(start - first) // step] = "├"
    below, above = "", list[str]()
    ends = [(start - first) // step for start, *_ in seen[1:]] + [room]
    for (start, _, name), end in zip(seen, ends, strict=True):
        begin = (start - first) // step
        told = next((text for text in (f"{start} {name}", name, str(start), "") if begin + len(text) < end), "")
        below = below.ljust(begin) + told
    for mark in sorted(strip.marks, key=lambda mark: (bool(mark.name), mark.place)):
        if first <= mark.place <= last:
            track[(mark.place - first) // step] = mark.sign
    for mark in named:
        begin = min((mark.place - first) // step, room - len(mark.name))
        level = next((n for n, line in enumerate(above) if len(line) < begin), len(above))
        above[level : level + 1] = [(above[level] if level < len(above) else "").ljust(begin) + mark.name]
    return [*reversed(above), "".join(track), below]


def _grid(grid: Grid, room: int) -> list[str]:
    """Return a grid in columns of one width, with both axes; a cell may take several lines."""
    size = len(grid.rows[0])
    widest = max(len(cell) for row in grid.rows for cell in row)
    words = max((len(word) for row in grid.rows for cell in row for word in cell.split()), default=1)
    width = min(max(widest, 2), (room - 5) // size - 2)
    if width < words:
        return []
    lines = [f"    {grid.above}"]
    for number, row in reversed(list(enumerate(grid.rows, start=1))):
        for place, parts in enumerate(zip_longest(*(wrapped(cell or "·", width) for cell in row), fillvalue="")):
            lines.append(
                f"{number if place == 0 else '':>2} │ {'  '.join(part.ljust(width) for part in parts)}".rstrip()
            )
    axis = "".join(f"{column}".ljust(width + 2, "─") for column in range(1, size + 1))
    return [*lines, f"   └─{axis}".rstrip("─"), f"    {grid.below}"]


def _stack(stack: Stack) -> list[str]:
    """Return a stack as a tree: what waits longest on top, behind it what it waits for."""
    lines = []
    for depth, (name, paid, need) in enumerate(stack.layers):
        branch = f"{'   ' * (depth - 1)}└─ " if depth else ""
        marks = f" {'■' * paid}{'□' * (need - paid)} {paid} of {counted(need, stack.unit)}" if need else ""
        lines.append(f"{branch}{name}{marks}")
    return lines


def _cell(text: str, width: int) -> list[str]:
    return (isinstance(text, Picture) and shape_lines(text.shape, width)) or wrapped(text, width)


def seats_lines(seats: Sequence[Sequence[tuple[str, str]]], room: int) -> list[str]:
    """Return labelled facts of several seats side by side; the first fact of each says whose they are."""
    if not room:  # one fact a line
        return [
            " ".join(facts[0]) if n == 0 else f"{' '.join(facts[0]).partition(',')[0]}, {label}: {text}"
            for facts in seats
            for n, (label, text) in enumerate(facts)
        ]
    width = (room - FACTS) // len(seats) - 2
    if width < LEAST + 5:
        told = [(label, _cell(text, room - FACTS)) for facts in seats for label, text in facts]
        return [f"{'' if n else label:<{FACTS - 1}} {line}" for label, parts in told for n, line in enumerate(parts)]
    tables: list[Mapping[str, str]] = [dict(facts) for facts in seats]
    lines: list[str] = []
    for label in dict.fromkeys(label for facts in seats for label, _ in facts):
        parts = zip_longest(*(_cell(table.get(label, ""), width) for table in tables), fillvalue="")
        for place, cells in enumerate(parts):
            shown = "  ".join(cell.ljust(width) for cell in cells)
            lines.append(f"{'' if place else label:<{FACTS - 1}} {shown}".rstrip())
    return lines


# Screens to share: an HTML page, an SVG picture and Markdown, for light and dark, that load nothing from elsewhere

Line = Sequence[tuple[str, str]]
"""Parts of a line, each with its look or colour."""
COLOURS: Final[Mapping[str, tuple[str, str]]] = {
    "good": ("#116329", "#7ee787"),
    "bad": ("#a40e26", "#ff7b72"),
    "open": ("#7d4e00", "#f2cc60"),
    "quiet": ("#57606a", "#8b949e"),
    "cyan": ("#0b6b75", "#76e3ea"),
    "red": ("#a40e26", "#ff7b72"),
    "green": ("#116329", "#56d364"),
    "magenta": ("#8250df", "#d2a8ff"),
    "blue": ("#0550ae", "#79c0ff"),
    "yellow": ("#7d4e00", "#e3b341"),
}
"""Looks and colours on a light and on a dark ground."""
CELL: Final = (8.4, 18.0)
"""Width and height of a character in a picture, at a size of 14."""
MARGIN: Final = 16


def page(rows: Iterable[Row], title: str) -> str:
    """Return a screen as one HTML page."""
    from html import escape  # late: it brings a large table

    lines = "\n".join(
        "".join(f'<span class="{look}">{escape(part)}</span>' if look else escape(part) for part, look in line)
        for line in lines_of(rows, Style())
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"/><title>{escape(escaped(title))}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        f"<style>{_colours('background', 'color')} body {{ margin: 2em; }} "
        "pre { white-space: pre-wrap; overflow-wrap: anywhere; font: 14px/1.3 ui-monospace, monospace; }"
        f"</style></head>\n<body><pre>{lines}</pre></body>\n</html>\n"
    )


def picture(rows: Iterable[Row], title: str) -> str:
    """Return a screen as an SVG picture."""
    return svg(lines_of(rows, Style()), title, Style().width)


def svg(whole: Iterable[Line], title: str, columns: int) -> str:
    """Return lines as an SVG picture; what is longer than a line goes on below."""
    from html import escape

    lines = [short for line in whole for short in _broken(line, columns)]
    (cell, height), name = CELL, escape(escaped(title))
    width, depth = columns * cell + 2 * MARGIN, len(lines) * height + 2 * MARGIN
    texts = []
    for number, line in enumerate(lines, start=1):
        column = 0
        for part, look in line:
            if part.strip():
                place = f'x="{MARGIN + column * cell:g}" y="{MARGIN + number * height - 5:g}"'
                fixed = f'textLength="{len(part) * cell:g}"'
                texts.append(f'<text class="{look}" {place} {fixed} xml:space="preserve">{escape(part)}</text>')
            column += len(part)
    colours = f"{_colours('fill', 'fill')} text {{ font: 14px ui-monospace, monospace; white-space: pre; }}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {depth:g}" role="img">\n'
        f"<title>{name}</title>\n<style>{colours}</style>\n"
        f'<rect class="ground" width="{width:g}" height="{depth:g}" rx="8"/>\n' + "\n".join(texts) + "\n</svg>\n"
    )


def _colours(ground: str, ink: str) -> str:
    rules = []
    for number, (paper, text) in enumerate((("#ffffff", "#1f2328"), ("#0d1117", "#e6edf3"))):
        area = "body" if ground == "background" else "rect.ground"
        found = f"{area} {{ {ground}: {paper}; }} body, text {{ {ink}: {text}; }} "
        found += " ".join(f".{look} {{ {ink}: {pair[number]}; }}" for look, pair in COLOURS.items())
        rules.append(f"@media (prefers-color-scheme: dark) {{ {found} }}" if number else found)
    return " ".join([*rules, ".title, .good, .bad, .open { font-weight: bold; }"])


def _broken(line: Line, width: int) -> Iterator[Line]:
    room, part_of = width, list[tuple[str, str]]()
    for text, look in line:
        while len(text) > room:
            yield [*part_of, (text[:room], look)]
            text, room, part_of = text[room:], width, []
        part_of.append((text, look))
        room -= len(text)
    yield part_of


def markdown(rows: Iterable[Row], title: str) -> str:
    """Return a screen as Markdown: a heading, and the lines as they are, indented, which nothing in them can end."""
    heading = re.sub(r"([\\`*_\[\]<>#|])", r"\\\1", escaped(title))
    _, *told = rows  # the first one is the title
    return f"# {heading}\n\n{textwrap.indent(draw(told, Style()).lstrip(), '    ')}"
