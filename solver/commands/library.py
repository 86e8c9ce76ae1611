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
from solver.commands.exit_codes import INTERRUPTED, LIMIT_HIT, NEGATIVE, PROVED_OR_CLEAN
from solver.commands.many import CLUSTER, JOBS
from solver.commands.settings import Settings, shared

if TYPE_CHECKING:
    from puzzles.loader import Puzzle
    from solver.checker.certificate import Certificate
    from solver.report import Limit
    from solver.verify import Verdict

HEADING = "Library"


@shared
def puzzle_list(settings: Settings) -> None:
    """List the puzzles that come along, the easiest of each game first."""
    from puzzles.loader import library, load_puzzle
    from solver.render import draw
    from solver.screens.common import library_rows

    puzzles = [load_puzzle(each) for each in library()]
    if settings.json:
        settings.answer_json({"puzzles": [_about(puzzle) for puzzle in puzzles]})
        return
    settings.answer(draw(library_rows(puzzles, settings.style), settings.style))


PUZZLE = Annotated[str, typer.Argument(metavar="PUZZLE", help="An id of 'bestline puzzle list', or a file.")]


@shared
def puzzle_show(puzzle: PUZZLE, settings: Settings) -> None:
    """Show a puzzle, without its solution."""
    from puzzles.loader import load_puzzle
    from puzzles.writing import puzzle_tables
    from solver.render import draw
    from solver.screens.common import puzzle_rows

    found = load_puzzle(puzzle)
    if settings.json:
        question = puzzle_tables(replace(found, solution=None))
        settings.answer_json({**_about(found), "position": found.position.canonical(), "question": question})
    else:
        settings.answer(draw(puzzle_rows(found), settings.style))


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
    jobs: JOBS = 1,
    cluster: CLUSTER = "",
) -> None:
    """Check solutions again: replay the line, and prove the value anew."""
    from puzzles.loader import library, load_puzzle
    from solver.commands.proofs import opened_proof
    from solver.executor import executor
    from solver.render import draw
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
    with opened as proof, executor(settings.jobs(jobs), cluster) as where, suppress(KeyboardInterrupt):
        if isinstance(proof, Mapping):
            raise BestlineError(f"--certificate {certificate}: the answer of an audit is no certificate")
        stopped = True
        for verdict in where.map(partial(_verified, limit=settings.limit, proof=proof), asked):
            verdicts.append(verdict)
            if verdict.report is not None and verdict.report.interrupted:
                break
        else:
            stopped = False
    if settings.json:
        settings.answer_json({"puzzles": [{"id": each.id, "ok": each.ok, "reason": each.reason} for each in verdicts]})
    else:
        settings.answer(draw(verdict_rows(verdicts, settings.style), settings.style))
    if stopped:
        settings.warn(f"{len(asked) - len(verdicts)} of {len(asked)} not looked at")
        raise typer.Exit(INTERRUPTED)
    if any(each.ok is False for each in verdicts):
        raise typer.Exit(NEGATIVE)
    raise typer.Exit(LIMIT_HIT if any(each.ok is None for each in verdicts) else PROVED_OR_CLEAN)


def _verified(puzzle: Puzzle, *, limit: Limit, proof: Certificate | None) -> Verdict:
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


def register(app: typer.Typer) -> None:
    """Add these commands."""
    words = "List, show, verify, rate and make puzzles."
    puzzles = typer.Typer(help=words, no_args_is_help=True, rich_markup_mode=None)
    own = {"list": puzzle_list, "show": puzzle_show, "verify": puzzle_verify}
    for name, command in {**own, "rate": measured.puzzle_rate, "generate": measured.puzzle_generate}.items():
        puzzles.command(name)(command)
    rules = typer.Typer(help="Show, compare and check rulesets.", no_args_is_help=True, rich_markup_mode=None)
    for name, command in rulesets.COMMANDS.items():
        rules.command(name)(command)
    app.add_typer(puzzles, name="puzzle", rich_help_panel=HEADING)
    app.add_typer(rules, name="rules", rich_help_panel=HEADING)
