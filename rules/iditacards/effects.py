"""Instant operations on the board and on dogs: moving, conditions, damage, immunity, killing, new days.

One function for each op of ``ops.toml``; ``card_effects`` has the ops on cards.
"""

from __future__ import annotations

from rules.core.steps import Move
from rules.iditacards.card_effects import recover
from rules.iditacards.content import CONDITIONS
from rules.iditacards.costs import shielded_from
from rules.iditacards.days import new_day
from rules.iditacards.dogs import can_die, choose, kill, kill_one, kills, mortal
from rules.iditacards.movement import cannot_move, capped, damage, draw, gain, lower, move, retreat
from rules.iditacards.moves import DONE, Kill, Put
from rules.iditacards.risk import Args, Resolution, Signal, op
from rules.iditacards.turn import Seat, Turn, find_team

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
        retreat(turn, seat, args["n"], run.card)
    else:
        turn.tell("R44", "cannot_move", seat=seat.index, by=blocked)
    return None


@op("freeze")
def _freeze(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
    turn.freeze = True
    turn.tell("R44", "freezes", seat=seat.index)
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
                turn.tell("R48", "loses", seat=other.index, condition=kind, n=-args["n"], value=getattr(other, kind))
            else:
                gain(turn, other, kind, args["n"])
        return None

    @op(f"clear_{kind}")
    def clear(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
        setattr(seat, kind, 0)
        turn.tell("R48", "cleared", seat=seat.index, condition=kind)
        return None

    @op(f"{kind}_to_leg")
    def to_leg(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
        for other in _named(turn, seat, run, args["who"]):
            leg = turn.leg(other)
            number = 0 if leg is None else turn.rulings.leg_number(leg, kind) or 0
            value = capped(turn, max(getattr(other, kind), number))
            setattr(other, kind, value)
            turn.tell("R49", "to_leg", seat=other.index, condition=kind, value=value)
        return None


for _kind in CONDITIONS:
    _about(_kind)


@op("immune")
def _immune(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
    for other in _named(turn, seat, run, args["who"]):
        other.immune = True
        turn.tell("R67", "immune", seat=other.index)
    return None


@op("free_cost")
def _free_cost(turn: Turn, seat: Seat, run: Resolution, args: Args) -> Signal | None:
    value = "armed" if args["until"] == "next_turn" else "on"
    if args["cost"] == "energy":
        seat.free_energy = value
    else:
        seat.free_health = value
    turn.tell("R18", "free_cost", seat=seat.index, cost=args["cost"], until=args["until"])
    return None


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
        turn.tell("Q36", "price_unpaid", seat=seat.index)
        return Signal.SKIP_REST
    if turn.rulings.options["required_kill"] == "optional":
        chosen = choose(turn, seat, lambda: [*kills(turn, seat), DONE])
        if not isinstance(chosen, Kill):
            return Signal.SKIP_REST
        died: bool | None = kill(turn, seat, find_team(seat, chosen.dog))
    else:
        died = kill_one(turn, seat)
    if not died and not turn.rulings.options["shield_pays"]:
        turn.tell("Q37", "price_unpaid", seat=seat.index)
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
