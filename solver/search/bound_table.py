# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=False
"""A transposition table of proved intervals, by hashes of 124 bits. Types are in ``bound_table.pxd``.

Values are whole numbers of up to 128 bits, where the C compiler has these, and are kept in two parts.
"""

from __future__ import annotations

from array import array

from solver.search import contest_layout as C


class BoundTable:
    """What is proved of rows.

    Attributes:
        low: the interval at hand, its low end.
        high: its high end.
    """

    def __init__(self) -> None:
        self.low = self.high = 0
        self.mask = 0x3FFFFFFFFFFFFFFF
        self.forget()

    def forget(self) -> None:
        """Drop all values."""
        self.entries = C.FIRST_ENTRIES
        self.filled = 0
        self.make_table()

    def make_table(self) -> None:
        """Make an empty table of so many entries."""
        self.keys = array("Q", bytes(16 * self.entries))
        self.notes = array("i", bytes(4 * self.entries))
        self.kept_high = array("q", bytes(16 * self.entries))
        self.kept_low = array("Q", bytes(16 * self.entries))

    def find(self, a: int, c: int) -> int:
        """Return where a row is kept, or -1."""
        mask = self.entries - 1
        for probe in range(C.PROBES):
            at = (a + probe) & mask
            if self.keys[2 * at] == a and self.keys[2 * at + 1] == c:
                return at
            if self.keys[2 * at] == 0 and self.keys[2 * at + 1] == 0:
                return -1
        return -1

    def recall(self, at: int) -> int:
        """Write what is kept at a place into ``low`` and ``high``, and return its note."""
        self.low = self.kept_high[2 * at]
        self.low = (self.low << C.HALF) + self.kept_low[2 * at]
        self.high = self.kept_high[2 * at + 1]
        self.high = (self.high << C.HALF) + self.kept_low[2 * at + 1]
        return self.notes[at]

    def keep(self, a: int, c: int, note: int) -> int:
        """Keep ``low`` and ``high`` of a row; where there is no room, in the place of the greatest note."""
        if 3 * self.filled > 2 * self.entries and self.entries < C.MOST_ENTRIES:
            self.grow()
        mask = self.entries - 1
        place = -1
        latest = -1
        for probe in range(C.PROBES):
            at = (a + probe) & mask
            empty = 1 if self.keys[2 * at] == 0 and self.keys[2 * at + 1] == 0 else 0
            if empty or (self.keys[2 * at] == a and self.keys[2 * at + 1] == c):
                self.filled += empty
                place = at
                break
            if self.notes[at] > latest:
                latest = self.notes[at]
                place = at
        self.keys[2 * place] = a
        self.keys[2 * place + 1] = c
        self.notes[place] = note
        self.kept_high[2 * place] = self.low >> C.HALF
        self.kept_low[2 * place] = self.low & self.mask
        self.kept_high[2 * place + 1] = self.high >> C.HALF
        self.kept_low[2 * place + 1] = self.high & self.mask
        return 0

    def grow(self) -> int:
        """Make the table four times as large."""
        keys, notes, high, low = self.keys, self.notes, self.kept_high, self.kept_low
        old = self.entries
        self.entries = 4 * old
        self.make_table()
        self.filled = 0
        mask = self.entries - 1
        for i in range(old):
            if keys[2 * i] == 0 and keys[2 * i + 1] == 0:
                continue
            at = keys[2 * i] & mask
            while self.keys[2 * at] or self.keys[2 * at + 1]:
                at = at + 1 & mask
            self.filled += 1
            self.notes[at] = notes[i]
            for end in range(2):
                self.keys[2 * at + end] = keys[2 * i + end]
                self.kept_high[2 * at + end] = high[2 * i + end]
                self.kept_low[2 * at + end] = low[2 * i + end]
        return 0
