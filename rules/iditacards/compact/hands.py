"""Hands whose payments are decided late: one number for every hand that the same actions may have left.

Which cards paid an energy cost matters only when one of the cards that might be gone is wanted later. So the search
does not branch over payments. It keeps the *family* of all hands that the main actions so far can have left, over
every choice of payments, and a play takes the part of the family that holds the card.

A family is a chain of groups of cards in the order in which they came to the hand, each with ``gone``: at least that
many cards of this group and those before it have been discarded, and of all groups together exactly the last number.
The hands of the family are all that agree with these numbers (the bases of a nested matroid). The chain is closed
under what happens to a hand, so nothing is lost and nothing is added:

- *paying* n cards (R22) raises the last ``gone`` by n: any n of the cards still there may go (truncation);
- *drawing* appends a group: none of the new cards can have paid for what came before (free extension);
- *playing* a card takes it out of the latest group that has it: those are the hands that hold it, without it
  (contraction; of equal cards the one that came last could have paid for the least, so it allows every hand that an
  earlier one allows).

Cards that cannot pay (damage, R22) are a group of their own that is never discarded.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules.iditacards.compact.cards import Kinds

Chain = tuple[tuple[int, int], ...]
"""Groups: cards, packed, and the number gone of this group and all before it."""


class Families:
    """Families of hands by number; number 0 is the empty hand."""

    EMPTY = 0

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds
        self._chains: list[tuple[int, Chain]] = []
        """Cards that cannot pay, packed, and the chain of the others, by number."""
        self._numbers: dict[tuple[int, Chain], int] = {}
        self.usable: list[int] = []
        """Cards in each hand of the family that may pay."""
        self.stuck: list[int] = []
        """Cards in each hand of the family that may not pay."""
        self._paid: dict[tuple[int, int], int] = {}
        self._drawn: dict[tuple[int, int], int] = {}
        self._plays: list[tuple[tuple[int, int], ...] | None] = []
        self._number((0, ()))

    def __len__(self) -> int:
        return len(self._chains)

    def of(self, hand: int) -> int:
        """Return the family of exactly one hand."""
        return self.draw(self.EMPTY, hand)

    def pay(self, family: int, cost: int) -> int:
        """Return what is left after ``cost`` cards paid, -1 for all that may; there must be that many."""
        if cost == 0:
            return family
        name = (family, cost)
        left = self._paid.get(name)
        if left is None:
            stuck, chain = self._chains[family]
            if 0 < cost < self.usable[family]:
                cards, gone = chain[-1]
                chain = self._normal((*chain[:-1], (cards, gone + cost)))
            else:
                chain = ()
            left = self._paid[name] = self._number((stuck, chain))
        return left

    def draw(self, family: int, cards: int) -> int:
        """Return the family after packed ``cards`` have come to the hand."""
        if cards == 0:
            return family
        name = (family, cards)
        more = self._drawn.get(name)
        if more is None:
            stuck, chain = self._chains[family]
            unpayable = self._kinds.unpayable(cards)
            payable = cards - unpayable
            if payable:
                gone = chain[-1][1] if chain else 0
                chain = self._normal((*chain, (payable, gone)))
            more = self._drawn[name] = self._number((stuck + unpayable, chain))
        return more

    def plays(self, family: int) -> tuple[tuple[int, int], ...]:
        """Return each kind of card that some hand of the family holds, and the family once it is on the table."""
        plays = self._plays[family]
        if plays is None:
            plays = self._plays[family] = tuple(sorted(self._without(family)))
        return plays

    def _without(self, family: int) -> Iterator[tuple[int, int]]:
        stuck, chain = self._chains[family]
        unit = self._kinds.unit
        for kind, _ in self._kinds.cards(stuck):
            yield kind, self._number((stuck - unit[kind], chain))
        done: set[int] = set()
        for place in reversed(range(len(chain))):
            cards, gone = chain[place]
            for kind, _ in self._kinds.cards(cards):
                if kind not in done:
                    done.add(kind)
                    rest = (*chain[:place], (cards - unit[kind], gone), *chain[place + 1 :])
                    yield kind, self._number((stuck, self._normal(rest)))

    def chain(self, family: int) -> tuple[int, Chain]:
        """Return what a family is: the cards that cannot pay, packed, and the chain of the others."""
        return self._chains[family]

    def family(self, stuck: int, chain: Chain) -> int:
        """Return the number of a family with a normal chain."""
        return self._number((stuck, chain))

    def most(self, family: int) -> int:
        """Return all cards that some hand of the family has, packed."""
        stuck, chain = self._chains[family]
        return stuck + sum([cards for cards, _ in chain])

    def hands(self, family: int) -> set[int]:
        """Return every hand of the family, packed; there can be very many."""
        stuck, chain = self._chains[family]
        partial = {(0, 0)}
        total = 0
        for cards, gone in chain:
            total += self._kinds.count(cards)
            parts = self._kinds.parts(cards)
            most = total - gone
            partial = {
                (hand + part, size + more) for hand, size in partial for part, more in parts if size + more <= most
            }
        return {stuck + hand for hand, size in partial if size == self.usable[family]}

    def _number(self, name: tuple[int, Chain]) -> int:
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self._chains)
            self._chains.append(name)
            stuck, chain = name
            payable = sum(cards for cards, _ in chain)
            self.usable.append(self._kinds.count(payable) - (chain[-1][1] if chain else 0))
            self.stuck.append(self._kinds.count(stuck))
            self._plays.append(None)
        return number

    def _normal(self, chain: Chain) -> Chain:
        """Return the shortest chain of the same family; equal families have equal normal chains.

        A group is joined with the next where its own number says nothing: because the next number implies it, or
        because nothing more of the next group need be gone and nothing was of its own. Groups all gone are dropped.
        """
        normal: list[tuple[int, int]] = []
        lost = 0
        for cards, gone in chain:
            gone -= lost
            size = self._kinds.count(cards)
            while normal and gone - normal[-1][1] >= size:
                before, _ = normal.pop()
                cards += before
                size += self._kinds.count(before)
            if not normal and gone >= size:
                lost += size
                continue
            if normal and gone == normal[-1][1] == (normal[-2][1] if len(normal) > 1 else 0):
                before, _ = normal.pop()
                cards += before
            normal.append((cards, gone))
        return tuple(normal)
