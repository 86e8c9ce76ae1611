"""What the last two turns of a day are worth at most, as functions for a compiler: no cost is looked at, no chance.

Whatever a play costs, paid or not, it leads to one of its ends. So no two turns are worth more than the best end of a
last play after the best end of a first one, with cards that there are; a card that may come off the deck before counts
as there. Where a card waits for one that is turned over on the last turn, that is any of the deck as likely as another:
the mean of the best ends. Cards that were looked at may then lie in the deck or not, as is best.

The worths are whole ones, a place, or 1 for the target: means are rounded up. They are bounds where it is told by
stance what counts, as no spaces are left out of the place then.
"""

from __future__ import annotations

from typing import Final

from solver.search.dealing.facts import (
    BASE_BITS,
    BLOCK,
    FINISH,
    KEEPS,
    KINDS,
    LOOKING,
    LOW,
    MOSTS,
    NONE,
    ORDERS,
    PICKING,
    PLACE,
    SHIFTS,
    STANCE,
    STANCES,
    SUPPLIED,
    TARGET,
    WAITS,
    Ints,
    exceeds,
)

UNBOUND: Final = 1 << 20
"""More than anything is worth, where facts are missing."""


def kinds_of(cards: int, least: int, facts: Ints) -> int:
    """Return the kinds of which there are at least so many cards, as bits."""
    at, kinds = facts[SHIFTS], facts[KINDS]
    found = 0
    for kind in range(kinds):
        if cards >> facts[at + kind] & facts[at + kinds + 1 + kind] >= least:
            found |= 1 << kind
    return found


def worth_at(stance: int, facts: Ints) -> int:
    """Return what it is worth to end on a stance."""
    place = facts[stance + PLACE]
    return place if facts[TARGET] < 0 else 1 if place >= facts[TARGET] else 0


def is_over(stance: int, facts: Ints) -> bool:
    """Return whether no further turn counts there."""
    place = facts[stance + PLACE]
    return place >= facts[FINISH] or 0 <= facts[TARGET] <= place


def best_end(play: int, facts: Ints) -> int:
    """Return what the best end of a last play is worth, paid or not."""
    best = -UNBOUND
    for end in range(play + 3, play + 6 + 3 * facts[play + 2], 3):
        best = max(best, worth_at(facts[STANCES] + STANCE * facts[end], facts))
    return best


def mosts_of(stance: int, facts: Ints) -> int:
    """Return where it is told by kind what its last play is worth at most, and of none last; -1 where it cannot be."""
    mosts, kinds, block = facts[stance + MOSTS], facts[KINDS], facts[stance + BLOCK]
    if facts[mosts + kinds + 1] != -1:
        return mosts
    for place in range(block + 1, block + 1 + facts[block]):
        if facts[facts[STANCES] + STANCE * facts[place] + BLOCK] == -1:
            return -1
    for place in range(block + 1, block + 1 + facts[block]):
        acting = facts[facts[STANCES] + STANCE * facts[place] + BLOCK]
        plays = acting + 1 + facts[acting]
        for kind in range(-1, kinds):
            worth, to = best_end(facts[plays + 2 + kind], facts), mosts + (kinds if kind < 0 else kind)
            facts[to] = worth if place == block + 1 else max(worth, facts[to])
    facts[mosts + kinds + 1] = 1
    return mosts


