# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""The interpreter of one player's whole turn over rows of small integers.

A row is a table with a control stack of instructions. ``step`` carries out the next instruction of the last row. At a
choice it leaves the row with the options to come, and copies it for the option at hand. The copy is the last row then,
so only a few rows are open at a time. A row without instructions is the end of a turn.
"""

from __future__ import annotations

from solver.encodings.iditacards import dogs, effects, hand, movement, risk, zones
from solver.encodings.iditacards import layout as L
from solver.search.native import Row, Table

# The main action


def is_playable(s: Row, b: int, t: Table, card: int) -> int:
    """Return whether a hand card may be played (Q21, Q59) and the question does not forbid it."""
    at = t[L.H_CARDS] + card * L.CARD_W
    if t[at + L.C_FORBIDDEN]:
        return 0
    if t[at + L.C_TYPE] == L.TYPE_SLED and t[L.H_SNOW_NO_PLAY] and zones.weather_says(s, b, t, L.WE_NO_SLED):
        return 0
    if not t[L.H_ONLY_AFFORDABLE]:
        return 1
    level = s[b + L.HYPOTHERMIA]
    hunger = s[b + L.STARVATION]
    if t[at + L.C_TYPE] == L.TYPE_PERSONAL:
        s[b + L.HYPOTHERMIA] = max(0, level - 1)
    if t[at + L.C_TYPE] == L.TYPE_FOOD:
        s[b + L.STARVATION] = max(0, hunger - 1)
    energy = zones.energy_cost(s, b, t, card)
    health = zones.health_cost(s, b, t, t[at + L.C_HEALTH])
    s[b + L.HYPOTHERMIA] = level
    s[b + L.STARVATION] = hunger
    payers = risk.usable(s, b, t, 0) - (1 if t[at + L.C_TYPE] != L.TYPE_DAMAGE else 0)
    return 1 if (energy == L.ALL or payers >= energy) and s[b + L.N_DECK] >= health else 0


def begin_option(s: Row, b: int, code: int, option: int, first: int, commuting: int) -> int:
    """Leave the options from one on for later, and return the copy for the one before."""
    zones.push(s, b, code, option, first, commuting)
    return zones.fork(s, b)


def free_action(s: Row, b: int, t: Table, top: int, code: int, option: int, first: int, commuting: int) -> int:
    """Take the next free action from an option on (R13); return 0 if there is none.

    ``code`` is the instruction that goes on after it. Free actions that commute come in one order only: removals by
    place, then kills that are no more than that.
    """
    removes = 1 if t[L.H_REMOVAL] and not commuting and not t[L.H_FORBIDDEN] & L.FORBID_REMOVE else 0
    kills = 1 if t[L.H_SACRIFICE] and not t[L.H_FORBIDDEN] & L.FORBID_SACRIFICE else 0
    if not removes and not kills:
        return 0
    for at in range(option, L.DOG_W * s[b + L.N_DOGS]):
        dog = at // L.DOG_W
        place = at % L.DOG_W
        card = s[b + L.DOGS + at]
        if card == 0 or dogs.same_before(s, b, dog):
            continue
        if place == 0 and kills and dogs.can_die(s, b, t, dog):
            plain = dogs.is_plain(s, b, t, dog)
            if plain and commuting and at < first:
                continue
            q = begin_option(s, b, code, at + 1, first, commuting)
            zones.push(s, q, code, 0, at if plain else 0, plain)
            dogs.kill(s, q, t, dog)
            return top + 1
        if place > 0 and removes and at >= first and not (place > 1 and s[b + L.DOGS + at - 1] == card):
            q = begin_option(s, b, code, at + 1, first, commuting)
            zones.push(s, q, code, 0, at, 0)
            dogs.take_off(s, q, dog, place)
            return top + 1
    return 0


def main_action(s: Row, b: int, t: Table, top: int, option: int, first: int, commuting: int) -> int:
    """Take the next option of a turn: free actions, then the main actions, a new day last (R13, R14)."""
    forbidden = t[L.H_FORBIDDEN]
    if option < L.OPTION_PLAY:
        new_top = 0 if t[L.H_FREE_LATE] else free_action(s, b, t, top, L.I_MAIN, option, first, commuting)
        if new_top:
            return new_top
        option = L.OPTION_PLAY
    if option < L.OPTION_REST:
        if s[b + L.N_STACK] == 0:
            if not forbidden & L.FORBID_PLAY:
                new_top = play_card(s, b, t, top, option - L.OPTION_PLAY)
                if new_top:
                    return new_top
        else:
            new_top = go_on(s, b, t, top, option - L.OPTION_PLAY)
            if new_top:
                return new_top
    if option <= L.OPTION_REST and t[L.H_PASS] and not forbidden & L.FORBID_PASS:
        begin_option(s, b, L.I_MAIN, L.OPTION_REST + 1, 0, 0)
        return top + 1
    if forbidden & L.FORBID_NEW_DAY:
        return top - 1
    zones.push(s, b, L.I_EVENING if t[L.H_FREE_LATE] else L.I_NEW_DAY, 0, 0, 0)
    return top


def play_card(s: Row, b: int, t: Table, top: int, place: int) -> int:
    """Play the next card from a place of the hand on (R14, R20); return 0 if there is none."""
    n = s[b + L.N_HAND]
    while place < n and not (
        is_playable(s, b, t, s[b + L.HAND + place] & L.AGE - 1)
        and (hand.owed(s, b) == 0 or hand.may_leave(s, b, place))
    ):
        place = zones.other_kind(s, b + L.HAND, place, n)
    if place >= n:
        return 0
    q = begin_option(s, b, L.I_MAIN, L.OPTION_PLAY + zones.other_kind(s, b + L.HAND, place, n), 0, 0)
    card = zones.remove_at(s, q, L.N_HAND, L.HAND, place) & L.AGE - 1
    risk.put_on_table(s, q, t, card)
    risk.pay_energy(s, q, t, card)
    return top + 1


def go_on(s: Row, b: int, t: Table, top: int, option: int) -> int:
    """Go on with what waits on the stack (R14, R33, R40, Q53); return 0 after the last option."""
    forbidden = t[L.H_FORBIDDEN]
    state = s[b + L.STACK + L.FRAME_W * (s[b + L.N_STACK] - 1) + L.FRAME_STATE]
    if option == 0 and not state & L.FRAME_SECOND and not forbidden & L.FORBID_CONTINUE:
        risk.continue_risk(s, begin_option(s, b, L.I_MAIN, L.OPTION_PLAY + 2, 0, 0), t)
        return top + 1
    if option == 0 and state & L.FRAME_SECOND and not forbidden & L.FORBID_SECOND:
        effects.second_step(s, begin_option(s, b, L.I_MAIN, L.OPTION_PLAY + 1, 0, 0), t)
        return top + 1
    skips = 1 if t[L.H_SECOND_OPTIONAL] and state & L.FRAME_SECOND and not forbidden & L.FORBID_SKIP_SECOND else 0
    if option <= 1 and skips:
        effects.drop_second_step(s, begin_option(s, b, L.I_MAIN, L.OPTION_PLAY + 2, 0, 0), t)
        return top + 1
    return 0


# The interpreter


def step(s: Row, b: int, t: Table, top: int) -> int:
    """Carry out the next instruction of the last row, and return the number of rows, -1 at the end of its turn."""
    n = s[b + L.N_CONTROL] - 1
    s[b + L.N_CONTROL] = n
    at = b + L.CONTROL + L.CONTROL_W * n
    code = s[at]
    a = s[at + 1]
    x = s[at + 2]
    y = s[at + 3]
    if code == L.I_MAIN:
        return main_action(s, b, t, top, a, x, y)
    if code == L.I_EVENING:
        rows = free_action(s, b, t, top, L.I_EVENING, a, x, y)
        if rows == 0:
            zones.push(s, b, L.I_NEW_DAY, 0, 0, 0)
        return rows if rows else top
    if code == L.I_PAY:
        return risk.pay_one(s, b, t, top, a, x, y)
    if code == L.I_RECOVER:
        return effects.recover(s, b, t, top, a, x, y)
    if code == L.I_SORT_OUT:
        return effects.sort_out(s, b, t, top, a, x, y)
    if code == L.I_SUPPLY:
        return effects.grow_supply(s, b, t, top, a, x)
    if code == L.I_PICK:
        return effects.pick(s, b, t, top, a, x, y)
    if code == L.I_KILL_ONE:
        return dogs.kill_one(s, b, t, top, a, x, y)
    if code == L.I_PRICE:
        return dogs.price(s, b, t, top, a)
    if code == L.I_PLACE_DOG:
        return dogs.place_dog(s, b, t, top, effects.current_card(s, b), a)
    if code == L.I_PLACE_ATTACHMENT:
        return dogs.place_attachment(s, b, t, top, effects.current_card(s, b), a)
    if code == L.I_LEGENDARY:
        return movement.choose_legendary(s, b, t, top, a)
    if code == L.I_DONE:
        movement.finish_turn(s, b, t)
        return L.TURN_OVER
    if code == L.I_FORWARD:
        return L.TURN_OVER if movement.forward(s, b, t, a, x, y) else top
    if code == L.I_BACKWARD:
        movement.backward(s, b, t, a, x, y)
    elif code == L.I_MOVED:
        movement.moved(s, b, t, a, x, y)
    elif code == L.I_MOVES:
        movement.move(s, b, t, a, x, y)
    elif code == L.I_END_TURN:
        movement.end_turn(s, b, t)
    elif code == L.I_AUTO:
        movement.run_out(s, b, t)
    elif code == L.I_AFTER_AUTO or code == L.I_DEATHS:
        zones.deaths(s, b, t)
    elif code == L.I_PAID:
        card = t[L.H_CARDS] + s[risk.frame_at(b, s[b + L.N_STACK] - 1)] * L.CARD_W
        zones.push(s, b, L.I_HEALTH, zones.health_cost(s, b, t, t[card + L.C_HEALTH]), 0, 0)
    elif L.I_DRAW <= code <= L.I_HEALTH:
        risk.take_cards(s, b, t, code, a)
    elif code == L.I_COMPLETE:
        risk.complete(s, b, t)
    elif code == L.I_RUN:
        risk.run_ops(s, b, t)
    elif code == L.I_OP:
        effects.run_op(s, b, t, a)
    elif code == L.I_TURN_OVER:
        effects.turn_over_unread(s, b, t, a, x, y)
    elif code == L.I_RISK:
        risk.risk_card(s, b, t)
    elif code == L.I_PAID_ONE:
        risk.paid_one(s, b, t, a)
    elif code == L.I_AFTER_DEATH:
        if a == L.DEATH_OTHERS:
            dogs.kill_all(s, b, t, 0)
        else:
            zones.push(s, b, L.I_KILL_ONE, 0, 0, 0)
    elif code == L.I_KILL_TAG:
        dogs.kill_tagged(s, b, t, a)
    elif code == L.I_NEW_DAY:
        movement.end_day(s, b, t, a)
    elif code == L.I_END_KILLS:
        movement.end_kills(s, b, t, a)
    elif code == L.I_NIGHT:
        movement.night(s, b, t, a)
    elif code == L.I_MORNING:
        movement.morning(s, b, t, a)
    elif code == L.I_DAY_DRAW:
        zones.push(s, b, L.I_DRAW, movement.hand_size(s, b, t), 0, 0)
    elif code == L.I_MAIN_AGAIN and not s[b + L.STOPPED]:
        zones.push(s, b, L.I_MAIN, 0, 0, 0)
    return top


def begin_turn(s: Row, b: int) -> int:
    """Let a row begin its turn, armed free costs with it (R12)."""
    s[b + L.N_CONTROL] = 0
    if s[b + L.FREE_ENERGY] == 1:
        s[b + L.FREE_ENERGY] = 2
    if s[b + L.FREE_HEALTH] == 1:
        s[b + L.FREE_HEALTH] = 2
    zones.push(s, b, L.I_END_TURN, 0, 0, 0)
    zones.push(s, b, L.I_MAIN, 0, 0, 0)
    return 1
