"""Commands that show what is: positions, moves, steps and counts, and something to share of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, Literal, NamedTuple

import typer

from puzzles.puzzle import Puzzle
from rules.core.code import decoded_position
from rules.core.errors import BestlineError, ContentError, Fault, capitalised, counted, escaped
from rules.core.files import Faults, looks_like_code
from rules.core.position import Position, new_position
from rules.core.ruleset import load_ruleset
from rules.core.scripts import CHANCE, OVER, UNKNOWN, Event, in_words, known
from rules.core.tools.output import picked
from rules.core.turns import Game, divide, turn_by_turn
from solver.commands.line_input import Many, run_batch
from solver.commands.question import RULESET, STATE, read_given, read_position, steps_under
from solver.commands.settings import Exit, Settings, Shown, argument, exit_code, option
from solver.render import EMPTY, Row
from solver.screens.common import count, events_data, facts_rows, option_rows, position_rows, step_rows, table_rows
from solver.search.budget import Budget, BudgetExceeded


class Check(NamedTuple):
    """What was found out about a file."""

    subject: str
    faults: Sequence[Fault]
    doubts: Sequence[Fault] = ()
    """What is allowed and hardly meant so."""
    inferred: Mapping[str, str] = {}
    """What stands for what it leaves out, in words, by key."""

    @property
    def code(self) -> int:
        """Return the exit code.

        A fault without a key is about the whole file: it could not be read, and there is no answer about its content.
        """
        if not self.faults:
            return Exit.PROVED_OR_CLEAN
        return Exit.NEGATIVE if any(fault.key for fault in self.faults) else Exit.BAD_INPUT

    def json(self) -> dict[str, Any]:
        """Return it as JSON."""
        faults, doubts = (
            [picked(each, "file", "line", "key", "message") for each in those] for those in (self.faults, self.doubts)
        )
        more = {"doubts": doubts, "inferred": dict(self.inferred)}
        found = {"subject": self.subject, "ok": not faults, "faults": faults}
        return found | {name: each for name, each in more.items() if each}


def checked(checks: Sequence[Check], settings: Settings) -> Shown:
    """Return whether things are sound, with every fault; several are one answer. Doubts are notes."""
    lines = [str(fault) for each in checks for fault in each.faults or (f"{escaped(each.subject)}: no fault",)]
    lines += [f"{key}, left out: {words}" for each in checks for key, words in each.inferred.items()]
    for doubt in (doubt for each in checks for doubt in each.doubts if not settings.json):
        settings.note(f"doubtful: {doubt}")
    data = {"ok": not any(each.faults for each in checks), "checked": [each.json() for each in checks]}
    return Shown(data if len(checks) > 1 else checks[0].json(), "\n".join(lines), max(each.code for each in checks))


def left_out(source: str) -> dict[str, str]:
    """Return the cards that stand for what a file or a code of a position leaves out, in words, by key.

    Raises:
        BestlineError: it cannot be read; every fault is named.
    """
    given, code = read_given(source), "".join(source.split())
    found = given.posed(whole=True)
    data = decoded_position(code)[0] if given.read is None and looks_like_code(code) else {}
    state = (data if given.read is None else given.read.data).get("state")
    position = found.position if isinstance(found, Puzzle) else found
    decks: Mapping[str, Any] = position.ruleset.raw.get("decks", {})
    return dict(_left_out(state, position.state, "state", decks)) if isinstance(state, Mapping) else {}


def _left_out(given: Any, complete: Any, key: str, decks: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if isinstance(complete, Mapping) and isinstance(given, Mapping):
        for name, value in complete.items():
            if name in given:
                yield from _left_out(given[name], value, f"{key}.{name}", decks)
            elif words := _cards_in(value, [deck for deck, each in decks.items() if each.get("role") == name]):
                unknown = complete.get("hand", ()).count(UNKNOWN) if name == "deck" else 0
                yield f"{key}.{name}", words + (f"; {unknown} of them in the hand" if unknown else "")
    elif isinstance(given, Mapping) and isinstance(complete, Sequence):
        if (more := sum(map(bool, complete)) - sum(map(bool, given.values()))) > 0:
            yield key, f"{counted(more, 'more place')}, as dealt"
    elif isinstance(given, list) and isinstance(complete, Sequence):
        for place, (part, whole) in enumerate(zip(given, complete, strict=False)):
            # What is kept in order may stand elsewhere in the file: its id tells.
            is_same = isinstance(part, Mapping) and all(
                part.get(name, value) == value for name, value in whole.items() if isinstance(value, str)
            )
            if is_same:
                yield from _left_out(part, whole, f"{key}[{place}]", decks)


def _cards_in(zone: Any, decks: Sequence[str] = ()) -> str:
    """Return a zone in words: cards, ``decks`` of them, or what lies at places; empty where there is none."""
    if isinstance(zone, Mapping):
        return "; ".join(f"{name} {words}" for name, part in zone.items() if (words := _cards_in(part)))
    zone = [each for each in zone if each != "none"] if isinstance(zone, list | tuple) else ()
    if not zone:
        return ""
    if isinstance(zone[0], str):
        return f"{counted(len(zone), 'card')}: {in_words(zone)}" if known(zone) else in_words(zone)
    if isinstance(zone[0], Mapping):
        return ", ".join(card for each in zone for card in each.values() if isinstance(card, str))
    names = [f"{deck} " for deck in decks] or [""] * len(zone)
    sizes = [f"{name}{len(part)}" for name, part in zip(names, zone, strict=False) if isinstance(part, Sequence)]
    return f"{', '.join(sizes)} cards" if sizes else ""


def position_show(state: str = STATE) -> Shown:
    """Show a position: as a table for people, as its canonical form with --json."""
    position = read_position(state)
    return Shown(position.text(), position_rows(position))


def position_check(settings: Settings, state: str = STATE) -> Shown:
    """Tell every fault of a position; exit code 1 if it has any, 2 if it cannot be read at all."""
    try:
        inferred = left_out(state)
    except ContentError as error:
        return checked([Check(state, error.faults)], settings)
    return checked([Check(state, (), inferred=inferred)], settings)


def position_encode(state: str = STATE) -> Shown:
    """Print the one-line code of a position."""
    code = read_position(state).code
    return Shown({"position_code": code}, code)


def position_new(
    settings: Settings,
    ruleset: str = RULESET,
    players: int | None = option("How many play; as many as is usual when left out.", min=1),
    known: str = option("Chance known in advance: all, none, or deck,weather,…", "all", "--open", metavar="SOURCES"),
) -> Shown:
    """Print a starting position to save and edit; --seed deals another one."""
    wanted = None if known == "all" else () if known == "none" else [part.strip() for part in known.split(",")]
    rules = load_ruleset(ruleset)
    seats = rules.definition.players_allowed(rules).usual if players is None else players
    position = new_position(rules, seats, settings.seed or 0, wanted)
    return Shown(position.text(), position.to_toml())


def moves(state: str = STATE) -> Shown:
    """List the moves, or the outcomes of chance, that are open now."""
    game, now = read_position(state).start()
    actor, moves, chance = game.to_act(now), game.legal_moves(now), game.chance_outcomes(now)
    answer = {
        "to_act": {CHANCE: "chance", OVER: "over"}.get(actor, f"player:{actor}"),
        "moves": [move.text for move in moves],
        "chance": [{"outcome": each.text, "probability": str(each.probability)} for each in chance],
    }
    who = f"{capitalised(game.profile.seat_name(actor))} has" if game.players > 1 else "You have"
    rows = [Row(f"{who} {count(len(moves), 'move')}", look="title"), *option_rows(game, now, moves)]
    if actor == CHANCE:
        rows = [Row(f"chance has {count(len(chance), 'outcome')}", look="title")]
        rows += [Row(each.text, right=str(each.probability), indent=2) for each in chance]
    return Shown(answer, [Row("the game is over")] if actor == OVER else rows)


def apply(
    state: str = STATE,
    move: str = argument("MOVE", "A move or an outcome of chance; several joined by ';'."),
) -> Shown:
    """Take steps; show what the rules did and where that leads."""
    position = read_position(state)
    game, now = position.start()
    taken: list[tuple[str, tuple[Event, ...]]] = []
    for text in filter(None, map(str.strip, move.split(";"))):
        step = game.parse_step(now, text)
        now, events = game.apply(now, step)
        taken.append((step.text, events))
    if not taken:
        raise typer.BadParameter("give at least one move", param_hint="MOVE")
    after = position.after(now)
    told = [each for _, events in taken for each in events_data(game, events)]
    data = {"position": after.canonical(), "events": told, "position_code": after.code}
    return Shown(data, steps_rows(game, taken, after))


COUNTS: Final = ("turns", "positions", "lines", "terminal", "digest")


def perft(
    settings: Settings,
    *,
    state: str | None = argument("STATE", "As for 'moves'; not with --batch.", None),
    batch: str | None = option("One position a line, with 'turns' of its own or --turns.", metavar="FILE"),
    turns: int | None = option("How many turns to look ahead.", min=0, metavar="N"),
    listed: bool = option("Print every position, one canonical form a line.", False, "--list"),
    divided: bool = option("Count behind each first move.", False, "--divide"),
    many: Many,
) -> Shown | int:
    """Count the distinct positions after N more turns."""
    counted = partial(_counts, usual=turns, limit=settings.limit, listed=listed, divided=divided)
    if batch is not None:
        return run_batch(batch, state, many, settings, counted)
    if state is None or turns is None:
        raise typer.BadParameter("give a STATE and --turns N, or --batch FILE")
    if listed and divided and not settings.json:
        raise typer.BadParameter("--list and --divide are two screens; leave one of them out, or take both with --json")
    answer = counted(read_position(state), {})
    code = exit_code(interrupted=answer.get("interrupted", False), limit="asked" in answer)
    if "asked" in answer:
        settings.warn(f"counted {answer['turns']} of {turns} turns before it was stopped")
    rows = facts_rows([*((name, f"{answer[name]:,}") for name in COUNTS[:-1]), ("digest", answer["digest"])])
    if "divide" in answer:
        rows += [EMPTY, *(Row(move, right=f"{part['positions']:,}") for move, part in answer["divide"].items())]
    return Shown(answer, "\n".join(answer["list"]) if listed else rows, code)


def _counts(
    found: Puzzle | Position, line: Mapping[str, Any], usual: int | None, limit: Budget, *, listed: bool, divided: bool
) -> dict[str, Any]:
    """Return the counts of a position as JSON, or of a line of a batch: the ``usual`` turns unless it says others.

    Where it is stopped, they are those of the whole turns that there was time for, and ``asked`` is the number wanted.
    """
    turns = line.get("turns", usual)
    if turns is None and "turns" not in line:
        raise BestlineError('turns: missing; say how many to look ahead, such as "turns": 2, or with --turns')
    if isinstance(turns, bool) or not isinstance(turns, int) or turns < 0:
        raise BestlineError(f"turns: must be a whole number of at least 0, not {json.dumps(turns)}")
    game, now = (found.position if isinstance(found, Puzzle) else found).start()
    look = limit.start().check
    counts = next(turn_by_turn(game, now, 0))
    more: dict[str, Any] = {}
    try:
        for so_far in turn_by_turn(game, now, turns, look):
            counts = so_far
        if divided and turns and (parts := divide(game, now, turns, look)):
            more["divide"] = {text: picked(part, *COUNTS) for text, part in parts.items()}
    except (BudgetExceeded, KeyboardInterrupt) as stop:
        more = {"asked": turns, "interrupted": isinstance(stop, KeyboardInterrupt)}
    if listed:
        more["list"] = list(counts.texts)
    return {**picked(counts, *COUNTS), **more}


def export(
    settings: Settings,
    what: str = argument(
        "STATE-or-PLAN", "File, position code, puzzle id, a recorded game, or an answer of --json; or -."
    ),
    form: Literal["json", "md", "html", "svg", "dot", "graphml", "mermaid"] | None = option(
        "What to make of it: md, or json with --json, where nothing is said.", None, "--to"
    ),
    turns: int = option("Graphs of a position: turns looked ahead.", 1, min=1),
) -> Shown:
    """Make something to share: text, a page, a picture or a graph."""
    from solver.tools.export import check_answer, drawn, shared_plan, shared_position

    given = read_given(what)
    line, answer = given.steps, dict[str, Any]()
    form = form or ("json" if settings.json else "md")
    # What has both keys is an answer, damaged or not, and no position.
    if given.read is not None and {"position_code", "line"} <= given.read.data.keys() and "game" not in given.read.data:
        faults = Faults(given.read.fault)
        check_answer(given.read.data, (), faults)
        faults.raise_any()
        line, answer = steps_under("line", given.read), dict(given.read.data)
    if answer and not line:
        raise BestlineError(f"{what}: this answer has no line to share; export its position instead")
    try:
        shared = shared_position(given.question) if line is None else shared_plan(given.question, line, answer)
        whole = answer or shared.position.canonical()
        text = json.dumps(whole) if form == "json" else drawn(shared, form, turns, settings.limit)
    except BestlineError as fault:
        raise BestlineError(f"{what}: {fault}") from fault
    return Shown(text, text)


def steps_rows(game: Game[Any], taken: Sequence[tuple[str, Sequence[Event]]], after: Position) -> list[Row]:
    """Return what the rules did because of some steps, with the rules' numbers, and the position they led to."""
    rows = [row for text, events in taken for row in step_rows(game, text, events)]
    return [*rows, EMPTY, *table_rows(after), *facts_rows([("code", after.code)])]
