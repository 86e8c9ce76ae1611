# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""The hand where payments stay face down: which cards have paid is left open as long as nothing reads it.

A hand then holds all cards that may still be in it. ``OWED`` says how many of each age and older ones have paid. A set
of cards that has paid is possible exactly if it holds as many of every age and older ones as are owed, and as many in
all: whoever pays takes any cards that are there at that time.
"""

from __future__ import annotations

from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards import zones
from solver.search.native import Row


def to_hand(s: Row, b: int, card: int) -> int:
    """Put a card into the hand; where cards are owed it is younger than those that may have paid."""
    age = s[b + L.AGES]
    if s[b + L.OWED + age] > (s[b + L.OWED + age - 1] if age else 0):
        age += 1
        if age >= L.MOST_AGES:
            return zones.fail_row(s, b, L.ERROR_FULL, L.OWED, 0)
        s[b + L.AGES] = age
        s[b + L.OWED + age] = s[b + L.OWED + age - 1]
    return zones.insert(s, b, L.N_HAND, L.HAND, L.MOST_CARDS, card + L.AGE * age)


def owed(s: Row, b: int) -> int:
    """Return the number of hand cards that have paid without being chosen."""
    return s[b + L.OWED + s[b + L.AGES]]


def may_leave(s: Row, b: int, place: int) -> int:
    """Return whether a hand card need not have paid, and no younger card of its kind is there."""
    card = s[b + L.HAND + place] & L.AGE - 1
    n = s[b + L.N_HAND]
    for i in range(place + 1, n):
        if s[b + L.HAND + i] & L.AGE - 1 == card and s[b + L.HAND + i] != s[b + L.HAND + place]:
            return 0
    older = 0
    for age in range(s[b + L.AGES] + 1):
        while older < n and s[b + L.HAND + older] < L.AGE * (age + 1):
            older += 1
        if s[b + L.HAND + place] < L.AGE * (age + 1) and older <= s[b + L.OWED + age]:
            return 0
    return 1


def discard_hand(s: Row, b: int) -> None:
    """Discard the hand, what has paid included."""
    for i in range(s[b + L.N_HAND]):
        zones.to_discard(s, b, s[b + L.HAND + i] & L.AGE - 1)
    empty_hand(s, b)


def empty_hand(s: Row, b: int) -> None:
    """Forget the hand."""
    s[b + L.N_HAND] = 0
    s[b + L.AGES] = 0
    s[b + L.OWED] = 0


def tidy_hand(s: Row, b: int) -> int:
    """Bring a hand with owed cards into the one form that all equal ones have."""
    if owed(s, b) == 0:
        for i in range(s[b + L.N_HAND]):
            s[b + L.HAND + i] = s[b + L.HAND + i] & L.AGE - 1
        s[b + L.AGES] = 0
        return zones.sort_list(s, b + L.HAND, s[b + L.N_HAND])
    forget_paid(s, b)
    return merge_ages(s, b)


def forget_paid(s: Row, b: int) -> None:
    """Take out the hand cards that must have paid: all of an age and lower ones where as many are owed."""
    gone = 0
    lost = 0
    older = 0
    for age in range(s[b + L.AGES] + 1):
        while older < s[b + L.N_HAND] and s[b + L.HAND + older] < L.AGE * (age + 1):
            older += 1
        if older == s[b + L.OWED + age]:
            gone = older
            lost = age + 1
    if gone == 0:
        return
    for i in range(gone):
        zones.to_discard(s, b, s[b + L.HAND + i] & L.AGE - 1)
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


def merge_ages(s: Row, b: int) -> int:
    """Make one age of neighbours where what is owed of the older ones follows from what is owed in all."""
    age = 0
    while age < s[b + L.AGES]:
        ages = s[b + L.AGES]
        n = 0
        for i in range(s[b + L.N_HAND]):
            n += 1 if s[b + L.HAND + i] >= L.AGE * (age + 1) else 0
        younger = 0
        follows = 1 if s[b + L.OWED + age] == (s[b + L.OWED + age - 1] if age else 0) else 0
        for other in range(age + 1, ages + 1):
            for i in range(s[b + L.N_HAND]):
                younger += 1 if s[b + L.HAND + i] // L.AGE == other else 0
            if s[b + L.OWED + other] - younger >= s[b + L.OWED + age]:
                follows = 1
        if not follows:
            age += 1
            continue
        for i in range(s[b + L.N_HAND] - n, s[b + L.N_HAND]):
            s[b + L.HAND + i] = s[b + L.HAND + i] - L.AGE
        for other in range(age, ages):
            s[b + L.OWED + other] = s[b + L.OWED + other + 1]
        s[b + L.AGES] = ages - 1
    return zones.sort_list(s, b + L.HAND, s[b + L.N_HAND])
