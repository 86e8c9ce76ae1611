"""Which ways to play may be the best, whichever cards of the deck have been paid and seen, for a compiler.

Cards of the deck that are paid are seen before the next turn, and each way to pay them is a node of its own. But where
one play is the best whichever they are, they need not be looked at yet: they come off the deck with what is paid for
that play, before anything is decided again, and as likely as any others. So where three turns are left, each way to
play is first given bounds over all cards that may have gone (``dealing.coarse``). Where the least that one of them may
be worth is not below the most of any other, it is the best one for each of these cards, and only that one is opened.

Where it is below, those that may be worth more than the least of the best one are *listed*, with that one. Then the
cards that have gone are looked at, and only what is listed is opened for each set of them (``dealing.listed``): all
else is no better than the best of that, whichever cards have gone. A node is worth the same however much of it was
opened.
"""

from __future__ import annotations

from typing import Final

from solver.search.dealing.bounds import kinds_of, most_of_two
from solver.search.dealing.coarse import NOWHERE
from solver.search.dealing.entry import cleared
from solver.search.dealing.facts import (
    AIMING,
    ASIDE,
    ASKED,
    AVOIDING,
    BLOCK,
    COUNT,
    DRAWN_MASK,
    FAR,
    FURTHEST,
    HIGH,
    KINDS,
    LOOKING,
    NONE,
    SHIFTS,
    STANCE,
    STANCES,
    STOPPED,
    SUPPLIED,
    SURVEYED,
    TARGET,
    TOLD,
    UNIT,
    WAITS,
    WAYS,
    Ints,
    acts_of,
    scaled,
)
from solver.search.dealing.frames import (
    BEST,
    BEST_HIGH,
    COARSE,
    FOLLOWING,
    FRAME,
    ITEM,
    LIST,
    NODE,
    OUTER,
    PAY,
    SURVEY,
    UNSEEN,
    VIEW,
    WAY,
    ask,
    ask_end,
)
from solver.search.dealing.listed import begin_sets, has_room
from solver.search.dealing.steps import ask_play

ASKING: Final = 1
"""How far a node has come: its ways to play are given bounds;"""
OPENED: Final = 2
"""the one that is best is opened;"""
TRYING: Final = 3
"""those that may be the best are listed, and opened for each set of cards that may have gone."""
FOUND: Final = FOLLOWING
"""The best way so far: hand, deck, cards in hand, stance, cards to be drawn, and to be paid from the deck;"""
FOUND_LEAST: Final = FOUND + 6
FOUND_MOST: Final = FOUND + 7
"""the least and the most that it may be worth;"""
OTHERS: Final = FOUND + 8
"""and the most that any other may be worth."""


def is_surveyed(f: int, facts: Ints, frames: Ints) -> bool:
    """Return whether the ways to play of a node are first given bounds."""
    if frames[f + 9] != 3 or not frames[f + 8] or frames[f + 7] or frames[f + VIEW] != TOLD:
        return False
    if facts[TARGET] >= 0 or not facts[AIMING] or facts[SUPPLIED] or not facts[AVOIDING] or facts[COUNT] < facts[FAR]:
        return False
    stance = facts[STANCES] + STANCE * frames[f + 5]
    return not facts[stance + WAITS] and facts[stance + LOOKING] <= 0


def survey_on(f: int, got: bool, low: int, high: int, facts: Ints, frames: Ints) -> int:
    """Ask for the bounds of one more way to play, then for what is the best; ``ASIDE`` where cards come off first."""
    state, c = frames[f + SURVEY], f + FRAME
    if state == OPENED:
        frames[f + BEST], frames[f + BEST_HIGH] = low, high
        return 0
    if got and frames[c] == COARSE:
        enter_way(f, c, low, high, frames)
    elif frames[f + OUTER] == frames[f + ITEM] == 0:
        frames[f + FOUND_LEAST], frames[f + OTHERS] = NOWHERE, NONE
        frames[f + LIST] = 0
    return survey_plays(f, facts, frames)


