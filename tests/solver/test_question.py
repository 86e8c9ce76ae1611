"""What a search says that was cut short holds for the search that is done."""

from __future__ import annotations

import pytest

from puzzles.puzzle import Goal, Objective
from rules.core.ruleset import load_ruleset
from solver.audit.suite import tables
from solver.engines.answers import solve
from solver.search.budget import Budget


@pytest.mark.parametrize("edition", ["iditacards/2017", "iditacards/2019-02", "iditacards/2019-08"])
@pytest.mark.parametrize("objective", [Objective.MAX_DISTANCE, Objective.MIN_TURNS])
def test_a_bound_at_a_limit_excludes_nothing_that_is_possible(edition: str, objective: Objective) -> None:
    for asked in [each for each in tables(load_ruleset(edition), 3) if each.id.startswith("deal-")][-2:]:
        target = 4 if objective is Objective.MIN_TURNS else asked.goal.target
        goal = Goal(objective, target, asked.goal.within_turns)
        best = solve(asked.position, goal, Budget(30.0)).value
        if best is None:  # too far for the turns, which no search may deny
            best = (goal.within_turns or 0) + 1
        for states in (1, 20, 100):
            short = solve(asked.position, goal, Budget(None, states))
            sign = 1 if objective is Objective.MAX_DISTANCE else -1
            assert short.bound is None or sign * (short.bound - best) >= 0, (asked.id, states)
            assert short.value is None or sign * (best - short.value) >= 0, (asked.id, states)
