"""Nodes with looks and choices, made at random, and what they are worth by the definition."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from math import comb

from rules.iditacards.odds.blind import shares
from rules.iditacards.odds.seen import SeenSums
from rules.iditacards.odds.sums import Node, SeenNode

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
