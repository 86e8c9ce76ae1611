"""Positions of texts; with ``bare_position`` zones that are left out are empty, so that a test names its cards only."""

from __future__ import annotations

from rules.core.files import read_text
from rules.core.position import Position, read_position


def bare_position(text: str) -> Position:
    return read_position(read_text(text), bare=True)
