"""Treasure: found, lost with those who carry it, and cashed on the return from the Abyss (5.H, 6, 7)."""

from __future__ import annotations

from rules.abyss.moves import CASH, LEAVE
from rules.abyss.state import ABYSS, Carried
from rules.abyss.turn import Side, Turn, usual_carried


def boosted(turn: Turn, side: Side) -> int:
    """Return how many times a gain of this round's trip counts (10.1)."""
    factor: int = turn.rulings.rules["boost_factor"] ** side.boost
    return factor


def find(turn: Turn, side: Side, amount: int, *, main: bool = False, temp: bool = False, each: int = 0) -> None:
    """Add treasure, as far as there is any (AB-Q39); ``each`` member of the teams named carries so much of it."""
    amount *= boosted(turn, side)
    supply = turn.rulings.treasure_supply
    if supply is not None:
        amount = min(amount, max(0, supply - sum(one.treasure for one in turn.sides())))
    carried = _carried(turn, side)
    side.treasure += amount
    if turn.rulings.own_carrier:
        each *= boosted(turn, side)
        _carry(turn, side, Carried(carried.main + (each if main else 0), carried.temp + (each if temp else 0)))
    turn.tell("10.1" if side.boost else "6", "finds", seat=side.index, number=amount, treasure=side.treasure)


def _carried(turn: Turn, side: Side) -> Carried:
    return usual_carried(turn, side) if side.carried is None else side.carried


def _carry(turn: Turn, side: Side, carried: Carried) -> None:
    """Note what each member carries, where it does not show and can still be lost (AB-Q38)."""
    at_stake = side.event is not None or turn.rulings.icon_for_all
    side.carried = carried if at_stake and carried != usual_carried(turn, side) else None


def lose_carrier(turn: Turn, side: Side, *, main: int = 0, main_temps: int = 0, temps: int = 0) -> None:
    """Take away what members who have just left the Abyss for good carried (AB-Q38).

    ``main`` hired partners and ``main_temps`` temporary ones of the main team, ``temps`` of the temp team.
    """
    if not turn.rulings.own_carrier or not side.treasure:
        return
    if side.carried is None:
        gone = main + main_temps + temps
        members = turn.members(side, ABYSS) + gone
        each = side.treasure // members if members else 0
        carried = Carried(each, each)
    else:
        carried = side.carried
    lost = min(side.treasure, carried.main * (main + main_temps) + carried.temp * temps)
    side.treasure -= lost
    _carry(turn, side, carried)
    if lost:
        turn.tell("AB-Q38", "treasure_lost", seat=side.index, number=lost)


def return_home(turn: Turn) -> None:
    """Bring every team back to the City and cash what it found (5.H)."""
    for side in turn.sides():
        if side.has_team_at(ABYSS):
            _cash(turn, side)
            if side.boost and not side.treasure and turn.rulings.options["explore_expires"] == "next_gain":
                side.explore_pending = max(side.explore_pending, side.boost)
            side.treasure = side.boost = 0
            side.carried = None
            turn.check(side)
    for side in turn.sides():
        side.plan = None


def _cash(turn: Turn, side: Side) -> None:
    if not side.treasure:
        turn.tell("5.H", "returns", seat=side.index)
        return
    if not turn.members(side, ABYSS):
        turn.tell("AB-Q38", "treasure_lost", seat=side.index, number=side.treasure)
        return
    if turn.rulings.options["treasure_cash"] == "optional" and turn.ask(side, lambda: [CASH, LEAVE]) == LEAVE:
        turn.tell("AB-Q37", "leaves_treasure", seat=side.index, number=side.treasure)
        return
    compound = turn.rulings.options["explore_doubling"] == "compound"
    worth = side.treasure * (boosted(turn, side) if compound else 1)
    side.ap += worth * turn.rulings.rules["treasure_ap"]
    side.rp += worth * turn.rulings.rules["treasure_rp"]
    turn.tell("5.H", "cashes", seat=side.index, number=side.treasure, ap=side.ap, rp=side.rp)
