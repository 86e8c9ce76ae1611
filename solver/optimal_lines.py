"""All the lines that are as good as the best one: how many there are, and which turns and moves stay on them.

A turn stays on a best line if it can end where the rest of the value can still be had. The form of the game behind the
proof answers that, position by position, as far as its bound allows. The turns themselves are those of the game, with
nothing left out. Tables count as different where the rules say so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Generic, TypeVar

from puzzles.goal import Goal, Objective, does_forbidden
from rules.core.position import Position
from rules.core.race import NEVER, Race
from rules.core.steps import Forced, Step
from rules.core.turns import State, TurnEnd
from solver.engines.open_search import search_problem
from solver.lines import Rest, in_order, ordered_ends, played, taken
from solver.question import Answer, TurnLine
from solver.search.budget import Budget, BudgetExceeded

T = TypeVar("T")

MOST_LINES: Final = 1_000
"""Lines up to which they are counted."""
LOOK: Final = 64
"""Ways through turns between two looks at the clock."""
TELLING: Final = 500
"""Ways through a turn among which the first in order is looked for, to write it down."""


@dataclass(frozen=True, slots=True)
class Count:
    """How many lines are as good as the best."""

    lines: int
    exact: bool
    """Otherwise there are at least so many."""
    stopped: bool = False
    """A limit was hit before they were counted."""


@dataclass(frozen=True, slots=True)
class WrittenLines:
    """Lines that are as good as the best, written out."""

    lines: tuple[tuple[TurnLine, ...], ...]
    """Those of the fewest moves first, then in the order of their texts."""
    count: Count


class OptimalLines(Generic[T]):
    """The best lines of one solved question.

    Two lines are one where they pass through the same tables at the ends of turns. Where fewest turns are asked, lines
    of more rounds of the game than necessary are no best lines. Where a question counts rounds, every line that gets
    there in the last of them is. What is kept in memory and the time are limited by the budget.

    Argument: a line is best exactly if after each of its turns the value can still be had in the turns left. That
    depends on the table's key only: a key leaves out nothing but what cannot matter for the goal. Positions are cut
    only where the bound excludes the value. So ``leads`` is exact wherever the search of the same form is.
    """

    def __init__(
        self, game: Race[T], start: State[T], goal: Goal, report: Answer[int], budget: Budget, most: int | None = None
    ) -> None:
        """``report`` is a proved answer with its line; ``most`` positions and ways through turns may be looked at."""
        assert report.value is not None
        self._most = most or NEVER
        self._game, self._goal, self._report, self._budget = game, goal, report, budget
        self._problem = search_problem(game, start, goal)
        self._start = start
        self._at_end = goal.objective is Objective.MAX_DISTANCE
        if goal.objective is Objective.MIN_TURNS:
            self.turns = report.value if goal.clock is None else goal.clock.turns_in(goal.clock.rounds(report.value))
        else:
            self.turns = goal.within_turns or 0
        self._fewest = report.value
        self._ties = goal.objective is Objective.MIN_TURNS and goal.clock is None
        """Whether the fewest rounds of the game count among equal numbers of turns."""
        self._before = game.days(start.table, goal.seat) - self._problem.rounds(self._problem.project(start.table))
        """Rounds of the game that the form does not count."""
        self._rounds = self._counted(played(game, start, report.line)[-1])
        self._rest = self._best_rest()

    def _best_rest(self) -> Rest:
        rounds = self._rounds if self._ties else None
        return Rest(self._problem, self._goal, self._fewest, rounds, self._budget, self._most)

    def _counted(self, table: T) -> int:
        """Return the rounds of the game at a table, as the form counts them."""
        return self._game.days(table, self._goal.seat) - self._before

    def leads(self, table: T, left: int) -> bool:
        """Return whether the value can be had from a table with so many turns left.

        Where it can, the table lies on a best line if some turn of one ends there.

        Raises:
            BudgetExceeded: the limit of the budget.
        """
        return self._rest.leads(self._problem.project(table), left)

    def ends(self, table: T, pending: Sequence[Step | Forced] = ()) -> Iterator[TurnEnd[T]]:
        """Yield ways through a turn that the question allows, to every table that it can end in.

        Raises:
            BudgetExceeded: the limit of the budget.
        """
        forbidden, game = self._goal.forbidden, self._game
        ends = game.turn_ends(table, pending) if forbidden else game.distinct_ends(table, pending)
        for number, end in enumerate(ends):
            if number % LOOK == 0:
                self._budget.check()
            if not does_forbidden(end.steps, forbidden):
                yield end

    def _is_done(self, table: T) -> bool:
        """Return whether nothing counts after a table."""
        if self._game.is_over(table):
            return True
        return not self._at_end and self._game.progress(table, self._goal.seat) >= self._goal.target

    def count(self, most: int = MOST_LINES) -> Count:
        """Return how many best lines there are, or that there are more than so many.

        Where the limit is hit, as many are told as were met.
        """
        return self._lines(most, told=False)[1]

    def written(self, most: int = MOST_LINES) -> WrittenLines:
        """Return the best lines, each told by its moves, or as many of them where there are more.

        Lines are those that ``count`` counts. A turn is told by its fewest moves, then by the first in the order of its
        texts. Where a turn has very many ways, it may be any of them.
        """
        lines, count = self._lines(most, told=True)
        lines = lines or [self._report.line]
        return WrittenLines(
            tuple(sorted(lines, key=lambda line: in_order([step for turn in line for step in turn.steps]))), count
        )

    def _lines(self, most: int, *, told: bool) -> tuple[list[tuple[TurnLine, ...]], Count]:
        """Return the best lines and how many they are; where they are not ``told``, their turns are empty.

        Then nothing is looked for once there are more than ``most``.
        """
        met: list[tuple[TurnLine, ...]] = []
        layer: dict[T, list[tuple[TurnLine, ...]]] = {self._start.table: [()]}
        pending, exact = self._start.pending, True
        try:
            for left in range(self.turns - 1, -1, -1):
                following: dict[T, list[tuple[TurnLine, ...]]] = {}
                lines = 0
                for here, begun in layer.items():
                    if not pending and self._is_done(here):
                        met += begun
                        continue
                    for after, turn in self._turns(here, pending, left, told=told).items():
                        following.setdefault(after, []).extend((*line, turn) for line in begun)
                        lines += len(begun)
                        # Every table on a best line has a rest, so there are at least so many lines.
                        if len(met) + lines > most and not told:
                            return [], Count(most, False)
                exact = exact and len(met) + lines <= most
                layer, pending = _first(following, most - len(met)), ()
        except BudgetExceeded:
            return met, Count(max(1, len(met)), False, stopped=True)
        fewest = min(map(self._counted, layer), default=self._rounds)
        if self._ties and fewest < self._rounds:  # the line in the answer is not one of the best among equals
            self._rounds = fewest
            self._rest = self._best_rest()
            return self._lines(most, told=told)
        found = [*met, *(line for lines in layer.values() for line in lines)]
        return found[:most], Count(min(len(found), most), exact and len(found) <= most)

    def _turns(self, table: T, pending: Sequence[Step | Forced], left: int, *, told: bool) -> dict[T, TurnLine]:
        """Return the tables that a turn on a best line can end in, each with a way to it if that is ``told``.

        Raises:
            BudgetExceeded: the limit of the budget.
        """
        met: dict[T, TurnEnd[T]] = {}
        for end in self.ends(table, pending):
            met.setdefault(end.table, end)
        found = {after: end for after, end in met.items() if self.leads(after, left)}
        if not told:
            return dict.fromkeys(found, TurnLine(()))
        begun, forbidden = len(pending), self._goal.forbidden
        turns = {after: taken(end, begun) for after, end in found.items()}
        ways = ordered_ends(self._game, table, pending, None, TELLING)
        for end in islice(ways, TELLING):
            steps = taken(end, begun)
            before = turns.get(end.table)
            if before is None or in_order(before) <= in_order(steps) or does_forbidden(end.steps, forbidden):
                continue
            turns[end.table] = steps
        return {after: TurnLine(steps) for after, steps in turns.items()}


def optimal_lines(position: Position, goal: Goal, report: Answer[int], budget: Budget) -> OptimalLines[Any]:
    """Return the best lines of an open question of one seat, from its proved answer."""
    game, start = position.start()
    return OptimalLines(game, start, goal, report, budget)


def _first(layer: dict[T, list[tuple[TurnLine, ...]]], most: int) -> dict[T, list[tuple[TurnLine, ...]]]:
    """Return so many lines of a layer."""
    kept: dict[T, list[tuple[TurnLine, ...]]] = {}
    for table, lines in layer.items():
        if most <= 0:
            break
        kept[table] = lines[:most]
        most -= len(kept[table])
    return kept
