"""Positions of texts; with ``bare_position`` zones that are left out are empty, so that a test names its cards only."""

from __future__ import annotations

from pathlib import Path

from rules.core.files import is_there, looks_like_code, read_file, read_text
from rules.core.position import Position, decode_position, read_position


def bare_position(text: str) -> Position:
    return read_position(read_text(text), bare=True)


def load_position(reference: str, base_dir: Path | None = None) -> Position:
    """Return the position of a TOML or JSON text, of a file, or of a position code."""
    if "\n" in reference or "{" in reference or not reference.strip():
        return read_position(read_text(reference), base_dir)
    path = (base_dir or Path()) / reference
    if looks_like_code(reference) and not is_there(path):
        return decode_position(reference)
    return read_position(read_file(path, reference), path.parent)
