# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""Rows as short keys and back, and the distinct turn ends of many keys. Types are in ``keys.pxd``.

``s`` are rows, ``b`` is where a row begins, ``k`` is the table of a key's fields (``layout``). ``pen`` are five
numbers: bits that are not written or read yet, how many, the next byte, whether it reads, whether the key is spoilt.
"""

from __future__ import annotations

from array import array
from typing import Any

from solver.encodings.iditacards import dogs, hand, machine
from solver.encodings.iditacards import key_layout as K
from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards.bound import layout as BL
from solver.encodings.iditacards.bound import lower_bound

try:
    import cython
except ImportError:
    from solver.encodings import uncompiled as cython

if not cython.compiled:
    from builtins import memoryview as ints
    from builtins import memoryview as letters
    from builtins import memoryview as longs
    from builtins import memoryview as shorts

Row = Any
"""Rows of int16; as in the others a buffer, and a pointer in compiled code."""
Fields = Any
"""The table of a key's fields, int32."""
Bytes = Any
Pen = Any
"""Three numbers, int64."""


def is_compiled() -> bool:
    """Return whether this module runs compiled."""
    return bool(cython.compiled)


# Rows to keys and back: ``pen`` says in which direction, and each function goes through the same numbers in both


def number(key: Bytes, pen: Pen, value: int, bits: int) -> int:
    """Write a number and return it, or read one; one that does not fit spoils the key."""
    if pen[K.PEN_READS]:
        while pen[1] < bits:
            pen[0] |= key[pen[2]] << pen[1]
            pen[1] += 8
            pen[2] += 1
        value = pen[0] & (1 << bits) - 1
        pen[0] >>= bits
        pen[1] -= bits
        return value
    if value < 0 or value >> bits:
        pen[K.PEN_BAD] = 1
        return value
    pen[0] |= value << pen[1]
    pen[1] += bits
    while pen[1] >= 8:
        key[pen[2]] = pen[0] & 255
        pen[0] >>= 8
        pen[1] -= 8
        pen[2] += 1
    return value


def card(key: Bytes, pen: Pen, k: Fields, kind: int) -> int:
    """Write or read the code of a card; return its kind."""
    if pen[K.PEN_READS]:
        kind = k[k[K.KEY_KINDS] + number(key, pen, 0, k[K.KEY_CARD_BITS])]
    else:
        number(key, pen, k[k[K.KEY_CODES] + kind], k[K.KEY_CARD_BITS])
    return kind


def hand_cards(key: Bytes, pen: Pen, k: Fields, s: Row, b: int, n: int) -> int:
    """Write or read what is owed by age, and the hand cards with their ages where there are several."""
    ages = number(key, pen, s[b + L.AGES], K.AGE_BITS)
    s[b + L.AGES] = ages
    for i in range(b + L.OWED, b + L.OWED + ages + 1):
        s[i] = number(key, pen, s[i], k[K.KEY_OWED_BITS])
    for i in range(b + L.HAND, b + L.HAND + n):
        age = s[i] // L.AGE
        kind = card(key, pen, k, s[i] & L.AGE - 1)
        s[i] = kind + L.AGE * (number(key, pen, age, K.AGE_BITS) if ages else 0)
    return 0


def dogs_in_play(key: Bytes, pen: Pen, k: Fields, s: Row, b: int) -> int:
    """Write or read the dogs in play with their attachments."""
    n = number(key, pen, s[b + L.N_DOGS], K.COUNT_BITS)
    s[b + L.N_DOGS] = n
    for dog in range(n):
        at = b + L.DOGS + L.DOG_W * dog
        worn = 0
        while worn < L.MOST_ATTACHMENTS and s[at + 1 + worn]:
            worn += 1
        worn = number(key, pen, worn, K.WORN_BITS)
        for i in range(L.DOG_W):
            s[at + i] = card(key, pen, k, s[at + i]) if i <= worn else 0
    return 0


