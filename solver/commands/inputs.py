"""What the commands are given: positions and puzzles from files, codes, ids and standard input, one or many."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from puzzles.loader import Puzzle, load_question, read_question
from rules.core.chance import UNKNOWN, in_words, known
from rules.core.errors import BestlineError, ContentError, Fault, counted, escaped
from rules.core.files import (
    MOST_BYTES,
    Source,
    decoded,
    is_there,
    looks_like_code,
    read_file,
    read_stream,
    read_text,
    unmarked,
)
from rules.core.position import Position
from rules.core.registry import Ruleset
from rules.core.ruleset import list_rulesets, load_ruleset
from rules.core.tools.output import picked
from solver.commands.settings import (
    BAD_INPUT,
    INTERRUPTED,
    NEGATIVE,
    PROVED_OR_CLEAN,
    Many,
    Settings,
    Shown,
    argument,
    begin,
    hushed,
)

STDIN = "-"
STATE = argument("STATE", "File, puzzle id, position code, or - for standard input.")


def read_input(source: str, *, whole: bool = False) -> Puzzle | Position:
    """Return the puzzle or position that an argument stands for; ``-`` is standard input.

    An answer of ``--json`` stands for its position, a recorded game for what its player knows, or the ``whole`` table.

    Raises:
        BestlineError: it cannot be read; every fault is named.
    """
    read, folder = _text(source)
    return load_question(read) if isinstance(read, str) else _question(read, folder, whole=whole)


def read_position(source: str, *, whole: bool = True) -> Position:
    """Return the position that an argument stands for, that of a puzzle too.

    Raises:
        BestlineError: it cannot be read; every fault is named.
    """
    found = read_input(source, whole=whole)
    return found.position if isinstance(found, Puzzle) else found


def _text(source: str) -> tuple[Source | str, Path]:
    """Return the tables that an argument stands for and their folder; where it is no file, the code or id it is.

    Raises:
        BestlineError: it cannot be read.
    """
    path = Path(source).expanduser()
    if source != STDIN:
        return (read_file(path, source), path.parent) if is_there(path) else (source, Path())
    if sys.stdin.isatty():
        print("reading TOML or JSON; end it with Ctrl-D", file=sys.stderr)  # noqa: T201 (a prompt, not an answer)
    text = decoded(read_stream(sys.stdin.buffer, "<stdin>"), "<stdin>")
    if text.strip() and not any(sign in text.strip() for sign in "\n{="):
        return text.strip(), Path()
    return read_text(text, "<stdin>"), Path()


def _question(read: Source, folder: Path, *, whole: bool = False) -> Puzzle | Position:
    """Return the puzzle or position of a text; a recorded game stands for what it has come to.

    Unless the ``whole`` table is asked for, its player does not know the hands that were dealt to the others.

    Raises:
        BestlineError: it cannot be read; every fault is named.
    """
    if not _is_record(read):
        return read_question(read, folder)
    from solver.tools.play import Companion

    companion = Companion(*_record(read, folder))
    return companion.position if whole else companion.question


def read_plan(source: str) -> tuple[Puzzle | Position, list[str] | None, dict[str, Any]]:
    """Return what an argument stands for, with its line of moves and the answer that says so, where there are such.

    An answer is known by its ``position_code``, a recorded game by its ``moves``; one without a line is its position.

    Raises:
        BestlineError: it cannot be read; every fault is named.
    """
    from solver.screens.data import check_answer, is_answer

    read, folder = _text(source)
    if isinstance(read, str):
        return load_question(read), None, {}
    if is_answer(read.data) and "line" in read.data:
        check_answer(read)
        return read_question(read, folder), _steps(read, "line"), dict(read.data)
    if _is_record(read):
        return *_record(read, folder), {}
    return read_question(read, folder), None, {}


def named_ruleset(text: str) -> Ruleset | None:
    """Return the ruleset that an argument names, with its game or without, or that a variant file holds; else nothing.

    Raises:
        ContentError: every fault of it.
    """
    shipped = {name for info in list_rulesets() for name in (info.id, info.id.partition("/")[2])}
    path = Path(text).expanduser()
    if text in shipped or (is_there(path) and path.is_file() and "extends" in read_file(path, text).data):
        return load_ruleset(text)
    return None


def read_record(source: str) -> tuple[Puzzle | Position, list[str]]:
    """Return the puzzle or position that a recorded game begins with, and the texts of its steps, joined by ';' or not.

    Raises:
        BestlineError: it cannot be read; every fault is named.
    """
    read, folder = _text(source)
    if isinstance(read, str):
        path = Path(read).expanduser()
        read, folder = read_file(path, read), path.parent
    return _record(read, folder)


def _is_record(read: Source) -> bool:
    """Return whether a text is a recorded game; the moves of an answer are something else."""
    return "moves" in read.data and "position_code" not in read.data


def _record(read: Source, folder: Path) -> tuple[Puzzle | Position, list[str]]:
    steps = _steps(read, "moves")
    rest = {key: value for key, value in read.data.items() if key != "moves"}
    return read_question(replace(read, data=rest), folder, bare=True), steps


def _steps(read: Source, key: str) -> list[str]:
    """Return the steps that stand under a key one by one; some may be joined by ';'."""
    steps = read.data.get(key)
    if not isinstance(steps, list) or not all(isinstance(step, str) for step in steps):
        raise ContentError([read.fault((key,), "must be the list of the steps taken, in their texts, in order")])
    return [step.strip() for joined in steps for step in joined.split(";") if step.strip()]


@dataclass(frozen=True, slots=True)
class Check:
    """What was found out about a file."""

    subject: str
    faults: Sequence[Fault]
    doubts: Sequence[Fault] = ()
    """What is allowed and hardly meant so."""
    inferred: Mapping[str, str] = field(default_factory=dict)
    """What stands for what it leaves out, in words, by key."""

    @property
    def code(self) -> int:
        """Return the exit code.

        A fault without a key is about the whole file: it could not be read, and there is no answer about its content.
        """
        if not self.faults:
            return PROVED_OR_CLEAN
        return NEGATIVE if any(fault.key for fault in self.faults) else BAD_INPUT

    def json(self) -> dict[str, Any]:
        """Return it as JSON."""
        faults, doubts = (
            [picked(each, "file", "line", "key", "message") for each in those] for those in (self.faults, self.doubts)
        )
        return {"subject": self.subject, "ok": not faults, "faults": faults} | {
            name: each for name, each in (("doubts", doubts), ("inferred", dict(self.inferred))) if each
        }


def checked(checks: Sequence[Check], settings: Settings) -> Shown:
    """Return whether things are sound, with every fault; several are one answer. Doubts are notes."""
    lines = [str(fault) for each in checks for fault in each.faults or (f"{escaped(each.subject)}: no fault",)]
    lines += [f"{key}, left out: {words}" for each in checks for key, words in each.inferred.items()]
    for doubt in (doubt for each in checks for doubt in each.doubts if not settings.json):
        settings.note(f"doubtful: {doubt}")
    data = checks[0].json()
    if len(checks) > 1:
        data = {"ok": not any(each.faults for each in checks), "checked": [each.json() for each in checks]}
    return Shown(data, "\n".join(lines), max(each.code for each in checks))


def left_out(source: str) -> dict[str, str]:
    """Return the cards that stand for what a file with a position leaves out, in words, by key.

    Raises:
        BestlineError: it cannot be read; every fault is named.
    """
    read, folder = _text(source)
    if isinstance(read, str):
        load_question(read)
        return {}
    found, given = _question(read, folder, whole=True), read.data.get("state")
    position = found.position if isinstance(found, Puzzle) else found
    return dict(_left_out(given, position.state, "state")) if isinstance(given, Mapping) else {}


def _left_out(given: Any, complete: Any, key: str) -> Iterator[tuple[str, str]]:
    if isinstance(complete, Mapping) and isinstance(given, Mapping):
        for name, value in complete.items():
            if name in given:
                yield from _left_out(given[name], value, f"{key}.{name}")
            elif words := _cards_in(value):
                unknown = complete.get("hand", ()).count(UNKNOWN) if name == "deck" else 0
                yield f"{key}.{name}", words + (f"; {unknown} of them in the hand" if unknown else "")
    elif isinstance(given, Mapping) and isinstance(complete, Sequence):
        if (more := sum(map(bool, complete)) - sum(map(bool, given.values()))) > 0:
            yield key, f"{counted(more, 'more place')}, as dealt"
    elif isinstance(given, list) and isinstance(complete, Sequence):
        for place, (part, whole) in enumerate(zip(given, complete, strict=False)):
            if isinstance(part, Mapping):
                yield from _left_out(part, whole, f"{key}[{place}]")


def _cards_in(zone: Any) -> str:
    """Return a zone in words: cards, several lists of them, or what lies at places; empty where there is none."""
    if isinstance(zone, Mapping):
        return "; ".join(f"{name} {words}" for name, part in zone.items() if (words := _cards_in(part)))
    zone = [each for each in zone if each != "none"] if isinstance(zone, list | tuple) else ()
    if not zone:
        return ""
    if isinstance(zone[0], str):
        return f"{counted(len(zone), 'card')}: {in_words(zone)}" if known(zone) else in_words(zone)
    if isinstance(zone[0], Mapping):
        return ", ".join(card for each in zone for card in each.values() if isinstance(card, str))
    return f"{', '.join(str(len(part)) for part in zone)} cards" if isinstance(zone[0], Sequence) else ""


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
    code, written = PROVED_OR_CLEAN, list[str]()
    try:
        with executor(settings.jobs(many.jobs), many.cluster) as where:
            # A cluster takes no lines that are still to come.
            lines = list(_read_lines(source)) if many.cluster else _read_lines(source)
            for line, faulty, interrupted in where.map(partial(_answered, answer), lines):
                code = NEGATIVE if faulty else code
                written.append(line)
                if settings.output is None:
                    settings.answer(line)
                if interrupted:  # whoever stops a search with the best so far means the whole batch
                    raise KeyboardInterrupt
    except KeyboardInterrupt:
        settings.warn(f"stopped after {len(written)} lines")
        code = INTERRUPTED
    if not written and code != INTERRUPTED:
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
    folder = Path() if source == STDIN else Path(source).parent
    for number, text in _lines(source):
        place = f"{'<stdin>' if source == STDIN else source}:{number}"
        given: dict[str, Any] = {}
        try:
            given = {} if looks_like_code(text.decode("utf-8", "replace")) else _object(text, place)
            source_line = read_text(decoded(text, place), place)
            if "position" in given:
                # These belong to the batch; a puzzle has an id of its own inside.
                inside = {key: given[key] for key in given if key not in ("id", "turns")}
                source_line = replace(source_line, data=inside)
            yield given, _question(source_line, folder)
        except BestlineError as fault:
            yield given, str(fault)


def _lines(source: str) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file that are not empty, with their numbers."""
    try:
        with sys.stdin.buffer if source == STDIN else Path(source).open("rb") as stream:
            for number, line in enumerate(unmarked(stream, source), start=1):
                if len(line) > MOST_BYTES:
                    too_long = f"longer than {MOST_BYTES >> 20} MB; this is no question"
                    raise ContentError([Fault(too_long, file=source, line=number)])
                if line.strip():
                    yield number, line
    except OSError as fault:
        raise ContentError([Fault(f"cannot be read: {fault.strerror}", file=source)]) from fault


def _object(text: bytes, place: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
        if not isinstance(value, dict):
            raise ContentError([Fault("must be one JSON object", file=place)])
        json.dumps(value.get("id"), allow_nan=False)  # it is part of the answer, which has to be JSON
    except (ValueError, RecursionError) as fault:
        raise ContentError([Fault(f"malformed JSON: {fault}", file=place)]) from fault
    return value
