"""The command that plays whole races."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from solver.commands.answers import TARGET
from solver.commands.exit_codes import exit_code
from solver.commands.settings import Settings, is_screen, shared, telling

if TYPE_CHECKING:
    from rules.core.position import Position
    from rules.core.registry import Ruleset


@shared
def simulate(
    settings: Settings,
    start: Annotated[
        str, typer.Argument(metavar="RULESET-or-STATE", help="Rules to deal from anew each game, or one position.")
    ],
    games: Annotated[int, typer.Option("--games", min=1, metavar="N", help="How many games each player plays.")] = 10,
    players: Annotated[
        list[str] | None,
        typer.Option(
            "--player", metavar="NAME", help="best, plain, greedy or random; may be repeated, all when left out."
        ),
    ] = None,
    move_time: Annotated[
        float | None, typer.Option("--move-time", min=0.01, metavar="SECONDS", help="What best may spend on a move.")
    ] = None,
    playouts: Annotated[
        int | None,
        typer.Option(
            "--playouts", min=1, metavar="N", help="Likewise, as a number of playouts: the same on every machine."
        ),
    ] = None,
    most_turns: Annotated[int, typer.Option("--turns", min=1, metavar="N", help="Give a race up after so many.")] = 250,
    target: TARGET = None,
    jobs: Annotated[int, typer.Option("--jobs", min=1, metavar="N", help="Processes that play games.")] = 1,
) -> None:
    """Play hidden races: the adviser against plain ways to play."""
    from solver.screens.simulate import simulation_answer, simulation_rows
    from solver.simulate import Effort
    from solver.simulate import simulate as races

    if move_time is not None and (playouts is not None or settings.deterministic):
        raise typer.BadParameter("--move-time goes neither with --playouts nor with --deterministic")
    effort = Effort(time_s=move_time) if playouts is None else Effort(playouts=playouts)
    seed = settings.seed or 0
    begin = _start(start)
    settings.detail(f"playing {games} games")
    found = races(
        begin,
        list(dict.fromkeys(players or ())),
        games,
        effort,
        target=target,
        most_turns=most_turns,
        seed=seed,
        limit=settings.limit,
        jobs=settings.jobs(jobs),
        told=_progress(settings, games),
    )
    timed = not settings.deterministic
    settings.show(
        lambda: simulation_answer(found, effort, seed, timed=timed),
        lambda style: simulation_rows(found, effort, seed, style, timed=timed),
    )
    raise typer.Exit(exit_code(interrupted=found.interrupted, limit=len(found.games) < games))


def _start(text: str) -> Ruleset | Position:
    """Return the ruleset or the position that an argument stands for.

    Raises:
        BestlineError: it is neither, or faulty; every fault is told.
    """
    from solver.commands.inputs import named_ruleset, read_position

    return named_ruleset(text) or read_position(text)


def _progress(settings: Settings, games: int) -> Callable[[int, str, int, int], None] | None:
    """Return what tells on a terminal which race is on."""
    tell = telling(settings) if is_screen(sys.stderr) else None
    if tell is None:
        return None

    def told(number: int, player: str, turns: int, progress: int) -> None:
        tell(f"game {number + 1} of {games}: {player}, turn {turns}, at {progress}")

    return told


COMMANDS = {"simulate": simulate}
