"""What comes off the deck in ``dealing.loop``, one card at a time, as functions for a compiler.

Most of what is asked for is asked here, and most of that is known. So all cards that may come next are looked up at
once: their places in the table are read before anything is made of them, since waiting for memory takes longest, and a
processor waits for several of them together. Only what is missing is asked for with a frame of its own.
"""

from __future__ import annotations

from typing import Final

from solver.search.dealing.entry import (
    count_aimed,
    count_for_sight,
    deck_row,
    few_held,
    held_classes,
    recalled,
    rest_of,
)
from solver.search.dealing.facts import (
    ASIDE,
    BACKWARDS,
    BASE_BITS,
    BITS,
    HIGH,
    KINDS,
    LOOKING,
    LOW,
    NONE,
    OTHER_BITS,
    SCALED,
    SHIFTS,
    STANCE,
    STANCES,
    WAITS,
    Ints,
    aim_told,
    classed,
    divided,
    next_of,
    seen,
)
from solver.search.dealing.frames import (
    ADDED,
    BEST,
    BEST_HIGH,
    COPIES,
    FOLLOW,
    FOLLOWING,
    FRAME,
    MISSING,
    NODE,
    TOTAL,
    TOTAL_HIGH,
    VIEW,
    ask,
    sum_up,
)
from solver.search.dealing.table import ENTRY, remembered, slot_of

NAMED: Final = 3
"""What ``come_off`` returns where the next question has a name and its answer is not known."""


def come_off(f: int, got: bool, low: int, high: int, facts: Ints, known: Ints, other: Ints, frames: Ints) -> int:
    """Ask for one more card that may come off the deck, to be drawn or else paid, if what follows is not known."""
    has_name = frames[f] != NODE or frames[f + 9] > 1
    if got:
        if not sum_up(f, low, high, frames):
            return 0
    else:
        follow(f, has_name, facts, frames)
        if has_name and not look_up(f, facts, known, other, frames):
            return 0
    draws, c, item = frames[f + 7], f + FRAME, 0
    while frames[f + MISSING]:
        while not frames[f + MISSING] >> item & 1:
            item += 1
        frames[f + MISSING] ^= 1 << item
        frames[f + COPIES] = copies_of(frames[f + 1], item, facts)
        hand, deck = frames[f + FOLLOWING + FOLLOW * item], frames[f + FOLLOWING + FOLLOW * item + 1]
        held = frames[f + 4] + (1 if draws else 0)
        ask(c, frames[f], deck, hand, frames[f + 3] - 1, held, frames[f + 9], frames[f + VIEW], frames)
        frames[c + 5], frames[c + 6] = frames[f + 5], frames[f + 6]
        frames[c + 7], frames[c + 8] = (draws - 1, frames[f + 8]) if draws else (0, frames[f + 8] - 1)
        frames[c + ADDED] = 0
        if not has_name:
            return 1
        low = recalled(c, facts, known, other, frames)
        if low == ASIDE:
            return NAMED
        if not sum_up(f, low, facts[HIGH], frames):
            return 0
    frames[f + BEST] = frames[f + TOTAL] & LOW
    frames[f + BEST_HIGH] = frames[f + TOTAL_HIGH] + (frames[f + TOTAL] >> BASE_BITS)
    if facts[SCALED]:
        frames[f + BEST] = divided(frames[f + TOTAL], frames[f + TOTAL_HIGH], frames[f + 3], facts)
        frames[f + BEST_HIGH] = facts[HIGH]
    return 0


def copies_of(deck: int, item: int, facts: Ints) -> int:
    """Return how many cards a deck has of a kind, by number in the order of the search."""
    at, kind = facts[SHIFTS], abs(facts[BACKWARDS] - item)
    return deck >> facts[at + kind] & facts[at + facts[KINDS] + 1 + kind]


