"""The Python door: load a position or a puzzle, ask, and read the answer; a notebook shows its screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any, Generic, TypeVar

from puzzles.puzzle import Objective, Puzzle, load_question, question_of, rounds_left
from rules.core.position import Position
from solver.engines.answers import best_move, solve_question
from solver.question import Answer, Question
from solver.render import Row, Style, draw
from solver.screens.answer import Answered
from solver.screens.cards import risk_answer, risk_rows
from solver.search.budget import Budget
from solver.tools.risk import Risks, risks

A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Reply(Generic[A]):
    """An answer, the same as JSON, and its screen, which ``print`` and notebooks show."""

    answer: A
    data: dict[str, Any] = field(repr=False)
    rows: Sequence[Row] = field(repr=False)

    def __str__(self) -> str:
        return draw(self.rows, Style())

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def load(source: str | Path) -> Puzzle | Position:
    """Return the puzzle or position of a file, a position code or a puzzle id; every fault is in the BestlineError."""
    return load_question(str(source))


def solve(what: Puzzle | Position, time_s: float | None = None, **goal: Any) -> Reply[Answer[Any]]:
    """Return the best line or policy; ``goal`` has the keys of a goal table, ``time_s`` the seconds allowed."""
    question = _question(what, goal, time_s)
    return _reply("solve", question, solve_question(question))


def best(what: Puzzle | Position, time_s: float | None = None, **goal: Any) -> Reply[Answer[Any]]:
    """Return every open move with its value, the best first; several players without a goal ask who wins."""
    question = _question(what, goal, time_s)
    return _reply("best", question, best_move(question))


def risk(what: Puzzle | Position, *cards: str, time_s: float | None = 3.0) -> Reply[Risks]:
    """Return the chances of some hand cards, of all that take several turns where none is named."""
    position = what.position if isinstance(what, Puzzle) else what
    found = risks(position, cards, Budget(time_s))
    return Reply(found, risk_answer(position, found), risk_rows(position, found))


def _question(what: Puzzle | Position, goal: dict[str, Any], time_s: float | None) -> Question:
    limit, position = Budget(time_s), what.position if isinstance(what, Puzzle) else what
    if isinstance(what, Puzzle) and not goal:
        wins = what.goal.objective is Objective.WIN
        return Question(position, None if wins else what.goal, limit, rounds=rounds_left(what.goal) if wins else None)
    if position.players > 1 and not goal:
        return Question(position, None, limit)
    return Question(*question_of({"objective": Objective.MIN_TURNS.value, **goal}, position), limit)


def _reply(command: str, question: Question, answer: Answer[Any]) -> Reply[Answer[Any]]:
    asked = Answered(command, question, answer, timed=False)
    return Reply(answer, asked.json(), asked.rows())
