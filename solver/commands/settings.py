"""What every command shares: its options, how it is run and ends, its exit codes, and where words go.

Answers go to standard output, the rest to standard error, which may be closed or full. While a search goes on a
terminal has one line that is written over; elsewhere there are notes with ``--verbose``.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass, replace
from enum import IntEnum
from functools import cache, wraps
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic
from types import CodeType
from typing import Any, Final, NamedTuple, TextIO, get_type_hints

import typer
from typer.core import TyperGroup

from rules.core.errors import BestlineError, escaped, printable
from rules.core.tools.output import refuse_unwritable, write_file
from solver.commands import GROUPS, HEADINGS, HOMES, VERSION
from solver.render import Row, Style, draw, wrapped
from solver.search.budget import Budget, WorkClock, never_lost

STDIO = "-"
"""What stands for standard input or output where a file is named."""


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
        colour = terminal and is_screen(sys.stdout) and not self.plain and not os.environ.get("NO_COLOR")
        return Style(ascii=only_ascii, plain=self.plain, colour=colour, width=columns() if terminal else 80)

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
        return Budget(self.time_s, clock=WorkClock()) if self.deterministic else Budget(self.left_s)

    def limit_of(self, usual_s: float) -> Budget:
        """Return the limit of a command that takes a usual time where ``--time`` says none."""
        return self.limit if self.time_s is not None else replace(self.limit, time_s=usual_s)

    def answer(self, text: str) -> None:
        """Write the answer: to the file of ``--output``, else to standard output; only its line breaks are kept.

        Raises:
            BestlineError: the file, or standard output, cannot be written.
        """
        hushed()
        shown = printable(text if text.endswith("\n") or not text else text + "\n", colours=self.style.colour)
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

    @property
    def is_heard(self) -> bool:
        """Whether anybody is to hear how far a search has come."""
        return not self.quiet and (self.verbose or is_screen(sys.stderr))

    def report(self, text: str) -> None:
        """Tell how far a search has come, where anybody is to hear it; off a terminal only what is new."""
        if self.is_heard and is_screen(sys.stderr):
            _LINE.show(text)
        elif self.is_heard and text != _LINE.noted:
            _LINE.noted = text
            self.note(text)

    def wait(self, text: str) -> None:
        """Say on a terminal what goes on, if it takes a while."""
        if not self.quiet and is_screen(sys.stderr):
            _LINE.show(text, now=False)


class Shown(NamedTuple):
    """What a command answers, and how it ends."""

    data: Any
    """The answer as JSON, its keys in the order given, or written already."""
    rows: Sequence[Row] | str
    """The answer as a screen or a text."""
    code: int = Exit.PROVED_OR_CLEAN


_BEGUN: Final = [monotonic()]
"""When the command, or the question of a batch that is being answered, began."""


def begin() -> None:
    """Have ``--time`` begin now."""
    _BEGUN[0] = monotonic()


def is_screen(stream: TextIO) -> bool:
    """Return whether a stream is a terminal that understands colours and can be written over."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


TICK_S: Final = 1.0
"""Seconds between two looks at the clock that stands beside what is told."""


