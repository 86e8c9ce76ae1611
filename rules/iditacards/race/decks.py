"""The decks of a race by number, laid out day by day as a search comes to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rules.iditacards.rulings import DECK_EVENTS, Rulings
from rules.iditacards.state import Table
from rules.iditacards.turn import shuffled


class Decks:
    """Deck 0 is what lies there at first; each new day adds one for every mix that it may shuffle (R70, R74).

    ``order`` has the kinds of a deck's cards, ``drawn`` what the first cards add to a packed hand, from none to all:
    both in rows of ``row`` numbers, one a deck. ``size`` counts the cards of each, ``number`` tells its day.
    """

    def __init__(self, rulings: Rulings, table: Table, seat: int, kind: Mapping[str, int], row: int) -> None:
        self._rulings = rulings
        self._seat = seat
        self._kind = kind
        self._first = table.players[seat].deck
        self._event = table.counters.deck[seat]
        self._days = 0
        self._mixes: Sequence[tuple[tuple[str, int], ...]] = ()
        self._unit: Sequence[int] = ()
        self.row = row
        self.number: list[int] = []
        self.size: list[int] = []
        self.order: list[int] = []
        self.drawn: list[int] = []

    def begin(self, mixes: Sequence[tuple[tuple[str, int], ...]], unit: Sequence[int]) -> None:
        """Add the first deck; ``mixes`` are what new days may shuffle, ``unit`` what a card adds to a packed hand."""
        self._mixes, self._unit = mixes, unit
        self._add(self._first)

    def ensure(self, days: int) -> None:
        """Lay out the decks of the first ``days`` new days."""
        rulings, seat = self._rulings, self._seat
        for day in range(self._days, days):
            event = self._event + day
            for mix in self._mixes:
                cards = [card for card, copies in mix for _ in range(copies)]
                self._add(shuffled(rulings, cards, rulings.deck_orders[seat], DECK_EVENTS, seat, event))
        self._days = max(self._days, days)

    def _add(self, order: Sequence[str]) -> None:
        kinds = [self._kind[card] for card in order]
        spare = self.row - len(kinds)
        drawn = [0]
        for kind in kinds:
            drawn.append(drawn[-1] + self._unit[kind])
        self.number.append(-(-len(self.number) // len(self._mixes)))
        self.size.append(len(kinds))
        self.order.extend([*kinds, *[0] * spare])
        self.drawn.extend([*drawn, *[0] * (spare - 1)])

    def shuffles(self, table: Table) -> int:
        """Return how often the deck was shuffled on the way to a table."""
        return table.counters.deck[self._seat] - self._event

    def find(self, decks: Iterable[int], rest: Sequence[str]) -> tuple[int, int] | None:
        """Return the first of some decks that ends with these cards, and how many were taken from it."""
        kinds = [self._kind[card] for card in rest]
        for deck in decks:
            end = deck * self.row + self.size[deck]
            if len(kinds) <= self.size[deck] and self.order[end - len(kinds) : end] == kinds:
                return deck, self.size[deck] - len(kinds)
        return None

    def rest(self, deck: int, taken: int) -> tuple[int, ...]:
        """Return the kinds that are left of a deck, top first."""
        at = deck * self.row
        return tuple(self.order[at + taken : at + self.size[deck]])
