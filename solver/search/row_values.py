# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""Exact values of rows with chance: expectimax with a transposition table (Russell and Norvig, chapter 5).

It knows no game: a game tells how a row goes on, what chance may bring and by which parts of it rows are alike.

Values are kept twice, as floating point numbers and exactly. The exact form is that of modular arithmetic (Knuth, The
Art of Computer Programming, volume 2, 4.3.2): what remains of the fraction by each of several primes. Options are
compared by the floating point numbers; those that lie too close for that are equal if all remainders are. If they are
not, ``doubts`` says so, and the value is that of a way to play, but perhaps not of the best one.

Two rows are taken for one only if 124 bits of their hashes agree. The table is open addressing with linear probing
(Knuth, volume 3, 6.4).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from fractions import Fraction
from math import gcd, inf, isinf
from typing import Any, Final

from solver.search import layout as V
from solver.search import native
from solver.search.native import Doubles, Halves, Longs, Word, Words

FIRST_ENTRIES: Final = 16384
"""Entries of a table of values at the beginning."""
MODULI: Final = (2147483647, 2147483629, 2147483587, 2147483579, 2147483563, 2147483549)
"""The greatest primes below 2 to the power of 31."""
FACTORS: Final = (0x1E3779B97F4A7C15, 0x22B2AE3D27D4EB4F)
"""Odd numbers by which hashes are multiplied (Knuth, The Art of Computer Programming, volume 3, 6.4)."""
WORDS: Final = 3 + V.PRIMES // 2
"""Words of an entry of the table: two of the hash, the value, and its remainders."""


