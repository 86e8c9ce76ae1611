"""Commands that show what is: positions, moves, steps and counts, and something to share of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from puzzles.loader import Puzzle
from rules.core.errors import BestlineError, ContentError
from rules.core.position import Position, new_position
from rules.core.ruleset import load_ruleset
from rules.core.steps import CHANCE, OVER, Event
from rules.core.turns import Perft, divide, turn_by_turn
from solver.commands.inputs import Check, answer_checks, read_plan, read_position, run_batch
from solver.commands.process import exit_code
from solver.commands.settings import RULESET, Group, Many, Settings, shared
from solver.render import draw
from solver.screens.common import counts_rows, moves_rows, position_rows, steps_rows
from solver.search.budget import BudgetExceeded

if TYPE_CHECKING:
    from solver.tools.export import Shared

STATE = Annotated[str, typer.Argument(metavar="STATE", help="File, position code, puzzle id, or - for standard input.")]


@shared
def show(state: STATE, settings: Settings) -> None:
    """Show a position: as a table for people, as its canonical form with --json."""
    position = read_position(state)
    settings.answer(position.text() if settings.json else draw(position_rows(position), settings.style))


@shared
def check(state: STATE, settings: Settings) -> None:
    """Tell every fault of a position; exit code 1 if it has any, 2 if it cannot be read at all."""
    try:
        read_position(state)
    except ContentError as error:
        raise typer.Exit(answer_checks([Check(state, error.faults)], settings)) from None
    answer_checks([Check(state, ())], settings)


@shared
def encode(state: STATE, settings: Settings) -> None:
    """Print the one-line code of a position."""
    code = read_position(state).code
    settings.say({"position_code": code}, code)


@shared
def new(
    ruleset: RULESET,
    settings: Settings,
    players: Annotated[
        int | None, typer.Option("--players", min=1, help="How many play; as many as is usual when left out.")
    ] = None,
    known: Annotated[
        str, typer.Option("--open", metavar="SOURCES", help="Chance known in advance: all, none, or deck,weather,…")
    ] = "all",
) -> None:
    """Print a starting position to save and edit; --seed deals another one."""
    wanted = None if known == "all" else () if known == "none" else [part.strip() for part in known.split(",")]
    rules = load_ruleset(ruleset)
    seats = rules.definition.usual_players if players is None else players
    position = new_position(rules, seats, settings.seed or 0, wanted)
    settings.answer(position.text() if settings.json else position.to_toml())


@shared
def moves(state: STATE, settings: Settings) -> None:
    """List the moves, or the outcomes of chance, that are open now."""
    position = read_position(state)
    game, now = position.start()
    actor = {CHANCE: "chance", OVER: "over"}.get(game.to_act(now), f"player:{game.to_act(now)}")
    answer = {
        "to_act": actor,
        "moves": [move.text for move in game.legal_moves(now)],
        "chance": [
            {"outcome": outcome.text, "probability": str(outcome.probability)} for outcome in game.chance_outcomes(now)
        ],
    }
    settings.show(lambda: answer, lambda _: moves_rows(answer))


@shared
def apply(
    state: STATE,
    move: Annotated[str, typer.Argument(metavar="MOVE", help="A move or an outcome of chance; several joined by ';'.")],
    settings: Settings,
) -> None:
    """Take steps; show what the rules did and where that leads."""
    from solver.screens.data import event_data

    position = read_position(state)
    game, now = position.start()
    taken: list[tuple[str, tuple[Event, ...]]] = []
    for text in filter(None, (part.strip() for part in move.split(";"))):
        step = game.parse_step(now, text)
        transition = game.apply(now, step)
        now = transition.state
        taken.append((step.text, transition.events))
    if not taken:
        raise typer.BadParameter("give at least one move", param_hint="MOVE")
    after = position.after(now)
    events = [event_data(event, game.sentence(event)) for _, told in taken for event in told]
    settings.show(
        lambda: {"position": after.canonical(), "events": events, "position_code": after.code},
        lambda _: steps_rows(game, taken, after),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting:
    """What the options say about counted positions."""

    turns: Annotated[int | None, typer.Option("--turns", min=0, metavar="N", help="How many turns to look ahead.")] = (
        None
    )
    listed: Annotated[bool, typer.Option("--list", help="Print every position, one canonical form a line.")] = False
    divide: Annotated[bool, typer.Option("--divide", help="Count behind each first move.")] = False


@shared
def perft(
    settings: Settings,
    state: Annotated[str | None, typer.Argument(metavar="STATE", help="As for 'moves'; not with --batch.")] = None,
    batch: Annotated[
        str | None,
        typer.Option("--batch", metavar="FILE", help="One position a line, with 'turns' of its own or --turns."),
    ] = None,
    *,
    counting: Counting,
    many: Many,
) -> None:
    """Count the distinct positions after N more turns."""
    counted = partial(_counts, settings=settings, counting=counting)
    if batch is not None:
        raise typer.Exit(run_batch(batch, state, many, settings, counted))
    if state is None or counting.turns is None:
        raise typer.BadParameter("give a STATE and --turns N, or --batch FILE")
    if counting.listed and counting.divide and not settings.json:
        raise typer.BadParameter("--list and --divide are two screens; leave one of them out, or take both with --json")
    answer = counted(read_position(state), {})
    if counting.listed:
        settings.say(answer, "\n".join(answer["list"]))
    else:
        settings.show(lambda: answer, lambda _: counts_rows(answer))
    if "asked" in answer:
        settings.warn(f"counted {answer['turns']} of {counting.turns} turns before it was stopped")
        raise typer.Exit(exit_code(interrupted=answer["interrupted"], limit=True))


def _counts(
    found: Puzzle | Position, line: Mapping[str, Any], *, settings: Settings, counting: Counting
) -> dict[str, Any]:
    """Return the counts of a position as JSON, or of a line of a batch, which may say how many turns.

    Where it is stopped, they are those of the whole turns that there was time for, and ``asked`` is the number wanted.
    """
    turns = _turns_of(line, counting.turns)
    position = found.position if isinstance(found, Puzzle) else found
    game, now = position.start()
    look = settings.limit.start().check
    counts = next(turn_by_turn(game, now, 0))
    stopped: dict[str, Any] = {}
    parts: dict[str, Perft] = {}
    try:
        for so_far in turn_by_turn(game, now, turns, look):
            counts = so_far
        if counting.divide and turns:
            parts = divide(game, now, turns, look)
    except (BudgetExceeded, KeyboardInterrupt) as stop:
        stopped = {"asked": turns, "interrupted": isinstance(stop, KeyboardInterrupt)}
    answer = {**_numbers(counts), **stopped}
    if parts:
        answer["divide"] = {text: _numbers(part) for text, part in parts.items()}
    if counting.listed:
        answer["list"] = list(counts.texts)
    return answer


def _numbers(counts: Perft) -> dict[str, Any]:
    return {name: getattr(counts, name) for name in ("turns", "positions", "lines", "terminal", "digest")}


def _turns_of(line: Mapping[str, Any], otherwise: int | None) -> int:
    """Return the number of turns that a line of a batch asks for, or those that are asked of lines which name none."""
    turns = line.get("turns", otherwise)
    if turns is None and "turns" not in line:
        raise BestlineError('turns: missing; say how many to look ahead, such as "turns": 2, or with --turns')
    if isinstance(turns, bool) or not isinstance(turns, int) or turns < 0:
        raise BestlineError(f"turns: must be a whole number of at least 0, not {json.dumps(turns)}")
    return turns


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
    form: Annotated[
        Literal["json", "md", "html", "svg", "dot", "graphml", "mermaid"],
        typer.Option("--to", help="What to make of it."),
    ] = "md",
    turns: Annotated[int, typer.Option("--turns", min=1, help="Graphs of a position: turns looked ahead.")] = 1,
) -> None:
    """Make something to share: text, a page, a picture or a graph."""
    found = _read(what)
    if form == "json":
        settings.answer_json(dict(found.answer) or found.position.canonical())
        return
    from solver.tools.export import drawn

    settings.answer(drawn(found, form, turns, settings.limit))


def _read(what: str) -> Shared:
    """Return what an argument stands for: an answer, a recorded game, a puzzle or a position.

    Raises:
        BestlineError: it cannot be read.
    """
    from solver.tools.export import shared_plan, shared_position

    found, line, answer = read_plan(what)
    if line is None:
        return shared_position(found)
    if not line and answer:
        raise BestlineError(f"{what}: this answer has no line to share; export its position instead")
    try:
        return shared_plan(found, line, answer)
    except BestlineError as fault:
        raise BestlineError(f"{what}: {fault}") from fault


COMMANDS = {
    "position": Group(
        "Make, show, check and encode positions.", {"new": new, "show": show, "check": check, "encode": encode}
    ),
    "moves": moves,
    "apply": apply,
    "perft": perft,
    "export": export,
}
