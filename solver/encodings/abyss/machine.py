# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""What a round does to a row, step by step: decisions come from whoever calls.

``s`` is a row, ``q`` where a seat begins in it, ``t`` the table of numbers. Nobody accepts an exchange. Goals are
looked at by whoever calls.
"""

from __future__ import annotations

from typing import Any

from solver.encodings.abyss import layout as L
from solver.search import native
from solver.search.native import Ints


def effect(t: Ints, card: int, code: int) -> int:
    """Return where the first effect of a card with a code stands in the table; 0 for none."""
    first = L.T_CARD + L.CARD_W * card + L.C_EFFECTS
    for i in range(t[first]):
        if t[first + 1 + L.EFFECT_W * i] == code:
            return first + 1 + L.EFFECT_W * i
    return 0


def is_there(s: Ints, q: int, place: int) -> int:
    """Return whether a team is announced at a place, or any place will do (1.5)."""
    return 1 if place == L.ANY or s[q + L.PLACE] == place or s[q + L.TEMP_PLACE] == place else 0


def hired_at(s: Ints, q: int, place: int) -> int:
    """Return how many hired partners are at a place."""
    return s[q + L.N_TEAM] if s[q + L.PLACE] == place else 0


def temps_at(s: Ints, q: int, place: int) -> int:
    """Return how many temporary partners are at a place, in whichever team."""
    team = s[q + L.TEMP_PLACE] if s[q + L.TEMP_PLACE] else s[q + L.PLACE]
    return s[q + L.TEMPS] if team == place else 0


def in_force(s: Ints, q: int, t: Ints, code: int) -> int:
    """Return the argument of an effect of the modifier that works for a seat; 0 for none (5.E)."""
    at = effect(t, s[q + L.EVENT], code) if s[q + L.EVENT_UP] else 0
    return t[at + 1] if at else 0


def announce(s: Ints, q: int) -> None:
    """Let the trip begin that an Explore mark boosts (5.D)."""
    if s[q + L.EXPLORE] and is_there(s, q, L.ABYSS):
        s[q + L.BOOST] = 1
        s[q + L.EXPLORE] = 0


def deal(s: Ints, q: int, t: Ints, event: int) -> None:
    """Deal an Event, 0 for none; a modifier that works is turned up, and hires may be paid again (5.E)."""
    s[q + L.EVENT] = event
    s[q + L.EVENT_UP] = 0
    card = L.T_CARD + L.CARD_W * event
    if event and t[card + L.C_MODIFIER] and is_there(s, q, t[card + L.C_PLACE]):
        s[q + L.EVENT_UP] = 1
        factor = in_force(s, q, t, L.E_SCALE_AP_COST)
        if factor:
            s[q + L.AP] = s[q + L.AP] - s[q + L.PAID] * (factor - 1)


def dig(s: Ints, q: int, t: Ints, amount: int, per: int, temp: int) -> None:
    """Find treasure by a card of one of the teams (6)."""
    if s[q + L.BOOST]:
        amount *= t[L.T_BOOST_FACTOR]
    if per == L.PER_FLAT:
        s[q + L.FLAT] = s[q + L.FLAT] + amount
        return
    if per == L.PER_MEMBER or not temp:
        s[q + L.EACH_MAIN] = s[q + L.EACH_MAIN] + amount
    if per == L.PER_MEMBER or temp or not s[q + L.TEMP_PLACE]:
        s[q + L.EACH_TEMP] = s[q + L.EACH_TEMP] + amount


def heal(s: Ints, q: int, t: Ints) -> int:
    """Bring all hired partners to full HP; return how many were below it (6)."""
    healed = 0
    for slot in range(t[L.T_SLOTS]):
        full = t[L.T_SLOT + L.SLOT_W * slot + L.SLOT_FULL]
        n = s[q + L.TEAM + slot]
        if n and full != slot:
            healed += n
            s[q + L.TEAM + slot] = 0
            s[q + L.TEAM + full] = s[q + L.TEAM + full] + n
    return healed


def use(s: Ints, q: int, t: Ints, temp: int, victim: int, choice: int) -> None:
    """Use the card of a team (6).

    ``victim`` is the seat that a card works on, 0 for none; ``choice`` its partner's slot, or the card taken.
    """
    at = q + (L.TEMP_CARD if temp else L.CARD)
    card = s[at]
    s[at] = 0
    place = s[q + (L.TEMP_PLACE if temp else L.PLACE)]
    first = L.T_CARD + L.CARD_W * card
    number = t[first + L.C_EFFECTS]
    if (t[first + L.C_TARGETED] and victim == 0) or in_force(s, q, t, L.E_CANCEL_ACTIONS) == place:
        number = 0
    dear = in_force(s, q, t, L.E_SCALE_AP_COST) if place == L.CITY else 0
    famous = in_force(s, q, t, L.E_SCALE_RP_GAIN) if place == L.CITY else 0
    traits = L.T_IDENTITY + L.IDENTITY_W * s[q + L.IDENTITY]
    healed = 0
    kept = 0
    for i in range(number):
        e = first + L.C_EFFECTS + 1 + L.EFFECT_W * i
        code = t[e]
        a = t[e + 1]
        if code == L.E_AP:
            s[q + L.AP] = s[q + L.AP] + (a * dear if dear and a < 0 else a)
        elif code == L.E_RP:
            s[q + L.RP] = s[q + L.RP] + (a * famous if famous and a > 0 else a)
        elif code == L.E_TREASURE:
            dig(s, q, t, a, t[e + 2], temp)
        elif code == L.E_HEAL_ALL:
            healed = heal(s, q, t) if s[q + L.PLACE] == a else 0
        elif code == L.E_PAY_PER_HEALED:
            if healed:
                pay = max(t[traits + L.I_TREATMENT + 1], a * healed + t[traits + L.I_TREATMENT])
                s[q + L.AP] = s[q + L.AP] - (pay * dear if dear else pay)
        elif code == L.E_FLASHLIGHT:
            s[q + L.LIGHT] = 1
        elif code == L.E_EXPLORE_PENDING:
            s[q + L.EXPLORE] = 1
        elif code == L.E_REMOVE_PARTNER:
            remove(s, victim, t, choice)
        elif code == L.E_TAKE_CARD:
            take(s, victim, choice)
            give(s, q, choice)
        elif code == L.E_EXCHANGE_CARDS:
            kept = 1 if s[L.SEATS] > 1 and s[q + L.N_HAND] else 0
    if card and kept:
        give(s, q, card)
    elif card:
        discard(s, 0, card)


def remove(s: Ints, q: int, t: Ints, slot: int) -> None:
    """Remove a hired partner; what it dug stays unless it is lost with it (6, AB-Q38)."""
    s[q + L.TEAM + slot] = s[q + L.TEAM + slot] - 1
    s[q + L.N_TEAM] = s[q + L.N_TEAM] - 1
    if s[q + L.PLACE] == L.ABYSS and not t[L.T_OWN_CARRIER]:
        s[q + L.FLAT] = s[q + L.FLAT] + s[q + L.EACH_MAIN]


def give(s: Ints, q: int, card: int) -> None:
    """Put a card into a hand."""
    s[q + L.HAND + card] = s[q + L.HAND + card] + 1
    s[q + L.N_HAND] = s[q + L.N_HAND] + 1


def take(s: Ints, q: int, card: int) -> None:
    """Take a card out of a hand."""
    s[q + L.HAND + card] = s[q + L.HAND + card] - 1
    s[q + L.N_HAND] = s[q + L.N_HAND] - 1


def discard(s: Ints, pile: int, card: int) -> None:
    """Put a card on the used cards of a pile: 0 of Actions, 1 of Events."""
    s[L.USED + card] = s[L.USED + card] + 1
    s[L.USED_SIZE + pile] = s[L.USED_SIZE + pile] + 1


def happen(s: Ints, q: int, t: Ints, lost: int) -> None:
    """Let a seat's Event work and put it away; ``lost`` is the hand card that goes with it, 0 for none (7)."""
    event = s[q + L.EVENT]
    first = L.T_CARD + L.CARD_W * event
    number = t[first + L.C_EFFECTS]
    if event == 0:
        return
    if s[q + L.EVENT_UP] or not is_there(s, q, t[first + L.C_PLACE]):
        number = 0
    members = hired_at(s, q, L.ABYSS) + temps_at(s, q, L.ABYSS)
    for i in range(number):
        e = first + L.C_EFFECTS + 1 + L.EFFECT_W * i
        code = t[e]
        a = t[e + 1]
        if code == L.E_AP_ABYSS:
            if members:
                s[q + L.AP] = s[q + L.AP] + (a * t[L.T_BOOST_FACTOR] if s[q + L.BOOST] else a)
        elif code == L.E_TREASURE:
            if members:
                dig(s, q, t, a, L.PER_FLAT if t[e + 2] == L.PER_FLAT else L.PER_MEMBER, 0)
        elif code == L.E_DAMAGE:
            damage(s, q, t, a, t[e + 2], t[first + L.C_LIGHT_STOPS])
        elif code == L.E_LOSE_CARD and lost:
            take(s, q, lost)
            discard(s, 0, lost)
    s[q + L.EVENT] = 0
    s[q + L.EVENT_UP] = 0
    discard(s, 1, event)


