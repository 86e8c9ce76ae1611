# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False, infer_types=True
"""An interpreter of one player's whole turn over rows of small integers: moves, days, the main action.

A row is a table with a control stack of instructions. ``step`` carries out the next instruction of the last row. At a
choice it leaves the row with the options to come, and copies it for the option at hand. The copy is the last row then,
so only a few rows are open at a time. A row without instructions is the end of a turn.
"""

from __future__ import annotations

from solver.encodings.iditacards import effects, risk, sled, zones
from solver.encodings.iditacards import layout as L
from solver.search.native import Row, Table

# Legs and spaces


def enter_leg(s: Row, b: int, t: Table, came: int) -> int:
    """Enter a leg from a space (R49) and return what it costs in cards of the deck."""
    leg = sled.leg_at(t, s[b + L.POSITION])
    if leg == t[L.H_LEGS] or leg == sled.leg_at(t, came):
        return 0
    more = sled.in_play_sum(s, b, t, L.C_LEG_CONDITION_MOD)
    for kind in range(2):
        number = t[leg + L.L_NUMBER + kind]
        if number < 0 or (kind and t[leg + L.L_FLAGS] & L.LEG_NO_STARVE):
            continue
        plus = t[leg + L.L_PLUS + kind]
        if t[L.H_LEG_ENTRY] == 2:
            sled.gain(s, b, t, kind, number + plus, 1)
            continue
        number = min(t[L.H_CAP], max(0, number + more))
        if t[L.H_LEG_ENTRY] == 0:
            number = max(number, s[b + L.HYPOTHERMIA + kind])
        s[b + L.HYPOTHERMIA + kind] = min(t[L.H_CAP], number + plus)
    toll = t[leg + L.L_ENTER_HEALTH]
    if toll and t[L.H_LEG_HEALTH_MODIFIED]:
        toll = sled.health_cost(s, b, t, toll)
    return toll


def meet_space(s: Row, b: int, t: Table) -> None:
    """Meet a cold, hungry or damage space (R45 step 2)."""
    if s[b + L.POSITION] > t[L.H_SPACES]:
        return
    marks = t[t[L.H_MARKS] + s[b + L.POSITION]]
    if marks & L.SPACE_COLD:
        sled.gain(s, b, t, 0, 1, 1)
    if marks & L.SPACE_HUNGRY:
        sled.gain(s, b, t, 1, 1, 1)
    if marks & L.SPACE_DAMAGE:
        sled.damage(s, b, t, 1)


def checkpoint(s: Row, b: int, t: Table) -> int:
    """Return whether a legendary card is to be chosen, at a checkpoint passed for the first time (R66)."""
    if s[b + L.POSITION] > t[L.H_SPACES]:
        return 0
    bit = t[t[L.H_CHECKPOINTS] + s[b + L.POSITION]]
    if bit == 0 or s[b + L.PASSED] & bit:
        return 0
    s[b + L.PASSED] = s[b + L.PASSED] | bit
    return 1 if s[b + L.LEGENDARY] else 0


def choose_legendary(s: Row, b: int, t: Table, top: int, option: int) -> int:
    """Choose a legendary card (R66, Q71)."""
    for place in range(option, t[L.H_N_LEGENDARY]):
        if not s[b + L.LEGENDARY] >> place & 1:
            continue
        kind = t[t[L.H_LEGENDARY] + place]
        if place and s[b + L.LEGENDARY] >> place - 1 & 1 and t[t[L.H_LEGENDARY] + place - 1] == kind:
            continue
        q = zones.branch(s, b, L.I_LEGENDARY, place + 1, 0, 0)
        s[q + L.LEGENDARY] = s[q + L.LEGENDARY] & ~(1 << place)
        if t[L.H_LEGENDARY_TO_HAND]:
            zones.to_hand(s, q, kind)
        else:
            zones.to_discard(s, q, kind)
        return top + 1
    return top if t[L.H_LEGENDARY_CHOICE_MAY] else top - 1


# Moves


