"""Cards of a hidden deck that are looked at and sorted out, as functions for a compiler.

A frame goes through every multiset that may be seen, weighed by the ways it comes about, and through every way to sort
it out once it is seen. So it sums what the best of them is worth, and divides by all ways in the end. Sums are kept in
pieces, as weights are large.

What is best for some cards seen is the best of what is best for all but one of them, and of ways to take all of them
off the deck. So where distance counts, every set of cards that may leave the deck is worked out once, from none of them
up, and not once more for all sets of cards seen that hold it.

A hand that pays for anything in two turns, whatever is played or turned over, is worth no less for one more card, which
need not be used. So nothing is destroyed then that may come to the hand.

Where none of the cards comes to the hand there is a shorter way. What is left in the end is a deck that holds all that
was not seen, and any such deck may be left. So every deck of as many cards at least is worked out once; the best of
those that hold some cards is the best of these themselves and of what is best with one more, by turns from the whole
deck down; and the mean is one over what is not seen.
"""

from __future__ import annotations

from typing import Final

from solver.search.dealing.bounds import UNBOUND, is_beaten, kinds_of, most_last, most_of_two
from solver.search.dealing.draws import NAMED
from solver.search.dealing.entry import entered
from solver.search.dealing.facts import (
    AIM,
    AIMING,
    ASIDE,
    BINOMIALS,
    BLOCK,
    HIGH,
    KEEPS,
    KINDS,
    NEAR_LOOKS,
    NONE,
    PARTS,
    ROOM,
    SHIFTS,
    SIZES,
    SORTED,
    STANCE,
    STANCES,
    STOPPED,
    TARGET,
    UNEVEN,
    Ints,
    exceeds,
    is_certain,
)
from solver.search.dealing.frames import (
    BACK,
    BEST,
    BEST_HIGH,
    COPIES,
    EDGE,
    EDGE_HIGH,
    FRAME,
    GONE,
    ITEM,
    MOST_SEEN,
    NODE,
    SEEN,
    SUMS,
    VIEW,
    ask,
)

PIECE_BITS: Final = 24
"""Bits of a piece of a sum: with a weight of up to 27 bits, and what is carried on, one fits 62 bits."""
PIECES: Final = 6
PIECE: Final = (1 << PIECE_BITS) - 1
LEFT: Final = SUMS + PIECES
"""Where a frame has what decks that may be left are worth, as many of them as there is room for (``COPIES``)."""
LEAVING: Final = 2
"""What a frame has for the number of its next question while it goes through what is left,"""
TAKEN: Final = 3
"""and while it goes through what leaves the deck."""


def number_of(cards: int, facts: Ints) -> int:
    """Return how many cards there are in a packed multiset."""
    at, kinds = facts[SHIFTS], facts[KINDS]
    found = 0
    for kind in range(kinds):
        found += cards >> facts[at + kind] & facts[at + kinds + 1 + kind]
    return found


def filled(cards: int, n: int, facts: Ints) -> int:
    """Return ``n`` of some cards, of the first kinds that there are."""
    at, kinds = facts[SHIFTS], facts[KINDS]
    found = 0
    for kind in range(kinds):
        taken = min(n, cards >> facts[at + kind] & facts[at + kinds + 1 + kind])
        found += taken << facts[at + kind]
        n -= taken
    return found


def next_seen(cards: int, part: int, facts: Ints) -> int:
    """Return the next part of some cards with as many of them, beginning with ``filled``; -1 after the last one."""
    at, kinds = facts[SHIFTS], facts[KINDS]
    below = 0
    for kind in range(kinds):
        shift, mask = facts[at + kind], facts[at + kinds + 1 + kind]
        taken = part >> shift & mask
        if below and taken < cards >> shift & mask:
            above = part >> shift << shift
            return above + (1 << shift) + filled(cards & ((1 << shift) - 1), below - 1, facts)
        below += taken
    return -1


def next_less(cards: int, part: int, facts: Ints) -> int:
    """Return the next part of some cards of any number, beginning with all of them; -1 after none of them."""
    at, kinds = facts[SHIFTS], facts[KINDS]
    for kind in range(kinds):
        shift, mask = facts[at + kind], facts[at + kinds + 1 + kind]
        if part >> shift & mask:
            return (part >> shift << shift) - (1 << shift) + (cards & ((1 << shift) - 1))
    return -1


