"""The first turn of a question with hidden chance: every open move with its value, what to do on what comes up."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import takewhile
from typing import Any, Final, Protocol

from puzzles.goal import Objective
from rules.core.race import Unsupported
from rules.core.steps import ChanceOutcome, Forced, Step
from rules.core.turns import State
from solver.search.budget import Budget, BudgetExceeded, Counters
from solver.search.expectimax import OPEN, Expectimax, Value, WeighedEnd, by_step

MANY: Final = 12
"""Results of chance that a plan tells apart although nothing is decided by them, at most."""


@dataclass(frozen=True, slots=True)
class Branch:
    """What to do when chance brings something."""

    seen: tuple[str, ...]
    """Results of chance this turn, in the order in which the plan tells them apart."""
    then: tuple[str, ...]
    """Moves of the same turn that answer them."""
    probability: Fraction
    value: Fraction | None


def whatever_comes(plan: Sequence[Branch]) -> tuple[str, ...]:
    """Return the first moves of a turn that are the same whatever chance shows."""
    steps = zip(*(branch.then for branch in plan), strict=False)
    return tuple(each[0] for each in takewhile(lambda each: len(set(each)) == 1, steps))


def followed(
    ends: list[WeighedEnd], worth: Callable[[list[WeighedEnd], int], Value], depth: int, *, least: bool = False
) -> list[Branch]:
    """Return what is done for each result of chance by whoever chooses best, after so many steps.

    ``worth`` tells what ends are worth after some steps; ``least``: the least is best. Where very much may come up,
    what comes after the last decision is not told apart.
    """
    branches: list[Branch] = []
    decided: list[int] = []
    """Of each branch how many results come before its last decision."""

    def follow(
        ends: list[WeighedEnd],
        depth: int,
        seen: tuple[str, ...],
        done: tuple[str, ...],
        probability: Fraction,
        before: int = 0,
    ) -> None:
        steps, orders, value = ends[0]
        if depth == len(steps):
            branches.append(Branch(seen, done, probability * orders, value))
            decided.append(before)
            return
        groups = by_step(ends, depth)
        if isinstance(next(iter(groups)), ChanceOutcome):
            for step, group in groups.items():
                assert isinstance(step, ChanceOutcome)
                shown = (*seen, step.result) if len(groups) > 1 else seen
                follow(group, depth + 1, shown, done, probability * step.probability, before)
            return
        valued = [(worth(group, depth + 1), step, group) for step, group in groups.items()]
        possible = [each for each in valued if each[0] is not None] or valued
        best = min(possible, key=lambda each: ((each[0] or 0) * (1 if least else -1), each[1].text))
        # Nobody is asked about a step that has no alternative, and nobody can say it.
        told = done if isinstance(best[2][0][0][depth], Forced) else (*done, best[1].text)
        follow(best[2], depth + 1, seen, told, probability, before if told is done else len(seen))

    follow(ends, depth, (), (), Fraction(1))
    if len({branch.seen for branch in branches}) <= MANY:
        return branches
    return _merged(replace(branch, seen=branch.seen[:n]) for branch, n in zip(branches, decided, strict=True))


def _merged(branches: Iterable[Branch]) -> list[Branch]:
    """Return branches of which those that tell the same are one, with the mean of what they are worth."""
    alike: dict[tuple[tuple[str, ...], tuple[str, ...]], list[Branch]] = {}
    for branch in branches:
        alike.setdefault((branch.seen, branch.then), []).append(branch)
    found = []
    for (seen, then), same in alike.items():
        probability = sum((each.probability for each in same), Fraction(0))
        worths = [each.probability * each.value for each in same if each.value is not None]
        value = sum(worths, Fraction(0)) / probability if len(worths) == len(same) else None
        found.append(Branch(seen, then, probability, value))
    return found


class FirstTurn(ABC):
    """One position with a search over what its open moves lead to."""

    engine: str

    @property
    @abstractmethod
    def counters(self) -> Counters:
        """Return what the search has done so far."""

    @abstractmethod
    def value(self, turns: int) -> Value:
        """Return the best expected value with so many turns to go, none where there is no way to play on.

        Raises:
            BudgetExceeded: the time or the work allowed is used up.
        """

    @abstractmethod
    def moves(self, turns: int) -> list[tuple[Step, Value]]:
        """Return every open move with its value for a number of turns that has been asked for; none if all is over."""

    def best(self, turns: int, liked: Iterable[Step]) -> Step | None:
        """Return a best move, the first of those ``liked`` that is one; none where all is over or lost.

        Raises:
            BudgetExceeded: the time or the work allowed is used up.
            Unsupported: the game's form does not carry a turn.
        """
        value = self.value(turns)
        found = {move for move, worth in self.moves(turns) if worth is not None and worth == value}
        return next((move for move in liked if move in found), None) or min(
            found, key=lambda move: move.text, default=None
        )

    def of_move(self, move: Step, turns: int) -> Value:
        """Return the value of one open move."""
        return dict(self.moves(turns)).get(move)

    @abstractmethod
    def later(self, start: State[Any], moves: Sequence[Step]) -> FirstTurn:
        """Return the same search at a later position, where some moves are open; what is known serves again."""

    @abstractmethod
    def plan(self, best: Step, turns: int) -> list[Branch]:
        """Return the best move with what answers each result of chance within the turn."""


class PlainStart(FirstTurn):
    """The first turn by the rules, every way through it."""

    engine = "expectimax"

    def __init__(self, search: Expectimax, start: State[Any]) -> None:
        self._search = search
        self._start = start
        self._ends: dict[int, list[WeighedEnd]] = {}
        """All ways through the first turn, by the turns to go; empty where it is settled already."""

    @property
    def counters(self) -> Counters:
        """Return what the search has done so far."""
        return self._search.counters

    def value(self, turns: int) -> Value:
        """Return the value of the position; what was known of the first turn for other turns to go is forgotten."""
        self._ends.clear()
        return self._value(turns)

    def _value(self, turns: int) -> Value:
        search, table, pending = self._search, self._start.table, self._start.pending
        if not pending and (turns <= 0 or search.settled(table, turns)):
            return search.value(table, turns)
        ends = search.ends(table, turns, pending)
        self._ends[turns] = ends
        return search.turn(ends, len(pending))

    def moves(self, turns: int) -> list[tuple[Step, Value]]:
        """Return every open move with its value."""
        if turns not in self._ends:
            self._value(turns)
        ends = self._ends.get(turns)
        return self._search.moves(ends, self._depth(ends)) if ends else []

    def later(self, start: State[Any], moves: Sequence[Step]) -> FirstTurn:
        """Return the same search at a later position."""
        return PlainStart(self._search, start)

    def plan(self, best: Step, turns: int) -> list[Branch]:
        """Return the move with the moves of the turn that its value comes from."""
        branches: list[Branch] = []
        if turns not in self._ends:
            self._value(turns)
        ends = self._ends.get(turns)
        if ends:
            depth = self._depth(ends)
            groups = by_step(ends, depth) if len(ends[0][0]) > depth else {}
            least = self._search.goal.objective is Objective.MIN_TURNS
            branches = followed(groups.get(best, ends), self._search.turn, depth, least=least)
        return branches

    def _depth(self, ends: list[WeighedEnd]) -> int:
        """Return after how many steps the first open question comes: forced ones are the same in all ways."""
        steps, depth = ends[0][0], len(self._start.pending)
        while depth < len(steps) and isinstance(steps[depth], Forced):
            depth += 1
        return depth


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
            Unsupported: the encoding does not carry the table.
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
                raise Unsupported from error
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
            raise Unsupported from error
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
        except (BudgetExceeded, Unsupported):
            search.budget.check()
            return [Branch((), (best.text,), Fraction(1), self.of_move(best, turns))]
        finally:
            search.most = most
        return followed(ends, search.turn, len(begun) - 1, least=search.goal.objective is Objective.MIN_TURNS)
