"""An audit as one HTML file that needs nothing else: findings, targets, plots of played games, what was searched.

The plots show games played hand to mouth (``solver.audit.reports``), not best play; each says how many games, which
seed, and how sure its numbers are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil, floor, log10
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from solver.audit.finding import Audit, Change, Finding, Level, Searched, Shown, Witness
from solver.audit.reports import CODES, Band, Plays, Usage
from solver.audit.suite import label, value_text

MOVES: Final = 16
"""Kinds of moves that the plot shows."""
_BANDS: Final = (
    "Mean of all games, and the band in which four fifths of them lie; a game that is over keeps what it ended with."
)


def page(audit: Audit, fail_on: Level, played: Sequence[Plays], *, timed: bool) -> str:
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
    return searched.ending if searched.failed or searched.complete else " (not finished)"


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


def _plots(played: Sequence[Plays]) -> Iterator[ET.Element]:
    own = played[0]
    seats = "alone" if own.players == 1 else f"by {own.players} players alike, told of the first"
    yield node(
        "p",
        f"{own.games} games for each ruleset from the same deals (seed {own.seed}), played {seats}: of a few turns at "
        "random the most promising is taken. This is how people play who do not plan, no proof of anything.",
        class_="quiet",
    )
    yield _key(played)
    if all(each.lengths for each in played):
        caption = node("figcaption", node("h3", "How long a game takes"))
        caption.extend([node("p", _length(each), class_="quiet") for each in played])
        figure = node("figure", caption)
        figure.append(histogram("Own turns until the goal", [each.lengths for each in played], "own turns"))
        yield figure
    else:
        yield node("p", *[f"{_length(each)} " for each in played])
    for name in own.curves:
        series = [each.curves[name] for each in played if name in each.curves]
        if len(series) == len(played):
            caption = node("figcaption", node("h3", _heading(name)))
            caption.append(node("p", _BANDS, class_="quiet"))
            yield node("figure", caption, curves(f"{name} after each turn", series, "own turns"))
    names = _frequent(played)
    if names:
        caption = node("figcaption", node("h3", "Which moves are made"))
        caption.append(
            node("p", "Times a game on the mean; those that changed most, or are made most.", class_="quiet")
        )
        figure = node("figure", caption, bars("Moves, times a game", names, [each.moves for each in played]))
        figure.append(_usage(names, played))
        yield figure


def _heading(name: str) -> str:
    """Return the name of a resource as a heading; short ones are initials."""
    return name.upper() if len(name) <= 2 else name.replace("_", " ").capitalize()


def _frequent(played: Sequence[Plays]) -> list[str]:
    """Return the kinds of moves that changed most, then those made most, in the order of how often they are made."""
    never = Usage(0.0, 0.0, 0.0, 0.0)

    def times(name: str) -> list[float]:
        return [each.moves.get(name, never).times for each in played]

    names = sorted({name for each in played for name in each.moves})
    changed = sorted(names, key=lambda name: (min(times(name)) - max(times(name)), -max(times(name)), name))
    made = sorted(names, key=lambda name: (-max(times(name)), name))
    half = MOVES // 2 if len(played) > 1 else 0
    chosen = list(dict.fromkeys([*changed[:half], *made]))[:MOVES]
    return [name for name in made if name in chosen]


def _usage(names: Sequence[str], played: Sequence[Plays]) -> ET.Element:
    heads = ["move", *[f"{word}{name}" for name in _series(played) for word in ("games, ", "times, ")]]
    rows = []
    for name in names:
        row = [name]
        for each in played:
            usage = each.moves.get(name)
            if usage is None:
                row += ["0 %", "0"]
            else:
                row += [f"{usage.share:.0%} ({usage.low:.0%} to {usage.high:.0%})", f"{usage.times:.2f}"]
        rows.append(tuple(row))
    told = node("summary", "The numbers, with the 95 % interval of the share of games")
    return node("details", told, _table(heads, rows, numbers=range(1, len(heads))))


def _series(played: Sequence[Plays]) -> list[str]:
    return ["now"] if len(played) == 1 else ["after", "before"]


def _key(played: Sequence[Plays]) -> ET.Element:
    key = node("ul", class_="key")
    for look, word, each in zip(NAMES, _series(played), played, strict=False):
        sample = node("svg", viewBox="0 0 36 12", aria_hidden="true")
        sample.append(node("polyline", points="1,6 35,6", class_=f"line {look}"))
        key.append(node("li", sample, f"{word}: {each.ruleset.title}"))
    return key


def _length(played: Plays) -> str:
    reached = f"{played.ruleset.title}: {len(played.lengths)} of {played.games} games got to the goal"
    if played.mean is None:
        return f"{reached}."
    mean, half = played.mean
    least = max(0.0, mean - half)  # nothing takes fewer turns than none
    return f"{reached}, on the mean in {mean:.1f} own turns (95 % interval {least:.1f} to {mean + half:.1f})."


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


# Plots as inline SVG: a histogram, curves with bands, and paired bars; each with a title, a description


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
