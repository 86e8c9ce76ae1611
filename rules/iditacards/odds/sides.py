"""Nodes of which only two others are known that they lie between, and chances from both sides.

What the discard pile gives back is known only in part. So where something reads it there is an *unsure* node: what can
be had for certain, and what is more than anybody can have. Where these are one and the same, that node stands for both.
All else is looked into once; then every unsure node is replaced by the one, and by the other. A venture of which both
come out equal is told exactly: it may be that nothing follows a card that reads the pile, or that it is never paid for.

Ways are left out for others only where that holds whatever the unsure nodes are worth: the least of one must cover the
most of the other.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rules.iditacards.odds.first import Begun
from rules.iditacards.odds.seen import SeenSums
from rules.iditacards.odds.sums import Node, Sums, common

Pool = tuple[int, ...]


class Unsure(Node):
    """What lies between two nodes."""

    __slots__ = ("least", "most")

    def __init__(self, least: Node, most: Node, alike: tuple[int, ...]) -> None:
        super().__init__((), (least, most), alike)
        self.least = least
        self.most = most


class Sides(Sums):
    """Sums that have unsure nodes, too; ``chance`` tells the least, and keeps the most."""

    high = Fraction(1)
    """The most that the chance last asked for may be."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._sides: dict[bool, dict[Node, Node]] = {}

    def unsure(self, least: Node, most: Node) -> Node:
        """Return the node of what lies between two others."""
        if least is most or least is self.through or most is self.lost:
            return least if least is self.through else most
        key = ("unsure", least, most)
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = Unsure(least, most, common([least.alike, most.alike], self._everyone))
        return node

    def settled(self, node: Node, *, most: bool) -> Node:
        """Return the node with the least, or the most, in the place of all that is unsure."""
        return self._settled(node, self._sides.setdefault(most, {}), most=most)

    def chance(self, node: Node, pool: Pool, size: int) -> Fraction:
        """Return the least that the chance of coming through may be."""
        least, most = (self.settled(node, most=most) for most in (False, True))
        self.high = super().chance(most, pool, size)
        return self.high if most is least else super().chance(least, pool, size)

    def _settled(self, node: Node, known: dict[Node, Node], *, most: bool) -> Node:
        """Return the node with the least, or the most, in the place of all that is unsure."""
        found = known.get(node)
        if found is None:
            found = known[node] = self._replaced(node, known, most=most)
        return found

    def _replaced(self, node: Node, known: dict[Node, Node], *, most: bool) -> Node:
        if isinstance(node, Unsure):
            return self._settled(node.most if most else node.least, known, most=most)
        ways = [self._settled(way, known, most=most) for way in (*node.kinds, *node.best)]
        if all(way is before for way, before in zip(ways, (*node.kinds, *node.best), strict=True)):
            return node
        return self.again(node, ways)

    def again(self, node: Node, ways: list[Node]) -> Node:
        """Return the node like another one with others in the place of all that follows, one by one."""
        return self.unsure(*ways) if isinstance(node, Unsure) else super().again(node, ways)


class BegunSides(Sides, Begun):
    """Sums of somebody who just goes on, which keep what they were asked for."""


class SeenSides(Sides, SeenSums):
    """Sums of somebody who uses all that was drawn or looked at."""

    def surely(self, node: Node, pool: Pool, size: int) -> Fraction:
        """Return the chance from a node after which nothing is unsure."""
        return SeenSums.chance(self, node, pool, size)

    def covers(self, one: Node, other: Node) -> bool:
        """Return whether a node is known to cover another one, whatever the unsure ones are worth."""
        if one is other:
            return True
        while isinstance(one, Unsure):
            one = one.least
        while isinstance(other, Unsure):
            other = other.most
        return super().covers(one, other)
