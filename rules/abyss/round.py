"""The steps of a round but the use of Action cards: A to E and G to I (5, 7).

Cards are given up and drawn, partners hired, plans announced, Events dealt and turned up, treasure found and cashed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice, product
from typing import Any, Final

from rules.abyss.content import Card
from rules.abyss.state import ABYSS, ANY, CITY, PHASES, Carried, Partner, Plan, TeamPlan, is_at
from rules.abyss.turn import CASH, DRAW, LEAVE, NO_DRAW, Cards, Choose, Hire, Partners, Side, Turn, shown_at_once, unfit
from rules.core.errors import UnsupportedRuleset
from rules.core.scripts import UNKNOWN

# Steps A to D

UNLIMITED: Final = 10**9
MOST_WAYS: Final = 200_000
"""Ways to hire that one menu has at most; the richest purse of a usual game has some hundreds."""


def partner_sets(partners: Sequence[Partner]) -> list[tuple[Partner, ...]]:
    """Return the different sets of partners, the empty one included, smaller ones first."""
    ways = product(*([(one,) * n for n in range(number + 1)] for one, number in Counter(partners).items()))
    return sorted((tuple(chain.from_iterable(way)) for way in ways), key=len)


@lru_cache(128)  # a search asks for few purses again and again, each with hundreds of ways to spend it
def _within(*limits: Any, temps_need_room: bool) -> tuple[Hire, ...]:
    """Return the ways to hire within some limits, or refuse where these are more than anybody could look at."""
    ways = tuple(islice(ways_to_hire(*limits, temps_need_room=temps_need_room), MOST_WAYS + 1))
    if len(ways) > MOST_WAYS:
        refused = f"a purse of {limits[3]} AP, for which there are more than {MOST_WAYS:,} ways to hire,"
        raise UnsupportedRuleset([refused])
    return ways


def ways_to_hire(
    types: tuple[str, ...],
    prices: tuple[int, ...],
    temp_price: int | None,
    budget: int,
    room: int,
    supply: tuple[int, ...],
    *,
    temps_need_room: bool,
) -> Iterator[Hire]:
    """Yield what may be hired for so many AP with so much room; the definition refuses rules without any bound."""

    def of_type(place: int, budget: int, room: int, chosen: tuple[tuple[str, int], ...]) -> Iterator[Hire]:
        if place == len(types):
            most = 0 if temp_price is None else min(budget // temp_price, room if temps_need_room else UNLIMITED)
            yield from (Hire(chosen, temps) for temps in range(most + 1))
            return
        for number in range(min(budget // prices[place], room, supply[place]) + 1):
            more = (*chosen, (types[place], number)) if number else chosen
            yield from of_type(place + 1, budget - number * prices[place], room - number, more)

    return of_type(0, budget, room, ())


# Ops of Event cards


class Happening:
    """One Event that works on a seat; each op is a method of its name that takes the keys of the op."""

    def __init__(self, turn: Round, side: Side, card: Card) -> None:
        self.turn, self.side, self.card = turn, side, card
        self.options = turn.rulings.options

    def run(self) -> None:
        """Carry out the effects of the card in their order."""
        for effect in self.card.effects:
            getattr(self, f"_{effect.op}")(**effect.args)

    def _too_late(self, **_: Any) -> None:
        """Do nothing: a modifier turned up after the actions comes too late (AB-Q19)."""

    _cancel_actions = _scale_ap_cost = _scale_rp_gain = _too_late

    def _ap_abyss(self, amount: int) -> None:
        turn, side = self.turn, self.side
        if not turn.members(side):
            return
        found = amount * turn.boosted(side)
        side.ap += found
        turn.emit("7", "ap", seat=side.index, change=found, ap=side.ap)
        if self.options["explore_expires"] == "next_gain" and not side.treasure:
            side.boost = 0  # this was the gain the mark waited for, and the round's treasure does not show it

    def _treasure(self, amount: int, per: str) -> None:
        if self.turn.members(self.side):
            self.turn.find_by(self.side, amount, per)

    def _damage(self, amount: int, where: str) -> None:
        """Take HP from every partner at a location, all at once (7, 10.2)."""
        turn, side, rulings = self.turn, self.side, self.turn.rulings
        change, floor = side.traits.damage[where]
        boost = side.boost * rulings.rules["boost_damage"] if where == ABYSS else 0
        loss = max(floor, amount + boost + change)
        partners = side.partners if side.home == where else []
        temps = side.temps_at(where) if rulings.temp_hp is not None else 0
        if not (partners or temps) or loss <= 0:
            return
        if self.card.flashlight_stops and side.flashlight:
            if self.options["flashlight_expires"] == "when_used":
                side.flashlight = 0
            turn.emit("10.3", "lit", seat=side.index, card=self.card.id)
            return
        turn.emit("7", "damaged", seat=side.index, number=len(partners), loss=loss)
        dead = [partner for partner in partners if partner.hp <= loss]
        if partners:
            turn.place(side, [Partner(one.type, one.hp - loss) for one in partners if one.hp > loss])
        dead_temps = temps if rulings.temp_hp is not None and rulings.temp_hp <= loss else 0
        side.temps -= dead_temps
        if where == ABYSS:
            turn.lose_carrier(side, len(dead), dead_temps if rulings.temps_count else 0)
        if dead or dead_temps:
            penalty = sum(side.traits.penalties[partner.type] for partner in dead)
            turn.emit("7", "die", seat=side.index, partners=dead, temps=dead_temps)
            turn.penalize(side, penalty + dead_temps * (side.traits.temp_price or 0), "7")

    def _lose_card(self) -> None:
        """Lose a hand card to the used Action pile (7, AB-Q34)."""
        turn, side = self.turn, self.side
        if not side.hand:
            return
        if self.options["be_theft_pick"] == "owner":
            lost = turn.ask(side, lambda: [Cards("give", (one,)) for one in side.kinds()]).cards[0]
        else:
            lost = turn.pick(side.lots())
        side.drop([lost])
        turn.actions.discard([lost])
        turn.emit("7", "loses_card", seat=side.index, card=lost)


class Round(Turn):
    """A stage with the steps of a round but the use of Action cards."""

    def prepare(self, side: Side) -> None:
        """Let a seat give up cards and hire (5.B); before the first one piles too small are reshuffled (5.A)."""
        for pile in (self.events, self.actions) if side.index == self.order[0] else ():
            if len(pile) < self.rulings.players:
                self.reshuffle(pile)
        rules, options = self.rulings.rules, self.rulings.options
        most = rules["give_up_most"]
        given = self.ask(side, lambda: [Cards("give_up", each) for each in side.subsets(0, most)]).cards
        if given:  # AB-Q10
            side.drop(given)
            self.actions.discard(given)
            self.emit("5.B", "gives_up", seat=side.index, cards=given)
            same = options["give_up_draw"] == "same_number"
            self.draw_cards(side, len(given) if same else rules["give_up_draw"], "5.B")
        if options["dismiss"] and side.partners:  # AB-Q14
            sent = self.ask(side, lambda: [Partners("dismiss", each) for each in partner_sets(side.partners)]).partners
            for partner in sent:
                side.partners.remove(partner)
            if sent:
                self.emit("AB-Q14", "dismisses", seat=side.index, partners=sent)
        if options["hire_when"] == "before_choice":
            side.paid = self.hire(side)
        self.check(side)

    def draw_cards(self, side: Side, number: int, rule: str) -> None:
        """Draw Action cards one after another, as far as there are any."""
        for _ in range(number):
            if (card := self.draw(self.actions, side)) is not None:
                side.take(card)
                self.emit(rule, "draws", seat=side.index, card=card)

    def hire(self, side: Side) -> int:
        """Let a seat hire partners and take temporary ones; return the AP paid (5.B)."""
        move = self.ask(side, lambda: self.hires(side))
        if not (move.numbers or move.temps):
            return 0
        rulings = self.rulings
        price = move.temps * (side.traits.temp_price or 0)
        partners = list(side.partners)
        for kind, number in move.numbers:
            price += number * side.traits.prices[rulings.place[kind]]
            partners += [Partner(kind, rulings.full_hp[kind])] * number
        side.ap -= price
        side.temps = move.temps
        self.place(side, partners)
        self.emit("5.B", "hires", seat=side.index, numbers=move.numbers, temps=move.temps, price=price, ap=side.ap)
        return price

    def hires(self, side: Side) -> tuple[Hire, ...]:
        """Return every number of partners of each type, and of temporary ones, that the seat may hire (5.B, 11)."""
        rulings, traits = self.rulings, side.traits
        return _within(
            rulings.types,
            traits.prices,
            traits.temp_price,
            UNLIMITED if rulings.options["hire_overdraft"] else max(0, side.ap),
            UNLIMITED if rulings.cap is None else max(0, rulings.cap - len(side.partners)),
            tuple(self._supply(kind) for kind in rulings.types),
            temps_need_room=rulings.options["cap_counts_temps"],
        )

    def _supply(self, kind: str) -> int:
        """Return how many partners of a type are left for hire (AB-Q7)."""
        if kind not in self.rulings.supply:
            return UNLIMITED
        hired = sum(partner.type == kind for side in self.in_order() for partner in side.partners)
        return max(0, self.rulings.supply[kind] - hired)

    def choose(self, side: Side) -> None:
        """Let a seat lay its plan aside without showing it; the last seat's choice is followed by the announcement."""
        side.plan = plan = self.ask(side, lambda: self._plans(side)).plan
        side.drop(plan.cards)
        if self.rulings.options["announcement"] == "sequential":
            self.emit("AB-Q15", "shows_plan", seat=side.index, plan=plan)
        else:
            self.emit("5.C", "plans", seat=side.index)
        if self.is_last:
            self._announce()

    def _plans(self, side: Side) -> list[Choose]:
        """Return every plan open to a seat (5.C, 11)."""
        hired, temps = len(side.partners), side.temps if self.rulings.temps_count else 0
        found = [Choose(Plan(*team, None)) for team in self._teams(side, hired + temps, may_rest=True)]
        if not side.traits.two_cards or not (side.temps or self.rulings.options["second_action"] == "free"):
            return found
        for card, location in self._teams(side, hired, may_rest=True):
            with side.without([] if card is None else [card]):
                laid = unfit(self.rulings, Plan(card, location, None))
                second = self._teams(side, temps, may_rest=False, laid=laid)
            found += [Choose(Plan(card, location, TeamPlan(*team))) for team in second]
        return found

    def _teams(
        self, side: Side, members: int, *, may_rest: bool, laid: Sequence[frozenset[str]] = ()
    ) -> list[tuple[str | None, str]]:
        """Return the cards a team may use and where it may be with them (5.C); others may be ``laid`` already."""
        found: list[tuple[str | None, str]] = [(None, CITY)] if may_rest else []
        if not members and self.rulings.options["empty_team"] == "no_action":
            return found
        places = (CITY, ABYSS) if members else (CITY,)
        for card in side.kinds():
            limit = self.rulings.cards[card].location
            found += [(card, place) for place in places if limit in (place, ANY)]
        for place in places if UNKNOWN in side.hand else ():
            if side.pile.arrangements((), None, [*laid, *unfit(self.rulings, Plan(UNKNOWN, place, None))]):
                found.append((UNKNOWN, place))
        return found

    def _announce(self) -> None:
        """Show all locations at once, and let the trips begin that an Explore mark boosts (5.D, 10.1)."""
        for side in self.in_order():
            if (plan := side.plan) is None:
                continue
            temp = plan.temp and plan.temp.location
            self.emit("5.D", "announces", seat=side.index, location=plan.location, temp=temp)
            if side.explore_pending and side.has_team_at(ABYSS):
                side.boost, side.explore_pending = side.explore_pending, 0
                self.emit("5.D", "boosted", seat=side.index)

    # Steps E, G and H

    def deal(self, side: Side) -> None:
        """Deal a seat its Event card; a modifier is turned up where it works (5.E)."""
        side.event = self.draw(self.events, side)
        if side.event is None:
            self.emit("9.2", "no_event", seat=side.index)
            return
        self.emit("5.E", "dealt", seat=side.index)
        if side.event == UNKNOWN:
            return
        card = self.rulings.cards[side.event]
        whole = self.rulings.options["modifier_timing"] == "whole_round"
        if card.is_modifier and whole and is_at(side.plan, card.location):
            side.event_up = True
            self.emit("5.E", "modifier", seat=side.index, card=card.id)
            if (scaled := card.args("scale_ap_cost")) is not None:
                if self.rulings.options["short_covers"] != "actions":  # what was paid in step B is paid again (AB-Q20)
                    for owner in (one for one in self._touched(side, card) if one.paid):
                        price = owner.paid * (scaled["factor"] - 1)
                        owner.ap -= price
                        self.emit("5.E", "pays_again", seat=owner.index, price=price, ap=owner.ap)
                self.check(side)

    def _touched(self, side: Side, card: Card) -> list[Side]:
        """Return the seats on which an Event works, its drawer first (AB-Q17, AB-Q18)."""
        if card.icon and self.rulings.icon_for_all:
            return [side, *self.others(side)]
        if card.unowned and self.rulings.everyone:
            return [side, *(other for other in self.others(side) if is_at(other.plan, card.location))]
        return [side]

    def event(self, side: Side) -> None:
        """Turn up a seat's Event and let it work; after the last seat everybody returns (5.G, 5.H)."""
        if side.event is not None:
            if side.event == UNKNOWN:  # one that works at once would have been turned up (5.E)
                side.event = None
                who = f"seat {side.index + 1} turns up" if self.rulings.players > 1 else "is turned up"
                self.script.purpose = f"the Event that {who}"
                side.event = self.next_card(self.events, shown_at_once(self.rulings, side.plan))
                self.events.turn_up(side.event)
            card = self.rulings.cards[side.event]
            if not side.event_up:
                self.emit("5.G", "event", seat=side.index, card=card.id)
                if is_at(side.plan, card.location):
                    for owner in self._touched(side, card):
                        Happening(self, owner, card).run()
                elif card.effects:
                    self.emit("5.G", "misses", seat=side.index, card=card.id)
            self.events.discard([card.id])
            side.event, side.event_up = None, False
            if not self.rulings.icon_for_all:
                side.carried = None  # nothing can take a member of this seat any more
            self.check(side)
        if self.is_last:
            self._return_home()

    # Treasure

    def boosted(self, side: Side) -> int:
        """Return how many times a gain of this round's trip counts (10.1)."""
        return int(self.rulings.rules["boost_factor"] ** side.boost)

    def find_by(self, side: Side, amount: int, per: str) -> None:
        """Add so much treasure for each member in the Abyss, or once for all."""
        if per == "flat":
            self.find(side, amount)
        else:
            self.find(side, amount * self.members(side), main=True, temp=True, each=amount)

    def find(self, side: Side, amount: int, *, main: bool = False, temp: bool = False, each: int = 0) -> None:
        """Add treasure, as far as there is any (AB-Q39); ``each`` member of the teams named carries so much of it."""
        amount *= self.boosted(side)
        if (supply := self.rulings.treasure_supply) is not None:
            amount = min(amount, max(0, supply - sum(one.treasure for one in self.in_order())))
        carried = side.carried or self.usual_carried(side)
        side.treasure += amount
        if self.rulings.own_carrier:
            each *= self.boosted(side)
            self._carry(side, Carried(carried.main + (each if main else 0), carried.temp + (each if temp else 0)))
        self.emit("10.1" if side.boost else "6", "finds", seat=side.index, number=amount, treasure=side.treasure)

    def _carry(self, side: Side, carried: Carried) -> None:
        """Note what each member carries, where it does not show and can still be lost (AB-Q38)."""
        at_stake = side.event is not None or self.rulings.icon_for_all
        side.carried = carried if at_stake and carried != self.usual_carried(side) else None

    def lose_carrier(self, side: Side, hired: int, temps: int = 0) -> None:
        """Take away what hired and temporary partners carried who have just left the Abyss for good (AB-Q38)."""
        if not self.rulings.own_carrier or not side.treasure:
            return
        members = self.members(side) + hired + temps
        each = side.treasure // members if members else 0
        carried = side.carried or Carried(each, each)
        apart = side.plan is not None and side.plan.temp is not None
        lost = min(side.treasure, carried.main * hired + (carried.temp if apart else carried.main) * temps)
        side.treasure -= lost
        self._carry(side, carried)
        if lost:
            self.emit("AB-Q38", "treasure_lost", seat=side.index, number=lost)

    def _return_home(self) -> None:
        """Bring every team back to the City and cash what it found (5.H)."""
        for side in self.in_order():
            if side.has_team_at(ABYSS):
                self._cash(side)
                if side.boost and not side.treasure and self.rulings.options["explore_expires"] == "next_gain":
                    side.explore_pending = max(side.explore_pending, side.boost)
                side.treasure = side.boost = 0
                side.carried = None
                self.check(side)
        for side in self.in_order():
            side.plan = None

    def _cash(self, side: Side) -> None:
        found, options, rules = side.treasure, self.rulings.options, self.rulings.rules
        if not found:
            self.emit("5.H", "returns", seat=side.index)
        elif not self.members(side):
            self.emit("AB-Q38", "treasure_lost", seat=side.index, number=found)
        elif options["treasure_cash"] == "optional" and self.ask(side, lambda: [CASH, LEAVE]) == LEAVE:
            self.emit("AB-Q37", "leaves_treasure", seat=side.index, number=found)
        else:
            value = found * (self.boosted(side) if options["explore_doubling"] == "compound" else 1)
            side.ap += value * rules["treasure_ap"]
            side.rp += value * rules["treasure_rp"]
            self.emit("5.H", "cashes", seat=side.index, number=found, ap=side.ap, rp=side.rp)

    def usual_carried(self, side: Side) -> Carried:
        """Return what each member carries if the treasure is shared out evenly in the Abyss (AB-Q38)."""
        members, plan = self.members(side), side.plan
        each = side.treasure // members if members else 0
        temp = plan is not None and plan.temp is not None and plan.temp.location == ABYSS
        return Carried(each if side.home == ABYSS else 0, each if temp else 0)

    # Step I

    def refill(self, side: Side) -> None:
        """Send temporary partners home and refill the hand (5.I)."""
        rules, options = self.rulings.rules, self.rulings.options
        side.temps = side.paid = 0
        if side.flashlight and options["flashlight_expires"] == "end_of_next_round":
            side.flashlight -= 1
        may_draw = len(side.hand) < rules["refill_below"] and self.round >= options["first_refill_round"]
        answers = [DRAW] if options["refill"] == "forced" else [NO_DRAW, DRAW]
        if may_draw and (len(self.actions) or self.actions.used) and self.ask(side, lambda: answers) == DRAW:
            self.draw_cards(side, rules["refill_cards"], "5.I")
        if options["hire_when"] == "end_of_round":
            self.hire(side)
            self.check(side)

    def end_round(self) -> None:
        """Check at the end of the round where that is the time, then begin the next one (5.I, AB-Q42, AB-Q46)."""
        rulings = self.rulings
        if not rulings.immediate:
            self.settle_goals(self.seat, self.order)
        if rulings.round_limit is not None and self.round >= rulings.round_limit:
            self.emit("AB-Q46", "limit", rounds=self.round)
            self.end(self.seat)
        self.round += 1
        self.phase, self.seat = PHASES[0], rulings.order(self.round)[0]
        self.emit("5.I", "round", round=self.round)
