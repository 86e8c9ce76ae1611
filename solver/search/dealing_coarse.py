"""What a node is worth at least and at most, whichever cards of its deck have gone and are seen, for a compiler.

Cards of the deck that are paid are seen before the next turn, and each way to pay them is a node of its own. But where
one play is the best whichever they are, they need not be looked at yet: they come off the deck with what is paid for
that play, before anything is decided again, and as likely as any others. So where three turns are left, each way to
play is first given bounds over all cards that may have gone; where the least that one of them may be worth is not below
the most of any other, it is the best one for each of these cards, and only that one is opened.

A *coarse* node is a node of which some of the cards to be paid, ``UNSEEN`` by whoever tells its worth, are known to the
player beforehand. Its least and its greatest worth hold for any that these may be, and are means over all else. What
comes to the hand is a mean over the cards of the deck, in which those that are worth most, or least, are those that
have gone. On two last turns a first play that is chosen without a look at the deck is worth no more than the best one,
and the best one no more than the best of each, for the best cards that may have gone by then.

Bounds are values times ``UNIT``, rounded down and up: one number each, so that both fit into one place of the table.
"""

from __future__ import annotations

from typing import Final

from solver.search.dealing_bounds import kinds_of, most_last, most_of_two
from solver.search.dealing_ends import after_sight, extreme
from solver.search.dealing_entry import cleared, count_together, decided, remembered, rest_of
from solver.search.dealing_facts import (
    AIMING,
    ASIDE,
    ASKED,
    AVOIDING,
    BACKWARDS,
    BINOMIALS,
    BITS,
    BLOCK,
    COUNT,
    DRAWN_MASK,
    FAR,
    FINISH,
    FURTHEST,
    HALTED,
    HIGH,
    KINDS,
    LATELY,
    LOOKING,
    MOST,
    NONE,
    PLACE,
    QUOTA,
    SHIFTS,
    SIZES,
    STANCE,
    STANCES,
    STOPPED,
    SUPPLIED,
    SURVEYED,
    TARGET,
    TOLD,
    UPPER,
    VALUES,
    WAITS,
    Ints,
    acting_best,
    acts_of,
    is_asked,
    last,
    last_of,
    last_played,
    promising,
    scaled,
)
from solver.search.dealing_frames import (
    ADDED,
    BEST,
    BEST_HIGH,
    CHOOSE,
    COARSE,
    FOLLOW,
    FOLLOWING,
    FRAME,
    ITEM,
    LIST,
    NODE,
    OUTER,
    PAY,
    REST,
    SURVEY,
    UNSEEN,
    VIEW,
    WAY,
    WAYS,
    ask,
    ask_end,
)
from solver.search.dealing_steps import ask_play, keep_best
from solver.search.dealing_table import file

UNIT: Final = 5354228880
"""What values are taken times here: every number up to 24 divides it."""
SEEN_SHIFT: Final = 20
"""Above the stance, in the name of a coarse node, there is how many cards were seen."""
MOST_WAYS: Final = 1 << 20
"""Ways to draw some cards up to which sums of them have room."""
ASKING: Final = 1
"""How far a node has come: its ways to play are given bounds;"""
OPENED: Final = 2
"""the one that is best is opened;"""
LISTED: Final = 3
"""those that may be the best are listed, and cards come off the deck;"""
NARROWING: Final = 4
"""those listed before one more card was seen are given bounds;"""
TRYING: Final = 5
"""all cards have been seen, and those listed are opened."""
FOUND: Final = FOLLOWING
"""The best way so far: hand, deck, cards in hand, stance, cards to be drawn, and to be paid from the deck;"""
FOUND_LEAST: Final = FOUND + 6
FOUND_MOST: Final = FOUND + 7
"""the least and the most that it may be worth;"""
OTHERS: Final = FOUND + 8
"""and the most that any other may be."""
NOWHERE: Final = -2
"""Less than any least worth."""
TURNING: Final = -5
VAGUE: Final = -6
"""What ``last_facts`` returns where a card is turned over, or only the greatest worth is told."""


def is_surveyed(f: int, facts: Ints, frames: Ints) -> bool:
    """Return whether the ways to play of a node are first given bounds."""
    if frames[f + 9] != 3 or not frames[f + 8] or frames[f + 7] or frames[f + VIEW] != TOLD:
        return False
    if not facts[AIMING] or facts[SUPPLIED] or not facts[AVOIDING] or facts[COUNT] < facts[FAR]:
        return False
    stance = facts[STANCES] + STANCE * frames[f + 5]
    return not facts[stance + WAITS] and facts[stance + LOOKING] <= 0


