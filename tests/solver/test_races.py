"""Open questions whose answers are known: races over several days, and turns with which a race ends."""

from __future__ import annotations

from dataclasses import replace

from puzzles.puzzle import Goal, Objective
from rules.core.position import Position, new_position
from rules.core.race import Race
from solver.engines.answers import solve
from solver.engines.open_search import OpenSearch, search_problem
from solver.question import Status
from solver.search.budget import Budget
from tests.rules.iditacards.boards import Board, seat

RACE = "iditacards/starter-race"
TRAIL = "iditacards/starter-trail"
ONE_DAY = frozenset({"new_day"})


def race(seed: int) -> Position:
    return new_position(RACE, seed=seed)


def near_the_end(ruleset: str) -> Position:
    position = new_position(ruleset, seed=3)
    state = dict(position.state)
    state["players"] = [{**state["players"][0], "pos": 138}]
    return replace(position, state=state, pending=())


def test_a_race_is_solved_with_its_proof() -> None:
    report = solve(race(0), Goal(Objective.MIN_TURNS, 45))
    assert report.status is Status.OPTIMAL
    assert report.value == report.bound == len(report.line)
    assert report.proof.excluded_turns == report.value - 1
    assert report.proof.method == "layers"
    assert report.proof.bound_name
    assert report.proof.checked_by == ("replay",)
    assert report.statistics.engine == "encoded"


def test_a_race_over_the_end_of_the_track_is_proved() -> None:
    report = solve(near_the_end(TRAIL), Goal(Objective.MIN_TURNS, 161), Budget(time_s=120))
    assert report.status is Status.OPTIMAL
    assert len(report.line) == report.value


def test_a_race_from_the_middle_of_a_turn() -> None:
    position = race(0)
    game, state = position.start()
    whole = solve(position, Goal(Objective.MIN_TURNS, 30))
    begun = game.apply(state, whole.line[0].steps[0]).state
    rest = solve(position.after(begun), Goal(Objective.MIN_TURNS, 30))
    assert rest.value == (whole.value if begun.pending else (whole.value or 0) - 1)


def test_too_few_turns_are_proved_impossible() -> None:
    best = solve(race(1), Goal(Objective.MIN_TURNS, 40)).value
    assert best is not None
    short = solve(race(1), Goal(Objective.REACH, 40, within_turns=best - 1))
    assert (short.status, short.value) == (Status.INFEASIBLE, 0)
    enough = solve(race(1), Goal(Objective.REACH, 40, within_turns=best))
    assert (enough.status, enough.value) == (Status.OPTIMAL, 1)


def test_a_stopped_race_has_a_line_and_a_bound() -> None:
    """A line of the whole race is there before its proof."""

    def stop(value: int | None, *_: int | None) -> None:
        if value is not None:
            raise KeyboardInterrupt

    report = solve(race(0), Goal(Objective.MIN_TURNS, 161), Budget(), stop)
    assert report.interrupted
    assert report.status is Status.FEASIBLE
    assert report.value is not None
    assert report.bound is not None
    assert report.bound < report.value == len(report.line) < 60


def test_beyond_the_finish_nothing_is_reached() -> None:
    report = solve(near_the_end(RACE), Goal(Objective.REACH, 200, within_turns=3))
    assert report.status is Status.INFEASIBLE


def test_positions_in_memory_are_limited() -> None:
    report = solve(race(0), Goal(Objective.MIN_TURNS, 161), Budget(states=50))
    assert report.status in (Status.UNKNOWN, Status.FEASIBLE)


def test_the_automatic_move_ends_the_game_while_a_risk_waits() -> None:
    player = seat(pos=159, hand="mush lunch armour a_hat", deck="dinner breakfast rest", dogs="wheel_dog")
    board = Board("iditacards/open-track", player, options={"last_turns": "none", "finish_at": 160})
    forbidden = frozenset({"new_day", "play lunch", "play armour", "play a_hat"})
    goal = Goal(Objective.MIN_TURNS, 160, None, forbidden)
    assert isinstance(board.game, Race)
    assert search_problem(board.game, board.state, goal).engine == "encoded"
    report = OpenSearch(board.game, board.state, goal, Budget()).answer()
    assert (report.status, report.value) == (Status.OPTIMAL, 1)


def test_the_race_ends_with_the_turn_while_a_risk_waits() -> None:
    player = seat(
        pos=121, hand="haste", deck="damaged downhill_slide buffer_panel", stack="bear:2:0", passed=[6, 36, 81, 116]
    )
    board = Board("iditacards/light-mush", player, options={"finish_at": 124}, weather="rain")
    report = OpenSearch(board.game, board.state, Goal(Objective.MAX_DISTANCE, 0, 2, ONE_DAY), Budget()).answer()
    assert report.status is Status.OPTIMAL
    assert len(report.line) in (1, 2)
