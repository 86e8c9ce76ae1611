# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""The sled: cards in play, the leg and weather around it, speed, costs and conditions; what becomes of its dogs."""

from __future__ import annotations

from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards import zones
from solver.search.native import Row, Table

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


def any_flag(s: Row, first: int, n: int, t: Table, flags: int) -> int:
    """Return whether one of n cards from a place on has one of some flags."""
    for i in range(first, first + n):
        if t[t[L.H_CARDS] + s[i] * L.CARD_W + L.C_FLAGS] & flags:
            return 1
    return 0


def has_in_play(s: Row, b: int, t: Table, flag: int) -> int:
    """Return whether a card in play has a flag."""
    return any_flag(s, b + L.DOGS, L.DOG_W * s[b + L.N_DOGS], t, flag)


def count_dogs(s: Row, b: int, t: Table) -> int:
    """Return the number of own dogs, ``counts_as`` included (R50)."""
    total = 0
    for dog in range(s[b + L.N_DOGS]):
        total += t[t[L.H_CARDS] + s[b + L.DOGS + L.DOG_W * dog] * L.CARD_W + L.C_COUNTS_AS]
    return total


def leg_at(t: Table, space: int) -> int:
    """Return where the facts of the leg of a space begin."""
    return t[L.H_LEGS] + (t[t[L.H_TRACK] + space] * L.LEG_W if space <= t[L.H_SPACES] else 0)


def leg_flag(s: Row, b: int, t: Table, flag: int) -> int:
    """Return whether the leg underfoot has a flag."""
    return 1 if t[leg_at(t, s[b + L.POSITION]) + L.L_FLAGS] & flag else 0


def is_immune(s: Row, b: int, t: Table) -> int:
    """Return whether the player is immune now (R67)."""
    return 1 if s[b + L.IMMUNE] or leg_flag(s, b, t, L.LEG_IMMUNE) else 0


def weather_on(s: Row, b: int, t: Table) -> int:
    """Return where the weather that acts on the player begins, 0 if none does (R63)."""
    face = s[b + L.WEATHER]
    if face == 0 or (s[b + L.POSITION] == 0 and not t[L.H_WEATHER_OFF_BOARD_AFFECTED]):
        return 0
    scope = t[L.H_IMMUNITY_SCOPE_WEATHER_OTHERS_DAMAGE]
    if leg_flag(s, b, t, L.LEG_NO_WEATHER) or (scope and is_immune(s, b, t)):
        return 0
    return t[L.H_WEATHER] + L.WEATHER_W * face


def weather_says(s: Row, b: int, t: Table, field: int) -> int:
    """Return a field of the weather that acts on the player, 0 without any."""
    weather = weather_on(s, b, t)
    return t[weather + field] if weather else 0


def starvation_here(s: Row, b: int, t: Table) -> int:
    """Return starvation as far as it acts where the player stands (Q12)."""
    return 0 if t[L.H_CANNOT_STARVE_NO_EFFECT] and leg_flag(s, b, t, L.LEG_NO_STARVE) else s[b + L.STARVATION]


def conditions(s: Row, b: int, t: Table) -> int:
    """Return how many of the two conditions act on the player."""
    return (1 if s[b + L.HYPOTHERMIA] > 0 else 0) + (1 if starvation_here(s, b, t) > 0 else 0)


