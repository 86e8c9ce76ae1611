# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""How good a row looks, for beams: minus the turns left at the pace of plain play. It proves nothing.

The pace is that of ``rules.iditacards.pace``, without weather, legs and conditions to come: the automatic move, and
what the moving cards of the whole deck bring a turn if a day sees a hand and half as many again of them. So a card that
was gained counts from then on. The weights were found by trying on whole races. Types are in ``evaluation.pxd``.
"""

from __future__ import annotations

from typing import Any

from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards.bound import layout as BL


def add_moves(s: Any, start: int, n: int, t: Any, sums: Any) -> int:
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
    return 0


def evaluate(s: Any, b: int, t: Any, sums: Any) -> int:
    """Return a guess of how good a row is: more is better. ``sums`` is room for three numbers."""
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
