# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""Rows played on to the end of the game: what nobody has seen is dealt anew, and all seats play by one rule of thumb.

Everybody digs where a card for it is at hand, with as many of the cheapest partners as there is money for. Else a
seat plays a card that wins at once or gains points. It gives up a card where none for digging is at hand. Offers are
declined. The others are taken to have played so in the round under way as well: who has money and no team held no card
for digging. That tells about their hands more than the order of the pile does.
"""

from __future__ import annotations

from typing import Any

from solver.encodings.abyss import layout as L
from solver.encodings.abyss import machine
from solver.search import native
from solver.search.native import Ints

# Deals


def deal_anew(s: Ints, t: Ints, seat: int) -> None:
    """Deal what a seat does not see: hands and plans of the others, the front of the pile, Events face down (4)."""
    for other in range(s[L.SEATS]):
        q = L.SEAT + L.SEAT_W * other
        if other != seat:
            take_back(s, q, t)
    while not lay_events(s, t):
        pass
    for other in range(s[L.SEATS]):
        q = L.SEAT + L.SEAT_W * other
        if other != seat:
            deal_seat(s, q, t)


def take_back(s: Ints, q: int, t: Ints) -> None:
    """Put the cards that others do not see back to the front; how many there are stays written down."""
    for card in range(1, t[L.T_ACTIONS]):
        number = s[q + L.UNSEEN + card]
        s[L.FRONT + card] = s[L.FRONT + card] + number
        s[q + L.HAND + card] = s[q + L.HAND + card] - number
        s[q + L.UNSEEN + card] = 0
    s[L.FRONT_SIZE] = s[L.FRONT_SIZE] + s[q + L.N_UNSEEN]
    s[q + L.N_HAND] = s[q + L.N_HAND] - s[q + L.N_UNSEEN]
    if s[q + L.LAID_SEEN]:
        return
    machine.put_back(s, 0, s[q + L.CARD])
    machine.put_back(s, 0, s[q + L.TEMP_CARD])


def lay_events(s: Ints, t: Ints) -> int:
    """Change the Events face down; return whether all fit: a modifier that works is face up."""
    for other in range(s[L.SEATS]):
        q = L.SEAT + L.SEAT_W * other
        machine.put_back(s, 1, 0 if s[q + L.EVENT_UP] else s[q + L.EVENT])
    fits = 1
    for other in range(s[L.SEATS]):
        q = L.SEAT + L.SEAT_W * other
        if s[q + L.EVENT] and not s[q + L.EVENT_UP]:
            s[q + L.EVENT] = machine.drawn(s, t, 1)
            card = L.T_CARD + L.CARD_W * s[q + L.EVENT]
            if t[card + L.C_MODIFIER] and machine.is_there(s, q, t[card + L.C_PLACE]):
                fits = 0
    return fits


def deal_seat(s: Ints, q: int, t: Ints) -> None:
    """Deal a seat as many cards as were taken back; a plan's card fits its place.

    Of some deals the first is taken with which the seat would have done this round what it did.
    """
    number = s[q + L.N_UNSEEN]
    tries = 0 if number or not s[q + L.LAID_SEEN] else L.DEALS - 1
    while True:
        fits = 1
        for at in range(q + L.CARD, q + L.TEMP_CARD + 1, 2):
            if s[at] and not s[q + L.LAID_SEEN]:
                s[at] = machine.drawn(s, t, 0)
                if t[L.T_CARD + L.CARD_W * s[at] + L.C_PLACE] not in (L.ANY, s[at + 1]):
                    fits = 0
        for _ in range(number):
            card = machine.drawn(s, t, 0)
            machine.give(s, q, card)
            s[q + L.UNSEEN + card] = s[q + L.UNSEEN + card] + 1
        tries += fits
        if fits and (tries == L.DEALS or would_have(s, q, t)):
            return
        take_back(s, q, t)


def would_have(s: Ints, q: int, t: Ints) -> int:
    """Return whether a seat that plays by the rule of thumb would have hired and planned with its cards as it did."""
    phase = s[L.PHASE]
    laid = s[q + L.CARD]
    used = 1 if s[q + L.EACH_MAIN] or s[q + L.EACH_TEMP] else 0
    members = s[q + L.N_TEAM] + s[q + L.TEMPS]
    prepared = 1 if phase >= L.P_CHOOSE else 0
    for place in range(s[L.ACTING]):
        if seat_at(s, t, place) == q:  # it has had its share of the step
            prepared = 1
    digger = digs(t, laid)
    most = 0
    for card in range(1, t[L.T_ACTIONS]):
        if s[q + L.HAND + card]:
            digger |= digs(t, card)
            most = max(most, gain(s, q, t, card))
    if s[q + L.PAID]:
        if phase <= L.P_EVENT and not digger and not used:
            return 0
    elif digger and can_hire(s, q, t):
        before = 1 if members == 0 and s[L.ROUND] > 1 else 0  # with these cards it would have hired a round ago
        if before or (prepared and (members == 0 or phase <= L.P_DEAL or laid)):
            return 0
    if laid:
        return 1 if most <= gain(s, q, t, laid) else 0
    return 0 if digger and members and not used and L.P_DEAL <= phase <= L.P_EVENT else 1


# The rule of thumb


def meets(t: Ints, ap: int, rp: int) -> int:
    """Return whether a purse meets a goal (8.1)."""
    for i in range(t[L.T_GOALS]):
        if ap >= t[L.T_GOAL + 2 * i] and rp >= t[L.T_GOAL + 2 * i + 1]:
            return 1
    return 0


def digs(t: Ints, card: int) -> int:
    """Return whether a card finds treasure for each member."""
    at = machine.effect(t, card, L.E_TREASURE)
    return 1 if at and t[at + 2] != L.PER_FLAT else 0


def gain(s: Ints, q: int, t: Ints, card: int) -> int:
    """Return how much a seat likes to use a card: most of all to win, then to dig, then by its points."""
    at_ap = machine.effect(t, card, L.E_AP)
    at_rp = machine.effect(t, card, L.E_RP)
    ap = t[at_ap + 1] if at_ap else 0
    rp = t[at_rp + 1] if at_rp else 0
    if digs(t, card):
        return L.DIGS
    return 2 * L.DIGS if meets(t, s[q + L.AP] + ap, s[q + L.RP] + rp) else 3 * ap + 5 * rp


def best_card(s: Ints, q: int, t: Ints, sign: int) -> int:
    """Return the hand card that a seat likes most, or least where ``sign`` is -1; 0 for none."""
    best = 0
    most = 0
    for card in range(1, t[L.T_ACTIONS]):
        if s[q + L.HAND + card]:
            value = sign * gain(s, q, t, card)
            if best == 0 or value > most:
                most = value
                best = card
    return best


def hire(s: Ints, q: int, t: Ints, kind: int, number: int) -> None:
    """Hire partners of a type; those after the last type are temporary (5.B)."""
    traits = L.T_IDENTITY + L.IDENTITY_W * s[q + L.IDENTITY]
    price = t[traits + L.I_TEMP_PRICE] if kind == t[L.T_TYPES] else t[traits + L.I_PRICES + kind]
    if number:
        s[q + L.AP] = s[q + L.AP] - number * price
        s[q + L.PAID] = s[q + L.PAID] + number * price
        if kind == t[L.T_TYPES]:
            s[q + L.TEMPS] = number
        else:
            slot = 0
            while t[L.T_SLOT + L.SLOT_W * slot + L.SLOT_TYPE] != kind:
                slot += 1
            slot = t[L.T_SLOT + L.SLOT_W * slot + L.SLOT_FULL]
            s[q + L.TEAM + slot] = s[q + L.TEAM + slot] + number
            s[q + L.N_TEAM] = s[q + L.N_TEAM] + number


def cheapest(s: Ints, q: int, t: Ints) -> int:
    """Return the type of the cheapest partners; of equal prices the last type."""
    prices = L.T_IDENTITY + L.IDENTITY_W * s[q + L.IDENTITY] + L.I_PRICES
    found = 0
    for kind in range(1, t[L.T_TYPES]):
        if t[prices + kind] <= t[prices + found]:
            found = kind
    return found


def can_hire(s: Ints, q: int, t: Ints) -> int:
    """Return how many of the cheapest partners there are money and room for."""
    price = t[L.T_IDENTITY + L.IDENTITY_W * s[q + L.IDENTITY] + L.I_PRICES + cheapest(s, q, t)]
    number: int = max(0, s[q + L.AP]) // max(1, price)
    return min(number, max(0, t[L.T_CAP] - s[q + L.N_TEAM])) if t[L.T_CAP] >= 0 else number


def target(s: Ints, q: int, t: Ints, card: int, place: int) -> int:
    """Return the seat furthest ahead that a card can work on; 0 for none (6)."""
    best = 0
    most = 0
    removes = machine.effect(t, card, L.E_REMOVE_PARTNER)
    for other in range(s[L.SEATS]):
        at = L.SEAT + L.SEAT_W * other
        if removes:
            open_to = 1 if s[at + L.N_TEAM] and s[at + L.PLACE] == place else 0
        else:
            open_to = 1 if s[at + L.N_HAND] and machine.is_there(s, at, place) else 0
        ahead = 3 * s[at + L.AP] + 5 * s[at + L.RP]
        if at != q and open_to and (best == 0 or ahead > most):
            best = at
            most = ahead
    return best


# A seat's share of a step; ``m`` is what it decides, or the rule of thumb does


def prepare(s: Ints, q: int, t: Ints, m: Ints, given: int) -> None:
    """Let a seat give up cards and draw one (5.B)."""
    if s[L.ACTING] == 0:
        if s[L.FRONT_SIZE + 1] + s[L.BACK_SIZE + 1] < s[L.SEATS]:
            machine.reshuffle(s, t, 1)
        if s[L.FRONT_SIZE] + s[L.BACK_SIZE] < s[L.SEATS]:
            machine.reshuffle(s, t, 0)
    held = s[q + L.N_HAND]
    if given:
        for card in range(1, t[L.T_ACTIONS]):
            for _ in range(m[L.M + card]):
                give_up(s, q, card)
    elif held and gain(s, q, t, best_card(s, q, t, 1)) < L.DIGS:
        give_up(s, q, best_card(s, q, t, -1))
    if s[q + L.N_HAND] < held:
        draw_cards(s, q, t, t[L.T_GIVE_UP_DRAW])
    s[L.PHASE] = L.P_HIRE


def give_up(s: Ints, q: int, card: int) -> None:
    """Put a hand card on the used ones."""
    machine.take(s, q, card)
    machine.discard(s, 0, card)


def draw_cards(s: Ints, q: int, t: Ints, number: int) -> None:
    """Draw Action cards one after another, as far as there are any."""
    for _ in range(number):
        card = machine.draw(s, t, 0)
        if card:
            machine.give(s, q, card)


def hire_all(s: Ints, q: int, t: Ints, m: Ints, given: int) -> None:
    """Let a seat hire (5.B)."""
    if given:
        for kind in range(t[L.T_TYPES] + 1):
            hire(s, q, t, kind, m[L.M + kind])
    else:
        if digs(t, best_card(s, q, t, 1)):
            hire(s, q, t, cheapest(s, q, t), can_hire(s, q, t))
    check(s, t, q)
    advance(s, L.P_GIVE_UP, L.P_CHOOSE)


def choose(s: Ints, q: int, t: Ints, m: Ints, given: int) -> None:
    """Let a seat lay its plan aside; after the last one all locations are announced (5.C, 5.D)."""
    if given:
        for i in range(4):
            s[q + L.CARD + i] = m[L.M + i]
    else:
        card = best_card(s, q, t, 1)
        members = s[q + L.N_TEAM] + s[q + L.TEMPS]
        where = t[L.T_CARD + L.CARD_W * card + L.C_PLACE]
        if (where == L.ABYSS and members == 0) or gain(s, q, t, card) <= 0:
            card = 0
        s[q + L.CARD] = card
        s[q + L.PLACE] = L.ABYSS if card and where != L.CITY and members else L.CITY
    if s[q + L.CARD]:
        machine.take(s, q, s[q + L.CARD])
    if s[q + L.TEMP_CARD]:
        machine.take(s, q, s[q + L.TEMP_CARD])
    advance(s, L.P_CHOOSE, L.P_DEAL)
    if s[L.PHASE] == L.P_DEAL:
        for other in range(s[L.SEATS]):
            machine.announce(s, L.SEAT + L.SEAT_W * other)


def act(s: Ints, q: int, t: Ints, m: Ints, given: int) -> None:
    """Let a seat use its cards, main team before temp team (5.F)."""
    for temp in range(2):
        card = s[q + (L.TEMP_CARD if temp else L.CARD)]
        if card and s[L.PHASE] == L.P_ACT:
            place = s[q + (L.TEMP_PLACE if temp else L.PLACE)]
            victim = 0
            choice = 0
            if t[L.T_CARD + L.CARD_W * card + L.C_TARGETED] and machine.in_force(s, q, t, L.E_CANCEL_ACTIONS) != place:
                victim = L.SEAT + L.SEAT_W * m[L.M] if given else target(s, q, t, card, place)
                if victim and machine.effect(t, card, L.E_REMOVE_PARTNER):
                    choice = m[L.M + 1] if given else t[L.T_SLOTS] - 1
                    while s[victim + L.TEAM + choice] == 0:
                        choice -= 1
                elif victim:
                    choice = machine.pick(s, victim + L.HAND, 1, t[L.T_ACTIONS], s[victim + L.N_HAND])
            machine.use(s, q, t, temp, victim, choice)
            check(s, t, q)
    advance(s, L.P_ACT, L.P_EVENT)


def turn_up(s: Ints, q: int, t: Ints) -> None:
    """Turn up a seat's Event; after the last one everybody returns (5.G, 5.H)."""
    lost = 0
    event = s[q + L.EVENT]
    if s[q + L.N_HAND] and event and machine.effect(t, event, L.E_LOSE_CARD):
        lost = machine.pick(s, q + L.HAND, 1, t[L.T_ACTIONS], s[q + L.N_HAND])
    if event:
        machine.happen(s, q, t, lost)
        check(s, t, q)
    if s[L.PHASE] == L.P_EVENT and s[L.ACTING] == s[L.SEATS] - 1:
        for place in range(s[L.SEATS]):
            at = seat_at(s, t, place)
            if s[L.PHASE] == L.P_EVENT and machine.is_there(s, at, L.ABYSS):
                machine.cash(s, at, t)
                check(s, t, at)
        if s[L.PHASE] == L.P_EVENT:
            for other in range(s[L.SEATS]):
                for i in range(4):
                    s[L.SEAT + L.SEAT_W * other + L.CARD + i] = 0
    advance(s, L.P_EVENT, L.P_REFILL)


