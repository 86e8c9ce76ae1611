"""What ``verify`` is given: one stream, plain or gzip, read once and no further than a certificate can be long.

A database is opened where it lies; one that comes through a pipe or packed is put into a temporary file first.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from solver.checker.archive import MAGIC, Archive, read_archive
from solver.checker.bounded import temporary_files
from solver.checker.certificate import Certificate, Unreadable, ascii_text, read_lines, unpacked
from solver.checker.witness import is_audit

STDIN: Final = Path("-")
_MOST_SPOOLED: Final = 256 << 20
"""Bytes of a database that are taken from a pipe or out of a gzip file."""
_MOST_FINDINGS: Final = 1_000
"""Findings of an audit that are checked; those that are made have some dozens."""
_CHUNK: Final = 1 << 16


@contextmanager
def opened(path: Path) -> Iterator[Certificate | Archive | Mapping[str, Any]]:
    """Yield the certificate or the answer of an audit in a file; ``-`` is standard input.

    Raises:
        OSError: the file cannot be read.
        Unreadable: it is neither, or is damaged.
        Unwritable: there is no room for a temporary file.
    """
    with nullcontext(sys.stdin.buffer) if path == STDIN else path.open("rb") as stream:
        chunks = iter(partial(stream.read, _CHUNK), b"")
        first = next(chunks, b"")
        if first.startswith(MAGIC) and path.is_file():
            yield read_archive(path)
            return
        content = unpacked(chain([first], chunks))
        first = next(content, b"")
        content = chain([first], content)
        if not first.startswith(MAGIC):
            yield _read_text(ascii_text(content))
            return
        with temporary_files():
            folder = TemporaryDirectory(prefix="bestline-")
        with folder as name:
            yield read_archive(_spooled(content, Path(name) / "proof"))


def _spooled(content: Iterable[bytes], path: Path) -> Path:
    """Write a database that came as a stream, and return where it is.

    Raises:
        Unreadable: it is too large for that.
        Unwritable: it cannot be written.
    """
    size = 0
    with temporary_files():
        file = path.open("wb")
    with file:
        for chunk in content:
            size += len(chunk)
            if size > _MOST_SPOOLED:
                most = f"{_MOST_SPOOLED >> 20} MB"
                raise Unreadable(f"a database of more than {most} has to be a file of its own, not packed or piped")
            with temporary_files():
                file.write(chunk)
                file.flush()
    return path


def _read_text(text: str) -> Certificate | Mapping[str, Any]:
    if '"findings"' in text:
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            data = None
        if is_audit(data):
            if len(data["findings"]) > _MOST_FINDINGS:
                raise Unreadable(f"an audit of more than {_MOST_FINDINGS:,} findings")
            return dict(data)
    return read_lines(text)
