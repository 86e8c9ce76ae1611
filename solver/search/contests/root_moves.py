"""The moves of one position of two seats told apart: the best is proved first, then what the others lose.

The position itself is valued once. An empty window beside the value asks whether a move reaches it. Nearly all of what
that needs is in the table by then. Only then does the search find how much the others lose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rules.core.errors import DisagreementError
from rules.core.steps import Step
from rules.core.turns import State
from solver.search.contests.expectiminimax import LITTLE, Expectiminimax
from solver.search.contests.tree import PlainTree


@dataclass(frozen=True, slots=True)
class Rated:
    """What a move is known to lose against the best one."""

    loss: Fraction | None
    at_least: Fraction
    """What it is proved to lose: the loss where that is known."""


class RootMoves:
    """One position whose moves are asked about, at the horizon that its search has."""

    def __init__(self, search: Expectiminimax, plain: PlainTree, start: State[Any], seat: int) -> None:
        self._search = search
        self._plain = plain
        self._start = start
        self._sign = 1 if seat == 0 else -1
        self.value = Fraction(0)
        """What the first seat gets, once settled."""
        self.rated: dict[Step, Rated] = {}
        """Every move, once settled."""

    @property
    def turns_left(self) -> int | None:
        """Turns of all seats after which play is over at the latest, where an encoding says it; else nothing."""
        return self._search.turns_left(self._start)

    def settle(self, moves: Sequence[Step]) -> bool:
        """Value the position and tell the moves that reach the value; return whether play was followed to its end.

        Raises:
            BudgetExceeded: the time or the number of keys is used up.
            DisagreementError: no move is worth what the position is worth.
        """
        search = self._search
        self.value = search.value(self._start)
        search.lift()
        lost = {move: self._lost(move) for move in moves}
        least = min(lost.values())
        exact = not search.tally.cut_short
        if exact and least:
            raise DisagreementError(f"a position is worth {self.value}, its best move loses {least} of it")
        # A guess need not keep to what is proved of a position, so that guesses of both may differ.
        nothing = Fraction(0)
        floor = max(least, nothing)
        self.rated = {
            move: Rated(None, each) if each > floor else Rated(nothing, nothing) for move, each in lost.items()
        }
        return exact

    def refine(self, moves: Sequence[Step]) -> Iterator[Step]:
        """Yield moves one after another, each when its loss is known exactly, in the order that is asked for.

        Raises:
            BudgetExceeded: the time or the number of keys is used up.
            DisagreementError: a move turns out better than the position.
        """
        for move in moves:
            if self.rated[move].loss is None:
                lost, least = self._lost_exactly(move), self.rated[move].at_least
                if lost < least:
                    raise DisagreementError(f"a move loses {lost}, and {least} at least")
                self.rated[move] = Rated(lost, lost)
                yield move

    def _after(self, move: Step) -> State[Any]:
        return self._plain.after(self._start, move)

    def _lost(self, move: Step) -> Fraction:
        """Return 0 for a move that reaches the value, else what it loses at least."""
        return self._sign * (self.value - _beside(self._search, self._after(move), self.value, self._sign))

    def _lost_exactly(self, move: Step) -> Fraction:
        return self._sign * (self.value - self._search.value(self._after(move)))


def first_best(search: Expectiminimax, plain: PlainTree, state: State[Any], actor: int) -> Step:
    """Return the first of the best moves of a state at the horizon that a search has."""
    sign, moves = 1 if actor == 0 else -1, plain.moves(state)
    value = search.value(state)
    for move, after in moves:
        if _beside(search, after, value, sign) * sign >= value * sign:
            return move
    return max(moves, key=lambda each: sign * search.value(each[1]))[0]


def _beside(search: Expectiminimax, state: State[Any], value: Fraction, sign: int) -> Fraction:
    """Return what is found of a state when asked whether it is worth a value: a bound at least if it is worth less."""
    return search.value(state, (value - LITTLE, value) if sign > 0 else (value, value + LITTLE))
