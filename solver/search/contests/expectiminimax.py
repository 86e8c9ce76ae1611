"""Exact values of games of two seats: alpha-beta over decisions, star cuts over chance, matrix games in secret.

Both seats play for payoffs that add to the same sum, so that one number, what the first seat gets, is the value. A
window ``(alpha, beta)`` asks whether the value lies in it. An answer inside is exact. One at or below ``alpha`` is an
upper bound of the value, one at or above ``beta`` a lower one. At a chance node the bounds of the outcomes
not yet looked at narrow the windows of the others (Ballard 1983, star1). That is exact for the same reason. Values of
equal keys are kept as intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final, Generic, TypeVar

from rules.core.race import SECRET, Interval
from rules.core.steps import CHANCE
from rules.core.turns import State
from solver.search.budget import Budget, BudgetExceeded, uncollected
from solver.search.contests.tree import ONE, Key, Number, PlainTree, quotient

V = TypeVar("V")
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
    """A search of a tree: its horizon, its limits, and what it knows of keys."""

    def __init__(
        self, tree: PlainTree, budget: Budget, horizon: Horizon | None = None, *, most: int | None = None
    ) -> None:
        """``most``: keys to be asked about in all."""
        self._tree = tree
        self.budget = budget
        self._horizon = horizon or Horizon()
        self.most = most
        self.tally = Tally()
        self._known: dict[Key, V] = {}

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
        self.tally.keys += 1
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
        self._first: dict[Key, Key] = {}
        """The follower that was best or cut when a key was looked at last: tried first the next time."""

    def bounds(self, state: State[Any]) -> Interval:
        """Return proved bounds of the value of a state."""
        low, high = self._tree.bounds(self._tree.key(state))
        return Interval(Fraction(low) / ONE, Fraction(high) / ONE)

    def lift(self) -> None:
        """Look to the end from here on, if play was followed to its end so far: all that is known holds there too."""
        if not self.tally.cut_short:
            self._horizon = replace(self._horizon, pace=None)

    def value(self, state: State[Any]) -> Fraction:
        """Return the first seat's payoff from a state.

        Raises:
            BudgetExceeded: the time or the number of keys is used up.
        """
        key = self._tree.key(state)
        low, high = self._bounds(key)
        with uncollected():
            return Fraction(self._search(key, low - 1, high + 1)) / ONE

    def beside(self, state: State[Any], value: Fraction, seat: int) -> Fraction:
        """Return what the first seat gets from a state if it is worth no less to a seat, else a bound that is below it.

        Raises:
            BudgetExceeded: the time or the number of keys is used up.
        """
        whole = value * ONE
        window = (whole - 1, whole) if seat == 0 else (whole, whole + 1)
        with uncollected():
            return Fraction(self._search(self._tree.key(state), *window)) / ONE

    def _bounds(self, key: Key) -> tuple[Number, Number]:
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._tree.bounds(key)
        return known

    def _search(self, key: Key, alpha: Number, beta: Number) -> Number:
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

    def _stopped(self, key: Key, low: Number, high: Number) -> Number | None:
        """Return what a key counts for where the horizon lies before it, else nothing."""
        tree, horizon = self._tree, self._horizon
        if horizon.rounds is not None and tree.rounds(key) >= horizon.rounds:
            return tree.payoff(key)
        if horizon.pace is None or tree.pace(key) < horizon.pace:
            return None
        self.tally.cut_short = True
        return min(max(low, tree.guess(key)), high)

    def _best(self, key: Key, seat: int, alpha: Number, beta: Number) -> Number:
        """Return the value of a decision, exact inside the window.

        Whether a follower is better than the best one is asked first (principal variation search, Marsland 1983).
        """
        low, high = alpha, beta
        best: Number | None = None
        for follower in self._ordered(key, seat):
            if best is None or high - low <= 1:
                value = self._search(follower, low, high)
            else:
                scout = (low, low + 1) if seat == 0 else (high - 1, high)
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

    def _ordered(self, key: Key, seat: int) -> Iterator[Key]:
        """Yield the followers of a decision: what was best or cut before, then by their bounds.

        Bounds of the others are not asked for before they are needed, as most nodes are cut by the first follower.
        """
        first = self._first.get(key)
        if first is not None:
            yield first
        left = [each for each in self._tree.followers(key) if each != first]
        yield from sorted(left, key=lambda each: sum(self._bounds(each)), reverse=seat == 0)

    def _mean(self, key: Key, alpha: Number, beta: Number) -> Number:
        """Return the mean over chance, likewise; outcomes not yet looked at count as their bounds (star1)."""
        outcomes, cases = self._tree.outcomes(key)
        low: Number = 0
        high: Number = 0
        parts: list[tuple[Key, int, Number, Number]] = []
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
            under = (least - high + best * ways) // ways
            over = -((low - most - worst * ways) // ways)
            value = self._search(outcome, under, over)
            exact = under < value < over
            if exact or value >= over:
                low += (max(worst, value) - worst) * ways
            if exact or value <= under:
                high += (min(best, value) - best) * ways
        return quotient(high if high <= least else low, cases)

    def _secret(self, key: Key) -> Number:
        """Return the value of a matrix game, a saddle point without mixing where there is one."""
        matrix = self._matrix(key)
        worst = [min(row) for row in matrix]
        best = [max(column) for column in zip(*matrix, strict=True)]
        if max(worst) == min(best):
            return max(worst)
        if self._solve_matrix is None:
            raise LookupError("a secret step needs a solver of matrix games")
        return self._solve_matrix(matrix)[0]

    def matrix(self, state: State[Any]) -> Matrix:
        """Return the values of every pair of secret choices, one row for each of the first seat's; all exact."""
        return [[cell / ONE for cell in row] for row in self._matrix(self._tree.key(state))]

    def _matrix(self, key: Key) -> Matrix:
        known: dict[Key, Fraction] = {}
        rows = self._tree.plans(key)
        for row in rows:
            for cell in row:
                if cell not in known:
                    low, high = self._bounds(cell)
                    known[cell] = Fraction(self._search(cell, low - 1, high + 1))
        return [[known[cell] for cell in row] for row in rows]
