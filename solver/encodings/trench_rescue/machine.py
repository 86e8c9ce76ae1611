# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""What half-turns, shells and draws make of the rows of a duel (4.1 to 4.3, 5 to 7).

A row is given and returned as bytes. A half-turn is played action by action; rows that different orders of actions
lead to are one *middle*. Left out are looks at cards, which change nothing where cards are open, and, as nothing else
depends on them:

- Soldiers who come out do so first, one after the other: who has come out has moved and holds nothing.
- While a deck is the same, its cards are drawn at the beginning: who draws first knows more.
"""

from __future__ import annotations

from array import array
from typing import Any

from solver.encodings.trench_rescue import field
from solver.encodings.trench_rescue import layout as L
from solver.search import native
from solver.search.native import Ints, Row, Table


class Rows:
    """The rows of one duel: one at the beginning of ``work``, behind it another that is made of it."""

    here: Any
    there: Any
    met: dict[bytes, None]
    waiting: list[bytes]

    def __init__(self, table: Table) -> None:
        """``table``: int32, as ``turns.py`` writes it."""
        self.table = table
        width = L.CARDS + table[L.T_CARDS]
        self.width = width
        self.work = array("h", bytes(4 * width))
        raw = memoryview(self.work).cast("B")
        self.here, self.there = raw[: 2 * width], raw[2 * width :]
        self.x = array("i", bytes(4 * L.ROOM))

    def fork(self) -> int:
        """Copy the row behind itself and return where that is."""
        s = native.shorts(self.work)
        native.copy(s, self.width, s, 0, self.width)
        return self.width

    def keep(self) -> None:
        """Keep the row behind as a middle, unless it is one already."""
        row = self.there.tobytes()
        if row not in self.met:
            if len(self.met) == L.MOST_MIDDLES:
                raise OverflowError("too many ways through one half-turn")
            self.met[row] = None
            self.waiting.append(row)

    def middles(self, row: bytes) -> list[bytes]:
        """Return all middles that a row leads to, itself included."""
        self.met = {row: None}
        self.waiting = [row]
        self.here[:] = row
        t = native.ints(self.table)
        idle = 1 if t[L.T_EACH] else 2
        few = t[L.T_FADES] and field.half_turns_left(native.shorts(self.work), 0, t, self.work[L.MOVER]) <= idle
        for middle in self.waiting:
            self.here[:] = middle
            if self.work[L.STAGE] == L.ACTS:
                self.act(0 if few else self.work[L.NEW_DECK] | (1 if middle is row else 0))
        return self.waiting

    # Actions

    def act(self, draws: int) -> None:
        """Add what one action leads to from a middle; ``draws`` says whether cards may be drawn now."""
        s = native.shorts(self.work)
        t = native.ints(self.table)
        x = native.ints(self.x)
        field.gather(s, 0, t, x)
        play = 1 if s[L.PHASE] == L.PLAY else 0
        ready = 0
        for i in range(t[L.T_CARDS]):
            if t[L.T_COLOUR + i] != s[L.MOVER]:
                continue
            place = s[L.CARDS + i] & L.PLACES
            moved = s[L.CARDS + i] & L.MOVED
            if place == L.TRENCH and play and not moved:
                for cell in range(t[L.T_CELLS] if s[L.ENTERED] <= i else 0):
                    if t[L.T_HOME + L.MOST_CELLS * s[L.MOVER] + cell] == 1:
                        field.enter(s, self.fork(), i, cell)
                        self.keep()
                if draws and field.cycle(s, self.fork(), t, i):
                    self.keep()
            elif L.FIELD <= place < L.PILE:
                if x[L.X_LOAD + i] >= 0 and play:
                    field.drop(s, self.fork(), x, i)
                    self.keep()
                if not moved:
                    x[L.X_READY + ready] = i
                    ready += 1
        self.walk(ready)

    def walk(self, ready: int) -> None:
        """Let soldiers of one cell go, alone and together, in every way (4.2)."""
        s = native.shorts(self.work)
        x = native.ints(self.x)
        for man in range(ready):
            place = s[L.CARDS + x[L.X_READY + man]] & L.PLACES
            n = 0
            for other in range(ready):
                if s[L.CARDS + x[L.X_READY + other]] & L.PLACES == place:
                    if other < man:
                        break
                    x[L.X_GROUP + n] = x[L.X_READY + other]
                    n += 1
            if n > L.MOST_TOGETHER:
                raise OverflowError("too many soldiers in one cell")
            if n:
                for chosen in range(1, 1 << n):
                    self.go(chosen, n)

    def go(self, chosen: int, n: int) -> None:
        """Let some soldiers of a cell go wherever they can, with and without the top card of the cell (4.2)."""
        s = native.shorts(self.work)
        t = native.ints(self.table)
        x = native.ints(self.x)
        size = 0
        load = -1
        for place in range(n):
            if chosen >> place & 1:
                i = x[L.X_GROUP + place]
                size += 1
                if x[L.X_LOAD + i] >= 0:
                    if load >= 0:
                        return
                    load = x[L.X_LOAD + i]
        cell = (s[L.CARDS + x[L.X_GROUP]] & L.PLACES) - L.FIELD
        home = L.T_HOME + L.MOST_CELLS * s[L.MOVER]
        away = t[home + cell]
        withdraws = s[L.PHASE]
        top = x[L.X_TOP + cell]
        takes = 1 if load < 0 and top >= 0 and not withdraws and not s[L.CARDS + top] & L.FRESH else 0
        for take in range(1 + takes):
            if take:
                load = top
            for there in range(t[L.T_CELLS]):
                steps = t[L.T_STEPS + L.MOST_CELLS * cell + there]
                if 1 <= steps <= size and not (withdraws and t[home + there] >= away):
                    field.arrive(s, self.fork(), t, x, chosen, load, L.FIELD + there)
                    self.keep()
            if away <= size:
                field.arrive(s, self.fork(), t, x, chosen, load, L.TRENCH)
                self.keep()

    def end(self, middle: bytes) -> int:
        """Let a middle be the end of its half-turn in the row behind; return whether it may be (7.3)."""
        self.here[:] = middle
        to = self.fork()
        s = native.shorts(self.work)
        t = native.ints(self.table)
        s[to + L.ENTERED] = 0
        s[to + L.NEW_DECK] = 0
        if s[to + L.STAGE] == L.DRAWS:
            return 1
        for i in range(t[L.T_CARDS]):
            place = s[to + L.CARDS + i] & ~L.NAMELESS  # of who has moved it is greater
            mine = 1 if t[L.T_COLOUR + i] == s[to + L.MOVER] else 0
            if s[to + L.PHASE] != L.PLAY and mine and L.FIELD <= place < L.PILE:
                return 0
            s[to + L.CARDS + i] &= ~(L.MOVED | L.FRESH)
        field.end_half(s, to, t, field.count_out(s, to, t))
        return 1

    # What a search asks

    def forgotten(self) -> bytes:
        """Return the row behind without what does not matter any more."""
        field.fade(native.shorts(self.work), self.width, native.ints(self.table))
        found: bytes = self.there.tobytes()
        return found

    def reduced(self, row: Any) -> bytes:
        """Return a row without what does not matter any more."""
        self.here[:] = memoryview(row).cast("B")
        self.fork()
        return self.forgotten()

    def followers(self, row: bytes) -> list[bytes]:
        """Return what can be made of a half-turn, draws that it begins with included."""
        return list(dict.fromkeys([self.forgotten() for middle in self.middles(row) if self.end(middle)]))

    def outcomes(self, row: bytes) -> list[tuple[bytes, int]]:
        """Return what the next card drawn, or the next shell, leads to, and how many ways there are to each."""
        self.here[:] = row
        s = native.shorts(self.work)
        t = native.ints(self.table)
        found = []
        if s[L.STAGE] == L.DRAWS:
            for i in range(t[L.T_CARDS]):
                if t[L.T_COLOUR + i] == s[L.MOVER] and s[L.CARDS + i] & L.PLACES == L.DECK:
                    to = self.fork()
                    s[to + L.CARDS + i] = L.TRENCH | L.MOVED
                    s[to + L.STAGE] = L.ACTS
                    found.append((self.forgotten(), 1))
            return found
        missing = t[L.T_CASES]
        for cell in range(t[L.T_CELLS]):
            n = 0
            for i in range(t[L.T_CARDS]):
                n += 1 if s[L.CARDS + i] & L.PLACES == L.FIELD + cell else 0
            if n:
                field.hit(s, self.fork(), t, cell)
                found.append((self.forgotten(), t[L.T_WAYS + cell]))
                missing -= t[L.T_WAYS + cell]
        if missing:
            field.hit(s, self.fork(), t, -1)
            found.append((self.forgotten(), missing))
        return found

    def bounds(self, row: bytes) -> tuple[int, int]:
        """Return proved bounds of the first player's lead in the end, in parts of the equally likely cells."""
        self.here[:] = row
        s = native.shorts(self.work)
        t = native.ints(self.table)
        x = native.ints(self.x)
        lead = s[L.LEAD] * t[L.T_CASES]
        if s[L.STAGE] == L.OVER:
            return lead, lead
        count(s, 0, t, x)
        return lead + least_lead(s, 0, t, x, 0), lead - least_lead(s, 0, t, x, 1)

    def pace(self, row: bytes) -> int:
        """Return the half-turns that are over; the walk home after the last one counts as a part of it."""
        self.here[:] = row
        s = native.shorts(self.work)
        t = native.ints(self.table)
        over: int = 2 * (s[L.TURN] - 1) + (1 if s[L.MOVER] != t[L.T_STARTER] else 0)
        last: int = 2 * t[L.T_LIMIT] - 1
        return last if s[L.PHASE] == L.WITHDRAWAL else over

    def guess(self, row: bytes) -> int:
        """Return the first player's lead as if everybody on the field came home."""
        self.here[:] = row
        s = native.shorts(self.work)
        t = native.ints(self.table)
        total: int = s[L.LEAD]
        for i in range(t[L.T_CARDS]):
            if L.FIELD <= s[L.CARDS + i] & L.PLACES < L.PILE:
                total += 1 - 2 * t[L.T_COLOUR + i]
        return total

    def shelled(self, middle: bytes, cells: Any) -> int:
        """End the turn of a player alone behind a middle, shells falling on given cells; return how many, or -1."""
        if not self.end(middle):
            return -1
        s = native.shorts(self.work)
        to = self.width
        shells: int = s[to + L.SHELLS]
        for place in range(shells):
            if s[to + L.STAGE] == L.SHELLED:
                field.hit(s, to, native.ints(self.table), native.ints(cells)[place])
        s[to + L.MOVER] = s[L.MOVER]
        return shells


