# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""Dogs and attachments: killing and placing (R50 to R55)."""

from __future__ import annotations

from solver.encodings.iditacards import hand, zones
from solver.encodings.iditacards import layout as L
from solver.search.native import Row, Table


def can_die(s: Row, b: int, t: Table, dog: int) -> int:
    """Return whether a dog can die (R53)."""
    at = b + L.DOGS + L.DOG_W * dog
    for i in range(at, at + L.DOG_W):
        if t[t[L.H_CARDS] + s[i] * L.CARD_W + L.C_FLAGS] & L.FLAG_CANNOT_DIE:
            return 0
    return 1


def compare(s: Row, b: int, dog: int, other: int) -> int:
    """Return less than 0, 0 or more as a dog with its attachments comes before, with or after another."""
    at = b + L.DOGS
    for i in range(L.DOG_W):
        difference = s[at + L.DOG_W * dog + i] - s[at + L.DOG_W * other + i]
        if difference:
            return difference
    return 0


def same_before(s: Row, b: int, dog: int) -> int:
    """Return whether an equal dog stands before this one: then choosing this one makes no difference."""
    for other in range(dog):
        if compare(s, b, other, dog) == 0:
            return 1
    return 0


def next_mortal(s: Row, b: int, t: Table, dog: int, tag: int, worn: int) -> int:
    """Return the first dog from here on that can be chosen to die, ``MOST_DOGS`` if there is none."""
    while dog < s[b + L.N_DOGS]:
        card = s[b + L.DOGS + L.DOG_W * dog]
        fits = 1 if tag == 0 or t[t[L.H_CARDS] + card * L.CARD_W + L.C_TAGS] & tag else 0
        if worn and not s[b + L.DOGS + L.DOG_W * dog + 1]:
            fits = 0
        if fits and can_die(s, b, t, dog) and not same_before(s, b, dog):
            return dog
        dog += 1
    return L.MOST_DOGS


def attachments(s: Row, b: int, dog: int) -> int:
    """Return the number of attachments of a dog."""
    n = 0
    while n < L.MOST_ATTACHMENTS and s[b + L.DOGS + L.DOG_W * dog + 1 + n]:
        n += 1
    return n


def take_off(s: Row, b: int, dog: int, place: int) -> None:
    """Discard the attachment of a dog at a place from 1 on (R55)."""
    at = b + L.DOGS + L.DOG_W * dog
    zones.to_discard(s, b, s[at + place])
    for i in range(at + place, at + L.MOST_ATTACHMENTS):
        s[i] = s[i + 1]
    s[at + L.MOST_ATTACHMENTS] = 0


def put_on(s: Row, b: int, dog: int, card: int) -> int:
    """Give a dog with a free slot an attachment."""
    at = b + L.DOGS + L.DOG_W * dog
    n = attachments(s, b, dog)
    if n >= L.MOST_ATTACHMENTS:
        return zones.fail_row(s, b, L.ERROR_FULL, L.DOGS, 0)
    i = at + 1 + n
    while i > at + 1 and s[i - 1] > card:
        s[i] = s[i - 1]
        i -= 1
    s[i] = card
    return 0


def is_plain(s: Row, b: int, t: Table, dog: int) -> int:
    """Return whether the death of a dog is no more than that: no shield stops it and nobody dies with it."""
    at = b + L.DOGS + L.DOG_W * dog
    for i in range(at + 1, at + L.DOG_W):
        card = t[L.H_CARDS] + s[i] * L.CARD_W
        if t[card + L.C_FLAGS] & L.FLAG_SHIELD or t[card + L.C_ON_DEATH]:
            return 0
    return 1


