# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""Playing, paying, the risk stack, resolving and fizzling (R20 to R42)."""

from __future__ import annotations

from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards import sled, zones
from solver.search.native import Row, Table


def frame_at(b: int, place: int) -> int:
    """Return where a frame of the stack begins."""
    return b + L.STACK + L.FRAME_W * place


def card_type(t: Table, card: int) -> int:
    """Return the type of a card."""
    return t[t[L.H_CARDS] + card * L.CARD_W + L.C_TYPE]


def record(s: Row, b: int, t: Table, card: int) -> None:
    """Enter a food or personal card in the records of the day (R21, Q35)."""
    at = t[L.H_CARDS] + card * L.CARD_W
    if t[at + L.C_TYPE] == L.TYPE_FOOD:
        field = b + L.FOODS + t[at + L.C_FOOD_FIELD]
        s[field] = s[field] | t[at + L.C_FOOD_BIT]
    elif t[at + L.C_TYPE] == L.TYPE_PERSONAL:
        s[b + L.PERSONAL] = s[b + L.PERSONAL] + 1


def put_on_table(s: Row, b: int, t: Table, card: int) -> None:
    """Put a card on the stack; food and care act at once (R20, R21)."""
    n = s[b + L.N_STACK]
    if n >= L.MOST_FRAMES:
        zones.fail_row(s, b, L.ERROR_FULL, L.STACK, 0)
        return
    at = frame_at(b, n)
    s[at + L.FRAME_CARD] = card
    s[at + L.FRAME_DAY] = s[b + L.DAY]
    s[at + L.FRAME_N] = 0
    s[at + L.FRAME_NEED] = 0
    s[at + L.FRAME_PAID] = 0
    s[at + L.FRAME_STATE] = 0
    s[b + L.N_STACK] = n + 1
    kind = card_type(t, card)
    if kind == L.TYPE_FOOD or kind == L.TYPE_PERSONAL:
        sled.lower(s, b, 1 if kind == L.TYPE_FOOD else 0, 1)
        if not t[L.H_CONDITION_COUNTS_RESOLVED]:
            record(s, b, t, card)


# Paying


def is_usable(s: Row, b: int, t: Table, place: int) -> int:
    """Return whether the hand card at a place may pay energy (R22)."""
    return 0 if card_type(t, s[b + L.HAND + place]) == L.TYPE_DAMAGE else 1


def usable(s: Row, b: int, t: Table, first: int) -> int:
    """Return the number of hand cards from a place on that may pay energy (R22)."""
    n = 0
    if t[L.H_FACE_DOWN]:
        return s[b + L.N_HAND] - zones.owed(s, b)
    for place in range(first, s[b + L.N_HAND]):
        n += is_usable(s, b, t, place)
    return n


def discard_usable(s: Row, b: int, t: Table) -> None:
    """Discard all hand cards that may pay."""
    if t[L.H_FACE_DOWN]:
        zones.discard_hand(s, b)
    for place in range(s[b + L.N_HAND] - 1, -1, -1):
        if is_usable(s, b, t, place):
            zones.to_discard(s, b, zones.remove_at(s, b, L.N_HAND, L.HAND, place))


def pay_energy(s: Row, b: int, t: Table, card: int) -> None:
    """Begin the payment of a card on the table (R22): the energy, then the rest."""
    cost = sled.energy_cost(s, b, t, card)
    payers = usable(s, b, t, 0)
    damaged = 1 if payers < s[b + L.N_HAND] - zones.owed(s, b) else 0
    may_fail = 1 if damaged and cost > 0 and t[L.H_DAMAGE_FOR_ENERGY] and cost <= s[b + L.N_HAND] else 0
    short = 1 if cost > payers and not may_fail else 0
    if cost == L.ALL:
        short = 1 if damaged and t[L.H_ALL_COST_FAILS_WITH_DAMAGE] else 0
    if short:
        if cost < L.ALL and t[L.H_PARTIAL_ENERGY_WHOLE_HAND]:
            discard_usable(s, b, t)
        fail(s, b, t)
        return
    zones.push(s, b, L.I_PAID, 0, 0, 0)
    if cost == L.ALL:
        discard_usable(s, b, t)
    elif cost > 0 and t[L.H_FACE_DOWN]:
        s[b + L.OWED + s[b + L.AGES]] = zones.owed(s, b) + cost
    elif cost > 0:
        zones.push(s, b, L.I_PAY, cost, 0, may_fail)


