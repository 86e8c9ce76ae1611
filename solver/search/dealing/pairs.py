"""Which cards still count with two turns left beside those that a hand has, as functions for a compiler.

A hand is *sure* of what some first card of it and some last one lead to, or of the least mean of what may be turned
over after a first one, whatever comes to it. A first play is *open* if more than that may come of it. A card adds
nothing to a hand if playing it first is not open, and if after each open first play it is worth no more, as the last
one, than a card that the hand keeps; or no more than what it is sure of, where nothing is left to chance after that.
Then no way to play that uses it is better than one that does not, whatever comes off the deck, and it pays like any
other. So such cards are as good as idle ones, in hand, and in the deck if they may come to the hand. All are judged
by the cards that make the hand sure, and by those that are best last ones after open first plays; these are kept. Of
one kind two cards count at most, one to be played first and one last.

Cards of the deck that add nothing to the hand are alike if each open first play that has one turned over, or that
draws, finds them worth the same then; one drawn counts for nothing below what the hand has for that. Where a first
play is not open because what may be turned over has no greater mean, no card is replaced by one that is worth more
there. What is not open stays so.
"""

from __future__ import annotations

from typing import Final

from solver.search.dealing.facts import (
    AIM,
    ASIDE,
    ASKED,
    BLOCK,
    DRAWN_BITS,
    DRAWN_MASK,
    FINISH,
    IDLER,
    JUDGED,
    KINDS,
    LOOKING,
    MORE_BITS,
    NONE,
    PAIRS,
    PLACE,
    ROOMS,
    SHIFTS,
    SIZES,
    STANCE,
    STANCES,
    STOPPED,
    TAKING,
    TARGET,
    TURN_BITS,
    VALUES,
    WAITS,
    WANTED,
    Ints,
    brought,
)
from solver.search.dealing.frames import FOLLOWING, FRAME

ALONE: Final = 1
"""Places in a pair after the kind that is played first: whether it is chosen before more is seen,"""
SORT: Final = 2
"""what is done on the last turn,"""
DRAWN: Final = 3
"""how many cards come off the deck for it,"""
KEPT: Final = 4
"""whether a card of the hand is left then,"""
OWN: Final = 5
"""where it is told by kind what a last card of the hand is worth, and by worth for which kinds,"""
COME: Final = 6
"""likewise one that comes off the deck;"""
FLOOR: Final = 7
"""room for what is sure after it, then for what a last card has to exceed,"""
BY: Final = 8
"""and for the kind that is played last for that, -1 where it is none."""
PAIR: Final = 9
PLAYED: Final = 1
"""On the last turn a card is played from the hand,"""
TURNED: Final = 2
"""or one is turned over; else nothing counts any more."""
SHUT: Final = -2
"""In place of what has to be exceeded, where a first play is not open,"""
MEAN: Final = -3
"""and where it is not only as the mean is not."""
KEPT_BITS: Final = 2
KEPT_MASK: Final = (1 << KEPT_BITS) - 1
NOTED: Final = FOLLOWING
"""Where it is noted in a frame, until that is needed for what follows, by what a hand is judged: each note has where
the pairs begin, a card that comes to the hand before them, and the cards in the deck then;"""
NOTE: Final = 3
"""after so many numbers, what each pair has for ``FLOOR``."""
SETTLED: Final = -4
"""What ``row_after`` returns where nothing counts any more."""
"""Cards of a kind that are kept, at most two, and room for their number."""


def leave_out(f: int, rooms: int, draws: int, least: int, most: int, facts: Ints, frames: Ints) -> None:
    """Replace cards of a node that add nothing to its hand, and cards of the deck that are alike then.

    So many cards are still to be drawn. From ``least`` to ``most`` cards are in the deck once all have been drawn and
    paid, whichever they are; for each number it is told, from ``rooms`` on, where that is told what counts. Nothing is
    drawn any more where it may be several numbers.
    """
    place = f + NOTED
    for left in range(least, most + 1):
        place = noted(f, place, facts[rooms + left], 0, left, facts, frames)
        if place < 0:
            return
    replace(f, place, draws, facts, frames)


