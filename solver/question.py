"""One open question on its way to an answer: a line early, then the proof, then the replay of what is claimed."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.challenge import NEVER
from rules.core.errors import DisagreementError
from rules.core.quest_race import QuestRace
from rules.core.race import Race
from rules.core.steps import Forced, Step
from rules.core.turns import State
from solver.certify import agreed, replayed_value
from solver.forms import search_of, search_problem
from solver.lines import played, real_line, trimmed
from solver.report import Limit, OnProgress, Progress, Proof, Report, Statistics, Status, TurnLine
from solver.search.asking_search import FactSearch
from solver.search.layers import LayeredSearch, LimitHit, Run, Watch
from solver.search.packed_search import PackedSearch
from solver.search.plain import PlainTurns, forbidden_step
from solver.search.problem import SearchProblem
from solver.search.uncollected import uncollected

BEAM: Final = 300
"""Positions a layer of the beam that looks for the first line, for the compact form."""
PLAIN_BEAM: Final = 8
"""Likewise for the plain form, whose turns cost a thousand times more."""
NARROW_BEAM: Final = 64
"""Likewise for the first line to the greatest distance where the rest is compiled: to ask what so many positions need
takes longer than to prove what they miss."""
LONG: Final = 20_000
"""Positions that the proof after such a line may generate, for each by compiled code ``rate`` of them, before another
beam looks for a better one."""
QUICK: Final = 5_000
"""Positions that may be generated before a beam looks for a first line, in the compact form."""
WIDE_BEAM: Final = 20_000
"""Positions a layer of the second beam of a long proof by compiled code,"""
WIDE_STATES: Final = 100_000
"""which comes once a run has kept so many."""
FIRST_SCOUTS: Final = (100, 300)
"""Positions a layer of the beams of the first form that only finds lines,"""
SCOUTS: Final = (300, 3_000, 30_000)
"""of the others,"""
THOROUGH_SCOUTS: Final = (3_000, 30_000, 200_000)
"""and of those that are worth more."""
TIDY_STATES: Final = 20_000
"""Positions of a proof up to which all equal lines are compared for the one to print."""
SATURATED: Final = 1.2
"""Growth of a failing run against the one before it below which the number of turns no longer limits it."""
MANY: Final = 100
"""Positions that a run has to meet before its growth says anything."""
LEAP: Final = 2
"""Positions that a run to the last turn may generate meanwhile, for each one of the failing run."""
PLAIN_TIDY_STATES: Final = 20
"""Likewise for the plain form."""
RISE: Final = 1_500
"""States that a form looks at for its bound after every beam."""
HORIZON: Final = 200
"""Turns after which no line is looked for where the question sets no limit."""


class Question:
    """One question on its way to an answer: what is known so far, and the search that goes on."""

    def __init__(
        self,
        game: Race[Any],
        start: State[Any],
        goal: Goal,
        limit: Limit,
        on_progress: OnProgress | None = None,
        *,
        problem: SearchProblem[Any, Any] | None = None,
        watch: Watch | None = None,
        known: int | None = None,
        begun: tuple[Step | Forced, ...] | None = None,
        since: Progress | None = None,
    ) -> None:
        """``problem`` and ``watch`` are taken over where several questions about one table share them.

        ``known`` is a value that is proved not to be beaten: a lower bound of turns, an upper bound of progress.
        ``begun`` are steps of the first turn that are settled, when more than those of ``start``.
        ``since`` is how far an earlier search of the same question came.
        """
        self._game = game
        self._start = start
        self._goal = goal
        self._on_progress = on_progress
        self._known = known
        self.problem = problem or search_problem(game, start, goal)
        self._begun = start.pending if begun is None else begun
        self.first = 1 if self._begun else 0
        """Turns that end before the search begins: the unfinished one."""
        self.search = search_of(self.problem, watch or Watch(limit), self._roots())
        self._value: int | None = None
        self._bound: int | None = None
        self._path: list[Any] | None = None
        self._alive: list[Container[Any]] | None = None
        self._excluded: int | None = None
        self._found: tuple[TurnLine, ...] | None = None
        """The line behind the value, where it was found by a form of its own."""
        self._interrupted = False
        if since is not None and since.bound is not None:
            self._known = since.bound
            self.search.counters.states, self.search.counters.pruned = since.states, since.pruned
            if goal.objective is not Objective.MAX_DISTANCE and since.bound > 1:
                self._excluded = since.bound - 1

    def _roots(self) -> list[Any]:
        if not self._begun:
            return [self.problem.project(self._start.table)]
        forbidden = self._goal.forbidden
        return list(
            {
                self.problem.project(end.table): None
                for end in self._game.turn_ends(self._start.table, self._begun)
                if not any(forbidden_step(step, forbidden) for step in end.steps)
            }
        )

    def answer(self) -> Report:
        """Return the report."""
        if isinstance(self.search, FactSearch) and self.search.is_fast:
            with uncollected():  # once at the end is enough for so short a search
                return self._answer()
        return self._answer()

    def _answer(self) -> Report:
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
        except LimitHit:
            status = Status.UNKNOWN if self._path is None else Status.FEASIBLE
        except KeyboardInterrupt:
            self._interrupted = True
            status = Status.UNKNOWN if self._path is None else Status.FEASIBLE
        finally:
            if isinstance(self.search, FactSearch):
                self.search.close()
        return self._report(status)

    def given_up(self) -> Report:
        """Return the report of a question that was stopped before its search."""
        self._interrupted = True
        return self._report(Status.UNKNOWN)

    # The two kinds of question

    def _earliest(self) -> Status:
        """Find the fewest turns to the target: a beam's line from above, failing horizons from below."""
        goal, search = self._goal, self.search
        most = (HORIZON if goal.within_turns is None else goal.within_turns) - self.first
        self._bound = max(1, self._known or 0)
        if goal.within_turns is not None and most < 0:
            return Status.INFEASIBLE
        if isinstance(search, PackedSearch):
            return self._race(search, most)
        last = self._last_turn()
        most = most if last is None else min(most, last)
        turns = max(0, self._bound - self.first)
        fails = Status.UNKNOWN if goal.within_turns is None and most != last else Status.INFEASIBLE
        tried, looked = 0, False
        while turns <= most and (self._value is None or self.first + turns < goal.least(self._value)):
            begun, run = search.counters.generated, None
            if looked:
                run = search.earliest(goal.target, turns)
            elif self.problem.engine != PlainTurns.engine:
                run = search.soon(goal.target, turns, QUICK)
            if run is None:
                # Short horizons are quickly gone through; where they are not, a line comes first.
                looked = True
                self._scout(most)
                found = None if self._found else search.beam(self._beam_width(), most, goal.target)
                if found is not None:
                    self._value, self._path = self.first + len(found) - 1, found
                turns = max(turns, self._bound - self.first)
                self._tell()
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
            if saturated and turns < most and not looked:
                run = search.soon(goal.target, most, (search.counters.generated + LEAP * tried) // search.rate)
                if run is not None:
                    self._excluded = self.first + (most if run.path is None else len(run.path) - 2)
                    proved = Status.INFEASIBLE if run.complete else fails
                    return proved if run.path is None else self._found_first(run)
            turns = most if saturated and looked and search.counters.states >= MANY else self._bound - self.first
            self._tell()
        if self._value is None:
            return fails
        # Turns of the same round count as one, so that the least of them need not be looked for.
        self._excluded = max(self._excluded or 0, goal.least(self._value) - 1)
        self._bound = self._value
        if search.counters.states < self._tidy:
            # The beam took the first line it met; the last layer in full has the one of fewest rounds and moves.
            run = search.earliest(goal.target, self._value - self.first)
            self._keep(run)
            if run.path is not None:
                self._value = self._bound = self.first + len(run.path) - 1
        return Status.OPTIMAL

    def _found_first(self, run: Run[Any]) -> Status:
        """Take over the line of a run that has excluded all shorter ones."""
        assert run.path is not None
        self._value = self._bound = self.first + len(run.path) - 1
        self._keep(run)
        return Status.OPTIMAL

    def _scout(self, most: int) -> None:
        """Find lines and a bound by forms that carry a part of the game only, where there are such."""
        goal, table = self._goal, self._start.table
        if self._begun:
            return
        forms = self._game.scout_turns(table, goal.seat, goal.forbidden, goal.target)
        own = form = next(forms, None)
        first, compiled, rising = True, False, own is not None
        while form is not None:
            # The first lines come before the compiler is thought of.
            watch, roots = self.search.watch, [form.project(table)]
            search = PackedSearch(form, watch, roots, compile_it=compiled, patient=not first)
            search.counters = replace(self.search.counters)
            best: list[Any] | None = None
            try:
                for width in FIRST_SCOUTS if first else THOROUGH_SCOUTS if form.thorough else SCOUTS:
                    best = self._scouted(form, search, width, min(most, form.most_days)) or best
                    rising = rising and self._raise(own)
                compiled = search.compiled
            finally:
                self.search.counters = replace(search.counters)
                search.close()
            try:
                form, first = forms.send(best), False
            except StopIteration:
                form = None
        while rising:
            rising = self._raise(own)

    def _raise(self, form: Any) -> bool:
        """Raise the bound by a part of the work that a form has for it; return whether there is more."""
        least, rising = form.least_turns(RISE)
        if least > (self._bound or 1):
            self._bound = least
            self._excluded = least - 1
            self._tell()
        self.search.watch.check()
        return bool(rising)

    def _scouted(self, form: Any, search: PackedSearch, width: int, most: int) -> list[Any] | None:
        """Take over the line of one beam of a form, if it is a better one; return its positions."""
        goal = self._goal
        least = most if self._value is None else min(most, self._value - 1)
        path = search.beam(width, least, goal.target, cuts=self._value is not None)
        if path is not None:
            ends = [{form.shape(position)} for position in path[1:]]
            self._found = real_line(self._game, form, self._start, ends, goal.forbidden, any_line=True)
            self._value = replayed_value(self._game, self._start, self._found, goal)
            self._path = played(self._game, self._start, self._found)
        self.search.counters = replace(search.counters)
        self._tell()
        return path

    def _race(self, search: PackedSearch, most: int) -> Status:
        """Find the fewest turns by packed search: horizons grow from the bound on, a beam says where to stop."""
        target = self._goal.target
        try:
            self._improve(search.beam(BEAM, most, target))
            turns = max(0, (self._bound or 0) - self.first)
            while turns <= most and not any(self.problem.promising(root, turns, target) for root in search.roots):
                turns += 1
            widened = False
            while turns <= most:
                self._bound = self._excluded_before(turns)
                self._tell()
                if self._value == self._bound:
                    return Status.OPTIMAL
                if search.compiled and search.counters.states > WIDE_STATES and not widened:
                    widened = True
                    self._improve(search.beam(WIDE_BEAM, most, target))
                    continue
                run = search.earliest(target, turns)
                if run.path is not None:
                    self._improve(run.path)
                    self._bound = self._value
                    return Status.OPTIMAL
                turns += 1
            self._excluded = self.first + most
            return Status.UNKNOWN if self._goal.within_turns is None else Status.INFEASIBLE
        finally:
            search.close()

    def _excluded_before(self, turns: int) -> int:
        """Note that fewer turns are excluded, and return how many may be enough."""
        self._excluded = max(0, self.first + turns - 1)
        return self.first + turns

    def _improve(self, path: list[Any] | None) -> None:
        """Take over a shorter line."""
        if path is not None and (self._value is None or self.first + len(path) - 1 < self._value):
            self._value, self._path = self.first + len(path) - 1, path

    def _last_turn(self) -> int | None:
        """Return the number of turns after which every line has ended, or nothing where that is not known."""
        ends = [self.problem.most_turns(root) for root in self.search.roots]
        known = [end for end in ends if end is not None]
        return max(known) if known and len(known) == len(ends) else None

    def _keep(self, run: Run[Any]) -> None:
        """Take over the line of a run, with all equal ones where there are not too many positions to look at."""
        if run.path is None:
            return
        self._found = None
        self._path = run.path
        if self.search.counters.states < self._tidy:
            self._alive = self.search.alive(run)

    def _farthest(self, turns: int) -> Status:
        """Find the greatest distance after all turns: a beam's line first, then a run that keeps what could beat it."""
        search, problem = self.search, self.problem
        assert isinstance(search, LayeredSearch)  # packed problems carry targets only
        turns -= self.first
        if turns < 0:
            return Status.INFEASIBLE
        if not search.roots:
            return Status.INFEASIBLE
        run: Run[Any] | None = None
        narrow = isinstance(search, FactSearch) and search.is_fast
        for width in (NARROW_BEAM, BEAM) if narrow else (self._beam_width(),):
            found = search.beam(width, turns, None)
            if found is not None and (self._value is None or problem.progress(found[-1]) > self._value):
                self._value, self._path = problem.progress(found[-1]), found
            floor = 0 if self._value is None else self._value + 1
            self._bound = self._known
            if problem.bound_name:  # without one nothing is excluded until the search is done
                ceiling = max(self._ceiling(root, turns, floor) for root in search.roots)
                self._bound = ceiling if self._known is None else min(ceiling, self._known)
            self._tell()
            most = LONG if narrow and width == NARROW_BEAM else None
            run = search.farthest(floor, turns) if most is None else search.soon(floor, turns, most, at_end=True)
            if run is not None:
                break
        assert run is not None
        self._excluded = turns + self.first
        if run.path is not None:
            self._value = problem.progress(run.path[-1])
            self._keep(run)
        if self._value is None:
            return Status.INFEASIBLE
        self._bound = self._value
        if self._alive is None and search.counters.states < self._tidy:
            self._keep(search.farthest(self._value, turns))
        return Status.OPTIMAL

    def _ceiling(self, key: Any, turns: int, least: int) -> int:
        """Return a distance that cannot be exceeded, found by asking the bound for higher and higher targets."""
        assert isinstance(self.search, LayeredSearch)
        step = 1
        while self.search.promising(key, turns, least + step):
            step *= 2
        low, high = least + step // 2, least + step
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.search.promising(key, turns, middle) else (low, middle)
        return low

    def _beam_width(self) -> int:
        return PLAIN_BEAM if self.problem.engine == PlainTurns.engine else BEAM

    @property
    def _tidy(self) -> int:
        return PLAIN_TIDY_STATES if self.problem.engine == PlainTurns.engine else TIDY_STATES

    # What is told

    def _tell(self) -> None:
        if self._on_progress is not None:
            counters, time_s = self.search.counters, self.search.watch.time_s
            # Without a bound keys are whole tables, and finding the moves between them may take longer than the search.
            line: Callable[[], tuple[TurnLine, ...]] | None = None
            if self._found is not None:
                line = partial(tuple, self._found)
            elif self._path is not None and self.problem.bound_name:
                line = self._line
            self._on_progress(Progress(self._value, self._bound, counters.states, time_s, counters.pruned, line))

    def _line(self, *, any_line: bool = True) -> tuple[TurnLine, ...]:
        """Return the line that is known, as the game has it; of equal ones the first met, or the first in order."""
        assert self._path is not None
        if self._found is not None:
            return self._found
        alive: Sequence[Container[Any]] = self._alive or [{self.problem.shape(key)} for key in self._path]
        ends = alive if self.first else alive[1:]
        return real_line(
            *(self._game, self.problem, self._start, ends, self._goal.forbidden, self._begun), any_line=any_line
        )

    def _report(self, status: Status) -> Report:
        goal = self._goal
        line: tuple[TurnLine, ...] = ()
        value = self._value
        checked: tuple[str, ...] = ()
        if self._path is not None and status is not Status.INFEASIBLE:
            line = self._line(any_line=status is not Status.OPTIMAL)
            if goal.objective is Objective.REACH:
                value = 1
            if self._alive is None and self.problem.engine == PlainTurns.engine and self._begun == self._start.pending:
                line = self._trimmed(line, value)
            value = agreed(value, replayed_value(self._game, self._start, line, goal))
            checked = ("replay",)
        bound = self._bound
        if goal.objective is Objective.REACH:
            value, bound, status = self._reach(status, value)
        counters, watch = self.search.counters, self.search.watch
        proved = status in (Status.OPTIMAL, Status.INFEASIBLE)
        return Report(
            status=status,
            value=value,
            bound=bound,
            line=line,
            proof=Proof(
                method="layers" if proved else "none",
                excluded_turns=self._excluded,
                states=counters.states if proved else 0,
                pruned=counters.pruned if proved else 0,
                bound_name=(self.search if isinstance(self.search, PackedSearch) else self.problem).bound_name,
                projections=tuple(self.problem.projections),
                checked_by=checked,
            ),
            statistics=Statistics(
                watch.time_s,
                counters.generated,
                counters.expanded,
                self.problem.engine,
                isinstance(self.search, PackedSearch),
            ),
            interrupted=self._interrupted,
        )

    def _trimmed(self, line: tuple[TurnLine, ...], value: int | None) -> tuple[TurnLine, ...]:
        """Return a line of the same value without moves that nothing needs."""
        # Only where nothing counts before the game is over is a line of fewer turns the same answer.
        shortens = isinstance(self._game, QuestRace)

        def holds(other: tuple[TurnLine, ...]) -> bool:
            return (shortens or len(other) == len(line)) and self._worth(other) == value

        return trimmed(self._game, self._start, line, holds)

    def _worth(self, line: tuple[TurnLine, ...]) -> int | None:
        """Return the value of a line, or nothing where it does what is forbidden or falls short."""
        try:
            return replayed_value(self._game, self._start, line, self._goal)
        except DisagreementError:
            return None

    def _reach(self, status: Status, value: int | None) -> tuple[int | None, int | None, Status]:
        """Return value, bound and status of a question whose value is 1 or 0."""
        if value is not None:
            return 1, 1, Status.OPTIMAL
        if status is Status.INFEASIBLE:
            return 0, 0, Status.INFEASIBLE
        return None, 1, status
