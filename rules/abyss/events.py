"""Steps E, G and H: Events dealt and turned up, treasure found, lost and cashed (5.E, 5.G, 5.H, 6, 7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from rules.abyss.content import Card
from rules.abyss.state import ABYSS, Carried, Partner, is_at
from rules.abyss.turn import CASH, LEAVE, Give, Side, Turn


def deal(turn: Turn, side: Side) -> None:
    """Deal a seat its Event card; a modifier is turned up where it works (5.E)."""
    side.event = turn.draw(turn.events)
    if side.event is None:
        turn.emit("9.2", "no_event", seat=side.index)
        return
    turn.emit("5.E", "dealt", seat=side.index)
    card = turn.rulings.cards[side.event]
    whole = turn.rulings.options["modifier_timing"] == "whole_round"
    if card.is_modifier and whole and is_at(side.plan, card.location):
        side.event_up = True
        turn.emit("5.E", "modifier", seat=side.index, card=card.id)
        if card.args("scale_ap_cost") is not None:
            _pay_again(turn, side, card)
            turn.check(side)


def _pay_again(turn: Turn, side: Side, card: Card) -> None:
    """Let what was paid in step B be paid once more (5.E, AB-Q20)."""
    args = card.args("scale_ap_cost")
    if args is None or turn.rulings.options["short_covers"] == "actions":
        return
    for owner in _touched(turn, side, card):
        if owner.paid:
            price = owner.paid * (args["factor"] - 1)
            owner.ap -= price
            turn.emit("5.E", "pays_again", seat=owner.index, price=price, ap=owner.ap)


def _touched(turn: Turn, side: Side, card: Card) -> list[Side]:
    """Return the seats on which an Event works, its drawer first (AB-Q17, AB-Q18)."""
    if card.icon and turn.rulings.icon_for_all:
        return [side, *turn.others(side)]
    if card.unowned and turn.rulings.everyone:
        return [side, *(other for other in turn.others(side) if is_at(other.plan, card.location))]
    return [side]


def happen(turn: Turn, side: Side) -> None:
    """Turn up a seat's Event and let it work; after the last seat everybody returns (5.G, 5.H)."""
    if side.event is not None:
        card = turn.rulings.cards[side.event]
        if not side.event_up:
            turn.emit("5.G", "event", seat=side.index, card=card.id)
            if is_at(side.plan, card.location):
                for owner in _touched(turn, side, card):
                    for effect in card.effects:
                        EVENT_OPS[effect.op](turn, owner, card, effect.args)
            elif card.effects:
                turn.emit("5.G", "misses", seat=side.index, card=card.id)
        turn.events.discard([card.id])
        side.event, side.event_up = None, False
        if not turn.rulings.icon_for_all:
            side.carried = None  # nothing can take a member of this seat any more
        turn.check(side)
    if turn.is_last:
        return_home(turn)


# Treasure


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
    carried = side.carried or usual_carried(turn, side)
    side.treasure += amount
    if turn.rulings.own_carrier:
        each *= boosted(turn, side)
        _carry(turn, side, Carried(carried.main + (each if main else 0), carried.temp + (each if temp else 0)))
    turn.emit("10.1" if side.boost else "6", "finds", seat=side.index, number=amount, treasure=side.treasure)


def _carry(turn: Turn, side: Side, carried: Carried) -> None:
    """Note what each member carries, where it does not show and can still be lost (AB-Q38)."""
    at_stake = side.event is not None or turn.rulings.icon_for_all
    side.carried = carried if at_stake and carried != usual_carried(turn, side) else None


def lose_carrier(turn: Turn, side: Side, hired: int, temps: int = 0) -> None:
    """Take away what hired and temporary partners carried who have just left the Abyss for good (AB-Q38)."""
    if not turn.rulings.own_carrier or not side.treasure:
        return
    carried = side.carried
    if carried is None:
        members = turn.members(side, ABYSS) + hired + temps
        each = side.treasure // members if members else 0
        carried = Carried(each, each)
    apart = side.plan is not None and side.plan.temp is not None
    lost = min(side.treasure, carried.main * hired + (carried.temp if apart else carried.main) * temps)
    side.treasure -= lost
    _carry(turn, side, carried)
    if lost:
        turn.emit("AB-Q38", "treasure_lost", seat=side.index, number=lost)


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
        turn.emit("5.H", "returns", seat=side.index)
        return
    if not turn.members(side, ABYSS):
        turn.emit("AB-Q38", "treasure_lost", seat=side.index, number=side.treasure)
        return
    if turn.rulings.options["treasure_cash"] == "optional" and turn.ask(side, lambda: [CASH, LEAVE]) == LEAVE:
        turn.emit("AB-Q37", "leaves_treasure", seat=side.index, number=side.treasure)
        return
    compound = turn.rulings.options["explore_doubling"] == "compound"
    value = side.treasure * (boosted(turn, side) if compound else 1)
    side.ap += value * turn.rulings.rules["treasure_ap"]
    side.rp += value * turn.rulings.rules["treasure_rp"]
    turn.emit("5.H", "cashes", seat=side.index, number=side.treasure, ap=side.ap, rp=side.rp)


