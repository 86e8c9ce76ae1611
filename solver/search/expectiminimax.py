"""Exact values of games of several seats.

*Two seats* (``Expectiminimax``): alpha-beta over decisions, star cuts over chance, matrix games in secret. Payoffs add
to the same sum, so that one number, what the first seat gets, is the value. A window ``(alpha, beta)`` asks whether the
value lies in it. An answer inside is exact. One at or below ``alpha`` is an upper bound of the value, one at or above
``beta`` a lower one. At a chance node the bounds of the outcomes not yet looked at narrow the windows of the others
(Ballard 1983, star1). That is exact for the same reason. Values of equal keys are kept as intervals.

*Any number* (``Modelled``): everybody for themselves, or some by a simple way to play. A seat at its best takes what
gives itself most, the first of equals in the order of texts (max^n; Luckhardt and Irani 1986). Seats with another model
do not look ahead. Nothing is pruned, so that this also serves as a control of the pruned search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import cache
from math import lcm
from operator import itemgetter
from typing import Any, Final, Generic, TypeAlias, TypeVar

from rules.core.errors import UnsupportedRuleset
from rules.core.race import SECRET, Race, hides
from rules.core.scripts import CHANCE, OVER, Step
from rules.core.turns import State
from solver.search.budget import Budget, BudgetExceeded
from solver.search.rollout import IdlePolicy

Number: TypeAlias = Fraction | int
ONE: Final = 36**24 * lcm(*range(1, 61)) ** 3
"""Parts of one that values count in, so that means over a good many shells and draws are whole numbers.

