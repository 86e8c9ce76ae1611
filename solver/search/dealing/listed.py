"""What the ways to play that are listed come to, whichever cards of the deck have been paid, for a compiler.

Where several ways to play may be the best one (``dealing.survey``), each set of cards that may have gone is gone
through, and the node is worth the mean of what the best way is worth then: a set counts as often as there are such
cards to choose, and which of them came off first is seen, but counts for nothing. What comes of a set is not written
down, as no other node asks for it.

*Alike.* Each way leads to a node of which it is told which cards of the deck are alike (``dealing.entry``), for its
hand, and for any cards that may have gone: exchanging one for the other, in whichever place of the deck, changes
nothing that may be had with that hand. So they need not be told apart while sets are gone through, if they are alike
for all ways listed, and of the cards that have gone it counts for a way which they are taken for. All of that is told
once, before any have gone; the nodes that follow have the names that come of it.

Ways are tried from the one on that may be worth most, and no more of them once the best is worth as much as the next
one is at most. Worths are compared by their upper parts for that, rounded down and up: what is left out is no better.
"""

from __future__ import annotations

from typing import Final

from solver.search.dealing.draws import NAMED
from solver.search.dealing.entry import count_together, looked_up, recalled
from solver.search.dealing.facts import (
    ASIDE,
    BACKWARDS,
    BASE_BITS,
    BINOMIALS,
    CLASSES,
    FURTHEST,
    HIGH,
    JUDGED,
    KINDS,
    LOW,
    MAPS,
    NONE,
    ORDERS,
    SCALED,
    SHIFTS,
    SIZES,
    STOPPED,
    TOLD,
    UNIT,
    VALUES,
    Ints,
    divided,
    exceeds,
)
from solver.search.dealing.frames import (
    ADDED,
    BEST,
    BEST_HIGH,
    COPIES,
    EDGE,
    EDGE_HIGH,
    FOLLOWING,
    FRAME,
    ITEM,
    LIST,
    NODE,
    TOTAL,
    TOTAL_HIGH,
    WAY,
    ask,
)

GONE: Final = FOLLOWING
"""The cards that have gone,"""
SHIFT: Final = GONE + 1
"""the lower bits of worths that are not compared, and what value 1 is worth without them;"""
COMMON: Final = GONE + 3
"""and the deck, told apart as far as it counts for any way."""
ROOM_BITS: Final = 62
SETS_BITS: Final = 15
"""Sets of cards that there is room for in a sum,"""
CLOSE_BITS: Final = 20
"""and bits of value 1 that are compared."""


def has_room(f: int, facts: Ints, frames: Ints) -> bool:
    """Return whether all sets of cards that may have gone can be summed up."""
    size, paying = frames[f + 3], frames[f + 8]
    sets = facts[facts[BINOMIALS] + size * facts[SIZES] + paying]
    if sets >> SETS_BITS:
        return False
    return not facts[SCALED] or (facts[facts[ORDERS] + 2 * size + 1] + 1) * facts[FURTHEST] < (1 << ROOM_BITS) // sets


def begin_sets(f: int, facts: Ints, frames: Ints) -> None:
    """Begin with the first set of cards that may have gone, the ways sorted by what they may be worth."""
    for item in range(1, frames[f + LIST]):
        place = f + LIST + 1 + WAY * item
        while place > f + LIST + 1 and frames[place + 5] > frames[place - WAY + 5]:
            for part in range(WAY):
                before = frames[place - WAY + part]
                frames[place - WAY + part] = frames[place + part]
                frames[place + part] = before
            place -= WAY
    map_all(f, facts, frames)
    orders = facts[ORDERS] + 2 * (frames[f + 3] - frames[f + 8])
    shift = 0 if not facts[orders + 1] else BASE_BITS if facts[orders + 1] >> CLOSE_BITS else BASE_BITS - CLOSE_BITS
    while upper(facts[orders], facts[orders + 1], shift) >> CLOSE_BITS:
        shift += 1
    frames[f + SHIFT], frames[f + SHIFT + 1] = shift, upper(facts[orders], facts[orders + 1], shift)
    frames[f + GONE], frames[f + COPIES] = 0, 0
    fill(f, 0, frames[f + 8], facts, frames)
    frames[f + TOTAL] = frames[f + TOTAL_HIGH] = frames[f + ITEM] = 0
    frames[f + EDGE], frames[f + EDGE_HIGH] = NONE, 0


