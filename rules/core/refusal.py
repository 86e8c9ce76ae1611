"""Why a move is refused: the rule that forbids it, the reason, and what is open instead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rules.core.schema import listed


class Reason(NamedTuple):
    """A rule that forbids a move, and why."""

    rule: str
    text: str


class AskedHere:
    """What is asked at one point of a turn: who decides, and the texts of what is open."""

    def __init__(self, actor: int, texts: Sequence[str]) -> None:
        self.actor = actor
        self.texts = texts

    def open_now(self) -> str:
        """Return the open moves, as many as fit on a line."""
        return listed(self.texts, most=6)
