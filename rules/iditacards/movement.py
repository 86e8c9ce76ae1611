"""Moving and new days: passing, legs, conditions, damage, death, weather and hands (R44 to R49, R56 to R68)."""

from __future__ import annotations

from typing import Final

from rules.core.scripts import known
from rules.iditacards.content import CONDITIONS, NO_LEG, Card, Leg
from rules.iditacards.seat import (
    capped,
    choose,
    damage,
    damage_stops,
    discard_top,
    draw,
    health_cost,
    is_immune,
    kill_one,
    speed,
    speed_parts,
    starvation_here,
    weather_on,
)
from rules.iditacards.state import in_play
from rules.iditacards.turn import DONE, JOIN, STAY, GameOver, Put, Seat, Stop, Turn


def cannot_move(turn: Turn, seat: Seat) -> str | None:
    """Return what keeps a player from moving, or nothing (R44)."""
    weather, level = weather_on(turn, seat), turn.rulings.rules.no_move_at
    if turn.freeze:
        return "freeze"
    if weather.no_move:
        return weather.face
    if level is not None and seat.hypothermia >= level:
        return "hypothermia"
    return "starvation" if level is not None and starvation_here(turn, seat) >= level else None


def is_blocked(turn: Turn, seat: Seat) -> bool:
    """Tell what keeps a player from moving, if anything does (R44)."""
    blocked = cannot_move(turn, seat)
    if blocked is not None:
        turn.emit("R44", "cannot_move", seat=seat.index, by=blocked)
    return blocked is not None


def move(turn: Turn, seat: Seat, n: int, *, card: Card | None = None, double: bool = False) -> None:
    """Move forward n plus speed (R44); ``card`` is the card that moves, none for the rules themselves."""
    if is_blocked(turn, seat):
        return
    rulings, leg = turn.rulings, turn.leg(seat)
    fixed = leg.passive.get("leg_card_move")
    if fixed is not None and rulings.final_distance:
        turn.emit("Q14", "fixed_distance", seat=seat.index, leg=leg.id, distance=fixed["n"])
        travel(turn, seat, fixed["n"], card)
        return
    if fixed is not None and card is not None and card.type == "movement":
        n = fixed["n"]
    own_speed = speed(turn, seat)
    total = (n + own_speed) * (2 if double else 1)
    distance, back = _span(total, falls=rulings.options["negative_distance"] == "backward")
    if turn.log is not None:
        far = {
            "distance": distance,
            "back": back,
            "total": total,
            "parts": [part[:2] for part in speed_parts(turn, seat)],
        }
        turn.emit("R44", "moves", seat=seat.index, n=n, speed=own_speed, double=double, start=seat.pos, **far)
    travel(turn, seat, distance, card, back=back)


def _span(total: int, *, falls: bool) -> tuple[int, bool]:
    """Return how far a move goes, and whether back: as far as its sum where it ``falls`` below 0, else not at all."""
    return (-total, True) if total < 0 and falls else (max(0, total), False)


def travel(
    turn: Turn, seat: Seat, distance: int, card: Card | None, *, back: bool = False, automatic: bool = False
) -> None:
    """Make an own move of ``distance`` spaces forward, or back, with what it sets off (R44 to R46).

    A move of at least one space is marked and draws cards; then waiting deaths happen.
    """
    start = seat.pos
    turn.moving += 1
    try:
        (backward if back else forward)(turn, seat, distance)
    finally:
        turn.moving -= 1
    turn.emit("R45", "moved", seat=seat.index, start=start, end=seat.pos)
    if seat.pos < start if back else distance > 0:
        any_move = turn.rulings.options["moved_condition"] == "any_own_move"
        if any_move or (card is not None and card.type == "movement"):
            seat.moved = True
        if not (automatic and turn.rulings.options["on_move_draw"] == "card_moves"):
            for n in turn.numbers(seat, "on_move_draw"):
                draw(turn, seat, n)
    check_deaths(turn)


def forward(turn: Turn, seat: Seat, distance: int) -> None:
    """Go forward space by space: passing, arriving, checkpoints, the finish (R45)."""
    rulings = turn.rulings
    start = seat.pos
    several = len(turn.seats) > 1
    for _ in range(distance):
        came_from = seat.pos
        seat.pos += 1
        if several:
            _pass_others(turn, seat, came_from)
        _arrive(turn, seat, came_from)
        if seat.pos in rulings.board.checkpoints:
            checkpoint(turn, seat)
        if seat.pos >= rulings.finish_at and not seat.finished:
            seat.finished = True
            turn.emit("R68" if rulings.win_at_once else "R69", "finishes", seat=seat.index, pos=seat.pos)
            if rulings.win_at_once:
                raise GameOver
    if not rulings.every_leg:
        enter_leg(turn, seat, start)


