"""The command that solves: the best line for a goal with its proof, its certificate, and why no better one exists."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from puzzles.puzzle import Goal, Puzzle
from rules.core.errors import BestlineError
from rules.core.position import Position
from rules.core.tools.output import refuse_unwritable
from solver.commands import question as asking
from solver.commands.line_input import Many, entered_question, line_answered, run_batch
from solver.commands.settings import Exit, Settings, Shown, option
from solver.question import Answer, Question, Status, is_uncertain

if TYPE_CHECKING:
    from solver.proofs import Count, Explanation
    from solver.screens.answer import Answered

WHY_S = 30.0
"""Seconds for an explanation where no time is given."""
STATES = 50_000
"""Positions that each search behind an explanation may keep where no clock may decide."""
ALL_MOVES = 1_000_000
"""Moves shown where all are asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SolveOptions(asking.QuestionOptions):
    """What the options of ``solve`` say."""

    every: bool = option("Tell every line that is as good; every move, where chance is hidden.", False, "--all")
    proof: Path | None = option("Write a certificate for 'bestline verify'; .gz makes it smaller.", metavar="FILE")
    why: bool = option("Say which rules make it impossible, or impossible to do better (--time, else 30 s).", False)
    second: bool = option("Play it again by the rules alone (--time, else 30 s).", False, "--second-opinion")
    no_cache: bool = option("Neither use nor keep answers; --deterministic does not either.", False)


def solve(
    settings: Settings, question: str | None = asking.QUESTION, *, options: SolveOptions, many: Many
) -> Shown | int:
    """Find the best line for a goal, with its proof or its bound."""
    proof = options.proof
    if proof is not None:
        refuse_unwritable(proof, kept=True)
    if options.batch is not None:
        if proof is not None or options.second:
            raise typer.BadParameter("--proof and --second-opinion go with one question, not with --batch")
        answer = partial(_solve, options=options, settings=settings)
        return run_batch(options.batch, question, many, settings, partial(line_answered, answer))
    asked = asking.read_given(question).posed() if question is not None else entered_question(settings)
    found = _solve(asked, options, settings)
    if options.second:
        found = _cross_checked(found, settings)
    told = asking.shown(found, settings)
    stopped = found.every is not None and found.every.stopped
    code = told.code or (Exit.LIMIT_HIT if stopped else Exit.PROVED_OR_CLEAN)
    if proof is None:
        return told._replace(code=code)
    from solver.checker.layers import TooLarge
    from solver.proofs import write_proof

    settings.show(told)  # a certificate may take long
    goal = _open_goal(found, "a certificate")
    settings.detail("playing every line again by the rules alone")
    try:
        seal = write_proof(found.question.position, goal, found.answer, proof, settings.left_s)
    except TooLarge as fault:
        settings.warn(f"{proof}: not written: {fault}")
        return Exit.INTERRUPTED if found.answer.interrupted else Exit.LIMIT_HIT
    settings.note(f"wrote {proof}: certificate {seal}")
    return code


def _cross_checked(found: Answered, settings: Settings) -> Answered:
    """Return an answer that was played again by the rules alone.

    Raises:
        BestlineError: the question is of a kind that this does not carry.
        DisagreementError: the rules say something else.
    """
    from solver.proofs import cross_check

    goal = _open_goal(found, "--second-opinion")
    if found.answer.interrupted:  # whoever stops the search does not wait for another one
        settings.warn("--second-opinion: stopped before it began")
        return found
    settings.detail("playing every line again by the rules alone")
    try:
        checked = cross_check(found.question.position, goal, found.answer, settings.limit)
    except KeyboardInterrupt:
        settings.warn("--second-opinion: stopped before every line was played")
        return replace(found, answer=replace(found.answer, interrupted=True))
    if checked != found.answer:
        settings.note("the rules agree: no line is better")
    else:
        settings.warn("--second-opinion: not every line could be played within the limit; --time allows more")
    return replace(found, answer=checked)


def _open_goal(found: Answered, what: str) -> Goal:
    """Return the goal of an open question of a single player.

    Raises:
        BestlineError: it is another question, which ``what`` does not carry.
    """
    answer = found.answer
    if answer.goal is not None or answer.contest is not None:
        kind = "several play" if answer.contest is not None else "chance is hidden"
        raise BestlineError(f"{what} is about an open question, and here {kind}")
    return found.question.own_goal


def _solve(found: Puzzle | Position, options: SolveOptions, settings: Settings) -> Answered:
    """Solve and explain a question.

    Who of several players wins is a question only where a puzzle or an option asks it by name.

    Raises:
        BestlineError: the goal does not fit, or the question is of a kind that cannot be solved yet.
    """
    from solver.engines.answers import solve_question
    from solver.screens.answer import Answered
    from solver.store import Store

    wanted, why = options.goal_table(), options.why
    if isinstance(found, Puzzle) or "objective" in wanted:
        question = asking.posed_question(found, wanted, options.opponents, settings)
    else:
        question = Question(*asking.own_goal(found, wanted), settings.limit)
    if options.opponents is not None and question.goal is not None:
        settings.note(asking.NO_OPPONENTS)
    goal, timed = question.goal, not settings.deterministic
    is_open = goal is not None and not is_uncertain(question.position)
    if why and not is_open:
        here = "others decide too" if goal is None else "chance is hidden"
        settings.note(f"--why changes nothing here: it names the rules behind an open question, and here {here}")
    store = Store() if is_open and not (options.no_cache or settings.deterministic) else None
    answer = solve_question(asking.observed(settings, question), store=store)
    if store is not None and store.trouble:
        settings.detail(f"{store.path}: cannot be used: {store.trouble}")
    top = ALL_MOVES if options.every and not is_open else 3
    solved = Answered("solve", question, answer, getattr(found, "title", ""), top, timed=timed, style=settings.style)
    if not is_open or goal is None:
        return solved
    missing = "--all: stopped before every line was found"
    try:
        if options.every:
            solved = replace(solved, every=_every_line(question.position, goal, answer, settings))
        missing = "--why: stopped before the reasons were found"
        return replace(solved, explanation=_explained(question.position, goal, answer, settings)) if why else solved
    except KeyboardInterrupt:
        settings.warn(missing)
        return replace(solved, answer=replace(answer, interrupted=True))


def _every_line(position: Position, goal: Goal, report: Answer[int], settings: Settings) -> Count | None:
    """Return all lines that do as well, nothing where none is proved best."""
    from solver.proofs import OptimalLines

    if report.status is not Status.OPTIMAL or not report.line:
        settings.warn("--all: no line is proved best here")
        return None
    settings.detail("looking for all lines that do as well")
    return OptimalLines(position, goal, report, settings.limit.start()).count(written=True)


def _explained(position: Position, goal: Goal, report: Answer[int], settings: Settings) -> Explanation | None:
    """Return why nothing better is possible, nothing where that is not proved."""
    from solver.proofs import Loosening, improvement_question

    question = improvement_question(goal, report)
    if question is None or report.interrupted:
        settings.warn("--why: nothing is proved impossible here")
        return None
    # A clock would let the same input give other bytes; positions do not.
    limit = replace(settings.limit, states=STATES) if settings.deterministic else settings.limit_of(WHY_S)
    return Loosening(position, question, limit, settings.detail).explanation()
