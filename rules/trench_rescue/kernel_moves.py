"""What can be made of a half-turn over packed positions, as plain functions that a compiler can take over unchanged.

The same as ``duel_moves`` and ``duel_form`` say over tuples (4.1 to 4.3, 5); tests hold both against each other. The
ends of a half-turn hang on the own soldiers and on what lies about, so that they are listed once for all positions of
the enemy: the *question* is a position without the enemy's soldiers, what they carry, and the enemy's trench.

In the last turn most of it does not matter any more, see ``duel_last``: of the first half only where the own soldiers
are and what lies in cells from which the enemy can come home, of the second only where the soldiers are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rules.core.contest_kernel import (
    BEYOND_FORM,
    OWN_WORK,
    STAMP,
    STOP,
    mixed,
)
from rules.core.wide import Ints
from rules.trench_rescue.kernel_facts import (
    ANYWHERE,
    BITS,
    CARDS,
    CARRIED,
    CELLS,
    COLOUR,
    DECK,
    DEEP,
    FIELD,
    GONE,
    HOME,
    PER_WORD,
    PILE,
    RESCUE,
    STEPS,
    TO_DECK,
    TO_TRENCH,
    TRENCH,
    VALUE,
)
from rules.trench_rescue.kernel_walk import MOST_IN_CELL

# The fifth word of a question

ASKS_DRAWS: Final = 2
"""Whether the player to move may draw; the lowest bit is the player;"""
ASKS_KEEPS: Final = 4
"""whether black's deck still matters afterwards, and, one bit higher, red's;"""
ASKS_FIRST: Final = 16
"""for the first half of the last turn, where the next 16 bits are the cells from which the enemy can come home;"""
ASKS_SECOND: Final = 32
"""for the second half."""
WANTED_BIT: Final = 6
HOME_BIT: Final = 22
"""In the last turn soldiers who wait at home are no part of the position: only how many they are matters."""

# Places of ``work``

PLACE: Final = OWN_WORK
MADE: Final = PLACE + 24
HEIGHT: Final = MADE + 24
TOP: Final = HEIGHT + 16
LOAD: Final = TOP + 16
GROUP: Final = LOAD + 24
UNMOVED: Final = GROUP + 8
BEGUN: Final = UNMOVED + 24
COMING: Final = BEGUN + 8
"""Ways to come out in the last turn: cells, and how many do so."""
MOST_COMING: Final = 512
OTHER_WORK: Final = COMING + 2 * MOST_COMING
ACTED: Final = 1 << 22
"""Bit of who has moved that says that something else was done than coming out."""
MIDDLES: Final = OTHER_WORK + 192
"""Middles of a half-turn: three words, who has moved and what is fresh, and the lead;"""
MIDDLE: Final = 5
MOST_MIDDLES: Final = 1 << 16
SLOTS: Final = MIDDLES + MIDDLE * MOST_MIDDLES
"""their places, each with the stamp of the question."""
MOST_SLOTS: Final = 1 << 18
WORK: Final = SLOTS + MOST_SLOTS


def unpacked(x: int, y: int, z: int, facts: Ints, work: Ints, base: int) -> None:
    """Write where every card is."""
    for card in range(facts[CARDS]):
        if card < PER_WORD:
            work[base + card] = x & ANYWHERE
            x >>= BITS
        elif card < 2 * PER_WORD:
            work[base + card] = y & ANYWHERE
            y >>= BITS
        else:
            work[base + card] = z & ANYWHERE
            z >>= BITS


def packed(facts: Ints, work: Ints, base: int) -> tuple[int, int, int]:
    """Return the three words of where every card is."""
    x = y = z = 0
    for card in range(facts[CARDS]):
        if card < PER_WORD:
            x |= work[base + card] << (BITS * card)
        elif card < 2 * PER_WORD:
            y |= work[base + card] << (BITS * (card - PER_WORD))
        else:
            z |= work[base + card] << (BITS * (card - 2 * PER_WORD))
    return x, y, z


def emptied(facts: Ints, work: Ints) -> None:
    """Begin a look at all cards: nothing lies in any cell, nobody carries anything."""
    for cell in range(facts[CELLS]):
        work[HEIGHT + cell] = 0
        work[TOP + cell] = -1
    for card in range(facts[CARDS]):
        work[LOAD + card] = -1


def pushed(moved: int, lead: int, asks: int, facts: Ints, work: Ints, notes: Ints, count: int) -> int:
    """Add the middle that was made unless it is there; return how many there are."""
    mover = asks & 1
    if asks & (ASKS_FIRST | ASKS_SECOND):
        # Without what cannot be rescued any more: see ``DuelLast._simple``.
        kept = (asks >> WANTED_BIT) & 0xFFFF
        wanted = kept
        for card in range(facts[CARDS]):
            place = work[MADE + card]
            if FIELD <= place < PILE and facts[COLOUR + card] == mover and not (moved >> card) & 1:
                kept |= 1 << (place - FIELD)
        for card in range(facts[CARDS]):
            place = work[MADE + card]
            if place >= PILE:
                if not (kept >> ((place - PILE) // DEEP)) & 1:
                    work[MADE + card] = GONE
                    moved &= ~(1 << (card + 24))
            elif CARRIED <= place < FIELD:
                man = place - CARRIED
                if (moved >> man) & 1 and not (wanted >> (work[MADE + man] - FIELD)) & 1:
                    work[MADE + card] = GONE
            elif DECK <= place < CARRIED or place == TRENCH:
                work[MADE + card] = GONE
                moved &= ~(1 << card)
    x, y, z = packed(facts, work, MADE)
    # Once all that matters is who stands where, the lead of equal middles may differ.
    slot = mixed(x, y, z, moved + lead) & (MOST_SLOTS - 1)
    stamp = notes[STAMP] << 20
    while work[SLOTS + slot] >= stamp:
        at = MIDDLES + MIDDLE * (work[SLOTS + slot] - stamp)
        if work[at] == x and work[at + 1] == y and work[at + 2] == z and work[at + 3] == moved and work[at + 4] == lead:
            return count
        slot = (slot + 1) & (MOST_SLOTS - 1)
    if count >= MOST_MIDDLES:
        notes[STOP] = BEYOND_FORM
        return count
    work[SLOTS + slot] = stamp + count
    at = MIDDLES + MIDDLE * count
    work[at], work[at + 1], work[at + 2], work[at + 3], work[at + 4] = x, y, z, moved, lead
    return count + 1


def copied(facts: Ints, work: Ints) -> None:
    """Begin to make a middle out of the one at hand."""
    for card in range(facts[CARDS]):
        work[MADE + card] = work[PLACE + card]


def deep(owner: int, facts: Ints, work: Ints) -> int:
    """Return the number of cards in a deck of the middle that is made."""
    count = 0
    for card in range(facts[CARDS]):
        if facts[COLOUR + card] == owner and DECK <= work[MADE + card] < CARRIED:
            count += 1
    return count


def rescued(mover: int, load: int, best: int, facts: Ints, work: Ints) -> int:
    """Decide what a card brought home becomes (5).

    Return by how much the lead grows, plus one, and four more if the card has come into the trench and has moved.
    """
    owner = facts[COLOUR + load]
    sign = 1 - 2 * mover
    place = facts[RESCUE + 2 * (owner == mover) + (facts[VALUE + load] <= best)]
    if place == TO_TRENCH:
        work[MADE + load] = TRENCH
        return 5 + sign
    if place == TO_DECK:
        work[MADE + load] = DECK + deep(owner, facts, work)
        return 2 - 2 * owner
    work[MADE + load] = GONE
    return 1 + sign


def gone(
    cell: int, chosen: int, moved: int, lead: int, asks: int, facts: Ints, work: Ints, notes: Ints, count: int
) -> int:
    """Add where a soldier or a stack may go, with and without the top card of its cell (4.2).

    ``chosen`` are those of the soldiers in ``GROUP`` who go.
    """
    mover = asks & 1
    sign = 1 - 2 * mover
    size = best = 0
    last = load = -1
    now = moved
    for place in range(8):
        if (chosen >> place) & 1:
            card = work[GROUP + place]
            size += 1
            last = card
            best = max(best, facts[VALUE + card])
            now |= 1 << card
            if work[LOAD + card] >= 0:
                if load >= 0:
                    return count
                load = work[LOAD + card]
    top = work[TOP + cell]
    takes = load < 0 and top >= 0 and not (moved >> (top + 24)) & 1
    for take in range(1 + takes):
        taken = top if take else load
        for there in range(-1, facts[CELLS]):
            if there < 0:
                if facts[HOME + 16 * mover + cell] > size:
                    continue
            elif there == cell or facts[STEPS + 16 * cell + there] > size:
                continue
            copied(facts, work)
            for place in range(8):
                if (chosen >> place) & 1:
                    work[MADE + work[GROUP + place]] = TRENCH if there < 0 else FIELD + there
            after, gained = now, 0
            if there < 0:
                gained = sign * size
                if taken >= 0:
                    came = rescued(mover, taken, best, facts, work)
                    if came >= 4:
                        came -= 4
                        after |= 1 << taken
                    gained += came - 1
            elif taken >= 0:
                work[MADE + taken] = CARRIED + last
            count = pushed(after, lead + gained, asks, facts, work, notes, count)
    return count


def acted(at: int, asks: int, first: int, facts: Ints, work: Ints, notes: Ints, count: int) -> int:
    """Add what one action leads to from a middle; ``first`` is the top and size of the mover's deck at the beginning.

    Drawing later than at the beginning, while the deck is the same, leads to nothing else.
    """
    moved, lead = work[at + 3], work[at + 4]
    mover = asks & 1
    sign = 1 - 2 * mover
    unpacked(work[at], work[at + 1], work[at + 2], facts, work, PLACE)
    emptied(facts, work)
    cards = facts[CARDS]
    deck = out = entered = 0
    top = -1
    for card in range(cards):
        place = work[PLACE + card]
        if place >= PILE:
            cell = (place - PILE) // DEEP
            high = place - PILE - DEEP * cell + 1
            if high > work[HEIGHT + cell]:
                work[HEIGHT + cell] = high
                work[TOP + cell] = card
        elif place >= FIELD:
            entered |= (moved & ~work[BEGUN]) & (1 << card)
        elif place >= CARRIED:
            work[LOAD + place - CARRIED] = card
        elif place >= DECK and facts[COLOUR + card] == mover:
            deck += 1
            if place == DECK:
                top = card
    for card in range(cards):
        place = work[PLACE + card]
        if facts[COLOUR + card] != mover:
            continue
        if place == TRENCH and not (moved >> card) & 1:
            # Who comes out does not change what else can be done: all do so first but for draws, one by one.
            first_out = not moved & ACTED and not entered >> card
            for cell in range(facts[CELLS]):
                if first_out and facts[HOME + 16 * mover + cell] == 1:
                    copied(facts, work)
                    work[MADE + card] = FIELD + cell
                    count = pushed(moved | 1 << card, lead - sign, asks, facts, work, notes, count)
            if asks & ASKS_DRAWS and deck and (at == MIDDLES or 32 * top + deck != first):
                copied(facts, work)
                for other in range(cards):
                    if facts[COLOUR + other] == mover and DECK <= work[PLACE + other] < CARRIED:
                        work[MADE + other] -= 1
                work[MADE + top] = TRENCH
                work[MADE + card] = DECK + deck - 1
                count = pushed(moved | 1 << top, lead, asks, facts, work, notes, count)
        elif FIELD <= place < PILE:
            if not (moved >> card) & 1:
                work[UNMOVED + out] = card
                out += 1
            load = work[LOAD + card]
            cell = place - FIELD
            if load >= 0:
                if work[HEIGHT + cell] >= DEEP:
                    notes[STOP] = BEYOND_FORM
                    return count
                copied(facts, work)
                work[MADE + load] = PILE + DEEP * cell + work[HEIGHT + cell]
                after = moved | ACTED
                if (moved >> card) & 1:
                    after |= 1 << (load + 24)
                count = pushed(after, lead, asks, facts, work, notes, count)
    for man in range(out):
        cell = work[PLACE + work[UNMOVED + man]] - FIELD
        size = 0
        for other in range(out):
            if work[PLACE + work[UNMOVED + other]] - FIELD == cell:
                if other < man:
                    break
                if size == MOST_IN_CELL:
                    notes[STOP] = BEYOND_FORM
                    return count
                work[GROUP + size] = work[UNMOVED + other]
                size += 1
        for chosen in range(1, 1 << size):
            count = gone(cell, chosen, moved | ACTED, lead, asks, facts, work, notes, count)
    return count


FUNCTIONS: Final[tuple[Callable[..., Any], ...]] = (
    unpacked,
    packed,
    emptied,
    pushed,
    copied,
    deep,
    rescued,
    gone,
    acted,
)
