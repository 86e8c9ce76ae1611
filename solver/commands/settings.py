"""The options that every command shares, and where words go: answers to standard output, the rest to standard error.

While a search goes on a terminal has one line that is written over; elsewhere there are notes with ``--verbose``.
"""

from __future__ import annotations

import inspect
import json
import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from functools import cache, wraps
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, Final, TextIO, get_type_hints

import typer

from rules.core.errors import BestlineError, escaped, printable
from rules.core.files import is_stream
from rules.core.steps import Step
from rules.core.tools.output import write_file
from solver.commands.process import complain, let_go
from solver.question import Progress
from solver.render import Row, Style, draw
from solver.search.budget import Budget, WorkClock

if TYPE_CHECKING:
    from solver.engines.sampled import OnRound


STDOUT = "-"
"""What stands for standard output where a file is named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the shared options say."""

    json: Annotated[bool, typer.Option("--json", help="Answer as one JSON object.")] = False
    time_s: Annotated[
        float | None,
        typer.Option("--time", metavar="SECONDS", min=0, help="Stop after this long with the best so far."),
    ] = None
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, max=2**64 - 1, help="Seed of whatever is dealt or sampled.")
    ] = None
    deterministic: Annotated[
        bool, typer.Option("--deterministic", help="Same input, same bytes out: no clock in the answer or the search.")
    ] = False
    threads: Annotated[
        int | None,
        typer.Option("--threads", min=1, help="Most processes or threads at once, despite --jobs."),
    ] = None
    ascii: Annotated[bool, typer.Option("--ascii", help="Only ASCII characters.")] = False
    plain: Annotated[
        bool, typer.Option("--plain", help="No colour, no columns: one fact a line, for pipes and screen readers.")
    ] = False
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the answer to this file.")
    ] = None
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No notes; only the answer.")] = False
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="More notes on standard error.")] = False
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an internal error.")] = False

    @property
    def style(self) -> Style:
        """How a screen is to be drawn: for this terminal, or for a file or pipe at width 80."""
        terminal = self.output is None and sys.stdout.isatty()
        columns = min(max(shutil.get_terminal_size().columns, 40), 100)  # wider lines get hard to follow
        only_ascii = self.ascii or (self.output is None and not _can_write("→·", sys.stdout.encoding))
        return Style(ascii=only_ascii, plain=self.plain, colour=self._colour, width=columns if terminal else 80)

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

    def answer_json(self, value: Any) -> None:
        """Write a JSON answer on one line, keys in the order given."""
        self.answer(json.dumps(value, ensure_ascii=True))

    def show(self, data: Callable[[], Any], rows: Callable[[Style], Sequence[Row]]) -> None:
        """Write an answer: its data as JSON, or its rows as a screen."""
        if self.json:
            self.answer_json(data())
            return

        self.answer(draw(rows(self.style), self.style))

    def say(self, data: Any, text: str) -> None:
        """Write an answer that is a text on a screen."""
        if self.json:
            self.answer_json(data)
        else:
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


