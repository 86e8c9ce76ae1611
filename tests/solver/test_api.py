"""The Python door, as its page shows it."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from puzzles.puzzle import load_puzzle
from rules.core.errors import BestlineError
from rules.core.position import new_position
from solver.api import best, load, solve

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


def test_the_page_is_right() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert (found.failed, found.attempted > 5) == (0, True)


def test_a_notebook_shows_the_screen(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(load_puzzle("sprint-10").position.to_toml(), "utf-8")
    reply = solve(load(path), target=5)
    assert reply._repr_html_().startswith("<pre>Be at space 5 or beyond in the fewest turns")
    assert reply.data["value"] == reply.answer.value


def test_several_players_ask_who_wins_and_faults_are_named() -> None:
    reply = best(new_position("trench_rescue/2012", 2, 1), time_s=0.5)
    assert reply.answer.contest is not None
    with pytest.raises(BestlineError, match="sprint-99"):
        load("sprint-99")
