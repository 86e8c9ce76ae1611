"""What a puzzle asks for (interface section 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from rules.core.challenge import Clock, Measure


class Objective(StrEnum):
    """The kinds of question that any game with turns and progress can be asked."""

    MIN_TURNS = "min_turns"
    """Fewest own turns, counted when finished, after which progress is at or past the target."""
    REACH = "reach"
    """1 if progress is at or past the target at the end of some own turn within the limit, else 0."""
    MAX_DISTANCE = "max_distance"
    """Greatest progress at the end of the last of the given number of own turns."""
    WIN = "win"
    """To win against the others, or to be as far ahead as possible, perhaps only until a round is over."""


MEASURES: Final[Mapping[Measure, Objective]] = {
    Measure.TURNS: Objective.MIN_TURNS,
    Measure.ROUNDS: Objective.MIN_TURNS,
    Measure.SCORE: Objective.MAX_DISTANCE,
}
"""What a challenge asks for, by what makes one play of it better."""


@dataclass(frozen=True, slots=True)
class Goal:
    """One question about one seat."""

    objective: Objective
    target: int
    """Progress to be at or past; ignored by ``max_distance`` and ``win``."""
    within_turns: int | None = None
    """Own turns allowed: required for ``reach`` and ``max_distance``, an upper limit for ``min_turns``; for ``win``
    those after which play stops."""
    forbidden: frozenset[str] = frozenset()
    """First words of moves that are not allowed, such as ``new_day`` or ``play mush``."""
    seat: int = 0
    """Whose goal it is."""
    kept: frozenset[str] = frozenset()
    """Names of what the seat may not have less of, at the end of any own turn, than at the start."""
    challenge: str = ""
    """Id of the game's own challenge that progress is measured by; empty for the game's progress."""
    terms: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """What the challenge asks besides, in the shape that the game gives it."""
    asked: str = field(default="", compare=False)
    """What the challenge asks, in one sentence; empty for the game's own progress."""
    clock: Clock | None = field(default=None, compare=False)
    """How own turns make up rounds, where turns are to be told in rounds."""

    def counted(self, turns: int) -> int:
        """Return a number of own turns as the question counts them: in rounds where it has a clock."""
        return turns if self.clock is None else self.clock.rounds(turns)

    def least(self, turns: int) -> int:
        """Return the fewest own turns that count as much as so many: those that end in the same round."""
        return turns if self.clock is None else min(turns, self.clock.turns_in(self.clock.rounds(turns) - 1) + 1)

    def told(self, value: int | None) -> int | None:
        """Return a value of a report as the question counts it."""
        return value if value is None or self.objective is not Objective.MIN_TURNS else self.counted(value)


def forbids(forbidden: frozenset[str], text: str) -> bool:
    """Return whether a move's text begins with forbidden words."""
    return any(text == words or text.startswith(f"{words} ") for words in forbidden)