A value that is not whole all the same is a fraction, which is slower.
"""
Key: TypeAlias = Any
"""A place in the play that is hashable: a state, or what an encoding has in its place."""
STEPS: Final = 2
"""Steps that count as much as one state asked about, where that is what is limited."""
_LOOK_STEPS: Final = 64
"""Steps taken between two looks at the clock: a single decision can have very many."""
_LOOK_EVERY: Final = 16
"""Keys between two looks at the clock."""


class PlainTree:
    """Keys are states, the middles of turns included; orders that lead to the same middle are one key."""

    name = "plain"
    last: int | None = None
    """The turns of all seats after which play is over or settles itself, where that is known."""

    taken = 0
    """Steps taken in all."""
    look: Callable[[], None] | None = None
    """Called now and then; raises where nothing more is to be looked at."""

    def __init__(self, game: Race[Any]) -> None:
        self.game = game

    def key(self, state: State[Any]) -> Key:
        """Return the key of a state."""
        return state

    def actor(self, key: Key) -> int:
        """Return who decides next."""
        if key.pending:
            return self.game.to_act(key)
        if self.game.is_over(key.table):
            return OVER
        return SECRET if self.game.is_secret(key.table) else self.game.to_act(key)

    def see(self, key: State[Any]) -> None:
        """See to it that whoever decides sees all cards but those still to be drawn.

        Raises:
            UnsupportedRuleset: something lies hidden, and the best choice would know it.
        """
        if hides(self.game, key.table):
            raise UnsupportedRuleset(["exact search where somebody decides while cards are hidden from a player"])

    def moves(self, key: State[Any]) -> list[tuple[Step, State[Any]]]:
        """Return the open moves with what each leads to, those that come to the same left out."""
        found: dict[State[Any], Step] = {}
        open_now = self.game.legal_moves(key)
        if len(open_now) > 1:
            self.see(key)
        for move in open_now:
            found.setdefault(self.after(key, move), move)
        return [(move, state) for state, move in found.items()]

    def after(self, key: State[Any], step: Step) -> State[Any]:
        """Return the state after a step."""
        self.taken += 1
        if self.look is not None and self.taken % _LOOK_STEPS == 0:
            self.look()
        return self.game.settled(self.game.apply(key, step).state)

    def followers(self, key: Key) -> Sequence[Key]:
        """Return the states after every open move."""
        return [state for _, state in self.moves(key)]

    def outcomes(self, key: Key) -> tuple[Sequence[tuple[Key, int]], int]:
        """Return the states after every outcome of chance."""
        outcomes = self.game.chance_outcomes(key)
        cases = lcm(*(outcome.cases for outcome in outcomes))
        return [(self.after(key, each), each.ways * (cases // each.cases)) for each in outcomes], cases

    def plans(self, key: State[Any]) -> Sequence[Sequence[State[Any]]]:
        """Return the states after every pair of secret choices; the first seat's choices are the rows.

        What the second seat may choose does not depend on what the first has chosen, and choices are listed by text.
        """
        self.see(key)
        middles = [self.after(key, first) for first in self.game.legal_moves(key)]
        rows = [[self.after(middle, second) for second in self.game.legal_moves(middle)] for middle in middles]
        return rows if self.game.to_act(key) == 0 else [list(column) for column in zip(*rows, strict=True)]

    def payoff(self, key: State[Any]) -> Number:
        """Return what the first seat has if play stops here, in parts of one."""
        return quotient(ONE * self.game.payoffs(key.table)[0])

    def guess(self, key: Key) -> Number:
        """Return about what the first seat will have, in parts of one."""
        return quotient(ONE * self.game.payoffs(key.table, guess=True)[0])

    def bounds(self, key: Key) -> tuple[Number, Number]:
        """Return proved bounds of the value, in parts of one."""
        is_over = not key.pending and self.game.is_over(key.table)
        low, high = (self.game.payoffs(key.table)[0],) * 2 if is_over else self.game.profile.payoffs
        return quotient(ONE * low), quotient(ONE * high)

    def pace(self, key: Key) -> int:
        """Return the turns of all seats that are over."""
        return self.game.pace(key.table)

    def rounds(self, key: State[Any]) -> int:
        """Return the rounds that are over."""
        return self.game.rounds(key.table)


def quotient(number: Number, cases: int = 1) -> Number:
    """Return a quotient, whole where it comes out even."""
    whole, rest = divmod(number, cases)
    return Fraction(number) / cases if rest else int(whole)


V = TypeVar("V")
Matrix = Sequence[Sequence[Fraction]]
Mix = tuple[Fraction, ...]
Payoffs = tuple[Fraction, ...]


class PlainSearch(Generic[V]):
    """A search of a tree: how far it looks, its limits, and what it knows of keys."""

    most: int | None = None
    """Keys to be asked about in all, where they are limited."""

    def __init__(self, tree: PlainTree, budget: Budget) -> None:
        self._tree, self.budget = tree, budget
        self._pace: int | None = None
        self._rounds: int | None = None
        self.keys = 0
        """Keys asked about, repeats that the transposition table does not answer included."""
        self.cut_short = False
        """Search has stopped somewhere although play goes on, so that values hang on what that counts for."""
        self._known: dict[Key, V] = {}

    def look(self, pace: int | None = None, rounds: int | None = None) -> None:
        """Begin anew with another horizon.

        After the turns ``pace`` of all seats, from the beginning of the game, a key counts for what the game guesses.
        After so many ``rounds`` play stops and payoffs are paid: that is part of the question, not of the search.
        """
        self._pace, self._rounds, self.cut_short = pace, rounds, False
        self._known.clear()

    def _count(self) -> None:
        """Count a key, and look at the limits now and then."""
        self.keys += 1
        if self.keys % _LOOK_EVERY == 0:
            self.check()

    def check(self) -> None:
        """Look at the limits: a tree may be asked for very many steps between two keys.

        Raises:
            BudgetExceeded: the time, or what may be asked, is used up.
        """
        self.budget.check()
        if self.most is not None and (self.keys > self.most or self._tree.taken > STEPS * self.most):
            raise BudgetExceeded

    def _is_last(self, key: Key) -> bool:
        """Return whether play stops at a key by the question."""
        return self._rounds is not None and self._tree.rounds(key) >= self._rounds

    def _is_far(self, key: Key) -> bool:
        """Return whether the search stops at a key, and note it."""
        found = self._pace is not None and self._tree.pace(key) >= self._pace
        self.cut_short = self.cut_short or found
        return found


class Expectiminimax(PlainSearch[tuple[Number, Number]]):
    """Values of the keys of one tree; which followers were best is remembered from horizon to horizon."""

    def __init__(self, tree: PlainTree, budget: Budget) -> None:
        super().__init__(tree, budget)
        self._first: dict[Key, Key] = {}
        """The follower that was best or cut when a key was looked at last: tried first the next time."""

    def bounds(self, state: State[Any]) -> tuple[Fraction, Fraction]:
        """Return proved bounds of the value of a state."""
        low, high = self._tree.bounds(self._tree.key(state))
        return Fraction(low) / ONE, Fraction(high) / ONE

    def lift(self) -> None:
        """Look to the end from here on, if play was followed to its end so far: all that is known holds there too."""
        self._pace = self._pace if self.cut_short else None

    def value(self, state: State[Any]) -> Fraction:
        """Return the first seat's payoff from a state.

        Raises:
            BudgetExceeded: the time or the number of keys is used up; likewise ``beside``.
        """
        return self._exactly(self._tree.key(state)) / ONE

    def beside(self, state: State[Any], value: Fraction, seat: int) -> Fraction:
        """Return what the first seat gets from a state if it is worth no less to a seat, else a bound below that."""
        whole = value * ONE
        window = (whole - 1, whole) if seat == 0 else (whole, whole + 1)
        return Fraction(self._search(self._tree.key(state), *window)) / ONE

    def _bounds(self, key: Key) -> tuple[Number, Number]:
        if key not in self._known:
            self._known[key] = self._tree.bounds(key)
        return self._known[key]

    def _search(self, key: Key, alpha: Number, beta: Number) -> Number:
        low, high = self._bounds(key)
        if low == high or low >= beta:
            return low
        if high <= alpha:
            return high
        self._count()
        if self._is_last(key):
            return self._tree.payoff(key)
        if self._is_far(key):
            return min(max(low, self._tree.guess(key)), high)
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

    def _exactly(self, key: Key) -> Fraction:
        low, high = self._bounds(key)
        return Fraction(self._search(key, low - 1, high + 1))

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
        if (first := self._first.get(key)) is not None:
            yield first
        left = [each for each in self._tree.followers(key) if each != first]
        yield from sorted(left, key=lambda each: sum(self._bounds(each)), reverse=seat == 0)

    def _mean(self, key: Key, alpha: Number, beta: Number) -> Number:
        """Return the mean over chance, likewise; outcomes not yet looked at count as their bounds (star1)."""
        outcomes, cases = self._tree.outcomes(key)
        parts = [(outcome, ways, *self._bounds(outcome)) for outcome, ways in outcomes]
        low: Number = sum(worst * ways for _, ways, worst, _ in parts)
        high: Number = sum(best * ways for _, ways, _, best in parts)
        least, most = alpha * cases, beta * cases
        # What leaves most open comes first, so that little is left to look at when a cut is possible.
        for outcome, ways, worst, best in sorted(parts, key=lambda part: (part[2] - part[3]) * part[1]):
            if low >= most or high <= least or worst == best:
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
        sure = max(map(min, matrix))
        return sure if sure == min(map(max, zip(*matrix, strict=True))) else solve_matrix_game(matrix)[0]

    def matrix(self, state: State[Any]) -> Matrix:
        """Return the values of every pair of secret choices, one row for each of the first seat's; all exact."""
        return [[cell / ONE for cell in row] for row in self._matrix(self._tree.key(state))]

    def _matrix(self, key: Key) -> Matrix:
        return [[self._exactly(cell) for cell in row] for row in self._tree.plans(key)]


