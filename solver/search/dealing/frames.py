"""Where ``dealing.loop`` keeps what it has asked for and not yet got: frames of numbers, one below the other."""

from __future__ import annotations

from typing import Final

from solver.search.dealing.facts import DRAWN_BITS, MORE_BITS, NONE, PAYER, SHIFTS, WAYS, Ints, brought

NODE: Final = 0
PAY: Final = 1
CHOOSE: Final = 2
COARSE: Final = 3
"""Modes of a frame (``worth``)."""
VIEW: Final = 10
"""Places in a frame after what is asked: whether twins are told apart,"""
REST: Final = 11
"""the rest of the name,"""
ADDED: Final = 12
"""spaces to be added to the value,"""
ITEM: Final = 13
"""the next kind of card or end,"""
TWIN: Final = 14
"""and the next of its twins, by number,"""
OUTER: Final = 15
"""the free actions taken, by number,"""
COPIES: Final = 16
"""the weight of what is being looked at,"""
TOTAL: Final = 17
TOTAL_HIGH: Final = 18
"""what has been summed up,"""
BEST: Final = 19
BEST_HIGH: Final = 20
"""the best so far,"""
EDGE: Final = 21
EDGE_HIGH: Final = 22
"""the best or the worst of the twins so far,"""
STEP: Final = 23
"""what is asked next of a node with twins not told apart,"""
MISSING: Final = 24
"""the cards that may come off the deck of which it is not known what follows, by number, as bits,"""
SURVEY: Final = 25
"""how far a node has come of which the ways to play are first given bounds (``dealing.coarse``);"""
UNSEEN: Final = 26
"""the cards to be paid that the player has seen, and that are not looked at for that;"""
FOLLOWING: Final = 27
"""and by number the hand and the deck that follow, where they are looked for, and what is there."""
FOLLOW: Final = 4
SEEN: Final = FOLLOWING
"""Where none come off unseen any more, in the same places: the cards that are looked at,"""
BACK: Final = SEEN + 1
"""those of them that go back,"""
GONE: Final = SEEN + 2
"""those that are destroyed,"""
MOST_SEEN: Final = SEEN + 3
"""what they are worth at most,"""
SUMS: Final = SEEN + 4
"""and where the pieces of a sum over all that may be seen begin (``dealing.looks``)."""
LIST: Final = FOLLOWING + 62 * FOLLOW
"""How many ways to play a node comes down to (``dealing.survey``), and then where each of them leads: hand, cards in
it, stance, cards to be drawn and to be paid from the deck; and the most that it may be worth."""
WAY: Final = 7
"""Then there is its deck as it is told apart, -1 where that is not said."""
FRAME: Final = LIST + 1 + WAY * WAYS
DEPTH: Final = 1_000
"""Frames there must be room for: each but some four of a turn takes a card from the deck or from the hand."""


def ask(c: int, mode: int, deck: int, hand: int, size: int, held: int, turns: int, view: int, frames: Ints) -> None:
    """Write a question to a frame but for the place, spaces won, and cards to be drawn and paid."""
    frames[c], frames[c + 1], frames[c + 2], frames[c + 3], frames[c + 4] = mode, deck, hand, size, held
    frames[c + 9], frames[c + VIEW], frames[c + UNSEEN] = turns, view, 0


def ask_end(c: int, end: int, won: int, draws: int, paying: int, facts: Ints, frames: Ints) -> None:
    """Write where a play leads to the question of a frame."""
    frames[c + 5], frames[c + 6], frames[c + 7], frames[c + 8] = facts[end], won + facts[end + 1], draws, paying
    more = brought(end, facts)
    if more:
        kind = facts[end + 2] >> DRAWN_BITS + MORE_BITS
        frames[c + 2] += more << (facts[facts[SHIFTS] + kind - 1] if kind else facts[PAYER])
        frames[c + 4] += more


def sum_up(f: int, low: int, high: int, frames: Ints) -> bool:
    """Add what a card that came off the deck is worth; return false where there is no way to go on with it."""
    if low == NONE:
        frames[f + TOTAL] = NONE
        return False
    frames[f + TOTAL] += frames[f + COPIES] * low
    frames[f + TOTAL_HIGH] += frames[f + COPIES] * high
    return True
