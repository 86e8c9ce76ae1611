# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=False
"""Exact values of rows for two seats and chance: alpha-beta with a transposition table and star cuts over chance.

It knows no game: a subclass tells who decides at a row, what a turn or chance makes of it, by which parts rows are
alike, and proved bounds. A value is what the first seat still gains. It is counted in so many parts of one that means
come out even; where one does not, search stops with an ``OverflowError``.

A window ``(alpha, beta)`` asks whether a value lies in it. Every answer is a proved interval (``low``, ``high``): its
ends are equal where the value lies inside the window, else one of them lies on that side of it. At a decision the first
option is searched in full, and the others are asked whether they are better (principal variation search, Marsland
1983). At chance the bounds of the results that were not looked at yet narrow the windows of the others (star1, Ballard
1983). The module runs as it is and compiled; ``alpha_beta.pxd`` types it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any, Final

from solver.search import layout as C
from solver.search.hash_table import HashTable

try:
    import cython
except ImportError:
    from solver.encodings import uncompiled as cython

if not cython.compiled:
    from solver.encodings.uncompiled import longs

    def wide_bits() -> int:
        """Return the bits of the whole numbers that values are."""
        return 128

    whole_part = int


WORDS: Final = 7
"""Words of an entry of the table: two of the hash, a note, and two for each end of the interval."""


class ListsFullError(Exception):
    """There is no room for more lists of turns; ``drop_lists`` makes it, and then the question can be asked again."""


def most_parts() -> int:
    """Return the most parts of one that values may be counted in: sums over chance are 4,000 times as large."""
    return 1 << int(wide_bits()) - 14


class AlphaBeta(HashTable):
    """The values of one duel; a subclass tells what its methods under *What a game tells* say.

    Attributes:
        horizon: turns of all seats from which on a row counts for its guess.
        cut_short: whether search has stopped at the horizon.
        count: rows searched.
    """

    def __init__(self, width: int, rows: int, pause: Callable[[], None]) -> None:
        """``width`` int16 numbers make a row; ``rows`` of them may be open at a time.

        ``pause`` is called now and then; what it raises ends the search, and what was found stands.
        """
        super().__init__(WORDS, 8 * WORDS * C.MOST_ENTRIES)
        self.low = self.high = 0
        self.mask = 0x3FFFFFFFFFFFFFFF
        self.width = width
        self.last = width * (rows - C.MOST_OUTCOMES)
        self.work = array("h", bytes(2 * width * rows))
        self.pause = pause
        self.one = self.part = 1
        self.least = self.most = 0
        self.horizon = 1 << 30
        self.cut_short = 0
        self.count = self.top = self.parts = self.mark = self.place = self.found = 0
        self.best = -1
        self.hash_a = self.hash_b = 0
        self.next_pause = C.DUEL_PAUSE
        self.ways = array("q", bytes(8 * 64 * C.MOST_OUTCOMES))
        self.asked = array("q", bytes(8 * 64 * C.MOST_OUTCOMES))
        self.part_high = array("q", bytes(16 * 64 * C.MOST_OUTCOMES))
        self.part_low = array("Q", bytes(16 * 64 * C.MOST_OUTCOMES))
        self.order = array("q", bytes(8 * C.MOST_ORDERED))
        self.killers = array("i")
        """The option that refuted each list last."""

    # What a game tells

    def actor(self, b: int) -> int:
        """Return the seat that decides at a row, or ``CHANCE``."""
        raise NotImplementedError

    def pace(self, b: int) -> int:
        """Return the turns of all seats that are over."""
        raise NotImplementedError

    def lead(self, b: int) -> int:
        """Return what the first seat has gained already. Chance does not change it."""
        raise NotImplementedError

    def guess(self, b: int) -> int:
        """Return about what the first seat still gains, in whole numbers."""
        raise NotImplementedError

    def bound(self, b: int) -> int:
        """Write proved bounds of the value into ``least`` and ``most``, equal ones where play is over.

        They count in units of which ``part`` parts make one each.
        """
        raise NotImplementedError

    def hash_row(self, b: int) -> int:
        """Write two numbers of 62 bits into ``hash_a`` and ``hash_b``, equal only for rows of the same value."""
        raise NotImplementedError

    def options(self, b: int, helper: int) -> int:
        """Return the number of a list of what can be made of a turn, and write its length into ``found``.

        A row at ``helper`` is there to be used by ``follow``.
        """
        raise NotImplementedError

    def follow(self, number: int, place: int, helper: int, to: int) -> int:
        """Write the row that an option of a list leads to."""
        raise NotImplementedError

    def drop_lists(self) -> None:
        """Forget all lists, after a ``ListsFullError``."""
        raise NotImplementedError

    def outcome(self, b: int, place: int, to: int) -> int:
        """Write the next result of chance from a place on; return its weight, 0 if there is none.

        ``place`` is 0 at first, then what ``self.place`` was set to.
        """
        raise NotImplementedError

    # Values

    def value_of(self, row: Any, alpha: int, beta: int) -> tuple[int, int]:
        """Return what is proved of a row, in parts of one.

        Raises:
            OverflowError: something does not fit, or a mean does not come out even.
        """
        while True:
            self.begin(row)
            try:
                self.search(0, alpha, beta)
            except ListsFullError:
                self.drop_lists()
            else:
                return self.low, self.high

    def begin(self, row: Any) -> int:
        """Make a row the first one."""
        for i in range(self.width):
            self.work[i] = row[i]
        self.top = self.width
        self.parts = 0
        self.mark = 0
        return 0

    def search(self, b: int, alpha: int, beta: int) -> int:
        """Write what is proved of a row into ``low`` and ``high``, enough to tell it from the window."""
        hint = self.look_up(b)
        a = self.hash_a
        c = self.hash_b
        low = self.low
        high = self.high
        if low == high or low >= beta or high <= alpha:
            return 0
        if alpha < low:
            alpha = low - 1
        if beta > high:
            beta = high + 1
        self.count += 1
        if self.count >= self.next_pause:
            self.next_pause = self.count + C.DUEL_PAUSE
            self.pause()
        if self.pace(b) >= self.horizon:
            return self.stop(b)
        top = self.top
        actor = self.actor(b)
        if actor == C.CHANCE_SEAT:
            self.mean(b, alpha, beta)
        else:
            self.decide(b, actor, alpha, beta, hint)
            hint = self.best if self.best < 65535 else -1
        self.top = top
        if self.low < low:
            self.low = low
        if self.high > high:
            self.high = high
        if self.low > self.high:
            raise ArithmeticError("what is proved of a row disagrees")
        self.keep(a, c, hint + 1 | self.pace(b) << 16)
        return 0

    def keep(self, a: int, c: int, note: int) -> int:
        """Keep ``low`` and ``high`` of a row; a full table keeps the row that is earlier in the game."""
        at = self.find(a, c)
        if at < 0:
            at = self.insert(a, c)
        if at < 0:
            at = self.size * (a & self.entries - 1)
            if self.signed[at + 2] >> 16 < note >> 16:
                return 0
            self.words[at] = a
            self.words[at + 1] = c
        self.signed[at + 2] = note
        self.signed[at + 3] = self.low >> C.HALF
        self.words[at + 4] = self.low & self.mask
        self.signed[at + 5] = self.high >> C.HALF
        self.words[at + 6] = self.high & self.mask
        return 0

    def look_up(self, b: int) -> int:
        """Write what is known of a row into ``low`` and ``high``; return the option that was best, or -1."""
        self.hash_row(b)
        at = self.find(self.hash_a, self.hash_b)
        if at >= 0:
            self.low = self.signed[at + 3]
            self.low = (self.low << C.HALF) + self.words[at + 4]
            self.high = self.signed[at + 5]
            self.high = (self.high << C.HALF) + self.words[at + 6]
            return (self.signed[at + 2] & 65535) - 1
        self.bound(b)
        self.low = self.part * self.least
        self.high = self.part * self.most
        return -1

    def stop(self, b: int) -> int:
        """Let a row count for what it does at the horizon."""
        self.cut_short = 1
        value = self.one * self.guess(b)
        if value < self.low:
            value = self.low
        if value > self.high:
            value = self.high
        self.low = value
        self.high = value
        return 0

    def decide(self, b: int, seat: int, alpha: int, beta: int, hint: int) -> int:
        """Search what a seat can make of its turn. In here all values are those of this seat, the lead included."""
        helper = self.top
        row = helper + self.width
        if row > self.last:
            raise OverflowError("too many rows are open")
        number = self.options(b, helper)
        count = self.found
        self.top = row + self.width
        mark = self.mark
        self.mark = mark + 4 * count
        if self.mark > C.MOST_ORDERED:
            raise OverflowError("too many options are open")
        own = alpha if seat == 0 else -beta
        other = beta if seat == 0 else -alpha
        lead = self.lead(b)
        killer = self.killers[number]
        self.best = -1
        best = -1
        least = own
        most = own
        place = -2
        while place < count:
            if place == 0:
                self.sort(number, helper, count, 1 - 2 * seat)
            each = hint if place == -2 else killer
            if place >= 0:
                each = self.order[mark + place]
            known = 1 if place >= 0 and each in (hint, killer) else 0
            if place == -1 and killer == hint:
                known = 1
            place += 1
            if known or each < 0 or each >= count:
                continue
            self.follow(number, each, helper, row)
            gain = self.one * (self.lead(row) - lead)
            if seat == 1:
                gain = -gain
            if place > 0:
                high = gain + self.part * self.order[mark + count + each]
                low = gain + self.part * self.order[mark + 2 * count + each]
            if place <= 0 or high > own:
                scout = 1 if best >= 0 and own + 1 < other else 0
                self.ask(row, seat, gain, own, own + 1 if scout else other)
                if scout and self.high > own and self.low < self.high and self.low < other:
                    self.ask(row, seat, gain, own, other)
                low = self.low
                high = self.high
            if best < 0 or high > most:
                most = high
            if best < 0 or low > least:
                least = low
                best = each
            if low > own:
                own = low
                if own >= other:
                    self.killers[number] = each
                    most = self.one * 200  # the others were not looked at
                    break
        self.mark = mark
        self.best = best
        self.low = least if seat == 0 else -most
        self.high = most if seat == 0 else -least
        return 0

    def ask(self, row: int, seat: int, gain: int, own: int, other: int) -> int:
        """Search an option within a window of the seat that takes it, and write the answer as this seat's."""
        if seat == 0:
            self.search(row, own - gain, other - gain)
            self.low = self.low + gain
            self.high = self.high + gain
            return 0
        self.search(row, gain - other, gain - own)
        low = self.low
        self.low = gain - self.high
        self.high = gain - low
        return 0

    def sort(self, number: int, helper: int, count: int, sign: int) -> int:
        """Write the options of a list in order, the best looking first, with the most and the least of each."""
        row = helper + self.width
        mark = self.mark - 4 * count
        o = longs(self.order)
        unit = self.one // self.part
        for each in range(count):
            self.follow(number, each, helper, row)
            self.bound(row)
            least = self.least if sign > 0 else -self.most
            most = self.most if sign > 0 else -self.least
            o[mark + each] = each
            o[mark + count + each] = most
            o[mark + 2 * count + each] = least
            o[mark + 3 * count + each] = least + most + 2 * unit * sign * self.lead(row)
        gap = 1
        while 3 * gap < count:
            gap = 3 * gap + 1
        while gap:
            for i in range(gap, count):
                each = o[mark + i]
                look = o[mark + 3 * count + each]
                at = i
                while at >= gap and o[mark + 3 * count + o[mark + at - gap]] < look:
                    o[mark + at] = o[mark + at - gap]
                    at -= gap
                o[mark + at] = each
            gap //= 3
        return 0

    # Chance

    def mean(self, b: int, alpha: int, beta: int) -> int:
        """Search the results of chance at a row, those first that leave most open.

        An empty window asks for a side only. Then a result is first asked for its share of what is missing: as far up
        between its bounds as the mean has to be between those of all.
        """
        begun = self.parts
        rows = self.top
        if rows > self.last:
            raise OverflowError("too many rows are open")
        total = self.list_outcomes(b)
        n = self.parts - begun
        low = self.part_sum(begun, n, 0)
        high = self.part_sum(begun, n, 1)
        least = alpha * total
        most = beta * total
        shares = C.SHARES * n if beta - alpha <= 1 else 0
        while low < most and high > least:
            at = self.widest(begun, n)
            if at < 0:
                break
            ways = self.ways[at]
            worst = self.part_of(2 * at)
            best = self.part_of(2 * at + 1)
            if shares > 0:
                shares -= 1
                step = best - worst
                missing = most - low
                still = high - low
                ceil = worst + whole_part(step * missing / still) + 1
                if ceil > best:
                    ceil = best
                floor = ceil - 1
            else:
                floor = self.divided(least - high + ways * best, ways)
                ceil = -self.divided(-(most - low + ways * worst), ways)
            self.asked[at] += 1
            self.search(rows + (at - begun) * self.width, floor, ceil)
            if self.low > worst:
                self.put_part(2 * at, self.low)
                low += ways * (self.low - worst)
            if self.high < best:
                self.put_part(2 * at + 1, self.high)
                high += ways * (self.high - best)
        self.parts = begun
        self.low = self.divided(low, total)
        self.high = -self.divided(-high, total)
        if low == high and self.low != self.high:
            raise OverflowError("a mean does not come out even")
        return 0

    def list_outcomes(self, b: int) -> int:
        """Write the results of chance with what is known of each; return how many cases there are."""
        total = 0
        place = 0
        while True:
            row = self.top
            weight = self.outcome(b, place, row)
            if weight == 0:
                return total
            place = self.place
            total += weight
            at = self.parts
            if at + 1 >= len(self.ways):
                raise OverflowError("too many results of chance are open")
            self.top = row + self.width
            self.look_up(row)
            self.ways[at] = weight
            self.asked[at] = 0
            self.put_part(2 * at, self.low)
            self.put_part(2 * at + 1, self.high)
            self.parts = at + 1

    def widest(self, begun: int, n: int) -> int:
        """Return the result that leaves most open, those asked least before the others; -1 if all are exact."""
        chosen = -1
        most = 0.0
        for at in range(begun, begun + n):
            wide: float = self.part_of(2 * at + 1) - self.part_of(2 * at)
            if wide == 0:
                continue
            wide = wide * self.ways[at]
            if self.asked[at]:
                wide = wide / (64 if self.asked[at] == 1 else 4096)
            if chosen < 0 or wide > most:
                most = wide
                chosen = at
        return chosen

    def part_of(self, i: int) -> int:
        """Return an end of what is known of a result of chance."""
        value = self.part_high[i]
        return (value << C.HALF) + self.part_low[i]

    def put_part(self, i: int, value: int) -> int:
        """Keep it."""
        self.part_high[i] = value >> C.HALF
        self.part_low[i] = value & self.mask
        return 0

    def part_sum(self, begun: int, n: int, end: int) -> int:
        """Return the sum of the low or the high ends, each by its weight."""
        total = self.one * 0
        for at in range(begun, begun + n):
            total += self.ways[at] * self.part_of(2 * at + end)
        return total

    def divided(self, value: int, n: int) -> int:
        """Return a quotient rounded down."""
        rest = value % n
        if rest < 0:
            rest += n
        return (value - rest) // n
