"""First moves over packed beliefs of which one is not carried by itself, against play by the rules."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from puzzles.goal import Goal, Objective
from rules.core.steps import Step
from rules.core.ventures import OutOfReach
from rules.iditacards.belief import day as belief_day
from rules.iditacards.belief.open import OpenDay
from rules.iditacards.moves import Continue
from solver.report import Limit
from solver.search.belief_start import BeliefStart
from solver.search.beliefs import BeliefSearch
from solver.search.ceilings import belief_form
from solver.search.expectimax import Expectimax
from solver.search.first_turn import PlainStart
from solver.search.layers import Watch
from solver.search.plain import forbidden_step
from tests.rules.iditacards.boards import Board, seat

DAY = frozenset({"new_day"})
BOARDS = 12
CARDS = ("armour", "breakfast", "lunch", "dinner", "move", "mush", "good_dog", "rest", "first_aid", "dog_chow")

LOOKS = ("first_aid", "first_aid", "breakfast", "lunch", "armour", "good_dog", "move")


def board(draw: Random, among: Sequence[str] = CARDS) -> Board:
    """Return a board with a risk card half way."""
    cards = draw.sample(among, 6)
    hand, deck = cards[: (held := draw.randint(0, 2))], cards[held:]
    stack, dogs = draw.choice(["husky:2:0", "mush:1:0", "husky:2:1"]), draw.choice(["wheel_dog", "wheel_dog+a_hat"])
    player = seat(pos=draw.choice([12, 50, 100]), hand=" ".join(hand), deck=" ".join(deck), stack=stack, dogs=dogs)
    return Board("2019-02", player, known=(), weather=draw.choice(["sun", "storm", "cloud"]))


def refuse(self: OpenDay, table: Any, move: Step, turns: int, real: Any = OpenDay.opened) -> Sequence[Any]:
    """Open moves, but for going on: as where too much may come off the deck."""
    if isinstance(move, Continue):
        raise OutOfReach
    found: Sequence[Any] = real(self, table, move, turns)
    return found


@pytest.mark.parametrize("objective", [Objective.REACH, Objective.MAX_DISTANCE])
def test_the_move_that_is_not_carried_has_the_value_of_the_position(
    objective: Objective, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OpenDay, "opened", refuse)
    draw = Random(13)
    told = 0
    for _ in range(BOARDS):
        table = board(draw)
        turns = draw.randint(1, 2)
        goal = Goal(objective, table.state.table.players[0].pos + draw.randint(3, 9), turns, DAY)
        form = belief_form(table.game, table.state.table, goal)
        moves = [move for move in table.game.legal_moves(table.state) if not forbidden_step(move, DAY)]
        if form is None:
            continue
        start = BeliefStart(BeliefSearch(form, goal, Watch(Limit())), form, table.state.table, moves, goal)
        try:
            found = dict(start.moves(turns))
        except OutOfReach:
            continue
        plain = dict(PlainStart(Expectimax(table.game, goal, Watch(Limit())), table.state).moves(turns))
        assert {move: plain[move] for move in found} == found
        best = next((move for move in found if isinstance(move, Continue)), None)
        if best is not None and found[best] is not None:
            (branch,) = start.plan(best, turns)
            assert (branch.probability, branch.value) == (Fraction(1), plain[best])
            told += 1
    assert 6 * told >= BOARDS


@pytest.mark.parametrize("objective", [Objective.REACH, Objective.MAX_DISTANCE])
def test_what_a_last_turn_looks_at_is_not_told_apart(objective: Objective, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(belief_day, "MOST_LOOKS", 0)
    monkeypatch.delattr(BeliefStart, "_of_the_best")  # every move has to be carried by itself
    draw = Random(5)
    told = 0
    for _ in range(BOARDS):
        table = board(draw, LOOKS)
        goal = Goal(objective, table.state.table.players[0].pos + draw.randint(1, 6), 1, DAY)
        form = belief_form(table.game, table.state.table, goal)
        moves = [move for move in table.game.legal_moves(table.state) if not forbidden_step(move, DAY)]
        assert form is not None
        start = BeliefStart(BeliefSearch(form, goal, Watch(Limit())), form, table.state.table, moves, goal)
        found = dict(start.moves(1))
        plain = dict(PlainStart(Expectimax(table.game, goal, Watch(Limit())), table.state).moves(1))
        assert {move: plain[move] for move in found} == found
        told += any(isinstance(move, Continue) and found[move] for move in found)
    assert told >= BOARDS // 2
