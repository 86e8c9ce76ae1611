# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""Lists, instructions and copies of rows, and the hand.

In all modules of the machine ``s`` are rows, ``b`` is where a row begins and ``t`` is the table.

Where payments stay face down, which hand cards have paid is left open as long as nothing reads it. A hand then holds
all cards that may still be in it. ``OWED`` says how many of each age and older ones have paid. Some cards can have paid
exactly if they are as many of every age and older ones as are owed, and as many in all. Whoever pays takes any cards
that are there at that time.
"""

from __future__ import annotations

from solver.encodings.iditacards import layout as L
from solver.search import native
from solver.search.native import Row, Table

# Rows and instructions


def fail_row(s: Row, b: int, error: int, a: int, other: int) -> None:
    """Note that a row is of no use."""
    s[b + L.ERROR] = error
    s[b + L.ERROR_A] = a
    s[b + L.ERROR_B] = other


def push(s: Row, b: int, code: int, a: int, x: int, y: int) -> None:
    """Push an instruction, which is the next one to be carried out."""
    n = s[b + L.N_CONTROL]
    if n >= L.MOST_CONTROL:
        fail_row(s, b, L.ERROR_FULL, L.CONTROL, 0)
        return
    at = b + L.CONTROL + L.CONTROL_W * n
    s[at] = code
    s[at + 1] = a
    s[at + 2] = x
    s[at + 3] = y
    s[b + L.N_CONTROL] = n + 1


def unwind(s: Row, b: int, code: int) -> None:
    """Give up all instructions above the next one with a code."""
    n = s[b + L.N_CONTROL]
    while n > 0 and s[b + L.CONTROL + L.CONTROL_W * (n - 1)] != code:
        n -= 1
    s[b + L.N_CONTROL] = n


def fork(s: Row, b: int) -> int:
    """Copy the last row for the option at hand, and return where the copy begins.

    The next instruction of the row, which has the options to come, stays out of the copy. So do lists behind the body
    as far as they are not used.
    """
    q = b + L.W
    n = s[b + L.N_CONTROL] - 1
    native.copy(s, q, s, b, L.BODY + L.CONTROL_W * n)
    s[q + L.N_CONTROL] = n
    native.copy(s, q + L.LOOK, s, b + L.LOOK, s[b + L.N_LOOK])
    native.copy(s, q + L.SEEN, s, b + L.SEEN, s[b + L.N_SEEN])
    native.copy(s, q + L.SUPPLY, s, b + L.SUPPLY, s[b + L.N_SUPPLY])
    native.copy(s, q + L.DESTROYED, s, b + L.DESTROYED, s[b + L.N_DESTROYED])
    return q


def branch(s: Row, b: int, code: int, a: int, x: int, y: int) -> int:
    """Leave the options that an instruction has for later, and return the copy of the row for the one at hand."""
    push(s, b, code, a, x, y)
    return fork(s, b)


# Lists


def insert(s: Row, b: int, length: int, items: int, most: int, card: int) -> None:
    """Insert a card into an ascending list."""
    n = s[b + length]
    if n >= most:
        fail_row(s, b, L.ERROR_FULL, items, 0)
        return
    i = b + items + n
    while i > b + items and s[i - 1] > card:
        s[i] = s[i - 1]
        i -= 1
    s[i] = card
    s[b + length] = n + 1


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


def count(s: Row, first: int, n: int, card: int) -> int:
    """Return how many of n cards of a list are the one that is asked for."""
    found = 0
    for i in range(first, first + n):
        found += 1 if s[i] == card else 0
    return found


def on_table(s: Row, b: int, card: int) -> int:
    """Return how many copies of a card wait on the stack or are in play."""
    found = count(s, b + L.DOGS, L.DOG_W * s[b + L.N_DOGS], card)
    for i in range(s[b + L.N_STACK]):
        found += 1 if s[b + L.STACK + L.FRAME_W * i + L.FRAME_CARD] == card else 0
    return found


def to_discard(s: Row, b: int, card: int) -> None:
    """Put a card into the discard pile."""
    insert(s, b, L.N_DISCARD, L.DISCARD, L.MOST_CARDS, card)


def to_deck(s: Row, b: int, card: int) -> None:
    """Put a card on top of the deck, where it is known."""
    n = s[b + L.N_DECK]
    if n + s[b + L.UNSEEN] >= L.MOST_CARDS:
        fail_row(s, b, L.ERROR_FULL, L.DECK, 0)
        return
    s[b + L.DECK + n + s[b + L.UNSEEN]] = card
    s[b + L.N_DECK] = n + 1
    s[b + L.KNOWN] = s[b + L.KNOWN] + 1


def destroy(s: Row, b: int, t: Table, card: int) -> None:
    """Take a card out of the game; a damage card may go back to its box (Q28)."""
    if t[L.H_DAMAGE_SUPPLY] == 1 and t[t[L.H_CARDS] + card * L.CARD_W + L.C_TYPE] == L.TYPE_DAMAGE:
        s[b + L.DAMAGE_LEFT] = s[b + L.DAMAGE_LEFT] + 1
    else:
        insert(s, b, L.N_DESTROYED, L.DESTROYED, L.MOST_DESTROYED, card)


def all_to_deck(s: Row, b: int, length: int, items: int) -> None:
    """Put a whole list on the deck."""
    for i in range(s[b + length]):
        to_deck(s, b, s[b + items + i] & L.AGE - 1)
    s[b + length] = 0


def resolved_to_discard(s: Row, b: int) -> None:
    """Discard the risk cards that waited for their root (Q30)."""
    for i in range(s[b + L.N_RESOLVED]):
        to_discard(s, b, s[b + L.RESOLVED + i])
    s[b + L.N_RESOLVED] = 0


# Chance


def take_top(s: Row, b: int) -> int:
    """Take the top card of a deck that is not empty: the one place where a card leaves the deck."""
    n = s[b + L.N_DECK] - 1
    s[b + L.N_DECK] = n
    s[b + L.KNOWN] = max(0, s[b + L.KNOWN] - 1)
    return s[b + L.DECK + n + s[b + L.UNSEEN]]


def await_card(s: Row, b: int, t: Table, code: int, a: int) -> int:
    """Let chance turn over the top card of a hidden deck, then an instruction go on; return 0 if it may at once."""
    if not t[L.H_HIDDEN] or s[b + L.KNOWN] or s[b + L.N_DECK] == 0:
        return 0
    push(s, b, code, a, 0, 0)
    push(s, b, L.I_REVEAL, 0, 0, 0)
    return 1


def put_on_top(s: Row, b: int, place: int, card: int) -> None:
    """Let the card at a place of a hidden deck, which is this one, be its top, where it is known."""
    top = b + L.DECK + s[b + L.N_DECK] + s[b + L.UNSEEN] - 1
    for i in range(b + L.DECK + place, top):
        s[i] = s[i + 1]
    s[top] = card
    s[b + L.KNOWN] = 1


def sort_list(s: Row, first: int, n: int) -> None:
    """Put the numbers of a list into ascending order."""
    for i in range(first + 1, first + n):
        card = s[i]
        j = i
        while j > first and s[j - 1] > card:
            s[j] = s[j - 1]
            j -= 1
        s[j] = card


def shuffle(s: Row, b: int, t: Table) -> None:
    """Put the deck in the order of its next event (R72, R74), or in an unknown one where it is hidden."""
    n = s[b + L.N_DECK]
    deck = b + L.DECK
    s[b + L.KNOWN] = 0
    if t[L.H_HIDDEN]:
        sort_list(s, deck, n + s[b + L.UNSEEN])
        return
    event = s[b + L.DECK_EVENT]
    s[b + L.DECK_EVENT] = event + 1
    if n < 2:
        return
    sort_list(s, deck, n)
    place = event - t[L.H_FIRST_SHUFFLE]
    scratch = b + L.LOOK
    native.copy(s, scratch, s, deck, n)
    if place >= t[L.H_N_ORDERS]:
        order = t[t[L.H_PERMUTATIONS] + place * (L.MOST_CARDS + 1) + n] if place < t[L.H_N_SHUFFLES] else 0
        if order == 0:
            fail_row(s, b, L.ERROR_SHUFFLE, event, n)
        for i in range(n if order else 0):
            s[deck + n - 1 - i] = s[scratch + t[order + i]]
        return
    # Cards that the list does not name come last.
    listed = t[t[L.H_ORDERS] + 2 * place]
    top = deck + n
    for i in range(listed, listed + t[t[L.H_ORDERS] + 2 * place + 1]):
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


# The hand


def to_hand(s: Row, b: int, card: int) -> None:
    """Put a card into the hand; where cards are owed it is younger than those that may have paid."""
    age = s[b + L.AGES]
    if s[b + L.OWED + age] > (s[b + L.OWED + age - 1] if age else 0):
        age += 1
        if age >= L.MOST_AGES:
            fail_row(s, b, L.ERROR_FULL, L.OWED, 0)
            return
        s[b + L.AGES] = age
        s[b + L.OWED + age] = s[b + L.OWED + age - 1]
    insert(s, b, L.N_HAND, L.HAND, L.MOST_CARDS, card + L.AGE * age)


def owed(s: Row, b: int) -> int:
    """Return the number of hand cards that have paid without being chosen."""
    return s[b + L.OWED + s[b + L.AGES]]


def of_age(s: Row, b: int, age: int) -> int:
    """Return the number of hand cards of an age and lower ones."""
    n = 0
    while n < s[b + L.N_HAND] and s[b + L.HAND + n] < L.AGE * (age + 1):
        n += 1
    return n


def may_leave(s: Row, b: int, place: int) -> int:
    """Return whether a hand card need not have paid, and no younger card of its kind is there."""
    card = s[b + L.HAND + place]
    for i in range(b + L.HAND + place + 1, b + L.HAND + s[b + L.N_HAND]):
        if s[i] & L.AGE - 1 == card & L.AGE - 1 and s[i] != card:
            return 0
    for age in range(card // L.AGE, s[b + L.AGES] + 1):
        if of_age(s, b, age) <= s[b + L.OWED + age]:
            return 0
    return 1


def discard_hand(s: Row, b: int) -> None:
    """Discard the hand, what has paid included."""
    for i in range(s[b + L.N_HAND]):
        to_discard(s, b, s[b + L.HAND + i] & L.AGE - 1)
    empty_hand(s, b)


def empty_hand(s: Row, b: int) -> None:
    """Forget the hand."""
    s[b + L.N_HAND] = 0
    s[b + L.AGES] = 0
    s[b + L.OWED] = 0


def forget_paid(s: Row, b: int) -> None:
    """Take out the hand cards that must have paid: all of an age and lower ones where as many are owed."""
    lost = 0
    for age in range(s[b + L.AGES] + 1):
        if of_age(s, b, age) == s[b + L.OWED + age]:
            lost = age + 1
    gone = s[b + L.OWED + lost - 1] if lost else 0
    if gone == 0:
        return
    for i in range(gone):
        to_discard(s, b, s[b + L.HAND + i] & L.AGE - 1)
    n = s[b + L.N_HAND] - gone
    for i in range(n):
        s[b + L.HAND + i] = s[b + L.HAND + gone + i] - L.AGE * lost
    s[b + L.N_HAND] = n
    if lost > s[b + L.AGES]:
        empty_hand(s, b)
        return
    s[b + L.AGES] = s[b + L.AGES] - lost
    for age in range(s[b + L.AGES] + 1):
        s[b + L.OWED + age] = s[b + L.OWED + age + lost] - gone


def merge_ages(s: Row, b: int) -> None:
    """Make one age of neighbours where what is owed of the older ones follows from what is owed in all."""
    age = 0
    while age < s[b + L.AGES]:
        ages = s[b + L.AGES]
        older = of_age(s, b, age)
        follows = 1 if s[b + L.OWED + age] == (s[b + L.OWED + age - 1] if age else 0) else 0
        for other in range(age + 1, ages + 1):
            if s[b + L.OWED + other] - (of_age(s, b, other) - older) >= s[b + L.OWED + age]:
                follows = 1
        if not follows:
            age += 1
            continue
        for i in range(older, s[b + L.N_HAND]):
            s[b + L.HAND + i] = s[b + L.HAND + i] - L.AGE
        for other in range(age, ages):
            s[b + L.OWED + other] = s[b + L.OWED + other + 1]
        s[b + L.AGES] = ages - 1
