# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=False
"""RiskModel as nodes over an urn of cards, and their chances for any urn.

The idea: what follows the cards tells which of them are alike. A node is what is left of a venture; which cards the
urn holds is no part of it. It has a link for each kind that may be turned over. Nodes with equal links are one node,
so options that come to the same are no choice. At a node two kinds are *alike* if they lead to the same one, and are
alike at every node behind it. Then a value hangs on how many cards of each class the urn has, and on no more. So the
sums over all that the urn may hold and a look may show are over few classes: near the end mostly those that come
through and those that do not.

Cards leave an urn unseen as long as nothing is decided: the rest stays as likely in every order. At a choice or a look
who plays knows which cards are left (``SEEING``). One option *covers* another if it does as well with every order of
every urn; then there is no choice. The module knows no game; types are in ``urns.pxd``.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from fractions import Fraction
from math import comb

from solver.search import urn_layout as U
from solver.search import values_layout as V
from solver.search.row_values import RowValues

try:
    import cython
except ImportError:
    from solver.encodings import uncompiled as cython

if not cython.compiled:
    from solver.encodings.uncompiled import itself as chars
    from solver.encodings.uncompiled import itself as ints
    from solver.encodings.uncompiled import itself as shorts

SIDE = U.MOST_CARDS + 1


class Urns(RowValues):
    """Nodes over urns of some kinds, and their values.

    Attributes:
        sight: how much who plays knows, one of ``BLIND``, ``SEEING`` and ``HOPING``.
    """

    def __init__(self, kinds: int, memory: int, pause: Callable[[], None]) -> None:
        if kinds > U.MOST_KINDS:
            raise ValueError(f"an urn has {kinds} kinds of cards, and a row room for {U.MOST_KINDS}")
        super().__init__(U.W, U.ROWS, memory, pause)
        self.enough = 1.0
        self.kinds = kinds
        self.sight = U.BLIND
        self.n = self.n_links = self.top = 0
        self.facts = array("i", bytes(4 * U.FACTS * 1024))
        self.links = array("i", bytes(4 * 16 * 1024))
        self.parts = array("b", bytes(1024 * kinds))
        self.finer = array("b", bytes(kinds))
        self.pending = array("i", bytes(4 * U.MOST_PENDING))
        self.ways = array("q", [comb(n, k) for n in range(SIDE) for k in range(SIDE)])
        self.make(U.LOST, 0, 0, 0)
        self.make(U.THROUGH, 0, 0, 0)

    # Nodes

    def put(self, number: int) -> int:
        """Note one more link of the node that is being made."""
        if self.top >= U.MOST_PENDING:
            raise OverflowError("too many links are open")
        self.pending[self.top] = number
        self.top += 1
        return 0

    def make(self, kind: int, size: int, shown: int, mark: int) -> int:
        """Return the node with the links noted from a mark on, which are taken back."""
        out = shorts(self.scratch)
        n = self.top - mark
        if 2 * n + 3 > V.LEAST_SCRATCH:
            raise OverflowError("a node has too many links")
        out[0] = -1 - kind
        out[1] = size
        out[2] = shown
        for i in range(n):
            out[3 + 2 * i] = self.pending[mark + i] // U.BASE
            out[4 + 2 * i] = self.pending[mark + i] % U.BASE
        self.digest(3 + 2 * n)
        self.top = mark
        a = self.hash_a
        c = self.hash_b
        at = self.find(a, c)
        if at >= 0:
            return int(self.values[at])
        while U.FACTS * (self.n + 1) > len(self.facts) or self.n_links + n > len(self.links):
            self.widen()
        facts = ints(self.facts)
        links = ints(self.links)
        node = self.n
        at = U.FACTS * node
        facts[at] = kind
        facts[at + U.SIZE] = size
        facts[at + U.SHOWN] = shown
        facts[at + U.FIRST] = self.n_links
        facts[at + U.N_LINKS] = n
        for i in range(n):
            links[self.n_links + i] = self.pending[mark + i]
        self.n += 1
        self.n_links += n
        self.divide(node)
        self.store(a, c, node)
        return node

    def widen(self) -> int:
        """Make the lists of nodes and links twice as long."""
        facts, links, parts = array("i", self.facts), array("i", self.links), array("b", self.parts)
        self.facts, self.links, self.parts = facts + facts, links + links, parts + parts
        return 0

    def divide(self, node: int) -> int:
        """Note for each kind the first one that is alike to it at a node."""
        facts = ints(self.facts)
        links = ints(self.links)
        parts = chars(self.parts)
        at = U.FACTS * node
        kind = facts[at]
        first = facts[at + U.FIRST]
        part = self.kinds * node
        for k in range(self.kinds):
            parts[part + k] = 0
            j = 0
            while kind == U.TURNED and links[first + j] != links[first + k]:
                j += 1
            parts[part + k] = j
        step = 2 if kind == U.MIXED else 1
        for i in range(0, facts[at + U.N_LINKS], step):
            j = 0
            while links[first + j] != links[first + i]:
                j += step
            if j == i:
                self.refine(part, self.kinds * links[first + i])
        return 0

    def refine(self, part: int, other: int) -> int:
        """Divide classes of kinds by those of another node."""
        parts = chars(self.parts)
        finer = chars(self.finer)
        for k in range(self.kinds):
            j = 0
            while parts[part + j] != parts[part + k] or parts[other + j] != parts[other + k]:
                j += 1
            finer[k] = j
        for k in range(self.kinds):
            parts[part + k] = finer[k]
        return 0

    def turned(self, mark: int, some: int) -> int:
        """Return what follows the next card; the links from a mark on are those of all kinds.

        Those that are below 0 are of kinds of which no copy can be left; they become some other link.
        """
        for i in range(mark, self.top):
            if self.pending[i] < 0:
                self.pending[i] = some
        for i in range(mark, self.top):
            if self.pending[i] != self.pending[mark]:
                return self.make(U.TURNED, 0, 0, mark)
        self.top = mark
        return self.pending[mark]

    def choice(self, size: int, mark: int) -> int:
        """Return the best of the links from a mark on, where so many cards are there."""
        facts = ints(self.facts)
        links = ints(self.links)
        for i in range(mark, self.top):  # a choice among choices is one choice
            at = U.FACTS * self.pending[i]
            if facts[at] == U.CHOICE and facts[at + U.SIZE] == size:
                self.pending[i] = links[facts[at + U.FIRST]]
                for j in range(1, facts[at + U.N_LINKS]):
                    self.put(links[facts[at + U.FIRST] + j])
        n = mark
        for i in range(mark, self.top):
            node = self.pending[i]
            j = mark
            while j < n and not self.covers(self.pending[j], node):
                j += 1
            if j < n:
                continue
            kept = mark
            for j in range(mark, n):
                if not self.covers(node, self.pending[j]):
                    self.pending[kept] = self.pending[j]
                    kept += 1
            j = kept
            while j > mark and self.pending[j - 1] > node:
                self.pending[j] = self.pending[j - 1]
                j -= 1
            self.pending[j] = node
            n = kept + 1
        self.top = n
        if n - mark == 1:
            self.top = mark
            return self.pending[mark]
        return self.make(U.CHOICE, size, 0, mark) if n > mark else U.LOST

    def is_choice(self, node: int) -> int:
        """Return whether something is to be decided at a node."""
        return 1 if self.facts[U.FACTS * node] == U.CHOICE else 0

    def look(self, size: int, shown: int, mark: int) -> int:
        """Return a look; the links from a mark on are by how many cards go back."""
        for i in range(mark, self.top):
            if self.pending[i] != self.pending[mark] or self.pending[i] > U.THROUGH:
                return self.make(U.LOOK, size, shown, mark)
        self.top = mark
        return self.pending[mark]

    def covers(self, x: int, y: int) -> int:
        """Return whether a node is worth as much as another one for every urn, by what follows every order of it."""
        if x == y or x == U.THROUGH or y == U.LOST:
            return 1
        if x == U.LOST or y == U.THROUGH:
            return 0
        out = shorts(self.scratch)
        out[0] = -20
        out[1] = x // U.BASE
        out[2] = x % U.BASE
        out[3] = y // U.BASE
        out[4] = y % U.BASE
        self.digest(5)
        a = self.hash_a
        c = self.hash_b
        at = self.find(a, c)
        if at >= 0:
            return int(self.values[at])
        found = self.covers_each(x, y)
        self.store(a, c, found)
        return found

    def covers_each(self, x: int, y: int) -> int:
        """Compare two nodes link by link."""
        facts = ints(self.facts)
        links = ints(self.links)
        p = U.FACTS * x
        q = U.FACTS * y
        first = facts[p + U.FIRST]
        other = facts[q + U.FIRST]
        n = facts[q + U.N_LINKS]
        if facts[q] == U.CHOICE:
            for i in range(n):
                if not self.covers(x, links[other + i]):
                    return 0
            return 1
        if facts[p] == U.CHOICE:
            for i in range(facts[p + U.N_LINKS]):
                if self.covers(links[first + i], y):
                    return 1
            return 0
        if facts[p] != facts[q] or facts[p + U.SHOWN] != facts[q + U.SHOWN] or facts[p + U.SIZE] != facts[q + U.SIZE]:
            return 0
        step = 2 if facts[p] == U.MIXED else 1
        if step == 2 and n != facts[p + U.N_LINKS]:
            return 0
        for i in range(0, n, step):
            if step == 2 and links[first + i + 1] != links[other + i + 1]:
                return 0
            if not self.covers(links[first + i], links[other + i]):
                return 0
        return 1

    # Values

    def chance_at(self, node: int, copies: list[int], sight: int) -> Fraction:
        """Return the chance of a node over an urn of so many copies of each kind.

        Raises:
            OverflowError: the urn has too many cards, or numbers tell too little.
        """
        self.sight = sight
        for i in range(U.W):
            self.work[i] = 0
        self.work[0], self.work[1] = node // U.BASE, node % U.BASE
        for kind, n in enumerate(copies):
            self.work[U.URN + kind] = n
        self.doubts = 0
        value = self.fraction_of()
        if self.doubts:
            raise OverflowError("values lie too close to each other")
        return value or Fraction(0)

    def go_to(self, b: int, node: int) -> int:
        """Let a row arrive at a node."""
        s = shorts(self.work)
        s[b] = node // U.BASE
        s[b + 1] = node % U.BASE
        s[b + U.PHASE] = 0
        s[b + U.AT] = 0
        s[b + U.OPTION] = 0
        s[b + U.LEFT] = 0
        s[b + U.BACK] = 0
        return 0

    def enter(self, b: int, phase: int, left: int) -> int:
        """Let a row begin a phase."""
        s = shorts(self.work)
        s[b + U.PHASE] = phase
        s[b + U.AT] = 0
        s[b + U.LEFT] = left
        self.moved = 1
        return V.CHANCE

    def copy_row(self, b: int) -> int:
        """Write a row behind it once more."""
        s = shorts(self.work)
        for i in range(b, b + U.ASIDE + self.kinds):
            s[i + U.W] = s[i]
        return b + U.W

    def cards(self, b: int, first: int) -> int:
        """Return the number of cards in the urn from a kind on."""
        s = shorts(self.work)
        n = 0
        for k in range(b + U.URN + first, b + U.URN + self.kinds):
            n += s[k]
        return n

    def advance(self, b: int) -> int:
        """Let the row at b go on."""
        s = shorts(self.work)
        facts = ints(self.facts)
        self.moved = 0
        at = U.FACTS * (s[b] * U.BASE + s[b + 1])
        kind = facts[at]
        if kind <= U.THROUGH or (self.sight == U.HOPING and kind >= U.CHOICE):
            self.leaf_number = 1 if kind else 0
            self.leaf = self.leaf_number
            return V.SETTLED
        if kind == U.TURNED or kind == U.MIXED:
            return V.CHANCE
        phase = s[b + U.PHASE]
        if phase == U.ARRIVED and self.sight == U.SEEING:
            n = self.cards(b, 0)
            if n > U.MOST_CARDS:
                return V.BROKEN
            if n > facts[at + U.SIZE]:
                return self.enter(b, U.THINNED, facts[at + U.SIZE])
            if kind == U.LOOK:
                return self.enter(b, U.PARTED, facts[at + U.SIZE] - facts[at + U.SHOWN])
        if phase == U.THINNED or phase == U.PARTED:
            if self.is_open(b, phase):
                return V.CHANCE
            if phase == U.THINNED and kind == U.LOOK:
                return self.enter(b, U.PARTED, facts[at + U.SIZE] - facts[at + U.SHOWN])
            return self.enter(b, U.CHOSEN, 0)
        if kind == U.LOOK and phase == U.CHOSEN:
            return self.put_back(b, facts[at + U.FIRST])
        option = s[b + U.OPTION]
        if option == facts[at + U.N_LINKS]:
            return V.DEAD
        s[b + U.OPTION] = option + 1
        self.go_to(self.copy_row(b), self.links[facts[at + U.FIRST] + option])
        return V.OPTION

    def is_open(self, b: int, phase: int) -> int:
        """Go on to the next kind of which not only one number may be kept; return whether there is one."""
        s = shorts(self.work)
        left = s[b + U.LEFT]
        place = s[b + U.AT]
        rest = self.cards(b, place)
        while place < self.kinds:
            n = s[b + U.URN + place]
            if n and 0 < left < rest:
                s[b + U.LEFT] = left
                s[b + U.AT] = place
                return 1
            if left == 0:
                s[b + U.URN + place] = 0
                if phase == U.PARTED:
                    s[b + U.ASIDE + place] = n
            else:
                left -= n
            rest -= n
            place += 1
        return 0

    def put_back(self, b: int, links: int) -> int:
        """Choose how many cards of the next kind that is shown go back."""
        s = shorts(self.work)
        place = s[b + U.AT]
        while place < self.kinds and s[b + U.ASIDE + place] == 0:
            place += 1
        if place == self.kinds:
            self.go_to(b, self.links[links + s[b + U.BACK]])
            self.moved = 1
            return V.CHANCE
        s[b + U.AT] = place
        option = s[b + U.OPTION]
        if option > s[b + U.ASIDE + place]:
            return V.DEAD
        s[b + U.OPTION] = option + 1
        q = self.copy_row(b)
        s[q + U.OPTION] = 0
        s[q + U.AT] = place + 1
        s[q + U.ASIDE + place] = 0
        s[q + U.URN + place] = s[q + U.URN + place] + option
        s[q + U.BACK] = s[q + U.BACK] + option
        return V.OPTION

    def outcome(self, b: int, place: int) -> int:
        """Write what chance may bring behind the row."""
        s = shorts(self.work)
        facts = ints(self.facts)
        at = U.FACTS * (s[b] * U.BASE + s[b + 1])
        first = facts[at + U.FIRST]
        if s[b + U.PHASE]:
            return self.part_kind(b, place)
        if facts[at] == U.MIXED:
            if place == facts[at + U.N_LINKS]:
                return 0
            self.place = place + 2
            self.go_to(self.copy_row(b), self.links[first + place])
            weight: int = self.links[first + place + 1]
            return weight
        while place < self.kinds and s[b + U.URN + place] == 0:
            place += 1
        if place == self.kinds:
            return 0
        self.place = place + 1
        q = self.copy_row(b)
        n: int = s[b + U.URN + place]
        s[q + U.URN + place] = n - 1
        self.go_to(q, self.links[first + place])
        return n

    def part_kind(self, b: int, place: int) -> int:
        """Let it come out how many cards of the next kind are kept; the place is their number."""
        s = shorts(self.work)
        kind = s[b + U.AT]
        n = s[b + U.URN + kind]
        left = s[b + U.LEFT]
        rest = self.cards(b, kind + 1)
        place = max(place, left - rest)
        if place > n or place > left:
            return 0
        self.place = place + 1
        q = self.copy_row(b)
        s[q + U.URN + kind] = place
        if s[b + U.PHASE] == U.PARTED:
            s[q + U.ASIDE + kind] = n - place
        s[q + U.LEFT] = left - place
        s[q + U.AT] = kind + 1
        weight: int = self.ways[SIDE * n + place] * self.ways[SIDE * rest + left - place]
        return weight

    def hash_row(self, b: int) -> int:
        """Hash the node, and the urn by what is alike there."""
        s = shorts(self.work)
        parts = chars(self.parts)
        if s[b + U.PHASE] == 0:
            part = self.kinds * (s[b] * U.BASE + s[b + 1])
            for k in range(self.kinds):
                j = parts[part + k]
                if j != k:
                    s[b + U.URN + j] = s[b + U.URN + j] + s[b + U.URN + k]
                    s[b + U.URN + k] = 0
        out = shorts(self.scratch)
        out[0] = self.sight
        for i in range(U.URN):
            out[1 + i] = s[b + i]
        n = 1 + U.URN
        for k in range(b + U.URN, b + U.URN + self.kinds):
            out[n] = s[k]
            n += 1
        if s[b + U.PHASE] >= U.PARTED:
            for k in range(b + U.ASIDE, b + U.ASIDE + self.kinds):
                out[n] = s[k]
                n += 1
        return self.digest(n)
