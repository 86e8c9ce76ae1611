"""What is asked next of a node that ``dealing.loop`` works out, as functions for a compiler.

Each takes a frame with what was got for its last question, if anything was, and writes the next question to the frame
below: it returns 1 then, 0 where nothing is left to ask and the frame has its best.
"""

from __future__ import annotations

from typing import Final

from solver.search.dealing.bounds import UNBOUND, is_beaten, kinds_of, most_after
from solver.search.dealing.ends import capped, idle_cards, outdone, told_after, without_idle
from solver.search.dealing.facts import (
    AIM,
    AIMING,
    ASKED,
    BACKWARDS,
    BANNED,
    BASE_BITS,
    BLOCK,
    DRAWN_MASK,
    FEW,
    HELD,
    HIGH,
    KINDS,
    LATE,
    LEAST_OF,
    LEVELS,
    LOOKING,
    LOW,
    MOST_OF,
    NEAR,
    NONE,
    SCALED,
    SHIFTS,
    SIZES,
    STANCE,
    STANCES,
    STOPPED,
    TARGET,
    TOLD,
    TWIN_KINDS,
    TWINS,
    WAITS,
    Ints,
    acts_of,
    alike,
    brought,
    classed,
    divided,
    exceeds,
    is_certain,
    next_of,
    promising,
    room_of,
    seen,
)
from solver.search.dealing.frames import (
    BEST,
    BEST_HIGH,
    CHOOSE,
    COPIES,
    EDGE,
    EDGE_HIGH,
    FOLLOW,
    FOLLOWING,
    FRAME,
    ITEM,
    MISSING,
    NODE,
    OUTER,
    PAY,
    STEP,
    TOTAL,
    TOTAL_HIGH,
    TWIN,
    UNSEEN,
    VIEW,
    ask,
    ask_end,
    sum_up,
)

SETTLED_SO: Final = 2
"""What ``of_twins`` returns where the greatest and the least worth that twins leave open are equal."""


def keep_best(f: int, low: int, high: int, frames: Ints) -> bool:
    """Enter a worth that a frame has got; return whether it is the best so far."""
    better = exceeds(low, high, frames[f + BEST], frames[f + BEST_HIGH])
    if better:
        frames[f + BEST], frames[f + BEST_HIGH] = low, high
    return better


def of_twins(f: int, low: int, high: int, facts: Ints, frames: Ints) -> int:
    """Ask for the greatest worth that twins leave open, then for the least one; ``SETTLED_SO`` where they are equal."""
    step, c = frames[f + STEP], f + FRAME
    settled = False
    if step == 2:
        frames[f + EDGE], frames[f + EDGE_HIGH] = low, high
        settled = low == 0 and high == 0
    elif step == 3:
        settled = low == frames[f + EDGE] and high == frames[f + EDGE_HIGH]
    if settled:
        frames[f + BEST], frames[f + BEST_HIGH] = low, high
        return SETTLED_SO
    if step == 3:
        frames[f + STEP] = -1
        return 0
    deck, hand = classed(frames[f + 1], facts[TWINS], facts), classed(frames[f + 2], facts[TWINS], facts)
    view = MOST_OF if step == 1 else LEAST_OF
    ask(c, NODE, deck, hand, frames[f + 3], frames[f + 4], frames[f + 9], view, frames)
    frames[c + 5], frames[c + 6], frames[c + 7], frames[c + 8] = (
        frames[f + 5],
        frames[f + 6],
        frames[f + 7],
        frames[f + 8],
    )
    frames[f + STEP] = step + 1
    return 1


def pay_on(f: int, got: bool, low: int, high: int, facts: Ints, frames: Ints) -> int:
    """Pay a card of the hand for a play in one more way; once all are paid, go on with what the play does."""
    if got and not frames[f + UNSEEN]:
        keep_best(f, low, high, frames)
    deck, hand, size, held = frames[f + 1], frames[f + 2], frames[f + 3], frames[f + 4]
    place, won, draws, turns, view = frames[f + 5], frames[f + 6], frames[f + 7], frames[f + 9], frames[f + VIEW]
    item, c = frames[f + ITEM], f + FRAME
    if draws:
        item = next_of(hand, item, facts)
        frames[f + ITEM] = item + 1
        if item == facts[KINDS]:
            return 0
        kind = abs(facts[BACKWARDS] - item)
        ask(c, PAY, deck, hand - (1 << facts[facts[SHIFTS] + kind]), size, held - 1, turns, view, frames)
        frames[c + 5], frames[c + 6], frames[c + 7] = place, won, draws - 1
        frames[c + 8], frames[c + UNSEEN] = item if draws > 1 else 0, frames[f + UNSEEN]
        return 1
    health, ends = facts[place + 1], facts[place + 2]
    if item == 0 and turns == 2 and is_needless(f, facts, frames):
        return 0
    frames[f + ITEM] = item + 1
    ask(c, NODE, deck, hand, size, held, turns, view, frames)
    if health > size:  # all of the deck goes, and the card fails
        ask_end(c, place + 3 + 3 * ends, won, 0, size, facts, frames)
        return 1 if item == 0 else 0
    if ends > 1 and health:
        frames[c], frames[c + 5], frames[c + 6], frames[c + 7], frames[c + 8] = CHOOSE, place, won, 0, health
        return 1 if item == 0 else 0
    if item >= ends:
        return 0
    end = place + 3 + 3 * item
    ask_end(c, end, won, min(facts[end + 2] & DRAWN_MASK, size - health), health, facts, frames)
    return 1