def next_more(cards: int, part: int, facts: Ints) -> int:
    """Return the next part of some cards of any number, beginning with none of them; -1 after all of them."""
    at, kinds = facts[SHIFTS], facts[KINDS]
    for kind in range(kinds):
        shift, mask = facts[at + kind], facts[at + kinds + 1 + kind]
        taken = part >> shift & mask
        if taken < cards >> shift & mask:
            return part + (1 << shift)
        part -= taken << shift
    return -1


def next_gone(cards: int, part: int, most: int, facts: Ints) -> int:
    """Return the next part of some cards of at most so many, beginning with none of them; -1 after the last one."""
    at, kinds = facts[SHIFTS], facts[KINDS]
    spent = number_of(part, facts)
    for kind in range(kinds):
        shift, mask = facts[at + kind], facts[at + kinds + 1 + kind]
        taken = part >> shift & mask
        if spent < most and taken < cards >> shift & mask:
            return part + (1 << shift)
        part -= taken << shift
        spent -= taken
    return -1


def weight(cards: int, part: int, facts: Ints) -> int:
    """Return in how many ways a part may be chosen from some cards, copies told apart."""
    at, kinds, table = facts[SHIFTS], facts[KINDS], facts[BINOMIALS]
    found = 1
    for kind in range(kinds):
        shift, mask = facts[at + kind], facts[at + kinds + 1 + kind]
        found *= facts[table + (cards >> shift & mask) * facts[SIZES] + (part >> shift & mask)]
    return found


def add_weighed(f: int, low: int, high: int, ways: int, frames: Ints) -> None:
    """Add a worth so many times to the sum of a frame."""
    carried = 0
    for piece in range(PIECES):
        if piece < 2:
            part = low >> PIECE_BITS * piece & PIECE
        elif piece < 4:
            part = high >> PIECE_BITS * (piece - 2) & PIECE
        else:
            part = high >> PIECE_BITS * (piece - 2) if piece == 4 else 0
        carried += frames[f + SUMS + piece] + part * ways
        frames[f + SUMS + piece] = carried & PIECE
        carried >>= PIECE_BITS


def divide_sum(f: int, ways: int, facts: Ints, frames: Ints) -> None:
    """Make the sum of a frame, divided by all ways, the best that the frame has."""
    rest = 0
    for piece in range(PIECES - 1, -1, -1):
        rest = rest << PIECE_BITS | frames[f + SUMS + piece]
        frames[f + SUMS + piece] = rest // ways
        rest %= ways
    if rest:
        facts[UNEVEN] = 1
    s = f + SUMS
    frames[f + BEST] = frames[s] | frames[s + 1] << PIECE_BITS
    upper = 2 * PIECE_BITS
    frames[f + BEST_HIGH] = frames[s + 2] | frames[s + 3] << PIECE_BITS | frames[s + 4] << upper


def begin_look(f: int, n: int, facts: Ints, frames: Ints) -> None:
    """Begin with the first cards that may be seen."""
    frames[f + ITEM] = 1
    for piece in range(PIECES):
        frames[f + SUMS + piece] = 0
    sort_out(f, filled(frames[f + 1], n, facts), facts, frames)


def sort_out(f: int, seen: int, facts: Ints, frames: Ints) -> None:
    """Begin with the first way to sort out some cards: all of them to the hand where that may be, else put back."""
    frames[f + SEEN], frames[f + BACK] = seen, 0 if facts[KEEPS] else seen
    frames[f + GONE] = 0
    frames[f + EDGE], frames[f + EDGE_HIGH] = NONE, 0
    frames[f + MOST_SEEN] = most_sorted(f, seen, facts, frames)


