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
from rules.core.steps import ChanceOutcome, Forced, Step
from rules.core.turns import State
from solver.far import TURN_S
from solver.report import Limit
from solver.sampled import interval
from solver.search.coasting import COASTED, Coasting, CoastingAim, coasts
from solver.search.layers import LimitHit, Watch

PAIRS: Final = 60
"""Pairs of playouts for what chance brought between two decisions, where no time is given,"""
ALL_PAIRS: Final = 600
"""or an equal part of so many where it brought something often."""
LEAST: Final = 4
"""Pairs under which nothing is said."""


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
    sides: tuple[tuple[Coasting, tuple[Step | Forced, ...]], ...]
    """Before them and after them: playouts, and what has been done of their first turn."""
    pairs: list[float] = field(default_factory=list)

    @property
    def played(self) -> int:
        """Return the turns played so far."""
        return sum(coasting.played for coasting, _ in self.sides)

    def play(self) -> None:
        """Play one more pair."""
        before, after = (coasting.play(begun, len(self.pairs)).value for coasting, begun in self.sides)
        self.pairs.append(float(after - before))

    def fortune(self) -> Fortune:
        """Return what the pairs say."""
        width = sum(coasting.width for coasting, _ in self.sides)
        mean = sum(map(Fraction, self.pairs), Fraction(0)) / len(self.pairs)
        return Fortune(mean, interval(self.pairs, width), self.turns, self.draws)


def fortunes(
    game: Race[Any], goal: Goal, states: Sequence[State[Any]], steps: Sequence[Step], limit: Limit, *, seed: int
) -> dict[int, Fortune]:
    """Return what chance brought, by the place of the last of the results that it is about.

    ``goal`` is that of the first of ``states``; each of ``steps`` leads from one to the next. Nothing is said where the
    goal is not far.
    """
    stretches = list(_stretches(game, goal, states, steps, seed))
    watch = Watch(limit)
    most = PAIRS if not stretches else min(PAIRS, ALL_PAIRS // len(stretches))
    with suppress(LimitHit):
        while limit.time_s is not None or (stretches and len(stretches[-1].pairs) < max(most, LEAST)):
            for each in stretches:
                watch.check()
                played = each.played
                each.play()
                watch.spend((each.played - played) * TURN_S)
            watch.check()
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
        if place > begin and coasts(game, replace(goal, within_turns=left), start.table):
            turns = COASTED if left is None else min(COASTED, left)
            sides = [(_coasting(game, goal, start.table, turns, seed), start.pending)]
            if end.pending:
                sides.append((_coasting(game, goal, end.table, turns, seed), end.pending))
            else:
                sides.append((_coasting(game, goal, end.table, turns - 1, seed), ()))
            yield _Stretch(place - 1, place - begin, turns, tuple(sides))
        place += place == begin


def _coasting(game: Race[Any], goal: Goal, table: Any, turns: int, seed: int) -> Coasting:
    distance = replace(goal, objective=Objective.MAX_DISTANCE, within_turns=turns)
    return Coasting(game, State(table), CoastingAim(game, distance, table), seed=seed)


def together(found: Sequence[Fortune]) -> tuple[Fraction, float]:
    """Return all that chance brought, and how far off that may be with 95 % confidence."""
    total = sum((each.luck for each in found), Fraction(0))
    return total, sqrt(sum(((high - low) / 2) ** 2 for low, high in (each.interval for each in found)))
