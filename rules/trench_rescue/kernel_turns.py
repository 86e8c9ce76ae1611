"""Half-turns, barrages and the last turn over packed positions, as plain functions that a compiler can take over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rules.core.contest_kernel import (
    BEYOND_FORM,
    CASES,
    CHANCES,
    ENTRY,
    EXTRA,
    FIRST_ENTRY,
    GAIN,
    HINT,
    HOW_MANY,
    OTHERS,
    STOP,
    UNIT,
)
from rules.core.wide import Ints, less
from rules.trench_rescue.kernel_ends import listed
from rules.trench_rescue.kernel_facts import (
    CARD_MASK,
    CARDS,
    CARRIED,
    CELLS,
    COLOUR,
    DEEP,
    FIELD,
    FRESH_BIT,
    HOME,
    LAST_FALLS,
    LIMIT,
    MOVED_BIT,
    MOVER_BIT,
    PILE,
    SHELLED,
    SHELLS_BIT,
    STARTER,
    TRENCH,
    TURN_BIT,
    WAYS,
)
from rules.trench_rescue.kernel_moves import (
    ASKS_DRAWS,
    ASKS_FIRST,
    ASKS_KEEPS,
    ASKS_SECOND,
    HEIGHT,
    HOME_BIT,
    MADE,
    OTHER_WORK,
    PLACE,
    WANTED_BIT,
    packed,
    unpacked,
)
from rules.trench_rescue.kernel_walk import BARRAGE, MOST_IN_CELL, crowd, fallen_for, walked

MINE: Final = OTHER_WORK


def is_chance(meta: int) -> bool:
    """Return whether chance decides next."""
    return meta & SHELLED != 0


def mover_of(meta: int) -> int:
    """Return who decides next, or who has moved last."""
    return (meta >> MOVER_BIT) & 1


def half_turns_gone(meta: int, facts: Ints) -> int:
    """Return the half-turns that are over since the game began."""
    return 2 * (((meta >> TURN_BIT) & 255) - 1) + ((meta >> MOVER_BIT) & 1 != facts[STARTER])


def guessed(x: int, y: int, z: int, facts: Ints, work: Ints) -> int:
    """Return black's lead as if everybody on the field came home."""
    unpacked(x, y, z, facts, work, PLACE)
    lead = 0
    for card in range(facts[CARDS]):
        if FIELD <= work[PLACE + card] < PILE:
            lead += 1 - 2 * facts[COLOUR + card]
    return lead


def is_leaf(meta: int, facts: Ints) -> bool:
    """Return whether all that is left is the last turn, see ``last_turn``."""
    return (meta >> TURN_BIT) & 255 >= facts[LIMIT]


def asked_ends(
    x: int, y: int, z: int, meta: int, facts: Ints, work: Ints, lists: Ints, entries: Ints, notes: Ints
) -> int:
    """Return the list of the ends of a half-turn, or -1; writes what is the enemy's, to be put to each of them."""
    mover = (meta >> MOVER_BIT) & 1
    turn = (meta >> TURN_BIT) & 255
    unpacked(x, y, z, facts, work, PLACE)
    others = 0
    for card in range(facts[CARDS]):
        place = work[PLACE + card]
        soldier = place - CARRIED
        if place >= PILE:
            mine = True
        elif place >= FIELD:
            mine = facts[COLOUR + card] == mover
            others += not mine
        elif place >= CARRIED:
            mine = facts[COLOUR + soldier] == mover
        else:
            mine = place != TRENCH or facts[COLOUR + card] == mover
        work[MADE + card] = 0 if mine else place
        if not mine:
            work[PLACE + card] = 0
    a, b, c = packed(facts, work, MADE)
    work[OTHERS], work[OTHERS + 1], work[OTHERS + 2], work[OTHERS + 3] = a, b, c, others
    left = facts[LIMIT] - turn
    asks = mover
    if left > 1:
        asks |= ASKS_DRAWS
    # Whose turn comes next keeps a deck that is good for three half-turns more.
    second = mover != facts[STARTER]
    for colour in range(2):
        gone_by = 1 if colour == mover or second else 0
        if left + 1 - gone_by > 2:
            asks |= ASKS_KEEPS << colour
    moved = (meta >> MOVED_BIT) & CARD_MASK
    fresh = (meta >> FRESH_BIT) & CARD_MASK
    x, y, z = packed(facts, work, PLACE)
    return listed(x, y, z, moved | fresh << 24, asks, facts, work, lists, entries, notes)


