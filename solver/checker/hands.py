"""Sets of hands whose payments are decided late, written as chains; the checker's own account of them.

A hand set says which cards have come to the hand, group by group in the order in which they came, and how many of them
have been given up since. ``((group, gone), …)`` stands for every hand that is left when, of all cards of the groups,
exactly the last ``gone`` are given up, and for each place in the chain at least ``gone`` of the groups up to it. What
happens to one hand happens to the whole set, with nothing lost and nothing added:

- *Paying* n cards by free choice: every hand of the set loses any n of its cards, so in all n more are gone, and the
  older conditions still hold. The reverse: a hand of the new set lacks n cards more than the old set asks for; give
  back the n lacking ones that came last, and each older condition still holds, since it bounds the earlier groups.
- *Drawing*: nothing of the new group is gone, because all that is gone was gone before.
- *Taking out* a card that is played: the hands that hold it, without it. Of equal cards the one that came last is
  taken: a hand that keeps an earlier copy and lacks the last can swap the two, which lets more early cards be gone.

Cards that can never pay are kept beside the chain, by name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

Chain = tuple[tuple[tuple[str, ...], int], ...]


class HandSet(NamedTuple):
    """A set of hands of equal size."""

    fixed: tuple[str, ...]
    """Cards that every hand holds and that cannot pay, ascending."""
    chain: Chain
    """Groups of cards that may pay, each ascending, with the number gone of it and all before it at least."""

    @property
    def others(self) -> int:
        """Cards in each hand that may pay."""
        return sum(len(group) for group, _ in self.chain) - (self.chain[-1][1] if self.chain else 0)

    def kinds(self) -> set[str]:
        """Return the cards that may pay and that some hand of the set may hold."""
        return {card for group, _ in self.chain for card in group}


def hand_set(fixed: Sequence[str], cards: Sequence[str]) -> HandSet:
    """Return the set of one hand."""
    return HandSet(tuple(sorted(fixed)), _simplest([(tuple(sorted(cards)), 0)]))


def paid(hands: HandSet, n: int) -> HandSet:
    """Return the hands after any n cards of each have been given up; each hand has so many."""
    if not n:
        return hands
    assert n <= hands.others
    *rest, (group, gone) = hands.chain
    return HandSet(hands.fixed, _simplest([*rest, (group, gone + n)]))


def drawn(hands: HandSet, cards: Sequence[str], fixed: Sequence[str]) -> HandSet:
    """Return the hands after cards that may pay have come to each, and with these cards that cannot."""
    chain = hands.chain
    if cards:
        chain = _simplest([*chain, (tuple(sorted(cards)), chain[-1][1] if chain else 0)])
    return HandSet(tuple(sorted(fixed)), chain)


def without(hands: HandSet, card: str) -> HandSet | None:
    """Return the hands that hold a card that may pay, without it; nothing if none does."""
    chain = hands.chain
    for place in reversed(range(len(chain))):
        group, gone = chain[place]
        if card in group:
            index = group.index(card)
            rest = [*chain[:place], (group[:index] + group[index + 1 :], gone), *chain[place + 1 :]]
            return HandSet(hands.fixed, _simplest(rest)) if _possible(rest) else None
    return None


def contains(hands: HandSet, hand: Sequence[str]) -> bool:
    """Return whether a hand is in the set; its cards in any order."""
    lacking = Counter(hands.fixed)
    for group, _ in hands.chain:
        lacking.update(group)
    lacking.subtract(hand)
    if any(copies < 0 for copies in lacking.values()) or any(lacking[card] for card in hands.fixed):
        return False
    gone = 0
    least = 0
    for group, least in hands.chain:
        # Of equal cards those that came first are taken to be gone, which is the best case for every condition.
        for card in group:
            if lacking[card]:
                lacking[card] -= 1
                gone += 1
        if gone < least:
            return False
    return gone == least


def _possible(chain: Sequence[tuple[tuple[str, ...], int]]) -> bool:
    """Return whether so many cards can be gone at each place at all."""
    size = 0
    for group, gone in chain:
        size += len(group)
        if gone > size:
            return False
    return True


def _simplest(chain: Sequence[tuple[tuple[str, ...], int]]) -> Chain:
    """Return a chain of the same hands without the conditions that others imply.

    A first group that is gone altogether is left out. A condition says nothing where the one before it asks for as
    many, or where the one after it leaves no other way even if all of its own group are gone.
    """
    left = list(chain)
    place = 0
    while place < len(left):
        group, gone = left[place]
        if place == 0 and gone >= len(group):
            left = [(later, more - gone) for later, more in left[1:]]
            continue
        if place + 1 < len(left):
            following, more = left[place + 1]
            before = left[place - 1][1] if place else 0
            if gone <= before or gone <= more - len(following):
                left[place : place + 2] = [(tuple(sorted(group + following)), more)]
                place = max(0, place - 1)
                continue
        place += 1
    return tuple(left)
