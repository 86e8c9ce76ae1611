"""The walk home over packed cells, as plain functions that a compiler can take over unchanged (6, 7.3).

Soldiers of one side are a number: how many stand in each cell, ``CELL_BITS`` bits a cell. ``duel_walk`` works the same
out over tuples, and tests hold both against each other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rules.core.contest_kernel import BASE, CASES, REMEMBERED, SIZE_OF_MEMORY, UNIT, mixed
from rules.core.wide import Ints, Wide, less, mean
from rules.trench_rescue.kernel_facts import CELLS, DOWN, HOME, MIN_ONE, STARTER, STEPS, WAYS

CELL_BITS: Final = 3
"""Bits for the number of soldiers of one side in one cell."""
MOST_IN_CELL: Final = 7
MEMORY: Final = 4
"""Numbers of a remembered barrage."""
BARRAGE: Final = 2
"""Stages of ``walked``: half-turns of both sides are 0 and 1, barrages this and more, by the shells still to fall."""


def fallen_for(soldiers: int, facts: Ints) -> int:
    """Return the number of shells that fall for so many soldiers on the field (6.2, TR-Q16)."""
    if soldiers == 1:
        return int(facts[MIN_ONE])
    return soldiers // 2


def crowd(code: int) -> int:
    """Return the number of soldiers in all cells."""
    count = 0
    while code:
        count += code & MOST_IN_CELL
        code >>= CELL_BITS
    return count


def walked(stage: int, own: int, moved: int, others: int, facts: Ints, walks: Ints, notes: Ints) -> Wide:
    """Return how many of black's come home less how many of red's, both sides playing for it.

    In a half-turn ``own`` have not moved yet, ``moved`` have; in a barrage ``own`` are black's and ``others`` red's.
    """
    base, unit = facts[BASE], facts[UNIT]
    none = own & 0
    if stage < BARRAGE:
        won = stacked = none
        for cell in range(facts[CELLS]):
            here = (own >> (CELL_BITS * cell)) & MOST_IN_CELL
            if here > 1:
                stacked = cell + 1
            elif here == 1:
                own -= 1 << (CELL_BITS * cell)
                if facts[HOME + 16 * stage + cell] == 1:
                    won += 1
                else:
                    moved += 1 << (CELL_BITS * (cell + facts[DOWN + stage]))
        if stage == 1:
            won = -won
        if stacked == 0:
            if stage == facts[STARTER]:
                a, b = walked(1 - stage, others, none, moved, facts, walks, notes)
            else:
                shells = fallen_for(crowd(moved) + crowd(others), facts)
                if stage == 1:
                    a, b = walked(BARRAGE + shells, others, none, moved, facts, walks, notes)
                else:
                    a, b = walked(BARRAGE + shells, moved, none, others, facts, walks, notes)
            return a + won * unit, b
        cell = stacked - 1
        here = (own >> (CELL_BITS * cell)) & MOST_IN_CELL
        away = facts[HOME + 16 * stage + cell]
        found = 0
        best_a, best_b = 0, 0
        for count in range(1, here + 1):
            left = own - (count << (CELL_BITS * cell))
            for place in range(-1, facts[CELLS]):
                if place < 0:
                    if away > count:
                        continue
                    a, b = walked(stage, left, moved, others, facts, walks, notes)
                    a += count * unit if stage == 0 else -count * unit
                else:
                    if facts[STEPS + 16 * cell + place] > count or facts[HOME + 16 * stage + place] >= away:
                        continue
                    there = moved + (count << (CELL_BITS * place))
                    a, b = walked(stage, left, there, others, facts, walks, notes)
                if found == 0 or (less(best_a, best_b, a, b) if stage == 0 else less(a, b, best_a, best_b)):
                    best_a, best_b = a, b
                    found = 1
        return best_a + won * unit, best_b
    if own == 0 and others == 0:
        return 0, 0
    shells = stage - BARRAGE
    if shells == 0 and facts[MIN_ONE] == 0:
        if own == 0 and crowd(others) == 1:
            return -unit, 0
        if others == 0 and crowd(own) == 1:
            return unit, 0
    mask = facts[SIZE_OF_MEMORY] - 1
    key = own | ((shells + 1) << 48)
    slot = mixed(key, others, 0, 0) & mask
    while walks[MEMORY * slot]:
        if walks[MEMORY * slot] == key and walks[MEMORY * slot + 1] == others:
            return walks[MEMORY * slot + 2], walks[MEMORY * slot + 3]
        slot = (slot + 1) & mask
    if shells == 0:
        if facts[STARTER] == 0:
            a, b = walked(none, own, none, others, facts, walks, notes)
        else:
            a, b = walked(none + 1, others, none, own, facts, walks, notes)
    else:
        sum_a, sum_b, missing = 0, 0, facts[CASES]
        for cell in range(facts[CELLS]):
            hit = MOST_IN_CELL << (CELL_BITS * cell)
            if (own | others) & hit:
                ways = facts[WAYS + cell]
                a, b = walked(stage - 1, own & ~hit, none, others & ~hit, facts, walks, notes)
                sum_a, sum_b = sum_a + ways * a, sum_b + ways * b
                missing -= ways
        if missing:
            a, b = walked(stage - 1, own, none, others, facts, walks, notes)
            sum_a, sum_b = sum_a + missing * a, sum_b + missing * b
        a, b = mean(sum_a, sum_b, facts[CASES], base, notes)
    if 2 * notes[REMEMBERED] > mask:
        # A memory that is full is begun anew: it only saves time.
        for place in range(mask + 1):
            walks[MEMORY * place] = 0
        notes[REMEMBERED] = 0
    slot = mixed(key, others, 0, 0) & mask
    while walks[MEMORY * slot]:
        slot = (slot + 1) & mask
    walks[MEMORY * slot], walks[MEMORY * slot + 1], walks[MEMORY * slot + 2], walks[MEMORY * slot + 3] = (
        key,
        others,
        a,
        b,
    )
    notes[REMEMBERED] += 1
    return a, b


FUNCTIONS: Final[tuple[Callable[..., Any], ...]] = (fallen_for, crowd, walked)
