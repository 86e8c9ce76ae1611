"""Goals of one of several players that this turn settles: exact, whoever plays afterwards and however."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from puzzles.puzzle import Goal, Objective
from rules.core.position import Position, new_position
from rules.core.race import Race
from rules.core.ruleset import load_ruleset
from rules.core.scripts import CHANCE, OVER, Chance
from rules.core.turns import State
from solver.engines.hidden import best_hidden
from solver.question import IDLE, Question, Status
from solver.search.budget import Budget
from solver.search.rollout import Draws


def worth(game: Race[Any], state: State[Any], goal: Goal) -> Fraction:
    """Return what the rest of a turn is worth, step by step, from the rules alone."""
    if not state.pending:
        progress = game.progress(state.table, goal.seat)
        return Fraction(progress if goal.objective is Objective.MAX_DISTANCE else progress >= goal.target)
    return value(game, state, goal)


def value(game: Race[Any], state: State[Any], goal: Goal) -> Fraction:
    if game.to_act(state) == CHANCE:
        outcomes = game.chance_outcomes(state)
        return sum(
            (each.probability * worth(game, game.apply(state, each).state, goal) for each in outcomes), Fraction()
        )
    assert game.to_act(state) == goal.seat
    return max(worth(game, game.apply(state, each).state, goal) for each in game.legal_moves(state))


def played_on(position: Position, turns: int, seed: int) -> Position:
    """Return the position after some turns in which chance and players take what the draws say."""
    game, state = position.start()
    draws, played = Draws(seed), 0
    while played < turns and game.to_act(state) != OVER:
        if game.to_act(state) == CHANCE:
            step: Any = draws.draw(game.chance_outcomes(state))
        else:
            moves = game.legal_moves(state)
            step = moves[(seed * 7 + len(state.pending)) % len(moves)]
        state = game.apply(state, step).state
        played += not state.pending
    return position.with_table(state.table)


def hidden_but(position: Position, *known: str) -> Position:
    return replace(position, chance=Chance(frozenset(known)))


def few_cards(position: Position) -> Position:
    """Return the position with three cards in every hand and two in every deck."""
    table: Any = position.table()
    players = tuple(each._replace(hand=each.hand[:3], deck=each.deck[:2]) for each in table.players)
    return position.with_table(table._replace(players=players, upgrade=tuple(deck[:1] for deck in table.upgrade)))


@pytest.mark.parametrize("seed", range(8))
def test_this_turn_is_worth_what_the_rules_say(seed: int) -> None:
    dealt = new_position("trench_rescue/2012", players=2, seed=seed, open_sources=["cards"])
    position = played_on(dealt, seed, seed)
    game, start = position.start()
    assert isinstance(game, Race)
    seat = game.to_act(start)
    now = game.progress(start.table, seat)
    for goal in (Goal(Objective.MAX_DISTANCE, 0, 1, seat=seat), Goal(Objective.REACH, now + 1, 1, seat=seat)):
        report = best_hidden(Question(position, goal, Budget()))
        values = {move: worth(game, game.apply(start, move).state, goal) for move in game.legal_moves(start)}
        assert (report.value or 0) == max(values.values())
        if report.status is Status.OPTIMAL:
            assert report.others == IDLE
            assert {each.move: each.value for each in report.moves} == values
        else:
            assert report.status is Status.INFEASIBLE


def test_what_the_others_may_do_or_hide_is_not_left_out() -> None:
    two = few_cards(new_position("iditacards/2019-02", players=2, seed=1, open_sources=[]))
    goal = Goal(Objective.MAX_DISTANCE, 0, 1, frozenset({"new_day"}))
    assert best_hidden(Question(two, goal, playouts=60)).verdict  # the other hand is not seen
    seen = best_hidden(Question(hidden_but(two, "opponents"), goal))
    assert (seen.status, seen.others) == (Status.OPTIMAL, IDLE)
    later = Goal(Objective.MAX_DISTANCE, 0, 2)
    assert best_hidden(Question(hidden_but(two, "opponents"), later, playouts=60)).verdict
    # Red looks at what black, through whose eyes it is written, does not see.
    red = new_position("trench_rescue/2012", players=2, seed=3, open_sources=[])
    game, start = red.start()
    seat = game.to_act(start)
    other = replace(red, state={**red.state, "view": ("black", "red")[1 - seat]})
    assert best_hidden(Question(red, Goal(Objective.MAX_DISTANCE, 0, 1, seat=seat))).others == IDLE
    assert best_hidden(Question(other, Goal(Objective.MAX_DISTANCE, 0, 1, seat=seat), playouts=60)).verdict


def test_no_bound_is_told_that_the_others_may_break() -> None:
    two = new_position("trench_rescue/2012", players=2, seed=3, open_sources=[])
    seat = two.game.to_act(two.start()[1])
    report = best_hidden(Question(two, Goal(Objective.MIN_TURNS, 19, 3, seat=seat), playouts=60))
    assert report.verdict
    assert report.bound is None


def test_a_turn_of_another_one_is_not_the_turn_that_is_asked_about() -> None:
    dealt = few_cards(new_position("iditacards/2019-02", players=2, seed=1))
    game, start = dealt.start()
    state = game.apply(start, game.parse_step(start, "new_day")).state
    seat = game.to_act(state)  # asked whether to join in the new day of the other one
    assert (game.to_act(start), seat) == (0, 1)
    goal = Goal(Objective.REACH, 2, 1, seat=seat)
    assert best_hidden(Question(dealt.after(state), goal, playouts=60)).verdict


@pytest.mark.parametrize("turns", [None, 2])
def test_a_goal_that_is_reached_takes_no_turn_whatever_is_hidden(turns: int | None) -> None:
    position = new_position(load_ruleset("iditacards/2019-02"), 2, 3, ())
    game, start = played_on(position, 4, 1).start()
    goal = Goal(Objective.MIN_TURNS, game.progress(start.table, 0), turns)
    answer = best_hidden(Question(position.after(start), goal, Budget(1)))
    assert answer.status is Status.OPTIMAL
    assert answer.value == 0
