"""The commands about puzzles and proofs: listed, shown, verified, rated, made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import monotonic, time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from puzzles.loader import Puzzle, library, load_puzzle, puzzle_tables
from rules.core.errors import BestlineError, escaped
from rules.core.ruleset import load_ruleset
from rules.core.tools.output import write_file
from solver.commands.answers import GOAL, WITHIN, GoalOptions, question_of, title_of
from solver.commands.inputs import read_input
from solver.commands.process import LIMIT_HIT, NEGATIVE, exit_code
from solver.commands.settings import Group, Many, Settings, shared, telling, telling_search
from solver.question import Status
from solver.render import draw
from solver.screens.common import library_rows, puzzle_rows, verdict_rows

if TYPE_CHECKING:
    from solver.checker.certificate import Certificate
    from solver.tools.generate import Made, Request
    from solver.tools.puzzle import Verdict

LONGEST = 400
"""Signs of a reason that are shown: it may name what a file says, however long."""


@shared
def verify(
    certificate: Annotated[
        Path,
        typer.Argument(
            metavar="CERTIFICATE", help="A file of 'bestline solve --proof' or of 'bestline audit --json', or -."
        ),
    ],
    settings: Settings,
) -> None:
    """Check a certificate, or the witnesses of an audit, by the rules.

    The exit code is 1 if one fails.
    """
    from solver.checker.check import Rejected, check
    from solver.checker.layers import TooLarge
    from solver.screens.proof import certificate_data, certificate_rows

    name = escaped(str(certificate))
    with opened_proof(certificate) as proof:
        if isinstance(proof, Mapping):
            _verify_witnesses(name, proof, settings)
            return
        try:
            checked = check(proof, settings.left_s)
        except (Rejected, TooLarge) as fault:
            failed, reason = isinstance(fault, Rejected), escaped(str(fault)[:LONGEST])
            told = {"file": name, "ok": False if failed else None, "reason": reason}
            settings.say(told, f"{'FAILS' if failed else 'open'}  {reason}")
            raise typer.Exit(NEGATIVE if failed else LIMIT_HIT) from None
    settings.show(lambda: {"file": name, **certificate_data(checked)}, lambda _: certificate_rows(checked))


def _verify_witnesses(name: str, audited: Mapping[str, Any], settings: Settings) -> None:
    from solver.checker.witness import check_witnesses
    from solver.screens.proof import witness_rows

    until = None if settings.left_s is None else monotonic() + settings.left_s
    checked, in_time = [], True
    for each in check_witnesses(audited):
        checked.append(each)
        in_time = until is None or monotonic() < until
        if not in_time:
            break
    ok = False if not all(each.ok for each in checked) else True if in_time else None
    witnesses = [{"id": each.id, "ok": each.ok, "text": each.words} for each in checked]
    settings.show(
        lambda: {"file": name, "ok": ok, "witnesses": witnesses},
        lambda _: witness_rows(checked, len(audited["findings"]), complete=in_time),
    )
    if ok is not True:
        raise typer.Exit(LIMIT_HIT if ok is None else NEGATIVE)


@contextmanager
def opened_proof(path: Path) -> Iterator[Certificate | Mapping[str, Any]]:
    """Yield the certificate or the answer of an audit in a file; ``-`` is standard input.

    Raises:
        BestlineError: there is no such file, or it is neither.
    """
    from solver.checker.certificate import Unreadable, opened

    try:
        with opened(path) as proof:
            yield proof
    except Unreadable as fault:
        raise BestlineError(escaped(f"{path}: {str(fault)[:LONGEST]}")) from None


@shared
def puzzle_list(settings: Settings) -> None:
    """List the puzzles that come along, the easiest of each game first."""
    puzzles = [load_puzzle(each) for each in library()]
    settings.show(
        lambda: {"puzzles": [_about(puzzle) for puzzle in puzzles]}, lambda style: library_rows(puzzles, style)
    )


PUZZLE = Annotated[str, typer.Argument(metavar="PUZZLE", help="An id of 'bestline puzzle list', or a file.")]


@shared
def puzzle_show(puzzle: PUZZLE, settings: Settings) -> None:
    """Show a puzzle, without its solution."""
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
    from solver.executor import executor
    from solver.tools.puzzle import verify_puzzle

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
        for verdict in where.map(partial(verify_puzzle, limit=settings.limit, certificate=proof), asked):
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


def _about(puzzle: Puzzle) -> dict[str, Any]:
    """Return what a puzzle says about itself as JSON, its solution left out."""
    from solver.screens.data import goal_data

    return {
        **puzzle.about(),
        "ruleset": puzzle.position.ruleset.id,
        "fingerprint": puzzle.position.fingerprint,
        "information": puzzle.position.information,
        "goal": goal_data(puzzle.goal),
        "solved": puzzle.solution is not None,
    }


RATE_S = 30.0
"""Seconds for a rating where no time is given."""
TRIES = 300
"""Deals looked at where nothing else is said."""

ASKED = Annotated[
    str, typer.Argument(metavar="PUZZLE", help="An id of 'bestline puzzle list', a file, a position code, or -.")
]


@shared
def puzzle_rate(puzzle: ASKED, settings: Settings) -> None:
    """Measure a puzzle: solutions, only moves, decoys, themes, and a grade from 1 to 5."""
    from solver.screens.rate import rating_data, rating_rows
    from solver.tools.puzzle import rate

    found = read_input(puzzle)
    position, goal = question_of(found, {})
    about = found if isinstance(found, Puzzle) else None
    settings.detail(f"searching {position.code}")
    rating = rate(position, goal, settings.limit_of(RATE_S), telling_search(settings))
    stated = about.difficulty if about else None
    settings.show(
        lambda: rating_data(position, goal, rating, stated, name=about.id if about else ""),
        lambda style: rating_rows(title_of(found), position, goal, rating, stated, style),
    )
    impossible = rating.report.status is Status.INFEASIBLE
    code = exit_code(interrupted=rating.interrupted, negative=impossible and not rating.open, limit=bool(rating.open))
    raise typer.Exit(code)


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleOptions:
    """What the options say about new puzzles."""

    theme: Annotated[str, typer.Option("--theme", metavar="NAME", help="What the line has to turn on.")] = ""
    grade: Annotated[int | None, typer.Option("--grade", min=1, max=5, help="How hard it has to be.")] = None
    unique: Annotated[
        bool, typer.Option("--unique/--any", help="Whether there has to be one solution only; it has to by itself.")
    ] = True
    number: Annotated[int, typer.Option("--count", min=1, metavar="N", help="How many puzzles.")] = 1
    tries: Annotated[int, typer.Option("--tries", min=1, metavar="N", help="Deals to look at, at most.")] = TRIES
    goal: GOAL = None
    within_turns: WITHIN = None
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Write a file for each; else the only one is the answer."),
    ] = None


@shared
def puzzle_generate(
    settings: Settings,
    ruleset: Annotated[str, typer.Argument(metavar="RULESET", help="A name of 'bestline rules list', or a file.")],
    *,
    wanted: PuzzleOptions,
    many: Many,
) -> None:
    """Make new puzzles: dealt, solved, graded, brought down to what matters, verified."""
    from solver.screens.rate import deals_text, generated_data, generated_rows
    from solver.tools.generate import Request, check

    number, out = wanted.number, wanted.out
    if number > 1 and out is None and not settings.json:
        raise typer.BadParameter("--count above 1 goes with --out DIR, where each gets a file, or with --json")
    if out is not None and not out.is_dir():
        raise BestlineError(f"--out {out}: there is no such folder; make it first")
    goal = GoalOptions(goal=wanted.goal, within_turns=wanted.within_turns).goal_table()
    seed = settings.seed or 0
    request = Request(load_ruleset(ruleset), seed, wanted.theme, wanted.grade, wanted.unique, goal)
    check(request)
    made, stopped, timed_out = _made(request, settings, wanted, many)
    found = [each for each in made if each.text][:number]
    files = {} if out is None else {each.id: str(out / f"{each.id}.toml") for each in found}
    for each in found if files else ():
        write_file(Path(files[each.id]), each.text)
    if files:
        settings.note(f"wrote {', '.join(files.values())}")
    if settings.json:
        ended: dict[str, Any] = {"complete": len(found) == number, "interrupted": stopped}
        settings.answer_json(generated_data(made, files, seed, **ended))
    elif files:
        settings.answer(draw(generated_rows(made, settings.style), settings.style))
    else:
        # What is answered here is a puzzle file, so that nothing else may come out.
        if found:
            settings.answer(found[0].text)
        settings.note(f"deals: {deals_text(made)}")
    if len(found) < number:
        more = "--time" if timed_out or stopped else "--tries"
        settings.warn(f"{len(found)} of {number} found; {more} allows more, and so does asking for less")
    raise typer.Exit(exit_code(interrupted=stopped, limit=len(found) < number))


def _made(request: Request, settings: Settings, wanted: PuzzleOptions, many: Many) -> tuple[list[Made], bool, bool]:
    """Return what became of the deals, in their order, until so many puzzles are there.

    Also whether the user stopped it, and whether the time was up.
    """
    from solver.executor import executor
    from solver.tools.generate import make

    made: list[Made] = []
    ids: set[str] = set()
    tell = telling(settings)
    until = None if settings.time_s is None or settings.deterministic else time() + settings.time_s
    try:
        with executor(settings.jobs(many.jobs), many.cluster) as where:
            for each in where.map(partial(make, request=request, until=until), range(wanted.tries)):
                if each.id not in ids or not each.id:
                    made.append(each)
                ids |= {each.id} if each.id else set()
                if tell is not None:
                    tell(f"deal {each.deal + 1}: {each.why_not or each.id}; {len(ids)} of {wanted.number} found")
                if len(ids) >= wanted.number:
                    return made, False, False
                if until is not None and time() >= until:
                    return made, False, True
                # Where answers must repeat, time is what the work would take.
                if until is None and settings.time_s is not None and sum(one.work_s for one in made) >= settings.time_s:
                    return made, False, True
    except KeyboardInterrupt:
        return made, True, False
    return made, False, False


COMMANDS = {
    "verify": verify,
    "puzzle": Group(
        "List, show, verify, rate and make puzzles.",
        {
            "list": puzzle_list,
            "show": puzzle_show,
            "verify": puzzle_verify,
            "rate": puzzle_rate,
            "generate": puzzle_generate,
        },
    ),
}
