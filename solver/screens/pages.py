"""Screens to share: Markdown, an HTML page and an SVG picture, for light and dark, that load nothing from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Final

from rules.core.errors import escaped
from solver.render import Row, Style, lines_of

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
BOLD: Final = (".title", ".good", ".bad", ".open")
CELL: Final = (8.4, 18.0)
"""Width and height of a character in a picture, at a size of 14."""
MARGIN: Final = 16


def page(rows: Iterable[Row], title: str) -> str:
    """Return a screen as one HTML page."""
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
    """Return the colours as CSS, for light and for dark."""
    rules = []
    for number, (paper, text) in enumerate((("#ffffff", "#1f2328"), ("#0d1117", "#e6edf3"))):
        area = "body" if ground == "background" else "rect.ground"
        found = f"{area} {{ {ground}: {paper}; }} body, text {{ {ink}: {text}; }} "
        found += " ".join(f".{look} {{ {ink}: {pair[number]}; }}" for look, pair in COLOURS.items())
        rules.append(f"@media (prefers-color-scheme: dark) {{ {found} }}" if number else found)
    return " ".join([*rules, f"{', '.join(BOLD)} {{ font-weight: bold; }}"])


def _broken(line: Line, width: int) -> Iterator[Line]:
    """Yield a line in lines of a width."""
    room, part_of = width, list[tuple[str, str]]()
    for text, look in line:
        while len(text) > room:
            yield [*part_of, (text[:room], look)]
            text, room, part_of = text[room:], width, []
        part_of.append((text, look))
        room -= len(text)
    yield part_of


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