def is_unhurt(s: Row, b: int, t: Table) -> int:
    """Return whether passing does a player no damage (R58)."""
    if t[L.H_IMMUNITY_SCOPE_WEATHER_OTHERS_DAMAGE] and sled.is_immune(s, b, t):
        return 1
    return sled.has_in_play(s, b, t, L.FLAG_NO_PASS_DAMAGE)


def meet_rivals(s: Row, b: int, t: Table, ahead: int) -> int:
    """Meet those who stand on the space that is reached, and return how many there are.

    Passing them costs a damage card, and each falls back by one (R45). Going back puts each of them ahead (R46).
    """
    n = 0
    for i in range(s[b + L.N_RIVALS]):
        if s[b + L.RIVALS + i] == s[b + L.POSITION]:
            n += 1
            if not ahead:
                s[b + L.OVERTAKEN + i] = s[b + L.OVERTAKEN + i] + 1
            else:
                s[b + L.RIVALS + i] = s[b + L.RIVALS + i] - 1
                if not is_unhurt(s, b, t):
                    sled.damage(s, b, t, 1)
    return n


def travel(s: Row, b: int, t: Table, code: int, left: int, start: int, phase: int) -> int:
    """Go space by space, forward (R45) or back as far as the start (R46, Q7). Return 1 where the game ends.

    Forward there are those who are passed, checkpoints and the finish.
    """
    ahead = 1 if code == L.I_FORWARD else 0
    if not ahead and not t[L.H_ENTRY_BACKWARD]:
        s[b + L.POSITION] = max(0, s[b + L.POSITION] - left)
        return 0
    while (left > 0 and (ahead or s[b + L.POSITION] > 0)) or phase != L.PHASE_STEP:
        if phase == L.PHASE_STEP:
            came = s[b + L.POSITION]
            s[b + L.POSITION] = came + (1 if ahead else -1)
            left -= 1
            if ahead:
                meet_rivals(s, b, t, 1)
            toll = enter_leg(s, b, t, came) if t[L.H_ENTRY_THROUGH_EVERY_LEG] else 0
            if toll:
                zones.push(s, b, code, left, start, L.PHASE_SPACE)
                zones.push(s, b, L.I_TOLL, toll, 0, 0)
                return 0
        if phase != L.PHASE_FINISH:
            meet_space(s, b, t)
            if ahead and checkpoint(s, b, t):
                zones.push(s, b, code, left, start, L.PHASE_FINISH)
                zones.push(s, b, L.I_LEGENDARY, 0, 0, 0)
                return 0
        phase = L.PHASE_STEP
        if not ahead and s[b + L.POSITION]:
            left += meet_rivals(s, b, t, 0)
        if ahead and s[b + L.POSITION] >= t[L.H_FINISH_AT] and not s[b + L.FINISHED]:
            s[b + L.FINISHED] = 1
            if t[L.H_LAST_TURNS_NONE]:
                s[b + L.TURNS] = s[b + L.TURNS] + 1
                s[b + L.OVER] = 1
                return 1
    toll = 0 if t[L.H_ENTRY_THROUGH_EVERY_LEG] else enter_leg(s, b, t, start)
    if toll:
        zones.push(s, b, L.I_TOLL, toll, 0, 0)
    return 0


def moved(s: Row, b: int, t: Table, went: int, card: int, automatic: int) -> None:
    """Mark a move of at least one space, draw for it, and let a waiting death happen (R44, Q16, Q17)."""
    if went > 0 or (went < 0 and s[b + L.POSITION] < -1 - went):
        if t[L.H_MOVED_CONDITION_ANY_OWN_MOVE] or (card and risk.card_type(t, card) == L.TYPE_MOVEMENT):
            s[b + L.MOVED] = 1
        if not (automatic and t[L.H_ON_MOVE_DRAW_CARD_MOVES]):
            n = sled.in_play_sum(s, b, t, L.C_ON_MOVE_DRAW)
            if n:
                zones.push(s, b, L.I_DRAW, n, 0, 0)
    sled.deaths(s, b, t)


