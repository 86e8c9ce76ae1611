# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""All that can be made of one half-turn, over rows of a duel (4.1 to 4.3, 5, 7.3). Types are in ``machine.pxd``.

A half-turn is played action by action; rows that different orders of actions lead to are one *middle*. Left out are
looks at cards, which change nothing where cards are open, and, as nothing else depends on them:

- Soldiers who come out do so first, one after the other: who has come out has moved and holds nothing.
- While a deck is the same, its cards are drawn at the beginning: who draws first knows more.
"""

from __future__ import annotations

from array import array
from typing import Any

from solver.encodings.trench_rescue import layout as L

try:
    import cython
except ImportError:
    from solver.encodings import uncompiled as cython

if not cython.compiled:
    from solver.encodings.trench_rescue.field import (
        arrive,
        copy,
        count_out,
        cycle,
        drop,
        end_half,
        enter,
        gather,
        half_turns_left,
        hit,
        is_same,
    )
    from solver.encodings.uncompiled import ints, longs, shorts


class HalfTurn:
    """The middles of one half-turn: rows one after the other, each once."""

    def __init__(self, table: Any, width: int) -> None:
        """``table``: int32, as ``tables.py`` writes it; rows are ``width`` int16 numbers."""
        self.table = table
        self.width = width
        self.count = 0
        self.stamp = 0
        self.rows = array("h")
        self.x = array("i", bytes(4 * L.ROOM))
        self.factors = array("h", [1 + 40503 * (i + 1) * (i + 3) % 32749 for i in range(width)])
        self.make_room(64)

    def make_room(self, room: int) -> int:
        """Let so many middles fit in.

        Raises:
            OverflowError: these are too many.
        """
        if room > L.MOST_MIDDLES:
            raise OverflowError("too many ways through one half-turn")
        rows = array("h", bytes(2 * self.width * (room + 1)))
        memoryview(rows)[: len(self.rows)] = memoryview(self.rows)
        self.rows = rows
        self.room = room
        self.slots = array("q", bytes(8 * 4 * room))
        for each in range(self.count):
            self.find(each)
        return 0

    def find(self, each: int) -> int:
        """Return whether a middle is kept already, else keep it."""
        s = shorts(self.rows)
        slots = longs(self.slots)
        mask = 4 * self.room - 1
        at = each * self.width
        f = shorts(self.factors)
        h = 0
        for i in range(self.width):
            h += s[at + i] * f[i]
        slot = (h ^ h >> 13) & mask
        while slots[slot] >> 20 == self.stamp:
            if is_same(s, (slots[slot] & 0xFFFFF) * self.width, at, self.width):
                return 1
            slot = slot + 1 & mask
        slots[slot] = self.stamp << 20 | each
        return 0

    def put(self, row: Any) -> int:
        """Let a row be the beginning."""
        for i in range(self.width):
            self.rows[i] = row[i]
        return 0

    def run(self) -> int:
        """Find all middles that the first row leads to, itself included; return how many there are."""
        self.count = 0
        self.stamp += 1
        self.rows[L.ENTERED] = 0
        self.keep()
        done = 0
        self.deck = self.signature(0)
        self.draws = 1
        t = ints(self.table)
        idle = 1 if t[L.T_EACH] else 2
        if t[L.T_FADES] and half_turns_left(shorts(self.rows), 0, t, self.rows[L.MOVER]) <= idle:
            self.draws = 0
        while done < self.count:
            if self.rows[done * self.width + L.STAGE] == L.ACTS:
                self.act(done)
            done += 1
        return self.count

    def keep(self) -> int:
        """Keep the row behind the last middle, unless it is one of them."""
        if not self.find(self.count):
            self.count += 1
            if self.count >= self.room:
                self.make_room(4 * self.room)
        return 0

    def fork(self, at: int) -> int:
        """Copy a middle behind the last one and return where that is."""
        to = self.count * self.width
        copy(shorts(self.rows), to, at, self.width)
        return to

    def signature(self, at: int) -> int:
        """Return what tells the deck of the player to move from one that has changed in this half-turn."""
        s = shorts(self.rows)
        t = ints(self.table)
        total = 0
        for i in range(t[L.T_CARDS]):
            place = s[at + L.CARDS + i] & L.PLACES
            if t[L.T_COLOUR + i] == s[at + L.MOVER] and L.DECK <= place < L.CARRIED:
                total += 64
                if place == L.DECK:
                    total += i + 4096 if t[L.T_QUEUE] else i * i
        return total

    # Actions

    def act(self, each: int) -> int:
        """Add what one action leads to from a middle."""
        t = ints(self.table)
        x = ints(self.x)
        at = each * self.width
        gather(shorts(self.rows), at, t, x)
        play = 1 if self.rows[at + L.PHASE] == L.PLAY else 0
        draws = 1 if self.draws and play and (at == 0 or self.signature(at) != self.deck) else 0
        ready = 0
        for i in range(t[L.T_CARDS]):
            if t[L.T_COLOUR + i] != self.rows[at + L.MOVER]:
                continue
            place = self.rows[at + L.CARDS + i] & L.PLACES
            moved = self.rows[at + L.CARDS + i] & L.MOVED
            if place == L.TRENCH and play and not moved:
                self.enter(at, i)
                if draws:
                    self.cycle(at, i)
            elif L.FIELD <= place < L.PILE:
                if x[L.X_LOAD + i] >= 0 and play:
                    self.drop(at, i)
                if not moved:
                    x[L.X_READY + ready] = i
                    ready += 1
        self.walk(at, ready)
        return 0

    def enter(self, at: int, i: int) -> int:
        """Let a soldier come out into every front cell (4.1)."""
        t = ints(self.table)
        mover = self.rows[at + L.MOVER]
        if self.rows[at + L.ENTERED] > i:
            return 0
        for cell in range(t[L.T_CELLS]):
            if t[L.T_HOME + L.MOST_CELLS * mover + cell] == 1:
                to = self.fork(at)
                enter(shorts(self.rows), to, i, cell)
                self.keep()
        return 0

    def cycle(self, at: int, i: int) -> int:
        """Put a soldier back into its deck, unless that is empty (4.1)."""
        to = self.fork(at)
        if cycle(shorts(self.rows), to, ints(self.table), i):
            self.keep()
        return 0

    def drop(self, at: int, i: int) -> int:
        """Let a soldier put down what it carries (4.1, 4.3)."""
        to = self.fork(at)
        drop(shorts(self.rows), to, ints(self.x), i)
        return self.keep()

    def walk(self, at: int, ready: int) -> int:
        """Let soldiers of one cell go, alone and together, in every way (4.2)."""
        x = ints(self.x)
        for man in range(ready):
            place = self.rows[at + L.CARDS + x[L.X_READY + man]] & L.PLACES
            n = 0
            for other in range(ready):
                if self.rows[at + L.CARDS + x[L.X_READY + other]] & L.PLACES == place:
                    if other < man:
                        break
                    x[L.X_GROUP + n] = x[L.X_READY + other]
                    n += 1
            if n > L.MOST_TOGETHER:
                raise OverflowError("too many soldiers in one cell")
            if n:
                for chosen in range(1, 1 << n):
                    self.go(at, chosen, n)
        return 0

    def go(self, at: int, chosen: int, n: int) -> int:
        """Let some soldiers of a cell go wherever they can, with and without the top card of the cell (4.2)."""
        s = shorts(self.rows)
        t = ints(self.table)
        x = ints(self.x)
        size = 0
        load = -1
        for place in range(n):
            if chosen >> place & 1:
                i = x[L.X_GROUP + place]
                size += 1
                if x[L.X_LOAD + i] >= 0:
                    if load >= 0:
                        return 0
                    load = x[L.X_LOAD + i]
        cell = (s[at + L.CARDS + x[L.X_GROUP]] & L.PLACES) - L.FIELD
        home = L.T_HOME + L.MOST_CELLS * s[at + L.MOVER]
        away = t[home + cell]
        withdraws = s[at + L.PHASE]
        top = x[L.X_TOP + cell]
        takes = 1 if load < 0 and top >= 0 and not withdraws and not s[at + L.CARDS + top] & L.FRESH else 0
        for take in range(1 + takes):
            if take:
                load = top
            for there in range(t[L.T_CELLS]):
                steps = t[L.T_STEPS + L.MOST_CELLS * cell + there]
                if 1 <= steps <= size and not (withdraws and t[home + there] >= away):
                    self.arrive(at, chosen, load, L.FIELD + there)
            if away <= size:
                self.arrive(at, chosen, load, L.TRENCH)
        return 0

    def arrive(self, at: int, chosen: int, load: int, there: int) -> int:
        """Put some soldiers and what they carry, or -1, into a cell or the trench."""
        to = self.fork(at)
        arrive(shorts(self.rows), to, ints(self.table), ints(self.x), chosen, load, there)
        return self.keep()

    def may_end(self, each: int) -> int:
        """Return whether the half-turn may end in a middle (7.3); a draw goes on by chance."""
        s = shorts(self.rows)
        t = ints(self.table)
        at = each * self.width
        if s[at + L.PHASE] == L.PLAY:
            return 1
        for i in range(t[L.T_CARDS]):
            place = s[at + L.CARDS + i]  # of who has moved it is greater
            if L.FIELD <= place & ~L.NAMELESS < L.PILE and t[L.T_COLOUR + i] == s[at + L.MOVER]:
                return 0
        return 1

    def end_alone(self, each: int, cells: Any) -> int:
        """Let a middle be the end of the turn of a player alone, shells falling on cells; return how many fall."""
        s = shorts(self.rows)
        t = ints(self.table)
        at = each * self.width
        mover = s[at + L.MOVER]
        s[at + L.ENTERED] = 0
        for i in range(t[L.T_CARDS]):
            s[at + L.CARDS + i] &= ~(L.MOVED | L.FRESH)
        end_half(s, at, t, count_out(s, at, t))
        shells: int = s[at + L.SHELLS]
        fallen = 0
        while s[at + L.STAGE] == L.SHELLED:
            hit(s, at, t, ints(cells)[fallen])
            fallen += 1
        s[at + L.MOVER] = mover
        return shells
