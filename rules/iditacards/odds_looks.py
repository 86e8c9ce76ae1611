"""What a look at the deck is worth to somebody who puts back the best cards.

For every deck that may lie below, the cards shown are gone through class by class, in the order of ``odds_returns``,
and with them everything that may go back of the classes gone through. Once nothing that may still go back, whatever
else is shown, is worth more than the best that is known, all that may be shown besides is counted at once. What may
still go back is looked for among all cards that do not lie below; of those, too, a card does not go back before an
earlier one that is as good, since the return with that one instead is no worse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import comb

from rules.iditacards.odds_returns import Order
from rules.iditacards.odds_sums import SeenNode

Pool = tuple[int, ...]
Start = tuple[int, int, int, int]
"""The start of a return: the number of a way, cards still to go back, classes barred, the code of the deck so far."""


class Look:
    """One look, at cards of one pool."""

    def __init__(
        self, node: SeenNode, order: Order, pool: Pool, bits: int, worth: Callable[[int, Pool], int], sure: int
    ) -> None:
        """``worth`` tells what a way is worth for a deck, ``sure`` what one is that comes through in any case.

        Numbers of cards are written with so many ``bits``.
        """
        self._node = node
        self._pool = pool
        self._kinds = [kind for kind in order.kinds if pool[kind]]
        self._before = order.before
        self._worth = worth
        self._sure = sure
        self._bits = bits
        self._units = [1 << bits * kind for kind in range(len(pool))]
        self._worths: list[dict[int, int]] = [{} for _ in node.backs]
        self._later = [0] * len(self._kinds)
        later = 0
        for place in reversed(range(len(self._kinds))):
            self._later[place] = later
            later |= 1 << self._kinds[place]
        self._left: list[int] = []
        self._rest: list[int] = []
        self._reached: dict[tuple[int, int, int, int], int] = {}

    def value(self, decks: Iterable[tuple[Pool, int]]) -> int:
        """Return the sum over decks that may lie below, and over all that may be shown."""
        node = self._node
        value = 0
        for deck, many in decks:
            self._left = [self._pool[kind] - deck[kind] for kind in self._kinds]
            self._rest = [sum(self._left[place:]) for place in range(len(self._left) + 1)]
            self._reached = {}
            code = sum(map(int.__mul__, deck, self._units))
            best = self._of(0, code) if node.backs[0] == 0 else 0
            starts = [(way, back, 0, code) for way, back in enumerate(node.backs) if back]
            value += many * self._shown(0, node.looked, starts, best)
        return value

    def _shown(self, place: int, n: int, starts: list[Start], best: int) -> int:
        """Return the sum over n cards more that are shown, of the classes from a place on."""
        if not n:
            return best
        if best == self._sure or (place and not any(self._most(place, start) > best for start in starts)):
            return best * comb(self._rest[place], n)
        kind, here, rest, later = self._kinds[place], self._left[place], self._rest[place + 1], self._later[place]
        bit, unit = 1 << kind, self._units[kind]
        value = 0
        for shown in range(max(0, n - rest), min(here, n) + 1):
            top = best
            after: list[Start] = []
            for start in starts:
                way, back, barred, code = start
                if barred & bit:
                    after.append(start)
                    continue
                for put in range(min(shown, back) + 1):
                    if put == back:
                        top = max(top, self._of(way, code + put * unit))
                        continue
                    stops = barred if put == shown else barred | self._before[way][kind]
                    if later & ~stops:
                        after.append((way, back - put, stops, code + put * unit))
            value += comb(here, shown) * self._shown(place + 1, n - shown, after, top)
        return value

    def _most(self, place: int, start: Start) -> int:
        """Return the most that a start may be worth with cards of the classes from a place on."""
        way, back, barred, code = start
        while place < len(self._kinds) and (not self._left[place] or barred >> self._kinds[place] & 1):
            place += 1
        key = way, place, barred, code
        found = self._reached.get(key)
        if found is not None:
            return found
        found = 0
        if place < len(self._kinds):
            kind, here, later = self._kinds[place], self._left[place], self._later[place]
            for put in range(min(here, back), -1, -1):
                more = code + put * self._units[kind]
                if put == back:
                    found = max(found, self._of(way, more))
                    continue
                stops = barred if put == here else barred | self._before[way][kind]
                if later & ~stops:
                    found = max(found, self._most(place + 1, (way, back - put, stops, more)))
        self._reached[key] = found
        return found

    def _of(self, way: int, code: int) -> int:
        """Return what a way is worth for a deck."""
        known = self._worths[way].get(code)
        if known is None:
            mask = (1 << self._bits) - 1
            cards = tuple(code >> self._bits * kind & mask for kind in range(len(self._pool)))
            known = self._worths[way][code] = self._worth(way, cards)
        return known
