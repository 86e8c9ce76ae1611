"""Whether a node may still win with the luckiest cards, as functions for a compiler.

A *lucky* state stands for many nodes: those with its numbers of cards in hand and deck, its stance, spaces won and no
more turns, and with no kinds of cards in either but its own. From there on a player may play any of its kinds as often
as there are cards, pay with whatever cards, draw and turn over whichever the deck may hold: once any is drawn, all
kinds of the deck may be in hand. Of those looked at any number may go, or come to the hand where they may be kept.

So whatever a node leads to, by any choice and any cards, is a node of a state that its own state leads to: each cost is
met or not by numbers of cards alone, which are told exactly, and kinds in hand and deck are never others. It stays one
if a state has more kinds; so after one step those in hand and in the deck are taken together, and states are few. Where
no state with the target in it is reached, none of these nodes wins. That is a search through a graph in which there is
a way or none: whoever finds one has found it for all states on the way there.

It is asked of a node, and before a play is paid from the hand, as all ways to pay for it are of one state then.
"""

from __future__ import annotations

from typing import Final

from solver.search.dealing.facts import (
    AHEAD,
    ASIDE,
    ASKED,
    BANNED,
    BITS,
    BLOCK,
    COUNT,
    DRAWN_MASK,
    FINISH,
    HALTED,
    HIGH,
    KEEPS,
    KINDS,
    LATE,
    LOOKING,
    LUCK,
    MOST,
    NEAR,
    PICKING,
    PLACE,
    QUOTA,
    RESTING,
    SHIFTS,
    STANCE,
    STANCES,
    STOPPED,
    SUPPLIED,
    TARGET,
    TOLD,
    WAITS,
    WONDERS,
    Ints,
    aim_told,
    lasting_of,
)
from solver.search.dealing.frames import FRAME, PAY, VIEW
from solver.search.dealing.table import file, remembered

LUCKY: Final = 3
"""What the name of a state has for a view, which no node has."""
FEWEST: Final = 3
"""Turns left from which on it is asked of a node."""
PATIENCE: Final = 4_000
RARELY: Final = 16
"""After so many times it is asked no more where fewer than one in so many of them never won."""
MOST_KINDS: Final = 48
SIZE_BITS: Final = 6
"""Bits of a number of cards."""

HAND: Final = 0
"""Places of a state: the kinds in hand, as bits,"""
DECK: Final = 1
"""and in the deck;"""
HELD: Final = 2
LEFT: Final = 3
"""the cards in each;"""
ON: Final = 4
"""the stance, by number;"""
WON: Final = 5
"""spaces won since;"""
TURNS: Final = 6
"""turns left;"""
ACT: Final = 7
CARD: Final = 8
END: Final = 9
"""the free actions, the card and the end that are tried next, by number."""
STATE: Final = 10
"""The length of a state."""
DEEPEST: Final = 400
"""States on the way to one, at most."""
NEVER: Final = 0
"""What is known of a state: that it never wins,"""
MAY: Final = 1
"""and that it may."""


def is_in_question(f: int, facts: Ints, frames: Ints) -> bool:
    """Return whether it is asked of a frame if it may win at all."""
    if facts[TARGET] < 0 or facts[RESTING] or facts[SUPPLIED] or facts[KINDS] > MOST_KINDS:
        return False
    if facts[LUCK] > PATIENCE and facts[LUCK + 1] * RARELY < facts[LUCK]:
        return False
    small = frames[f + 3] + frames[f + 4] < 1 << SIZE_BITS
    return small and frames[f + VIEW] == TOLD and frames[f + 9] >= FEWEST


def paid_for(f: int, facts: Ints, known: Ints, other: Ints, frames: Ints) -> int:
    """Return what it is worth to pay for a play with which nothing wins, whatever pays for it; else ``ASIDE``."""
    if not frames[f + 7] or frames[f - FRAME] == PAY or not is_in_question(f, facts, frames):
        return ASIDE
    luck = luck_of_play(f, facts, known, other, frames)
    facts[HIGH] = 0
    return ASIDE if luck == MAY else 0 if luck == NEVER else luck


def luck_of(f: int, facts: Ints, known: Ints, other: Ints, frames: Ints) -> int:
    """Return whether a node ``MAY`` win or ``NEVER`` does, ``STOPPED`` where facts or room are missing."""
    at = f + FRAME
    hand, deck = kinds_in(frames[f + 2], facts), kinds_in(frames[f + 1], facts)
    left = frames[f + 3] - frames[f + 7] - frames[f + 8]
    be(at, hand | (deck if frames[f + 7] else 0), deck, frames[f + 4] + frames[f + 7], left, frames)
    frames[at + ON], frames[at + WON], frames[at + TURNS] = frames[f + 5], frames[f + 6], frames[f + 9]
    return counted(luck_from(at, facts, known, other, frames), facts)


