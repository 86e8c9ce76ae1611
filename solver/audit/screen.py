"""An audit for people: what is broken, where it stands, how to see it happen, and what was searched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from solver.audit.finding import Audit, Change, Finding, Level, Witness
from solver.audit.sides import label, worth
from solver.render import EMPTY, Row
from solver.screens.common import count

_COLUMN: Final = 17
_LOOKS: Final = {Level.ERROR: "bad", Level.WARNING: "open", Level.NOTE: ""}
_JUDGED: Final = {"pass": "good", "fail": "bad", "unknown": "open"}
_VERDICTS: Final = {"passed": "good", "failed": "bad", "undecided": "open"}
_SHOWN: Final = 12
"""Moves of a witness that are written out; the answer in JSON has them all."""


def audit_rows(audit: Audit, fail_on: Level, *, timed: bool) -> list[Row]:
    """Return the screen of an audit."""
    ruleset = audit.ruleset
    titled = [Row(ruleset.title, look="title")] if ruleset.title != ruleset.id else []
    rows = [*titled, Row(f"{ruleset.id} {ruleset.fingerprint}", look="quiet" if titled else "title")]
    if audit.against is not None:
        rows.append(Row(f"against {audit.against.id} {audit.against.fingerprint}", look="quiet"))
    for finding in audit.findings:
        rows += [EMPTY, *_finding_rows(finding)]
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


def _finding_rows(finding: Finding) -> list[Row]:
    change = "" if finding.change in (None, Change.SAME) else f"{finding.change} "
    look = "quiet" if not finding.counts else _LOOKS[finding.level]
    rows = [Row(f"{finding.claim}.", f"{finding.level} {finding.code}", change.strip(), 0, _COLUMN + 2, look)]
    rows.append(_fact("at", finding.place.where))
    rows += [_fact("because", f"{each.message} ({each.where})") for each in finding.because]
    if finding.shown:
        rows += _shown_rows(finding)
    elif finding.witness is not None and finding.change is not Change.GONE:
        rows += _witness_rows(finding.witness)
    rows.append(_fact("accepted", finding.accepted) if finding.accepted else _fact("id", finding.id))
    return rows


def _shown_rows(finding: Finding) -> Iterator[Row]:
    """Yield the answers to the most telling question, each with its line, and how many more questions there are."""
    question = finding.shown[0].question
    more = len({each.question for each in finding.shown}) - 1
    others = f" (and {count(more, 'question')} more, all in the answer in JSON)" if more else ""
    yield _fact("witness", f"'{question}', answered by search and played by the rules{others}")
    position = ""
    for each in finding.shown:
        if each.question == question:
            if each.witness.position.code != position:
                position = each.witness.position.code
                yield _fact("from", position)
            line = f": {_moves(each.witness)}" if each.witness.steps else ""
            yield _fact(label(each), f"{worth(each)}{line}")


def _moves(witness: Witness) -> str:
    """Return the first moves of a witness, and how many follow."""
    shown = "; ".join(witness.steps[:_SHOWN])
    more = len(witness.steps) - _SHOWN
    return f"{shown}; and {more} moves more" if more > 0 else shown or "no move"


def _witness_rows(witness: Witness) -> list[Row]:
    rows = [_fact("from", witness.position.code)]
    if witness.cycle:
        first = f"{len(witness.line)} moves, then " if witness.line else ""
        rows.append(_fact("witness", f"{first}{'; '.join(witness.cycle)}, {witness.repeats} times"))
        return rows
    rows.append(_fact("witness", _moves(witness)))
    return rows


def _fact(label: str, text: str) -> Row:
    return Row(text, label, "", 2, _COLUMN, "quiet")


def _verdict(audit: Audit, fail_on: Level, *, timed: bool) -> Row:
    counts = Counter(each.level for each in audit.findings if each.counts)
    told = ", ".join(f"{counts[level]} {level}{'' if counts[level] == 1 else 's'}" for level in Level)
    accepted = sum(1 for each in audit.findings if each.accepted)
    told += f", {accepted} accepted" if accepted else ""
    clock = f"{audit.time_s:.1f} s" if timed else ""
    end = f"done{clock and f' in {clock}'}"
    if not audit.complete:
        end = f"not all was searched in the time{clock and f', {clock}'}; --time allows more"
    if audit.failed:
        end = f"{count(len(audit.failed), 'finder')} failed by a fault of ours{clock and f', {clock}'}"
    if audit.interrupted:
        end = f"interrupted{clock and f' after {clock}'}"
    verdict = audit.verdict(fail_on)
    return Row(f"{told}; {end}", verdict.upper(), look=_VERDICTS[verdict])
