"""The first turn of a question with a hidden deck whose values come from an encoding of the game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final, Protocol

from puzzles.goal import Objective
from rules.core.race import OutOfReach
from rules.core.steps import Step
from rules.core.turns import State, Value
from solver.search.budget import Budget, BudgetExceeded, Counters
from solver.search.expectimax import OPEN, Expectimax
from solver.search.first_turn import Branch, FirstTurn, PlainStart, followed

ROWS: Final = 200
"""Rows that take about as long as one way through a turn by the rules."""
ROW_S: Final = 0.000_001
"""About the seconds of a row."""
PLANNED: Final = 3_000
"""Ways through the first turn that a plan looks at; where there are more it says only how the turn begins."""


class Values(Protocol):
    """Exact values of one goal by an encoding."""

    search: Any
    """Has ``count``, the rows looked at so far."""

    def value(self, table: Any, turns: int) -> Value:
        """Return the value of a table at the start of a turn."""

    def of_move(self, table: Any, move: Step, turns: int) -> Value:
        """Return the value where the turn begins with a move."""

    def order(self, table: Any, move: Step) -> tuple[int, ...]:
        """Return by what moves are sorted in which the search tries them."""


class Rows:
    """Counts the rows of a search, and ends it when they or the time are used up."""

    def __init__(self, budget: Budget, most: int | None) -> None:
        """``most`` ways through turns, by what rows take, may be looked at."""
        self._budget, self._most = budget, most
        self._spent = 0
        self.values: Values | None = None

    @property
    def count(self) -> int:
        """The rows looked at."""
        return 0 if self.values is None else int(self.values.search.count)

    def pause(self) -> None:
        """Look at the limits.

        Raises:
            BudgetExceeded: one of them is used up.
        """
        self._budget.spend((self.count - self._spent) * ROW_S)
        self._spent = self.count
        self._budget.check()
        if self._most is not None and self.count > ROWS * self._most:
            raise BudgetExceeded


@dataclass(slots=True)
class EncodedTables(Expectimax):
    """Expectimax for one turn: tables after it have their values from an encoding."""

    values: Values | None = None

    def value(self, table: Any, turns: int) -> Value:
        """Return the value from the start of a turn with so many turns left.

        Raises:
            BudgetExceeded: the time or the work allowed is used up.
            OutOfReach: the encoding does not carry the table.
        """
        settled = self._settled(table, turns)
        if settled is not OPEN:
            return settled  # type: ignore[return-value] # the marker has been ruled out
        key = (table, turns)
        if key not in self._known:
            assert self.values is not None
            try:
                self._known[key] = self.values.value(table, turns)
                self.counters.states += 1
            except OverflowError as error:
                raise OutOfReach from error
        return self._known[key]


class EncodedStart(FirstTurn):
    """The first turn by an encoding: each open move is begun with, what chance brings is left to the encoding."""

    engine = "encoded"

    def __init__(self, search: EncodedTables, rows: Rows, start: State[Any], moves: Sequence[Step]) -> None:
        """``moves`` are those that are open and not forbidden."""
        self._search, self._rows, self._start, self._open = search, rows, start, moves
        self._plain = PlainStart(search, start)

    @property
    def counters(self) -> Counters:
        """Return what the search has done so far."""
        counters = self._search.counters
        return replace(counters, generated=counters.generated + self._rows.count)

    def value(self, turns: int) -> Value:
        """Return the value of the position."""
        if self._start.pending:
            return self._plain.value(turns)
        return self._search.value(self._start.table, turns)

    def moves(self, turns: int) -> list[tuple[Step, Value]]:
        """Return every open move with its value."""
        search, start = self._search, self._start
        if start.pending:
            return self._plain.moves(turns)
        if turns <= 0 or search.settled(start.table, turns):
            return []
        return [(move, self.of_move(move, turns)) for move in self._open]

    def of_move(self, move: Step, turns: int) -> Value:
        """Return the value of one open move."""
        search, start = self._search, self._start
        if start.pending:
            return self._plain.of_move(move, turns)
        assert search.values is not None
        try:
            return search.values.of_move(start.table, move, turns)
        except OverflowError as error:
            raise OutOfReach from error
        except LookupError:
            begun = search.game.begun(start, move)
            return search.turn(search.ends(start.table, turns, begun), len(begun))

    def best(self, turns: int, liked: Iterable[Step]) -> Step | None:
        """Return a best move, the first of those ``liked`` that is one, else the first that the search has met."""
        search, start = self._search, self._start
        if start.pending:
            return self._plain.best(turns, liked)
        value, values = self.value(turns), search.values
        if value is None or turns <= 0 or values is None or search.settled(start.table, turns):
            return None
        met = sorted(self._open, key=lambda move: values.order(start.table, move))
        return next(
            (move for move in (*filter(self._open.__contains__, liked), *met) if self.of_move(move, turns) == value),
            None,
        )

    def later(self, start: State[Any], moves: Sequence[Step]) -> FirstTurn:
        """Return the same search at a later position."""
        return EncodedStart(self._search, self._rows, start, moves)

    def plan(self, best: Step, turns: int) -> list[Branch]:
        """Return the move with what answers each result of chance, or the move alone where there are too many."""
        search, start = self._search, self._start
        begun = search.game.begun(start, best)
        search.most, most = search.counters.generated + PLANNED, search.most
        try:
            ends = search.ends(start.table, turns, begun)
        except (BudgetExceeded, OutOfReach):
            search.budget.check()
            return [Branch((), (best.text,), Fraction(1), self.of_move(best, turns))]
        finally:
            search.most = most
        return followed(ends, search.turn, len(begun) - 1, least=search.goal.objective is Objective.MIN_TURNS)