def luck_of_play(f: int, facts: Ints, known: Ints, other: Ints, frames: Ints) -> int:
    """Return the same of a play that is about to be paid from the hand, whatever pays for it."""
    at, play, left = f + FRAME, frames[f + 5], frames[f + 3] - facts[frames[f + 5] + 1]
    hand, deck = kinds_in(frames[f + 2], facts), kinds_in(frames[f + 1], facts)
    end, ends = play + 3, facts[play + 2]
    if left < 0:
        end, ends, left = end + 3 * ends, 1, 0
    for place in range(end, end + 3 * ends, 3):
        be(at, hand, deck, frames[f + 4] - frames[f + 7], left, frames)
        frames[at + WON], frames[at + TURNS] = frames[f + 6], frames[f + 9]
        told = end_on(at, at, place, frames[at + HELD], left, 0, facts, frames)
        if told == ASIDE:
            told = luck_from(at, facts, known, other, frames)
        if told != NEVER:
            return counted(told, facts)
    return counted(NEVER, facts)


def counted(told: int, facts: Ints) -> int:
    """Return what is known of a node or a play; count how often that is of use."""
    if told != STOPPED:
        facts[LUCK] += 1
        facts[LUCK + 1] += told == NEVER
    return told


def luck_from(root: int, facts: Ints, known: Ints, other: Ints, frames: Ints) -> int:
    """Return the same of a state, with room for others behind it."""
    told, at, depth = glance(root, True, facts, known, other, frames), root, 0
    while told == ASIDE:
        told = lead_on(at, facts, frames)
        if told == ASIDE:
            told = glance(at + STATE, False, facts, known, other, frames)
            if told == ASIDE:
                if depth == DEEPEST:
                    return MAY
                at, depth = at + STATE, depth + 1
            elif told == NEVER:
                told = ASIDE
        elif told == NEVER and depth:  # nothing is left to try
            told = ASIDE if entered_as(at, NEVER, facts, known, frames) else STOPPED
            at, depth = at - STATE, depth - 1
    while told == MAY and depth:
        if not entered_as(at, MAY, facts, known, frames):
            return STOPPED
        at, depth = at - STATE, depth - 1
    return told


def kinds_in(cards: int, facts: Ints) -> int:
    """Return the kinds of some cards, as bits."""
    at, kinds = facts[SHIFTS], facts[KINDS]
    found = 0
    for kind in range(kinds):
        if cards >> facts[at + kind] & facts[at + kinds + 1 + kind]:
            found |= 1 << kind
    return found


def be(c: int, hand: int, deck: int, held: int, left: int, frames: Ints) -> None:
    """Write the cards of a state, of which nothing has been tried."""
    frames[c + HAND], frames[c + DECK], frames[c + HELD], frames[c + LEFT] = hand, deck, held, left
    frames[c + ACT] = frames[c + CARD] = frames[c + END] = 0


def glance(c: int, apart: bool, facts: Ints, known: Ints, other: Ints, frames: Ints) -> int:
    """Return what is known of a state, ``ASIDE`` where nothing is; give it the name of those that are as lucky."""
    held, left, turns = frames[c + HELD], frames[c + LEFT], frames[c + TURNS]
    stance = facts[STANCES] + STANCE * frames[c + ON]
    there = facts[stance + PLACE] + frames[c + WON]
    if there >= facts[TARGET]:
        return MAY
    turns = frames[c + TURNS] = min(turns, lasting_of(stance, held + left, left, facts))
    if turns == 0 or there >= facts[FINISH]:
        return NEVER
    if facts[stance + BLOCK] == -1:
        return wonder(frames[c + ON], facts)
    if facts[stance + WAITS] and min(turns, left) <= NEAR:
        frames[c + ON] = facts[stance + LATE + min(turns, left)]
        stance = facts[STANCES] + STANCE * frames[c + ON]
        if facts[stance + BLOCK] == -1:
            return wonder(frames[c + ON], facts)
    if turns <= NEAR and facts[stance + AHEAD + turns] + frames[c + WON] < facts[TARGET]:
        return NEVER
    if facts[stance + LOOKING] <= 0:
        aim = aim_told(stance, turns, facts)
        if aim >= 0 and facts[aim]:
            return NEVER
    hand, deck = frames[c + HAND] if held else 0, frames[c + DECK] if left else 0
    if not apart and left:
        deck |= hand
        hand = deck if held else 0
    frames[c + HAND], frames[c + DECK] = hand, deck
    return remembered(hand, cards_named(c, frames), rest_of_state(c, frames), facts, known, other)


def wonder(stance: int, facts: Ints) -> int:
    """Ask for the facts of a stance, by number; whoever answers gives luck up where that is not carried."""
    facts[ASKED], facts[WONDERS] = stance, 1
    return STOPPED