def _pass_others(turn: Turn, seat: Seat, came_from: int) -> None:
    """Hurt the mover and push back who stands on its space (R45 step 1, Q6)."""
    if came_from == 0 and turn.rulings.options["passed_at_start"] == "yes":
        for other in turn.seats_from(seat):
            if other is not seat and other.pos == 0:
                passing_damage(turn, seat)
    for other in turn.seats_from(seat):
        if other is not seat and other.pos == seat.pos:
            turn.emit("R45", "passes", seat=seat.index, other=other.index, pos=seat.pos)
            passing_damage(turn, seat)
            if turn.rulings.options["blocked_moves"] != "all_moves" or cannot_move(turn, other) is None:
                other.pos -= 1
                _arrive_pushed(turn, other)


def _arrive_pushed(turn: Turn, other: Seat) -> None:
    """Meet the space behind, where Q8 says that who is pushed there does."""
    if turn.rulings.options["entry_when_pushed"]:
        came_from = other.pos + 1
        _arrive(turn, other, came_from)
        if not turn.rulings.every_leg:
            enter_leg(turn, other, came_from)


def backward(turn: Turn, seat: Seat, distance: int, *, arriving: bool = True) -> None:
    """Go back space by space, further for each player who comes to be ahead by it (R46, Q5)."""
    rulings = turn.rulings
    start = seat.pos
    mover_pays = rulings.options["backward_passing"] == "mover_pays"
    arriving = arriving and bool(rulings.options["entry_backward"])
    while distance > 0 and seat.pos > 0:
        came_from = seat.pos
        seat.pos -= 1
        distance -= 1
        if mover_pays:
            _give_way(turn, seat)
        if arriving:
            _arrive(turn, seat, came_from)
        if mover_pays or seat.pos < 1:
            continue
        for other in turn.seats_from(seat):
            if other is not seat and other.pos == seat.pos:
                turn.emit("R46", "falls_behind", seat=seat.index, other=other.index, pos=seat.pos)
                if rulings.options["backward_passing"] == "overtaker_pays":
                    passing_damage(turn, other)
                distance += 1
    if arriving and not rulings.every_leg:
        enter_leg(turn, seat, start)


def _give_way(turn: Turn, seat: Seat) -> None:
    """Push back everybody on the mover's space, and whoever stands behind them, in a chain (Q5 ``mover_pays``)."""
    if seat.pos < 1:
        return
    pushed = [other for other in turn.seats_from(seat) if other is not seat and other.pos == seat.pos]
    for other in pushed:
        passing_damage(turn, seat)
        chain = [other]
        while chain:
            moving = chain.pop()
            moving.pos -= 1
            if moving.pos >= 1:
                chain.extend(s for s in turn.seats if s is not moving and s is not seat and s.pos == moving.pos)
            _arrive_pushed(turn, moving)


def _arrive(turn: Turn, seat: Seat, came_from: int) -> None:
    """Enter a leg and meet a cold, hungry or damage space (R45 step 2, R46, R49)."""
    rulings = turn.rulings
    if rulings.every_leg:
        enter_leg(turn, seat, came_from)
    pos = seat.pos
    if pos in rulings.special_spaces:
        board = rulings.board
        if pos in board.cold:
            gain(turn, seat, "hypothermia", 1, from_leg=True)
        if pos in board.hungry:
            gain(turn, seat, "starvation", 1, from_leg=True)
        if pos in board.damage:
            damage(turn, seat, 1, "R49")


def checkpoint(turn: Turn, seat: Seat) -> None:
    """Let the player choose a legendary card at a checkpoint passed for the first time (R66, Q71)."""
    if seat.pos in seat.passed:
        return
    seat.passed = tuple(sorted((*seat.passed, seat.pos)))
    turn.emit("R66", "checkpoint", seat=seat.index, pos=seat.pos)
    if not seat.legendary:
        return

    may = [DONE] if turn.rulings.options["legendary_choice"] == "may" else []
    chosen = choose(turn, seat, lambda: [*(Put("legendary", card) for card in sorted(set(seat.legendary))), *may])
    if isinstance(chosen, Put):
        seat.legendary.remove(chosen.card)
        zone = turn.rulings.rules.legendary_to
        (seat.hand if zone == "hand" else seat.discard).append(chosen.card)
        turn.emit("R66", "legendary", seat=seat.index, card=chosen.card, zone=zone)


