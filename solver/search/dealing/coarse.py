"""What a node is worth at least and at most, whichever cards of its deck have gone and are seen, for a compiler.

A *coarse* node is a node of which some of the cards to be paid, ``UNSEEN`` by whoever tells its worth, are known to the
player beforehand. Its least and its greatest worth hold for any that these may be, and are means over all else. What
comes to the hand, or is turned over, is a mean over the cards of the deck, in which those that are worth most, or
least, are those that have gone. On two last turns a first play that is chosen without a look at the deck is worth no
more than the best one, and the best one no more than the best of each, for the best cards that may have gone by then;
but where one play is the best for all of these, it is worth what it is for those known beforehand.

Bounds are values times ``UNIT``, rounded down and up: one number each, so that both fit into one place of the table.
"""

from __future__ import annotations

from typing import Final

from solver.search.dealing.bounds import kinds_of, most_last, most_of_two
from solver.search.dealing.ends import TURNING, VAGUE, after_sight, last_bound
from solver.search.dealing.entry import cleared, count_together, decided, rest_of
from solver.search.dealing.facts import (
    ASIDE,
    ASKED,
    BACKWARDS,
    BITS,
    BLOCK,
    COUNT,
    DRAWN_MASK,
    FINISH,
    FURTHEST,
    HALTED,
    HIGH,
    KINDS,
    LOOKING,
    MOST,
    NONE,
    PLACE,
    QUOTA,
    SHIFTS,
    STANCE,
    STANCES,
    STOPPED,
    TOLD,
    UNIT,
    UPPER,
    VALUES,
    WAITS,
    Ints,
    acts_of,
)
from solver.search.dealing.frames import (
    ADDED,
    BEST,
    BEST_HIGH,
    COARSE,
    FOLLOW,
    FOLLOWING,
    FRAME,
    ITEM,
    REST,
    UNSEEN,
    ask,
)
from solver.search.dealing.lasts import acting_best, is_asked, last, last_of, last_played
from solver.search.dealing.table import file, remembered

SEEN_SHIFT: Final = 20
"""Above the stance, in the name of a coarse node, there is how many cards were seen."""
NOWHERE: Final = -2
"""Less than any least worth."""


def coarse_entered(f: int, facts: Ints, known: Ints, other: Ints, frames: Ints) -> int:
    """Return the least worth of a coarse node where it is told, the greatest in ``facts[HIGH]``; else ``ASIDE``."""
    frames[f + ADDED] = 0
    value = decided(f, facts, frames)
    if value != ASIDE:
        facts[HIGH] = max(value, 0) * UNIT
        return value * UNIT if value >= 0 else value
    count_together(f, facts, frames)
    rest = rest_of(f, frames[f + 7], frames[f + 8], frames) | frames[f + UNSEEN] << SEEN_SHIFT
    frames[f + REST] = rest
    low = remembered(frames[f + 2], frames[f + 1], rest, facts, known, other)
    if low != ASIDE:
        return low
    bits = facts[BITS]
    if facts[QUOTA] <= 0 or facts[COUNT] >= min(3 << bits >> 2, facts[MOST]) or facts[HALTED]:
        return STOPPED
    facts[QUOTA] -= 1
    cleared(f, 0, frames)
    stance = facts[STANCES] + STANCE * frames[f + 5]
    if frames[f + 7]:
        return ASIDE
    if frames[f + 9] != 2 or facts[stance + LOOKING] > 0:
        low = coarsest(f, facts, frames)
    elif facts[stance + WAITS]:
        low = waiting_bounds(f, facts, frames)
    else:
        low = two_bounds(f, facts, frames)
    if low != STOPPED:
        file(known, bits, frames[f + 2], frames[f + 1], rest, low, facts[HIGH])
        facts[COUNT] += 1
    return low


def coarsest(f: int, facts: Ints, frames: Ints) -> int:
    """Return the least worth of a coarse node of which next to nothing is told; the greatest is ``facts[HIGH]``."""
    furthest = facts[FURTHEST]
    if frames[f + 9] == 2:
        hand, below = frames[f + 2], kinds_of(frames[f + 1], 1, facts)
        once, twice = kinds_of(hand, 1, facts), kinds_of(hand, 2, facts)
        furthest = min(furthest, max(most_of_two(frames[f + 5], once, twice, below, -1, 0, facts), 0))
    facts[HIGH] = furthest * UNIT
    return NONE


