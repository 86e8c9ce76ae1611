"""What comes line by line: what a person types, a table entered by hand in such lines, and batches of questions."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from puzzles.puzzle import Puzzle
from rules.core.errors import BestlineError, ContentError, Fault, joined, word_list
from rules.core.files import MOST_BYTES, decoded, looks_like_code, read_text, unmarked
from rules.core.position import Position
from rules.core.registry import Ruleset
from rules.core.ruleset import list_rulesets, load_ruleset
from rules.core.tools.output import write_file
from solver.commands.question import given_in, named_ruleset
from solver.commands.settings import STDIO, Exit, Settings, begin, columns, hushed, option
from solver.render import draw, table, wrapped

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

    from solver.screens.answer import Answered
    from solver.tools.table_entry import TableEntry

LONGEST = 10_000
"""Bytes of a line that comes through a pipe."""
BACK = ("back", "<")
FEW = 8
"""Things of a kind that are named, where more are counted."""
CLUSTER = option("A Dask scheduler for them, such as tcp://host:8786.", "", metavar="ADDRESS")


@dataclass(frozen=True, slots=True, kw_only=True)
class Many:
    """Where many questions are answered."""

    jobs: int = option("Processes that share the work.", 1, min=1, metavar="N")
    cluster: str = CLUSTER


HELP = (
    "Enter leaves a question out: it is as at the start, or unknown. 'none' means there is nothing.",
    "Type names or how they begin, several at once as in the example. '?' lists what fits; 'back' goes back.",
)


class Terminal:
    """Where lines come from, one after the other."""

    def __init__(self) -> None:
        self.is_live = sys.stdin.isatty()
        """A person is there who sees what is asked."""
        self._pipe = iter(()) if self.is_live else self._piped()
        self._session: PromptSession[str] | None = None

    def line(self, prompt: str, words: Sequence[str] = (), above: Callable[[], str] | None = None) -> str:
        """Return the next line; at a terminal Tab completes it with one of the words.

        ``above`` gives the text of a line above the prompt, which is drawn anew as it changes.

        Raises:
            EOFError: there are no more.
            KeyboardInterrupt: Ctrl-C was typed.
            BestlineError: a line is too long.
        """
        if not self.is_live:
            for line in self._pipe:
                return line
            raise EOFError("no more lines")
        from prompt_toolkit.completion import WordCompleter

        self._session = self._session or _session()
        completer = WordCompleter(list(words), ignore_case=True, match_middle=True)

        def message() -> str:
            lines = [*("" if above is None else above()).splitlines(), prompt]
            return "\n".join(part for line in lines for part in wrapped(line, columns())) + " "

        return self._session.prompt(
            message, completer=completer, complete_while_typing=False, refresh_interval=0.5 if above else 0
        )

    def _piped(self) -> Iterator[str]:
        for line in unmarked(sys.stdin.buffer, "<stdin>"):
            if len(line) > LONGEST:
                raise BestlineError(f"<stdin>: a line of more than {LONGEST:,} bytes is no step or question")
            yield line.decode("utf-8", "backslashreplace")


def _session() -> PromptSession[str]:
    from prompt_toolkit import PromptSession

    # Otherwise it asks the terminal where the cursor is, which some leave unanswered.
    os.environ.setdefault("PROMPT_TOOLKIT_NO_CPR", "1")
    return PromptSession()


# A table: one question after the other, each answer read at once, and taken back where it is wrong


def entered(terminal: Terminal, settings: Settings) -> Position:
    """Return the position that a person enters, and write it to a new file in the working folder.

    Raises:
        BestlineError: the lines end too soon; what was entered is written all the same.
    """
    entry: TableEntry | None = None
    try:
        entry = _begun(terminal, settings)
        while (question := entry.now) is not None:
            words = question.words()
            typed = terminal.line(f"{question.say} (such as {question.example}): ", words).strip()
            try:
                if typed in BACK and not entry.answers:
                    entry = _begun(terminal, settings)
                elif typed in BACK:
                    entry.answers.pop()
                elif typed == "?":
                    settings.warn(", ".join(words) or f"a number, such as {question.example}")
                else:
                    entry.answer(typed)
            except BestlineError as fault:  # it is asked again
                settings.warn(str(fault))
    except EOFError:
        raise BestlineError("the table is not whole: the lines ended before the last question") from None
    finally:
        if entry is not None and entry.answers:
            _keep(entry, settings)
    position = entry.position()
    settings.note(position.code)
    return position


def _begun(terminal: Terminal, settings: Settings) -> TableEntry:
    """Ask which game it is, how many play, and who of them asks."""
    from solver.tools.table_entry import TableEntry

    titles = {info.id: info.title for info in list_rulesets() if not info.extends}
    settings.warn("Which game is it? Type its number or how its name begins, or the file of a variant.")
    listed = [(str(number), *each) for number, each in enumerate(titles.items(), 1)]
    for line in draw(table(listed, indent=2), settings.style._replace(colour=False)).splitlines():
        settings.warn(line)
    ruleset = None
    while ruleset is None:
        typed = terminal.line("Game: ", list(titles)).strip()
        begun = [name for number, name, _ in listed if typed in (number, name[: len(typed)], name.partition("/")[2])]
        ruleset = named_ruleset(begun[0] if len(begun) == 1 else typed) if typed else None
        if ruleset is None:
            settings.warn(f"'{typed}' fits {word_list(begun) or 'none of them'}" if typed else "type its name")
            for name in begun:
                settings.warn(f"{name}: {_contents(load_ruleset(name))}")
    for line in HELP:
        settings.note(line)
    least, most, usual = ruleset.definition.players_allowed(ruleset)
    players = _number(terminal, settings, "Players", (least, most), usual)
    entry = TableEntry(ruleset, players)
    if entry.acting:
        first, what = entry.acting["first"], entry.names[0].partition(" ")[0]
        number = _number(terminal, settings, f"Which {what} are you", (first, first + players - 1), first)
        entry = TableEntry(ruleset, players, number - first)
        others = [name for seat, name in enumerate(entry.names) if seat != entry.seat]
        are = "other is" if len(others) == 1 else "others are"
        settings.note(f"You are {entry.names[entry.seat]}, and to move; the {are} {joined(others)}.")
    settings.note(f"Enter the table as it stands {entry.begins}.")
    return entry


def _number(terminal: Terminal, settings: Settings, what: str, limits: tuple[int, int], usual: int) -> int:
    """Return the number that is typed, or the usual one; where there is one only, it is not asked for."""
    least, most = limits
    while least < most:
        typed = terminal.line(f"{what} ({least} to {most}; {usual} if left out): ").strip()
        if not typed or (typed.isdecimal() and least <= int(typed) <= most):
            return int(typed or usual)
        settings.warn(f"a number from {least} to {most}, not '{typed}'")
    return usual


def _contents(ruleset: Ruleset) -> str:
    """Return what lies in the box of an edition, by which its owner knows it."""
    tables = {table: ruleset.names.get(table, {}) for table in ruleset.definition.collections}
    few = {table: ", ".join(names.values()) for table, names in tables.items() if len(names) <= FEW}
    return "; ".join(f"{table} {few.get(table) or len(names)}" for table, names in tables.items() if names)


def _keep(entry: TableEntry, settings: Settings) -> None:
    """Write what was entered so far to a file of its own, or say it where none can be written."""
    names = (Path("table.toml"), *(Path(f"table-{number}.toml") for number in range(2, 1000)))
    file = next((name for name in names if not os.path.lexists(name)), None)
    if file is None or not os.access(Path(), os.W_OK):
        for line in ("no file can be written here; what was entered:", *entry.file_text().splitlines()):
            settings.warn(line)
        return
    write_file(file, entry.file_text())
    rest = "" if entry.now is None else f"; write the rest there, then 'bestline play {file}' goes on"
    settings.note(f"wrote {file}{rest}")


def entered_question(settings: Settings) -> Position:
    """Return the table that a person at a terminal enters where a command names no question.

    Raises:
        BadParameter: nobody is at a terminal.
    """
    terminal = Terminal()
    if not terminal.is_live:
        raise typer.BadParameter("give a PUZZLE-or-STATE, or --batch FILE")
    found = entered(terminal, settings)
    begin()
    return found


# Batches

_Line = tuple[dict[str, Any], Puzzle | Position | str]
"""One line of a batch as JSON, and its question, or why it could not be read."""
BatchAnswer = Callable[[Puzzle | Position, dict[str, Any]], dict[str, Any]]
"""Answers a line: the question, and the line as JSON. A function at the top level, since it may run elsewhere."""


def run_batch(source: str, beside: str | None, many: Many, settings: Settings, answer: BatchAnswer) -> int:
    """Answer every line of a JSON-lines file, or of ``-``, in order, each with one line; return the exit code.

    A faulty line gives its ``id`` and an ``error``, and the rest goes on; the exit code is then 1. Ctrl-C keeps what is
    answered.

    Raises:
        BestlineError: the file cannot be read, or the cluster not be reached, or a question stands ``beside`` it.
    """
    from solver.executor import executor

    if beside is not None:
        raise BestlineError(f"--batch answers the lines of its file, not '{beside}' too; leave one of the two out")
    code, written = Exit.PROVED_OR_CLEAN, list[str]()
    try:
        with executor(settings.jobs(many.jobs), many.cluster) as where:
            # A cluster takes no lines that are still to come.
            lines = list(_read_lines(source)) if many.cluster else _read_lines(source)
            for line, faulty, interrupted in where.map(partial(_answered, answer), lines):
                code = Exit.NEGATIVE if faulty else code
                written.append(line)
                if settings.output is None:
                    settings.answer(line)
                if interrupted:  # whoever stops a search with the best so far means the whole batch
                    raise KeyboardInterrupt
    except KeyboardInterrupt:
        settings.warn(f"stopped after {len(written)} lines")
        code = Exit.INTERRUPTED
    if not written and code != Exit.INTERRUPTED:
        settings.warn(f"{source}: there is no line to answer")
    if settings.output is not None:
        settings.answer("\n".join(written))
    return code


def _answered(answer: BatchAnswer, line: _Line) -> tuple[str, bool, bool]:
    """Return the answer to a line as JSON, whether the line is faulty, and whether the user stopped it."""
    begin()
    given, found = line
    try:
        result = {"error": found} if isinstance(found, str) else answer(found, given)
    except BestlineError as fault:
        result = {"error": str(fault)}
    finally:
        hushed()
    text = json.dumps({"id": given["id"], **result} if "id" in given else result)
    return text, result.keys() == {"error"}, result.get("interrupted") is True


def _read_lines(source: str) -> Iterator[_Line]:
    folder = Path() if source == STDIO else Path(source).parent
    for number, text in _lines(source):
        place = f"{'<stdin>' if source == STDIO else source}:{number}"
        given: dict[str, Any] = {}
        try:
            line = decoded(text, place).strip()
            if not (line.startswith("{") or looks_like_code(line)):
                raise ContentError([Fault("must be one JSON object, or the code of a position", file=place)])
            read = read_text(line, place)
            json.dumps(read.data.get("id"), allow_nan=False)  # it is part of the answer, which has to be JSON
            given = dict(read.data)
            if "position" in given:
                # These belong to the batch; a puzzle has an id of its own inside.
                read = replace(read, data={key: given[key] for key in given if key not in ("id", "turns")})
            yield given, given_in(read, folder).posed()
        except (BestlineError, ValueError) as fault:
            yield given, str(fault)


def _lines(source: str) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file that are not empty, with their numbers."""
    try:
        with sys.stdin.buffer if source == STDIO else Path(source).open("rb") as stream:
            for number, line in enumerate(unmarked(stream, source), start=1):
                if len(line) > MOST_BYTES:
                    too_long = f"longer than {MOST_BYTES >> 20} MB; this is no question"
                    raise ContentError([Fault(too_long, file=source, line=number)])
                if line.strip():
                    yield number, line
    except OSError as fault:
        raise ContentError([Fault(f"cannot be read: {fault.strerror}", file=source)]) from fault


def line_answered(
    answer: Callable[[Puzzle | Position], Answered], found: Puzzle | Position, _: object
) -> dict[str, Any]:
    """Return the answer to a line of a batch."""
    return answer(found).json()
