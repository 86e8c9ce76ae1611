"""Open moves compared by playouts, a stretch at a time: what is known can be told after each, and gone on with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Final

from puzzles.goal import Goal, Objective
from rules.core.errors import UnsupportedRuleset
from rules.core.position import Position
from rules.core.race import Race
from rules.core.steps import Step
from solver.ceilings import ceiling
from solver.hidden_report import HiddenReport, Option
from solver.report import Statistics, Status
from solver.row_trees import RowTrees, row_trees
from solver.sampled import OnRound, Sample, Sampled, TreeComparison
from solver.search.aims import GoalAim
from solver.search.budget import Budget
from solver.search.ismcts import InformationTrees
from solver.search.kinds import few_of
from solver.search.plain import forbidden_step
from solver.search.rollout import OPPONENTS, within_playouts

LEAST_PART: Final = 0.2
"""Part of the time given that playouts have at least, where a step of the exact search took longer than all of it."""
TREES: Final = "information-set tree search"
"""The engine of sampled answers."""

OnGoal = Callable[[Goal], OnRound]
"""Makes what hears of playouts for a goal."""
Spent = Callable[[], float]
"""Tells the part that is gone of the time given."""


def by_chance(position: Position, goal: Goal) -> Goal:
    """Return the question that is asked where something is hidden: the chance of arriving within so many turns.

    An expected number of turns there is only where arriving is certain, which is for exact search to tell.
    """
    asks_turns = goal.objective is Objective.MIN_TURNS and goal.within_turns is not None
    return replace(goal, objective=Objective.REACH) if asks_turns and position.hidden else goal


class Comparison:
    """All open moves of one position, compared for one goal."""

    def __init__(
        self,
        position: Position,
        goal: Goal,
        budget: Budget,
        *,
        seed: int = 0,
        others: str = "greedy",
        asked: Step | None = None,
        told: OnGoal | None = None,
        among: Sequence[Step] | None = None,
    ) -> None:
        """The move ``asked`` about is compared as carefully as the best; ``among`` some only where these are given.

        Raises:
            UnsupportedRuleset: the game has no progress.
        """
        game, start = position.start()
        if not isinstance(game, Race):
            raise UnsupportedRuleset(["a game without progress"])
        self._game, self._start, self._budget = game, start, budget
        open_now = [move for move in among or game.legal_moves(start) if not forbidden_step(move, goal.forbidden)]
        self._moves = list(few_of(open_now))
        if asked in open_now and asked not in self._moves:
            self._moves.append(asked)
        self._passed_over = len(open_now) - len(self._moves)
        self._seed, self._others, self._asked, self._told = seed, others, asked, told
        self._alone = position.players == 1
        self.wanted = self._goal = goal
        rows = row_trees(game, start, goal, seed) if self._alone and position.hidden else None
        self._now = self._by_trees() if rows is None else self._comparison(rows, rows.aim)

    def _by_trees(self) -> TreeComparison:
        """Return the comparison by the rules, for a goal within their reach."""
        self._goal = within_playouts(self.wanted)
        game, aim = self._game, GoalAim(self._game, self._goal)
        policy = OPPONENTS[self._others](game) if self._others in OPPONENTS else None
        trees = InformationTrees(game, self._start, aim, policy, seed=self._seed, alone=self._alone)
        return self._comparison(trees, aim)

    def _comparison(self, trees: InformationTrees | RowTrees, aim: GoalAim) -> TreeComparison:
        begun = trees.begun if isinstance(trees, RowTrees) else partial(self._game.begun, self._start)
        samples = [Sample(move, begun(move), place=place) for place, move in enumerate(self._moves)]
        told = None if self._told is None else self._told(self._goal)
        return TreeComparison(trees, aim, samples, told, self._asked, self._budget.spend)

    @property
    def interrupted(self) -> bool:
        """Whether the user has stopped it."""
        return self._now.interrupted

    def run(self, spent: Spent | None, playouts: int | None = None) -> None:
        """Go on until the best move is settled, the time is up, all playouts are played, or the user stops it.

        Once stopped it stays so. ``spent`` is none where playouts are counted, those of all runs together.
        """
        if self._now.interrupted:
            return
        try:
            self._now.run(spent, playouts)
        except OverflowError:  # a row needs more than the encoding has
            self._now = self._by_trees()
            self._now.run(spent, playouts)

    def report(self, exact: HiddenReport | None = None) -> HiddenReport:
        """Return what is known, with what an ``exact`` search has proved on the way."""
        goal, found = self._goal, self._now.found()
        fewest = goal.objective is Objective.MIN_TURNS
        options = options_of(found, least=fewest)
        verdict = found.verdict
        asks_exactly = exact is not None and goal == exact.goal
        if exact is not None and asks_exactly and exact.options and (exact.value or (fewest and exact.value == 0)):
            options, verdict = _with_proved(options, verdict, exact.options[0], least=fewest)
        proves = exact is not None and (asks_exactly or (fewest and exact.goal.objective is goal.objective))
        bound = exact.bound if exact is not None and proves else None
        if bound is None and self._alone:
            bound = ceiling(self._game, self._start.table, goal)
        return HiddenReport(
            Status.UNKNOWN if options[0].value is None else Status.FEASIBLE,
            goal,
            options[0].value,
            bound,
            options,
            (),
            Fraction(0),
            Statistics(self._budget.elapsed_s, found.playouts, found.nodes, TREES),
            self.interrupted,
            method="sampled",
            verdict=verdict,
            span=self._now.span,
            kind=found.kind if options[0].move == found.samples[0].move else "",
            others="" if self._alone else self._others,
            least=exact.value if exact is not None and asks_exactly and goal.objective is Objective.REACH else None,
            passed_over=self._passed_over,
        )


def compared(
    position: Position,
    goal: Goal,
    limit: Budget | None,
    budget: Budget,
    *,
    seed: int = 0,
    others: str = "greedy",
    playouts: int | None = None,
    asked: Step | None = None,
    told: OnGoal | None = None,
    among: Sequence[Step] | None = None,
) -> HiddenReport:
    """Return every open move compared, whatever is hidden; ``budget`` tells what is gone of the time.

    Raises:
        UnsupportedRuleset: the game has no progress.
    """
    goal = by_chance(position, goal)
    comparison = Comparison(position, goal, budget, seed=seed, others=others, asked=asked, told=told, among=among)
    run_out(comparison, limit, budget, playouts)
    return comparison.report()


def run_out(comparison: Comparison, limit: Budget | None, budget: Budget, playouts: int | None = None) -> None:
    """Compare for what is left of the time, or for all playouts."""
    comparison.run(spending(budget, limit), playouts)


def spending(budget: Budget, limit: Budget | None) -> Spent | None:
    """Return what tells the part that is gone of the time from now on; nothing where no time is given."""
    time_s = None if limit is None else limit.time_s
    return None if time_s is None else until(budget, max(time_s, budget.elapsed_s + LEAST_PART * time_s))


def until(budget: Budget, last_s: float) -> Spent:
    """Return what tells the part that is gone of the time from now until so many seconds are over."""
    begun = budget.elapsed_s
    return lambda: (budget.elapsed_s - begun) / max(last_s - begun, 1e-6)


def unlimited(limit: Budget | None) -> Budget:
    """Return no limit, on the same clock."""
    return Budget() if limit is None else Budget(clock=limit.clock)


def options_of(found: Sampled, *, least: bool = False) -> tuple[Option, ...]:
    """Return the moves of a sample with what they are worth, the best first; none for moves not tried before a stop.

    ``least``: less is better. What is better on average than the first move, but in too few playouts, loses nothing.
    """
    best = found.samples[0]
    if not best.shown:
        return tuple(Option(each.move, None, None) for each in found.samples)
    return tuple(
        Option(each.move, each.mean, _loss(each.mean, best.mean, least=least), each.interval, len(each.shown))
        if each.shown
        else Option(each.move, None, None)
        for each in found.samples
    )


def _loss(value: Fraction, best: Fraction, *, least: bool) -> Fraction:
    return max(Fraction(0), value - best if least else best - value)


def _with_proved(
    options: tuple[Option, ...], verdict: str, proved: Option, *, least: bool
) -> tuple[tuple[Option, ...], str]:
    """Return the moves and the verdict, that one first which is proved to be worth as much as playouts say of any."""
    first, value = options[0], proved.value
    assert value is not None
    if first.value is not None and (value > first.value if least else value < first.value):
        return options, verdict
    rest = [
        replace(each, loss=None if each.value is None else _loss(each.value, value, least=least))
        for each in options
        if each.move != proved.move
    ]
    playouts = next((each.playouts for each in options if each.move == proved.move), 0)
    best = Option(proved.move, value, Fraction(0), None, playouts, is_proved=True)
    return (best, *rest), verdict if first.move == proved.move else "undecided"