def move(s: Row, b: int, t: Table, n: int, times: int, card: int) -> None:
    """Move n plus speed (R44); bit 1 of ``times`` doubles, the rest are further times; card 0 is the rules' own."""
    if sled.cannot_move(s, b, t):
        return
    if times >= 2:
        zones.push(s, b, L.I_MOVES, n, times - 2, card)
    fixed = t[sled.leg_at(t, s[b + L.POSITION]) + L.L_CARD_MOVE]
    if fixed >= 0 and card and risk.card_type(t, card) == L.TYPE_MOVEMENT:
        n = fixed
    distance = (n + sled.speed(s, b, t)) * (2 if times & 1 else 1)
    if fixed >= 0 and t[L.H_LEG_CARD_MOVE_FINAL_DISTANCE]:
        distance = fixed
    if distance < 0 and not t[L.H_NEGATIVE_DISTANCE_BACKWARD]:
        distance = 0
    effects.go(s, b, distance, card, 0)


# Days


def end_day(s: Row, b: int, t: Table, by_card: int) -> None:
    """End the day (R60 step 2): moves with an empty hand and deck come first."""
    zones.push(s, b, L.I_END_KILLS, by_card, 0, 0)
    if s[b + L.N_HAND] > zones.owed(s, b) or s[b + L.N_DECK]:
        return
    for i in range(b + L.DOGS + L.DOG_W * s[b + L.N_DOGS] - 1, b + L.DOGS - 1, -1):
        if s[i]:
            n = t[t[L.H_CARDS] + s[i] * L.CARD_W + L.C_DAY_END_EMPTY_MOVE]
            if n != L.NO_MOVE:
                zones.push(s, b, L.I_MOVES, n, 0, 0)


def end_kills(s: Row, b: int, t: Table, by_card: int) -> None:
    """Lose a dog to a leg as the day ends (R60 step 2)."""
    zones.push(s, b, L.I_NIGHT, by_card, 0, 0)
    if not s[b + L.FINISHED] and sled.leg_flag(s, b, t, L.LEG_DAY_END_KILL_DOG):
        zones.push(s, b, L.I_KILL_ONE, 0, 0, 0)


def put_together(s: Row, b: int, t: Table) -> None:
    """Shuffle everything but what is in play into the deck (R61)."""
    for place in range(s[b + L.N_STACK]):
        at = b + L.STACK + L.FRAME_W * place
        if not s[at + L.FRAME_STATE] & L.FRAME_PLACED:
            zones.to_deck(s, b, s[at])
    s[b + L.N_STACK] = 0
    zones.all_to_deck(s, b, L.N_RESOLVED, L.RESOLVED)
    zones.all_to_deck(s, b, L.N_SEEN, L.SEEN)
    zones.all_to_deck(s, b, L.N_HAND, L.HAND)
    zones.empty_hand(s, b)
    zones.all_to_deck(s, b, L.N_DISCARD, L.DISCARD)
    zones.shuffle(s, b, t)


def clear_records(s: Row, b: int, t: Table) -> None:
    """Forget the records of the day (R60 step 4)."""
    s[b + L.FOODS] = s[b + L.FOODS + 1] = s[b + L.PERSONAL] = s[b + L.MOVED] = s[b + L.IMMUNE] = 0
    for kind in range(2):
        if t[L.H_FREE_ENERGY_UNTIL + kind] == 2:
            s[b + L.FREE_ENERGY + kind] = 0


def night(s: Row, b: int, t: Table, by_card: int) -> None:
    """Begin the new day (R60): all cards together, weather, legs and the new hand."""
    racing = 0 if s[b + L.FINISHED] else 1
    if by_card:
        # The card is gone into the deck, or it completes where the player has finished (R36 step 5).
        if racing:
            risk.end_resolving(s, b)
        else:
            zones.unwind(s, b, L.I_COMPLETE)
        zones.push(s, b, L.I_DEATHS, 0, 0, 0)
    if racing:
        put_together(s, b, t)
        clear_records(s, b, t)
        s[b + L.DAYS] = s[b + L.DAYS] + 1
    s[b + L.FREEZE] = 0
    s[b + L.DAY] = s[b + L.DAY] + 1
    draws_first = 1 if racing and t[L.H_WEATHER_ROLL_AFTER_DRAW] else 0
    if draws_first:
        zones.push(s, b, L.I_MORNING, 0, 0, 0)
    if racing:
        zones.push(s, b, L.I_DAY_DRAW, 0, 0, 0)
    if not draws_first:
        morning(s, b, t, 0)


