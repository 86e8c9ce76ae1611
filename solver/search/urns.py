# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""Ventures as nodes over an urn of cards, and their chances for any urn.

The idea: what follows the cards tells which of them are alike. A node is what is left of a venture; which cards the
urn holds is no part of it. It has a link for each kind that may be turned over. Nodes with equal links are one node,
so options that come to the same are no choice. At a node two kinds are *alike* if they lead to the same one, and are
alike at every node behind it. Then a value hangs on how many cards of each class the urn has, and on no more. So the
sums over all that the urn may hold and a look may show are over few classes. Near the end these are mostly those that
come through and those that do not.

Cards leave an urn unseen as long as nothing is decided: the rest stays as likely in every order. At a choice or a look
who plays knows which cards are left (``SEEING``). One option *covers* another if it does as well with every order of
every urn; then there is no choice. The module knows no game.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from fractions import Fraction
from math import comb

from solver.search import layout as V
from solver.search import native
from solver.search.row_values import RowValues


class Urns(RowValues):
    """Nodes over urns of some kinds, and their values.

    Attributes:
        sight: how much who plays knows, one of ``BLIND``, ``SEEING`` and ``HOPING``.
    """

    def __init__(self, kinds: int, memory: int, pause: Callable[[], None]) -> None:
        if kinds > V.MOST_KINDS:
            raise OverflowError(f"an urn has {kinds} kinds of cards, and a row room for {V.MOST_KINDS}")
        super().__init__(V.W, V.ROWS, memory, pause)
        self.enough = 1.0
        self.kinds = kinds
        self.sight = V.BLIND
        self.n = self.n_links = self.top = 0
        self.facts = array("i", bytes(4 * V.FACTS * 1024))
        self.links = array("i", bytes(4 * 16 * 1024))
        self.parts = array("b", bytes(1024 * kinds))
        self.finer = array("b", bytes(kinds))
        self.pending = array("i", bytes(4 * V.MOST_PENDING))
        self.ways = array("q", [comb(n, k) for n in range(V.SIDE) for k in range(V.SIDE)])
        self.make(V.LOST, 0, 0, 0)
        self.make(V.THROUGH, 0, 0, 0)

    # Nodes

    def put(self, number: int) -> None:
        """Note one more link of the node that is being made."""
        if self.top >= V.MOST_PENDING:
            raise OverflowError("too many links are open")
        self.pending[self.top] = number
        self.top += 1

    def make(self, kind: int, size: int, shown: int, mark: int) -> int:
        """Return the node with the links noted from a mark on, which are taken back."""
        out = native.shorts(self.scratch)
        n = self.top - mark
        if 2 * n + 3 > V.LEAST_SCRATCH:
            raise OverflowError("a node has too many links")
        out[0] = -1 - kind
        out[1] = size
        out[2] = shown
        for i in range(n):
            out[3 + 2 * i] = self.pending[mark + i] // V.BASE
            out[4 + 2 * i] = self.pending[mark + i] % V.BASE
        self.digest(3 + 2 * n)
        self.top = mark
        a = self.hash_a
        c = self.hash_b
        at = self.find(a, c)
        if at >= 0:
            return int(self.doubles[at + 2])
        while V.FACTS * (self.n + 1) > len(self.facts) or self.n_links + n > len(self.links):
            self.widen()
        facts = native.ints(self.facts)
        links = native.ints(self.links)
        node = self.n
        at = V.FACTS * node
        facts[at] = kind
        facts[at + V.SIZE] = size
        facts[at + V.N_SHOWN] = shown
        facts[at + V.FIRST] = self.n_links
        facts[at + V.N_LINKS] = n
        for i in range(n):
            links[self.n_links + i] = self.pending[mark + i]
        self.n += 1
        self.n_links += n
        self.divide(node)
        self.store(a, c, node)
        return node

    def widen(self) -> None:
        """Make the lists of nodes and links twice as long."""
        facts, links, parts = array("i", self.facts), array("i", self.links), array("b", self.parts)
        self.facts, self.links, self.parts = facts + facts, links + links, parts + parts

    def divide(self, node: int) -> None:
        """Note for each kind the first one that is alike to it at a node."""
        facts = native.ints(self.facts)
        links = native.ints(self.links)
        parts = native.chars(self.parts)
        finer = native.chars(self.finer)
        at = V.FACTS * node
        kind = facts[at]
        first = facts[at + V.FIRST]
        part = self.kinds * node
        for k in range(self.kinds):
            parts[part + k] = 0
            j = 0
            while kind == V.TURNED and links[first + j] != links[first + k]:
                j += 1
            parts[part + k] = j
        step = 2 if kind == V.MIXED else 1
        for i in range(0, facts[at + V.N_LINKS], step):
            j = 0
            while links[first + j] != links[first + i]:
                j += step
            if j < i:
                continue
            other = self.kinds * links[first + i]  # its classes divide those of the node
            for k in range(self.kinds):
                j = 0
                while parts[part + j] != parts[part + k] or parts[other + j] != parts[other + k]:
                    j += 1
                finer[k] = j
            for k in range(self.kinds):
                parts[part + k] = finer[k]

    def turned(self, mark: int, some: int) -> int:
        """Return what follows the next card; the links from a mark on are those of all kinds.

        Those that are below 0 are of kinds of which no copy can be left; they become some other link.
        """
        for i in range(mark, self.top):
            if self.pending[i] < 0:
                self.pending[i] = some
        for i in range(mark, self.top):
            if self.pending[i] != self.pending[mark]:
                return self.make(V.TURNED, 0, 0, mark)
        self.top = mark
        return self.pending[mark]

    def choice(self, size: int, mark: int) -> int:
        """Return the best of the links from a mark on, where so many cards are there."""
        facts = native.ints(self.facts)
        links = native.ints(self.links)
        for i in range(mark, self.top):  # a choice among choices is one choice
            at = V.FACTS * self.pending[i]
            if facts[at] == V.CHOICE and facts[at + V.SIZE] == size:
                self.pending[i] = links[facts[at + V.FIRST]]
                for j in range(1, facts[at + V.N_LINKS]):
                    self.put(links[facts[at + V.FIRST] + j])
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
        return self.make(V.CHOICE, size, 0, mark) if n > mark else V.LOST

    def look(self, size: int, shown: int, mark: int) -> int:
        """Return a look; the links from a mark on are by how many cards go back."""
        for i in range(mark, self.top):
            if self.pending[i] != self.pending[mark] or self.pending[i] > V.THROUGH:
                return self.make(V.LOOK, size, shown, mark)
        self.top = mark
        return self.pending[mark]

    def covers(self, x: int, y: int) -> int:
        """Return whether a node is worth as much as another one for every urn, by what follows every order of it."""
        if x == y or x == V.THROUGH or y == V.LOST:
            return 1
        if x == V.LOST or y == V.THROUGH:
            return 0
        out = native.shorts(self.scratch)
        out[0] = -20
        out[1] = x // V.BASE
        out[2] = x % V.BASE
        out[3] = y // V.BASE
        out[4] = y % V.BASE
        self.digest(5)
        a = self.hash_a
        c = self.hash_b
        at = self.find(a, c)
        if at >= 0:
            return int(self.doubles[at + 2])
        found = self.covers_each(x, y)
        self.store(a, c, found)
        return found

    def covers_each(self, x: int, y: int) -> int:
        """Compare two nodes link by link."""
        facts = native.ints(self.facts)
        links = native.ints(self.links)
        p = V.FACTS * x
        q = V.FACTS * y
        first = facts[p + V.FIRST]
        other = facts[q + V.FIRST]
        n = facts[q + V.N_LINKS]
        if facts[q] == V.CHOICE:
            for i in range(n):
                if not self.covers(x, links[other + i]):
                    return 0
            return 1
        if facts[p] == V.CHOICE:
            for i in range(facts[p + V.N_LINKS]):
                if self.covers(links[first + i], y):
                    return 1
            return 0
        if (
            facts[p] != facts[q]
            or facts[p + V.N_SHOWN] != facts[q + V.N_SHOWN]
            or facts[p + V.SIZE] != facts[q + V.SIZE]
        ):
            return 0
        step = 2 if facts[p] == V.MIXED else 1
        if step == 2 and n != facts[p + V.N_LINKS]:
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
        for i in range(V.W):
            self.work[i] = 0
        self.work[0], self.work[1] = node // V.BASE, node % V.BASE
        for kind, n in enumerate(copies):
            self.work[V.URN + kind] = n
        self.doubts = 0
        value = self.fraction_of()
        if self.doubts:
            raise OverflowError("values lie too close to each other")
        return value or Fraction(0)

    def go_to(self, b: int, node: int) -> None:
        """Let a row arrive at a node."""
        s = native.shorts(self.work)
        s[b] = node // V.BASE
        s[b + 1] = node % V.BASE
        s[b + V.NEXT_OPTION] = 0
        s[b + V.NEXT_KIND] = 0
        s[b + V.NEXT_SHOWN] = 0
        s[b + V.BACK] = 0

    def copy_row(self, b: int) -> int:
        """Write a row behind it once more."""
        s = native.shorts(self.work)
        for i in range(b, b + V.ASIDE + self.kinds):
            s[i + V.W] = s[i]
        return b + V.W

    def cards(self, b: int, first: int) -> int:
        """Return the number of cards in the urn from a kind on."""
        s = native.shorts(self.work)
        n = 0
        for k in range(b + V.URN + first, b + V.URN + self.kinds):
            n += s[k]
        return n

    def advance(self, b: int) -> int:
        """Let the row at b go on.

        Who sees learns kind by kind which cards are there at a choice or a look, while the others leave the urn; then
        which of these are shown, which are put aside.
        """
        s = native.shorts(self.work)
        facts = native.ints(self.facts)
        self.moved = 0
        at = V.FACTS * (s[b] * V.BASE + s[b + 1])
        kind = facts[at]
        if kind <= V.THROUGH or (self.sight == V.HOPING and kind >= V.CHOICE):
            self.leaf_number = 1 if kind else 0
            self.leaf = self.leaf_number
            return V.SETTLED
        if kind == V.TURNED or kind == V.MIXED:
            return V.CHANCE
        if self.sight == V.SEEING and s[b + V.NEXT_SHOWN] == 0:
            n = self.cards(b, 0)
            if n > V.MOST_CARDS:
                return V.BROKEN
            if n > facts[at + V.SIZE] - facts[at + V.N_SHOWN]:
                return V.CHANCE
            s[b + V.NEXT_SHOWN] = 1 if kind == V.LOOK else 0
        if s[b + V.NEXT_SHOWN]:
            return self.put_back(b, facts[at + V.FIRST])
        option = s[b + V.NEXT_OPTION]
        if option == facts[at + V.N_LINKS]:
            return V.DEAD
        s[b + V.NEXT_OPTION] = option + 1
        self.go_to(self.copy_row(b), self.links[facts[at + V.FIRST] + option])
        return V.OPTION

    def put_back(self, b: int, links: int) -> int:
        """Choose how many cards of the next kind that is shown go back."""
        s = native.shorts(self.work)
        place = s[b + V.NEXT_SHOWN] - 1
        while place < self.kinds and s[b + V.ASIDE + place] == 0:
            place += 1
        if place == self.kinds:
            self.go_to(b, self.links[links + s[b + V.BACK]])
            self.moved = 1
            return V.CHANCE
        s[b + V.NEXT_SHOWN] = place + 1
        option = s[b + V.NEXT_OPTION]
        if option > s[b + V.ASIDE + place]:
            return V.DEAD
        s[b + V.NEXT_OPTION] = option + 1
        q = self.copy_row(b)
        s[q + V.NEXT_OPTION] = 0
        s[q + V.NEXT_SHOWN] = place + 2
        s[q + V.ASIDE + place] = 0
        s[q + V.URN + place] = s[q + V.URN + place] + option
        s[q + V.BACK] = s[q + V.BACK] + option
        return V.OPTION

    def outcome(self, b: int, place: int) -> int:
        """Write what chance may bring behind the row."""
        s = native.shorts(self.work)
        facts = native.ints(self.facts)
        at = V.FACTS * (s[b] * V.BASE + s[b + 1])
        kind = facts[at]
        first = facts[at + V.FIRST]
        if kind == V.MIXED:
            if place == facts[at + V.N_LINKS]:
                return 0
            self.place = place + 2
            self.go_to(self.copy_row(b), self.links[first + place])
            weight: int = self.links[first + place + 1]
            return weight
        if kind != V.TURNED:
            return self.part_kind(b, place)
        while place < self.kinds and s[b + V.URN + place] == 0:
            place += 1
        if place == self.kinds:
            return 0
        self.place = place + 1
        q = self.copy_row(b)
        n: int = s[b + V.URN + place]
        s[q + V.URN + place] = n - 1
        self.go_to(q, self.links[first + place])
        return n

    def part_kind(self, b: int, place: int) -> int:
        """Let it come out how many cards of the next kind stay in the urn; the place is their number.

        Cards leave it until only those that are there stay; after that they are put aside.
        """
        s = native.shorts(self.work)
        at = V.FACTS * (s[b] * V.BASE + s[b + 1])
        size = self.facts[at + V.SIZE]
        total = self.cards(b, 0)
        aside = 1 if total <= size else 0
        spare = total - (size - self.facts[at + V.N_SHOWN] if aside else size)
        kind = s[b + V.NEXT_KIND]
        while s[b + V.URN + kind] == 0:
            kind += 1
        n = s[b + V.URN + kind]
        rest = self.cards(b, kind + 1)
        left = n + rest - spare
        place = max(place, left - rest)
        if place > n or place > left:
            return 0
        self.place = place + 1
        q = self.copy_row(b)
        s[q + V.URN + kind] = place
        if aside:
            s[q + V.ASIDE + kind] = n - place
        s[q + V.NEXT_KIND] = kind + 1 if spare > n - place else 0
        weight: int = self.ways[V.SIDE * n + place] * self.ways[V.SIDE * rest + left - place]
        return weight

    def hash_row(self, b: int) -> None:
        """Hash the node, and the urn by what is alike there."""
        s = native.shorts(self.work)
        parts = native.chars(self.parts)
        node = s[b] * V.BASE + s[b + 1]
        for k in range(self.kinds if s[b + V.NEXT_KIND] + s[b + V.NEXT_SHOWN] == 0 else 0):
            j = parts[self.kinds * node + k]
            if j != k:
                s[b + V.URN + j] = s[b + V.URN + j] + s[b + V.URN + k]
                s[b + V.URN + k] = 0
        out = native.shorts(self.scratch)
        out[0] = self.sight
        n = 1
        for i in range(b, b + V.URN + self.kinds):
            out[n] = s[i]
            n += 1
        if self.facts[V.FACTS * node] == V.LOOK:
            for i in range(b + V.ASIDE, b + V.ASIDE + self.kinds):
                out[n] = s[i]
                n += 1
        self.digest(n)