def is_needless(f: int, facts: Ints, frames: Ints) -> bool:
    """Return whether a play that is paid from the hand gets no further than other ways to play are known to."""
    if not facts[AIMING] or facts[TARGET] >= 0:
        return False
    g, best, high = f - FRAME, NONE, 0
    while True:
        chosen = frames[g] == PAY or not facts[facts[STANCES] + STANCE * frames[g + 5] + WAITS]
        if chosen and exceeds(frames[g + BEST], frames[g + BEST_HIGH], best, high):
            best, high = frames[g + BEST], frames[g + BEST_HIGH]
        if frames[g] != PAY:
            break
        g -= FRAME
    if best < 0:
        return False
    hand, size = frames[f + 2], frames[f + 3]
    once, twice = kinds_of(hand, 1, facts), kinds_of(hand, 2, facts)
    most = most_after(frames[f + 5], once, twice, frames[f + 1], size, facts)
    return is_beaten(most, size, best, high, facts)


def begin_plays(f: int, facts: Ints, frames: Ints) -> None:
    """Write down what may come of each play from the hand at most, as far as it is asked for."""
    at, kinds, deck, hand = facts[SHIFTS], facts[KINDS], frames[f + 1], frames[f + 2]
    stance = facts[STANCES] + STANCE * frames[f + 5]
    free = facts[acts_of(stance, frames[f + 9], facts) + 1 + frames[f + OUTER]]
    acting = facts[facts[STANCES] + STANCE * free + BLOCK]
    once, twice = kinds_of(hand, 1, facts), kinds_of(hand, 2, facts)
    frames[f + MISSING] = 0
    bounded = facts[AIMING] and frames[f + 9] == 3 and facts[TARGET] < 0
    for item in range(kinds):
        kind = abs(facts[BACKWARDS] - item)
        if once >> kind & 1 and not facts[facts[BANNED] + kind]:
            most, play = UNBOUND, facts[acting + 3 + facts[acting] + kind]
            if bounded:
                left = once if twice >> kind & 1 else once & ~(1 << kind)
                more = twice if hand >> facts[at + kind] & facts[at + kinds + 1 + kind] > 2 else twice & ~(1 << kind)
                most = most_after(play, left, more, deck, frames[f + 3], facts)
            frames[f + MISSING] |= 1 << item
            frames[f + FOLLOWING + FOLLOW * item] = most
            frames[f + FOLLOWING + FOLLOW * item + 1] = (
                ways_on(play, facts) if facts[AIMING] and facts[TARGET] < 0 else 0
            )


def ways_on(play: int, facts: Ints) -> int:
    """Return a number that is the greater the more ways there are to go on after a play: cards paid, seen and drawn."""
    most = 0
    for end in range(play + 3, play + 3 + 3 * facts[play + 2], 3):
        stance = facts[STANCES] + STANCE * facts[end]
        most = max(most, (facts[end + 2] & DRAWN_MASK) + 2 * max(facts[stance + LOOKING], 0))
    return abs(facts[play]) + 2 * (most + facts[play + 1])


def best_play(f: int, facts: Ints, frames: Ints) -> int:
    """Return the number of the play from the hand that may come to most, or of kinds where none is left."""
    best, most, ways = facts[KINDS], NONE - 1, 0
    for item in range(facts[KINDS]):
        if frames[f + MISSING] >> item & 1:
            place = f + FOLLOWING + FOLLOW * item
            if frames[place] > most or (frames[place] == most and frames[place + 1] < ways):
                best, most, ways = item, frames[place], frames[place + 1]
    if best < facts[KINDS]:
        frames[f + MISSING] ^= 1 << best
        if is_beaten(most, frames[f + 3], frames[f + BEST], frames[f + BEST_HIGH], facts):
            return facts[KINDS]
    return best


