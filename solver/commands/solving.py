"""The command that solves: the best line for a goal with its proof, its certificate, and why no better one exists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rules.core.errors import BestlineError
from solver.commands.answers import (
    BATCH,
    OTHERS,
    QUESTION,
    Answer,
    GoalOptions,
    answer_hidden,
    answer_line,
    is_fated,
    is_hidden,
    question_of,
    refuse_opponents,
    shown,
    title_of,
)
from solver.commands.exit_codes import INTERRUPTED, LIMIT_HIT
from solver.commands.many import Many
from solver.commands.settings import Settings, refuse_unwritable, shared, telling_search

if TYPE_CHECKING:
    from puzzles.goal import Goal
    from puzzles.loader import Puzzle
    from rules.core.position import Position
    from solver.answer import TurnTold
    from solver.because import Explanation
    from solver.render import Row, Style
    from solver.report import Report
    from solver.ways import Written

STATES = 50_000
"""Positions that each search behind an explanation may keep where no clock may decide."""
ALL_MOVES = 1_000_000
"""Moves shown where all are asked for."""
UNASKED = "--why changes nothing here: it names the rules behind an open question, and here {}"
"""Said where reasons are asked for that no search can give."""
PROOF = Annotated[
    Path | None,
    typer.Option("--proof", metavar="FILE", help="Write a certificate for 'bestline verify'; .gz makes it smaller."),
]

ALL = Annotated[
    bool, typer.Option("--all", help="Tell every line that is as good; every move, where chance is hidden.")
]
UNIQUE = Annotated[bool, typer.Option("--unique", help="With --proof: also certify whether another line does as well.")]
WHY_NOT = Annotated[
    bool,
    typer.Option("--why", help="Say which rules make it impossible, or impossible to do better (--time, else 30 s)."),
]
SECOND = Annotated[
    bool,
    typer.Option("--second-opinion", help="Play it again by the rules alone (--time, else 30 s)."),
]
NO_CACHE = Annotated[
    bool, typer.Option("--no-cache", help="Neither use nor keep answers; --deterministic does not either.")
]


@shared
def solve(
    settings: Settings,
    question: QUESTION = None,
    *,
    asked: GoalOptions,
    opponents: OTHERS = None,
    every: ALL = False,
    batch: BATCH = None,
    proof: PROOF = None,
    unique: UNIQUE = False,
    why: WHY_NOT = False,
    second: SECOND = False,
    no_cache: NO_CACHE = False,
    many: Many,
) -> None:
    """Find the best line for a goal, with its proof or its bound."""
    from solver.commands.inputs import read_input, refuse_beside_batch, run_batch

    refuse_opponents(opponents)
    answer = partial(
        _solve,
        opponents=opponents,
        wanted=asked.wanted(),
        settings=settings,
        remember=not no_cache and not settings.deterministic,
        why=why,
        every=every,
    )
    if unique and proof is None:
        raise typer.BadParameter("--unique goes with --proof FILE")
    refuse_unwritable(proof, kept=True)
    if batch is not None:
        refuse_beside_batch(question)
        if proof is not None or second:
            raise typer.BadParameter("--proof and --second-opinion go with one question, not with --batch")
        raise typer.Exit(run_batch(batch, many, settings, partial(answer_line, answer)))
    if question is None:
        raise typer.BadParameter("give a PUZZLE-or-STATE, or --batch FILE")
    found = answer(read_input(question))
    if second:
        found = _cross_checked(found, settings)
    code = shown(found, settings)
    if isinstance(found, Solved) and found.every is not None and found.every.count.stopped:
        code = code or LIMIT_HIT
    if proof is not None and not _certified(found, proof, settings, unique=unique):
        code = INTERRUPTED if found.report.interrupted else LIMIT_HIT
    raise typer.Exit(code)


def _cross_checked(found: Answer, settings: Settings) -> Solved:
    """Return an answer that was played again by the rules alone.

    Raises:
        BestlineError: the question is of a kind that this does not carry.
        DisagreementError: the rules say something else.
    """
    from solver.proofs import cross_check

    if not isinstance(found, Solved):
        raise BestlineError(f"--second-opinion is about an open question, and here {_besides(found)}")
    if found.report.interrupted:  # whoever stops the search does not wait for another one
        settings.warn("--second-opinion: stopped before it began")
        return found
    settings.detail("playing every line again by the rules alone")
    try:
        report = cross_check(found.position, found.goal, found.report, settings.limit)
    except KeyboardInterrupt:
        settings.warn("--second-opinion: stopped before every line was played")
        return replace(found, report=replace(found.report, interrupted=True))
    if report != found.report:
        settings.note("the rules agree: no line is better")
    else:
        settings.warn("--second-opinion: not every line could be played within the limit; --time allows more")
    return replace(found, report=report)


def _besides(found: Answer) -> str:
    """Return what keeps a question from being one of a single player who knows all."""
    from solver.hidden_report import HiddenReport

    return "chance is hidden" if isinstance(found.report, HiddenReport) else "several play"


def _certified(found: Answer, path: Path, settings: Settings, *, unique: bool) -> bool:
    """Write the certificate of an answer, or say why there is none and return false.

    Raises:
        BestlineError: the file cannot be written.
    """
    from solver.checker.layers import TooLarge
    from solver.proofs import write_proof

    if not isinstance(found, Solved):
        raise BestlineError(f"a certificate is about an open question, and here {_besides(found)}")
    settings.detail("playing every line again by the rules alone")
    try:
        seal = write_proof(found.position, found.goal, found.report, path, settings.left_s, unique=unique)
    except TooLarge as fault:
        settings.warn(f"{path}: not written: {fault}")
        return False
    settings.note(f"wrote {path}: certificate {seal}")
    return True


@dataclass(frozen=True, slots=True)
class Solved:
    """One question with its answer."""

    title: str
    position: Position
    goal: Goal
    report: Report
    told: tuple[TurnTold[Any], ...]
    """The line, explained."""
    timed: bool
    """The clock may show."""
    explanation: Explanation | None = None
    """Why it is impossible, or impossible to do better; where that was asked and proved."""
    every: Written | None = None
    """All the lines that do as well; where that was asked and proved."""

    def json(self) -> dict[str, Any]:
        """Return the answer as JSON."""
        from solver.answer import solve_answer

        answer = solve_answer(self.position, self.goal, self.report, self.told, timed=self.timed)
        if self.every is not None:
            from solver.screens.ways import ways_data

            answer["lines"] = ways_data(self.every)
        if self.explanation is None:
            return answer
        from solver.screens.because import because_data

        return {**answer, "because": because_data(self.explanation)}

    def rows(self, style: Style) -> list[Row]:
        """Return the answer as a screen."""
        from solver.render import EMPTY
        from solver.screens.because import because_rows
        from solver.screens.plan import solve_rows
        from solver.screens.ways import ways_rows

        after = [] if self.every is None else [EMPTY, *ways_rows(self.every)]
        if self.explanation is not None:
            after += [EMPTY, *because_rows(self.position, self.explanation)]
        return solve_rows(self.title, self.position, self.goal, self.report, self.told, timed=self.timed, after=after)


def _solve(
    found: Puzzle | Position,
    wanted: Mapping[str, Any],
    settings: Settings,
    opponents: str | None,
    *,
    remember: bool,
    why: bool,
    every: bool,
) -> Answer:
    """Solve and explain a question.

    Who of several players wins is a question only where a puzzle or an option asks it by name.

    Raises:
        BestlineError: the goal does not fit, or the question is of a kind that cannot be solved yet.
    """
    from puzzles.loader import Puzzle
    from solver.commands.contested import asked_to_win, contested, position_of

    named = isinstance(found, Puzzle) or "objective" in wanted
    wins = asked_to_win(found, wanted, opponents, settings) if named else None
    title = title_of(found)
    if wins is not None:
        if why:
            settings.note(UNASKED.format("others decide too"))
        shown_moves = ALL_MOVES if every else 3
        return contested(position_of(found), wins, settings, shown_moves, None, title, "solve")
    if opponents is not None:
        settings.note("--opponents changes nothing here: it goes with the question who wins")
    if is_hidden(found) and not is_fated(found, wanted):
        if why:
            settings.note(UNASKED.format("chance is hidden"))
        return answer_hidden("solve", found, wanted, settings, ALL_MOVES if every else 3, None)
    from solver.answer import explain_line
    from solver.best import is_cheap
    from solver.remember import deviations_remembering, solve_remembering
    from solver.solve import searchable
    from solver.store import Store

    position, goal = question_of(found, wanted)
    game = searchable(position)
    store = Store() if remember else None
    settings.detail(f"searching {position.code}")
    report = solve_remembering(position, goal, settings.limit, telling_search(settings), store)
    if store is not None and store.trouble:
        settings.detail(f"{store.path}: cannot be used: {store.trouble}")
    told = explain_line(game, position.start()[1], report.line, goal.seat)
    if is_cheap(report):
        told = deviations_remembering(position, goal, told, report, store)
    written, stopped = _written(position, goal, report, settings) if every else (None, False)
    explanation, broken_off = _explained(position, goal, report, settings) if why and not stopped else (None, False)
    if stopped or broken_off:
        report = replace(report, interrupted=True)
    return Solved(
        title=title,
        position=position,
        goal=goal,
        report=report,
        told=told,
        timed=not settings.deterministic,
        explanation=explanation,
        every=written,
    )


def _written(position: Position, goal: Goal, report: Report, settings: Settings) -> tuple[Written | None, bool]:
    """Return all lines that do as well, nothing where none is proved best; and whether the user stopped it."""
    from solver.report import Status
    from solver.solve import searchable
    from solver.ways import Ways

    if report.status is not Status.OPTIMAL or not report.line:
        settings.warn("--all: no line is proved best here")
        return None, False
    settings.detail("looking for all lines that do as well")
    ways: Ways[Any] = Ways(searchable(position), position.start()[1], goal, report, settings.limit.start())
    try:
        return ways.written(), False
    except KeyboardInterrupt:
        settings.warn("--all: stopped before every line was found")
        return None, True


def _explained(position: Position, goal: Goal, report: Report, settings: Settings) -> tuple[Explanation | None, bool]:
    """Return why nothing better is possible, nothing where that is not proved; and whether the user stopped it."""
    from solver.because import PATIENCE, because, harder

    question = harder(goal, report)
    if question is None or report.interrupted:
        settings.warn("--why: nothing is proved impossible here")
        return None, False
    # A clock would let the same input give other bytes; positions do not.
    limit = settings.limit
    if settings.deterministic:
        limit = replace(limit, states=STATES)
    elif settings.time_s is None:
        limit = replace(limit, time_s=PATIENCE)
    try:
        return because(position, question, limit, settings.detail), False
    except KeyboardInterrupt:
        settings.warn("--why: stopped before the reasons were found")
        return None, True


COMMANDS = {"solve": solve}
