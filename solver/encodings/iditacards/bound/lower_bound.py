# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""A lower bound of the turns from a row to a target, by the table that ``offers.py`` writes and argues for; a guess.

Both are called for every position that is generated.
"""

from __future__ import annotations

from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards.bound import layout as BL
from solver.search.native import Longs, Row, Table


def least(S: Row, b: int, T: Table, B: Table, target: int, N: Longs) -> int:
    """Return the least number of turns from the row at ``b`` of ``S`` to ``target`` spaces.

    ``T`` is the table of the machine, ``B`` that of the bound, ``N`` room for ``ROOM`` numbers.
    """
    need = target - S[b + L.POSITION]
    if need <= 0:
        return 0
    count_left(S, b, T, B, N)
    base = own_speed(S, b, T, B)
    waiting = 0
    turns = 0
    for i in range(S[b + L.N_STACK] - 1, -1, -1):
        at = b + L.STACK + L.FRAME_W * i
        kind = S[at + L.FRAME_CARD]
        if S[at + L.FRAME_STATE] & L.FRAME_SECOND:
            turns += 1
        else:
            turns += S[at + L.FRAME_NEED] - S[at + L.FRAME_PAID]
            if turns > S[at + L.FRAME_NEED] - S[at + L.FRAME_PAID]:
                turns -= 1  # the card above is one of the risk cards
        base += B[B[BL.KINDS] + BL.BK_W * kind + BL.BK_RAISE]
        N[BL.WAITING + 2 * waiting] = turns
        N[BL.WAITING + 1 + 2 * waiting] = kind
        waiting += 1
    raises = write_speeds(S, b, B, N, base, waiting)
    for horizon in range(1, B[BL.TURNS] + 1):
        if farthest(B, N, horizon, raises, waiting, need) >= need:
            return horizon
    last: int = B[BL.TURNS] + 1
    return last


def count_left(S: Row, b: int, T: Table, B: Table, N: Longs) -> None:
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


def own_speed(S: Row, b: int, T: Table, B: Table) -> int:
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
                    speed += B[B[BL.KINDS] + BL.BK_W * kind + BL.BK_LEGS]
                total += max(0, speed)
    return total


def write_speeds(S: Row, b: int, B: Table, N: Longs, base: int, waiting: int) -> int:
    """Write speed and spaces of automatic moves after 0, 1, … raising plays; return how many such plays there are."""
    slow = 0
    if B[BL.SLOWS]:
        slow = (S[b + L.HYPOTHERMIA] + 1) // 2 + (S[b + L.STARVATION] + 1) // 2
    for i in range(waiting):
        if B[B[BL.KINDS] + BL.BK_W * N[BL.WAITING + 1 + 2 * i] + BL.BK_EASE]:
            slow = 0
    base += B[BL.WEATHER]
    N[BL.RAISED] = 0
    plays = write_raises(B, N)
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


def write_raises(B: Table, N: Longs) -> int:
    """Write the sums of the best 0, 1, … raising plays that are left; return how many there are."""
    plays = 0
    for i in range(B[BL.N_RAISES]):
        kind = B[B[BL.RAISES] + i]
        for _ in range(min(N[kind], B[BL.TURNS] - plays)):
            N[BL.RAISED + plays + 1] = N[BL.RAISED + plays] + B[B[BL.KINDS] + BL.BK_W * kind + BL.BK_RAISE]
            plays += 1
    return plays


def automatic(B: Table, speed: int) -> int:
    """Return the spaces of one automatic move at most (R47)."""
    if B[BL.AUTO] < 0:
        return 0
    spaces: int = max(0, B[BL.AUTO] + speed, B[BL.FIXED])
    return spaces


def farthest(B: Table, N: Longs, turns: int, raises: int, waiting: int, need: int) -> int:
    """Return the spaces of so many turns at most, or a number from ``need`` on."""
    best = 0
    for days in range(min(B[BL.DAYS], turns) + 1):
        plays = turns - days
        for i in range(min(raises, plays) + 1):
            speed = N[BL.SPEED + i]
            place = max(0, speed - B[BL.LOW])
            if place >= B[BL.SPEEDS]:
                return need  # faster than anything that is told apart
            moving = plays - i + min(i, B[BL.BOTH])
            far = B[B[BL.JUMPS] + (days * B[BL.SPEEDS] + place) * (B[BL.TURNS] + 1) + moving]
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


def of_those_left(B: Table, N: Longs, place: int, plays: int) -> int:
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


# The guess for beams. It proves nothing.


def add_moves(s: Row, start: int, n: int, t: Table, sums: Longs) -> None:
    """Add up what n cards move, how many times the speed comes to it, and the speed that they bring in play."""
    for i in range(n):
        card = t[L.H_CARDS] + L.CARD_W * (s[start + i] & L.AGE - 1)
        sums[2] += t[card + L.C_SPEED]
        first = t[card + L.C_OP]
        for op in range(first, first + t[card + L.C_OPS]):
            at = t[L.H_OPS] + L.OP_W * op
            if t[at + L.OP_CODE] == L.OP_MOVE:
                times = t[at + L.OP_C]
                if t[at + L.OP_B]:
                    times *= 2
                sums[0] += times * t[at + L.OP_A]
                sums[1] += times


def evaluate(s: Row, b: int, t: Table, sums: Longs) -> int:
    """Return how good a row looks: minus the turns left at the pace of plain play. ``sums`` is room for three numbers.

    The pace is that of ``rules.iditacards.pace``, without weather, legs and conditions to come: the automatic move, and
    what the moving cards of the whole deck bring a turn if a day sees a hand and half as many again of them. So a card
    that was gained counts from then on. The weights were found by trying on whole races.
    """
    cards = s[b + L.N_HAND] - s[b + L.OWED + s[b + L.AGES]]
    good: int = 2 * s[b + L.POSITION] + cards
    if t[L.H_TARGET] == 0:
        return good
    speed = 0
    hand = t[L.H_HAND]
    dogs = s[b + L.N_DOGS]
    for i in range(b + L.DOGS, b + L.DOGS + L.DOG_W * dogs):
        at = t[L.H_CARDS] + L.CARD_W * s[i]
        speed += t[at + L.C_SPEED] + t[at + L.C_SPEED_OTHER_DOGS] * (dogs - 1)
        hand += t[at + L.C_DAY_DRAW]
    sums[0] = 0
    sums[1] = 0
    sums[2] = 0
    add_moves(s, b + L.HAND, s[b + L.N_HAND], t, sums)
    near = max(0, sums[0] + sums[1] * speed)
    for i in range(s[b + L.N_STACK]):
        add_moves(s, b + L.STACK + L.FRAME_W * i, 1, t, sums)
    rest = max(0, t[L.H_TARGET] - s[b + L.POSITION] - max(0, sums[0] + sums[1] * speed - near))
    add_moves(s, b + L.DECK, s[b + L.N_DECK], t, sums)
    add_moves(s, b + L.DISCARD, s[b + L.N_DISCARD], t, sums)
    add_moves(s, b + L.RESOLVED, s[b + L.N_RESOLVED], t, sums)
    own = max(1, s[b + L.N_HAND] + s[b + L.N_DECK] + s[b + L.N_DISCARD] + s[b + L.N_RESOLVED])
    pace = BL.P_SPACE * speed + BL.P_COMING * sums[2]
    moved = max(0, BL.P_SPACE * sums[0] + sums[1] * pace) * min(2 * own, 3 * hand) // (2 * own)
    rate = max(BL.P_LEAST, BL.P_SPACE + pace + moved * 7 // (2 * (10 + 9 * hand)))
    good = BL.P_CARD * cards + BL.P_REST * s[b + L.N_DECK] + BL.P_NEAR * near - BL.P_TURN * BL.P_SPACE * rest // rate
    good -= BL.P_POINT * (s[b + L.HYPOTHERMIA] + s[b + L.STARVATION])
    return good
