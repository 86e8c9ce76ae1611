"""All the lines that are as good as the best one: how many there are, and which turns and moves stay on them.

A turn stays on a best line if some way through it ends where the rest of the value can still be had. That is asked of
the same form of the game that the proof was made with, position by position and only as far as its bound allows; the
turns themselves are those of the game, with nothing left out, and tables count as different where the rules say so.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Generic, TypeVar

from puzzles.goal import Goal, Objective
from rules.core.challenge import NEVER
from rules.core.race import Race
from rules.core.steps import Forced, Step
from rules.core.turns import State, TurnEnd
from solver.forms import search_problem
from solver.lines import in_order, played, taken
from solver.report import Report, TurnLine
from solver.search.layers import LimitHit, Watch
from solver.search.plain import does_forbidden

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)

MOST_LINES: Final = 1_000
"""Lines up to which they are counted."""
LOOK: Final = 64
"""Positions generated between two looks at the clock."""
TELLING: Final = 500
"""Ways through a turn among which the first in order is looked for, to write it down."""
FURTHER: Final = 3
"""Turns, or rounds where a question counts those, up to which a loss is looked for,"""
FARTHER: Final = 64
"""and units of progress."""


@dataclass(frozen=True, slots=True)
class Count:
    """How many lines are as good as the best."""

    lines: int
    exact: bool
    """Otherwise there are at least so many."""
    stopped: bool = False
    """A limit was hit before they were counted."""


@dataclass(frozen=True, slots=True)
class Written:
    """Lines that are as good as the best, written out."""

    lines: tuple[tuple[TurnLine, ...], ...]
    """Those of the fewest moves first, then in the order of their texts."""
    count: Count


class Ways(Generic[T]):
    """The best lines of one solved question.

    Two lines are one where they pass through the same tables at the ends of turns. Where fewest turns are asked, lines
    of more rounds of the game than necessary are no best lines; where a question counts rounds, every line that gets
    there in the last of them is. What is kept in memory and the time are limited by the watch.

    Argument: a line is best exactly if after each of its turns the value can still be had in the turns left. Whether
    it can from a table depends on the table's key only, since a form's keys leave out nothing but what cannot matter
    for the goal (its ``projections``), and positions are cut only where its bound excludes the value. So ``leads`` is
    exact wherever the search of the same form is, and the control run in the tests compares both with play that
    leaves nothing out.
    """

    def __init__(self, game: Race[T], start: State[T], goal: Goal, report: Report, watch: Watch) -> None:
        """``report`` is a proved answer with its line."""
        assert report.value is not None
        self._game, self._goal, self._watch = game, goal, watch
        self._problem = search_problem(game, start, goal)
        self._start = start
        self.at_end = goal.objective is Objective.MAX_DISTANCE
        self.least = report.value if self.at_end else goal.target
        """Progress that a best line gets to."""
        if goal.objective is Objective.MIN_TURNS:
            self.turns = report.value if goal.clock is None else goal.clock.turns_in(goal.clock.rounds(report.value))
        else:
            self.turns = goal.within_turns or 0
        self._ties = goal.objective is Objective.MIN_TURNS and goal.clock is None
        """Whether the fewest rounds of the game count among equal numbers of turns."""
        self._line = report.line
        self._rounds = game.days(played(game, start, report.line)[-1], goal.seat)
        self._known: dict[tuple[Any, int, int], bool] = {}
        self._generated = 0

    def leads(self, table: T, left: int, least: int | None = None) -> bool:
        """Return whether the value, or other progress ``least``, can be had from a table with so many turns left.

        Raises:
            LimitHit: the limit of the watch.
        """
        if least is None:
            return self._leads(self._problem.project(table), left, self.least, self._rounds)
        return self._leads(self._problem.project(table), left, least, NEVER)

    def keeps(self, table: T, left: int) -> bool:
        """Return whether a table at the end of a turn, with so many turns left, lies on a best line.

        Raises:
            LimitHit: the limit of the watch.
        """
        return self.leads(table, left)

    def _leads(self, key: Any, left: int, least: int, most: int) -> bool:
        """Return whether progress ``least`` can be had from a key, in at most so many rounds where they count."""
        problem = self._problem
        if self._ties and problem.rounds(key) > most:
            return False
        over = problem.is_over(key)
        if self.at_end:
            if left == 0 or over:
                return problem.progress(key) >= least
        elif problem.progress(key) >= least:
            return True
        elif left == 0 or over:
            return False
        name = (key, left, least if most == self._rounds else least - NEVER)
        known = self._known.get(name)
        if known is None:
            known = problem.promising(key, left, least) and any(
                self._leads(after, left - 1, least, most) for after in self._looked_at(problem.successors(key))
            )
            self._known[name] = known
        return known

    def _looked_at(self, keys: Iterable[K]) -> Iterator[K]:
        for key in keys:
            self._generated += 1
            if self._generated % LOOK == 0:
                self._watch.check(len(self._known))
            yield key

    def ends(self, table: T, pending: Sequence[Step | Forced] = ()) -> Iterator[TurnEnd[T]]:
        """Yield ways through a turn that the question allows, to every table that it can end in."""
        forbidden = self._goal.forbidden
        if not forbidden:
            yield from self._game.distinct_ends(table, pending)
            return
        for end in self._game.turn_ends(table, pending):
            if not does_forbidden(end.steps, forbidden):
                yield end

    def tables(self, ends: Iterable[TurnEnd[T]]) -> dict[T, None]:
        """Return the different tables of some ends.

        Raises:
            LimitHit: the limit of the watch.
        """
        found: dict[T, None] = {}
        for number, end in enumerate(ends):
            if number % LOOK == 0:
                self._watch.check(len(self._known))
            found[end.table] = None
        return found

    def _is_done(self, table: T) -> bool:
        """Return whether nothing counts after a table."""
        if self._game.is_over(table):
            return True
        return not self.at_end and self._game.progress(table, self._goal.seat) >= self._goal.target

    def count(self, most: int = MOST_LINES, table: T | None = None, gone: int = 0) -> Count:
        """Return how many best lines there are, or that there are more than so many.

        With a ``table`` that lies on one after ``gone`` turns, how many go on from there. Where the limit is hit, as
        many are told as were met.
        """
        met, layer = 0, {self._start.table if table is None else table: 1}
        pending = self._start.pending if table is None else ()
        try:
            for left in range(self.turns - gone - 1, -1, -1):
                following: dict[T, int] = {}
                for here, lines in layer.items():
                    if not pending and self._is_done(here):
                        met += lines
                        continue
                    for end in self.tables(self.ends(here, pending)):
                        if self.keeps(end, left):
                            following[end] = following.get(end, 0) + lines
                    # Every table on a best line has a rest, so there are at least so many lines.
                    if met + sum(following.values()) > most:
                        return Count(most, False)
                layer, pending = following, ()
        except LimitHit:
            return Count(max(1, met), False, stopped=True)
        fewest = min((self._game.days(last, self._goal.seat) for last in layer), default=self._rounds)
        if self._ties and fewest < self._rounds:  # the line in the answer is not one of the best among equals
            self._rounds, self._known = fewest, {}
            return self.count(most, table, gone)
        return Count(met + sum(layer.values()), True)

    def written(self, most: int = MOST_LINES) -> Written:
        """Return the best lines, each told by its moves, or as many of them where there are more.

        Lines are those that ``count`` counts. Of the ways from one table to the next the one of fewest moves is told,
        then the first in the order of its texts; where a turn has very many ways, any of them.
        """
        met: list[tuple[TurnLine, ...]] = []
        layer: dict[T, list[tuple[TurnLine, ...]]] = {self._start.table: [()]}
        pending, exact = self._start.pending, True
        try:
            for left in range(self.turns - 1, -1, -1):
                following: dict[T, list[tuple[TurnLine, ...]]] = {}
                for here, begun in layer.items():
                    if not pending and self._is_done(here):
                        met += begun
                        continue
                    for after, turn in self._turns(here, pending, left).items():
                        following.setdefault(after, []).extend((*line, turn) for line in begun)
                exact = exact and len(met) + sum(map(len, following.values())) <= most
                layer, pending = _first(following, most - len(met)), ()
        except LimitHit:
            return _in_order(met or [self._line], Count(max(1, len(met)), False, stopped=True))
        fewest = min((self._game.days(last, self._goal.seat) for last in layer), default=self._rounds)
        if self._ties and fewest < self._rounds:  # as in ``count``
            self._rounds, self._known = fewest, {}
            return self.written(most)
        found = [*met, *(line for lines in layer.values() for line in lines)][:most]
        return _in_order(found, Count(len(found), exact))

    def _turns(self, table: T, pending: Sequence[Step | Forced], left: int) -> dict[T, TurnLine]:
        """Return the tables that a turn on a best line can end in, each with a way to it.

        Raises:
            LimitHit: the limit of the watch.
        """
        met: dict[T, TurnEnd[T]] = {}
        for number, end in enumerate(self.ends(table, pending)):
            if number % LOOK == 0:
                self._watch.check(len(self._known))
            met.setdefault(end.table, end)
        found = {after: end for after, end in met.items() if self.keeps(after, left)}
        begun, forbidden = len(pending), self._goal.forbidden
        told = {after: taken(end, begun) for after, end in found.items()}
        ways = self._game.ordered_ends(table, pending, frozenset(), None, TELLING)
        for end in islice(ways, TELLING):
            steps = taken(end, begun)
            before = told.get(end.table)
            if before is None or in_order(before) <= in_order(steps) or does_forbidden(end.steps, forbidden):
                continue
            if self._game.allows(table, end):
                told[end.table] = steps
        return {after: TurnLine(steps) for after, steps in told.items()}

    def loss(self, tables: Sequence[T], left: int) -> int | None:
        """Return what turns that end so lose: turns or rounds, or units of progress; nothing where it is very much.

        Raises:
            LimitHit: the limit of the watch.
        """
        if self.at_end:
            return self._shortfall(tables, left)
        clock = self._goal.clock
        for late in range(FURTHER + 1):  # 0 where only more rounds of the game are lost
            more = late if clock is None else late * clock.turns
            if any(self.leads(table, left + more, self.least) for table in tables):
                return late
        return None

    def _shortfall(self, tables: Sequence[T], left: int) -> int | None:
        def gets(short: int) -> bool:
            return any(self.leads(table, left, self.least - short) for table in tables)

        high = 1
        while not gets(high):
            high *= 2
            if high > FARTHER:
                return None
        low = high // 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if gets(middle) else (middle, high)
        return high


def _first(layer: dict[T, list[tuple[TurnLine, ...]]], most: int) -> dict[T, list[tuple[TurnLine, ...]]]:
    """Return so many lines of a layer."""
    kept: dict[T, list[tuple[TurnLine, ...]]] = {}
    for table, lines in layer.items():
        if most <= 0:
            break
        kept[table] = lines[:most]
        most -= len(kept[table])
    return kept


def _in_order(lines: Sequence[tuple[TurnLine, ...]], count: Count) -> Written:
    return Written(
        tuple(sorted(lines, key=lambda line: in_order([step for turn in line for step in turn.steps]))), count
    )
