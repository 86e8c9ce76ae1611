"""Other moves where a line is known and not proved: what is told of them lies around what is true."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from puzzles.puzzle import Goal, Objective, load_puzzle
from rules.core.challenge import Clock
from rules.core.race import Race
from solver.engines import answers, open_search
from solver.engines.answers import best_moves, solve, what_is_left
from solver.engines.open_search import OpenSearch
from solver.lines import replayed_value
from solver.question import Answer, Question, Status, open_moves
from solver.render import Style, draw
from solver.screens.answer import Answered
from solver.search.budget import Budget

PUZZLES = ("sprint-20", "rope-bridge", "bear-with-it", "knife", "risk-in-risk", "pay-the-price", "the-courier")


class Hasty(OpenSearch):
    """A question that is answered by a glance."""

    def __init__(self, *asked: Any, **given: Any) -> None:
        super().__init__(*asked, **{**given, "sketches": True})


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "GRACE_S", 60.0)


def glanced(name: str, monkeypatch: pytest.MonkeyPatch) -> Answer[int]:
    puzzle = load_puzzle(name)
    with monkeypatch.context() as hasty:
        hasty.setattr(answers, "OpenSearch", Hasty)
        hasty.setattr(open_search, "SMALL", 32)
        hasty.setattr(answers, "in_rounds", lambda *_: (None, None))
        return best_moves(Question(puzzle.position, puzzle.goal))


@pytest.mark.slow
@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("name", PUZZLES)
def test_what_is_found_of_every_move_lies_around_its_exact_value(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = load_puzzle(name)
    game, start = puzzle.position.start()
    assert isinstance(game, Race)
    sign = -1 if puzzle.goal.objective is Objective.MAX_DISTANCE else 1
    told: Any = puzzle.goal.in_rounds  # turns of the same round count as one
    exact = best_moves(Question(puzzle.position, puzzle.goal))
    truth = {each.move: each for each in exact.moves}
    found = glanced(name, monkeypatch)
    if found.status is Status.OPTIMAL:  # a sketched line met the bound
        assert (found.value, found.bound) == (exact.value, exact.value)
        assert {each.move for each in found.moves if each.loss == 0} <= {
            each.move for each in exact.moves if each.loss == 0
        }
        return
    assert found.status is Status.FEASIBLE
    assert {each.move for each in found.moves} == set(open_moves(puzzle.position, puzzle.goal))
    assert found.value == found.moves[0].value
    assert found.line == found.moves[0].line
    for each in found.moves:
        known: Any = truth[each.move]
        if each.value is not None:
            assert replayed_value(game, start, each.line, puzzle.goal) == each.value
            assert each.line[0].steps[0] == each.move
            worth = known.value if known.value is not None else known.bound
            assert sign * told(each.value) >= sign * told(worth)
        if each.bound is not None and known.value is not None:
            assert sign * told(each.bound) <= sign * told(known.value)
        if each.status is Status.INFEASIBLE:
            assert known.status is Status.INFEASIBLE


@pytest.mark.usefixtures("patient")
def test_what_is_not_proved_is_told_as_found(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = load_puzzle("knife")
    found = glanced("knife", monkeypatch)
    assert found.status is Status.FEASIBLE
    shown = Answered("best", Question(puzzle.position, puzzle.goal), found, top=99, timed=False).rows()
    out = draw(shown, Style(width=120))
    assert out.count(" found  space ") + out.count(" found\n") == found.considered
    assert out.count(" nothing found  ") + out.count("loses the goal") == len(found.moves) - found.considered
    assert f"{found.considered} of {len(found.moves)} moves followed that far, none proved" in out


def test_moves_that_leave_no_way_to_play_on_lose_the_goal() -> None:
    puzzle = load_puzzle("tailwind")
    found = best_moves(Question(puzzle.position, puzzle.goal))
    lost = [each for each in found.moves if each.status is Status.INFEASIBLE]
    assert lost
    assert {each.bound for each in lost} == {None}


@pytest.mark.parametrize("taken", range(5))
def test_turns_that_are_left_end_in_the_same_rounds(taken: int) -> None:
    clock = Clock("half-turn", 4, 1)
    goal = Goal(Objective.MIN_TURNS, 1, within_turns=11, clock=clock)
    left, report = what_is_left(goal, Answer(Status.OPTIMAL, 9, 9), taken)
    over = (clock.gone + taken) // clock.turns
    assert report.value == 9 - taken
    assert [over + left.counted(turns - taken) for turns in range(5, 12)] == [goal.counted(t) for t in range(5, 12)]


@pytest.mark.parametrize("asks", [solve, lambda position, goal, limit: best_moves(Question(position, goal, limit))])
def test_whole_rounds_and_turns_share_the_time(
    asks: Callable[..., Answer[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    now, left = 0.0, list[float | None]()

    def rounds(*_: object) -> tuple[None, int]:
        nonlocal now
        now += 2.0
        return None, 1

    class Noted(OpenSearch):
        """Notes the time that it is given."""

        def __post_init__(self) -> None:
            left.append(self.limit.time_s)
            super().__post_init__()

    monkeypatch.setattr(answers, "in_rounds", rounds)
    monkeypatch.setattr(answers, "OpenSearch", Noted)
    puzzle = load_puzzle("warm-up")
    asks(puzzle.position, puzzle.goal, Budget(5.0, clock=lambda: now))
    assert left[0] == 3.0
