"""The process of a command: its exit codes, and its standard streams, which may lead nowhere or to a full disk."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Final, TextIO

PROVED_OR_CLEAN: Final = 0
"""Answered, proved, clean."""
NEGATIVE: Final = 1
"""A negative answer: proved impossible, an invalid ruleset, a failed verification."""
BAD_INPUT: Final = 2
"""Bad usage or unreadable input."""
LIMIT_HIT: Final = 3
"""A limit was hit; the best found so far was printed with its bound."""
INTERNAL: Final = 70
"""A fault of ours."""
INTERRUPTED: Final = 130
"""Ctrl-C; the best found so far was printed."""


def exit_code(*, interrupted: bool = False, negative: bool = False, limit: bool = False) -> int:
    """Return the code of an answer that was interrupted, else is negative, else hit a limit, else is whole."""
    return INTERRUPTED if interrupted else NEGATIVE if negative else LIMIT_HIT if limit else PROVED_OR_CLEAN


def open_closed() -> None:
    """Let streams that were closed by whoever started us lead nowhere: an answer to a file needs none of them."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nowhere, "r" if name == "stdin" else "w", encoding="utf-8"))


def complain(text: str) -> None:
    """Write a text as one line to standard error, whatever it contains."""
    from rules.core.errors import escaped  # late, so that a Ctrl-C while it is loaded finds the program at work

    write_error(escaped(text))


def write_error(line: str) -> None:
    """Write a line to standard error; one that cannot be written keeps nobody from the answer."""
    try:
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    except OSError:
        let_go(sys.stderr)


def let_go(stream: TextIO) -> None:
    """Let a stream lead nowhere: the interpreter must not stumble over what is left when it flushes at exit."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def settle() -> None:
    """Write what is left to be written; where that fails nothing more comes of it."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            let_go(stream)
