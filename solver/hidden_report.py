"""What an answer says where chance is hidden: every move compared, and what to do on each draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from puzzles.goal import Goal
from rules.core.steps import Step
from solver.report import Statistics, Status
from solver.search.budget import Budget
from solver.search.first_turn import Branch, FirstTurn

CERTAIN: Final = "certain"
"""The method where some moves cannot fail and the others were not looked into as far."""

IDLE: Final = "idle"
"""How the others play where they have nothing to decide before all is settled."""


@dataclass(frozen=True, slots=True)
class Option:
    """One move that is open now."""

    move: Step
    value: Fraction | None
    """What the best policy that begins with it is worth; none where the goal is then impossible, or where playouts were
    stopped before it was tried."""
    loss: Fraction | None
    interval: tuple[float, float] | None = None
    """Where the mean of all playouts lies with 95 % confidence; none for exact values."""
    playouts: int = 0
    is_proved: bool = False
    """Among moves compared by playouts, the value is that of a way to play that was worked out."""
    is_settled: bool = True
    """False where more turns may have to be looked ahead to tell the value, or that it is not certain to arrive."""

    @property
    def is_tried(self) -> bool:
        """Whether, among moves compared by playouts, anything is known of it."""
        return self.playouts > 0 or self.is_proved


@dataclass(frozen=True, slots=True)
class Behind:
    """The search that an exact answer comes from, which knows what the tables after it are worth."""

    first: FirstTurn
    budget: Budget
    ahead: int
    """Turns looked ahead for the value,"""
    horizons: Mapping[Step, int]
    """and for what some moves are worth, where these are others."""


@dataclass(frozen=True, slots=True)
class HiddenReport:
    """One answered question about a position with hidden chance."""

    status: Status
    goal: Goal
    """The question answered: the chance within a limit where success was asked for and is not certain."""
    value: Fraction | None
    bound: Fraction | None
    """Equal to ``value`` when optimal; the best value not excluded otherwise, none where nothing is known."""
    options: tuple[Option, ...]
    """All moves open now, the best first; the best one alone where a limit was hit before an exact answer."""
    plan: tuple[Branch, ...]
    """What follows the best move, the likeliest results first."""
    omitted: Fraction
    """Chance of the results that the plan leaves out."""
    statistics: Statistics
    interrupted: bool = False
    method: str = "expectimax"
    """``sampled`` where moves were compared by playouts; ``certain`` where those without a value were not needed."""
    verdict: str = ""
    """How sure the best move is where it was sampled: ``decided``, ``close`` or ``undecided``."""
    span: int = 0
    """Own turns after which a playout counts as there, where the fewest turns were sampled."""
    kind: str = ""
    """What the best move has in common with others where that is decided, but not which of them it is."""
    instead: tuple[Branch, ...] = ()
    """What follows the move that was asked about, the likeliest results first; only where the answer is exact."""
    others: str = ""
    """How the other players were taken to play; empty where there are none."""
    left_out: int = 0
    """Open moves without a value: free actions proved to be no better than none, or all that are not ``certain``."""
    untold: int = 0
    """Open moves of which nothing is told because no answer is proved."""
    least: Fraction | None = None
    """What some way to play is proved to be worth at least, where playouts compare the moves; none where nothing is."""
    passed_over: int = 0
    """Open moves that were not tried: very many are open, and a few of each kind stand for all."""
    behind: Behind | None = field(default=None, compare=False, repr=False)
    """What can be asked about the next turn; only where the answer is exact."""
