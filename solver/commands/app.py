"""All commands under one name, with their headings, and how each of them ends."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from functools import cache, wraps
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Annotated, Any, Final, get_type_hints

import typer
from typer.core import TyperGroup

from rules.core.errors import BestlineError, escaped
from solver.commands import VERSION
from solver.commands.settings import (
    STDOUT,
    Command,
    Exit,
    Settings,
    Shown,
    begin,
    complain,
    flush_streams,
    hushed,
    refuse_unwritable,
)
from solver.search.budget import never_lost

_USAGE_ERROR: Any = typer.BadParameter.__bases__[0]
"""What typer raises for a bad option or argument; it has no public name for it."""
LONGEST = 2_000
"""Characters of one line of a message; what is longer repeats something that was given."""
HEADINGS: Final = {
    "Answers": {
        "best": "advice",
        "solve": "solve",
        **dict.fromkeys(("draw", "hint", "pay", "review", "risk"), "advice"),
        "play": "play",
        "simulate": "advice",
        "export": "position",
    },
    "Proofs": {"verify": "puzzle"},
    "Library": {"puzzle": "puzzle", "rules": "rules", **dict.fromkeys(("audit", "sweep", "balance"), "audit")},
    "Rules core": dict.fromkeys(("position", "moves", "apply", "perft"), "position"),
    "Machine": dict.fromkeys(("doctor", "cache"), "doctor"),
}
"""The commands by their headings in the help, each with its module; a question loads only the module that it names."""
GROUPS: Final = {
    "puzzle": "List, show, verify, rate and make puzzles.",
    "rules": "Show, compare and check rulesets.",
    "position": "Make, show, check and encode positions.",
    "cache": "Show or clear what is kept of solved questions.",
}
"""Words that stand before others, and what those are for: ``rules list`` is the function ``rules_list``."""
HOMES: Final = {command: module for homes in HEADINGS.values() for command, module in homes.items()}


class Sections(TyperGroup):
    """Help that lists the commands under their headings."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write one section of commands for each heading."""
        sections: dict[str, list[tuple[str, str]]] = {heading: [] for heading in HEADINGS}
        for name, command in self.commands.items():
            sections[str(getattr(command, "rich_help_panel", ""))].append((name, command.get_short_help_str(66)))
        for heading, rows in sections.items():
            with formatter.section(heading):
                formatter.write_dl(rows)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"bestline {VERSION}")
        raise typer.Exit


def _start(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and stop.")
    ] = False,
) -> None:
    """Options that stand before the command."""


def commands(module: str = "") -> typer.Typer:
    """Return all commands under one name, or only those of one module."""
    plain: dict[str, Any] = {"no_args_is_help": True, "rich_markup_mode": None}
    app = typer.Typer(
        cls=Sections,
        callback=_start,
        help="Play card games exactly, and prove answers about them.",
        epilog="STATE is a file, a position code, a puzzle id, or - for standard input.",
        context_settings={"help_option_names": ["-h", "--help"]},
        **plain,
    )
    for heading, homes in HEADINGS.items():
        for word, home in homes.items():
            if module not in ("", home):
                continue
            found = import_module(f"solver.commands.{home}")
            if word not in GROUPS:
                app.command(word, rich_help_panel=heading)(_run_by(getattr(found, word)))
                continue
            group = typer.Typer(help=GROUPS[word], **plain)
            for name, command in vars(found).items():
                if name.startswith(f"{word}_") and command.__module__ == found.__name__:
                    group.command(name.removeprefix(f"{word}_"))(_run_by(command))
            app.add_typer(group, name=word, rich_help_panel=heading)
    return app


def _run_by(command: Command) -> Callable[..., None]:
    """Return what typer calls: it gives the command the shared options where it wants them, shows its answer, and ends.

    A parameter whose type is a data class stands for the options that are its fields.
    """
    own = {name: kind for name, kind in get_type_hints(command).items() if name != "return"}
    groups: dict[str, Any] = {name: kind for name, kind in own.items() if is_dataclass(kind)} | {"settings": Settings}

    @wraps(command)
    def run(**arguments: Any) -> None:
        begin()
        for name, value in arguments.items():
            if value != value:  # no range refuses what is no number
                raise typer.BadParameter(
                    "nan is no number.", param_hint=f"'--{name.removesuffix('_s').replace('_', '-')}'"
                )
        for name, kind in groups.items():
            arguments[name] = kind(**{option.name: arguments.pop(option.name) for option in _options(kind)})
        settings: Settings = arguments.pop("settings")
        if settings.output == Path(STDOUT):
            settings = replace(settings, output=None)
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
    # typer reads both the signature and the annotations of what it is given.
    run.__dict__["__signature__"] = inspect.Signature(parameters)
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


@cache
def _options(group: Any) -> tuple[inspect.Parameter, ...]:
    """Return the options that a data class holds as parameters of a function."""
    hints = get_type_hints(group)
    return tuple(_parameter(each.name, hints[each.name], each) for each in fields(group))


def _parameter(name: str, hint: Any, given: Field[Any]) -> inspect.Parameter:
    """Return an argument or an option as typer reads it."""
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
    flush_streams()
    return code


@cache
def _commands(module: str) -> Any:
    return typer.main.get_command(commands(module))


def _complain(text: str, before: str = "") -> None:
    for line in text.splitlines():
        complain(f"{before}{line if len(line) <= LONGEST else line[:LONGEST] + '...'}")


def _run(words: Sequence[str]) -> int:
    try:
        home = HOMES.get(words[0], "") if words else ""
        code = _commands(home).main(words, prog_name="bestline", standalone_mode=False)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else Exit.BAD_INPUT
    except _USAGE_ERROR as fault:
        if fault.ctx is None or fault.message != fault.ctx.get_help():  # the help is what a group without words says
            fault.message = escaped(fault.message)
        shown = StringIO()
        fault.show(shown)
        _complain(shown.getvalue())
        return Exit.BAD_INPUT
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
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