# Bounds
#
# Proved bounds of a row of a duel: what a side is sure of, and what it can have at most.
#
# Sure of: a side may leave its soldiers at home and walk everybody else straight home, one space a half-turn, carrying
# what they hold, or what lies on top where they stand if they move first. That is always legal under the rulings of the
# encoding, and nothing the enemy does can hinder it but shells. In one barrage of ``k`` shells a soldier in a cell of
# chance ``p`` is hit with at most ``k p``, and ``k`` is at most half of all who can ever stand on the field, so that
# adding up the barrages on the way bounds the chance to be lost. A card that would go back to the enemy is dropped
# instead, and counts as fetched by the enemy.
#
# At most: against that way of playing the other side has its score, all its soldiers on the field, and as many of the
# wounded cards as there is time to fetch. Whoever is on the field brings home one card, in one half-turn only if enough
# stand together, and so does later everybody whom it has brought home. An own soldier that is hit and fetched back is
# worth no more than one that was not hit. An enemy that is hit is one more card to fetch, and so is what it carries:
# their number is at most the same sum of chances.
#
# Values are in parts of the number of equally likely cells of a shell, so that they are whole; the score is left out.


def count(s: Row, b: int, t: Table, x: Ints) -> None:
    """Write how many of each side are out, lie or are carried, and are at home."""
    field.gather(s, b, t, x)
    for i in range(6):
        x[L.X_MEN + i] = 0
    for i in range(t[L.T_CARDS]):
        place = s[b + L.CARDS + i] & L.PLACES
        colour = t[L.T_COLOUR + i]
        if place == L.TRENCH:
            x[L.X_HOME + colour] += 1
        elif L.FIELD <= place < L.PILE:
            x[L.X_MAN + L.MOST_CARDS * colour + x[L.X_MEN + colour]] = i
            x[L.X_MEN + colour] += 1
        elif place >= L.CARRIED:
            x[L.X_LYING + colour] += 1