def usual_carried(turn: Turn, side: Side) -> Carried:
    """Return what each member carries if the treasure is shared out evenly in the Abyss (AB-Q38)."""
    members = turn.members(side, ABYSS)
    each = side.treasure // members if members else 0
    plan = side.plan
    temp = plan is not None and plan.temp is not None and plan.temp.location == ABYSS
    return Carried(each if side.home == ABYSS else 0, each if temp else 0)


# Ops of Event cards


def _modifier(_turn: Turn, _side: Side, _card: Card, _args: Mapping[str, Any]) -> None:
    """Do nothing: a modifier turned up after the actions comes too late (AB-Q19)."""


def _ap_abyss(turn: Turn, side: Side, _card: Card, args: Mapping[str, Any]) -> None:
    """Find AP in the Abyss (7)."""
    if not turn.members(side, ABYSS):
        return
    found = args["amount"] * boosted(turn, side)
    side.ap += found
    turn.emit("7", "ap", seat=side.index, change=found, ap=side.ap)
    if turn.rulings.options["explore_expires"] == "next_gain" and not side.treasure:
        side.boost = 0  # this was the gain the mark waited for, and the round's treasure does not show it


def _treasure(turn: Turn, side: Side, _card: Card, args: Mapping[str, Any]) -> None:
    """Find treasure in the Abyss (7)."""
    members = turn.members(side, ABYSS)
    if args["per"] == "flat" and members:
        find(turn, side, args["amount"])
    elif members:
        find(turn, side, args["amount"] * members, main=True, temp=True, each=args["amount"])


def _damage(turn: Turn, side: Side, card: Card, args: Mapping[str, Any]) -> None:
    """Take HP from every partner at a location, all at once (7, 10.2)."""
    where = args["where"]
    rulings = turn.rulings
    change, floor = side.traits.damage[where]
    boost = side.boost * rulings.rules["boost_damage"] if where == ABYSS else 0
    loss = max(floor, args["amount"] + boost + change)
    partners = side.partners if side.home == where else []
    temps = side.temps_at(where) if rulings.temp_hp is not None else 0
    if not (partners or temps) or loss <= 0:
        return
    if card.flashlight_stops and side.flashlight:
        if rulings.options["flashlight_expires"] == "when_used":
            side.flashlight = 0
        turn.emit("10.3", "lit", seat=side.index, card=card.id)
        return
    turn.emit("7", "damaged", seat=side.index, number=len(partners), loss=loss)
    dead = [partner for partner in partners if partner.hp <= loss]
    if partners:
        alive = [Partner(partner.type, partner.hp - loss) for partner in partners if partner.hp > loss]
        turn.place(side, alive)
    dead_temps = temps if rulings.temp_hp is not None and rulings.temp_hp <= loss else 0
    side.temps -= dead_temps
    if where == ABYSS:
        lose_carrier(turn, side, len(dead), dead_temps if rulings.temps_count else 0)
    if dead or dead_temps:
        penalty = sum(side.traits.penalties[partner.type] for partner in dead)
        turn.emit("7", "die", seat=side.index, partners=dead, temps=dead_temps)
        turn.penalize(side, penalty + dead_temps * (side.traits.temp_price or 0), "7")


def _lose_card(turn: Turn, side: Side, _card: Card, _args: Mapping[str, Any]) -> None:
    """Lose a hand card to the used Action pile (7, AB-Q34)."""
    if not side.hand:
        return
    if turn.rulings.options["be_theft_pick"] == "owner":
        lost = turn.ask(side, lambda: [Give((one,)) for one in side.kinds()]).cards[0]
    else:
        lost = turn.pick(side.lots())
    side.drop([lost])
    turn.actions.discard([lost])
    turn.emit("7", "loses_card", seat=side.index, card=lost)


Op = Callable[[Turn, Side, Card, Mapping[str, Any]], None]
EVENT_OPS: Final[Mapping[str, Op]] = {
    "ap_abyss": _ap_abyss,
    "treasure": _treasure,
    "damage": _damage,
    "lose_card": _lose_card,
    "cancel_actions": _modifier,
    "scale_ap_cost": _modifier,
    "scale_rp_gain": _modifier,
}
"""What carries out each op of an Event card."""