# Any number of seats


class Model(StrEnum):
    """How a seat plays."""

    BEST = "best"
    RANDOM = "random"
    """Takes any open move, each equally likely."""
    GREEDY = "greedy"
    """Takes what makes its own table look best when the turn is over."""
    NEVER = "never"
    """Does nothing where it may, and else ends its turn at once."""


class Modelled(PlainSearch[Payoffs]):
    """Values of the states of one game, given how every seat plays."""

    def __init__(self, tree: PlainTree, models: Mapping[int, Model], budget: Budget) -> None:
        """Seats that ``models`` leaves out play their best."""
        super().__init__(tree, budget)
        self._game, self.models, self._promise = tree.game, models, cache(self._hope)

    def values(self, state: State[Any]) -> Payoffs:
        """Return what every seat gets from a state, in table order, and after leads what part of the win that brings.

        Raises:
            BudgetExceeded: the time or the number of states is used up.
            UnsupportedRuleset: several seats at their best decide in secret, or somebody does who does not see all.
        """
        if state not in self._known:
            self._known[state] = self._values(state)
        return self._known[state]

    def _values(self, state: State[Any]) -> Payoffs:
        game, tree = self._game, self._tree
        self._count()
        actor = tree.actor(state)
        is_end = actor == OVER or self._is_last(state)
        if is_end or self._is_far(state):
            payoffs = game.payoffs(state.table, guess=not is_end)
            ahead = [seat for seat, lead in enumerate(payoffs) if lead == max(payoffs)] if game.stake else []
            return (*payoffs, *(Fraction(int(seat in ahead), len(ahead)) for seat in range(len(payoffs)) if ahead))
        if actor == CHANCE:
            outcomes, cases = tree.outcomes(state)
            return mean([(self.values(after), Fraction(ways, cases)) for after, ways in outcomes])
        if actor == SECRET:  # each move of the one seat at its best is worth the mean over what the others do
            chooser, moves = self.chooser(state)
            return max((self.secretly(state, move) for move in moves), key=itemgetter(chooser or 0))
        if self.model(actor) is not Model.BEST:
            return mean([(self.values(after), chance) for after, chance in self.replies(state, actor)])
        return max((self.values(after) for _, after in tree.moves(state)), key=itemgetter(actor))

    def model(self, seat: int) -> Model:
        """Return how a seat plays."""
        return self.models.get(seat, Model.BEST)

    def replies(self, state: State[Any], seat: int) -> list[tuple[State[Any], Fraction]]:
        """Return what a seat with a model does, with the chances of it."""
        moves = self._game.legal_moves(state)
        if (model := self.model(seat)) is Model.RANDOM:
            return [(self._tree.after(state, move), Fraction(1, len(moves))) for move in moves]
        chosen = moves[0]
        if model is Model.NEVER:
            chosen = IdlePolicy(self._game).chosen(state.table, state.pending, seat, moves)
        elif len(moves) > 1:
            self._tree.see(state)
            hopes = [self._promise(self._tree.after(state, move), seat, self._tree.pace(state)) for move in moves]
            chosen = moves[hopes.index(max(hopes))]
        return [(self._tree.after(state, chosen), Fraction(1))]

    def _hope(self, state: State[Any], seat: int, pace: int) -> Fraction:
        """Return how good a table looks for a seat when the turn is over, the seat at its best and others anyhow."""
        actor = self._tree.actor(state)
        if actor == OVER or self._tree.pace(state) > pace:
            return Fraction(self._game.promise(state.table, seat))
        if actor == CHANCE:
            outcomes, cases = self._tree.outcomes(state)
            return sum((self._promise(after, seat, pace) * ways for after, ways in outcomes), Fraction(0)) / cases
        hopes = [self._promise(after, seat, pace) for _, after in self._tree.moves(state)]
        return max(hopes) if actor == seat else sum(hopes, Fraction(0)) / len(hopes)

    def chooser(self, state: State[Any]) -> tuple[int | None, Sequence[Step | None]]:
        """Return the seat that is at its best in a secret step, with its moves; a single nothing where no seat is.

        Raises:
            UnsupportedRuleset: several are.
        """
        found: list[tuple[int, Sequence[Step]]] = []
        here = state
        while self._tree.actor(here) == SECRET:
            seat, moves = self._game.to_act(here), self._game.legal_moves(here)
            found += [(seat, moves)] if self.model(seat) is Model.BEST else []
            here = self._tree.after(here, moves[0])
        if not found:
            return None, (None,)
        self._tree.see(state)
        if len(found) > 1:
            raise UnsupportedRuleset(["several seats at their best that decide in secret, more than two in all"])
        return found[0]

    def secretly(self, state: State[Any], move: Step | None) -> Payoffs:
        """Return the values where the seat at its best makes a move in a secret step under way."""
        if self._tree.actor(state) != SECRET:
            return self.values(state)
        seat = self._game.to_act(state)
        if self.model(seat) is Model.BEST and move is not None:
            return self.secretly(self._tree.after(state, move), move)
        return mean([(self.secretly(after, move), chance) for after, chance in self.replies(state, seat)])


