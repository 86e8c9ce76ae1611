"""Puzzles written as files read back as the same puzzles."""

from __future__ import annotations

import pytest

from puzzles.puzzle import library, load_puzzle, puzzle_text, read_puzzle
from rules.core.files import read_text


@pytest.mark.parametrize("name", list(library()))
def test_every_puzzle_of_the_library_is_written_and_read_back(name: str) -> None:
    puzzle = load_puzzle(name)
    text = puzzle_text(puzzle)
    again = read_puzzle(read_text(text))
    assert again.position.text() == puzzle.position.text()
    assert again.position.fingerprint == puzzle.position.fingerprint
    assert (again.goal, again.solution, again.themes) == (puzzle.goal, puzzle.solution, puzzle.themes)
    assert (again.title, again.summary, again.difficulty) == (puzzle.title, puzzle.summary, puzzle.difficulty)
    assert puzzle_text(again) == text


def test_what_goes_without_saying_is_left_out() -> None:
    text = puzzle_text(load_puzzle("knife"))
    goal = text.partition("[goal]\n")[2].partition("\n\n")[0].splitlines()
    assert goal == ['objective = "max_distance"', "within_turns = 4", "new_day = false"]
    assert "new_day" not in puzzle_text(load_puzzle("odd-is-free"))
