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
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import chain
from math import comb
from typing import TypeAlias

from solver.search import layout as V
from solver.search import native
from solver.search.row_values import RowValues

Node: TypeAlias = "tuple[int, int, int, tuple[int, ...]]"
"""Kind, cards of the urn that are there, those of them that are shown, links."""


class Urns(RowValues):
    """Nodes over urns of some kinds, and their values.

    Attributes:
        nodes: all of them by number; ``numbers`` is the reverse.
        classes: by node, for each kind the first one that is alike to it there.
        sight: how much who plays knows, one of ``BLIND``, ``SEEING`` and ``HOPING``.
    """

    nodes: list[Node]
    numbers: dict[Node, int]
    classes: list[list[int]]
    covered: dict[tuple[int, int], bool]

    def __init__(self, kinds: int, memory: int, pause: Callable[[], None]) -> None:
        if kinds > V.MOST_KINDS:
            raise OverflowError(f"an urn has {kinds} kinds of cards, and a row room for {V.MOST_KINDS}")
        super().__init__(V.W, V.ROWS, memory, pause)
        self.enough = 1.0
        self.kinds = kinds
        self.sight = V.BLIND
        self.nodes, self.classes = [], []
        self.numbers, self.covered = {}, {}
        self.facts = array("i", bytes(4))
        self.links = array("i", bytes(4))
        self.parts = array("b", bytes(1))
        self.ways = array("q", [comb(n, k) for n in range(V.SIDE) for k in range(V.SIDE)])
        self.make(V.LOST, 0, 0, ())
        self.make(V.THROUGH, 0, 0, ())

    # Nodes

    def make(self, kind: int, size: int, shown: int, links: Sequence[int]) -> int:
        """Return the node with some links."""
        node = kind, size, shown, tuple(links)
        if node not in self.numbers:
            # Kinds are alike if neither the links of the node nor any node behind it tells them apart.
            own = links if kind == V.TURNED else [0] * self.kinds
            behind = set(links[::2] if kind == V.MIXED else links)
            marks = list(zip(own, *(self.classes[link] for link in behind), strict=True))
            self.classes.append(list(map(marks.index, marks)))
            self.numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return self.numbers[node]

    def turned(self, links: Sequence[int]) -> int:
        """Return what follows the next card; the links are those of all kinds.

        Those that are below 0 are of kinds of which no copy can be left; they become some other link.
        """
        some = next((link for link in links if link >= 0), -1)
        links = [some if link < 0 else link for link in links]
        return self.make(V.TURNED, 0, 0, links) if len(set(links)) > 1 else some

    def choice(self, size: int, links: Sequence[int]) -> int:
        """Return the best of some links, where so many cards are there."""
        if len(set(links)) == 1:
            return links[0]
        best: list[int] = []
        for link in links:
            kind, there, _, inner = self.nodes[link]
            for node in inner if kind == V.CHOICE and there == size else (link,):  # a choice among choices is one
                if not any(self.covers(each, node) for each in best):
                    best = [*(each for each in best if not self.covers(node, each)), node]
        return self.make(V.CHOICE, size, 0, sorted(best)) if len(best) > 1 else best[0]

    def look(self, size: int, shown: int, links: Sequence[int]) -> int:
        """Return a look; the links are by how many cards go back."""
        is_settled = len(set(links)) == 1 and links[0] <= V.THROUGH
        return links[0] if is_settled else self.make(V.LOOK, size, shown, links)

    def covers(self, x: int, y: int) -> bool:
        """Return whether a node is worth as much as another one for every urn, by what follows every order of it."""
        if x == y or x == V.THROUGH or y == V.LOST:
            return True
        if x == V.LOST or y == V.THROUGH:
            return False
        if (x, y) not in self.covered:
            *shape, links = self.nodes[x]
            *other, others = self.nodes[y]
            if other[0] == V.CHOICE:
                found = all(self.covers(x, link) for link in others)
            elif shape[0] == V.CHOICE:
                found = any(self.covers(link, y) for link in links)
            else:
                step = 2 if shape[0] == V.MIXED else 1
                found = shape == other and (step == 1 or links[1::2] == others[1::2])
                found = found and all(map(self.covers, links[::step], others[::step]))
            self.covered[x, y] = found
        return self.covered[x, y]

    # Values

    def chance_at(self, node: int, copies: list[int], sight: int) -> Fraction:
        """Return the chance of a node over an urn of so many copies of each kind.

        Raises:
            OverflowError: the urn has too many cards, or numbers tell too little.
        """
        self.sight = sight
        if V.FACTS * len(self.nodes) > len(self.facts):
            facts, links = array("i"), array("i", [0])
            for kind, size, shown, behind in self.nodes:
                facts.extend((kind, size, shown, len(links), len(behind)))
                links.extend(behind)
            self.facts, self.links = facts, links
            self.parts = array("b", chain.from_iterable(self.classes))
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

        Who sees learns kind by kind which cards are there at a choice or a look, while the others leave the urn. Then
        come those that are shown, and those of them that are put aside.
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