def morning(s: Row, b: int, t: Table, rolled: int) -> None:
    """Let the weather act (R62), and legs starve the player and kill a dog (R60 step 7)."""
    racing = 0 if s[b + L.FINISHED] else 1
    if t[L.H_FACES]:
        if t[L.H_ROLLED] and not rolled:
            zones.push(s, b, L.I_MORNING, 1, 0, 0)
            zones.push(s, b, L.I_ROLL, 0, 0, 0)
            return
        if not rolled:
            roll(s, b, t)
        weather = t[L.H_WEATHER] + L.WEATHER_W * s[b + L.WEATHER]
        if t[weather + L.WE_EMPTIES_SUPPLY]:
            for i in range(s[b + L.N_SUPPLY]):
                zones.insert(s, b, L.N_DESTROYED, L.DESTROYED, L.MOST_DESTROYED, s[b + L.SUPPLY + i])
            s[b + L.N_SUPPLY] = 0
        softened = t[L.H_LEAD_DOG_SCOPE_LEGS_AND_WEATHER]
        for kind in range(2 if racing else 0):
            n = t[weather + L.WE_CONDITION + kind]
            if n and sled.weather_on(s, b, t) and sled.gain(s, b, t, kind, n, softened):
                sled.deaths(s, b, t)
    zones.push(s, b, L.I_DEATHS, 0, 0, 0)
    if not racing:
        return
    leg = sled.leg_at(t, s[b + L.POSITION])
    if t[leg + L.L_DAY_START_STARVE] >= 0 and sled.gain(s, b, t, 1, t[leg + L.L_DAY_START_STARVE], 1):
        sled.deaths(s, b, t)
    if t[leg + L.L_FLAGS] & L.LEG_DAY_START_KILL_DOG:
        zones.push(s, b, L.I_KILL_ONE, 0, 0, 0)


def roll(s: Row, b: int, t: Table) -> None:
    """Roll the die (R60 step 6)."""
    event = s[b + L.WEATHER_EVENT]
    s[b + L.WEATHER_EVENT] = event + 1
    if event < t[L.H_FIRST_ROLL] or event >= t[L.H_FIRST_ROLL] + t[L.H_N_ROLLS]:
        zones.fail_row(s, b, L.ERROR_ROLL, event, 0)
    else:
        s[b + L.WEATHER] = t[t[L.H_ROLLS] + event - t[L.H_FIRST_ROLL]]


def hand_size(s: Row, b: int, t: Table) -> int:
    """Return the number of cards of a new hand (R64, Q61)."""
    base = t[L.H_STARTING_HAND]
    limited = sled.leg_flag(s, b, t, L.LEG_NO_DAY_DRAW) or sled.weather_says(s, b, t, L.WE_CAPS_HAND)
    if limited and t[L.H_NO_EXTRA_DRAW_DROP_POSITIVE]:
        for i in range(b + L.DOGS, b + L.DOGS + L.DOG_W * s[b + L.N_DOGS]):
            base += min(0, t[t[L.H_CARDS] + s[i] * L.CARD_W + L.C_DAY_DRAW])
        return max(0, base)
    size = max(0, base + sled.in_play_sum(s, b, t, L.C_DAY_DRAW))
    return min(size, base) if limited else size


# The end of a turn


