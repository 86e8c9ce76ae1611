"""Every challenge of the library: its stated solution, proved again and seen a second time by an independent engine."""

from __future__ import annotations

from collections import Counter

import pytest

from puzzles.puzzle import Objective, Puzzle, library, load_puzzle
from solver.engines.answers import solve
from solver.proofs import CHECKED_BY, cross_check
from solver.question import Status
from solver.search.budget import Budget, WorkClock
from solver.tools.puzzle import verify_puzzle

PUZZLES = {name: load_puzzle(name) for name in library()}
SOLVED = [name for name, puzzle in PUZZLES.items() if puzzle.solution is not None]
SHORT = 6
"""Turns up to which search and rules have to agree."""
MANY = {"last-orders", "too-far"}
"""Puzzles with more ways through a turn than a test has time for."""
HARD = {
    *("last-orders", "three-hands", "bandages", "all-together", "send-the-ace", "under-fire", "hard-cash", "gridlock"),
    *("spin-doctor", "small-crew", "torchlight", "changing-of-the-guard", "front-row", "flood-and-quake", "new-cards"),
    *("full-contract", "deep-water"),
}
"""Puzzles that take more than a second or two."""


def turns(puzzle: Puzzle) -> int:
    """Return how many turns a challenge goes over."""
    assert puzzle.solution is not None
    if puzzle.goal.objective is Objective.MIN_TURNS and isinstance(puzzle.solution.value, int):
        return puzzle.solution.value
    assert puzzle.goal.within_turns is not None
    return puzzle.goal.within_turns


def marked(names: list[str]) -> list[object]:
    """Return puzzles as parameters of a test, the hard ones marked as slow."""
    return [pytest.param(name, marks=[pytest.mark.slow] if name in HARD else []) for name in names]


def of_game(game: str) -> list[Puzzle]:
    return [puzzle for puzzle in PUZZLES.values() if puzzle.position.ruleset.game == game]


def test_the_library_is_worth_opening() -> None:
    games = Counter(puzzle.position.ruleset.game for puzzle in PUZZLES.values())
    assert games["iditacards"] >= 16
    assert min(games.values()) >= 12
    themes = {theme for puzzle in PUZZLES.values() for theme in puzzle.themes}
    assert {"sprint", "stack", "payment", "weather", "legs", "checkpoint", "impossible", "full race"} <= themes
    assert {puzzle.goal.target for puzzle in PUZZLES.values() if "sprint" in puzzle.themes} >= {10, 20, 30, 40}
    assert len(SOLVED) >= 16
    assert {name for name in PUZZLES if name not in SOLVED} <= {"the-long-trail"}


def test_there_is_something_for_who_plays_trench_rescue() -> None:
    puzzles = of_game("trench_rescue")
    assert len(puzzles) >= 12
    assert {puzzle.goal.challenge for puzzle in puzzles} == {f"TR-S{number}" for number in range(1, 6)}
    themes = {theme for puzzle in puzzles for theme in puzzle.themes}
    assert {"zero risk", "shells", "stack", "gain", "deck", "relay", "impossible"} <= themes
    assert all(puzzle.solution is not None for puzzle in puzzles)


def test_there_is_something_for_who_plays_abyss() -> None:
    puzzles = of_game("abyss")
    assert len(puzzles) >= 12
    assert {puzzle.goal.challenge for puzzle in puzzles} >= {"AB-S1", "AB-S2", "AB-S3"}
    themes = {theme for puzzle in puzzles for theme in puzzle.themes}
    assert {"rush", "courier", "temps", "explore", "treatment", "money", "fame", "impossible"} <= themes
    assert all(puzzle.solution is not None for puzzle in puzzles)


@pytest.mark.parametrize("name", list(PUZZLES))
def test_a_puzzle_says_what_it_is(name: str) -> None:
    puzzle = PUZZLES[name]
    assert puzzle.id == name
    assert puzzle.title
    assert puzzle.summary
    assert puzzle.themes
    assert puzzle.difficulty is not None


@pytest.mark.parametrize("name", marked(SOLVED))
def test_the_stated_solution_is_proved_again(name: str) -> None:
    verdict = verify_puzzle(PUZZLES[name])
    assert verdict.ok, verdict.reason


@pytest.mark.parametrize(
    "name", marked([name for name in SOLVED if turns(PUZZLES[name]) <= SHORT and name not in MANY])
)
def test_search_and_rules_agree(name: str) -> None:
    puzzle = PUZZLES[name]
    report = solve(puzzle.position, puzzle.goal)
    assert CHECKED_BY in cross_check(puzzle.position, puzzle.goal, report, 600).proof.checked_by


@pytest.mark.slow
def test_the_whole_race_has_an_answer_that_says_what_is_open() -> None:
    puzzle = PUZZLES["the-long-trail"]
    limit = Budget(4, clock=WorkClock())  # counted, so that any machine gets as far
    report = solve(puzzle.position, puzzle.goal, limit)
    assert report.status is Status.FEASIBLE
    assert report.value is not None
    assert report.bound is not None
    assert report.bound <= report.value == len(report.line)
