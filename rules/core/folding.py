"""Values of turns from the values of their ends: means over chance, the best of choices, in the order they come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from rules.core.steps import ChanceOutcome, Forced, Step

Value = Fraction | None
"""What something is worth; none where it must not happen at all."""
WeighedEnd = tuple[Sequence[Step | Forced], int, Value]
"""Steps of one way through a turn, the orders it stands for, and what its end is worth."""
End = TypeVar("End", bound=tuple[Any, ...])
Best = Callable[[Iterable[Fraction]], Fraction]
"""``max`` or ``min``."""


def fold(ends: Iterable[WeighedEnd], best: Best = max, depth: int = 0) -> Value:
    """Return the best expected value of a turn, given all ways through it with what their ends are worth.

    Choices depend on the steps before them and on nothing else. Where orders of cards taken together are merged, the
    weights of the outcomes are those of the one order listed, and the end counts all of them; that is linear in the
    chance steps and the same for all ends after a choice, so the best choice stays the best. The first ``depth`` steps
    are taken for granted.
    """
    return _value([(steps, None if value is None else orders * value) for steps, orders, value in ends], depth, best)


def by_step(ends: Sequence[End], depth: int) -> dict[Step, list[End]]:
    """Return some ends, of which the first part are their steps, by the step they take after ``depth`` others."""
    groups: dict[Step, list[End]] = {}
    for end in ends:
        taken = end[0][depth]
        groups.setdefault(taken.step if isinstance(taken, Forced) else taken, []).append(end)
    return groups


def _value(ends: list[tuple[Sequence[Step | Forced], Value]], depth: int, best: Best) -> Value:
    first = ends[0][0]
    if depth == len(first):
        return ends[0][1]
    groups = by_step(ends, depth)
    if not isinstance(next(iter(groups)), ChanceOutcome):
        values = [_value(group, depth + 1, best) for group in groups.values()]
        possible = [value for value in values if value is not None]
        return best(possible) if possible else None
    mean = Fraction(0)
    for step, group in groups.items():
        value = _value(group, depth + 1, best)
        if value is None:
            return None
        mean += value * step.probability if isinstance(step, ChanceOutcome) and step.ways != step.cases else value
    return mean


def mean_payoff(mix: Sequence[Fraction], payoffs: Sequence[Fraction]) -> Fraction:
    """Return what a mix of choices gets on the average, by what each of them gets."""
    return sum((part * payoff for part, payoff in zip(mix, payoffs, strict=True)), Fraction(0))
