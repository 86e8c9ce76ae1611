"""Looks and choices for all decks at once against every deck, every set of cards shown and every return of it."""

from __future__ import annotations

import random
from itertools import product
from math import comb, prod
from operator import le

import pytest

from rules.core.ventures import OutOfReach
from rules.iditacards.odds import looks as odds_looks
from rules.iditacards.odds.looks import Look
from rules.iditacards.odds.seen import SeenSums
from rules.iditacards.odds.sheets import over_parts
from tests.rules.iditacards.looking import POOL, SIZE, looking, sums, turned, worth


@pytest.mark.parametrize("covering", [True, False])
def test_a_look_is_worth_the_mean_of_its_best_returns(covering: bool) -> None:
    found = set()
    for seed in range(60):
        dice = random.Random(seed)
        made = sums(covering=covering)
        looked = dice.randint(1, 4)
        look = looking(made, dice, looked, dice.randint(0, SIZE - looked - 1), 3)
        twice = made.node(tuple(dice.choice((look, look, made.lost)) for _ in POOL))
        for node in dice.sample((look, twice), 2):
            chance = made.chance(node, POOL, SIZE)
            assert chance == worth(made, node, POOL)
            found.add(chance)
    assert len(found) > 20


def test_a_choice_is_worth_the_mean_of_its_best_ways_with_cards_left_out_of_the_deck() -> None:
    found = set()
    for seed in range(60):
        dice = random.Random(seed)
        made = sums(covering=False)
        below = dice.randint(1, SIZE - 2)
        node = made.choice([turned(made, dice, below, 3) for _ in range(3)], below)
        first = made.node(tuple(dice.choice((node, made.lost, made.through)) for _ in POOL))
        for each in (node, first):
            chance = made.chance(each, POOL, SIZE)
            assert chance == worth(made, each, POOL)
            found.add(chance)
    assert len(found) > 20


@pytest.mark.parametrize("at_once", [1, 40, 10**9])
def test_looks_are_worth_the_same_however_many_classes_are_gone_through_one_by_one(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(odds_looks, "PAIRS", at_once)
    copies = (3, 2, 1, 1)
    dice = random.Random(5)
    worths = [dice.randrange(50) for _ in range(4 * 3 * 2 * 2)]
    every = list(product(*(range(n + 1) for n in copies)))
    for looked, below in product(range(4), range(4)):
        expected = [0] * len(worths)
        for there, part in enumerate(every):
            for lower in every:
                if sum(lower) == below and sum(part) == below + looked and all(map(le, lower, part)):
                    between = [
                        worth
                        for deck, worth in zip(every, worths, strict=True)
                        if all(map(le, lower, deck)) and all(map(le, deck, part))
                    ]
                    expected[there] += max(between) * prod(map(comb, part, lower))
        assert Look(copies, looked, below, lambda: None).sums(worths) == expected


def test_sums_over_parts_count_copies() -> None:
    copies = (2, 1, 3)
    worths = list(range(3 * 2 * 4))
    every = list(product(*(range(n + 1) for n in copies)))
    assert over_parts(copies, worths) == [
        sum(
            worth * prod(map(comb, upper, lower))
            for lower, worth in zip(every, worths, strict=True)
            if all(map(le, lower, upper))
        )
        for upper in every
    ]


def test_time_that_is_up_ends_the_sums() -> None:
    made = SeenSums(len(POOL), SIZE, lambda: False)
    node = made.node((made.through, made.lost, made.lost, made.lost, made.lost))
    with pytest.raises(OutOfReach):
        made.chance(node, POOL, SIZE)
