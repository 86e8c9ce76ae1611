"""Who reaches the finish and goes back in the same turn has finished all the same: the race is over (R47, R69)."""

from __future__ import annotations

from typing import Any

import pytest

from puzzles.goal import Goal, Objective
from rules.core.ventures import OutOfReach
from solver.hidden_question import HiddenQuestion
from solver.question import Question
from solver.report import Limit
from solver.search.beliefs import BeliefSearch
from solver.search.expectimax import Expectimax
from solver.search.layers import Watch
from tests.rules.iditacards.boards import Board, seat

DAY = frozenset({"new_day"})
FINISH = 161
REACHED = Goal(Objective.REACH, FINISH, 2, DAY)
FAR = Goal(Objective.MAX_DISTANCE, 0, 2, DAY)
NEAR: dict[str, Any] = {
    "pos": 155,
    "hypothermia": 2,
    "starvation": 1,
    "hand": "haste move",
    "deck": "slow_and_steady",
    "dogs": "moose",
    "stack": "mush:1:0",
    "legendary": "",
}


def near(known: tuple[str, ...] = ()) -> Board:
    """Return a table of an edition in which two conditions take a player back at the end of a turn."""
    options = {"damage_in_effect": "ends_turn"} if known else {}
    return Board("2019-08", seat(**NEAR), known=known, options=options, upgrade=["", ""])


def test_the_race_is_over() -> None:
    board = near(("deck",)).play("continue")
    assert board.me.finished
    assert board.me.pos < FINISH
    assert board.table.over


@pytest.mark.parametrize(("other", "winners"), [("", ()), ("bear bear", (1,))])
def test_rule_69_who_went_back_wins_nothing(other: str, winners: tuple[int, ...]) -> None:
    board = Board("2019-08", seat(**NEAR), seat(pos=160, hand="move", dogs=other), upgrade=["", ""])
    board.play("continue; play move")
    assert board.table.over
    assert board.me.finished
    outcome = board.game.outcome(board.table)
    assert outcome is not None
    assert (outcome.winners, outcome.rule) == (winners, "R69")


@pytest.mark.parametrize(("goal", "worth"), [(REACHED, 0), (FAR, 160)])
def test_hidden_decks_are_told_by_the_rules_there(goal: Goal, worth: int) -> None:
    board = near()
    form = board.game.belief_turns(board.table, 0, DAY, goal.target or None, 2)
    assert form is not None
    for packed in (True, False):
        search = BeliefSearch(form, goal, Watch(Limit()), packed=packed)
        with pytest.raises(OutOfReach):
            search.value(form.project(board.table, 2), 2)
    assert Expectimax(board.game, goal, Watch(Limit())).value(board.table, 2) == worth
    assert (HiddenQuestion(board.game, board.state, goal, Limit()).answer().value or 0) == worth


@pytest.mark.parametrize(("goal", "worth"), [(REACHED, 0), (FAR, 160)])
def test_open_decks_have_the_same_worth(goal: Goal, worth: int) -> None:
    board = near(("deck",))
    assert Question(board.game, board.state, goal, Limit()).answer().value == worth
