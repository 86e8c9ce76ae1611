"""The command that plays whole races."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import typer

from solver.commands.answers import TARGET
from solver.commands.process import exit_code
from solver.commands.settings import Settings, is_screen, shared, telling


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
    from solver.tools.simulate import Effort, Request
    from solver.tools.simulate import simulate as played

    if races.move_time is not None and (races.playouts is not None or settings.deterministic):
        raise typer.BadParameter("--move-time goes neither with --playouts nor with --deterministic")
    effort = Effort(time_s=races.move_time) if races.playouts is None else Effort(playouts=races.playouts)
    players, seed = tuple(dict.fromkeys(races.players or ())), settings.seed or 0
    begin = named_ruleset(start) or read_position(start)
    settings.detail(f"playing {races.games} games")
    request = Request(begin, players, races.games, effort, races.target, races.most_turns, seed)
    found = played(request, settings.limit, jobs=settings.jobs(races.jobs), on_turn=_progress(settings, races.games))
    timed = not settings.deterministic
    settings.show(
        lambda: simulation_answer(found, effort, seed, timed=timed),
        lambda style: simulation_rows(found, effort, seed, style, timed=timed),
    )
    raise typer.Exit(exit_code(interrupted=found.interrupted, limit=len(found.games) < races.games))


def _progress(settings: Settings, games: int) -> Callable[[int, str, int, int], None] | None:
    """Return what tells on a terminal which race is on."""
    tell = telling(settings) if is_screen(sys.stderr) else None
    if tell is None:
        return None
    return lambda number, player, turns, at: tell(f"game {number + 1} of {games}: {player}, turn {turns}, at {at}")


COMMANDS = {"simulate": simulate}
