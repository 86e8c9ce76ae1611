# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""The fewest turns of the relaxed race that ``relaxation.py`` writes down and argues for.

A state is one number, fields of bits as ``bound_layout`` says. What is known of a state stands in a table of its own
behind the others, where a later state may take the place of an earlier one. ``relaxed.pxd`` types the functions.
"""

from __future__ import annotations

from typing import Any

from solver.encodings.iditacards import bound_layout as BL
from solver.encodings.iditacards import layout as L


def fewest(S: Any, b: int, B: Any, target: int, each: int) -> int:  # noqa: N803
    """Return the least number of turns from the row at ``b`` of ``S`` to a target; one more than told apart at most.

    ``each`` is the most that a leg ahead adds for each dog.
    """
    shut = B[BL.R_SHUT]
    past = 0
    if target > shut:
        if S[b + L.POSITION] >= shut:
            return 1
        past = target - shut
        target = shut
    state = state_of(S, b, B, each)
    turns = turns_to(S, b, B, 1, state, target - S[b + L.POSITION], past)
    at = B[BL.R_ENTRIES]
    while B[at] >= 0 and B[at] < target:
        if B[at] > S[b + L.POSITION]:
            need = target - (B[at] - 1) - B[at + BL.E_MORE]
            turns = turns_to(S, b, B, turns, entered(B, at, state), need, past)
        at += BL.E_W
    return turns


def turns_to(S: Any, b: int, B: Any, turns: int, state: int, need: int, past: int) -> int:  # noqa: N803
    """Return the least number of turns for so many spaces, from ``turns`` on, or one more than are told apart.

    Who only gets there with less than ``past`` spaces more has to take another turn.
    """
    while turns <= BL.R_TURNS:
        far = farthest_of(B, turns, state) + waiting(S, b, B, state, turns)
        if far >= need:
            return turns + 1 if far < need + past else turns
        turns += 1
    return turns


def entered(B: Any, at: int, state: int) -> int:  # noqa: N803
    """Return a state with the conditions that the section at ``at`` gives at least."""
    cold = B[at + BL.E_COLD]
    hunger = B[at + BL.E_HUNGER]
    if cold < state >> BL.R_COLD & 7:
        cold = state >> BL.R_COLD & 7
    if hunger < state >> BL.R_HUNGER & 7:
        hunger = state >> BL.R_HUNGER & 7
    entry: int = state & ~BL.R_AILING | cold << BL.R_COLD | hunger << BL.R_HUNGER
    return entry


def state_of(S: Any, b: int, B: Any, each: int) -> int:  # noqa: N803
    """Return the state of a row."""
    gained = later = helpers = own = big = returns = ace = 0
    for i in range(S[b + L.N_DOGS]):
        for j in range(L.DOG_W):
            role = B[B[BL.R_ROLES] + S[b + L.DOGS + L.DOG_W * i + j]]
            helpers += 1 if role & BL.R_KIND == BL.R_GAINED | BL.R_HELPER else 0
            own += 1 if role & BL.R_KIND == BL.R_HELPER else 0
    for i in range(S[b + L.N_STACK]):
        role = B[B[BL.R_ROLES] + S[b + L.STACK + L.FRAME_W * i + L.FRAME_CARD]]
        helpers += 1 if role & BL.R_KIND == BL.R_GAINED | BL.R_HELPER else 0
        own += 1 if role & BL.R_KIND == BL.R_HELPER else 0
        gained += 1 if role & BL.R_KIND == BL.R_GAINED else 0
        returns |= role & BL.R_RETURNS
        later += role >> BL.R_TAKES
    for i in range(S[b + L.N_HAND]):
        role = B[B[BL.R_ROLES] + (S[b + L.HAND + i] & L.AGE - 1)]
        gained += role & BL.R_GAINED
        big += 1 if role & BL.R_KIND == BL.R_BIG else 0
        ace |= role & BL.R_ACE
    for i in range(S[b + L.N_DECK]):
        role = B[B[BL.R_ROLES] + S[b + L.DECK + i]]
        gained += role & BL.R_GAINED
        big += 1 if role & BL.R_KIND == BL.R_BIG else 0
        ace |= role & BL.R_ACE
    for i in range(S[b + L.N_SEEN]):
        role = B[B[BL.R_ROLES] + S[b + L.SEEN + i]]
        gained += role & BL.R_GAINED
        big += 1 if role & BL.R_KIND == BL.R_BIG else 0
        ace |= role & BL.R_ACE
    for i in range(S[b + L.N_DISCARD]):
        later += B[B[BL.R_ROLES] + S[b + L.DISCARD + i]] & BL.R_GAINED
    for i in range(S[b + L.N_RESOLVED]):
        later += B[B[BL.R_ROLES] + S[b + L.RESOLVED + i]] & BL.R_GAINED
    if returns:
        gained, big, ace = BL.R_CARDS, B[BL.R_ALL_BIG], 1
    gone = 0
    for i in range(L.MOST_DECKS):
        if S[b + L.GONE + i] > gone:
            gone = S[b + L.GONE + i]
    level = 0
    while level < BL.R_LEVELS - 1 and B[B[BL.R_SHOWN] + level] < gone:
        level += 1
    day = S[b + L.DAYS] - B[BL.R_FIRST_DAY]
    state = BL.R_DAYS - 1 if returns else lesser(day, BL.R_DAYS - 1)
    state |= level << BL.R_LEVEL | lesser(helpers, BL.R_MOST) << BL.R_HELPERS | lesser(own, BL.R_MOST) << BL.R_OWN
    state |= lesser(gained, BL.R_CARDS) << BL.R_AT_HAND | lesser(later, BL.R_CARDS) << BL.R_LATER
    state |= lesser(big, 3) << BL.R_BIGS
    state |= lesser(S[b + L.HYPOTHERMIA], 7) << BL.R_COLD | lesser(S[b + L.STARVATION], 7) << BL.R_HUNGER
    state |= (1 if ace else 0) << BL.R_LEFT | lesser(given(S, b, B), B[BL.R_BONUSES] - 1) << BL.R_GIVEN
    return (
        state
        | (1 if each > 0 else 0) << BL.R_LEGS
        | (3 if S[b + L.N_STACK] or S[b + L.N_HAND] + S[b + L.N_DECK] == 0 else 0) << BL.R_BEGUN
    )


def given(S: Any, b: int, B: Any) -> int:  # noqa: N803
    """Return how many cards checkpoints have given since the start."""
    cards: int = B[BL.R_LEGENDARY]
    left = S[b + L.LEGENDARY]
    while left:
        cards -= left & 1
        left >>= 1
    return cards


def lesser(number: int, most: int) -> int:
    """Return the lesser of two numbers."""
    return number if number < most else most


def waiting(S: Any, b: int, B: Any, state: int, turns: int) -> int:  # noqa: N803
    """Return the spaces of the cards on the stack at most, if so many turns bring nothing but helpers."""
    if S[b + L.N_STACK] == 0:
        return 0
    top = state & ~(BL.R_AILING | 7 << BL.R_OWN)
    top |= lesser((state >> BL.R_OWN & 7) + turns, BL.R_MOST) << BL.R_OWN
    if state >> BL.R_AT_HAND & 7:
        # a gained card may bring back others, whatever has been turned over
        top = top & ~(7 << BL.R_HELPERS) | BL.R_LEVELS - 1 << BL.R_LEVEL
        top |= lesser((state >> BL.R_HELPERS & 7) + turns, BL.R_MOST) << BL.R_HELPERS
    place = speed_of(B, top)
    spaces = 0
    for i in range(S[b + L.N_STACK]):
        kind = S[b + L.STACK + L.FRAME_W * i + L.FRAME_CARD]
        spaces += B[B[BL.R_GAINS] + B[B[BL.R_ROWS] + kind] * B[BL.R_SPEEDS] + place]
    return spaces


def speed_of(B: Any, state: int) -> int:  # noqa: N803
    """Return the place of the speed of a state among those told apart."""
    # day, level, legs, helpers and own cards are the lowest bits of a state
    place: int = (
        B[B[BL.R_SPEED] + (state & BL.R_SPEED_BITS)]
        - B[B[BL.R_DRAG] + (state >> BL.R_COLD & 7)]
        - B[B[BL.R_DRAG] + (state >> BL.R_HUNGER & 7)]
    )
    return place if place > 0 else 0


def farthest_of(B: Any, turns: int, state: int) -> int:  # noqa: N803
    """Return the most spaces of so many turns from a state."""
    if turns == 0:
        return 0
    key = ~state
    place = (state * 40503 ^ state >> 13 ^ state >> 21) & BL.R_PLACES - 1
    at = B[BL.R_KNOWN] + 2 * (BL.R_PLACES * (turns - 1) + place)
    best: int = B[at + 1]
    if B[at] == key:
        return best
    best = 0
    level = state >> BL.R_LEVEL & BL.R_LEVELS - 1
    deed = B[BL.R_DEEDS] + B[B[BL.R_DEEDS] + level]
    while B[deed] >= 0:
        far = done(B, turns, state, deed)
        if far > best:
            best = far
        deed += BL.D_W
    B[at] = key
    B[at + 1] = best
    return best


def done(B: Any, turns: int, state: int, deed: int) -> int:  # noqa: N803
    """Return the most spaces of so many turns that begin with a deed; -1 where it cannot be."""
    flags = B[deed]
    gained = state >> BL.R_AT_HAND & 7
    big = state >> BL.R_BIGS & 3
    helpers = state >> BL.R_HELPERS & 7
    own = state >> BL.R_OWN & 7
    if (flags & BL.D_GAINED and gained == 0) or (flags & BL.D_BIG and big == 0):
        return -1
    begun = state >> BL.R_BEGUN & 3
    left = state >> BL.R_LEFT & 1
    if flags >> BL.D_RISK > begun or (flags & BL.D_HELPED and helpers == 0) or (flags & BL.D_ACE and left == 0):
        return -1
    begun = lesser(begun + 1, 3)
    row = B[deed + BL.D_GAINS]
    if gained:
        row = B[deed + BL.D_DOUBLE]
    later = (state >> BL.R_LATER & 7) + B[deed + BL.D_TAKES]
    if flags & BL.D_HELPS:
        if flags & BL.D_GAINED:
            helpers += 1 if helpers < BL.R_MOST else 0
        else:
            own += 1 if own < BL.R_MOST else 0
    elif flags & BL.D_GAINED:
        later += 1
    if flags & BL.D_GAINED and gained < BL.R_CARDS:
        gained -= 1
    if flags & BL.D_BIG and big < 3:
        big -= 1
    level = state >> BL.R_LEVEL & BL.R_LEVELS - 1
    warms = B[deed + BL.D_WARMS]
    feeds = B[deed + BL.D_FEEDS]
    if state >> BL.R_AT_HAND & 7:
        warms += B[B[BL.R_BESIDES] + 2 * level]
        feeds += B[B[BL.R_BESIDES] + 2 * level + 1]
    level = lesser(level + B[deed + BL.D_SHOWS], BL.R_LEVELS - 1)
    rest = state & BL.R_KEPT | begun << BL.R_BEGUN | level << BL.R_LEVEL | helpers << BL.R_HELPERS | own << BL.R_OWN
    rest = eased(rest, warms, feeds)
    moved: int = B[B[BL.R_GAINS] + row * B[BL.R_SPEEDS] + speed_of(B, rest)]
    if flags & BL.D_BACK:
        return moved + back(B, turns, rest, gained + later, flags)
    if flags & BL.D_ACE:
        left = 0
    rest |= left << BL.R_LEFT | gained << BL.R_AT_HAND | lesser(later, BL.R_CARDS) << BL.R_LATER | big << BL.R_BIGS
    moved += B[B[BL.R_AUTO] + speed_of(B, rest)]
    return moved + farthest_of(B, turns - 1, rest)


def back(B: Any, turns: int, state: int, gained: int, flags: int) -> int:  # noqa: N803
    """Return the most spaces of so many turns, after the moves of the first one, which brings all cards back."""
    if flags & BL.D_DAY:
        day = lesser((state & BL.R_DAYS - 1) + 1, BL.R_DAYS - 1)
        state = state & ~(BL.R_DAYS - 1 | 3 << BL.R_BEGUN) | day
    before = state >> BL.R_GIVEN
    state = state & (1 << BL.R_GIVEN) - 1 | 1 << BL.R_LEFT | B[BL.R_ALL_BIG] << BL.R_BIGS
    auto = B[B[BL.R_AUTO] + speed_of(B, state)]
    best = 0
    for after in range(before, B[BL.R_BONUSES]):
        more = lesser(gained + after - before, BL.R_CARDS)
        far = auto + farthest_of(B, turns - 1, state | after << BL.R_GIVEN | more << BL.R_AT_HAND)
        if flags & BL.D_DAY and after > before and far > B[B[BL.R_LIMITS] + after]:
            far = B[B[BL.R_LIMITS] + after]
        if far > best:
            best = far
    return best


def eased(state: int, warmth: int, food: int) -> int:
    """Return a state with so many points less of both conditions."""
    cold = (state >> BL.R_COLD & 7) - warmth
    hunger = (state >> BL.R_HUNGER & 7) - food
    if cold < 0:
        cold = 0
    if hunger < 0:
        hunger = 0
    return state & ~BL.R_AILING | cold << BL.R_COLD | hunger << BL.R_HUNGER
