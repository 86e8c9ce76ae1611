"""Last turns of a day played from hidden decks, as functions for a compiler: what each card is worth on a stance.

Where a new day may be begun that is one more choice (``dealing.floors``), with a value that no card changes.
"""

from __future__ import annotations

from solver.search.dealing.facts import (
    ASIDE,
    ASKED,
    BANNED,
    BLOCK,
    FLOORS,
    FURTHEST,
    KINDS,
    MOST_OF,
    NONE,
    PLACE,
    SHIFTS,
    STANCE,
    STANCES,
    STOPPED,
    TARGET,
    TOLD,
    TWIN_KINDS,
    WAITS,
    Ints,
)


def at_once(
    stance: int, deck: int, hand: int, size: int, left: int, held: int, won: int, view: int, facts: Ints
) -> int:
    """Return the sum of the values of a last turn: over all cards that may be turned over, where one waits.

    Nothing counts after it but the place. So cards drawn and paid before it, ``size - left`` of the deck, need not be
    told apart: while a card waits, any card of the deck is as likely to be turned over as another, and hand cards only
    pay; without one, what is in the deck does not count at all. Free actions are chosen with the card that is played;
    before one is turned over, only where one choice is the best for each (``acting_best``). ``NONE`` where there is no
    way to play, ``ASIDE`` where no choice is, or where it is a choice to begin a new day, knowing what has come off.
    """
    waits, at, kinds, floor = facts[stance + WAITS], facts[SHIFTS], facts[KINDS], facts[stance + FLOORS]
    if is_asked(stance, facts):
        return STOPPED
    if not waits:
        best = floor
        for kind in range(kinds):
            if hand >> facts[at + kind] & facts[at + kinds + 1 + kind] and not facts[facts[BANNED] + kind]:
                best = max(best, last_played(stance, kind, view, held - 1, left, won, facts))
        return best
    plays = acting_best(stance, deck, left, held, won, view, facts)
    if plays == ASIDE:
        return ASIDE
    if left == 0 or facts[plays] == 1:
        value = last(facts[plays + 1], 0, 0, won, facts)
        value = max(value, floor) if floor > 0 else value
        return value * (size if left else 1)
    if floor > 0 and left < size:
        return ASIDE
    total = 0
    for kind in range(kinds):
        copies = deck >> facts[at + kind] & facts[at + kinds + 1 + kind]
        if copies:
            total += copies * last_of(plays, kind, view, held, left - 1, won, facts)
    return max(total, floor * size) if floor > 0 else total


def is_asked(stance: int, facts: Ints) -> bool:
    """Return whether the facts of a stance that free actions make of one are missing, which are then asked for."""
    block = facts[stance + BLOCK]
    for place in range(block + 1, block + 1 + facts[block]):
        if facts[facts[STANCES] + STANCE * facts[place] + BLOCK] == -1:
            facts[ASKED] = facts[place]
            return True
    return False


def last_played(stance: int, kind: int, view: int, held: int, left: int, won: int, facts: Ints) -> int:
    """Return what a card is worth as the last play, after the free actions that are best for it."""
    block = facts[stance + BLOCK]
    best = NONE
    for place in range(block + 1, block + 1 + facts[block]):
        acting = facts[facts[STANCES] + STANCE * facts[place] + BLOCK]
        best = max(best, last_of(acting + 1 + facts[acting], kind, view, held, left, won, facts))
    return best


def acting_best(stance: int, deck: int, left: int, held: int, won: int, view: int, facts: Ints) -> int:
    """Return where the plays begin after the free actions that are best whichever card is turned over on a last turn.

    Then it does not count which cards have left the deck before, though they were seen; ``ASIDE`` where none are best.
    """
    at, kinds, block = facts[SHIFTS], facts[KINDS], facts[stance + BLOCK]
    best = -1
    for place in range(block + 1, block + 1 + facts[block]):
        acting = facts[facts[STANCES] + STANCE * facts[place] + BLOCK]
        plays = acting + 1 + facts[acting]
        if best < 0:
            best = plays
            continue
        better, worse = False, False
        for kind in range(kinds):
            if deck >> facts[at + kind] & facts[at + kinds + 1 + kind] or (left == 0 and kind == 0):
                one = last_turned(plays, kind, view, held, left, won, facts)
                other = last_turned(best, kind, view, held, left, won, facts)
                better, worse = better or one > other, worse or one < other
        if better and worse:
            return ASIDE
        if better:
            best = plays
    return best


def last_turned(plays: int, kind: int, view: int, held: int, left: int, won: int, facts: Ints) -> int:
    """Return what a card is worth that is turned over on a last turn; where none can be, of turning none over."""
    if left == 0 or facts[plays] == 1:
        return last(facts[plays + 1], 0, 0, won, facts)
    return last_of(plays, kind, view, held, left - 1, won, facts)


def last(play: int, held: int, size: int, won: int, facts: Ints) -> int:
    """Return what a play is worth after which nothing counts but the place: that place, or whether it is far enough."""
    ends = facts[play + 2]
    best = -1
    if facts[play] > held or facts[play + 1] > size:
        end = play + 3 + 3 * ends
        best = facts[facts[STANCES] + STANCE * facts[end] + PLACE] + facts[end + 1]
    else:
        for end in range(play + 3, play + 3 + 3 * ends, 3):
            best = max(best, facts[facts[STANCES] + STANCE * facts[end] + PLACE] + facts[end + 1])
    best += won
    if facts[TARGET] >= 0:
        return facts[FURTHEST] if best >= facts[TARGET] else 0
    return best


def last_of(plays: int, kind: int, view: int, held: int, size: int, won: int, facts: Ints) -> int:
    """Return the same for a kind whose plays are told from there on: the best or the worst of its twins by the view."""
    if view == TOLD:
        return last(facts[plays + 2 + kind], held, size, won, facts)
    twins = facts[facts[TWIN_KINDS] + kind]
    best = last(facts[plays + 2 + facts[twins + 1]], held, size, won, facts)
    for twin in range(twins + 2, twins + 1 + facts[twins]):
        value = last(facts[plays + 2 + facts[twin]], held, size, won, facts)
        best = max(best, value) if view == MOST_OF else min(best, value)
    return best
