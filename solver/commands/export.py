"""The command that makes something to share of a position or of an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from rules.core.errors import BestlineError
from solver.commands.settings import Settings, shared

if TYPE_CHECKING:
    from solver.export import Shared

FORMS = ("json", "md", "html", "svg", "dot", "graphml", "mermaid")


@shared
def export(
    what: Annotated[
        str,
        typer.Argument(
            metavar="STATE-or-PLAN",
            help="File, position code, puzzle id, a recorded game, or an answer of --json; or -.",
        ),
    ],
    settings: Settings,
    form: Annotated[str, typer.Option("--to", metavar="|".join(FORMS), help="What to make of it.")] = "md",
    turns: Annotated[int, typer.Option("--turns", min=1, help="Graphs of a position: turns looked ahead.")] = 1,
) -> None:
    """Make something to share: text, a page, a picture or a graph."""
    if form not in FORMS:
        raise typer.BadParameter(f"'{form}' is no form; one of: {', '.join(FORMS)}", param_hint="--to")
    found = _read(what)
    if form == "json":
        settings.answer_json(dict(found.answer) or found.position.canonical())
        return
    from solver.export import drawn

    settings.answer(drawn(found, form, turns, settings.limit))


def _read(what: str) -> Shared:
    """Return what an argument stands for: an answer, a recorded game, a puzzle or a position.

    Raises:
        BestlineError: it cannot be read.
    """
    from solver.commands.inputs import read_plan
    from solver.export import shared_plan, shared_position

    found, line, answer = read_plan(what)
    if line is None:
        return shared_position(found)
    if not line and answer:
        raise BestlineError(f"{what}: this answer has no line to share; export its position instead")
    try:
        return shared_plan(found, line, answer)
    except BestlineError as fault:
        raise BestlineError(f"{what}: {fault}") from fault


COMMANDS = {"export": export}
