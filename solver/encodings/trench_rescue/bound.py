# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""Proved bounds of a row of a duel: what a side is sure of, and what it can have at most.

Sure of: a side may leave its soldiers at home and walk everybody else straight home, one space a half-turn, carrying
what they hold, or what lies on top where they stand if they move first. That is always legal under the rulings of the
encoding, and nothing the enemy does can hinder it but shells. In one barrage of ``k`` shells a soldier in a cell of
chance ``p`` is hit with at most ``k p``, and ``k`` is at most half of all who can then stand on the field, so that
adding up the barrages on the way bounds the chance to be lost. A card that would go back to the enemy is dropped
instead, and counts as fetched by the enemy.

At most: against that way of playing the other side has its score, all its soldiers on the field, and every wounded
card that there is time to fetch: a card at home distance ``h`` needs somebody there, and ``h`` spaces back, and a
group of ``c`` moves up to ``c`` spaces. The way there may lead through the own trench: coming out takes a half-turn
and may be to any column. An own soldier that is hit and fetched back is worth no more than one that
was not hit. An enemy that is hit is one more card to fetch, and so is what it carries: their number is at most the
same sum of chances.

Values are in parts of the number of equally likely cells of a shell, so that they are whole; the score is left out.
"""

from __future__ import annotations

from solver.encodings.trench_rescue import field
from solver.encodings.trench_rescue import layout as L
from solver.search.native import Ints, Row, Table


def count(s: Row, b: int, t: Table, x: Ints) -> int:
    """Write how many of each side are out, lie or are carried, and are at home."""
    field.gather(s, b, t, x)
    for i in range(6):
        x[L.X_MEN + i] = 0
    for i in range(t[L.T_CARDS]):
        place = s[b + L.CARDS + i] & L.PLACES
        colour = t[L.T_COLOUR + i]
        if place == L.TRENCH:
            x[L.X_HOME + colour] += 1
        elif L.FIELD <= place < L.PILE:
            x[L.X_MAN + L.MOST_CARDS * colour + x[L.X_MEN + colour]] = i
            x[L.X_MEN + colour] += 1
        elif place >= L.CARRIED:
            x[L.X_LYING + colour] += 1
    return 0


def is_acting(s: Row, b: int, colour: int) -> int:
    """Return whether a player is in the middle of a half-turn."""
    return 1 if s[b + L.STAGE] != L.SHELLED and s[b + L.MOVER] == colour else 0


def stands(s: Row, b: int, t: Table, x: Ints, colour: int, beyond: int) -> int:
    """Return how many soldiers of a side are farther from home than so many spaces."""
    n = 0
    home = L.T_HOME + L.MOST_CELLS * colour - L.FIELD
    for man in range(x[L.X_MEN + colour]):
        i = x[L.X_MAN + L.MOST_CARDS * colour + man]
        if t[home + (s[b + L.CARDS + i] & L.PLACES)] > beyond:
            n += 1
    return n


def foresee(s: Row, b: int, t: Table, x: Ints, colour: int) -> int:
    """Write at most how many shells fall in each barrage to come, one under way left out.

    For a side that walks straight home and sends nobody out. Return how many come before its next half-turn.
    """
    other = 1 - colour
    mover = s[b + L.MOVER]
    shelled = 1 if s[b + L.STAGE] == L.SHELLED else 0
    first = 1 if mover == t[L.T_STARTER] else 0
    each = 1 + t[L.T_EACH]
    if t[L.T_EACH]:
        waits = 1 if (mover == colour) == (shelled == 1) else 0
    else:
        waits = 1 if not shelled and mover != colour and not first else 0
    left = field.half_turns_left(s, b, t, other)
    home = x[L.X_HOME + other] + (1 if s[b + L.STAGE] == L.DRAWS and mover == other else 0)
    next_ = 1 if (mover == other) == (shelled == 0) else 0
    acted = 0 if not shelled and mover == colour and not first else 1
    for place in range(waits + t[L.T_SIZE] * each):
        gone = 0 if place < waits else 1 + (place - waits) // each
        if t[L.T_EACH]:
            acted = 1 + place // 2 if next_ else (place + 1) // 2
        n = stands(s, b, t, x, colour, gone - 1)
        if left:
            n += x[L.X_MEN + other]
            if acted:
                n += home
            if acted > 1 and left > 1:
                n += x[L.X_LYING + other]
        else:
            n += stands(s, b, t, x, other, acted)
        x[L.X_FALL + place] = field.shells_for(n, t)
        if not t[L.T_EACH]:
            acted += 1
    return waits


def gains(t: Table, i: int, load: int, colour: int) -> int:
    """Return whether a soldier gains by bringing a card home rather than dropping it."""
    return 1 if t[L.T_COLOUR + load] == colour or t[L.T_VALUE + load] <= t[L.T_VALUE + i] else 0


def is_gain(s: Row, b: int, t: Table, i: int, top: int, colour: int) -> int:
    """Return whether a soldier may take the top card of its cell, and gains by bringing it home."""
    return 0 if s[b + L.CARDS + top] & L.FRESH else gains(t, i, top, colour)


def risk_of(s: Row, b: int, t: Table, x: Ints, cell: int, stays: int) -> int:
    """Return at most how likely a soldier is hit that stays for some barrages and then walks straight home."""
    each = 1 + t[L.T_EACH]
    colour = x[L.X_COUNT]
    down = t[L.T_DOWN + colour]
    falls = s[b + L.SHELLS] if s[b + L.STAGE] == L.SHELLED else 0
    for place in range(stays):
        falls += x[L.X_FALL + place]
    risk: int = t[L.T_WAYS + cell] * falls
    cases: int = t[L.T_CASES]
    for step in range(1, t[L.T_HOME + L.MOST_CELLS * colour + cell]):
        begins = stays + (step - 1) * each
        falls = x[L.X_FALL + begins]
        if t[L.T_EACH]:
            falls += x[L.X_FALL + begins + 1]
        risk += t[L.T_WAYS + cell + step * down] * falls
    return risk if risk < cases else cases


def surely(s: Row, b: int, t: Table, x: Ints, colour: int) -> int:
    """Return what a side's soldiers on the field are sure to bring home, themselves included.

    Writes the cards that shells may leave lying on the way, and the cell whose top card is taken along, or -1.
    """
    cases = t[L.T_CASES]
    waits = foresee(s, b, t, x, colour)
    left = field.half_turns_left(s, b, t, colour)
    acting = is_acting(s, b, colour)
    sure = 0
    lost = 0
    taken = -1
    x[L.X_COUNT] = colour
    for man in range(x[L.X_MEN + colour]):
        i = x[L.X_MAN + L.MOST_CARDS * colour + man]
        cell = (s[b + L.CARDS + i] & L.PLACES) - L.FIELD
        late = 1 if acting and s[b + L.CARDS + i] & L.MOVED else 0
        risk = risk_of(s, b, t, x, cell, waits + late * (1 + t[L.T_EACH]))
        load = x[L.X_LOAD + i]
        worth = 1
        if t[L.T_HOME + L.MOST_CELLS * colour + cell] + late <= left:
            top = x[L.X_TOP + cell]
            if load >= 0:
                if gains(t, i, load, colour):
                    worth = 2
                else:
                    lost += cases
            elif acting and not late and taken < 0 and top >= 0 and is_gain(s, b, t, i, top, colour):
                worth = 2
                taken = cell
        sure += worth * (cases - risk)
        lost += risk if load < 0 and taken != cell else 2 * risk
    x[L.X_LOST] = lost
    x[L.X_TAKEN] = taken
    return sure


def fetched(s: Row, b: int, t: Table, x: Ints, colour: int) -> int:
    """Return how many of the cards that now lie on the field a side can bring home at most.

    The enemy takes the top card of the cell ``X_TAKEN`` along.
    """
    left = field.half_turns_left(s, b, t, colour)
    acting = is_acting(s, b, colour)
    at_home = x[L.X_HOME + colour] + (1 if s[b + L.STAGE] == L.DRAWS and acting else 0)
    crowd = x[L.X_MEN + colour] + at_home if left <= 3 else L.CROWD
    far = (left - 1) * crowd
    hands = t[L.T_RESCUES + left] * at_home if left > 1 else 0
    found = 0
    if not left:
        return 0
    for cell in range(t[L.T_CELLS]):
        x[L.X_COUNT + cell] = -1
    for man in range(x[L.X_MEN + colour]):
        i = x[L.X_MAN + L.MOST_CARDS * colour + man]
        cell = (s[b + L.CARDS + i] & L.PLACES) - L.FIELD
        if x[L.X_COUNT + cell] < 0:
            x[L.X_COUNT + cell] = 0
        if not (acting and s[b + L.CARDS + i] & L.MOVED):
            x[L.X_COUNT + cell] += 1
    for man in range(x[L.X_MEN + colour]):
        i = x[L.X_MAN + L.MOST_CARDS * colour + man]
        cell = (s[b + L.CARDS + i] & L.PLACES) - L.FIELD
        here = 0 if acting and s[b + L.CARDS + i] & L.MOVED else x[L.X_COUNT + cell]
        away = t[L.T_HOME + L.MOST_CELLS * colour + cell]
        load = x[L.X_LOAD + i]
        if left == 1 and (here <= 0 or away > here or (load < 0 and x[L.X_HEIGHT + cell] == 0)):
            continue
        needs = 1 if away <= here else 2
        if needs <= left:
            hands += 1 + 2 * t[L.T_RESCUES + left - needs]
        if load >= 0 and away <= here + far:
            found += 1
    if not hands:
        return 0
    found += within_reach(s, b, t, x, colour, left)
    return hands if hands < found else found


def within_reach(s: Row, b: int, t: Table, x: Ints, colour: int, left: int) -> int:
    """Return how many of the cards in piles a side has the time to bring home."""
    at_home = x[L.X_HOME + colour] + (1 if s[b + L.STAGE] == L.DRAWS and is_acting(s, b, colour) else 0)
    crowd = x[L.X_MEN + colour] + at_home if left <= 3 else L.CROWD
    far = (left - 1) * crowd
    found = 0
    for cell in range(t[L.T_CELLS]):
        n = x[L.X_HEIGHT + cell] - (1 if cell == x[L.X_TAKEN] else 0)
        if n <= 0:
            continue
        away = t[L.T_HOME + L.MOST_CELLS * colour + cell]
        near = 1 if x[L.X_COUNT + cell] >= 0 and away <= x[L.X_COUNT + cell] + far else 0
        if not near and left > 1 and away <= far:
            near = 1 if at_home > 0 and away - 1 <= far - crowd else 0
            for man in range(x[L.X_MEN + colour]):
                there = (s[b + L.CARDS + x[L.X_MAN + L.MOST_CARDS * colour + man]] & L.PLACES) - L.FIELD
                spaces = x[L.X_COUNT + there] + far - crowd
                through = t[L.T_HOME + L.MOST_CELLS * colour + there] + away - 1
                if t[L.T_STEPS + L.MOST_CELLS * there + cell] <= spaces or through <= spaces - crowd:
                    near = 1
        if near:
            found += n
    return found


def least_lead(s: Row, b: int, t: Table, x: Ints, colour: int) -> int:
    """Return the least lead of a side over the other from here on; ``count`` has been there before."""
    other = 1 - colour
    sure = surely(s, b, t, x, colour)
    most: int = t[L.T_CASES] * (x[L.X_MEN + other] + fetched(s, b, t, x, other))
    if field.half_turns_left(s, b, t, other):
        most += x[L.X_LOST]
    return sure - most
