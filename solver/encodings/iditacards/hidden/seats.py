# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""Races of several seats over rows.

Each seat has a row of the machine. The one under way is the first row of the playouts; the others wait in ``seats``.
When a turn ends, what the table shares goes to all rows, and whoever was passed, overtaken or rained on has it happen.
Others join a new day where a hand drawn for trial looks better to them than the one they hold.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable

from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards import machine, sled, zones
from solver.encodings.iditacards.hidden.playouts import PlayoutRows
from solver.search import layout as V
from solver.search import native
from solver.search.native import Word


class SeatRows(PlayoutRows):
    """The rows of all seats in one race."""

    random: Word

    def __init__(self, memory: int, pause: Callable[[], None]) -> None:
        super().__init__(memory, pause)
        self.first_rows = array("h")
        self.seats = array("h")
        self.players = self.first_seat = self.active = self.asker = self.first_owed = self.owed = 0
        self.draws_outside = self.solving = 0

    def put_seats(self, rows: array[int], active: int, owed: int) -> None:
        """Set the rows that playouts begin with, one for each seat, and who has the turn.

        ``owed``: 0 before anybody has finished, else 1, with a bit for each seat that is owed a last turn: 2 for the
        first one.
        """
        self.first_rows = rows
        self.players = len(rows) // L.W
        self.seats = array("h", bytes(2 * L.W * (self.players + 1)))
        self.first_seat = active
        self.first_owed = owed

    def deal(self, seed: Word) -> None:
        """Begin a playout: the rows as they were, what nobody has seen in a new order, the first seat to move."""
        PlayoutRows.deal(self, seed)
        self.random = (seed ^ self.mask >> 7) & self.mask
        native.copy(native.shorts(self.seats), 0, native.shorts(self.first_rows), 0, L.W * self.players)
        self.owed = self.first_owed
        self.active = self.first_seat
        self.solving = 0
        self.begin_seat()

    def begin_seat(self) -> None:
        """Make the row of the active seat the first one, and begin its turn with what has waited for it."""
        s = native.shorts(self.work)
        r = native.shorts(self.seats)
        q = L.W * self.active
        native.copy(s, 0, r, q, L.W)
        waiting = L.CONTROL_W * r[q + L.N_CONTROL]
        machine.begin_turn(s, 0)
        self.source = 3 + self.active  # each deck is a source of its own
        native.copy(s, L.CONTROL + L.CONTROL_W * s[L.N_CONTROL], r, q + L.CONTROL, waiting)
        s[L.N_CONTROL] = s[L.N_CONTROL] + r[q + L.N_CONTROL]
        r[q + L.N_CONTROL] = 0
        s[L.N_RIVALS] = self.players - 1
        for i in range(self.players - 1):
            s[L.RIVALS + i] = r[L.W * ((self.active + 1 + i) % self.players) + L.POSITION]
            s[L.OVERTAKEN + i] = 0

    def take_card(self, q: int) -> int:
        """Take the top card off the deck of a waiting row and return it."""
        r = native.shorts(self.seats)
        n = r[q + L.N_DECK]
        place = n - 1
        if r[q + L.KNOWN]:
            r[q + L.KNOWN] = r[q + L.KNOWN] - 1
        else:
            self.random = (self.random * 6364136223846793005 + 1442695040888963407) & self.mask
            place = (self.random >> 29) % n
        return zones.remove_at(r, q, L.N_DECK, L.DECK, place)

    def draw_cards(self, q: int, n: int) -> None:
        """Let a waiting row draw cards."""
        r = native.shorts(self.seats)
        while n > 0 and r[q + L.N_DECK]:
            zones.to_hand(r, q, self.take_card(q))
            n -= 1

    # What a turn does to the others

    def end_turn(self, b: int) -> int:
        """Let the others have what the turn has brought them, and the next seat begin its own, unless the race is over.

        Only the first row comes here.
        """
        s = native.shorts(self.work)
        r = native.shorts(self.seats)
        t = native.ints(self.table)
        if self.solving:  # the last turn of a race of two: whether the asking seat has won
            ahead = 1 if s[b + L.POSITION] > s[b + L.RIVALS] else 0
            front = s[b + L.POSITION] if ahead else s[b + L.RIVALS]
            self.settle(1 if ahead != self.least else 0)
            if front < t[L.H_FINISH_AT]:
                self.leaf = 0.5
            return V.SETTLED
        sled.tidy(s, b)
        s[b + L.LEFT] = s[b + L.LEFT] - 1
        s[b + L.BLIND] = 0
        s[b + L.OVER] = 0
        if s[b + L.FINISHED] and t[L.H_LAST_TURNS_NONE]:
            native.copy(r, L.W * self.active, s, b, L.W)
            return self.settle(0)
        for i in range(self.players - 1):
            self.meet(i, (self.active + 1 + i) % self.players)
        native.copy(r, L.W * self.active, s, b, L.W)
        r[L.W * self.active + L.N_CONTROL] = 0
        return self.pass_on()

    def pass_on(self) -> int:
        """Let the next seat begin its turn, unless the race is over (R16, R69)."""
        r = native.shorts(self.seats)
        racing = 1
        for seat in range(self.players):
            if not r[L.W * seat + L.FINISHED]:
                racing |= 2 << seat
        if self.owed:
            self.owed &= racing & ~(2 << self.active)
        elif racing < (2 << self.players) - 1:
            self.owed = racing
        if self.owed == 1:
            return self.settle(0)
        for i in range(1, self.players + 1):
            seat = (self.active + i) % self.players
            if (self.owed if self.owed else racing) & 2 << seat:
                self.active = seat
                if self.owed == 0 and r[L.W * seat + L.LEFT] <= 0:
                    return self.settle(0)
                self.begin_seat()
                return V.TURN
        return self.settle(0)

    def meet(self, place: int, seat: int) -> None:
        """Let a waiting seat have what the turn under way has brought it."""
        s = native.shorts(self.work)
        r = native.shorts(self.seats)
        t = native.ints(self.table)
        q = L.W * seat
        # What all seats share, but for the day and its weather.
        r[q + L.DAMAGE_LEFT] = s[L.DAMAGE_LEFT]
        r[q + L.FREEZE] = s[L.FREEZE]
        r[q + L.WEATHER_EVENT] = s[L.WEATHER_EVENT]
        native.copy(r, q + L.GONE, s, L.GONE, L.MOST_DECKS)
        r[q + L.N_SUPPLY] = s[L.N_SUPPLY]
        native.copy(r, q + L.SUPPLY, s, L.SUPPLY, s[L.N_SUPPLY])
        if s[L.OVERTAKEN + place] and not machine.is_unhurt(r, q, t):
            sled.damage(r, q, t, s[L.OVERTAKEN + place])
        while r[q + L.POSITION] > s[L.RIVALS + place]:  # each space that it is pushed back it arrives on (R45, Q8)
            came = r[q + L.POSITION]
            r[q + L.POSITION] = came - 1
            toll = machine.enter_leg(r, q, t, came)
            while toll > 0 and r[q + L.N_DECK]:
                zones.to_discard(r, q, self.take_card(q))
                toll -= 1
            machine.meet_space(r, q, t)
            sled.deaths(r, q, t)
        if s[L.DAY] != r[q + L.DAY]:
            self.new_day(q)
        s[L.DAMAGE_LEFT] = r[q + L.DAMAGE_LEFT]

    def new_day(self, q: int) -> None:
        """Let a waiting seat join a new day or not, and meet the weather (R60)."""
        s = native.shorts(self.work)
        r = native.shorts(self.seats)
        t = native.ints(self.table)
        racing = 0 if r[q + L.FINISHED] else 1
        joins = 1 if racing and self.joins(q) else 0
        if racing and sled.leg_flag(r, q, t, L.LEG_DAY_END_KILL_DOG):
            zones.push(r, q, L.I_KILL_ONE, 0, 0, 0)
        if joins:
            machine.put_together(r, q, t)
            r[q + L.DAYS] = r[q + L.DAYS] + 1
        if joins or not t[L.H_DAY_SCOPE_OWN_NEW_DAY]:
            machine.clear_records(r, q, t)
        r[q + L.DAY] = s[L.DAY]
        r[q + L.WEATHER] = s[L.WEATHER]
        machine.morning(r, q, t, 1)
        sled.deaths(r, q, t)
        if joins:
            self.draw_cards(q, machine.hand_size(r, q, t))
        elif racing and self.draws_outside:
            self.draw_cards(q, sled.in_play_sum(r, q, t, L.C_DAY_DRAW))

    def joins(self, q: int) -> int:
        """Return whether a hand drawn for trial looks better to a waiting seat than what it has."""
        r = native.shorts(self.seats)
        t = native.ints(self.table)
        trial = L.W * self.players
        native.copy(r, trial, r, q, L.W)
        r[trial + L.N_CONTROL] = 0
        stays: float = self.guess_waiting(trial)
        machine.put_together(r, trial, t)
        self.draw_cards(trial, machine.hand_size(r, trial, t))
        return 1 if self.guess_waiting(trial) > stays else 0

    def guess_waiting(self, q: int) -> float:
        """Return how good a waiting row looks."""
        native.copy(native.shorts(self.work), L.W, native.shorts(self.seats), q, L.W)
        return self.guess(L.W)

    # How a race has ended

    def is_last(self, b: int) -> int:
        """Return whether the last turn of a race of two begins, which is valued exactly: its seat plays to win."""
        self.solving = 1 if self.players == 2 and self.owed == 1 + (2 << self.active) else 0
        self.least = 0 if self.active == self.asker else 1
        if self.solving:
            self.work[b + L.LEFT] = 1  # what comes to the hand is not read any more
        return self.solving

    def split(self, b: int, begun: int) -> int:
        """Split an option off the row likewise, where it is not valued exactly."""
        self.solving = 0
        return PlayoutRows.split(self, b, begun)

    def hash_row(self, b: int) -> None:
        """Hash the row likewise, with where the other seat is and who plays."""
        PlayoutRows.hash_row(self, b)
        self.hash_a = (self.hash_a ^ (2 * self.work[b + L.RIVALS] + self.least) * self.factor_b) & self.mask
        self.hash_b = (self.hash_b ^ (2 * self.work[b + L.RIVALS] + self.least) * self.factor_a) & self.mask

    def ended(self, b: int) -> float:
        """Return the share of the win that the asking seat has; what nobody has won is shared by all."""
        r = native.shorts(self.seats)
        t = native.ints(self.table)
        if self.owed == 0 and not (t[L.H_LAST_TURNS_NONE] and r[L.W * self.active + L.FINISHED]):
            return 1.0 / self.players
        front = t[L.H_FINISH_AT]
        for seat in range(self.players):
            if r[L.W * seat + L.POSITION] > front:
                front = r[L.W * seat + L.POSITION]
        winners = 0
        for seat in range(self.players):
            if r[L.W * seat + L.POSITION] == front:
                winners += 1
        if winners == 0:
            return 1.0 / self.players
        return 1.0 / winners if r[L.W * self.asker + L.POSITION] == front else 0.0
