"""The cross-check on the command line's way: it confirms, says nothing, or raises."""

from __future__ import annotations

from dataclasses import replace

import pytest

from puzzles.puzzle import load_puzzle
from rules.core.errors import DisagreementError
from solver.engines.answers import solve
from solver.proofs import CHECKED_BY, cross_check
from solver.question import Status
from solver.search.budget import Budget, WorkClock


@pytest.mark.parametrize("name", ["sprint-10", "knife", "lone-ace", "the-courier"])
def test_it_confirms_what_is_proved_or_leaves_it_as_it_is(name: str) -> None:
    puzzle = load_puzzle(name)
    report = solve(puzzle.position, puzzle.goal)
    checked = cross_check(puzzle.position, puzzle.goal, report, 600)
    assert checked.proof.checked_by == (*report.proof.checked_by, CHECKED_BY)
    assert cross_check(puzzle.position, puzzle.goal, report, 0.0) == report


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"value": 2}, "the claimed value is 2, but the line is worth 3"),
        ({"status": Status.INFEASIBLE, "value": None, "line": ()}, "excludes 3 turns, but the rules get there in 3"),
    ],
)
def test_who_disagrees_raises(changes: dict[str, object], why: str) -> None:
    puzzle = load_puzzle("sprint-10")
    wrong = replace(solve(puzzle.position, puzzle.goal), **changes)  # type: ignore[arg-type]
    goal = puzzle.goal if wrong.line else replace(puzzle.goal, within_turns=3)
    with pytest.raises(DisagreementError, match=why):
        cross_check(puzzle.position, goal, wrong)


def test_a_turn_under_way_is_played_on() -> None:
    puzzle = load_puzzle("sprint-10")
    game, start = puzzle.position.start()
    move = next(step for step in game.legal_moves(start) if step.text.startswith("sacrifice"))
    position = puzzle.position.after(game.apply(start, move).state)
    report = solve(position, puzzle.goal)
    assert CHECKED_BY in cross_check(position, puzzle.goal, report, 600).proof.checked_by


@pytest.mark.parametrize("name", ["all-together", "the-long-trail"])
def test_a_limit_counted_in_work_stops_at_the_same_point(name: str) -> None:
    puzzle = load_puzzle(name)
    answers = [solve(puzzle.position, puzzle.goal, Budget(0.4, clock=WorkClock())) for _ in range(2)]
    one, other = (replace(each, statistics=each.statistics._replace(time_s=0.0)) for each in answers)
    assert one == other
    assert one.status is not Status.OPTIMAL