def gain(turn: Turn, seat: Seat, kind: str, n: int, *, from_leg: bool = False, from_weather: bool = False) -> None:
    """Raise a condition (R48) and let the player die of it where the rules say so (R49)."""
    if from_leg or (from_weather and turn.rulings.options["lead_dog_scope"] == "legs_and_weather"):
        n = max(0, n + sum(turn.numbers(seat, "leg_condition_mod")))
    leg = turn.leg(seat)
    if ("leg_no_starve" if kind == "starvation" else "leg_no_freeze") in leg.passive:
        turn.emit("R48", "no_gain", seat=seat.index, condition=kind, leg=leg.id)
        return
    if n <= 0:
        return
    value = capped(turn, getattr(seat, kind) + n)
    setattr(seat, kind, value)
    turn.emit("R48", "gains", seat=seat.index, condition=kind, n=n, value=value)
    check_deaths(turn)


def enter_leg(turn: Turn, seat: Seat, came_from: int) -> None:
    """Do what happens on entering another leg (R49)."""
    leg = turn.leg(seat)
    if leg.id in (NO_LEG, turn.leg_at(came_from).id):
        return
    turn.emit("R49", "enters", seat=seat.index, leg=leg.id, pos=seat.pos)
    for kind in CONDITIONS:
        _leg_number(turn, seat, leg, kind)
    toll = leg.passive.get("leg_enter_health")
    if toll is not None:
        n = health_cost(turn, seat, toll["n"]) if turn.rulings.options["leg_health_modified"] else toll["n"]
        stops = damage_stops(turn, seat)
        paid, ended = discard_top(turn, seat, n, "to discard on entering the leg", until_damage=stops)
        turn.emit("R49", "toll", seat=seat.index, cards=paid)
        if ended:
            turn.emit("R57", "stop", seat=seat.index)
            raise Stop


def _leg_number(turn: Turn, seat: Seat, leg: Leg, kind: str) -> None:
    rulings = turn.rulings
    number = rulings.leg_number(leg, kind)
    if number is None:
        if rulings.options["missing_number"] == "leave" or (not leg.numbers and rulings.options["leg_entry"] == "add"):
            return
        number = 0
    if kind == "starvation" and "leg_no_starve" in leg.passive:
        return
    entry = rulings.options["leg_entry"]
    if entry == "add":
        gain(turn, seat, kind, number + rulings.leg_plus(leg, kind), from_leg=True)
        return
    value = capped(turn, max(0, number + sum(turn.numbers(seat, "leg_condition_mod"))))
    old = getattr(seat, kind)
    if entry == "raise":
        value = max(old, value)
    value = capped(turn, value + rulings.leg_plus(leg, kind))
    if value != old:
        setattr(seat, kind, value)
        turn.emit("R49", "leg_condition", seat=seat.index, condition=kind, value=value, leg=leg.id)
    check_deaths(turn)


def passing_damage(turn: Turn, seat: Seat) -> None:
    """Deal the damage of passing, unless the player is spared it (R58)."""
    if not turn.numbers(seat, "no_pass_damage") and not (turn.rulings.others_scope and is_immune(turn, seat)):
        damage(turn, seat, 1, "R45")


def check_deaths(turn: Turn) -> None:
    """Let every player whose counters are too high die, once no move is under way, active player first (R49)."""
    level = turn.rulings.rules.death_at
    if level is None or turn.moving:
        return
    seats = turn.seats_from(turn.seats[turn.active])
    waiting = [seat for seat in seats if _is_dying(seat, level)]
    while waiting:
        seat = waiting.pop(0)
        before = [other for other in seats if _is_dying(other, level)]
        _die(turn, seat)
        # Who gives way to a fall may come upon a leg that is too much for them.
        waiting += [other for other in seats if _is_dying(other, level) and other not in before]


def _is_dying(seat: Seat, level: int) -> bool:
    return seat.hypothermia >= level or seat.starvation >= level


