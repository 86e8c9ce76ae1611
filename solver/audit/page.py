"""An audit as one HTML file that needs nothing else: findings, targets, plots of played games, what was searched.

The plot shows whole games by a rule of thumb (``solver.audit.play``), not best play, with how many games, which seed,
and how sure its numbers are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import ceil, floor, log10
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree import ElementTree as ET

from solver.audit.finding import Audit, Change, Finding, Level, Searched, Shown, Witness
from solver.audit.play import Sample, mean
from solver.audit.reports import CODES
from solver.audit.suite import label, value_text


class Lengths(NamedTuple):
    """Whole games under one ruleset."""

    title: str
    games: Sample
    seed: int

    @property
    def over(self) -> list[int]:
        """Return how long each game took that came to its end."""
        return [end.length for end in self.games.ends if end.is_over]


def page(audit: Audit, fail_on: Level, played: Sequence[Lengths], *, timed: bool) -> str:
    """Return an audit as HTML; ``played`` are games under the ruleset and, if there is one, under what measures it."""
    ruleset = audit.ruleset
    main = node("main", *_head(audit, fail_on, timed=timed))
    main.append(node("h2", "Findings"))
    main.extend([_finding(each) for each in audit.findings])
    if not audit.findings:
        main.append(node("p", "Nothing was found.", class_="quiet"))
    if audit.judged:
        rows = [(each.metric, each.verdict, each.words) for each in audit.judged]
        main.extend([node("h2", "Targets of the designer"), _table(("metric", "verdict", "measured"), rows, (1,))])
    if played:
        main.append(node("h2", "Games as they are played"))
        main.extend(list(_plots(played)))
    searched = [(each.code, CODES.get(each.code, ""), f"{each.what}{_ending(each)}") for each in audit.searched]
    main.extend([node("h2", "What was searched"), _table(("code", "means", "searched"), searched)])
    head = node("head", node("meta", charset="utf-8"), node("title", f"Audit of {ruleset.title}"))
    head.append(node("meta", name="viewport", content="width=device-width, initial-scale=1"))
    head.append(node("style", Path(__file__).with_name("page.css").read_text("utf-8")))
    html = node("html", head, node("body", main), lang="en")
    return "<!doctype html>\n" + ET.tostring(html, encoding="unicode", method="html") + "\n"


def _ending(searched: Searched) -> str:
    return searched.ending if searched.failed or searched.complete or searched.lack else " (not finished)"


def _head(audit: Audit, fail_on: Level, *, timed: bool) -> Iterator[ET.Element]:
    yield node("h1", f"Audit of {audit.ruleset.title}")
    yield node("p", f"{audit.ruleset.id} · rules {audit.ruleset.fingerprint}", class_="quiet")
    if audit.against is not None:
        against = f"against {audit.against.title} · {audit.against.id} · rules {audit.against.fingerprint}"
        yield node("p", against, class_="quiet")
    verdict = audit.verdict(fail_on)
    counts = [sum(1 for each in audit.findings if each.counts and each.level is level) for level in Level]
    told = ", ".join(
        f"{number} {level}{'' if number == 1 else 's'}" for level, number in zip(Level, counts, strict=True)
    )
    accepted = sum(1 for each in audit.findings if each.accepted)
    told += f", {accepted} accepted" if accepted else ""
    yield node("p", f"{verdict.upper()}: {told}", class_=f"verdict {verdict}")
    if audit.failed:
        yield node("p", "A finder failed by a fault of ours; see what was searched.", class_="quiet")
    elif not audit.complete:
        yield node("p", "The time was too short for all of it; see what was searched.", class_="quiet")
    if timed:
        yield node("p", f"{audit.time_s:.0f} s", class_="quiet")


def _finding(finding: Finding) -> ET.Element:
    look = finding.level if finding.counts else "off"
    head = node("h3", node("span", f"{finding.level} {finding.code}", class_="badge"))
    if finding.change not in (None, Change.SAME):
        head.append(node("span", f"{finding.change}", class_="change"))
    if finding.accepted:
        head.append(node("span", "accepted", class_="change"))
    facts = node("dl", node("dt", "at"), node("dd", node("code", finding.place.where)))
    for each in finding.because:
        facts.extend([node("dt", "because"), node("dd", f"{each.message} ", node("code", each.where))])
    if finding.accepted:
        facts.extend([node("dt", "accepted"), node("dd", finding.accepted)])
    facts.extend([node("dt", "id"), node("dd", node("code", finding.id))])
    article = node("article", head, node("p", f"{finding.claim}.", class_="claim"), facts, class_=f"finding {look}")
    if finding.shown:
        article.append(_shown(finding.shown))
    elif finding.witness is not None:
        article.append(_witness(finding.witness))
    return article


def _shown(answers: Sequence[Shown]) -> ET.Element:
    """Return the answers that a finding compares, question by question, each with its line and its position."""
    questions = list(dict.fromkeys(each.question for each in answers))
    lines = f"{len(answers)} answers to {len(questions)} question{'' if len(questions) == 1 else 's'}"
    shown = node("details", node("summary", f"Witness: {lines}, whose lines the rules replay"))
    for question in questions:
        shown.append(node("h4", question))
        rows = [
            (label(each), value_text(each), "; ".join(each.witness.steps), each.witness.position.code)
            for each in answers
            if each.question == question
        ]
        shown.append(_table(("played", "worth", "line", "from the position"), rows))
    return shown


def _witness(witness: Witness) -> ET.Element:
    moves = f"{len(witness.steps)} moves" if len(witness.steps) != 1 else "1 move"
    shown = node("details", node("summary", f"Witness: {moves} that the rules replay"))
    if witness.cycle:
        shown.append(node("p", f"Repeats {witness.repeats} times: ", node("code", "; ".join(witness.cycle))))
    shown.append(node("pre", "; ".join(witness.steps) or "no move"))
    shown.extend([node("p", "From the position:"), node("pre", witness.position.code)])
    return shown


def _plots(played: Sequence[Lengths]) -> Iterator[ET.Element]:
    own = played[0]
    yield node(
        "p",
        f"Whole games from the same deals (seed {own.seed}), in which all seats play by one rule of thumb. This is how "
        "people play who do not plan, no proof of anything.",
        class_="quiet",
    )
    key = node("ul", class_="key")
    for look, each in zip(NAMES, played, strict=False):
        sample = node("svg", viewBox="0 0 36 12", aria_hidden="true")
        sample.append(node("polyline", points="1,6 35,6", class_=f"line {look}"))
        key.append(node("li", sample, f"{look if len(played) > 1 else 'now'}: {each.title}"))
    yield key
    caption = node("figcaption", node("h3", "How long a game takes"))
    caption.extend([node("p", _length(each), class_="quiet") for each in played])
    figure = node("figure", caption)
    if all(each.over for each in played):
        unit = f"{own.games.unit}s"
        figure.append(histogram(f"{unit.capitalize()} of a game", [each.over for each in played], unit))
    yield figure


def _length(played: Lengths) -> str:
    games = played.games
    told = f"{played.title}: {len(played.over)} of {len(games.ends)} games came to their end"
    if len(played.over) < 2:
        return f"{told}."
    known = mean(list(map(float, played.over)))
    return (
        f"{told}, on the mean in {known.value:.1f} {games.unit}s (95 % interval {known.low:.1f} to {known.high:.1f})."
    )


def _table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], verdicts: Sequence[int] = (), numbers: Sequence[int] = ()
) -> ET.Element:
    look = dict.fromkeys(numbers, "number")
    table = node(
        "table",
        node(
            "thead",
            node("tr", *[node("th", each, class_=look.get(k, ""), scope="col") for k, each in enumerate(heads)]),
        ),
    )
    body = node("tbody")
    for row in rows:
        classes = [each if place in verdicts else look.get(place, "") for place, each in enumerate(row)]
        body.append(node("tr", *[node("td", each, class_=kind) for each, kind in zip(row, classes, strict=True)]))
    table.append(body)
    return node("div", table, class_="scroll")


# A plot as inline SVG, with a title and a description


WIDTH: Final = 680
HEIGHT: Final = 240
LEFT: Final = 44
RIGHT: Final = 12
TOP: Final = 12
BOTTOM: Final = 36
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
