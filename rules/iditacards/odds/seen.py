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

from collections.abc import Callable
from fractions import Fraction
from math import factorial, lcm

from rules.core.decks import Decks
from rules.iditacards.odds.sheets import Sheets
from rules.iditacards.odds.sums import Node, SeenNode, Sums, common, uncovered

Pool = tuple[int, ...]


class SeenSums(Sums):
    """The nodes of one venture whose deck has ``most`` cards at most.

    Raises:
        OutOfReach: time is up.
    """

    def __init__(
        self,
        classes: int,
        most: int,
        alive: Callable[[], bool],
        *,
        covering: bool = True,
        decks: Decks | None = None,
    ) -> None:
        """``covering`` false compares no ways, as a control; ``decks`` works out what much is to be added up for."""
        super().__init__(classes)
        self._decks = decks
        self._covering = covering
        self._alive = alive
        self._scale = lcm(*range(1, most + 1)) if most else 1
        self._covered: dict[tuple[int, int], bool] = {}

    def choice(self, nodes: list[Node], below: int) -> Node:
        """Return the node of a choice with so many cards in the deck."""
        kept = uncovered(nodes, self.covers)
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

    def again(self, node: Node, ways: list[Node]) -> Node:
        """Return the node like another one with others in the place of all that follows, one by one."""
        if not isinstance(node, SeenNode):
            return super().again(node, ways)
        if node.backs:
            return self.look(node.looked, node.below, list(zip(node.backs, ways, strict=True)))
        return self.choice(ways, node.below)

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
        if node is self.lost or node is self.through:
            return Fraction(node is self.through)
        sheets = Sheets(self.lost, self.through, pool, self._scale, self._alive, self._decks)
        return Fraction(sheets.value(node, size), factorial(size) * self._scale**node.looks)