def refill(s: Ints, q: int, t: Ints, m: Ints, given: int) -> None:
    """Let temporary partners leave, and a seat draw; after the last one the next round begins (5.I)."""
    s[q + L.TEMPS] = 0
    s[q + L.PAID] = 0
    if s[q + L.N_HAND] < t[L.T_REFILL_BELOW] and s[L.ROUND] >= t[L.T_FIRST_REFILL] and (not given or m[L.M]):
        draw_cards(s, q, t, t[L.T_REFILL_CARDS])
    advance(s, L.P_REFILL, L.P_GIVE_UP)
    if s[L.PHASE] == L.P_GIVE_UP and not (t[L.T_LATE] and settle_goals(s, t, seat_at(s, t, 0))):
        s[L.ROUND] = s[L.ROUND] + 1


def advance(s: Ints, phase: int, after: int) -> None:
    """Go on to the next seat of a step, or to the next step, unless the game is over."""
    if s[L.PHASE] != L.P_OVER:
        s[L.ACTING] = s[L.ACTING] + 1
        s[L.PHASE] = phase
        if s[L.ACTING] == s[L.SEATS]:
            s[L.ACTING] = 0
            s[L.PHASE] = after


def seat_at(s: Ints, t: Ints, place: int) -> int:
    """Return where the seat begins that comes at a place of the seat order (1.2)."""
    seat: int = (place + (s[L.ROUND] - 1 if t[L.T_ROTATES] else 0)) % s[L.SEATS]
    return L.SEAT + L.SEAT_W * seat