def leave_out_before_pick(f: int, facts: Ints, frames: Ints) -> None:
    """Do the same for a node on which one of several ends is picked, perhaps with a card that comes to the hand."""
    draws, won, place = frames[f + 7], frames[f + 6], f + NOTED
    held, left = frames[f + 4] + draws, frames[f + 3] - draws - frames[f + 8]
    block = facts[facts[STANCES] + STANCE * frames[f + 5] + BLOCK]
    for end in range(block + 4, block + 4 + 3 * facts[block + 3], 3):
        row = row_after(end, held, left, won, facts)
        if row == SETTLED:
            continue
        gift = facts[end + 2] >> DRAWN_BITS + MORE_BITS
        if row < 0 or facts[row] == -1 or brought(end, facts) != (1 if gift else 0):
            return
        place = noted(f, place, facts[row], gift, left, facts, frames)
        if place < 0:
            return
    replace(f, place, draws, facts, frames)


def row_after(end: int, held: int, left: int, won: int, facts: Ints) -> int:
    """Return where it is told what counts after an end is picked, with so many cards in hand before and in the deck.

    ``SETTLED`` where nothing counts any more, ``ASIDE`` where it is not told for numbers of cards; ``STOPPED`` where
    facts are missing, which are asked for.
    """
    stance = facts[STANCES] + STANCE * facts[end]
    there = facts[stance + PLACE] + won + facts[end + 1]
    if there >= facts[FINISH] or 0 <= facts[TARGET] <= there:
        return SETTLED
    if facts[stance + BLOCK] == -1:
        facts[ASKED] = facts[end]
        return STOPPED
    if (
        facts[stance + WAITS]
        or facts[stance + LOOKING] > 0
        or facts[stance + TAKING] > 0
        or facts[end + 2] & DRAWN_MASK
    ):
        return ASIDE
    number = facts[end]
    for _ in range(2):  # the stance, and then the one from which everything leads to the same
        stance = facts[STANCES] + STANCE * number
        if facts[stance + BLOCK] == -1:
            facts[ASKED] = number
            return STOPPED
        if facts[stance + AIM] == -1:
            facts[ASKED], facts[WANTED] = number, 2
            return STOPPED
        number = facts[facts[stance + AIM] + 6]
    rooms = facts[facts[stance + AIM] + ROOMS]
    if not rooms:
        return ASIDE
    held += brought(end, facts)
    row = rooms + held * facts[SIZES] + left
    if facts[row] == -1:
        facts[ASKED] = (stance - facts[STANCES]) // STANCE
        facts[WANTED] = 2 | held * facts[SIZES] + left + 1 << TURN_BITS
    return row


def picks_missing(number: int, held: int, left: int, won: int, facts: Ints) -> int:
    """Return ``STOPPED`` where what counts after one of the ends to pick has to be asked for, else ``ASIDE``."""
    block = facts[facts[STANCES] + STANCE * number + BLOCK]
    for end in range(block + 4, block + 4 + 3 * facts[block + 3], 3):
        row = row_after(end, held, left, won, facts)
        if row == STOPPED or (row >= 0 and facts[row] == -1):
            return STOPPED
    return ASIDE


def noted(f: int, place: int, told: int, gift: int, left: int, facts: Ints, frames: Ints) -> int:
    """Note by what a hand is judged; return where the next such note begins, -1 where it is not told, or no room.

    ``gift`` is one more than the kind of a card that comes to the hand before, or 0.
    """
    pairs = facts[told + PAIRS] if told != -1 else 0
    after = place + NOTE + (facts[pairs] if pairs else 0)
    if not pairs or after > f + FRAME:
        return -1
    frames[place], frames[place + 1], frames[place + 2] = pairs, gift, left
    return after


