"""What every command shares: its options, its exit codes, and where words go.

Answers go to standard output, the rest to standard error, which may be closed or full. While a search goes on a
terminal has one line that is written over; elsewhere there are notes with ``--verbose``.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import MISSING, dataclass, field, replace
from enum import IntEnum
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any, Final, TextIO

from rules.core.errors import BestlineError, escaped, printable
from rules.core.files import is_stream
from rules.core.tools.output import write_file
from solver.render import Row, Style, draw, wrapped
from solver.search.budget import Budget, WorkClock

STDOUT = "-"
"""What stands for standard output where a file is named."""


class Exit(IntEnum):
    """How a command ends."""

    PROVED_OR_CLEAN = 0
    NEGATIVE = 1
    """A negative answer: proved impossible, an invalid ruleset, a failed verification."""
    BAD_INPUT = 2
    """Bad usage or unreadable input."""
    LIMIT_HIT = 3
    """A limit was hit; the best found so far was printed with its bound."""
    INTERNAL = 70
    """A fault of ours."""
    INTERRUPTED = 130
    """Ctrl-C; the best found so far was printed."""


def exit_code(*, interrupted: bool = False, negative: bool = False, limit: bool = False) -> int:
    """Return the code of an answer that was interrupted, else is negative, else hit a limit, else is whole."""
    codes = {Exit.INTERRUPTED: interrupted, Exit.NEGATIVE: negative, Exit.LIMIT_HIT: limit}
    return next((code for code, holds in codes.items() if holds), Exit.PROVED_OR_CLEAN)


def columns() -> int:
    """Return how wide lines are on this terminal; wider ones get hard to follow."""
    return min(max(shutil.get_terminal_size().columns, 40), 100)


def complain(text: str) -> None:
    """Write a text to standard error, as one line but on a terminal; a full disk keeps nobody from the answer."""
    try:
        lines = wrapped(escaped(text), columns()) if sys.stderr.isatty() else [escaped(text)]
        sys.stderr.write("\n".join(lines) + "\n")
        sys.stderr.flush()
    except OSError:
        let_go(sys.stderr)


def let_go(stream: TextIO) -> None:
    """Let a stream lead nowhere: the interpreter must not stumble over what is left when it flushes at exit."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def flush_streams() -> None:
    """Write what is left to be written; where that fails nothing more comes of it."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            let_go(stream)


def argument(metavar: str, words: str, default: Any = MISSING) -> Any:
    """Return a parameter that is given by its place, and its ``words`` in the help; without a default it must be."""
    return field(default=default, metadata={"metavar": metavar, "help": words})


def option(words: str, default: Any = None, *names: str, **more: Any) -> Any:
    """Return a parameter that is given by name, its own unless ``names`` are given; ``more`` is what typer takes."""
    return field(default=default, metadata={"names": names, "help": words, **more})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the shared options say."""

    json: bool = option("Answer as one JSON object.", False)
    time_s: float | None = option(
        "Stop after this long with the best so far.", None, "--time", metavar="SECONDS", min=0
    )
    seed: int | None = option("Seed of whatever is dealt or sampled.", min=0, max=2**64 - 1)
    deterministic: bool = option("Same input, same bytes out: no clock in the answer or the search.", False)
    threads: int | None = option("Most processes or threads at once, despite --jobs.", min=1)
    ascii: bool = option("Only ASCII characters.", False)
    plain: bool = option("No colour, no columns: one fact a line, for pipes and screen readers.", False)
    output: Path | None = option("Write the answer to this file.", None, "--output", "-o", metavar="FILE")
    quiet: bool = option("No notes; only the answer.", False, "--quiet", "-q")
    verbose: bool = option("More notes on standard error.", False, "--verbose", "-v")
    debug: bool = option("Show the traceback of an internal error.", False)

    @property
    def style(self) -> Style:
        """How a screen is to be drawn: for this terminal, or for a file or pipe at width 80."""
        terminal = self.output is None and sys.stdout.isatty()
        encoding = "utf-8" if self.output is not None else sys.stdout.encoding or "ascii"
        only_ascii = self.ascii or "→·".encode(encoding, "ignore").decode(encoding) != "→·"
        return Style(ascii=only_ascii, plain=self.plain, colour=self._colour, width=columns() if terminal else 80)

    @property
    def _colour(self) -> bool:
        """Whether the answer goes to a terminal that shows colours, and whether nobody minds."""
        return self.output is None and is_screen(sys.stdout) and not self.plain and not os.environ.get("NO_COLOR")

    def jobs(self, asked: int) -> int:
        """How many processes may work at once."""
        return asked if self.threads is None else min(asked, self.threads)

    @property
    def left_s(self) -> float | None:
        """What is left of ``--time``, which begins with the command: reading counts, and so does an earlier search."""
        return None if self.time_s is None else max(0.0, self.time_s - (monotonic() - _BEGUN[0]))

    @property
    def limit(self) -> Budget:
        """When a search has to stop, where answers must repeat, time is counted in work."""
        if self.deterministic:
            return Budget(self.time_s, clock=WorkClock())
        return Budget(self.left_s)

    def limit_of(self, usual_s: float) -> Budget:
        """Return the limit of a command that takes a usual time where ``--time`` says none."""
        return self.limit if self.time_s is not None else replace(self.limit, time_s=usual_s)

    def answer(self, text: str) -> None:
        """Write the answer: to the file of ``--output``, else to standard output; only its line breaks are kept.

        Raises:
            BestlineError: the file, or standard output, cannot be written.
        """
        hushed()
        shown = printable(text if text.endswith("\n") or not text else text + "\n", colours=self._colour)
        if self.output is not None:
            write_file(self.output, shown.encode("ascii", "backslashreplace") if self.ascii else shown)
            self.note(f"wrote {self.output}")
            return
        try:
            sys.stdout.write(shown)
            sys.stdout.flush()
        except OSError as fault:
            let_go(sys.stdout)
            if not isinstance(fault, BrokenPipeError):  # there the reader has seen enough
                raise BestlineError(f"standard output cannot be written: {fault.strerror}") from fault

    def show(self, shown: Shown) -> None:
        """Write what a command answers: its data as JSON, or its rows or its text."""
        if self.json:
            self.answer(shown.data if isinstance(shown.data, str) else json.dumps(shown.data))
            return
        text = shown.rows if isinstance(shown.rows, str) else draw(shown.rows, self.style)
        if self.plain and self.output is None and sys.stdout.isatty():
            text = "\n".join(part for line in text.splitlines() for part in wrapped(line, columns()) or [""])
        self.answer(text)

    def note(self, text: str) -> None:
        """Say something beside the answer on one line, unless ``--quiet``."""
        if not self.quiet:
            self.warn(text)

    def warn(self, text: str) -> None:
        """Say that something asked for was not found or not done, ``--quiet`` or not."""
        _LINE.clear(stop=False)
        complain(text)

    def detail(self, text: str) -> None:
        """Say something only with ``--verbose``."""
        if self.verbose:
            self.note(text)