def survey_on(f: int, got: bool, low: int, high: int, facts: Ints, frames: Ints) -> int:
    """Ask for the bounds of one more way to play, then for what is the best; ``ASIDE`` where cards come off first."""
    state, c = frames[f + SURVEY], f + FRAME
    if state == OPENED:
        frames[f + BEST], frames[f + BEST_HIGH] = low, high
        return 0
    if state == TRYING:
        if got:
            keep_best(f, low, high, frames)
        item = frames[f + ITEM]
        frames[f + ITEM] = item + 1
        if item == frames[f + LIST]:
            return 0
        ask_way(f, item, frames)
        return 1
    if got and frames[c] == COARSE:
        enter_way(f, c, low, high, frames)
        if state == NARROWING:
            frames[f + LIST + WAY * frames[f + ITEM]] = high
        else:
            note_way(f, NODE, frames[c + 2], frames[c + 4], frames[c + 5], frames[c + 7], frames[c + 8], high, frames)
    elif frames[f + OUTER] == frames[f + ITEM] == 0:
        frames[f + FOUND_LEAST], frames[f + OTHERS] = NOWHERE, NONE
        if state == ASKING:
            frames[f + LIST] = 0
    if state == NARROWING:
        while frames[f + ITEM] < frames[f + LIST]:
            item = frames[f + ITEM]
            frames[f + ITEM] = item + 1
            if frames[f + LIST + 1 + WAY * item] == NODE:
                ask_way(f, item, frames)
                frames[c], frames[c + UNSEEN] = COARSE, frames[f + 8]
                return 1
            frames[f + OTHERS] = facts[FURTHEST] * UNIT
        return opened(f, facts, frames)
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
            if facts[TARGET] >= 0 and not promising(play, frames[f + 6], turns - 1, facts):
                frames[f + OTHERS] = max(frames[f + OTHERS], 0)
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


def opened(f: int, facts: Ints, frames: Ints) -> int:
    """Ask for the way to play that is the best, whatever was seen; ``ASIDE`` where none is proved to be."""
    least, most, others = frames[f + FOUND_LEAST], frames[f + FOUND_MOST], frames[f + OTHERS]
    value, c = NONE, f + FRAME
    facts[SURVEYED] += 1
    if facts[TARGET] >= 0 and max(most if least > NOWHERE else 0, others) <= 0:
        value = 0
    elif least < 0 or least < others:
        narrow(f, frames)
        listed = frames[f + LIST] > 0
        cleared(f, 0, frames)
        frames[f + SURVEY] = LISTED if listed else 0
        return ASIDE
    elif least == most and least % UNIT == 0:
        value = least // UNIT
    facts[SURVEYED + 1] += 1
    if value >= 0:
        frames[f + BEST] = scaled(frames[f + 3], value, facts)
        frames[f + BEST_HIGH] = facts[HIGH]
        return 0
    frames[f + SURVEY] = OPENED
    ask(c, NODE, frames[f + FOUND + 1], frames[f + FOUND], frames[f + 3], frames[f + FOUND + 2], 2, TOLD, frames)
    frames[c + 5], frames[c + 7], frames[c + 8] = frames[f + FOUND + 3], frames[f + FOUND + 4], frames[f + FOUND + 5]
    frames[c + 6] = frames[f + 6]
    return 1


def narrow(f: int, frames: Ints) -> None:
    """Keep of the ways listed the one that is worth most at least, and those that may be worth more than that."""
    count = frames[f + LIST]
    if count <= 0 or frames[f + FOUND_LEAST] == NOWHERE:
        frames[f + LIST] = -1
        return
    frames[f + LIST] = 0
    for item in range(count):
        way = f + LIST + 1 + WAY * item
        if frames[way + 6] > frames[f + FOUND_LEAST] and not is_way(way, f, frames):
            put_way(f, way, frames)
    last = f + LIST + 1 + WAY * frames[f + LIST]
    if frames[f + LIST] == WAYS:
        frames[f + LIST] = -1
        return
    frames[last], frames[last + 1] = NODE, frames[f + FOUND]
    for place in range(2, 6):
        frames[last + place] = frames[f + FOUND + place]
    frames[last + 6] = frames[f + FOUND_MOST]
    frames[f + LIST] += 1


def put_way(f: int, way: int, frames: Ints) -> None:
    """Put a way after those that are listed."""
    last = f + LIST + 1 + WAY * frames[f + LIST]
    for place in range(WAY):
        frames[last + place] = frames[way + place]
    frames[f + LIST] += 1


def is_way(way: int, f: int, frames: Ints) -> bool:
    """Return whether a way that is listed is the one that is worth most at least."""
    if frames[way] != NODE or frames[way + 1] != frames[f + FOUND]:
        return False
    if frames[way + 2] != frames[f + FOUND + 2] or frames[way + 3] != frames[f + FOUND + 3]:
        return False
    return frames[way + 4] == frames[f + FOUND + 4] and frames[way + 5] == frames[f + FOUND + 5]