def check(s: Ints, t: Ints, q: int) -> None:
    """End the game if somebody meets a goal, beginning with the seat whose step it was (8.2)."""
    if not t[L.T_LATE]:
        settle_goals(s, t, q)


def settle_goals(s: Ints, t: Ints, q: int) -> int:
    """End the game if somebody meets a goal: a seat, else the first in seat order wins, or all who do share it."""
    met = 0
    for place in range(s[L.SEATS] + 1):
        at = seat_at(s, t, place - 1) if place else q
        if (place == 0 or at != q) and meets(t, s[at + L.AP], s[at + L.RP]):
            if met == 0:
                s[L.WINNER] = (at - L.SEAT) // L.SEAT_W + 1
                s[L.PHASE] = L.P_OVER
            met += 1
    if met > 1 and t[L.T_JOINT]:
        s[L.WINNER] = 0
    return met


def play_step(s: Ints, t: Ints, m: Ints, decider: int) -> int:
    """Play the acting seat's share of the step; return whether it was the one to take the decision."""
    q = seat_at(s, t, s[L.ACTING])
    phase = s[L.PHASE]
    given = 1 if q == decider and phase == m[L.M_PHASE] else 0
    if phase == L.P_GIVE_UP:
        prepare(s, q, t, m, given)
    elif phase == L.P_HIRE:
        hire_all(s, q, t, m, given)
    elif phase == L.P_CHOOSE:
        choose(s, q, t, m, given)
    elif phase == L.P_DEAL:
        machine.deal(s, q, t, machine.draw(s, t, 1))
        check(s, t, q)
        advance(s, L.P_DEAL, L.P_ACT)
    elif phase == L.P_ACT:
        act(s, q, t, m, given)
    elif phase == L.P_EVENT:
        turn_up(s, q, t)
    else:
        refill(s, q, t, m, given)
    return given