def pay_one(s: Row, b: int, t: Table, top: int, left: int, place: int, may_fail: int) -> int:
    """Choose the next of the hand cards that pay, in ascending order (R22)."""
    n = s[b + L.N_HAND]
    while place < n and not is_usable(s, b, t, place):
        place += 1
    rest = usable(s, b, t, place)
    if place < n and (may_fail or rest >= left):
        later = zones.other_kind(s, b + L.HAND, place, n)
        spared = 1 if may_fail or rest - (later - place) >= left else 0
        q = zones.branch(s, b, L.I_PAY, left, later, may_fail) if spared else b
        zones.to_discard(s, q, zones.remove_at(s, q, L.N_HAND, L.HAND, place))
        if left > 1:
            zones.push(s, q, L.I_PAY, left - 1, place, may_fail)
        return top if q == b else top + 1
    # What is left is to pay with a damage card, which fails (Q25).
    place = 0
    while is_usable(s, b, t, place):
        place += 1
    zones.to_discard(s, b, zones.remove_at(s, b, L.N_HAND, L.HAND, place))
    s[b + L.N_CONTROL] = s[b + L.N_CONTROL] - 1
    fail(s, b, t)
    return top


def take_cards(s: Row, b: int, t: Table, use: int, left: int) -> None:
    """Take cards of the deck one by one, as far as there are any; a damage card may stop a payment (R23, R49, R57)."""
    while left > 0 and s[b + L.N_DECK]:
        left -= 1
        if use >= L.I_TOLL and s[b + L.BLIND] and t[L.H_HIDDEN] and not s[b + L.KNOWN]:
            s[b + L.N_DECK] = s[b + L.N_DECK] - 1  # nobody needs to see which card it is
            s[b + L.UNSEEN] = s[b + L.UNSEEN] + 1
            continue
        if zones.await_card(s, b, t, use, left + 1):
            return
        card = zones.take_top(s, b)
        if use == L.I_DRAW:
            zones.to_hand(s, b, card)
        elif use == L.I_LOOK:
            zones.insert(s, b, L.N_LOOK, L.LOOK, L.MOST_CARDS, card)
        elif use == L.I_SEE:
            zones.insert(s, b, L.N_SEEN, L.SEEN, L.MOST_SEEN, card)
        else:
            zones.to_discard(s, b, card)
            ends = t[t[L.H_CARDS] + card * L.CARD_W + L.C_FLAGS] & L.FLAG_ENDS_TURN_ON_DISCARD
            if ends and use == L.I_HEALTH:
                fail(s, b, t)
                return
            if ends and t[L.H_DAMAGE_IN_EFFECT_ENDS_TURN]:
                stop(s, b, t)
                return
    if use == L.I_HEALTH and left > 0:
        fail(s, b, t)
    elif use == L.I_HEALTH:
        begin_risk(s, b, t)


def begin_risk(s: Row, b: int, t: Table) -> None:
    """Let a card whose health is paid wait for its risk cards or take effect (R24, Q31)."""
    place = s[b + L.N_STACK] - 1
    at = frame_at(b, place)
    s[at + L.FRAME_NEED] = sled.risk_cost(s, b, t, s[at])
    if s[at + L.FRAME_NEED] == 0:
        resolve(s, b, t, place)
    elif sled.leg_flag(s, b, t, L.LEG_RISKS_FIZZLE):
        fizzle(s, b, t)
    elif t[L.H_DRAW_FIRST_RISK_AT_ONCE] and s[b + L.N_DECK] and sled.has_in_play(s, b, t, L.FLAG_DRAW_FIRST_RISK):
        zones.push(s, b, L.I_PAID_ONE, place, 0, 0)
        zones.push(s, b, L.I_DRAW, 1, 0, 0)
    elif s[b + L.N_DECK] == 0 and t[L.H_EMPTY_DECK_RISK_AT_ONCE]:
        fail(s, b, t)


# Failing


def is_waiting(s: Row, b: int, t: Table, place: int) -> int:
    """Return whether a failure can reach a frame: in a queue, second steps have come through (Q54)."""
    state = s[frame_at(b, place) + L.FRAME_STATE]
    return 1 if not t[L.H_SECOND_STEP_IN_RISK_PARENT_NOW] or not state & L.FRAME_SECOND or state & L.FRAME_ACTS else 0


def drop_frame(s: Row, b: int, place: int) -> None:
    """Take a frame off the stack."""
    n = s[b + L.N_STACK] - 1
    s[b + L.N_STACK] = n
    for i in range(frame_at(b, place), frame_at(b, n)):
        s[i] = s[i + L.FRAME_W]