def most_sorted(f: int, seen: int, facts: Ints, frames: Ints) -> int:
    """Return what it is worth at most to sort out some cards, with two turns left then or one."""
    turns = frames[f + 9]
    if not facts[AIMING] or facts[TARGET] >= 0 or turns > 2:
        return UNBOUND
    hand, deck, at = frames[f + 2], frames[f + 1], facts[SHIFTS]
    after = facts[facts[facts[STANCES] + STANCE * frames[f + 5] + BLOCK] + 1]
    once, twice, below = kinds_of(hand, 1, facts), kinds_of(hand, 2, facts), kinds_of(deck, 1, facts)
    if facts[KEEPS]:
        for kind in range(facts[KINDS]):
            mask = facts[at + facts[KINDS] + 1 + kind]
            held, more = hand >> facts[at + kind] & mask, seen >> facts[at + kind] & mask
            once |= (1 << kind) if held + more else 0
            twice |= (1 << kind) if held + more > 1 else 0
    if facts[facts[facts[STANCES] + STANCE * frames[f + 5] + BLOCK] + 4]:
        once, twice = once | below, twice | below
        deck = -1
    if turns == 1:
        return most_last(after, once, below, deck - seen if deck >= 0 else -1, seen, facts)
    return most_of_two(after, once, twice, below, deck - seen if deck >= 0 else -1, seen, facts)


def pays_for_all(f: int, kept: int, facts: Ints, frames: Ints) -> bool:
    """Return whether a hand with so many cards of those seen pays for anything in the turns that are left."""
    told = facts[facts[STANCES] + STANCE * frames[f + 5] + AIM]
    return frames[f + 9] <= 2 and told != -1 and frames[f + 4] + kept >= facts[told]


def sorted_next(f: int, destroyed: int, facts: Ints, frames: Ints) -> bool:
    """Go on to the next way to sort out the cards seen; return whether there is one."""
    if facts[KEEPS]:
        rest = frames[f + SEEN] - frames[f + BACK]
        if pays_for_all(f, number_of(rest, facts) - destroyed, facts, frames):
            destroyed = 0
        gone = next_gone(rest, frames[f + GONE], destroyed, facts)
        if gone >= 0:
            frames[f + GONE] = gone
            return True
        back = next_more(frames[f + SEEN], frames[f + BACK], facts)
    else:
        back = next_less(frames[f + SEEN], frames[f + BACK], facts)
    frames[f + BACK], frames[f + GONE] = back, 0
    return back >= 0


def parts_of(cards: int, facts: Ints) -> int:
    """Return how many parts some cards have, at most one more than there is room for."""
    at, kinds = facts[SHIFTS], facts[KINDS]
    found = 1
    for kind in range(kinds):
        found *= 1 + (cards >> facts[at + kind] & facts[at + kinds + 1 + kind])
        if found > ROOM:
            return ROOM + 1
    return found


def look_on(f: int, got: bool, low: int, high: int, facts: Ints, known: Ints, other: Ints, frames: Ints) -> int:
    """Ask for one more way to sort out cards that were looked at; once all are told, the frame has its mean."""
    item = frames[f + ITEM]
    if item == 0 and not facts[KEEPS] and parts_of(frames[f + 1], facts) <= ROOM:
        item = frames[f + ITEM] = LEAVING
        frames[f + BACK], frames[f + COPIES] = frames[f + 1], 0
    if item == TAKEN or (item == 0 and takes_off(f, facts, frames)):
        return take_on(f, got, low, high, facts, known, other, frames)
    if item != LEAVING:
        return sort_on(f, got, low, high, facts, frames)
    block = facts[facts[STANCES] + STANCE * frames[f + 5] + BLOCK]
    deck, size = frames[f + 1], frames[f + 3]
    least = size - min(facts[block + 2], size)
    left = frames[f + BACK]
    while left >= 0:
        if number_of(left, facts) >= least:
            if not got:
                low = leaving(f, left, facts, known, other, frames)
                high = facts[HIGH]
            if low == STOPPED:
                return STOPPED
            if low == ASIDE:
                frames[f + BACK] = left
                return NAMED
            if left == deck and is_certain(low, high, size, facts):
                frames[f + BEST], frames[f + BEST_HIGH] = low, high
                return 0
            place = f + LEFT + 2 * frames[f + COPIES]
            if place + 1 < f + FRAME:
                frames[place], frames[place + 1] = low, high
                frames[f + COPIES] += 1
        got = False
        left = next_less(deck, left, facts)
    return best_left(f, least, facts, known, other, frames)


