"""What whoever knew every card would reach: a bound for those who do not, from drawn orders that are solved openly.

Any way to play under hidden cards is also one for whoever knows them, and in each order nothing does better than its
best line. So the mean of the best lines over all orders, each as likely as another, is no less than what the best
policy is worth (no more, where less is better). It is a bound and never a player's value: it can be far from it, as
somebody who knows the cards plays for what will come. Only some orders are drawn, so the bound has an interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.chance import Chance, SplitMix64
from rules.core.position import Position
from rules.core.race import Race
from rules.core.turns import State
from solver.hidden_report import Foresight
from solver.question import Question
from solver.report import Limit, Report, Status
from solver.sampled import interval
from solver.search.coasting import coasts
from solver.search.layers import Watch

ORDERS: Final = 60
"""Orders drawn at most,"""
FEWEST: Final = 8
"""and at least, for a mean that is worth telling."""
FIRST_S: Final = 0.5
"""Seconds for the first order, which what all share is made for,"""
ORDER_S: Final = 0.15
"""and for each of the others; what is not excluded by then counts as reached."""


def is_asked(position: Position, goal: Goal) -> bool:
    """Return whether what a clairvoyant reaches bounds a question: one seat, all of the chance still to come.

    Where the results of an open source come from a seed they are known, and no other seed may take its place.
    """
    game, start = position.start()
    if not isinstance(game, Race) or position.players > 1 or start.pending or coasts(game, goal, start.table):
        return False
    chance = position.chance
    return chance.seed is None or not position.definition.needs_results(position.setting)


def opened(position: Position, seat: int, generator: SplitMix64) -> tuple[Race[Any], State[Any]] | None:
    """Return the game of a position with everything hidden settled at random and known; none if it does not tell."""
    game, start = position.start()
    assert isinstance(game, Race)
    table = game.uncovered(start.table, seat, generator)
    if table is None:
        return None
    chance = Chance(frozenset(position.definition.sources), generator.next(), position.chance.lists)
    known = replace(position, setting=replace(position.setting, chance=chance)).game
    assert isinstance(known, Race)
    return known, State(table)


def foresight(position: Position, goal: Goal, limit: Limit, seed: int = 0) -> Foresight | None:
    """Return what whoever knew every card would reach on average; none where too few orders are solved in time.

    Orders that are not solved count as what is not excluded of them, so that the mean stays a bound.

    Raises:
        KeyboardInterrupt: the user stops it.
    """
    generator, watch = SplitMix64(seed), Watch(limit)
    values: list[int] = []
    solved = 0
    while len(values) < ORDERS and (not values or limit.time_s is None or watch.time_s + ORDER_S <= limit.time_s):
        drawn = opened(position, goal.seat, generator)
        if drawn is None:
            return None
        # No order is begun that may be cut short by the whole time: slow ones would be left out more often.
        most = FIRST_S if limit.time_s is None else min(FIRST_S, limit.time_s)
        report = Question(*drawn, goal, replace(limit, time_s=ORDER_S if values else most)).answer()
        if report.interrupted:
            raise KeyboardInterrupt
        value = _not_excluded(report, goal)
        solved += report.status in (Status.OPTIMAL, Status.INFEASIBLE)
        if value is None or (not values and not solved):  # others would take as long
            return None
        values.append(value)
    return None if len(values) < FEWEST else _mean(values, solved, goal)


def _not_excluded(report: Report, goal: Goal) -> int | None:
    """Return the best value that is not excluded for one order; none where nothing is."""
    if goal.objective is Objective.REACH:
        return 0 if report.status is Status.INFEASIBLE else 1
    return report.bound


def _mean(values: Sequence[int], solved: int, goal: Goal) -> Foresight:
    shown = [float(value) for value in values]
    width = 1.0 if goal.objective is Objective.REACH else max(shown)
    low, high = interval(shown, width)
    top = 1.0 if goal.objective is Objective.REACH else high
    mean = Fraction(sum(values), len(values))
    return Foresight(goal, mean, (max(low, 0.0), min(high, top)), len(values), solved)
