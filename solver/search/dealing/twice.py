"""The last two turns of a day played from hidden decks, worked out at once, as functions for a compiler.

They hold where ``dealing.ends`` does, and are put together of what it says about the last one.
"""

from __future__ import annotations

from solver.search.dealing.ends import after_draws, after_sight, best_drawn, few, last_bound, turned_over
from solver.search.dealing.facts import (
    ASIDE,
    ASKED,
    BASE_BITS,
    BLOCK,
    DRAWN_BITS,
    DRAWN_MASK,
    FINISH,
    FLOORS,
    FURTHEST,
    HIGH,
    KINDS,
    LEAST,
    LEAST_OF,
    LOOKING,
    LOW,
    MORE_BITS,
    NONE,
    ORDERS,
    PICKING,
    PLACE,
    SHIFTS,
    STANCE,
    STANCES,
    STOPPED,
    TARGET,
    TOLD,
    TWIN_KINDS,
    UNIT,
    UPPER,
    VALUES,
    WAITS,
    Ints,
    acts_of,
    brought,
)
from solver.search.dealing.floors import floor_of
from solver.search.dealing.lasts import is_asked, last_played


def settled_at(place: int, facts: Ints) -> int:
    """Return what a place is worth on which no further turn counts; ``NONE`` on any other."""
    if facts[TARGET] >= 0:
        return facts[FURTHEST] if place >= facts[TARGET] else 0 if place >= facts[FINISH] else NONE
    return place if place >= facts[FINISH] else NONE


def gift_of(end: int, facts: Ints) -> int:
    """Return one more than the kind of what an end brings to the hand, 0 where that only pays, or nothing comes."""
    return facts[end + 2] >> DRAWN_BITS + MORE_BITS


def after_pick(
    stance: int, deck: int, hand: int, size: int, draws: int, chosen: int, held: int, left: int, won: int, facts: Ints
) -> int:
    """Return what ``after_draws`` does where one of several ends is picked first, once so many cards have been drawn.

    So each card is worth what it is on the best of them, with what comes to the hand there. ``ASIDE`` where more
    counts.
    """
    block = facts[stance + BLOCK]
    if block == -1:
        facts[ASKED] = (stance - facts[STANCES]) // STANCE
        return STOPPED
    at, kinds, values, floor = facts[SHIFTS], facts[KINDS], facts[VALUES], NONE
    for kind in range(kinds):
        facts[values + kind] = NONE
    for end in range(block + 4, block + 4 + 3 * facts[block + 3], 3):
        following, now = facts[STANCES] + STANCE * facts[end], won + facts[end + 1]
        over = settled_at(facts[following + PLACE] + now, facts)
        if over != NONE:
            floor = max(floor, over)
            for kind in range(kinds):
                facts[values + kind] = max(facts[values + kind], over)
            continue
        if facts[following + BLOCK] == -1:
            facts[ASKED] = facts[end]
            return STOPPED
        if facts[end + 2] & DRAWN_MASK or facts[following + WAITS] or facts[following + LOOKING] > 0:
            return ASIDE
        if is_asked(following, facts):
            return STOPPED
        floor = max(floor, facts[following + FLOORS])
        given, gift = brought(end, facts), gift_of(end, facts) - 1
        for kind in range(kinds):
            own = chosen and hand >> facts[at + kind] & facts[at + kinds + 1 + kind]
            there = draws and deck >> facts[at + kind] & facts[at + kinds + 1 + kind]
            if own or there or kind == gift:
                value = last_played(following, kind, TOLD, held + given - 1, left, now, facts)
                if own or kind == gift:
                    floor = max(floor, value)
                facts[values + kind] = max(facts[values + kind], value)
    return best_drawn(deck, size, draws, floor, facts)


