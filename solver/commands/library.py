"""Commands about what comes along: rulesets and puzzles."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rules.core.errors import BestlineError
from solver.commands import puzzles as measured
from solver.commands import rulesets
from solver.commands.exit_codes import exit_code
from solver.commands.many import Many
from solver.commands.settings import Group, Settings, shared

if TYPE_CHECKING:
    from puzzles.loader import Puzzle
    from solver.checker.certificate import Certificate
    from solver.search.budget import Budget
    from solver.verify import Verdict


@shared
def puzzle_list(settings: Settings) -> None:
    """List the puzzles that come along, the easiest of each game first."""
    from puzzles.loader import library, load_puzzle
    from solver.screens.common import library_rows

    puzzles = [load_puzzle(each) for each in library()]
    settings.show(
        lambda: {"puzzles": [_about(puzzle) for puzzle in puzzles]}, lambda style: library_rows(puzzles, style)
    )


PUZZLE = Annotated[str, typer.Argument(metavar="PUZZLE", help="An id of 'bestline puzzle list', or a file.")]


@shared
def puzzle_show(puzzle: PUZZLE, settings: Settings) -> None:
    """Show a puzzle, without its solution."""
    from puzzles.loader import load_puzzle
    from puzzles.writing import puzzle_tables
    from solver.screens.common import puzzle_rows

    found = load_puzzle(puzzle)
    question = puzzle_tables(replace(found, solution=None))
    position = found.position.canonical()
    settings.show(lambda: {**_about(found), "position": position, "question": question}, lambda _: puzzle_rows(found))


@shared
def puzzle_verify(
    settings: Settings,
    puzzle: Annotated[
        list[str] | None, typer.Argument(metavar="PUZZLE", help="Ids or files; the whole library when left out.")
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option("--certificate", metavar="FILE", help="Check this proof of the one puzzle; search nothing again."),
    ] = None,
    *,
    many: Many,
) -> None:
    """Check solutions again: replay the line, and prove the value anew."""
    from puzzles.loader import library, load_puzzle
    from solver.commands.proofs import opened_proof
    from solver.executor import executor
    from solver.screens.plan import verdict_rows

    if certificate is not None and len(puzzle or ()) != 1:
        raise typer.BadParameter("--certificate goes with exactly one PUZZLE")
    asked = [load_puzzle(each) for each in puzzle or library()]
    if not puzzle:
        unsolved = [each.id for each in asked if each.solution is None]
        asked = [each for each in asked if each.solution is not None]
        if unsolved:
            settings.note(f"nothing to verify in {', '.join(unsolved)}: no solution is stated")
    verdicts: list[Verdict] = []
    stopped = False
    opened = nullcontext() if certificate is None else opened_proof(certificate)
    with opened as proof, executor(settings.jobs(many.jobs), many.cluster) as where, suppress(KeyboardInterrupt):
        if isinstance(proof, Mapping):
            raise BestlineError(f"--certificate {certificate}: the answer of an audit is no certificate")
        stopped = True
        for verdict in where.map(partial(_verified, limit=settings.limit, proof=proof), asked):
            verdicts.append(verdict)
            if verdict.report is not None and verdict.report.interrupted:
                break
        else:
            stopped = False
    settings.show(
        lambda: {"puzzles": [{"id": each.id, "ok": each.ok, "reason": each.reason} for each in verdicts]},
        lambda style: verdict_rows(verdicts, style),
    )
    if stopped:
        settings.warn(f"{len(asked) - len(verdicts)} of {len(asked)} not looked at")
    found = [each.ok for each in verdicts]
    raise typer.Exit(exit_code(interrupted=stopped, negative=False in found, limit=None in found))


def _verified(puzzle: Puzzle, *, limit: Budget, proof: Certificate | None) -> Verdict:
    """Check one puzzle; at the top level because it may run elsewhere."""
    from solver.verify import verify_puzzle

    return verify_puzzle(puzzle, limit, proof)


def _about(puzzle: Puzzle) -> dict[str, Any]:
    """Return what a puzzle says about itself as JSON, its solution left out."""
    from solver.answer import goal_data

    return {
        **puzzle.about(),
        "ruleset": puzzle.position.ruleset.id,
        "fingerprint": puzzle.position.fingerprint,
        "information": puzzle.position.information,
        "goal": goal_data(puzzle.goal),
        "solved": puzzle.solution is not None,
    }


COMMANDS = {
    "puzzle": Group(
        "List, show, verify, rate and make puzzles.",
        {
            "list": puzzle_list,
            "show": puzzle_show,
            "verify": puzzle_verify,
            "rate": measured.puzzle_rate,
            "generate": measured.puzzle_generate,
        },
    ),
    "rules": Group("Show, compare and check rulesets.", rulesets.COMMANDS),
}