def choose_on(f: int, place: int, got: bool, low: int, high: int, facts: Ints, frames: Ints) -> int:
    """Ask for one more end of a play, by its place, of which nothing is to be paid any more."""
    if got:
        keep_best(f, low, high, frames)
    item, c = frames[f + ITEM], f + FRAME
    if item == facts[place + 2]:
        return 0
    size, end = frames[f + 3], place + 3 + 3 * item
    ask(c, NODE, frames[f + 1], frames[f + 2], size, frames[f + 4], frames[f + 9], frames[f + VIEW], frames)
    ask_end(c, end, frames[f + 6], min(facts[end + 2] & DRAWN_MASK, size), 0, facts, frames)
    frames[f + ITEM] = item + 1
    return 1


def next_twin(f: int, low: int, high: int, facts: Ints, frames: Ints) -> bool:
    """Enter what one of the twins is worth, the best or the worst of them by the view; return whether it was the last.

    The worth of all is then in ``frames[f + EDGE]``.
    """
    edge, edge_high, view = frames[f + EDGE], frames[f + EDGE_HIGH], frames[f + VIEW]
    if frames[f + TWIN] > 1 and exceeds(low, high, edge, edge_high) != (view == MOST_OF):
        low, high = edge, edge_high
    frames[f + EDGE], frames[f + EDGE_HIGH] = low, high
    complete = frames[f + TWIN] == facts[facts[facts[TWIN_KINDS] + abs(facts[BACKWARDS] - frames[f + ITEM])]]
    if complete:
        frames[f + TWIN] = 0
        frames[f + ITEM] += 1
    return complete


def take(f: int, low: int, high: int, facts: Ints, frames: Ints) -> bool:
    """Enter what a card played or turned over is worth; return whether nothing can be better."""
    if frames[f + VIEW] != TOLD and frames[f + ITEM] < facts[KINDS]:
        if not next_twin(f, low, high, facts, frames):
            return False
        low, high = frames[f + EDGE], frames[f + EDGE_HIGH]
    if facts[facts[STANCES] + STANCE * frames[f + 5] + WAITS]:
        if not sum_up(f, low, high, frames):
            frames[f + ITEM] = facts[KINDS]
        return False
    return keep_best(f, low, high, frames) and is_certain(low, high, frames[f + 3], facts)


def next_play(f: int, plays: int, facts: Ints, frames: Ints) -> int:
    """Return the next play of a stance, what is left of hand and deck in the frame below; -1 where none is left."""
    at, kinds, item, c = facts[SHIFTS], facts[KINDS], frames[f + ITEM], f + FRAME
    deck, hand, size, held, view = frames[f + 1], frames[f + 2], frames[f + 3], frames[f + 4], frames[f + VIEW]
    waits = facts[facts[STANCES] + STANCE * frames[f + 5] + WAITS]
    ask(c, NODE, deck, hand, size, held, frames[f + 9] - 1, view, frames)
    if waits and (size == 0 or facts[plays] == 1):
        frames[f + ITEM] = kinds
        frames[f + COPIES] = 1
        return facts[plays + 1] if item == 0 else -1
    if waits or view != TOLD:
        cards = deck if waits else hand
        item = next_of(cards, item, facts)
        while not waits and item < kinds and facts[facts[BANNED] + abs(facts[BACKWARDS] - item)]:
            item = next_of(cards, item + 1, facts)
        frames[f + ITEM] = item
    else:
        if item == 0:
            begin_plays(f, facts, frames)
        item = best_play(f, facts, frames)
    if item == kinds:
        return -1
    kind = abs(facts[BACKWARDS] - item)
    one = 1 << facts[at + kind]
    turned = kind
    if view != TOLD:
        turned = facts[facts[facts[TWIN_KINDS] + kind] + 1 + frames[f + TWIN]]
        frames[f + TWIN] += 1
    else:
        frames[f + ITEM] = item + 1 if waits else 1
    if waits:
        frames[f + COPIES] = deck >> facts[at + kind] & facts[at + kinds + 1 + kind]
        frames[c + 1], frames[c + 3] = deck - one, size - 1
    else:
        frames[c + 2], frames[c + 4] = hand - one, held - 1
    return facts[plays + 2 + turned]


