"""Lines for people: no move in them that the answer does not need."""

from __future__ import annotations

from typing import Any

import pytest

from puzzles.puzzle import Goal, Objective, load_puzzle
from rules.core.errors import BestlineError, DisagreementError
from rules.core.position import new_position
from rules.core.race import Race
from rules.core.scripts import Step
from rules.core.turns import State
from rules.iditacards.engine import Iditacards
from solver.engines import open_search
from solver.engines.answers import searchable, solve
from solver.engines.open_search import TIDY_STATES, OpenSearch
from solver.lines import in_order, ordered_ends, read_line, replayed_value, taken, trimmed
from solver.question import Status, TurnLine
from solver.search.budget import Budget, BudgetExceeded, WorkClock
from solver.search.iterative_deepening import IterativeDeepening


def played(game: Race[object], state: State[object], *turns: str) -> tuple[TurnLine, ...]:
    line = []
    for turn in turns:
        steps: list[Step] = []
        for text in turn.split("; "):
            steps.append(game.parse_step(state, text))
            state = game.apply(state, steps[-1]).state
        line.append(TurnLine(tuple(steps)))
    return tuple(line)


def texts(line: tuple[TurnLine, ...]) -> list[str]:
    return ["; ".join(step.text for step in turn.steps) for turn in line]


def test_moves_that_nothing_needs_are_left_out_with_those_they_lead_to() -> None:
    game, start = load_puzzle("front-row").position.start()
    assert isinstance(game, Race)
    line = played(game, start, "enter AC x1; enter KC x4; end", "go KC home; go AC home take; end")

    def rescues(other: tuple[TurnLine, ...]) -> bool:
        return any("take" in text for text in texts(other)) and len(other) == 2

    assert texts(trimmed(game, start, line, rescues)) == ["enter AC x1; end", "go AC home take; end"]


def test_a_line_that_needs_every_move_stays_as_it_is() -> None:
    game, start = load_puzzle("front-row").position.start()
    assert isinstance(game, Race)
    line = played(game, start, "enter AC x1; end", "go AC home take; end")
    assert trimmed(game, start, line, lambda other: "home take" in texts(other)[-1]) == line


def test_a_line_that_ends_earlier_in_the_last_round_has_its_own_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """A beam may end a turn later in a round than the best line does, which counts as much, and is looked for last."""
    puzzle = load_puzzle("good-name")
    game, start = puzzle.position.start()
    assert isinstance(game, Race)
    beam = IterativeDeepening.beam

    def late(search: IterativeDeepening, *asked: Any, **more: Any) -> Any:
        path = beam(search, *asked, **more)
        return None if path is None else [*path, path[-1]]

    monkeypatch.setattr(IterativeDeepening, "beam", late)
    monkeypatch.setattr(open_search, "TIDIED", (10**6, 10**6))
    report = OpenSearch(game, start, puzzle.goal, Budget()).answer()
    assert report.status is Status.OPTIMAL
    assert report.value == report.bound == len(report.line) == 16


def test_the_rules_play_few_turns_to_write_out_a_line_that_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn that sorts out a whole deck has millions of ways: those that come near its known end are tried first."""
    game, start = new_position("iditacards/2019-02", seed=1).start()
    assert isinstance(game, Race)
    search = OpenSearch(game, start, Goal(Objective.MIN_TURNS, game.profile.target), Budget(), sketches=True)
    plays, play_turn = [0], Iditacards.play_turn

    def counted(*asked: Any) -> Any:
        plays[0] += 1
        return play_turn(*asked)

    monkeypatch.setattr(Iditacards, "play_turn", counted)
    report = search.answer()
    assert report.status is Status.FEASIBLE
    assert len(report.line) == report.value
    assert plays[0] < 20_000


@pytest.mark.parametrize("stop", [BudgetExceeded, KeyboardInterrupt])
def test_a_line_that_there_is_no_time_to_write_is_no_answer(
    monkeypatch: pytest.MonkeyPatch, stop: type[BaseException]
) -> None:
    """Nobody has replayed it; what is excluded stands."""

    def late(*_: object) -> None:
        raise stop

    monkeypatch.setattr(open_search, "real_line", late)
    game, start = new_position("iditacards/2019-02", seed=1).start()
    assert isinstance(game, Race)
    limit = Budget(2, clock=WorkClock())
    report = OpenSearch(game, start, Goal(Objective.MIN_TURNS, game.profile.target), limit, sketches=True).answer()
    assert (report.status, report.value, report.line) == (Status.UNKNOWN, None, ())
    assert report.bound is not None
    assert report.interrupted == (stop is KeyboardInterrupt)


@pytest.mark.parametrize("seed", [5, 29])
def test_lines_of_large_proofs_have_no_move_that_nothing_needs_either(seed: int) -> None:
    position = new_position("iditacards/2019-02", seed=seed)
    goal = Goal(Objective.MIN_TURNS, 20, forbidden=frozenset({"new_day"}))
    report = solve(position, goal)
    assert report.proof.states > TIDY_STATES
    game, start = searchable(position), position.start()[1]

    def is_as_good(line: list[list[str]]) -> bool:
        try:
            return replayed_value(game, start, read_line(game, start, line), goal) == report.value
        except (BestlineError, DisagreementError):
            return False

    line = [[step.text for step in turn.steps] for turn in report.line]
    assert is_as_good(line)
    for place, turn in enumerate(line):
        for number in range(len(turn)):
            shorter = [*turn[:number], *turn[number + 1 :]]
            assert not is_as_good([*line[:place], shorter, *line[place + 1 :]])


def test_ways_in_order_ask_no_further_than_they_go(monkeypatch: pytest.MonkeyPatch) -> None:
    game, start = new_position("iditacards/2019-02", 1, 3).start()
    every = list(ordered_ends(game, start.table, (), 10_000))
    assert every == sorted(every, key=lambda end: in_order(taken(end.steps)))
    asked: list[Any] = []
    end_of = type(game).end_of

    def noting(self: Any, table: Any, script: Any) -> Any:
        asked.append(script)
        return end_of(self, table, script)

    monkeypatch.setattr(type(game), "end_of", noting)
    assert next(ordered_ends(game, start.table, (), 10_000)) == every[0]
    assert len(asked) < len(every) / 2
