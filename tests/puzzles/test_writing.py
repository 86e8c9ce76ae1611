"""Puzzles written as files read back as the same puzzles."""

from __future__ import annotations

import pytest

from puzzles.puzzle import Puzzle, library, load_puzzle, puzzle_tables, read_puzzle
from rules.core.files import read_text
from rules.core.tools.output import toml_text


def written(puzzle: Puzzle) -> str:
    return toml_text(puzzle_tables(puzzle))


@pytest.mark.parametrize("name", list(library()))
def test_every_puzzle_of_the_library_is_written_and_read_back(name: str) -> None:
    puzzle = load_puzzle(name)
    text = written(puzzle)
    again = read_puzzle(read_text(text))
    assert again.position.text() == puzzle.position.text()
    assert again.position.fingerprint == puzzle.position.fingerprint
    assert (again.goal, again.solution, again.themes) == (puzzle.goal, puzzle.solution, puzzle.themes)
    assert (again.title, again.summary, again.difficulty) == (puzzle.title, puzzle.summary, puzzle.difficulty)
    assert written(again) == text


def test_what_goes_without_saying_is_left_out() -> None:
    text = written(load_puzzle("knife"))
    goal = text.partition("[goal]\n")[2].partition("\n\n")[0].splitlines()
    assert goal == ['objective = "max_distance"', "within_turns = 4", "new_day = false"]
    assert "new_day" not in written(load_puzzle("odd-is-free"))
