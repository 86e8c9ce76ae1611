"""Cards as small integers: hands as packed counts, deck orders as numbered suffixes.

The compact engine never names a card while it searches. A hand is one integer with a few bits for each kind of card, so
drawing is an addition; a deck is the number of an order, so taking its top k cards off is adding k to that number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import product

DECK_BITS = 26
"""Bits of a deck number in a key."""
WHOLE_DECK = 1 << 10
"""A number of cards that no deck exceeds."""


class Kinds:
    """The kinds of card that can come to the hand, and multisets of them packed into one integer."""

    def __init__(self, copies: Counter[str], unpayable: frozenset[str]) -> None:
        """Lay out the bits: ``copies`` is the most of each card a hand may hold, ``unpayable`` pays no energy."""
        self.names: tuple[str, ...] = tuple(sorted(copies))
        self.index = {card: kind for kind, card in enumerate(self.names)}
        widths = [max(1, copies[card].bit_length()) for card in self.names]
        self._shift = [sum(widths[:kind]) for kind in range(len(widths))]
        self.bits = sum(widths)
        """Bits of a packed multiset."""
        self._kind = [kind for kind, width in enumerate(widths) for _ in range(width)]
        """By bit: the kind that it counts."""
        self._mask = [(1 << width) - 1 for width in widths]
        self.widest = [copies[card] for card in self.names]
        """Copies of each kind at most."""
        self.unit = [1 << shift for shift in self._shift]
        """One card of each kind."""
        self.stuck = sum(
            mask << shift
            for card, mask, shift in zip(self.names, self._mask, self._shift, strict=True)
            if card in unpayable
        )
        """All bits of the kinds that pay no energy (R22)."""
        self._cards: dict[int, tuple[tuple[int, int], ...]] = {}
        self._counts: dict[int, int] = {}

    def pack(self, cards: Iterable[str]) -> int:
        """Return the cards as one integer."""
        return sum(self.unit[self.index[card]] for card in cards)

    def cards(self, packed: int) -> tuple[tuple[int, int], ...]:
        """Return the kinds in a packed multiset with their counts, ascending."""
        held = self._cards.get(packed)
        if held is None:
            kinds: list[tuple[int, int]] = []
            left = packed
            while left:
                kind = self._kind[(left & -left).bit_length() - 1]
                kinds.append((kind, self.copies(packed, kind)))
                left &= ~self.mask(kind)
            held = self._cards[packed] = tuple(kinds)
        return held

    def copies(self, packed: int, kind: int) -> int:
        """Return how many cards of one kind a packed multiset holds."""
        return packed >> self._shift[kind] & self._mask[kind]

    def place(self, kind: int) -> tuple[int, int]:
        """Return where the copies of a kind begin in a packed multiset, and the greatest number there."""
        return self._shift[kind], self._mask[kind]

    def mask(self, kind: int) -> int:
        """Return the bits of one kind."""
        return self._mask[kind] << self._shift[kind]

    def count(self, packed: int) -> int:
        """Return the number of cards in a packed multiset."""
        n = self._counts.get(packed)
        if n is None:
            n = self._counts[packed] = sum([n for _, n in self.cards(packed)])
        return n

    def unpayable(self, packed: int) -> int:
        """Return the part of a packed multiset that may not be discarded for energy (R22)."""
        return packed & self.stuck

    def parts(self, packed: int) -> list[tuple[int, int]]:
        """Return every multiset contained in a packed one, with its number of cards."""
        parts = [(0, 0)]
        for kind, n in self.cards(packed):
            parts = [(part + take * self.unit[kind], size + take) for part, size in parts for take in range(n + 1)]
        return parts


class Decks:
    """Deck orders with the number of the next shuffle, each suffix numbered once.

    The suffixes of an order have consecutive numbers, so number + k is the deck without its top k cards. Equal decks
    met in different orders get different numbers on the way; ``canonical`` makes them one. Number 0 is the empty deck.
    """

    EMPTY = 0

    def __init__(self, kinds: Kinds, ends_turn: frozenset[str], shuffle: Callable[[list[int], int], list[int]]) -> None:
        """``shuffle(kinds, event)`` gives the order of the shuffle of sorted kinds with that event number (R74)."""
        self._kinds = kinds
        self._stoppers = frozenset(kind for kind, card in enumerate(kinds.names) if card in ends_turn)
        self._shuffle = shuffle
        self._known: dict[int, dict[int, int]] = {}
        """By event: decks by the number of the deck below the top card, times the kinds, and the kind of that card."""
        self.canonical: list[int] = [0]
        """The number that stands for each deck in a key."""
        self.size: list[int] = [0]
        """Cards in each deck."""
        self.total: list[int] = [0]
        """All cards of each deck, packed like a hand."""
        self.top: list[int] = [-1]
        """Kind of the top card."""
        self.stop: list[int] = [0]
        """Cards above the first that ends a payment; the size if there is none."""
        self._event: list[int] = [0]
        self._sorted_out: dict[tuple[int, int, int], tuple[tuple[int, bool], ...]] = {}

    def number(self, order: Sequence[int], event: int) -> int:
        """Return the number of a deck of kinds, top first, whose next shuffle has event number ``event``."""
        unit, stoppers, kinds = self._kinds.unit, self._stoppers, len(self._kinds.unit)
        first = len(self.size)
        place = first + len(order)
        below, all_cards, clear = self.EMPTY, 0, 0
        canonical, total, stop = [below], [0], [0]
        # A shuffle of fewer than two cards has one result, so the number of the next one says nothing there.
        known = self._known.setdefault(0, {})
        for kind in reversed(order):
            place -= 1
            below = known.setdefault(below * kinds + kind, place)
            if not all_cards:
                known = self._known.setdefault(event, {})
            all_cards += unit[kind]
            clear = 0 if kind in stoppers else clear + 1
            canonical.append(below)
            total.append(all_cards)
            stop.append(clear)
        if below >= first:
            self.canonical += reversed(canonical)
            self.total += reversed(total)
            self.stop += reversed(stop)
            self.size += range(len(order), -1, -1)
            self.top += (*order, -1)
            self._event += [event] * (len(order) + 1)
        return below

    def pay(self, deck: int, cost: int) -> tuple[int, bool]:
        """Discard ``cost`` cards for health; return the deck after it and whether it was paid (R23, R26)."""
        clear = self.stop[deck]
        if cost <= clear:
            return deck + cost, True
        return deck + min(clear + 1, self.size[deck]), False

    def draw(self, deck: int, n: int) -> tuple[int, int]:
        """Return the deck without its top n cards, fewer if it is short, and those cards packed."""
        after = deck + min(n, self.size[deck])
        return after, self.total[deck] - self.total[after]

    def sort_out(self, deck: int, look: int, destroy: int) -> tuple[tuple[int, bool], ...]:
        """Return every deck that looking at the top ``look`` cards can leave, and whether it stops the turn.

        Any of the looked-at cards go back and are shuffled in; up to ``destroy`` of the others are destroyed and the
        rest discarded, which only matters where a card that ends the turn is among them (op ``heal``, R57).
        """
        deck = self.canonical[deck]
        name = (deck, look, destroy)
        results = self._sorted_out.get(name)
        if results is None:
            results = self._sorted_out[name] = tuple(self._results(deck, look, destroy))
        return results

    def _results(self, deck: int, look: int, destroy: int) -> Iterable[tuple[int, bool]]:
        size, event = self.size[deck], self._event[deck]
        look = min(look, size)
        looked = Counter(self.top[deck : deck + look])
        below = self.top[deck + look : deck + size]
        kinds = sorted(looked)
        stops = not self._stoppers.isdisjoint(kinds)
        for back in product(*(range(looked[kind] + 1) for kind in kinds)):
            if any(back):
                returned = [kind for kind, n in zip(kinds, back, strict=True) for _ in range(n)]
                after = self.number(self._shuffle(sorted((*below, *returned)), event), event + 1)
            else:
                after = self.canonical[deck + look]
            stoppers = 0
            if stops:
                stoppers = sum(looked[kind] - n for kind, n in zip(kinds, back, strict=True) if kind in self._stoppers)
            if stoppers <= destroy:
                yield after, False
            if stoppers:
                yield after, True
