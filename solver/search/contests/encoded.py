"""The values of one duel over the rows of its encoding; where these do not carry a state, over the plain tree."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor
from typing import Any, Final

from rules.core.race import Interval
from rules.core.turns import State
from solver.search.budget import Budget, BudgetExceeded
from solver.search.contests.expectiminimax import Expectiminimax, Horizon, Number
from solver.search.contests.tree import PlainTree

ROW_S: Final = 0.000_008
"""About the seconds of a row."""
ROWS: Final = 25
"""Rows that count as much as one state of the plain tree, where their number is limited."""
NEVER: Final = 1 << 30


class EncodedContest(Expectiminimax):
    """Values of the states of one duel; what was found is kept from question to question."""

    def __init__(self, make: Callable[[Callable[[], None]], Any], plain: PlainTree, budget: Budget) -> None:
        """``make`` returns the ``AlphaBeta`` of the duel, which calls a function now and then.

        It also has ``row``, which makes a row of a table, and ``turns``: those of both seats, from the beginning of
        the game, after which play is over or settles itself.
        """
        super().__init__(plain, budget)
        self._rows = make(self._pause)
        self._spent = 0
        self._fits = True

    @property
    def name(self) -> str:
        """``encoded``, or ``plain`` where something has not fitted into rows."""
        return "encoded" if self._fits else super().name

    def key(self, state: State[Any]) -> State[Any] | None:
        """Return the state, or nothing where chance is due."""
        return None if state.pending else state

    def turns_left(self, state: State[Any]) -> int | None:
        """Return after how many turns of both seats play is over, or nothing where the plain tree is at work."""
        return self._rows.turns - self._tree.pace(state) if self._fits else None

    def bounds(self, state: State[Any]) -> Interval:
        """Return proved bounds of the value of a state."""
        rows = self._rows
        rows.begin(rows.row(state.table))
        rows.bound(0)
        lead, units = rows.lead(0), rows.one // rows.part
        return Interval(lead + Fraction(rows.least, units), lead + Fraction(rows.most, units))

    def look(self, horizon: Horizon) -> None:
        """Begin anew with another horizon."""
        super().look(horizon)
        self._rows.forget()
        self._rows.cut_short = 0
        self._rows.horizon = NEVER if horizon.pace is None else horizon.pace

    def lift(self) -> None:
        """Look to the end from here on, if play was followed to its end so far: all that is known holds there too."""
        super().lift()
        if not self.tally.cut_short:
            self._rows.horizon = NEVER

    def value(self, state: State[Any], window: tuple[Number, Number] | None = None) -> Fraction:
        """Return the first seat's payoff from a state; exact inside the window, else a bound on that side of it.

        Raises:
            BudgetExceeded: the time or the number of rows is used up.
        """
        if self._fits:
            try:
                return self._encoded(state, window)
            except OverflowError:
                self._fits, self.weight = False, ROWS
        return super().value(state, window)

    def _encoded(self, state: State[Any], window: tuple[Number, Number] | None) -> Fraction:
        rows = self._rows
        row, one = rows.row(state.table), rows.one
        rows.begin(row)
        lead, most = rows.lead(0), one << 6
        alpha, beta = -most, most
        if window is not None:
            alpha = max(alpha, floor((window[0] - lead) * one))
            beta = min(beta, ceil((window[1] - lead) * one))
        self._limit()
        try:
            low, high = rows.value_of(row, alpha, beta)
        finally:
            self._count_rows()
        self.tally.cut_short |= bool(rows.cut_short)
        found: Fraction = lead + Fraction(high if high <= alpha else low, one)
        return found

    def _count_rows(self) -> None:
        spent, self._spent = self._rows.count - self._spent, self._rows.count
        self.budget.spend(spent * ROW_S)
        self.tally.keys += spent

    def _limit(self) -> None:
        """Let the next look at the limits come where the rows are used up, at the latest."""
        if self.most is not None:
            left = max(1, self.most - self.tally.keys)
            self._rows.next_pause = min(self._rows.next_pause, self._rows.count + left)

    def _pause(self) -> None:
        self._count_rows()
        self.budget.check()
        if self.most is not None and self.tally.keys >= self.most:
            raise BudgetExceeded
        self._limit()
