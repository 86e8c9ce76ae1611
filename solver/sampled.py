"""The best move by playing on: where no exact answer is within reach, every move is tried on the same draws.

Each value is that of a real way to play, so it never promises more than can be had; the interval says how far chance
may have led the sample astray. Moves that fall behind are dropped, so that the time goes where the doubt is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.race import Race
from rules.core.steps import Forced, Step
from rules.core.turns import State
from solver.search.rollout import Players

PLAYOUTS: Final = 600
"""Playouts in all where no time is given."""
ROUND: Final = 8
"""Draws under which nothing is called decided."""
SIGMA: Final = 1.96
"""Standard errors on either side of a mean that make an interval of 95 %."""
CLOSE: Final = 0.01
"""Part of the value under which two moves count as equally good."""


@dataclass(slots=True)
class Sample:
    """The playouts of one move, in the order of the draws."""

    move: Step
    begun: tuple[Step | Forced, ...]
    values: list[Fraction] = field(default_factory=list)

    @property
    def mean(self) -> Fraction:
        """The average."""
        return sum(self.values, Fraction(0)) / len(self.values)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the mean; none for a single playout."""
        return _interval([float(value) for value in self.values]) if len(self.values) > 1 else None


@dataclass(frozen=True, slots=True)
class Sampled:
    """All moves that are open now, the best first, by playouts."""

    samples: tuple[Sample, ...]
    verdict: str
    """``decided``: the first move beats the second with 95 % confidence; ``close``: they differ by less than one per
    cent; ``undecided`` otherwise."""
    playouts: int


def sampled(
    game: Race[Any],
    start: State[Any],
    goal: Goal,
    moves: list[Step],
    spent: Callable[[], float] | None,
    *,
    seed: int = 0,
    others: str = "greedy",
) -> Sampled:
    """Return the moves compared by playouts, on the same draws for each.

    ``spent`` tells the part of the time that is gone; a fixed number of playouts when it is none. Every move is tried
    at least once; then the worse half is dropped again and again, each stage having the same part of the time.
    """
    players = Players(game, goal, others)
    samples = [Sample(move, game.begun(start, move)) for move in moves]
    racing = list(samples)
    stages = max(1, len(samples).bit_length())
    done = draw = 0

    def gone() -> float:
        return done / PLAYOUTS if spent is None else spent()

    for stage in range(1, stages + 1):
        while True:
            for sample in racing:
                sample.values.append(players.value(start.table, sample.begun, seed * 1_000_003 + draw))
            done += len(racing)
            draw += 1
            if gone() >= stage / stages:
                break
        if gone() >= 1:
            break
        racing = sorted(racing, key=lambda each: _rank(each, goal))[: max(2, (len(racing) + 1) // 2)]
    order = sorted(racing, key=lambda each: _rank(each, goal))
    dropped = [sample for sample in samples if sample not in racing]
    order += sorted(dropped, key=lambda each: (-len(each.values), *_rank(each, goal)))
    return Sampled(tuple(order), verdict(order, goal), done)


def verdict(order: list[Sample], goal: Goal) -> str:
    """Return whether the first of some moves is settled, from paired differences on the same draws."""
    if len(order) < 2:
        return "decided"
    first, second = order[0], order[1]
    sign = -1 if goal.objective is Objective.MIN_TURNS else 1
    pairs = [sign * float(one - other) for one, other in zip(first.values, second.values, strict=False)]
    if len(pairs) < ROUND:
        return "undecided"
    low, high = _interval(pairs)
    if low > 0:
        return "decided"
    return "close" if max(abs(low), abs(high)) <= CLOSE * max(abs(float(first.mean)), 1e-9) else "undecided"


def _rank(sample: Sample, goal: Goal) -> tuple[Fraction, str]:
    least = goal.objective is Objective.MIN_TURNS
    return (sample.mean if least else -sample.mean, sample.move.text)


def _interval(values: list[float]) -> tuple[float, float]:
    n = len(values)
    mean = sum(values) / n
    spread = sqrt(sum((value - mean) ** 2 for value in values) / (n - 1))
    if spread == 0 and all(value in (0.0, 1.0) for value in values):
        # All alike is no certainty: the rule of three stands in where the spread says nothing.
        return (max(0.0, mean - 3 / n), mean) if mean else (mean, min(1.0, mean + 3 / n))
    half = SIGMA * spread / sqrt(n)
    return mean - half, mean + half