RULESET = argument("RULESET", "An id of 'bestline rules list', or a file.")
CLUSTER = option("A Dask scheduler for them, such as tcp://host:8786.", "", metavar="ADDRESS")


@dataclass(frozen=True, slots=True, kw_only=True)
class Many:
    """Where many questions are answered."""

    jobs: int = option("Processes that share the work.", 1, min=1, metavar="N")
    cluster: str = CLUSTER


@dataclass(frozen=True, slots=True)
class Shown:
    """What a command answers, and how it ends."""

    data: Any
    """The answer as JSON, its keys in the order given, or written already."""
    rows: Sequence[Row] | str
    """The answer as a screen or a text."""
    code: int = Exit.PROVED_OR_CLEAN


Command = Callable[..., Shown | int | None]
"""Takes ``settings`` and what it was given; returns its answer, or an exit code where that is written already."""


_BEGUN: Final = [monotonic()]
"""When the command, or the question of a batch that is being answered, began."""


def begin() -> None:
    """Have ``--time`` begin now."""
    _BEGUN[0] = monotonic()


def refuse_unwritable(*files: Path | None, kept: bool = False, new: bool = False) -> None:
    """Refuse files that cannot be written, before any work is done whose answer would be lost with them.

    With ``kept`` they are files to be read again, which no device and no pipe is; with ``new`` they are not there yet.

    Raises:
        BestlineError: one of them is a folder, is in none, is there already, or may not be written.
    """
    for file in filter(None, files):
        is_taken, folder = new and file.exists() and not is_stream(file), Path(os.path.realpath(file)).parent
        is_loop = file.is_symlink() and not file.exists() and Path(os.path.realpath(file)).is_symlink()
        faults = {
            "only the answer itself goes there; give a file's name": file == Path(STDOUT),
            "this is a folder; give the name of a file in it": file.is_dir(),
            f"there is no folder {folder}; make it first": not folder.is_dir(),
            "it keeps nothing to be read again; give a file's name": kept and is_stream(file),
            "there is a file already; choose another name, or write over it with --force": is_taken,
            "this link leads back to itself; give a file's name": is_loop,
            "no permission; choose another place": not os.access(file if file.exists() else folder, os.W_OK),
        }
        for why in (why for why, holds in faults.items() if holds):
            raise BestlineError(f"{file}: cannot be written: {why}")


