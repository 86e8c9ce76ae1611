"""Nodes of a venture for fewer copies of risk cards than they were found with.

What follows a card of which no copy is left has no weight in any pool. So a node that was found with some copies left
is worth as much with fewer, and the same node as if it had been looked for anew follows if all those ways are cut: then
equal spots stay one node, and two ways that come to the same stay no choice.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.iditacards.odds.numbers import Left
from rules.iditacards.odds.seen import SeenSums
from rules.iditacards.odds.sums import Node

Uses = tuple[tuple[int, int], ...]
"""Classes of risk cards, and how many of each may be turned over one after the other at most."""


class Fewer:
    """Cuts nodes of some sums."""

    def __init__(self, sums: SeenSums, bits: Sequence[tuple[Left, Left, Left]]) -> None:
        """``bits`` of a class find copies left, are one copy, and tell that it ran out; no copy: it never does."""
        self._sums = sums
        self._mask = [mask for mask, _, _ in bits]
        self._copy = [copy for _, copy, _ in bits]
        self._outs = sum(out for _, _, out in bits)
        self._uses: dict[Node, tuple[Uses, Left]] = {}
        self._cut: dict[tuple[Node, tuple[int, ...]], Node] = {}

    def out(self, node: Node, left: Left) -> Left:
        """Return the bits of the classes of which more may be turned over from a node on than are left."""
        return self._outs & ~((left | self._outs) - self._of(node)[1])

    def node(self, node: Node, left: Left) -> Node:
        """Return what a node is with so many copies left."""
        uses, packed = self._of(node)
        if (left | self._outs) - packed & self._outs == self._outs:
            return node  # there are as many of each as may be turned over
        mask, copy = self._mask, self._copy
        key = (node, tuple([min((left & mask[kind]) // copy[kind], most) for kind, most in uses]))
        found = self._cut.get(key)
        if found is None:
            found = self._cut[key] = self._made(node, left)
        return found

    def _made(self, node: Node, left: Left) -> Node:
        sums, mask, copy = self._sums, self._mask, self._copy
        after = [self.node(way, left) for way in node.best]
        for kind, each in enumerate(node.kinds):
            if not copy[kind]:
                after.append(self.node(each, left))
            elif left & mask[kind] and each is not sums.lost:
                after.append(self.node(each, left - copy[kind]))
            else:
                after.append(sums.lost)
        return sums.again(node, after)

    def _used(self, node: Node) -> tuple[Uses, Left]:
        """Return which risk cards may be turned over from a node on, as a list and packed."""
        found: dict[int, int] = {}
        for way in dict.fromkeys((*node.kinds, *node.best)):
            for kind, most in self._of(way)[0]:
                found[kind] = max(found.get(kind, 0), most)
        for kind, each in enumerate(node.kinds):
            if self._copy[kind] and each is not self._sums.lost:
                found[kind] = max(found.get(kind, 0), 1 + dict(self._of(each)[0]).get(kind, 0))
        uses = tuple(found.items())
        self._uses[node] = uses, sum(self._copy[kind] * most for kind, most in uses)
        return self._uses[node]

    def _of(self, node: Node) -> tuple[Uses, Left]:
        known = self._uses.get(node)
        return self._used(node) if known is None else known
