"""Ratings: the numbers behind a grade, counted again by hand or by other code."""

from __future__ import annotations

from dataclasses import replace
from math import log2

import pytest

from puzzles.puzzle import load_puzzle
from rules.core.race import Race
from solver.engines.answers import best_moves, solve
from solver.question import Question, Status
from solver.search.budget import Budget
from solver.tools.puzzle import GRADES, RatedTurn, Rating, bits, rate


def rating_of(name: str, limit: Budget | None = None) -> Rating:
    puzzle = load_puzzle(name)
    budget = (limit or Budget()).start()
    return rate(puzzle.position, puzzle.goal, solve(puzzle.position, puzzle.goal, budget), budget)


def turn(tries: float) -> RatedTurn:
    return RatedTurn(1, "move", moves=9, right=1, ends=9, right_ends=1, tries=tries)


def test_bits_add_up_the_doublings_of_every_turn() -> None:
    assert bits([]) == 0
    assert bits([turn(1), turn(8), turn(2.5)]) == round(3 + log2(2.5), 1)
    found = rating_of("pay-the-price")
    assert found.bits == bits(found.turns)
    assert found.grade == 1 + sum(found.bits >= least for least in GRADES)


def test_tries_count_what_gets_as_far_or_further() -> None:
    """The first turn of a puzzle again: every way through it judged by where it ends, and solved from there."""
    puzzle = load_puzzle("knife")
    position, goal = puzzle.position, puzzle.goal
    game, start = position.start()
    assert isinstance(game, Race)
    assert goal.within_turns is not None
    rest = replace(goal, within_turns=goal.within_turns - 1)
    tables = {end.table for end in game.turn_ends(start.table) if "new_day" not in [step.text for step in end.steps]}
    values = {table: solve(position.with_table(table), rest).value for table in tables}
    right = [table for table in tables if values[table] == solve(position, goal).value]
    furthest = max(map(game.progress, right))
    wrong = [game.progress(table) for table in tables if table not in right]
    alike = [table for table in right if game.progress(table) == furthest]
    first = rating_of("knife").turns[0]
    assert (first.ends, first.right_ends) == (len(tables), len(right))
    assert first.tries == 1 + sum(far > furthest for far in wrong) + wrong.count(furthest) / (1 + len(alike))


def test_a_single_solution_is_told_with_its_only_moves() -> None:
    found = rating_of("warm-up")
    assert found.unique is True
    assert found.open == ()
    assert all(each.right_ends == 1 for each in found.turns)
    assert sum(each.is_only for each in found.turns) == len(found.turns) == 5


@pytest.mark.parametrize(("name", "decoys"), [("pay-the-price", True), ("risk-in-risk", False)])
def test_decoys_and_right_moves_are_those_of_the_ranking(name: str, decoys: bool) -> None:
    puzzle = load_puzzle(name)
    losses = {each.move.text: each.loss for each in best_moves(Question(puzzle.position, puzzle.goal)).moves}
    found = rating_of(name)
    first = found.turns[0]
    assert bool(first.decoys) == decoys
    assert all(losses[each] != 0 for each in first.decoys)
    assert first.right == sum(loss == 0 for loss in losses.values())
    assert first.moves == len(losses)


def test_several_solutions_are_never_called_one() -> None:
    found = rating_of("sprint-20")
    assert found.lines is not None
    assert (found.lines.exact, found.unique) == (False, False)


def test_what_cannot_be_done_has_no_grade() -> None:
    for name in ("too-far", "too-far-out"):
        found = rating_of(name)
        assert found.report.status is Status.INFEASIBLE
        assert (found.grade, found.lines, found.turns, found.open) == (None, None, (), ())


def test_a_limit_leaves_open_what_it_leaves_open() -> None:
    assert rating_of("sprint-40", Budget(states=50)).open == ("answer",)
    found = rating_of("sprint-20", Budget(states=500))
    assert found.report.status is Status.OPTIMAL
    assert found.open == ("turns", "lines")
    assert found.grade is None
