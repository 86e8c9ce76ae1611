# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""The ops of cards (``ops.toml``) and the choices that they bring."""

from __future__ import annotations

from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards import risk, sled, zones
from solver.search.native import Row, Table


def current_card(s: Row, b: int) -> int:
    """Return the card that resolves."""
    return s[risk.frame_at(b, s[b + L.CURRENT])]


def raised(s: Row, b: int, t: Table, n: int, kind: int, field: int) -> int:
    """Return a number of an op with ``destroyed`` filled in and the bonuses in play added (R41, Q52)."""
    if n == L.ALL or n == L.UNTIL_DOG:
        return n
    bonus = sled.in_play_sum(s, b, t, field) if risk.card_type(t, current_card(s, b)) == kind else 0
    if n == L.AS_DESTROYED:
        return s[b + L.RUN_DESTROYED] + (bonus if t[L.H_BONUS_ON_WORDS_NUMBER_ONLY] else 0)
    return n + bonus


# Looks


def sort_out(s: Row, b: int, t: Table, top: int, place: int, fate: int, state: int) -> int:
    """Decide on the card looked at at a place: 0 destroy, 1 put away, 2 back to the deck (R41).

    Cards come in ascending order, copies of a card in one order of fates. At the end what went back is shuffled (Q49),
    and a damage card put away may stop the main action (R57).
    """
    n = s[b + L.N_LOOK]
    if place >= n:
        s[b + L.N_LOOK] = 0
        if state & L.FATE_RETURNED or (n and t[L.H_RESHUFFLE_ALWAYS]):
            zones.shuffle(s, b, t)
        if state & L.FATE_ENDS and t[L.H_DAMAGE_IN_EFFECT_ENDS_TURN]:
            risk.stop(s, b, t)
        return top
    card = s[b + L.LOOK + place]
    alike = 1 if place + 1 < n and s[b + L.LOOK + place + 1] == card else 0
    if fate == 0 and state < L.FATE_QUOTA:
        fate = 1
    if fate == 2:
        zones.to_deck(s, b, card)
        zones.push(s, b, L.I_SORT_OUT, place + 1, 2 if alike else 0, state | L.FATE_RETURNED)
        return top
    q = zones.branch(s, b, L.I_SORT_OUT, place, fate + 1, state)
    if fate == 0:
        zones.destroy(s, q, t, card)
        state -= L.FATE_QUOTA
    elif t[L.H_HEAL_REST_HAND]:
        zones.to_hand(s, q, card)
    else:
        zones.to_discard(s, q, card)
        if t[t[L.H_CARDS] + card * L.CARD_W + L.C_FLAGS] & L.FLAG_ENDS_TURN_ON_DISCARD:
            state |= L.FATE_ENDS
    zones.push(s, q, L.I_SORT_OUT, place + 1, fate if alike else 0, state)
    return top + 1


# The discard pile


def is_tagged(s: Row, b: int, t: Table, place: int, tag: int) -> int:
    """Return whether the discarded card at a place has a tag; tag 0 fits any."""
    return 1 if tag == 0 or t[t[L.H_CARDS] + s[b + L.DISCARD + place] * L.CARD_W + L.C_TAGS] & tag else 0


def tagged_from(s: Row, b: int, t: Table, place: int, tag: int) -> int:
    """Return the number of discarded cards with a tag from a place on."""
    n = 0
    for i in range(place, s[b + L.N_DISCARD]):
        n += is_tagged(s, b, t, i, tag)
    return n


