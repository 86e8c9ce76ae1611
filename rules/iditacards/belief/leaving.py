"""What it is worth to leave a day for a new one, as a question over packed beliefs is told of it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

Worth = Callable[[int, int], Fraction]
"""By board, with so many turns left, the one on which the day is left counted in."""


class Leaving(NamedTuple):
    """A day that may be left on any turn."""

    worth: Worth
    automatic: int | None
    """Spaces that no turn with a new day exceeds, nothing where that is not known;"""
    faces: int
    """and how many faces the weather has that is rolled for then."""

    def counts_last(self, place: int, target: int) -> bool:
        """Return false only where no new day on the last turn reaches a target."""
        return self.automatic is None or place + self.automatic >= target
