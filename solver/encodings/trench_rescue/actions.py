# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""What soldiers do in a half-turn, on one row (4.1 to 4.3, 5). Types are in ``actions.pxd``.

``s`` holds rows, ``to`` is the place of the row that changes, ``t`` is the table, ``x`` what ``gather`` counted.
"""

from __future__ import annotations

from typing import Any

from solver.encodings.trench_rescue import layout as L

Row = Any
Table = Any


def enter(s: Row, to: int, i: int, cell: int) -> int:
    """Let a soldier come out of its trench (4.1)."""
    s[to + L.CARDS + i] = L.FIELD + cell | L.MOVED
    s[to + L.ENTERED] = i + 1
    s[to + L.LEAD] += 2 * s[to + L.MOVER] - 1
    return 0


def cycle(s: Row, to: int, t: Table, i: int) -> int:
    """Put a soldier back into its deck; return the cards that were there (4.1).

    A queue gives its first card at once, else a draw is due. With an empty deck nothing changes.
    """
    mover = s[to + L.MOVER]
    n = 0
    for j in range(t[L.T_CARDS]):
        place = s[to + L.CARDS + j] & L.PLACES
        if t[L.T_COLOUR + j] == mover and L.DECK <= place < L.CARRIED:
            n += 1
            if t[L.T_QUEUE]:
                s[to + L.CARDS + j] = L.TRENCH | L.MOVED if place == L.DECK else place - 1
    if n:
        s[to + L.CARDS + i] = L.DECK
        if t[L.T_QUEUE]:
            s[to + L.CARDS + i] = L.DECK + n - 1
        else:
            s[to + L.STAGE] = L.DRAWS
    return n


def drop(s: Row, to: int, x: Any, i: int) -> int:
    """Let a soldier put down what it carries (4.1, 4.3)."""
    cell = (s[to + L.CARDS + i] & L.PLACES) - L.FIELD
    place = L.PILE + L.DEEP * cell + x[L.X_HEIGHT + cell]
    s[to + L.CARDS + x[L.X_LOAD + i]] = place | L.FRESH if s[to + L.CARDS + i] & L.MOVED else place
    s[to + L.ENTERED] = L.OTHERWISE
    return 0


def arrive(s: Row, to: int, t: Table, x: Any, chosen: int, load: int, there: int) -> int:
    """Put the chosen soldiers of a group and what they carry, or -1, into a cell or the trench (4.2)."""
    mover = s[to + L.MOVER]
    size = 0
    best = 0
    last = 0
    place = 0
    while chosen >> place:
        if chosen >> place & 1:
            last = x[L.X_GROUP + place]
            s[to + L.CARDS + last] = there | L.MOVED
            size += 1
            if t[L.T_VALUE + last] > best:
                best = t[L.T_VALUE + last]
        place += 1
    if there == L.TRENCH:
        s[to + L.LEAD] += size * (1 - 2 * mover)
        if load >= 0:
            rescue(s, to, t, load, best)
    elif load >= 0:
        s[to + L.CARDS + load] = L.CARRIED + last
    s[to + L.ENTERED] = L.OTHERWISE
    return 0


def rescue(s: Row, to: int, t: Table, load: int, best: int) -> int:
    """Decide what a card brought home becomes (5)."""
    mover = s[to + L.MOVER]
    owner = t[L.T_COLOUR + load]
    within = 1 if t[L.T_VALUE + load] <= best else 0
    becomes = t[L.T_RESCUE + 2 * (1 if owner == mover else 0) + within]
    if becomes == L.TRENCH:
        s[to + L.CARDS + load] = L.TRENCH | L.MOVED
    elif becomes == L.INFIRMARY:
        s[to + L.CARDS + load] = L.INFIRMARY + mover
    else:
        n = 0
        if t[L.T_QUEUE]:
            for i in range(t[L.T_CARDS]):
                place = s[to + L.CARDS + i] & L.PLACES
                if t[L.T_COLOUR + i] == owner and L.DECK <= place < L.CARRIED:
                    n += 1
        s[to + L.CARDS + load] = L.DECK + n
        s[to + L.LEAD] += 1 - 2 * owner
        return 0
    s[to + L.LEAD] += 1 - 2 * mover
    return 0