def mean(parts: Sequence[tuple[Payoffs, Fraction]]) -> Payoffs:
    """Return the mean of payoffs by their chances."""
    return tuple(sum((part[0][seat] * part[1] for part in parts), Fraction(0)) for seat in range(len(parts[0][0])))


# Matrix games


def solve_matrix_game(payoffs: Matrix) -> tuple[Fraction, Mix, Mix]:
    """Return the value for the rows of a game in which both choose at once, and optimal mixes of rows and of columns.

    It is the simplex method (Dantzig 1951) over whole numbers, whose common denominator is the pivot before (Edmonds
    1967), with the lexicographic rule against cycles. The columns' mix is the solution, the rows' mix the dual one.
    Both prove each other: what the one is sure of is what the other concedes (von Neumann 1928).
    """
    low = min(map(min, payoffs))
    scale = lcm(*((cell - low).denominator for row in payoffs for cell in row))
    height, width = len(payoffs), len(payoffs[0])
    table = [
        [*(int((cell - low) * scale) + 1 for cell in row), *(int(each == number) for each in range(height)), 1]
        for number, row in enumerate(payoffs)
    ]
    goal = [-1] * width + [0] * (height + 1)
    basis, denominator = list(range(width, width + height)), 1
    while min(goal) < 0:
        column = goal.index(min(goal))
        ratio = min(Fraction(row[-1], row[column]) for row in table if row[column] > 0)
        tied = [each for each, row in enumerate(table) if row[column] > 0 and row[-1] == ratio * row[column]]
        lead = min(tied, key=lambda each: [Fraction(cell, table[each][column]) for cell in table[each][width:-1]])
        pivots = table[lead]
        for row in (*table, goal):
            if row is not pivots:
                factor = row[column]
                pairs = zip(row, pivots, strict=True)
                row[:] = [(cell * pivots[column] - factor * other) // denominator for cell, other in pairs]
        basis[lead], denominator = column, pivots[column]
    shares = {each: Fraction(table[number][-1], goal[-1]) for number, each in enumerate(basis)}
    rows = tuple(Fraction(part, goal[-1]) for part in goal[width:-1])
    columns = tuple(shares.get(each, Fraction(0)) for each in range(width))
    value = low + (Fraction(denominator, goal[-1]) - 1) / scale
    assert min(mean_payoff(rows, column) for column in zip(*payoffs, strict=True)) == value
    assert max(mean_payoff(columns, row) for row in payoffs) == value
    return value, rows, columns


def mean_payoff(mix: Mix, payoffs: Sequence[Fraction]) -> Fraction:
    """Return what a mix of choices gets on the average, by what each of them gets."""
    return sum((part * payoff for part, payoff in zip(mix, payoffs, strict=True)), Fraction(0))