def upper(low: int, high: int, shift: int) -> int:
    """Return a worth without so many of its lower bits; all that matters where they are many is what is left."""
    if shift >= BASE_BITS:
        return high >> shift - BASE_BITS
    return high << BASE_BITS - shift | low >> shift


def fill(f: int, first: int, cards: int, facts: Ints, frames: Ints) -> bool:
    """Have so many more cards gone of the kinds from a number on, the first ones; return whether there are as many."""
    at, kinds = facts[SHIFTS], facts[KINDS]
    for item in range(first, kinds):
        kind = abs(facts[BACKWARDS] - item)
        taken = min(cards, frames[f + COMMON] >> facts[at + kind] & facts[at + kinds + 1 + kind])
        frames[f + GONE] += taken << facts[at + kind]
        cards -= taken
    return cards == 0


def next_set(f: int, facts: Ints, frames: Ints) -> bool:
    """Go on with the next set of cards that may have gone; return false after the last one."""
    at, kinds = facts[SHIFTS], facts[KINDS]
    cards, there = 0, 0
    for last in range(kinds):
        item = kinds - 1 - last
        kind = abs(facts[BACKWARDS] - item)
        shift, mask = facts[at + kind], facts[at + kinds + 1 + kind]
        gone = frames[f + GONE] >> shift & mask
        if gone and there > cards:  # one of it less, and one more of those that come after it
            frames[f + GONE] -= 1 << shift
            return fill(f, item + 1, cards + 1, facts, frames)
        cards += gone
        there += frames[f + COMMON] >> shift & mask
        frames[f + GONE] -= gone << shift
    return False


def sets_alike(f: int, facts: Ints, frames: Ints) -> int:
    """Return in how many ways the cards that have gone may be chosen."""
    at, kinds, found = facts[SHIFTS], facts[KINDS], 1
    for kind in range(kinds):
        shift, mask = facts[at + kind], facts[at + kinds + 1 + kind]
        gone = frames[f + GONE] >> shift & mask
        if gone:
            found *= facts[facts[BINOMIALS] + (frames[f + COMMON] >> shift & mask) * facts[SIZES] + gone]
    return found


def map_all(f: int, facts: Ints, frames: Ints) -> None:
    """Write down which cards of the deck are taken for which, way by way, and which of them are for all ways."""
    at, kinds, deck, told = facts[SHIFTS], facts[KINDS], frames[f + 1], True
    for item in range(frames[f + LIST]):
        told = map_way(f, item, facts, frames) and told
    frames[f + COMMON] = deck
    for kind in range(kinds if told else 0):
        copies = deck >> facts[at + kind] & facts[at + kinds + 1 + kind]
        for other in range(kind if copies else 0):
            there = frames[f + COMMON] >> facts[at + other] & facts[at + kinds + 1 + other]
            if there and there + copies <= facts[at + kinds + 1 + other] and is_common(f, kind, other, facts, frames):
                frames[f + COMMON] += (copies << facts[at + other]) - (copies << facts[at + kind])
                break


def is_common(f: int, kind: int, other: int, facts: Ints, frames: Ints) -> bool:
    """Return whether two kinds of the deck are taken for the same one by all ways."""
    for item in range(frames[f + LIST]):
        row = facts[MAPS] + item * facts[KINDS]
        if facts[row + kind] != facts[row + other]:
            return False
    return True


def map_way(f: int, item: int, facts: Ints, frames: Ints) -> bool:
    """Write down which cards of the deck are taken for which after one way, and its hand likewise, if it is told."""
    at, kinds, c = facts[SHIFTS], facts[KINDS], f + FRAME
    row, way = facts[MAPS] + item * kinds, f + LIST + 1 + WAY * item
    ask_way(f, item, 0, frames)
    facts[CLASSES], facts[JUDGED] = -1, 0
    count_together(c, facts, frames)
    frames[way + WAY - 1] = -1
    if facts[CLASSES] == -1:
        return False
    deck = 0
    for kind in range(kinds):
        first = facts[facts[CLASSES] + kind] if facts[CLASSES] else kind
        first = facts[facts[VALUES] + first] if facts[JUDGED] else first
        facts[row + kind] = first
        copies = frames[f + 1] >> facts[at + kind] & facts[at + kinds + 1 + kind]
        if copies + (deck >> facts[at + first] & facts[at + kinds + 1 + first]) > facts[at + kinds + 1 + first]:
            return False
        deck += copies << facts[at + first]
    frames[way], frames[way + WAY - 1] = frames[c + 2], deck
    return True


