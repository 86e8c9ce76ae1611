# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""Lists, instructions and copies of rows; facts about the space and the cards in play.

In all modules of the machine ``s`` are rows, ``b`` is where a row begins and ``t`` is the table.
"""

from __future__ import annotations

from solver.encodings.iditacards import layout as L
from solver.search import native
from solver.search.native import Row, Table

# Rows and instructions


def fail_row(s: Row, b: int, error: int, a: int, other: int) -> int:
    """Note that a row is of no use."""
    s[b + L.ERROR] = error
    s[b + L.ERROR_A] = a
    s[b + L.ERROR_B] = other
    return 0


def push(s: Row, b: int, code: int, a: int, x: int, y: int) -> int:
    """Push an instruction, which is the next one to be carried out."""
    n = s[b + L.N_CONTROL]
    if n >= L.MOST_CONTROL:
        return fail_row(s, b, L.ERROR_FULL, L.CONTROL, 0)
    at = b + L.CONTROL + L.CONTROL_W * n
    s[at] = code
    s[at + 1] = a
    s[at + 2] = x
    s[at + 3] = y
    s[b + L.N_CONTROL] = n + 1
    return 0


def unwind(s: Row, b: int, code: int) -> None:
    """Give up all instructions above the next one with a code."""
    n = s[b + L.N_CONTROL]
    while n > 0 and s[b + L.CONTROL + L.CONTROL_W * (n - 1)] != code:
        n -= 1
    s[b + L.N_CONTROL] = n


def copy_tail(o: Row, q: int, s: Row, b: int) -> None:
    """Copy the lists behind the body of a row as far as they are used."""
    if s[b + L.N_LOOK]:
        native.copy(o, q + L.LOOK, s, b + L.LOOK, s[b + L.N_LOOK])
    if s[b + L.N_SEEN]:
        native.copy(o, q + L.SEEN, s, b + L.SEEN, s[b + L.N_SEEN])
    if s[b + L.N_SUPPLY]:
        native.copy(o, q + L.SUPPLY, s, b + L.SUPPLY, s[b + L.N_SUPPLY])
    if s[b + L.N_DESTROYED]:
        native.copy(o, q + L.DESTROYED, s, b + L.DESTROYED, s[b + L.N_DESTROYED])


def fork(s: Row, b: int) -> int:
    """Copy the last row for the option at hand, and return where the copy begins.

    The next instruction of the row, which has the options to come, stays out of the copy.
    """
    q = b + L.W
    n = s[b + L.N_CONTROL] - 1
    native.copy(s, q, s, b, L.BODY + L.CONTROL_W * n)
    s[q + L.N_CONTROL] = n
    copy_tail(s, q, s, b)
    return q


# Lists


def insert(s: Row, b: int, length: int, items: int, most: int, card: int) -> int:
    """Insert a card into an ascending list."""
    n = s[b + length]
    if n >= most:
        return fail_row(s, b, L.ERROR_FULL, items, 0)
    i = b + items + n
    while i > b + items and s[i - 1] > card:
        s[i] = s[i - 1]
        i -= 1
    s[i] = card
    s[b + length] = n + 1
    return 0


def remove_at(s: Row, b: int, length: int, items: int, place: int) -> int:
    """Take the card at a place out of a list and return it."""
    n = s[b + length] - 1
    card = s[b + items + place]
    for i in range(b + items + place, b + items + n):
        s[i] = s[i + 1]
    s[b + length] = n
    return card


def other_kind(s: Row, first: int, place: int, n: int) -> int:
    """Return the place of the next card of a list that is unlike the one at a place."""
    card = s[first + place]
    while place < n and s[first + place] == card:
        place += 1
    return place


def to_discard(s: Row, b: int, card: int) -> int:
    """Put a card into the discard pile."""
    return insert(s, b, L.N_DISCARD, L.DISCARD, L.MOST_CARDS, card)


def to_deck(s: Row, b: int, card: int) -> int:
    """Put a card on top of the deck, where it is known."""
    n = s[b + L.N_DECK]
    if n + s[b + L.UNSEEN] >= L.MOST_CARDS:
        return fail_row(s, b, L.ERROR_FULL, L.DECK, 0)
    s[b + L.DECK + n + s[b + L.UNSEEN]] = card
    s[b + L.N_DECK] = n + 1
    s[b + L.KNOWN] = s[b + L.KNOWN] + 1
    return 0


def destroy(s: Row, b: int, t: Table, card: int) -> int:
    """Take a card out of the game; a damage card may go back to its box (Q28)."""
    if t[L.H_DAMAGE_SUPPLY] == 1 and t[t[L.H_CARDS] + card * L.CARD_W + L.C_TYPE] == L.TYPE_DAMAGE:
        s[b + L.DAMAGE_LEFT] = s[b + L.DAMAGE_LEFT] + 1
        return 0
    return insert(s, b, L.N_DESTROYED, L.DESTROYED, L.MOST_DESTROYED, card)


def all_to_deck(s: Row, b: int, length: int, items: int) -> None:
    """Put a whole list on the deck."""
    for i in range(s[b + length]):
        to_deck(s, b, s[b + items + i] & L.AGE - 1)
    s[b + length] = 0


def resolved_to_discard(s: Row, b: int) -> int:
    """Discard the risk cards that waited for their root (Q30)."""
    for i in range(s[b + L.N_RESOLVED]):
        to_discard(s, b, s[b + L.RESOLVED + i])
    s[b + L.N_RESOLVED] = 0
    return 0


# Chance


def take_top(s: Row, b: int) -> int:
    """Take the top card of a deck that is not empty: the one place where a card leaves the deck."""
    n = s[b + L.N_DECK] - 1
    s[b + L.N_DECK] = n
    s[b + L.KNOWN] = max(0, s[b + L.KNOWN] - 1)
    return s[b + L.DECK + n + s[b + L.UNSEEN]]


def pays_unseen(s: Row, b: int, t: Table) -> int:
    """Let the top card of a hidden deck pay, if nobody needs to see which one it is; return whether it did."""
    if not t[L.H_HIDDEN] or s[b + L.KNOWN] or not s[b + L.BLIND]:
        return 0
    s[b + L.N_DECK] = s[b + L.N_DECK] - 1
    s[b + L.UNSEEN] = s[b + L.UNSEEN] + 1
    return 1


def await_card(s: Row, b: int, t: Table, code: int, a: int) -> int:
    """Let chance turn over the top card of a hidden deck, then an instruction go on; return 0 if it may at once."""
    if not t[L.H_HIDDEN] or s[b + L.KNOWN] or s[b + L.N_DECK] == 0:
        return 0
    push(s, b, code, a, 0, 0)
    push(s, b, L.I_REVEAL, 0, 0, 0)
    return 1


def put_on_top(s: Row, b: int, place: int, card: int) -> int:
    """Let the card at a place of a hidden deck, which is this one, be its top, where it is known."""
    top = b + L.DECK + s[b + L.N_DECK] + s[b + L.UNSEEN] - 1
    for i in range(b + L.DECK + place, top):
        s[i] = s[i + 1]
    s[top] = card
    s[b + L.KNOWN] = 1
    return 0


def sort_list(s: Row, first: int, n: int) -> int:
    """Put the numbers of a list into ascending order."""
    for i in range(first + 1, first + n):
        card = s[i]
        j = i
        while j > first and s[j - 1] > card:
            s[j] = s[j - 1]
            j -= 1
        s[j] = card
    return 0


def shuffle(s: Row, b: int, t: Table) -> int:
    """Put the deck in the order of its next event (R72, R74), or in an unknown one where it is hidden."""
    n = s[b + L.N_DECK]
    deck = b + L.DECK
    s[b + L.KNOWN] = 0
    if t[L.H_HIDDEN]:
        return sort_list(s, deck, n + s[b + L.UNSEEN])
    event = s[b + L.DECK_EVENT]
    s[b + L.DECK_EVENT] = event + 1
    if n < 2:
        return 0
    sort_list(s, deck, n)
    event -= t[L.H_FIRST_SHUFFLE]
    if 0 <= event < t[L.H_N_ORDERS]:
        return listed_order(s, b, t, event)
    order = 0
    if 0 <= event < t[L.H_N_SHUFFLES] and n <= t[L.H_MOST]:
        order = t[t[L.H_PERMUTATIONS] + event * (t[L.H_MOST] + 1) + n]
    if order == 0:
        return fail_row(s, b, L.ERROR_SHUFFLE, event + t[L.H_FIRST_SHUFFLE], n)
    scratch = b + L.LOOK
    native.copy(s, scratch, s, deck, n)
    for i in range(n):
        s[deck + n - 1 - i] = s[scratch + t[order + i]]
    return 0


def listed_order(s: Row, b: int, t: Table, event: int) -> int:
    """Put the ascending deck in a listed order, cards that the list does not name last (R74)."""
    n = s[b + L.N_DECK]
    deck = b + L.DECK
    scratch = b + L.LOOK
    native.copy(s, scratch, s, deck, n)
    listed = t[t[L.H_ORDERS] + 2 * event]
    top = deck + n
    for i in range(listed, listed + t[t[L.H_ORDERS] + 2 * event + 1]):
        for j in range(scratch, scratch + n):
            if s[j] == t[i]:
                top -= 1
                s[top] = s[j]
                s[j] = 0
                break
    for j in range(scratch, scratch + n):
        if s[j]:
            top -= 1
            s[top] = s[j]
    return 0


# Cards in play, legs and weather


def in_play_sum(s: Row, b: int, t: Table, field: int) -> int:
    """Return the sum of a field over the dogs and attachments in play."""
    cards = t[L.H_CARDS] + field
    total = 0
    for dog in range(s[b + L.N_DOGS]):
        at = b + L.DOGS + L.DOG_W * dog
        for i in range(at, at + L.DOG_W):
            if s[i] == 0:
                break
            total += t[cards + s[i] * L.CARD_W]
    return total


def has_in_play(s: Row, b: int, t: Table, flag: int) -> int:
    """Return whether a card in play has a flag."""
    at = b + L.DOGS
    for i in range(at, at + L.DOG_W * s[b + L.N_DOGS]):
        if s[i] and t[t[L.H_CARDS] + s[i] * L.CARD_W + L.C_FLAGS] & flag:
            return 1
    return 0


def count_dogs(s: Row, b: int, t: Table) -> int:
    """Return the number of own dogs, ``counts_as`` included (R50)."""
    total = 0
    for dog in range(s[b + L.N_DOGS]):
        total += t[t[L.H_CARDS] + s[b + L.DOGS + L.DOG_W * dog] * L.CARD_W + L.C_COUNTS_AS]
    return total


def leg_at(t: Table, space: int) -> int:
    """Return where the facts of the leg of a space begin."""
    if space > t[L.H_SPACES]:
        return t[L.H_LEGS]
    return t[L.H_LEGS] + t[t[L.H_TRACK] + space] * L.LEG_W


def leg_flag(s: Row, b: int, t: Table, flag: int) -> int:
    """Return whether the leg underfoot has a flag."""
    return 1 if t[leg_at(t, s[b + L.POSITION]) + L.L_FLAGS] & flag else 0


def is_immune(s: Row, b: int, t: Table) -> int:
    """Return whether the player is immune now (R67)."""
    return 1 if s[b + L.IMMUNE] or leg_flag(s, b, t, L.LEG_IMMUNE) else 0


def weather_on(s: Row, b: int, t: Table) -> int:
    """Return where the weather that acts on the player begins, 0 if none does (R63)."""
    face = s[b + L.WEATHER]
    if face == 0 or (s[b + L.POSITION] == 0 and not t[L.H_WEATHER_OFF_BOARD]):
        return 0
    flags = t[leg_at(t, s[b + L.POSITION]) + L.L_FLAGS]
    if flags & L.LEG_NO_WEATHER or (t[L.H_OTHERS_SCOPE] and (s[b + L.IMMUNE] or flags & L.LEG_IMMUNE)):
        return 0
    return t[L.H_WEATHER] + L.WEATHER_W * face


def weather_says(s: Row, b: int, t: Table, field: int) -> int:
    """Return a field of the weather that acts on the player, 0 without any."""
    weather = weather_on(s, b, t)
    return t[weather + field] if weather else 0


def starvation_here(s: Row, b: int, t: Table) -> int:
    """Return starvation as far as it acts where the player stands (Q12)."""
    if t[L.H_NO_STARVE_EFFECT] and leg_flag(s, b, t, L.LEG_NO_STARVE):
        return 0
    return s[b + L.STARVATION]


def conditions(s: Row, b: int, t: Table) -> int:
    """Return how many of the two conditions act on the player."""
    return (1 if s[b + L.HYPOTHERMIA] > 0 else 0) + (1 if starvation_here(s, b, t) > 0 else 0)


def speed(s: Row, b: int, t: Table) -> int:
    """Return the speed, which may be negative (R43)."""
    own = lost = 0
    factor = 1
    counted = count_dogs(s, b, t) if t[L.H_COUNT_EVERYTHING] else s[b + L.N_DOGS]
    for dog in range(s[b + L.N_DOGS]):
        at = b + L.DOGS + L.DOG_W * dog
        size = t[t[L.H_CARDS] + s[at] * L.CARD_W + L.C_COUNTS_AS] if t[L.H_COUNT_EVERYTHING] else 1
        for i in range(at, at + L.DOG_W):
            if s[i] == 0:
                break
            card = t[L.H_CARDS] + s[i] * L.CARD_W
            own += t[card + L.C_SPEED]
            lost += min(0, t[card + L.C_SPEED])
            if t[card + L.C_SPEED_OTHER_DOGS]:
                own += t[card + L.C_SPEED_OTHER_DOGS] * (counted - size)
                lost += min(0, t[card + L.C_SPEED_OTHER_DOGS] * (counted - size))
            factor *= t[card + L.C_SPEED_FACTOR]
    leg = leg_at(t, s[b + L.POSITION])
    other = t[leg + L.L_DOG_SPEED] * counted
    lost += min(0, other)
    cancels = t[leg + L.L_FLAGS] & L.LEG_NO_SPEED_BONUS
    weather = weather_on(s, b, t)
    if weather:
        other += t[weather + L.WE_SPEED]
        lost += min(0, t[weather + L.WE_SPEED])
        if t[weather + L.WE_CANCELS]:
            if t[L.H_CLOUD_ALL_PARTS]:
                return 0
            cancels = 1
    if t[L.H_CONDITION_SPEED]:
        slow = (s[b + L.HYPOTHERMIA] + 1) // 2 + (starvation_here(s, b, t) + 1) // 2
        other -= slow
        lost -= slow
    if cancels:
        return lost
    return own * factor + other if t[L.H_MULTIPLY_OWN] else (own + other) * factor


# Costs


def raised_cost(s: Row, b: int, t: Table, printed: int, level: int, field: int, leg_field: int) -> int:
    """Return what a printed cost amounts to with a condition, the leg and the cards in play (R18)."""
    if t[L.H_CONDITION_COST]:
        if printed == 0 and t[L.H_ZERO_EXEMPT]:
            return 0
        printed += level if t[L.H_CONDITION_COST] == 1 else level // 2
    printed += t[leg_at(t, s[b + L.POSITION]) + leg_field]
    return max(0, printed + in_play_sum(s, b, t, field))


def energy_cost(s: Row, b: int, t: Table, card: int) -> int:
    """Return the energy cost of a card, ``ALL`` for all that may pay (R18)."""
    if s[b + L.FREE_ENERGY] == 2:
        return 0
    printed = t[t[L.H_CARDS] + card * L.CARD_W + L.C_ENERGY]
    if printed == L.ALL:
        return L.ALL
    return raised_cost(s, b, t, printed, s[b + L.HYPOTHERMIA], L.C_COST_ENERGY, L.L_COST_ENERGY)


def health_cost(s: Row, b: int, t: Table, printed: int) -> int:
    """Return what a printed health cost amounts to now (R18)."""
    if s[b + L.FREE_HEALTH] == 2:
        return 0
    return raised_cost(s, b, t, printed, starvation_here(s, b, t), L.C_COST_HEALTH, L.L_COST_HEALTH)


def risk_cost(s: Row, b: int, t: Table, card: int) -> int:
    """Return the number of risk cards that a card needs (R19)."""
    risk = t[t[L.H_CARDS] + card * L.CARD_W + L.C_RISK]
    if risk == 0:
        return 0
    risk *= t[leg_at(t, s[b + L.POSITION]) + L.L_RISK_FACTOR]
    return max(0, risk + in_play_sum(s, b, t, L.C_COST_RISK))


# Conditions


def gain(s: Row, b: int, t: Table, kind: int, n: int, softened: int) -> int:
    """Raise a condition (R48), ``softened`` by the cards that change what legs give.

    Return 1 if it was raised: outside of a move the caller then checks deaths.
    """
    if softened:
        n = max(0, n + in_play_sum(s, b, t, L.C_LEG_CONDITIONS))
    if n <= 0 or leg_flag(s, b, t, L.LEG_NO_STARVE if kind else L.LEG_NO_FREEZE):
        return 0
    s[b + L.HYPOTHERMIA + kind] = min(t[L.H_CAP], s[b + L.HYPOTHERMIA + kind] + n)
    return 1


def lower(s: Row, b: int, kind: int, n: int) -> None:
    """Lower a condition, not below 0."""
    s[b + L.HYPOTHERMIA + kind] = max(0, s[b + L.HYPOTHERMIA + kind] - n)


def cannot_move(s: Row, b: int, t: Table) -> int:
    """Return whether something keeps the player from moving (R44)."""
    if s[b + L.FREEZE] or weather_says(s, b, t, L.WE_NO_MOVE):
        return 1
    level = t[L.H_NO_MOVE_AT]
    return 1 if s[b + L.HYPOTHERMIA] >= level or starvation_here(s, b, t) >= level else 0


def deaths(s: Row, b: int, t: Table) -> int:
    """Let a player die whose conditions are too high (R49)."""
    level = t[L.H_DEATH_AT]
    if s[b + L.HYPOTHERMIA] < level and s[b + L.STARVATION] < level:
        return 0
    if not (t[L.H_BLOCK_ALL_MOVES] and cannot_move(s, b, t)):
        s[b + L.POSITION] = max(0, s[b + L.POSITION] - t[L.H_DEATH_BACK])
    leg = leg_at(t, s[b + L.POSITION])
    more = in_play_sum(s, b, t, L.C_LEG_CONDITIONS)
    for kind in range(2):
        number = t[leg + L.L_PRINTED + kind]
        if number >= 0:
            s[b + L.HYPOTHERMIA + kind] = min(t[L.H_CAP], max(0, number + more))
        elif t[L.H_DEATH_ZERO]:
            s[b + L.HYPOTHERMIA + kind] = 0
    return 0


def damage(s: Row, b: int, t: Table, n: int) -> None:
    """Put up to n damage cards into the discard pile (R56, Q28)."""
    if t[L.H_DAMAGE_SUPPLY] != 2:
        n = max(0, min(n, s[b + L.DAMAGE_LEFT]))
        s[b + L.DAMAGE_LEFT] = s[b + L.DAMAGE_LEFT] - n
    for _ in range(n):
        to_discard(s, b, t[L.H_DAMAGE_CARD])
