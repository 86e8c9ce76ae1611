"""One answer beside what complete play gives, and the patience that the solver has for it."""

from __future__ import annotations

from fractions import Fraction
from typing import Final, NamedTuple

from solver.search.budget import Budget, WorkClock
from solver.search.expectimax import Value

PATIENCE_S: Final = 4.0
"""Seconds of work for an answer of the solver, counted and not measured."""


class Compared(NamedTuple):
    """One answer beside what complete play gives."""

    question: str
    complete: Value
    told: Value = None
    is_exact: bool = True
    """Told exactly; otherwise between bounds, none where there is none on that side."""
    low: Fraction | None = None
    high: Fraction | None = None
    is_refused: bool = False

    @property
    def differs(self) -> bool:
        """Whether the answer is wrong."""
        if self.is_refused:
            return False
        if self.is_exact:
            return self.told != self.complete
        outside = self.complete is not None and self.high is not None and self.complete > self.high
        below = self.low is not None and (self.complete is None or self.complete < self.low)
        return outside or below

    @property
    def answer(self) -> str:
        """The answer in words."""
        return str(self.told) if self.is_exact else f"from {self.low} to {self.high}"


def refused(question: str) -> Compared:
    """Return that a form does not carry a question, or not in time."""
    return Compared(question, None, is_exact=False, is_refused=True)


def between(question: str, complete: Value, low: Fraction | None, high: Fraction | None = None) -> Compared:
    """Return what bounds say of a question."""
    return Compared(question, complete, is_exact=False, low=low, high=high)


def patient() -> Budget:
    """Return the limit of an answer."""
    return Budget(PATIENCE_S, clock=WorkClock())