def is_screen(stream: TextIO) -> bool:
    """Return whether a stream is a terminal that understands colours and can be written over."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


Teller = Callable[[str], None]
"""Shows how far a search has come; an empty text wipes it away."""
TICK_S: Final = 1.0
"""Seconds between two looks at the clock that stands beside what is told."""


class _Line:
    """The line of a terminal that is written over, with the seconds since it is there: nobody waits without a sign."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._text = ""
        self._since = 0.0
        self._over: Event | None = None

    def begin(self, text: str) -> None:
        """Show a text after the first second, unless one is there already."""
        with self._lock:
            if self._over is None:
                self._text, self._since, self._over = escaped(text), monotonic(), Event()
                Thread(target=self._tick, args=(self._over,), daemon=True).start()

    def show(self, text: str) -> None:
        """Show a text now."""
        self.begin(text)
        with self._lock:
            self._text = escaped(text)
            self._draw()

    def clear(self, *, stop: bool) -> None:
        """Make room for other words, if there is a line; with ``stop`` it does not come back."""
        with self._lock:
            if self._over is None:
                return
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            if stop:
                self._over.set()
                self._over = None

    def _tick(self, over: Event) -> None:
        while not over.wait(TICK_S):
            with self._lock:
                if not over.is_set():
                    self._draw()

    def _draw(self) -> None:
        gone = int(monotonic() - self._since)
        room = shutil.get_terminal_size().columns - 1  # a line that wraps could not be wiped away
        clock = "" if not gone else f" ({gone} s; Ctrl-C keeps the best)"
        if len(self._text) + len(clock) > room and gone:
            clock = f" ({gone} s)"
        sys.stderr.write(f"\r\x1b[K{self._text[: room - len(clock)]}{clock}\r")
        sys.stderr.flush()


_LINE: Final = _Line()


def telling(settings: Settings) -> Teller | None:
    """Return what tells how far a search has come, or nothing where nobody is to hear it.

    Off a terminal it tells only what is new.
    """
    if settings.quiet or not (settings.verbose or is_screen(sys.stderr)):
        return None
    if is_screen(sys.stderr):
        return _LINE.show
    last = [""]

    def note_news(text: str) -> None:
        if text != last[0]:
            last[0] = text
            settings.note(text)

    return note_news


def waiting(settings: Settings, text: str) -> None:
    """Say on a terminal what goes on, if it takes a while."""
    if not settings.quiet and is_screen(sys.stderr):
        _LINE.begin(text)


def hushed() -> None:
    """Wipe away on a terminal what is still told."""
    _LINE.clear(stop=True)
