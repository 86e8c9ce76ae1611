"""One open question on its way to an answer: a line early, then the proof, then the replay of what is claimed."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any, Final

from puzzles.goal import Objective
from rules.core.challenge import NEVER
from rules.core.quest_race import UNFINISHED, QuestRace
from solver.certify import replayed_value
from solver.findings import Findings
from solver.lines import played, real_line
from solver.report import Report, Status
from solver.search.asking.search import FactSearch
from solver.search.layers import LayeredSearch, LimitHit, Run
from solver.search.packed_search import PackedSearch
from solver.search.plain import PlainTurns
from solver.search.rollout import AHEAD
from solver.search.uncollected import uncollected

BEAM: Final = 300
"""Positions a layer of the beam that looks for the first line, for the compact form."""
PLAIN_BEAM: Final = 8
"""Likewise for the plain form, whose turns cost a thousand times more."""
GLIMPSE: Final = 1
"""Likewise for a line to the greatest distance that is there soon."""
NARROW_BEAM: Final = 64
"""Likewise for the first line to the greatest distance where the rest is compiled: to ask what so many positions need
takes longer than to prove what they miss."""
SKETCH_BEAM: Final = 24
"""Likewise where a line only tells what a move may be worth."""
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
SATURATED: Final = 1.2
"""Growth of a failing run against the one before it below which the number of turns no longer limits it."""
MANY: Final = 100
"""Positions that a run has to meet before its growth says anything."""
LEAP: Final = 2
"""Positions that a run to the last turn may generate meanwhile, for each one of the failing run."""
RISE: Final = 1_500
"""States that a form looks at for its bound after every beam."""
TIDIED: Final = 250
"""Positions generated, for each that a proof may have kept, by the search for the line to print that may come after."""
HORIZON: Final = 200
"""Turns after which no line is looked for where the question sets no limit."""


class Question(Findings):
    """One question with the search that answers it."""

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
            status = self._stopped()
        except KeyboardInterrupt:
            self._interrupted = True
            status = self._stopped()
        finally:
            if isinstance(self.search, FactSearch):
                self.search.close()
        return self._report(status)

    def _stopped(self) -> Status:
        """Return what is known of a question whose search was stopped: a line that nothing can beat is the answer."""
        if self._path is None:
            return Status.INFEASIBLE if self._is_excluded else Status.UNKNOWN
        goal, value, bound = self._goal, self._value, self._bound
        if value is None or bound is None:
            return Status.FEASIBLE
        if goal.objective is Objective.MAX_DISTANCE and value >= bound:
            return Status.OPTIMAL
        if goal.objective is not Objective.MIN_TURNS or bound < goal.least(value):
            return Status.FEASIBLE
        self._settle(value)
        return Status.OPTIMAL

    @property
    def _is_excluded(self) -> bool:
        """Whether the bound is above the turns that the question gives."""
        goal, bound = self._goal, self._bound
        is_limited = goal.objective is not Objective.MAX_DISTANCE and goal.within_turns is not None
        return is_limited and bound is not None and bound > (goal.within_turns or 0)

    def _settle(self, value: int) -> None:
        """Note that nothing is better than a line of so many turns: those of the same round count as one."""
        self._excluded = max(self._excluded or 0, self._goal.least(value) - 1)
        self._bound = value

    def given_up(self) -> Report:
        """Return the report of a question that was stopped before its search."""
        self._interrupted = True
        return self._report(Status.UNKNOWN)

    def sketch(self) -> Report:
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
                ceiling = max(self._ceiling(root, turns, self._value or 0) for root in search.roots)
                self._bound = ceiling if self._known is None else min(ceiling, self._known)
        except LimitHit:
            pass
        except KeyboardInterrupt:
            self._interrupted = True
        finally:
            if isinstance(search, (FactSearch, PackedSearch)):
                search.close()
        return self._report(status if self._path is None else Status.FEASIBLE)

    def _rise_by_bound(self, most: int) -> bool:
        """Raise the least number of turns as far as the bound does; return false where it excludes all of them."""
        turns = max(1, self._known or 0) - self.first
        while turns <= most and not any(self._promises(root, turns) for root in self.search.roots):
            turns += 1
        self._bound = self.first + max(0, turns)
        return turns <= most or self._goal.within_turns is None

    def _promises(self, root: Any, turns: int) -> bool:
        asked = self.problem if isinstance(self.search, PackedSearch) else self.search
        return bool(asked.promising(root, turns, self._goal.target))

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
                if self._is_excluded:
                    break
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
        self._settle(self._value)
        if search.counters.states < self._tidy:
            self._tidy_up(goal.target, self._value - self.first)
        return Status.OPTIMAL

    def _tidy_up(self, target: int, turns: int, *, at_end: bool = False) -> None:
        """Look for the line of fewest rounds and moves, where the beam took the first one it met.

        That is the last layer in full. What is proved stands without it, so that it may not take long.
        """
        search, proof = self.search, replace(self.search.counters)
        assert isinstance(search, LayeredSearch)  # packed problems are tidied by their own search
        run: Run[Any] | None = None
        try:
            run = search.soon(target, turns, search.counters.generated + self._tidy * TIDIED, at_end=at_end)
        finally:
            if run is None:
                search.counters.states, search.counters.pruned = proof.states, proof.pruned
        if run is not None and run.path is not None:
            self._keep(run)
            if not at_end:
                self._value = self._bound = self.first + len(run.path) - 1

    def _found_first(self, run: Run[Any]) -> Status:
        """Take over the line of a run that has excluded all shorter ones."""
        assert run.path is not None
        self._value = self._bound = self.first + len(run.path) - 1
        self._keep(run)
        return Status.OPTIMAL

    @property
    def is_scouted(self) -> bool:
        """Whether forms that carry a part of the game only may find a line to an earliest arrival soon."""
        return self._goal.objective is Objective.MIN_TURNS and next(self._scouts(), None) is not None

    def _scouts(self) -> Generator[Any, list[Any] | None, None]:
        goal, table = self._goal, self._start.table
        if not self._begun:
            yield from self._game.scout_turns(table, goal.seat, goal.forbidden, goal.target)

    def _scout(self, most: int) -> None:
        """Find lines and a bound by forms that carry a part of the game only, where there are such."""
        table = self._start.table
        forms = self._scouts()
        own = form = next(forms, None)
        first, compiled, rising = True, False, own is not None
        if rising and most <= AHEAD:  # so few turns are likely excluded at once
            rising = self._raise(own)
            form = None if self._is_excluded else form
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
            if self._is_excluded:
                self._excluded, self._ruled_out_by = self._goal.within_turns, form.bound_name
            self._tell()
        self.search.watch.check()
        return bool(rising) and not self._is_excluded

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
        plain = self.problem.engine == PlainTurns.engine
        for width in (NARROW_BEAM, BEAM) if narrow else (GLIMPSE, PLAIN_BEAM) if plain else (BEAM,):
            found = search.beam(width, turns, None)
            known = self._least if self._value is None else self._value
            if found is not None and problem.progress(found[-1]) > known:
                self._value = known = problem.progress(found[-1])
                self._path = found
            floor = known + 1
            self._bound = self._known
            if problem.bound_name:  # without one nothing is excluded until the search is done
                ceiling = max(self._ceiling(root, turns, floor) for root in search.roots)
                self._bound = ceiling if self._known is None else min(ceiling, self._known)
            self._tell()
            if width == GLIMPSE:
                continue
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
            self._tidy_up(self._value, turns, at_end=True)
        return Status.OPTIMAL

    @property
    def _least(self) -> int:
        """Return what every line gets beyond that counts at all."""
        game = self._game
        return UNFINISHED if isinstance(game, QuestRace) and game.only_the_end_counts else -1

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