def speed(s: Row, b: int, t: Table) -> int:
    """Return the speed, which may be negative (R43)."""
    own = lost = 0
    factor = 1
    counted = count_dogs(s, b, t) if t[L.H_COUNTS_AS_SCOPE_EVERYTHING] else s[b + L.N_DOGS]
    for dog in range(s[b + L.N_DOGS]):
        at = b + L.DOGS + L.DOG_W * dog
        size = t[t[L.H_CARDS] + s[at] * L.CARD_W + L.C_COUNTS_AS] if t[L.H_COUNTS_AS_SCOPE_EVERYTHING] else 1
        for i in range(at, at + L.DOG_W):
            if s[i] == 0:
                break
            card = t[L.H_CARDS] + s[i] * L.CARD_W
            own += t[card + L.C_SPEED]
            lost += min(0, t[card + L.C_SPEED])
            if t[card + L.C_SPEED_OTHER_DOGS]:
                own += t[card + L.C_SPEED_OTHER_DOGS] * (counted - size)
                lost += min(0, t[card + L.C_SPEED_OTHER_DOGS] * (counted - size))
            factor *= t[card + L.C_SPEED_MULT]
    leg = leg_at(t, s[b + L.POSITION])
    other = t[leg + L.L_DOG_SPEED] * counted
    lost += min(0, other)
    cancels = t[leg + L.L_FLAGS] & L.LEG_NO_SPEED_BONUS
    weather = weather_on(s, b, t)
    if weather:
        other += t[weather + L.WE_SPEED]
        lost += min(0, t[weather + L.WE_SPEED])
        if t[weather + L.WE_CANCELS]:
            if t[L.H_CLOUD_SCOPE_ALL_PARTS]:
                return 0
            cancels = 1
    if t[L.H_CONDITION_SPEED_HALF_UP]:
        slow = (s[b + L.HYPOTHERMIA] + 1) // 2 + (starvation_here(s, b, t) + 1) // 2
        other -= slow
        lost -= slow
    if cancels:
        return lost
    return own * factor + other if t[L.H_SPEED_MULTIPLIER_OWN_CARDS] else (own + other) * factor


# Costs


def raised_cost(s: Row, b: int, t: Table, printed: int, level: int, field: int, leg_field: int) -> int:
    """Return what a printed cost amounts to with a condition, the leg and the cards in play (R18)."""
    if t[L.H_CONDITION_COST]:
        if printed == 0 and t[L.H_ZERO_COST_CONDITIONS_EXEMPT]:
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
    return raised_cost(s, b, t, printed, s[b + L.HYPOTHERMIA], L.C_COST_MOD_ENERGY, L.L_COST_MOD_ENERGY)


def health_cost(s: Row, b: int, t: Table, printed: int) -> int:
    """Return what a printed health cost amounts to now (R18)."""
    if s[b + L.FREE_HEALTH] == 2:
        return 0
    return raised_cost(s, b, t, printed, starvation_here(s, b, t), L.C_COST_MOD_HEALTH, L.L_COST_MOD_HEALTH)


def risk_cost(s: Row, b: int, t: Table, card: int) -> int:
    """Return the number of risk cards that a card needs (R19)."""
    risk = t[t[L.H_CARDS] + card * L.CARD_W + L.C_RISK]
    if risk == 0:
        return 0
    risk *= t[leg_at(t, s[b + L.POSITION]) + L.L_RISK_MULT]
    return max(0, risk + in_play_sum(s, b, t, L.C_COST_MOD_RISK))


# Conditions


def gain(s: Row, b: int, t: Table, kind: int, n: int, softened: int) -> int:
    """Raise a condition (R48), ``softened`` by the cards that change what legs give.

    Return 1 if it was raised: outside of a move the caller then checks deaths.
    """
    if softened:
        n = max(0, n + in_play_sum(s, b, t, L.C_LEG_CONDITION_MOD))
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


def deaths(s: Row, b: int, t: Table) -> None:
    """Let a player die whose conditions are too high (R49)."""
    level = t[L.H_DEATH_AT]
    if s[b + L.HYPOTHERMIA] < level and s[b + L.STARVATION] < level:
        return
    if not (t[L.H_BLOCKED_MOVES_ALL_MOVES] and cannot_move(s, b, t)):
        s[b + L.POSITION] = max(0, s[b + L.POSITION] - t[L.H_DEATH_BACK])
    leg = leg_at(t, s[b + L.POSITION])
    more = in_play_sum(s, b, t, L.C_LEG_CONDITION_MOD)
    for kind in range(2):
        number = t[leg + L.L_PRINTED + kind]
        if number >= 0:
            s[b + L.HYPOTHERMIA + kind] = min(t[L.H_CAP], max(0, number + more))
        elif t[L.H_DEATH_MISSING_NUMBER_ZERO]:
            s[b + L.HYPOTHERMIA + kind] = 0


