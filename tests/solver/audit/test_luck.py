"""Rounds by luck that an audit tells, held against the stated figures of sections 14.G2 and 14.G3."""

from __future__ import annotations

import pytest

from rules.core.ruleset import extended, load_ruleset
from solver.audit.finding import Notebook
from solver.audit.rush import by_luck, find_luck
from solver.search.budget import Budget

BEST, WORST = "rounds to a win with the best luck", "rounds to a win against the worst luck"
EDITION = "abyss/2021"


@pytest.mark.slow
def test_rounds_by_luck_are_those_stated() -> None:
    ruleset = extended(load_ruleset(EDITION), {"options": {"partner_cap": 8}})
    assert dict(by_luck(ruleset, Budget(None))) == {
        BEST: "adventurer 2, employer 2, leader 2",
        WORST: "adventurer 3, employer 2, leader 3",
    }


def test_an_audit_tells_them_and_other_games_say_nothing() -> None:
    told = Notebook(load_ruleset(EDITION), Budget(0.0))
    find_luck(told)
    (searched,) = told.searched
    assert (searched.code, searched.complete) == ("RUSH", False)
    assert "1+" in searched.what
    silent = Notebook(load_ruleset("trench_rescue/2012"), Budget(None))
    find_luck(silent)
    assert silent.searched == []
