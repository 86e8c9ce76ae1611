# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""Slots that tell keys of bytes apart: open addressing with linear probing (Knuth, volume 3, 6.4).

Keys lie one behind the other in an arena; ``ends[i]`` to ``ends[i + 1]`` are those of key i. A slot is 0, or the hash
of a key and its number from 1 on (``h << 32 | i + 1``).
"""

from __future__ import annotations

from typing import Any

from solver.search import native
from solver.search.native import Letters, Longs


def mixed(keys: Letters, at: int, end: int) -> int:
    """Return a hash of 31 bits of some bytes; every product stays below 2**63."""
    h = end - at
    while at + 4 <= end:
        w = keys[at + 3]
        w = w << 8 | keys[at + 2]
        w = w << 8 | keys[at + 1]
        w = w << 8 | keys[at]
        h = (h ^ w) * 0x2C1B3C6D
        h = (h ^ h >> 31) & 0x7FFFFFFF
        at += 4
    while at < end:
        w = keys[at]
        h = (h ^ w) * 0x2C1B3C6D
        h = (h ^ h >> 31) & 0x7FFFFFFF
        at += 1
    h = h * 0x297A2D39
    return (h ^ h >> 31) & 0x7FFFFFFF


def slot_of(h: int, keys: Letters, at: int, end: int, numbers: Longs, slots: Longs, arena: Letters, ends: Longs) -> int:
    """Return the slot that holds a key of hash h (h << 32 | index + 1), or the empty one (0) where it belongs."""
    mask = numbers[1]
    slot = h & mask
    while slots[slot] != 0:
        if slots[slot] >> 32 == h:
            index = (slots[slot] & 0x7FFFFFFF) - 1
            i = ends[index]
            if ends[index + 1] - i == end - at:
                k = at
                while k < end and arena[i] == keys[k]:
                    i += 1
                    k += 1
                if k == end:
                    return slot
        slot = (slot + 1) & mask
    return slot


def resettle(old: Any, new: Any) -> None:
    """Move what stands in some slots to more of them, all empty."""
    filled, table = native.longs(old), native.longs(new)
    mask = len(new) - 1
    for n in range(len(old)):
        if filled[n]:
            slot = (filled[n] >> 32) & mask
            while table[slot]:
                slot = (slot + 1) & mask
            table[slot] = filled[n]