def note_way(
    f: int, mode: int, hand: int, held: int, place: int, draws: int, paying: int, high: int, frames: Ints
) -> None:
    """List a way to play that may be worth more than the best one is at least; -1 ways are too many."""
    count = frames[f + LIST]
    if count < 0 or high <= frames[f + FOUND_LEAST]:
        return
    for item in range(count):
        way = f + LIST + 1 + WAY * item
        same = frames[way] == mode and frames[way + 1] == hand and frames[way + 2] == held
        if same and frames[way + 3] == place and frames[way + 4] == draws and frames[way + 5] == paying:
            frames[way + 6] = max(frames[way + 6], high)
            return
    if count == WAYS:
        frames[f + LIST] = 0
        for item in range(count):
            way = f + LIST + 1 + WAY * item
            if frames[way + 6] > frames[f + FOUND_LEAST]:
                put_way(f, way, frames)
        count = frames[f + LIST]
        if count == WAYS:
            frames[f + LIST] = -1
            return
    way = f + LIST + 1 + WAY * count
    frames[way], frames[way + 1], frames[way + 2], frames[way + 3] = mode, hand, held, place
    frames[way + 4], frames[way + 5], frames[way + 6] = draws, paying, high
    frames[f + LIST] = count + 1


def ask_way(f: int, item: int, frames: Ints) -> None:
    """Write a way that is listed to the frame below."""
    way, c = f + LIST + 1 + WAY * item, f + FRAME
    size, turns = frames[f + 3], frames[f + 9] - 1
    ask(c, frames[way], frames[f + 1], frames[way + 1], size, frames[way + 2], turns, TOLD, frames)
    frames[c + 5], frames[c + 6] = frames[way + 3], frames[f + 6]
    frames[c + 7], frames[c + 8] = frames[way + 4], frames[way + 5]


def inherit(f: int, frames: Ints) -> None:
    """Go on with the ways of the node above, of which one more card has come off the deck."""
    g = f - FRAME
    frames[f + LIST] = frames[g + LIST]
    for item in range(frames[g + LIST]):
        way, own = g + LIST + 1 + WAY * item, f + LIST + 1 + WAY * item
        for place in range(WAY):
            frames[own + place] = frames[way + place]
        frames[own + 5] -= 1
    frames[f + SURVEY] = NARROWING if frames[f + 8] else TRYING


def enter_way(f: int, c: int, low: int, high: int, frames: Ints) -> None:
    """Enter the bounds of a way to play, of a coarse node in the frame ``c``, in a node that is surveyed."""
    least = frames[f + FOUND_LEAST]
    if least > NOWHERE and is_found(f, c, frames):
        return
    if low <= least:
        frames[f + OTHERS] = max(frames[f + OTHERS], high)
        return
    if least > NOWHERE:
        frames[f + OTHERS] = max(frames[f + OTHERS], frames[f + FOUND_MOST])
    frames[f + FOUND], frames[f + FOUND + 1], frames[f + FOUND + 2] = frames[c + 2], frames[c + 1], frames[c + 4]
    frames[f + FOUND + 3], frames[f + FOUND + 4], frames[f + FOUND + 5] = frames[c + 5], frames[c + 7], frames[c + 8]
    frames[f + FOUND_LEAST], frames[f + FOUND_MOST] = low, high


def is_found(f: int, c: int, frames: Ints) -> bool:
    """Return whether a coarse node is that of the best way so far."""
    if frames[f + FOUND] != frames[c + 2] or frames[f + FOUND + 1] != frames[c + 1]:
        return False
    if frames[f + FOUND + 2] != frames[c + 4] or frames[f + FOUND + 3] != frames[c + 5]:
        return False
    return frames[f + FOUND + 4] == frames[c + 7] and frames[f + FOUND + 5] == frames[c + 8]


def ways_on_paid(f: int, got: bool, low: int, high: int, facts: Ints, frames: Ints) -> int:
    """Ask for the bounds of one more end of a play that is paid from the hand, for the node that is surveyed."""
    g, c = f, f + FRAME
    while frames[g] == PAY:
        g -= FRAME
    if got and frames[c] == COARSE:
        enter_way(g, c, low, high, frames)
        ends_seen(f, g, high, facts, frames)
    size, item, place, gone = frames[f + 3], frames[f + ITEM], frames[f + 5], frames[f + UNSEEN]
    health, ends = facts[place + 1], facts[place + 2]
    frames[f + ITEM] = item + 1
    ask(c, COARSE, frames[f + 1], frames[f + 2], size, frames[f + 4], frames[f + 9], TOLD, frames)
    frames[c + UNSEEN] = gone
    if health > size - gone:  # all of the deck goes, and the card fails
        ask_end(c, place + 3 + 3 * ends, frames[f + 6], 0, size, facts, frames)
        return 1 if item == 0 else 0
    if item == ends:
        return 0
    end = place + 3 + 3 * item
    if facts[end + 2] & LATELY:
        frames[g + OTHERS] = facts[FURTHEST] * UNIT
    elif ends > 1:  # what is paid is seen before it is chosen
        frames[c + UNSEEN] = gone + health
    drawn = min(facts[end + 2] & DRAWN_MASK, size - gone - health)
    ask_end(c, end, frames[f + 6], drawn, gone + health, facts, frames)
    return 1


