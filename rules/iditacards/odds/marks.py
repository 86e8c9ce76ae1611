"""Bounds for the orders in which a venture comes through where cards are looked at, without sums over decks.

Of a look at *l* cards above others nothing is kept but this: all cards lie in the deck as they would if all went back,
and *l* of them, any as likely as others, bear a *mark*. To leave cards out that were shown is to skip marked cards as
they are turned over. So a state needs how many marks lie among how many cards, and no more.

**From above** (``Skipping``) the player knows which cards will come, and may skip any marked one. That is worth no less
than the game. Take any way to play. Shuffle all that was shown into the rest of the deck, whatever goes back: without
the cards that do not, the deck lies in an order that is as likely as any (R40, Q49). Whether a place is marked says
nothing of the card there. Who skips just those that did not go back turns over the same cards as that way to play does,
with as many cards in hand and deck or more, and comes as far (``odds.orders``). Cards that leave the deck unseen may as
well be taken from below. A second look finds marks already: who may skip what either look has shown has at most the sum
of both, and with fewer cards among which as many marks lie more of them come in time. Where the player chooses, the
ways are *joined*: what is turned over next is followed on every way at once, and it is enough that one comes through.

**From below** (``Discarding``) it is settled at the look, by classes of cards, what does not go back, which the player
may do; so marked cards of these classes are skipped and no others. Cards that are not put back are not counted for the
deck either. Marks of a second look, while some are left, are not used.

Values are integers: the orders of the pool, times the ways in which the marks may lie, times a power of two.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import comb, factorial
from typing import Final

from rules.core.ventures import OutOfReach
from rules.iditacards.odds.sums import Node, Sums, merged, uncovered

Pool = tuple[int, ...]
FINE: Final = 60
"""Binary digits kept of what does not come out even."""
LATE: Final = -1
"""Some cards may not have gone back from a look before, so that the deck may have more than are counted for it."""


class Marking(Node):
    """A look: what follows if all goes back, and how many of how many cards bear marks."""

    __slots__ = ("after", "among", "marks")

    def __init__(self, after: Node, marks: int, among: int) -> None:
        super().__init__((), (after,), after.alike)
        self.after = after
        self.marks = marks
        self.among = among
        self.looks += 1


class MarkedSums(Sums, ABC):
    """The nodes of one venture of which some cards bear marks."""

    def __init__(self, classes: int, alive: Callable[[], bool]) -> None:
        """``alive`` is asked now and then whether there is time left."""
        super().__init__(classes)
        self._alive = alive
        self._asked = 0
        self._worth: dict[Node, dict[tuple[object, ...], int]] = {}

    def _check(self) -> None:
        self._asked += 1
        if not self._asked & 63 and not self._alive():
            raise OutOfReach

    def look(self, marks: int, among: int, after: Node) -> Node:
        """Return the node of a look at some cards of the deck that is followed by a node."""
        if not marks or after is self.lost or after is self.through:
            return after
        key = ("look", after, marks, among)
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = Marking(after, marks, among)
        return node

    def _marked(self, node: Node, pool: Pool, size: int, marks: int, among: int, kept: int) -> int:
        """Return the orders of a pool, by where so many marks lie among so many cards.

        ``kept`` is what each bound has to know besides of marked cards.
        """
        if node is self.lost:
            return 0
        if node is self.through:
            return _all(size, marks, among)
        pool, among, kept = self._told_apart(node, pool, marks, among, kept)
        key = (pool, marks, among, kept)
        values = self._worth.setdefault(node, {})
        known = values.get(key)
        if known is None:
            self._check()
            known = values[key] = self._orders(node, pool, size, marks, among, kept)
        return known

    @abstractmethod
    def _told_apart(self, node: Node, pool: Pool, marks: int, among: int, kept: int) -> tuple[Pool, int, int]:
        """Return what the orders hang on."""

    @abstractmethod
    def _orders(self, node: Node, pool: Pool, size: int, marks: int, among: int, kept: int) -> int:
        """Return the orders where something is left to be turned over."""


class Skipping(MarkedSums):
    """The upper bound; it keeps how many marked cards have been turned over.

    These may not lie in the deck any more though they are counted.
    """

    def __init__(self, classes: int, alive: Callable[[], bool]) -> None:
        super().__init__(classes, alive)
        self._covered: dict[tuple[Node, Node], bool] = {}
        self._joined: dict[frozenset[Node], Node] = {}

    def best(self, nodes: list[Node]) -> Node:
        """Return the node of a choice: all ways at once."""
        kept = uncovered(nodes, self.covers)
        if len(kept) < 2:
            return kept[0] if kept else self.lost
        key = frozenset(kept)
        node = self._joined.get(key)
        if node is None:
            self._check()
            node = self._joined[key] = self._join(kept)
        return node

    def _join(self, ways: list[Node]) -> Node:
        looks = [way for way in ways if isinstance(way, Marking)]
        if looks:
            after = self.best([way.after if isinstance(way, Marking) else way for way in ways])
            return self.look(max(way.marks for way in looks), min(way.among for way in looks), after)
        self.chose = True
        return self.node(tuple(self.best(list(kinds)) for kinds in zip(*(way.kinds for way in ways), strict=True)))

    def covers(self, one: Node, other: Node) -> bool:
        """Return whether whatever cards lead through from one node do so from the other, too."""
        if one is other or other is self.lost or one is self.through:
            return True
        if one is self.lost or other is self.through:
            return False
        key = (one, other)
        known = self._covered.get(key)
        if known is None:
            known = self._covered[key] = self._compared(one, other)
        return known

    def _compared(self, one: Node, other: Node) -> bool:
        self._check()
        if isinstance(one, Marking):
            if isinstance(other, Marking):
                marked = one.marks >= other.marks and one.among <= other.among
                return marked and self.covers(one.after, other.after)
            return self.covers(one.after, other)
        if isinstance(other, Marking):
            return False
        return all(map(self.covers, one.kinds, other.kinds))

    def chance(self, node: Node, pool: Pool, size: int) -> Fraction:
        """Return the bound."""
        return min(Fraction(1), Fraction(self._marked(node, pool, size, 0, 0, 0), factorial(size) << FINE))

    def _told_apart(self, node: Node, pool: Pool, marks: int, among: int, met: int) -> tuple[Pool, int, int]:
        """Return what the orders hang on."""
        return merged(node, pool), among if marks else 0, met if node.looks else 0

    def _orders(self, node: Node, pool: Pool, size: int, marks: int, among: int, met: int) -> int:
        if isinstance(node, Marking):
            cards = max(1, node.among - met)
            more = min(cards, marks + node.marks)
            found = self._marked(node.after, pool, size, more, cards, met)
            return -(-found * comb(among, marks) // comb(cards, more))  # rounded up
        value = 0
        for kind, copies in enumerate(pool):
            if not copies:
                continue
            after = node.kinds[kind]
            fewer = (*pool[:kind], copies - 1, *pool[kind + 1 :])
            if not marks:
                value += copies * self._marked(after, fewer, size - 1, 0, 0, met)
                continue
            if among > marks:
                value += copies * self._marked(after, fewer, size - 1, marks, among - 1, met)
            value += copies * self._marked(self.best([after, node]), fewer, size - 1, marks - 1, among - 1, met + 1)
        return value


class Discarding(MarkedSums):
    """The lower bound; it keeps the classes of which marked cards are skipped.

    That is ``LATE`` after a look of which no mark is left.
    """

    def chance(self, node: Node, pool: Pool, size: int) -> Fraction:
        """Return the bound."""
        return Fraction(self._marked(node, pool, size, 0, 0, 0), factorial(size) << FINE)

    def _told_apart(self, node: Node, pool: Pool, marks: int, among: int, bad: int) -> tuple[Pool, int, int]:
        """Return what the orders hang on."""
        if marks:
            return pool, among, bad
        return merged(node, pool), 0, LATE if bad and node.looks else 0

    def _orders(self, node: Node, pool: Pool, size: int, marks: int, among: int, bad: int) -> int:
        if isinstance(node, Marking):
            if marks:
                return self._marked(node.after, pool, size, marks, among, bad)
            cards = size if bad else node.among
            found = self._marked(node.after, pool, size, node.marks, cards, self._worse(node.after, pool, size))
            return found // comb(cards, node.marks)
        if node.best:
            return max(self._marked(way, pool, size, marks, among, bad) for way in node.best)
        value = 0
        for kind, copies in enumerate(pool):
            if not copies:
                continue
            after = node.kinds[kind]
            fewer = (*pool[:kind], copies - 1, *pool[kind + 1 :])
            if not marks:
                value += copies * self._marked(after, fewer, size - 1, 0, 0, bad)
                continue
            if among > marks:
                value += copies * self._marked(after, fewer, size - 1, marks, among - 1, bad)
            marked = node if bad >> kind & 1 else after
            value += copies * self._marked(marked, fewer, size - 1, marks - 1, among - 1, bad)
        return value

    def _worse(self, node: Node, pool: Pool, size: int) -> int:
        """Return the classes, by bits, that are worse as the next card than a card not known; any set would do."""
        while node.best:
            node = max(node.best, key=lambda way: self._marked(way, pool, size, 0, 0, 0))
        if not node.kinds:
            return 0
        mean = self._marked(node, pool, size, 0, 0, 0)
        worse = 0
        for kind, copies in enumerate(pool):
            if copies:
                fewer = (*pool[:kind], copies - 1, *pool[kind + 1 :])
                if size * self._marked(node.kinds[kind], fewer, size - 1, 0, 0, 0) < mean:
                    worse |= 1 << kind
        return worse


@lru_cache(maxsize=4096)
def _all(size: int, marks: int, among: int) -> int:
    return factorial(size) * comb(among, marks) << FINE
