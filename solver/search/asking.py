"""Layered exact search over 62-bit keys whose game is a table of facts that is filled when they are asked for.

``successors`` and ``lacking`` are the game's; ``compiled.bound_functions`` puts them here. Where a fact is missing
the position is left for the next pass over its layer, when all that was asked has been answered. A layer holds each
key once: a slot that was filled by an earlier layer counts as empty.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import TYPE_CHECKING, Any, Final

Ints = MutableSequence[int]

if TYPE_CHECKING:  # a game brings them

    def successors(key: int, table: Any, keys: Ints, work: Ints) -> int:
        """Write the key after every way through the next turn; return their number, negative if there is no room."""

    def progress(key: int, table: Any) -> int:
        """Return how far the seat has come."""

    def promise(key: int, table: Any) -> int:
        """Return a guess of how good a key is; more is better."""

    def is_over(key: int, table: Any) -> bool:
        """Return whether the game has ended."""

    def lacking(key: int, turns: int, target: int, table: Any) -> int:
        """Return 0, or how many more than ``turns`` turns any line to ``target`` needs at least."""


MISSING: Final = 1
"""Place in the ``notes`` of a game: whether a fact was missing since this was set to 0."""

SHORT: Final = 4
"""Likewise: whether the numbers that the functions keep want more room."""

COUNT: Final = 0
"""Places in ``state``: nodes so far,"""
FIRST: Final = 1
"""first node of the layer that is being filled,"""
GENERATED: Final = 2
PRUNED: Final = 3
LEFT_OVER: Final = 4
"""nodes that wait for facts,"""
FULL: Final = 5
"""whether a turn had more ways than there is room for,"""
BEST: Final = 6
"""the node of the layer with the most progress, the first of them,"""
PROGRESS: Final = 7
"""and that progress,"""
NEEDS: Final = 8
"""nodes that there was no room for."""
LACKING: Final = 9
"""the fewest turns that a position lacked which was cut,"""
STATE: Final = 10
"""Length of ``state``."""

_FACTOR: Final = 0x1E3779B97F4A7C15
_LOW: Final = 0x7FFFFFFFFFFFFFFF


def explore(
    first: int,
    last: int,
    left: int,
    target: int,
    stays: int,
    table: Any,
    node_key: Ints,
    node_parent: Ints,
    node_done: Ints,
    slot_node: Ints,
    bits: int,
    state: Ints,
    keys: Ints,
    work: Ints,
) -> int:
    """Expand the nodes ``first`` to ``last - 1`` that are not done; return the first that nodes or slots run out for.

    Positions are cut that miss ``target`` in the ``left`` turns after this one; a negative ``left`` cuts nothing. With
    ``stays`` a position where the game is over is its own.
    """
    room = len(node_key)
    slots = (1 << bits) - 1
    full = (1 << bits) // 8 * 5
    shift = 63 - bits
    layer = state[FIRST]
    for node in range(first, last):
        if node_done[node]:
            continue
        table.notes[MISSING] = 0
        key = node_key[node]
        n = successors(key, table, keys, work)
        if n < 0:
            state[FULL] = 1
            return last
        if stays and is_over(key, table):
            keys[0] = key
            n = 1
        if state[COUNT] + n > room or state[COUNT] - layer + n > full:
            state[NEEDS] = n
            return node
        pruned = 0
        for end in range(n):
            after = keys[end]
            slot = ((after * _FACTOR) & _LOW) >> shift & slots  # masked as compilers may take products not to overflow
            while slot_node[slot] >= layer and node_key[slot_node[slot]] != after:
                slot = (slot + 1) & slots
            if slot_node[slot] >= layer:
                continue
            if left >= 0:
                lack = lacking(after, left, target, table)
                if lack > 0:
                    pruned += 1
                    if lack < state[LACKING]:
                        state[LACKING] = lack
                    continue
            if table.notes[MISSING]:
                continue
            count = state[COUNT]
            slot_node[slot] = count
            node_key[count], node_parent[count], node_done[count] = after, node, 0
            state[COUNT] = count + 1
            there = progress(after, table)
            if there > state[PROGRESS]:
                state[BEST], state[PROGRESS] = count, there
        if table.notes[MISSING]:
            state[LEFT_OVER] += 1
        else:
            node_done[node] = 1
            state[GENERATED] += n
            state[PRUNED] += pruned
    return last


def enter(first: int, last: int, node_key: Ints, slot_node: Ints, bits: int) -> None:
    """Enter nodes into an empty table."""
    slots = (1 << bits) - 1
    shift = 63 - bits
    for node in range(first, last):
        slot = ((node_key[node] * _FACTOR) & _LOW) >> shift & slots
        while slot_node[slot] >= first:
            slot = (slot + 1) & slots
        slot_node[slot] = node


def mark(
    first: int,
    last: int,
    stays: int,
    table: Any,
    node_key: Ints,
    node_alive: Ints,
    slot_node: Ints,
    bits: int,
    keys: Ints,
    work: Ints,
) -> None:
    """Mark the nodes ``first`` to ``last - 1`` that lead to a marked one of the next layer, which is entered."""
    slots = (1 << bits) - 1
    shift = 63 - bits
    for node in range(first, last):
        key = node_key[node]
        n = successors(key, table, keys, work)
        if stays and is_over(key, table):
            keys[0] = key
            n = 1
        node_alive[node] = 0
        for end in range(n):
            after = keys[end]
            slot = ((after * _FACTOR) & _LOW) >> shift & slots
            while slot_node[slot] >= last and node_key[slot_node[slot]] != after:
                slot = (slot + 1) & slots
            if slot_node[slot] >= last and node_alive[slot_node[slot]]:
                node_alive[node] = 1
                break


def meet(first: int, last: int, enough: int, table: Any, node_key: Ints, node_alive: Ints) -> None:
    """Mark the nodes ``first`` to ``last - 1`` with at least so much progress."""
    for node in range(first, last):
        node_alive[node] = 1 if progress(node_key[node], table) >= enough else 0


def judge(first: int, last: int, table: Any, node_key: Ints, scores: Ints) -> None:
    """Write how good the nodes ``first`` to ``last - 1`` look, for beams."""
    for node in range(first, last):
        scores[node - first] = promise(node_key[node], table)


FUNCTIONS: Final = (explore, enter, mark, meet, judge)
"""What ``compiled`` binds to a game."""