def recover(s: Row, b: int, t: Table, top: int, left: int, option: int, state: int) -> int:
    """Choose the next card of the discard pile to bring back: first to the hand, then to the deck (Q50, Q51).

    Within each kind they come in ascending order, but for cards put on top of the deck, whose order matters.
    """
    tag = state // L.RECOVER_TAG
    on_top = t[L.H_RECOVER_TO_TOP]
    n = s[b + L.N_DISCARD]
    for to_deck in range(option // L.RECOVER_TO_DECK, 2 if left > 0 else 0):
        base = L.RECOVER_TO_DECK * to_deck
        place = max(0, option - base)
        while place < n and not is_tagged(s, b, t, place, tag):
            place += 1
        few = 1 if to_deck and not on_top and state & L.RECOVER_EXACT else 0
        if place < n and not (few and tagged_from(s, b, t, place, tag) < left):
            later = base + zones.other_kind(s, b + L.DISCARD, place, n)
            q = zones.branch(s, b, L.I_RECOVER, left, later, state)
            card = zones.remove_at(s, q, L.N_DISCARD, L.DISCARD, place)
            if to_deck:
                zones.to_deck(s, q, card)
                state |= L.RECOVER_DECK
            else:
                zones.to_hand(s, q, card)
            zones.push(s, q, L.I_RECOVER, left - 1, base if to_deck and on_top else base + place, state)
            return top + 1
    if left > 0 and state & L.RECOVER_EXACT:
        return top - 1
    if state & L.RECOVER_DECK and not on_top:
        zones.shuffle(s, b, t)
    return top


# Upgrades


def deck_left(s: Row, b: int, t: Table, deck: int) -> int:
    """Return the number of cards in an upgrade deck."""
    return t[t[L.H_UPGRADES] + 2 * deck + 1] - s[b + L.GONE + deck]


def next_deck(s: Row, b: int, t: Table, deck: int) -> int:
    """Return the first upgrade deck from here on that is not empty, ``MOST_DECKS`` if there is none."""
    while deck < t[L.H_DECKS]:
        if deck_left(s, b, t, deck) > 0:
            return deck
        deck += 1
    return L.MOST_DECKS


def turn_over(s: Row, b: int, t: Table, deck: int, of: int, to_look: int) -> int:
    """Take the top cards of an upgrade deck, a number or up to a dog; return whether a dog came last (Q48)."""
    if not t[L.H_CLOSED]:
        return take_over(s, b, t, deck, of, to_look)
    if of > 0 and deck_left(s, b, t, deck) > 0:
        zones.push(s, b, L.I_TURN_OVER, deck, of, to_look)
    return 0


def take_over(s: Row, b: int, t: Table, deck: int, of: int, to_look: int) -> int:
    """Take the cards now. Of a hidden deck nothing can read them any more: only their number counts."""
    dog = 0
    while of > 0 and not dog and deck_left(s, b, t, deck) > 0:
        card = 0 if t[L.H_CLOSED] else t[t[t[L.H_UPGRADES] + 2 * deck] + s[b + L.GONE + deck]]
        s[b + L.GONE + deck] = s[b + L.GONE + deck] + 1
        if to_look:
            zones.insert(s, b, L.N_LOOK, L.LOOK, L.MOST_CARDS, card)
        else:
            zones.insert(s, b, L.N_SUPPLY, L.SUPPLY, L.MOST_SUPPLY, card)
        if of == L.UNTIL_DOG:
            dog = 1 if t[L.H_CLOSED] or risk.card_type(t, card) == L.TYPE_DOG else 0
        else:
            of -= 1
    return dog


def grow_supply(s: Row, b: int, t: Table, top: int, of: int, deck: int) -> int:
    """Add cards of one upgrade deck of choice to the supply, or card by card of several (Q48)."""
    deck = next_deck(s, b, t, deck)
    if deck == L.MOST_DECKS:
        return top
    later = next_deck(s, b, t, deck + 1)
    q = zones.branch(s, b, L.I_SUPPLY, of, later, 0) if later < L.MOST_DECKS else b
    if not t[L.H_SUPPLY_DECK_ANY_MIX] or (t[L.H_CLOSED] and of == L.UNTIL_DOG):
        turn_over(s, q, t, deck, of, L.TURN_SUPPLY)
    elif of != L.UNTIL_DOG:
        if of > 1:
            zones.push(s, q, L.I_SUPPLY, of - 1, 0, 0)
        turn_over(s, q, t, deck, 1, L.TURN_SUPPLY)
    elif not turn_over(s, q, t, deck, 1, L.TURN_SUPPLY):
        zones.push(s, q, L.I_SUPPLY, of, 0, 0)
    return top if q == b else top + 1


def take(s: Row, b: int, t: Table, n: int, of: int) -> None:
    """Gain upgrades from the supply or the first deck (op take)."""
    n = raised(s, b, t, n, L.TYPE_SLED, L.C_TAKE_BONUS)
    of = raised(s, b, t, of, L.TYPE_SLED, L.C_TAKE_BONUS_OF)
    if t[L.H_TAKE_FROM_DECK]:
        zones.push(s, b, L.I_PICK, min(n, L.MOST_CARDS), 0, L.PICK_LOOK_DISCARD)
        if t[L.H_DECKS]:
            turn_over(s, b, t, 0, of, L.TURN_LOOK)
    else:
        zones.push(s, b, L.I_PICK, min(n, L.MOST_SUPPLY), 0, L.PICK_SUPPLY_DISCARD)
        if of > 0:
            zones.push(s, b, L.I_SUPPLY, of, 0, 0)


def pick(s: Row, b: int, t: Table, top: int, left: int, place: int, mode: int) -> int:
    """Choose the next card of an ascending list, up to so many or exactly so many (Q46, R75)."""
    length = L.N_SUPPLY
    items = L.SUPPLY
    if mode == L.PICK_LOOK_DISCARD:
        length = L.N_LOOK
        items = L.LOOK
    elif mode == L.PICK_HAND_DESTROYED:
        length = L.N_HAND
        items = L.HAND
    n = s[b + length]
    left = min(left, n)
    exact = 1 if t[L.H_TAKE_AMOUNT_EXACT] and mode != L.PICK_HAND_DESTROYED and left > 0 else 0
    if left > 0 and place < n and (not exact or n - place >= left):
        q = zones.branch(s, b, L.I_PICK, left, zones.other_kind(s, b + items, place, n), mode)
        card = zones.remove_at(s, q, length, items, place)
        if mode == L.PICK_SUPPLY_HAND:
            zones.to_hand(s, q, card)
        elif mode == L.PICK_HAND_DESTROYED:
            zones.destroy(s, q, t, card)
        else:
            zones.to_discard(s, q, card)
        zones.push(s, q, L.I_PICK, left - 1, place, mode)
        return top + 1
    if exact:
        return top - 1
    if mode == L.PICK_LOOK_DISCARD:
        for i in range(n):
            zones.destroy(s, b, t, s[b + items + i])
        s[b + length] = 0
    return top


# Ops


def second_step(s: Row, b: int, t: Table) -> None:
    """Main action: do what the top card left for this turn (R40)."""
    place = s[b + L.N_STACK] - 1
    at = risk.frame_at(b, place)
    s[at + L.FRAME_STATE] = s[at + L.FRAME_STATE] | L.FRAME_ACTS
    s[b + L.CURRENT] = place
    zones.push(s, b, L.I_COMPLETE, 0, 0, 0)
    s[b + L.RUN_DESTROYED] = 0
    first = t[t[L.H_CARDS] + s[at] * L.CARD_W + L.C_OP]
    for i in range(first, first + t[t[L.H_CARDS] + s[at] * L.CARD_W + L.C_OPS]):
        op = t[L.H_OPS] + L.OP_W * i
        if t[op] == L.OP_DESTROY_NEXT:
            n = raised(s, b, t, t[op + L.OP_A], L.TYPE_PERSONAL, L.C_HEAL_BONUS)
            for seen in range(s[b + L.N_SEEN]):
                s[b + L.LOOK + seen] = s[b + L.SEEN + seen]
            s[b + L.N_LOOK] = s[b + L.N_SEEN]
            s[b + L.N_SEEN] = 0
            zones.push(s, b, L.I_SORT_OUT, 0, 0, L.FATE_QUOTA * max(0, min(n, s[b + L.N_LOOK])))
            return
        if t[op] == L.OP_TAKE_NEXT:
            s[b + L.RUN_DESTROYED] = s[at + L.FRAME_N]
            n = raised(s, b, t, t[op + L.OP_A], L.TYPE_SLED, L.C_TAKE_BONUS)
            zones.push(s, b, L.I_PICK, min(n, L.MOST_SUPPLY), 0, L.PICK_SUPPLY_HAND)
            return


def drop_second_step(s: Row, b: int, t: Table) -> None:
    """Give up a waiting second step: the seen cards go back and the card completes (Q53)."""
    if s[b + L.N_SEEN]:
        zones.all_to_deck(s, b, L.N_SEEN, L.SEEN)
        zones.shuffle(s, b, t)
    s[b + L.CURRENT] = s[b + L.N_STACK] - 1
    zones.push(s, b, L.I_MAIN_AGAIN, 0, 0, 0)
    zones.push(s, b, L.I_COMPLETE, 0, 0, 0)


def go(s: Row, b: int, distance: int, card: int, automatic: int) -> None:
    """Make an own move, back where the distance is negative, and what it sets off (R44)."""
    start = s[b + L.POSITION]
    if start + distance > L.NO_LIMIT:
        zones.fail_row(s, b, L.ERROR_FULL, L.POSITION, 0)
        return
    zones.push(s, b, L.I_MOVED, -1 - start if distance < 0 else min(1, distance), card, automatic)
    if distance < 0:
        zones.push(s, b, L.I_BACKWARD, min(start, -distance), start, L.PHASE_STEP)
    elif distance > 0:
        zones.push(s, b, L.I_FORWARD, distance, start, L.PHASE_STEP)


def run_op(s: Row, b: int, t: Table, op: int) -> None:
    """Carry out an op of the current card; choices and moves are pushed (R36)."""
    at = t[L.H_OPS] + L.OP_W * op
    code = t[at + L.OP_CODE]
    a = t[at + L.OP_A]
    x = t[at + L.OP_B]
    if t[L.H_DEATH_AT] < L.NO_LIMIT:
        zones.push(s, b, L.I_DEATHS, 0, 0, 0)
    if code == L.OP_MOVE:
        zones.push(s, b, L.I_MOVES, a, x + 2 * (t[at + L.OP_C] - 1), current_card(s, b))
    elif code == L.OP_MOVE_BACK:
        if not sled.cannot_move(s, b, t):
            go(s, b, -a, current_card(s, b), 0)
    elif code == L.OP_CONDITION:
        if x < 0:
            sled.lower(s, b, a, -x)
        elif sled.gain(s, b, t, a, x, 0):
            sled.deaths(s, b, t)
    elif code == L.OP_CLEAR:
        s[b + L.HYPOTHERMIA + a] = 0
    elif code == L.OP_DAMAGE:
        sled.damage(s, b, t, a)
    elif code == L.OP_IMMUNE:
        s[b + L.IMMUNE] = 1
    elif code == L.OP_FREE_COST:
        s[b + L.FREE_ENERGY + a] = x
    elif code == L.OP_FREEZE:
        s[b + L.FREEZE] = 1
    elif code == L.OP_KILL_DOG:
        zones.push(s, b, L.I_KILL_ONE, 0, 0, 0)
    elif code == L.OP_PRICE:
        zones.push(s, b, L.I_PRICE, 0, 0, 0)
    elif code == L.OP_KILL_ANY:
        zones.push(s, b, L.I_KILL_ONE, a, x, 0)
    elif code == L.OP_NEW_DAY:
        if not s[b + L.FINISHED]:
            zones.push(s, b, L.I_NEW_DAY, 1, 0, 0)
    else:
        run_card_op(s, b, t, code, a, x)


def run_card_op(s: Row, b: int, t: Table, code: int, a: int, x: int) -> None:
    """Carry out an op on cards."""
    if code == L.OP_DRAW:
        zones.push(s, b, L.I_DRAW, min(L.MOST_CARDS, a * sled.count_dogs(s, b, t) if x else a), 0, 0)
    elif code == L.OP_RECOVER:
        exact = L.RECOVER_EXACT if t[L.H_RECOVER_AMOUNT_EXACT] else 0
        zones.push(s, b, L.I_RECOVER, min(a, s[b + L.N_DISCARD]), 0, exact)
    elif code == L.OP_RECOVER_TAG:
        exact = 0 if x else L.RECOVER_EXACT
        zones.push(s, b, L.I_RECOVER, tagged_from(s, b, t, 0, a), 0, L.RECOVER_TAG * a + exact)
    elif code == L.OP_HEAL:
        if s[b + L.BLIND] != 2:
            n = raised(s, b, t, a, L.TYPE_PERSONAL, L.C_HEAL_BONUS)
            of = min(s[b + L.N_DECK], raised(s, b, t, x, L.TYPE_PERSONAL, L.C_HEAL_BONUS_OF))
            zones.push(s, b, L.I_SORT_OUT, 0, 0, L.FATE_QUOTA * max(0, min(n, of)))
            zones.push(s, b, L.I_LOOK, of, 0, 0)
    elif code == L.OP_SEE:
        zones.push(s, b, L.I_SEE, min(L.ALL, raised(s, b, t, a, L.TYPE_PERSONAL, L.C_HEAL_BONUS_OF)), 0, 0)
    elif code == L.OP_DESTROY_NEXT:
        risk.suspend(s, b, t, a)
    elif code == L.OP_TAKE:
        take(s, b, t, a, x)
    elif code == L.OP_SUPPLY:
        a = raised(s, b, t, a, L.TYPE_SLED, L.C_TAKE_BONUS_OF)
        if a > 0:
            zones.push(s, b, L.I_SUPPLY, a, 0, 0)
    elif code == L.OP_TAKE_NEXT:
        if raised(s, b, t, a, L.TYPE_SLED, L.C_TAKE_BONUS) != 0:
            risk.suspend(s, b, t, a)
    elif code == L.OP_DESTROY_HAND:
        for i in range(s[b + L.N_HAND]):
            zones.destroy(s, b, t, s[b + L.HAND + i] & L.AGE - 1)
        s[b + L.RUN_DESTROYED] = s[b + L.N_HAND] - zones.owed(s, b)
        zones.empty_hand(s, b)
    elif code == L.OP_DESTROY_FROM_HAND:
        zones.push(s, b, L.I_PICK, min(a, L.MOST_CARDS), 0, L.PICK_HAND_DESTROYED)
    elif code == L.OP_DISCARD_TO_DECK:
        if s[b + L.N_DISCARD]:
            zones.all_to_deck(s, b, L.N_DISCARD, L.DISCARD)
            zones.shuffle(s, b, t)
    elif code == L.OP_DESTROY_SELF:
        at = risk.frame_at(b, s[b + L.CURRENT]) + L.FRAME_STATE
        s[at] = s[at] | L.FRAME_DESTROYED


def go_on(s: Row, b: int, t: Table, top: int, option: int) -> int:
    """Go on with what waits on the stack (R14, R33, R40, Q53); return 0 after the last option."""
    forbidden = t[L.H_FORBIDDEN]
    state = s[b + L.STACK + L.FRAME_W * (s[b + L.N_STACK] - 1) + L.FRAME_STATE]
    if option == 0 and not state & L.FRAME_SECOND and not forbidden & L.FORBID_CONTINUE:
        risk.continue_risk(s, zones.branch(s, b, L.I_MAIN, L.OPTION_PLAY + 2, 0, 0), t)
        return top + 1
    if option == 0 and state & L.FRAME_SECOND and not forbidden & L.FORBID_SECOND:
        second_step(s, zones.branch(s, b, L.I_MAIN, L.OPTION_PLAY + 1, 0, 0), t)
        return top + 1
    skips = 1 if t[L.H_SECOND_STEP_OPTIONAL] and state & L.FRAME_SECOND and not forbidden & L.FORBID_SKIP_SECOND else 0
    if option <= 1 and skips:
        drop_second_step(s, zones.branch(s, b, L.I_MAIN, L.OPTION_PLAY + 2, 0, 0), t)
        return top + 1
    return 0
