"""Instant operations on the board and on dogs: moving, conditions, damage, immunity, killing; new days (R59 to R65).

One function for each op of ``ops.toml``; ``card_effects`` has the ops on cards.
"""

from __future__ import annotations

from typing import Final

from rules.core.steps import Move
from rules.core.unknown import known
from rules.iditacards.card_effects import recover
from rules.iditacards.content import CONDITIONS
from rules.iditacards.movement import cannot_move, capped, check_deaths, damage, draw, gain, lower, move, travel
from rules.iditacards.risk import Args, Resolution, Signal, op
from rules.iditacards.seat import can_die, choose, kill, kill_one, kills, mortal, shielded_from, weather_on
from rules.iditacards.state import DONE, JOIN, STAY, Kill, Put
from rules.iditacards.turn import Seat, Turn, find_team

FREE_COSTS: Final = ("free_energy", "free_health")
"""Marks of a player whose cost is free, or will be."""

# Movement


@op("move")
def _move(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
    for _ in range(args.get("times", 1)):
        move(turn, seat, args["n"], card=run.card, double=args.get("double", False))
    return None


@op("move_back")
def _move_back(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
    blocked = cannot_move(turn, seat)
    if blocked is None:
        travel(turn, seat, args["n"], run.card, back=True)
    else:
        turn.emit("R44", "cannot_move", seat=seat.index, by=blocked)
    return None


@op("freeze")
def _freeze(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
    turn.freeze = True
    turn.emit("R44", "freezes", seat=seat.index)
    return None


# Conditions, damage, immunity, free costs


def _named(turn: Turn, seat: Seat, run: Resolution, who: str) -> list[Seat]:
    """Return the players an op names, in seat order from its player, those left out whom immunity protects (R67)."""
    seats = turn.seats_from(seat)
    if who == "self":
        seats = [seat]
    elif who in ("others", "one_other"):
        seats = [other for other in seats if other is not seat]
    elif who == "leader":
        front = max(other.pos for other in turn.seats)
        leaders = [other for other in seats if other.pos == front]
        seats = leaders if len(leaders) == 1 or turn.rulings.options["leader_tie"] == "all_tied" else []
    seats = [other for other in seats if not shielded_from(turn, seat, run.card.type, other)]
    if who == "one_other" and seats:
        options = [Put("target", str(other.index)) for other in sorted(seats, key=lambda other: other.index)]
        chosen = choose(turn, seat, lambda: options)
        assert isinstance(chosen, Put)
        seats = [turn.seats[int(chosen.card)]]
    return seats


@op("damage")
def _damage(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
    for other in _named(turn, seat, run, args["who"]):
        damage(turn, other, args["n"], "R56")
    return None


def _about(kind: str) -> None:
    """Register the ops that change one of the two conditions."""

    @op(kind)
    def change(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
        for other in _named(turn, seat, run, args["who"]):
            if args["n"] < 0:
                lower(other, kind, -args["n"])
                turn.emit("R48", "loses", seat=other.index, condition=kind, n=-args["n"], value=getattr(other, kind))
            else:
                gain(turn, other, kind, args["n"])
        return None

    @op(f"clear_{kind}")
    def clear(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
        setattr(seat, kind, 0)
        turn.emit("R48", "cleared", seat=seat.index, condition=kind)
        return None

    @op(f"{kind}_to_leg")
    def to_leg(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
        for other in _named(turn, seat, run, args["who"]):
            leg = turn.leg(other)
            number = 0 if leg is None else turn.rulings.leg_number(leg, kind) or 0
            value = capped(turn, max(getattr(other, kind), number))
            setattr(other, kind, value)
            turn.emit("R49", "to_leg", seat=other.index, condition=kind, value=value)
        return None


for _kind in CONDITIONS:
    _about(_kind)


@op("immune")
def _immune(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
    for other in _named(turn, seat, run, args["who"]):
        other.immune = True
        turn.emit("R67", "immune", seat=other.index)
    return None


@op("free_cost")
def _free_cost(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
    value = "armed" if args["until"] == "next_turn" else "on"
    setattr(seat, f"free_{args['cost']}", value)
    turn.emit("R18", "free_cost", seat=seat.index, cost=args["cost"], until=args["until"])
    return None


def end_free_costs(turn: Turn, seat: Seat, when: str) -> None:
    """End the free costs of a player that last until then (R18); an armed one outlasts the turn, not the day."""
    for cost in FREE_COSTS:
        lasts = turn.rulings.free_cost_until.get(cost.removeprefix("free_")) == when
        if lasts and (when == "day_end" or getattr(seat, cost) == "on"):
            setattr(seat, cost, "no")


# Killing dogs


@op("kill_dog")
def _kill_dog(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
    if args["who"] == "self" and args.get("required"):
        return _price(turn, seat)
    for other in _named(turn, seat, run, args["who"]):
        kill_one(turn, other)
    return None


def _price(turn: Turn, seat: Seat) -> Signal | None:
    """Kill an own dog as the price of the rest of the card (Q36, Q37)."""
    if not mortal(turn, seat):
        turn.emit("Q36", "price_unpaid", seat=seat.index)
        return Signal.SKIP_REST
    if turn.rulings.options["required_kill"] == "optional":
        chosen = choose(turn, seat, lambda: [*kills(turn, seat), DONE])
        if not isinstance(chosen, Kill):
            return Signal.SKIP_REST
        died: bool | None = kill(turn, seat, find_team(seat, chosen.dog))
    else:
        died = kill_one(turn, seat)
    if not died and not turn.rulings.options["shield_pays"]:
        turn.emit("Q37", "price_unpaid", seat=seat.index)
        return Signal.SKIP_REST
    return None


@op("kill_any_dog")
def _kill_any_dog(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
    def options() -> list[Move]:
        several = len(turn.seats) > 1
        kills = {
            Kill(team.frozen(), other.index if several else None)
            for other in turn.seats
            if not shielded_from(turn, seat, run.card.type, other)
            for team in other.dogs
            if can_die(turn, team)
            and ("fake" in turn.rulings.cards[team.dog].tags if args["filter"] == "fake" else team.attachments)
        }
        return sorted(kills, key=lambda kill: kill.text)

    if options():
        chosen = choose(turn, seat, options)
        if isinstance(chosen, Kill):
            owner = seat if chosen.owner is None else turn.seats[chosen.owner]
            kill(turn, owner, find_team(owner, chosen.dog))
    return None


# Days


@op("new_day")
def _new_day(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
    if seat.finished:
        return None
    takes_part = new_day(turn, seat, by_card=True)
    return Signal.DAY_ENDED if takes_part else Signal.FINISHED_AT_DAY_END


def leg_at_turn_end(turn: Turn, seat: Seat) -> None:
    """Let the leg of a player give cards at the end of a turn (R16)."""
    leg = turn.leg(seat)
    if leg is None:
        return
    if "leg_turn_end_recover" in leg.effects:
        recover(turn, seat, leg.effects["leg_turn_end_recover"]["n"])
    if "leg_turn_end_draw" in leg.effects:
        draw(turn, seat, leg.effects["leg_turn_end_draw"]["n"])


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
    moves = turn.rulings.day_end_empty_move
    for seat in _still_racing(turn, caller):
        takes_part = seat in participants
        if (takes_part or options["empty_day_end"] == "everyone") and not seat.hand and not seat.in_deck:
            for card in seat.in_play():
                if card in moves:
                    turn.emit("R60", "empty_day_end", seat=seat.index, card=card)
                    move(turn, seat, moves[card])
        leg = turn.leg(seat)
        if (
            not seat.finished
            and leg is not None
            and "leg_day_end_kill_dog" in leg.effects
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
            n = getattr(weather, kind)
            if n and weather_on(turn, seat) is not None:
                gain(turn, seat, kind, n, from_weather=True)


def _legs_at_start(turn: Turn, caller: Seat, participants: list[Seat]) -> None:
    """Let legs starve players and kill dogs at the start of a day (R60 step 7, Q63)."""
    for seat in _still_racing(turn, caller):
        if seat not in participants and turn.rulings.options["leg_day_scope"] == "own_new_day":
            continue
        leg = turn.leg(seat)
        if leg is None:
            continue
        starve = leg.effects.get("leg_day_start_starve")
        if starve is not None:
            gain(turn, seat, "starvation", starve["n"], from_leg=True)
        if "leg_day_start_kill_dog" in leg.effects:
            turn.emit("R60", "leg_kills", seat=seat.index, leg=leg.id)
            kill_one(turn, seat)
    check_deaths(turn)


def _draw_hands(turn: Turn, caller: Seat, participants: list[Seat]) -> None:
    """Draw the new hands (R60 step 8, R64, Q61, Q64)."""
    for seat in _still_racing(turn, caller):
        if seat in participants:
            draw(turn, seat, hand_size(turn, seat))
        elif turn.rulings.options["day_draw_outsiders"]:
            bonus = _day_draw(turn, seat)
            if bonus > 0:
                draw(turn, seat, bonus)


def _day_draw(turn: Turn, seat: Seat) -> int:
    bonuses = turn.rulings.day_draw
    return sum(bonuses.get(card, 0) for card in seat.in_play())


def hand_size(turn: Turn, seat: Seat) -> int:
    """Return the number of cards a player draws for a new day (R64)."""
    rulings = turn.rulings
    base = rulings.starting_hand
    leg = turn.leg(seat)
    weather = weather_on(turn, seat)
    limited = (weather is not None and weather.caps_hand) or (leg is not None and "leg_no_day_draw" in leg.effects)
    if limited and rulings.options["no_extra_draw"] == "drop_positive":
        return max(0, base + sum(min(0, rulings.day_draw.get(card, 0)) for card in seat.in_play()))
    size = max(0, base + _day_draw(turn, seat))
    return min(size, base) if limited else size
