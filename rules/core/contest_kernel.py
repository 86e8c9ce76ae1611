"""What a game's packed contest and the search of it share: how their arrays are laid out.

A position is four words, the fourth of which is never 0; the score is no part of it. ``facts`` are numbers that stay
the same, ``notes`` those that change, ``work`` is room to work with, ``lists`` tells of each question what its ends
are, written one after the other in ``entries``. ``rules/<game>/kernel_*.py`` are the functions, and their names say
what the search calls (``solver.search.contests.hooks``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

# Places of facts; a game's own begin at ``OWN``

UNIT: Final = 0
"""Parts of one in the high word of a value,"""
BASE: Final = 1
"""and the base of its low word."""
CASES: Final = 2
"""Equally likely cases of one step of chance; bounds are in such parts of one."""
SIZE_OF_KNOWN: Final = 3
"""Entries of the transposition table, of the lists, of ``entries``, and of a game's own memory; powers of two."""
SIZE_OF_LISTS: Final = 4
SIZE_OF_ENTRIES: Final = 5
SIZE_OF_MEMORY: Final = 6
OWN: Final = 8

# Places of notes; the first says that a mean did not come out even

STOP: Final = 1
"""Why the search stops; 0 as long as it does not."""
ASKED: Final = 2
"""Positions asked about,"""
BUDGET: Final = 3
"""and after how many it stops."""
LISTS: Final = 4
ENTRIES: Final = 5
"""Lists and entries in use."""
STAMP: Final = 6
CUT_SHORT: Final = 7
"""Whether it has stopped somewhere before the end of play;"""
HORIZON: Final = 8
"""turns of all seats after which it does,"""
BEYOND: Final = 9
"""and what a position counts for there: one of the three below."""
REMEMBERED: Final = 10
"""Entries in use of a game's own memory."""
NOTES: Final = 16

PAUSED: Final = 1
"""Reasons to stop: so many positions have been asked about;"""
CROWDED: Final = 2
"""lists or entries are full;"""
BEYOND_FORM: Final = 3
"""something does not fit into a packed position."""

WORST: Final = 0
GUESS: Final = 1
BEST: Final = 2

LIST: Final = 8
"""Numbers of a list: five of its question, the first entry, how many, and which of them was best or cut last."""
FIRST_ENTRY: Final = 5
HOW_MANY: Final = 6
HINT: Final = 7
ENTRY: Final = 5
"""Numbers of an entry: three words, what it adds to the score, and one of the game's."""
GAIN: Final = 3
EXTRA: Final = 4

# Places of work, written by ``asked_ends`` and by ``chances``

OTHERS: Final = 0
"""Three words that are put to those of every entry, and one of the game's, to be added to that of every entry."""
CHANCES: Final = 4
"""What may come of chance, and its ways, in pairs."""
MOST_CHANCES: Final = 32
OWN_WORK: Final = CHANCES + 2 * MOST_CHANCES


def mixed(a: int, b: int, c: int, d: int) -> int:
    """Return a number of 40 bits in which four words are well mixed, none of its steps longer than 63 bits."""
    a = ((a & 0x7FFFFFFF) ^ ((a >> 31) & 0x7FFFFFFF)) * 0x2545F491
    b = ((b & 0x7FFFFFFF) ^ ((b >> 31) & 0x7FFFFFFF)) * 0x1B873593
    c = ((c & 0x7FFFFFFF) ^ ((c >> 31) & 0x7FFFFFFF)) * 0x3C6EF372
    d = ((d & 0x7FFFFFFF) ^ ((d >> 31) & 0x7FFFFFFF)) * 0x27D4EB2F
    a = (a ^ (a >> 29)) + (b ^ (b >> 27)) + (c ^ (c >> 31)) + (d ^ (d >> 28))
    a = ((a & 0x3FFFFFFF) ^ (a >> 30)) * 0x165667B1
    return (a ^ (a >> 25)) & 0xFFFFFFFFFF


@dataclass(frozen=True, slots=True)
class PackedContest:
    """One contest as numbers, for ``solver.search.contests.packed``."""

    kernel: Mapping[str, Callable[..., Any]]
    """Functions by the names that they call each other by."""
    facts: list[int]
    work: int
    """Length of ``work``."""
    memory: int
    """Numbers of one entry of the game's own memory."""
    pack: Callable[[Any], tuple[int, int, int, int] | None]
    """Returns the four words of a key of the compact form, without its score; nothing where they do not say it all."""
    turns: int
    """Turns of all seats, from the beginning of the game, after which play is over at the latest."""