def follow(f: int, has_name: bool, facts: Ints, frames: Ints) -> None:
    """Write down hand and deck after each card that may come off.

    Nothing that decides a node or says which kinds are alike changes on the way, but which cards of the deck are once
    the last one is drawn.
    """
    at, deck, hand = facts[SHIFTS], frames[f + 1], frames[f + 2]
    size, held, draws, turns, view = frames[f + 3], frames[f + 4], frames[f + 7], frames[f + 9], frames[f + VIEW]
    left, waits, aimed, looking, paying = size - draws - frames[f + 8], 0, False, False, frames[f + 8]
    told, classes, row, seen_deck, seen_classes = 0, 0, -1, deck, 0
    if has_name and frames[f] == NODE:
        stance = facts[STANCES] + STANCE * frames[f + 5]
        looking = facts[stance + LOOKING] > 0
        waits, aimed = facts[stance + WAITS], aim_told(stance, turns, facts) >= 0 or looking
    if has_name and draws and frames[f] == NODE:
        told = few_held(turns, waits, held + draws, left, view, facts)
        classes = 0 if told else held_classes(turns, waits, left, view, facts)
    missing, item = 0, next_of(deck, 0, facts)
    while item < facts[KINDS]:
        missing |= 1 << item
        kind = abs(facts[BACKWARDS] - item)
        one, place = 1 << facts[at + kind], f + FOLLOWING + FOLLOW * item
        drawn = hand
        if draws:
            drawn = with_card(hand, kind, told, classes, facts)
        frames[place], frames[place + 1] = drawn, deck - one
        if aimed:
            c = f + FRAME
            more = 1 if draws else 0
            ask(c, NODE, deck - one, hand + more * one, size - 1, held + more, turns, view, frames)
            frames[c + 5], frames[c + 6], frames[c + 7] = frames[f + 5], frames[f + 6], max(draws - 1, 0)
            frames[c + 8] = paying if draws else paying - 1
            if looking:
                count_for_sight(c, facts, frames)
            else:
                stance = facts[STANCES] + STANCE * frames[f + 5]
                count_aimed(c, stance, frames[c + 7], held + draws, left, facts, frames)
            frames[place], frames[place + 1] = frames[c + 2], frames[c + 1]
        elif has_name and draws == 1 and frames[f] == NODE:
            found = deck_row(drawn, 0, turns, waits, held + 1, left, facts)
            if found != row:
                row, seen_classes = found, seen(facts[found], view, facts)
                seen_deck = classed(deck, seen_classes, facts)
            frames[place + 1] = seen_deck - (1 << facts[at + facts[seen_classes + kind]] if seen_classes else one)
        item = next_of(deck, item + 1, facts)
    frames[f + MISSING] = missing


def with_card(hand: int, kind: int, told: int, classes: int, facts: Ints) -> int:
    """Return a hand and one more card, counted together as the hand is (``capped``, or else ``classed``)."""
    at, kinds, first = facts[SHIFTS], facts[KINDS], kind
    if told:
        first = facts[told + kind]
        if hand >> facts[at + first] & facts[at + kinds + 1 + first] >= facts[told + kinds + first]:
            first = facts[told + 2 * kinds]
    elif classes:
        first = facts[classes + kind]
    return hand + (1 << facts[at + first])


def look_up(f: int, facts: Ints, known: Ints, other: Ints, frames: Ints) -> bool:
    """Sum up what is known of what follows; return false where there is no way to go on."""
    draws, paying, missing = frames[f + 7], frames[f + 8], frames[f + MISSING]
    bits, other_bits = facts[BITS], facts[OTHER_BITS]
    more = max(bits, other_bits)
    rest = rest_of(f, draws - 1, paying, frames) if draws else rest_of(f, 0, paying - 1, frames)
    for item in range(facts[KINDS]):
        if missing >> item & 1:
            place = f + FOLLOWING + FOLLOW * item
            frames[place + 2] = slot_of(frames[place], frames[place + 1], rest, more)
    for item in range(facts[KINDS]):
        if missing >> item & 1:
            place = f + FOLLOWING + FOLLOW * item
            frames[place + 3] = known[ENTRY * (frames[place + 2] & ((1 << bits) - 1)) + 3]
            if other_bits:
                there = other[ENTRY * (frames[place + 2] & ((1 << other_bits) - 1)) + 3]
                frames[place + 3] = max(frames[place + 3], there)
    for item in range(facts[KINDS]):
        place = f + FOLLOWING + FOLLOW * item
        if missing >> item & 1 and frames[place + 3] >= NONE:
            low = remembered(frames[place], frames[place + 1], rest, facts, known, other)
            if low != ASIDE:
                frames[f + MISSING] ^= 1 << item
                frames[f + COPIES] = copies_of(frames[f + 1], item, facts)
                if not sum_up(f, low, facts[HIGH], frames):
                    return False
    return True
