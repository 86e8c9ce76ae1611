# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""A lower bound of the turns from a row to a target, by the table that ``offers.py`` writes and argues for.

It is called for every position that is generated. ``lower_bound.pxd`` types it; uncompiled it runs as it stands here.
"""

from __future__ import annotations

from typing import Any

from solver.encodings.iditacards import key_layout as K
from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards.bound import layout as BL


def least(S: Any, b: int, T: Any, B: Any, target: int, N: Any) -> int:  # noqa: N803
    """Return the least number of turns from the row at ``b`` of ``S`` to ``target`` spaces; ``NEVER`` if there is none.

    ``T`` is the table of the machine, ``B`` that of the bound, ``N`` room for ``ROOM`` numbers.
    """
    need = target - S[b + L.POSITION]
    if need <= 0:
        return 0
    count_left(S, b, T, B, N)
    each = best_leg(S, b, T, B, target)
    total = S[b + L.N_HAND] - S[b + L.OWED + S[b + L.AGES]] + S[b + L.N_DECK] + S[b + L.N_SEEN]
    base = own_speed(S, b, T, B, each)
    waiting = 0
    turns = 0
    for i in range(S[b + L.N_STACK] - 1, -1, -1):
        at = b + L.STACK + L.FRAME_W * i
        kind = S[at + L.FRAME_CARD]
        if S[at + L.FRAME_STATE] & L.FRAME_SECOND:
            turns += 1
            total += 1
        else:
            turns += S[at + L.FRAME_NEED] - S[at + L.FRAME_PAID]
            if turns > S[at + L.FRAME_NEED] - S[at + L.FRAME_PAID]:
                turns -= 1  # the card above is one of the risk cards
        entry = B[BL.KINDS] + BL.BK_W * kind
        base += B[entry + BL.BK_RAISE] + each * B[entry + BL.BK_DOGS]
        N[BL.WAITING + 2 * waiting] = turns
        N[BL.WAITING + 1 + 2 * waiting] = kind
        waiting += 1
    if waiting:
        total += 1  # a risk may fail for want of a card
    raises = write_speeds(S, b, B, N, base, waiting, each)
    for horizon in range(1, B[BL.TURNS] + 1):
        best = farthest(B, N, horizon, raises, total, waiting, need)
        if best >= need:
            return horizon
        if best <= BL.FAR:
            return K.NEVER
    last: int = B[BL.TURNS] + 1
    return last


def best_leg(S: Any, b: int, T: Any, B: Any, target: int) -> int:  # noqa: N803
    """Return the most that a leg on the way adds for each dog."""
    space = min(S[b + L.POSITION], T[L.H_SPACES])
    last = max(space, min(target - 1, T[L.H_SPACES]))
    first = 0 if B[BL.BACK] else B[B[BL.SECTION_AT] + space]
    best = 0
    for section in range(first, B[B[BL.SECTION_AT] + last] + 1):
        if B[B[BL.SECTIONS] + section] > best:
            best = B[B[BL.SECTIONS] + section]
    return best


def count_left(S: Any, b: int, T: Any, B: Any, N: Any) -> None:  # noqa: N803
    """Write by kind how many copies may still be played."""
    kinds = B[BL.KINDS]
    if B[BL.LEFT]:
        for kind in range(T[L.H_KINDS] + 1):
            N[kind] = 0
        for i in range(S[b + L.N_HAND]):
            N[S[b + L.HAND + i] & L.AGE - 1] += 1
        for i in range(S[b + L.N_DECK]):
            N[S[b + L.DECK + i]] += 1
        for i in range(S[b + L.N_SEEN]):
            N[S[b + L.SEEN + i]] += 1
        return
    for kind in range(T[L.H_KINDS] + 1):
        N[kind] = B[kinds + BL.BK_W * kind + BL.BK_COPIES]
    for i in range(S[b + L.N_DOGS]):
        for j in range(L.DOG_W):
            N[S[b + L.DOGS + L.DOG_W * i + j]] -= 1


def own_speed(S: Any, b: int, T: Any, B: Any, each: int) -> int:  # noqa: N803
    """Return the greatest speed of the cards in play on any leg ahead; who slows the sled may be done without."""
    cards = T[L.H_CARDS]
    others = B[BL.OTHERS]
    if others == 0:
        others = S[b + L.N_DOGS] - 1
    total = 0
    for i in range(S[b + L.N_DOGS]):
        for j in range(L.DOG_W):
            kind = S[b + L.DOGS + L.DOG_W * i + j]
            if kind:
                at = cards + L.CARD_W * kind
                speed = T[at + L.C_SPEED] + max(0, T[at + L.C_SPEED_OTHER_DOGS] * others)
                if j == 0:
                    speed += each * B[B[BL.KINDS] + BL.BK_W * kind + BL.BK_DOGS]
                total += max(0, speed)
    return total


def write_speeds(S: Any, b: int, B: Any, N: Any, base: int, waiting: int, each: int) -> int:  # noqa: N803
    """Write speed and spaces of automatic moves after 0, 1, … raising plays; return how many such plays there are."""
    slow = 0
    if B[BL.SLOWS]:
        slow = (S[b + L.HYPOTHERMIA] + 1) // 2 + (S[b + L.STARVATION] + 1) // 2
    for i in range(waiting):
        if B[B[BL.KINDS] + BL.BK_W * N[BL.WAITING + 1 + 2 * i] + BL.BK_EASE]:
            slow = 0
    base += B[BL.WEATHER]
    N[BL.RAISED] = 0
    plays = write_raises(B, N, each)
    most = B[BL.TURNS] if slow else plays
    for i in range(most + 1):
        gain = 0
        if slow == 0:
            gain = N[BL.RAISED + i]
        else:
            for j in range(i + 1):
                gain = max(gain, N[BL.RAISED + min(i - j, plays)] + min(slow, B[B[BL.EASES] + j]))
        speed = base + gain - slow
        if speed > 0:
            speed *= B[BL.FACTOR]
        N[BL.SPEED + i] = speed
        N[BL.SPACES + i] = 0
        if i > 0:
            N[BL.SPACES + i] = N[BL.SPACES + i - 1] + automatic(B, speed)
    return most


def write_raises(B: Any, N: Any, each: int) -> int:  # noqa: N803
    """Write the sums of the best 0, 1, … raising plays that are left; return how many there are.

    Plays are taken in the order of what they add on a leg that adds nothing for dogs, and every one may get that too.
    """
    plays = 0
    for i in range(B[BL.N_RAISES]):
        kind = B[B[BL.RAISES] + i]
        entry = B[BL.KINDS] + BL.BK_W * kind
        raised = B[entry + BL.BK_RAISE] + each * B[entry + BL.BK_DOGS]
        copies = N[kind]
        while copies > 0 and raised > 0 and plays < B[BL.TURNS]:
            # keeps the sums those of the greatest numbers, whatever order legs make of them
            at = plays
            while at > 0 and N[BL.RAISED + at] - N[BL.RAISED + at - 1] < raised:
                N[BL.RAISED + at + 1] = N[BL.RAISED + at] + raised
                at -= 1
            N[BL.RAISED + at + 1] = N[BL.RAISED + at] + raised
            plays += 1
            copies -= 1
    return plays


def automatic(B: Any, speed: int) -> int:  # noqa: N803
    """Return the spaces of one automatic move at most (R47)."""
    if B[BL.AUTO] < 0:
        return 0
    spaces: int = max(0, B[BL.AUTO] + speed, B[BL.FIXED])
    return spaces


def farthest(B: Any, N: Any, turns: int, raises: int, total: int, waiting: int, need: int) -> int:  # noqa: N803
    """Return the spaces of so many turns at most, or a number from ``need`` on; ``FAR`` if nothing takes so many."""
    best: int = BL.FAR
    for days in range(min(B[BL.DAYS], turns) + 1):
        plays = turns - days
        for i in range(min(raises, plays) + 1):
            nets = B[BL.NETS] + 2 * i
            left = 0
            if B[BL.TOTAL]:
                left = min(total - B[nets + 1], B[BL.TOTAL])
                if left < 0:
                    continue
            speed = N[BL.SPEED + i]
            place = max(0, speed - B[BL.LOW])
            if place >= B[BL.SPEEDS]:
                return need  # faster than anything that is told apart
            moving = plays - i + B[nets]
            at = ((days * B[BL.SPEEDS] + place) * (B[BL.TURNS] + 1) + moving) * (B[BL.TOTAL] + 1) + left
            far = B[B[BL.JUMPS] + at]
            if far <= BL.FAR // 2:
                continue
            rest = N[BL.SPACES + i] + (turns - i) * automatic(B, speed) + days * B[B[BL.DAY_MOVE] + place]
            for j in range(waiting):
                if N[BL.WAITING + 2 * j] <= turns:
                    rest += B[B[BL.GAINS] + place * B[BL.N_KINDS] + N[BL.WAITING + 1 + 2 * j]]
            if B[BL.LEFT] and rest + far >= need:
                far = min(far, of_those_left(B, N, place, moving))
            best = max(best, rest + far)
            if best >= need:
                return best
    return best


def of_those_left(B: Any, N: Any, place: int, plays: int) -> int:  # noqa: N803
    """Return the spaces that so many of the cards that are left move at most, at a speed."""
    spaces = 0
    for i in range(B[BL.N_MOVING]):
        kind = B[B[BL.ORDER] + place * B[BL.N_MOVING] + i]
        copies = min(N[kind], plays)
        if copies > 0:
            spaces += copies * B[B[BL.GAINS] + place * B[BL.N_KINDS] + kind]
            plays -= copies
        if plays == 0:
            break
    return spaces