def discard_frame(s: Row, b: int, place: int) -> None:
    """Take a frame off the stack, its card to the discard pile unless it has gone elsewhere."""
    at = frame_at(b, place)
    if not s[at + L.FRAME_STATE] & L.FRAME_PLACED:
        zones.to_discard(s, b, s[at])
    drop_frame(s, b, place)


def fizzle(s: Row, b: int, t: Table) -> None:
    """Send the whole stack and what was resolved for it to the discard pile (R34)."""
    gone = 0
    for place in range(s[b + L.N_STACK] - 1, -1, -1):
        if is_waiting(s, b, t, place):
            discard_frame(s, b, place)
            gone = 1
    zones.resolved_to_discard(s, b)
    if gone:
        sled.kill_all(s, b, t, L.FLAG_DIES_ON_FIZZLE)


def fail(s: Row, b: int, t: Table) -> None:
    """A payment has failed: the card fizzles, by default with all frames below it (R26, Q29)."""
    s[b + L.STOPPED] = 1
    if not t[L.H_FIZZLE_SCOPE_FAILED_CARD]:
        fizzle(s, b, t)
        return
    place = s[b + L.N_STACK] - 1
    while not is_waiting(s, b, t, place):
        place -= 1
    discard_frame(s, b, place)
    if s[b + L.N_STACK] == 0:
        zones.resolved_to_discard(s, b)
    sled.kill_all(s, b, t, L.FLAG_DIES_ON_FIZZLE)


def stop(s: Row, b: int, t: Table) -> None:
    """An effect has discarded a damage card: the main action or the automatic move goes no further (R57)."""
    n = s[b + L.N_CONTROL]
    code = 0
    while n > 0 and code != L.I_END_TURN and code != L.I_AUTO and code != L.I_AFTER_AUTO:
        n -= 1
        code = s[b + L.CONTROL + L.CONTROL_W * n]
    s[b + L.N_CONTROL] = n + 1
    s[b + L.N_LOOK] = 0
    if code == L.I_END_TURN:
        s[b + L.STOPPED] = 1
        zones.push(s, b, L.I_DEATHS, 0, 0, 0)
        fizzle(s, b, t)


# Resolving


def paid_one(s: Row, b: int, t: Table, place: int) -> None:
    """Count one risk card of a frame as done, and resolve the frame if it was the last (R31, Q31)."""
    at = frame_at(b, place)
    s[at + L.FRAME_PAID] = s[at + L.FRAME_PAID] + 1
    if s[at + L.FRAME_PAID] >= s[at + L.FRAME_NEED]:
        resolve(s, b, t, place)
    elif s[b + L.N_DECK] == 0 and t[L.H_EMPTY_DECK_RISK_AT_ONCE]:
        fail(s, b, t)


def is_doubled(s: Row, b: int, t: Table, place: int) -> int:
    """Return whether the ops of a frame's card run twice, above a doubling card (R36 step 1, Q34, R67)."""
    first = max(0, place - 1) if t[L.H_KNIFE_SCOPE_DIRECT_ONLY] else 0
    for below in range(first, place):
        card = t[L.H_CARDS] + s[frame_at(b, below)] * L.CARD_W
        if t[card + L.C_FLAGS] & L.FLAG_DOUBLE_RISK:
            utility = 1 if t[L.H_IMMUNITY_SCOPE_UTILITY_ONLY] and t[card + L.C_TYPE] == L.TYPE_UTILITY else 0
            if not (utility and sled.is_immune(s, b, t)):
                return 1
    return 0


def resolve(s: Row, b: int, t: Table, place: int) -> None:
    """Let a frame's card take effect (R36)."""
    at = frame_at(b, place)
    card = s[at]
    s[b + L.CURRENT] = place
    if place == 0:
        s[b + L.THROUGH] = 1
    zones.push(s, b, L.I_COMPLETE, 0, 0, 0)
    if t[t[L.H_CARDS] + card * L.CARD_W + L.C_OPS]:
        if is_doubled(s, b, t, place):
            zones.push(s, b, L.I_RUN, 0, 0, 0)
        zones.push(s, b, L.I_RUN, 0, 0, 0)
    kind = card_type(t, card)
    if kind == L.TYPE_DOG or kind == L.TYPE_ATTACHMENT:
        s[at + L.FRAME_STATE] = s[at + L.FRAME_STATE] | L.FRAME_PLACED
        zones.push(s, b, L.I_PLACE_DOG if kind == L.TYPE_DOG else L.I_PLACE_ATTACHMENT, 0, 0, 0)


