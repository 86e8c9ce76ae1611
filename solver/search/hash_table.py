# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""A table from hashes of two words to some words of data: the transposition table of the searches over rows.

Two rows are taken for one only if 124 bits agree. The table is open addressing with linear probing (Knuth, The Art of
Computer Programming, volume 3, 6.4).
"""

from __future__ import annotations

from array import array
from typing import Any, Final

from solver.search.native import Doubles, Halves, Longs, Word, Words

FIRST_ENTRIES: Final = 16384


class HashTable:
    """Entries of ``size`` words each: two of the hash, and the data of a subclass.

    Attributes:
        words: all entries, as unsigned words; ``signed``, ``doubles`` and ``halves`` show the same memory.
        filled: the number of entries in use.
    """

    words: Words
    signed: Longs
    doubles: Doubles
    halves: Halves

    def __init__(self, size: int, memory: int, entries: int = FIRST_ENTRIES) -> None:
        """``memory`` is the number of bytes up to which the table grows; ``entries`` is a power of 2."""
        self.size = size
        self.memory = memory
        self.first_entries = entries
        self.entries = self.filled = 0
        self.forget()

    def forget(self) -> None:
        """Drop all entries."""
        self.entries = self.first_entries
        self.filled = 0
        self.show(array("Q", bytes(8 * self.size * self.entries)))

    def show(self, words: Any) -> None:
        """Take some words as the entries."""
        raw = memoryview(words).cast("B")
        self.words, self.signed, self.doubles, self.halves = words, raw.cast("q"), raw.cast("d"), raw.cast("I")

    def find(self, a: Word, c: Word) -> int:
        """Return the first word of the entry of a hash, -1 if there is none."""
        mask = self.entries - 1
        at = a & mask
        word = self.size * at
        while self.words[word] or self.words[word + 1]:
            if self.words[word] == a and self.words[word + 1] == c:
                return word
            at = at + 1 & mask
            word = self.size * at
        return -1

    def insert(self, a: Word, c: Word) -> int:
        """Return the first word of an entry for a hash that the table does not have, -1 where there is no room."""
        if 3 * self.filled > 2 * self.entries and not self.grow():
            return -1
        self.filled += 1
        return self.write_hash(a, c)

    def write_hash(self, a: Word, c: Word) -> int:
        """Write a hash where it belongs, and return its first word."""
        mask = self.entries - 1
        at = a & mask
        while self.words[self.size * at] or self.words[self.size * at + 1]:
            at = at + 1 & mask
        at *= self.size
        self.words[at] = a
        self.words[at + 1] = c
        return at

    def grow(self) -> int:
        """Make the table four times as large, as long as the memory allows it."""
        size = self.size
        if 32 * size * self.entries > self.memory:
            return 0
        words = self.words
        old = size * self.entries
        self.entries = 4 * self.entries
        self.show(array("Q", bytes(8 * size * self.entries)))
        for word in range(0, old, size):
            if words[word] or words[word + 1]:
                at = self.write_hash(words[word], words[word + 1])
                for i in range(2, size):
                    self.words[at + i] = words[word + i]
        return 1
