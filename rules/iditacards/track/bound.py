"""How many turns a race over the track takes at least: a race whose cards cost nothing and come in any order.

The bound of a position is the exact optimum of a simpler race, worked out once for all positions by dynamic programming
from the target backwards. As in ``race.bound``, cards that move are *jumps* if they carry a risk, else *steps*; what
changes the speed or what legs do by being in play are *helpers*. A state of the simpler race is the day, the helpers
in play, jumps left today, jumps waiting, the *budget*, the space, and the conditions. The budget is the number of cards
in hand and deck: whatever is played or comes up as a risk card leaves them, with as many as it costs. A turn is one of

- a step, or the start of a jump while one is left today;
- a helper, which counts from this very turn, even if it carries a risk;
- a relief: a condition falls by one (R21);
- a resolution: one risk card comes up, which may be a step, a helper or a relief, then all waiting jumps land;
- a new day with its real weather, after which nothing waits and all jumps and all cards of the race are there again;
- nothing;

and after each the sled moves by itself. A move may end anywhere on its way. Speeds are the best of all boards whose
helpers are among those in play, what legs do to conditions is the least of them, dogs are not lost.

*Admissible.* Every turn of the race is one of these (R14, R33; a risk card takes effect before the frames below it,
R31, R38), covers at most this distance, and leaves no better state: cards are counted in hand and deck together,
waiting ones in the stack, and a new day gives at most all of them (R61). A card leaves hand and deck when it is played
(R20), with those that pay for its energy and health (R22, R23) under the conditions once it is on the table (R21); for
each part of the simpler race the least that any such card costs is taken, and drawing changes nothing. What cannot be
paid has no effect (R26), which is nothing here. More helpers, jumps and cards never hurt, as every plan for less is
open with more, and lower conditions make every move as long, every entry and every morning as mild, and no card dearer.
Nor does a further space of the same stretch, since a move may end early: where less could be reached, as much
can. (So of all spaces that a move can end on, only the last one of each stretch and the furthest need a look.)

The *coarse* form, for plain Python, has no conditions and all helpers in play from the start, and never runs out of
cards. The *fine* one has them all, conditions up to ``WORST``; cards are counted for exact forms only. The last of
``days`` stands for all that follow: its weather is the best of all, and neither jumps nor cards run out, so no further
new day is needed.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import Any, Final, NamedTuple

from rules.iditacards.track.kernel import DAY_SHIFT, LEVELS, PART, POS_MASK, POS_SHIFT

FAR: Final = 99
"""Turns that stand for more than anybody looks at."""
_STACK: Final = 0
"""Places in the working space: where a turn can be in its moves, three numbers each."""


class Outlook(NamedTuple):
    """What the functions of this module look up."""

    target: int
    first: int
    """Space of the root: nobody goes back."""
    days: int
    groups: int
    """Sets of helpers, as bits."""
    span: int
    """Numbers of jumps: one more than there are."""
    budgets: int
    """Numbers of cards in hand and deck, likewise; 1 where cards are not counted."""
    worst: int
    """Highest condition told apart."""
    levels: int
    """Pairs of conditions, ``hypothermia * (worst + 1) + starvation``."""
    has_steps: int
    sections: int
    section: Sequence[int]
    last: Sequence[int]
    """By section: its last space."""
    speed: Sequence[int]
    """By day, section and group."""
    drag: Sequence[int]
    """By conditions, as pairs here."""
    stuck: Sequence[int]
    entry: Sequence[int]
    """By group, section and section: the least conditions after a move."""
    dawn: Sequence[int]
    """By day, section, group and conditions: the conditions of a new day on its first morning."""
    helper: Sequence[int]
    """Bits of the helpers."""
    relief: int
    """Which conditions cards can lower: 1 for starvation, 2 for hypothermia."""
    jump: int
    """Printed distances."""
    step: int
    automatic: int
    board_group: Sequence[int]
    stack_group: Sequence[int]
    """By stack: the helpers in it, and the jumps."""
    stack_jumps: Sequence[int]
    jumps: Sequence[int]
    """Kinds."""
    jump_cost: Sequence[int]
    """By conditions: cards that leave hand and deck at least; likewise for a step,"""
    step_cost: Sequence[int]
    helper_cost: Sequence[int]
    """by place in ``helper`` and conditions,"""
    relief_cost: Sequence[int]
    """by relief, 1 for starvation and 2 for hypothermia, and conditions, and for any card at all."""
    any_cost: Sequence[int]
    is_coarse: int


def size_of(bound: Any) -> int:
    """Return the number of states."""
    count: int = bound.days * bound.groups * bound.span * bound.span * bound.budgets * bound.target * bound.levels
    return count


def state_of(day: int, group: int, left: int, waiting: int, budget: int, pos: int, levels: int, bound: Any) -> int:
    """Return the number of a state."""
    at = ((day * bound.groups + group) * bound.span + left) * bound.span + waiting
    number: int = ((at * bound.budgets + budget) * bound.target + pos) * bound.levels + levels
    return number


def fill(day: int, bound: Any, least: MutableSequence[int], work: MutableSequence[int]) -> None:
    """Write the fewest turns of every state of a day; those of later days are there."""
    size = len(least) // bound.days
    for at in range(day * size, (day + 1) * size):
        least[at] = FAR  # what a turn that leaves everything as it was leads to
    if day >= 0:
        endless = day == bound.days - 1
        for group in range(bound.groups - 1, -1, -1):
            for pos in range(bound.target - 1, bound.first - 1, -1):
                for left in range(bound.span - 1 if endless else 0, bound.span):
                    for each in range(bound.span if endless else bound.span - left):
                        waiting = bound.span - 1 - each if endless else each
                        for budget in range(bound.budgets - 1 if endless else 0, bound.budgets):
                            for levels in range(bound.levels):
                                at = state_of(day, group, left, waiting, budget, pos, levels, bound)
                                least[at] = _fewest(day, group, left, waiting, budget, pos, levels, bound, least, work)


def _fewest(
    day: int, group: int, left: int, waiting: int, budget: int, pos: int, levels: int, bound: Any, least: Any, work: Any
) -> int:
    """Return the fewest turns of one state; those of all states that it leads to are there."""
    best = FAR - 1
    side = bound.worst + 1
    endless = day == bound.days - 1
    full = bound.budgets - 1
    floor = 0
    if pos + 1 < bound.target and bound.section[pos + 1] == bound.section[pos]:
        # No fewer than one space further on; whatever does it in as few needs no comparison.
        floor = least[state_of(day, group, left, waiting, budget, pos + 1, levels, bound)]
    for landing in range(1 if waiting else 0, -1, -1):
        after = 0 if landing else waiting
        jumps = waiting if landing else 0
        rest = _less(budget, bound.any_cost[levels] if landing else 0, endless, full)
        if rest >= 0:
            best = min(best, _run(day, group, left, after, rest, pos, levels, jumps, -1, bound, least, work))
        if best < floor:
            return best + 1
        for place in range(len(bound.helper)):
            bit = bound.helper[place]
            rest = _less(budget, bound.helper_cost[place * bound.levels + levels], endless, full)
            if group & bit == 0 and rest >= 0:
                best = min(best, _run(day, group | bit, left, after, rest, pos, levels, jumps, -1, bound, least, work))
        if best < floor:
            return best + 1
        rest = _less(budget, bound.step_cost[levels], endless, full)
        if bound.has_steps and rest >= 0:
            best = min(best, _run(day, group, left, after, rest, pos, levels, jumps, bound.step, bound, least, work))
        rest = _less(budget, bound.relief_cost[bound.levels + levels], endless, full)
        if bound.relief & 1 and levels % side and rest >= 0:
            best = min(best, _run(day, group, left, after, rest, pos, levels - 1, jumps, -1, bound, least, work))
        rest = _less(budget, bound.relief_cost[2 * bound.levels + levels], endless, full)
        if bound.relief & 2 and levels >= side and rest >= 0:
            best = min(best, _run(day, group, left, after, rest, pos, levels - side, jumps, -1, bound, least, work))
    if best < floor:
        return best + 1
    rest = _less(budget, bound.jump_cost[levels], endless, full)
    if left and waiting + 1 < bound.span and rest >= 0:
        more = left if endless else left - 1
        best = min(best, _run(day, group, more, waiting + 1, rest, pos, levels, 0, -1, bound, least, work))
    if not endless and best >= floor:
        site = (day + 1) * bound.sections + bound.section[pos]
        dawn = bound.dawn[(site * bound.groups + group) * bound.levels + levels]
        best = min(best, _run(day + 1, group, bound.span - 1, 0, full, pos, dawn, 0, -1, bound, least, work))
    return best + 1


def _less(budget: int, cost: int, endless: bool, full: int) -> int:
    """Return what is left of a budget, below 0 where it is too small."""
    rest = budget - cost
    if endless or full == 0:
        rest = full
    return rest


def _run(
    day: int,
    group: int,
    left: int,
    waiting: int,
    budget: int,
    pos: int,
    levels: int,
    jumps: int,
    step: int,
    bound: Any,
    least: Any,
    work: Any,
) -> int:
    """Return the fewest turns after one with these moves: a step, -1 for none, then jumps, then the sled's own."""
    best = FAR - 1
    moves = jumps + (1 if step >= 0 else 0) + 1
    side = bound.worst + 1
    places = 1
    work[_STACK], work[_STACK + 1], work[_STACK + 2] = pos, levels, 0
    while places:
        places -= 1
        at = _STACK + 3 * places
        here, now, made = work[at], work[at + 1], work[at + 2]
        if made == moves:
            best = min(best, least[state_of(day, group, left, waiting, budget, here, now, bound)])
            continue
        n = bound.jump
        if made == moves - 1:
            n = bound.automatic
        elif made == 0 and step >= 0:
            n = step
        section = bound.section[here]
        distance = n + bound.speed[(day * bound.sections + section) * bound.groups + group] - bound.drag[now]
        if bound.stuck[now] or distance < 0:
            distance = 0
        furthest = here + distance
        if furthest >= bound.target:
            return 0
        last = bound.section[furthest]
        for there in range(section, last + 1):
            to = bound.last[there]
            if there == last:
                to = furthest
            after = now
            if there > section:
                entry = bound.entry[(group * bound.sections + section) * bound.sections + there]
                after = max(now // side, entry // side) * side + max(now % side, entry % side)
            at = _STACK + 3 * places
            work[at], work[at + 1], work[at + 2] = to, after, made + 1
            places += 1
    return best


def outlook(key: int, place: int, tables: Any, bound: Any) -> int:
    """Return the state of a position that has not met the target."""
    day = min(place >> DAY_SHIFT, bound.days - 1)
    pos = (place >> POS_SHIFT) & POS_MASK
    deck = 0
    if place >> DAY_SHIFT:
        deck = ((place >> DAY_SHIFT) - 1) * tables.mixes + 1 + (key >> tables.deck_shift)
    row = deck * tables.row
    stack = (key >> tables.stack_shift) & tables.stack_mask
    board = (key >> tables.board_shift) & tables.board_mask
    taken = (key >> tables.taken_shift) & tables.taken_mask
    cards = (key & tables.hand_mask) + tables.drawn[row + tables.size[deck]] - tables.drawn[row + taken]
    left = 0
    for kind in bound.jumps:
        left += (cards >> tables.shift[kind]) & tables.mask[kind]
    waiting = bound.stack_jumps[stack]
    if day == bound.days - 1:
        left = bound.span - 1
    if bound.is_coarse:
        return state_of(day, 0, left, waiting, 0, pos, 0, bound)
    group = bound.board_group[board] | bound.stack_group[stack]
    levels = min((place >> 3) & 7, bound.worst) * (bound.worst + 1) + min(place & 7, bound.worst)
    budget = bound.budgets - 1
    if day < bound.days - 1:
        budget = count_of(cards, tables)
    return state_of(day, group, left, waiting, budget, pos, levels, bound)


def count_of(cards: int, tables: Any) -> int:
    """Return the number of cards of a packed hand."""
    count = 0
    for part in range(tables.parts):
        count += tables.counts[(part << PART) | (cards & ((1 << PART) - 1))]
        cards >>= PART
    return count


def needs(key: int, place: int, least: Any, tables: Any, bound: Any) -> int:
    """Return the turns that a position needs at least."""
    turns: int = least[outlook(key, place, tables, bound)]
    return turns


def promise(key: int, place: int, least: Any, tables: Any, bound: Any) -> int:
    """Return a guess of how good a position is, for beams; the weights were found by trying."""
    hand = key & tables.hand_mask
    cards = 0
    for kind in range(tables.kinds):
        cards += (hand >> tables.shift[kind]) & tables.mask[kind]
    pos = (place >> POS_SHIFT) & POS_MASK
    board = (key >> tables.board_shift) & tables.board_mask
    speed: int = tables.speed[tables.section[pos] * tables.boards + board] - 2 * tables.drag[place & (LEVELS - 1)]
    least_turns: int = least[outlook(key, place, tables, bound)]
    return 4 * pos + 2 * cards + 10 * speed - 20 * least_turns


KERNEL: Final = (size_of, state_of, count_of, outlook, needs, promise, _less, _run, _fewest, fill)
"""The functions of this module, for a compiler."""
