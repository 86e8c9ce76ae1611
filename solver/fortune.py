"""What chance brought on the way to a goal that is far, by samples: how far plain play gets before and after it came.

Both are the distance after the same turn, with the same way to play, which reads nothing that is hidden; so what lies
between them is chance alone. Unknown draws of either playout are the same ones, as far as both come to them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import sqrt
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.race import Race
from rules.core.steps import ChanceOutcome, Step
from rules.core.turns import State
from solver.row_trees import RowTrees, row_trees
from solver.sampled import average, interval
from solver.search.budget import Budget, BudgetExceeded
from solver.search.rollout import AHEAD

PAIRS: Final = 60
"""Pairs of playouts for what chance brought between two decisions, where no time is given,"""
ALL_PAIRS: Final = 600
"""or an equal part of so many where it brought something often."""
LEAST: Final = 4
"""Pairs under which nothing is said."""
TURNS: Final = 9
"""Own turns after which the distance is taken, the one under way included."""


@dataclass(frozen=True, slots=True)
class Fortune:
    """What chance brought, in units of progress."""

    luck: Fraction
    """On average over the playouts; less than 0 if it took."""
    interval: tuple[float, float]
    """Where it lies with 95 % confidence."""
    turns: int
    """Own turns after which the distance is taken, the one under way included."""
    draws: int
    """Results of chance that it is about."""

    @property
    def is_settled(self) -> bool:
        """Whether it is luck for sure, or bad luck."""
        low, high = self.interval
        return low > 0 or high < 0


@dataclass(slots=True)
class _Stretch:
    """Results of chance between two decisions."""

    last: int
    """Place of the last of them."""
    draws: int
    turns: int
    sides: tuple[RowTrees, RowTrees]
    """Playouts from before them and from after them."""
    pairs: list[float] = field(default_factory=list)

    @property
    def spent_s(self) -> float:
        """Return about the seconds of all playouts so far."""
        return sum(side.spent_s for side in self.sides)

    def play(self) -> None:
        """Play one more pair."""
        before, after = (side.play(side.here(), len(self.pairs)) for side in self.sides)
        self.pairs.append(after - before)

    def fortune(self) -> Fortune:
        """Return what the pairs say."""
        width = sum(side.width for side in self.sides)
        return Fortune(average(self.pairs), interval(self.pairs, width), self.turns, self.draws)


def fortunes(
    game: Race[Any], goal: Goal, states: Sequence[State[Any]], steps: Sequence[Step], limit: Budget, *, seed: int
) -> dict[int, Fortune]:
    """Return what chance brought, by the place of the last of the results that it is about.

    ``goal`` is that of the first of ``states``; each of ``steps`` leads from one to the next. Nothing is said where the
    goal is not far.
    """
    stretches = list(_stretches(game, goal, states, steps, seed))
    budget = limit.start()
    most = PAIRS if not stretches else min(PAIRS, ALL_PAIRS // len(stretches))
    with suppress(BudgetExceeded):
        while limit.time_s is not None or (stretches and len(stretches[-1].pairs) < max(most, LEAST)):
            for each in stretches:
                budget.check()
                spent = each.spent_s
                each.play()
                budget.spend(each.spent_s - spent)
            budget.check()
    return {each.last: each.fortune() for each in stretches if len(each.pairs) >= LEAST}


def _stretches(
    game: Race[Any], goal: Goal, states: Sequence[State[Any]], steps: Sequence[Step], seed: int
) -> Iterator[_Stretch]:
    """Yield what chance brought, in pieces between decisions, as long as the goal is far."""
    first = game.turns(states[0].table, goal.seat)
    place = 0
    while place < len(steps):
        begin = place
        while place < len(steps) and isinstance(steps[place], ChanceOutcome):
            place += 1
        start, end = states[begin], states[place]
        left = None if goal.within_turns is None else goal.within_turns - game.turns(start.table, goal.seat) + first
        if place > begin and (left is None or left > AHEAD):
            turns = TURNS if left is None else min(TURNS, left)
            before = _playouts(game, goal, start, turns, seed)
            after = _playouts(game, goal, end, turns if end.pending else turns - 1, seed)
            if before and after:
                yield _Stretch(place - 1, place - begin, turns, (before, after))
        place += place == begin


def _playouts(game: Race[Any], goal: Goal, start: State[Any], turns: int, seed: int) -> RowTrees | None:
    return row_trees(game, start, replace(goal, objective=Objective.MAX_DISTANCE, within_turns=turns), seed)


def together(found: Sequence[Fortune]) -> tuple[Fraction, float]:
    """Return all that chance brought, and how far off that may be with 95 % confidence."""
    total = sum((each.luck for each in found), Fraction(0))
    return total, sqrt(sum(((high - low) / 2) ** 2 for low, high in (each.interval for each in found)))
