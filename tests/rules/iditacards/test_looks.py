"""Looks and choices for all decks at once against every deck, every set of cards shown and every return of it."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, prod
from operator import le

import pytest

from rules.core.ventures import OutOfReach
from rules.iditacards import odds_looks
from rules.iditacards.odds_blind import shares
from rules.iditacards.odds_looks import Look
from rules.iditacards.odds_seen import SeenSums
from rules.iditacards.odds_sheets import over_parts
from rules.iditacards.odds_sums import Node, SeenNode

POOL = (2, 1, 1, 3, 1)
SIZE = sum(POOL)


def sums(*, covering: bool = True) -> SeenSums:
    return SeenSums(len(POOL), SIZE, lambda: True, covering=covering)


def turned(made: SeenSums, dice: random.Random, cards: int, depth: int) -> Node:
    """Return a node of so many cards, some of which may be turned over, with looks and choices on the way."""
    if cards <= 0 or depth == 0:
        return dice.choice((made.lost, made.through, made.through))
    if depth > 1 and dice.random() < 0.3:
        return made.choice([turned(made, dice, cards, depth - 1) for _ in range(2)], cards)
    if depth > 1 and dice.random() < 0.2:
        return looking(made, dice, min(2, cards), cards - min(2, cards), depth - 1)
    after = [turned(made, dice, cards - 1, depth - 1) for _ in range(3)]
    return made.node(tuple(dice.choice([*after, made.lost]) for _ in POOL))


def looking(made: SeenSums, dice: random.Random, looked: int, below: int, depth: int) -> Node:
    ways = [(back, turned(made, dice, below + back, depth)) for back in range(looked + 1)]
    return made.look(looked, below, ways)


@cache
def worth(made: SeenSums, node: Node, deck: tuple[int, ...]) -> Fraction:
    """Return the chance for a deck by the definition: every order, every set shown, every return of it."""
    size = sum(deck)
    if node is made.lost or node is made.through:
        return Fraction(node is made.through)
    if isinstance(node, SeenNode) and not node.backs:
        decks = shares(deck, node.below)
        every = sum(many * max(worth(made, way, each) for way in node.best) for each, many in decks)
        return Fraction(every) / comb(size, node.below)
    if isinstance(node, SeenNode):
        value = Fraction(0)
        for there, many in shares(deck, node.looked + node.below):
            for shown, more in shares(there, node.looked):
                below = minus(there, shown)
                returns = [
                    worth(made, way, plus(below, back))
                    for n, way in zip(node.backs, node.best, strict=True)
                    for back, _ in shares(shown, n)
                ]
                value += many * more * max(returns)
        return value / comb(size, node.looked + node.below) / comb(node.looked + node.below, node.looked)
    return sum(
        (
            Fraction(copies, size) * worth(made, node.kinds[kind], one_less(deck, kind))
            for kind, copies in enumerate(deck)
            if copies
        ),
        Fraction(0),
    )


def plus(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(int.__add__, one, other))


def minus(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(int.__sub__, one, other))


def one_less(deck: tuple[int, ...], kind: int) -> tuple[int, ...]:
    return (*deck[:kind], deck[kind] - 1, *deck[kind + 1 :])


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
