"""Packed positions of a duel are worth what its compact form says, in plain Python and compiled."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from benchmarks.duels import endgame
from rules.core.contest import Contest
from rules.core.contest_kernel import BEST, GUESS, WORST
from rules.core.turns import State
from solver.report import Limit
from solver.search.contests.expectiminimax import Beyond, Expectiminimax, Horizon
from solver.search.contests.fast import FastContest
from solver.search.contests.modelled import Modelled
from solver.search.layers import Watch
from tests.rules.trench_rescue.duels import OPTIONS, small

DEALS = [(seed, left, home) for seed in (1, 4) for left, home in ((2, 0), (3, 0))]
CONTROLLED = (2, 3, 7, 10, 17, 23, 26, 29, 31, 41)
"""Battles that the control ends quickly; every fourth has the same rules."""
QUICK = [(0, 2, 0), (3, 2, 0), (5, 2, 0), (6, 2, 0), (8, 2, 0), (9, 2, 0)]


def dealt(seed: int, left: int, home: int, mode: str = "queue") -> tuple[Any, Any]:
    """Return the compact form of an endgame, and its key."""
    game, start = endgame(seed, left, mode, home, 2 * home).start()
    assert isinstance(game, Contest)
    tree = game.contest_tree(start.table)
    assert tree is not None
    return tree, tree.key(start)


def fast(tree: Any, key: Any, *, compile_it: bool, window: Any = None) -> tuple[Fraction, Fraction]:
    packed = tree.packed()
    assert packed is not None
    search = FastContest(packed, Watch(Limit()), compile_it=compile_it, smaller=0 if compile_it else 6)
    sure, rest = tree.apart(key)
    found = search.value(rest, window)
    assert found is not None
    return found[0] + Fraction(sure, tree.grain), found[1] + Fraction(sure, tree.grain)


@pytest.mark.parametrize("seed", CONTROLLED)
def test_values_are_those_of_every_step_of_the_rules(seed: int) -> None:
    """Nothing is pruned there, and no bound is asked for."""
    carried = [each for each in OPTIONS if each["barrage_timing"] == "after_both" and each["deck_mode"] == "queue"]
    battle = small(seed, (2, 2, 4)[seed % 3], 2, carried[seed % 4])
    value = Modelled(battle.game, {}, Watch(Limit()), most=5000).values(State(battle.table))[0]
    tree = battle.game.contest_tree(battle.table)
    assert tree is not None
    assert fast(tree, tree.key(State(battle.table)), compile_it=False) == (value, value)


@pytest.mark.parametrize(("seed", "left", "home"), QUICK)
def test_values_are_those_of_the_compact_form(seed: int, left: int, home: int) -> None:
    tree, key = dealt(seed, left, home)
    value = Expectiminimax(tree, Watch(Limit())).value(key)
    assert fast(tree, key, compile_it=False) == (value, value)
    for window in ((value - 2, value - 1), (value + 1, value + 2)):
        sure, _ = tree.apart(key)
        score = Fraction(sure, tree.grain)
        low, high = fast(tree, key, compile_it=False, window=(window[0] - score, window[1] - score))
        assert low <= value <= high
        assert high <= window[0] if window[0] > value else low >= window[1]


def test_shuffled_decks_are_carried_once_nobody_draws() -> None:
    tree, key = dealt(8, 2, 1, "shuffle")
    value = Expectiminimax(tree, Watch(Limit())).value(key)
    assert fast(tree, key, compile_it=False) == (value, value)
    assert dealt(8, 3, 1, "shuffle")[0].packed() is None


def test_rules_and_cards_that_the_kernel_does_not_carry_are_left_to_the_compact_form() -> None:
    game, start = endgame(1, 2, "queue", 3, 8).start()
    assert isinstance(game, Contest)
    tree = game.contest_tree(start.table)
    assert tree is not None
    assert tree.packed() is None, "more cards than words hold"


@pytest.mark.parametrize("beyond", Beyond)
def test_a_horizon_means_the_same(beyond: Beyond) -> None:
    tree, key = dealt(7, 3, 0)
    pace = tree.pace(key) + 3
    control = Expectiminimax(tree, Watch(Limit()), Horizon(pace, beyond))
    value = control.value(key)
    packed = tree.packed()
    search = FastContest(packed, Watch(Limit()), compile_it=False, smaller=6)
    search.look(pace, {Beyond.WORST: WORST, Beyond.GUESS: GUESS, Beyond.BEST: BEST}[beyond])
    sure, rest = tree.apart(key)
    found = search.value(rest)
    assert found == (value - Fraction(sure, tree.grain),) * 2
    assert search.cut_short
    assert control.tally.cut_short


@pytest.mark.needs_compiler
def test_compiled_code_gives_the_same_values() -> None:
    for seed, left, home in DEALS:
        tree, key = dealt(seed, left, home)
        value = Expectiminimax(tree, Watch(Limit())).value(key)
        assert fast(tree, key, compile_it=True) == (value, value)
