"""A second opinion on open challenges of few turns, from CP-SAT, with nothing in common with the search but the rules.

The search (``solver.search``) proves by exhausting positions under a bound, with projections and dominances. Here every
turn up to the horizon is played by the game, unpruned, and CP-SAT looks for a plan among them. Importing this module
costs nothing; CP-SAT is loaded when a question is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from time import monotonic, process_time
from typing import TYPE_CHECKING, Any, Final, TypeVar

from puzzles.goal import Goal, Objective
from rules.core.errors import DisagreementError
from rules.core.race import Race
from rules.core.steps import Forced
from solver.facts import Layers, Meter, Taken, TooLarge, TurnGraph, Unusable
from solver.facts_cards import CardFlow
from solver.report import Limit, Status, TurnLine

if TYPE_CHECKING:
    from solver.model.horizon import Horizon, Plan

T = TypeVar("T")

STATES: Final = 3_000_000
"""Nodes and arcs gathered at most, unless the limit says otherwise; about 2 GB."""
DETERMINISTIC: Final = 300.0
"""Deterministic time of CP-SAT for one aim, about a second each."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What CP-SAT says about a challenge."""

    status: Status
    value: int | None
    """Turns for ``min_turns``, 0 or 1 for ``reach``, progress for ``max_distance``; none while nothing is known."""
    bound: int | None
    """The best value not yet excluded."""
    plan: tuple[TurnLine, ...]
    """A line that gets ``value``, replayed through the game."""
    formulation: str
    """How turns were told: ``card flow`` or ``turn graph``."""
    interrupted: bool = False
    statistics: Mapping[str, float] = field(default_factory=dict)
    """``modelled_s``: seconds of the processor for models alone."""


def second_opinion(game: Race[T], table: T, goal: Goal, limit: Limit | None = None) -> Opinion:
    """Return the optimum of an open challenge with a plan, found independently of the search.

    The value of the plan is recomputed by replay.

    Raises:
        Unusable: chance is hidden, or several players have turns.
        DisagreementError: the game does not have a turn that the model took; always a bug.
    """
    question = Question(game, table, goal, limit or Limit())
    try:
        return question.answer(CardFlow(game, table, goal, question.meter()))
    except Unusable:
        return question.answer(TurnGraph(game, table, goal, question.meter()))


class Question:
    """One challenge on its way to an answer."""

    def __init__(self, game: Race[T], table: T, goal: Goal, limit: Limit) -> None:
        self._game: Race[Any] = game
        self._table = table
        self._goal = goal
        self._deadline = None if limit.time_s is None else monotonic() + limit.time_s
        self._states = limit.states or STATES
        self._modelled_s = 0.0
        self._interrupted = False

    def meter(self) -> Meter:
        """Return what counts the facts of one formulation."""
        return Meter(self._states, self._alive)

    def _alive(self) -> bool:
        return self._deadline is None or monotonic() < self._deadline

    def answer(self, layers: Layers[Any]) -> Opinion:
        """Return the answer in one formulation.

        Raises:
            Unusable: the formulation cannot tell these turns.
        """
        self._layers = layers
        furthest = self._goal.objective is Objective.MAX_DISTANCE
        try:
            return self._furthest() if furthest else self._soonest()
        except TooLarge:
            return self._opinion(Status.UNKNOWN, bound=self._bound())
        except KeyboardInterrupt:
            self._interrupted = True
            return self._opinion(Status.UNKNOWN, bound=self._bound())

    def _soonest(self) -> Opinion:
        """Try one turn after the other until the target is got to."""
        goal, layers = self._goal, self._layers
        counts = goal.objective is Objective.MIN_TURNS
        if counts and self._game.progress(self._table, goal.seat) >= goal.target:
            return self._opinion(Status.OPTIMAL, 0)
        within = goal.within_turns
        while within is None or len(layers.turns) < within:
            turns = len(layers.turns) + 1
            plan = self._solve(self._horizon(), goal.target)
            if plan.status is Status.FEASIBLE:
                return self._opinion(Status.OPTIMAL, turns if counts else 1, self._replayed(plan.turns, goal.target))
            if plan.status is Status.UNKNOWN:
                return self._opinion(Status.UNKNOWN, bound=self._bound())
            if turns == within or not self._extended():
                break
        return self._opinion(Status.INFEASIBLE, None if counts else 0)

    def _furthest(self) -> Opinion:
        """Try one progress after the other, the greatest first."""
        goal = self._goal
        within = goal.within_turns
        if within is None:
            raise ValueError("max_distance needs within_turns")
        if within == 0:
            return self._opinion(Status.OPTIMAL, self._game.progress(self._table, goal.seat))
        for _ in range(within - 1):
            if not self._extended():
                return self._opinion(Status.INFEASIBLE)
        horizon = self._horizon()
        for aim in horizon.aims():
            plan = self._solve(horizon, aim)
            if plan.status is Status.FEASIBLE:
                return self._opinion(Status.OPTIMAL, aim, self._replayed(plan.turns, aim))
            if plan.status is Status.UNKNOWN:
                return self._opinion(Status.UNKNOWN, bound=aim)
        return self._opinion(Status.INFEASIBLE)

    def _horizon(self) -> Horizon:
        from solver.model.horizon import Horizon  # CP-SAT takes half a second to load

        return Horizon(self._layers.horizon())

    def _extended(self) -> bool:
        return self._layers.extend()

    def _solve(self, horizon: Horizon, least: int) -> Plan:
        from solver.model.run import Budget

        time_s = None if self._deadline is None else self._deadline - monotonic()
        begun = process_time()
        plan = horizon.solve(least, Budget(DETERMINISTIC, time_s))
        self._modelled_s += process_time() - begun
        self._interrupted = self._interrupted or plan.interrupted
        return plan

    def _replayed(self, turns: tuple[Taken, ...], least: int) -> tuple[TurnLine, ...]:
        """Play the plan through the game.

        Raises:
            DisagreementError: the game does not have one of its turns.
        """
        lines = []
        table = self._table
        for number, taken in enumerate(turns):
            if self._game.is_over(table):
                break
            last = number == len(turns) - 1
            end = self._layers.replay(table, taken, least if last else None)
            if end is None:
                raise DisagreementError(f"the rules have no turn {number + 1} of the plan that CP-SAT found: {taken}")
            lines.append(TurnLine(tuple(step for step in end.steps if not isinstance(step, Forced))))
            table = end.table
        if self._game.progress(table, self._goal.seat) < least:
            raise DisagreementError("CP-SAT's plan does not get as far as CP-SAT says")
        return tuple(lines)

    def _bound(self) -> int | None:
        """Return the best value not yet excluded where a limit stops the question."""
        if self._goal.objective is Objective.MIN_TURNS:
            return len(self._layers.turns) + 1
        return 1 if self._goal.objective is Objective.REACH else None

    def _opinion(
        self, status: Status, value: int | None = None, plan: tuple[TurnLine, ...] = (), bound: int | None = None
    ) -> Opinion:
        return Opinion(
            status=status,
            value=value,
            bound=value if bound is None else bound,
            plan=plan,
            formulation=self._layers.formulation,
            interrupted=self._interrupted,
            statistics={"modelled_s": self._modelled_s},
        )
