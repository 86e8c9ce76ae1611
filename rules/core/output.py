"""Files that are written: whole or not at all, and nothing is left behind where there is no room."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from errno import ENXIO
from pathlib import Path
from tempfile import TemporaryDirectory

from rules.core.errors import BestlineError
from rules.core.files import is_stream


def write_file(path: Path, data: str | bytes) -> None:
    """Write a file, a text as UTF-8.

    Raises:
        BestlineError: it cannot be written.
    """
    with whole_file(path) as place:
        place.write_bytes(data.encode("utf-8", "backslashreplace") if isinstance(data, str) else data)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give the place to write a file to; what is written there goes to ``path`` at the end, if nothing failed.

    Raises:
        BestlineError: it cannot be written.
    """
    try:
        target = Path(os.path.realpath(path))
        # Only a plain file of one name can be replaced, in a folder that takes another one; all else is written into.
        plain = not is_stream(path) and not (target.exists() and target.stat().st_nlink > 1)
        beside = plain and os.access(target.parent, os.W_OK)
        folder = target.parent if beside else None
        with TemporaryDirectory(prefix=".bestline-", dir=folder, ignore_cleanup_errors=True) as name:
            place = Path(name) / target.name
            yield place
            if not beside:
                # What is redirected goes on at its end.
                mode = "ab" if is_stream(path) else "wb"
                with place.open("rb") as whole, open(path, mode, buffering=0, opener=_open) as stream:
                    shutil.copyfileobj(whole, stream)
                return
            if target.exists():
                shutil.copymode(target, place)
            place.replace(target)
    except OSError as fault:
        raise BestlineError(f"{path}: cannot be written: {fault.strerror or fault}") from fault


def _open(path: str, flags: int) -> int:
    """Open a file; a pipe that nobody reads is an error rather than a wait without end."""
    try:
        opened = os.open(path, flags | getattr(os, "O_NONBLOCK", 0), 0o666)
    except OSError as fault:
        raise OSError(fault.errno, "nobody reads this pipe") if fault.errno == ENXIO else fault from None
    os.set_blocking(opened, True)
    return opened
