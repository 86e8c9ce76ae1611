# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""Rows played on to the end of the game: what a seat does not know is dealt anew, and both play by one rule of thumb.

A soldier takes a card that it gains by, walks home with it, or goes where such a card lies. It does so as long as there
is time to bring it home and the shells on the way cost less. A soldier at home with a low value goes back to the deck.
What nobody has seen counts as what it is on average.
"""

from __future__ import annotations

from typing import Any

from solver.encodings.trench_rescue import field
from solver.encodings.trench_rescue import layout as L
from solver.search import native
from solver.search.native import Ints, Row, Table

# Chance


def below(x: Ints, n: int) -> int:
    """Return a number from 0 to n - 1 (D. Lehmer's generator with the multiplier 48271)."""
    number: int = x[L.X_RANDOM]
    number = number * 48271 % 2147483647
    x[L.X_RANDOM] = number
    return (number - 1) * n // 2147483646


def deal_anew(s: Row, x: Ints, hidden: Ints) -> None:
    """Give every card that a seat does not know one of the places that are open to it (8.3)."""
    for colour in range(2):
        first = L.H_CARD + L.MOST_CARDS * colour
        n = hidden[L.H_UNSEEN + colour]
        for place in range(n):
            other = first + place + below(x, n - place)
            card = hidden[other]
            hidden[other] = hidden[first + place]
            x[L.X_KNOWN + card] = 0
            hidden[first + place] = card
            s[L.CARDS + card] = L.DECK
    waiting = hidden[L.H_PLACES]
    for colour in range(2):
        first = L.H_CARD + L.MOST_CARDS * colour
        for place in range(hidden[L.H_DECK + colour], hidden[L.H_UNSEEN + colour]):
            other = L.H_PLACE + below(x, waiting)
            waiting -= 1
            where = hidden[other]
            hidden[other] = hidden[L.H_PLACE + waiting]
            hidden[L.H_PLACE + waiting] = where
            s[L.CARDS + hidden[first + place]] = where


def draw(s: Row, t: Table, x: Ints) -> None:
    """Let a player draw a card of its shuffled deck (4.1)."""
    n = 0
    for i in range(t[L.T_CARDS]):
        if t[L.T_COLOUR + i] == s[L.MOVER] and s[L.CARDS + i] & L.PLACES == L.DECK:
            n += 1
    left = below(x, n)
    for i in range(t[L.T_CARDS]):
        if t[L.T_COLOUR + i] == s[L.MOVER] and s[L.CARDS + i] & L.PLACES == L.DECK:
            if left == 0:
                s[L.CARDS + i] = L.TRENCH | L.MOVED
                x[L.X_KNOWN + i] = 1
            left -= 1
    s[L.STAGE] = L.ACTS


def shell(s: Row, t: Table, x: Ints) -> None:
    """Let a shell fall (6.3)."""
    left = below(x, t[L.T_CASES])
    cell = 0
    while left >= t[L.T_WAYS + cell]:
        left -= t[L.T_WAYS + cell]
        cell += 1
    field.hit(s, 0, t, cell)


# The rule of thumb


def gain(t: Table, x: Ints, i: int, load: int) -> int:
    """Return what a soldier gains by bringing home a card, in parts of ``GAIN``, as far as it is known (5)."""
    if x[L.X_KNOWN + load] == 0:
        blind: int = t[L.T_BLIND + i]
        return blind
    own = 1 if t[L.T_COLOUR + i] == t[L.T_COLOUR + load] else 0
    within = 1 if t[L.T_VALUE + load] <= t[L.T_VALUE + i] else 0
    becomes = t[L.T_RESCUE + 2 * own + within]
    return -L.GAIN if becomes == L.DECK and own == 0 else L.GAIN


def risk(t: Table, shells: int, cell: int, there: int, turns: int) -> int:
    """Return what shells cost a soldier that is under way for some turns between two cells, in parts of ``GAIN``."""
    ways: int = t[L.T_WAYS + cell] + t[L.T_WAYS + there]
    cases: int = t[L.T_CASES]
    return L.RISK * turns * shells * ways // (2 * cases)


def search(s: Row, t: Table, x: Ints, i: int, from_: int, left: int, shells: int) -> int:
    """Return the cell with the card that a soldier gains most by in its time, or -1; from -1 it comes out first."""
    mover = s[L.MOVER]
    best = -1
    most = 0
    for cell in range(t[L.T_CELLS]):
        load = x[L.X_TOP + cell]
        if load < 0 or x[L.X_CLAIMED + cell] >= x[L.X_HEIGHT + cell]:
            continue
        away = t[L.T_HOME + L.MOST_CELLS * mover + cell]
        turns = away + (away if from_ < 0 else t[L.T_STEPS + L.MOST_CELLS * from_ + cell])
        if turns > left:
            continue
        gains = gain(t, x, i, load) - risk(t, shells, cell, cell if from_ < 0 else from_, turns)
        gains = 64 * gains // turns
        if gains > most:
            most = gains
            best = cell
    if best >= 0:
        x[L.X_CLAIMED + best] = x[L.X_CLAIMED + best] + 1
    return best


def step(s: Row, t: Table, x: Ints, i: int, load: int, there: int) -> None:
    """Let one soldier go to a cell, or home where that is -1, by itself."""
    x[L.X_GROUP] = i
    go(s, t, x, 1, load, L.TRENCH if there < 0 else L.FIELD + there)


def go(s: Row, t: Table, x: Ints, chosen: int, load: int, there: int) -> None:
    """Let a group go; what it brings home is shown (4.2, 5)."""
    if there == L.TRENCH and load >= 0:
        x[L.X_KNOWN + load] = 1
    field.arrive(s, 0, t, x, chosen, load, there)


def homeward(s: Row, t: Table, cell: int) -> int:
    """Return the next cell on the way home, or -1 for the trench."""
    if t[L.T_HOME + L.MOST_CELLS * s[L.MOVER] + cell] == 1:
        return -1
    down: int = t[L.T_DOWN + s[L.MOVER]]
    return cell + down


def towards(t: Table, cell: int, goal: int) -> int:
    """Return the next cell on the way to another, of two the one that fewer shells fall on."""
    best = cell
    for other in range(t[L.T_CELLS]):
        if t[L.T_STEPS + L.MOST_CELLS * cell + other] != 1:
            continue
        if t[L.T_STEPS + L.MOST_CELLS * other + goal] >= t[L.T_STEPS + L.MOST_CELLS * cell + goal]:
            continue
        if best == cell or t[L.T_WAYS + other] < t[L.T_WAYS + best]:
            best = other
    return best


def walk(s: Row, t: Table, x: Ints, i: int, left: int, shells: int) -> None:
    """Let a soldier on the field act by the rule of thumb."""
    cell = (s[L.CARDS + i] & L.PLACES) - L.FIELD
    load = x[L.X_LOAD + i]
    if load >= 0 and left and gain(t, x, i, load) <= 0:
        field.drop(s, 0, x, i)
        field.gather(s, 0, t, x)
        load = -1
    if load >= 0:
        step(s, t, x, i, load, homeward(s, t, cell))
        return
    load = x[L.X_TOP + cell]
    in_time = 1 if left >= t[L.T_HOME + L.MOST_CELLS * s[L.MOVER] + cell] else 0
    if load >= 0 and in_time and not s[L.CARDS + load] & L.FRESH and gain(t, x, i, load) > 0:
        if t[L.T_SHOWN]:
            x[L.X_KNOWN + load] = 1
        step(s, t, x, i, load, homeward(s, t, cell))
        return
    goal = search(s, t, x, i, cell, left, shells) if left else -1
    if goal != cell:
        step(s, t, x, i, -1, homeward(s, t, cell) if goal < 0 else towards(t, cell, goal))


def begin(s: Row, t: Table, x: Ints, i: int, left: int, shells: int) -> None:
    """Let a soldier at home come out, go back to the deck, or stay, by the rule of thumb."""
    value = t[L.T_VALUE + i]
    if value <= L.LOW and value * value <= L.SOON * left and field.cycle(s, 0, t, i):
        if s[L.STAGE] == L.DRAWS:
            draw(s, t, x)
        return
    goal = search(s, t, x, i, -1, left, shells)
    if goal < 0:
        return
    size = t[L.T_SIZE]
    cell = goal % size
    if t[L.T_HOME + L.MOST_CELLS * s[L.MOVER] + cell] != 1:
        cell += size * (size - 1)
    field.enter(s, 0, i, cell)


def act(s: Row, t: Table, x: Ints) -> None:
    """Let all soldiers of the player to move act, those on the field first, and end the half-turn."""
    mover = s[L.MOVER]
    left = field.half_turns_left(s, 0, t, mover)
    for cell in range(t[L.T_CELLS]):
        x[L.X_CLAIMED + cell] = 0
    for home in range(2 if left else 1):
        for i in range(t[L.T_CARDS]):
            place = s[L.CARDS + i] & L.PLACES
            if t[L.T_COLOUR + i] != mover or s[L.CARDS + i] & L.MOVED:
                continue
            if home == 0 and L.FIELD <= place < L.PILE:
                field.gather(s, 0, t, x)
                walk(s, t, x, i, left, (field.count_out(s, 0, t) + 1) // 2)
            elif home and place == L.TRENCH:
                field.gather(s, 0, t, x)
                begin(s, t, x, i, left, (field.count_out(s, 0, t) + 1) // 2)
    end(s, t)


def end(s: Row, t: Table) -> None:
    """End the half-turn."""
    for i in range(t[L.T_CARDS]):
        s[L.CARDS + i] &= ~(L.MOVED | L.FRESH)
    field.end_half(s, 0, t, field.count_out(s, 0, t))


# Playouts


def begin_with(s: Row, t: Table, x: Ints, m: Table) -> int:
    """Take a first action; return whether the half-turn goes on."""
    verb = m[L.M_VERB]
    i = m[L.M_GROUP]
    field.gather(s, 0, t, x)
    if verb == L.V_NONE:
        return 1
    if verb == L.V_END:
        end(s, t)
        return 0
    if verb == L.V_ENTER:
        field.enter(s, 0, i, m[L.M_WHERE])
    elif verb == L.V_CYCLE:
        s[L.CARDS + i] |= L.MOVED
        field.cycle(s, 0, t, i)
        if s[L.STAGE] == L.DRAWS:
            draw(s, t, x)
    elif verb == L.V_PEEK:
        s[L.CARDS + i] |= L.MOVED
        load = x[L.X_TOP + (s[L.CARDS + i] & L.PLACES) - L.FIELD]
        if x[L.X_LOAD + i] >= 0 and (t[L.T_CARRIED_SEEN] or load < 0):
            load = x[L.X_LOAD + i]
        x[L.X_KNOWN + load] = 1
    elif verb == L.V_DROP:
        field.drop(s, 0, x, i)
    else:
        load = -1
        for place in range(m[L.M_SIZE]):
            x[L.X_GROUP + place] = m[L.M_GROUP + place]
            if x[L.X_LOAD + m[L.M_GROUP + place]] >= 0:
                load = x[L.X_LOAD + m[L.M_GROUP + place]]
        if m[L.M_TAKE]:
            load = x[L.X_TOP + (s[L.CARDS + i] & L.PLACES) - L.FIELD]
            if t[L.T_SHOWN]:
                x[L.X_KNOWN + load] = 1
        there = L.TRENCH if m[L.M_WHERE] == L.HOME else L.FIELD + m[L.M_WHERE]
        go(s, t, x, (1 << m[L.M_SIZE]) - 1, load, there)
    return 1


def begin_game(start: Row, s: Row, t: Table, x: Ints, hidden: Ints, m: Table) -> None:
    """Deal a game, take the first action, end its half-turn by the rule of thumb, and let the shells after it fall."""
    for i in range(L.CARDS + t[L.T_CARDS]):
        s[i] = start[i]
    for i in range(t[L.T_CARDS]):
        x[L.X_KNOWN + i] = 1
    deal_anew(s, x, hidden)
    if begin_with(s, t, x, m):
        act(s, t, x)
    while s[L.STAGE] == L.SHELLED:
        shell(s, t, x)


def play_on(game: Any, move: Any, results: Any, last: int, seed: int, games: int) -> None:
    """Play games on from the row of a game (``sampling.py``) and add up how they end, as ``R_…`` in ``layout`` says.

    ``move`` is the first action. Play stops after the turn ``last``, but not before the next half-turn begins.
    """
    start = native.shorts(game.row)
    s = native.shorts(game.work)
    x = native.ints(game.counts)
    t = native.ints(game.numbers)
    h = native.ints(game.unseen)
    m = native.ints(move)
    r = native.ints(results)
    for i in range(L.R_W):
        r[i] = 0
    for number in range(games):
        seed = seed * 69621 % 2147483647
        x[L.X_RANDOM] = seed
        begin_game(start, s, t, x, h, m)
        while s[L.STAGE] != L.OVER and s[L.TURN] <= last:
            if s[L.STAGE] == L.SHELLED:
                shell(s, t, x)
            else:
                act(s, t, x)
        lead = s[L.LEAD]
        r[L.R_LEAD] = r[L.R_LEAD] + lead
        r[L.R_WON] = r[L.R_WON] + (2 if lead > 0 else 1 if lead == 0 else 0)
        if number == 0 or lead < r[L.R_LEAST]:
            r[L.R_LEAST] = lead
        if number == 0 or lead > r[L.R_MOST]:
            r[L.R_MOST] = lead
