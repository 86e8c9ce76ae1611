"""What a puzzle asks for (interface section 3)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Objective(StrEnum):
    """The kinds of question that any game with turns and progress can be asked."""

    MIN_TURNS = "min_turns"
    """Fewest own turns, counted when finished, after which progress is at or past the target."""
    REACH = "reach"
    """1 if progress is at or past the target at the end of some own turn within the limit, else 0."""
    MAX_DISTANCE = "max_distance"
    """Greatest progress at the end of the last of the given number of own turns."""


@dataclass(frozen=True, slots=True)
class Goal:
    """One question about one seat."""

    objective: Objective
    target: int
    """Progress to be at or past; ignored by ``max_distance``."""
    within_turns: int | None = None
    """Own turns allowed: required for ``reach`` and ``max_distance``, an upper limit for ``min_turns``."""
    forbidden: frozenset[str] = frozenset()
    """First words of moves that are not allowed, such as ``new_day`` or ``play mush``."""
    seat: int = 0
    """Whose goal it is."""


def forbids(forbidden: frozenset[str], text: str) -> bool:
    """Return whether a move's text begins with forbidden words."""
    return any(text == words or text.startswith(f"{words} ") for words in forbidden)
