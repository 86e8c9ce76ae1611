"""The table of known nodes of ``dealing``, open to addressing by hand, deck and the rest of a name."""

from __future__ import annotations

from typing import Final

from solver.search.dealing_facts import NONE, STOPPED, Ints

ENTRY: Final = 5
"""Numbers of a known node: hand, deck, the rest of its name, low and high part."""


def slot_of(hand: int, deck: int, rest: int, bits: int) -> int:
    """Return where a node is looked for first."""
    # No product overflows: each factor has 31 bits.
    mixed = (hand & 0x7FFFFFFF) * 0x5E3779B1 ^ (hand >> 31) * 0x45EBCA77
    mixed ^= (deck & 0x7FFFFFFF) * 0x42B2AE3D ^ (deck >> 31) * 0x67D4EB2F
    mixed = (mixed ^ mixed >> 31) & 0x7FFFFFFF
    mixed = (mixed * 0x665667B1) ^ (rest & 0x7FFFFFFF) * 0x3C6EF372 ^ (rest >> 31) * 0x1E35A7BD
    mixed = ((mixed ^ mixed >> 29) & 0x7FFFFFFF) * 0x58F38DED
    return (mixed >> 29 ^ mixed >> 3) & ((1 << bits) - 1)


def file(known: Ints, slot: int, hand: int, deck: int, rest: int, low: int, high: int) -> None:
    """Enter a node into an empty place."""
    entry = ENTRY * slot
    known[entry], known[entry + 1], known[entry + 2], known[entry + 3], known[entry + 4] = hand, deck, rest, low, high


def clear(known: Ints, slots: int) -> None:
    """Make all places for nodes empty."""
    for slot in range(slots):
        known[ENTRY * slot + 3] = STOPPED


def refile(known: Ints, slots: int, wider: Ints, bits: int) -> None:
    """Enter all nodes into an empty table of more places."""
    for old in range(slots):
        entry = ENTRY * old
        if known[entry + 3] >= NONE:
            slot = slot_of(known[entry], known[entry + 1], known[entry + 2], bits)
            while wider[ENTRY * slot + 3] >= NONE:
                slot = (slot + 1) & ((1 << bits) - 1)
            for part in range(ENTRY):
                wider[ENTRY * slot + part] = known[entry + part]
