"""What playouts are played for: one player's own goal, or a game against others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from math import inf
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.contest import Contest
from rules.core.race import Race
from solver.search.rollout import AHEAD

CLOSE: Final = 0.01
"""Part of the value, or of what lies between the best and the worst playout, under which moves are equally good."""
FEWEST_ROUNDS: Final = 2
"""Rounds that playouts of a game against others last at least, where a round is many turns."""


class Aim(ABC):
    """What one seat plays for, and how long."""

    seat: int
    forbidden: frozenset[str]
    """First words of moves that it does not make."""
    least: bool
    """Less is better."""
    span: int
    """How far the clock may run."""
    bounds: tuple[float, float]
    """Between which values every playout lies for certain."""
    precision = inf
    """How wide the interval of the best move may be where a comparison ends before its time."""
    lost: Fraction
    """What a playout is worth that cannot help doing what is forbidden."""

    @abstractmethod
    def clock(self, table: Any) -> int:
        """Return the time on a table, in own turns or in rounds."""

    @abstractmethod
    def arrived(self, table: Any, done: int) -> Fraction | None:
        """Return what a playout is worth that ends at once after so much time, or nothing where it goes on."""

    @abstractmethod
    def ended(self, table: Any) -> Fraction:
        """Return what a playout is worth whose time is up."""

    @abstractmethod
    def worth(self, table: Any, seat: int, value: Fraction) -> float:
        """Return how well a playout has ended for a seat, more being better; ``value`` is what it was worth."""

    @abstractmethod
    def slight(self, value: float, width: float) -> float:
        """Return the difference that counts for nothing where playouts are worth about so much and so different."""


class GoalAim(Aim):
    """A player's own goal; each of the others is taken to play for progress of its own."""

    def __init__(self, game: Race[Any], goal: Goal) -> None:
        self._game = game
        self.goal = goal
        self.seat = goal.seat
        self.forbidden = goal.forbidden
        self.least = goal.objective is Objective.MIN_TURNS
        self.span = AHEAD if goal.within_turns is None else goal.within_turns
        self.lost = Fraction(self.span if self.least else 0)
        self.bounds = (0.0, 1.0 if goal.objective is Objective.REACH else float(self.span))
        if goal.objective is Objective.MAX_DISTANCE:
            self.bounds = (-inf if game.bottom is None else float(game.bottom), inf)

    def clock(self, table: Any) -> int:
        """Return the own turns that are over."""
        return self._game.turns(table, self.seat)

    def arrived(self, table: Any, done: int) -> Fraction | None:
        """Return the worth of a playout that has reached the target."""
        if self.goal.objective is Objective.MAX_DISTANCE or self._game.progress(table, self.seat) < self.goal.target:
            return None
        return Fraction(done if self.least else 1)

    def ended(self, table: Any) -> Fraction:
        """Return the distance, or the worth of not having arrived."""
        if self.goal.objective is Objective.MAX_DISTANCE:
            return Fraction(self._game.so_far(table, self.seat))
        return self.lost

    def worth(self, table: Any, seat: int, value: Fraction) -> float:
        """Return the question's value for the seat that asks, progress for the others."""
        if seat != self.seat:
            return float(self._game.so_far(table, seat))
        return -float(value) if self.least else float(value)

    def slight(self, value: float, width: float) -> float:
        """Return a part of the value."""
        return CLOSE * abs(value)


class ContestAim(Aim):
    """A game against others for some rounds, everybody for what they have in the end.

    Where ``stops``, play stops after these rounds and who has what then counts; elsewhere the game goes on, so that a
    playout that has not come to its end is worth what the game guesses.
    """

    forbidden = frozenset[str]()
    least = False
    lost = Fraction(0)

    def __init__(self, game: Contest[Any], table: Any, seat: int, rounds: int, *, stops: bool) -> None:
        self._game = game
        self.seat = seat
        self._stops = stops
        self.span = rounds
        self.bounds = (-inf, inf) if game.stake else (0.0, 1.0)

    def clock(self, table: Any) -> int:
        """Return the rounds that are over."""
        return self._game.rounds(table)

    def arrived(self, table: Any, done: int) -> Fraction | None:
        """Return nothing: only the end of the game or of the time ends a playout."""
        return None

    def ended(self, table: Any) -> Fraction:
        """Return what the seat that asks has."""
        return Fraction(self._payoffs(table)[self.seat])

    def worth(self, table: Any, seat: int, value: Fraction) -> float:
        """Return what a seat has."""
        return float(value if seat == self.seat else self._payoffs(table)[seat])

    def slight(self, value: float, width: float) -> float:
        """Return a part of what lay between the best playout and the worst."""
        return CLOSE * width

    def _payoffs(self, table: Any) -> Sequence[Fraction]:
        return self._game.payoffs(table) if self._stops else self._game.guesses(table)


def rounds_ahead(game: Contest[Any]) -> int:
    """Return the rounds that playouts last where nothing else is said: as many own turns as those for a goal."""
    return max(FEWEST_ROUNDS, AHEAD // game.stages)
