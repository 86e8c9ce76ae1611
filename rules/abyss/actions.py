"""Step F: Action cards are shown and used (5.F, 6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from rules.abyss.content import Card
from rules.abyss.round import boosted, find, lose_carrier, partner_sets
from rules.abyss.state import ABYSS, ANY, CITY, Partner, Plan, TeamPlan, teams_of
from rules.abyss.turn import DECLINE, Cards, Partners, Side, Target, Turn, partner_text
from rules.core.scripts import UNKNOWN, Word

TARGETED: Final = frozenset({"remove_partner", "take_card"})
"""Ops that need somebody to work on; without a target the whole card does nothing (AB-Q31)."""


@dataclass(slots=True)
class Use:
    """One Action card while it works."""

    side: Side
    card: Card
    temp: bool
    """The temp team uses it."""
    location: str
    healed: int = 0
    kept: bool = False
    """It goes back to the hand."""


def act(turn: Turn, side: Side) -> None:
    """Let a seat use its cards, main team before temp team (5.F)."""
    for team in teams_of(side.plan):
        card = team.card
        if card == UNKNOWN:  # it comes to light: nobody had seen it
            pool = sorted(set(side.pile.front))
            fitting = [other for other in pool if turn.rulings.cards[other].location in (team.location, ANY)]
            card = turn.ask(side, lambda: [Cards("show", (other,)) for other in fitting]).cards[0]  # noqa: B023 - asked at once
            side.pile.turn_up(card)
        if card is not None:
            _use(turn, side, team, turn.rulings.cards[card])


def _use(turn: Turn, side: Side, team: Plan | TeamPlan, card: Card) -> None:
    assert side.plan is not None
    spent = {"temp": TeamPlan(None, team.location)} if isinstance(team, TeamPlan) else {"card": None}
    side.plan = side.plan._replace(**spent)
    turn.emit("5.F", "uses", seat=side.index, card=card.id, location=team.location)
    use = Use(side, card, isinstance(team, TeamPlan), team.location)
    jam = _stopped_by(turn, use)
    if jam is not None:
        use.kept = turn.rulings.options["jam_card"] == "returned"
        turn.emit("AB-Q21", "stopped", seat=side.index, card=card.id, by=jam.id)
    else:
        _carry_out(turn, use)
    if use.kept:
        side.take(card.id)
        turn.emit("AB-Q22" if jam else "6.1", "comes_back", seat=side.index, card=card.id)
    else:
        turn.actions.discard([card.id])
    turn.check(side)


def _stopped_by(turn: Turn, use: Use) -> Card | None:
    """Return the modifier in force that stops a card (5.E, AB-Q21)."""
    limited_only = turn.rulings.options["jam_cancels"] == "city_limited_only"
    if limited_only and use.card.location != use.location:
        return None
    stops = ((modifier, modifier.args("cancel_actions")) for modifier in turn.in_force(use.side))
    return next((modifier for modifier, args in stops if args is not None and args["where"] == use.location), None)


def _carry_out(turn: Turn, use: Use) -> None:
    """Carry out the effects of a card in their order, as one step."""
    side, effects = use.side, use.card.effects
    options = turn.rulings.options
    targeted = next((effect.op for effect in effects if effect.op in TARGETED), None)
    if targeted is not None and not _targets(turn, use, targeted):
        turn.emit("AB-Q31", "no_target", seat=side.index, card=use.card.id)
        if options["no_target"] == "pay_rp":
            for effect in effects:
                if effect.op == "rp":
                    _rp(turn, use, effect.args)
        return
    loss = sum(_ap_change(turn, use, effect.args["amount"]) for effect in effects if effect.op == "ap")
    if loss < 0 and side.ap + loss < 0 and not options["action_overdraft"]:
        turn.emit("AB-Q36", "too_dear", seat=side.index, card=use.card.id, price=-loss)
        return
    for effect in effects:
        OPS[effect.op](turn, use, effect.args)


def _factor(turn: Turn, use: Use, op: str) -> int:
    """Return how many times costs or gains printed on the card count (5.E, AB-Q20)."""
    if use.location != CITY:
        return 1
    args = [args for modifier in turn.in_force(use.side) if (args := modifier.args(op)) is not None]
    return max((int(arg["factor"]) for arg in args), default=1)


def _boosted(turn: Turn, use: Use) -> int:
    """Return how many times AP and RP gained on a boosted trip count (AB-Q23)."""
    counts = use.location == ABYSS and turn.rulings.options["explore_sources"] == "any_in_abyss"
    return boosted(turn, use.side) if counts else 1


def _ap_change(turn: Turn, use: Use, amount: int) -> int:
    return amount * (_factor(turn, use, "scale_ap_cost") if amount < 0 else _boosted(turn, use))


# Ops of Action cards


def _ap(turn: Turn, use: Use, args: Mapping[str, Any]) -> None:
    change = _ap_change(turn, use, args["amount"])
    use.side.ap += change
    turn.emit("6", "ap", seat=use.side.index, change=change, ap=use.side.ap)


def _rp(turn: Turn, use: Use, args: Mapping[str, Any]) -> None:
    amount = args["amount"]
    if amount > 0:
        amount *= _factor(turn, use, "scale_rp_gain") * _boosted(turn, use)
    use.side.rp += amount
    turn.emit("6", "rp", seat=use.side.index, change=amount, rp=use.side.rp)


def _treasure(turn: Turn, use: Use, args: Mapping[str, Any]) -> None:
    """Dig (6)."""
    amount = args["amount"]
    if args["per"] == "flat":
        find(turn, use.side, amount)
    elif args["per"] == "team_member":
        find(turn, use.side, amount * turn.team(use.side, use.temp), main=not use.temp, temp=use.temp, each=amount)
    else:
        find(turn, use.side, amount * turn.members(use.side, ABYSS), main=True, temp=True, each=amount)


def _heal_all(turn: Turn, use: Use, args: Mapping[str, Any]) -> None:
    """Heal the partners at a location (6, AB-Q35)."""
    side, rulings = use.side, turn.rulings
    scope = rulings.options["treatment_scope"]
    there = side.partners if side.home == args["where"] else []
    damaged = [partner for partner in there if partner.hp < rulings.full_hp[partner.type]]
    treated = tuple(there if scope == "all" else damaged)
    afford = rulings.options["action_overdraft"]
    if scope == "chosen" and damaged:
        sets = partner_sets(damaged)
        payable = [some for some in sets if afford or not some or _payment(turn, use, len(some)) <= side.ap]
        treated = turn.ask(side, lambda: [Partners("treat", some) for some in payable]).partners
    price = _payment(turn, use, len(treated))
    if not afford and price > max(0, side.ap):
        turn.emit("AB-Q36", "too_dear", seat=side.index, card=use.card.id, price=price)
        return
    rest = list(side.partners)
    for partner in treated:
        rest.remove(partner)
    use.healed = len(treated)
    turn.place(side, [*rest, *(Partner(partner.type, rulings.full_hp[partner.type]) for partner in treated)])
    turn.emit("6", "heals", seat=side.index, partners=treated)


def _payment(turn: Turn, use: Use, healed: int) -> int:
    """Return the AP paid for so many partners healed (6, 10.5)."""
    args = use.card.args("pay_per_healed")
    if args is None or not healed:
        return 0
    change, floor = use.side.traits.treatment
    price: int = max(floor, args["amount"] * healed + change)
    return price * _factor(turn, use, "scale_ap_cost")


def _pay_per_healed(turn: Turn, use: Use, _args: Mapping[str, Any]) -> None:
    price = _payment(turn, use, use.healed)
    use.side.ap -= price
    if use.healed:
        turn.emit("6", "ap", seat=use.side.index, change=-price, ap=use.side.ap)


def _set_flag(turn: Turn, use: Use, args: Mapping[str, Any]) -> None:
    """Set a lasting mark (10)."""
    side, options = use.side, turn.rulings.options
    if args["flag"] == "flashlight":
        side.flashlight = 1 if options["flashlight_expires"] == "when_used" else 2
        turn.emit("10.3", "flashlight", seat=side.index)
    else:
        side.explore_pending = side.explore_pending + 1 if options["explore_stack"] else 1
        turn.emit("10.1", "explores", seat=side.index)


def _remove_partner(turn: Turn, use: Use, _args: Mapping[str, Any]) -> None:
    """Remove a partner of another seat (6, AB-Q29)."""
    options = turn.rulings.options
    chooser = options["assassination_chooser"]
    targets = _targets(turn, use, "remove_partner")
    choices = [Target(victim.index) for victim in targets]
    if chooser == "attacker":
        choices = [Target(victim.index, one) for victim in targets for one in dict.fromkeys(victim.partners)]
    move = turn.ask(use.side, lambda: choices)
    victim = turn.side(move.seat)
    partner = move.partner or _victims_partner(turn, victim, chooser)
    victim.partners.remove(partner)
    turn.emit("6", "removes", seat=use.side.index, other=victim.index, partner=partner)
    if options["assassination_penalty"]:
        turn.penalize(victim, victim.traits.penalties[partner.type], "AB-Q29")
    if victim.home == ABYSS:
        lose_carrier(turn, victim, 1)


def _victims_partner(turn: Turn, victim: Side, chooser: str) -> Partner:
    partners = victim.partners
    if chooser == "victim":
        return turn.ask(victim, lambda: [Partners("lose", (one,)) for one in dict.fromkeys(partners)]).partners[0]
    names = [partner_text(partner) for partner in partners]
    return partners[names.index(turn.pick(names))]


def _take_card(turn: Turn, use: Use, _args: Mapping[str, Any]) -> None:
    """Take a hand card of another seat (6, AB-Q30)."""
    choices = [Target(victim.index) for victim in _targets(turn, use, "take_card")]
    move = turn.ask(use.side, lambda: choices)
    victim = turn.side(move.seat)
    how = turn.rulings.options["theft_pick"]
    if how == "random":
        card = turn.pick(victim.lots())
    else:
        chooser, verb = (victim, "give") if how == "owner_chooses" else (use.side, "take")
        card = turn.ask(chooser, lambda: [Cards(verb, (one,)) for one in victim.kinds()]).cards[0]
    victim.drop([card])
    use.side.take(card)
    turn.emit("6", "steals", seat=use.side.index, other=victim.index, card=card)


def _targets(turn: Turn, use: Use, op: str) -> list[Side]:
    """Return the seats that a card can be aimed at, by seat (6)."""
    others = sorted(turn.others(use.side), key=lambda other: other.index)
    if op == "remove_partner":
        return [other for other in others if other.partners and other.home == use.location]
    return [other for other in others if other.hand and other.has_team_at(use.location)]


def _exchange_cards(turn: Turn, use: Use, _args: Mapping[str, Any]) -> None:
    """Offer hand cards to the others in turn, and swap with the first who accepts (6.1)."""
    side, others, options = use.side, turn.others(use.side), turn.rulings.options
    if not others or not side.hand:
        turn.emit("AB-Q33", "nothing_to_exchange", seat=side.index)
        use.kept = options["transaction_alone"] == "returned"
        return
    move = turn.ask(side, lambda: [Cards("offer", cards) for cards in side.subsets(1, len(side.hand))])
    shown = options["transaction_offer"] == "shown"
    turn.emit("6.1", "offers", seat=side.index, cards=move.cards if shown else (), number=len(move.cards))
    for other in others:
        given = _reply(turn, other, len(move.cards))
        if given:
            side.drop(move.cards)
            other.drop(given)
            side.hand = sorted([*side.hand, *given])
            other.hand = sorted([*other.hand, *move.cards])
            turn.emit("6.1", "exchanges", seat=side.index, other=other.index, cards=move.cards, given=given)
            return
        turn.emit("6.1", "declines", seat=other.index)
    use.kept = True


def _reply(turn: Turn, other: Side, number: int) -> tuple[str, ...]:
    """Return the cards that a seat gives, none where it declines or has too few."""
    if len(other.hand) < number:
        return ()

    def replies() -> list[Word | Cards]:
        return [DECLINE, *(Cards("accept", cards) for cards in other.subsets(number, number))]

    move = turn.ask(other, replies)
    return move.cards if isinstance(move, Cards) else ()


Op = Callable[[Turn, Use, Mapping[str, Any]], None]
OPS: Final[Mapping[str, Op]] = {
    "ap": _ap,
    "rp": _rp,
    "treasure": _treasure,
    "heal_all": _heal_all,
    "pay_per_healed": _pay_per_healed,
    "set_flag": _set_flag,
    "remove_partner": _remove_partner,
    "take_card": _take_card,
    "exchange_cards": _exchange_cards,
}
"""What carries out each op of an Action card."""