def after_ends(meta: int, facts: Ints) -> int:
    """Return the fourth word after a half-turn, but for the shells."""
    mover = (meta >> MOVER_BIT) & 1
    turn = (meta >> TURN_BIT) & 255
    if mover == facts[STARTER]:
        return ((1 - mover) << MOVER_BIT) | (turn << TURN_BIT)
    return SHELLED | (mover << MOVER_BIT) | (turn << TURN_BIT)


def shelled_for(after: int, soldiers: int, facts: Ints) -> int:
    """Return the fourth word with the shells that fall for so many soldiers, the next turn where none does."""
    if not after & SHELLED:
        return after
    shells = fallen_for(soldiers, facts)
    if shells:
        return after | (shells << SHELLS_BIT)
    return (facts[STARTER] << MOVER_BIT) | (((after >> TURN_BIT) & 255) + 1 << TURN_BIT)


def chances(x: int, y: int, z: int, facts: Ints, work: Ints) -> int:
    """Write the cells in which a shell hits somebody, and -1 for all others; return how many there are."""
    unpacked(x, y, z, facts, work, PLACE)
    seen = 0
    count = 0
    missing = facts[CASES]
    for card in range(facts[CARDS]):
        cell = work[PLACE + card] - FIELD
        if 0 <= cell < PILE - FIELD and not (seen >> cell) & 1:
            seen |= 1 << cell
            work[CHANCES + 2 * count] = cell
            work[CHANCES + 2 * count + 1] = facts[WAYS + cell]
            missing -= facts[WAYS + cell]
            count += 1
    if missing:
        work[CHANCES + 2 * count] = -1
        work[CHANCES + 2 * count + 1] = missing
        count += 1
    return count


def after_chance(
    x: int, y: int, z: int, meta: int, cell: int, facts: Ints, work: Ints, notes: Ints
) -> tuple[int, int, int, int]:
    """Return the position after a shell in a cell, or anywhere else where that is -1 (6.5, 6.6)."""
    shells = ((meta >> SHELLS_BIT) & 15) - 1
    unpacked(x, y, z, facts, work, PLACE)
    cards = facts[CARDS]
    out = 0
    if cell >= 0:
        high = 0
        for card in range(cards):
            if work[PLACE + card] >= PILE and (work[PLACE + card] - PILE) // DEEP == cell:
                high += 1
        # Carried cards first, in the order of their carriers, then the soldiers.
        for card in range(cards):
            if work[PLACE + card] == FIELD + cell:
                for load in range(cards):
                    if work[PLACE + load] == CARRIED + card:
                        work[PLACE + load] = PILE + DEEP * cell + min(high, DEEP - 1)
                        high += 1
        for card in range(cards):
            if work[PLACE + card] == FIELD + cell:
                work[PLACE + card] = PILE + DEEP * cell + min(high, DEEP - 1)
                high += 1
        if high > DEEP:
            notes[STOP] = BEYOND_FORM
    for card in range(cards):
        out += FIELD <= work[PLACE + card] < PILE
    if shells and out:
        after = meta - (1 << SHELLS_BIT)
    else:
        after = (facts[STARTER] << MOVER_BIT) | (((meta >> TURN_BIT) & 255) + 1 << TURN_BIT)
    x, y, z = packed(facts, work, PLACE)
    return x, y, z, after


