# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""Playouts over rows with chance: a tree of options, then the rollout policy of the game (UCT).

A row tells how it goes on, what chance may bring and how good it looks (``PlayoutRows``). A row
holds no more than the player knows, so nothing has to be dealt. Rows of one value share a node of the tree, and no
choice depends on what the player does not see (P. Cowling, E. Powley, D. Whitehouse, "Information Set Monte Carlo Tree
Search", IEEE TCIAIG 4, 2012). A node tries its options in the order of how good they look, more of them the
more often it is met (progressive widening; R. Coulom, "Computing Elo ratings of move patterns", 2007). Last turns are
valued exactly where that is quick. Equal numbers bring equal draws, one stream for each source of chance (SplitMix64).
"""

from __future__ import annotations

from array import array
from typing import Final

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
        chosen = n - 1
        blind = rows.is_blind(2 * width)
        chosen = self.below(n) if blind else self.chosen(n)
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