def end_turn(s: Row, b: int, t: Table) -> None:
    """Let the leg give cards at the end of the turn, then the sled runs (R16)."""
    zones.push(s, b, L.I_AUTO, 0, 0, 0)
    leg = sled.leg_at(t, s[b + L.POSITION])
    if t[leg + L.L_TURN_END_DRAW]:
        zones.push(s, b, L.I_DRAW, t[leg + L.L_TURN_END_DRAW], 0, 0)
    if t[leg + L.L_TURN_END_RECOVER]:
        exact = L.RECOVER_EXACT if t[L.H_RECOVER_AMOUNT_EXACT] else 0
        zones.push(s, b, L.I_RECOVER, min(t[leg + L.L_TURN_END_RECOVER], s[b + L.N_DISCARD]), 0, exact)


def automatic(s: Row, b: int, t: Table) -> int:
    """Return the distance of the automatic move as things stand (R47, Q2, Q3), ``NO_MOVE`` where there is none."""
    troubles = sled.conditions(s, b, t) if t[L.H_AUTO_MOVE_BY_CONDITION] else 0
    if t[L.H_AUTO_MOVE] < 0 or troubles == 1 or sled.cannot_move(s, b, t):
        return L.NO_MOVE
    fixed = t[sled.leg_at(t, s[b + L.POSITION]) + L.L_CARD_MOVE]
    if fixed >= 0 and t[L.H_LEG_CARD_MOVE_FINAL_DISTANCE]:
        distance = fixed
    else:
        distance = t[L.H_AUTO_MOVE] + sled.speed(s, b, t)
    if distance < 0 and (t[L.H_AUTO_MOVE_BY_CONDITION] or not t[L.H_NEGATIVE_DISTANCE_BACKWARD]):
        distance = 0
    return -distance if troubles else distance


def has_slot(s: Row, b: int, t: Table) -> int:
    """Return whether some dog can wear one more attachment."""
    for dog in range(s[b + L.N_DOGS]):
        at = b + L.DOGS + L.DOG_W * dog
        slots = t[t[L.H_CARDS] + L.CARD_W * s[at] + L.C_ATTACH_SLOTS]
        if slots > 0 and (slots > L.MOST_ATTACHMENTS or s[at + slots] == 0):
            return 1
    return 0


def stride(s: Row, b: int, t: Table) -> int:
    """Return the spaces of the automatic move as things stand."""
    distance = automatic(s, b, t)
    return 0 if distance == L.NO_MOVE else distance


def run_out(s: Row, b: int, t: Table) -> None:
    """Make the automatic move, unless the turn was stopped and Q72 says so."""
    zones.push(s, b, L.I_DONE, 0, 0, 0)
    if s[b + L.STOPPED] and not t[L.H_AUTO_MOVE_AFTER_STOP]:
        return
    zones.push(s, b, L.I_AFTER_AUTO, 0, 0, 0)
    distance = automatic(s, b, t)
    if distance != L.NO_MOVE:
        effects.go(s, b, distance, 0, 1)


def finish_turn(s: Row, b: int, t: Table) -> None:
    """Count the turn; a player alone who has finished ends the game (R16, R69)."""
    for kind in range(2):
        if s[b + L.FREE_ENERGY + kind] == 2 and t[L.H_FREE_ENERGY_UNTIL + kind] == 1:
            s[b + L.FREE_ENERGY + kind] = 0
    s[b + L.TURNS] = s[b + L.TURNS] + 1
    s[b + L.OVER] = s[b + L.FINISHED]


# The interpreter


def begin_turn(s: Row, b: int) -> int:
    """Let a row begin its turn, armed free costs with it (R12)."""
    s[b + L.N_CONTROL] = 0
    for cost in range(2):
        if s[b + L.FREE_ENERGY + cost] == 1:
            s[b + L.FREE_ENERGY + cost] = 2
    zones.push(s, b, L.I_END_TURN, 0, 0, 0)
    zones.push(s, b, L.I_MAIN, 0, 0, 0)
    return 1


