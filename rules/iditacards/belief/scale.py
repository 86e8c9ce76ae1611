"""One number of which the worths of all beliefs of a day are whole parts, where cards are shuffled back into the deck.

Without that a deck of n cards stands for its n! orders, and values times those are whole numbers. A look that puts
some of its cards back (op ``heal``) makes decks of n cards of larger ones in other ways, and then they are not. So all
values are taken times one *scale*: a multiple of the denominators that they can have. A deck of n cards from which some
are drawn or paid is one of comb(n, some) multisets, equally likely but for copies, and so is what is looked at.

The scale is made for what the cards print. It is no proof, and need not be one: whoever divides by such a number sees
whether anything is left over, and gives up then.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb, factorial, lcm
from typing import Final, NamedTuple

WAYS: Final = 5
"""Turns up to which all ways are gone through."""


class Flow(NamedTuple):
    """How many cards one turn may take off a deck."""

    paid: Sequence[int]
    drawn: Sequence[int]
    looked: Sequence[int]
    looks: int
    """Looks that a line may have, at most."""


def scale(size: int, turns: int, flow: Flow, most: int) -> int:
    """Return a scale for a deck of so many cards and so many turns, at most as large as ``most``.

    Fewer looks are allowed for where more would make it too large.
    """
    every = lcm(*range(1, size + 1))
    for looks in range(min(flow.looks, turns), -1, -1):
        found: int = factorial(size) * every**looks
        if found > most and turns <= WAYS:
            found = lcm(every, _in_turns(size, turns, flow, looks))
        if found <= most:
            return found
    return every


def _in_turns(size: int, turns: int, flow: Flow, looks: int) -> int:
    paid, drawn, looked = (tuple(sorted(set(each))) for each in flow[:3])

    @cache
    def after(size: int, turns: int, looks: int) -> int:
        found: int = 1
        if not turns or not size:
            return found
        for turned in range(2):
            for cost in paid:
                left = size - turned - cost
                if left >= 0:
                    ways = (size if turned else 1) * comb(size - turned, cost)
                    found = lcm(found, ways * acted(left, turns, looks))
        return found

    @cache
    def acted(size: int, turns: int, looks: int) -> int:
        found = 1
        for n in {min(each, size) for each in drawn}:
            found = lcm(found, comb(size, n) * after(size - n, turns - 1, looks))
        if looks and turns > 1:
            for n in {min(each, size) for each in looked}:
                for back in range(n + 1):
                    found = lcm(found, comb(size, n) * after(size - n + back, turns - 1, looks - 1))
        return found

    return after(size, turns, looks)
