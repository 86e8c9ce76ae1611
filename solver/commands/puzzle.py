"""The commands about puzzles and proofs: listed, shown, verified, rated, made."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import monotonic, time
from typing import TYPE_CHECKING, Any

import typer

from puzzles.puzzle import Puzzle, library, load_puzzle, puzzle_tables
from rules.core.errors import BestlineError, escaped
from rules.core.ruleset import load_ruleset
from rules.core.tools.output import picked, write_file
from solver.commands.line_input import Many
from solver.commands.question import GOAL, WITHIN, GoalOptions, observed, own_goal, read_given
from solver.commands.settings import Settings, Shown, argument, exit_code, option
from solver.question import Question, Status
from solver.render import table
from solver.screens import puzzles as screens
from solver.screens.common import SCHEMA

if TYPE_CHECKING:
    from solver.tools.generate import Made, Request


def verify(
    settings: Settings,
    certificate: Path = argument(
        "CERTIFICATE", "A file of 'bestline solve --proof' or of 'bestline audit --json', or -."
    ),
) -> Shown:
    """Check a certificate, or the witnesses of an audit, by the rules.

    The exit code is 1 if one fails.
    """
    from solver.checker.certificate import LONGEST, check, opened
    from solver.checker.check import Rejected, goal_data
    from solver.checker.layers import TooLarge

    name = escaped(str(certificate))
    with opened(certificate) as proof:
        if isinstance(proof, Mapping):
            return _witnesses(name, proof, settings)
        try:
            found = check(proof, settings.left_s)
        except (Rejected, TooLarge) as fault:
            failed, reason = isinstance(fault, Rejected), escaped(str(fault)[:LONGEST])
            data: dict[str, Any] = {"file": name, "ok": False if failed else None, "reason": reason}
            return Shown(data, f"{'FAILS' if failed else 'open'}  {reason}", exit_code(negative=failed, limit=True))
    position = found.position
    data = {
        "file": name,
        "ok": True,
        "ruleset": position.ruleset.id,
        "fingerprint": position.fingerprint,
        "goal": goal_data(found.goal),
        "options": dict(position.options),
        "status": found.status,
        "value": found.goal.in_rounds(found.value),
        **picked(found, "turns", "positions", "relies"),
        "digest": found.seal,
        "position_code": position.code,
    }
    return Shown(data, screens.certificate_rows(found))


def _witnesses(name: str, audited: Mapping[str, Any], settings: Settings) -> Shown:
    from solver.checker.check import check_witnesses

    until = None if settings.left_s is None else monotonic() + settings.left_s
    checked, in_time = [], True
    for each in check_witnesses(audited):
        checked.append(each)
        in_time = until is None or monotonic() < until
        if not in_time:
            break
    ok = False if not all(each.ok for each in checked) else True if in_time else None
    witnesses = [{"id": each.id, "ok": each.ok, "text": each.words} for each in checked]
    rows = screens.witness_rows(checked, len(audited["findings"]), complete=in_time)
    code = exit_code(negative=ok is False, limit=ok is None)
    return Shown({"file": name, "ok": ok, "witnesses": witnesses}, rows, code)


def puzzle_list(settings: Settings) -> Shown:
    """List the puzzles that come along, the easiest of each game first."""
    puzzles = [load_puzzle(each) for each in library()]
    data = {"puzzles": list(map(screens.puzzle_data, puzzles))} if settings.json else None
    return Shown(data, screens.list_rows(puzzles))


PUZZLE = argument("PUZZLE", "An id of 'bestline puzzle list', or a file.")


def puzzle_show(puzzle: str = PUZZLE) -> Shown:
    """Show a puzzle, without its solution."""
    found = load_puzzle(puzzle)
    question = puzzle_tables(replace(found, solution=None))
    data = {**screens.puzzle_data(found), "position": found.position.canonical(), "question": question}
    return Shown(data, screens.puzzle_rows(found))


def puzzle_verify(
    settings: Settings,
    puzzle: list[str] | None = argument("PUZZLE", "Ids or files; the whole library when left out.", None),
    certificate: Path | None = option("Check this proof of the one puzzle; search nothing again.", metavar="FILE"),
    *,
    many: Many,
) -> Shown:
    """Check solutions again: replay the line, and prove the value anew."""
    from solver.checker.certificate import opened
    from solver.executor import executor
    from solver.tools.puzzle import Verdict, verify_puzzle

    if certificate is not None and len(puzzle or ()) != 1:
        raise typer.BadParameter("--certificate goes with exactly one PUZZLE")
    asked = [load_puzzle(each) for each in puzzle or library()]
    if not puzzle:
        unsolved = [each.id for each in asked if each.solution is None]
        asked = [each for each in asked if each.solution is not None]
        if unsolved:
            settings.note(f"nothing to verify in {', '.join(unsolved)}: no solution is stated")
    verdicts, stopped = list[Verdict](), False
    given = nullcontext() if certificate is None else opened(certificate)
    try:
        with given as proof, executor(settings.jobs(many.jobs), many.cluster) as where:
            if isinstance(proof, Mapping):
                raise BestlineError(f"--certificate {certificate}: the answer of an audit is no certificate")
            for verdict in where.map(partial(verify_puzzle, limit=settings.limit, certificate=proof), asked):
                verdicts.append(verdict)
                if verdict.report is not None and verdict.report.interrupted:
                    raise KeyboardInterrupt
    except KeyboardInterrupt:
        settings.warn(f"{len(asked) - len(verdicts)} of {len(asked)} not looked at")
        stopped = True
    found = [each.ok for each in verdicts]
    data = {"puzzles": [{"id": each.id, "ok": each.ok, "reason": each.reason} for each in verdicts]}
    code = exit_code(interrupted=stopped, negative=False in found, limit=None in found)
    words = {True: "holds", False: "FAILS", None: "open"}
    return Shown(data, table([(words[each.ok], each.id, each.reason) for each in verdicts]), code)


RATE_S = 30.0
"""Seconds for a rating where no time is given."""
TRIES = 300
"""Deals looked at where nothing else is said."""


def puzzle_rate(
    settings: Settings,
    puzzle: str = argument("PUZZLE", "An id of 'bestline puzzle list', a file, a position code, or -."),
) -> Shown:
    """Measure a puzzle: solutions, only moves, decoys, themes, and a grade from 1 to 5."""
    from solver.engines.answers import solve
    from solver.tools.puzzle import rate

    found = read_given(puzzle).posed()
    position, goal = own_goal(found, {})
    stated, name = (found.difficulty, found.id) if isinstance(found, Puzzle) else (None, "")
    budget = settings.limit_of(RATE_S).start()
    report = solve(position, goal, budget, observed(settings, Question(position, goal)).on_progress)
    rating = rate(position, goal, report, budget)
    rows = screens.rating_rows(getattr(found, "title", ""), position, goal, rating, stated)
    impossible = rating.report.status is Status.INFEASIBLE
    code = exit_code(interrupted=rating.interrupted, negative=impossible and not rating.open, limit=bool(rating.open))
    return Shown(screens.rating_data(position, goal, rating, stated, name=name), rows, code)


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleOptions:
    """What the options say about new puzzles."""

    theme: str = option("What the line has to turn on.", "", metavar="NAME")
    grade: int | None = option("How hard it has to be.", min=1, max=5)
    unique: bool = option("Whether there has to be one solution only; it has to by itself.", True, "--unique/--any")
    number: int = option("How many puzzles.", 1, "--count", min=1, metavar="N")
    tries: int = option("Deals to look at, at most.", TRIES, min=1, metavar="N")
    goal: str | None = GOAL
    within_turns: int | None = WITHIN
    out: Path | None = option("Write a file for each; else the only one is the answer.", metavar="DIR")


def puzzle_generate(
    settings: Settings,
    ruleset: str = argument("RULESET", "A name of 'bestline rules list', or a file."),
    *,
    wanted: PuzzleOptions,
    many: Many,
) -> int:
    """Make new puzzles: dealt, solved, graded, brought down to what matters, verified."""
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
    if settings.json or files:
        data = {
            "schema": SCHEMA,
            "command": "puzzle generate",
            "seed": seed,
            "deals": len(made),
            "puzzles": [
                {"id": each.id, "deal": each.deal, **(each.facts or {}), "file": files.get(each.id), "text": each.text}
                for each in made
                if each.text
            ],
            "left_out": screens.why_not(made),
            "complete": len(found) == number,
            "interrupted": stopped,
        }
        settings.show(Shown(data, screens.generated_rows(made)))
    else:
        # What is answered here is a puzzle file, so that nothing else may come out.
        if found:
            settings.answer(found[0].text)
        settings.note(f"deals: {screens.deals_text(made)}")
    if len(found) < number:
        more = "--time" if timed_out or stopped else "--tries"
        settings.warn(f"{len(found)} of {number} found; {more} allows more, and so does asking for less")
    return exit_code(interrupted=stopped, limit=len(found) < number)


def _made(request: Request, settings: Settings, wanted: PuzzleOptions, many: Many) -> tuple[list[Made], bool, bool]:
    """Return what became of the deals, in their order, until so many puzzles are there.

    Also whether the user stopped it, and whether the time was up.
    """
    from solver.executor import executor
    from solver.tools.generate import Made, make

    made, ids, stopped = list[Made](), set[str](), False
    budget = settings.limit.start()
    until = None if settings.time_s is None or settings.deterministic else time() + settings.time_s
    try:
        with executor(settings.jobs(many.jobs), many.cluster) as where:
            for each in where.map(partial(make, request=request, until=until), range(wanted.tries)):
                if each.id not in ids or not each.id:
                    made.append(each)
                ids |= {each.id} if each.id else set()
                settings.report(f"deal {each.deal + 1}: {each.why_not or each.id}; {len(ids)} of {wanted.number} found")
                budget.spend(each.work_s)
                if len(ids) >= wanted.number or budget.is_over:
                    break
    except KeyboardInterrupt:
        stopped = True
    return made, stopped, budget.is_over
