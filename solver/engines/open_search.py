"""One open question on its way to an answer: a line early, then the proof, then the replay of what is claimed.

The search goes over the fastest form of the game that carries the question.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field, replace
from typing import Any, Final

from puzzles.puzzle import Goal, Objective, does_forbidden
from rules.core.challenge import UNFINISHED, Quest
from rules.core.errors import DisagreementError
from rules.core.race import NEVER, Race
from rules.core.scripts import Forced, Step
from rules.core.turns import State
from solver.encodings import encoded_turns, table_ends
from solver.lines import Path, Rest, agreed, real_line, replayed_value, trimmed
from solver.question import Answer, OnProgress, Proof, Statistics, Status, TurnLine
from solver.search.budget import GRACE_S, Budget, BudgetExceeded, NodesExceeded
from solver.search.iterative_deepening import LOOK, IterativeDeepening, PlainTurns, Run, SearchProblem, TooLarge

BEAMS: Final = (100, 400, 1_600, 6_400, 25_600, 102_400)
"""Positions a turn of the beams that look for a line over an encoding, one after the other."""
AHEAD: Final = 4
"""Positions that a proof that gets on generates between two beams, for each one of the first: the other takes about
as many, and mostly the proof is done before."""
PLAIN_BEAM: Final = (8,)
"""Likewise for the plain form, whose turns cost a thousand times more."""
GLIMPSE: Final = 1
"""Likewise for a line to the greatest distance that is there soon."""
SKETCH_BEAM: Final = (24,)
"""Likewise for the line of a move that is only sketched."""
SMALL: Final = 3_000
"""Positions that may be generated for a sketch, or before a beam looks for a line to the greatest distance,"""
QUICK: Final = 50_000
"""and before a beam looks for a first line."""
SATURATED: Final = 1.2
"""Growth of a failing run against the one before it below which the number of turns no longer limits it."""
MANY: Final = 100
"""Positions that a run has to meet before its growth says anything."""
LONG: Final = 1_000_000
"""Positions that the proof of a greatest distance may generate before another beam looks for a better line."""
ORDERED: Final = (1_000_000, 20_000)
"""Positions that may be generated to find the first of all equal lines, over an encoding and over the plain form."""
TIDIED: Final = (5_000_000, 2_000)
"""Likewise for a line of fewest rounds, where a beam has found the line,"""
TIDY_STATES: Final = 20_000
"""and the proof has kept no more positions than these."""
HIGHEST: Final = 2_000
"""Units of progress up to which the bound is asked what it excludes."""
SEARCHED_PART: Final = 0.8
"""Part of the time given for the search once a line is known; it is then written out, and other moves have the rest."""
LINE_S: Final = 3.0
"""Seconds that this may take at most beyond a limit, or after Ctrl-C."""
HORIZON: Final = 200
"""Turns after which no line is looked for where the question sets no limit."""


def search_problem(game: Race[Any], start: State[Any], goal: Goal, *, late: bool = True) -> SearchProblem[Any]:
    """Return the turns of a question over the encoding of the game, or over its rules where none carries it.

    Without ``late`` nothing is decided late, for which there is always room.
    """
    target = None if goal.objective is Objective.MAX_DISTANCE else goal.target
    encoded = encoded_turns(game, start.table, goal.seat, goal.forbidden, target, goal.within_turns, late=late)
    if encoded is not None:
        return encoded
    return PlainTurns(game, goal.seat, goal.forbidden, None if goal.forbidden else table_ends(game, start.table))


def is_unbeaten(goal: Goal, value: int | None, bound: int | None) -> bool:
    """Return whether a line of some turns, or to some distance, meets what is proved not to be beaten."""
    if value is None or bound is None or goal.objective is Objective.REACH:
        return False
    return value >= bound if goal.objective is Objective.MAX_DISTANCE else goal.least(value) <= bound


@dataclass
class OpenSearch:
    """One open question with the search that answers it."""

    game: Race[Any]
    start: State[Any]
    goal: Goal
    limit: Budget
    on_progress: OnProgress | None = None
    form: SearchProblem[Any] | None = None
    """A form of the game that is laid out already."""
    known: int | None = None
    """A value that is proved not to be beaten: a lower bound of turns, an upper bound of progress."""
    begun: tuple[Step | Forced, ...] = ()
    """Steps of the first turn that are settled; those of the start where none are given."""
    first_line: float = 1.0
    """Part of the time in which a first line has to be found."""
    running: Budget | None = None
    """The time of several questions about one table, in place of a limit of its own."""
    writes: bool = True
    """The line is written out, and replayed."""
    sketches: bool = False
    """Only a short search and one narrow beam are wanted."""
    rooted: dict[Any, list[bytes]] = field(default_factory=dict)
    """The keys that searches began with, by form and settled steps: a move may be asked about more than once."""

    def __post_init__(self) -> None:
        self.budget = self.running or self.limit.part(self.first_line).start()
        self.begun = self.begun or self.start.pending
        self.first = 1 if self.begun else 0
        """Turns that end before the search begins: the unfinished one."""
        self._use(self.form or search_problem(self.game, self.start, self.goal))

    def _use(self, problem: SearchProblem[Any]) -> None:
        self.problem = problem
        self._value: int | None = None
        self._bound: int | None = None
        self._path: list[bytes] | None = None
        self._is_best = False
        """The path has the fewest turns, and of those the fewest rounds."""
        self._excluded: int | None = None
        self._interrupted = False
        self.search = IterativeDeepening(problem, self.budget, ())

    def after(self, move: Step, **asked: Any) -> OpenSearch:
        """Return the search for the best line that begins with a move, over the same form and within the same time."""
        shared: Any = {"form": self.problem, "running": self.budget, "limit": Budget(), "on_progress": None}
        return replace(self, begun=self.game.begun(self.start, move), **shared, **asked)

    def _roots(self, begun: tuple[Step | Forced, ...]) -> list[bytes]:
        """Return the keys that the search begins with: of the table, or of all that a turn under way can end in."""
        if not begun:
            return [self.problem.project(self.start.table)]
        if (self.problem, begun) not in self.rooted:
            keys: dict[bytes, None] = {}
            for number, end in enumerate(self.game.turn_ends(self.start.table, begun), start=1):
                if number % LOOK == 0:
                    self.budget.check()
                if not does_forbidden(end.steps, self.goal.forbidden):
                    keys[self.problem.project(end.table)] = None
            self.rooted[self.problem, begun] = list(keys)
        return self.rooted[self.problem, begun]

    def promise(self, move: Step) -> int:
        """Return the most that the form expects of a move.

        Raises:
            BudgetExceeded: there is no time to ask.
        """
        self.budget.check()
        return max(map(self.problem.promise, self._roots(self.game.begun(self.start, move))), default=0)

    def _last_turn(self) -> int | None:
        """Return the number of turns after which every line has ended, or nothing where that is not known."""
        ends = [self.problem.most_turns(root) for root in self.search.roots]
        known = [end for end in ends if end is not None]
        return max(known) if known and len(known) == len(ends) else None

    def _report_progress(self) -> None:
        if self.on_progress is not None:
            self.on_progress(self._value, self._bound, self.search.counters.states)

    def _line(self) -> tuple[TurnLine, ...]:
        """Return the line that is known, as the game has it; of equal ones the first in order if that is soon told."""
        assert self._path is not None
        goal, problem, budget, path = self.goal, self.problem, self.budget, self._path[1 - self.first :]

        def written(rest: Rest | Path) -> tuple[TurnLine, ...]:
            return real_line(self.game, problem, self.start, path, rest, goal, self.begun)

        if self._is_best:
            rounds = problem.rounds(self._path[-1]) if goal.objective is Objective.MIN_TURNS else None
            try:
                return written(Rest(problem, goal, self._value or 0, rounds, budget, ORDERED[self._is_plain]))
            except BudgetExceeded:
                pass
            except KeyboardInterrupt:
                self._interrupted = True
        given = self.limit.time_s
        if given is not None or self._interrupted:
            late_s = LINE_S if given is None else min(LINE_S, max(GRACE_S, given * (1 - SEARCHED_PART)))
            budget.time_s = max(budget.elapsed_s + late_s, 0.0 if self._interrupted else given or 0.0)
        return written(Path(problem, path, budget))

    def _report(self, status: Status) -> Answer[int]:
        goal, value, bound = self.goal, self._value, self._bound
        line: tuple[TurnLine, ...] = ()
        checked: tuple[str, ...] = ()
        if goal.objective is Objective.REACH:
            lost = status is Status.INFEASIBLE
            value = 0 if lost else None if self._path is None else 1
            bound, status = int(not lost), Status.OPTIMAL if value else status
        if self._path is not None and status is not Status.INFEASIBLE and self.writes:
            try:
                line = self._line()
            except (BudgetExceeded, KeyboardInterrupt) as stop:  # what nobody has replayed is no answer
                self._interrupted = self._interrupted or isinstance(stop, KeyboardInterrupt)
                status, value = Status.UNKNOWN, None
            else:
                if self._is_plain and self.begun == self.start.pending:
                    line = self._trimmed(line, value)
                value = agreed(value, replayed_value(self.game, self.start, line, goal))
                checked = ("replay",)
        counters, proved, excluded = self.search.counters, status.is_settled, self._excluded
        if status is Status.OPTIMAL and goal.objective is Objective.MIN_TURNS and excluded is not None:
            excluded = min(excluded, goal.least(value or 0) - 1)  # more turns than these may end in the same round
        return Answer(
            status=status,
            value=value,
            bound=bound,
            line=line,
            proof=Proof(
                method="layers" if proved else "none",
                excluded_turns=excluded,
                states=counters.states if proved else 0,
                pruned=counters.pruned if proved else 0,
                bound_name=self.problem.bound_name,
                projections=tuple(self.problem.projections),
                checked_by=checked,
            ),
            statistics=Statistics(self.budget.elapsed_s, counters.generated, counters.expanded, self.problem.engine),
            interrupted=self._interrupted,
        )

    def _trimmed(self, line: tuple[TurnLine, ...], value: int | None) -> tuple[TurnLine, ...]:
        # Only where nothing counts before the game is over is a line of fewer turns the same answer.
        shortens = isinstance(self.game, Quest)

        def holds(other: tuple[TurnLine, ...]) -> bool:
            try:
                is_as_good = replayed_value(self.game, self.start, other, self.goal) == value
            except DisagreementError:
                return False
            return is_as_good and (shortens or len(other) == len(line))

        return trimmed(self.game, self.start, line, holds)

    def answer(self) -> Answer[int]:
        """Return the report."""
        try:
            return self._report(self._searched())
        except TooLarge:
            game, start, goal = self.game, self.start, self.goal
            problem: SearchProblem[Any] = PlainTurns(game, goal.seat, goal.forbidden)
            self._use(search_problem(game, start, goal, late=False) if self.problem.decides_late else problem)
            return self.answer()

    def _searched(self) -> Status:
        goal = self.goal
        try:
            self.search.roots = self._roots(self.begun)
            if goal.objective is Objective.MAX_DISTANCE:
                return self._farthest(goal.within_turns or 0)
            if not self.first and self.game.progress(self.start.table, goal.seat) >= goal.target:
                self._value, self._bound, self._path = 0, 0, []
                return Status.OPTIMAL
            return self._earliest()
        except TooLarge:
            raise
        except BudgetExceeded:
            return self._stopped()
        except KeyboardInterrupt:
            self._interrupted = True
            return self._stopped()

    def _stopped(self) -> Status:
        """Return what is known of a question whose search was stopped: a line that nothing can beat is the answer."""
        goal, value, bound = self.goal, self._value, self._bound
        if self._path is None:
            is_distance = goal.objective is Objective.MAX_DISTANCE
            most = NEVER if is_distance or goal.within_turns is None else goal.within_turns
            return Status.INFEASIBLE if bound is not None and bound > most else Status.UNKNOWN
        if not is_unbeaten(goal, value, bound):
            return Status.FEASIBLE
        if value is not None and goal.objective is Objective.MIN_TURNS:
            self._settle(value)
        return Status.OPTIMAL

    def _settle(self, value: int) -> None:
        """Note that nothing is better than a line of so many turns: those of the same round count as one."""
        self._excluded = max(self._excluded or 0, self.goal.least(value) - 1)
        self._bound = value

    # The two kinds of question

    def _earliest(self) -> Status:
        """Find the fewest turns to the target: a beam's line from above, failing horizons from below."""
        goal, search = self.goal, self.search
        most = (HORIZON if goal.within_turns is None else goal.within_turns) - self.first
        self._bound = max(1, self.known or 0)
        last = self._last_turn()
        most = most if last is None else min(most, last)
        turns = max(0, self._bound - self.first)
        fails = Status.UNKNOWN if goal.within_turns is None and most != last else Status.INFEASIBLE
        tried, stood = 0, self._bound
        widths = iter(SKETCH_BEAM if self.sketches else PLAIN_BEAM if self._is_plain else BEAMS)
        allowed: int | None = 0 if self._is_plain else SMALL if self.sketches else QUICK
        while turns <= most and (self._value is None or self.first + turns < goal.least(self._value)):
            run = None if allowed == 0 else search.run(goal.target, turns, most=allowed)
            if run is None:
                # Short horizons are quickly gone through; where they are not, a line comes first.
                allowed = self._look_ahead(next(widths, None), most, AHEAD if self._bound > stood else 1)
                if self.sketches:
                    raise NodesExceeded
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
            tried, before = run.tried, tried
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
        run: Run | None = None
        try:
            run = search.run(target, turns, most=search.counters.generated + TIDIED[self._is_plain])
        finally:
            if run is None:
                search.counters.states, search.counters.pruned = proof.states, proof.pruned
        if run is not None and run.path is not None:
            self._found_first(run)

    def _found_first(self, run: Run) -> Status:
        """Take over the line of a run that has excluded all shorter ones."""
        assert run.path is not None
        self._path, self._is_best = run.path, True
        self._value = self._bound = self.first + len(run.path) - 1
        return Status.OPTIMAL

    def _adopt(self, path: list[bytes], value: int) -> None:
        """Take over a line that is not proved; some of the time is kept to write it out."""
        self._path, self._value = path, value
        if self.limit.time_s is not None:
            self.budget.time_s = self.limit.time_s * SEARCHED_PART

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
        if (found := self.search.beam(width, shorter, self.goal.target)) is not None:
            self._adopt(found, self.first + len(found) - 1)
        return None if self._is_plain else counters.generated + ahead * (counters.generated - before)

    def _farthest(self, turns: int) -> Status:
        """Find the greatest distance after all turns: a beam's line first, then a run that keeps what could beat it."""
        search, problem = self.search, self.problem
        turns -= self.first
        if turns < 0 or not search.roots:
            return Status.INFEASIBLE
        run: Run | None = None
        widths: tuple[int, ...] = (GLIMPSE, *PLAIN_BEAM) if self._is_plain else BEAMS[:3:2]
        widths = SKETCH_BEAM if self.sketches else widths
        if turns and not self._is_plain:
            run = search.run(self._least + 1, turns, at_end=True, most=SMALL)
            widths = widths if run is None else ()
        for width in widths:
            found = search.beam(width, turns, None)
            known = self._least if self._value is None else self._value
            if found is not None and problem.progress(found[-1]) > known:
                known = problem.progress(found[-1])
                self._adopt(found, known)
            floor = known + 1
            # Without a bound nothing is excluded until the search is done.
            self._bound = self._ceiling(turns, floor) if problem.bound_name else self.known
            self._report_progress()
            if self.sketches:
                raise NodesExceeded
            if width == GLIMPSE:
                continue
            run = search.run(floor, turns, at_end=True, most=None if width == widths[-1] else LONG)
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
        game = self.game
        return UNFINISHED if isinstance(game, Quest) and game.only_the_end_counts else -1

    def _ceiling(self, turns: int, least: int) -> int | None:
        """Return a distance that cannot be exceeded: what is known, or the bound for higher and higher targets says.

        Nothing where neither excludes any.
        """
        targets = range(least + 1, least + HIGHEST)
        lacking, roots = self.problem.lacking, self.search.roots
        most = least + bisect_left(targets, True, key=lambda at: all(lacking(root, turns, at) for root in roots))
        if most == targets[-1]:
            return self.known
        return most if self.known is None else min(most, self.known)

    @property
    def _is_plain(self) -> bool:
        return self.problem.engine == PlainTurns.engine
