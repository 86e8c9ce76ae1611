# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""The transposition table of the searches in layers: every position once, with its earliest turn and how it is reached.

It knows no game: a position is a key of bytes, which is stored and compared as a whole, so that no two are ever taken
for one. Keys lie one behind the other in an arena; ``ends[i]`` to ``ends[i + 1]`` are those of key i.

The table is open addressing with linear probing (Knuth, The Art of Computer Programming, volume 3, 6.4). A slot is 0,
or the hash of a key and its number from 1 on (``h << 32 | i + 1``).
"""

from __future__ import annotations

from array import array
from typing import Any

from solver.search import layout as V
from solver.search import native
from solver.search.budget import BudgetExceeded
from solver.search.native import Ints, Letters, Longs, Shorts


class Ends:
    """The distinct turn ends of some sources, in the order of their sources.

    Attributes:
        count: how many there are; columns and arena have room for more.
        sparing: whether turns that give up something may be left out unless they call a new day: a beam goes without.
        enough: asked now and then whether a source may be left with so many ends; what it raises stops it all.
        parents: by index, as all columns: the number of the source that it comes from.
        promise: a guess of how good it is, for beams; more is better.
        least: further turns to the target that no line falls below, 0 where it is reached.
        days: rounds begun since the start of the question.
        flags: ``OVER`` where the game has ended.
    """

    columns: Any
    enough: Any
    parents: Ints
    promise: Ints
    progress: Ints
    least: Shorts
    days: Shorts
    flags: Letters

    def __init__(self) -> None:
        self.count = 0
        self.sparing = 0
        self.enough = None
        self.columns = ["parents", "promise", "progress", "least", "days", "flags"]
        self.parents, self.promise, self.progress = array("i", [0]), array("i", [0]), array("i", [0])
        self.least, self.days, self.flags = array("h", [0]), array("h", [0]), array("B", [0])
        self.ends = array("q", [0, 0])
        self.arena = array("B", bytes(64))

    def key(self, index: int) -> bytes:
        """Return a key."""
        return bytes(self.arena[self.ends[index] : self.ends[index + 1]])

    def put(self, key: bytes, parent: int, progress: int, least: int, days: int, promise: int, over: int) -> None:
        """Add an end."""
        n = self.count
        self.make_room(n + 1, self.ends[n] + len(key))
        self.ends[n + 1] = self.ends[n] + len(key)
        memoryview(self.arena)[self.ends[n] : self.ends[n + 1]] = key
        self.parents[n] = parent
        self.progress[n] = progress
        self.least[n] = least
        self.days[n] = days
        self.promise[n] = promise
        self.flags[n] = over
        self.count = n + 1

    def make_room(self, number: int, letters: int) -> None:
        """See to it that there is room for so many in all, with so many bytes of keys."""
        if number > len(self.parents):
            self.widen(max(number, 2 * len(self.parents)), 0)
        if letters > len(self.arena):
            self.widen(0, max(letters, 2 * len(self.arena)))

    def widen(self, room: int, letters: int) -> None:
        """Have room for at least so many, with so many bytes of keys; what is there stays."""
        if room > len(self.parents):
            for name in self.columns:
                setattr(self, name, grown(getattr(self, name), room))
            self.ends = grown(self.ends, room + 1)
        if letters > len(self.arena):
            self.arena = grown(self.arena, letters)


class Positions(Ends):
    """Positions in the order of their arrival, each named by its index from 0 on.

    Attributes:
        memory: the bytes that the table takes at most.
        parents: the position from which it is reached; -1 for a start.
        turns: the earliest turn on which it is reached.
        totals: that turn and the turns that a line still needs at least.
        flags: ``OVER``, ``CUT`` and ``EXPANDED`` of the layout.
    """

    turns: Shorts
    totals: Shorts

    def __init__(self, memory: int) -> None:
        super().__init__()
        self.memory = memory
        self.columns = [*self.columns, "turns", "totals"]
        self.turns, self.totals = array("h", [0]), array("h", [0])
        self.slots = array("q", bytes(128))

    @property
    def bytes_used(self) -> int:
        """Bytes that the table takes."""
        return int(len(self.parents) * V.POSITION_BYTES + 8 * len(self.slots) + len(self.arena))

    def add(self, found: Ends, sources: Any, turn: int, total: int) -> None:
        """Add what is reached on a turn.

        Its parents are places in ``sources``. A new position, or one that is now reached on an earlier turn, takes
        its columns from its first key on that turn. No total falls below ``total``, that of the sources. Where there
        is no room (``BudgetExceeded``), none is added.
        """
        number = found.count
        need = self.count + number
        wide = len(self.slots)
        while 4 * need > 3 * wide:
            wide *= 2
        room = roomy(len(self.parents), need)
        size = roomy(len(self.arena), self.ends[self.count] + found.ends[number])
        if need > V.MOST_POSITIONS or room * V.POSITION_BYTES + 8 * wide + size > self.memory:
            raise BudgetExceeded
        if wide > len(self.slots):
            self.slots = resettled(self.slots, wide)
        self.widen(room, size)
        slots, arena, ends = native.longs(self.slots), native.letters(self.arena), native.longs(self.ends)
        keys, offset, source = native.letters(found.arena), native.longs(found.ends), native.ints(sources)
        mask = len(self.slots) - 1
        for n in range(number):
            i = enter(keys, offset[n], offset[n + 1], self.count, mask, slots, arena, ends)
            if i < self.count and self.turns[i] <= turn:
                continue
            if i == self.count:
                self.count += 1
            least = found.least[n]
            self.parents[i] = source[found.parents[n]]
            self.promise[i] = found.promise[n]
            self.turns[i] = turn
            self.least[i] = least
            self.progress[i] = found.progress[n]
            self.days[i] = found.days[n]
            self.totals[i] = max(total, turn + least) if least else turn
            self.flags[i] = found.flags[n]
            if least >= V.UNREACHABLE or (found.flags[n] and least):
                self.flags[i] |= V.CUT

    def gather(self, indices: Any) -> tuple[Any, Any]:
        """Return the keys of positions one after the other, and their offsets (one more than there are keys)."""
        offsets = array("q", bytes(8 * len(indices) + 8))
        index, offset = native.ints(indices), native.longs(offsets)
        for n in range(len(indices)):
            offset[n + 1] = offset[n] + self.ends[index[n] + 1] - self.ends[index[n]]
        keys = array("B", bytes(offset[len(indices)]))
        key, arena = native.letters(keys), native.letters(self.arena)
        for n in range(len(indices)):
            i = self.ends[index[n]]
            for k in range(offset[n], offset[n + 1]):
                key[k] = arena[i]
                i += 1
        return keys, offsets

    def take(self, other: Positions, indices: Any, parents: Any) -> None:
        """Add some positions of another table on turn 0, in their order; ``parents`` are those of all that it has."""
        ends = Ends()
        for i in indices:
            ends.put(other.key(i), i, other.progress[i], 0, other.days[i], other.promise[i], other.flags[i])
        self.add(ends, parents, 0, 0)

    # Which positions come next

    def where(self, flags: int, turn: int, most: int) -> Any:
        """Return the positions of a turn, or any (-1), with just these flags and no greater total; 0: they wait."""
        found = array("i", bytes(4 * self.count))
        place = native.ints(found)
        n = 0
        for i in range(self.count):
            if self.flags[i] == flags and self.totals[i] <= most and (turn < 0 or self.turns[i] == turn):
                place[n] = i
                n += 1
        return found[:n]

    def mark(self, indices: Any) -> None:
        """Note that positions have been expanded."""
        index = native.ints(indices)
        for n in range(len(indices)):
            self.flags[index[n]] |= V.EXPANDED

    def least_total(self, turn: int) -> int:
        """Return the least total of those that wait on a turn or any (-1), ``UNREACHABLE`` where none does."""
        least: int = V.UNREACHABLE
        for i in range(self.count):
            if self.flags[i] == 0 and self.totals[i] < least and (turn < 0 or self.turns[i] == turn):
                least = self.totals[i]
        return least

    def cut(self, left: int) -> int:
        """Cut what cannot get to the target in the turns left; return how many positions stay."""
        n = 0
        for i in range(self.count):
            if self.least[i] > left:
                self.flags[i] |= V.CUT
            n += 0 if self.flags[i] & V.CUT else 1
        return n

    def best(self, turn: int, target: int, farthest: int) -> int:
        """Return the position of a turn at a target or beyond it with the fewest rounds, -1 where there is none.

        With ``farthest`` the one that gets farthest comes first.
        """
        best = -1
        for i in range(self.count):
            if self.turns[i] != turn or self.progress[i] < target or self.flags[i] & V.CUT:
                continue
            ahead = self.progress[i] - self.progress[best] if farthest and best >= 0 else 0
            if best < 0 or ahead > 0 or (ahead == 0 and self.days[i] < self.days[best]):
                best = i
        return best


# Room


def roomy(now: int, need: int) -> int:
    """Return a size to grow to: a quarter more than now, if that is enough."""
    return now if need <= now else max(need, now + now // 4)


def grown(column: Any, room: int) -> Any:
    """Return a column with more room."""
    old = memoryview(column)
    new = array(old.format, [0]) * room
    memoryview(new)[: len(old)] = old
    return new


# Slots


def enter(keys: Letters, at: int, end: int, count: int, mask: int, slots: Longs, arena: Letters, ends: Longs) -> int:
    """Return the index of the key in some bytes: the next one, ``count``, if it is new and has been stored."""
    h = mixed(keys, at, end)
    slot = slot_of(h, keys, at, end, mask, slots, arena, ends)
    if slots[slot] == 0:
        i = ends[count]
        for k in range(at, end):
            arena[i] = keys[k]
            i += 1
        ends[count + 1] = i
        slots[slot] = h << 32 | count + 1
    return (slots[slot] & 0x7FFFFFFF) - 1


def mixed(keys: Letters, at: int, end: int) -> int:
    """Return a hash of 31 bits of some bytes; every product stays below 2**63."""
    h = end - at
    while at + 4 <= end:
        w = keys[at + 3]
        w = w << 8 | keys[at + 2]
        w = w << 8 | keys[at + 1]
        w = w << 8 | keys[at]
        h = (h ^ w) * 0x2C1B3C6D
        h = (h ^ h >> 31) & 0x7FFFFFFF
        at += 4
    while at < end:
        w = keys[at]
        h = (h ^ w) * 0x2C1B3C6D
        h = (h ^ h >> 31) & 0x7FFFFFFF
        at += 1
    h = h * 0x297A2D39
    return (h ^ h >> 31) & 0x7FFFFFFF


def slot_of(h: int, keys: Letters, at: int, end: int, mask: int, slots: Longs, arena: Letters, ends: Longs) -> int:
    """Return the slot that holds a key of hash h (h << 32 | index + 1), or the empty one (0) where it belongs."""
    slot = h & mask
    while slots[slot] != 0:
        if slots[slot] >> 32 == h:
            index = (slots[slot] & 0x7FFFFFFF) - 1
            i = ends[index]
            if ends[index + 1] - i == end - at:
                k = at
                while k < end and arena[i] == keys[k]:
                    i += 1
                    k += 1
                if k == end:
                    return slot
        slot = (slot + 1) & mask
    return slot


def resettled(old: Any, size: int) -> Any:
    """Return so many slots, more than before, with what stands in some."""
    new = array("q", bytes(8 * size))
    filled, table = native.longs(old), native.longs(new)
    for n in range(len(old)):
        if filled[n]:
            slot = (filled[n] >> 32) & (size - 1)
            while table[slot]:
                slot = (slot + 1) & (size - 1)
            table[slot] = filled[n]
    return new
