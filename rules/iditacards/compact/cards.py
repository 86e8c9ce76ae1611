"""Cards as small integers: hands as packed counts, deck orders as numbered suffixes.

The compact engine never names a card while it searches. A hand is one integer with a few bits for each kind of card, so
drawing is an addition; a deck is the number of an order, so taking its top k cards off is adding k to that number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

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
