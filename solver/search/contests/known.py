"""The transposition table of packed contests, as functions that a compiler can take over unchanged.

It forgets where too many positions fall together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rules.core.contest_kernel import SIZE_OF_KNOWN, mixed
from rules.core.wide import Ints, Wide

if TYPE_CHECKING:
    from solver.search.contests.hooks import half_turns_gone

KNOWN: Final = 9
"""Numbers of an entry of the transposition table: position, low and high in two words each, and what was best."""
PROBES: Final = 8
"""Entries next to each other among which a position is looked for."""


def found_at(x: int, y: int, z: int, meta: int, facts: Ints, known: Ints) -> int:
    """Return where a position is kept, or -1."""
    mask = facts[SIZE_OF_KNOWN] - 1
    slot = mixed(x, y, z, meta)
    for probe in range(PROBES):
        at = KNOWN * ((slot + probe) & mask)
        if known[at + 3] == meta and known[at] == x and known[at + 1] == y and known[at + 2] == z:
            return at
        if known[at + 3] == 0:
            return -1
    return -1


def keep(x: int, y: int, z: int, meta: int, low: Wide, high: Wide, hint: int, facts: Ints, known: Ints) -> None:
    """Keep what is proved of a position, in place of what is nearest the end of play where there is no room."""
    mask = facts[SIZE_OF_KNOWN] - 1
    slot = mixed(x, y, z, meta)
    place = -1
    latest = -1
    for probe in range(PROBES):
        at = KNOWN * ((slot + probe) & mask)
        if known[at + 3] == 0 or (
            known[at + 3] == meta and known[at] == x and known[at + 1] == y and known[at + 2] == z
        ):
            place = at
            break
        gone = half_turns_gone(known[at + 3], facts)
        if gone > latest:
            latest = gone
            place = at
    known[place], known[place + 1], known[place + 2], known[place + 3] = x, y, z, meta
    known[place + 4], known[place + 5] = low
    known[place + 6], known[place + 7] = high
    known[place + 8] = hint
