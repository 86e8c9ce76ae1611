"""What a look at the deck is worth to somebody who puts back the best cards.

The cards shown are gone through class by class, in an order of ``odds_returns``, and with them everything that may be
chosen of the classes gone through. Once nothing that may still be chosen, whatever else is shown, is worth more than
the best that is known, all that may be shown besides is counted at once. What may still be chosen is looked for among
all cards that may be shown; of those, too, none is chosen before an earlier one that is a better choice, since what is
chosen with that one instead is worth no less.

Where it is known what lies below, cards that go back are chosen; where it is known what lies below and is shown
together, cards that do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import comb

from rules.iditacards.odds_returns import Order
from rules.iditacards.odds_sums import SeenNode

Pool = tuple[int, ...]
Start = tuple[int, int, int, int]
"""The start of a choice: the number of a way, cards still to be chosen, classes barred, the code of the deck so far."""


class Look:
    """One look, at cards of any pool."""

    def __init__(
        self, node: SeenNode, orders: tuple[Order, Order], bits: int, worth: Callable[[int, Pool], int], sure: int
    ) -> None:
        """``worth`` tells what a way is worth for a deck, ``sure`` what one is that comes through in any case.

        Numbers of cards are written with so many ``bits``.
        """
        self._node = node
        self._orders = orders
        self._worth = worth
        self._sure = sure
        self._bits = bits
        self._places = [1 << bits * kind for kind in range(len(node.alike))]
        self._worths: list[dict[int, int]] = [{} for _ in node.backs]

    def known_below(self, pool: Pool, decks: Iterable[tuple[Pool, int]]) -> int:
        """Return the sum over decks that may lie below, and over all that may be shown of the other cards of a pool."""
        node = self._node
        self._begin(pool, self._orders[0], 1)
        value = 0
        for deck, many in decks:
            starts = [(way, back, 0, self._code(deck)) for way, back in enumerate(node.backs)]
            value += many * self._all_shown(tuple(map(int.__sub__, pool, deck)), starts)
        return value

    def known_together(self, pool: Pool) -> int:
        """Return the sum over all that may be shown, where the pool is what lies below and what is shown."""
        node = self._node
        self._begin(pool, self._orders[1], -1)
        starts = [(way, node.looked - back, 0, self._code(pool)) for way, back in enumerate(node.backs)]
        return self._all_shown(pool, starts)

    def _begin(self, pool: Pool, order: Order, step: int) -> None:
        """Make ready to choose cards that go back, or cards that do not."""
        self._kinds = [kind for kind in order.kinds if pool[kind]]
        self._before = order.before
        self._units = [step * place for place in self._places]
        self._later = [0] * len(self._kinds)
        later = 0
        for place in reversed(range(len(self._kinds))):
            self._later[place] = later
            later |= 1 << self._kinds[place]

    def _all_shown(self, cards: Pool, starts: list[Start]) -> int:
        """Return the sum over all that may be shown of some cards."""
        self._left = [cards[kind] for kind in self._kinds]
        self._rest = [sum(self._left[place:]) for place in range(len(self._left) + 1)]
        self._reached: dict[tuple[int, int, int, int], int] = {}
        best = max((self._of(way, code) for way, n, _, code in starts if not n), default=0)
        return self._shown(0, self._node.looked, [start for start in starts if start[1]], best)

    def _shown(self, place: int, n: int, starts: list[Start], best: int) -> int:
        """Return the sum over n cards more that are shown, of the classes from a place on."""
        if not n:
            return best
        if best != self._sure:
            better = (i for i, start in enumerate(starts) if self._most(place, start) > best)
            starts = starts[next(better, len(starts)) :]
        if best == self._sure or not starts:
            return best * comb(self._rest[place], n)
        kind, here, rest, later = self._kinds[place], self._left[place], self._rest[place + 1], self._later[place]
        bit, unit, before = 1 << kind, self._units[kind], self._before
        value = 0
        for shown in range(max(0, n - rest), min(here, n) + 1):
            top = best
            after: list[Start] = []
            for start in starts:
                way, more, barred, code = start
                if barred & bit:
                    after.append(start)
                    continue
                stops = barred | before[way][kind]
                if shown < more:
                    if later & ~barred:
                        after.append((way, more - shown, barred, code + shown * unit))
                else:
                    worth = self._of(way, code + more * unit)
                    if worth > top:
                        top = worth
                if later & ~stops:
                    fewer = range(min(shown, more))
                    after.extend((way, more - chosen, stops, code + chosen * unit) for chosen in fewer)
            value += comb(here, shown) * self._shown(place + 1, n - shown, after, top)
        return value

    def _most(self, place: int, start: Start) -> int:
        """Return the most that a start may come to be worth with cards of the classes from a place on."""
        way, more, barred, code = start
        while place < len(self._kinds) and (not self._left[place] or barred >> self._kinds[place] & 1):
            place += 1
        key = way, place, barred, code
        found = self._reached.get(key)
        if found is not None:
            return found
        found = 0
        if place < len(self._kinds):
            kind, here, later = self._kinds[place], self._left[place], self._later[place]
            unit, stops = self._units[kind], barred | self._before[way][kind]
            if here >= more:
                found = self._of(way, code + more * unit)
            elif later & ~barred:
                found = self._most(place + 1, (way, more - here, barred, code + here * unit))
            if later & ~stops:
                for chosen in range(min(here, more)):
                    found = max(found, self._most(place + 1, (way, more - chosen, stops, code + chosen * unit)))
        self._reached[key] = found
        return found

    def _of(self, way: int, code: int) -> int:
        """Return what a way is worth for a deck."""
        known = self._worths[way].get(code)
        if known is None:
            mask = (1 << self._bits) - 1
            cards = tuple(code >> self._bits * kind & mask for kind in range(len(self._places)))
            known = self._worths[way][code] = self._worth(way, cards)
        return known

    def _code(self, cards: Pool) -> int:
        return sum(map(int.__mul__, cards, self._places))
