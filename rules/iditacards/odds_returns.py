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
such steps end. Likewise with cards that are left out, in an order of the worse ones first.
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
    """In which order cards shown are chosen."""

    kinds: tuple[int, ...]
    """The classes that the look tells apart."""
    before: tuple[Masks, ...]
    """For each way, by class, later ones that are not chosen while some of that class are not."""


class Exchange:
    """What is as good as what, for the nodes of one venture."""

    def __init__(self, pool: tuple[int, ...], covers: Callable[[Node, Node], bool]) -> None:
        """``pool`` are all cards that there may be."""
        self._pool = pool
        self._covers = covers
        self._single = sum(1 << kind for kind, copies in enumerate(pool) if copies == 1)
        self._good: dict[Node, Masks] = {}
        self._orders: dict[Node, tuple[Order, Order]] = {}

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

    def orders(self, node: SeenNode) -> tuple[Order, Order]:
        """Return the order in which cards go back after a look, and the one in which they are left out."""
        found = self._orders.get(node)
        if found is None:
            found = self._orders[node] = self._both(node)
        return found

    def _both(self, node: SeenNode) -> tuple[Order, Order]:
        kinds = [kind for kind, first in enumerate(node.alike) if first == kind]
        goods = [self.good(way) for way in node.best]
        here = sum(1 << kind for kind in kinds)
        kinds.sort(key=lambda kind: -sum((good[kind] & here).bit_count() for good in goods))
        back: list[list[int]] = [[0] * len(good) for good in goods]
        out: list[list[int]] = [[0] * len(good) for good in goods]
        for place, kind in enumerate(kinds):
            for later in kinds[place + 1 :]:
                for way, good in enumerate(goods):
                    if good[kind] >> later & 1:
                        back[way][kind] |= 1 << later
                        out[way][later] |= 1 << kind
        return Order(tuple(kinds), tuple(map(tuple, back))), Order(tuple(reversed(kinds)), tuple(map(tuple, out)))


def _bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
