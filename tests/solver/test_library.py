"""Every challenge of the library: its stated solution, proved again and seen a second time by an independent engine."""

from __future__ import annotations

from collections import Counter

import pytest

from puzzles.goal import Objective
from puzzles.loader import IMPOSSIBLE, Puzzle, library, load_puzzle
from rules.core.race import Race
from solver.model.agree import second_opinion
from solver.report import Limit, Status
from solver.solve import solve
from solver.verify import verify_puzzle

PUZZLES = {name: load_puzzle(name) for name in library()}
SOLVED = [name for name, puzzle in PUZZLES.items() if puzzle.solution is not None]
SHORT = 6
"""Turns up to which both engines have to agree."""


def turns(puzzle: Puzzle) -> int:
    """Return how many turns a challenge goes over."""
    if puzzle.goal.objective is not Objective.MIN_TURNS:
        assert puzzle.goal.within_turns is not None
        return puzzle.goal.within_turns
    assert puzzle.solution is not None
    stated = puzzle.solution.value
    if stated == IMPOSSIBLE:
        return puzzle.goal.within_turns or 0
    return len(puzzle.solution.line) if puzzle.solution.line else int(stated)


def test_the_library_is_worth_opening() -> None:
    games = Counter(puzzle.position.ruleset.game for puzzle in PUZZLES.values())
    assert games["iditacards"] >= 16
    assert min(games.values()) >= 12
    themes = {theme for puzzle in PUZZLES.values() for theme in puzzle.themes}
    assert {"sprint", "stack", "payment", "weather", "legs", "checkpoint", "impossible", "full race"} <= themes
    assert {puzzle.goal.target for puzzle in PUZZLES.values() if "sprint" in puzzle.themes} >= {10, 20, 30, 40}
    assert len(SOLVED) >= 16
    assert {name for name in PUZZLES if name not in SOLVED} <= {"the-long-trail"}


@pytest.mark.parametrize("name", list(PUZZLES))
def test_a_puzzle_says_what_it_is(name: str) -> None:
    puzzle = PUZZLES[name]
    assert puzzle.id == name
    assert puzzle.title
    assert puzzle.summary
    assert puzzle.themes
    assert puzzle.difficulty is not None


@pytest.mark.parametrize("name", SOLVED)
def test_the_stated_solution_is_proved_again(name: str) -> None:
    verdict = verify_puzzle(PUZZLES[name])
    assert verdict.ok, verdict.reason


def modelled(puzzle: Puzzle) -> bool:
    """Return whether the second engine knows the game: it needs hands taken apart by the game's own probe."""
    game = puzzle.position.game
    assert isinstance(game, Race)
    return game.hand_probe(puzzle.position.table(), puzzle.goal.seat) is not None


@pytest.mark.parametrize("name", [name for name in SOLVED if turns(PUZZLES[name]) <= SHORT and modelled(PUZZLES[name])])
def test_search_and_cp_sat_agree(name: str) -> None:
    puzzle = PUZZLES[name]
    game, table = puzzle.position.game, puzzle.position.table()
    assert isinstance(game, Race)
    opinion = second_opinion(game, table, puzzle.goal)
    report = solve(puzzle.position, puzzle.goal)
    assert (opinion.status, opinion.value) == (report.status, report.value)


def test_the_whole_race_has_an_answer_that_says_what_is_open() -> None:
    puzzle = PUZZLES["the-long-trail"]
    report = solve(puzzle.position, puzzle.goal, Limit(time_s=25))
    assert report.status is Status.FEASIBLE
    assert report.value is not None
    assert report.bound is not None
    assert report.bound <= report.value == len(report.line)
