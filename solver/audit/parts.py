"""What restricted play loses of what free play has: a part from 0 to 1, known exactly or between two proved ends.

A search that was cut short still has a line, so that no more can be lost, and a bound, so that no less is. Both are
enough for a finding: that half of the result goes is shown by a bound, that a card is enough alone by a line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

from puzzles.goal import Objective
from solver.audit.suite import Answer, Asked

TOLD: Final = 0.5
"""Width from which on a part that lies between two ends says nothing: neither much nor little."""
EQUAL: Final = 1e-9
"""Width below which both ends are one, as floats go."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a value, between two ends that are proved."""

    least: float
    most: float

    @property
    def is_exact(self) -> bool:
        """Return whether both ends are the same."""
        return self.most - self.least < EQUAL

    @property
    def is_told(self) -> bool:
        """Return whether the ends are close enough to say something."""
        return self.most - self.least <= TOLD

    @property
    def rest(self) -> Part:
        """Return what is left of the whole."""
        return Part(1 - self.most, 1 - self.least)

    @property
    def data(self) -> list[float]:
        """Return both ends for JSON."""
        return [round(self.least, 4), round(self.most, 4)]


NOTHING: Final = Part(0.0, 0.0)
ALL: Final = Part(1.0, 1.0)


def mean_of(parts: Sequence[Part]) -> Part:
    """Return the mean of some parts, at least one."""
    return Part(fmean(part.least for part in parts), fmean(part.most for part in parts))


def lost(asked: Asked, free: Answer, restricted: Answer) -> Part:
    """Return which part of the proved free value restricted play loses: turns as many times as many, progress short.

    What restricted play can have is between its line and its bound, and never better than free play, whose lines
    include all of its own. No line at all loses everything.
    """
    if restricted.impossible:
        return ALL
    assert free.value is not None
    value, bound = restricted.value, free.value if restricted.bound is None else restricted.bound
    if asked.goal.objective is Objective.MIN_TURNS:
        if not free.value:
            return NOTHING if value == 0 else Part(0.0, 1.0)
        return Part(1 - free.value / max(bound, free.value), 1.0 if value is None else 1 - free.value / value)
    game: Any = asked.position.game
    from_nothing = asked.goal.challenge or asked.goal.objective is Objective.REACH
    start = 0 if from_nothing else game.progress(asked.position.table(), asked.goal.seat)
    gained = free.value - start
    if gained <= 0:
        return NOTHING
    most = 1.0 if value is None else min(1.0, (free.value - value) / gained)
    return Part(min(most, max(0.0, (free.value - bound) / gained)), most)