def ends_seen(f: int, g: int, high: int, facts: Ints, frames: Ints) -> None:
    """List a way to play that is paid, in the frame ``f``, for the node that is surveyed."""
    c, place, gone = f + FRAME, frames[f + 5], frames[f + UNSEEN]
    health, ends, lately = facts[place + 1], facts[place + 2], facts[place + 5] & LATELY
    if health <= frames[f + 3] - gone and ends > 1 and (health or lately):
        drawn = min(facts[place + 5] & DRAWN_MASK, frames[f + 3] - gone - health) if lately else 0
        most = facts[FURTHEST] * UNIT if lately else high
        note_way(g, CHOOSE, frames[f + 2], frames[f + 4], place, drawn, gone + health, most, frames)
    else:
        note_way(g, NODE, frames[c + 2], frames[c + 4], frames[c + 5], frames[c + 7], frames[c + 8], high, frames)


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
    if frames[f + 9] != 2 or facts[stance + WAITS] or facts[stance + LOOKING] > 0:
        low = coarsest(f, facts, frames)
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
    return 0 if facts[TARGET] >= 0 else NONE


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
    return max(least, 0) if facts[TARGET] >= 0 else least


def last_facts(end: int, deck: int, hand: int, size: int, kept: int, left: int, won: int, facts: Ints) -> int:
    """Write down what a last turn after an end of a play is worth, by kind of what is drawn or turned over.

    It is in ``facts[VALUES]``, after that the least of it; the greatest is in ``facts[UPPER]``. Returns how many cards
    are drawn, 0 where the least is the worth, ``TURNING`` where one is turned over, ``VAGUE`` where only the greatest
    holds; ``STOPPED`` where facts are missing. ``kept`` cards of the hand and ``left`` of the deck are there then.
    """
    values, kinds, at = facts[VALUES], facts[KINDS], facts[SHIFTS]
    following = facts[STANCES] + STANCE * facts[end]
    now, there = won + facts[end + 1], facts[following + PLACE] + won + facts[end + 1]
    reaching = facts[TARGET] >= 0
    if facts[end + 2] > DRAWN_MASK:
        facts[UPPER] = facts[FURTHEST]
        return VAGUE
    drawn = min(facts[end + 2], left)
    if (reaching and there >= facts[TARGET]) or there >= facts[FINISH]:
        value = there
        if reaching:
            value = 1 if there >= facts[TARGET] else 0
        facts[values + kinds] = facts[UPPER] = value
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
            if told != ASIDE:
                return 0
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


def last_bound(basis: int, deck: int, size: int, gone: int, bound: int, facts: Ints) -> int:
    """Return a bound of what ``last_facts`` has told of, where so many cards of the deck have gone and are seen.

    ``bound`` is 0 for the least, where they are the best ones, and 1 for the greatest.
    """
    values, kinds, at = facts[VALUES], facts[KINDS], facts[SHIFTS]
    floor, top = facts[values + kinds], facts[UPPER]
    if basis == VAGUE:
        return top * UNIT if bound else 0 if facts[TARGET] >= 0 else NONE
    if basis == 0:
        value = max(floor, 0) if facts[TARGET] >= 0 else floor
        return value * UNIT if value >= 0 else NONE
    cards = size - gone
    if basis == TURNING:
        total = 0
        for kind in range(kinds):
            total += (deck >> facts[at + kind] & facts[at + kinds + 1 + kind]) * facts[values + kind]
        total = (total - extreme(deck, gone, -1 if bound else 1, facts)) * UNIT
        return -(-total // cards) if bound else total // cards
    ways = facts[BINOMIALS] + cards * facts[SIZES] + basis
    ways = facts[ways]
    if ways > MOST_WAYS:
        return (top if bound else max(floor, 0)) * UNIT
    total = top * ways
    for value in range(floor, top):
        fit = 0
        for kind in range(kinds):
            copies = deck >> facts[at + kind] & facts[at + kinds + 1 + kind]
            if copies and facts[values + kind] <= value:
                fit += copies
        fit = max(0, fit - gone) if bound else min(fit, cards)
        total -= facts[facts[BINOMIALS] + fit * facts[SIZES] + basis]
    total *= UNIT
    return -(-total // ways) if bound else total // ways