def kill(s: Row, b: int, t: Table, dog: int) -> int:
    """Kill a dog (R52) and return whether it left play; a shield may go in its place."""
    at = b + L.DOGS + L.DOG_W * dog
    for i in range(1, L.DOG_W):
        if t[t[L.H_CARDS] + s[at + i] * L.CARD_W + L.C_FLAGS] & L.FLAG_SHIELD:
            take_off(s, b, dog, i)
            return 0
    for i in range(L.MOST_ATTACHMENTS, 0, -1):
        card = s[at + i]
        if card:
            zones.to_discard(s, b, card)
            after = t[t[L.H_CARDS] + card * L.CARD_W + L.C_ON_DEATH]
            if after:
                zones.push(s, b, L.I_AFTER_DEATH, after, 0, 0)
    card = s[at]
    n = s[b + L.N_DOGS] - 1
    s[b + L.N_DOGS] = n
    for i in range(at, b + L.DOGS + L.DOG_W * n):
        s[i] = s[i + L.DOG_W]
    for i in range(b + L.DOGS + L.DOG_W * n, b + L.DOGS + L.DOG_W * (n + 1)):
        s[i] = 0
    if s[b + L.TAGS]:
        for i in range(b + L.TAG + dog, b + L.TAG + n):
            s[i] = s[i + 1]
        s[b + L.TAG + n] = 0
    zone = t[t[L.H_CARDS] + card * L.CARD_W + L.C_DIES_TO]
    if zone == L.ZONE_DESTROYED:
        zones.destroy(s, b, t, card)
    elif zone == L.ZONE_DISCARD:
        zones.to_discard(s, b, card)
    else:
        hand.to_hand(s, b, card)
    return 1


def kill_all(s: Row, b: int, t: Table, flag: int) -> int:
    """Let all own dogs that can die, or those with a flag, die in ascending order (R52)."""
    picked = 0
    for _ in range(s[b + L.N_DOGS]):
        last = -1
        for dog in range(s[b + L.N_DOGS]):
            card = t[L.H_CARDS] + s[b + L.DOGS + L.DOG_W * dog] * L.CARD_W
            if picked >> dog & 1 or (flag and not t[card + L.C_FLAGS] & flag) or not can_die(s, b, t, dog):
                continue
            if last < 0 or compare(s, b, dog, last) >= 0:
                last = dog
        if last < 0:
            return 0
        picked |= 1 << last
        if s[b + L.TAG + last] == 0:
            s[b + L.TAGS] = s[b + L.TAGS] + 1
            s[b + L.TAG + last] = s[b + L.TAGS]
        zones.push(s, b, L.I_KILL_TAG, s[b + L.TAG + last], 0, 0)
    return 0


def kill_tagged(s: Row, b: int, t: Table, tag: int) -> None:
    """Kill the dog with a tag, if it is still there and can die."""
    for dog in range(s[b + L.N_DOGS]):
        if s[b + L.TAG + dog] == tag:
            if can_die(s, b, t, dog):
                kill(s, b, t, dog)
            return


# Choices: each returns the number of rows, of which ``b`` is the last when it begins


def kill_one(s: Row, b: int, t: Table, top: int, tag: int, worn: int, dog: int) -> int:
    """Kill a dog of choice, or nobody if none can die (R52)."""
    dog = next_mortal(s, b, t, dog, tag, worn)
    if dog == L.MOST_DOGS:
        return top
    later = next_mortal(s, b, t, dog + 1, tag, worn)
    if later == L.MOST_DOGS:
        kill(s, b, t, dog)
        return top
    zones.push(s, b, L.I_KILL_ONE, tag, worn, later)
    q = zones.fork(s, b)
    kill(s, q, t, dog)
    return top + 1


def price(s: Row, b: int, t: Table, top: int, dog: int) -> int:
    """Kill a dog as the price of the rest of the card (Q36, Q37)."""
    dog = next_mortal(s, b, t, dog, 0, 0)
    if dog == L.MOST_DOGS:
        zones.unwind(s, b, L.I_END_RUN)
        return top
    later = next_mortal(s, b, t, dog + 1, 0, 0)
    q = b
    if later < L.MOST_DOGS or t[L.H_PRICE_OPTIONAL]:
        zones.push(s, b, L.I_PRICE, later, 0, 0)
        q = zones.fork(s, b)
    if not kill(s, q, t, dog) and t[L.H_SHIELD_SAVES_PRICE]:
        zones.unwind(s, q, L.I_END_RUN)
    return top if q == b else top + 1


