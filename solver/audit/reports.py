"""An audit for programs and for people: JSON, SARIF 2.1.0 for code hosts, JUnit for build servers, a screen, a page.

The plot of the page shows whole games by a rule of thumb (``solver.audit.play``), not best play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final
from urllib.parse import quote
from xml.etree import ElementTree as ET

from rules.core.errors import Fault
from rules.core.tools.output import picked, stated
from solver.audit.finding import UNKNOWN, Audit, Change, Finding, Level, Shown, Witness
from solver.audit.play import Sample, mean
from solver.audit.suite import asked_as_json, label, value_text
from solver.render import EMPTY, Row, bar, page, table
from solver.screens.common import SCHEMA, count, percent

CODES: Final = {
    "LOOP": "A sequence of moves that can be repeated and never costs anything",
    "RUSH": "A win faster than the ruleset is meant to allow",
    "SPAM": "A card that gets alone nearly as far as all of them",
    "DEAD": "A card that no best line of the suite needs",
    "DOMINATED": "A card that is never better than another one",
    "MUST": "A card without which the result collapses",
    "STALL": "Play that comes to nothing",
    "SEAT": "A seat or an identity that wins more often than it should",
    "GAP": "A table that the rules do not cover",
    "PAR": "A library puzzle whose best value is another one",
    "ASSERT": "The targets of the designer",
}
"""What each code means, in a few words."""

_SARIF: Final = "https://json.schemastore.org/sarif-2.1.0.json"


def audit_answer(audit: Audit, fail_on: Level, *, timed: bool) -> dict[str, Any]:
    """Return an audit as JSON."""
    clock = {"time_s": round(audit.time_s, 1)} if timed else {}
    against = audit.against
    return {
        "schema": SCHEMA,
        "command": "audit",
        "ruleset": audit.ruleset.id,
        "fingerprint": audit.ruleset.fingerprint,
        "against": None if against is None else {"ruleset": against.id, "fingerprint": against.fingerprint},
        "clean": audit.verdict(fail_on) == "passed",
        **picked(audit, "complete", "interrupted"),
        **clock,
        "findings": [_finding(each) for each in audit.findings],
        "asserts": [{"metric": each.metric, "verdict": each.verdict, "text": each.words} for each in audit.judged],
        "searched": [
            {**picked(each, "code", "what", "complete"), **stated(failed=each.failed)} for each in audit.searched
        ],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        **picked(finding, "id", "code", "level"),
        "size": finding.size or None,
        "confidence": finding.confidence.value,
        "claim": finding.claim,
        "place": _place(finding.place),
        **_evidence(finding),
        "data": dict(finding.data),
        "accepted": finding.accepted or None,
        "change": None if finding.change is None else finding.change.value,
        "because": [{**_place(each), "what": each.message} for each in finding.because],
        "cure": finding.cure or None,
    }


def _place(place: Fault) -> dict[str, Any]:
    return picked(place, "file", "line", "key")


def _evidence(finding: Finding) -> dict[str, Any]:
    """Return the lines of a finding: its witness, and where it compares answers all of them, the first as witness."""
    witness = finding.line
    shown = {"answers": [_answer(each) for each in finding.shown]} if finding.shown else {}
    cycle = witness and {"from": len(witness.line), "length": len(witness.cycle), "repeats": witness.repeats}
    line = witness and {"position_code": witness.position.code, "line": list(witness.steps), "cycle": cycle}
    return {"witness": line, **shown}


def _answer(shown: Shown) -> dict[str, Any]:
    return {
        **picked(shown, "question", "side"),
        "position_code": shown.witness.position.code,
        "line": list(shown.witness.steps),
        "goal": asked_as_json(shown.goal),
        **picked(shown, "value", "bound", "impossible"),
    }


def sarif(audit: Audit) -> dict[str, Any]:
    """Return an audit as a SARIF 2.1.0 log; findings that a change has removed are left out."""
    shown = [each for each in audit.findings if each.change is not Change.GONE]
    used = sorted({*(each.code for each in shown), *(code for code, _, _ in audit.undecided)})
    # What is not decided SARIF calls open; code hosts refuse a log in which a result has no place.
    whole = _location(Fault("", file=audit.ruleset.layers[-1].file, line=1))
    left = [
        {
            "ruleId": code,
            "ruleIndex": used.index(code),
            "kind": "open",
            "level": "none",
            "message": {"text": f"{name}: not decided: {words}."},
            "locations": whole,
        }
        for code, name, words in audit.undecided
    ]
    faults = tuple(
        {"level": "error", "message": {"text": f"{each.code} {each.what}{each.ending}"}} for each in audit.failed
    )
    invocation = {"executionSuccessful": not (audit.interrupted or faults), **stated(toolExecutionNotifications=faults)}
    rules = [{"id": code, "shortDescription": {"text": CODES.get(code, code)}} for code in used]
    return {
        "$schema": _SARIF,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "bestline audit", "rules": rules}},
                "invocations": [invocation],
                "results": [*(_result(each, used) for each in shown), *left],
            }
        ],
    }


def _location(place: Fault) -> list[dict[str, Any]]:
    region = {} if place.line is None else {"region": {"startLine": place.line}}
    return [{"physicalLocation": {"artifactLocation": {"uri": quote(place.file.replace("\\", "/"), "/:")}, **region}}]


def _result(finding: Finding, used: list[str]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": used.index(finding.code),
        "level": finding.level.value,
        "message": {"text": f"{finding.claim}."},
        "locations": _location(finding.place),
        "partialFingerprints": {"finding/v1": finding.id},
    }
    if finding.change is not None:
        result["baselineState"] = {Change.NEW: "new", Change.SAME: "unchanged"}.get(finding.change, "updated")
    if finding.line is not None:
        result["properties"] = _evidence(finding)
    if finding.accepted:
        result["suppressions"] = [{"kind": "external", "justification": finding.accepted}]
    return result


def junit(audit: Audit, fail_on: Level) -> str:
    """Return an audit as JUnit XML: a case for each failing finding, each finder without one, each open question."""
    failing = audit.failing(fail_on)
    suite = ET.Element("testsuite", name=f"bestline audit {audit.ruleset.id}")
    for each in failing:
        case = ET.SubElement(suite, "testcase", classname=each.code, name=each.subject)
        failure = ET.SubElement(case, "failure", type=each.level.value, message=each.claim)
        failure.text = f"{each.place.file}:{each.place.line or 1}: {each.claim}"
    left = audit.undecided
    passed = {each.code: CODES.get(each.code, each.code) for each in audit.searched if each.complete}
    for code, name in passed.items():
        if all(code != each.code for each in failing) and all(code != each for each, _, _ in left):
            ET.SubElement(suite, "testcase", classname=code, name=name)
    for code, name, words in left:
        case = ET.SubElement(suite, "testcase", classname=code, name=CODES.get(code, code) if name == code else name)
        faults = [each.failed for each in audit.failed if each.code == code]
        end, told = ("error", "; ".join(faults)) if faults else ("skipped", f"not decided: {words}")
        ET.SubElement(case, end, message=told)
    cases, known = len(suite), Counter[tuple[str, ...]]()
    for case in suite:  # readers of such files take cases of one name for one
        known[named := (case.attrib["classname"], case.attrib["name"])] += 1
        if known[named] > 1:
            case.set("name", f"{named[1]} ({known[named]})")
    errors, skipped = (str(len(suite.findall(f"*/{kind}"))) for kind in ("error", "skipped"))
    suite.attrib.update(tests=str(cases), failures=str(len(failing)), errors=errors, skipped=skipped)
    top = ET.Element("testsuites")
    top.append(suite)
    ET.indent(top)
    return ET.tostring(top, encoding="unicode", xml_declaration=True) + "\n"


# An audit for people: what is broken, where it stands, how to see it happen, and what was searched


_COLUMN: Final = 17
_LOOKS: Final = {Level.ERROR: "bad", Level.WARNING: "open", Level.NOTE: ""}
_JUDGED: Final = {"pass": "good", "fail": "bad", "unknown": "open"}
_VERDICTS: Final = {"passed": "good", "failed": "bad", "undecided": "open"}
_SHOWN: Final = 12
"""Moves of a witness that are written out; the answer in JSON has them all."""


def audit_rows(audit: Audit, fail_on: Level, *, timed: bool, whole: bool = False) -> list[Row]:
    """Return the screen of an audit, with each witness ``whole`` or with its first moves."""
    ruleset = audit.ruleset
    titled = [Row(ruleset.title, look="title")] if ruleset.title != ruleset.id else []
    rows = [*titled, Row(f"{ruleset.id} {ruleset.fingerprint}", look="quiet" if titled else "title")]
    if audit.against is not None:
        same = ", which plays the same" if audit.against.fingerprint == ruleset.fingerprint else ""
        rows.append(Row(f"against {audit.against.id} {audit.against.fingerprint}{same}", look="quiet"))
    for finding in audit.findings:
        rows += [EMPTY, *_finding_rows(finding, whole=whole)]
    if audit.judged:
        rows += [EMPTY, Row("targets", look="title")]
        rows += [
            Row(each.words, f"{each.verdict} {each.metric}", "", 2, _COLUMN, _JUDGED[each.verdict])
            for each in audit.judged
        ]
    rows += [EMPTY, Row("searched", look="title")]
    for searched in audit.searched:
        rows.append(Row(f"{searched.what}{searched.ending}.", searched.code, indent=2, column=_COLUMN))
    return [*rows, EMPTY, _verdict(audit, fail_on, timed=timed)]


def _finding_rows(finding: Finding, *, whole: bool) -> list[Row]:
    change = "" if finding.change in (None, Change.SAME) else f"{finding.change} "
    look = "quiet" if not finding.counts else _LOOKS[finding.level]
    rows = [Row(f"{finding.claim}.", f"{finding.level} {finding.code}", change.strip(), 0, _COLUMN + 2, look)]
    rows.append(_fact("at", finding.place.where))
    rows += [_fact("because", f"{each.message} ({each.where})") for each in finding.because]
    if finding.cure:
        rows.append(_fact("cure", finding.cure))
    if finding.shown:
        rows += _shown_rows(finding, whole=whole)
    elif finding.witness is not None and finding.change is not Change.GONE:
        rows += _witness_rows(finding.witness, whole=whole)
    rows.append(_fact("accepted", finding.accepted) if finding.accepted else _fact("id", finding.id))
    return rows


def _shown_rows(finding: Finding, *, whole: bool) -> Iterator[Row]:
    """Yield the answers to the most telling question or to all, each with its line, and how many more there are."""
    questions = list(dict.fromkeys(each.question for each in finding.shown))
    more = 0 if whole else len(questions) - 1
    others = f" (and {count(more, 'question')} more, all in the answer in JSON)" if more else ""
    for question in questions if whole else questions[:1]:
        yield _fact("witness", f"'{question}', answered by search and played by the rules{others}")
        position = ""
        for each in finding.shown:
            if each.question == question:
                if each.witness.position.code != position:
                    position = each.witness.position.code
                    yield _fact("from", position)
                line = f": {_moves(each.witness, whole=whole)}" if each.witness.steps else ""
                yield _fact(label(each), f"{value_text(each)}{line}")


def _moves(witness: Witness, *, whole: bool) -> str:
    """Return all moves of a witness, or the first ones and how many follow."""
    shown = "; ".join(witness.steps[: None if whole else _SHOWN])
    more = 0 if whole else len(witness.steps) - _SHOWN
    return f"{shown}; and {more} moves more" if more > 0 else shown or "no move"


def _witness_rows(witness: Witness, *, whole: bool) -> Iterator[Row]:
    yield _fact("from", witness.position.code)
    if witness.cycle:
        lead = "; ".join(witness.line) if whole else f"{len(witness.line)} moves"
        first = f"{lead}, then " if witness.line else ""
        yield _fact("witness", f"{first}{'; '.join(witness.cycle)}, {witness.repeats} times")
    else:
        yield _fact("witness", _moves(witness, whole=whole))


def _fact(label: str, text: str) -> Row:
    return Row(text, label, "", 2, _COLUMN, "quiet")


def _verdict(audit: Audit, fail_on: Level, *, timed: bool) -> Row:
    counts = Counter(each.level for each in audit.findings if each.counts)
    told = ", ".join(f"{counts[level]} {level}{'' if counts[level] == 1 else 's'}" for level in Level)
    accepted = sum(1 for each in audit.findings if each.accepted)
    told += f", {accepted} accepted" if accepted else ""
    left = sum(1 for each in audit.judged if each.verdict == UNKNOWN)
    told += f", {count(left, 'target')} not decided" if left else ""
    clock = f"{audit.time_s:.1f} s" if timed else ""
    end = f"done{clock and f' in {clock}'}"
    if not audit.complete:
        more = any(not each.complete and not each.lack for each in audit.searched)
        end = f"not all was searched{' in the time' * more}{clock and f', {clock}'}{'; --time allows more' * more}"
    if audit.failed:
        end = f"{count(len(audit.failed), 'finder')} failed by a fault of ours{clock and f', {clock}'}"
    if audit.interrupted:
        end = f"interrupted{clock and f' after {clock}'}"
    verdict = audit.verdict(fail_on)
    return Row(f"{told}; {end}", verdict.upper(), look=_VERDICTS[verdict])


# The same as a page, with a plot of whole games


_BINS: Final = 20
"""Bars of a plot at most."""


def audit_page(audit: Audit, fail_on: Level, played: Sequence[tuple[str, Sample]], *, timed: bool) -> str:
    """Return an audit as HTML; ``played`` are games by title, of the ruleset and, if there is one, what measures it."""
    rows = [*audit_rows(audit, fail_on, timed=timed, whole=True), *(_plot(played) if played else ())]
    return page(rows, f"Audit of {audit.ruleset.title}")


def _plot(played: Sequence[tuple[str, Sample]]) -> Iterator[Row]:
    """Yield how long games take, and how often each length comes up, as parts of the games that came to their end."""
    games = [each for _, each in played]
    unit, lengths = f"{games[0].unit}s", [each.over for each in games]
    yield from (EMPTY, Row("How long a game takes", look="title"))
    yield Row(
        f"Whole games from the same deals (seed {games[0].seed}), in which all seats play by one rule of thumb. This "
        "is how people play who do not plan, no proof of anything.",
        look="quiet",
    )
    yield from (Row(_length(*each), indent=2) for each in played)
    if not all(lengths):
        return
    low, high = min(map(min, lengths)), max(map(max, lengths))
    width = -(-(high - low + 1) // _BINS)
    cells = [[unit, *(part for name in ("now", "before")[: len(played)] for part in (name, ""))]]
    for start in range(low, high + 1, width):
        shares = [sum(start <= value < start + width for value in each) / len(each) for each in lengths]
        bars = [part for share in shares for part in (bar(share), percent(share))]
        cells.append([str(start) if width == 1 else f"{start}–{start + width - 1}", *bars])
    yield from table(cells, indent=2, headed=True)


def _length(title: str, games: Sample) -> str:
    over = games.over
    told = f"{title}: {len(over)} of {len(games.ends)} games came to their end"
    if len(over) < 2:
        return f"{told}."
    known = mean(list(map(float, over)))
    return (
        f"{told}, on the mean in {known.value:.1f} {games.unit}s (95 % interval {known.low:.1f} to {known.high:.1f})."
    )