class _Line:
    """The line of a terminal that is written over, with the seconds since it is there: nobody waits without a sign."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._text = ""
        self._since = 0.0
        self._over: Event | None = None
        self.noted = ""
        """What was told last where no line can be written over."""

    def show(self, text: str, *, now: bool = True) -> None:
        """Show a text now, or after the first second unless one is there already."""
        with self._lock:
            if now or self._over is None:
                self._text = escaped(text)
            if self._over is None:
                self._since, self._over = monotonic(), Event()
                Thread(target=self._tick, args=(self._over,), daemon=True).start()
            if now:
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


def hushed() -> None:
    """Wipe away on a terminal what is still told."""
    _LINE.noted = ""
    _LINE.clear(stop=True)


_USAGE_ERROR: Any = typer.BadParameter.__bases__[0]
"""What typer raises for a bad option or argument; it has no public name for it."""
LONGEST = 2_000
"""Characters of one line of a message; what is longer repeats something that was given."""


class Sections(TyperGroup):
    """All commands under their headings; one is loaded when it is named."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write one section of commands for each heading."""
        for heading, homes in HEADINGS.items():
            with formatter.section(heading):
                formatter.write_dl([(name, self.commands[name].get_short_help_str(66)) for name in homes])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the name of a command, the command, and what it is given."""
        # A number below zero, or several, is no option: none begins with a digit.
        words = [f" {each}" if re.fullmatch(r"-\d[-.,\d]*", each) else each for each in args]
        name, known, given = super().resolve_command(ctx, words)
        return name, known and loaded(known.name), given


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"bestline {VERSION}")
        raise typer.Exit


def _start(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Show the version."),
) -> None:
    """Options that stand before the command."""


@cache
def _commands() -> Any:
    """Return all commands, of which only names and words for the list are known."""
    app = typer.Typer(
        cls=Sections,
        callback=_start,
        help="Play card games exactly, and prove answers about them.",
        epilog="STATE is a file, a position code, a puzzle id, or - for standard input.",
        context_settings={"help_option_names": ["-h", "--help"]},
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    for word, home in HOMES.items():
        app.command(word, help=GROUPS.get(word) or _said(home)[word])(lambda: None)
    return typer.main.get_command(app)


@cache
def _said(home: str) -> dict[str, str]:
    """Return what the functions of a module say that they do; it need not run for that."""
    spec: Any = find_spec(f"solver.commands.{home}")
    code = spec.loader.get_code(spec.name)
    return {each.co_name: each.co_consts[0] for each in code.co_consts if isinstance(each, CodeType)}


@cache
def loaded(word: str) -> Any:
    """Return one command as typer runs it, or all that begin with a word."""
    found = import_module(f"solver.commands.{HOMES[word]}")
    app = typer.Typer(
        name=word, help=GROUPS.get(word), add_completion=False, no_args_is_help=True, rich_markup_mode=None
    )
    for name, function in vars(found).items():
        if name == word or (name.startswith(f"{word}_") and function.__module__ == found.__name__):
            app.command(name.removeprefix(f"{word}_"))(_run_by(function))
    return typer.main.get_command(app)


def _run_by(command: Callable[..., Shown | int | None]) -> Callable[..., None]:
    """Return what typer calls: it gives the command the shared options where it wants them, shows its answer, and ends.

    A command returns an exit code where its answer is written already.
    A parameter whose type is a data class stands for the options that are its fields.
    """
    own = {name: kind for name, kind in get_type_hints(command).items() if name != "return"}
    groups: dict[str, Any] = {name: kind for name, kind in own.items() if is_dataclass(kind)} | {"settings": Settings}

    @wraps(command)
    def run(**arguments: Any) -> None:
        begin()
        for name, kind in groups.items():
            arguments[name] = kind(**{option.name: arguments.pop(option.name) for option in _options(kind)})
        settings: Settings = arguments.pop("settings")
        if str(settings.time_s) == "nan":  # which no comparison would stop
            raise BestlineError("--time takes a number of seconds, not 'nan'")
        if settings.output == Path(STDIO):
            settings = replace(settings, output=None)
        elif settings.output:
            refuse_unwritable(settings.output)
        try:
            shown = command(**arguments, **({"settings": settings} if "settings" in own else {}))
            if isinstance(shown, Shown):
                settings.show(shown)
        except EOFError as fault:  # which typer would take for an answer that nobody gave
            raise BestlineError(f"what was read ends too soon; it has been cut short ({fault})") from fault
        finally:
            hushed()
        raise typer.Exit(shown.code if isinstance(shown, Shown) else shown or Exit.PROVED_OR_CLEAN)

    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        if name not in groups:
            parameters.append(_parameter(name, own[name], parameter.default))
        elif name != "settings":
            parameters += _options(groups[name])
    parameters += _options(Settings)
    run.__dict__["__signature__"] = inspect.Signature(parameters)  # which typer reads
    return run


@cache
def _options(group: Any) -> tuple[inspect.Parameter, ...]:
    hints = get_type_hints(group)
    return tuple(_parameter(each.name, hints[each.name], each) for each in fields(group))


def _parameter(name: str, hint: Any, given: Field[Any]) -> inspect.Parameter:
    more, default = dict(given.metadata), ... if given.default is MISSING else given.default
    names = more.pop("names", None)
    if names is None:
        made = typer.Argument(default, **more)
    else:
        made = typer.Option(default, *(names or [f"--{name.replace('_', '-')}"]), **more)
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=made, annotation=hint)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code, one of those in ``settings``; what had to wait is done before."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # whoever started us closed it: an answer to a file needs none of them
            nowhere = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nowhere, "r" if name == "stdin" else "w", encoding="utf-8"))
        reconfigure = getattr(getattr(sys, name), "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    try:
        with never_lost():
            code = _run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:  # before the command or behind it
        code = Exit.INTERRUPTED
    if code == Exit.INTERRUPTED:
        complain("interrupted")
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            let_go(stream)
    return code


def _complain(text: str, before: str = "") -> None:
    for line in text.splitlines():
        complain(f"{before}{line if len(line) <= LONGEST else line[:LONGEST] + '...'}")


def _run(words: Sequence[str]) -> int:
    try:
        code = _commands().main(words, prog_name="bestline", standalone_mode=False)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else Exit.BAD_INPUT
    except _USAGE_ERROR as fault:
        if fault.ctx is None or fault.message != fault.ctx.get_help():  # the help is what a group without words says
            fault.message = escaped(fault.message)
        shown = StringIO()
        fault.show(shown)
        _complain(shown.getvalue())
        return Exit.BAD_INPUT
    except BestlineError as fault:
        _complain(str(fault), "error: ")
        return Exit.BAD_INPUT
    except OSError as fault:  # no room for what is written or worked with, or something that may not be read
        place = f"{fault.filename}: " if fault.filename else ""
        complain(f"error: {place}{fault.strerror or fault}; see to its room and permissions")
        return Exit.BAD_INPUT
    except MemoryError:
        complain("error: this takes more memory than there is; ask for less, or give a shorter --time")
        return Exit.LIMIT_HIT
    except Exception as fault:  # the last resort: whatever went wrong with us, nobody who asks is shown a traceback
        if "--debug" in words:
            raise
        from solver.compiled_form import build_state, remedy

        if isinstance(fault, ImportError) and build_state() == "stale":
            complain(f"error: bestline was compiled from other sources; run: {remedy()}")
            return Exit.INTERNAL
        told = " ".join(f"{type(fault).__name__}: {fault}".split())
        complain(f"internal error: {told} (run again with --debug for the traceback)")
        return Exit.INTERNAL
    return code if isinstance(code, int) else Exit.PROVED_OR_CLEAN