def damage(s: Row, b: int, t: Table, n: int) -> None:
    """Put up to n damage cards into the discard pile (R56, Q28)."""
    if t[L.H_DAMAGE_SUPPLY] != 2:
        n = max(0, min(n, s[b + L.DAMAGE_LEFT]))
        s[b + L.DAMAGE_LEFT] = s[b + L.DAMAGE_LEFT] - n
    for _ in range(n):
        zones.to_discard(s, b, t[L.H_DAMAGE_CARD])


# Dogs and attachments: killing and placing (R50 to R55)


def can_die(s: Row, b: int, t: Table, dog: int) -> int:
    """Return whether a dog can die (R53)."""
    return 1 - any_flag(s, b + L.DOGS + L.DOG_W * dog, L.DOG_W, t, L.FLAG_CANNOT_DIE)


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


def is_plain(s: Row, b: int, t: Table, dog: int) -> int:
    """Return whether the death of a dog is no more than that: no shield stops it and nobody dies with it."""
    return 1 - any_flag(s, b + L.DOGS + L.DOG_W * dog, L.DOG_W, t, L.FLAG_DEATH_SHIELD | L.FLAG_ON_DEATH)


def kill(s: Row, b: int, t: Table, dog: int) -> int:
    """Kill a dog (R52) and return whether it left play; a shield may go in its place."""
    at = b + L.DOGS + L.DOG_W * dog
    for i in range(1, L.DOG_W):
        if t[t[L.H_CARDS] + s[at + i] * L.CARD_W + L.C_FLAGS] & L.FLAG_DEATH_SHIELD:
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
        zones.to_hand(s, b, card)
    return 1


def kill_all(s: Row, b: int, t: Table, flag: int) -> None:
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
            return
        picked |= 1 << last
        if s[b + L.TAG + last] == 0:
            s[b + L.TAGS] = s[b + L.TAGS] + 1
            s[b + L.TAG + last] = s[b + L.TAGS]
        zones.push(s, b, L.I_KILL_TAG, s[b + L.TAG + last], 0, 0)


def kill_tagged(s: Row, b: int, t: Table, tag: int) -> None:
    """Kill the dog with a tag, if it is still there and can die."""
    for dog in range(s[b + L.N_DOGS]):
        if s[b + L.TAG + dog] == tag:
            if can_die(s, b, t, dog):
                kill(s, b, t, dog)
            return


# Choices: each returns the number of rows, of which ``b`` is the last when it begins


def kill_one(s: Row, b: int, t: Table, top: int, code: int, tag: int, worn: int, dog: int) -> int:
    """Kill a dog of choice if any can die (R52), also as the price of the rest of a card (Q36, Q37)."""
    pays = 1 if code == L.I_PRICE else 0
    dog = next_mortal(s, b, t, dog, tag, worn)
    if dog == L.MOST_DOGS:
        if pays:
            zones.unwind(s, b, L.I_END_RUN)
        return top
    later = next_mortal(s, b, t, dog + 1, tag, worn)
    optional = 1 if pays and t[L.H_REQUIRED_KILL_OPTIONAL] else 0
    q = zones.branch(s, b, code, tag, worn, later) if later < L.MOST_DOGS or optional else b
    if not kill(s, q, t, dog) and pays and not t[L.H_SHIELD_PAYS]:
        zones.unwind(s, q, L.I_END_RUN)
    return top if q == b else top + 1


def place_dog(s: Row, b: int, t: Table, top: int, card: int, dog: int) -> int:
    """Put a new dog into play, making room for it or discarding it (R50, Q39)."""
    if count_dogs(s, b, t) + t[t[L.H_CARDS] + card * L.CARD_W + L.C_COUNTS_AS] <= t[L.H_DOG_LIMIT]:
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
    if not t[L.H_DOG_OVERFLOW_NEWEST_DISCARDED]:
        dog = next_mortal(s, b, t, dog, 0, 0)
        if dog < L.MOST_DOGS:
            q = zones.branch(s, b, L.I_PLACE_DOG, dog + 1, 0, 0)
            zones.push(s, q, L.I_PLACE_DOG, 0, 0, 0)
            kill(s, q, t, dog)
            return top + 1
    zones.to_discard(s, b, card)
    return top