RULESET = Annotated[str, typer.Argument(metavar="RULESET", help="An id of 'bestline rules list', or a file.")]
CLUSTER = Annotated[
    str, typer.Option("--cluster", metavar="ADDRESS", help="A Dask scheduler for them, such as tcp://host:8786.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Many:
    """Where many questions are answered."""

    jobs: Annotated[int, typer.Option("--jobs", min=1, metavar="N", help="Processes that share the work.")] = 1
    cluster: CLUSTER = ""


Command = Callable[..., None]


@dataclass(frozen=True, slots=True)
class Group:
    """Commands under one more word."""

    words: str
    """What they are for, in the help."""
    commands: Mapping[str, Command]


def shared(command: Command) -> Command:
    """Give a command the shared options, which it gets as one argument ``settings``.

    Any other parameter whose type is a data class stands for the options that are its fields.
    """
    own = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in own.items() if is_dataclass(kind)}

    @wraps(command)
    def run(**arguments: Any) -> None:
        begin()
        for name, kind in groups.items():
            arguments[name] = kind(**{option.name: arguments.pop(option.name) for option in _options(kind)})
        settings = arguments.pop("settings")
        if settings.output == Path(STDOUT):
            settings = replace(settings, output=None)
        refuse_unwritable(settings.output)
        try:
            command(settings=settings, **arguments)
        except EOFError as fault:  # which typer would take for an answer that nobody gave
            raise BestlineError(f"what was read ends too soon; it has been cut short ({fault})") from fault
        finally:
            hushed()

    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        if name in groups:
            parameters += _options(groups[name]) if name != "settings" else ()
        else:
            parameters.append(parameter.replace(annotation=own[name], kind=inspect.Parameter.KEYWORD_ONLY))
    parameters += _options(Settings)
    # typer reads both the signature and the annotations of what it is given.
    run.__dict__["__signature__"] = inspect.Signature(parameters)
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


_BEGUN: Final = [monotonic()]
"""When the command, or the question of a batch that is being answered, began."""


def begin() -> None:
    """Have ``--time`` begin now."""
    _BEGUN[0] = monotonic()


def refuse_unwritable(*files: Path | None, kept: bool = False) -> None:
    """Refuse files that cannot be written, before any work is done whose answer would be lost with them.

    With ``kept`` they are files to be read again, which no device and no pipe is.

    Raises:
        BestlineError: one of them is a folder, is in none, or may not be written.
    """
    for file in filter(None, files):
        folder = Path(os.path.realpath(file)).parent
        if file == Path(STDOUT):
            raise BestlineError(f"{file}: cannot be written: only the answer itself goes there; give a file's name")
        if file.is_dir():
            raise BestlineError(f"{file}: cannot be written: this is a folder; give the name of a file in it")
        if not folder.is_dir():
            raise BestlineError(f"{file}: cannot be written: there is no folder {folder}; make it first")
        if kept and is_stream(file):
            raise BestlineError(f"{file}: cannot be written: it keeps nothing to be read again; give a file's name")
        if file.is_symlink() and not file.exists() and Path(os.path.realpath(file)).is_symlink():
            raise BestlineError(f"{file}: cannot be written: this link leads back to itself; give a file's name")
        if not os.access(file if file.exists() else folder, os.W_OK):
            raise BestlineError(f"{file}: cannot be written: no permission; choose another place")


@cache
def _options(group: Any) -> tuple[inspect.Parameter, ...]:
    """Return the options that a data class holds as parameters of a function."""
    hints = get_type_hints(group, include_extras=True)
    return tuple(
        inspect.Parameter(
            field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=hints[field.name]
        )
        for field in fields(group)
    )


def is_screen(stream: TextIO) -> bool:
    """Return whether a stream is a terminal that understands colours and can be written over."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def _can_write(text: str, encoding: str | None) -> bool:
    try:
        text.encode(encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


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
    """Return what tells how far a search has come, or nothing where nobody is to hear it."""
    if settings.quiet:
        return None
    if is_screen(sys.stderr):
        return _LINE.show
    return settings.note if settings.verbose else None


def telling_moves(tell: Teller, about: Callable[[Fraction], str]) -> OnRound:
    """Return what tells the best move so far of moves compared by playouts, its value in the words of ``about``."""
    last: list[str] = []

    def on_round(move: Step, value: Fraction, playouts: int) -> None:
        text = f"so far: {move.text}, about {about(value)} after {playouts:,} playouts"
        if [text] != last:  # a stretch may end without anything new
            last[:] = [text]
            tell(text)

    return on_round


def telling_search(settings: Settings) -> Callable[[Progress], None] | None:
    """Return what tells how far the search for a line has come; off a terminal only what is new."""
    tell = telling(settings)
    if tell is None:
        return None
    from solver.screens.common import count

    waiting(settings, "searching")
    last: list[tuple[int | None, int | None]] = []

    def on_progress(now: Progress) -> None:
        best = "nothing yet" if now.value is None else f"best {now.value}"
        bound = "" if now.bound is None else f", perhaps {now.bound}"
        if tell == _LINE.show or [(now.value, now.bound)] != last:
            last[:] = [(now.value, now.bound)]
            tell(f"{best}{bound}, {count(now.states, 'position')}")

    return on_progress


def waiting(settings: Settings, text: str) -> None:
    """Say on a terminal what goes on, if it takes a while."""
    if not settings.quiet and is_screen(sys.stderr):
        _LINE.begin(text)


def hushed() -> None:
    """Wipe away on a terminal what is still told."""
    _LINE.clear(stop=True)
