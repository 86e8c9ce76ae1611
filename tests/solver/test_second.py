"""The second opinion on the command line's way: it confirms, says nothing, or raises."""

from __future__ import annotations

from dataclasses import replace

import pytest

from puzzles.loader import load_puzzle
from rules.core.errors import BestlineError, DisagreementError
from solver import proofs
from solver.proofs import asked_again
from solver.report import Limit, Status, WorkClock
from solver.solve import solve


@pytest.mark.parametrize("name", ["sprint-10", "too-far", "one-by-one"])
def test_it_confirms_what_is_proved(name: str) -> None:
    puzzle = load_puzzle(name)
    report = solve(puzzle.position, puzzle.goal)
    few = name == "one-by-one"
    limit = Limit(states=500) if few else Limit(time_s=600)  # a busy machine may need more than the usual patience
    told, opinion = asked_again(puzzle.position, puzzle.goal, report, limit)
    if few:
        assert opinion.status is Status.UNKNOWN
        assert told == report
    else:
        assert opinion.status is report.status
        assert told.proof.checked_by[-1] == "CP-SAT, card flow"


def test_it_ends_though_nobody_sets_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proofs, "PATIENCE", 0.2)
    puzzle = load_puzzle("call-up")
    report = solve(puzzle.position, puzzle.goal)
    told, opinion = asked_again(puzzle.position, puzzle.goal, report)
    assert opinion.status is Status.UNKNOWN
    assert told == report


def test_who_disagrees_raises_and_both_are_named() -> None:
    puzzle = load_puzzle("sprint-10")
    wrong = replace(solve(puzzle.position, puzzle.goal), value=2)
    with pytest.raises(DisagreementError, match="the search finds optimal 2, CP-SAT's card flow optimal 3"):
        asked_again(puzzle.position, puzzle.goal, wrong)


def test_a_turn_under_way_is_not_for_it() -> None:
    puzzle = load_puzzle("sprint-10")
    game, start = puzzle.position.start()
    move = next(step for step in game.legal_moves(start) if step.text.startswith("sacrifice"))
    position = puzzle.position.after(game.apply(start, move).state)
    with pytest.raises(BestlineError, match="begins with a whole turn"):
        asked_again(position, puzzle.goal, solve(puzzle.position, puzzle.goal))


@pytest.mark.parametrize("name", ["all-together", "the-long-trail"])
def test_a_limit_counted_in_work_stops_at_the_same_point(name: str) -> None:
    puzzle = load_puzzle(name)
    answers = [solve(puzzle.position, puzzle.goal, Limit(0.4, clock=WorkClock())) for _ in range(2)]
    one, other = (replace(each, statistics=replace(each.statistics, time_s=0.0)) for each in answers)
    assert one == other
    assert one.status is not Status.OPTIMAL
