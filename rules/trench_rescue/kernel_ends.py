"""The different ends of half-turns, listed once for all positions of the enemy; compiled like ``kernel_moves``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rules.core.contest_kernel import (
    BEYOND_FORM,
    CROWDED,
    ENTRIES,
    ENTRY,
    EXTRA,
    FIRST_ENTRY,
    GAIN,
    HINT,
    HOW_MANY,
    LIST,
    LISTS,
    SIZE_OF_ENTRIES,
    SIZE_OF_LISTS,
    STAMP,
    STOP,
    mixed,
)
from rules.core.wide import Ints
from rules.trench_rescue.kernel_facts import CARDS, CARRIED, CELLS, COLOUR, DECK, DEEP, FIELD, GONE, HOME, PILE
from rules.trench_rescue.kernel_moves import (
    ASKS_FIRST,
    ASKS_KEEPS,
    ASKS_SECOND,
    BEGUN,
    COMING,
    HOME_BIT,
    MADE,
    MIDDLE,
    MIDDLES,
    MOST_COMING,
    MOST_MIDDLES,
    MOST_SLOTS,
    SLOTS,
    WANTED_BIT,
    acted,
    deep,
    packed,
    pushed,
    unpacked,
)
from rules.trench_rescue.kernel_walk import CELL_BITS, MOST_IN_CELL


def comings(home: int, mover: int, facts: Ints, work: Ints, notes: Ints) -> int:
    """Write the cells that some of those at home can come out to, and how many do; return how many ways there are."""
    work[COMING] = work[COMING + 1] = 0
    count = 1
    begun = 0
    for more in range(home):
        ends = count
        for way in range(begun, ends):
            cells = work[COMING + 2 * way]
            for cell in range(facts[CELLS]):
                # Cells in ascending order, so that every choice comes once.
                if facts[HOME + 16 * mover + cell] == 1 and not cells >> (CELL_BITS * (cell + 1)):
                    if count == MOST_COMING:
                        notes[STOP] = BEYOND_FORM
                        return count
                    work[COMING + 2 * count] = cells + (1 << (CELL_BITS * cell))
                    work[COMING + 2 * count + 1] = more + 1
                    count += 1
        begun = ends
    return count


def crowded(cells: int, others: int) -> bool:
    """Return whether soldiers in some cells and those in others would be too many in one for the bits of it."""
    while others:
        if (cells & MOST_IN_CELL) + (others & MOST_IN_CELL) > MOST_IN_CELL:
            return True
        cells >>= CELL_BITS
        others >>= CELL_BITS
    return False


def ended(count: int, asks: int, begun: int, facts: Ints, work: Ints, entries: Ints, notes: Ints) -> int:
    """Write the different ends of the middles found, of equal ones the best; return how many there are."""
    mover = asks & 1
    sign = 1 - 2 * mover
    last = asks & (ASKS_FIRST | ASKS_SECOND)
    wanted = (asks >> WANTED_BIT) & 0xFFFF
    notes[STAMP] += 1
    stamp = notes[STAMP] << 20
    found = 0
    coming = comings((asks >> HOME_BIT) & 7, mover, facts, work, notes)
    for each in range(count):
        middle = MIDDLES + MIDDLE * each
        unpacked(work[middle], work[middle + 1], work[middle + 2], facts, work, MADE)
        lead = work[middle + 4]
        out = 0
        for card in range(facts[CARDS]):
            place = work[MADE + card]
            owner = facts[COLOUR + card]
            if last:
                if place >= PILE:
                    if not (wanted >> ((place - PILE) // DEEP)) & 1:
                        work[MADE + card] = GONE
                else:
                    if FIELD <= place < PILE and owner == mover:
                        if (out >> (CELL_BITS * (place - FIELD))) & MOST_IN_CELL == MOST_IN_CELL:
                            notes[STOP] = BEYOND_FORM
                            return 0
                        out += 1 << (CELL_BITS * (place - FIELD))
                    work[MADE + card] = GONE
            elif DECK <= place < CARRIED:
                if not asks & (ASKS_KEEPS << owner):
                    work[MADE + card] = GONE
            elif FIELD <= place < PILE:
                out += 1
        x, y, z = packed(facts, work, MADE)
        for way in range(coming):
            cells = work[COMING + 2 * way]
            if crowded(out, cells):
                notes[STOP] = BEYOND_FORM
            come, gain = out + cells, lead - sign * work[COMING + 2 * way + 1]
            slot = mixed(x, y, z, come) & (MOST_SLOTS - 1)
            known = -1
            while work[SLOTS + slot] >= stamp:
                at = ENTRY * (begun + work[SLOTS + slot] - stamp)
                if entries[at] == x and entries[at + 1] == y and entries[at + 2] == z and entries[at + EXTRA] == come:
                    known = at
                    break
                slot = (slot + 1) & (MOST_SLOTS - 1)
            if known >= 0:
                if sign * gain > sign * entries[known + GAIN]:
                    entries[known + GAIN] = gain
                continue
            if found == MOST_MIDDLES or notes[STOP]:
                notes[STOP] = BEYOND_FORM
                return 0
            work[SLOTS + slot] = stamp + found
            at = ENTRY * (begun + found)
            entries[at], entries[at + 1], entries[at + 2] = x, y, z
            entries[at + GAIN], entries[at + EXTRA] = gain, come
            found += 1
    return found


def listed(
    x: int, y: int, z: int, moved: int, asks: int, facts: Ints, work: Ints, lists: Ints, entries: Ints, notes: Ints
) -> int:
    """Return the place in ``lists`` of the ends of a half-turn, or -1 where they find no room.

    ``moved`` holds who has moved and, 24 bits higher, what was put down by who had moved.
    """
    mask = facts[SIZE_OF_LISTS] - 1
    slot = mixed(x, y ^ moved, z, asks) & mask
    while lists[LIST * slot + HOW_MANY]:
        at = LIST * slot
        if (
            lists[at] == x
            and lists[at + 1] == y
            and lists[at + 2] == z
            and lists[at + 3] == moved
            and lists[at + 4] == asks
        ):
            return at
        slot = (slot + 1) & mask
    if 2 * notes[LISTS] > mask or notes[ENTRIES] + MOST_MIDDLES > facts[SIZE_OF_ENTRIES]:
        notes[STOP] = CROWDED
        return -1
    notes[STAMP] += 1
    unpacked(x, y, z, facts, work, MADE)
    count = pushed(moved, 0, asks, facts, work, notes, 0)
    mover = asks & 1
    work[BEGUN] = moved
    first = deep(mover, facts, work)
    for card in range(facts[CARDS]):
        if facts[COLOUR + card] == mover and work[MADE + card] == DECK:
            first += 32 * card
    done = 0
    while done < count:
        count = acted(MIDDLES + MIDDLE * done, asks, first, facts, work, notes, count)
        if notes[STOP]:
            return -1
        done += 1
    at = LIST * slot
    begun = notes[ENTRIES]
    lists[at], lists[at + 1], lists[at + 2], lists[at + 3], lists[at + 4] = x, y, z, moved, asks
    lists[at + FIRST_ENTRY] = begun
    lists[at + HOW_MANY] = ended(count, asks, begun, facts, work, entries, notes)
    lists[at + HINT] = 0
    if notes[STOP]:
        lists[at + HOW_MANY] = 0
        return -1
    notes[LISTS] += 1
    notes[ENTRIES] = begun + lists[at + HOW_MANY]
    return at


FUNCTIONS: Final[tuple[Callable[..., Any], ...]] = (comings, crowded, ended, listed)
