"""Plain questions under hidden decks: the chance where arriving is not certain, an answer soon, and what is proved."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from puzzles.goal import Goal, Objective
from rules.core.position import Position, new_position
from rules.core.race import Race
from solver.comparing import MISSES, Comparison, by_chance, compared
from solver.hidden import best_hidden
from solver.hidden_question import HiddenQuestion
from solver.hidden_report import HiddenReport, Option
from solver.render import Style
from solver.report import Limit, Statistics, Status, WorkClock
from solver.sampled import TreeComparison
from solver.screens.hidden import hidden_answer, hidden_rows
from solver.search.coasting import CoastingAim
from solver.search.layers import Watch
from tests.rules.iditacards.boards import Board, seat

SOON = Goal(Objective.MIN_TURNS, 59, 3, frozenset({"new_day"}))
CHANCE = replace(SOON, objective=Objective.REACH)


@pytest.fixture
def board() -> Board:
    hand, deck = "move mush lunch armour", "rest breakfast lunch a_hat move"
    return Board("2019-02", seat(pos=50, hand=hand, deck=deck, dogs="wheel_dog"), known=(), weather="storm")


@pytest.fixture(scope="module")
def opening() -> Position:
    return new_position("iditacards/2019-08", 1, 3, ())


def told(position: Position, report: HiddenReport, asked: Goal) -> str:
    rows = hidden_rows("", position, report, Style(plain=True), 3, None, asked=asked, timed=False)
    return "\n".join(row.text for row in rows)


def proved(board: Board, value: Fraction, goal: Goal = CHANCE) -> HiddenReport:
    """Return what an exact search that was stopped says of the last move."""
    move = board.game.legal_moves(board.state)[-1]
    option = Option(move, value, Fraction(0))
    return HiddenReport(
        Status.FEASIBLE, goal, value, Fraction(1), (option,), (), Fraction(0), Statistics(0.0, 1, 1, "beliefs")
    )


def test_playouts_are_asked_for_the_chance_where_arriving_is_not_known_to_be_certain(board: Board) -> None:
    report = compared(board.position, SOON, None, Watch(Limit()), playouts=100)
    assert (report.goal, report.method) == (CHANCE, "sampled")
    shown = told(board.position, report, SOON)
    assert shown.startswith(
        "Be at space 59 or beyond in the fewest turns, 3 turns at most, without new_day.\nNo way to "
    )
    assert "No way to play is known to be certain to get there within 3 turns: the chance of it counts." in shown
    assert "counts as there" not in shown
    assert hidden_answer("best", board.position, report, 3, None, timed=False)["goal"]["objective"] == "reach"
    two = new_position("iditacards/2019-02", 2, 3, ())
    assert best_hidden(two, Goal(Objective.MIN_TURNS, 4, 3), playouts=1).goal.objective is Objective.REACH
    assert by_chance(new_position("iditacards/2019-08", 1, 3), SOON) == SOON, (
        "where all is known, fewest turns are fewest turns"
    )


def test_what_is_certain_is_asked_in_turns(board: Board) -> None:
    sure = replace(SOON, target=57)
    report = best_hidden(board.position, sure)
    assert (report.status, report.goal) == (Status.OPTIMAL, sure)
    assert best_hidden(board.position, SOON).goal == CHANCE
    question = HiddenQuestion(board.game, board.state, SOON, Limit(time_s=0.0))
    assert question.answer().goal == CHANCE, "what is cut short knows of nothing that is certain"


def test_a_goal_that_no_playout_meets_is_measured_by_distance(opening: Position) -> None:
    asked = Goal(Objective.MIN_TURNS, 161, 4)
    report = compared(opening, asked, None, Watch(Limit()), playouts=600)
    assert (report.goal.objective, report.goal.within_turns) == (Objective.MAX_DISTANCE, 4)
    assert report.missed == len(report.options), "one playout of each is enough where nobody gets half of the way"
    assert report.value
    shown = told(opening, report, asked)
    assert (
        f"None of {report.missed} playouts got there within 4 turns: moves are compared by how far they get." in shown
    )
    assert hidden_answer("best", opening, report, 3, None, timed=False)["missed"] == report.missed


def test_a_goal_that_may_be_met_is_given_time(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TreeComparison, "has_arrived", False)
    missed = [compared(board.position, CHANCE, None, Watch(Limit()), playouts=most).missed for most in (200, 1200)]
    assert missed[0] == 0
    assert missed[1] >= MISSES


def test_a_goal_that_is_proved_to_be_out_of_reach_is_told_at_once() -> None:
    position = new_position("iditacards/2017", 1, 3, ())
    asked = Goal(Objective.MIN_TURNS, 160, 4, SOON.forbidden)
    report = best_hidden(position, asked)
    assert (report.status, report.verdict) == (Status.INFEASIBLE, "")
    shown = told(position, report, asked)
    assert "proved: no way to play gets there" in shown
    assert "--goal max_distance --within-turns 4 asks how far one gets" in shown


def test_a_move_with_a_greater_chance_proved_stands_first(board: Board) -> None:
    comparison = Comparison(board.position, CHANCE, Watch(Limit()))
    comparison.run(None, 200)
    plain = comparison.report()
    assert plain.value is not None
    little = comparison.report(proved(board, plain.value / 2))
    assert [each.move for each in little.options] == [each.move for each in plain.options]
    assert little.least == plain.value / 2
    much = comparison.report(proved(board, (1 + plain.value) / 2))
    first = much.options[0]
    assert (first.move, first.is_proved, first.value) == (board.game.legal_moves(board.state)[-1], True, much.value)
    assert {each.move for each in much.options} == {each.move for each in plain.options}
    assert all(each.loss is None or each.loss >= 0 for each in much.options)
    shown = told(board.position, much, CHANCE)
    assert "at least, proved for the first move; no playouts of any other show more" in shown
    answer = hidden_answer("best", board.position, much, 3, None, timed=False)
    assert answer["moves"][0]["proved"]
    assert answer["considered"] == answer["open"]


def test_a_chance_that_is_proved_is_not_called_missed(opening: Position) -> None:
    """Distances say nothing where some way to play is known to arrive."""
    goal = Goal(Objective.REACH, 161, 4)
    comparison = Comparison(opening, goal, Watch(Limit()))
    comparison.run(None, 60)
    game, start = opening.start()
    option = Option(game.legal_moves(start)[0], Fraction(1, 999), Fraction(0))
    exact = replace(
        comparison.report(), status=Status.FEASIBLE, goal=goal, value=option.value, options=(option,), verdict=""
    )
    assert comparison.report().missed
    report = comparison.report(exact)
    assert (report.goal, report.value, report.missed) == (goal, Fraction(1, 999), 0)


def test_whoever_stops_at_any_time_has_a_move(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    real = HiddenQuestion.answer

    def answer(_: HiddenQuestion) -> HiddenReport:
        raise KeyboardInterrupt

    monkeypatch.setattr(HiddenQuestion, "answer", answer)
    report = best_hidden(board.position, CHANCE, Limit(clock=WorkClock()))
    assert report.interrupted
    assert report.options[0].value is not None
    monkeypatch.setattr(HiddenQuestion, "answer", real)
    assert best_hidden(board.position, CHANCE).status is Status.OPTIMAL


def test_a_comparison_goes_on_where_it_was_left(board: Board) -> None:
    once, twice = (Comparison(board.position, CHANCE, Watch(Limit())) for _ in range(2))
    for most in (60, 240):
        twice.run(None, most)
    before = twice.report().statistics.generated
    once.run(None, 60)
    assert once.report().statistics.generated < before
    once.run(None, 240)
    assert once.report().options == twice.report().options


def test_a_goal_near_in_more_turns_than_trees_reach_is_played_for_itself() -> None:
    position = new_position("iditacards/2019-02", 1, 1, ())
    report = compared(position, Goal(Objective.MIN_TURNS, 20, 8), None, Watch(Limit()), playouts=60)
    assert (report.goal.objective, report.goal.within_turns, report.coasting) == (Objective.REACH, 8, 8)
    assert report.value is not None
    assert 0 < report.value <= 1
    shown = told(position, report, Goal(Objective.MIN_TURNS, 20, 8))
    assert "the move, then plain play without a search" in shown
    far = compared(position, Goal(Objective.REACH, 150, 8), None, Watch(Limit()), playouts=20)
    assert far.goal.objective is Objective.MAX_DISTANCE
    game, start = position.start()
    assert isinstance(game, Race)
    aim = CoastingAim(game, Goal(Objective.REACH, 20, 30), start.table, soon=True)
    assert (aim.span, aim.goal.objective) == (30, Objective.REACH)
    assert aim.judged(start.table, 3, Fraction(1)) == 30


@pytest.mark.parametrize(("interval", "times"), [(None, 2), ((0.0, 0.95), 2), ((0.0, 0.3), 0)])
def test_a_chance_that_is_left_nearly_open_is_not_shown(
    board: Board, interval: tuple[float, float] | None, times: int
) -> None:
    draws = 1 if interval is None else 20
    option = Option(board.game.legal_moves(board.state)[0], Fraction(0), Fraction(0), interval, draws)
    asked = (Status.FEASIBLE, CHANCE, option.value, None, (option,), (), Fraction(0), Statistics(0.0, draws, draws, ""))
    text = told(board.position, HiddenReport(*asked, method="sampled", verdict="undecided"), CHANCE)
    assert text.count("too few draws to tell") == times, "in the verdict and beside the move"
    assert ("0.0 %" in text) == (not times)
