"""Checking the solution that a puzzle states: its line by replay, its value by a new proof or by a certificate.

Of a game against others the value is proved anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from puzzles.goal import Objective, rounds_left
from puzzles.loader import IMPOSSIBLE, Puzzle, Solution
from rules.core.errors import BestlineError, DisagreementError
from solver.answer import Answer, Status
from solver.checker.certificate import Certificate
from solver.checker.check import Rejected, check
from solver.checker.layers import TooLarge
from solver.engines.duel import contest_question
from solver.engines.solve import searchable, solve
from solver.lines import read_line, replayed_value
from solver.optimal_lines import optimal_lines
from solver.search.budget import Budget


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check of one puzzle came to."""

    id: str
    ok: bool | None
    """Whether the stated solution holds; nothing when a limit was hit before that was settled."""
    reason: str
    """Why, in one sentence without a full stop."""
    report: Answer[int] | None = None
    """The new proof, where the check came so far."""


def verify_puzzle(puzzle: Puzzle, limit: Budget | None = None, certificate: Certificate | None = None) -> Verdict:
    """Return whether the solution that a puzzle states holds; with a certificate nothing is searched again.

    Raises:
        UnsupportedRuleset: the puzzle is of a kind that cannot be solved yet.
    """
    stated = puzzle.solution
    if stated is None:
        return Verdict(puzzle.id, False, "states no solution")
    if puzzle.goal.objective is Objective.WIN:
        return _won(puzzle, stated, limit)
    game = searchable(puzzle.position)
    _, start = puzzle.position.start()
    if stated.line:
        turns = [turn.split(";") for turn in stated.line]
        try:
            replayed = replayed_value(game, start, read_line(game, start, turns), puzzle.goal)
        except (BestlineError, DisagreementError) as refused:
            return Verdict(puzzle.id, False, f"the line does not replay: {refused}")
        worth = puzzle.goal.in_rounds(replayed)
        if worth != stated.value:
            return Verdict(puzzle.id, False, f"the line is worth {worth}, not {stated.value}")
    if certificate is not None:
        return _by_certificate(puzzle, stated, certificate, limit)
    budget = (limit or Budget()).start()
    report = solve(puzzle.position, puzzle.goal, limit)
    if report.status in (Status.FEASIBLE, Status.UNKNOWN):
        return Verdict(puzzle.id, None, "a limit was hit before the value was proved", report)
    value = puzzle.goal.in_rounds(report.value)
    if (IMPOSSIBLE if value is None else value) != stated.value:
        found = IMPOSSIBLE if value is None else value
        return Verdict(puzzle.id, False, f"the proved value is {found}, not {stated.value}", report)
    if stated.unique is not None and report.line:
        return _counted(puzzle, stated.unique, report, budget)
    return Verdict(puzzle.id, True, f"proved {IMPOSSIBLE}" if value is None else f"{value} is proved best", report)


def _won(puzzle: Puzzle, stated: Solution, limit: Budget | None) -> Verdict:
    """Return whether the value of a game against others, all at their best, is what a puzzle states."""
    if stated.line or stated.unique is not None or stated.certificate:
        return Verdict(puzzle.id, False, "a game to be won states a value, and neither line nor certificate")
    report = contest_question(puzzle.position, limit, rounds=rounds_left(puzzle.goal)).answer()
    if report.status is not Status.OPTIMAL:
        return Verdict(puzzle.id, None, "a limit was hit before the value was proved")
    holds = stated.value != IMPOSSIBLE and Fraction(stated.value) == report.value
    told = "is proved" if holds else f"is the proved value, not {stated.value}"
    return Verdict(puzzle.id, holds, f"{report.value} {told}")


def _counted(puzzle: Puzzle, unique: bool, report: Answer[int], budget: Budget) -> Verdict:
    """Return whether a proved value has one line only where that is stated, or several."""
    lines = optimal_lines(puzzle.position, puzzle.goal, report, budget).count(most=1)
    value = puzzle.goal.in_rounds(report.value)
    if lines.stopped:
        return Verdict(
            puzzle.id, None, f"{value} is proved best; a limit was hit before other lines were excluded", report
        )
    if unique != lines.exact:
        found = "there is no other" if lines.exact else "there is another"
        ours = "the only one" if unique else "not the only one"
        return Verdict(puzzle.id, False, f"the line is stated to be {ours}, but {found}", report)
    return Verdict(puzzle.id, True, f"{value} is proved best, by {'one line' if unique else 'several lines'}", report)


def _by_certificate(puzzle: Puzzle, stated: Solution, certificate: Certificate, limit: Budget | None) -> Verdict:
    """Return whether a certificate is the one of a puzzle and proves what the puzzle states."""
    if stated.certificate and stated.certificate != certificate.seal:
        return Verdict(
            puzzle.id, False, f"its certificate has the digest {stated.certificate}, this one {certificate.seal}"
        )
    try:
        checked = check(certificate, None if limit is None else limit.time_s)
    except Rejected as fault:
        return Verdict(puzzle.id, False, f"the certificate proves nothing: {fault}")
    except TooLarge:
        return Verdict(puzzle.id, None, "a limit was hit before the certificate was checked")
    if checked.position.canonical() != puzzle.position.canonical() or checked.goal != puzzle.goal:
        return Verdict(puzzle.id, False, "the certificate is about another question")
    proved = puzzle.goal.in_rounds(checked.value)
    if (IMPOSSIBLE if proved is None else proved) != stated.value:
        return Verdict(puzzle.id, False, f"the certificate proves {proved}, not {stated.value}")
    if stated.unique is not None and stated.unique != checked.unique:
        says = {None: "does not say whether it is", True: "proves that it is", False: "proves that it is not"}
        ours = "the only one" if stated.unique else "not the only one"
        return Verdict(puzzle.id, False, f"the line is stated to be {ours}, the certificate {says[checked.unique]}")
    return Verdict(puzzle.id, True, f"{stated.value} is proved best by its certificate")
