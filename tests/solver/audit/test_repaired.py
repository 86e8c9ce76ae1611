"""The shipped repaired variants do not have what the audit finds in the editions they come from (``test_published``).

Whole audits of both, with their figures, are in ``benchmarks/figures/audit.md``.
"""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.registry import Ruleset
from rules.core.ruleset import load_ruleset
from solver.audit import stall
from solver.audit.finding import Level, Notebook
from solver.audit.play import opening
from solver.audit.seat import find_seat
from solver.audit.stall import acting, find_stall
from solver.search.budget import Budget


def faults(ruleset: Ruleset, *finders: Any) -> set[str]:
    """Return the ids of the errors and warnings that finders write down, and none of them cut short."""
    notebook = Notebook(ruleset, Budget(None))
    for finder in finders:
        finder(notebook)
    assert all(each.complete for each in notebook.searched)
    return {each.id for each in notebook.findings if each.level.reaches(Level.WARNING)}


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the finders play few games."""
    monkeypatch.setattr(stall, "GAMES", 3)
    monkeypatch.setattr(stall, "DUELS", 12)
    monkeypatch.setattr("solver.audit.play.SAMPLE", 30)
    monkeypatch.setattr("solver.audit.seat.ROLE_GAMES", 12)


@pytest.mark.slow
@pytest.mark.usefixtures("few")
def test_small_crews_has_no_fault_in_few_games() -> None:
    crews = load_ruleset("abyss/small-crews")
    assert faults(crews, find_seat) == set()
    assert [acting(opening(crews, 0, number, 2), number)[0] for number in range(2)] == [1, 1]


@pytest.mark.usefixtures("few")
def test_the_walk_has_no_fault_in_few_games() -> None:
    assert faults(load_ruleset("trench_rescue/worth-the-walk"), find_stall, find_seat) == set()
