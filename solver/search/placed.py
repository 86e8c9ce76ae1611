"""Layered exact search over packed positions of two numbers, as plain functions that a compiler can take over.

Like ``packed``, for games in which more than the goal depends on the progress: it is part of the second number, the
*place*, and two positions are the same only if both numbers are. ``node_value`` holds places here. The game brings
``successors``, ``progress``, ``needs`` and ``promise``; its bound is a table of the fewest turns.

**Views.** A game may also bring coarser views of itself: other tables for the same functions, in which several keys are
one (``fold``), such that every turn of the game is a turn of the view. A view is surveyed first: all its positions are
met layer by layer, like those of the game, except what the bound excludes; then ``sweep`` goes back over the layers and
works out how many turns each position needs at least. That is a bound for all positions of the game that fold to it.

*Admissible.* By induction on the turns that are left, for T turns in all. A position of the game at turn t whose line
goes on to the target at T has been met, folded, at turn t or before: its way there folds to a way of the view, and no
position on it is excluded, for the bound is admissible in the view and excludes at earlier turns less. So what was not
met cannot get there in time (``barred``). ``sweep`` raises the numbers of positions from below: one more than the least
of all successors', where a successor that was not met counts as what its exclusion proved, more turns than were left.
So every number is a true one at any time, however often and in whatever order positions are looked at.
``views=False`` of ``PackedSearch`` is the control.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

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

if TYPE_CHECKING:
    from solver.search.arrays import Arrays

    # A game brings these.

    def successors(
        key: int, place: int, table: Any, keys: Ints, places: Ints, work: Ints, turns: int, least: Ints, bound: Any
    ) -> int:
        """Write key and place for the ways through the next turn; return their number, -1 without room for them.

        Ways that fall short in ``turns`` more turns may be left out, unless that is negative.
        """

    def progress(place: int) -> int:
        """Return how far a place is."""

    def needs(key: int, place: int, least: Ints, table: Any, bound: Any) -> int:
        """Return the turns that a position needs at least."""

    def promise(key: int, place: int, least: Ints, table: Any, bound: Any) -> int:
        """Return a guess of how good a position is, for beams; more is better."""


class Seen(NamedTuple):
    """A view that has been surveyed; with ``bits`` of 0 there is none."""

    bits: int
    slot_key: Ints
    slot_node: Ints
    node_value: Ints
    least: Ints
    """By node: the fewest turns."""
    mask: int
    """Bits of a key that are folded,"""
    parts: int
    """in parts of ``FOLD`` bits,"""
    fold: Sequence[int]
    """and what becomes of each, to be added."""


def nothing_seen(arrays: Arrays) -> Seen:
    """Return what stands for no view."""
    slots, nodes = arrays.long(1), arrays.empty_slots(1)
    return Seen(0, slots, nodes, arrays.short(1), arrays.tiny(1), 0, 0, arrays.fixed([0]))


FOLD: Final = 12
_FACTOR: Final = 0x1E3779B97F4A7C15
_OTHER: Final = 0x3C6EF372FE94F82B
_LOW: Final = 0x7FFFFFFFFFFFFFFF


def folded(key: int, seen: Any) -> int:
    """Return the key of the view that a key folds to."""
    rest = key & seen.mask
    view: int = key - rest
    for part in range(seen.parts):
        view += seen.fold[(part << FOLD) | (rest & ((1 << FOLD) - 1))]
        rest >>= FOLD
    return view


def met(key: int, value: int, slot_key: Ints, slot_node: Ints, bits: int, node_value: Ints) -> int:
    """Return the node of a position, -1 if it was not met."""
    slots = (1 << bits) - 1
    slot = (((key * _FACTOR) ^ (value * _OTHER)) & _LOW) >> (63 - bits)
    while slot_node[slot] >= 0 and (slot_key[slot] != key or node_value[slot_node[slot]] != value):
        slot = (slot + 1) & slots
    return slot_node[slot]


def barred(key: int, value: int, turns: int, most: Any, table: Any, bound: Any, seen: Any) -> bool:
    """Return whether a position needs more than ``turns`` turns, by the bound or by a view."""
    if needs(key, value, most, table, bound) > turns:
        return True
    if seen.bits == 0:
        return False
    node = met(folded(key, seen), value, seen.slot_key, seen.slot_node, seen.bits, seen.node_value)
    return bool(node < 0 or seen.least[node] > turns)


def rate(
    first: int, last: int, most: Ints, table: Any, bound: Any, seen: Any, node_key: Ints, node_value: Ints, least: Ints
) -> None:
    """Write what is known of the turns that nodes need, by the bound or by a coarser view."""
    for node in range(first, last):
        turns = needs(node_key[node], node_value[node], most, table, bound)
        if seen.bits:
            other = met(
                folded(node_key[node], seen),
                node_value[node],
                seen.slot_key,
                seen.slot_node,
                seen.bits,
                seen.node_value,
            )
            if other >= 0:
                turns = max(turns, seen.least[other])
        least[node] = turns


def sweep(
    first: int,
    last: int,
    left: int,
    target: int,
    most: Ints,
    table: Any,
    bound: Any,
    least: Ints,
    node_key: Ints,
    node_value: Ints,
    slot_key: Ints,
    slot_node: Ints,
    bits: int,
    keys: Ints,
    gains: Ints,
    work: Ints,
) -> int:
    """Raise the fewest turns of the nodes of one layer, after which ``left`` turns remain; return how many rose."""
    rose = 0
    for node in range(last - 1, first - 1, -1):
        n = successors(node_key[node], node_value[node], table, keys, gains, work, left - 1, most, bound)
        best = left if n >= 0 else 0
        for end in range(n):
            key, value = keys[end], gains[end]
            if progress(value) >= target:
                best = 0
            if best == 0:
                break
            other = met(key, value, slot_key, slot_node, bits, node_value)
            if other >= 0:
                best = min(best, least[other])
        if best + 1 > least[node]:
            least[node] = best + 1
            rose += 1
    return rose


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
    seen: Any,
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
            if left >= 0 and barred(key, value, left, most, table, bound, seen):
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
    _seen: Any,
    node_key: Ints,
    node_value: Ints,
    scores: Ints,
) -> None:
    """Write how good the nodes ``first`` to ``last - 1`` look, for beams."""
    for node in range(first, last):
        scores[node - first] = promise(node_key[node], node_value[node], most, table, bound)


FUNCTIONS: Final = (folded, met, barred, rate, sweep, advance, rehash, judge)
"""What ``compiled`` binds to a game."""
