"""The values of one duel over the rows of its encoding; where these do not carry a state, over the plain tree."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor
from typing import Any, Final, Protocol

from rules.core.race import Interval
from rules.core.turns import State
from solver.search import layout as C
from solver.search.budget import Budget, BudgetExceeded
from solver.search.contests.expectiminimax import Beyond, Expectiminimax, Horizon, Tally
from solver.search.contests.tree import PlainTree

ROW_S: Final = 0.000_008
"""About the seconds of a row."""
ROWS: Final = 25
"""Rows that count as much as one state of the plain tree, where their number is limited."""
_BEYOND: Final = {Beyond.WORST: C.AT_WORST, Beyond.GUESS: C.AT_GUESS, Beyond.BEST: C.AT_BEST}


class Duel(Protocol):
    """One duel, as an encoding brings it."""

    rows: Any
    """Its ``solver.search.contests.alpha_beta.AlphaBeta``."""
    turns: int
    """Turns of both seats, from the beginning of the game, after which play is over or settles itself."""
    full: type[Exception]
    """What ``rows`` raise where lists of turns are full; ``drop_lists`` makes room."""

    def row(self, table: Any) -> array[int]:
        """Return a table, perhaps in the middle of a turn, as a row."""

    def lead(self, row: Any) -> int:
        """Return what the first seat has gained already."""


class EncodedContest:
    """Values of the states of one duel; what was found is kept from question to question."""

    def __init__(self, make: Callable[[Callable[[], None]], Duel], plain: PlainTree, budget: Budget) -> None:
        """``make`` returns the duel that calls a function now and then."""
        self.budget = budget
        self.tally = Tally()
        self.most: int | None = None
        """Rows asked about in all."""
        self._plain = plain
        self._horizon = Horizon()
        self._duel = make(self._pause)
        self._rows = self._duel.rows
        self._spent = 0
        self._slow: Expectiminimax | None = None

    @property
    def name(self) -> str:
        """``encoded``, or ``plain`` where something has not fitted into rows."""
        return "encoded" if self._slow is None else "plain"

    def key(self, state: State[Any]) -> State[Any] | None:
        """Return the state, or nothing where chance is due."""
        return None if state.pending else state

    def turns_left(self, state: State[Any]) -> int | None:
        """Return after how many turns of both seats play is over, or nothing where the plain tree is at work."""
        return self._duel.turns - self._plain.pace(state) if self._slow is None else None

    def bounds(self, state: State[Any]) -> Interval:
        """Return proved bounds of the value of a state."""
        row = self._duel.row(state.table)
        self._rows.begin(row)
        self._rows.bound(0)
        lead, units = self._duel.lead(row), self._rows.one // self._rows.part
        return Interval(lead + Fraction(self._rows.least, units), lead + Fraction(self._rows.most, units))

    def look(self, horizon: Horizon) -> None:
        """Begin anew with another horizon."""
        self._horizon = horizon
        self.tally.cut_short = False
        self._rows.forget()
        self._rows.cut_short = 0
        self._rows.horizon = (1 << 30) if horizon.pace is None else horizon.pace
        self._rows.beyond = _BEYOND[horizon.beyond]
        if self._slow is not None:
            self._slow.look(horizon)

    def lift(self) -> None:
        """Look to the end from here on, if play was followed to its end so far: all that is known holds there too."""
        if not self.tally.cut_short:
            self._rows.horizon = 1 << 30
            if self._slow is not None:
                self._slow.lift()

    def value(self, state: State[Any], window: tuple[Fraction | int, Fraction | int] | None = None) -> Fraction:
        """Return the first seat's payoff from a state; exact inside the window, else a bound on that side of it.

        Raises:
            BudgetExceeded: the time or the number of rows is used up.
        """
        if self._slow is None:
            try:
                return self._encoded(state, window)
            except OverflowError:
                self._slow = Expectiminimax(self._plain, self.budget, self._horizon)
        slow, before = self._slow, self._slow.tally.keys
        slow.most = None if self.most is None else self.most // ROWS
        try:
            return slow.value(state, window)
        finally:
            self.tally.keys += ROWS * (slow.tally.keys - before)
            self.tally.cut_short |= slow.tally.cut_short

    def _encoded(self, state: State[Any], window: tuple[Fraction | int, Fraction | int] | None) -> Fraction:
        row, rows = self._duel.row(state.table), self._rows
        lead, one = self._duel.lead(row), rows.one
        most = one << 6
        alpha, beta = -most, most
        if window is not None:
            alpha = max(alpha, floor((window[0] - lead) * one))
            beta = min(beta, ceil((window[1] - lead) * one))
        while True:
            try:
                self._limit()
                low, high = rows.value_of(row, alpha, beta)
                break
            except self._duel.full:
                rows.drop_lists()
            finally:
                self._count()
        self.tally.cut_short |= bool(rows.cut_short)
        return lead + Fraction(high if high <= alpha else low, one)

    def _count(self) -> None:
        spent, self._spent = self._rows.count - self._spent, self._rows.count
        self.budget.spend(spent * ROW_S)
        self.tally.keys += spent

    def _limit(self) -> None:
        """Let the next look at the limits come where the rows are used up, at the latest."""
        if self.most is not None:
            left = max(1, self.most - self.tally.keys)
            self._rows.next_pause = min(self._rows.next_pause, self._rows.count + left)

    def _pause(self) -> None:
        self._count()
        self.budget.check()
        if self.most is not None and self.tally.keys >= self.most:
            raise BudgetExceeded
        self._limit()