def damage(s: Ints, q: int, t: Ints, amount: int, place: int, light: int) -> None:
    """Take HP from every hired partner at a place, and pay for the dead (7, 10.2)."""
    hired = hired_at(s, q, place)
    traits = L.T_IDENTITY + L.IDENTITY_W * s[q + L.IDENTITY]
    change = traits + L.I_DAMAGE + 2 * (place - 1)
    boosted = t[L.T_BOOST_DAMAGE] if s[q + L.BOOST] and place == L.ABYSS else 0
    loss = max(t[change + 1], amount + boosted + t[change])
    if hired == 0 or loss <= 0:
        return
    if light and s[q + L.LIGHT]:
        s[q + L.LIGHT] = 0
        return
    dead = 0
    for slot in range(t[L.T_SLOTS]):
        n = s[q + L.TEAM + slot]
        if n:
            s[q + L.TEAM + slot] = 0
            if t[L.T_SLOT + L.SLOT_W * slot + L.SLOT_HP] > loss:
                s[q + L.TEAM + slot - loss] = n
            else:
                dead += n
                kind = t[L.T_SLOT + L.SLOT_W * slot + L.SLOT_TYPE]
                s[q + L.AP] = s[q + L.AP] - n * t[traits + L.I_PENALTIES + kind]
    s[q + L.N_TEAM] = hired - dead
    if place == L.ABYSS and not t[L.T_OWN_CARRIER]:
        s[q + L.FLAT] = s[q + L.FLAT] + s[q + L.EACH_MAIN] * dead


