"""Whole screens of a question that counts rounds, where a turn is only a part of one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from puzzles.loader import load_puzzle
from rules.core.race import Race
from solver.answer import explain_line
from solver.render import Style, draw
from solver.screens.plan import solve_rows
from solver.solve import solve


@pytest.mark.parametrize(
    ("name", "puzzle", "style"),
    [
        ("rounds-solved", "jackpot", Style()),
        ("rounds-solved-ascii", "jackpot", Style(ascii=True)),
        ("rounds-impossible", "not-by-thursday", Style()),
    ],
)
def test_an_answer_in_rounds(golden: Callable[[str, str], None], name: str, puzzle: str, style: Style) -> None:
    asked = load_puzzle(puzzle)
    game, start = asked.position.start()
    assert isinstance(game, Race)
    report = solve(asked.position, asked.goal)
    told = explain_line(game, start, report.line)
    screen = draw(solve_rows(asked.title, asked.position, asked.goal, report, told, timed=False), style)
    assert [text.split()[0] for text in screen.splitlines() if len(text) > 80] == ["code"]
    golden(name, screen)
