"""Two-seat search on small trees made up at random, against the plainest recursion there is."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from rules.core.race import SECRET
from rules.core.scripts import CHANCE, OVER, SplitMix64
from solver.search.budget import Budget, BudgetExceeded
from solver.search.expectiminimax import ONE, Expectiminimax, PlainTree, solve_matrix_game

KINDS = (0, 1, CHANCE, SECRET)


class Toy(PlainTree):
    """A tree of nested tuples: kind, depth, then children; ends are numbers."""

    name = "toy"

    def __init__(self) -> None:
        """Stand on no game."""

    def actor(self, key: Any) -> int:
        return OVER if isinstance(key, int) else int(key[0])

    def followers(self, key: Any) -> Sequence[Any]:
        return tuple(key[2])

    def outcomes(self, key: Any) -> tuple[Sequence[tuple[Any, int]], int]:
        return [(child, place + 1) for place, child in enumerate(key[2])], sum(range(1, len(key[2]) + 1))

    def plans(self, key: Any) -> Sequence[Sequence[Any]]:
        half = len(key[2]) // 2
        return [key[2][:half], key[2][half : 2 * half]]

    def payoff(self, key: Any) -> int:
        return key * ONE if isinstance(key, int) else 0

    def guess(self, key: Any) -> int:
        return self.payoff(key)

    def bounds(self, key: Any) -> tuple[int, int]:
        return (key * ONE, key * ONE) if isinstance(key, int) else (-9 * ONE, 9 * ONE)

    def pace(self, key: Any) -> int:
        return 99 if isinstance(key, int) else int(key[1])

    def rounds(self, key: Any) -> int:
        return self.pace(key)


def grown(generator: SplitMix64, depth: int, kinds: int, at: int = 0) -> Any:
    if depth == at or (at and generator.below(6) == 0):
        return generator.below(19) - 9
    return (KINDS[generator.below(kinds)], at, tuple(grown(generator, depth, kinds, at + 1) for _ in range(4)))


def plainly(toy: Toy, key: Any) -> Fraction:
    """The value by its definition, nothing kept and nothing cut."""
    actor = toy.actor(key)
    if actor == OVER:
        return Fraction(toy.payoff(key), ONE)
    if actor == CHANCE:
        outcomes, cases = toy.outcomes(key)
        return sum((plainly(toy, child) * ways for child, ways in outcomes), Fraction(0)) / cases
    if actor == SECRET:
        return solve_matrix_game([[plainly(toy, cell) for cell in row] for row in toy.plans(key)])[0]
    return (min if actor else max)(plainly(toy, child) for child in toy.followers(key))


def search(toy: Toy, pace: int | None = None, most: int | None = None) -> Expectiminimax:
    found = Expectiminimax(toy, Budget())
    found.look(pace)
    found.most = most
    return found


@pytest.mark.parametrize("kinds", [2, 3, 4], ids=["decisions", "chance", "secrets"])
def test_the_value_is_that_of_the_definition(kinds: int) -> None:
    for seed in range(25):
        toy, tree = Toy(), grown(SplitMix64(seed), 4, kinds)
        assert search(toy).value(tree) == plainly(toy, tree)


def test_cuts_leave_much_out() -> None:
    toy, tree = Toy(), grown(SplitMix64(3), 5, 3)
    pruned, every = search(toy), set[Any]()
    pruned.value(tree)
    waiting = [tree]
    while waiting:
        key = waiting.pop()
        if not isinstance(key, int):
            every.add(key)
            waiting.extend(key[2])
    assert pruned.keys < len(every) / 2


@pytest.mark.parametrize("seat", [0, 1])
def test_what_does_not_reach_a_value_is_bounded_below_it(seat: int) -> None:
    for seed in range(25):
        toy, tree = Toy(), grown(SplitMix64(seed), 4, 3)
        value, asked, sign = plainly(toy, tree), Fraction(3, 2), 1 - 2 * seat
        found = search(toy).beside(tree, asked, seat)
        assert (
            sign * found >= sign * asked
            if sign * value >= sign * asked
            else sign * value <= sign * found < sign * asked
        )


def test_what_does_not_come_out_even_is_a_fraction() -> None:
    tree: Any = 1
    for _ in range(60):
        tree = (CHANCE, 0, (0, tree))
    assert search(Toy()).value(tree) == Fraction(2, 3) ** 60


def test_a_search_that_sees_the_end_says_so() -> None:
    for seed in range(25):
        toy, tree = Toy(), grown(SplitMix64(seed), 4, 3)
        full = search(toy, pace=9)
        full.value(tree)
        assert not full.cut_short


def test_a_limit_stops_it() -> None:
    with pytest.raises(BudgetExceeded):
        search(Toy(), most=20).value(grown(SplitMix64(3), 6, 3))
