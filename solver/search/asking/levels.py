"""One layer of the search over numbered facts: positions in arrays with a table of their own."""

from __future__ import annotations

from typing import Any, Final

from solver.search.arrays import Arrays

NODES: Final = 1 << 11
"""Room for positions to begin with."""
SLOT_BITS: Final = 12


class Level:
    """The positions after so many turns, each once."""

    __slots__ = ("_arrays", "bits", "count", "key", "need", "parent", "slots")

    def __init__(self, arrays: Arrays) -> None:
        self._arrays = arrays
        self.count = 0
        self.key = arrays.long(NODES)
        self.parent = arrays.short(NODES)
        """The place of one position before, in its layer; -1 for none."""
        self.need = arrays.short(NODES)
        """Turns left with which a position that is cut might not be, or how far it is, as ``asking.kernel`` says."""
        self.bits = SLOT_BITS
        self.slots = arrays.empty_slots(1 << self.bits)

    def grow(self, needs: int, enter: Any) -> None:
        """Make room for so many more positions; ``enter`` is ``asking.kernel.enter``, bound."""
        arrays = self._arrays
        if self.count + needs > len(self.key):
            size = 4 * (self.count + needs)
            self.key, self.parent, self.need = (
                arrays.grown(numbers, size) for numbers in (self.key, self.parent, self.need)
            )
        if self.count + needs > (1 << self.bits) // 8 * 5:
            while 2 * (self.count + needs) > (1 << self.bits) // 8 * 5:
                self.bits += 1
            self.slots = arrays.empty_slots(1 << self.bits)
            enter(self.count, self.key, self.slots, self.bits)

    def keep(self, places: Any) -> None:
        """Keep the positions at some places only; the table is of no use any more."""
        for numbers in (self.key, self.parent, self.need):
            self._arrays.keep(numbers, 0, places)
        self.count = len(places)