def replace(f: int, end: int, draws: int, facts: Ints, frames: Ints) -> None:
    """Replace cards of a node that add nothing to its hand by any of the notes up to a place.

    Where they are judged, ``facts[VALUES]`` is by kind which one it is replaced by in the deck.
    """
    kinds, at, idle = facts[KINDS], facts[SHIFTS], facts[IDLER]
    deck, hand, once, twice, below = frames[f + 1], frames[f + 2], 0, 0, 0
    for kind in range(kinds):
        shift, mask = facts[at + kind], facts[at + kinds + 1 + kind]
        copies = hand >> shift & mask
        once |= (1 << kind) if copies else 0
        twice |= (1 << kind) if copies > 1 else 0
        below |= (1 << kind) if deck >> shift & mask else 0
        facts[facts[VALUES] + kind] = 0
    chancy, place = 0, f + NOTED
    while place < end:
        pairs, left = frames[place], frames[place + 2]
        given = 1 << frames[place + 1] - 1 if frames[place + 1] else 0
        told = judged(pairs, once | given, twice | once & given, below, deck, draws, left, facts)
        if told < 0:
            return
        chancy |= told
        for item in range(facts[pairs]):
            frames[place + NOTE + item] = facts[pairs + 1 + PAIR * item + FLOOR]
        place += NOTE + facts[pairs]
    spare = 0
    for kind in range(kinds):
        if once >> kind & 1 and kind != idle:
            shift = facts[at + kind]
            more = (hand >> shift & facts[at + kinds + 1 + kind]) - (facts[facts[VALUES] + kind] & KEPT_MASK)
            if more > 0:
                frames[f + 2] -= more << shift
                spare += more
    frames[f + 2] += spare << facts[at + idle]
    named, hand = 0, frames[f + 2]
    facts[JUDGED] = 1
    for kind in range(kinds):
        shift, mask = facts[at + kind], facts[at + kinds + 1 + kind]
        counting = facts[facts[VALUES] + kind] >> KEPT_BITS
        facts[facts[VALUES] + kind] = kind
        if not below >> kind & 1 or kind == idle:
            continue
        if draws and hand >> shift & mask < counting:
            continue
        copies = deck >> shift & mask
        if not chancy or comes_alike(f, end, kind, idle, facts, frames):
            facts[facts[VALUES] + kind] = idle
            frames[f + 1] += (copies << facts[at + idle]) - (copies << shift)
            continue
        found = kind
        for other in range(kind):
            there = frames[f + 1] >> facts[at + other] & facts[at + kinds + 1 + other]
            if not named >> other & 1 or copies > facts[at + kinds + 1 + other] - there:
                continue
            if comes_alike(f, end, kind, other, facts, frames):
                found = other
                break
        if found == kind:
            named |= 1 << kind
        else:
            facts[facts[VALUES] + kind] = found
            frames[f + 1] += (copies << facts[at + found]) - (copies << shift)


def judged(pairs: int, once: int, twice: int, below: int, deck: int, draws: int, left: int, facts: Ints) -> int:
    """Return -1 where no card adds nothing, 1 where what comes off the deck last may count, else 0.

    ``once`` and ``twice`` are the kinds of which there are as many in hand, ``below`` those in the deck. It is noted in
    ``facts[VALUES]``, by kind, how many cards are kept, and above those bits how many count at most.
    """
    kinds, idle, best = facts[KINDS], facts[IDLER], surest(pairs, once, twice, deck, left, facts)
    if best < 0:
        return -1
    sure, coming, chancy = facts[best + FLOOR], below if draws else 0, 0
    single, double, firsts, lasts = 1 << facts[best], 0, 0, 0
    if facts[best + BY] == facts[best]:
        double = single
    elif facts[best + BY] >= 0:
        single |= 1 << facts[best + BY]
    for pair in range(pairs + 1, pairs + 1 + PAIR * facts[pairs], PAIR):
        kind = facts[pair]
        shut = SHUT
        if (once | coming | 1 << idle) >> kind & 1:
            shut = is_shut(pair, sure, once, twice, coming, below, deck, left, facts)
            if not facts[pair + ALONE] or (pair == best and facts[pair + SORT] == TURNED):
                shut = 0
        if shut:
            facts[pair + FLOOR] = shut
            chancy |= shut == MEAN
            continue
        firsts |= 1 << kind
        chancy |= facts[pair + SORT] == TURNED or facts[pair + DRAWN] > 0
        if facts[pair + SORT] != PLAYED:
            facts[pair + FLOOR] = NONE
            continue
        last = facts[pair + BY]
        if last == kind and once >> kind & 1:
            double |= 1 << kind
        elif last >= 0:
            single |= 1 << last
        if facts[pair + ALONE] and not facts[pair + DRAWN]:
            facts[pair + FLOOR] = max(facts[pair + FLOOR], sure)
        level = facts[pair + OWN] + kinds + 1
        for place in range(level, level + 2 * facts[level - 1] if facts[pair + KEPT] else level, 2):
            if facts[place] <= facts[pair + FLOOR]:
                break
            lasts |= facts[place + 1]
    if (firsts | lasts) >> idle & 1:
        return -1
    for kind in range(kinds):
        counting = (firsts >> kind & 1) + (lasts >> kind & 1)
        kept = 2 if double >> kind & 1 else max(counting, single >> kind & 1)
        noted = facts[facts[VALUES] + kind]
        facts[facts[VALUES] + kind] = max(noted & KEPT_MASK, kept) | max(noted >> KEPT_BITS, counting) << KEPT_BITS
    return chancy


