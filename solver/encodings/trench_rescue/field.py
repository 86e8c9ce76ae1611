# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""What happens to one row of a duel in half-turns and between them (4.1 to 6).

``s`` is room for rows, ``b`` the place of one, ``t`` the table, ``x`` room for what is counted. Rules are those of
``rules.trench_rescue``. Where ``T_FADES`` says so, a row forgets what does not matter any more; values stay the same:

- The infirmaries and the dead: they never come back, and the score that they make is kept as a number.
- Decks of a player with too few half-turns left. A card drawn now can enter in the next half-turn and bring something
  home in the one after that. With two left it can only stand on the field in the last barrage, and what is hit
  then dies. Any other soldier could stand there as well. Where shells fall after each half-turn somebody may still
  rescue it, so that there the same holds with one half-turn left only.
- Before the last half-turn the cards that cannot be rescued any more. Its player can only carry home what lies under
  soldiers that reach home together at once, and what those carry.
- Then also who a soldier is that rescues nothing any more: it is *nameless*.
"""

from __future__ import annotations

from solver.encodings.trench_rescue import layout as L
from solver.search.native import Ints, Row, Table


def gather(s: Row, b: int, t: Table, x: Ints) -> None:
    """Write which card lies on top of each cell, how many lie there, and what each soldier carries."""
    n = t[L.T_CARDS]
    for cell in range(t[L.T_CELLS]):
        x[L.X_HEIGHT + cell] = 0
        x[L.X_TOP + cell] = -1
    for i in range(n):
        x[L.X_LOAD + i] = -1
    for i in range(n):
        place = s[b + L.CARDS + i] & L.PLACES
        if place >= L.PILE:
            cell = (place - L.PILE) // L.DEEP
            height = (place - L.PILE) % L.DEEP + 1
            if height > x[L.X_HEIGHT + cell]:
                x[L.X_HEIGHT + cell] = height
                x[L.X_TOP + cell] = i
        elif L.CARRIED <= place < L.FIELD:
            x[L.X_LOAD + place - L.CARRIED] = i


def count_out(s: Row, b: int, t: Table) -> int:
    """Return the number of soldiers on the field."""
    n = 0
    for i in range(t[L.T_CARDS]):
        if L.FIELD <= s[b + L.CARDS + i] & L.PLACES < L.PILE:
            n += 1
    return n


def shells_for(n: int, t: Table) -> int:
    """Return the number of shells that fall for so many soldiers on the field (6.2, TR-Q16)."""
    return t[L.T_MIN_ONE] if n == 1 else n // 2


def half_turns_left(s: Row, b: int, t: Table, colour: int) -> int:
    """Return the half-turns with rescues that a player has left, one under way included."""
    mover = s[b + L.MOVER]
    if s[b + L.PHASE] == L.WITHDRAWAL:
        return 0
    over = 1 if (s[b + L.STAGE] == L.SHELLED if colour == mover else mover != t[L.T_STARTER]) else 0
    left = t[L.T_LIMIT] - s[b + L.TURN] + 1 - over
    if left >= L.MOST_LEFT:
        return L.MOST_LEFT - 1  # no more of them ever count
    return left if left > 0 else 0


def end_half(s: Row, b: int, t: Table, out: int) -> None:
    """Go on after a half-turn: to the other half-turn, the barrage, or what comes after it (4.0.4, 6.2)."""
    s[b + L.STAGE] = L.ACTS
    s[b + L.SHELLS] = 0
    if s[b + L.MOVER] == t[L.T_STARTER] and not t[L.T_EACH]:
        s[b + L.MOVER] = 1 - s[b + L.MOVER]
        return
    last = 1 if s[b + L.PHASE] == L.PLAY and s[b + L.TURN] >= t[L.T_LIMIT] else 0
    shells = shells_for(out, t) if t[L.T_LAST_FALLS] or not last else 0
    if shells:
        s[b + L.STAGE] = L.SHELLED
        s[b + L.SHELLS] = shells
        return
    pass_on(s, b, t, out)


def pass_on(s: Row, b: int, t: Table, out: int) -> None:
    """Go on after the barrage: pass the move, begin the next turn, or end a phase (4.0.4, 7)."""
    s[b + L.STAGE] = L.ACTS
    s[b + L.SHELLS] = 0
    s[b + L.MOVER] = 1 - s[b + L.MOVER]
    if s[b + L.MOVER] != t[L.T_STARTER]:
        return
    if s[b + L.PHASE] == L.PLAY and s[b + L.TURN] >= t[L.T_LIMIT]:
        s[b + L.PHASE] = L.WITHDRAWAL
        for i in range(t[L.T_CARDS]):
            place = s[b + L.CARDS + i] & L.PLACES
            if place >= L.PILE or L.CARRIED <= place < L.FIELD:
                s[b + L.CARDS + i] = L.DEAD
    if s[b + L.PHASE] == L.WITHDRAWAL and out == 0:
        s[b + L.STAGE] = L.OVER
        return
    s[b + L.TURN] = s[b + L.TURN] + 1


def hit(s: Row, b: int, t: Table, cell: int) -> None:
    """Let a shell fall, on nobody where the cell is -1; go on after the last one (6.5, 6.6, TR-Q21)."""
    n = t[L.T_CARDS]
    first = b + L.CARDS
    pile = L.PILE + L.DEEP * cell
    s[b + L.SHELLS] = s[b + L.SHELLS] - 1
    for i in range(n):
        place = s[first + i] & L.PLACES
        if place >= L.PILE and (place - L.PILE) // L.DEEP == cell:
            pile += 1
    for i in range(n):  # carried cards first, in the order of their carriers
        if cell >= 0 and s[first + i] & L.PLACES == L.FIELD + cell:
            for load in range(n):
                if s[first + load] & L.PLACES == L.CARRIED + i:
                    s[first + load] = pile
                    pile += 1
    for i in range(n):
        if cell >= 0 and s[first + i] & L.PLACES == L.FIELD + cell:
            s[first + i] = L.DEAD if s[b + L.PHASE] == L.WITHDRAWAL else pile
            pile += 1
    out = count_out(s, b, t)
    if s[b + L.SHELLS] == 0 or out == 0:
        pass_on(s, b, t, out)


# What is forgotten


def reach(s: Row, b: int, t: Table, colour: int) -> int:
    """Return the cells, as bits, from which soldiers of a colour reach home together in one half-turn."""
    cells = 0
    bit = 1
    for i in range(t[L.T_CARDS]):
        place = s[b + L.CARDS + i] & L.PLACES
        if t[L.T_COLOUR + i] != colour or place < L.FIELD or place >= L.PILE:
            continue
        n = 0
        for j in range(t[L.T_CARDS]):
            if s[b + L.CARDS + j] & L.PLACES == place and t[L.T_COLOUR + j] == colour:
                n += 1
        if t[L.T_HOME + L.MOST_CELLS * colour + place - L.FIELD] <= n:
            cells |= bit << (place - L.FIELD)
    return cells


def fade(s: Row, b: int, t: Table) -> None:
    """Forget what does not matter any more at the beginning of a half-turn, in a barrage or a draw."""
    n = t[L.T_CARDS]
    first = b + L.CARDS
    mover = s[b + L.MOVER]
    stage = s[b + L.STAGE]
    last = 1 if s[b + L.TURN] >= t[L.T_LIMIT] else 0
    if not t[L.T_FADES]:
        return
    if s[b + L.PHASE] == L.WITHDRAWAL or (last and stage == L.SHELLED and mover != t[L.T_STARTER]):
        for i in range(n):
            place = s[first + i] & L.PLACES
            if L.FIELD <= place < L.PILE:
                s[first + i] |= L.NAMELESS
            else:
                s[first + i] = L.GONE
        arrange(s, b, t)
        return
    idle = 1 if t[L.T_EACH] else 2
    keeps = 0
    for colour in range(2):
        if half_turns_left(s, b, t, colour) > idle:
            keeps |= 1 << colour
    moved = 0
    for i in range(n):
        place = s[first + i] & L.PLACES
        if place < L.TRENCH or (L.DECK <= place < L.CARRIED and not keeps >> t[L.T_COLOUR + i] & 1):
            s[first + i] = L.GONE
        elif s[first + i] & (L.MOVED | L.FRESH):
            moved = 1
    if last and stage == L.ACTS and not moved and mover != t[L.T_STARTER]:
        fade_last(s, b, t)


def fade_last(s: Row, b: int, t: Table) -> None:
    """Forget what does not matter before the last half-turn: all cards but those that its player can bring home."""
    mover = s[b + L.MOVER]
    first = b + L.CARDS
    homeward = reach(s, b, t, mover)
    for i in range(t[L.T_CARDS] - 1, -1, -1):
        place = s[first + i] & L.PLACES
        if place >= L.PILE:
            if not homeward >> (place - L.PILE) // L.DEEP & 1:
                s[first + i] = L.GONE
        elif L.CARRIED <= place < L.FIELD:
            at = s[first + place - L.CARRIED] & L.PLACES
            if t[L.T_COLOUR + place - L.CARRIED] != mover or at < L.FIELD or not homeward >> (at - L.FIELD) & 1:
                s[first + i] = L.GONE
        elif place >= L.FIELD:
            if t[L.T_COLOUR + i] != mover or not homeward >> (place - L.FIELD) & 1:
                s[first + i] |= L.NAMELESS
        elif place == L.TRENCH:
            if t[L.T_COLOUR + i] == mover:
                s[first + i] |= L.NAMELESS
            else:
                s[first + i] = L.GONE
    arrange(s, b, t)


def arrange(s: Row, b: int, t: Table) -> None:
    """Let the nameless soldiers of a colour be its first cards that nothing is known of, in the order of places."""
    for one in range(b + L.CARDS, b + L.CARDS + t[L.T_CARDS]):
        for other in range(one + 1, b + L.CARDS + t[L.T_CARDS]):
            free = 1 if s[one] == L.GONE or s[one] & L.NAMELESS else 0
            alike = 1 if t[L.T_COLOUR + one - b - L.CARDS] == t[L.T_COLOUR + other - b - L.CARDS] else 0
            if free and alike and s[other] & L.NAMELESS and s[other] > s[one]:
                place = s[one]
                s[one] = s[other]
                s[other] = place


# What soldiers do; ``to`` is the place of the row that changes


def enter(s: Row, to: int, i: int, cell: int) -> None:
    """Let a soldier come out of its trench (4.1)."""
    s[to + L.CARDS + i] = L.FIELD + cell | L.MOVED
    s[to + L.ENTERED] = i + 1
    s[to + L.LEAD] += 2 * s[to + L.MOVER] - 1


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
            s[to + L.NEW_DECK] = 1
        else:
            s[to + L.STAGE] = L.DRAWS
    return n


def drop(s: Row, to: int, x: Ints, i: int) -> None:
    """Let a soldier put down what it carries (4.1, 4.3)."""
    cell = (s[to + L.CARDS + i] & L.PLACES) - L.FIELD
    place = L.PILE + L.DEEP * cell + x[L.X_HEIGHT + cell]
    s[to + L.CARDS + x[L.X_LOAD + i]] = place | L.FRESH if s[to + L.CARDS + i] & L.MOVED else place
    s[to + L.ENTERED] = L.OTHERWISE


def arrive(s: Row, to: int, t: Table, x: Ints, chosen: int, load: int, there: int) -> None:
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


def rescue(s: Row, to: int, t: Table, load: int, best: int) -> None:
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
                if t[L.T_COLOUR + i] == owner and L.DECK <= s[to + L.CARDS + i] & L.PLACES < L.CARRIED:
                    n += 1
        s[to + L.CARDS + load] = L.DECK + n
        s[to + L.NEW_DECK] = 1 if owner == mover else s[to + L.NEW_DECK]
        s[to + L.LEAD] += 1 - 2 * owner
        return
    s[to + L.LEAD] += 1 - 2 * mover
