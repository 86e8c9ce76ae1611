"""The table of known nodes of ``dealing.loop``, open to addressing by hand, deck and the rest of a name.

One thread writes a table and another may read it at the same time, without a lock: each number of a place is written
once, and none of those that are written is what an empty place has (``STOPPED``). So whoever finds a name, a low and an
upper part, none of them empty, has all of a node, in whatever order they became visible; and whoever does not find it
yet works it out again, which costs time alone. Numbers of 64 bits are read and written as a whole.
"""

from __future__ import annotations

from typing import Final

from solver.search.dealing.facts import ASIDE, BITS, HIGH, NONE, OTHER_BITS, STOPPED, Ints

ENTRY: Final = 5
"""Numbers of a known node: hand, deck, the rest of its name, low and high part."""


def address(numbers: Ints) -> Ints:
    """Return numbers as compiled functions hand them on to each other: by their address alone (``compiled``)."""
    return numbers


def slot_of(hand: int, deck: int, rest: int, bits: int) -> int:
    """Return where a node is looked for first."""
    # No product overflows: each factor has 31 bits.
    mixed = (hand & 0x7FFFFFFF) * 0x5E3779B1 ^ (hand >> 31) * 0x45EBCA77
    mixed ^= (deck & 0x7FFFFFFF) * 0x42B2AE3D ^ (deck >> 31) * 0x67D4EB2F
    mixed = (mixed ^ mixed >> 31) & 0x7FFFFFFF
    mixed = (mixed * 0x665667B1) ^ (rest & 0x7FFFFFFF) * 0x3C6EF372 ^ (rest >> 31) * 0x1E35A7BD
    mixed = ((mixed ^ mixed >> 29) & 0x7FFFFFFF) * 0x58F38DED
    return (mixed >> 29 ^ mixed >> 3) & ((1 << bits) - 1)


def find(known: Ints, bits: int, hand: int, deck: int, rest: int) -> int:
    """Return where the entry of a node begins; -1 where it is not known, or not all of it is to be seen yet."""
    slot = slot_of(hand, deck, rest, bits)
    while known[ENTRY * slot + 3] >= NONE:
        entry = ENTRY * slot
        if known[entry] == hand and known[entry + 1] == deck and known[entry + 2] == rest:
            return entry if known[entry + 4] >= 0 else -1
        slot = (slot + 1) & ((1 << bits) - 1)
    return -1


def remembered(hand: int, deck: int, rest: int, facts: Ints, known: Ints, other: Ints) -> int:
    """Return what is known under a name, ``ASIDE`` where nothing is."""
    entry = find(known, facts[BITS], hand, deck, rest)
    if entry >= 0:
        facts[HIGH] = known[entry + 4]
        return known[entry + 3]
    if facts[OTHER_BITS]:
        entry = find(other, facts[OTHER_BITS], hand, deck, rest)
        if entry >= 0:
            facts[HIGH] = other[entry + 4]
            return other[entry + 3]
    return ASIDE


def file(known: Ints, bits: int, hand: int, deck: int, rest: int, low: int, high: int) -> None:
    """Enter a node that is not there; its place counts as taken once the low part is written."""
    slot = slot_of(hand, deck, rest, bits)
    while known[ENTRY * slot + 3] >= NONE:
        slot = (slot + 1) & ((1 << bits) - 1)
    entry = ENTRY * slot
    known[entry], known[entry + 1], known[entry + 2], known[entry + 4] = hand, deck, rest, high
    known[entry + 3] = low


def clear(known: Ints, slots: int) -> None:
    """Make all places for nodes empty."""
    for place in range(ENTRY * slots):
        known[place] = STOPPED


def refile(known: Ints, slots: int, wider: Ints, bits: int) -> None:
    """Enter all nodes into an empty table of more places."""
    for old in range(slots):
        entry = ENTRY * old
        if known[entry + 3] >= NONE:
            hand, deck, rest = known[entry], known[entry + 1], known[entry + 2]
            file(address(wider), bits, hand, deck, rest, known[entry + 3], known[entry + 4])
