"""The commands that measure puzzles and make new ones."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rules.core.errors import BestlineError
from solver.commands.answers import GOAL, WITHIN, GoalOptions
from solver.commands.exit_codes import exit_code
from solver.commands.many import Many
from solver.commands.settings import Settings, shared, telling, telling_search

if TYPE_CHECKING:
    from solver.generating import Made, Request

RATE_S = 30.0
"""Seconds for a rating where no time is given."""
TRIES = 300
"""Deals looked at where nothing else is said."""

ASKED = Annotated[
    str, typer.Argument(metavar="PUZZLE", help="An id of 'bestline puzzle list', a file, a position code, or -.")
]


@shared
def puzzle_rate(puzzle: ASKED, settings: Settings) -> None:
    """Measure a puzzle: solutions, only moves, decoys, near misses, themes, and a grade from 1 to 5."""
    from dataclasses import replace

    from puzzles.loader import Puzzle
    from solver.commands.answers import question_of, title_of
    from solver.commands.inputs import read_input
    from solver.rating import rate
    from solver.report import Status
    from solver.screens.rating import rating_data, rating_rows

    found = read_input(puzzle)
    position, goal = question_of(found, {})
    about = found if isinstance(found, Puzzle) else None
    limit = settings.limit if settings.time_s is not None else replace(settings.limit, time_s=RATE_S)
    settings.detail(f"searching {position.code}")
    rating = rate(position, goal, limit, telling_search(settings))
    stated = about.difficulty if about else None
    settings.show(
        lambda: rating_data(position, goal, rating, stated, name=about.id if about else ""),
        lambda style: rating_rows(title_of(found), position, goal, rating, stated, style),
    )
    impossible = rating.report.status is Status.INFEASIBLE
    code = exit_code(interrupted=rating.interrupted, negative=impossible and not rating.open, limit=bool(rating.open))
    raise typer.Exit(code)


@shared
def puzzle_generate(
    settings: Settings,
    ruleset: Annotated[str, typer.Argument(metavar="RULESET", help="A name of 'bestline rules list', or a file.")],
    theme: Annotated[str, typer.Option("--theme", metavar="NAME", help="What the line has to turn on.")] = "",
    grade: Annotated[int | None, typer.Option("--grade", min=1, max=5, help="How hard it has to be.")] = None,
    unique: Annotated[
        bool, typer.Option("--unique/--any", help="Whether there has to be one solution only; it has to by itself.")
    ] = True,
    number: Annotated[int, typer.Option("--count", min=1, metavar="N", help="How many puzzles.")] = 1,
    tries: Annotated[int, typer.Option("--tries", min=1, metavar="N", help="Deals to look at, at most.")] = TRIES,
    goal: GOAL = None,
    within_turns: WITHIN = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Write a file for each; else the only one is the answer."),
    ] = None,
    *,
    many: Many,
) -> None:
    """Make new puzzles: dealt, solved, graded, brought down to what matters, verified."""
    from rules.core.ruleset import load_ruleset
    from solver.generating import Request, check
    from solver.render import draw
    from solver.screens.rating import deals_text, generated_data, generated_rows

    if number > 1 and out is None and not settings.json:
        raise typer.BadParameter("--count above 1 goes with --out DIR, where each gets a file, or with --json")
    if out is not None and not out.is_dir():
        raise BestlineError(f"--out {out}: there is no such folder; make it first")
    asked = GoalOptions(goal=goal, within_turns=within_turns).wanted()
    request = Request(load_ruleset(ruleset), settings.seed or 0, theme, grade, unique, asked)
    check(request)
    made, stopped, timed_out = _made(request, settings, number, tries, settings.jobs(many.jobs), many.cluster)
    found = [each for each in made if each.text][:number]
    files = {} if out is None else {each.id: str(_written(each, out)) for each in found}
    if files:
        settings.note(f"wrote {', '.join(files.values())}")
    if settings.json:
        ended: dict[str, Any] = {"complete": len(found) == number, "interrupted": stopped}
        settings.answer_json(generated_data(made, files, settings.seed or 0, **ended))
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


def _made(
    request: Request, settings: Settings, number: int, tries: int, jobs: int, cluster: str
) -> tuple[list[Made], bool, bool]:
    """Return what became of the deals, in their order, until so many puzzles are there.

    Also whether the user stopped it, and whether the time was up.
    """
    from solver.executor import executor
    from solver.generating import make

    made: list[Made] = []
    ids: set[str] = set()
    tell = telling(settings)
    until = None if settings.time_s is None or settings.deterministic else time() + settings.time_s
    try:
        with executor(jobs, cluster) as where:
            for each in where.map(partial(make, request=request, until=until), range(tries)):
                if each.id not in ids or not each.id:
                    made.append(each)
                ids |= {each.id} if each.id else set()
                if tell is not None:
                    tell(f"deal {each.deal + 1}: {each.why_not or each.id}; {len(ids)} of {number} found")
                if len(ids) >= number:
                    return made, False, False
                if until is not None and time() >= until:
                    return made, False, True
                # Where answers must repeat, time is what the work would take.
                if until is None and settings.time_s is not None and sum(one.work_s for one in made) >= settings.time_s:
                    return made, False, True
    except KeyboardInterrupt:
        return made, True, False
    return made, False, False


def _written(made: Made, folder: Path) -> Path:
    """Write the file of a puzzle and return its path.

    Raises:
        BestlineError: it cannot be written.
    """
    from rules.core.output import write_file

    path = folder / f"{made.id}.toml"
    write_file(path, made.text)
    return path
