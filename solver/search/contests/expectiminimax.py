"""Exact values of games of two seats: alpha-beta over decisions, star cuts over chance, matrix games in secret.

Both seats play for payoffs that add to the same sum, so that one number, what the first seat gets, is the value. A
window ``(alpha, beta)`` asks whether the value lies in it: an answer inside is exact, one at or below ``alpha`` is an
upper bound of the value, one at or above ``beta`` a lower one. At a chance node the bounds of the outcomes not yet
looked at narrow the windows of the others (Ballard 1983, star1), which is exact for the same reason. Values of equal
keys are kept as intervals.

Where payoffs are whole numbers everything is multiplied by one great number that all chances met divide, so that values
stay integers and no fraction is ever reduced; a chance that does not divide it begins the search anew with a greater
one. Elsewhere values are fractions. Both are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from math import gcd
from typing import Any, Final, Generic, TypeVar

from rules.core.contest import SECRET, ContestTree, Interval
from rules.core.steps import CHANCE
from solver.search.layers import LimitHit, Watch
from solver.search.postponed import uncollected

K = TypeVar("K", bound=Hashable)

FIRST_SCALE: Final = 36**8
"""What whole payoffs are multiplied by at first: two dice a shell, eight shells."""
_SHARES: Final = 2
"""Times that an outcome of chance is asked for its share of what is missing before it is searched in full."""
_LOOK_EVERY: Final = 64
"""Keys between two looks at the clock."""

Matrix = Sequence[Sequence[Fraction]]
SolveMatrix = Callable[[Matrix], tuple[Fraction, tuple[Fraction, ...], tuple[Fraction, ...]]]
"""Returns the value of a matrix game, the mix of the rows, which want much, and that of the columns."""


class Beyond(StrEnum):
    """What a key counts for at which search stops although play goes on."""

    WORST = "worst"
    """The least that the first seat can still have, so that values are lower bounds."""
    GUESS = "guess"
    """What the game guesses."""
    BEST = "best"
    """The most, so that values are upper bounds."""


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
    """Turns of all seats, from the beginning of the game, after which a key counts for ``beyond``."""
    beyond: Beyond = Beyond.GUESS
    rounds: int | None = None
    """Rounds after which play stops and payoffs are paid: part of the question, not of the search."""


class _TooCoarse(Exception):
    """A chance does not divide the number that payoffs are multiplied by."""

    def __init__(self, factor: int) -> None:
        super().__init__(factor)
        self.factor = factor


class Expectiminimax(Generic[K]):
    """Values of the keys of one tree; the transposition table is kept from question to question."""

    def __init__(
        self,
        tree: ContestTree[K],
        watch: Watch,
        horizon: Horizon | None = None,
        *,
        most: int | None = None,
        solve_matrix: SolveMatrix | None = None,
        pruned: bool = True,
    ) -> None:
        """``most``: keys to be asked about in all; ``pruned``: cuts are made, which only a control does without."""
        self._tree = tree
        self.watch = watch
        self._horizon = horizon or Horizon()
        self.most = most
        self._solve_matrix = solve_matrix
        self._pruned = pruned
        self.tally = Tally()
        self._whole = tree.whole
        self._scale = FIRST_SCALE if self._whole else 1
        self._known: dict[K, tuple[Any, Any]] = {}
        self._first: dict[K, K] = {}
        """The follower that was best or cut when a key was looked at last: tried first the next time."""

    @property
    def name(self) -> str:
        """The name of the tree."""
        return self._tree.name

    def key(self, state: Any) -> K | None:
        """Return the key of a state, or nothing where the tree does not hold it."""
        return self._tree.key(state)

    def bounds(self, key: K) -> Interval:
        """Return proved bounds of the value of a key."""
        return self._tree.bounds(key)

    def look(self, horizon: Horizon) -> None:
        """Begin anew with another horizon; which followers were best is remembered."""
        self._horizon = horizon
        self.tally.cut_short = False
        self._known.clear()

    def turns_left(self, key: K) -> int | None:
        """Return nothing: how long play goes on at most is not looked at."""
        return None

    def lift(self) -> None:
        """Look to the end from here on, if play was followed to its end so far: all that is known holds there too."""
        if not self.tally.cut_short:
            self._horizon = replace(self._horizon, pace=None)

    def value(self, key: K, window: tuple[Fraction | int, Fraction | int] | None = None) -> Fraction:
        """Return the first seat's payoff from a key; exact inside the window, else a bound on that side of it.

        Raises:
            LimitHit: the time or the number of keys is used up.
        """
        while True:
            try:
                low, high = self._bounds(key)
                alpha, beta = low - 1, high + 1
                if window is not None:
                    alpha = self._floor(window[0] * self._scale, 1)
                    beta = self._ceil(window[1] * self._scale, 1)
                with uncollected():
                    return Fraction(self._search(key, alpha, beta)) / self._scale
            except _TooCoarse as fault:
                self._scale *= fault.factor**4
                self._known.clear()

    def _bounds(self, key: K) -> tuple[Any, Any]:
        known = self._known.get(key)
        if known is None:
            low, high = self._tree.bounds(key)
            known = self._known[key] = (low * self._scale, high * self._scale)
        return known

    def _search(self, key: K, alpha: Any, beta: Any) -> Any:
        tree = self._tree
        low, high = self._bounds(key)
        if low == high or (self._pruned and low >= beta):
            return low
        if self._pruned and high <= alpha:
            return high
        tally = self.tally
        tally.keys += 1
        if tally.keys % _LOOK_EVERY == 0:
            self.watch.check()
            if self.most is not None and tally.keys > self.most:
                raise LimitHit
        stop = self._stopped(key, low, high)
        if stop is not None:
            return stop
        actor = tree.actor(key)
        if actor == CHANCE:
            value, exact = self._mean(key, alpha, beta)
        elif actor == SECRET:
            value, exact = self._secret(key), True
        else:
            value, exact = self._best(key, actor, alpha, beta)
        if exact is True:
            low = high = value
        elif exact is None:
            low = max(low, value)
        else:
            high = min(high, value)
        self._known[key] = (low, high)
        return value

    def _stopped(self, key: K, low: Any, high: Any) -> Any:
        """Return what a key counts for where the horizon lies before it, else nothing."""
        tree, horizon = self._tree, self._horizon
        if horizon.rounds is not None and tree.rounds(key) >= horizon.rounds:
            return tree.payoff(key) * self._scale
        if horizon.pace is None or tree.pace(key) < horizon.pace:
            return None
        self.tally.cut_short = True
        if horizon.beyond is Beyond.WORST:
            return low
        if horizon.beyond is Beyond.BEST:
            return high
        guess = tree.guess(key) * self._scale
        return min(max(low, self._floor(guess, 1)), high)

    def _best(self, key: K, seat: int, alpha: Any, beta: Any) -> tuple[Any, bool | None]:
        """Return the value of a decision; true if it is exact, none for a lower bound, false for an upper one."""
        low, high = alpha, beta
        best = best_key = None
        for follower in self._ordered(key, seat):
            value = self._search(follower, low, high) if best is None else self._scouted(follower, seat, low, high)
            better = best is None or (value > best if seat == 0 else value < best)
            if better:
                best, best_key = value, follower
                if seat == 0:
                    low = max(low, value)
                else:
                    high = min(high, value)
                if self._pruned and low >= high:
                    break
        if best_key is not None:
            self._first[key] = best_key
        if not self._pruned or alpha < best < beta:
            return best, True
        return best, None if best >= beta else False

    def _scouted(self, key: K, seat: int, low: Any, high: Any) -> Any:
        """Return the value of a follower that is not expected to be better: whether it is gets asked first.

        Among integers that is a window without anything inside (principal variation search, Marsland 1983).
        """
        if not self._whole or not self._pruned or high - low <= 1:
            return self._search(key, low, high)
        value = self._search(key, low, low + 1) if seat == 0 else self._search(key, high - 1, high)
        return self._search(key, low, high) if low < value < high else value

    def _ordered(self, key: K, seat: int) -> Iterator[K]:
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
        left.sort(key=self._looks, reverse=seat == 0)
        yield from left

    def _looks(self, key: K) -> Any:
        """Return how good a key looks for the first seat."""
        low, high = self._bounds(key)
        return low + high

    def _mean(self, key: K, alpha: Any, beta: Any) -> tuple[Any, bool | None]:
        """Return the mean over chance, likewise; outcomes not yet looked at count as their bounds (star1).

        Where only a side of the window is asked for, each outcome is first asked for its share of what is missing:
        between its bounds as far up as the mean has to be between those of all. That is a window without anything
        inside, and what it excludes is excluded for the mean as well; an outcome that was asked twice is searched in
        its whole window.
        """
        outcomes, cases = self._tree.outcomes(key)
        low = high = 0
        parts: list[tuple[K, int, Any, Any]] = []
        for outcome, ways in outcomes:
            worst, best = self._bounds(outcome)
            low += worst * ways
            high += best * ways
            if worst != best:
                parts.append((outcome, ways, worst, best))
        least, most = alpha * cases, beta * cases
        # What leaves most open comes first, so that little is left to look at when a cut is possible.
        parts.sort(key=lambda part: (part[2] - part[3]) * part[1])
        shares = len(parts) * _SHARES if self._whole and self._pruned and beta - alpha <= 1 else 0
        while parts:
            if self._pruned and low >= most:
                return self._floor(low, cases), None
            if self._pruned and high <= least:
                return self._ceil(high, cases), False
            outcome, ways, worst, best = parts.pop(0)
            shares -= 1
            if shares >= 0:
                ceil = worst + min(max(1, -(-(best - worst) * (most - low) // (high - low))), best - worst)
                floor = ceil - 1
            else:
                floor = self._floor(least - high + best * ways, ways)
                ceil = self._ceil(most - low + worst * ways, ways)
            value = self._search(outcome, floor, ceil)
            exact = not self._pruned or floor < value < ceil
            least_known, most_known = (value, value) if exact else self._bounds(outcome)
            if value >= ceil:
                least_known = max(least_known, value)
            elif value <= floor:
                most_known = min(most_known, value)
            low += (least_known - worst) * ways
            high += (most_known - best) * ways
            if shares >= 0 and least_known != most_known:
                parts.append((outcome, ways, least_known, most_known))
        if low == high:
            return self._divided(low, cases), True
        return (self._floor(low, cases), None) if low >= most else (self._ceil(high, cases), False)

    def _secret(self, key: K) -> Any:
        """Return the value of a matrix game, a saddle point without mixing where there is one."""
        matrix = self.matrix(key)
        worst = [min(row) for row in matrix]
        best = [max(column) for column in zip(*matrix, strict=True)]
        if max(worst) == min(best):
            return max(worst)
        if self._solve_matrix is None:
            raise LookupError("a secret step needs a solver of matrix games")
        return self._solve_matrix(matrix)[0]

    def matrix(self, key: K) -> list[list[Fraction]]:
        """Return the values of every pair of secret choices, one row for each of the first seat's; all exact."""
        known: dict[K, Any] = {}
        rows = self._tree.plans(key)
        for row in rows:
            for cell in row:
                if cell not in known:
                    low, high = self._bounds(cell)
                    known[cell] = self._search(cell, low - 1, high + 1)
        return [[known[cell] for cell in row] for row in rows]

    # Exact division, and roundings that keep a window as wide as it must be

    def _divided(self, total: Any, cases: int) -> Any:
        if not self._whole:
            return total / cases if isinstance(total, Fraction) else Fraction(total, cases)
        value, rest = divmod(total, cases)
        if rest:
            raise _TooCoarse(cases // gcd(total, cases))
        return value

    def _floor(self, total: Any, cases: int) -> Any:
        return total // cases if self._whole else Fraction(total) / cases

    def _ceil(self, total: Any, cases: int) -> Any:
        return -(-total // cases) if self._whole else Fraction(total) / cases
