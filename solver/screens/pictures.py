"""Pictures of text: bars of chances, strips of places, grids of cells, stacks, and seats side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import zip_longest
from typing import Final

from rules.core.errors import counted
from rules.core.race import Grid, Mark, Picture, Shape, Stack, Strip
from solver.render import NARROW, Row, Style, wrapped

BAR: Final = 16
"""Columns of a bar that stands for certainty."""
LEAST: Final = 20
"""Columns below which nothing is drawn; a column of a seat has a few more."""
FACTS: Final = 11
"""Columns of the labels of facts."""
TARGET: Final = "◎"
"""Sign of the place to get to."""


def bar(
    value: Fraction | float, style: Style, interval: tuple[Fraction | float, Fraction | float] | None = None
) -> str:
    """Return a bar, none where nobody sees it; it is full only for certainty and empty only for 0.

    The part between the ends of an interval is drawn as unsure.
    """
    if style.plain:
        return ""
    low, high = (_columns(each) for each in interval or (value, value))
    return "█" * low + "▒" * (high - low) + "░" * (BAR - high)


def beside_bars(rows: Sequence[Sequence[str]], place: int, style: Style) -> list[Sequence[str]]:
    """Return the rows of a table without its column of bars where they leave no room for the last one, or are empty."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if widths[place] and sum(widths[:-1]) + 2 * len(widths) + min(NARROW, widths[-1]) <= style.width:
        return list(rows)
    return [(*row[:place], *row[place + 1 :]) for row in rows]


def _columns(value: Fraction | float) -> int:
    return min(max(round(value * BAR), int(value > 0)), BAR if value >= 1 else BAR - 1)


def fact_row(
    label: str, text: str, indent: int = 0, column: int = FACTS, look: str = "", target: int | None = None
) -> Row:
    """Return one labelled fact, which is drawn where it is a picture; ``target`` is marked where places are drawn."""
    shape = text.shape if isinstance(text, Picture) else None
    if isinstance(shape, Strip) and target is not None:
        shape = shape._replace(marks=(*shape.marks, Mark(target, TARGET, f"target {target}")))
    return Row(text, label, indent=indent, column=column, look=look, drawn=shape and partial(drawn, shape))


def drawn(shape: Shape, room: int) -> list[str]:
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
        cells = zip_longest(*(wrapped(cell or "·", width) for cell in row), fillvalue="")
        for place, parts in enumerate(cells):
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


def seats_row(seats: Sequence[Sequence[tuple[str, str]]], indent: int = 0) -> Row:
    """Return labelled facts of several seats side by side; the first fact of each says whose they are."""
    return Row("", indent=indent, drawn=partial(_seats, seats))


def _cell(text: str, width: int) -> list[str]:
    return (isinstance(text, Picture) and drawn(text.shape, width)) or wrapped(text, width)


def _seats(seats: Sequence[Sequence[tuple[str, str]]], room: int) -> list[str]:
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