def cash(s: Ints, q: int, t: Ints) -> None:
    """Bring a seat's treasure home, if anybody is there to carry it (5.H)."""
    hired = hired_at(s, q, L.ABYSS)
    temps = temps_at(s, q, L.ABYSS)
    if hired + temps:
        treasure = s[q + L.FLAT] + s[q + L.EACH_MAIN] * hired + s[q + L.EACH_TEMP] * temps
        if s[q + L.BOOST]:
            treasure *= t[L.T_COMPOUND]
        s[q + L.AP] = s[q + L.AP] + treasure * t[L.T_TREASURE_AP]
        s[q + L.RP] = s[q + L.RP] + treasure * t[L.T_TREASURE_RP]
    s[q + L.FLAT] = 0
    s[q + L.EACH_MAIN] = 0
    s[q + L.EACH_TEMP] = 0
    s[q + L.BOOST] = 0


# Random numbers and piles: cards are drawn as chance brings them


def below(s: Ints, n: int) -> int:
    """Return a number from 0 to n - 1 (D. Lehmer's generator with the multiplier 48271)."""
    number: int = s[L.RANDOM]
    number = number * 48271 % 2147483647
    s[L.RANDOM] = number
    return (number - 1) * n // 2147483646


def pick(s: Ints, at: int, first: int, end: int, size: int) -> int:
    """Return one of the cards of a zone, from ``first`` up to ``end``, each copy as likely as another."""
    left = below(s, size)
    for card in range(first, end):
        left -= s[at + card]
        if left < 0:
            return card
    return 0