def frames(key: Bytes, pen: Pen, k: Fields, s: Row, b: int) -> int:
    """Write or read the frames of the risk stack."""
    n = number(key, pen, s[b + L.N_STACK], K.COUNT_BITS)
    s[b + L.N_STACK] = n
    for frame in range(n):
        at = b + L.STACK + L.FRAME_W * frame
        s[at + L.FRAME_CARD] = card(key, pen, k, s[at + L.FRAME_CARD])
        for i in range(at + L.FRAME_NEED, at + L.FRAME_PAID + 1):
            s[i] = number(key, pen, s[i], k[K.KEY_FRAME_BITS])
        old = s[b + L.DAY] - s[at + L.FRAME_DAY]
        s[at + L.FRAME_DAY] = s[b + L.DAY] - number(key, pen, old, k[K.KEY_AGE_BITS])
        second = number(key, pen, s[at + L.FRAME_STATE] & L.FRAME_SECOND, 1)
        s[at + L.FRAME_STATE] = second
        s[at + L.FRAME_N] = number(key, pen, s[at + L.FRAME_N], K.DESTROYED_BITS) if second else 0
    return 0


def pass_row(key: Bytes, pen: Pen, k: Fields, s: Row, b: int) -> int:
    """Write the key of a row from byte ``pen[2]`` on, which moves behind it, or read one into a row that has all else.

    Return more than 0 if it does not fit.
    """
    pen[0] = pen[1] = pen[K.PEN_BAD] = 0
    for i in range(k[K.KEY_ENTRIES]):
        if i == k[K.KEY_HEAD] and s[b + L.POSITION] >= k[K.KEY_LIMIT]:
            break
        e = K.KEY_HEADER + K.KEY_W * i
        field = b + k[e + K.KEY_FIELD]
        base = k[e + K.KEY_BASE]
        form = k[e + K.KEY_FORM]
        if k[e + K.KEY_WHEN] >= 0 and s[b + k[e + K.KEY_WHEN]] == 0:
            s[field] = 0
        elif form == K.FORM_DOGS:
            dogs_in_play(key, pen, k, s, b)
        elif form == K.FORM_STACK:
            frames(key, pen, k, s, b)
        elif form == K.FORM_CAPPED:
            value = number(key, pen, min(s[field], base), k[e + K.KEY_BITS])
            if pen[K.PEN_READS]:
                s[field] = value
        elif form == K.FORM_NUMBER:
            if k[e + K.KEY_FROM] >= 0:
                base += s[b + k[e + K.KEY_FROM]]
            s[field] = base + number(key, pen, s[field] - base, k[e + K.KEY_BITS])
        else:
            s[field] = number(key, pen, s[field], k[e + K.KEY_BITS])
            if form == K.FORM_HAND:
                hand_cards(key, pen, k, s, b, s[field])
            else:
                for j in range(b + base, b + base + s[field]):
                    s[j] = card(key, pen, k, s[j])
    if pen[1] and not pen[K.PEN_READS]:
        key[pen[2]] = pen[0]
        pen[2] += 1
    bad: int = pen[K.PEN_BAD]
    return bad


# Facts about a row


def holds_kept(s: Row, b: int, k: Fields, t: Fields) -> int:
    """Return whether the player has as many of each card as are to be kept, in hand, deck, play or set aside."""
    for i in range(k[K.KEY_N_KEPT]):
        card = k[k[K.KEY_KEPT] + 2 * i]
        missing = k[k[K.KEY_KEPT] + 2 * i + 1]
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


def least_turns(s: Row, b: int, t: Fields, bounds: Fields, target: int, room: Row) -> int:
    """Return a number of further turns to the target that no line falls below, ``NEVER`` where there is none."""
    if s[b + L.POSITION] >= target:
        return 0
    return K.NEVER if s[b + L.OVER] else lower_bound.least(s, b, t, bounds, target, room)


# Many sources at once