def place_dog(s: Row, b: int, t: Table, top: int, card: int, dog: int) -> int:
    """Put a new dog into play, making room for it or discarding it (R50, Q39)."""
    if zones.count_dogs(s, b, t) + t[t[L.H_CARDS] + card * L.CARD_W + L.C_COUNTS_AS] <= t[L.H_DOG_LIMIT]:
        n = s[b + L.N_DOGS]
        if n >= L.MOST_DOGS:
            zones.fail_row(s, b, L.ERROR_FULL, L.DOGS, 0)
            return top
        at = b + L.DOGS + L.DOG_W * n
        s[at] = card
        for i in range(at + 1, at + L.DOG_W):
            s[i] = 0
        s[b + L.TAG + n] = 0
        s[b + L.N_DOGS] = n + 1
        return top
    if not t[L.H_NEWEST_DISCARDED]:
        dog = next_mortal(s, b, t, dog, 0, 0)
        if dog < L.MOST_DOGS:
            zones.push(s, b, L.I_PLACE_DOG, dog + 1, 0, 0)
            q = zones.fork(s, b)
            zones.push(s, q, L.I_PLACE_DOG, 0, 0, 0)
            kill(s, q, t, dog)
            return top + 1
    zones.to_discard(s, b, card)
    return top


def place_attachment(s: Row, b: int, t: Table, top: int, card: int, option: int) -> int:
    """Put a new attachment on a dog, in the place of another one, or into the discard pile (R54, Q41)."""
    free = 0
    for dog in range(s[b + L.N_DOGS]):
        slots = t[t[L.H_CARDS] + s[b + L.DOGS + L.DOG_W * dog] * L.CARD_W + L.C_SLOTS]
        worn = attachments(s, b, dog)
        if worn < slots:
            free = 1
        if option >= L.DOG_W * (dog + 1) or same_before(s, b, dog):
            continue
        first = 0
        last = 0
        if worn >= slots:
            first = 1
            last = worn if slots > 0 and t[L.H_OVERWRITE] else 0
        at = b + L.DOGS + L.DOG_W * dog
        for place in range(first, last + 1):
            if L.DOG_W * dog + place < option or (place > 1 and s[at + place] == s[at + place - 1]):
                continue
            zones.push(s, b, L.I_PLACE_ATTACHMENT, L.DOG_W * dog + place + 1, 0, 0)
            q = zones.fork(s, b)
            if place:
                take_off(s, q, dog, place)
            put_on(s, q, dog, card)
            return top + 1
    if free:
        return top - 1
    zones.to_discard(s, b, card)
    return top


# The end of a turn


def tidy(s: Row, b: int) -> None:
    """Put the dogs in ascending order and forget what only a turn that runs needs."""
    n = s[b + L.N_DOGS]
    for i in range(1, n):
        for j in range(i, 0, -1):
            if compare(s, b, j - 1, j) <= 0:
                break
            at = b + L.DOGS + L.DOG_W * j
            for k in range(at, at + L.DOG_W):
                card = s[k]
                s[k] = s[k - L.DOG_W]
                s[k - L.DOG_W] = card
    if s[b + L.TAGS]:
        for i in range(b + L.TAGS, b + L.TAG + L.MOST_DOGS):
            s[i] = 0
    hand.tidy_hand(s, b)
    s[b + L.N_CONTROL] = 0
    s[b + L.STOPPED] = 0
    s[b + L.CURRENT] = 0
    s[b + L.RUN_DESTROYED] = 0
    s[b + L.N_LOOK] = 0
    for i in range(s[b + L.N_STACK]):
        at = b + L.STACK + L.FRAME_W * i + L.FRAME_STATE
        s[at] = s[at] & L.FRAME_SECOND
