"""Flat rollouts by the rules: nobody acts on cards that are not seen, and values are those of real play."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from puzzles.puzzle import Goal, Objective
from rules.core.files import read_text
from rules.core.position import new_position, read_position
from rules.core.race import ImperfectInformation, Race
from rules.core.scripts import SplitMix64, Step
from rules.core.turns import State
from solver.engines.hidden import solve_hidden
from solver.engines.playouts import Rollouts, goal_aim
from solver.search.rollout import POLICIES, Deals, Draws, GreedyPolicy, Playing, agreeing
from tests.rules.iditacards.boards import Board, seat

THEFT_OR_RIOT = """
game = "abyss"
ruleset = "2021"
players = 1
chance.open = []

[state]
phase = "event"
round = 7

[[state.seats]]
event = "riot"
hand = ["treatment"]

[state.seats.plan]
location = "city"
"""
NO_DAY = frozenset({"new_day"})


def rollouts(board: Board, goal: Goal, **more: Any) -> Rollouts:
    return Rollouts(board.game, board.state, goal_aim(board.game, goal), **more)


@pytest.fixture
def duel() -> Board:
    mine = seat(pos=50, hand="move mush lunch", deck="rest breakfast a_hat move", dogs="wheel_dog")
    yours = seat(pos=47, hand="move lunch", deck="mush armour breakfast", dogs="wheel_dog")
    return Board("2019-02", mine, yours, known=(), weather="storm")


@pytest.mark.parametrize("way", ["greedy", "random", None])
def test_two_tables_that_look_alike_are_played_alike(duel: Board, way: str | None) -> None:
    goal = Goal(Objective.MAX_DISTANCE, 161, 3)
    generator = SplitMix64(4)
    other = next(
        table
        for table in (duel.game.sample_world(State(duel.state.table), 0, generator).table for _ in range(50))
        if table != duel.state.table
    )
    played = []
    for table in (duel.game.covered(each, 0) for each in (duel.state.table, other)):
        policy = None if way is None else POLICIES[way](duel.game)
        playouts = Rollouts(duel.game, State(table), goal_aim(duel.game, goal), policy, seed=3)
        grown = [playouts.grow((), number) for number in range(40)]
        played.append((grown, [playouts.play((), number) for number in range(20)]))
    assert played[0] == played[1], "unknown cards of the other hand cannot matter"


def test_cards_that_another_hand_names_stay_there(duel: Board) -> None:
    deals = Deals(duel.game, duel.state, 0)
    hands = [deals.deal((), SplitMix64(number))[0].players[1].hand for number in range(9)]
    assert set(hands) == {duel.state.table.players[1].hand}


def test_the_greedy_player_does_not_look_into_other_hands(duel: Board) -> None:
    generator = SplitMix64(8)
    tables = [duel.game.sample_world(State(duel.state.table), 0, generator).table for _ in range(12)]
    policy = GreedyPolicy(duel.game)
    chosen = set()
    for table in tables:
        script = Playing((), Draws(1), lambda _, __, answers: answers[0])
        answers: Sequence[Step] = duel.game.legal_moves(State(table))
        chosen.add(policy(table, script, 0, answers, SplitMix64(2)).text)
    assert len(set(tables)) > 1
    assert len(chosen) == 1


def test_on_a_small_board_values_are_no_better_than_exact_and_rank_the_moves() -> None:
    hand, deck = "move mush lunch armour", "rest breakfast lunch a_hat move"
    board = Board("2019-02", seat(pos=50, hand=hand, deck=deck, dogs="wheel_dog"), known=(), weather="storm")
    goal = Goal(Objective.REACH, 62, 3, NO_DAY)
    playouts = rollouts(board, goal, alone=True)
    exact = {each.move: each.value or Fraction(0) for each in solve_hidden(board.position, goal).moves}
    means = {}
    for move, value in exact.items():
        begun = board.game.begun(board.state, move)
        means[move] = sum((playouts.play(begun, number) for number in range(200)), Fraction(0)) / 200
        assert means[move] < value + Fraction(8, 100)
    assert exact[max(means, key=means.__getitem__)] == max(exact.values())


def test_what_the_goal_forbids_is_never_played() -> None:
    board = Board("2019-02", seat(pos=50, deck="rest lunch", dogs="wheel_dog"), known=())
    goal = Goal(Objective.REACH, 51, 2, NO_DAY)
    assert rollouts(board, goal).grow((), 0) == 0, "nothing but a new day is open"
    assert rollouts(board, Goal(Objective.REACH, 51, 2)).grow((), 0) == 1


def test_secret_plans_are_taken_back_and_made_anew() -> None:
    position = new_position("abyss/2021", 3, 5, ())
    game, state = position.start()
    assert isinstance(game, Race)
    generator = SplitMix64(1)
    table = state.table
    while table.phase != "choose" or table.seat != 2:
        table = game.sample_turn(table, generator).table
    start = State(table)
    goal = Goal(Objective.MAX_DISTANCE, game.profile.target, 3, seat=2)
    for policy in (None, POLICIES["greedy"](game)):
        playouts = Rollouts(game, start, goal_aim(game, goal), policy, seed=2)
        for move in game.legal_moves(start)[:3]:
            assert playouts.grow(game.begun(start, move), 1) >= 0


def test_tables_agree_only_where_the_steps_and_the_answers_are_open(duel: Board) -> None:
    moves = duel.game.legal_moves(duel.state)
    move = next(move for move in moves if move.text.startswith("play mush"))
    begun = duel.game.begun(duel.state, move)
    table = duel.state.table
    assert agreeing(duel.game, duel.state, 0, moves) == ()
    assert agreeing(duel.game, duel.state, 1, moves) is None
    assert agreeing(duel.game, duel.state, 0, moves[1:]) is None
    assert agreeing(duel.game, duel.state, 0, moves[1:], some=True) == ()
    without = table._replace(players=(table.players[0]._replace(hand=("lunch", "move")), table.players[1]))
    assert agreeing(duel.game, State(without, begun), 0, (), some=True) is None
    assert agreeing(duel.game, State(without), 0, moves) is None


@pytest.mark.parametrize("policy", [None, "greedy"])
def test_what_lies_face_down_may_force_other_steps_than_those_of_the_table(policy: str | None) -> None:
    """With Riot face down nothing happens before the only move; a Theft in its place takes the only card first."""
    position = read_position(read_text(THEFT_OR_RIOT))
    game, start = position.start()
    assert isinstance(game, ImperfectInformation)
    (move,) = game.legal_moves(start)
    dealt = [game.sample_world(State(start.table), 0, SplitMix64(seed)) for seed in range(40)]
    steps = {agreeing(game, each, 0, (move,)) for each in dealt}
    assert len(steps - {None}) > 1
    goal = Goal(Objective.MAX_DISTANCE, game.profile.target, 3)
    way = None if policy is None else POLICIES[policy](game)
    playouts = Rollouts(game, start, goal_aim(game, goal), way, seed=2)
    values = [playouts.grow(game.begun(start, move), number) for number in range(40)]
    assert max(values) > min(values)
