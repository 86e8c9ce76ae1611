"""How many turns a race over the track takes at least: a race whose cards cost nothing and come in any order.

The bound of a position is the exact optimum of a simpler race, worked out once for all positions by dynamic programming
from the target backwards. As in ``race_bound``, cards that move are *jumps* if they carry a risk, else *steps*; what
changes the speed or what legs do by being in play are *helpers*. A state of the simpler race is the day, the helpers
in play, jumps left today, jumps waiting, steps left today, the space, and the conditions. A turn is one of

- a step, or the start of a jump, while one is left today;
- a helper, which counts from this very turn, even if it carries a risk;
- a relief: a condition falls by one (R21);
- a resolution: one risk card comes up, which may be a step, a helper or a relief, then all waiting jumps land;
- a new day with its real weather, after which nothing waits and all jumps and steps of the race are there again;
- nothing;

and after each the sled moves by itself. A move may end anywhere on its way. Speeds are the best of all boards whose
helpers are among those in play, what legs do to conditions is the least of them, dogs are not lost.

*Admissible.* Every turn of the race is one of these (R14, R33; a risk card takes effect before the frames below it,
R31, R38), covers at most this distance, and leaves no better state: cards are counted in hand and deck together,
waiting ones in the stack, and a new day gives at most all of them (R61). More helpers, jumps and steps never hurt, as
every plan for less is open with more, and lower conditions make every move as long, every entry and every morning as
mild. Nor does a further space of the same stretch, since a move may end early: where less could be reached, as much
can. (So of all spaces that a move can end on, only the last one of each stretch and the furthest need a look.)

The *coarse* form, for plain Python, has no conditions and all helpers in play from the start, and never runs out of
steps; the *fine* one has them all, conditions up to ``WORST``. The last of ``days`` stands for all that follow: its
weather is the best of all, and neither jumps nor steps run out, so no further new day is needed.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import Any, Final, NamedTuple

from rules.iditacards.track_kernel import DAY_SHIFT, LEVELS, POS_MASK, POS_SHIFT

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
    """Numbers of jumps, and of steps: one more than there are."""
    steps: int
    worst: int
    """Highest condition told apart."""
    levels: int
    """Pairs of conditions, ``hypothermia * (worst + 1) + starvation``."""
    endless: int
    """Whether steps never run out, -1 where there are none."""
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
    small: Sequence[int]
    """Kinds of steps."""
    is_coarse: int
    rich: Sequence[int]
    """By space: the fewest turns from a new day on with everything gained (``track_gains``); empty where nothing is."""
    free: Sequence[int]
    """By section: whether a leg there does what the simpler race knows nothing of, so that one turn may do."""


def size_of(bound: Any) -> int:
    """Return the number of states."""
    count: int = bound.days * bound.groups * bound.span * bound.span * bound.steps * bound.target * bound.levels
    return count


def state_of(day: int, group: int, left: int, waiting: int, small: int, pos: int, levels: int, bound: Any) -> int:
    """Return the number of a state."""
    at = ((day * bound.groups + group) * bound.span + left) * bound.span + waiting
    number: int = ((at * bound.steps + small) * bound.target + pos) * bound.levels + levels
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
                        for small in range(bound.steps - 1 if endless else 0, bound.steps):
                            for levels in range(bound.levels):
                                at = state_of(day, group, left, waiting, small, pos, levels, bound)
                                least[at] = _fewest(day, group, left, waiting, small, pos, levels, bound, least, work)


def _fewest(
    day: int, group: int, left: int, waiting: int, small: int, pos: int, levels: int, bound: Any, least: Any, work: Any
) -> int:
    """Return the fewest turns of one state; those of all states that it leads to are there."""
    if bound.free[bound.section[pos]]:
        return 1
    best = FAR - 1
    if len(bound.rich):
        best = bound.rich[pos] - 1
    side = bound.worst + 1
    endless = day == bound.days - 1
    if not endless:
        site = (day + 1) * bound.sections + bound.section[pos]
        dawn = bound.dawn[(site * bound.groups + group) * bound.levels + levels]
        best = min(best, _run(day + 1, group, bound.span - 1, 0, bound.steps - 1, pos, dawn, 0, -1, bound, least, work))
    if left and waiting + 1 < bound.span:
        more = left if endless else left - 1
        best = min(best, _run(day, group, more, waiting + 1, small, pos, levels, 0, -1, bound, least, work))
    steps = bound.endless > 0 or (small > 0 and bound.endless == 0)
    fewer = small if endless or bound.endless else small - 1
    for landing in range(2 if waiting else 1):
        after = 0 if landing else waiting
        jumps = waiting if landing else 0
        idle = True
        if steps:
            best = min(best, _run(day, group, left, after, fewer, pos, levels, jumps, bound.step, bound, least, work))
        for bit in bound.helper:
            if group & bit == 0:
                idle = False
                best = min(best, _run(day, group | bit, left, after, small, pos, levels, jumps, -1, bound, least, work))
        if bound.relief & 1 and levels % side:
            idle = False
            best = min(best, _run(day, group, left, after, small, pos, levels - 1, jumps, -1, bound, least, work))
        if bound.relief & 2 and levels >= side:
            idle = False
            best = min(best, _run(day, group, left, after, small, pos, levels - side, jumps, -1, bound, least, work))
        if idle:  # nothing is never better than a helper or a relief
            best = min(best, _run(day, group, left, after, small, pos, levels, jumps, -1, bound, least, work))
    return best + 1


def _run(
    day: int,
    group: int,
    left: int,
    waiting: int,
    small: int,
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
            best = min(best, least[state_of(day, group, left, waiting, small, here, now, bound)])
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
    left = small = 0
    for kind in bound.jumps:
        left += (cards >> tables.shift[kind]) & tables.mask[kind]
    for kind in bound.small:
        small += (cards >> tables.shift[kind]) & tables.mask[kind]
    waiting = bound.stack_jumps[stack]
    if day == bound.days - 1:
        left, small = bound.span - 1, bound.steps - 1
    if bound.is_coarse:
        return state_of(day, 0, left, waiting, 0, pos, 0, bound)
    group = bound.board_group[board] | bound.stack_group[stack]
    levels = min((place >> 3) & 7, bound.worst) * (bound.worst + 1) + min(place & 7, bound.worst)
    return state_of(day, group, left, waiting, min(small, bound.steps - 1), pos, levels, bound)


def falls_short(key: int, place: int, turns: int, least: Any, tables: Any, bound: Any) -> bool:
    """Return whether a position needs more than ``turns`` turns."""
    return bool(least[outlook(key, place, tables, bound)] > turns)


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


KERNEL: Final = (size_of, state_of, outlook, falls_short, promise, _run, _fewest, fill)
"""The functions of this module, for a compiler."""
