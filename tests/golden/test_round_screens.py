"""Whole screens of a question that counts rounds, where a turn is only a part of one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from puzzles.puzzle import load_puzzle
from rules.core.race import Race
from solver.engines.answers import solve
from solver.lines import explain_line
from solver.question import Question
from solver.render import Style, draw
from solver.screens.answer import Answered


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
    screen = draw(
        Answered(
            "solve",
            Question(asked.position, asked.goal),
            replace(report, turns=tuple(told)),
            asked.title,
            timed=False,
        ).rows(),
        style,
    )
    assert [text.split()[0] for text in screen.splitlines() if len(text) > 80] == ["code"]
    golden(name, screen)