def coarse_on(f: int, got: bool, low: int, high: int, facts: Ints, known: Ints, other: Ints, frames: Ints) -> int:
    """Ask for the bounds after one more card that comes to the hand, then put them together."""
    at, kinds, c = facts[SHIFTS], facts[KINDS], f + FRAME
    deck, hand = frames[f + 1], frames[f + 2]
    if got:
        place = f + FOLLOWING + FOLLOW * (frames[f + ITEM] - 1)
        frames[place], frames[place + 1] = low, high
    while frames[f + ITEM] < kinds:
        item = frames[f + ITEM]
        frames[f + ITEM] = item + 1
        kind = abs(facts[BACKWARDS] - item)
        if not deck >> facts[at + kind] & facts[at + kinds + 1 + kind]:
            continue
        one = 1 << facts[at + kind]
        ask(c, COARSE, deck - one, hand + one, frames[f + 3] - 1, frames[f + 4] + 1, frames[f + 9], TOLD, frames)
        frames[c + 5], frames[c + 6], frames[c + 7] = frames[f + 5], frames[f + 6], frames[f + 7] - 1
        frames[c + 8], frames[c + UNSEEN] = frames[f + 8], frames[f + UNSEEN]
        low = coarse_entered(c, facts, known, other, frames)
        if low == STOPPED:
            return STOPPED
        if low == ASIDE:
            return 1
        place = f + FOLLOWING + FOLLOW * item
        frames[place], frames[place + 1] = low, facts[HIGH]
    frames[f + BEST] = mean(f, 0, facts, frames)
    frames[f + BEST_HIGH] = mean(f, 1, facts, frames)
    return 0


