"""A new day, its weather and its hands (R59 to R65)."""

from __future__ import annotations

from typing import Final

from rules.core.chance import known
from rules.iditacards.content import CONDITIONS
from rules.iditacards.movement import check_deaths, draw, gain, move
from rules.iditacards.seat import choose, kill_one, weather_on
from rules.iditacards.state import JOIN, STAY, in_play
from rules.iditacards.turn import Seat, Turn

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
    if options["weather_roll"] == "before_draw":
        roll_weather(turn, caller)
        _legs_at_start(turn, caller, participants)
        _draw_hands(turn, caller, participants)
    else:
        _draw_hands(turn, caller, participants)
        roll_weather(turn, caller)
        _legs_at_start(turn, caller, participants)
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
    base = rulings.rules.starting_hand
    limited = weather_on(turn, seat).caps_hand or "leg_no_day_draw" in turn.leg(seat).passive
    if limited and rulings.options["no_extra_draw"] == "drop_positive":
        return max(0, base + sum(min(0, n) for n in turn.numbers(seat, "day_draw")))
    size = max(0, base + sum(turn.numbers(seat, "day_draw")))
    return min(size, base) if limited else size
