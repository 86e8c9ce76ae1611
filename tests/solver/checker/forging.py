"""Changing large certificates for tests: their claim, their blocks, and a seal that fits what they have become."""

from __future__ import annotations

import json
import shutil
import sqlite3
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from rules.core.files import canonical_json
from solver.checker.archive import Archive, read_archive
from solver.checker.certificate import Certificate, ascii_text, read_lines, unpacked

Forge = Callable[[sqlite3.Connection], None]


def read_certificate(raw: bytes) -> Certificate:
    """Return the certificate of a file's bytes."""
    return read_lines(ascii_text(unpacked([raw])))


def rewritten(path: Path, change: Forge) -> None:
    """Change a database."""
    disk = sqlite3.connect(path)
    change(disk)
    disk.commit()
    disk.close()


def forged(written: Path, path: Path, change: Forge) -> Archive:
    """Return a changed copy of an archive, with a seal that fits what it has become."""
    shutil.copy(written, path)
    rewritten(path, change)
    archive = read_archive(path)
    return replace(archive, seal=archive.right_seal)


def claim(**changes: Any) -> Forge:
    """Return what changes fields of a claim."""

    def change(disk: sqlite3.Connection) -> None:
        (text,) = disk.execute("SELECT value FROM meta WHERE name = 'claim'").fetchone()
        disk.execute(
            "UPDATE meta SET value = ? WHERE name = 'claim'", (canonical_json({**json.loads(text), **changes}),)
        )

    return change


def block(turn: int, change: Callable[[bytes], bytes]) -> Forge:
    """Return what changes the first block of a layer."""

    def changed(disk: sqlite3.Connection) -> None:
        (data,) = disk.execute("SELECT data FROM block WHERE turn = ? AND number = 0", (turn,)).fetchone()
        disk.execute("UPDATE block SET data = ? WHERE turn = ? AND number = 0", (change(data), turn))

    return changed


def records(change: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    """Return what changes the records of a block."""
    return lambda data: zlib.compress(change(zlib.decompress(data)))