def survey_plays(f: int, facts: Ints, frames: Ints) -> int:
    """Ask for the bounds of one more play of a node of which all are asked for."""
    stance, kinds, at, c = facts[STANCES] + STANCE * frames[f + 5], facts[KINDS], facts[SHIFTS], f + FRAME
    deck, hand, turns = frames[f + 1], frames[f + 2], frames[f + 9]
    acts = acts_of(stance, turns, facts)
    while frames[f + OUTER] < facts[acts]:
        free = facts[acts + 1 + frames[f + OUTER]]
        acting = facts[facts[STANCES] + STANCE * free + BLOCK]
        if acting == -1:
            facts[ASKED] = free
            return STOPPED
        while frames[f + ITEM] < kinds:
            kind = frames[f + ITEM]
            frames[f + ITEM] = kind + 1
            if not hand >> facts[at + kind] & facts[at + kinds + 1 + kind]:
                continue
            play = facts[acting + 3 + facts[acting] + kind]
            if is_outdone(f, play, kind, facts, frames):
                continue
            hand_left, held = hand - (1 << facts[at + kind]), frames[f + 4] - 1
            ask(c, NODE, deck, hand_left, frames[f + 3], held, turns - 1, TOLD, frames)
            ask_play(f, play, facts, frames)
            frames[c + UNSEEN] = frames[f + 8]
            if frames[c] == NODE:
                frames[c] = COARSE
            return 1
        frames[f + ITEM] = 0
        frames[f + OUTER] += 1
    return opened(f, facts, frames)


def is_outdone(f: int, play: int, kind: int, facts: Ints, frames: Ints) -> bool:
    """Return whether a play of a kind is worth no more than another one is at least, whatever pays for it."""
    deck, hand, at = frames[f + 1], frames[f + 2], facts[SHIFTS]
    if frames[f + FOUND_LEAST] < 0:
        return False
    below, once, twice = kinds_of(deck, 1, facts), kinds_of(hand, 1, facts), kinds_of(hand, 2, facts)
    copies = hand >> facts[at + kind] & facts[at + facts[KINDS] + 1 + kind]
    once = once if copies > 1 else once & ~(1 << kind)
    twice = twice if copies > 2 else twice & ~(1 << kind)
    for end in range(play + 3, play + 6 + 3 * facts[play + 2], 3):
        more = below if facts[end + 2] > 0 else 0
        most = most_of_two(facts[end], once | more, twice | more, below, -1, 0, facts)
        if most * UNIT > frames[f + FOUND_LEAST]:
            return False
    return True


