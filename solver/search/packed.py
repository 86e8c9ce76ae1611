"""Layered exact search over packed positions, as plain functions on arrays that a compiler can take over unchanged.

A position is a 62-bit key and, apart from it, its progress. Positions are *nodes*, numbered in the order they were met:
``key``, ``value`` (progress less what waiting would have brought, see below) and ``parent``. An open-addressing table
finds the node of a key. ``successors`` and ``outlook`` are the game's; ``compiled.bound_functions`` puts them here.

**Dominance.** Progress is apart from the key because nothing but the goal depends on it. So of two positions with one
key and one turn the one further on is at least as good. And of two with one key at turns t < u, the earlier one is at
least as good if it is ahead of the later one less ``waiting * (u - t)``: it can go on as the later one would, and spend
the u - t turns it has over at the end, each of which brings at least ``waiting`` spaces, whatever was played before.
Both say that the greater ``value = progress - waiting * turn`` is at least as good if it is not later. Nodes are met in
the order of their turns, so a key needs to be kept again only with a greater value. ``PackedSearch(waits=False)`` is
the control without the second.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import TYPE_CHECKING, Any, Final

Ints = MutableSequence[int]

if TYPE_CHECKING:  # a game brings them

    def successors(key: int, table: Any, keys: Ints, gains: Ints, work: Ints) -> int:
        """Write key and progress gained for every way through the next turn; return their number."""

    def falls_short(key: int, spaces: int, row: int, most: Ints, table: Any, bound: Any, counts: Any) -> bool:
        """Return whether ``most``, from ``row`` on, excludes that so many spaces are made from a key."""

    def outlook(key: int, table: Any, bound: Any, counts: Any) -> int:
        """Return the entry of a key among those of the bound for the same number of turns."""


COUNT: Final = 0
"""Places in ``state``: nodes so far,"""
FIRST: Final = 1
"""first node of the layer that is being filled,"""
GENERATED: Final = 2
PRUNED: Final = 3
FILLED: Final = 4
"""slots used,"""
FOUND_KEY: Final = 5
"""smallest key that met the target, -1 while none has: keys of fewer rounds are smaller,"""
FOUND_PARENT: Final = 6
FOUND_PROGRESS: Final = 7
LOST: Final = 8
"""nodes that were not expanded because there was no room for their successors."""
STATE: Final = 9
"""Length of ``state``."""

_FACTOR: Final = 0x1E3779B97F4A7C15
_LOW: Final = 0x7FFFFFFFFFFFFFFF


def advance(
    first: int,
    last: int,
    turn: int,
    left: int,
    target: int,
    waiting: int,
    most: Ints,
    rows: int,
    table: Any,
    bound: Any,
    counts: Ints,
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
    """Expand the nodes ``first`` to ``last - 1``, which are at ``turn - 1``, into the layer of ``turn``.

    Return the first node that was not expanded because nodes or slots run out, or ``last``. Positions are cut that
    fall short of ``target`` in the ``left`` turns after this one; a negative ``left`` cuts nothing.
    """
    room = len(node_key)
    slots = (1 << bits) - 1
    full = slots // 8 * 5
    shift = 63 - bits
    row = left * rows
    count, filled = state[COUNT], state[FILLED]
    generated, pruned = state[GENERATED], state[PRUNED]
    wait = waiting * turn
    behind = waiting * (turn - 1)
    node = first
    while node < last:
        progress = node_value[node] + behind
        n = successors(node_key[node], table, keys, gains, work)
        if count + n > room or filled + n > full:
            break
        generated += n
        for end in range(n):
            key = keys[end]
            there = progress + gains[end]
            if there >= target:
                if state[FOUND_KEY] < 0 or key < state[FOUND_KEY]:
                    state[FOUND_KEY], state[FOUND_PARENT], state[FOUND_PROGRESS] = key, node, there
                continue
            if left >= 0 and falls_short(key, target - there, row, most, table, bound, counts):
                pruned += 1
                continue
            value = there - wait
            slot = ((key * _FACTOR) & _LOW) >> shift
            while slot_node[slot] >= 0 and slot_key[slot] != key:
                slot = (slot + 1) & slots
            known = slot_node[slot]
            if known < 0:
                filled += 1
                slot_key[slot] = key
            elif value <= node_value[known]:
                continue
            elif known >= state[FIRST]:
                node_value[known], node_parent[known] = value, node
                continue
            slot_node[slot] = count
            node_key[count], node_value[count], node_parent[count] = key, value, node
            count += 1
        node += 1
    state[COUNT], state[FILLED], state[GENERATED], state[PRUNED] = count, filled, generated, pruned
    return node


def rehash(slot_key: Ints, slot_node: Ints, bits: int, new_key: Ints, new_node: Ints, new_bits: int) -> None:
    """Enter everything of one table into a larger empty one."""
    slots = (1 << new_bits) - 1
    shift = 63 - new_bits
    for place in range(1 << bits):
        node = slot_node[place]
        if node >= 0:
            key = slot_key[place]
            slot = ((key * _FACTOR) & _LOW) >> shift
            while new_node[slot] >= 0:
                slot = (slot + 1) & slots
            new_key[slot], new_node[slot] = key, node


def judge(
    first: int,
    last: int,
    most: Ints,
    row: int,
    table: Any,
    bound: Any,
    counts: Ints,
    node_key: Ints,
    node_value: Ints,
    scores: Ints,
) -> None:
    """Write how good the nodes ``first`` to ``last - 1`` look, for beams: progress and what the bound still allows."""
    for node in range(first, last):
        scores[node - first] = node_value[node] + most[row + outlook(node_key[node], table, bound, counts)]


FUNCTIONS: Final = (advance, rehash, judge)
"""What ``compiled`` binds to a game."""