def mean(f: int, bound: int, facts: Ints, frames: Ints) -> int:
    """Return the least or the greatest mean of what cards that come to the hand are worth, but any of those seen.

    ``bound`` is 0 for the least, of the least worths but the best of them, and 1 for the greatest.
    """
    kinds, left, total = facts[KINDS], frames[f + UNSEEN], 0
    for item in range(kinds):
        copies = card_copies(frames[f + 1], item, facts)
        if copies:
            worth = frames[f + FOLLOWING + FOLLOW * item + bound]
            if worth == NONE:
                return NONE
            total += copies * worth
    last, begun = 0, False
    while left:
        worst, found = 0, 0
        for item in range(kinds):
            copies = card_copies(frames[f + 1], item, facts)
            worth = frames[f + FOLLOWING + FOLLOW * item + bound]
            beyond = not begun or (worth > last if bound else worth < last)
            if copies and beyond:
                if not found or (worth < worst if bound else worth > worst):
                    worst, found = worth, copies
                elif worth == worst:
                    found += copies
        if not found:
            break
        last, begun = worst, True
        found = min(found, left)
        total -= worst * found
        left -= found
    cards = frames[f + 3] - frames[f + UNSEEN]
    return -(-total // cards) if bound else total // cards


def card_copies(deck: int, item: int, facts: Ints) -> int:
    """Return how many cards there are of a kind, by number in the order of the search."""
    at, kind = facts[SHIFTS], abs(facts[BACKWARDS] - item)
    return deck >> facts[at + kind] & facts[at + facts[KINDS] + 1 + kind]


def two_bounds(f: int, facts: Ints, frames: Ints) -> int:
    """Return the least worth of a coarse node with two last turns, played from the hand; the greatest is ``HIGH``.

    A first play, and one of its ends, is worth what a last turn is then: a mean over all but the cards seen by then.
    """
    stance, deck, hand, size, held = frames[f + 5], frames[f + 1], frames[f + 2], frames[f + 3], frames[f + 4]
    won, gone, known = frames[f + 6], frames[f + 8], frames[f + UNSEEN]
    stance = facts[STANCES] + STANCE * stance
    if is_asked(stance, facts):
        return STOPPED
    at, kinds, rest, acts = facts[SHIFTS], facts[KINDS], size - gone, acts_of(stance, 2, facts)
    best, most, sure_least, sure_most, others, least, plays = NOWHERE, 0, 0, 0, NONE, NONE, 0
    for item in range(facts[acts] * kinds):
        kind = item % kinds
        if kind == 0:
            acting = facts[facts[STANCES] + STANCE * facts[acts + 1 + item // kinds] + BLOCK]
            plays = acting + 1 + facts[acting]
        if not hand >> facts[at + kind] & facts[at + kinds + 1 + kind]:
            continue
        play = facts[plays + 2 + kind]
        first, ends, kept, left = play + 3, 1, held - 1, rest
        if facts[play] > kept:
            first += 3 * facts[play + 2]
        else:
            kept = kept - facts[play] if facts[play] >= 0 else 0
            if facts[play + 1] > rest:
                first, left = first + 3 * facts[play + 2], 0
            else:
                ends, left = facts[play + 2], rest - facts[play + 1]
        seen = size - left if ends > 1 else gone  # what is paid is seen before it is chosen
        hand_left = hand - (1 << facts[at + kind])
        for end in range(first, first + 3 * ends, 3):
            basis = last_facts(end, deck, hand_left, size, kept, left, won, facts)
            if basis == STOPPED:
                return STOPPED
            low, high = last_bound(basis, deck, size, seen, 0, facts), last_bound(basis, deck, size, seen, 1, facts)
            own_low, own_high = low, high
            if known < seen:
                own_low = last_bound(basis, deck, size, known, 0, facts)
                own_high = last_bound(basis, deck, size, known, 1, facts)
            least = max(least, own_low)
            if low > best:
                if best > NOWHERE:
                    others = max(others, most)
                best, most, sure_least, sure_most = low, high, own_low, own_high
            else:
                others = max(others, high)
    if best >= 0 and best >= others:
        least, most = sure_least, sure_most
    else:
        most = max(most, others)
    facts[HIGH] = max(most, 0)
    return least


def last_facts(end: int, deck: int, hand: int, size: int, kept: int, left: int, won: int, facts: Ints) -> int:
    """Write down what a last turn after an end of a play is worth, by kind of what is drawn or turned over.

    It is in ``facts[VALUES]``, after that the least of it; the greatest is in ``facts[UPPER]``. Returns how many cards
    are drawn, 0 where the least is the worth, ``TURNING`` where one is turned over, ``VAGUE`` where only the greatest
    holds; ``STOPPED`` where facts are missing. ``kept`` cards of the hand and ``left`` of the deck are there then.
    """
    values, kinds, at = facts[VALUES], facts[KINDS], facts[SHIFTS]
    following = facts[STANCES] + STANCE * facts[end]
    now, there = won + facts[end + 1], facts[following + PLACE] + won + facts[end + 1]
    if facts[end + 2] > DRAWN_MASK:
        facts[UPPER] = facts[FURTHEST]
        return VAGUE
    drawn = min(facts[end + 2], left)
    if there >= facts[FINISH]:
        facts[values + kinds] = facts[UPPER] = there
        return 0
    if facts[following + BLOCK] == -1:
        facts[ASKED] = facts[end]
        return STOPPED
    if is_asked(following, facts):
        return STOPPED
    if facts[following + LOOKING] > 0:
        if not drawn:
            told = after_sight(following, deck, hand, size, 1 if kept else 0, kept, left, now, TOLD, facts)
            if told == STOPPED:
                return STOPPED
            if told != ASIDE:  # the best of those that may be taken to the hand is as if all seen were drawn
                seen = min(facts[facts[following + BLOCK] + 2], left)
                return seen if facts[UPPER] > facts[values + kinds] else 0
        once, below = kinds_of(hand, 1, facts), kinds_of(deck, 1, facts)
        most = most_last(facts[end], once | below if drawn else once, below, -1, 0, facts)
        facts[UPPER] = min(facts[FURTHEST], max(most, 0))
        return VAGUE
    if facts[following + WAITS]:
        plays = acting_best(following, deck, left - drawn, kept + drawn, now, TOLD, facts)
        if plays == ASIDE:
            facts[UPPER] = facts[FURTHEST]
            return VAGUE
        if left == drawn or facts[plays] == 1:
            facts[values + kinds] = facts[UPPER] = last(facts[plays + 1], 0, 0, now, facts)
            return 0
        for kind in range(kinds):
            if deck >> facts[at + kind] & facts[at + kinds + 1 + kind]:
                facts[values + kind] = last_of(plays, kind, TOLD, kept + drawn, left - drawn - 1, now, facts)
        return TURNING
    floor, top, worst = NONE, NONE, NONE
    for kind in range(kinds):
        if kept and hand >> facts[at + kind] & facts[at + kinds + 1 + kind]:
            floor = max(floor, last_played(following, kind, TOLD, kept + drawn - 1, left - drawn, now, facts))
        if drawn and deck >> facts[at + kind] & facts[at + kinds + 1 + kind]:
            value = last_played(following, kind, TOLD, kept + drawn - 1, left - drawn, now, facts)
            facts[values + kind] = value
            top = max(top, value)
            worst = value if worst == NONE else min(worst, value)
    floor = max(floor, worst)
    facts[values + kinds], facts[UPPER] = floor, max(top, floor)
    return drawn if top > floor else 0


def waiting_bounds(f: int, facts: Ints, frames: Ints) -> int:
    """Return the least worth of a coarse node with two last turns, on the first of which a card is turned over.

    The greatest is ``facts[HIGH]``. The card is any but those that have gone, so that its worth is a mean, as of cards
    that come to the hand; free actions are chosen before.
    """
    deck, hand, size, held = frames[f + 1], frames[f + 2], frames[f + 3], frames[f + 4]
    won, gone, known, stance = frames[f + 6], frames[f + 8], frames[f + UNSEEN], facts[STANCES] + STANCE * frames[f + 5]
    if is_asked(stance, facts):
        return STOPPED
    at, kinds, rest, acts = facts[SHIFTS], facts[KINDS], size - gone, acts_of(stance, 2, facts)
    least, most = NONE, 0
    for act in range(facts[acts]):
        acting = facts[facts[STANCES] + STANCE * facts[acts + 1 + act] + BLOCK]
        plays = acting + 1 + facts[acting]
        vain = rest == 0 or facts[plays] == 1
        low, high = NONE, 0
        for item in range(kinds):
            kind, place = abs(facts[BACKWARDS] - item), f + FOLLOWING + FOLLOW * item
            if card_copies(deck, item, facts) or (rest == 0 and item == 0):
                if not vain or low == NONE:
                    taken = 0 if vain else 1
                    below = deck - (taken << facts[at + kind])
                    play = facts[plays + 1] if vain else facts[plays + 2 + kind]
                    low = turned_bound(play, below, hand, size - taken, rest - taken, held, won, known, facts)
                    if low == STOPPED:
                        return STOPPED
                    high = facts[HIGH]
                frames[place] = low
                frames[place + 1] = max(high, frames[place + 1] if act else 0)
        if rest:
            low = mean(f, 0, facts, frames)
        least, most = max(least, low), max(most, high)
    if rest:
        most = mean(f, 1, facts, frames)
    facts[HIGH] = most
    return least


def turned_bound(
    play: int, deck: int, hand: int, size: int, rest: int, held: int, won: int, known: int, facts: Ints
) -> int:
    """Return what a last turn is worth at least after a card that was turned over; the most is ``facts[HIGH]``.

    ``rest`` cards of the deck are there then, before it is paid.
    """
    first, ends, kept, left = play + 3, 1, held, rest
    if facts[play] > kept:
        first += 3 * facts[play + 2]
    else:
        kept = kept - facts[play] if facts[play] >= 0 else 0
        if facts[play + 1] > rest:
            first, left = first + 3 * facts[play + 2], 0
        else:
            ends, left = facts[play + 2], rest - facts[play + 1]
    seen = size - left if ends > 1 else size - rest  # what is paid is seen before it is chosen
    low, high = NONE, 0
    for end in range(first, first + 3 * ends, 3):
        basis = last_facts(end, deck, hand, size, kept, left, won, facts)
        if basis == STOPPED:
            return STOPPED
        low = max(low, last_bound(basis, deck, size, known, 0, facts))
        high = max(high, last_bound(basis, deck, size, seen, 1, facts))
    facts[HIGH] = high
    return low
