"""Plain questions under hidden decks: the chance where arriving is not certain, an answer soon, and what is proved."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from puzzles.puzzle import Goal, Objective
from rules.core.position import Position, new_position
from solver.engines.hidden import HiddenQuestion, best_hidden
from solver.engines.playouts import Comparison, by_chance
from solver.question import Answer, MoveValue, Question, Status
from solver.render import Style, draw
from solver.screens.answer import Answered, answer_data
from solver.search.budget import Budget, WorkClock
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


def told(position: Position, report: Answer[Fraction], asked: Goal) -> str:
    return draw(Answered("best", Question(position, asked), report, timed=False).rows(), Style(plain=True))


def proved(board: Board, value: Fraction, goal: Goal = CHANCE) -> Answer[Fraction]:
    """Return what an exact search that was stopped says of the last move."""
    move = board.game.legal_moves(board.state)[-1]
    option = MoveValue(move, value, Fraction(0))
    return Answer(Status.FEASIBLE, value, Fraction(1), moves=(option,), goal=goal, method="expectimax")


def test_playouts_are_asked_for_the_chance_where_arriving_is_not_known_to_be_certain(board: Board) -> None:
    report = Comparison(Question(board.position, SOON, playouts=100)).sampled()
    assert (report.goal, report.method) == (CHANCE, "sampled")
    shown = told(board.position, report, SOON)
    assert shown.startswith(
        "Be at space 59 or beyond in the fewest turns, 3 turns at most, without new_day.\nNo way to "
    )
    assert "No way to play is known to be certain to get there within 3 turns: the chance of it counts." in shown
    assert "counts as over" not in shown
    assert answer_data("best", Question(board.position, SOON), report, 3, timed=False)["goal"]["objective"] == "reach"
    two = new_position("iditacards/2019-02", 2, 3, ())
    assert best_hidden(Question(two, Goal(Objective.MIN_TURNS, 4, 3), playouts=1)).answered.objective is Objective.REACH
    assert by_chance(new_position("iditacards/2019-08", 1, 3), SOON) == SOON, (
        "where all is known, fewest turns are fewest turns"
    )


def test_what_is_certain_is_asked_in_turns(board: Board) -> None:
    sure = replace(SOON, target=57)
    report = best_hidden(Question(board.position, sure))
    assert (report.status, report.goal) == (Status.OPTIMAL, sure)
    assert best_hidden(Question(board.position, SOON)).goal == CHANCE
    question = HiddenQuestion(board.game, board.state, SOON, Budget(time_s=0.0))
    assert question.answer().goal == CHANCE, "what is cut short knows of nothing that is certain"


def test_a_chance_that_no_playout_meets_stays_a_chance(opening: Position) -> None:
    """Of moves that all miss, the one that gets further comes first."""
    asked = Goal(Objective.MIN_TURNS, 40, 3)
    report = Comparison(Question(opening, asked, playouts=600)).sampled()
    assert (report.answered.objective, report.answered.within_turns) == (Objective.REACH, 3)
    assert report.value == 0
    assert "how far" not in told(opening, report, asked)
    far = Comparison(Question(opening, Goal(Objective.MAX_DISTANCE, 0, 3), playouts=600)).sampled()
    assert far.value is not None
    assert report.moves[0].move in [each.move for each in far.moves if each.value and each.value > far.value - 1]


def test_a_goal_that_is_proved_to_be_out_of_reach_is_told_at_once() -> None:
    position = new_position("iditacards/2017", 1, 3, ())
    asked = Goal(Objective.MIN_TURNS, 160, 3, SOON.forbidden)
    report = best_hidden(Question(position, asked))
    assert (report.status, report.verdict) == (Status.INFEASIBLE, "")
    shown = told(position, report, asked)
    assert "proved: space 160 cannot be reached within 3 turns" in shown
    assert "--goal max_distance --within-turns 3 asks how far one gets" in shown


def test_a_move_with_a_greater_chance_proved_stands_first(board: Board) -> None:
    comparison = Comparison(Question(board.position, CHANCE))
    comparison.run(None, 200)
    plain = comparison.report()
    assert plain.value is not None
    little = comparison.report(proved(board, plain.value / 2))
    assert [each.move for each in little.moves] == [each.move for each in plain.moves]
    assert little.least == plain.value / 2
    much = comparison.report(proved(board, (1 + plain.value) / 2))
    first = much.moves[0]
    assert (first.move, first.is_proved, first.value) == (board.game.legal_moves(board.state)[-1], True, much.value)
    assert {each.move for each in much.moves} == {each.move for each in plain.moves}
    assert all(each.loss is None or each.loss >= 0 for each in much.moves)
    shown = told(board.position, much, CHANCE)
    assert ", proved for the first move; no playouts of any other show more" in shown
    answer = answer_data("best", Question(board.position, CHANCE), much, 3, timed=False)
    assert answer["moves"][0]["proved"]
    assert answer["considered"] == answer["open"]


def test_whoever_stops_at_any_time_has_a_move(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    real = HiddenQuestion.answer

    def answer(_: HiddenQuestion) -> Answer[Fraction]:
        raise KeyboardInterrupt

    monkeypatch.setattr(HiddenQuestion, "answer", answer)
    report = best_hidden(Question(board.position, CHANCE, Budget(clock=WorkClock())))
    assert report.interrupted
    assert report.moves[0].value is not None
    monkeypatch.setattr(HiddenQuestion, "answer", real)
    assert best_hidden(Question(board.position, CHANCE)).status is Status.OPTIMAL


def test_a_comparison_goes_on_where_it_was_left(board: Board) -> None:
    once, twice = (Comparison(Question(board.position, CHANCE)) for _ in range(2))
    for most in (60, 240):
        twice.run(None, most)
    before = twice.report().statistics.generated
    once.run(None, 60)
    assert once.report().statistics.generated < before
    once.run(None, 240)
    assert once.report().moves == twice.report().moves


@pytest.mark.parametrize("ruleset", ["2017", "2019-02", "2019-08"])
@pytest.mark.parametrize(
    "goal",
    [
        Goal(Objective.MIN_TURNS, 161),
        Goal(Objective.MAX_DISTANCE, 0, 12),
        Goal(Objective.REACH, 20, 9),
        Goal(Objective.REACH, 100, 40, frozenset({"sacrifice"})),
    ],
)
def test_the_goal_that_is_asked_is_the_one_answered_however_far(ruleset: str, goal: Goal) -> None:
    position = new_position(f"iditacards/{ruleset}", 1, 1, ())
    report = Comparison(Question(position, goal, playouts=120)).sampled()
    assert (report.goal, report.method) == (goal, "sampled")
    first, second = (each.value for each in report.moves[:2])
    assert first is not None
    assert second is not None
    assert first <= second if goal.objective is Objective.MIN_TURNS else first >= second
    assert report.value == first
    most = {Objective.REACH: 1, Objective.MAX_DISTANCE: 161, Objective.MIN_TURNS: 400}[goal.objective]
    assert 0 <= report.value <= most
    late = "a game not over after 400 turns counts as over then"
    assert (late in told(position, report, goal)) == (goal.objective is Objective.MIN_TURNS)


@pytest.mark.parametrize("text", ["play mush pay armour lunch", "play move", ""])
def test_a_turn_under_way_is_sampled_like_any_other(board: Board, text: str) -> None:
    here = board.play(text) if text else board
    goal = Goal(Objective.MAX_DISTANCE, 0, 9)
    first, again = (Comparison(Question(here.position, goal, playouts=60, seed=4)).sampled().moves for _ in range(2))
    assert first == again
    assert all(each.value is not None for each in first)


def test_a_better_mean_of_too_few_playouts_is_no_number_below_the_best(board: Board) -> None:
    means = ((3, 128), (4, 128), (2, 48))
    moves = [
        MoveValue(move, Fraction(mean), Fraction(0), interval=(1.0, 5.0), playouts=played)
        for move, (mean, played) in zip(board.game.legal_moves(board.state), means, strict=False)
    ]
    goal = Goal(Objective.MIN_TURNS, 161)
    report = Answer(Status.FEASIBLE, moves[0].value, None, moves=tuple(moves), goal=goal, method="sampled")
    text = told(board.position, replace(report, verdict="undecided"), goal)
    assert ("4.00 turns" in text, "2.00 turns" in text, "too few playouts to tell" in text) == (True, False, True)


@pytest.mark.parametrize(("interval", "times"), [(None, 2), ((0.0, 0.95), 2), ((0.0, 0.3), 0)])
def test_a_chance_that_is_left_nearly_open_is_not_shown(
    board: Board, interval: tuple[float, float] | None, times: int
) -> None:
    draws = 1 if interval is None else 20
    option = MoveValue(
        board.game.legal_moves(board.state)[0], Fraction(0), Fraction(0), interval=interval, playouts=draws
    )
    report = Answer(Status.FEASIBLE, option.value, None, moves=(option,), goal=CHANCE, method="sampled")
    text = told(board.position, replace(report, verdict="undecided"), CHANCE)
    assert text.count("too few playouts to tell") == times, "in the verdict and beside the move"
    assert ("0.0 %" in text) == (not times)
