# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""Rows as short keys and back, and the distinct turn ends of many keys.

``s`` are rows, ``b`` is where a row begins, ``k`` is the table of a key's fields (``layout``).
"""

from __future__ import annotations

from array import array
from typing import Any

from solver.encodings.iditacards import dogs, hand, machine
from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards.bound import layout as BL
from solver.encodings.iditacards.bound import lower_bound
from solver.search import native, transposition_table
from solver.search.native import Ints, Key, Letters, Longs, Row, Shorts, Table

# Rows to keys and back: both functions go through the same fields


def write_row(key: Letters, at: int, k: Table, s: Row, b: int) -> int:
    """Write the key of a row from a byte on, and return the byte behind it, -1 if it does not fit."""
    spoilt = 0
    for i in range(k[L.KEY_ENTRIES]):
        if i == k[L.KEY_HEAD] and s[b + L.POSITION] >= k[L.KEY_LIMIT]:
            break
        e = L.KEY_HEADER + L.KEY_W * i
        field = b + k[e + L.KEY_FIELD]
        value = min(s[field], k[e + L.KEY_CAP]) - k[e + L.KEY_BASE]
        size = k[e + L.KEY_SIZE]
        spoilt |= value >> 8 * size
        key[at] = value & 255
        if size == 2:
            key[at + 1] = value >> 8 & 255
        at += size
        if k[e + L.KEY_ITEMS]:
            first = b + k[e + L.KEY_ITEMS]
            size = k[e + L.KEY_ITEM_SIZE]
            for j in range(first, first + k[e + L.KEY_WIDTH] * s[field]):
                spoilt |= s[j] >> 8 * size
                key[at] = s[j] & 255
                if size == 2:
                    key[at + 1] = s[j] >> 8
                at += size
    return -1 if spoilt else at


def read_row(key: Letters, at: int, k: Table, s: Row, b: int) -> int:
    """Read the key that begins at a byte into a row that has all else."""
    for i in range(k[L.KEY_ENTRIES]):
        if i == k[L.KEY_HEAD] and s[b + L.POSITION] >= k[L.KEY_LIMIT]:
            break
        e = L.KEY_HEADER + L.KEY_W * i
        field = b + k[e + L.KEY_FIELD]
        value = key[at]
        if k[e + L.KEY_SIZE] == 2:
            value |= key[at + 1] << 8
        at += k[e + L.KEY_SIZE]
        s[field] = value + k[e + L.KEY_BASE]
        if k[e + L.KEY_ITEMS]:
            first = b + k[e + L.KEY_ITEMS]
            for j in range(first, first + k[e + L.KEY_WIDTH] * s[field]):
                s[j] = key[at]
                if k[e + L.KEY_ITEM_SIZE] == 2:
                    s[j] = key[at] | key[at + 1] << 8
                at += k[e + L.KEY_ITEM_SIZE]
    return at


# Facts about a row


def holds_kept(s: Row, b: int, k: Table, t: Table) -> int:
    """Return whether the player has as many of each card as are to be kept, in hand, deck, play or set aside."""
    for i in range(k[L.KEY_N_KEPT]):
        card = k[k[L.KEY_KEPT] + 2 * i]
        missing = k[k[L.KEY_KEPT] + 2 * i + 1]
        for j in range(s[b + L.N_HAND]):
            missing -= 1 if s[b + L.HAND + j] == card else 0
        for j in range(s[b + L.N_DECK]):
            missing -= 1 if s[b + L.DECK + j] == card else 0
        for j in range(s[b + L.N_SEEN]):
            missing -= 1 if s[b + L.SEEN + j] == card else 0
        for j in range(s[b + L.N_STACK]):
            missing -= 1 if s[b + L.STACK + L.FRAME_W * j + L.FRAME_CARD] == card else 0
        for j in range(L.DOG_W * s[b + L.N_DOGS]):
            missing -= 1 if s[b + L.DOGS + j] == card else 0
        for j in range(t[L.H_N_LEGENDARY]):
            if s[b + L.LEGENDARY] >> j & 1:
                missing -= 1 if t[t[L.H_LEGENDARY] + j] == card else 0
        if missing > 0:
            return 0
    return 1


def least_turns(s: Row, b: int, t: Table, bounds: Table, target: int, room: Longs) -> int:
    """Return a number of further turns to the target that no line falls below, ``NEVER`` where there is none."""
    if s[b + L.POSITION] >= target:
        return 0
    return L.NEVER if s[b + L.OVER] else lower_bound.least(s, b, t, bounds, target, room)


# Many sources at once


class Expander:
    """Plays the turns of keys and writes the distinct ends of each.

    ``target`` is what the ends are bound to, by the machine's ``table`` and the table of the ``bounds``, both int32.
    """

    ends: Any
    keys: Letters
    offsets: Longs
    parents: Ints
    progress: Ints
    least: Shorts
    days: Shorts
    promise: Ints
    over: Letters
    capacity: int
    key_bytes: int

    def __init__(self, k: Table, template: Row) -> None:
        """``k`` is the table of a key's fields, int32, ``template`` the row of all that keys do not hold, int16."""
        self.k = k
        self.template = template
        self.work = array("h", bytes(2 * L.W * L.MOST_WORK))
        self.slots = array("q")
        self.first = self.count = 0
        self.room = array("q", bytes(8 * BL.ROOM))
        self.target = 0
        self.table = self.bounds = array("i", [0])
        self.out = array("B", bytes(L.MOST_KEY))

    def attach(self, ends: Any) -> None:
        """Write into the arrays of these ends (``solver.search.problem.Ends``) from now on, behind what is there."""
        self.ends = ends
        self.keys = memoryview(ends.keys)
        self.offsets = memoryview(ends.offsets)
        self.parents = memoryview(ends.parents)
        self.progress = memoryview(ends.progress)
        self.least = memoryview(ends.least)
        self.days = memoryview(ends.days)
        self.promise = memoryview(ends.promise)
        self.over = memoryview(ends.over)
        self.capacity = len(ends.parents)
        self.key_bytes = len(ends.keys)

    def error(self) -> tuple[int, int, int]:
        """Return the error of the row for which ``play`` gave up: code and two numbers."""
        return self.work[L.ERROR], self.work[L.ERROR_A], self.work[L.ERROR_B]

    def read(self, key: Any, row: Any) -> None:
        """Read a key into a row that has all else already."""
        read_row(native.letters(key), 0, native.ints(self.k), native.shorts(row), 0)

    def write(self, row: Any) -> bytes:
        """Return the key of a row.

        Raises:
            OverflowError: it does not fit.
        """
        end = write_row(native.letters(self.out), 0, native.ints(self.k), native.shorts(row), 0)
        if end < 0:
            raise OverflowError("a table does not fit in a key")
        return bytes(self.out[:end])

    def write_shape(self, key: Any) -> bytes:
        """Return what is left of a key once its hand is discarded."""
        s = native.shorts(self.work)
        native.copy(s, 0, native.shorts(self.template), 0, L.W)
        self.read(key, self.work)
        hand.discard_hand(s, 0)
        return self.write(self.work)

    def least_in(self, row: Any, target: int) -> int:
        """Return what ``Ends.least`` says of a row."""
        return least_turns(
            native.shorts(row), 0, native.ints(self.table), native.ints(self.bounds), target, native.longs(self.room)
        )

    def promise_in(self, row: Any) -> int:
        """Return what ``Ends.promise`` says of a row."""
        return lower_bound.evaluate(native.shorts(row), 0, native.ints(self.table), native.longs(self.room))

    def play(self, keys: Key, offsets: Longs, source: int) -> int:
        """Play the turn of a source; return ``PLAYED``, or ``CUT`` or ``FAILED`` where it came to no end.

        A source that has failed leaves no ends.

        Raises:
            OverflowError: an end does not fit in a key.
        """
        s = native.shorts(self.work)
        t = native.ints(self.table)
        native.copy(s, 0, native.shorts(self.template), 0, L.W)
        read_row(native.letters(keys), offsets[source], native.ints(self.k), s, 0)
        count = self.ends.count
        self.first = self.count = count
        self.slots = array("q", bytes(8 * L.FIRST_SLOTS))
        top = 0 if s[L.OVER] else machine.begin_turn(s, 0)
        steps = 0
        while top > 0:
            steps += 1
            if steps % L.STEPS == 0 and self.ends.enough(self.count - self.first):
                self.ends.count = self.count
                return L.CUT
            b = L.W * (top - 1)
            rows = machine.step(s, b, t, top)
            if s[b + L.ERROR] or rows >= L.MOST_WORK:
                self.fail(b)
                return L.FAILED
            if rows >= 0:
                top = rows
            else:
                self.store(b, source)
                top -= 1
        self.ends.count = self.count
        return L.PLAYED

    def fail(self, b: int) -> int:
        """Put the error of row b into the first row."""
        s = native.shorts(self.work)
        error = s[b + L.ERROR]
        s[L.ERROR_A] = s[b + L.ERROR_A]
        s[L.ERROR_B] = s[b + L.ERROR_B]
        s[L.ERROR] = error if error else L.ERROR_WORK
        return 0

    def store(self, b: int, source: int) -> int:
        """Write the end of a turn in row b if it is new."""
        s = native.shorts(self.work)
        dogs.tidy(s, b)
        k = native.ints(self.k)
        if k[L.KEY_N_KEPT] and not holds_kept(s, b, k, native.ints(self.table)):
            return 0
        start = self.offsets[self.count]
        while self.count >= self.capacity or start + L.MOST_KEY > self.key_bytes:
            self.ends.grow()
            self.attach(self.ends)
        if 2 * (self.count - self.first) >= len(self.slots):
            self.slots = transposition_table.resettled(self.slots, 2 * len(self.slots))
        end = write_row(native.letters(self.keys), start, k, s, b)
        if end < 0:
            raise OverflowError("a table does not fit in a key")
        if self.is_new(start, end):
            self.offsets[self.count + 1] = end
            self.note(b, source)
        return 0

    def is_new(self, start: int, end: int) -> int:
        """Return whether no earlier end of this source has the key in these bytes, and remember it."""
        keys = native.letters(self.keys)
        slots = native.longs(self.slots)
        h = transposition_table.mixed(keys, start, end)
        mask = len(self.slots) - 1
        slot = transposition_table.slot_of(h, keys, start, end, mask, slots, keys, native.longs(self.offsets))
        if slots[slot]:
            return 0
        slots[slot] = h << 32 | self.count + 1
        return 1

    def note(self, b: int, source: int) -> int:
        """Keep the end whose key has just been written."""
        s = native.shorts(self.work)
        n = self.count
        self.parents[n] = source
        self.progress[n] = s[b + L.POSITION]
        self.least[n] = least_turns(
            s, b, native.ints(self.table), native.ints(self.bounds), self.target, native.longs(self.room)
        )
        self.days[n] = s[b + L.DAYS] - self.template[L.DAYS]
        self.promise[n] = lower_bound.evaluate(s, b, native.ints(self.table), native.longs(self.room))
        self.over[n] = s[b + L.OVER]
        self.count = n + 1
        return 0
