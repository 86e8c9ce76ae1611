"""A finder that fails is told beside what the others have found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import cli
from rules.core.ruleset import load_ruleset
from solver.audit import run
from solver.audit.finding import Level, Notebook, Searched
from solver.audit.reports import audit_answer, junit, sarif


def broken(_: Notebook) -> None:
    raise ZeroDivisionError("division by zero")


def sound(notebook: Notebook) -> None:
    notebook.searched.append(Searched("LOOP", "one thing"))


@pytest.fixture(autouse=True)
def finders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "FINDERS", {"PAR": broken, "LOOP": sound})


def test_it_is_a_result_of_its_own_in_every_report() -> None:
    found = run.audit(load_ruleset("iditacards/treadmill"))
    assert [(each.code, each.complete) for each in found.searched] == [("PAR", False), ("LOOP", True)]
    assert found.searched[0].failed.startswith("ZeroDivisionError: division by zero (test_failing.py:")
    assert found.verdict(Level.ERROR) == "undecided"
    told: Any = audit_answer(found, Level.ERROR, timed=False)
    assert "failed" in told["searched"][0]
    assert "failed" not in told["searched"][1]
    assert '<error message="ZeroDivisionError' in junit(found, Level.ERROR)
    invocation = sarif(found)["runs"][0]["invocations"][0]
    assert not invocation["executionSuccessful"]
    assert "ZeroDivisionError" in invocation["toolExecutionNotifications"][0]["message"]["text"]


def test_a_comparison_that_fails_is_told_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "compared", broken)
    monkeypatch.setattr(run, "FINDERS", {"LOOP": sound})
    base = load_ruleset("iditacards/2019-02")
    found = run.audit(load_ruleset("iditacards/treadmill"), against=base)
    assert [each.code for each in found.failed] == ["CHANGE"]
    assert "CHANGE" in junit(found, Level.ERROR)
    assert [each["id"] for each in sarif(found)["runs"][0]["tool"]["driver"]["rules"]] == ["CHANGE"]


def test_the_command_ends_as_where_time_was_short(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "audit.json"
    assert cli.main(["audit", "iditacards/treadmill", "--jobs", "1", "--json", "-o", str(path)]) == 3
    assert json.loads(path.read_text("utf-8"))["complete"] is False
    assert cli.main(["audit", "iditacards/treadmill", "--jobs", "1"]) == 3
    assert "1 finder failed by a fault of ours" in capsys.readouterr().out