def most_turned(mosts: int, fixed: int, loose: int, facts: Ints) -> int:
    """Return what it is worth at most to turn over a card of a deck, in which any of some ``loose`` ones may be too."""
    at, kinds = facts[SHIFTS], facts[KINDS]
    total, cards, tried = 0, 0, 0
    for kind in range(kinds):
        copies = fixed >> facts[at + kind] & facts[at + kinds + 1 + kind]
        total += copies * facts[mosts + kind]
        cards += copies
    while loose:
        best = -1
        for kind in range(kinds):
            there = loose >> facts[at + kind] & facts[at + kinds + 1 + kind]
            if there and not tried >> kind & 1 and (best < 0 or facts[mosts + kind] > facts[mosts + best]):
                best = kind
        if best < 0 or (cards and facts[mosts + best] * cards <= total):
            break
        tried |= 1 << best
        copies = loose >> facts[at + best] & facts[at + kinds + 1 + best]
        total += copies * facts[mosts + best]
        cards += copies
    vain = facts[mosts + kinds]
    return max(vain, -(-total // cards)) if cards else vain


def most_last(number: int, once: int, below: int, fixed: int, loose: int, facts: Ints) -> int:
    """Return what a last turn is worth at most with some kinds in hand, and others that may come off the deck.

    The deck has ``fixed`` cards and any of the ``loose`` ones; if ``fixed`` is negative, any of ``below``.
    """
    if facts[SUPPLIED]:  # cards may come from elsewhere
        return UNBOUND
    stance = facts[STANCES] + STANCE * number
    while True:
        if is_over(stance, facts):
            return worth_at(stance, facts)
        block = facts[stance + BLOCK]
        if block == -1:
            return UNBOUND
        if facts[stance + LOOKING] <= 0:
            break
        if facts[stance + LOOKING] == PICKING:
            return UNBOUND
        fixed = -1
        if facts[KEEPS] or facts[block + 4]:
            once |= below
        stance = facts[STANCES] + STANCE * facts[block + 1]
    mosts = mosts_of(stance, facts)
    if mosts < 0:
        return UNBOUND
    cards, best = once, NONE
    if facts[stance + WAITS]:
        if fixed >= 0:
            return most_turned(mosts, fixed, loose, facts)
        cards, best = below, facts[mosts + facts[KINDS]]
    for kind in range(facts[KINDS]):
        if cards >> kind & 1:
            best = max(best, facts[mosts + kind])
    return best


def most_of_two(number: int, once: int, twice: int, below: int, fixed: int, loose: int, facts: Ints) -> int:
    """Return what two last turns are worth at most; of some kinds there are ``twice`` as many in hand.

    The others are those of ``most_last``.
    """
    if facts[SUPPLIED]:  # cards may come from elsewhere
        return UNBOUND
    stance, kinds = facts[STANCES] + STANCE * number, facts[KINDS]
    while True:
        if is_over(stance, facts):
            return worth_at(stance, facts)
        block = facts[stance + BLOCK]
        if block == -1:
            return UNBOUND
        if facts[stance + LOOKING] <= 0:
            break
        if facts[stance + LOOKING] == PICKING:
            return UNBOUND
        fixed = -1
        if facts[KEEPS] or facts[block + 4]:
            once, twice = once | below, twice | below
        stance = facts[STANCES] + STANCE * facts[block + 1]
    waits, best = facts[stance + WAITS], NONE
    for place in range(block + 1, block + 1 + facts[block]):
        acting = facts[facts[STANCES] + STANCE * facts[place] + BLOCK]
        if acting == -1:
            return UNBOUND
        plays = acting + 1 + facts[acting]
        for kind in range(-1 if waits else 0, kinds):
            if kind >= 0 and not (below if waits else once) >> kind & 1:
                continue
            left = once if waits or twice >> kind & 1 else once & ~(1 << kind)
            play = facts[plays + 2 + kind]
            for end in range(play + 3, play + 6 + 3 * facts[play + 2], 3):
                hands = left | below if facts[end + 2] else left
                cards = -1 if waits or facts[play + 2] > 1 else fixed
                best = max(best, most_last(facts[end], hands, below, cards, loose, facts))
                if best == UNBOUND:
                    return best
    return best


def is_beaten(most: int, size: int, best: int, best_high: int, facts: Ints) -> bool:
    """Return whether a deck worth so much at most is worth no more than the best so far."""
    if most == UNBOUND or best < 0:
        return False
    orders = facts[ORDERS] + 2 * size
    low = facts[orders] * max(most, 0)
    return not exceeds(low & LOW, facts[orders + 1] * max(most, 0) + (low >> BASE_BITS), best, best_high)


def most_after(play: int, once: int, twice: int, deck: int, size: int, facts: Ints) -> int:
    """Return what two last turns are worth at most after a play with what is left of the hand, whatever pays for it."""
    below, first, ends = kinds_of(deck, 1, facts), play + 3, facts[play + 2] + 1
    if facts[play + 1] > size:
        first, ends = first + 3 * facts[play + 2], 1
    best = NONE
    for end in range(first, first + 3 * ends, 3):
        drawn = facts[end + 2] > 0
        fixed = -1 if drawn or facts[play + 1] or ends > 2 else deck
        more = below if drawn else 0
        best = max(best, most_of_two(facts[end], once | more, twice | more, below, fixed, 0, facts))
    return best