def leaving(f: int, left: int, facts: Ints, known: Ints, other: Ints, frames: Ints) -> int:
    """Return what ``entered`` does for the node that is left by sorting cards out."""
    block, c = facts[facts[STANCES] + STANCE * frames[f + 5] + BLOCK], f + FRAME
    size = number_of(left, facts)
    ask(c, NODE, left, frames[f + 2], size, frames[f + 4], frames[f + 9], frames[f + VIEW], frames)
    frames[c + 5], frames[c + 6] = facts[block + 1], frames[f + 6]
    frames[c + 7], frames[c + 8] = min(facts[block + 4], size), 0
    return entered(c, facts, known, other, frames)


def best_left(f: int, least: int, facts: Ints, known: Ints, other: Ints, frames: Ints) -> int:
    """Make the mean over what is not seen of the best deck with that the best of a frame; all of them are known."""
    at, kinds, deck, size = facts[SHIFTS], facts[KINDS], frames[f + 1], frames[f + 3]
    for piece in range(PIECES):
        frames[f + SUMS + piece] = 0
    left, number, item = deck, parts_of(deck, facts) - 1, 0
    while left >= 0:
        cards = number_of(left, facts)
        place = facts[SORTED] + 2 * number
        if cards >= least:
            if item < frames[f + COPIES]:
                low, high = frames[f + LEFT + 2 * item], frames[f + LEFT + 2 * item + 1]
            else:
                low = leaving(f, left, facts, known, other, frames)
                high = facts[HIGH]
            if low in (STOPPED, ASIDE):
                return STOPPED
            high = high if low >= 0 else 0
            item += 1
            stride = 2
            for kind in range(kinds):
                copies = deck >> facts[at + kind] & facts[at + kinds + 1 + kind]
                if left >> facts[at + kind] & facts[at + kinds + 1 + kind] < copies:
                    more = facts[place + stride]
                    if exceeds(more, facts[place + stride + 1], low, high):
                        low, high = more, facts[place + stride + 1]
                stride *= copies + 1
            facts[place], facts[place + 1] = low, high
            if cards == least:
                if low == NONE and facts[TARGET] < 0:  # no way to play on with what is seen then
                    return 0
                if low >= 0:
                    add_weighed(f, low, high, weight(deck, left, facts), frames)
        left = next_less(deck, left, facts)
        number -= 1
    divide_sum(f, facts[facts[BINOMIALS] + size * facts[SIZES] + least], facts, frames)
    return 0


def takes_off(f: int, facts: Ints, frames: Ints) -> bool:
    """Return whether a frame goes through what leaves the deck; begin with that."""
    block = facts[facts[STANCES] + STANCE * frames[f + 5] + BLOCK]
    seen_all = facts[block + 2] >= frames[f + 3]
    if not facts[KEEPS] or facts[TARGET] >= 0 or frames[f + 9] > NEAR_LOOKS or seen_all:
        return False
    if facts[block + 1] != facts[block + 5] or parts_of(frames[f + 1], facts) > PARTS:
        return False
    frames[f + ITEM] = TAKEN
    frames[f + BACK] = frames[f + GONE] = 0
    frames[f + EDGE], frames[f + EDGE_HIGH] = NONE, 0
    for piece in range(PIECES):
        frames[f + SUMS + piece] = 0
    return True


def take_on(f: int, got: bool, low: int, high: int, facts: Ints, known: Ints, other: Ints, frames: Ints) -> int:
    """Ask for one more way to take cards off the deck, in ``BACK``, of which those in ``GONE`` are destroyed."""
    block, c, deck, size = (
        facts[facts[STANCES] + STANCE * frames[f + 5] + BLOCK],
        f + FRAME,
        frames[f + 1],
        frames[f + 3],
    )
    n, destroyed, taken, gone = facts[block + 2], facts[block + 3], frames[f + BACK], frames[f + GONE]
    while taken >= 0:
        number = number_of(taken, facts)
        while gone >= 0:
            if not got:
                kept = number - number_of(gone, facts)
                if gone == 0 or not pays_for_all(f, kept, facts, frames):
                    hand, held = frames[f + 2] + taken - gone, frames[f + 4] + kept
                    ask(c, NODE, deck - taken, hand, size - number, held, frames[f + 9], frames[f + VIEW], frames)
                    frames[c + 5], frames[c + 6] = facts[block + 1], frames[f + 6]
                    frames[c + 7], frames[c + 8] = min(facts[block + 4], size - number), 0
                    low = entered(c, facts, known, other, frames)
                    high = facts[HIGH]
                    if low == STOPPED:
                        return STOPPED
                    if low == ASIDE:
                        frames[f + BACK], frames[f + GONE] = taken, gone
                        return NAMED
                else:
                    low = NONE
            got = False
            if exceeds(low, high, frames[f + EDGE], frames[f + EDGE_HIGH]):
                frames[f + EDGE], frames[f + EDGE_HIGH] = low, high
            gone = next_gone(taken, gone, destroyed, facts)
        low, high = best_taken(f, taken, frames[f + EDGE], frames[f + EDGE_HIGH], facts, frames), facts[HIGH]
        if number == n:
            if low == NONE:  # no way to play on with these cards
                return 0
            add_weighed(f, low, high, weight(deck, taken, facts), frames)
        taken, gone = next_gone(deck, taken, n, facts), 0
        frames[f + EDGE], frames[f + EDGE_HIGH] = NONE, 0
    divide_sum(f, facts[facts[BINOMIALS] + size * facts[SIZES] + n], facts, frames)
    return 0


