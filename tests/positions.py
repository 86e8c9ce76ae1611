"""Positions to test with, from whatever names or writes one."""

from __future__ import annotations

from pathlib import Path

from rules.core.files import is_there, looks_like_code, read_file, read_text
from rules.core.position import Position, decode_position, read_position


def load_position(reference: str, base_dir: Path | None = None) -> Position:
    """Return the position of a file, of a TOML or JSON text, or of a position code; a text has a line break or brace.

    Raises:
        BestlineError: it cannot be read; every fault is named.
    """
    if "\n" in reference or "{" in reference or not reference.strip():
        return read_position(read_text(reference), base_dir)
    path = (base_dir or Path()) / Path(reference).expanduser()
    if looks_like_code(reference) and not is_there(path):
        return decode_position(reference)
    return read_position(read_file(path, reference), path.parent)
