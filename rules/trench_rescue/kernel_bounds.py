"""Proved bounds over packed positions: those of ``duel_bounds``, as plain functions that a compiler can take over.

The arguments are there, and tests hold both against each other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rules.core.contest_kernel import CASES
from rules.core.wide import Ints
from rules.trench_rescue.kernel_facts import (
    ANYWHERE,
    BITS,
    CARD_MASK,
    CARDS,
    CARRIED,
    CELLS,
    COLOUR,
    DEEP,
    DOWN,
    FIELD,
    FRESH_BIT,
    HOME,
    LIMIT,
    MOST_CARDS,
    MOVED_BIT,
    MOVER_BIT,
    PER_WORD,
    PILE,
    RESCUES,
    SHELLED,
    SHELLS_BIT,
    SIZE,
    STARTER,
    STEPS,
    TRENCH,
    TURN_BIT,
    VALUE,
    WAYS,
)
from rules.trench_rescue.kernel_moves import HEIGHT, LOAD, OTHER_WORK, TOP, emptied
from rules.trench_rescue.kernel_walk import fallen_for

CROWD: Final = 99
"""More soldiers than can ever stand together, so that distance does not matter."""

# Places of ``work``

READY: Final = OTHER_WORK
"""By cell the soldiers of one side who can still move;"""
FALL: Final = READY + 16
"""by barrage to come the shells that fall at most;"""
SUMMED: Final = FALL + 16
"""what ``surely`` returns besides its value;"""
COUNTED: Final = SUMMED + 4
"""by colour how many are out, lie or are carried, and are at home, and in how many cells cards lie;"""
LIE: Final = COUNTED + 8
"""those cells;"""
MEN: Final = LIE + 16
"""by colour the soldiers who are out, with their cells."""
EACH: Final = 2 * MOST_CARDS


def half_turns(meta: int, colour: int, facts: Ints) -> int:
    """Return the half-turns with rescues that a player has left, one under way included."""
    mover = (meta >> MOVER_BIT) & 1
    over = (meta & SHELLED) if colour == mover else int(mover != facts[STARTER])
    return max(0, facts[LIMIT] - ((meta >> TURN_BIT) & 255) + 1 - over)


def barrages(meta: int, colour: int, left: int, home: int, lying: int, facts: Ints, work: Ints) -> int:
    """Write at most how many shells fall in each barrage to come; return how many come before the next half-turn."""
    other = 1 - colour
    mover = (meta >> MOVER_BIT) & 1
    shelled = meta & SHELLED
    waits = int(not shelled and mover != colour and mover != facts[STARTER])
    acted = 0 if not shelled and mover == colour and mover != facts[STARTER] else 1
    for place in range(waits + facts[SIZE]):
        over = 0 if place < waits else 1 + place - waits
        there = 0
        for man in range(work[COUNTED + colour]):
            away = facts[HOME + 16 * colour + work[MEN + EACH * colour + 2 * man + 1]]
            there += away + 1 > over
        if left:
            there += work[COUNTED + other]
        else:
            for man in range(work[COUNTED + other]):
                there += facts[HOME + 16 * other + work[MEN + EACH * other + 2 * man + 1]] > acted
        if left:
            if acted:
                there += home
            if acted > 1 and left > 1:
                there += lying
        work[FALL + place] = fallen_for(there, facts)
        acted += 1
    return waits


def surely(meta: int, colour: int, waits: int, facts: Ints, work: Ints) -> int:
    """Return what a side's soldiers on the field are sure to bring home, themselves included.

    Writes the cards that shells may leave lying on the way, and the cell whose top card is taken along, or -1.
    """
    grain = facts[CASES]
    shelled = meta & SHELLED
    shells = (meta >> SHELLS_BIT) & 15
    moved = (meta >> MOVED_BIT) & CARD_MASK
    fresh = (meta >> FRESH_BIT) & CARD_MASK
    left = half_turns(meta, colour, facts)
    acting = not shelled and colour == (meta >> MOVER_BIT) & 1
    down = facts[DOWN + colour]
    sure = lost = 0
    taken = -1
    for man in range(work[COUNTED + colour]):
        card, cell = work[MEN + EACH * colour + 2 * man], work[MEN + EACH * colour + 2 * man + 1]
        load = work[LOAD + card]
        late = int(acting and (moved >> card) & 1)
        stays = waits + late
        away = facts[HOME + 16 * colour + cell]
        falls = shells if shelled else 0
        for place in range(stays):
            falls += work[FALL + place]
        risk = facts[WAYS + cell] * falls
        for step in range(away - 1):
            risk += facts[WAYS + cell + (step + 1) * down] * work[FALL + stays + step]
        risk = min(risk, grain)
        worth = 1
        if away + late <= left:
            if load < 0:
                top = work[TOP + cell]
                free = acting and not late and taken < 0 and top >= 0 and not (fresh >> top) & 1
                if free and (facts[COLOUR + top] == colour or facts[VALUE + top] <= facts[VALUE + card]):
                    worth = 2
                    taken = cell
            elif facts[COLOUR + load] == colour or facts[VALUE + load] <= facts[VALUE + card]:
                worth = 2
            else:
                lost += grain
        sure += worth * (grain - risk)
        lost += risk * (1 if load < 0 and taken != cell else 2)
    work[SUMMED] = lost
    work[SUMMED + 1] = taken
    return sure


def fetched(meta: int, colour: int, taken: int, home: int, facts: Ints, work: Ints) -> int:
    """Return how many of the cards that now lie on the field a side can bring home at most.

    The enemy takes the top card of the cell ``taken`` along.
    """
    left = half_turns(meta, colour, facts)
    if not left:
        return 0
    moved = (meta >> MOVED_BIT) & CARD_MASK
    acting = not meta & SHELLED and colour == (meta >> MOVER_BIT) & 1
    out = work[COUNTED + colour]
    for cell in range(facts[CELLS]):
        work[READY + cell] = -1
    for man in range(out):
        card, cell = work[MEN + EACH * colour + 2 * man], work[MEN + EACH * colour + 2 * man + 1]
        if not (acting and (moved >> card) & 1):
            work[READY + cell] = max(work[READY + cell], 0) + 1
    crowd = out + home if left <= 3 else CROWD
    far = (left - 1) * crowd
    hands = facts[RESCUES + left] * home if left > 1 else 0
    found = 0
    for man in range(out):
        card, cell = work[MEN + EACH * colour + 2 * man], work[MEN + EACH * colour + 2 * man + 1]
        here = 0 if acting and (moved >> card) & 1 else work[READY + cell]
        load = work[LOAD + card]
        away = facts[HOME + 16 * colour + cell]
        if left == 1 and (here <= 0 or away > here or (load < 0 and work[HEIGHT + cell] == 0)):
            continue
        needs = 1 if away <= here else 2
        if needs <= left:
            hands += 1 + 2 * facts[RESCUES + left - needs]
        if load >= 0 and away <= here + far:
            found += 1
    if not hands:
        return 0
    for place in range(work[COUNTED + 6]):
        cell = work[LIE + place]
        count = work[HEIGHT + cell] - (cell == taken)
        if count <= 0:
            continue
        away = facts[HOME + 16 * colour + cell]
        near = work[READY + cell] >= 0 and away <= work[READY + cell] + far
        if not near and left > 1 and away <= far:
            near = home > 0 and away - 1 <= far - crowd
            for man in range(out):
                if near:
                    break
                there = work[MEN + EACH * colour + 2 * man + 1]
                near = facts[STEPS + 16 * there + cell] <= max(work[READY + there], 0) + far - crowd
        if near:
            found += count
    return min(hands, found)


def bounded(x: int, y: int, z: int, meta: int, facts: Ints, work: Ints) -> tuple[int, int]:
    """Return proved bounds of black's lead from here on, in parts of the number of equally likely cells."""
    emptied(facts, work)
    cards = facts[CARDS]
    for place in range(8):
        work[COUNTED + place] = 0
    rest = x
    for card in range(cards):
        if card == PER_WORD:
            rest = y
        elif card == 2 * PER_WORD:
            rest = z
        place = rest & ANYWHERE
        rest >>= BITS
        if place <= TRENCH:
            if place == TRENCH:
                work[COUNTED + 4 + facts[COLOUR + card]] += 1
        elif place >= PILE:
            cell = (place - PILE) // DEEP
            high = place - PILE - DEEP * cell + 1
            if work[HEIGHT + cell] == 0:
                work[LIE + work[COUNTED + 6]] = cell
                work[COUNTED + 6] += 1
            if high > work[HEIGHT + cell]:
                work[HEIGHT + cell] = high
                work[TOP + cell] = card
            work[COUNTED + 2 + facts[COLOUR + card]] += 1
        elif place >= FIELD:
            colour = facts[COLOUR + card]
            man = MEN + EACH * colour + 2 * work[COUNTED + colour]
            work[man], work[man + 1] = card, place - FIELD
            work[COUNTED + colour] += 1
        elif place >= CARRIED:
            work[LOAD + place - CARRIED] = card
            work[COUNTED + 2 + facts[COLOUR + card]] += 1
    black_out, red_out = work[COUNTED], work[COUNTED + 1]
    black_lying, red_lying = work[COUNTED + 2], work[COUNTED + 3]
    black_home, red_home = work[COUNTED + 4], work[COUNTED + 5]
    grain = facts[CASES]
    left = half_turns(meta, 1, facts)
    waits = barrages(meta, 0, left, red_home, red_lying, facts, work)
    black_sure = surely(meta, 0, waits, facts, work)
    lost = work[SUMMED] if left else 0
    red_most = grain * (red_out + fetched(meta, 1, work[SUMMED + 1], red_home, facts, work)) + lost
    left = half_turns(meta, 0, facts)
    waits = barrages(meta, 1, left, black_home, black_lying, facts, work)
    red_sure = surely(meta, 1, waits, facts, work)
    lost = work[SUMMED] if left else 0
    black_most = grain * (black_out + fetched(meta, 0, work[SUMMED + 1], black_home, facts, work)) + lost
    return black_sure - red_most, black_most - red_sure


FUNCTIONS: Final[tuple[Callable[..., Any], ...]] = (half_turns, barrages, surely, fetched, bounded)