def _die(turn: Turn, seat: Seat) -> None:
    rulings = turn.rulings
    start = seat.pos
    stays = rulings.options["blocked_moves"] == "all_moves" and cannot_move(turn, seat) is not None
    if not stays:
        turn.moving += 1
        try:
            backward(turn, seat, rulings.rules.death_back or 0, arriving=False)
        finally:
            turn.moving -= 1
    leg = turn.leg(seat)
    mod = sum(turn.numbers(seat, "leg_condition_mod"))
    for kind in CONDITIONS:
        number = rulings.leg_number(leg, kind)
        if number is not None:
            setattr(seat, kind, capped(turn, max(0, number + mod)))
        elif rulings.options["death_missing_number"] == "zero":
            setattr(seat, kind, 0)
    turn.emit("R49", "dies", seat=seat.index, start=start, end=seat.pos)


def automatic_move(turn: Turn, seat: Seat) -> None:
    """Move at the end of the own turn (R47, Q2): by the base with the speed, or by what a leg says instead (Q14)."""
    rulings, leg = turn.rulings, turn.leg(seat)
    if rulings.auto_base is None or is_blocked(turn, seat):
        return
    ill = (seat.hypothermia > 0) + (starvation_here(turn, seat) > 0) if rulings.rules.auto_move_by_condition else 0
    if ill == 1:
        turn.emit("R47", "held", seat=seat.index)
        return
    own_speed = speed(turn, seat)
    fixed = leg.passive.get("leg_card_move") if rulings.final_distance else None
    total = rulings.auto_base + own_speed if fixed is None else fixed["n"]
    falls = rulings.options["negative_distance"] == "backward" and not rulings.rules.auto_move_by_condition
    distance, back = _span(total, falls=falls)
    back = back or ill == 2
    if turn.log is not None:
        far = {"distance": distance, "back": back, "total": total, "ill": ill == 2, "leg": fixed and leg.id}
        sums = {"n": rulings.auto_base, "speed": own_speed, "parts": speed_parts(turn, seat)}
        turn.emit("R47", "auto_moves", seat=seat.index, start=seat.pos, **far, **sums)
    travel(turn, seat, distance, None, back=back, automatic=True)


# Days

FREE_COSTS: Final = ("free_energy", "free_health")
"""Marks of a player whose cost is free, or will be."""


def end_free_costs(turn: Turn, seat: Seat, when: str) -> None:
    """End the free costs of a player that last until then (R18); an armed one outlasts the turn, not the day."""
    for cost in FREE_COSTS:
        lasts = turn.rulings.free_cost_until.get(cost.removeprefix("free_")) == when
        if lasts and (when == "day_end" or getattr(seat, cost) == "on"):
            setattr(seat, cost, "no")


def new_day(turn: Turn, caller: Seat, *, by_card: bool = False) -> bool:
    """Hold a new day (R60) and return whether ``caller`` took part to the end, or finished as the old day ended."""
    options = turn.rulings.options
    turn.emit("R59", "calls_new_day", seat=caller.index)
    participants = [caller]
    if not (by_card and options["new_day_by_card"] == "alone"):
        for other in turn.seats_from(caller)[1:]:
            if not other.finished:
                answer = choose(turn, other, lambda: (JOIN, STAY))
                if answer == JOIN:
                    participants.append(other)
                turn.emit("Q73", "joins" if answer == JOIN else "stays", seat=other.index)
    _day_ends(turn, caller, participants)
    participants = [seat for seat in participants if not seat.finished]
    for seat in participants:
        _put_together(turn, seat)
    _clear_records(turn, caller, participants)
    turn.day += 1
    for seat in participants:
        seat.days += 1
        turn.emit("R60", "day_begins", seat=seat.index, day=seat.days)
    draws_last = options["weather_roll"] == "before_draw"
    if not draws_last:
        _draw_hands(turn, caller, participants)
    roll_weather(turn, caller)
    _legs_at_start(turn, caller, participants)
    if draws_last:
        _draw_hands(turn, caller, participants)
    return caller in participants


def _still_racing(turn: Turn, caller: Seat) -> list[Seat]:
    return [seat for seat in turn.seats_from(caller) if not seat.finished]


