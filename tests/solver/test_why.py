"""Explanations of impossibility, held against the searches that they stand for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from puzzles.puzzle import Goal, Objective, load_puzzle
from solver.engines.answers import solve
from solver.proofs import Cause, Explanation, Loosening, improvement_question, relaxed
from solver.question import Status
from solver.screens.answer import explanation_rows
from solver.search.budget import Budget


def explained(puzzle: str, limit: Budget | None = None) -> Explanation:
    found = load_puzzle(puzzle)
    question = improvement_question(found.goal, solve(found.position, found.goal))
    assert question is not None
    return Loosening(found.position, question, limit or Budget()).explanation()


def status(puzzle: str, goal: Goal, loose: list[Cause]) -> Status:
    position = relaxed(load_puzzle(puzzle).position, loose)
    assert position is not None
    words = {cause.words for cause in loose}
    return solve(position, replace(goal, forbidden=goal.forbidden - words), Budget(20)).status


@pytest.mark.slow
def test_the_causes_alone_make_it_impossible_and_none_is_spare() -> None:
    puzzle = "too-far-out"
    found = explained(puzzle)
    assert [cause.id for cause in found.causes] == ["stack_from_trench"]
    others = [cause for cause in found.candidates if cause not in found.causes]
    assert status(puzzle, found.goal, others) is Status.INFEASIBLE
    assert found.minimal
    for cause in found.causes:
        # Fewest turns may take longer than the first line, which is enough here.
        assert status(puzzle, found.goal, [cause]) in (Status.OPTIMAL, Status.FEASIBLE)


def test_what_is_enough_alone_is_enough_in_the_real_game() -> None:
    found = explained("sprint-10")
    assert found.goal.within_turns == 2
    assert found.enough
    for cause in found.candidates:
        possible = status("sprint-10", found.goal, [cause]) is not Status.INFEASIBLE
        assert possible == (cause in found.enough), cause.id


def test_a_limit_leaves_it_open_whether_fewer_would_do() -> None:
    puzzle = load_puzzle("too-far")
    found = Loosening(puzzle.position, puzzle.goal, Budget(0.0)).explanation()
    assert not found.minimal
    assert found.causes == found.candidates
    text = " ".join(row.text for row in explanation_rows(puzzle.position, found))
    assert "Whether fewer reasons would do was left open" in text


def test_the_harder_question() -> None:
    puzzle = load_puzzle("sprint-20")
    report = solve(puzzle.position, puzzle.goal)
    assert report.value is not None
    question = improvement_question(puzzle.goal, report)
    assert question is not None
    assert question.within_turns == report.value - 1
    farthest = replace(puzzle.goal, objective=Objective.MAX_DISTANCE, within_turns=2)
    best = solve(puzzle.position, farthest)
    assert best.value is not None
    further = improvement_question(farthest, best)
    assert further is not None
    assert (further.objective, further.target, further.within_turns) == (Objective.REACH, best.value + 1, 2)
    assert solve(puzzle.position, further).status is Status.INFEASIBLE
    assert improvement_question(puzzle.goal, replace(report, status=Status.FEASIBLE)) is None