class HashTable:
    """A table from hashes of two words to entries of ``size`` words: those two, and the data of a subclass.

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
        self.filled = 0
        self.entries = entries
        self.show(array("Q", bytes(8 * size * entries)))

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


class RowValues(HashTable):
    """The values of one question; a game's subclass tells ``advance``, ``outcome`` and ``hash_row``.

    Attributes:
        lost: the value of a row from which the goal must not be missed but is.
        least: whether the least value is best.
        cost: what each turn adds.
        enough: a value that none exceeds, from which on further options are not looked at.
        certain: whether chance is worth nothing unless all of its results are worth ``enough``.
    """

    hash_a: Word
    hash_b: Word
    factor_a: Word
    factor_b: Word
    mask: Word
    last: int
    enough: float

    def __init__(self, width: int, rows: int, memory: int, pause: Callable[[], None]) -> None:
        """``width`` int16 numbers make a row; ``rows`` of them may be open at a time.

        ``memory`` is the number of bytes for the table. ``pause`` is called now and then; what it raises ends the
        search, and what was found stands.
        """
        super().__init__(WORDS, memory)
        self.width = width
        self.last = width * (rows - 2)
        self.work = array("h", bytes(2 * width * rows))
        self.moduli = array("q", MODULI)
        self.inverses = array("q", [pow(n, -1, p) if n else 0 for p in MODULI for n in range(V.SMALL)])
        self.remainders = array("q", [0] * V.PRIMES)
        self.sums = array("q", [0] * (2 * V.PRIMES * (rows + 2)))
        self.pause = pause
        self.lost = 0.0
        self.least = 0
        self.cost = 0
        self.enough = inf
        self.certain = 0
        self.count = 0
        self.doubts = 0
        self.scratch = array("h", bytes(2 * max(2 * width, V.LEAST_SCRATCH)))
        self.factor_a, self.factor_b = FACTORS
        self.mask = (1 << 62) - 1
        self.hash_a = self.hash_b = 0
        self.moved = self.place = self.leaf_number = 0
        self.leaf = 0.0
        self.next_pause = V.PAUSE

    # What a game tells

    def advance(self, b: int) -> int:
        """Let the row at b go on to what ``layout`` lists; ``moved`` says whether that took a step."""
        raise NotImplementedError

    def outcome(self, b: int, place: int) -> int:
        """Write the next result of chance from a place on behind the row; return its weight, 0 if there is none.

        ``place`` is 0 at first, then what ``self.place`` was set to.
        """
        raise NotImplementedError

    def hash_row(self, b: int) -> None:
        """Write two numbers of 64 bits into ``hash_a`` and ``hash_b``, equal only for rows of the same value."""
        raise NotImplementedError

    def digest(self, n: int) -> None:
        """Hash the first numbers of the scratch."""
        out = native.shorts(self.scratch)
        a = self.factor_a
        c = self.factor_b
        mask = self.mask
        h = a
        g = c
        for i in range(n):
            word = out[i] & 65535
            h = (h ^ word) * a & mask
            g = (g ^ word) * c & mask
            h ^= h >> 29
            g ^= g >> 32
        self.hash_a = h
        self.hash_b = g

    # Values

    def fraction_of(self) -> Fraction | None:
        """Return the value of the first row, none where it is lost for sure.

        Raises:
            OverflowError: the row needs more than the game's encoding has, or the fraction does not fit.
        """
        value = self.value(0, 0)
        return None if isinf(value) else rational([self.remainders[i] for i in range(V.PRIMES)], value)

    def look_up(self, b: int) -> int:
        """Count and hash a row; return the first word of its entry, -1 if there is none."""
        if b > self.last:
            raise OverflowError("too many rows are open")
        self.count += 1
        if self.count >= self.next_pause:
            self.next_pause = self.count + V.PAUSE
            self.pause()
        self.hash_row(b)
        return self.find(self.hash_a, self.hash_b)

    def value(self, b: int, depth: int) -> float:
        """Return the value of a row, its exact form in ``remainders``."""
        at = self.look_up(b)
        a = self.hash_a
        c = self.hash_b
        if at >= 0:
            for i in range(V.PRIMES):
                self.remainders[i] = self.halves[2 * at + 6 + i]
            return self.doubles[at + 2]
        best = self.lost
        exact = 2 * V.PRIMES * depth
        has = 0
        for i in range(V.PRIMES):
            self.sums[exact + i] = 0
        while True:
            kind = self.advance(b)
            if kind == V.DEAD:
                break
            if kind == V.OPTION:
                value = self.value(b + self.width, depth + 1)
            elif kind == V.CHANCE and self.moved == 0:
                value = self.mean(b, depth)
            elif kind == V.SETTLED:
                value = self.leaf
                for i in range(V.PRIMES):
                    self.remainders[i] = self.leaf_number
            elif kind == V.BROKEN:
                raise OverflowError("a row needs more than the encoding has")
            else:
                value = self.value(b, depth + 1)
            if kind == V.TURN and self.cost:
                value += self.cost
                for i in range(V.PRIMES):
                    self.remainders[i] = (self.remainders[i] + self.cost) % self.moduli[i]
            if self.is_better(value, best, exact, has):
                best = value
                for i in range(V.PRIMES):
                    self.sums[exact + i] = self.remainders[i]
            has = 1
            if kind != V.OPTION or (not self.least and best >= self.enough):
                break
        for i in range(V.PRIMES):
            self.remainders[i] = self.sums[exact + i]
        self.store(a, c, best)
        return best

    def is_better(self, value: float, best: float, exact: int, has: int) -> int:
        """Return whether a value is better than the best one so far."""
        if not has or (best == self.lost and value != best):
            return 1
        if value == self.lost:
            return 0
        difference = best - value if self.least else value - best
        margin = 1e-9  # below this relative difference floating point numbers do not tell which value is greater
        if best > 1:
            margin *= best
        if difference > margin:
            return 1
        if difference < -margin:
            return 0
        for i in range(V.PRIMES):
            if self.remainders[i] != self.sums[exact + i]:
                self.doubts += 1
                return 1 if difference > 0 else 0
        return 0

    def mean(self, b: int, depth: int) -> float:
        """Return the mean over the results of chance at a row."""
        exact = 2 * V.PRIMES * depth + V.PRIMES
        for i in range(V.PRIMES):
            self.sums[exact + i] = 0
        total = 0
        mean = 0.0
        place = 0
        while True:
            weight = self.outcome(b, place)
            if weight == 0:
                break
            place = self.place
            value = self.value(b + self.width, depth + 1)
            if self.certain and value != self.enough:
                for i in range(V.PRIMES):
                    self.remainders[i] = 0
                return 0.0
            total += weight
            mean += weight * value
            for i in range(V.PRIMES):
                self.sums[exact + i] = (self.sums[exact + i] + weight * self.remainders[i]) % self.moduli[i]
        for i in range(V.PRIMES):
            inverse = self.inverses[V.SMALL * i + total] if total < V.SMALL else self.inverse(total, self.moduli[i])
            self.remainders[i] = self.sums[exact + i] * inverse % self.moduli[i]
        return mean / total

    def inverse(self, n: int, p: int) -> int:
        """Return the inverse of a number by a prime."""
        return pow(n, -1, p)

    def store(self, a: Word, c: Word, value: float) -> None:
        """Keep a value with its remainders, if there is room."""
        at = self.insert(a, c)
        if at >= 0:
            self.doubles[at + 2] = value
            for i in range(V.PRIMES):
                self.halves[2 * at + 6 + i] = self.remainders[i]


def rational(remainders: list[int], value: float) -> Fraction:
    """Return the fraction with these remainders by ``MODULI`` (Wang's reconstruction), near to a floating point number.

    Raises:
        OverflowError: no fraction that is small enough has them.
    """
    number, modulus = 0, 1
    for remainder, prime in zip(remainders, MODULI, strict=True):
        number += modulus * ((remainder - number) * pow(modulus, -1, prime) % prime)
        modulus *= prime
    limit = 1 << (modulus.bit_length() // 2 - 8)
    above, below = (modulus, 0), (number, 1)
    while below[0] > limit:
        quotient = above[0] // below[0]
        above, below = below, (above[0] - quotient * below[0], above[1] - quotient * below[1])
    over, under = below
    if under < 0:
        over, under = -over, -under
    if not under or under > limit or gcd(over, under) != 1 or abs(over / under - value) > 1e-7 * max(1.0, abs(value)):
        raise OverflowError("a value is no fraction of numbers that fit")
    return Fraction(over, under)