def play_one(row: Any, table: Any, move: Any, seed: int) -> int:
    """Play the acting seat's share of the step on a row itself; it decides as ``move`` says where that fits."""
    s = native.ints(row)
    s[L.RANDOM] = seed
    t = native.ints(table)
    return play_step(s, t, native.ints(move), seat_at(s, t, s[L.ACTING]))


def play_on(row: Any, table: Any, work: Any, move: Any, seat: int, rounds: int, seed: int, games: int) -> int:
    """Play games on from a row and return how many a seat wins, times twice the seats; a game nobody wins is shared.

    ``move`` is what the seat decides first, ``rounds`` how many a game lasts at most, the one under way included.
    """
    start = native.ints(row)
    t = native.ints(table)
    s = native.ints(work)
    m = native.ints(move)
    won = 0
    for _ in range(games):
        for i in range(L.W):
            s[i] = start[i]
        seed = seed * 69621 % 2147483647
        s[L.RANDOM] = seed
        deal_anew(s, t, seat)
        decider = L.SEAT + L.SEAT_W * seat
        last = s[L.ROUND] + rounds
        while s[L.PHASE] != L.P_OVER and s[L.ROUND] < last:
            if play_step(s, t, m, decider):
                decider = 0
        if s[L.WINNER] == 0:
            won += 2
        elif s[L.WINNER] == seat + 1:
            won += 2 * s[L.SEATS]
    return won
