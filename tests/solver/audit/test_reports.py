"""Reports for other programs, against the schemas those programs publish."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
import xmlschema

from rules.core.errors import Fault
from rules.core.position import new_position
from rules.core.ruleset import load_ruleset
from solver.audit.finding import Audit, Change, Finding, Level, Searched, Witness
from solver.audit.reports import CODES, audit_answer, junit, sarif

SCHEMAS = Path(__file__).parents[2] / "schemas"
EDITION = "iditacards/2019-02"


@pytest.fixture(scope="module")
def audit() -> Audit:
    """An audit with everything that a report can tell."""
    ruleset = load_ruleset(EDITION)
    witness = Witness(new_position(ruleset), ("new_day",))
    place = Fault("", "cards.mush", "my <races>\\house & co.toml", 7)
    one = Finding("LOOP", 'x "&" <y>', Level.ERROR, "costs <nothing> & gains", place, witness)
    lineless = Fault("", file="house.toml")
    findings = (
        replace(one, change=Change.NEW, because=(replace(place, message="Mush is new"),)),
        replace(one, subject="z", level=Level.WARNING, change=Change.WORSE, accepted="meant so"),
        replace(one, code="PAR", subject="gone", change=Change.GONE),
        *(Finding(code, code, Level.NOTE, "true", lineless) for code in CODES),
    )
    searched = (Searched("LOOP", "one thing"), Searched("PAR", "not finished", complete=False))
    return Audit(ruleset, findings, searched, interrupted=True)


@pytest.fixture(scope="module")
def schema() -> Any:
    return json.loads((SCHEMAS / "sarif-2.1.0.json").read_text("utf-8"))


def test_sarif_is_valid(audit: Audit, schema: Any) -> None:
    validator = jsonschema.Draft7Validator(schema)
    log = sarif(audit)
    assert list(validator.iter_errors(log)) == []
    assert [each["ruleId"] for each in log["runs"][0]["results"]] == ["LOOP", "LOOP", *CODES, "PAR"]
    assert log["runs"][0]["results"][-1]["kind"] == "open"
    files = [each["locations"][0]["physicalLocation"]["artifactLocation"] for each in log["runs"][0]["results"]]
    assert files[0] == {"uri": "my%20%3Craces%3E/house%20%26%20co.toml"}
    assert files[-1] == {"uri": EDITION}  # code hosts refuse a log with a result that has no place
    states = [each.get("baselineState") for each in log["runs"][0]["results"]]
    assert states == ["new", "updated", *[None] * (len(CODES) + 1)]
    log["runs"][0]["results"][0]["level"] = "fatal"
    assert [error.message for error in validator.iter_errors(log)] == [
        "'fatal' is not one of ['none', 'note', 'warning', 'error']"
    ]


def test_sarif_of_an_empty_audit_is_valid(audit: Audit, schema: Any) -> None:
    jsonschema.Draft7Validator(schema).validate(sarif(audit._replace(findings=())))


@pytest.mark.parametrize("level", list(Level))
def test_junit_is_valid(audit: Audit, level: Level) -> None:
    validator = xmlschema.XMLSchema(SCHEMAS / "junit-10.xsd")
    text = junit(audit, level)
    validator.validate(text)
    assert not validator.is_valid(text.replace("<failure ", "<fault ").replace("</failure>", "</fault>"))


def test_junit_has_a_case_for_every_failing_finding(audit: Audit) -> None:
    told: Any = xmlschema.XMLSchema(SCHEMAS / "junit-10.xsd").to_dict(junit(audit, Level.NOTE))
    suite = told["testsuite"][0]
    assert suite["@failures"] == str(len(audit.failing(Level.NOTE))) == str(1 + len(CODES))
    assert sum("failure" in case for case in suite["testcase"]) == 1 + len(CODES)


def test_junit_has_no_name_twice(audit: Audit) -> None:
    left = Searched("RUSH", "whole games", complete=False), Searched("RUSH", "open deals", complete=False)
    suite = ET.fromstring(junit(audit._replace(searched=left, findings=()), Level.NOTE))[0]
    assert [case.get("name") for case in suite] == [CODES["RUSH"], f"{CODES['RUSH']} (2)"]


def test_json_is_plain_data(audit: Audit) -> None:
    answer = audit_answer(audit, Level.ERROR, timed=False)
    assert json.loads(json.dumps(answer)) == answer
