"""What answers are made of: the limit of a search, the four verdicts, a line, its proof, its cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from time import monotonic
from typing import Final

from rules.core.steps import Step

BY_ROUNDS: Final = "rounds"
"""``Proof.method`` of an exhausted search, round by round."""


class Status(StrEnum):
    """The four honest verdicts."""

    OPTIMAL = "optimal"
    """The value is proved best."""
    FEASIBLE = "feasible"
    """A line is known; ``bound`` says how much better the best may be."""
    INFEASIBLE = "infeasible"
    """Proved impossible."""
    UNKNOWN = "unknown"
    """A limit was hit before anything was found or excluded."""


LOOKS: Final = 500
"""How often a search looks at its clock in about a second."""


class WorkClock:
    """A clock that work makes go on: every look at it is one part of a second, whatever the machine does besides.

    Searches look at their clock after so much work each, so that with this one they stop at the same point every time.
    """

    def __init__(self) -> None:
        self._looks = 0
        self._spent_s = 0.0

    def __call__(self) -> float:
        """Return the seconds, about, that the work so far would take."""
        self._looks += 1
        return self.work_s

    @property
    def work_s(self) -> float:
        """Seconds, about, that the work so far would take; this is no look."""
        return self._spent_s + self._looks / LOOKS

    def spend(self, seconds: float) -> None:
        """Count work that takes so long, about, where a look comes late."""
        self._spent_s += seconds


@dataclass(frozen=True, slots=True)
class Limit:
    """When to stop; a stopped search still reports the best line and bound it has."""

    time_s: float | None = None
    """Seconds."""
    states: int | None = None
    """States kept in memory."""
    clock: Callable[[], float] = monotonic
    """Tells the seconds: of the wall, unless a measurement on a busy machine takes those of the processor."""

    @property
    def steady(self) -> bool:
        """Whether the same question has to end at the same point every time, so that nothing may wait for a clock."""
        return isinstance(self.clock, WorkClock)


@dataclass(frozen=True, slots=True)
class TurnLine:
    """One own turn of a line: the moves and chance outcomes in it, forced ones left out."""

    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """Why a claim holds, in numbers; the words are made by ``solver.render``."""

    method: str
    """``layers`` (exhausted search, turn by turn), ``rounds`` (the same, round by round), ``bound`` or ``none``."""
    excluded_turns: int | None = None
    """Every line of at most this many turns was excluded."""
    states: int = 0
    """Distinct positions visited by the exhausted search."""
    pruned: int = 0
    """Positions cut by the bound."""
    bound_name: str = ""
    """Name of the admissible bound that cut them."""
    projections: tuple[str, ...] = ()
    """Parts of the table proved not to matter for the goal and left out of the comparison."""
    checked_by: tuple[str, ...] = ()
    """Engines that agreed on the value, such as ``replay`` and ``cp-sat``."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """What the answer cost."""

    time_s: float = 0.0
    generated: int = 0
    """Positions generated, repeats included."""
    expanded: int = 0
    engine: str = ""
    """``encoded`` or ``plain``."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What a search knows so far."""

    value: int | None
    bound: int | None
    states: int
    time_s: float
    pruned: int = 0
    """Positions cut by the bound in the last run."""
    line: Callable[[], tuple[TurnLine, ...]] | None = None
    """Gives the line behind ``value``; nothing where that takes long."""


OnProgress = Callable[[Progress], None]
