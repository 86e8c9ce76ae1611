"""New days and the weather they bring are part of exact values and of samples."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from puzzles.goal import Goal, Objective
from rules.core.race import Race
from solver.hidden import solve_hidden
from solver.hidden_question import HiddenQuestion
from solver.report import Limit, Status
from solver.sampled import sampled
from solver.search.aims import GoalAim
from solver.search.every_day import EveryDayStart
from tests.rules.iditacards.boards import Board, seat
from tests.solver.search.step_by_step import read

GOALS = {
    "the chance within N turns": Goal(Objective.REACH, 54, 2),
    "the expected distance": Goal(Objective.MAX_DISTANCE, 161, 2),
    "the expected turns": Goal(Objective.MIN_TURNS, 53, 2),
}


@cache
def board() -> Board:
    """Return a table on which little can be done before the next day."""
    return Board("2019-02", seat(pos=50, hand="rest", deck="", discard="move mush"), known=(), weather="storm")


@pytest.mark.parametrize("kind", GOALS)
def test_a_new_day_counts_in_exact_values(kind: str) -> None:
    goal = GOALS[kind]
    expected = read(board().game, board().state, goal, 2)
    report = solve_hidden(board().position, goal)
    assert report.status is Status.OPTIMAL
    assert report.value == expected
    new_day = next(option for option in report.options if option.move.text == "new_day")
    assert new_day.value is not None, "a new day is compared like every other move"
    faces = {branch.seen[0] for branch in report.plan}
    assert faces == {"cloud", "rain", "snow", "storm", "sun", "wind"}, "the weather it brings is told apart"


def test_days_cut_short_are_gone_on_with_when_bounds_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = "rest move husky breakfast armour dinner mush move"
    player = seat(pos=40, passed=[6, 36], hand="good_dog move lunch mush", deck=cards)
    asked, goal = Board("2019-02", player, known=(), weather="storm"), Goal(Objective.REACH, 50, 2)
    whole = solve_hidden(asked.position, goal)
    tries: list[EveryDayStart] = []
    goes_on = HiddenQuestion._goes_on

    def cut_once(question: HiddenQuestion, start: EveryDayStart, turns: int) -> bool:
        tries.append(start)
        return len(tries) > 1 and goes_on(question, start, turns)

    monkeypatch.setattr(HiddenQuestion, "_goes_on", cut_once)
    found = HiddenQuestion(asked.game, asked.state, goal, Limit(time_s=600), restarts=True).answer()
    first, second = tries
    assert first is second
    assert found.status is whole.status is Status.OPTIMAL
    assert found.value == whole.value


@pytest.mark.parametrize("kind", GOALS)
def test_a_new_day_counts_in_samples(kind: str) -> None:
    goal, game, start = GOALS[kind], board().game, board().state
    assert isinstance(game, Race)
    exact = solve_hidden(board().position, goal)
    assert exact.value is not None
    found = sampled(game, start, GoalAim(game, goal), list(game.legal_moves(start)), None, alone=True, playouts=900)
    best = found.samples[0]
    assert {option.move: option.loss for option in exact.options}[best.move] == 0
    assert abs(best.mean - exact.value) <= Fraction(1, 2)
