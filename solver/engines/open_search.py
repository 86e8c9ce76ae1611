"""One open question on its way to an answer: a line early, then the proof, then the replay of what is claimed.

The search goes over the fastest form of the game that carries the question.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from puzzles.goal import Goal, Objective, does_forbidden
from rules.core.challenge import UNFINISHED, Quest
from rules.core.errors import DisagreementError
from rules.core.race import NEVER, Race
from rules.core.steps import Forced, Step
from rules.core.turns import State
from solver.encodings.turns import SMALL, EncodedTurns, GradualSearch, encoded_turns, table_ends
from solver.lines import Path, Rest, agreed, real_line, replayed_value, trimmed
from solver.question import Answer, OnProgress, Progress, Proof, Statistics, Status, TurnLine
from solver.search.budget import Budget, BudgetExceeded
from solver.search.layered import LayeredSearch, PlainTurns, Run, SearchProblem, TooLarge

BEAMS: Final = (100, 400, 1_600, 6_400, 25_600, 102_400)
"""Positions a turn of the beams that look for a line over an encoding, one after the other."""
AHEAD: Final = 4
"""Positions that a proof that gets on generates between two beams, for each one of the first: the other takes about
as many, and mostly the proof is done before."""
PLAIN_BEAM: Final = 8
"""Likewise for the plain form, whose turns cost a thousand times more."""
GLIMPSE: Final = 1
"""Likewise for a line to the greatest distance that is there soon."""
SKETCH_BEAM: Final = 24
"""Likewise for the line of a move that is only sketched."""
QUICK: Final = 50_000
"""Positions that may be generated before a beam looks for a first line."""
SATURATED: Final = 1.2
"""Growth of a failing run against the one before it below which the number of turns no longer limits it."""
MANY: Final = 100
"""Positions that a run has to meet before its growth says anything."""
LONG: Final = 1_000_000
"""Positions that the proof of a greatest distance may generate before another beam looks for a better line."""
ORDERED: Final = (1_000_000, 20_000)
"""Positions that may be generated to find the first of all equal lines, over an encoding and over the plain form."""
TIDIED: Final = (5_000_000, 5_000)
"""Likewise for a line of fewest rounds, where a beam has found the line,"""
TIDY_STATES: Final = 20_000
"""and the proof has kept no more positions than these."""
HIGHEST: Final = 2_000
"""Units of progress up to which the bound is asked what it excludes."""
HORIZON: Final = 200
"""Turns after which no line is looked for where the question sets no limit."""


def search_problem(game: Race[Any], start: State[Any], goal: Goal, *, late: bool = True) -> SearchProblem[Any, Any]:
    """Return the turns of a question over the encoding of the game, or over its rules where none carries it.

    Without ``late`` nothing is decided late, for which there is always room.
    """
    target = None if goal.objective is Objective.MAX_DISTANCE else goal.target
    encoded = encoded_turns(game, start.table, goal.seat, goal.forbidden, target, goal.within_turns, late=late)
    if encoded is not None:
        return encoded
    return PlainTurns(game, goal.seat, goal.forbidden, None if goal.forbidden else table_ends(game, start.table))


@dataclass(frozen=True, slots=True)
class Given:
    """What a search takes over, where several questions about one table share it or another one has begun."""

    problem: SearchProblem[Any, Any] | None = None
    budget: Budget | None = None
    """The one that is running already."""
    known: int | None = None
    """A value that is proved not to be beaten: a lower bound of turns, an upper bound of progress."""
    begun: tuple[Step | Forced, ...] | None = None
    """Steps of the first turn that are settled, when more than those of the start."""
    writes: bool = True
    """Whether the line is written out, and replayed."""


class OpenSearch:
    """One open question with the search that answers it."""

    def __init__(
        self,
        game: Race[Any],
        start: State[Any],
        goal: Goal,
        limit: Budget,
        on_progress: OnProgress | None = None,
        given: Given | None = None,
    ) -> None:
        given = given or Given()
        self._game = game
        self._start = start
        self._goal = goal
        self._on_progress = on_progress
        self._known, self._writes = given.known, given.writes
        self.problem = given.problem or search_problem(game, start, goal)
        self._begun = start.pending if given.begun is None else given.begun
        self.first = 1 if self._begun else 0
        """Turns that end before the search begins: the unfinished one."""
        try:
            roots = self._roots()
        except TooLarge:
            self.problem = PlainTurns(game, goal.seat, goal.forbidden)
            roots = self._roots()
        kind: Any = GradualSearch if isinstance(self.problem, EncodedTurns) else LayeredSearch
        self.search: LayeredSearch[Any] = kind(self.problem, given.budget or limit.start(), roots)
        self._value: int | None = None
        self._bound: int | None = None
        self._path: list[Any] | None = None
        self._is_best = False
        """The path has the fewest turns, and of those the fewest rounds."""
        self._excluded: int | None = None
        self._interrupted = False

    def _roots(self) -> list[Any]:
        if not self._begun:
            return [self.problem.project(self._start.table)]
        forbidden = self._goal.forbidden
        return list(
            {
                self.problem.project(end.table): None
                for end in self._game.turn_ends(self._start.table, self._begun)
                if not does_forbidden(end.steps, forbidden)
            }
        )

    def _last_turn(self) -> int | None:
        """Return the number of turns after which every line has ended, or nothing where that is not known."""
        ends = [self.problem.most_turns(root) for root in self.search.roots]
        known = [end for end in ends if end is not None]
        return max(known) if known and len(known) == len(ends) else None

    def _report_progress(self) -> None:
        if self._on_progress is not None:
            counters, time_s = self.search.counters, self.search.budget.elapsed_s
            # Without a bound keys are whole tables, and finding the moves between them may take longer than the search.
            line: Callable[[], tuple[TurnLine, ...]] | None = None
            if self._path is not None and self.problem.bound_name:
                line = self._line
            self._on_progress(Progress(self._value, self._bound, counters.states, time_s, counters.pruned, line))

    def _line(self) -> tuple[TurnLine, ...]:
        """Return the line that is known, as the game has it; of equal ones the first in order if that is soon told."""
        assert self._path is not None
        goal, problem, budget, path = self._goal, self.problem, self.search.budget, self._path[1 - self.first :]

        def written(rest: Rest[Any] | Path[Any]) -> tuple[TurnLine, ...]:
            return real_line(self._game, problem, self._start, path, rest, goal, self._begun)

        if self._is_best:
            rounds = problem.rounds(self._path[-1]) if goal.objective is Objective.MIN_TURNS else None
            try:
                return written(Rest(problem, goal, self._value or 0, rounds, budget, ORDERED[self._is_plain]))
            except BudgetExceeded:
                pass
            except KeyboardInterrupt:
                self._interrupted = True
        return written(Path(problem, path, budget.clock))

    def _report(self, status: Status) -> Answer[int]:
        goal = self._goal
        line: tuple[TurnLine, ...] = ()
        value = self._value
        checked: tuple[str, ...] = ()
        if self._path is not None and status is not Status.INFEASIBLE:
            value = 1 if goal.objective is Objective.REACH else value
            if self._writes:
                line = self._line()
                if self._is_plain and self._begun == self._start.pending:
                    line = self._trimmed(line, value)
                value = agreed(value, replayed_value(self._game, self._start, line, goal))
                checked = ("replay",)
        bound = self._bound
        if goal.objective is Objective.REACH:
            value, bound, status = self._reach(status, value)
        counters, budget = self.search.counters, self.search.budget
        proved = status in (Status.OPTIMAL, Status.INFEASIBLE)
        return Answer(
            status=status,
            value=value,
            bound=bound,
            line=line,
            proof=Proof(
                method="layers" if proved else "none",
                excluded_turns=self._excluded,
                states=counters.states if proved else 0,
                pruned=counters.pruned if proved else 0,
                bound_name=self.problem.bound_name,
                projections=tuple(self.problem.projections),
                checked_by=checked,
            ),
            statistics=Statistics(budget.elapsed_s, counters.generated, counters.expanded, self.problem.engine),
            interrupted=self._interrupted,
        )

    def _trimmed(self, line: tuple[TurnLine, ...], value: int | None) -> tuple[TurnLine, ...]:
        """Return a line of the same value without moves that nothing needs."""
        # Only where nothing counts before the game is over is a line of fewer turns the same answer.
        shortens = isinstance(self._game, Quest)

        def holds(other: tuple[TurnLine, ...]) -> bool:
            try:
                is_as_good = replayed_value(self._game, self._start, other, self._goal) == value
            except DisagreementError:
                return False
            return is_as_good and (shortens or len(other) == len(line))

        return trimmed(self._game, self._start, line, holds)

    def _reach(self, status: Status, value: int | None) -> tuple[int | None, int | None, Status]:
        """Return value, bound and status of a question whose value is 1 or 0."""
        if value is not None:
            return 1, 1, Status.OPTIMAL
        if status is Status.INFEASIBLE:
            return 0, 0, Status.INFEASIBLE
        return None, 1, status

    def answer(self) -> Answer[int]:
        """Return the report."""
        try:
            return self._answer()
        except TooLarge:
            game, start, goal = self._game, self._start, self._goal
            problem: SearchProblem[Any, Any] = PlainTurns(game, goal.seat, goal.forbidden)
            if self.problem.decides_late:
                problem = search_problem(game, start, goal, late=False)
            again = OpenSearch(
                *(game, start, goal, Budget(), self._on_progress),
                Given(problem, self.search.budget, self._known, self._begun),
            )
            return again.answer()

    def _answer(self) -> Answer[int]:
        goal = self._goal
        status = Status.UNKNOWN
        already = not self.first and self._game.progress(self._start.table, goal.seat) >= goal.target
        try:
            if goal.objective is Objective.MAX_DISTANCE:
                status = self._farthest(goal.within_turns or 0)
            elif already:
                self._value = self._bound = 0
                status, self._path = Status.OPTIMAL, []
            else:
                status = self._earliest()
        except TooLarge:
            raise
        except BudgetExceeded:
            status = self._stopped()
        except KeyboardInterrupt:
            self._interrupted = True
            status = self._stopped()
        return self._report(status)

    def _stopped(self) -> Status:
        """Return what is known of a question whose search was stopped: a line that nothing can beat is the answer."""
        goal, value, bound = self._goal, self._value, self._bound
        if self._path is None:
            is_distance = goal.objective is Objective.MAX_DISTANCE
            most = NEVER if is_distance or goal.within_turns is None else goal.within_turns
            return Status.INFEASIBLE if bound is not None and bound > most else Status.UNKNOWN
        if value is None or bound is None:
            return Status.FEASIBLE
        if goal.objective is Objective.MAX_DISTANCE and value >= bound:
            return Status.OPTIMAL
        if goal.objective is not Objective.MIN_TURNS or bound < goal.least(value):
            return Status.FEASIBLE
        self._settle(value)
        return Status.OPTIMAL

    def _settle(self, value: int) -> None:
        """Note that nothing is better than a line of so many turns: those of the same round count as one."""
        self._excluded = max(self._excluded or 0, self._goal.least(value) - 1)
        self._bound = value

    def sketch(self) -> Answer[int]:
        """Return the line that a narrow beam finds, and what the bound alone excludes."""
        goal, search, problem = self._goal, self.search, self.problem
        turns = (HORIZON if goal.within_turns is None else goal.within_turns) - self.first
        farthest = goal.objective is Objective.MAX_DISTANCE
        self._bound = self._known
        status = Status.UNKNOWN
        try:
            if not search.roots or turns < 0 or (not farthest and not self._rise_by_bound(turns)):
                return self._report(Status.INFEASIBLE)
            there = [] if farthest else [root for root in search.roots if problem.progress(root) >= goal.target]
            self._path = there[:1] or search.beam(SKETCH_BEAM, turns, None if farthest else goal.target)
            if self._path is not None:
                self._value = problem.progress(self._path[-1]) if farthest else self.first + len(self._path) - 1
            if farthest and problem.bound_name:
                self._bound = self._ceiling(turns, self._value or 0)
        except BudgetExceeded:
            pass
        except KeyboardInterrupt:
            self._interrupted = True
        return self._report(status if self._path is None else Status.FEASIBLE)

    def _rise_by_bound(self, most: int) -> bool:
        """Raise the least number of turns as far as the bound does; return false where it excludes all of them."""
        turns = max(1, self._known or 0) - self.first
        while turns <= most and not self._is_within(turns, self._goal.target):
            turns += 1
        self._bound = self.first + max(0, turns)
        return turns <= most or self._goal.within_turns is None

    # The two kinds of question

    def _earliest(self) -> Status:
        """Find the fewest turns to the target: a beam's line from above, failing horizons from below."""
        goal, search = self._goal, self.search
        most = (HORIZON if goal.within_turns is None else goal.within_turns) - self.first
        self._bound = max(1, self._known or 0)
        if goal.within_turns is not None and most < 0:
            return Status.INFEASIBLE
        last = self._last_turn()
        most = most if last is None else min(most, last)
        turns = max(0, self._bound - self.first)
        fails = Status.UNKNOWN if goal.within_turns is None and most != last else Status.INFEASIBLE
        tried, stood = 0, self._bound
        widths = iter((PLAIN_BEAM,) if self._is_plain else BEAMS)
        allowed: int | None = 0 if self._is_plain else QUICK
        while turns <= most and (self._value is None or self.first + turns < goal.least(self._value)):
            begun, run = search.counters.generated, None
            if allowed is None:
                run = search.earliest(goal.target, turns)
            elif allowed:
                run = search.soon(goal.target, turns, allowed)
            if run is None:
                # Short horizons are quickly gone through; where they are not, a line comes first.
                allowed = self._look_ahead(next(widths, None), most, AHEAD if self._bound > stood else 1)
                stood = self._bound
                turns = max(0, self._bound - self.first)
                self._report_progress()
                continue
            if run.path is not None:
                return self._found_first(run)
            self._excluded = self.first + min(most, turns + run.lacking - 1)
            if run.complete or turns == last or run.lacking >= NEVER - turns:
                return Status.INFEASIBLE
            self._bound = self.first + turns + run.lacking
            begun = search.counters.generated - begun
            tried, before = begun if run.tried is None else run.tried, tried
            # Where one turn more adds hardly anything, the target may be out of reach: then the last turn decides.
            saturated = self._value is None and MANY <= tried < SATURATED * before
            turns = most if saturated else self._bound - self.first
            self._report_progress()
        if self._value is None:
            return fails
        self._settle(self._value)
        if search.counters.states < TIDY_STATES:
            self._tidy_up(goal.target, self._value - self.first)
        return Status.OPTIMAL

    def _tidy_up(self, target: int, turns: int) -> None:
        """Look for the line of fewest rounds, where the beam took the first one it met.

        That is the last layer in full. What is proved stands without it, so that it may not take long.
        """
        search, proof = self.search, replace(self.search.counters)
        run: Run[Any] | None = None
        try:
            run = search.soon(target, turns, search.counters.generated + TIDIED[self._is_plain])
        finally:
            if run is None:
                search.counters.states, search.counters.pruned = proof.states, proof.pruned
        if run is not None and run.path is not None:
            self._found_first(run)

    def _found_first(self, run: Run[Any]) -> Status:
        """Take over the line of a run that has excluded all shorter ones."""
        assert run.path is not None
        self._path, self._is_best = run.path, True
        self._value = self._bound = self.first + len(run.path) - 1
        return Status.OPTIMAL

    def _look_ahead(self, width: int | None, most: int, ahead: int) -> int | None:
        """Look for a shorter line by a beam; return up to how many positions the proof may go on before the next one.

        Before the next beam the proof generates ``ahead`` times as many positions as this one. After the last beam:
        nothing, for no such limit.
        """
        if width is None:
            return None
        counters = self.search.counters
        before = counters.generated
        shorter = most if self._value is None else min(most, self._value - self.first - 1)
        found = self.search.beam(width, shorter, self._goal.target)
        if found is not None:
            self._value, self._path = self.first + len(found) - 1, found
        return None if self._is_plain else counters.generated + ahead * (counters.generated - before)

    def _farthest(self, turns: int) -> Status:
        """Find the greatest distance after all turns: a beam's line first, then a run that keeps what could beat it."""
        search, problem = self.search, self.problem
        turns -= self.first
        if turns < 0 or not search.roots:
            return Status.INFEASIBLE
        run: Run[Any] | None = None
        widths: tuple[int, ...] = (GLIMPSE, PLAIN_BEAM) if self._is_plain else BEAMS[:3:2]
        if turns and not self._is_plain:
            run = search.soon(self._least + 1, turns, SMALL, at_end=True)
            widths = widths if run is None else ()
        for width in widths:
            found = search.beam(width, turns, None)
            known = self._least if self._value is None else self._value
            if found is not None and problem.progress(found[-1]) > known:
                self._value = known = problem.progress(found[-1])
                self._path = found
            floor = known + 1
            self._bound = self._known
            if problem.bound_name:  # without one nothing is excluded until the search is done
                self._bound = self._ceiling(turns, floor)
            self._report_progress()
            if width == GLIMPSE:
                continue
            most = None if width == widths[-1] else LONG
            run = search.farthest(floor, turns) if most is None else search.soon(floor, turns, most, at_end=True)
            if run is not None:
                break
        assert run is not None
        self._excluded = turns + self.first
        if run.path is not None:
            self._path, self._is_best = run.path, True
            self._value = problem.progress(run.path[-1])
        if self._value is None:
            return Status.INFEASIBLE
        self._bound = self._value
        self._is_best = self._path is not None
        return Status.OPTIMAL

    @property
    def _least(self) -> int:
        """Return what every line gets beyond that counts at all."""
        game = self._game
        return UNFINISHED if isinstance(game, Quest) and game.only_the_end_counts else -1

    def _ceiling(self, turns: int, least: int) -> int | None:
        """Return a distance that cannot be exceeded: what is known, or the bound for higher and higher targets says.

        Nothing where neither excludes any.
        """
        step = 1
        while step <= HIGHEST and self._is_within(turns, least + step):
            step *= 2
        if step > HIGHEST:
            return self._known
        low, high = least + step // 2, least + step
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._is_within(turns, middle) else (low, middle)
        return low if self._known is None else min(low, self._known)

    def _is_within(self, turns: int, target: int) -> bool:
        return not all(self.problem.lacking(root, turns, target) for root in self.search.roots)

    @property
    def _is_plain(self) -> bool:
        return self.problem.engine == PlainTurns.engine