def best_taken(f: int, taken: int, low: int, high: int, facts: Ints, frames: Ints) -> int:
    """Return the better one of a worth and of what is best with one card less taken off the deck; keep it."""
    at, kinds, deck = facts[SHIFTS], facts[KINDS], frames[f + 1]
    place, stride = facts[SORTED] + 2 * ROOM + 2 * PARTS * (frames[f + 9] - 1), 2
    for kind in range(kinds):
        place += stride * (taken >> facts[at + kind] & facts[at + kinds + 1 + kind])
        stride *= 1 + (deck >> facts[at + kind] & facts[at + kinds + 1 + kind])
    stride = 2
    for kind in range(kinds):
        if taken >> facts[at + kind] & facts[at + kinds + 1 + kind]:
            less, less_high = facts[place - stride], facts[place - stride + 1]
            if exceeds(less, less_high, low, high):
                low, high = less, less_high
        stride *= 1 + (deck >> facts[at + kind] & facts[at + kinds + 1 + kind])
    facts[place], facts[place + 1], facts[HIGH] = low, high, high
    return low


def sort_on(f: int, got: bool, low: int, high: int, facts: Ints, frames: Ints) -> int:
    """Ask for one more way to sort out cards that were looked at, one set of cards seen after the other."""
    deck, hand, size, held = frames[f + 1], frames[f + 2], frames[f + 3], frames[f + 4]
    block, c = facts[facts[STANCES] + STANCE * frames[f + 5] + BLOCK], f + FRAME
    n = min(facts[block + 2], size)
    if frames[f + ITEM] == 0:
        begin_look(f, n, facts, frames)
    else:
        if got and exceeds(low, high, frames[f + EDGE], frames[f + EDGE_HIGH]):
            frames[f + EDGE], frames[f + EDGE_HIGH] = low, high
        edge, edge_high = frames[f + EDGE], frames[f + EDGE_HIGH]
        done = is_certain(edge, edge_high, size, facts)
        done = done or is_beaten(frames[f + MOST_SEEN], size, edge, edge_high, facts)
        if done or not sorted_next(f, facts[block + 3], facts, frames):
            if edge == NONE:
                if facts[TARGET] < 0:  # no way to play on with these cards
                    return 0
                edge, edge_high = 0, 0
            seen = frames[f + SEEN]
            add_weighed(f, edge, edge_high, weight(deck, seen, facts), frames)
            seen = next_seen(deck, seen, facts)
            if seen < 0:
                divide_sum(f, facts[facts[BINOMIALS] + size * facts[SIZES] + n], facts, frames)
                return 0
            sort_out(f, seen, facts, frames)
    back, gone = frames[f + BACK], frames[f + GONE]
    kept = frames[f + SEEN] - back - gone if facts[KEEPS] else 0
    size, taken = size - n + number_of(back, facts), number_of(kept, facts)
    frames[c], frames[c + 1], frames[c + 2] = NODE, deck - frames[f + SEEN] + back, hand + kept
    frames[c + 3], frames[c + 4], frames[c + 5], frames[c + 6] = size, held + taken, facts[block + 1], frames[f + 6]
    frames[c + 7], frames[c + 8], frames[c + 9] = min(facts[block + 4], size), 0, frames[f + 9]
    frames[c + VIEW] = frames[f + VIEW]
    return 1