def surest(pairs: int, once: int, twice: int, deck: int, left: int, facts: Ints) -> int:
    """Return the pair that a hand is sure of most with, -1 where there is none; note what it has after each."""
    best, most = -1, NONE
    for pair in range(pairs + 1, pairs + 1 + PAIR * facts[pairs], PAIR):
        kind, floor, by = facts[pair], NONE, -1
        own = once >> kind & 1
        if facts[pair + SORT] == PLAYED:
            if facts[pair + KEPT]:
                cards = once & ~(1 << kind) if own and not twice >> kind & 1 else once
                level = top_level(facts[pair + OWN], cards, facts)
                if level >= 0:
                    floor, there = facts[level], cards & facts[level + 1]
                    by = 0
                    while not there >> by & 1:
                        by += 1
        elif facts[pair + SORT] != TURNED:
            floor = facts[facts[pair + OWN]]
        elif own and facts[pair + ALONE] and left:
            floor = turned_sum(facts[pair + COME], deck, left, -1, facts) // left
        facts[pair + FLOOR], facts[pair + BY] = floor, by
        if own and facts[pair + ALONE] and floor > most:
            best, most = pair, floor
    return best


def is_shut(
    pair: int, sure: int, once: int, twice: int, coming: int, below: int, deck: int, left: int, facts: Ints
) -> int:
    """Return 0 where more than what is sure may come of a first play; else ``SHUT``, or ``MEAN``.

    Idle cards count as if there were several.
    """
    kind, kinds, idle = facts[pair], facts[KINDS], 1 << facts[IDLER]
    if facts[pair + SORT] == PLAYED:
        cards = once | coming | idle
        if once >> kind & 1 and not (twice | coming | idle) >> kind & 1:
            cards &= ~(1 << kind)
        level = top_level(facts[pair + OWN], cards, facts) if facts[pair + KEPT] else -1
        if level >= 0 and facts[level] > sure:
            return 0
        level = top_level(facts[pair + COME], below | idle, facts) if facts[pair + DRAWN] else -1
        return 0 if level >= 0 and facts[level] > sure else SHUT
    level = facts[pair + COME] + kinds + 1
    if facts[pair + SORT] == TURNED:
        level = top_level(facts[pair + COME], below | idle, facts)
        if facts[level] > sure:
            return 0 if turned_sum(facts[pair + COME], deck, left, 1, facts) > sure * left else MEAN
        return SHUT
    return 0 if facts[level] > sure else SHUT


def top_level(worths: int, cards: int, facts: Ints) -> int:
    """Return where the greatest worth is told that some kinds have; -1 where there are none."""
    level = worths + facts[KINDS] + 1
    for place in range(level, level + 2 * facts[level - 1], 2):
        if facts[place + 1] & cards:
            return place
    return -1


def turned_sum(worths: int, deck: int, taken: int, sign: int, facts: Ints) -> int:
    """Return the sum of what so many cards of a deck are worth: the best of them, or with -1 for a sign the worst."""
    at, kinds, total = facts[SHIFTS], facts[KINDS], 0
    first = worths + kinds + 1
    levels = facts[first - 1]
    for item in range(levels):
        place = first + 2 * (item if sign > 0 else levels - 1 - item)
        copies = 0
        for kind in range(kinds):
            if facts[place + 1] >> kind & 1:
                copies += deck >> facts[at + kind] & facts[at + kinds + 1 + kind]
        copies = min(copies, taken)
        total += copies * facts[place]
        taken -= copies
    return total


def comes_alike(f: int, end: int, kind: int, other: int, facts: Ints, frames: Ints) -> bool:
    """Return whether a card of the deck may be taken for another, as far as it is not to come to the hand."""
    place = f + NOTED
    while place < end:
        pairs = frames[place]
        for item in range(facts[pairs]):
            pair, limit = pairs + 1 + PAIR * item, frames[place + NOTE + item]
            worths = facts[pair + COME]
            if limit == SHUT:
                continue
            one, more = facts[worths + kind], facts[worths + other]
            if limit == MEAN:
                if more > one:
                    return False
            elif facts[pair + SORT] == TURNED:
                if one != more:
                    return False
            elif facts[pair + DRAWN] and max(one, limit) != max(more, limit):
                return False
        place += NOTE + facts[pairs]
    return True
