"""Matrix games: values worked out by hand, and strategies that prove themselves."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rules.core.scripts import SplitMix64
from solver.search.expectiminimax import solve_matrix_game

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def game(*rows: str) -> list[list[Fraction]]:
    return [[Fraction(cell) for cell in row.split()] for row in rows]


@pytest.mark.parametrize(
    ("rows", "value", "first", "second"),
    [
        (("1 -1", "-1 1"), 0, (HALF, HALF), (HALF, HALF)),
        # A x + B (1 - x) is the same in both columns: 2x - (1 - x) = -x + (1 - x), so x = 2/5.
        (("2 -1", "-1 1"), Fraction(1, 5), (Fraction(2, 5), Fraction(3, 5)), (Fraction(2, 5), Fraction(3, 5))),
        (("0 -1 1", "1 0 -1", "-1 1 0"), 0, (THIRD, THIRD, THIRD), (THIRD, THIRD, THIRD)),
        (("3 2", "1 0"), 2, (1, 0), (0, 1)),
        (("1/3",), THIRD, (1,), (1,)),
    ],
)
def test_values_worked_out_by_hand(
    rows: tuple[str, ...], value: Fraction, first: tuple[Fraction, ...], second: tuple[Fraction, ...]
) -> None:
    assert solve_matrix_game(game(*rows)) == (value, first, second)


@pytest.mark.parametrize("seed", range(40))
def test_both_strategies_are_mixes_with_the_same_bound(seed: int) -> None:
    """Small numbers make many ties and degenerate programs, great ones make long fractions."""
    generator = SplitMix64(seed)
    rows, columns, most = 1 + generator.below(7), 1 + generator.below(7), (2, 3, 36**3)[generator.below(3)]
    payoffs = [
        [Fraction(generator.below(most + 1), (1, 36)[generator.below(2)]) for _ in range(columns)] for _ in range(rows)
    ]
    value, first, second = solve_matrix_game(payoffs)
    for mix in (first, second):
        assert sum(mix) == 1
        assert min(mix) >= 0
    assert all(
        sum(p * cell for p, cell in zip(first, column, strict=True)) >= value for column in zip(*payoffs, strict=True)
    )
    assert all(sum(q * cell for q, cell in zip(second, row, strict=True)) <= value for row in payoffs)
