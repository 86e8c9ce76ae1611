"""The command that plays whole races."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from solver.commands.answers import TARGET
from solver.commands.process import exit_code
from solver.commands.settings import Settings, shared


@dataclass(frozen=True, slots=True, kw_only=True)
class Races:
    """What the options say about the races."""

    games: Annotated[int, typer.Option("--games", min=1, metavar="N", help="How many games each player plays.")] = 10
    players: Annotated[
        list[str] | None,
        typer.Option(
            "--player", metavar="NAME", help="best, plain, greedy or random; may be repeated, all when left out."
        ),
    ] = None
    move_time: Annotated[
        float | None, typer.Option("--move-time", min=0.01, metavar="SECONDS", help="What best may spend on a move.")
    ] = None
    playouts: Annotated[
        int | None,
        typer.Option(
            "--playouts", min=1, metavar="N", help="Likewise, as a number of playouts: the same on every machine."
        ),
    ] = None
    most_turns: Annotated[int, typer.Option("--turns", min=1, metavar="N", help="Give a race up after so many.")] = 250
    target: TARGET = None
    jobs: Annotated[int, typer.Option("--jobs", min=1, metavar="N", help="Processes that play games.")] = 1


@shared
def simulate(
    settings: Settings,
    start: Annotated[
        str, typer.Argument(metavar="RULESET-or-STATE", help="Rules to deal from anew each game, or one position.")
    ],
    *,
    races: Races,
) -> None:
    """Play hidden races: the adviser against plain ways to play."""
    from solver.commands.inputs import named_ruleset, read_position
    from solver.screens.simulate import simulation_answer, simulation_rows
    from solver.tools.simulate import PLAYOUTS, Request
    from solver.tools.simulate import simulate as played

    if races.move_time is not None and (races.playouts is not None or settings.deterministic):
        raise typer.BadParameter("--move-time goes neither with --playouts nor with --deterministic")
    settings.detail(f"playing {races.games} games")
    request = Request(
        start=named_ruleset(start) or read_position(start),
        players=tuple(dict.fromkeys(races.players or ())),
        games=races.games,
        playouts=races.playouts or PLAYOUTS,
        move_s=races.move_time,
        target=races.target,
        most_turns=races.most_turns,
        seed=settings.seed or 0,
    )
    found = played(request, settings.limit, jobs=settings.jobs(races.jobs))
    settings.show(lambda: simulation_answer(found), lambda style: simulation_rows(found, style))
    raise typer.Exit(exit_code(interrupted=found.interrupted, limit=len(found.games) < races.games))


COMMANDS = {"simulate": simulate}
