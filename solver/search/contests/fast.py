"""Expectiminimax over packed positions at work: room that grows, looks at the clock, exact fractions in the end."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from math import ceil, floor
from typing import Any, Final

from rules.core.contest_kernel import (
    ASKED,
    BASE,
    BEYOND,
    BUDGET,
    CROWDED,
    CUT_SHORT,
    ENTRIES,
    ENTRY,
    HORIZON,
    LIST,
    LISTS,
    NOTES,
    PAUSED,
    SIZE_OF_ENTRIES,
    SIZE_OF_KNOWN,
    SIZE_OF_LISTS,
    SIZE_OF_MEMORY,
    STOP,
    UNIT,
    PackedContest,
)
from rules.core.wide import INEXACT
from solver.search.compiled import bound_once
from solver.search.contests.known import KNOWN
from solver.search.contests.order import STRIDE
from solver.search.contests.packed import FUNCTIONS, PLIES
from solver.search.layers import LimitHit, Watch

CHUNK: Final = 10_000
"""Positions asked about between two looks at the clock: a tenth of a second of compiled code."""
KNOWN_BITS: Final = 20
LIST_BITS: Final = 15
ENTRY_BITS: Final = 21
MEMORY_BITS: Final = 20
MOST_ENTRY_BITS: Final = 24
"""Room for the ends of turns: 80 MB at first, 640 at most; then they are listed anew."""
NEVER: Final = 1 << 40
MOST: Final = 1 << 55
"""High word beyond that of every value."""


class Unfit(Exception):
    """Something does not fit into packed positions or into the words of their values."""


@cache
def _search_of(kernel: tuple[tuple[str, Callable[..., Any]], ...], compile_it: bool) -> Callable[..., Any]:
    """Return the search of a kernel; loading it takes about a second."""
    search: Callable[..., Any] = bound_once(dict(kernel), FUNCTIONS, compiled=compile_it)["searched"]
    return search


class Arrays:
    """Makes room for numbers: Python's own arrays and lists, or numpy's for compiled code."""

    def __init__(self, compile_it: bool) -> None:
        self._numpy: Any = None
        if compile_it:
            import numpy as np  # comes with the compiler

            self._numpy = np

    def long(self, size: int) -> Any:
        """Return zeros of 64 bits."""
        return array("q", bytes(8 * size)) if self._numpy is None else self._numpy.zeros(size, self._numpy.int64)

    def fixed(self, values: list[int]) -> Any:
        """Return numbers that no kernel changes."""
        return values if self._numpy is None else self._numpy.array(values, self._numpy.int64)


class FastContest:
    """Values of the positions of one packed contest; what is known is kept from question to question."""

    def __init__(self, packed: PackedContest, watch: Watch, *, compile_it: bool, smaller: int = 0) -> None:
        """``compile_it`` loads compiled functions, or waits for the compiler where nothing is in the cache.

        ``smaller``: times that all tables are halved; they forget more then, or grow sooner.
        """
        self._packed = packed
        self._watch = watch
        self._arrays = arrays = Arrays(compile_it)
        self._search = _search_of(tuple(packed.kernel.items()), compile_it)
        self._known_bits = KNOWN_BITS - smaller
        self._memory_bits = MEMORY_BITS - smaller
        self._entry_bits = ENTRY_BITS - min(smaller, 2)
        self._notes = arrays.long(NOTES)
        self._notes[HORIZON] = NEVER
        self._work = arrays.long(packed.work)
        self._frames = arrays.long(STRIDE * PLIES)
        self._memory = arrays.long(packed.memory << self._memory_bits)
        self._known = arrays.long(KNOWN << self._known_bits)
        self._make_room()

    @property
    def asked(self) -> int:
        """Positions asked about so far."""
        return int(self._notes[ASKED])

    @property
    def cut_short(self) -> bool:
        """Whether play was not followed to its end since ``look``."""
        return bool(self._notes[CUT_SHORT])

    def look(self, pace: int | None, beyond: int) -> None:
        """Begin anew with another horizon, in turns of all seats since the game began."""
        self._notes[HORIZON] = NEVER if pace is None else pace
        self._notes[BEYOND] = beyond
        self._notes[CUT_SHORT] = 0
        self._known = self._arrays.long(len(self._known))

    def lift(self) -> None:
        """Look without a horizon from here on; what is known is kept, so nothing may have been cut short."""
        self._notes[HORIZON] = NEVER

    def value(
        self, key: Any, window: tuple[Fraction, Fraction] | None = None, most: int | None = None
    ) -> tuple[Fraction, Fraction] | None:
        """Return what is proved of a key without its score: both ends are its value if that lies inside the window.

        Returns nothing where packed positions do not hold the key. ``most``: positions asked about in all.

        Raises:
            LimitHit: the time or the number of positions is used up.
            Unfit: something met on the way does not fit into packed positions.
        """
        words = self._packed.pack(key)
        if words is None:
            return None
        unit, base = int(self._facts[UNIT]), int(self._facts[BASE])
        whole = unit * base
        alpha, beta = (-MOST, 0), (MOST, 0)
        if window is not None:
            alpha = divmod(floor(window[0] * whole), base)
            beta = divmod(ceil(window[1] * whole), base)
        low_a, low_b, high_a, high_b = self._bounds(words, alpha, beta, most)
        if self._notes[INEXACT]:
            raise Unfit
        return Fraction(low_a * base + low_b, whole), Fraction(high_a * base + high_b, whole)

    def _bounds(
        self, words: Sequence[int], alpha: Sequence[int], beta: Sequence[int], most: int | None
    ) -> tuple[int, ...]:
        """Return both ends of what is proved, in two words each."""
        notes = self._notes
        while True:
            notes[STOP] = 0
            notes[BUDGET] = notes[ASKED] + CHUNK
            found = self._search(
                *(0, *words, *alpha, *beta, self._facts, self._work, self._frames, self._known),
                *(self._lists, self._entries, self._memory, notes),
            )
            why = notes[STOP]
            if why == 0:
                return tuple(int(word) for word in found)
            if why == CROWDED:
                self._entry_bits = min(self._entry_bits + 1, MOST_ENTRY_BITS)
                self._make_room()
            elif why != PAUSED:
                raise Unfit
            self._watch.check()
            if most is not None and notes[ASKED] > most:
                raise LimitHit

    def _make_room(self) -> None:
        """Begin lists anew, with the room that is set."""
        arrays = self._arrays
        list_bits = LIST_BITS + self._entry_bits - ENTRY_BITS
        facts = list(self._packed.facts)
        facts[SIZE_OF_KNOWN], facts[SIZE_OF_MEMORY] = 1 << self._known_bits, 1 << self._memory_bits
        facts[SIZE_OF_LISTS], facts[SIZE_OF_ENTRIES] = 1 << list_bits, 1 << self._entry_bits
        self._facts = arrays.fixed(facts)
        self._lists = arrays.long(LIST << list_bits)
        self._entries = arrays.long(ENTRY << self._entry_bits)
        self._notes[LISTS] = self._notes[ENTRIES] = 0