def main_action(s: Row, b: int, t: Table, top: int, option: int, first: int, commuting: int) -> int:
    """Take the next option of a turn: free actions, then the main actions, a new day last (R13, R14)."""
    forbidden = t[L.H_FORBIDDEN]
    rows = 0
    if option < L.OPTION_PLAY and not t[L.H_FREE_LATE]:
        rows = sled.free_action(s, b, t, top, L.I_MAIN, option, first, commuting)
    place = max(0, option - L.OPTION_PLAY)
    if rows == 0 and option < L.OPTION_REST:
        rows = effects.go_on(s, b, t, top, place) if s[b + L.N_STACK] else risk.play_card(s, b, t, top, place)
    if rows:
        return rows
    if option <= L.OPTION_REST and t[L.H_PASS_TURN] and not forbidden & L.FORBID_PASS:
        zones.branch(s, b, L.I_MAIN, L.OPTION_REST + 1, 0, 0)
        return top + 1
    if forbidden & L.FORBID_NEW_DAY:
        return top - 1
    zones.push(s, b, L.I_EVENING if t[L.H_FREE_LATE] else L.I_NEW_DAY, 0, 0, 0)
    return top


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
        rows = sled.free_action(s, b, t, top, L.I_EVENING, a, x, y)
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
    if code == L.I_KILL_ONE or code == L.I_PRICE:
        return sled.kill_one(s, b, t, top, code, a, x, y)
    if code == L.I_PLACE_DOG:
        return sled.place_dog(s, b, t, top, effects.current_card(s, b), a)
    if code == L.I_PLACE_ATTACHMENT:
        return sled.place_attachment(s, b, t, top, effects.current_card(s, b), a)
    if code == L.I_LEGENDARY:
        return choose_legendary(s, b, t, top, a)
    if code == L.I_DONE:
        finish_turn(s, b, t)
        return L.TURN_OVER
    if code == L.I_FORWARD or code == L.I_BACKWARD:
        return L.TURN_OVER if travel(s, b, t, code, a, x, y) else top
    if code == L.I_MOVED:
        moved(s, b, t, a, x, y)
    elif code == L.I_MOVES:
        move(s, b, t, a, x, y)
    elif code == L.I_END_TURN:
        end_turn(s, b, t)
    elif code == L.I_AUTO:
        run_out(s, b, t)
    elif code == L.I_AFTER_AUTO or code == L.I_DEATHS:
        sled.deaths(s, b, t)
    elif code == L.I_PAID:
        card = t[L.H_CARDS] + s[risk.frame_at(b, s[b + L.N_STACK] - 1)] * L.CARD_W
        zones.push(s, b, L.I_HEALTH, sled.health_cost(s, b, t, t[card + L.C_HEALTH]), 0, 0)
    elif L.I_DRAW <= code <= L.I_HEALTH:
        risk.take_cards(s, b, t, code, a)
    elif code == L.I_COMPLETE:
        risk.complete(s, b, t)
    elif code == L.I_RUN:
        risk.run_ops(s, b, t)
    elif code == L.I_OP:
        effects.run_op(s, b, t, a)
    elif code == L.I_TURN_OVER:
        effects.take_over(s, b, t, a, x, y)
    elif code == L.I_RISK:
        risk.risk_card(s, b, t)
    elif code == L.I_PAID_ONE:
        risk.paid_one(s, b, t, a)
    elif code == L.I_AFTER_DEATH:
        if a == L.DEATH_OTHERS:
            sled.kill_all(s, b, t, 0)
        else:
            zones.push(s, b, L.I_KILL_ONE, 0, 0, 0)
    elif code == L.I_KILL_TAG:
        sled.kill_tagged(s, b, t, a)
    elif code == L.I_NEW_DAY:
        end_day(s, b, t, a)
    elif code == L.I_END_KILLS:
        end_kills(s, b, t, a)
    elif code == L.I_NIGHT:
        night(s, b, t, a)
    elif code == L.I_MORNING:
        morning(s, b, t, a)
    elif code == L.I_DAY_DRAW:
        zones.push(s, b, L.I_DRAW, hand_size(s, b, t), 0, 0)
    elif code == L.I_MAIN_AGAIN and not s[b + L.STOPPED]:
        zones.push(s, b, L.I_MAIN, 0, 0, 0)
    return top