class Expander:
    """Plays the turns of keys and writes the distinct ends of each; goes on from where it was.

    ``source`` is the number of the key under way, ``top`` its open rows, 0 before it has begun; ``target`` is what
    its ends are bound to, by the machine's ``table`` and the table of the ``bounds``, both int32.
    """

    def __init__(self, k: Any, template: Any) -> None:
        """``k`` is the table of a key's fields, int32, ``template`` the row of all that keys do not hold, int16."""
        self.k = k
        self.template = template
        self.work = array("h", bytes(2 * L.W * L.MOST_WORK))
        self.pen = array("q", [0] * 5)
        self.n_slots = K.FIRST_SLOTS
        self.slots = array("q", bytes(8 * self.n_slots))
        self.top = 0
        self.begun = 0
        self.room = array("q", bytes(8 * BL.ROOM))
        self.source = self.target = 0
        self.table = self.bounds = array("i", [0])
        self.out = array("B", bytes(K.MOST_KEY))

    def attach(self, ends: Any) -> None:
        """Write into these arrays (``solver.search.layered.Ends``) from now on, behind what is there."""
        self.keys = memoryview(ends.keys)
        self.offsets = memoryview(ends.offsets)
        self.parents = memoryview(ends.parents)
        self.progress = memoryview(ends.progress)
        self.least = memoryview(ends.least)
        self.days = memoryview(ends.days)
        self.promise = memoryview(ends.promise)
        self.over = memoryview(ends.over)
        self.capacity = len(ends.parents)
        self.bytes = len(ends.keys)
        self.count = ends.count
        self.first = ends.count

    def drop_source(self) -> None:
        """Give up what came from the source under way, to begin it anew."""
        self.count = self.first
        self.top = 0

    def grow_slots(self) -> None:
        """Make place for twice as many distinct ends of one source."""
        self.n_slots *= 2
        self.slots = array("q", bytes(8 * self.n_slots))

    def error(self) -> tuple[int, int, int]:
        """Return the error of the row that ``EXPAND_ERROR`` is about: code and two numbers."""
        return self.work[L.ERROR], self.work[L.ERROR_A], self.work[L.ERROR_B]

    def read(self, key: Any, row: Any) -> None:
        """Read a key into a row that has all else already."""
        self.pen[2], self.pen[K.PEN_READS] = 0, 1
        pass_row(letters(key), longs(self.pen), ints(self.k), shorts(row), 0)

    def write(self, row: Any) -> bytes:
        """Return the key of a row.

        Raises:
            OverflowError: it does not fit.
        """
        self.pen[2] = self.pen[K.PEN_READS] = 0
        if pass_row(letters(self.out), longs(self.pen), ints(self.k), shorts(row), 0):
            raise OverflowError("a table does not fit in a key")
        return bytes(self.out[: self.pen[2]])

    def write_shape(self, key: Any) -> bytes:
        """Return what is left of a key once its hand is discarded."""
        s = shorts(self.work)
        for i in range(L.W):
            s[i] = self.template[i]
        self.read(key, self.work)
        hand.discard_hand(s, 0)
        return self.write(self.work)

    def least_in(self, row: Any, target: int) -> int:
        """Return what ``Ends.least`` says of a row."""
        return least_turns(shorts(row), 0, ints(self.table), ints(self.bounds), target, longs(self.room))

    def promise_in(self, row: Any) -> int:
        """Return what ``Ends.promise`` says of a row."""
        return lower_bound.evaluate(shorts(row), 0, ints(self.table), longs(self.room))

    def advance(self, keys: Any, offsets: Any, last: int, steps: int) -> int:
        """Carry out so many instructions of the sources before ``last``; return ``EXPAND_…``."""
        with cython.nogil:
            return self.go_on(letters(keys), longs(offsets), last, steps)

    def go_on(self, keys: Bytes, offsets: Any, last: int, steps: int) -> int:
        """Play sources until the steps are used up."""
        s = shorts(self.work)
        t = ints(self.table)
        while self.source < last:
            if self.top == 0:
                self.open_source(keys, offsets)
            while self.top > 0:
                if steps <= 0:
                    return K.EXPAND_MORE
                steps -= 1
                b = L.W * (self.top - 1)
                rows = machine.step(s, b, t, self.top)
                if s[b + L.ERROR] or rows >= L.MOST_WORK:
                    self.fail(s, b)
                    return K.EXPAND_ERROR
                if rows >= 0:
                    self.top = rows
                    continue
                status = self.store(s, b)
                if status:
                    return status
                self.top -= 1
            self.source += 1
            if steps <= 0:
                return K.EXPAND_MORE
        return K.EXPAND_DONE

    def open_source(self, keys: Bytes, offsets: Any) -> int:
        """Read the key of the source and open its turn, if the game is not over."""
        s = shorts(self.work)
        for i in range(L.W):
            s[i] = self.template[i]
        self.pen[2] = offsets[self.source]
        self.pen[K.PEN_READS] = 1
        pass_row(keys, longs(self.pen), ints(self.k), s, 0)
        self.first = self.count
        self.begun += 1
        self.top = 0 if s[L.OVER] else machine.begin_turn(s, 0)
        return 0

    def fail(self, s: Row, b: int) -> int:
        """Put the error of row b into the first row."""
        error = s[b + L.ERROR]
        s[L.ERROR_A] = s[b + L.ERROR_A]
        s[L.ERROR_B] = s[b + L.ERROR_B]
        s[L.ERROR] = error if error else L.ERROR_WORK
        return 0

    def store(self, s: Row, b: int) -> int:
        """Write the end of a turn in row b if it is new; return 0, or ``EXPAND_…`` where it cannot be written."""
        dogs.tidy(s, b)
        k = ints(self.k)
        if k[K.KEY_N_KEPT] and not holds_kept(s, b, k, ints(self.table)):
            return 0
        start = self.offsets[self.count]
        if self.count >= self.capacity or start + K.MOST_KEY > self.bytes:
            return K.EXPAND_FULL
        if 2 * (self.count - self.first) >= self.n_slots:
            return K.EXPAND_SLOTS
        self.pen[2] = start
        self.pen[K.PEN_READS] = 0
        if pass_row(letters(self.keys), longs(self.pen), k, s, b):
            return K.EXPAND_KEY
        if self.is_new(start, self.pen[2]):
            self.note(s, b)
        return 0

    def is_new(self, start: int, end: int) -> int:
        """Return whether no earlier end of this source has the key in these bytes, and remember it."""
        mask = self.n_slots - 1
        size = end - start
        h = size
        for i in range(start, end):
            h = (h * 16777619 ^ self.keys[i]) & 0x7FFFFFFF
        h = (h ^ h >> 15) & mask
        while self.slots[h] >> 31 == self.begun:
            other = self.offsets[self.slots[h] & 0x7FFFFFFF]
            if self.offsets[(self.slots[h] & 0x7FFFFFFF) + 1] - other == size:
                same = 0
                while same < size and self.keys[start + same] == self.keys[other + same]:
                    same += 1
                if same == size:
                    return 0
            h = h + 1 & mask
        self.slots[h] = self.begun << 31 | self.count
        return 1

    def note(self, s: Row, b: int) -> int:
        """Keep the end whose key has just been written."""
        n = self.count
        self.offsets[n + 1] = self.pen[2]
        self.parents[n] = self.source
        self.progress[n] = s[b + L.POSITION]
        self.least[n] = least_turns(s, b, ints(self.table), ints(self.bounds), self.target, longs(self.room))
        self.days[n] = s[b + L.DAYS] - self.k[K.KEY_FIRST_DAY]
        self.promise[n] = lower_bound.evaluate(s, b, ints(self.table), longs(self.room))
        self.over[n] = s[b + L.OVER]
        self.count = n + 1
        return 0
