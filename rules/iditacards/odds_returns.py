"""Which cards go back first after a look, whatever else lies in the deck.

A class is *as good as* another one at a node if a card of it in the deck, in place of one of the other, is never worse.
Let the two decks lie in the same order but for that card. If it comes first, what follows it has to cover what follows
the other one (``odds_seen``); if any other card does, the same has to hold at what follows that card. Choices and looks
are made by who knows the deck: whatever is chosen, shown and put back with the one can be with the other, so there it
has to hold for every way.

A card of which there is one only does not lie in the rest of the deck. That may be said of any card of a class that is
alike to others, since they may stand for each other.

So with the classes in some order, a return of so many cards need not hold a card of a class while one of an earlier
class that is as good was shown and is left out: the return with that one instead is no worse and comes earlier, so that
such steps end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from rules.iditacards.odds_sums import Node, SeenNode

Masks = tuple[int, ...]
"""For each class a set of classes, by bits."""
EVERY: Final = -1
"""All classes."""


class Order(NamedTuple):
    """In which order cards go back after a look."""

    kinds: tuple[int, ...]
    """The classes that it tells apart."""
    before: tuple[Masks, ...]
    """For each way, by class, later ones that do not go back while some of that class are left out."""


class Exchange:
    """What is as good as what, for the nodes of one venture."""

    def __init__(self, pool: tuple[int, ...], covers: Callable[[Node, Node], bool]) -> None:
        """``pool`` are all cards that there may be."""
        self._pool = pool
        self._covers = covers
        self._single = sum(1 << kind for kind, copies in enumerate(pool) if copies == 1)
        self._good: dict[Node, Masks] = {}
        self._orders: dict[Node, Order] = {}

    def good(self, node: Node) -> Masks:
        """Return for each class those that it is as good as."""
        known = self._good.get(node)
        if known is None:
            known = self._good[node] = self._as_good(node)
        return known

    def _as_good(self, node: Node) -> Masks:
        if not node.kinds:
            rows = [EVERY] * len(self._pool)
            for way in node.best:
                rows = list(map(int.__and__, rows, self.good(way)))
            return tuple(rows)
        after: dict[Node, int] = {}
        for kind, each in enumerate(node.kinds):
            if self._pool[kind]:
                after[each] = after.get(each, 0) | 1 << kind
        rows = [0] * len(self._pool)
        for one, kinds in after.items():
            worse = 0
            for other, others in after.items():
                if self._covers(one, other):
                    worse |= others
            for kind in _bits(kinds):
                rows[kind] = worse
        for each, kinds in after.items():
            if not (each.kinds or each.best):
                continue
            for kind, worse in enumerate(self.good(each)):
                rest = kinds & ~(1 << kind & self._single)
                if not rest:
                    continue  # only this card comes before that node, and it is not in the rest of the deck
                if not rest & (rest - 1):
                    worse |= rest & self._single  # only the other one comes before it
                rows[kind] &= worse
        return tuple(rows)

    def order(self, node: SeenNode) -> Order:
        """Return the order for a look: classes that are as good as many others first."""
        found = self._orders.get(node)
        if found is None:
            found = self._orders[node] = self._order(node)
        return found

    def _order(self, node: SeenNode) -> Order:
        kinds = [kind for kind, first in enumerate(node.alike) if first == kind]
        goods = [self.good(way) for way in node.best]
        here = sum(1 << kind for kind in kinds)
        kinds.sort(key=lambda kind: -sum((good[kind] & here).bit_count() for good in goods))
        later = [0] * len(node.alike)
        for kind in kinds:
            here &= ~(1 << kind)
            later[kind] = here
        return Order(tuple(kinds), tuple(tuple(map(int.__and__, good, later)) for good in goods))


def _bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