def is_suppressed(s: Row, b: int, t: Table, kind: int) -> int:
    """Return whether weather or immunity takes all ops of a card of a type away for this run (R37, Q58, Q59, Q67)."""
    if kind == L.TYPE_SLED:
        return sled.weather_says(s, b, t, L.WE_NO_SLED)
    if kind == L.TYPE_MOVEMENT:
        return 1 if t[L.H_STORM_SCOPE_WHOLE_CARD] and sled.weather_says(s, b, t, L.WE_NO_MOVE) else 0
    return 1 if kind == L.TYPE_UTILITY and t[L.H_IMMUNITY_SCOPE_UTILITY_ONLY] and sled.is_immune(s, b, t) else 0


def holds(s: Row, b: int, t: Table, condition: int) -> int:
    """Return whether a condition of the current card holds."""
    if condition == L.IF_EATEN_TODAY:
        return 1 if s[b + L.FOODS] or s[b + L.FOODS + 1] else 0
    if condition == L.IF_THREE_MEALS_TODAY:
        low = t[L.H_MEALS]
        high = t[L.H_MEALS + 1]
        return 1 if s[b + L.FOODS] & low == low and s[b + L.FOODS + 1] & high == high else 0
    if condition == L.IF_HEALED_TODAY:
        at = frame_at(b, s[b + L.CURRENT])
        kept = 1 if s[at + L.FRAME_DAY] == s[b + L.DAY] or t[L.H_DAY_SCOPE_OWN_NEW_DAY] else 0
        own = 1 if kept and not t[L.H_CONDITION_COUNTS_RESOLVED] and card_type(t, s[at]) == L.TYPE_PERSONAL else 0
        return 1 if s[b + L.PERSONAL] - own >= 1 else 0
    return 0 if s[b + L.MOVED] else 1


def run_ops(s: Row, b: int, t: Table) -> None:
    """Run the list of ops of the current card once; its conditions are judged first (R36 steps 2 and 4)."""
    card = t[L.H_CARDS] + s[frame_at(b, s[b + L.CURRENT])] * L.CARD_W
    s[b + L.RUN_DESTROYED] = 0
    if is_suppressed(s, b, t, t[card + L.C_TYPE]):
        return
    zones.push(s, b, L.I_END_RUN, 0, 0, 0)
    first = t[card + L.C_OP]
    for op in range(first + t[card + L.C_OPS] - 1, first - 1, -1):
        at = t[L.H_OPS] + L.OP_W * op
        if t[at + L.OP_WHEN] and not holds(s, b, t, t[at + L.OP_WHEN]):
            continue
        if t[at + L.OP_UNLESS] and holds(s, b, t, t[at + L.OP_UNLESS]):
            continue
        zones.push(s, b, L.I_OP, op, 0, 0)


def complete(s: Row, b: int, t: Table) -> None:
    """Take the current frame off the stack and count it for the frame below (R38, Q54)."""
    place = s[b + L.CURRENT]
    at = frame_at(b, place)
    card = s[at]
    state = s[at + L.FRAME_STATE]
    drop_frame(s, b, place)
    if t[L.H_CONDITION_COUNTS_RESOLVED]:
        record(s, b, t, card)
    if state & L.FRAME_PLACED:
        pass
    elif state & L.FRAME_DESTROYED:
        zones.destroy(s, b, t, card)
    elif s[b + L.N_STACK] and t[L.H_RESOLVED_RISK_ZONE_STAY_UNTIL_ROOT]:
        zones.insert(s, b, L.N_RESOLVED, L.RESOLVED, L.MOST_RESOLVED, card)
    else:
        zones.to_discard(s, b, card)
    if s[b + L.N_STACK] == 0:
        zones.resolved_to_discard(s, b)
    elif place and not (state & L.FRAME_SECOND and t[L.H_SECOND_STEP_IN_RISK_PARENT_NOW]):
        paid_one(s, b, t, place - 1)


