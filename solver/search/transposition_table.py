# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""The transposition table of the searches in layers: every position once, with its earliest turn and how it is reached.

It knows no game: a position is a key of bytes, which is stored and compared as a whole, so that no two are ever taken
for one.

The table is open addressing with linear probing (Knuth, The Art of Computer Programming, volume 3, 6.4).
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from solver.search import key_slots, native
from solver.search.budget import BudgetExceeded

if TYPE_CHECKING:
    from numpy.typing import NDArray

KNOWN: Final = 0
"""Outcome of a key that stood in the table and was reached no later before."""
NEW: Final = 1
"""Outcome of a key that did not stand in the table."""
BETTER: Final = 2
"""Outcome of a key that stood in the table and is now reached on an earlier turn."""

COUNT: Final = 0
"""Places in the numbers that compiled code reads and writes."""
MASK: Final = 1
_MOST: Final = (1 << 31) - 2
"""Positions at most: indices have 32 bits."""
_LONGEST: Final = 65535
"""Bytes of a key at most."""
_ROW: Final = np.dtype(
    [(name, "i4") for name in ("parents", "promise")]
    + [(name, "i2") for name in ("turns", "progress", "least", "days")]
    + [("flags", "u1")]
)
"""The columns of a position."""
_GIVEN: Final = ("progress", "least", "days", "promise")
"""Columns that ends bring."""


