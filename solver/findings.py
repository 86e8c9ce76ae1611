"""What is known of an open question on its way to an answer, and how it is told: replayed, never believed.

A question is searched over the fastest form of the game that carries it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.challenge import QuestRace
from rules.core.errors import DisagreementError
from rules.core.race import Race
from rules.core.steps import Forced, Step
from rules.core.turns import State
from solver.encodings.turns import EncodedTurns, TooLarge, encoded_turns
from solver.lines import agreed, real_line, replayed_value, trimmed
from solver.report import OnProgress, Progress, Proof, Report, Statistics, Status, TurnLine
from solver.search.budget import Budget
from solver.search.gradual import GradualSearch
from solver.search.layers import LayeredSearch, Run
from solver.search.plain import PlainTurns, does_forbidden
from solver.search.problem import SearchProblem


def search_of(problem: Any, budget: Budget, roots: list[Any]) -> LayeredSearch[Any]:
    """Return the search that suits a problem: in bulk where an encoding plays the turns."""
    if isinstance(problem, EncodedTurns):
        return GradualSearch(problem, budget, roots)
    return LayeredSearch(problem, budget, roots)


def search_problem(game: Race[Any], start: State[Any], goal: Goal, *, late: bool = True) -> SearchProblem[Any, Any]:
    """Return the turns of a question over the encoding of the game, or over its rules where none carries it.

    Without ``late`` nothing is decided late, for which there is always room.
    """
    target = None if goal.objective is Objective.MAX_DISTANCE else goal.target
    encoded = encoded_turns(game, start.table, goal.seat, goal.forbidden, target, goal.within_turns, late=late)
    return encoded if encoded is not None else PlainTurns(game, goal.seat, goal.forbidden)


TIDY_STATES: Final = 20_000
"""Positions that may lie on a line as good, up to which all equal lines are compared for the one to print."""
PLAIN_TIDY_STATES: Final = 20
"""Likewise for the plain form."""


class Findings:
    """One open question with what has been found of it so far."""

    def __init__(
        self,
        game: Race[Any],
        start: State[Any],
        goal: Goal,
        limit: Budget,
        on_progress: OnProgress | None = None,
        *,
        problem: SearchProblem[Any, Any] | None = None,
        budget: Budget | None = None,
        known: int | None = None,
        begun: tuple[Step | Forced, ...] | None = None,
        since: Progress | None = None,
    ) -> None:
        """``problem`` and ``budget`` are taken over where several questions about one table share them.

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
        try:
            roots = self._roots()
        except TooLarge:
            self.problem = PlainTurns(game, goal.seat, goal.forbidden)
            roots = self._roots()
        self.search = search_of(self.problem, budget or limit.start(), roots)
        self._value: int | None = None
        self._bound: int | None = None
        self._path: list[Any] | None = None
        self._alive: list[Container[Any]] | None = None
        self._excluded: int | None = None
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
                if not does_forbidden(end.steps, forbidden)
            }
        )

    def _last_turn(self) -> int | None:
        """Return the number of turns after which every line has ended, or nothing where that is not known."""
        ends = [self.problem.most_turns(root) for root in self.search.roots]
        known = [end for end in ends if end is not None]
        return max(known) if known and len(known) == len(ends) else None

    def _keep(self, run: Run[Any]) -> None:
        """Take over the line of a run, with all equal ones where there are not too many positions to look at."""
        if run.path is None:
            return
        self._path = run.path
        self._alive = self.search.alive(run, self._tidy, ties=self._goal.objective is Objective.MIN_TURNS)

    @property
    def _tidy(self) -> int:
        return PLAIN_TIDY_STATES if self.problem.engine == PlainTurns.engine else TIDY_STATES

    def _tell(self) -> None:
        if self._on_progress is not None:
            counters, time_s = self.search.counters, self.search.budget.elapsed_s
            # Without a bound keys are whole tables, and finding the moves between them may take longer than the search.
            line: Callable[[], tuple[TurnLine, ...]] | None = None
            if self._path is not None and self.problem.bound_name:
                line = self._line
            self._on_progress(Progress(self._value, self._bound, counters.states, time_s, counters.pruned, line))

    def _line(self, *, any_line: bool = True) -> tuple[TurnLine, ...]:
        """Return the line that is known, as the game has it; of equal ones the first met, or the first in order."""
        assert self._path is not None
        alive: Sequence[Container[Any]] = self._alive or [{self.problem.shape(key)} for key in self._path]
        ends = alive if self.first else alive[1:]
        forbidden, budget = self._goal.forbidden, self.search.budget
        return real_line(
            *(self._game, self.problem, self._start, ends, forbidden, self._begun, budget.look), any_line=any_line
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
        counters, budget = self.search.counters, self.search.budget
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
                bound_name=self.problem.bound_name,
                projections=tuple(self.problem.projections),
                checked_by=checked,
            ),
            statistics=Statistics(
                budget.elapsed_s,
                counters.generated,
                counters.expanded,
                self.problem.engine,
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