def cards_named(c: int, frames: Ints) -> int:
    """Return what stands for the deck in the name of a state."""
    return frames[c + DECK] << 2 * SIZE_BITS | frames[c + HELD] << SIZE_BITS | frames[c + LEFT]


def rest_of_state(c: int, frames: Ints) -> int:
    """Return the rest of the name of a state."""
    return (frames[c + TURNS] << 19 | frames[c + WON]) << 32 | LUCKY << 28 | frames[c + ON]


def entered_as(c: int, told: int, facts: Ints, known: Ints, frames: Ints) -> bool:
    """Enter what is known of a state; return false where there is no room, or no more may be entered."""
    bits = facts[BITS]
    if facts[QUOTA] <= 0 or facts[COUNT] >= min(3 << bits >> 2, facts[MOST]) or facts[HALTED]:
        return False
    facts[QUOTA] -= 1
    file(known, bits, frames[c + HAND], cards_named(c, frames), rest_of_state(c, frames), told, 0)
    facts[COUNT] += 1
    return True


def lead_on(at: int, facts: Ints, frames: Ints) -> int:
    """Write one more state that a state leads to behind it and return ``ASIDE``, ``NEVER`` where none is left.

    ``MAY`` where it is not told what one leads to, ``STOPPED`` where facts are missing.
    """
    stance = facts[STANCES] + STANCE * frames[at + ON]
    block, item = facts[stance + BLOCK], frames[at + END]
    hand, deck, held, left = frames[at + HAND], frames[at + DECK], frames[at + HELD], frames[at + LEFT]
    if facts[stance + LOOKING] == PICKING:
        if item == facts[block + 3]:
            return NEVER
        frames[at + END] = item + 1
        return end_on(at, at + STATE, block + 4 + 3 * item, held, left, 0, facts, frames)
    if facts[stance + LOOKING] > 0:
        seen = min(facts[block + 2], left)
        kept, gone = item // (seen + 1), item % (seen + 1)
        if kept > (seen if facts[KEEPS] else 0):
            return NEVER
        frames[at + END] = item + 1
        left = max(left - kept - gone, 0)
        drawn = min(facts[block + 4], left)
        be(at + STATE, hand | deck if kept or drawn else hand, deck, held + kept + drawn, left - drawn, frames)
        frames[at + STATE + ON], frames[at + STATE + WON] = facts[block + 1], frames[at + WON]
        frames[at + STATE + TURNS] = frames[at + TURNS]
        return ASIDE
    waits, kinds = facts[stance + WAITS], facts[KINDS]
    while frames[at + ACT] < facts[block]:
        free = facts[block + 1 + frames[at + ACT]]
        acting = facts[facts[STANCES] + STANCE * free + BLOCK]
        if acting == -1:
            return wonder(free, facts)
        plays, card, item = acting + 1 + facts[acting], frames[at + CARD], frames[at + END]
        vain = waits and (left == 0 or facts[plays] == 1)
        cards = 0 if vain or not (left if waits else held) else deck if waits else hand
        while card <= kinds and not (vain if card == 0 else cards >> card - 1 & 1):
            card += 1
        if card and card <= kinds and not waits and facts[facts[BANNED] + card - 1]:
            frames[at + CARD] = card + 1
            continue
        if card > kinds:
            frames[at + ACT] += 1
            frames[at + CARD] = 0
            continue
        frames[at + CARD] = card
        play = facts[plays + 1 + card]
        kept, rest = (held if waits else held - 1), (left - 1 if waits and card else left)
        first, ends = play + 3, facts[play + 2]
        failed = first + 3 * ends
        if facts[play] > kept:
            first, ends = failed, 1
        else:
            kept = kept - facts[play] if facts[play] >= 0 else 0
            rest -= facts[play + 1]
            if rest < 0:
                first, ends, rest = failed, 1, 0
        frames[at + END] = item + 1
        if item + 1 >= ends:
            frames[at + CARD], frames[at + END] = card + 1, 0
        return end_on(at, at + STATE, first + 3 * item, kept, rest, 1, facts, frames)
    return NEVER


def end_on(at: int, c: int, end: int, held: int, left: int, turns: int, facts: Ints, frames: Ints) -> int:
    """Write the state after an end of a play and so many turns; return ``ASIDE``, ``MAY`` where it is not told."""
    if facts[end + 2] > DRAWN_MASK:
        return MAY
    hand, deck = frames[at + HAND], frames[at + DECK]
    drawn = min(facts[end + 2], left)
    be(c, hand | deck if drawn else hand, deck, held + drawn, left - drawn, frames)
    frames[c + ON], frames[c + WON] = facts[end], frames[at + WON] + facts[end + 1]
    frames[c + TURNS] = frames[at + TURNS] - turns
    return ASIDE