def place_attachment(s: Row, b: int, t: Table, top: int, card: int, option: int) -> int:
    """Put a new attachment on a dog, in the place of another one, or into the discard pile (R54, Q41)."""
    free = 0
    for dog in range(s[b + L.N_DOGS]):
        slots = t[t[L.H_CARDS] + s[b + L.DOGS + L.DOG_W * dog] * L.CARD_W + L.C_ATTACH_SLOTS]
        worn = attachments(s, b, dog)
        if worn < slots:
            free = 1
        if option >= L.DOG_W * (dog + 1) or same_before(s, b, dog):
            continue
        first = 0
        last = 0
        if worn >= slots:
            first = 1
            last = worn if slots > 0 and t[L.H_ATTACHMENT_OVERWRITE] else 0
        at = b + L.DOGS + L.DOG_W * dog
        for place in range(first, last + 1):
            if L.DOG_W * dog + place < option or (place > 1 and s[at + place] == s[at + place - 1]):
                continue
            q = zones.branch(s, b, L.I_PLACE_ATTACHMENT, L.DOG_W * dog + place + 1, 0, 0)
            if place:
                take_off(s, q, dog, place)
                worn -= 1
            if worn >= L.MOST_ATTACHMENTS:
                zones.fail_row(s, q, L.ERROR_FULL, L.DOGS, 0)
            else:
                at = q + L.DOGS + L.DOG_W * dog
                s[at + 1 + worn] = card
                zones.sort_list(s, at + 1, worn + 1)
            return top + 1
    if free:
        return top - 1
    zones.to_discard(s, b, card)
    return top


def free_action(s: Row, b: int, t: Table, top: int, code: int, option: int, first: int, commuting: int) -> int:
    """Take the next free action from an option on (R13); return 0 if there is none.

    ``code`` is the instruction that goes on after it. Free actions that commute come in one order only: removals by
    place, then kills that are no more than that.
    """
    removes = 1 if t[L.H_ATTACHMENT_REMOVAL] and not commuting and not t[L.H_FORBIDDEN] & L.FORBID_REMOVE else 0
    kills = 1 if t[L.H_SACRIFICE_TIMING_OWN_TURN] and not t[L.H_FORBIDDEN] & L.FORBID_SACRIFICE else 0
    for at in range(option, L.DOG_W * s[b + L.N_DOGS] if removes or kills else 0):
        dog = at // L.DOG_W
        place = at % L.DOG_W
        card = s[b + L.DOGS + at]
        if card == 0 or same_before(s, b, dog):
            continue
        if place == 0 and kills and can_die(s, b, t, dog):
            plain = is_plain(s, b, t, dog)
            if plain and commuting and at < first:
                continue
            q = zones.branch(s, b, code, at + 1, first, commuting)
            zones.push(s, q, code, 0, at if plain else 0, plain)
            kill(s, q, t, dog)
            return top + 1
        if place > 0 and removes and at >= first and not (place > 1 and s[b + L.DOGS + at - 1] == card):
            q = zones.branch(s, b, code, at + 1, first, commuting)
            zones.push(s, q, code, 0, at, 0)
            take_off(s, q, dog, place)
            return top + 1
    return 0


# The end of a turn


def tidy(s: Row, b: int) -> None:
    """Bring dogs and a hand with owed cards into the one order of all equal ones; forget what only a turn needs."""
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
    if zones.owed(s, b):
        zones.forget_paid(s, b)
        zones.merge_ages(s, b)
    else:
        for i in range(b + L.HAND, b + L.HAND + s[b + L.N_HAND]):
            s[i] = s[i] & L.AGE - 1
        s[b + L.AGES] = 0
    zones.sort_list(s, b + L.HAND, s[b + L.N_HAND])
    s[b + L.N_CONTROL] = 0
    s[b + L.STOPPED] = 0
    s[b + L.CURRENT] = 0
    s[b + L.RUN_DESTROYED] = 0
    s[b + L.N_LOOK] = 0
    for i in range(s[b + L.N_STACK]):
        at = b + L.STACK + L.FRAME_W * i + L.FRAME_STATE
        s[at] = s[at] & L.FRAME_SECOND
