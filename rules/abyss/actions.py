"""Step F: Action cards are shown and used (5.F, 6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from rules.abyss.content import Card
from rules.abyss.round import Round, partner_sets
from rules.abyss.state import ABYSS, CITY, Partner, Plan, TeamPlan, teams_of
from rules.abyss.turn import DECLINE, Cards, Partners, Side, Target, partner_text, unfit
from rules.core.scripts import UNKNOWN, Word

TARGETED: Final = frozenset({"remove_partner", "take_card"})
"""Ops that need somebody to work on; without a target the whole card does nothing (AB-Q31)."""


class Use:
    """One Action card while it works; each op is a method of its name that takes the keys of the op."""

    def __init__(self, turn: Round, side: Side, team: Plan | TeamPlan, card: Card) -> None:
        self.turn, self.side, self.card, self.location = turn, side, card, team.location
        self.rulings, self.options = turn.rulings, turn.rulings.options
        self.temp = isinstance(team, TeamPlan)
        """The temp team uses it."""
        self.healed = 0
        self.kept = False
        """It goes back to the hand."""

    def run(self) -> None:
        """Use the card, and put it where it goes."""
        turn, side, card = self.turn, self.side, self.card
        turn.emit("5.F", "uses", seat=side.index, card=card.id, location=self.location)
        if jam := self._stopped_by():
            self.kept = self.options["jam_card"] == "returned"
            turn.emit("AB-Q21", "stopped", seat=side.index, card=card.id, by=jam.id)
        else:
            self._carry_out()
        if self.kept:
            side.take(card.id)
            turn.emit("AB-Q22" if jam else "6.1", "comes_back", seat=side.index, card=card.id)
        else:
            turn.actions.discard([card.id])
        turn.check(side)

    def _stopped_by(self) -> Card | None:
        """Return the modifier in force that stops the card (5.E, AB-Q21)."""
        if self.options["jam_cancels"] == "city_limited_only" and self.card.location != self.location:
            return None
        stops = ((modifier, modifier.args("cancel_actions")) for modifier in self.turn.in_force(self.side))
        return next((modifier for modifier, args in stops if args is not None and args["where"] == self.location), None)

    def _carry_out(self) -> None:
        turn, side, effects = self.turn, self.side, self.card.effects
        targeted = next((effect.op for effect in effects if effect.op in TARGETED), None)
        if targeted is not None and not self._targets(targeted):
            turn.emit("AB-Q31", "no_target", seat=side.index, card=self.card.id)
            effects = tuple(each for each in effects if each.op == "rp" and self.options["no_target"] == "pay_rp")
        loss = sum(self._ap_change(effect.args["amount"]) for effect in effects if effect.op == "ap")
        if loss < 0 and side.ap + loss < 0 and not self.options["action_overdraft"]:
            turn.emit("AB-Q36", "too_dear", seat=side.index, card=self.card.id, price=-loss)
            return
        for effect in effects:
            getattr(self, f"_{effect.op}")(**effect.args)

    def _factor(self, op: str) -> int:
        """Return how many times costs or gains printed on the card count (5.E, AB-Q20)."""
        if self.location != CITY:
            return 1
        args = [args for modifier in self.turn.in_force(self.side) if (args := modifier.args(op)) is not None]
        return max((int(arg["factor"]) for arg in args), default=1)

    def _boosted(self) -> int:
        """Return how many times AP and RP gained on a boosted trip count (AB-Q23)."""
        counts = self.location == ABYSS and self.options["explore_sources"] == "any_in_abyss"
        return self.turn.boosted(self.side) if counts else 1

    def _ap_change(self, amount: int) -> int:
        return amount * (self._factor("scale_ap_cost") if amount < 0 else self._boosted())

    def _ap(self, amount: int) -> None:
        change = self._ap_change(amount)
        self.side.ap += change
        self.turn.emit("6", "ap", seat=self.side.index, change=change, ap=self.side.ap)

    def _rp(self, amount: int) -> None:
        if amount > 0:
            amount *= self._factor("scale_rp_gain") * self._boosted()
        self.side.rp += amount
        self.turn.emit("6", "rp", seat=self.side.index, change=amount, rp=self.side.rp)

    def _treasure(self, amount: int, per: str) -> None:
        turn, side = self.turn, self.side
        if per == "team_member":
            turn.find(side, amount * turn.team(side, self.temp), main=not self.temp, temp=self.temp, each=amount)
        else:
            turn.find_by(side, amount, per)

    def _heal_all(self, where: str) -> None:
        """Heal the partners at a location (6, AB-Q35)."""
        turn, side, full_hp = self.turn, self.side, self.rulings.full_hp
        scope, afford = self.options["treatment_scope"], self.options["action_overdraft"]
        there = side.partners if side.home == where else []
        damaged = [partner for partner in there if partner.hp < full_hp[partner.type]]
        treated = tuple(there if scope == "all" else damaged)
        if scope == "chosen" and damaged:
            sets = partner_sets(damaged)
            payable = [some for some in sets if afford or not some or self._payment(len(some)) <= side.ap]
            treated = turn.ask(side, lambda: [Partners("treat", some) for some in payable]).partners
        price = self._payment(len(treated))
        if not afford and price > max(0, side.ap):
            turn.emit("AB-Q36", "too_dear", seat=side.index, card=self.card.id, price=price)
            return
        self.healed, rest = len(treated), Counter(side.partners) - Counter(treated)
        turn.place(side, [*rest.elements(), *(Partner(partner.type, full_hp[partner.type]) for partner in treated)])
        turn.emit("6", "heals", seat=side.index, partners=treated)

    def _payment(self, healed: int) -> int:
        """Return the AP paid for so many partners healed (6, 10.5)."""
        args = self.card.args("pay_per_healed")
        if args is None or not healed:
            return 0
        change, floor = self.side.traits.treatment
        return int(max(floor, args["amount"] * healed + change)) * self._factor("scale_ap_cost")

    def _pay_per_healed(self, **_: Any) -> None:
        if self.healed:
            price = self._payment(self.healed)
            self.side.ap -= price
            self.turn.emit("6", "ap", seat=self.side.index, change=-price, ap=self.side.ap)

    def _set_flag(self, flag: str) -> None:
        side = self.side
        if flag == "flashlight":
            side.flashlight = 1 if self.options["flashlight_expires"] == "when_used" else 2
            self.turn.emit("10.3", "flashlight", seat=side.index)
        else:
            side.explore_pending = side.explore_pending + 1 if self.options["explore_stack"] else 1
            self.turn.emit("10.1", "explores", seat=side.index)

    def _remove_partner(self) -> None:
        """Remove a partner of another seat (6, AB-Q29)."""
        turn, chooser = self.turn, self.options["assassination_chooser"]
        targets = self._targets("remove_partner")
        choices = [Target(victim.index) for victim in targets]
        if chooser == "attacker":
            choices = [Target(victim.index, one) for victim in targets for one in dict.fromkeys(victim.partners)]
        move = turn.ask(self.side, lambda: choices)
        victim, partner = turn.sides[move.seat], move.partner
        if chooser == "victim":
            each = [Partners("lose", (one,)) for one in dict.fromkeys(victim.partners)]
            (partner,) = turn.ask(victim, lambda: each).partners
        elif partner is None:
            names = [partner_text(one) for one in victim.partners]
            partner = victim.partners[names.index(turn.pick(names))]
        victim.partners.remove(partner)
        turn.emit("6", "removes", seat=self.side.index, other=victim.index, partner=partner)
        if self.options["assassination_penalty"]:
            turn.penalize(victim, victim.traits.penalties[partner.type], "AB-Q29")
        if victim.home == ABYSS:
            turn.lose_carrier(victim, 1)

    def _take_card(self) -> None:
        """Take a hand card of another seat (6, AB-Q30)."""
        turn, how = self.turn, self.options["theft_pick"]
        choices = [Target(victim.index) for victim in self._targets("take_card")]
        victim = turn.sides[turn.ask(self.side, lambda: choices).seat]
        if how == "random":
            card = turn.pick(victim.lots())
        else:
            chooser, verb = (victim, "give") if how == "owner_chooses" else (self.side, "take")
            card = turn.ask(chooser, lambda: [Cards(verb, (one,)) for one in victim.kinds()]).cards[0]
        victim.drop([card])
        self.side.take(card)
        turn.emit("6", "steals", seat=self.side.index, other=victim.index, card=card)

    def _targets(self, op: str) -> list[Side]:
        """Return the seats that the card can be aimed at, by seat (6)."""
        others = sorted(self.turn.others(self.side), key=lambda other: other.index)
        if op == "remove_partner":
            return [other for other in others if other.partners and other.home == self.location]
        return [other for other in others if other.hand and other.has_team_at(self.location)]

    def _exchange_cards(self) -> None:
        """Offer hand cards to the others in turn, and swap with the first who accepts (6.1)."""
        turn, side, others = self.turn, self.side, self.turn.others(self.side)
        if not others or not side.hand:
            turn.emit("AB-Q33", "nothing_to_exchange", seat=side.index)
            self.kept = self.options["transaction_alone"] == "returned"
            return
        move = turn.ask(side, lambda: [Cards("offer", cards) for cards in side.subsets(1, len(side.hand))])
        shown = self.options["transaction_offer"] == "shown"
        turn.emit("6.1", "offers", seat=side.index, cards=move.cards if shown else (), number=len(move.cards))
        for other in others:
            if given := self._reply(other, move.cards):
                side.drop(move.cards)
                other.drop(given)
                side.hand = sorted([*side.hand, *given])
                other.hand = sorted([*other.hand, *move.cards])
                turn.emit("6.1", "exchanges", seat=side.index, other=other.index, cards=move.cards, given=given)
                return
            turn.emit("6.1", "declines", seat=other.index)
        self.kept = True

    def _reply(self, other: Side, offered: Sequence[str]) -> tuple[str, ...]:
        """Return the cards that a seat gives, none where it declines or has too few."""
        number = len(offered)
        if len(other.hand) < number:
            return ()

        def replies() -> list[Word | Cards]:
            with self.side.without(offered):  # nobody else holds the same copies
                return [DECLINE, *(Cards("accept", cards) for cards in other.subsets(number, number))]

        move = self.turn.ask(other, replies)
        return move.cards if isinstance(move, Cards) else ()


class Stage(Round):
    """A stage: one seat's share of any step of a round, each a method of its name."""

    def act(self, side: Side) -> None:
        """Let a seat use its cards, main team before temp team (5.F)."""
        for team in teams_of(side.plan):
            card = team.card
            if card == UNKNOWN:  # it comes to light: nobody had seen it
                pool, away = sorted(set(side.pile.front)), unfit(self.rulings, Plan(card, team.location, None))[0]
                fitting = [one for one in pool if one not in away and side.pile.arrangements([one], away)]
                card = self.ask(side, lambda: [Cards("show", (other,)) for other in fitting]).cards[0]  # noqa: B023 - asked at once
                side.pile.turn_up(card)
            if card is not None:
                assert side.plan is not None
                spent = {"temp": TeamPlan(None, team.location)} if isinstance(team, TeamPlan) else {"card": None}
                side.plan = side.plan._replace(**spent)
                Use(self, side, team, self.rulings.cards[card]).run()