def is_acting(s: Row, b: int, colour: int) -> int:
    """Return whether a player is in the middle of a half-turn."""
    return 1 if s[b + L.STAGE] != L.SHELLED and s[b + L.MOVER] == colour else 0


def men_at_home(s: Row, b: int, x: Ints, colour: int) -> int:
    """Return how many soldiers of a side are at home, one about to be drawn included."""
    due = 1 if s[b + L.STAGE] == L.DRAWS and s[b + L.MOVER] == colour else 0
    at_home: int = x[L.X_HOME + colour] + due
    return at_home


def waits(s: Row, b: int, t: Table, colour: int) -> int:
    """Return how many barrages come before the next half-turn of a side, one under way left out."""
    shelled = 1 if s[b + L.STAGE] == L.SHELLED else 0
    if t[L.T_EACH]:
        return 1 if (s[b + L.MOVER] == colour) == (shelled == 1) else 0
    return 1 if not shelled and s[b + L.MOVER] != colour and s[b + L.MOVER] != t[L.T_STARTER] else 0


def gains(t: Table, i: int, load: int, colour: int) -> int:
    """Return whether a soldier gains by bringing a card home rather than dropping it."""
    return 1 if t[L.T_COLOUR + load] == colour or t[L.T_VALUE + load] <= t[L.T_VALUE + i] else 0


