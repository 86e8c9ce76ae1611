"""Commands about one decision at the table: how likely a card comes through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from solver.commands.answers import HEADING
from solver.commands.settings import LIMIT_HIT, PROVED_OR_CLEAN, Settings, shared

if TYPE_CHECKING:
    from rules.core.position import Position

STATE = Annotated[str, typer.Argument(metavar="STATE", help="File, puzzle id, position code, or - for standard input.")]


@shared
def risk(
    settings: Settings,
    state: STATE,
    cards: Annotated[list[str] | None, typer.Argument(metavar="[CARD]...", help="All that can be begun now.")] = None,
    table: Annotated[bool, typer.Option("--table", help="Show also what more cards in hand would change.")] = False,
) -> None:
    """Tell the exact chance that each risk card comes through."""
    from solver.commands.inputs import read_position
    from solver.odds_screen import risk_answer, risk_rows
    from solver.render import draw
    from solver.risk import risks

    position: Position = read_position(state)
    found = risks(position, cards or (), settings.limit, table=table)
    if settings.json:
        settings.answer_json(risk_answer(position, found))
    else:
        settings.answer(draw(risk_rows(position, found, settings.style), settings.style))
    raise typer.Exit(PROVED_OR_CLEAN if all(each.exact for each in found) else LIMIT_HIT)


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command("risk", rich_help_panel=HEADING)(risk)
