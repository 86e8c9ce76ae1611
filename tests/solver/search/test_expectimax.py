"""Values where chance is hidden, against a reading of the rules step by step that merges nothing."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from puzzles.puzzle import Goal, Objective
from rules.core.turns import Game, State
from solver.encodings import ceiling
from solver.engines.hidden import HiddenQuestion, best_hidden, solve_hidden
from solver.question import CERTAIN, Question, Status
from solver.search.budget import Budget, WorkClock
from solver.search.expectimax import Expectimax
from tests.rules.iditacards.boards import Board, seat
from tests.solver.search.step_by_step import after, read

SECOND = "2019-02"
DAY = frozenset({"new_day"})
BOARDS: dict[str, Board] = {
    "a short deck": Board(
        SECOND,
        seat(pos=50, hand="move mush", deck="lunch armour rest", dogs="wheel_dog"),
        known=(),
        weather="storm",
    ),
    "cards put back on top are remembered": Board(
        "2017",
        seat(pos=20, hand="poutine mush", deck="lunch armour move", discard="mush a_hat"),
        known=(),
        weather="sun",
    ),
    "cards looked at": Board(
        SECOND, seat(pos=50, hand="first_aid move mush armour", deck="mush move lunch"), known=(), weather="sun"
    ),
    "an upgrade deck that nobody knows": Board(
        SECOND,
        seat(pos=50, hand="upgrade_sled move rest", deck="torch armour rush"),
        known=(),
        weather="sun",
        upgrade=["push rush haste", "", "", ""],
    ),
    "a second step": Board(
        "2019-08", seat(pos=40, hand="band_aid move", deck="mush move lunch"), known=(), weather="sun"
    ),
}
GOALS = {
    "reach": Goal(Objective.REACH, 63, 3, DAY),
    "max_distance": Goal(Objective.MAX_DISTANCE, 161, 2, DAY),
    "min_turns": Goal(Objective.MIN_TURNS, 54, 3, DAY),
}


@pytest.mark.parametrize("kind", GOALS)
@pytest.mark.parametrize("name", BOARDS)
def test_values_are_those_of_a_plain_reading(name: str, kind: str) -> None:
    board = BOARDS[name]
    goal = GOALS[kind]
    expected = read(board.game, board.state, goal, goal.within_turns or 0)
    report = solve_hidden(board.position, goal)
    if kind == "min_turns" and expected is None:
        assert report.answered.objective is Objective.REACH
        assert report.value != 1
        return
    assert (report.value or 0) == expected
    assert report.status is (Status.OPTIMAL if expected else Status.INFEASIBLE)
    assert report.moves == () or report.moves[0].value == expected


def test_every_open_move_is_valued_as_a_plain_reading_values_it() -> None:
    board = BOARDS["a short deck"]
    goal = GOALS["max_distance"]
    report = solve_hidden(board.position, goal)
    moves = [move for move in board.game.legal_moves(board.state) if move.text != "new_day"]
    assert {option.move for option in report.moves} == set(moves)
    for option in report.moves:
        assert option.value == after(board.game, board.state, option.move, goal, 2)
        assert option.loss == (report.value or 0) - (option.value or 0)


def test_a_plan_accounts_for_every_result_of_chance() -> None:
    board = BOARDS["cards looked at"]
    report = solve_hidden(board.position, GOALS["max_distance"])
    assert sum(branch.probability for branch in report.plan) + report.omitted == 1
    mean = sum(branch.probability * (branch.value or 0) for branch in report.plan)
    assert report.omitted > 0 or mean == report.value


def test_a_limit_leaves_a_real_policy_and_a_bound() -> None:
    board = BOARDS["cards looked at"]
    goal = Goal(Objective.REACH, 63, 4, DAY)
    whole = solve_hidden(board.position, goal)
    part = solve_hidden(board.position, goal, Budget(time_s=0.0))
    assert (part.value or 0) <= (whole.value or 0) <= (part.bound or 1)


def test_the_middle_of_a_turn_is_a_question_too() -> None:
    board = Board(SECOND, seat(pos=50, hand="first_aid move rest armour", deck="mush move lunch lunch"), known=())
    board.play("play first_aid pay armour rest")
    goal = Goal(Objective.MAX_DISTANCE, 161, 2, DAY)
    outcome = board.game.chance_outcomes(board.state)[0]
    state = board.game.apply(board.state, outcome).state
    report = solve_hidden(board.position.after(state), goal)
    assert report.value == read(board.game, state, goal, 2)


def test_no_way_to_play_exceeds_the_ceiling() -> None:
    board = BOARDS["cards looked at"]
    goal = GOALS["max_distance"]
    most = ceiling(board.game, board.state.table, goal)
    assert most is not None
    assert most >= (solve_hidden(board.position, goal).value or 0)


def test_moves_that_arrive_later_have_an_expected_number_of_turns() -> None:
    player = seat(pos=50, hand="move armour rest", deck="lunch move mush", dogs="wheel_dog")
    board = Board(SECOND, player, known=())
    goal = Goal(Objective.MIN_TURNS, 54, forbidden=DAY)
    report = solve_hidden(board.position, goal)
    values = {option.move.text: option.value for option in report.moves}
    assert values["play move"] == report.value == 1
    assert values["play rest"] == 2
    assert values["sacrifice wheel_dog"] == 3
    for option in report.moves:
        assert option.value == after(board.game, board.state, option.move, goal, 3)


@pytest.mark.parametrize("kind", ["reach", "min_turns"])
def test_moves_that_lose_have_all_the_turns_given(kind: str) -> None:
    player = seat(pos=37, hand="damaged grandma_soup", deck="eat_dog russian_bear_dog", dogs="greyhound", hypothermia=5)
    board = Board(SECOND, player, known=("deck",), damage_left=17, weather="sun")
    goal = Goal(Objective(kind), 39, 2)
    report = best_hidden(Question(board.position, goal, Budget(clock=WorkClock())))
    assert report.method == "expectimax"
    assert report.besides == 0
    for option in report.moves:
        assert (option.value or 0) == (after(board.game, board.state, option.move, goal, 2) or 0)
    assert max(option.loss or 0 for option in report.moves) > 0
    asked = next(option for option in report.moves if option.loss)
    versus = best_hidden(Question(board.position, goal, Budget(clock=WorkClock()), versus=asked.move))
    assert sum(branch.probability * (branch.value or 0) for branch in versus.instead) == asked.value


def test_what_cannot_be_followed_for_all_the_turns_is_left_out() -> None:
    player = seat(pos=37, hand="damaged grandma_soup", deck="eat_dog russian_bear_dog", dogs="greyhound", hypothermia=5)
    board = Board(SECOND, player, known=("deck",), damage_left=17, weather="sun")
    report = HiddenQuestion(board.game, board.state, Goal(Objective.REACH, 39, 2), Budget(), rivals=False).answer()
    assert (report.status, report.method) == (Status.OPTIMAL, CERTAIN)
    assert report.value == 1
    assert all(option.value == 1 for option in report.moves)
    assert report.besides > 0


@pytest.mark.parametrize("seen", ["", "rest lunch", "lunch rest", "move move", "rest mush armour"])
def test_cards_that_have_come_already_came_in_one_order(seen: str) -> None:
    board = Board(SECOND, seat(pos=50, hand="move rest", deck="lunch armour mush move"), known=("weather",))
    board.play("; ".join(["new_day", *(f"deck {card}" for card in seen.split())]))
    state = board.state
    assert state.pending
    turns = 2 if seen else 1  # another new day after all there is to draw takes too long
    goal = Goal(Objective.MAX_DISTANCE, 161, turns)
    search = Expectimax(board.game, goal, Budget())
    value = search.turn(search.ends(state.table, turns, state.pending), len(state.pending))
    assert value == read(board.game, state, goal, turns)
    assert {end.table for end in board.game.turn_ends(state.table, state.pending)} == tables_after(board.game, state)


def tables_after(game: Game[Any], state: State[Any]) -> set[Any]:
    """Return the tables at the end of a turn, asking for one step after the other."""
    if not state.pending:
        return {state.table}
    steps = game.legal_moves(state) or game.chance_outcomes(state)
    return {table for step in steps for table in tables_after(game, game.apply(state, step).state)}


def test_a_distance_stands_where_no_move_is_left() -> None:
    board = Board(
        SECOND,
        seat(pos=83, hand="dog_chow retriever", deck="damaged", dogs="wheel_dog+buffer_panel", free_health="on"),
        known=(),
    )
    game, state = board.game, board.state
    state = game.apply(state, game.parse_step(state, "play dog_chow pay retriever")).state
    for turns in (1, 2, 3):
        found = solve_hidden(board.position.after(state), Goal(Objective.MAX_DISTANCE, 161, turns, DAY))
        assert (found.status, found.value) == (Status.OPTIMAL, Fraction(86))
