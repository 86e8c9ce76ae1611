"""Layered exact search over 62-bit keys whose game is a table of facts that is filled when they are asked for.

``successors`` and ``lacking`` are the game's; ``compiled.bound_functions`` puts them here. Where a fact is missing
the position is left until all that was asked has been answered, which is done as soon as much has been generated in
vain: what the first positions of a layer ask for, the others mostly share.

A layer holds each key once, cut or not. Whether the bound cuts a key depends on the key and on the turns left alone,
and these are the same for a whole layer: so it is asked once for all ways there, and each position is expanded once.
As bounds do not change, a search with more turns goes on with the layers of one with fewer: what was not cut then is
not cut now, and what was cut is asked about again once there are as many turns left as it needs.
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
"""Likewise: whether the numbers that the functions keep want more room,"""
NO_ROOM: Final = 2
"""or keys would."""

COUNT: Final = 0
"""Places in ``state``: positions of the layer that is being filled,"""
GENERATED: Final = 1
PRUNED: Final = 2
"""positions that are cut now and were not before, less those that are not any more,"""
LEFT_OVER: Final = 3
"""positions that wait for facts,"""
FIRST_LEFT: Final = 4
"""the first of them,"""
IN_VAIN: Final = 5
"""the keys generated for them, which are generated again,"""
FULL: Final = 6
"""whether a turn had more ways than there is room for,"""
BEST: Final = 7
"""the position of the layer with the most progress that is not cut, the first of them,"""
PROGRESS: Final = 8
"""and that progress,"""
NEEDS: Final = 9
"""positions that there was no room for,"""
LACKING: Final = 10
"""the fewest turns that a position lacked which was cut,"""
EXPANDED: Final = 11
"""positions expanded,"""
ALIVE: Final = 12
"""and whether any of the layer is not cut."""
STATE: Final = 13
"""Length of ``state``."""
WASTE: Final = 1_000
"""Keys generated in vain before facts are answered: generating these takes about as long as the way to the answers."""
UNSEEN: Final = -1
"""Need of a position that the bound has not been asked about,"""
READY: Final = -2
"""of one that it does not cut,"""
DONE: Final = -3
"""and of one that has been expanded; others are the turns left with which a position that is cut might not be."""

_FACTOR: Final = 0x1E3779B97F4A7C15
_LOW: Final = 0x7FFFFFFFFFFFFFFF


def explore(
    first: int,
    last: int,
    stays: int,
    table: Any,
    key: Ints,
    need: Ints,
    after_key: Ints,
    after_parent: Ints,
    after_need: Ints,
    slot_node: Ints,
    bits: int,
    state: Ints,
    keys: Ints,
    work: Ints,
) -> int:
    """Expand the positions ``first`` to ``last - 1`` of a layer into the next; return the first not gone through.

    That is one that there is no room for, or one after so many that wait for facts. Positions that are cut, or have
    been expanded before, are passed over. With ``stays`` a position where the game is over is its own.
    """
    room = len(after_key)
    slots = (1 << bits) - 1
    full = (1 << bits) // 8 * 5
    shift = 63 - bits
    for node in range(first, last):
        if need[node] >= 0 or need[node] == DONE:
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
        for end in range(n):
            after = keys[end]
            slot = ((after * _FACTOR) & _LOW) >> shift & slots  # masked as compilers may take products not to overflow
            while slot_node[slot] >= 0 and after_key[slot_node[slot]] != after:
                slot = (slot + 1) & slots
            if slot_node[slot] < 0:
                count = state[COUNT]
                slot_node[slot] = count
                after_key[count], after_parent[count], after_need[count] = after, node, UNSEEN
                state[COUNT] = count + 1
        if not table.notes[MISSING]:
            state[GENERATED] += n
            state[EXPANDED] += 1
            need[node] = DONE
            continue
        if state[LEFT_OVER] == 0:
            state[FIRST_LEFT] = node
        state[LEFT_OVER] += 1
        state[IN_VAIN] += n + 1
        if state[IN_VAIN] >= WASTE:
            return node + 1
    return last


def sift(first: int, last: int, left: int, target: int, table: Any, key: Ints, need: Ints, state: Ints) -> int:
    """Cut positions of a layer that miss ``target`` in ``left`` more turns; return the first not gone through.

    That is one after so many that wait for facts. A negative ``left`` cuts nothing.
    """
    for node in range(first, last):
        if left >= 0 and need[node] > left:
            state[LACKING] = min(state[LACKING], need[node] - left)
            continue
        if left >= 0 and need[node] >= UNSEEN:
            table.notes[MISSING] = 0
            lack = lacking(key[node], left, target, table)
            if table.notes[MISSING] and lack <= 0:
                if state[LEFT_OVER] == 0:
                    state[FIRST_LEFT] = node
                state[LEFT_OVER] += 1
                state[IN_VAIN] += 1
                if state[IN_VAIN] >= WASTE:
                    return node + 1
                continue
            if lack > 0:
                if need[node] == UNSEEN:
                    state[PRUNED] += 1
                need[node] = left + lack
                state[LACKING] = min(state[LACKING], lack)
                continue
            if need[node] != UNSEEN:
                state[PRUNED] -= 1
            need[node] = READY
        state[ALIVE] = 1
        there = progress(key[node], table)
        if there > state[PROGRESS]:
            state[BEST], state[PROGRESS] = node, there
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
    need: Ints,
    alive: Ints,
    after_key: Ints,
    after_alive: Ints,
    slot_node: Ints,
    bits: int,
    keys: Ints,
    work: Ints,
) -> None:
    """Mark the positions of a layer that lead to a marked one of the next, whose table ``slot_node`` is.

    Those that were not expanded are cut: none of them leads there.
    """
    slots = (1 << bits) - 1
    shift = 63 - bits
    for node in range(count):
        alive[node] = 0
        if need[node] != DONE:
            continue
        n = successors(key[node], table, keys, work)
        if stays and is_over(key[node], table):
            keys[0] = key[node]
            n = 1
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


FUNCTIONS: Final = (explore, sift, enter, mark, meet, judge)
"""What ``compiled`` binds to a game."""