def suspend(s: Row, b: int, t: Table, n: int) -> None:
    """Let the current frame wait for its second step on the next own turn (R40, Q54)."""
    place = s[b + L.CURRENT]
    at = frame_at(b, place)
    s[at + L.FRAME_STATE] = s[at + L.FRAME_STATE] | L.FRAME_SECOND
    s[at + L.FRAME_N] = s[b + L.RUN_DESTROYED] if n == L.AS_DESTROYED else 0
    end_resolving(s, b)
    sled.deaths(s, b, t)
    if place and t[L.H_SECOND_STEP_IN_RISK_PARENT_NOW]:
        paid_one(s, b, t, place - 1)


def end_resolving(s: Row, b: int) -> None:
    """Give up what is left of the current card, its completion included."""
    zones.unwind(s, b, L.I_COMPLETE)
    s[b + L.N_CONTROL] = s[b + L.N_CONTROL] - 1


def risk_card(s: Row, b: int, t: Table) -> None:
    """Play the top card of the deck as a risk card (R33, Q27)."""
    if zones.await_card(s, b, t, L.I_RISK, 0):
        return
    card = zones.take_top(s, b)
    if t[L.H_DAMAGE_AS_RISK_FAILS] and card_type(t, card) == L.TYPE_DAMAGE:
        zones.to_discard(s, b, card)
        s[b + L.STOPPED] = 1
        fizzle(s, b, t)
    else:
        put_on_table(s, b, t, card)
        pay_energy(s, b, t, card)


def continue_risk(s: Row, b: int, t: Table) -> None:
    """Main action: pay the next risk card of the top frame (R33)."""
    top = s[b + L.N_STACK] - 1
    if t[L.H_RISKS_FIZZLE_TIMING_PUSH_AND_TURN] and sled.leg_flag(s, b, t, L.LEG_RISKS_FIZZLE):
        fizzle(s, b, t)
    elif s[b + L.N_DECK] == 0:
        fail(s, b, t)
    elif s[frame_at(b, top) + L.FRAME_PAID] == 0 and sled.has_in_play(s, b, t, L.FLAG_DRAW_FIRST_RISK):
        zones.push(s, b, L.I_PAID_ONE, top, 0, 0)
        zones.push(s, b, L.I_DRAW, 1, 0, 0)
    else:
        zones.push(s, b, L.I_RISK, 0, 0, 0)


# The main action


def is_playable(s: Row, b: int, t: Table, card: int) -> int:
    """Return whether a hand card may be played (Q21, Q59) and the question does not forbid it."""
    at = t[L.H_CARDS] + card * L.CARD_W
    if t[at + L.C_FORBIDDEN] or t[L.H_FORBIDDEN] & L.FORBID_PLAY:
        return 0
    if t[at + L.C_TYPE] == L.TYPE_SLED and t[L.H_SNOW_SCOPE_CANNOT_PLAY] and sled.weather_says(s, b, t, L.WE_NO_SLED):
        return 0
    if t[L.H_UNAFFORDABLE_PLAY]:
        return 1
    level = s[b + L.HYPOTHERMIA]
    hunger = s[b + L.STARVATION]
    if t[at + L.C_TYPE] == L.TYPE_PERSONAL:
        s[b + L.HYPOTHERMIA] = max(0, level - 1)
    if t[at + L.C_TYPE] == L.TYPE_FOOD:
        s[b + L.STARVATION] = max(0, hunger - 1)
    energy = sled.energy_cost(s, b, t, card)
    health = sled.health_cost(s, b, t, t[at + L.C_HEALTH])
    s[b + L.HYPOTHERMIA] = level
    s[b + L.STARVATION] = hunger
    payers = usable(s, b, t, 0) - (1 if t[at + L.C_TYPE] != L.TYPE_DAMAGE else 0)
    return 1 if (energy == L.ALL or payers >= energy) and s[b + L.N_DECK] >= health else 0


def play_card(s: Row, b: int, t: Table, top: int, place: int) -> int:
    """Play the next card from a place of the hand on (R14, R20); return 0 if there is none."""
    n = s[b + L.N_HAND]
    while place < n and not (
        is_playable(s, b, t, s[b + L.HAND + place] & L.AGE - 1)
        and (zones.owed(s, b) == 0 or zones.may_leave(s, b, place))
    ):
        place = zones.other_kind(s, b + L.HAND, place, n)
    if place >= n:
        return 0
    q = zones.branch(s, b, L.I_MAIN, L.OPTION_PLAY + zones.other_kind(s, b + L.HAND, place, n), 0, 0)
    card = zones.remove_at(s, q, L.N_HAND, L.HAND, place) & L.AGE - 1
    put_on_table(s, q, t, card)
    pay_energy(s, q, t, card)
    return top + 1
