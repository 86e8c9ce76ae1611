"""All the lines that are as good as the best one: how many there are, and which turns and moves stay on them.

A turn stays on a best line if it can end where the rest of the value can still be had. The form of the game behind the
proof answers that, position by position, as far as its bound allows. The turns themselves are those of the game, with
nothing left out. Tables count as different where the rules say so.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import count, islice
from typing import Any, Final, Generic, TypeVar

from puzzles.goal import Goal, Objective
from rules.core.errors import DisagreementError
from rules.core.position import Position
from rules.core.race import NEVER, Race
from rules.core.steps import Forced, Step
from rules.core.turns import State, TurnEnd
from solver.answer import BY_ROUNDS, Answer, Status, TurnLine
from solver.engines.open_search import search_problem
from solver.lines import agreed, in_order, played, replayed_value, taken
from solver.search.budget import GRACE_S, Budget, BudgetExceeded
from solver.search.problem import PlainTurns, does_forbidden

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)

MOST_LINES: Final = 1_000
"""Lines up to which they are counted."""
LOOK: Final = 64
"""Positions generated between two looks at the clock."""
TELLING: Final = 500
"""Ways through a turn among which the first in order is looked for, to write it down."""
UNORDERED: Final = (PlainTurns.engine, BY_ROUNDS)
"""Forms whose lines are not put in order as they are made."""
FIRST_LOOKS: Final = (2_000, 20_000)
"""Positions and ways through turns that may be looked at for the line to print: at least, and at most; in between as
many as the proof generated."""


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
        self._most = most
        self._game, self._goal, self._budget = game, goal, budget
        self._problem = search_problem(game, start, goal)
        self._start = start
        self._at_end = goal.objective is Objective.MAX_DISTANCE
        self._least = report.value if self._at_end else goal.target
        """Progress that a best line gets to."""
        if goal.objective is Objective.MIN_TURNS:
            self.turns = report.value if goal.clock is None else goal.clock.turns_in(goal.clock.rounds(report.value))
        else:
            self.turns = goal.within_turns or 0
        self._fewest = report.value
        self._ties = goal.objective is Objective.MIN_TURNS and goal.clock is None
        """Whether the fewest rounds of the game count among equal numbers of turns."""
        self._line = report.line
        self._before = game.days(start.table, goal.seat) - self._problem.rounds(self._problem.project(start.table))
        """Rounds of the game that the form does not count."""
        self._rounds = self._counted(played(game, start, report.line)[-1])
        self._known: dict[tuple[Any, int], bool] = {}
        self._generated = 0

    def _counted(self, table: T) -> int:
        """Return the rounds of the game at a table, as the form counts them."""
        return self._game.days(table, self._goal.seat) - self._before

    def leads(self, table: T, left: int) -> bool:
        """Return whether the value can be had from a table with so many turns left.

        Where it can, the table lies on a best line if some turn of one ends there.

        Raises:
            BudgetExceeded: the limit of the budget.
        """
        return self._leads(self._problem.project(table), left)

    def _leads(self, key: Any, left: int) -> bool:
        problem = self._problem
        if self._ties and problem.rounds(key) > self._rounds:
            return False
        over = problem.is_over(key)
        if self._at_end:
            if left == 0 or over:
                return problem.progress(key) >= self._least
        elif problem.progress(key) >= self._least:
            return True
        elif left == 0 or over:
            return False
        known = self._known.get((key, left))
        if known is None:
            known = not problem.lacking(key, left, self._least) and any(
                self._leads(after, left - 1) for after in self._looked_at(problem.successors(key))
            )
            self._known[key, left] = known
        return known

    def _looked_at(self, keys: Iterable[K]) -> Iterator[K]:
        for key in keys:
            self._generated += 1
            if self._generated % LOOK == 0:
                self._budget.check(len(self._known))
            if self._most is not None and self._generated > self._most:
                raise BudgetExceeded
            yield key

    def ends(self, table: T, pending: Sequence[Step | Forced] = ()) -> Iterator[TurnEnd[T]]:
        """Yield ways through a turn that the question allows, to every table that it can end in.

        Raises:
            BudgetExceeded: the limit of the budget.
        """
        forbidden, game = self._goal.forbidden, self._game
        ends = game.turn_ends(table, pending) if forbidden else game.distinct_ends(table, pending)
        for number, end in enumerate(ends):
            if number % LOOK == 0:
                self._budget.check(len(self._known))
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
        lines = lines or [self._line]
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
            self._rounds, self._known = fewest, {}
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
        ways = self._game.ordered_ends(table, pending, None, TELLING)
        for end in islice(ways, TELLING):
            steps = taken(end, begun)
            before = turns.get(end.table)
            if before is None or in_order(before) <= in_order(steps) or does_forbidden(end.steps, forbidden):
                continue
            turns[end.table] = steps
        return {after: TurnLine(steps) for after, steps in turns.items()}

    def first(self) -> tuple[TurnLine, ...]:
        """Return the best line of the fewest moves, of several the first in the order of their texts.

        Begun lines are gone on with in that order (uniform-cost search; every further move puts a line later), so that
        the first that is complete is the first of all. Of lines to one table only the first is gone on with, since the
        same may follow. Where a question counts rounds, lines of the fewest turns are meant.

        Raises:
            BudgetExceeded: the limit of the budget, or of what may be looked at.
            DisagreementError: no line is as good as the one proved best; always a bug.
        """
        turns = self._goal.within_turns or 0 if self._goal.objective is not Objective.MIN_TURNS else self._fewest
        begun = _Begun((0, ()), (), self._start.table, turns, keeps=True)
        numbers, met = count(), set[tuple[T, int]]()
        nothing: Iterator[_Begun[T]] = iter(())
        queue = [(begun.order, next(numbers), begun, nothing)]
        while queue:
            _, _, begun, others = heappop(queue)
            for other in islice(others, 1):
                heappush(queue, (other.order, next(numbers), other, others))
            name = (begun.table, begun.left)
            if not begun.keeps or name in met:
                continue
            pending = () if begun.line else self._start.pending
            if not pending and (begun.left == 0 or self._is_done(begun.table)):
                return begun.line
            met.add(name)
            further = self._further(begun, pending)
            for other in islice(further, 1):
                heappush(queue, (other.order, next(numbers), other, further))
        raise DisagreementError("no line is as good as the one that was proved best")

    def _further(self, begun: _Begun[T], pending: Sequence[Step | Forced]) -> Iterator[_Begun[T]]:
        """Yield a begun line with each way through one turn more, in their order."""
        moves, texts = begun.order
        ends = self._game.ordered_ends(begun.table, pending, None, self._most or NEVER)
        for end in self._looked_at(ends):
            steps = taken(end, len(pending))
            order = moves + len(steps), (*texts, *(step.text for step in steps))
            allowed = not does_forbidden(end.steps, self._goal.forbidden)
            keeps = allowed and self.leads(end.table, begun.left - 1)
            yield _Begun(order, (*begun.line, TurnLine(steps)), end.table, begun.left - 1, keeps=keeps)


def optimal_lines(position: Position, goal: Goal, report: Answer[int], budget: Budget) -> OptimalLines[Any]:
    """Return the best lines of an open question of one seat, from its proved answer."""
    game, start = position.start()
    return OptimalLines(game, start, goal, report, budget)


def printed(game: Race[T], start: State[T], goal: Goal, report: Answer[int], limit: Budget) -> Answer[int]:
    """Return a report with the line that is printed: of the equal ones the shortest in moves, then the first in order.

    Other forms put their lines in order themselves; where these would take too much work, or longer than the ``limit``
    leaves and ``GRACE_S``, the report stays as it is.

    Raises:
        DisagreementError: no line, or one of another value, is found; always a bug.
    """
    work = report.statistics
    if report.status is not Status.OPTIMAL or not report.line or work.engine not in UNORDERED:
        return report
    if report.interrupted:
        return report
    least, most = FIRST_LOOKS
    looks = min(most, max(least, work.generated))
    left = Budget()
    if limit.time_s is not None and not limit.steady:  # work is counted by looks, as at ``most``
        left = Budget(max(GRACE_S, limit.time_s - work.time_s), clock=limit.clock)
    try:
        line = OptimalLines(game, start, goal, report, left.start(), looks).first()
    except BudgetExceeded:  # it is proved, whatever its line looks like
        return report
    except KeyboardInterrupt:
        return replace(report, interrupted=True)
    value = replayed_value(game, start, line, goal)
    agreed(goal.in_rounds(report.value), goal.counted(value) if goal.objective is Objective.MIN_TURNS else value)
    # Where rounds are counted, lines of as many rounds may end on different turns of the last one.
    return replace(report, line=line, value=value, bound=value)


@dataclass(frozen=True, slots=True)
class _Begun(Generic[T]):
    """A line so far."""

    order: tuple[int, tuple[str, ...]]
    line: tuple[TurnLine, ...]
    table: T
    left: int
    keeps: bool
    """The rest of the value can still be had."""


def _first(layer: dict[T, list[tuple[TurnLine, ...]]], most: int) -> dict[T, list[tuple[TurnLine, ...]]]:
    """Return so many lines of a layer."""
    kept: dict[T, list[tuple[TurnLine, ...]]] = {}
    for table, lines in layer.items():
        if most <= 0:
            break
        kept[table] = lines[:most]
        most -= len(kept[table])
    return kept
