"""Plots as inline SVG: a histogram, curves with bands, and paired bars; each with a title, a description.

Nothing is fetched and no script runs. Colours and dashes are classes of ``page.css``, so that a dark screen gets its
own; the two series differ in shape as well as in colour.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil, floor, log10
from typing import Final
from xml.etree import ElementTree as ET

from solver.audit.plays import Band, Usage

WIDTH: Final = 680
HEIGHT: Final = 240
LEFT: Final = 44
RIGHT: Final = 12
TOP: Final = 12
BOTTOM: Final = 36
BAR: Final = 14
"""Height of one bar."""
BINS: Final = 20
NAMES: Final = ("after", "before")
"""Classes of the two series: what is audited, and what it is measured by."""


def node(tag: str, *parts: str | ET.Element, **attributes: str | float) -> ET.Element:
    """Return an element with text and children in order; ``class_`` and ``stroke_width`` lose what Python needs."""
    made = ET.Element(tag, {name.rstrip("_").replace("_", "-"): _text(value) for name, value in attributes.items()})
    for part in parts:
        if isinstance(part, ET.Element):
            made.append(part)
        elif len(made):
            made[-1].tail = (made[-1].tail or "") + part
        else:
            made.text = (made.text or "") + part
    return made


def histogram(title: str, series: Sequence[Sequence[int]], unit: str) -> ET.Element:
    """Return how often each number comes up, one outline a series, as parts of each series."""
    values = [value for each in series for value in each]
    low, high = min(values), max(values)
    width = max(1, ceil((high - low + 1) / BINS))
    bins = (high - low) // width + 1
    parts = [
        [sum(low + k * width <= value < low + (k + 1) * width for value in each) for k in range(bins)]
        for each in series
    ]
    shares = [[number / max(1, sum(each)) for number in each] for each in parts]
    top = max(max(each) for each in shares)
    told = "; ".join(
        f"{name}: from {min(each)} to {max(each)} {unit}" for name, each in zip(NAMES, series, strict=False) if each
    )
    svg = _svg(title, told, HEIGHT)
    x = _scale(low, low + bins * width, LEFT, WIDTH - RIGHT)
    y = _scale(0, top, HEIGHT - BOTTOM, TOP)
    _grid(svg, y, ticks(0, top), lambda value: f"{value:.0%}")
    _under(svg, x, ticks(low, low + bins * width), unit)
    for name, each in reversed(list(zip(NAMES, shares, strict=False))):
        points = [f"{x(low):.1f},{y(0):.1f}"]
        for place, share in enumerate(each):
            points += [f"{x(low + side * width):.1f},{y(share):.1f}" for side in (place, place + 1)]
        points.append(f"{x(low + bins * width):.1f},{y(0):.1f}")
        svg.append(node("polygon", points=" ".join(points), class_=f"area {name}"))
    return svg


def curves(title: str, series: Sequence[Sequence[Band]], unit: str) -> ET.Element:
    """Return means as lines and four fifths of the games as bands, one of each a series."""
    longest = max(len(each) for each in series)
    low = min(0.0, *(band.low for each in series for band in each))
    high = max(band.high for each in series for band in each)
    told = "; ".join(
        f"{name}: on the mean {_text(each[0].mean)} at the start and {_text(each[-1].mean)} after {len(each) - 1} turns"
        for name, each in zip(NAMES, series, strict=False)
    )
    svg = _svg(title, told, HEIGHT)
    x = _scale(0, longest - 1, LEFT, WIDTH - RIGHT)
    y = _scale(low, high, HEIGHT - BOTTOM, TOP)
    _grid(svg, y, ticks(low, high), _text)
    _under(svg, x, ticks(0, longest - 1), unit)
    for name, each in reversed(list(zip(NAMES, series, strict=False))):
        above = [f"{x(turn):.1f},{y(band.high):.1f}" for turn, band in enumerate(each)]
        below = [f"{x(turn):.1f},{y(band.low):.1f}" for turn, band in enumerate(each)]
        svg.append(node("polygon", points=" ".join([*above, *reversed(below)]), class_=f"band {name}"))
    for name, each in reversed(list(zip(NAMES, series, strict=False))):
        line = " ".join(f"{x(turn):.1f},{y(band.mean):.1f}" for turn, band in enumerate(each))
        svg.append(node("polyline", points=line, class_=f"line {name}"))
    return svg


def bars(title: str, names: Sequence[str], series: Sequence[Mapping[str, Usage]]) -> ET.Element:
    """Return how often each move is made, times a game on the mean, one bar a series."""
    pair = BAR * len(series) + 8
    left, height = 190, pair * len(names) + BOTTOM
    most = max(each[name].times for each in series for name in names if name in each)
    svg = _svg(title, f"{len(names)} kinds of moves, the most frequent: {names[0]}", height)
    x = _scale(0, most, left, WIDTH - 60)
    _under(svg, x, ticks(0, most), "times a game", height)
    for place, name in enumerate(names):
        upper = pair * place + 4
        svg.append(node("text", name, x=left - 8, y=upper + BAR * len(series) / 2 + 4, class_="name"))
        for row, (kind, each) in enumerate(zip(NAMES, series, strict=False)):
            times = each[name].times if name in each else 0.0
            end, at = x(times), upper + row * BAR
            svg.append(node("rect", x=left, y=at, width=max(0.5, end - left), height=BAR - 2, class_=f"bar {kind}"))
            svg.append(node("text", f"{times:.1f}", x=end + 5, y=at + BAR - 3, class_="figure"))
    return svg


def ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Return about so many round numbers from ``low`` to ``high``."""
    span = high - low or 1.0
    rough = span / wanted
    power = 10.0 ** floor(log10(rough))
    step = next(times * power for times in (1, 2, 5, 10) if times * power >= rough)
    first = ceil(low / step)
    return [step * place for place in range(first, floor(high / step + 1e-9) + 1)]


def _scale(low: float, high: float, start: float, end: float) -> Callable[[float], float]:
    """Return the map of numbers to places on the screen."""
    factor = (end - start) / ((high - low) or 1.0)
    return lambda value: start + (value - low) * factor


def _svg(title: str, told: str, height: float) -> ET.Element:
    """Return an empty drawing that says what it shows."""
    svg = node("svg", viewBox=f"0 0 {WIDTH} {height:.0f}", role="img", aria_label=f"{title}. {told}.")
    svg.append(node("title", title))
    svg.append(node("desc", f"{told}."))
    return svg


def _grid(svg: ET.Element, y: Callable[[float], float], values: Sequence[float], words: Callable[[float], str]) -> None:
    """Draw level lines with their values at the left edge."""
    for value in values:
        svg.append(node("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y(value), y2=y(value), class_="grid"))
        svg.append(node("text", words(value), x=LEFT - 6, y=y(value) + 4, class_="name"))


def _under(
    svg: ET.Element, x: Callable[[float], float], values: Sequence[float], unit: str, height: float = HEIGHT
) -> None:
    """Write values, and what they count, at the lower edge."""
    for value in values:
        svg.append(node("text", _text(value), x=x(value), y=height - BOTTOM + 16, class_="tick"))
    svg.append(node("text", unit, x=WIDTH - RIGHT, y=height - 4, class_="unit"))


def _text(value: str | float) -> str:
    """Return a value as text: numbers with at most two digits behind the point."""
    return value if isinstance(value, str) else f"{round(value, 2):g}"
