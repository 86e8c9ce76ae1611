# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""Hidden upgrade decks: what may still read their cards, and what chance turns over. Types are in ``upgrades.pxd``.

A card that is gained goes to the discard pile or to the supply, and comes to be played two turns later at the
earliest, unless something brings discarded cards back within the turn. So most of what is turned over is never read.
"""

from __future__ import annotations

from typing import Any

from solver.encodings.iditacards import effects, risk, zones
from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards.hidden import hidden_layout as F
from solver.encodings.iditacards.zones import Row, Table
from solver.search import layout as V

Fades = Any
"""The table of ``hidden_layout``, int32."""


def awaits(s: Row, b: int, code: int) -> int:
    """Return whether an instruction is still to come."""
    for i in range(s[b + L.N_CONTROL]):
        if s[b + L.CONTROL + L.CONTROL_W * i] == code:
            return 1
    return 0


def opens(s: Row, b: int) -> int:
    """Return whether the main action is still to be chosen, or chosen again."""
    return 1 if awaits(s, b, L.I_MAIN) or awaits(s, b, L.I_MAIN_AGAIN) else 0


def readers(s: Row, b: int, f: Fades) -> int:
    """Return what this turn may still read of the discard pile, once its main action is under way."""
    reads: int = f[F.LEG_READS]
    for i in range(s[b + L.N_STACK]):
        reads |= f[f[F.READERS] + s[b + L.STACK + L.FRAME_W * i + L.FRAME_CARD]]
    if awaits(s, b, L.I_RISK):
        for i in range(s[b + L.N_DECK]):
            reads |= f[f[F.READERS] + s[b + L.DECK + i]]
    return reads


def keeps_upgrades(s: Row, b: int, f: Fades) -> int:
    """Return whether cards that are gained on this turn or a later one may come to be played."""
    if not f[F.RULES] & F.RULE_GAINS:
        return 1
    return 1 if s[b + L.LEFT] > 2 or (s[b + L.LEFT] == 2 and f[F.GAINS]) else 0


def reads_gains(s: Row, b: int, f: Fades) -> int:
    """Return whether somebody may come to play the cards that are turned over now."""
    if not keeps_upgrades(s, b, f):
        return 0
    if s[b + L.LEFT] > 2 or opens(s, b) or not f[F.RULES] & F.RULE_GAINS:
        return 1
    return 1 if readers(s, b, f) & (F.READS_PILE | F.READS_ALL) else 0


def is_best_of(s: Row, b: int, t: Table, f: Fades) -> int:
    """Return whether the best of several cards is taken, and nobody reads what else was turned over."""
    at = b + L.CONTROL + L.CONTROL_W * (s[b + L.N_CONTROL] - 1)
    under = at - L.CONTROL_W
    single = 1 if s[under] == L.I_PICK and s[under + 1] == 1 and s[under + 3] != L.PICK_SUPPLY_HAND else 0
    if not single or s[at + 2] < 2 or s[at + 2] == L.UNTIL_DOG or not f[F.RULES] & F.RULE_GAINS:
        return 0
    if s[b + L.LEFT] > (2 if f[F.GAINS] else 3) or opens(s, b):
        return 0
    if awaits(s, b, L.I_RISK) or awaits(s, b, L.I_RUN) or awaits(s, b, L.I_SUPPLY):
        return 0
    for i in range(s[b + L.N_CONTROL]):
        at = b + L.CONTROL + L.CONTROL_W * i
        if s[at] == L.I_OP and is_gain(t[t[L.H_OPS] + L.OP_W * s[at + 1]]):
            return 0
    for i in range(s[b + L.N_STACK]):
        card = s[b + L.STACK + L.FRAME_W * i + L.FRAME_CARD]
        if i != s[b + L.CURRENT] and f[f[F.READERS] + card] & F.READS_UPGRADES:
            return 0
    return 1


def is_gain(op: int) -> int:
    """Return whether an op turns upgrades over or takes some."""
    return 1 if op == L.OP_TAKE or op == L.OP_SUPPLY or op == L.OP_TAKE_NEXT else 0


def first_upgrade(s: Row, b: int, deck: int) -> int:
    """Return where the cards of a deck begin among those of all upgrade decks."""
    place = 0
    while place < s[b + L.N_UPGRADES] and s[b + L.UPGRADES + place] // L.AGE < deck:
        place += 1
    return b + L.UPGRADES + place


def copies(s: Row, first: int, place: int, n: int) -> int:
    """Return how many cards of a list are like the one at a place, from there on."""
    weight = 1
    while place + weight < n and s[first + place + weight] == s[first + place]:
        weight += 1
    return weight


def turn_up(s: Row, b: int, t: Table, place: int) -> int:
    """Write behind a row that its upgrade deck turned over the card at a place; return its weight, 0 without one."""
    at = b + L.CONTROL + L.CONTROL_W * (s[b + L.N_CONTROL] - 1)
    deck = s[at + 1]
    of = s[at + 2]
    how = s[at + 3]
    n = effects.deck_left(s, b, t, deck)
    if place >= n:
        return 0
    first = first_upgrade(s, b, deck)
    q = zones.fork(s, b)
    card = zones.remove_at(s, q, L.N_UPGRADES, L.UPGRADES, first - b - L.UPGRADES + place) & L.AGE - 1
    s[q + L.GONE + deck] = s[q + L.GONE + deck] + 1
    if how == L.TURN_LOOK:
        zones.insert(s, q, L.N_LOOK, L.LOOK, L.MOST_CARDS, card)
    else:
        zones.insert(s, q, L.N_SUPPLY, L.SUPPLY, L.MOST_SUPPLY, card)
    ends = 1 if of == 1 or (of == L.UNTIL_DOG and risk.card_type(t, card) == L.TYPE_DOG) else 0
    if how == L.TURN_MIXED and not ends:
        zones.push(s, q, L.I_SUPPLY, of, 0, 0)
    elif not ends and n > 1:
        zones.push(s, q, L.I_TURN_OVER, deck, of if of == L.UNTIL_DOG else of - 1, how)
    return copies(s, first, place, n)


def take_best(s: Row, b: int, t: Table, place: int) -> int:
    """Write behind a row that one card is taken; return its weight, ``ALWAYS`` where it is there whatever comes up.

    Places are those of the deck's cards, then those of the supply, then that none is taken (Q46).
    """
    at = b + L.CONTROL + L.CONTROL_W * (s[b + L.N_CONTROL] - 1)
    deck = s[at + 1]
    n = effects.deck_left(s, b, t, deck)
    more = s[b + L.N_SUPPLY] if s[at + 3] != L.TURN_LOOK else 0
    if place > n + more or (place == n + more and t[L.H_TAKE_EXACT]):
        return 0
    first = first_upgrade(s, b, deck)
    q = zones.fork(s, b)
    s[q + L.N_CONTROL] = s[q + L.N_CONTROL] - 1
    s[q + L.N_UPGRADES] = s[q + L.N_SUPPLY] = 0
    s[q + L.GONE + deck] = s[q + L.GONE + deck] + min(n, s[at + 2])
    if place < n:
        zones.to_discard(s, q, s[first + place] & L.AGE - 1)
        return copies(s, first, place, n)
    if place < n + more:
        zones.to_discard(s, q, s[b + L.SUPPLY + place - n])
    return V.ALWAYS