def way_known(f: int, item: int, facts: Ints, known: Ints, other: Ints, frames: Ints) -> int:
    """Return what a way is worth after the cards that have gone; ``ASIDE`` where that is not known, but named."""
    at, kinds, c = facts[SHIFTS], facts[KINDS], f + FRAME
    row, deck = facts[MAPS] + item * kinds, frames[f + LIST + 1 + WAY * item + WAY - 1]
    ask_way(f, item, frames[f + 8], frames)
    if deck == -1:
        return looked_up(c, facts, known, other, frames)
    for kind in range(kinds):
        gone = frames[f + GONE] >> facts[at + kind] & facts[at + kinds + 1 + kind]
        if gone:
            deck -= gone << facts[at + facts[row + kind]]
    frames[c + 1], frames[c + ADDED] = deck, 0
    return recalled(c, facts, known, other, frames)


def try_on(f: int, got: bool, low: int, high: int, facts: Ints, known: Ints, other: Ints, frames: Ints) -> int:
    """Ask for what one more way is worth after one more set of cards, if it is not known."""
    if got:
        keep_better(f, low, high, frames)
    while True:
        while frames[f + ITEM] < frames[f + LIST]:
            item = frames[f + ITEM]
            frames[f + ITEM] = item + 1
            if is_enough(f, frames[f + LIST + 1 + WAY * item + 5], frames):
                break
            low = way_known(f, item, facts, known, other, frames)
            if low == STOPPED:
                return STOPPED
            if low == ASIDE:
                return NAMED
            keep_better(f, low, facts[HIGH], frames)
        if frames[f + EDGE] == NONE:
            frames[f + BEST] = NONE
            return 0
        weight = sets_alike(f, facts, frames)
        total = frames[f + TOTAL] + weight * frames[f + EDGE]
        frames[f + TOTAL] = total & LOW
        frames[f + TOTAL_HIGH] += weight * frames[f + EDGE_HIGH] + (total >> BASE_BITS)
        frames[f + EDGE], frames[f + ITEM] = NONE, 0
        if not next_set(f, facts, frames):
            break
    finish(f, facts, frames)
    return 0


def finish(f: int, facts: Ints, frames: Ints) -> None:
    """Enter the mean of all sets: divided by their number, or for each order in which they may come off the deck."""
    size, paying = frames[f + 3], frames[f + 8]
    if facts[SCALED]:
        sets = facts[facts[BINOMIALS] + size * facts[SIZES] + paying]
        frames[f + BEST] = divided(frames[f + TOTAL], frames[f + TOTAL_HIGH], sets, facts)
        frames[f + BEST_HIGH] = facts[HIGH]
        return
    low, high = frames[f + TOTAL], frames[f + TOTAL_HIGH]
    for count in range(2, paying + 1):
        low, high = low * count, high * count
        low, high = low & LOW, high + (low >> BASE_BITS)
    frames[f + BEST], frames[f + BEST_HIGH] = low, high


def keep_better(f: int, low: int, high: int, frames: Ints) -> None:
    """Enter what a way is worth after a set of cards."""
    if exceeds(low, high, frames[f + EDGE], frames[f + EDGE_HIGH]):
        frames[f + EDGE], frames[f + EDGE_HIGH] = low, high


def is_enough(f: int, most: int, frames: Ints) -> bool:
    """Return whether the best way so far is worth no less than any that is worth so much at most."""
    if frames[f + EDGE] == NONE:
        return False
    found = upper(frames[f + EDGE], frames[f + EDGE_HIGH], frames[f + SHIFT])
    return found * UNIT >= most * (frames[f + SHIFT + 1] + 1)


def ask_way(f: int, item: int, gone: int, frames: Ints) -> None:
    """Write a way that is listed to the frame below, with the cards that have gone, of which there are so many."""
    way, c = f + LIST + 1 + WAY * item, f + FRAME
    deck = frames[f + 1] - (frames[f + GONE] if gone else 0)
    ask(c, NODE, deck, frames[way], frames[f + 3] - gone, frames[way + 1], frames[f + 9] - 1, TOLD, frames)
    frames[c + 5], frames[c + 6] = frames[way + 2], frames[f + 6]
    frames[c + 7], frames[c + 8] = frames[way + 3], frames[way + 4] - gone