class Positions:
    """Positions in the order of their arrival, each named by its index from 0 on.

    The attributes ``parents`` (int32; -1 for a start), ``turns``, ``progress``, ``least``, ``days`` (int16),
    ``promise`` (int32) and ``flags`` (uint8) are numpy arrays by index. The caller may write to them, and reads them
    anew after each ``add``, which may move them. Flags are the caller's alone: a new position has 0.
    """

    parents: NDArray[np.int32]
    turns: NDArray[np.int16]
    progress: NDArray[np.int16]
    least: NDArray[np.int16]
    days: NDArray[np.int16]
    promise: NDArray[np.int32]
    flags: NDArray[np.uint8]
    _arena: Any

    def __init__(self, memory: int) -> None:
        """Begin empty, with ``memory`` bytes at most."""
        self.memory = memory
        self._numbers = np.array([0, 15], np.int64)
        """Positions and slots less one, for compiled code (``COUNT``, ``MASK``)."""
        self._rows = np.zeros(0, _ROW)
        self._ends = np.zeros(1, np.int64)  # where the key of each ends in the arena; shifted by one
        self._slots = np.zeros(16, np.int64)
        self._arena = array("B", bytes(64))
        self._filled = 0  # bytes of the arena
        self._show()

    def __len__(self) -> int:
        """Return how many positions there are."""
        return int(self._numbers[COUNT])

    @property
    def bytes_used(self) -> int:
        """Bytes that the table takes."""
        return int(self._rows.nbytes + self._ends.nbytes + self._slots.nbytes + len(self._arena))

    def start(self, key: bytes, progress: int = 0, least: int = 0, days: int = 0) -> int:
        """Add a position that has no parent, on turn 0, and return its index.

        Raises:
            BudgetExceeded: it might not fit.
            ValueError: the key is empty or too long.
        """
        place = np.zeros(1, np.int32)
        offsets = np.array([0, len(key)], np.int64)
        if self._enter(np.frombuffer(key, np.uint8), offsets, place, np.zeros(1, np.uint8)):
            self._rows[place] = (-1, 0, 0, progress, least, days, 0)
        return int(place[0])

    def add(self, ends: Any, sources: NDArray[np.int32], turn: int, outcomes: NDArray[np.uint8]) -> NDArray[np.int32]:
        """Add what is reached on a turn, and return the index of each key.

        A new or better position takes its parent and columns from its first key on that turn. Only that key has the
        outcome NEW or BETTER.

        Args:
            ends: ``keys`` (uint8), ``offsets`` (int64), ``parents`` (int32, places in ``sources``), ``progress``,
                ``least``, ``days`` (int16), ``promise`` (int32) and ``count``; key i is
                ``keys[offsets[i]:offsets[i + 1]]``.
            sources: indices of the positions that were expanded.
            turn: the turn on which the keys are reached.
            outcomes: filled with KNOWN, NEW or BETTER for each key.

        Raises:
            BudgetExceeded: they might not fit; none of them has been added.
            ValueError: a key is empty or too long; none of them has been added.
        """
        count = int(ends.count)
        given = {name: as_column(getattr(ends, name)) for name in ("keys", "offsets", "parents", *_GIVEN)}
        places = np.empty(count, np.int32)
        if not count:
            return places
        outcomes = outcomes[:count]
        self._enter(given["keys"], given["offsets"][: count + 1], places, outcomes)
        self.turns[places[outcomes == NEW]] = turn
        earlier = np.flatnonzero(self.turns[places] > turn)
        if len(earlier):
            _, first = np.unique(places[earlier], return_index=True)
            outcomes[earlier[first]] = BETTER
        changed = np.flatnonzero(outcomes)
        at = places[changed]
        self.turns[at] = turn
        self.parents[at] = sources[given["parents"][changed]]
        for name in _GIVEN:
            self._rows[name][at] = given[name][changed]
        return places

    def key(self, index: int) -> bytes:
        """Return the key of a position."""
        return bytes(self._arena[self._ends[index] : self._ends[index + 1]])

    def gather(self, indices: NDArray[np.int32]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Return the keys of positions one after the other, and their offsets (one more than there are keys)."""
        indices = np.ascontiguousarray(indices, np.int32)
        offsets = np.zeros(len(indices) + 1, np.int64)
        np.cumsum(self._ends[1:][indices] - self._ends[indices], out=offsets[1:])
        keys = np.empty(int(offsets[len(indices)]), np.uint8)
        if len(indices):
            collect(*_views(self._arena, self._ends, indices, keys, offsets))
        return keys, offsets

    def chain(self, index: int) -> list[bytes]:
        """Return the keys from the start to a position, parent by parent: a line of at most as many turns as it has."""
        line = []
        while index >= 0:
            line.append(self.key(index))
            index = int(self.parents[index])
        return line[::-1]

    def _enter(self, keys: NDArray[Any], offsets: NDArray[Any], places: NDArray[Any], outcomes: NDArray[Any]) -> int:
        """Enter keys and return how many are new, their columns still unwritten but for flags of 0."""
        lengths = np.diff(offsets)
        if not lengths.min() or lengths.max() > _LONGEST:
            raise ValueError(f"a key has 1 to {_LONGEST} bytes")
        self._reserve(len(places), int(offsets[len(places)] - offsets[0]))
        new = enter(*_views(self._numbers, keys, offsets, places, outcomes, self._slots, self._arena, self._ends))
        self._filled = int(self._ends[len(self)])
        self._show()
        return new

    def _show(self) -> None:
        """Let the attributes show the columns as far as they are filled."""
        for name in _ROW.fields or ():
            setattr(self, name, self._rows[name][: len(self)])

    def _reserve(self, count: int, size: int) -> None:
        """Make room for so many more positions with so many bytes of keys.

        Raises:
            BudgetExceeded: there is none.
        """
        need = len(self) + count
        room, slots = _roomy(len(self._rows), need), len(self._slots)
        arena = _roomy(len(self._arena), self._filled + size)
        while 4 * need > 3 * slots:
            slots *= 2
        if need > _MOST or room * (_ROW.itemsize + 8) + 8 * slots + arena > self.memory:
            raise BudgetExceeded
        if room > len(self._rows):
            self._rows, self._ends = _grown(self._rows, room), _grown(self._ends, room + 1)
        if slots > len(self._slots):
            old, self._slots = self._slots, np.zeros(slots, np.int64)
            self._numbers[MASK] = slots - 1
            few, many = _views(old, self._slots)
            key_slots.resettle(few, many)
        self._arena.frombytes(bytes(arena - len(self._arena)))


def _roomy(now: int, need: int) -> int:
    """Return a size to grow to: a quarter more than now, if that is enough."""
    return now if need <= now else max(need, now + now // 4)


def _views(*arrays: Any) -> tuple[Any, ...]:
    """Return what gives plain numbers, and the compiled functions a pointer."""
    return tuple(map(memoryview, arrays))


def as_column(numbers: Any) -> NDArray[Any]:
    """Return the numbers of an array, of Python or of numpy, as a numpy array of the same memory."""
    return np.frombuffer(numbers, getattr(numbers, "typecode", None) or numbers.dtype)


def _grown(old: NDArray[Any], room: int) -> NDArray[Any]:
    new = np.zeros(room, old.dtype)
    new[: len(old)] = old
    return new


def enter(numbers: Any, keys: Any, offsets: Any, places: Any, outcomes: Any, slots: Any, arena: Any, ends: Any) -> int:
    """Enter keys behind those that are there; there is room for them. Return how many are new."""
    number, key, offset, place = native.longs(numbers), native.letters(keys), native.longs(offsets), native.ints(places)
    is_new, table, stored, end_of = (
        native.letters(outcomes),
        native.longs(slots),
        native.letters(arena),
        native.longs(ends),
    )
    count = number[0]
    for n in range(len(places)):
        at = offset[n]
        end = offset[n + 1]
        h = key_slots.mixed(key, at, end)
        slot = key_slots.slot_of(h, key, at, end, number, table, stored, end_of)
        is_new[n] = 0 if table[slot] else 1
        if is_new[n]:
            i = end_of[count]
            for k in range(at, end):
                stored[i] = key[k]
                i += 1
            count += 1
            end_of[count] = i
            table[slot] = h << 32 | count
        place[n] = (table[slot] & 0x7FFFFFFF) - 1
    new: int = count - number[0]
    number[0] = count
    return new


def collect(arena: Any, ends: Any, indices: Any, keys: Any, offsets: Any) -> None:
    """Copy the keys of positions to where their offsets say."""
    stored, end_of, index = native.letters(arena), native.longs(ends), native.ints(indices)
    key, offset = native.letters(keys), native.longs(offsets)
    for n in range(len(indices)):
        i = end_of[index[n]]
        for k in range(offset[n], offset[n + 1]):
            key[k] = stored[i]
            i += 1
