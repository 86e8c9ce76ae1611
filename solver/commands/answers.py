"""What the commands that answer questions share: how a question is read, watched, and its answer shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import typer

from puzzles.loader import Puzzle
from rules.core.position import Position
from solver.commands.inputs import read_input
from solver.commands.process import exit_code
from solver.commands.settings import Settings, Shown, argument, begin, telling, telling_moves, telling_search
from solver.question import Answer, Question, Status
from solver.render import EMPTY, Row, Style
from solver.screens.common import GoalWords, facts_rows, payoff_words, unit_of

if TYPE_CHECKING:
    from solver.engines.choose import Observer
    from solver.optimal_lines import WrittenLines
    from solver.tools.explain import Explanation

QUESTION = argument("PUZZLE-or-STATE", "File, puzzle id, position code, or - for standard input.", None)


@dataclass(frozen=True, slots=True)
class Answered:
    """One question answered, with what else was asked about the answer."""

    command: str
    question: Question
    answer: Answer[Any]
    title: str = ""
    top: int = 3
    why: bool = False
    timed: bool = True
    """The clock may show."""
    explanation: Explanation | None = None
    """Why it is impossible, or impossible to do better; where that was asked and proved."""
    every: WrittenLines | None = None
    """All the lines that do as well; where that was asked and proved."""
    also: Sequence[Answered] = ()
    """The same question for further moves whose value was asked."""
    reasons: Sequence[str] = ()
    """Why the best move is best, in sentences; where that was asked."""

    def shown(self, settings: Settings) -> Shown:
        """Return the answer to be shown, as JSON or as a screen."""
        answer = self.answer
        negative, proved = answer.status is Status.INFEASIBLE, answer.status is Status.OPTIMAL
        code = exit_code(interrupted=answer.interrupted, negative=negative, limit=not proved)
        return Shown(self.json(), "", code) if settings.json else Shown(None, self.rows(settings.style), code)

    def json(self) -> dict[str, Any]:
        """Return the answer as JSON."""
        from solver.screens.data import answer_data

        data = answer_data(self.command, self.question, self.answer, self.top, timed=self.timed)
        if self.also:
            told = [data, *(other.json() for other in self.also)]
            data["versus"] = [each["versus"] for each in told if "versus" in each]
        if self.reasons:
            data["why"] = list(self.reasons)
        if self.every is None and self.explanation is None:
            return data
        from solver.screens.proof import explanation_data, lines_data

        if self.every is not None:
            data["lines"] = lines_data(self.every)
        if self.explanation is not None:
            data["because"] = explanation_data(self.explanation)
        return data

    def rows(self, style: Style) -> list[Row]:
        """Return the answer as a screen."""
        from solver.screens.answer import View, answer_rows
        from solver.screens.proof import explanation_rows, lines_rows

        after = [EMPTY, *lines_rows(self.every)] if self.every is not None else []
        if self.explanation is not None:
            after += [EMPTY, *explanation_rows(self.question.position, self.explanation)]
        view = View(self.title, self.top, self.why, self.timed, style)
        rows = answer_rows(self.question, self.answer, view, after, compares=self.command == "best")
        if self.reasons:
            verdict = next(place for place, row in enumerate(rows) if row.label and row.look)
            because = [("because", self.reasons[0]), *(("", each) for each in self.reasons[1:])]
            rows[verdict + 1 : verdict + 1] = facts_rows(because)
        others = [row for other in self.also for row in other.rows(style) if row.label == "instead"]
        if not others:
            return rows
        label = "instead" if any(row.label == "instead" for row in rows) else "known"
        place = next(place for place, row in enumerate(rows) if row.label == label) + (label == "instead")
        return [*rows[:place], *others, *rows[place:]]


def given(source: str | None, settings: Settings) -> Puzzle | Position:
    """Return what a question is about; where nothing is named, a person at a terminal enters a table.

    Raises:
        BadParameter: nothing is named, and nobody is at a terminal.
    """
    if source is not None:
        return read_input(source)
    from solver.commands.table_entry import entered
    from solver.commands.terminal import Terminal

    terminal = Terminal()
    if not terminal.is_live:
        raise typer.BadParameter("give a PUZZLE-or-STATE, or --batch FILE")
    found = entered(terminal, settings)
    begin()
    return found


def line_answered(
    answer: Callable[[Puzzle | Position], Answered], found: Puzzle | Position, _: object
) -> dict[str, Any]:
    """Return the answer to a line of a batch."""
    return answer(found).json()


def observer(settings: Settings, question: Question, *, guesses: bool = True) -> Observer:
    """Return who hears how far the search for an answer has come; with ``guesses`` show a first guess at a move."""
    from solver.engines.choose import Observer, first_look

    goal = question.goal
    settings.detail(f"searching {question.position.code}")
    tell, unit = telling(settings), unit_of(question.position)
    if tell and (guesses or goal is None) and (move := first_look(question)) is not None:
        tell(f"first guess: {move.text}")
    if goal is None:
        on_round = tell and telling_moves(tell, payoff_words(question.position).about)
        return Observer(on_round=on_round, on_detail=settings.detail)
    on_goal = tell and cache(lambda goal: telling_moves(tell, GoalWords(goal, unit).about))
    return Observer(telling_search(settings), on_goal)


def title_of(found: Puzzle | Position) -> str:
    """Return the title of a puzzle; a position has none."""
    return str(getattr(found, "title", ""))