def _day_ends(turn: Turn, caller: Seat, participants: list[Seat]) -> None:
    """Move with an empty hand and deck, then lose dogs to a leg (R60 step 2, Q63, Q66)."""
    options = turn.rulings.options
    moves = turn.rulings.numbers["day_end_empty_move"]
    for seat in _still_racing(turn, caller):
        takes_part = seat in participants
        if (takes_part or options["empty_day_end"] == "everyone") and not seat.hand and not seat.in_deck:
            for card in in_play(seat.dogs):
                if card in moves:
                    turn.emit("R60", "empty_day_end", seat=seat.index, card=card)
                    move(turn, seat, moves[card])
        leg = turn.leg(seat)
        if (
            not seat.finished
            and "leg_day_end_kill_dog" in leg.passive
            and (takes_part or options["leg_day_scope"] == "any_new_day")
        ):
            turn.emit("R60", "leg_kills", seat=seat.index, leg=leg.id)
            kill_one(turn, seat)


def _put_together(turn: Turn, seat: Seat) -> None:
    """Shuffle everything but what is in play into the deck (R61)."""
    waiting = [frame.card for frame in seat.stack if not frame.placed]
    cards = [*seat.deck, *waiting, *seat.resolved, *seat.seen, *known(seat.hand), *seat.discard]
    turn.emit("R61", "puts_together", seat=seat.index, cards=len(cards), abandoned=waiting)
    seat.stack = []
    seat.resolved, seat.seen, seat.hand, seat.discard = [], [], [], []
    turn.shuffle(seat, cards)


def _clear_records(turn: Turn, caller: Seat, participants: list[Seat]) -> None:
    """Forget the day's records (R60 step 4, Q62); as in every step, those of a player who has finished stay."""
    everybody = turn.rulings.options["day_scope"] == "any_new_day"
    for seat in _still_racing(turn, caller) if everybody else participants:
        seat.foods = ()
        seat.personal = 0
        seat.moved = False
        seat.immune = False
        end_free_costs(turn, seat, "day_end")
    turn.freeze = False


def roll_weather(turn: Turn, caller: Seat) -> None:
    """Roll the die and let the face act (R60 step 6, R62); a game without weather has no die."""
    if not turn.rulings.faces:
        return
    face = turn.roll()
    turn.weather = face
    weather = turn.rulings.weathers[face]
    turn.emit("R62", "weather", face=face)
    if weather.empties_supply and turn.supply:
        turn.emit("R62", "supply_emptied", cards=sorted(turn.supply))
        turn.destroyed.extend(turn.supply)
        turn.supply = []
    for seat in _still_racing(turn, caller):
        for kind in CONDITIONS:
            n = getattr(weather_on(turn, seat), kind)
            if n:
                gain(turn, seat, kind, n, from_weather=True)


def _legs_at_start(turn: Turn, caller: Seat, participants: list[Seat]) -> None:
    """Let legs starve players and kill dogs at the start of a day (R60 step 7, Q63)."""
    for seat in _still_racing(turn, caller):
        if seat not in participants and turn.rulings.options["leg_day_scope"] == "own_new_day":
            continue
        leg = turn.leg(seat)
        starve = leg.passive.get("leg_day_start_starve")
        if starve is not None:
            gain(turn, seat, "starvation", starve["n"], from_leg=True)
        if "leg_day_start_kill_dog" in leg.passive:
            turn.emit("R60", "leg_kills", seat=seat.index, leg=leg.id)
            kill_one(turn, seat)
    check_deaths(turn)


def _draw_hands(turn: Turn, caller: Seat, participants: list[Seat]) -> None:
    """Draw the new hands (R60 step 8, R64, Q61, Q64)."""
    for seat in _still_racing(turn, caller):
        if seat in participants:
            draw(turn, seat, hand_size(turn, seat))
        elif turn.rulings.options["day_draw_outsiders"]:
            bonus = sum(turn.numbers(seat, "day_draw"))
            if bonus > 0:
                draw(turn, seat, bonus)


def hand_size(turn: Turn, seat: Seat) -> int:
    """Return the number of cards a player draws for a new day (R64)."""
    rulings = turn.rulings
    base, more = rulings.rules.starting_hand, turn.numbers(seat, "day_draw")
    limited = weather_on(turn, seat).caps_hand or "leg_no_day_draw" in turn.leg(seat).passive
    if limited and rulings.options["no_extra_draw"] == "drop_positive":
        more = [min(0, n) for n in more]
    size = max(0, base + sum(more))
    return min(size, base) if limited else size