def opened(f: int, facts: Ints, frames: Ints) -> int:
    """Ask for the way to play that is the best, whatever was seen; ``ASIDE`` where none is proved to be."""
    least, most, others = frames[f + FOUND_LEAST], frames[f + FOUND_MOST], frames[f + OTHERS]
    c = f + FRAME
    facts[SURVEYED] += 1
    if least < 0 or least < others:
        narrow(f, frames)
        listed = frames[f + LIST] > 0 and has_room(f, facts, frames)
        cleared(f, 0, frames)
        if listed:
            frames[f + SURVEY] = TRYING
            begin_sets(f, facts, frames)
        return ASIDE
    facts[SURVEYED + 1] += 1
    if least == most and least % UNIT == 0:
        frames[f + BEST] = scaled(frames[f + 3], least // UNIT, facts)
        frames[f + BEST_HIGH] = facts[HIGH]
        return 0
    frames[f + SURVEY] = OPENED
    ask(c, NODE, frames[f + FOUND + 1], frames[f + FOUND], frames[f + 3], frames[f + FOUND + 2], 2, TOLD, frames)
    frames[c + 5], frames[c + 7], frames[c + 8] = frames[f + FOUND + 3], frames[f + FOUND + 4], frames[f + FOUND + 5]
    frames[c + 6] = frames[f + 6]
    return 1


def narrow(f: int, frames: Ints) -> None:
    """Keep of the ways listed the one that is worth most at least, and those that may be worth more than that.

    -1 ways are listed where there are too many, or none.
    """
    if frames[f + LIST] < 0 or frames[f + FOUND_LEAST] == NOWHERE:
        frames[f + LIST] = -1
        return
    sift(f, frames[f + LIST], frames)
    hand, held, stance = frames[f + FOUND], frames[f + FOUND + 2], frames[f + FOUND + 3]
    note(f, hand, held, stance, frames[f + FOUND + 4], frames[f + FOUND + 5], frames[f + FOUND_MOST], frames)


def sift(f: int, count: int, frames: Ints) -> None:
    """Keep of so many ways listed those that may be worth more than the best one is at least."""
    frames[f + LIST] = 0
    for item in range(count):
        way = f + LIST + 1 + WAY * item
        if frames[way + 5] > frames[f + FOUND_LEAST]:
            last = f + LIST + 1 + WAY * frames[f + LIST]
            for place in range(WAY):
                frames[last + place] = frames[way + place]
            frames[f + LIST] += 1


def note(f: int, hand: int, held: int, stance: int, draws: int, paying: int, most: int, frames: Ints) -> None:
    """List a way to play, by the node that it leads to, that may be worth so much."""
    for item in range(frames[f + LIST]):
        way = f + LIST + 1 + WAY * item
        same = frames[way] == hand and frames[way + 1] == held and frames[way + 2] == stance
        if same and frames[way + 3] == draws and frames[way + 4] == paying:
            frames[way + 5] = min(frames[way + 5], most)
            return
    if frames[f + LIST] == WAYS:
        sift(f, WAYS, frames)
    if frames[f + LIST] == WAYS:
        frames[f + LIST] = -1
        return
    way = f + LIST + 1 + WAY * frames[f + LIST]
    frames[way], frames[way + 1], frames[way + 2], frames[way + 3] = hand, held, stance, draws
    frames[way + 4], frames[way + 5] = paying, most
    frames[f + LIST] += 1


def enter_way(f: int, c: int, low: int, high: int, frames: Ints) -> None:
    """Enter the bounds of a way to play, of a coarse node in the frame ``c``, in a node that is surveyed."""
    least = frames[f + FOUND_LEAST]
    if least > NOWHERE and is_found(f, c, frames):
        return
    if low <= least:
        frames[f + OTHERS] = max(frames[f + OTHERS], high)
    else:
        if least > NOWHERE:
            frames[f + OTHERS] = max(frames[f + OTHERS], frames[f + FOUND_MOST])
        frames[f + FOUND], frames[f + FOUND + 1], frames[f + FOUND + 2] = frames[c + 2], frames[c + 1], frames[c + 4]
        frames[f + FOUND + 3], frames[f + FOUND + 4] = frames[c + 5], frames[c + 7]
        frames[f + FOUND + 5], frames[f + FOUND_LEAST], frames[f + FOUND_MOST] = frames[c + 8], low, high
    if frames[f + LIST] >= 0 and high > frames[f + FOUND_LEAST]:
        note(f, frames[c + 2], frames[c + 4], frames[c + 5], frames[c + 7], frames[c + 8], high, frames)


def is_found(f: int, c: int, frames: Ints) -> bool:
    """Return whether a coarse node is that of the best way so far."""
    if frames[f + FOUND] != frames[c + 2] or frames[f + FOUND + 1] != frames[c + 1]:
        return False
    if frames[f + FOUND + 2] != frames[c + 4] or frames[f + FOUND + 3] != frames[c + 5]:
        return False
    return frames[f + FOUND + 4] == frames[c + 7] and frames[f + FOUND + 5] == frames[c + 8]


def ways_on_paid(f: int, got: bool, low: int, high: int, facts: Ints, frames: Ints) -> int:
    """Ask for the bounds of one more end of a play that is paid from the hand, for the node that is surveyed.

    Where it is chosen between ends after cards of the deck are seen, no way is proved to be the best.
    """
    g, c = f, f + FRAME
    while frames[g] == PAY:
        g -= FRAME
    if got and frames[c] == COARSE:
        enter_way(g, c, low, high, frames)
    size, item, place, gone = frames[f + 3], frames[f + ITEM], frames[f + 5], frames[f + UNSEEN]
    health, ends = facts[place + 1], facts[place + 2]
    frames[f + ITEM] = item + 1
    if health <= size - gone and (item == ends or (ends > 1 and health)):
        if item < ends:
            frames[g + OTHERS], frames[g + LIST] = facts[FURTHEST] * UNIT, -1
        return 0
    ask(c, COARSE, frames[f + 1], frames[f + 2], size, frames[f + 4], frames[f + 9], TOLD, frames)
    frames[c + UNSEEN] = gone
    if health > size - gone:  # all of the deck goes, and the card fails
        ask_end(c, place + 3 + 3 * ends, frames[f + 6], 0, size, facts, frames)
        return 1 if item == 0 else 0
    end = place + 3 + 3 * item
    drawn = min(facts[end + 2] & DRAWN_MASK, size - gone - health)
    ask_end(c, end, frames[f + 6], drawn, gone + health, facts, frames)
    return 1
