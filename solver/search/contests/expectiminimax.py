"""Exact values of games of two seats: alpha-beta over decisions, star cuts over chance, matrix games in secret.

Both seats play for payoffs that add to the same sum, so that one number, what the first seat gets, is the value. A
window ``(alpha, beta)`` asks whether the value lies in it. An answer inside is exact. One at or below ``alpha`` is an
upper bound of the value, one at or above ``beta`` a lower one. At a chance node the bounds of the outcomes
not yet looked at narrow the windows of the others (Ballard 1983, star1). That is exact for the same reason. Values of
equal keys are kept as intervals.

A duel may also be searched over the rows of an encoding, and over the plain tree only where these do not carry a state.

Values are fractions, and exact. Whether a value is greater than another is asked by a window of ``LITTLE``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor
from typing import Any, Final, Generic, TypeAlias, TypeVar

from rules.core.race import SECRET, Interval
from rules.core.steps import CHANCE
from rules.core.turns import State
from solver.search.budget import Budget, BudgetExceeded, uncollected
from solver.search.contests.tree import PlainTree

Number: TypeAlias = Fraction | int
V = TypeVar("V")
LITTLE: Final = Fraction(1, 1 << 128)
"""Narrower than what any two values differ by; where it is not, windows are only wider than they need be."""
_LOOK_EVERY: Final = 16
"""Keys between two looks at the clock."""

Matrix = Sequence[Sequence[Fraction]]
SolveMatrix = Callable[[Matrix], tuple[Fraction, tuple[Fraction, ...], tuple[Fraction, ...]]]
"""Returns the value of a matrix game, the mix of the rows, which want much, and that of the columns."""


@dataclass(slots=True)
class Tally:
    """What a search has done so far."""

    keys: int = 0
    """Keys asked about, repeats that the transposition table does not answer included."""
    cut_short: bool = False
    """Search has stopped somewhere although play goes on, so that values hang on what that counts for."""


@dataclass(frozen=True, slots=True)
class Horizon:
    """How far a search looks."""

    pace: int | None = None
    """Turns of all seats, from the beginning of the game, after which a key counts for what the game guesses."""
    rounds: int | None = None
    """Rounds after which play stops and payoffs are paid: part of the question, not of the search."""


class PlainSearch(Generic[V]):
    """A search of the plain tree: its horizon, its limits, and what it knows of keys."""

    def __init__(
        self, tree: PlainTree, budget: Budget, horizon: Horizon | None = None, *, most: int | None = None
    ) -> None:
        """``most``: keys to be asked about in all."""
        self._tree = tree
        self.budget = budget
        self._horizon = horizon or Horizon()
        self.most = most
        self.weight = 1
        """What a key counts for."""
        self.tally = Tally()
        self._known: dict[State[Any], V] = {}

    def look(self, horizon: Horizon) -> None:
        """Begin anew with another horizon."""
        self._horizon = horizon
        self.tally.cut_short = False
        self._known.clear()

    def _count(self) -> None:
        """Count a key.

        Raises:
            BudgetExceeded: the time or the number of keys is used up.
        """
        self.tally.keys += self.weight
        if self.tally.keys % _LOOK_EVERY == 0:
            self.budget.check()
            if self.most is not None and self.tally.keys > self.most:
                raise BudgetExceeded


class Expectiminimax(PlainSearch[tuple[Number, Number]]):
    """Values of the keys of one tree; which followers were best is remembered from horizon to horizon."""

    def __init__(
        self,
        tree: PlainTree,
        budget: Budget,
        horizon: Horizon | None = None,
        *,
        most: int | None = None,
        solve_matrix: SolveMatrix | None = None,
    ) -> None:
        super().__init__(tree, budget, horizon, most=most)
        self._solve_matrix = solve_matrix
        self._first: dict[State[Any], State[Any]] = {}
        """The follower that was best or cut when a key was looked at last: tried first the next time."""

    @property
    def name(self) -> str:
        """The name of the tree."""
        return self._tree.name

    def bounds(self, key: State[Any]) -> Interval:
        """Return proved bounds of the value of a key."""
        return self._tree.bounds(key)

    def turns_left(self, key: State[Any]) -> int | None:
        """Return nothing: how long play goes on at most is not looked at."""
        return None

    def lift(self) -> None:
        """Look to the end from here on, if play was followed to its end so far: all that is known holds there too."""
        if not self.tally.cut_short:
            self._horizon = replace(self._horizon, pace=None)

    def value(self, key: State[Any], window: tuple[Number, Number] | None = None) -> Fraction:
        """Return the first seat's payoff from a key; exact inside the window, else a bound on that side of it.

        Raises:
            BudgetExceeded: the time or the number of keys is used up.
        """
        low, high = self._bounds(key)
        alpha, beta = window or (low - 1, high + 1)
        with uncollected():
            return Fraction(self._search(key, alpha, beta))

    def _bounds(self, key: State[Any]) -> tuple[Number, Number]:
        if key not in self._known:
            self._known[key] = self.bounds(key)
        return self._known[key]

    def _search(self, key: State[Any], alpha: Number, beta: Number) -> Number:
        low, high = self._bounds(key)
        if low == high or low >= beta:
            return low
        if high <= alpha:
            return high
        self._count()
        stop = self._stopped(key, low, high)
        if stop is not None:
            return stop
        actor = self._tree.actor(key)
        if actor == CHANCE:
            value = self._mean(key, alpha, beta)
        elif actor == SECRET:
            value = self._secret(key)
        else:
            value = self._best(key, actor, alpha, beta)
        exact = actor == SECRET or alpha < value < beta
        self._known[key] = (
            max(low, value) if exact or value >= beta else low,
            min(high, value) if exact or value <= alpha else high,
        )
        return value

    def _stopped(self, key: State[Any], low: Number, high: Number) -> Number | None:
        """Return what a key counts for where the horizon lies before it, else nothing."""
        tree, horizon = self._tree, self._horizon
        if horizon.rounds is not None and tree.rounds(key) >= horizon.rounds:
            return tree.payoff(key)
        if horizon.pace is None or tree.pace(key) < horizon.pace:
            return None
        self.tally.cut_short = True
        return min(max(low, tree.guess(key)), high)

    def _best(self, key: State[Any], seat: int, alpha: Number, beta: Number) -> Number:
        """Return the value of a decision, exact inside the window.

        Whether a follower is better than the best one is asked first (principal variation search, Marsland 1983).
        """
        low, high = alpha, beta
        best: Number | None = None
        for follower in self._ordered(key, seat):
            if best is None or high - low <= LITTLE:
                value = self._search(follower, low, high)
            else:
                scout = (low, low + LITTLE) if seat == 0 else (high - LITTLE, high)
                value = self._search(follower, *scout)
                if low < value < high:
                    value = self._search(follower, low, high)
            if best is None or (value > best if seat == 0 else value < best):
                best, self._first[key] = value, follower
                low, high = (max(low, value), high) if seat == 0 else (low, min(high, value))
                if low >= high:
                    break
        assert best is not None
        return best

    def _ordered(self, key: State[Any], seat: int) -> Iterator[State[Any]]:
        """Yield the followers of a decision: what was best or cut before, then by their bounds.

        Bounds of the others are not asked for before they are needed, as most nodes are cut by the first follower.
        """
        followers = self._tree.followers(key)
        if len(followers) == 1:
            yield followers[0]
            return
        first = self._first.get(key)
        if first is not None:
            yield first
        left = [each for each in followers if each != first]
        yield from sorted(left, key=lambda each: sum(self._bounds(each)), reverse=seat == 0)

    def _mean(self, key: State[Any], alpha: Number, beta: Number) -> Number:
        """Return the mean over chance, likewise; outcomes not yet looked at count as their bounds (star1)."""
        outcomes, cases = self._tree.outcomes(key)
        low: Number = 0
        high: Number = 0
        parts: list[tuple[State[Any], int, Number, Number]] = []
        for outcome, ways in outcomes:
            worst, best = self._bounds(outcome)
            low += worst * ways
            high += best * ways
            if worst != best:
                parts.append((outcome, ways, worst, best))
        least, most = alpha * cases, beta * cases
        # What leaves most open comes first, so that little is left to look at when a cut is possible.
        for outcome, ways, worst, best in sorted(parts, key=lambda part: (part[2] - part[3]) * part[1]):
            if low >= most or high <= least:
                break
            under = Fraction(least - high + best * ways) / ways
            over = Fraction(most - low + worst * ways) / ways
            value = self._search(outcome, under, over)
            exact = under < value < over
            if exact or value >= over:
                low += (max(worst, value) - worst) * ways
            if exact or value <= under:
                high += (min(best, value) - best) * ways
        return Fraction(high if high <= least else low) / cases

    def _secret(self, key: State[Any]) -> Fraction:
        """Return the value of a matrix game, a saddle point without mixing where there is one."""
        matrix = self.matrix(key)
        worst = [min(row) for row in matrix]
        best = [max(column) for column in zip(*matrix, strict=True)]
        if max(worst) == min(best):
            return max(worst)
        if self._solve_matrix is None:
            raise LookupError("a secret step needs a solver of matrix games")
        return self._solve_matrix(matrix)[0]

    def matrix(self, key: State[Any]) -> list[list[Fraction]]:
        """Return the values of every pair of secret choices, one row for each of the first seat's; all exact."""
        known: dict[State[Any], Fraction] = {}
        rows = self._tree.plans(key)
        for row in rows:
            for cell in row:
                if cell not in known:
                    low, high = self._bounds(cell)
                    known[cell] = Fraction(self._search(cell, low - 1, high + 1))
        return [[known[cell] for cell in row] for row in rows]


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

    def turns_left(self, state: State[Any]) -> int | None:
        """Return after how many turns of both seats play is over, or nothing where the plain tree is at work."""
        return self._rows.turns - self._tree.pace(state) if self._fits else None

    def bounds(self, state: State[Any]) -> Interval:
        """Return proved bounds of the value of a state."""
        if state.pending or not self._fits:
            return super().bounds(state)
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
        try:
            return super().value(state, window)
        except OverflowError:
            self._fits, self.weight = False, ROWS
            self._known.clear()
            return super().value(state, window)

    def _search(self, key: State[Any], alpha: Number, beta: Number) -> Number:
        if key.pending or not self._fits:
            return super()._search(key, alpha, beta)
        rows = self._rows
        row, one = rows.row(key.table), rows.one
        rows.begin(row)
        lead = rows.lead(0)
        least, most = floor((alpha - lead) * one), ceil((beta - lead) * one)
        self._limit()
        try:
            low, high = rows.value_of(row, least, most)
        finally:
            self._count_rows()
        self.tally.cut_short |= bool(rows.cut_short)
        found: Fraction = lead + Fraction(high if high <= least else low, one)
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
