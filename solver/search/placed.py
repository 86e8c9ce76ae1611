"""Layered exact search over packed positions of two numbers, as plain functions that a compiler can take over.

Like ``packed``, for games in which more than the goal depends on the progress: it is part of the second number, the
*place*, and two positions are the same only if both numbers are. ``node_value`` holds places here. The game brings
``successors``, ``progress``, ``falls_short`` and ``promise``; its bound is a table of the fewest turns.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import TYPE_CHECKING, Any, Final

from solver.search.packed import (
    COUNT,
    FILLED,
    FOUND_KEY,
    FOUND_PARENT,
    FOUND_PROGRESS,
    GENERATED,
    LOST,
    PRUNED,
)

Ints = MutableSequence[int]

if TYPE_CHECKING:  # a game brings them

    def successors(
        key: int, place: int, table: Any, keys: Ints, places: Ints, work: Ints, turns: int, least: Ints, bound: Any
    ) -> int:
        """Write key and place for the ways through the next turn; return their number, -1 without room for them.

        Ways that fall short in ``turns`` more turns may be left out, unless that is negative.
        """

    def progress(place: int) -> int:
        """Return how far a place is."""

    def falls_short(key: int, place: int, turns: int, least: Ints, table: Any, bound: Any) -> bool:
        """Return whether a position needs more than so many turns."""

    def promise(key: int, place: int, least: Ints, table: Any, bound: Any) -> int:
        """Return a guess of how good a position is, for beams; more is better."""


_FACTOR: Final = 0x1E3779B97F4A7C15
_OTHER: Final = 0x3C6EF372FE94F82B
_LOW: Final = 0x7FFFFFFFFFFFFFFF


def advance(
    first: int,
    last: int,
    _turn: int,
    left: int,
    target: int,
    _waiting: int,
    most: Ints,
    _rows: int,
    table: Any,
    bound: Any,
    _counts: Ints,
    node_key: Ints,
    node_value: Ints,
    node_parent: Ints,
    slot_key: Ints,
    slot_node: Ints,
    bits: int,
    state: Ints,
    keys: Ints,
    gains: Ints,
    work: Ints,
) -> int:
    """Expand the nodes ``first`` to ``last - 1`` into the next layer, as ``packed.advance`` does.

    Nodes with more successors than there is room for are counted as lost.
    """
    room = len(node_key)
    slots = (1 << bits) - 1
    full = slots // 8 * 5
    shift = 63 - bits
    count, filled = state[COUNT], state[FILLED]
    generated, pruned = state[GENERATED], state[PRUNED]
    node = first
    while node < last:
        n = successors(node_key[node], node_value[node], table, keys, gains, work, left, most, bound)
        if n < 0:
            state[LOST] += 1
            node += 1
            continue
        if count + n > room or filled + n > full:
            break
        generated += n
        for end in range(n):
            key, value = keys[end], gains[end]
            if progress(value) >= target:
                if state[FOUND_KEY] < 0 or value < state[FOUND_PROGRESS]:
                    state[FOUND_KEY], state[FOUND_PARENT], state[FOUND_PROGRESS] = key, node, value
                continue
            slot = (((key * _FACTOR) ^ (value * _OTHER)) & _LOW) >> shift
            while slot_node[slot] >= 0 and (slot_key[slot] != key or node_value[slot_node[slot]] != value):
                slot = (slot + 1) & slots
            if slot_node[slot] >= 0:
                continue
            if left >= 0 and falls_short(key, value, left, most, table, bound):
                pruned += 1
                continue
            filled += 1
            slot_key[slot], slot_node[slot] = key, count
            node_key[count], node_value[count], node_parent[count] = key, value, node
            count += 1
        node += 1
    state[COUNT], state[FILLED], state[GENERATED], state[PRUNED] = count, filled, generated, pruned
    return node


def rehash(
    slot_key: Ints, slot_node: Ints, bits: int, new_key: Ints, new_node: Ints, new_bits: int, node_value: Ints
) -> None:
    """Enter everything of one table into a larger empty one."""
    slots = (1 << new_bits) - 1
    shift = 63 - new_bits
    for place in range(1 << bits):
        node = slot_node[place]
        if node >= 0:
            key = slot_key[place]
            slot = (((key * _FACTOR) ^ (node_value[node] * _OTHER)) & _LOW) >> shift
            while new_node[slot] >= 0:
                slot = (slot + 1) & slots
            new_key[slot], new_node[slot] = key, node


def judge(
    first: int,
    last: int,
    most: Ints,
    _row: int,
    table: Any,
    bound: Any,
    _counts: Ints,
    node_key: Ints,
    node_value: Ints,
    scores: Ints,
) -> None:
    """Write how good the nodes ``first`` to ``last - 1`` look, for beams."""
    for node in range(first, last):
        scores[node - first] = promise(node_key[node], node_value[node], most, table, bound)


FUNCTIONS: Final = (advance, rehash, judge)
"""What ``compiled`` binds to a game."""