def risk_of(s: Row, b: int, t: Table, colour: int, cell: int, stays: int, shells: int) -> int:
    """Return at most how likely a soldier is hit that stays for some barrages and then walks straight home."""
    under_way = s[b + L.SHELLS] if s[b + L.STAGE] == L.SHELLED else 0
    risk: int = t[L.T_WAYS + cell] * (under_way + stays * shells)
    cases: int = t[L.T_CASES]
    for step in range(1, t[L.T_HOME + L.MOST_CELLS * colour + cell]):
        risk += t[L.T_WAYS + cell + step * t[L.T_DOWN + colour]] * shells * (1 + t[L.T_EACH])
    return risk if risk < cases else cases


def surely(s: Row, b: int, t: Table, x: Ints, colour: int) -> int:
    """Return what a side's soldiers on the field are sure to bring home, themselves included.

    Writes the cards that shells may leave lying on the way, and the cell whose top card is taken along, or -1.
    """
    cases = t[L.T_CASES]
    other = 1 - colour
    theirs = field.half_turns_left(s, b, t, other)
    out = x[L.X_MEN] + x[L.X_MEN + 1]
    if theirs:
        out += men_at_home(s, b, x, other)
    if theirs > 1:
        out += x[L.X_LYING + other]
    shells = field.shells_for(out, t)  # at most in a barrage to come if the side walks home and sends nobody out
    before = waits(s, b, t, colour)
    left = field.half_turns_left(s, b, t, colour)
    acting = is_acting(s, b, colour)
    sure = 0
    lost = 0
    taken = -1
    for man in range(x[L.X_MEN + colour]):
        i = x[L.X_MAN + L.MOST_CARDS * colour + man]
        cell = (s[b + L.CARDS + i] & L.PLACES) - L.FIELD
        late = 1 if acting and s[b + L.CARDS + i] & L.MOVED else 0
        risk = risk_of(s, b, t, colour, cell, before + late * (1 + t[L.T_EACH]), shells)
        load = x[L.X_LOAD + i]
        worth = 1
        if t[L.T_HOME + L.MOST_CELLS * colour + cell] + late <= left:
            top = x[L.X_TOP + cell]
            may_take = 1 if acting and not late and taken < 0 and top >= 0 else 0
            if load >= 0:
                if gains(t, i, load, colour):
                    worth = 2
                else:
                    lost += cases
            elif may_take and not s[b + L.CARDS + top] & L.FRESH and gains(t, i, top, colour):
                worth = 2
                taken = cell
        sure += worth * (cases - risk)
        lost += risk if load < 0 and taken != cell else 2 * risk
    x[L.X_LOST] = lost
    x[L.X_TAKEN] = taken
    return sure


def fetched(s: Row, b: int, t: Table, x: Ints, colour: int) -> int:
    """Return how many of the cards that now lie on the field a side can bring home at most.

    The enemy takes the top card of the cell ``X_TAKEN`` along.
    """
    left = field.half_turns_left(s, b, t, colour)
    acting = is_acting(s, b, colour)
    hands = t[L.T_RESCUES + left] * men_at_home(s, b, x, colour) if left > 1 else 0
    for cell in range(t[L.T_CELLS]):
        x[L.X_COUNT + cell] = 0
    for man in range(x[L.X_MEN + colour]):
        place = s[b + L.CARDS + x[L.X_MAN + L.MOST_CARDS * colour + man]]
        if not (acting and place & L.MOVED):
            x[L.X_COUNT + (place & L.PLACES) - L.FIELD] += 1
    for man in range(x[L.X_MEN + colour]):
        i = x[L.X_MAN + L.MOST_CARDS * colour + man]
        cell = (s[b + L.CARDS + i] & L.PLACES) - L.FIELD
        here = 0 if acting and s[b + L.CARDS + i] & L.MOVED else x[L.X_COUNT + cell]
        needs = 1 if t[L.T_HOME + L.MOST_CELLS * colour + cell] <= here else 2
        if needs <= left and (left > 1 or x[L.X_LOAD + i] >= 0 or x[L.X_HEIGHT + cell]):
            hands += 1 + 2 * t[L.T_RESCUES + left - needs]
    found: int = x[L.X_LYING] + x[L.X_LYING + 1] - (1 if x[L.X_TAKEN] >= 0 else 0)
    return hands if hands < found else found


def least_lead(s: Row, b: int, t: Table, x: Ints, colour: int) -> int:
    """Return the least lead of a side over the other from here on; ``count`` has been there before."""
    other = 1 - colour
    sure = surely(s, b, t, x, colour)
    most: int = t[L.T_CASES] * (x[L.X_MEN + other] + fetched(s, b, t, x, other))
    if field.half_turns_left(s, b, t, other):
        most += x[L.X_LOST]
    return sure - most
