"""The shipped repaired variants do not have what the audit finds in the editions they come from.

Whole audits of both, with their figures, are in ``benchmarks/figures/audit.md``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rules.core.registry import Ruleset
from rules.core.ruleset import extended, load_ruleset
from solver.audit import stall
from solver.audit.finding import Level, Notebook
from solver.audit.first_round import FirstRound
from solver.audit.recorded import dealt
from solver.audit.rush import by_luck
from solver.audit.seat import find_seat
from solver.audit.stall import acting, find_stall
from solver.search.budget import Budget

ABYSS, CREWS = "abyss/2021", "abyss/small-crews"
TRENCH, WALK = "trench_rescue/2012", "trench_rescue/worth-the-walk"


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
    monkeypatch.setattr("solver.audit.seat.GAMES", 30)
    monkeypatch.setattr("solver.audit.seat.ROLE_GAMES", 12)


@pytest.mark.slow
@pytest.mark.usefixtures("few")
def test_small_crews_has_no_fault_in_few_games() -> None:
    crews = load_ruleset(CREWS)
    assert faults(crews, find_seat) == set()
    assert [acting(dealt(crews, 2, 0, number), number)[0] for number in range(2)] == [1, 1]


@pytest.mark.usefixtures("few")
def test_the_walk_has_no_fault_in_few_games_and_the_published_game_has_one() -> None:
    assert faults(load_ruleset(WALK), find_stall, find_seat) == set()
    assert faults(load_ruleset(TRENCH), find_stall) == {"STALL:forced waiting"}


@pytest.mark.slow
def test_no_luck_wins_with_small_crews_in_the_first_round_and_each_change_is_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("solver.audit.rush.ROUNDS", 1)
    crews = load_ruleset(CREWS)
    for change, fewest in (
        ({}, "adventurer 2+, employer 2+, leader 2+"),
        ({"partner_cap": 9}, "adventurer 2+, employer 1, leader 2+"),
        ({"cap_counts_temps": False}, "adventurer 2+, employer 1, leader 2+"),
    ):
        ruleset = extended(crews, {"options": change}) if change else crews
        assert dict(by_luck(ruleset, Budget(None)))["rounds to a win with the best luck"] == fewest


def test_a_deal_that_falls_to_the_rush_in_the_published_game_holds(rushed: Callable[[str], FirstRound]) -> None:
    assert rushed(ABYSS).won == 1
    crews = rushed(CREWS)
    assert (crews.won, crews.undecided) == (0, 0)
