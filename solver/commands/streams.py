"""The three standard streams, whatever they lead to: nowhere, a reader that has gone, or a disk that is full."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TextIO

from rules.core.errors import escaped


def open_closed() -> None:
    """Let streams that were closed by whoever started us lead nowhere: an answer to a file needs none of them."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nowhere, "r" if name == "stdin" else "w", encoding="utf-8"))


def complain(text: str) -> None:
    """Write a text as one line to standard error; one that cannot be written keeps nobody from the answer."""
    try:
        sys.stderr.write(f"{escaped(text)}\n")
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
