# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""Rows of a duel for ``solver.search.contests.alpha_beta``. Types are in ``duel.pxd``.

What a side can make of its half-turn hangs on its own soldiers and on what lies about. The *ends* of half-turns are
listed once for all positions of the enemy, as rows without the enemy's soldiers, what these carry, and the enemy's
trench; a follower is such a row put together with what is the enemy's.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

from solver.encodings.trench_rescue import layout as L
from solver.encodings.trench_rescue.machine import HalfTurn
from solver.search import layout as C
from solver.search.contests.alpha_beta import AlphaBeta, ListsFullError

try:
    import cython
except ImportError:
    from solver.encodings import uncompiled as cython

if not cython.compiled:
    from solver.encodings.trench_rescue.bound import count, least_lead
    from solver.encodings.trench_rescue.field import copy, count_out, end_half, fade, hit, reach
    from solver.encodings.uncompiled import ints, shorts

FACTORS = (0x1E3779B97F4A7C15, 0x22B2AE3D27D4EB4F, 0x165667B19E3779F9)
"""Odd numbers by which hashes are multiplied (Knuth, The Art of Computer Programming, volume 3, 6.4)."""
OPEN_ROWS = 4096


class DuelRows(AlphaBeta):
    """The values of one duel."""

    def __init__(self, table: Any, width: int, pause: Callable[[], None]) -> None:
        """``table``: int32, as ``tables.py`` writes it; rows are ``width`` int16 numbers."""
        super().__init__(width, OPEN_ROWS, pause)
        self.table = table
        self.half = HalfTurn(table, width)
        self.x = array("i", bytes(4 * L.ROOM))
        self.factor_a, self.factor_b, self.factor_c = FACTORS
        self.ends = array("h", bytes(2 << 18))
        self.drop_lists()

    def drop_lists(self) -> None:
        """Forget all ends."""
        self.lists: dict[tuple[int, int], int] = {}
        """The number of each list by the hashes of its half-turn."""
        self.n_ends = 0
        self.list_first = array("q", bytes(8 * L.MOST_LISTS))
        self.list_count = array("i", bytes(4 * L.MOST_LISTS))
        self.killers = array("i", bytes(4 * L.MOST_LISTS))

    def begin(self, row: Any) -> int:
        """Make a row the first one."""
        AlphaBeta.begin(self, row)
        return fade(shorts(self.work), 0, ints(self.table), -1)

    def actor(self, b: int) -> int:
        """Return who decides."""
        mover: int = self.work[b + L.MOVER]
        return mover if self.work[b + L.STAGE] == L.ACTS else C.CHANCE_SEAT

    def pace(self, b: int) -> int:
        """Return the half-turns that are over; the walk home after the last one counts as a part of it."""
        last: int = 2 * self.table[L.T_LIMIT] - 1
        if self.work[b + L.PHASE] == L.WITHDRAWAL:
            return last
        return 2 * (self.work[b + L.TURN] - 1) + (1 if self.work[b + L.MOVER] != self.table[L.T_STARTER] else 0)

    def lead(self, b: int) -> int:
        """Return the first player's score less the other's."""
        lead: int = self.work[b + L.LEAD]
        return lead

    def guess(self, b: int) -> int:
        """Return the lead as if everybody on the field came home."""
        s = shorts(self.work)
        t = ints(self.table)
        total = 0
        for i in range(t[L.T_CARDS]):
            place = s[b + L.CARDS + i] & L.PLACES
            if L.FIELD <= place < L.PILE:
                total += 1 - 2 * t[L.T_COLOUR + i]
        return total

    def bound(self, b: int) -> int:
        """Write proved bounds, in parts of the number of equally likely cells."""
        s = shorts(self.work)
        t = ints(self.table)
        x = ints(self.x)
        self.least = 0
        self.most = 0
        if s[b + L.STAGE] != L.OVER:
            count(s, b, t, x)
            self.least = least_lead(s, b, t, x, 0)
            self.most = -least_lead(s, b, t, x, 1)
        return 0

    def hash_row(self, b: int) -> int:
        """Hash a row; in the withdrawal it does not matter which turn it is."""
        s = shorts(self.work)
        head = s[b + L.STAGE] | s[b + L.PHASE] << 2 | s[b + L.MOVER] << 3 | s[b + L.SHELLS] << 4
        if s[b + L.PHASE] == L.PLAY:
            head |= s[b + L.TURN] << 10
        return self.digest(s, b, head)

    def digest(self, s: Any, b: int, head: int) -> int:
        """Hash a number and the places of all cards: sums, so that cards of one name may change places."""
        t = ints(self.table)
        mask = self.mask
        z = (head + 1) * self.factor_c & mask
        z = (z ^ z >> 31) * self.factor_a & mask
        h = z
        g = z * self.factor_b & mask
        for i in range(t[L.T_CARDS]):
            place = s[b + L.CARDS + i]
            if place == L.GONE:
                continue
            who = i + 1
            if place & L.NAMELESS:
                who = 60 + t[L.T_COLOUR + i]
            z = (who << 14 | place & ~L.NAMELESS) * self.factor_a & mask
            z = (z ^ z >> 31) * self.factor_b & mask
            z = z ^ z >> 29
            h += z
            g += z * self.factor_c & mask
        self.hash_a = h & mask
        self.hash_b = g & mask
        return 0

    # Half-turns

    def options(self, b: int, helper: int) -> int:
        """Return the list of the ends of a half-turn; what is the enemy's goes into the row at ``helper``."""
        s = shorts(self.work)
        t = ints(self.table)
        h = shorts(self.half.rows)
        mover = s[b + L.MOVER]
        copy(s, helper, b, self.width)
        for i in range(self.width):
            h[i] = s[b + i]
        for i in range(t[L.T_CARDS]):
            place = s[b + L.CARDS + i] & L.PLACES
            mine = 1
            if place == L.TRENCH or L.FIELD <= place < L.PILE:
                mine = 1 if t[L.T_COLOUR + i] == mover else 0
            elif L.CARRIED <= place < L.FIELD:
                mine = 1 if t[L.T_COLOUR + place - L.CARRIED] == mover else 0
            if mine:
                s[helper + L.CARDS + i] = L.GONE
            else:
                h[L.CARDS + i] = L.GONE
        s[helper + L.OUT] = count_out(s, helper, t)
        homeward = -1
        if s[b + L.PHASE] == L.PLAY and s[b + L.TURN] >= t[L.T_LIMIT] and mover == t[L.T_STARTER] and not t[L.T_EACH]:
            homeward = reach(s, b, t, 1 - mover)
        h[L.LEAD] = 0
        self.digest(h, 0, (s[b + L.TURN] << 2 | s[b + L.PHASE] << 1 | mover) + 4096 * (homeward + 1))
        return self.list_ends(homeward)

    def list_ends(self, homeward: int) -> int:
        """Return the list of the ends of the half-turn that the machine is about to play, and its length."""
        key = self.hash_a, self.hash_b
        number = self.lists.get(key, -1)
        if number < 0:
            number = len(self.lists)
            if number == L.MOST_LISTS:
                raise ListsFullError
            begun = self.n_ends
            self.half.run()
            self.write_ends(homeward)
            self.list_first[number] = begun
            self.list_count[number] = (self.n_ends - begun) // self.width
            self.lists[key] = number
        self.found = self.list_count[number]
        return number

    def write_ends(self, homeward: int) -> int:
        """Write the different ends of the middles that the machine has found, of equal ones the best."""
        half = self.half
        t = ints(self.table)
        sign = 1 - 2 * half.rows[L.MOVER]
        written = dict[tuple[int, int], int]()
        for each in range(half.count):
            if not half.may_end(each):
                continue
            self.make_room()
            at = self.n_ends
            s = shorts(self.ends)
            h = shorts(half.rows)
            for i in range(self.width):
                s[at + i] = h[each * self.width + i]
            self.close(at)
            fade(s, at, t, homeward)
            s[at + L.OUT] = count_out(s, at, t)
            self.digest(s, at, s[at + L.STAGE])
            known = written.setdefault((self.hash_a, self.hash_b), at)
            if known == at:
                self.n_ends += self.width
            elif sign * s[at + L.LEAD] > sign * s[known + L.LEAD]:
                s[known + L.LEAD] = s[at + L.LEAD]
        return 0

    def make_room(self) -> int:
        """See to it that one more end fits in."""
        if self.n_ends + self.width <= len(self.ends):
            return 0
        if len(self.ends) >= L.MOST_NUMBERS:
            raise ListsFullError
        ends = array("h", bytes(4 * len(self.ends)))
        memoryview(ends)[: len(self.ends)] = memoryview(self.ends)
        self.ends = ends
        return 0

    def close(self, at: int) -> int:
        """Let a middle be the end of its half-turn, as far as it is known without the enemy; a draw goes on."""
        s = shorts(self.ends)
        t = ints(self.table)
        s[at + L.ENTERED] = 0
        s[at + L.SHELLS] = 0
        if s[at + L.STAGE] == L.DRAWS:
            return 0
        for i in range(t[L.T_CARDS]):
            s[at + L.CARDS + i] &= ~(L.MOVED | L.FRESH)
        s[at + L.STAGE] = L.SHELLED
        if s[at + L.MOVER] == t[L.T_STARTER] and not t[L.T_EACH]:
            s[at + L.STAGE] = L.ACTS
            s[at + L.MOVER] = 1 - s[at + L.MOVER]
        return 0

    def follow(self, number: int, place: int, helper: int, to: int) -> int:
        """Put an end together with what is the enemy's, and go on after the half-turn."""
        s = shorts(self.work)
        e = shorts(self.ends)
        t = ints(self.table)
        at = self.list_first[number] + place * self.width
        for i in range(self.width):
            s[to + i] = e[at + i] | s[helper + i]
        for i in range(L.CARDS):
            s[to + i] = s[helper + i]
        s[to + L.LEAD] = s[helper + L.LEAD] + e[at + L.LEAD]
        s[to + L.OUT] = 0
        if e[at + L.STAGE] == L.DRAWS:
            s[to + L.STAGE] = L.DRAWS
        else:
            end_half(s, to, t, s[helper + L.OUT] + e[at + L.OUT])
        return fade(s, to, t, -1)

    # Chance

    def outcome(self, b: int, place: int, to: int) -> int:
        """Write what the next card drawn, or the next cell hit, leads to; last where a shell hits nobody."""
        s = shorts(self.work)
        t = ints(self.table)
        cells = t[L.T_CELLS]
        if s[b + L.STAGE] == L.DRAWS:
            return self.draw(b, place, to)
        occupied = 0
        bit = 1
        missing: int = t[L.T_CASES]
        for i in range(t[L.T_CARDS]):
            cell = (s[b + L.CARDS + i] & L.PLACES) - L.FIELD
            if 0 <= cell < cells and not occupied >> cell & 1:
                occupied |= bit << cell
                missing -= t[L.T_WAYS + cell]
        while place < cells and not occupied >> place & 1:
            place += 1
        if place > cells or (place == cells and missing == 0):
            return 0
        if place < cells:
            missing = t[L.T_WAYS + place]
        copy(s, to, b, self.width)
        hit(s, to, t, place if place < cells else -1)
        fade(s, to, t, -1)
        self.place = place + 1
        return missing

    def draw(self, b: int, place: int, to: int) -> int:
        """Write what the next card of a shuffled deck leads to (4.1)."""
        s = shorts(self.work)
        t = ints(self.table)
        for i in range(place, t[L.T_CARDS]):
            if t[L.T_COLOUR + i] == s[b + L.MOVER] and s[b + L.CARDS + i] & L.PLACES == L.DECK:
                copy(s, to, b, self.width)
                s[to + L.CARDS + i] = L.TRENCH | L.MOVED
                s[to + L.STAGE] = L.ACTS
                self.place = i + 1
                fade(s, to, t, -1)
                return 1
        return 0
