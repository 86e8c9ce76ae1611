"""Values of turns from the values of their ends: the mean over chance, the best over choices, in the order they come."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from rules.core.steps import ChanceOutcome, Forced, Step

WeighedEnd = tuple[Sequence[Step | Forced], int, Fraction]
"""Steps of one way through a turn, the orders it stands for, and what its end is worth."""


def fold(ends: Iterable[WeighedEnd]) -> Fraction:
    """Return the greatest expected value of a turn, given all ways through it with what their ends are worth.

    Choices depend on the steps before them and on nothing else. Where orders of cards taken together are merged, the
    weights of the outcomes are those of the one order listed, and the end counts all of them; that is linear in the
    chance steps and the same for all ends after a choice, so the best choice stays the best.
    """
    return _value([(steps, orders * value) for steps, orders, value in ends], 0)


def _value(ends: list[tuple[Sequence[Step | Forced], Fraction]], depth: int) -> Fraction:
    first = ends[0][0]
    if depth == len(first):
        return ends[0][1]
    groups: dict[Step, list[tuple[Sequence[Step | Forced], Fraction]]] = {}
    for end in ends:
        taken = end[0][depth]
        groups.setdefault(taken.step if isinstance(taken, Forced) else taken, []).append(end)
    by_chance = isinstance(next(iter(groups)), ChanceOutcome)
    values = []
    for step, group in groups.items():
        value = _value(group, depth + 1)
        if isinstance(step, ChanceOutcome) and step.ways != step.cases:
            value *= step.probability
        values.append(value)
    return sum(values, Fraction(0)) if by_chance else max(values)
