"""The ends of a turn of a packed contest in order, as a function that a compiler can take over unchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rules.core.contest_kernel import CASES, ENTRY, EXTRA, GAIN
from rules.core.wide import Ints

if TYPE_CHECKING:
    from solver.search.contests.hooks import bounded, shelled_for

MOST_ENDS: Final = 1 << 14
"""Ends of one turn at most."""
STRIDE: Final = 4 * MOST_ENDS
"""Numbers in ``frames`` for each step of a line: ends in order, what each has at most and at least, and its look."""


def order(
    frame: int,
    e: int,
    f: int,
    g: int,
    extra: int,
    after: int,
    seat: int,
    begun: int,
    count: int,
    facts: Ints,
    work: Ints,
    frames: Ints,
    entries: Ints,
) -> None:
    """Write the ends of a turn, the best looking first, and what the player to move has at most and at least."""
    cases = facts[CASES]
    looks, most, least = frame + 3 * MOST_ENDS, frame + MOST_ENDS, frame + 2 * MOST_ENDS
    for each in range(count):
        entry = ENTRY * (begun + each)
        s = shelled_for(after, entries[entry + EXTRA] + extra, facts)
        low, high = bounded(entries[entry] | e, entries[entry + 1] | f, entries[entry + 2] | g, s, facts, work)
        gain = 2 * cases * entries[entry + GAIN]
        if seat == 1:
            low, high, gain = -high, -low, -gain
        frames[most + each], frames[least + each] = high, low
        frames[looks + each] = low + high + gain
        frames[frame + each] = each
    gap = 1
    while 3 * gap < count:
        gap = 3 * gap + 1
    while gap:
        for first in range(gap, count):
            each = frames[frame + first]
            look = frames[looks + each]
            place = first
            while place >= gap and frames[looks + frames[frame + place - gap]] < look:
                frames[frame + place] = frames[frame + place - gap]
                place -= gap
            frames[frame + place] = each
        gap //= 3
