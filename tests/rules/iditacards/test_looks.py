"""Looks at a deck by classes that go back first against every return of every set of cards shown."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

import pytest

from rules.iditacards.odds_blind import shares
from rules.iditacards.odds_returns import Exchange
from rules.iditacards.odds_seen import SeenSums
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


def test_what_is_as_good_is_never_worse() -> None:
    claimed = compared = 0
    for seed in range(60):
        dice = random.Random(seed)
        made = sums()
        cards = dice.randint(2, 4)
        node = turned(made, dice, cards, 3)
        good = Exchange(POOL, made.covers).good(node)
        for one, other in product(range(len(POOL)), repeat=2):
            compared += one != other
            if one == other or not good[one] >> other & 1:
                continue
            claimed += 1
            for rest, _ in shares(one_less(one_less(POOL, one), other), cards - 1):
                better, worse = list(rest), list(rest)
                better[one] += 1
                worse[other] += 1
                assert worth(made, node, tuple(better)) >= worth(made, node, tuple(worse))
    assert 0 < claimed < compared


def test_no_card_goes_back_before_one_that_is_as_good() -> None:
    made = sums()
    done = made.node((made.through, made.through, made.lost, made.lost, made.lost))
    node = made.node((made.through, done, made.through, made.lost, made.lost))
    look = made.look(3, 2, [(back, node) for back in range(4)])
    assert isinstance(look, SeenNode)
    order, _ = Exchange(POOL, made.covers).orders(look)
    assert order.kinds[0] == 0
    assert all(before[0] >> kind & 1 for before in order.before for kind in order.kinds[1:])
