"""Findings that compare answers: their lines replay, keep what is forbidden, and forged ones are refused."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from rules.core.registry import Ruleset
from rules.core.ruleset import extended, load_ruleset
from solver.audit import suite
from solver.audit.finding import Audit, Finding, Level, Notebook
from solver.audit.reports import audit_answer, audit_page, audit_rows, sarif
from solver.audit.restricted import find_dead, find_must, find_spam
from solver.audit.suite import library_suite
from solver.checker.check import check_witnesses
from solver.search.budget import Budget

EDITION = "iditacards/2019-02"
FREE = {"energy": 0, "health": 0, "risk": 0}
ROCKET = {"cards": {"mush": {**FREE, "effects": [{"op": "move", "n": 60}]}}}
Kept = dict[str, Any]


@pytest.fixture(scope="module")
def audits() -> dict[str, Audit]:
    """One audit with one finding for each code that compares answers."""
    with pytest.MonkeyPatch.context() as patch:

        def some(*names: str) -> None:
            patch.setattr(suite, "library_suite", lambda rules: [q for q in library_suite(rules) if q.id in names])

        patch.setattr("solver.audit.suite.DEALS", 0)
        patch.setattr("solver.audit.suite.LATER", ())
        patch.setattr("solver.audit.restricted.OFTEN", 2)
        patch.setattr("solver.audit.restricted.COUNTED", 1)
        some("sprint-20", "thin-ice")
        return {
            "DEAD": one(find_dead, {"cards": {"mush": {"energy": 9}}}, "DEAD:mush"),
            "MUST": one(find_must, ROCKET, "MUST:mush"),
            "SPAM": one(find_spam, ROCKET, "SPAM:mush"),
        }


def one(find: Callable[[Notebook], None], change: dict[str, Any], wanted: str) -> Audit:
    base: Ruleset = load_ruleset(EDITION)
    notebook = Notebook(extended(base, change), Budget(None), base=base)
    find(notebook)
    return Audit(notebook.ruleset, tuple(each for each in notebook.findings if each.id == wanted), ())


def kept(audit: Audit) -> Kept:
    """Return an audit as its file in JSON has it."""
    data: Kept = json.loads(json.dumps(audit_answer(audit, Level.NOTE, timed=False)))
    return data


def checked(data: Kept) -> tuple[bool, str]:
    (each,) = check_witnesses(data)
    return each.ok, each.words


CODES = ("DEAD", "MUST", "SPAM")


@pytest.mark.parametrize("code", CODES)
def test_every_answer_replays(audits: dict[str, Audit], code: str) -> None:
    (finding,) = audits[code].findings
    assert finding.line is not None
    ok, words = checked(kept(audits[code]))
    assert ok, words
    assert "nothing forbidden is played" in words


@pytest.mark.parametrize("code", CODES)
def test_every_report_tells_both_lines(audits: dict[str, Audit], code: str) -> None:
    audit = audits[code]
    (finding,) = audit.findings
    best, other = finding.shown[:2]
    told = " ".join(row.text for row in audit_rows(audit, Level.NOTE, timed=False))
    html = " ".join(re.sub("<[^>]*>", "", audit_page(audit, Level.NOTE, [], timed=False)).split())
    (result,) = sarif(audit)["runs"][0]["results"]
    assert len(result["properties"]["answers"]) == len(finding.shown)
    for each in (best, other):
        start = "; ".join(each.witness.steps[:3])
        assert start in told
        assert start in html
    assert best.witness.position.code in html


@pytest.mark.parametrize("code", CODES)
def test_a_finding_travels_to_another_process(audits: dict[str, Audit], code: str) -> None:
    (finding,) = audits[code].findings
    there = pickle.loads(pickle.dumps(finding))
    assert kept(audits[code]._replace(findings=(there,))) == kept(audits[code])


def forged(audits: dict[str, Audit], code: str, forge: Callable[[Kept], None]) -> str:
    """Return why a finding is refused in which something was changed."""
    data = deepcopy(kept(audits[code]))
    forge(data["findings"][0])
    ok, words = checked(data)
    assert not ok, words
    return words


def side(finding: Kept, name: str) -> Kept:
    answer: Kept = next(each for each in finding["answers"] if each["side"] == name and each["line"])
    return answer


@pytest.mark.parametrize("code", CODES)
def test_a_wrong_worth_is_refused(audits: dict[str, Audit], code: str) -> None:
    def forge(finding: Kept) -> None:
        finding["answers"][0]["value"] += 1

    assert "is worth" in forged(audits, code, forge)


@pytest.mark.parametrize("code", CODES)
def test_an_illegal_line_is_refused(audits: dict[str, Audit], code: str) -> None:
    def forge(finding: Kept) -> None:
        answer = side(finding, finding["answers"][1]["side"])
        answer["line"][0] = "play nothing"

    assert "nothing" in forged(audits, code, forge)


@pytest.mark.parametrize("code", CODES)
def test_a_finding_without_its_answers_is_refused(audits: dict[str, Audit], code: str) -> None:
    assert "not there" in forged(audits, code, lambda finding: finding.pop("answers"))


def test_a_line_that_plays_the_card_is_refused(audits: dict[str, Audit]) -> None:
    def plays_it(finding: Kept) -> None:
        free, without = side(finding, "free"), side(finding, "without")
        without.update(line=free["line"], value=free["value"], bound=free["bound"])

    assert "which the goal forbids" in forged(audits, "MUST", plays_it)

    def allows_it(finding: Kept) -> None:
        for answer in finding["answers"]:
            if answer["side"] == "without":
                answer["goal"]["forbidden"] = side(finding, "free")["goal"]["forbidden"]
        plays_it(finding)

    assert "does not forbid 'mush'" in forged(audits, "MUST", allows_it)


def test_a_side_that_forbids_more_is_refused(audits: dict[str, Audit]) -> None:
    def forge(finding: Kept) -> None:
        side(finding, "without")["goal"]["forbidden"].append("play move")

    assert "'play move'" in forged(audits, "MUST", forge)

    def for_alone(finding: Kept) -> None:
        next(each for each in finding["answers"] if each["side"] == "alone")["goal"]["forbidden"].append("play mush")

    assert "'play mush'" in forged(audits, "SPAM", for_alone)


def test_a_forged_bound_is_refused(audits: dict[str, Audit]) -> None:
    def bound(finding: Kept) -> None:
        side(finding, "free")["bound"] -= 1

    assert "not proved" in forged(audits, "MUST", bound)


def test_findings_of_other_kinds_need_no_answers() -> None:
    place = load_ruleset(EDITION).place(("cards", "mush"))
    audit = Audit(load_ruleset(EDITION), (Finding("SEAT", "first", Level.NOTE, "even", place),), ())
    assert list(check_witnesses(kept(audit))) == []
