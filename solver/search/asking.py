"""Layered exact search over 62-bit keys whose game is a table of facts that is filled when they are asked for.

``successors`` and ``lacking`` are the game's; ``compiled.bound_functions`` puts them here. Where a fact is missing
the position is left for the next pass over its layer, when all that was asked has been answered. A layer holds each
key once. A search with more turns goes on with the layers of one with fewer: every position keeps with how many turns
left it would lead to one more that is not cut, and only those are gone through again.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import TYPE_CHECKING, Any, Final

from rules.core.challenge import NEVER

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
"""Likewise: whether the numbers that the functions keep want more room,"""
NO_ROOM: Final = 2
"""or keys would."""

COUNT: Final = 0
"""Places in ``state``: positions of the layer that is being filled,"""
GENERATED: Final = 1
PRUNED: Final = 2
LEFT_OVER: Final = 3
"""positions that wait for facts,"""
FULL: Final = 4
"""whether a turn had more ways than there is room for,"""
BEST: Final = 5
"""the new position of the layer with the most progress, the first of them,"""
PROGRESS: Final = 6
"""and that progress,"""
NEEDS: Final = 7
"""positions that there was no room for."""
LACKING: Final = 8
"""the fewest turns that a position lacked which was cut,"""
STATE: Final = 9
"""Length of ``state``."""
UNSEEN: Final = -1
"""Need of a position whose turn has not been gone through."""

_FACTOR: Final = 0x1E3779B97F4A7C15
_LOW: Final = 0x7FFFFFFFFFFFFFFF


def explore(
    first: int,
    last: int,
    left: int,
    target: int,
    stays: int,
    table: Any,
    key: Ints,
    need: Ints,
    cuts: Ints,
    after_key: Ints,
    after_parent: Ints,
    after_need: Ints,
    slot_node: Ints,
    bits: int,
    state: Ints,
    keys: Ints,
    work: Ints,
) -> int:
    """Expand the positions ``first`` to ``last - 1`` of a layer into the next; return the first there is no room for.

    Positions are cut that miss ``target`` in the ``left`` turns after this one; a negative ``left`` cuts nothing. With
    ``stays`` a position where the game is over is its own. A position that was expanded before, with fewer turns left,
    is expanded again if one that it led to and that was cut may do with so many: ``need`` says with how many.
    """
    room = len(after_key)
    slots = (1 << bits) - 1
    full = (1 << bits) // 8 * 5
    shift = 63 - bits
    for node in range(first, last):
        if need[node] != UNSEEN and (left < 0 or need[node] > left):
            state[LACKING] = min(state[LACKING], need[node] - left)
            continue
        table.notes[MISSING] = 0
        n = successors(key[node], table, keys, work)
        if n < 0:
            state[FULL] = 1
            return last
        if stays and is_over(key[node], table):
            keys[0] = key[node]
            n = 1
        if state[COUNT] + n > room or state[COUNT] + n > full:
            state[NEEDS] = n
            return node
        pruned, needed = 0, NEVER
        for end in range(n):
            after = keys[end]
            slot = ((after * _FACTOR) & _LOW) >> shift & slots  # masked as compilers may take products not to overflow
            while slot_node[slot] >= 0 and after_key[slot_node[slot]] != after:
                slot = (slot + 1) & slots
            if slot_node[slot] >= 0:
                continue
            if left >= 0:
                lack = lacking(after, left, target, table)
                if lack > 0:
                    pruned += 1
                    needed = min(needed, left + lack)
                    continue
            if table.notes[MISSING]:
                continue
            count = state[COUNT]
            slot_node[slot] = count
            after_key[count], after_parent[count], after_need[count] = after, node, UNSEEN
            state[COUNT] = count + 1
            there = progress(after, table)
            if there > state[PROGRESS]:
                state[BEST], state[PROGRESS] = count, there
        if table.notes[MISSING]:
            state[LEFT_OVER] += 1
        else:
            state[GENERATED] += n
            state[PRUNED] += pruned - cuts[node]
            need[node], cuts[node] = needed, pruned
            state[LACKING] = min(state[LACKING], needed - left)
    return last


def enter(count: int, key: Ints, slot_node: Ints, bits: int) -> None:
    """Enter positions into an empty table."""
    slots = (1 << bits) - 1
    shift = 63 - bits
    for node in range(count):
        slot = ((key[node] * _FACTOR) & _LOW) >> shift & slots
        while slot_node[slot] >= 0:
            slot = (slot + 1) & slots
        slot_node[slot] = node


def mark(
    count: int,
    stays: int,
    table: Any,
    key: Ints,
    alive: Ints,
    after_key: Ints,
    after_alive: Ints,
    slot_node: Ints,
    bits: int,
    keys: Ints,
    work: Ints,
) -> None:
    """Mark the positions of a layer that lead to a marked one of the next, whose table ``slot_node`` is."""
    slots = (1 << bits) - 1
    shift = 63 - bits
    for node in range(count):
        n = successors(key[node], table, keys, work)
        if stays and is_over(key[node], table):
            keys[0] = key[node]
            n = 1
        alive[node] = 0
        for end in range(n):
            after = keys[end]
            slot = ((after * _FACTOR) & _LOW) >> shift & slots
            while slot_node[slot] >= 0 and after_key[slot_node[slot]] != after:
                slot = (slot + 1) & slots
            if slot_node[slot] >= 0 and after_alive[slot_node[slot]]:
                alive[node] = 1
                break


def meet(count: int, enough: int, table: Any, key: Ints, alive: Ints) -> None:
    """Mark the positions of a layer with at least so much progress."""
    for node in range(count):
        alive[node] = 1 if progress(key[node], table) >= enough else 0


def judge(count: int, table: Any, key: Ints, scores: Ints) -> None:
    """Write how good the positions of a layer look, for beams."""
    for node in range(count):
        scores[node] = promise(key[node], table)


FUNCTIONS: Final = (explore, enter, mark, meet, judge)
"""What ``compiled`` binds to a game."""
