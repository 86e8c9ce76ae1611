"""What answers are made of: the limit of a search, the four verdicts, a line, its proof, its cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
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