def twice(stance: int, deck: int, hand: int, size: int, gone: int, held: int, won: int, view: int, facts: Ints) -> int:
    """Return the low part of the worth of two last turns of which the first plays a card from the hand.

    What is played last is chosen when everything drawn is known, so for each first play there is one best way to pay:
    any that keeps the best of the rest. ``gone`` cards of the deck go before, and are seen. Which they are cannot count
    where one play is the best whichever they are: then its cards come off the deck like any others. That is so where
    the least that it may be worth is not below the most of any other; where it is not so, ``ASIDE``. Where a play may
    end in several ways none of them is a matter of cards seen on it, unless a card waits or is paid: ``ASIDE``. Twins
    are the best or the worst of them by the view, where none of them may end in several ways. To begin a new day is one
    more play, of which no cards count.
    """
    if is_asked(stance, facts):
        return STOPPED
    floor = floor_of(stance, 2, facts)
    if floor == -1:
        return STOPPED
    at, kinds, reaching, values = facts[SHIFTS], facts[KINDS], facts[TARGET] >= 0, facts[VALUES]
    rest, acts, plays = size - gone, acts_of(stance, 2, facts), 0
    best, best_high, least, most, others = NONE, 0, 0, 0, NONE
    if floor:
        best, best_high, least, most = facts[floor], facts[floor + 1], facts[floor + 2], facts[floor + 3]
    told = few(2, rest, TOLD, facts) if held >= facts[LEAST] and view == TOLD else 0
    idled = False
    for item in range(facts[acts] * kinds):
        kind = item % kinds
        if kind == 0:
            acting = facts[facts[STANCES] + STANCE * facts[acts + 1 + item // kinds] + BLOCK]
            plays, idled = acting + 1 + facts[acting], False
        if not hand >> facts[at + kind] & facts[at + kinds + 1 + kind]:
            continue
        if told and facts[told + kind] == facts[told + 2 * kinds]:
            if idled:  # one idle card first is as good as another
                continue
            idled = True
        twins = 0 if view == TOLD else facts[facts[TWIN_KINDS] + kind]
        count = facts[twins] if twins else 1
        worst, worst_high, low_end, high_end = NONE, 0, 0, 0
        for twin in range(count):
            play = facts[plays + 2 + (facts[twins + 1 + twin] if twins else kind)]
            first, ends, kept, left = play + 3, 1, held - 1, rest
            if facts[play] > kept:
                first += 3 * facts[play + 2]
            elif facts[play + 1] > rest:
                kept = kept - facts[play] if facts[play] >= 0 else 0
                first, left = first + 3 * facts[play + 2], 0
            else:
                kept = kept - facts[play] if facts[play] >= 0 else 0
                ends, left = facts[play + 2], rest - facts[play + 1]
            if ends > 1 and count > 1:
                return ASIDE
            for end in range(first, first + 3 * ends, 3):
                following = facts[STANCES] + STANCE * facts[end]
                now, there = won + facts[end + 1], facts[following + PLACE] + won + facts[end + 1]
                drawn, given = min(facts[end + 2] & DRAWN_MASK, left), brought(end, facts)
                hand_left, chosen = hand - (1 << facts[at + kind]), 1 if kept + given else 0
                if given:
                    gift = gift_of(end, facts)
                    if not gift:
                        return ASIDE
                    if not kept:  # of what was there all is paid
                        hand_left = 0
                    hand_left += given << facts[at + gift - 1]
                if ends > 1 and drawn and left < rest:  # which cards were paid is seen before it is chosen
                    return ASIDE
                value = settled_at(there, facts)
                if value != NONE:
                    orders = facts[ORDERS] + 2 * size
                    low = facts[orders] * value
                    high = facts[orders + 1] * value + (low >> BASE_BITS)
                    low &= LOW
                    lower, upper = value * UNIT, value * UNIT
                elif facts[following + BLOCK] == -1:
                    facts[ASKED] = facts[end]
                    return STOPPED
                elif facts[following + LOOKING] == PICKING:
                    if ends > 1 or given:
                        return ASIDE
                    low = after_pick(
                        following, deck, hand_left, size, drawn, chosen, kept + drawn, left - drawn, now, facts
                    )
                    high, lower, upper = facts[HIGH], 0, 0
                    if gone and low >= 0:
                        drawing = drawn if facts[UPPER] > facts[values + kinds] else 0
                        lower = last_bound(drawing, deck, size, gone, 0, facts)
                        upper = last_bound(drawing, deck, size, gone, 1, facts)
                elif facts[following + LOOKING] > 0:
                    if ends > 1 or drawn:
                        return ASIDE
                    held_then = kept + given
                    low = after_sight(following, deck, hand_left, size, chosen, held_then, left, now, view, facts)
                    high, lower, upper = facts[HIGH], facts[values + kinds] * UNIT, facts[UPPER] * UNIT
                elif facts[following + WAITS]:
                    if ends > 1:
                        return ASIDE
                    held_then = kept + given + drawn
                    low = turned_over(following, deck, size, gone, left - drawn, held_then, now, view, facts)
                    high, lower, upper = facts[HIGH], facts[values + kinds] * UNIT, facts[UPPER] * UNIT
                    if rest:
                        lower, upper = lower // rest, -(-upper // rest)
                else:
                    held_then, after = kept + given + drawn, left - drawn
                    low = after_draws(
                        following, deck, hand_left, size, drawn, chosen, held_then, after, now, view, facts
                    )
                    high, lower, upper = facts[HIGH], 0, 0
                    if gone and low >= 0:
                        drawing = drawn if facts[UPPER] > facts[values + kinds] else 0
                        lower = last_bound(drawing, deck, size, gone, 0, facts)
                        upper = last_bound(drawing, deck, size, gone, 1, facts)
                if low in (STOPPED, ASIDE):
                    return low
                if view == LEAST_OF and count > 1:
                    if twin == 0:
                        worst, worst_high, low_end, high_end = low, high, lower, upper
                    elif low == NONE or worst == NONE:
                        worst = NONE
                    else:
                        if high < worst_high or (high == worst_high and low < worst):
                            worst, worst_high = low, high
                        low_end, high_end = min(low_end, lower), max(high_end, upper)
                    if twin < count - 1:
                        continue
                    low, high, lower, upper = worst, worst_high, low_end, high_end
                if low == NONE:
                    continue
                if best == NONE or high > best_high or (high == best_high and low > best):
                    if best != NONE:
                        others = max(others, most)
                    best, best_high, least, most = low, high, lower, upper
                else:
                    others = max(others, upper)
    if gone and rest and least < others:
        return ASIDE
    facts[HIGH] = best_high
    if best == NONE and reaching:
        return 0
    return best
