"""Records judged step by step, against a plain reading of the rules."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from puzzles.goal import Goal, Objective
from solver.report import Limit
from solver.review import review
from solver.search.expectimax import Expectimax
from tests.rules.iditacards.boards import Board, seat
from tests.solver.search.step_by_step import read

DAY = frozenset({"new_day"})
LOST = ["play armour pay mush", "deck rest", "deck lunch", "deck breakfast"]
"""The goal is given up at once."""


def hidden() -> Board:
    player = seat(pos=50, hand="mush lunch armour", deck="rest breakfast lunch a_hat", dogs="wheel_dog")
    return Board("2019-02", player, known=(), weather="storm")


def test_values_in_the_middle_of_a_draw_are_those_of_a_plain_reading() -> None:
    player = seat(pos=50, hand="armour breakfast rest lunch", deck="dinner first_aid move a_hat", dogs="wheel_dog")
    board = Board("2019-02", player, known=(), weather="sun")
    goal = Goal(Objective.MAX_DISTANCE, 161, 2, DAY)
    record = ["play lunch pay armour breakfast", "deck dinner", "deck a_hat", "deck move", "play move"]
    found = review(board.position, goal, record)
    state, left, change = board.state, 2, []
    for judged, text in zip(found.steps, record, strict=True):
        assert judged.before == read(board.game, state, goal, left)
        state = board.game.apply(state, board.game.parse_step(state, text)).state
        left -= not state.pending
        assert judged.after == read(board.game, state, goal, left)
        change.append(judged.change or 0)
    assert found.steps[0].before is not None
    assert found.luck - found.lost == (found.steps[-1].after or 0) - found.steps[0].before
    assert (found.unknown, found.impossible_after) == (0, None)
    assert any(change)


def test_steps_after_the_goal_is_lost_are_known_to_be_in_vain() -> None:
    found = review(hidden().position, Goal(Objective.MIN_TURNS, 62, 3, DAY), LOST)
    assert [step.known for step in found.steps] == [True] * len(LOST)
    assert found.unknown == 0


def test_whoever_stops_a_review_keeps_what_was_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    board, goal = hidden(), Goal(Objective.REACH, 62, 3, DAY)
    whole = review(board.position, goal, LOST)
    real: Callable[..., object] = Expectimax.turn
    asked = 0

    def turn(self: Expectimax, *words: object) -> object:
        nonlocal asked
        asked += len(words) > 1  # the middle of a turn of the record
        if asked == 2:
            raise KeyboardInterrupt
        return real(self, *words)

    monkeypatch.setattr(Expectimax, "turn", turn)
    found = review(board.position, goal, LOST, Limit())
    assert found.interrupted
    assert found.steps[0] == whole.steps[0]
    assert [step.known for step in found.steps] == [True, False, False, False]
    assert found.unknown == 3
