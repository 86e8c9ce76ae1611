"""The orders of a pool in which a venture comes through, added up over what may follow each card.

To somebody who uses nothing that was drawn or looked at all cards not turned over stay as likely as before in every
place (``odds.blind``). So every node has a number of orders for each pool: for every card that may come next, those of
the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import factorial


class Node:
    """What follows from a spot; equal ones are one object."""

    __slots__ = ("alike", "best", "kinds", "looks", "merges", "values")

    def __init__(self, kinds: tuple[Node, ...], best: tuple[Node, ...], alike: tuple[int, ...]) -> None:
        self.kinds = kinds
        """What follows each class of cards; empty where the player chooses."""
        self.best = best
        """What the player chooses from."""
        self.alike = alike
        """For each class the first one that is alike in all that follows."""
        self.merges = [(number, first) for number, first in enumerate(alike) if number != first]
        """Classes that are counted for others, and for which."""
        self.values: dict[tuple[int, ...], int] = {}
        self.looks: int = max((node.looks for node in (*kinds, *best)), default=0)
        """Looks at the deck that may follow one another from here on, where they are told apart."""


class SeenNode(Node):
    """A choice or a look of somebody who uses what was seen."""

    __slots__ = ("backs", "below", "looked")

    def __init__(
        self, best: tuple[Node, ...], alike: tuple[int, ...], below: int, looked: int, backs: tuple[int, ...]
    ) -> None:
        super().__init__((), best, alike)
        self.below = below
        """Cards in the deck, those looked at left out."""
        self.looked = looked
        self.backs = backs
        """For each way how many cards are put back; empty if it is no look."""
        self.looks = max(way.looks for way in best) + bool(backs)

    @property
    def there(self) -> int:
        """Cards in the deck, those looked at among them."""
        return self.below + self.looked


class Sums:
    """The nodes of one venture; asked twice for the same, it gives the same one."""

    def __init__(self, classes: int) -> None:
        self._everyone = tuple(range(classes))
        self.lost = Node((), (), (0,) * classes)
        self.through = Node((), (), (0,) * classes)
        self.chose = False
        """Somebody who uses what is seen may do better: something was decided or looked at."""
        self._nodes: dict[object, Node] = {}

    def best(self, nodes: list[Node]) -> Node:
        """Return the node of a choice."""
        ways = tuple(dict.fromkeys(node for node in nodes if node is not self.lost))
        if not ways:
            return self.lost
        if self.through in ways:
            return self.through
        if len(ways) == 1:
            return ways[0]
        self.chose = True
        key = frozenset(ways)
        node = self._nodes.get((key,))
        if node is None:
            node = self._nodes[(key,)] = Node((), ways, common([way.alike for way in ways], self._everyone))
        return node

    def node(self, kinds: tuple[Node, ...]) -> Node:
        """Return the node of what follows each class."""
        node = self._nodes.get(kinds)
        if node is None:
            different = dict.fromkeys(kinds)
            if len(different) == 1 and self.lost in different:
                node = self.lost
            else:
                parts: list[tuple[object, ...]] = [kinds]
                parts.extend(each.alike for each in different if each.kinds or each.best)
                node = Node(kinds, (), common(parts, self._everyone))
            self._nodes[kinds] = node
        return node

    def again(self, node: Node, ways: list[Node]) -> Node:
        """Return the node like another one with others in the place of all that follows, one by one."""
        return self.node(tuple(ways)) if node.kinds else self.best(ways)

    def chance(self, node: Node, pool: tuple[int, ...], size: int) -> Fraction:
        """Return the chance that the venture comes through."""
        return Fraction(self.value(node, pool, size), factorial(size))

    def value(self, node: Node, pool: tuple[int, ...], size: int) -> int:
        """Return the orders of a pool in which the venture comes through."""
        if node is self.lost:
            return 0
        if node is self.through:
            return factorial(size)
        pool = merged(node, pool)
        known = node.values.get(pool)
        if known is None:
            known = node.values[pool] = self._value(node, pool, size)
        return known

    def _value(self, node: Node, pool: tuple[int, ...], size: int) -> int:
        if node.best:
            return max(self.value(way, pool, size) for way in node.best)
        known = 0
        for kind, copies in enumerate(pool):
            if copies:
                fewer = (*pool[:kind], copies - 1, *pool[kind + 1 :])
                known += copies * self.value(node.kinds[kind], fewer, size - 1)
        return known


def merged(node: Node, pool: tuple[int, ...]) -> tuple[int, ...]:
    """Return a pool in which classes that are alike from a node on are counted for the first of them."""
    if not node.merges:
        return pool
    found = list(pool)
    for number, first in node.merges:
        if found[number]:
            found[first] += found[number]
            found[number] = 0
    return tuple(found)


def uncovered(nodes: Sequence[Node], covers: Callable[[Node, Node], bool]) -> list[Node]:
    """Return the ways of a choice that no other one covers, of ways that cover each other one."""
    kept: list[Node] = []
    for way in dict.fromkeys(nodes):
        if not any(covers(other, way) for other in kept):
            kept = [other for other in kept if not covers(way, other)]
            kept.append(way)
    return kept


def common(parts: Sequence[tuple[object, ...]], everyone: tuple[int, ...]) -> tuple[int, ...]:
    """Return for each class the first one that has the same in all parts."""
    first: dict[tuple[object, ...], int] = {}
    return tuple(
        [first.setdefault(same, number) for same, number in zip(zip(*parts, strict=True), everyone, strict=True)]
    )