def reshuffle(s: Ints, t: Ints, pile: int) -> None:
    """Make the used cards of a pile its back; an empty front is replaced by the back (9.1)."""
    for card in range(t[L.T_FIRST + pile], t[L.T_FIRST + pile + 1]):
        s[L.BACK + card] = s[L.BACK + card] + s[L.USED + card]
        s[L.USED + card] = 0
    s[L.BACK_SIZE + pile] = s[L.BACK_SIZE + pile] + s[L.USED_SIZE + pile]
    s[L.USED_SIZE + pile] = 0
    settle(s, t, pile)


def settle(s: Ints, t: Ints, pile: int) -> None:
    """Let the back move up where the front is empty."""
    if s[L.FRONT_SIZE + pile] == 0:
        for card in range(t[L.T_FIRST + pile], t[L.T_FIRST + pile + 1]):
            s[L.FRONT + card] = s[L.BACK + card]
            s[L.BACK + card] = 0
        s[L.FRONT_SIZE + pile] = s[L.BACK_SIZE + pile]
        s[L.BACK_SIZE + pile] = 0


def draw(s: Ints, t: Ints, pile: int) -> int:
    """Take and return the next card of a pile, 0 where it stays empty (9.2)."""
    if s[L.FRONT_SIZE + pile] == 0:
        reshuffle(s, t, pile)
    if s[L.FRONT_SIZE + pile] == 0:
        return 0
    card = drawn(s, t, pile)
    settle(s, t, pile)
    return card


def put_back(s: Ints, pile: int, card: int) -> None:
    """Put a card that nobody has seen to the front of its pile; 0 is no card."""
    if card:
        s[L.FRONT + card] = s[L.FRONT + card] + 1
        s[L.FRONT_SIZE + pile] = s[L.FRONT_SIZE + pile] + 1


def drawn(s: Ints, t: Ints, pile: int) -> int:
    """Take and return a card of the front, which the back does not replace."""
    card = pick(s, L.FRONT, t[L.T_FIRST + pile], t[L.T_FIRST + pile + 1], s[L.FRONT_SIZE + pile])
    s[L.FRONT + card] = s[L.FRONT + card] - 1
    s[L.FRONT_SIZE + pile] = s[L.FRONT_SIZE + pile] - 1
    return card


def play_alone(row: Any, table: Any, event: int, points: Any) -> int:
    """Play the only seat of a row from the announcement to the return home, its Event given (5.D to 5.H).

    ``points`` gets AP and RP after each team's card, after the Event and at home. Cards that need somebody else do
    nothing, and no hand card is lost. Return how many times hires are paid again.
    """
    s = native.ints(row)
    t = native.ints(table)
    out = native.ints(points)
    q = L.SEAT
    announce(s, q)
    deal(s, q, t, event)
    again = in_force(s, q, t, L.E_SCALE_AP_COST)
    for part in range(4):
        if part < 2:
            use(s, q, t, part, 0, 0)
        elif part == 2:
            happen(s, q, t, 0)
        else:
            cash(s, q, t)
        out[2 * part] = s[q + L.AP]
        out[2 * part + 1] = s[q + L.RP]
    return again - 1 if again else 0
