# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""Playouts over rows with chance: a tree of options, then the rollout policy of the game (UCT); races of several seats.

A row tells how it goes on, what chance may bring and how good it looks (``PlayoutRows``). A row
holds no more than the player knows, so nothing has to be dealt. Rows of one value share a node of the tree, and no
choice depends on what the player does not see (P. Cowling, E. Powley, D. Whitehouse, "Information Set Monte Carlo Tree
Search", IEEE TCIAIG 4, 2012). A node tries its options in the order of how good they look, more of them the
more often it is met (progressive widening; R. Coulom, "Computing Elo ratings of move patterns", 2007). Last turns are
valued exactly where that is quick. Equal numbers bring equal draws, one stream for each source of chance (SplitMix64).

In a race each seat has a row of the machine. The one under way is the first row of the playouts; the others wait in
``seats``. When a turn ends, what the table shares goes to all rows, and whoever was passed, overtaken or rained on has
it happen. Others join a new day where a hand drawn for trial looks better to them than the one they hold.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Final

from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards import machine, sled, zones
from solver.encodings.iditacards.hidden.policy import PlayoutRows
from solver.search import layout as V
from solver.search import native
from solver.search.budget import BudgetExceeded
from solver.search.native import Row, Word
from solver.search.row_values import HashTable

WORDS: Final = 4
"""Words of an entry of the tree: two of the hash, the visits, and the total of what came of them."""
_WORD: Final = (1 << 64) - 1


class RowPlayouts(HashTable):
    """The playouts of one question, with what they have learnt."""

    word: Word

    def __init__(self, rows: PlayoutRows, entries: int, exact: int) -> None:
        """``entries``, a power of 2, bounds the tree; with 1 there is none. ``exact`` bounds the rows of a last turn.

        The pause of ``rows`` has to raise ``BudgetExceeded``: it ends exact values of last turns.
        """
        super().__init__(WORDS, 0, entries)
        self.rows = rows
        self.exact = exact
        self.path = array("q", bytes(8 * V.MOST_PATH))
        self.places = array("q", bytes(8 * V.MOST_OPTIONS))
        self.looks = array("d", bytes(8 * V.MOST_OPTIONS))
        self.streams = array("Q", bytes(8 * (V.SOURCES + 1)))
        self.word = _WORD
        self.low = self.high = self.last = 0.0
        self.met = self.n_path = self.learns = self.inside = 0
        self.turns = 0
        self.wasted = 0

    def play(self, row: Row, seed: Word, learns: int) -> float:
        """Play a row on to the end of its question; return how well that ends.

        Where it ``learns``, the tree grows; elsewhere the best known options are played.

        Raises:
            OverflowError: a row needs more than the game's encoding has.
        """
        rows = self.rows
        rows.copy_first(row)
        for i in range(V.SOURCES + 1):
            self.streams[i] = self.mixed(seed ^ (i + 1) * 0x9E3779B97F4A7C15 & self.word)
        rows.deal(seed)
        self.learns = learns
        self.inside = 1 if self.entries > 1 else 0
        self.n_path = 0
        value = self.run()
        if self.met == 0 or value < self.low:
            self.low = value
        if self.met == 0 or value > self.high:
            self.high = value
        self.met += 1
        if learns:
            for i in range(self.n_path):
                at = self.path[i]
                self.signed[at + 2] += 1
                self.doubles[at + 3] += value
        return value

    def run(self) -> float:
        """Play the first row on."""
        rows = self.rows
        kind = V.TURN
        while True:
            if kind == V.TURN:
                self.turns += 1
                if rows.is_last(0) and self.last_turn():
                    return self.last
            rows.count += 1
            kind = rows.split(0, 0)
            if kind == V.OPTION:
                kind = self.choose()
            if kind == V.CHANCE:
                source = rows.chance(0, -1, 0)
                rows.chance(0, source, self.number(source))
            elif kind == V.SETTLED:
                return rows.ended(0)
            elif kind == V.DEAD:
                return rows.worst
            elif kind == V.BROKEN:
                raise OverflowError("a row needs more than the encoding has")

    def last_turn(self) -> int:
        """Value a row's last turn exactly; return whether that was quick enough, the value is in ``last``."""
        rows = self.rows
        if self.exact == 0 or 8 * self.wasted > self.turns:
            return 0
        self.copy(1, 0)
        rows.next_pause = rows.count + self.exact
        try:
            self.last = rows.value(rows.width, 1)
        except BudgetExceeded:
            self.wasted += 1
            return 0
        if self.last == rows.lost:
            self.last = rows.worst
        return 1

    def choose(self) -> int:
        """Let the first row, of which one option has been split off, go on with the one that is chosen."""
        rows = self.rows
        width = rows.width
        n = 0
        kind = V.OPTION
        while kind == V.OPTION and n < V.MOST_OPTIONS:
            self.copy(n + 2, 1)
            n += 1
            rows.count += 1
            kind = rows.split(0, 1)
        if kind != V.DEAD:
            if n == V.MOST_OPTIONS:
                raise OverflowError("too many options")
            self.copy(n + 2, 0)
            n += 1
        at = 2 * width + L.CONTROL + L.CONTROL_W * (rows.work[2 * width + L.N_CONTROL] - 1)
        # A choice that turns over cards which nobody has seen is one at random.
        chosen = self.below(n) if rows.work[at] == L.I_SUPPLY else self.chosen(n)
        if kind != V.DEAD and chosen == n - 1:
            return kind
        self.copy(0, chosen + 2)
        return V.LAST

    def chosen(self, n: int) -> int:
        """Return the option that is played, by the tree or by the policy."""
        rows = self.rows
        best = 0
        met = 0
        tried = 0
        for i in range(n):
            self.looks[i] = rows.guess((i + 2) * rows.width)
            if self.looks[i] > self.looks[best]:
                best = i
        if not self.inside:
            return best
        for i in range(n):
            rows.hash_row((i + 2) * rows.width)
            self.places[i] = self.find(rows.hash_a, rows.hash_b)
            visits = self.signed[self.places[i] + 2] if self.places[i] >= 0 else 0
            met += visits
            tried += 1 if visits else 0
        if not self.learns:
            if tried == 0:
                self.inside = 0
                return best
            return self.most_hopeful(n, met)
        if tried < n and tried < 2 + 0.7 * native.sqrt(met):
            best = -1
            for i in range(n):
                visits = self.signed[self.places[i] + 2] if self.places[i] >= 0 else 0
                if visits == 0 and (best < 0 or self.looks[i] > self.looks[best]):
                    best = i
            self.inside = 0
        else:
            best = self.most_hopeful(n, met)
        at = self.places[best]
        if at < 0:
            rows.hash_row((best + 2) * rows.width)
            at = self.insert(rows.hash_a, rows.hash_b)
        if at >= 0 and self.n_path < V.MOST_PATH:
            self.path[self.n_path] = at
            self.n_path += 1
        return best

    def most_hopeful(self, n: int, met: int) -> int:
        """Return the option with the greatest upper confidence bound, the most tried one where nothing is learnt."""
        span = self.high - self.low if self.high > self.low else 1.0
        best = -1
        most = 0.0
        for i in range(n):
            at = self.places[i]
            if at < 0 or self.signed[at + 2] == 0:
                continue
            visits = self.signed[at + 2]
            bound = 1.0 * visits
            if self.learns:
                mean = self.doubles[at + 3] / visits
                bound = (mean - self.low) / span + 0.4 * native.sqrt(native.log(met + 1) / visits)
            if best < 0 or bound > most:
                best = i
                most = bound
        return best

    def copy(self, to: int, start: int) -> None:
        """Copy a row from one place of the rows to another."""
        width = self.rows.width
        native.copy(native.shorts(self.rows.work), to * width, native.shorts(self.rows.work), start * width, width)

    # Numbers

    def mixed(self, x: Word) -> Word:
        """Return a number of 64 bits that depends on all bits of another (the finalizer of SplitMix64)."""
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & self.word
        x = (x ^ x >> 27) * 0x94D049BB133111EB & self.word
        return x ^ x >> 31

    def number(self, stream: int) -> Word:
        """Return the next 32 bits of a stream."""
        self.streams[stream] = self.streams[stream] + 0x9E3779B97F4A7C15 & self.word
        return self.mixed(self.streams[stream]) >> 32

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1."""
        return self.number(V.SOURCES) * n >> 32


# Races of several seats


def share(s: Row, b: int, r: Row, q: int) -> None:
    """Let a waiting row know what all seats share, but for the day and its weather."""
    r[q + L.DAMAGE_LEFT] = s[b + L.DAMAGE_LEFT]
    r[q + L.FREEZE] = s[b + L.FREEZE]
    r[q + L.WEATHER_EVENT] = s[b + L.WEATHER_EVENT]
    native.copy(r, q + L.GONE, s, b + L.GONE, L.MOST_DECKS)
    r[q + L.N_SUPPLY] = s[b + L.N_SUPPLY]
    native.copy(r, q + L.SUPPLY, s, b + L.SUPPLY, s[b + L.N_SUPPLY])


class SeatRows(PlayoutRows):
    """The rows of all seats in one race, which ``RowPlayouts`` plays on."""

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
        native.copy(s, L.CONTROL + L.CONTROL_W * s[L.N_CONTROL], r, q + L.CONTROL, waiting)
        s[L.N_CONTROL] = s[L.N_CONTROL] + r[q + L.N_CONTROL]
        r[q + L.N_CONTROL] = 0
        s[L.N_RIVALS] = self.players - 1
        for i in range(self.players - 1):
            other = (self.active + 1 + i) % self.players
            s[L.RIVALS + i] = r[L.W * other + L.POSITION]
            s[L.OVERTAKEN + i] = 0

    def chance(self, b: int, source: int, number: int) -> int:
        """Let chance bring one of its results likewise; each deck is a source of its own."""
        found = PlayoutRows.chance(self, b, source, number)
        return 3 + self.active if source < 0 and found == 0 else found

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
        if self.solving:
            return self.settle_last(b)
        r = native.shorts(self.seats)
        t = native.ints(self.table)
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
        share(s, 0, r, q)
        if s[L.OVERTAKEN + place] and not machine.is_unhurt(r, q, t):
            sled.damage(r, q, t, s[L.OVERTAKEN + place])
        while r[q + L.POSITION] > s[L.RIVALS + place]:
            self.fall_back(q)
        if s[L.DAY] != r[q + L.DAY]:
            self.new_day(q)
        s[L.DAMAGE_LEFT] = r[q + L.DAMAGE_LEFT]

    def fall_back(self, q: int) -> None:
        """Push a waiting seat back by a space, where it arrives (R45, Q8)."""
        r = native.shorts(self.seats)
        t = native.ints(self.table)
        came = r[q + L.POSITION]
        r[q + L.POSITION] = came - 1
        toll = machine.enter_leg(r, q, t, came)
        while toll > 0 and r[q + L.N_DECK]:
            zones.to_discard(r, q, self.take_card(q))
            toll -= 1
        machine.meet_space(r, q, t)
        sled.deaths(r, q, t)

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
        s = native.shorts(self.work)
        native.copy(s, L.W, native.shorts(self.seats), q, L.W)
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

    def settle_last(self, b: int) -> int:
        """Settle the last turn of a race of two: whether the asking seat has won."""
        s = native.shorts(self.work)
        ahead = 1 if s[b + L.POSITION] > s[b + L.RIVALS] else 0
        front = s[b + L.POSITION] if ahead else s[b + L.RIVALS]
        self.settle(1 if ahead != self.least else 0)
        if front < self.table[L.H_FINISH_AT]:
            self.leaf = 0.5
        return V.SETTLED

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
