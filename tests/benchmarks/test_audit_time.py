from __future__ import annotations

import pytest

from benchmarks.audit_time import Course, course, rows
from rules.core.ruleset import load_ruleset
from solver.audit import run
from solver.audit.finding import Level, Notebook, Searched


def test_tasks_go_to_the_core_that_is_free_first() -> None:
    assert Course(spent=[3, 1, 1, 5]).begun() == ([0, 0, 1, 2], 7)
    assert Course().begun() == ([], 0)


def test_the_first_finding_is_timed_by_its_task(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(notebook: Notebook) -> None:
        notebook.add("GAP", "x", Level.NOTE, "y")
        notebook.searched.append(Searched("GAP", "one thing", complete=False))

    monkeypatch.setattr(run, "FINDERS", {"LOOP": lambda _: None, "GAP": find})
    found = course(load_ruleset("trench_rescue/2012"), 0)
    assert [len(found.spent), len(found.done)] == [2, 2]
    assert [(task, each.code) for task, _, each in found.told] == [(1, "GAP")]
    first, second = rows("name", found)
    assert first.startswith("name")
    assert first.endswith("1 note; not finished: GAP")
    assert "LOOP 0.0, GAP 0.0" in second
