"""The orders of a pool in which a venture comes through, for a player who uses all that was drawn or looked at.

Whoever decides knows which cards have left the deck, and so which ones are in it, but not their order. So a *choice* is
worth the mean, over all decks of so many cards out of the pool, of its best way for each; a *look* the mean over what
it shows and what lies below, of the best cards to put back. From then on the deck is the pool.

A way *covers* another one if it is worth as much or more for every pool. In either the next card turned over is as
likely to be any card not turned over yet, whatever has left the deck unseen, so the same *sequence* of cards turned
over is as likely, as long as nothing is put back. So it is enough to come through, without any further knowledge, for
every sequence for which the other one can, even if that one were to choose with the whole sequence known. That holds if

- it has come through, or the other one is lost, or they are the same;
- it covers every way of a choice, or one of its own ways covers the other one;
- what follows each class of cards covers what follows that class in the other one;
- it looks at as many cards above as many others, and for every way of the other there is one of its own that covers it
  after as many cards are put back: what is shown and what lies below are as likely, whoever looks knows both, and so
  can put back what the other one would;
- it is a look after which everything may be put back, what follows that covers the other one, and the other one does
  not look any more: a shuffled deck is like any other.

Where one way covers all others there is no choice, and nothing is gained by what was seen. Numbers of cards in the deck
are compared nowhere but at looks, since sequences are all that the argument is about.

Values are integers: the orders of the pool, times a power of a number by which all that looks divide by is a divisor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import factorial, lcm

from rules.core.ventures import OutOfReach
from rules.iditacards.odds_blind import shares
from rules.iditacards.odds_looks import Look
from rules.iditacards.odds_returns import Exchange
from rules.iditacards.odds_sums import Node, SeenNode, Sums, common

Pool = tuple[int, ...]


class SeenSums(Sums):
    """The nodes of one venture whose deck has ``most`` cards at most.

    Raises:
        OutOfReach: time is up.
    """

    def __init__(self, classes: int, most: int, alive: Callable[[], bool], *, covering: bool = True) -> None:
        """``covering`` false compares no ways, as a control."""
        super().__init__(classes)
        self._covering = covering
        self._alive = alive
        self._scale = lcm(*range(1, most + 1)) if most else 1
        self._bits = most.bit_length()
        self._covered: dict[tuple[int, int], bool] = {}
        self._exchange: Exchange | None = None
        self._looks: dict[SeenNode, Look] = {}

    def choice(self, nodes: list[Node], below: int) -> Node:
        """Return the node of a choice with so many cards in the deck."""
        kept: list[Node] = []
        for way in dict.fromkeys(nodes):
            if not any(self.covers(other, way) for other in kept):
                kept = [other for other in kept if not self.covers(way, other)]
                kept.append(way)
        if not kept:
            return self.lost
        if len(kept) == 1:
            return kept[0]
        key = ("choice", below, frozenset(kept))
        node = self._nodes.get(key)
        if node is None:
            ways = tuple(kept)
            alike = common([way.alike for way in ways], self._everyone)
            node = self._nodes[key] = SeenNode(ways, alike, below, 0, ())
        return node

    def look(self, looked: int, below: int, ways: list[tuple[int, Node]]) -> Node:
        """Return the node of a look at some cards above some others; ways are cards put back and what follows."""
        ways = [way for way in ways if way[1] is not self.lost]
        nodes = [node for _, node in ways]
        if not ways:
            return self.lost
        if self.through in nodes:
            return self.through
        if [back for back, _ in ways] == [looked]:
            return nodes[0]
        key = ("look", looked, below, *ways)
        node = self._nodes.get(key)
        if node is None:
            alike = common([way.alike for way in nodes], self._everyone)
            node = self._nodes[key] = SeenNode(tuple(nodes), alike, below, looked, tuple(back for back, _ in ways))
        return node

    # What covers what

    def covers(self, one: Node, other: Node) -> bool:
        """Return whether a node is known to cover another one."""
        if one is other or other is self.lost or one is self.through:
            return True
        if one is self.lost or other is self.through or not self._covering:
            return False
        key = (id(one), id(other))
        known = self._covered.get(key)
        if known is None:
            known = self._covered[key] = self._compared(one, other)
        return known

    def _compared(self, one: Node, other: Node) -> bool:
        if isinstance(other, SeenNode) and not other.backs and all(self.covers(one, way) for way in other.best):
            return True
        if isinstance(one, SeenNode):
            if not one.backs:
                return any(self.covers(way, other) for way in one.best)
            if one.backs[-1] == one.looked and not other.looks and self.covers(one.best[-1], other):
                return True
            return isinstance(other, SeenNode) and self._look(one, other)
        if isinstance(other, SeenNode):
            return False
        return all(map(self.covers, one.kinds, other.kinds))

    def _look(self, one: SeenNode, other: SeenNode) -> bool:
        if not other.backs or (one.looked, one.below) != (other.looked, other.below):
            return False
        ways = dict(zip(one.backs, one.best, strict=True))
        pairs = zip(other.backs, other.best, strict=True)
        return all(back in ways and self.covers(ways[back], way) for back, way in pairs)

    # What it is worth

    def chance(self, node: Node, pool: Pool, size: int) -> Fraction:
        """Return the chance that the venture comes through."""
        self._looks.clear()
        self._exchange = Exchange(pool, self.covers if self._covering else lambda *_: False)
        return Fraction(self.value(node, pool, size), factorial(size) * self._scale**node.looks)

    def _value(self, node: Node, pool: Pool, size: int) -> int:
        if isinstance(node, SeenNode):
            return self._looked(node, pool, size) if node.backs else self._chosen(node, pool, size)
        value = 0
        for kind, copies in enumerate(pool):
            if copies:
                after = node.kinds[kind]
                if after is not self.lost:
                    fewer = (*pool[:kind], copies - 1, *pool[kind + 1 :])
                    value += copies * self.value(after, fewer, size - 1) * self._scale ** (node.looks - after.looks)
        return value

    def _chosen(self, node: SeenNode, pool: Pool, size: int) -> int:
        """Return the sum over all decks: each stands for the orders of the cards that have left it."""
        below = node.below
        ways = [(way, self._scale ** (node.looks - way.looks)) for way in node.best]
        value = 0
        for deck, many in _decks(pool, below):
            self._check()
            value += many * max(self.value(way, deck, below) * scale for way, scale in ways)
        return value * factorial(size - below)

    def _looked(self, node: SeenNode, pool: Pool, size: int) -> int:
        """Return the sum over what is shown and what lies below.

        Of size! orders as many have so many cards above so many others as looked! below! (size - looked - below)!
        stands for; the deck afterwards has (below + back)! orders, which the scale makes a divisor: the quotient
        (below + back)! / (looked! below!) divides a binomial coefficient of a number up to ``most``.

        What lies below is told apart first. If the look was asked for before, for another pool, what lies below or is
        shown comes up again, so that is told apart first, unless there are more such sets than of what lies below:
        sets are the fewer the farther their size is from half the pool.
        """
        looked, below = node.looked, node.below
        there = looked + below
        look = self._looks.get(node)
        if look is not None and size > there and abs(2 * there - size) >= abs(2 * below - size):
            value = 0
            for deck, many in _decks(pool, there):
                self._check()
                value += many * self.value(node, deck, there)
            return value * factorial(size - there)
        if look is None:
            look = self._looks[node] = self._look_of(node)
        if size == there:
            return look.known_together(pool)
        return look.known_below(pool, _decks(pool, below)) * factorial(size - there)

    def _look_of(self, node: SeenNode) -> Look:
        assert self._exchange is not None
        orders = factorial(node.looked) * factorial(node.below)
        scales: list[int] = [
            orders * self._scale ** (node.looks - way.looks) // factorial(node.below + back)
            for back, way in zip(node.backs, node.best, strict=True)
        ]

        def worth(way: int, deck: Pool) -> int:
            self._check()
            return self.value(node.best[way], deck, node.below + node.backs[way]) * scales[way]

        return Look(node, self._exchange.orders(node), self._bits, worth, orders * self._scale**node.looks)

    def _check(self) -> None:
        if not self._alive():
            raise OutOfReach


def _decks(pool: Pool, n: int) -> Iterator[tuple[Pool, int]]:
    """Yield what ``shares`` returns, of which there may be too many to wait for."""
    half = len(pool) // 2
    one, other = pool[:half], pool[half:]
    for cards in range(max(0, n - sum(other)), min(n, sum(one)) + 1):
        for first, many in shares(one, cards):
            for rest, more in shares(other, n - cards):
                yield first + rest, many * more