def last_turn(
    x: int,
    y: int,
    z: int,
    meta: int,
    alpha_a: int,
    alpha_b: int,
    beta_a: int,
    beta_b: int,
    facts: Ints,
    work: Ints,
    lists: Ints,
    entries: Ints,
    walks: Ints,
    notes: Ints,
) -> tuple[int, int]:
    """Return the value of the last turn from its beginning on, black's lead; nothing of worth where tables are full.

    It is exact between ``alpha`` and ``beta``, else a bound on that side.
    """
    mover = (meta >> MOVER_BIT) & 1
    enemy = 1 - mover
    cards, unit = facts[CARDS], facts[UNIT]
    unpacked(x, y, z, facts, work, PLACE)
    for cell in range(facts[CELLS]):
        work[HEIGHT + cell] = 0
    for card in range(cards):
        cell = work[PLACE + card] - FIELD
        if 0 <= cell < PILE - FIELD and facts[COLOUR + card] == enemy:
            work[HEIGHT + cell] += 1
    wanted = own_cells = 0
    for cell in range(facts[CELLS]):
        if work[HEIGHT + cell] and facts[HOME + 16 * enemy + cell] <= work[HEIGHT + cell]:
            wanted |= 1 << cell
    for card in range(cards):
        cell = work[PLACE + card] - FIELD
        if 0 <= cell < PILE - FIELD and facts[COLOUR + card] == mover:
            own_cells |= 1 << cell
    # What is the enemy's, and what of all the rest still matters to the player to move.
    home = away = 0
    for card in range(cards):
        place = work[PLACE + card]
        mine = theirs = 0
        if place >= PILE:
            if ((wanted | own_cells) >> ((place - PILE) // DEEP)) & 1:
                mine = place
        elif place == TRENCH:
            home += facts[COLOUR + card] == mover
            away += facts[COLOUR + card] == enemy
        elif place >= FIELD:
            if facts[COLOUR + card] == mover:
                mine = place
            else:
                theirs = place
        elif place >= CARRIED:
            if facts[COLOUR + place - CARRIED] == mover:
                mine = place
            elif (wanted >> (work[PLACE + place - CARRIED] - FIELD)) & 1:
                theirs = place
        work[MADE + card] = theirs
        # Carriers come later too, and are looked at where they stand.
        work[MINE + card] = mine
    e, f, g = packed(facts, work, MADE)
    x, y, z = packed(facts, work, MINE)
    if max(home, away) > MOST_IN_CELL:
        notes[STOP] = BEYOND_FORM
        return 0, 0
    asks = mover | ASKS_FIRST | wanted << WANTED_BIT | home << HOME_BIT
    answer = enemy | ASKS_SECOND | away << HOME_BIT
    first = listed(x, y, z, 0, asks, facts, work, lists, entries, notes)
    if first < 0:
        return 0, 0
    best_a, best_b = 0, 0
    best = -1
    # What the player to move has for sure: nothing better than this end counts.
    if mover == 0:
        floor_a, floor_b, ceil_a, ceil_b = alpha_a, alpha_b, beta_a, beta_b
    else:
        floor_a, floor_b, ceil_a, ceil_b = beta_a, beta_b, alpha_a, alpha_b
    answers = -1
    last_x = last_y = last_z = -1
    begun, count, hint = lists[first + FIRST_ENTRY], lists[first + HOW_MANY], lists[first + HINT]
    for each in range(-1, count):
        if each == hint:
            continue
        place = hint if each < 0 else each
        at = ENTRY * (begun + place)
        if entries[at] != last_x or entries[at + 1] != last_y or entries[at + 2] != last_z:
            last_x, last_y, last_z = entries[at], entries[at + 1], entries[at + 2]
            answers = listed(last_x | e, last_y | f, last_z | g, 0, answer, facts, work, lists, entries, notes)
            if answers < 0:
                return 0, 0
        lead, own = entries[at + GAIN], entries[at + EXTRA]
        worst_a, worst_b = 0, 0
        worst = -1
        replies, many, killer = lists[answers + FIRST_ENTRY], lists[answers + HOW_MANY], lists[answers + HINT]
        for reply in range(-1, many):
            if reply == killer:
                continue
            where = killer if reply < 0 else reply
            there = ENTRY * (replies + where)
            others = entries[there + EXTRA]
            shells = fallen_for(crowd(own) + crowd(others), facts) if facts[LAST_FALLS] else 0
            if mover == 0:
                a, b = walked(BARRAGE + shells, own, 0, others, facts, walks, notes)
            else:
                a, b = walked(BARRAGE + shells, others, 0, own, facts, walks, notes)
            a += (lead + entries[there + GAIN]) * unit
            if worst < 0 or (less(a, b, worst_a, worst_b) if mover == 0 else less(worst_a, worst_b, a, b)):
                worst_a, worst_b, worst = a, b, where
                if mover == 0:
                    refuted = not less(floor_a, floor_b, a, b)
                else:
                    refuted = not less(a, b, floor_a, floor_b)
                if refuted:
                    lists[answers + HINT] = where
                    break
        if best < 0 or (
            less(best_a, best_b, worst_a, worst_b) if mover == 0 else less(worst_a, worst_b, best_a, best_b)
        ):
            best_a, best_b, best = worst_a, worst_b, place
            if mover == 0:
                if less(floor_a, floor_b, best_a, best_b):
                    floor_a, floor_b = best_a, best_b
                enough = not less(floor_a, floor_b, ceil_a, ceil_b)
            else:
                if less(best_a, best_b, floor_a, floor_b):
                    floor_a, floor_b = best_a, best_b
                enough = not less(ceil_a, ceil_b, floor_a, floor_b)
            if enough:
                break
    lists[first + HINT] = best
    return best_a, best_b


FUNCTIONS: Final[tuple[Callable[..., Any], ...]] = (
    is_chance,
    mover_of,
    half_turns_gone,
    guessed,
    is_leaf,
    asked_ends,
    after_ends,
    shelled_for,
    chances,
    after_chance,
    last_turn,
)
