"""Tree search over what is known: nobody acts on cards that are not seen, and statistics are those of real play."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from puzzles.goal import Goal, Objective
from rules.core.chance import SplitMix64
from rules.core.position import new_position
from rules.core.race import Race
from rules.core.steps import Step
from rules.core.turns import State
from solver.hidden import solve_hidden
from solver.search.aims import GoalAim
from solver.search.ismcts import MULTI, SINGLE, InformationTrees
from solver.search.rollout import WAYS_TO_PLAY, Draws, Greedy, Playing, fits
from tests.rules.iditacards.boards import Board, seat

NO_DAY = frozenset({"new_day"})


def trees(board: Board, goal: Goal, **more: Any) -> InformationTrees:
    return InformationTrees(board.game, board.state, GoalAim(board.game, goal), **more)


@pytest.fixture
def duel() -> Board:
    mine = seat(pos=50, hand="move mush lunch", deck="rest breakfast a_hat move", dogs="wheel_dog")
    yours = seat(pos=47, hand="move lunch", deck="mush armour breakfast", dogs="wheel_dog")
    return Board("2019-02", mine, yours, known=(), weather="storm")


@pytest.mark.parametrize("observer", [MULTI, SINGLE])
@pytest.mark.parametrize("way", ["greedy", "random", None])
def test_two_tables_that_look_alike_are_played_alike(duel: Board, observer: str, way: str | None) -> None:
    goal = Goal(Objective.MAX_DISTANCE, 161, 3)
    generator = SplitMix64(4)
    other = next(
        table
        for table in (duel.game.imagined(duel.state.table, 0, generator) for _ in range(50))
        if table != duel.state.table
    )
    played = []
    for table in (duel.state.table, other):
        policy = None if way is None else WAYS_TO_PLAY[way](duel.game)
        forest = InformationTrees(duel.game, State(table), GoalAim(duel.game, goal), policy, observer=observer, seed=3)
        grown = [forest.grow((), number) for number in range(40)]
        played.append((grown, [forest.play((), number) for number in range(20)], forest.nodes))
    assert played[0] == played[1], "cards in the other hand are not known, so they cannot matter"


def test_the_greedy_player_does_not_look_into_other_hands(duel: Board) -> None:
    generator = SplitMix64(8)
    tables = [duel.game.imagined(duel.state.table, 0, generator) for _ in range(12)]
    policy = Greedy(duel.game)
    chosen = set()
    for table in tables:
        script = Playing((), Draws(1), lambda _, __, answers: answers[0])
        script.seats.add(0)
        answers: Sequence[Step] = duel.game.legal_moves(State(table))
        chosen.add(policy(table, script, 0, answers, SplitMix64(2)).text)
    assert len(set(tables)) > 1
    assert len(chosen) == 1


def test_what_grows_on_a_small_board_comes_near_the_exact_value() -> None:
    hand, deck = "move mush lunch armour", "rest breakfast lunch a_hat move"
    board = Board("2019-02", seat(pos=50, hand=hand, deck=deck, dogs="wheel_dog"), known=(), weather="storm")
    goal = Goal(Objective.REACH, 62, 3, NO_DAY)
    exact = solve_hidden(board.position, goal).options[0]
    assert exact.value is not None
    forest = trees(board, goal, alone=True)
    begun = board.game.begun(board.state, exact.move)
    for number in range(600):
        forest.grow(begun, number)
    mean = sum((forest.play(begun, number) for number in range(400)), Fraction(0)) / 400
    assert abs(mean - exact.value) < 0.08


def test_a_last_turn_is_worth_the_same_exact_or_played() -> None:
    board = Board("2019-02", seat(pos=50, hand="move mush lunch", deck="rest lunch", dogs="wheel_dog"), known=())
    goal = Goal(Objective.MAX_DISTANCE, 161, 2, NO_DAY)
    exact = solve_hidden(board.position, goal)
    assert exact.value is not None
    begun = board.game.begun(board.state, exact.options[0].move)
    means = []
    for alone in (True, False):
        forest = trees(board, goal, alone=alone)
        for number in range(500):
            forest.grow(begun, number)
        means.append(float(sum((forest.play(begun, number) for number in range(300)), Fraction(0)) / 300))
    assert abs(means[0] - means[1]) < 0.5
    assert abs(means[0] - float(exact.value)) < 0.5


def test_what_the_goal_forbids_is_never_played() -> None:
    board = Board("2019-02", seat(pos=50, deck="rest lunch", dogs="wheel_dog"), known=())
    goal = Goal(Objective.REACH, 51, 2, NO_DAY)
    assert trees(board, goal).grow((), 0) == 0, "nothing but a new day is open"
    assert trees(board, Goal(Objective.REACH, 51, 2)).grow((), 0) == 1


def test_secret_plans_are_taken_back_and_made_anew() -> None:
    position = new_position("abyss/2021", 3, 5, ())
    game, state = position.start()
    assert isinstance(game, Race)
    generator = SplitMix64(1)
    table = state.table
    while table.phase != "choose" or table.seat != 2:
        table = game.sample_turn(table, generator).table
    start = State(table)
    goal = Goal(Objective.MAX_DISTANCE, game.default_target(), 3, seat=2)
    for policy in (None, WAYS_TO_PLAY["greedy"](game)):
        forest = InformationTrees(game, start, GoalAim(game, goal), policy, seed=2)
        for move in game.legal_moves(start)[:3]:
            assert forest.grow(game.begun(start, move), 1) >= 0


def test_steps_fit_only_a_table_where_they_are_open(duel: Board) -> None:
    move = next(move for move in duel.game.legal_moves(duel.state) if move.text.startswith("play mush"))
    begun = duel.game.begun(duel.state, move)
    table = duel.state.table
    assert fits(duel.game, table, (), 0)
    assert not fits(duel.game, table, (), 1)
    without = table.players[0]._replace(hand=("lunch", "move"))
    assert not fits(duel.game, table._replace(players=(without, table.players[1])), begun, 0)
