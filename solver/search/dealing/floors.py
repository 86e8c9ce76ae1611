"""What nodes are worth at least because a new day may be begun on their turn, as functions for a compiler.

Who begins a new day has all cards together again, so that what it is worth hangs on the stance and on the turns left:
it is a *floor* of all nodes on it. It is one of the choices of a turn, made before anything else, while a card waits as
well, but never amid a turn: not while cards are still to be drawn or paid, nor where an end is picked. Floors are told
with chances only, and worths are values times one number then (``SCALED``) of which floors are whole parts.
"""

from __future__ import annotations

from solver.search.dealing.facts import (
    ASKED,
    FLOORED,
    FLOORS,
    HIGH,
    LOOKING,
    RESTING,
    STANCE,
    STANCES,
    STOPPED,
    TURN_BITS,
    WANTED,
    Ints,
    exceeds,
    scaled,
)


def floor_of(stance: int, turns: int, facts: Ints) -> int:
    """Return where the floor of a stance begins with two turns left or more, 0 where there is none, -1 where missing.

    Then it is asked for.
    """
    if not facts[RESTING]:
        return 0
    floor = facts[stance + FLOORS + turns - 1]
    if floor == -1:
        facts[ASKED], facts[WANTED] = (stance - facts[STANCES]) // STANCE, FLOORED | turns << TURN_BITS
    return floor


def floored(number: int, turns: int, facts: Ints) -> int:
    """Return the low part of what a node is worth, by the number of its stance, where nothing but a new day wins."""
    floor = floor_of(facts[STANCES] + STANCE * number, turns, facts)
    if floor == -1:
        return STOPPED
    facts[HIGH] = facts[floor + 1] if floor else 0
    return facts[floor] if floor else 0


def no_less(number: int, turns: int, size: int, low: int, facts: Ints) -> int:
    """Return the low part of a worth, or of the floor of its node where that is greater; the upper is ``HIGH``."""
    stance = facts[STANCES] + STANCE * number
    if facts[stance + LOOKING] > 0:
        return low
    floor, high = facts[stance + FLOORS + turns - 1], facts[HIGH]
    if floor <= 0:
        return low
    if turns == 1:
        own = scaled(size, floor, facts)
        own_high = facts[HIGH]
    else:
        own, own_high = facts[floor], facts[floor + 1]
    if exceeds(own, own_high, low, high):
        low, high = own, own_high
    facts[HIGH] = high
    return low