def ask_play(f: int, play: int, facts: Ints, frames: Ints) -> None:
    """Write a play to the frame below, which has hand and deck: how it is paid, or where it leads if it is not."""
    c, won, turns, view, gone = f + FRAME, frames[f + 6], frames[f + 9], frames[f + VIEW], frames[f + 8]
    hand, size, held, energy = frames[c + 2], frames[c + 3] - gone, frames[c + 4], facts[play]
    if energy > held:  # R22: what cannot be paid is not paid in part
        end = play + 3 + 3 * facts[play + 2]
        ask_end(c, end, won, min(facts[end + 2] & DRAWN_MASK, size), gone, facts, frames)
        return
    if energy < 0:
        hand, held, energy = 0, 0, 0
    if energy:  # cards that are alike afterwards pay alike
        row = 2 * min(turns - 1, facts[LEVELS] - 1) * facts[SIZES] + size
        hand = alike(hand, seen(facts[facts[HELD] + row], view, facts), facts)
        told = 0
        if facts[AIMING]:
            told = aimed(f, play, size, facts, frames)
            hand = outdone(capped(hand, told, facts), told, facts) if told else hand
        elif facts[FEW] and 2 <= turns <= 3:
            told = told_after(play, size, held, turns - 1, view, facts)
        if told:
            spent = min(energy, idle_cards(hand, told, facts))
            hand = without_idle(hand, told, spent, facts)
            held, energy = held - spent, energy - spent
    frames[c], frames[c + 2], frames[c + 4], frames[c + 5], frames[c + 6] = PAY, hand, held, play, won
    frames[c + 7], frames[c + 8] = energy, 0


def aimed(f: int, play: int, size: int, facts: Ints, frames: Ints) -> int:
    """Return where it is told what counts of a hand after a play, if idle cards are the ones to pay with; else 0.

    After the first of two last turns no card counts that does not count before it.
    """
    turns, stance = frames[f + 9], facts[STANCES] + STANCE * frames[f + 5]
    held, rest = frames[f + 4], frames[f + 3]
    if turns > 2 and facts[play + 1] <= size and facts[play + 2] == 1:
        turns, left, stance = turns - 1, size - facts[play + 1], facts[STANCES] + STANCE * facts[play + 3]
        if facts[stance + BLOCK] != -1 and facts[stance + WAITS] and left >= turns and turns <= NEAR:
            stance = facts[STANCES] + STANCE * facts[stance + LATE + turns]
        drawn = min(facts[play + 5] & DRAWN_MASK, left)
        held, rest = frames[f + FRAME + 4] - facts[play] + drawn + brought(play + 3, facts), left - drawn
    elif turns > 2:
        return 0
    if facts[stance + LOOKING] > 0:
        return 0
    aim = facts[stance + AIM + turns - 2] if 2 <= turns <= 3 else -1
    if aim != -1:
        alike = facts[facts[STANCES] + STANCE * facts[aim + 6] + AIM + turns - 2]
        aim = aim if alike == -1 else alike
    if aim == -1:
        return 0
    room = room_of(aim, turns, held, rest, facts)
    if room and facts[room] != -1:
        aim = facts[room]
    return facts[aim + 2] if facts[aim + 1] else 0


def play_on(f: int, got: bool, low: int, high: int, facts: Ints, frames: Ints) -> int:
    """Ask for one more card that is played, or turned over, after one more choice of free actions."""
    stance = facts[STANCES] + STANCE * frames[f + 5]
    acts, waits = acts_of(stance, frames[f + 9], facts), facts[stance + WAITS]
    while True:
        if got and take(f, low, high, facts, frames):
            return 0
        got = False
        if frames[f + OUTER] == facts[acts]:
            return 0
        free = facts[acts + 1 + frames[f + OUTER]]
        acting = facts[facts[STANCES] + STANCE * free + BLOCK]
        if acting == -1:
            facts[ASKED] = free
            return STOPPED
        play = next_play(f, acting + 1 + facts[acting], facts, frames)
        if play >= 0:
            if facts[TARGET] < 0 or promising(play, frames[f + 6], frames[f + 9] - 1, facts):
                ask_play(f, play, facts, frames)
                return 1
            low, high, got = 0, 0, True
            continue
        if waits and frames[f + TOTAL] != NONE:
            total, total_high = frames[f + TOTAL] & LOW, frames[f + TOTAL_HIGH] + (frames[f + TOTAL] >> BASE_BITS)
            if facts[SCALED] and frames[f + 3] and facts[acting + 1 + facts[acting]] != 1:
                total = divided(frames[f + TOTAL], frames[f + TOTAL_HIGH], frames[f + 3], facts)
                total_high = facts[HIGH]
            keep_best(f, total, total_high, frames)
        frames[f + TOTAL], frames[f + TOTAL_HIGH], frames[f + ITEM] = 0, 0, 0
        frames[f + OUTER] += 1
