"""The fewest turns to a target by the bound of a day, as plain functions that a compiler can take over unchanged.

``compact.bound`` says why they hold. What ``long_day.bound`` says of the most spaces is kept in rows by turns, which
are the same for all targets and wherever a seat stands on a leg.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rules.core.challenge import NEVER as _NEVER
from rules.iditacards.long_day.bound import BOUND, beyond, gain, lasts
from rules.iditacards.long_day.offers import CARD, CARDS, KIND_BITS, KINDS, LATEST, OUTLOOK, SECTIONS, rows, stock

if TYPE_CHECKING:  # ``long_day.kernel`` imports this module, and binds them
    from rules.iditacards.long_day.kernel import known

ROW: Final = 7
"""Numbers of a row of most spaces by turns: each four of them,"""
_TOLD_BITS: Final = 15
"""of so many bits, more two; 1 where there are too few cards for so many turns, 0 where it is not known yet."""
FARTHEST: Final = (1 << _TOLD_BITS) - 3
"""More spaces are not told from these."""
AHEAD: Final = 2
"""Turns beyond those left that are looked at, so that the next horizons need not be searched in vain."""


def outlook(
    turns: int, row: int, pool: int, stand: int, stack: int, last: int, cards: int, deck: int, table: Any
) -> int:
    """Work out what ``row`` says of so many turns, and write it there; -1 stands for something missing."""
    offer = stock(pool, turns, table)
    if offer < 0:
        return offer
    told = 1
    if lasts(turns, offer, cards, deck, table):
        told = 2 + min(FARTHEST, gain(turns, offer, stand, stack, last, cards, deck, table))
        if told == 1:
            return -1
    table.store[row + turns // 4] |= told << turns % 4 * _TOLD_BITS
    return told


def far_enough(
    low: int,
    high: int,
    way: int,
    row: int,
    pool: int,
    stand: int,
    stack: int,
    last: int,
    cards: int,
    deck: int,
    table: Any,
) -> int:
    """Return the fewest turns, of ``low`` to ``high``, in which ``gain`` is ``way`` or more; beyond, if in none.

    ``NEVER`` where the cards are too few for so many turns: then they are for more, as whoever takes those takes so
    many first. ``row`` is the place of the most spaces by turns; -1 stands for something missing.
    """
    turns = low
    while turns <= high:
        told = table.store[row + turns // 4] >> turns % 4 * _TOLD_BITS & FARTHEST + 2
        if told == 0:
            told = outlook(turns, row, pool, stand, stack, last, cards, deck, table)
        if told < 2:
            return -1 if told < 0 else _NEVER
        if told >= way + 2:
            break
        turns += 1
    return turns


def crosses(
    turns: int, goal: int, pool: int, stand: int, stack: int, last: int, cards: int, deck: int, table: Any
) -> int:
    """Return whether no leg up to ``last`` keeps a seat from ``goal`` in exactly so many turns, or -1.

    ``store`` begins with the earliest turn of crossing for each section before.
    """
    if table.section[stand] == last:
        return 1
    offer = stock(pool, turns, table)
    if offer < 0:
        return -1
    edges = CARDS + CARD * table.ground[KINDS]
    for section in range(table.section[stand] + 1, last + 1):
        first = table.ground[edges + section]
        if goal < first:
            break
        crossed = table.store[section]
        if crossed > turns:
            return 0
        way = goal - (first - 1)
        passes = beyond(turns, crossed, way, offer, stand, stack, section, last, cards, deck, table)
        if passes <= 0:
            return passes
    return 1


def least_turns(
    pool: int, board: int, stack: int, held: int, deck: int, low: int, turns: int, target: int, legs: int, table: Any
) -> int:
    """Return a number of turns that the target takes at least, ``NEVER`` where none is enough, or -1.

    It is no less than ``low``, which no line falls short of. Beyond ``turns`` only a few more are looked at; -1 stands
    for something missing.

    Without ``legs`` it is what ``gain`` alone says, which is hardly ever less, and ``store`` then begins with the turns
    in which each section is entered at the earliest by that. A call with ``legs`` comes after one without, for the same
    and more cards, and goes on from there: with fewer cards nobody is earlier.
    """
    at, stand, waits = table.pos[board], table.stand[board], table.waits[stack]
    cards = held + min(table.lists[waits + 1], deck + 1) + min(table.lists[waits + 2], deck)
    edges = CARDS + CARD * table.ground[KINDS]
    here = last = table.section[stand]
    while last + 1 < table.ground[SECTIONS] and table.ground[edges + last + 1] <= max(0, target - 1):
        last += 1
    first, second = pool << KIND_BITS | OUTLOOK, ((stand << 9 | stack) << 8 | last) << 20 | cards << 8 | deck
    row = known(first, second, table.facts, table.bits)
    if row < 0:
        row = rows(ROW * (1 + last - here), first, second, table)
        if row < 0:
            return row
    # As many turns as there are stand for more: then no later leg is entered.
    high = min(turns + AHEAD, LATEST)
    whole = row + ROW * (last - here)
    low = far_enough(low, high, target - at, whole, pool, stand, stack, last, cards, deck, table)
    if low < 0 or low > high:
        return low
    for section in range(here + 1, last + 1 + legs):
        goal, crossed = (target, low) if section > last else (table.ground[edges + section], 1)
        if legs and section <= last:
            crossed = table.store[section]
        passes = 0
        while not passes:
            leg = row + ROW * (section - 1 - here)
            crossed = far_enough(crossed, high, goal - at, leg, pool, stand, stack, section - 1, cards, deck, table)
            if crossed < 0:
                return -1
            passes = 1
            if legs and crossed <= high:
                passes = crosses(crossed, goal, pool, stand, stack, section - 1, cards, deck, table)
                if passes < 0:
                    return -1
            crossed += 1 - passes
        table.store[section] = crossed
    least: int = table.store[last + 1] if legs else low
    return least


TURNS: Final = (*BOUND, outlook, far_enough, crosses, least_turns)
"""The functions of this module and of those below, for a compiler."""
