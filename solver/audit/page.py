"""An audit as one HTML file that needs nothing else: findings, targets, plots of played games, what was searched.

The plots show games played hand to mouth (``solver.audit.plays``), not best play; each says how many games, which
seed, and how sure its numbers are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from solver.audit.charts import NAMES, bars, curves, histogram, node
from solver.audit.finding import Audit, Change, Finding, Level, Searched, Shown, Witness
from solver.audit.plays import Plays, Usage
from solver.audit.reports import CODES
from solver.audit.sides import label, worth

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
            (label(each), worth(each), "; ".join(each.witness.steps), each.witness.position.code)
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
