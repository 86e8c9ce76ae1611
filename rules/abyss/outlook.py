"""How soon a goal can be met at best: an admissible bound on the stages it takes, for a player alone.

Round by round it adds up what a round can bring at most, nothing ever lost: everybody hired who can be paid for, every
member digging where a card for it can be at hand, the Event that is known or else the best one, the best gains printed
on cards. From round to round AP and RP are bounded apart, as if one round could serve both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from rules.abyss.content import ACTIONS, EVENTS, Card, Goal
from rules.abyss.rulings import Rulings
from rules.abyss.state import PHASES, Seat, Table

_CHOOSE: Final = PHASES.index("choose")
_DEAL: Final = PHASES.index("deal")
_ACT: Final = PHASES.index("act")
_EVENT: Final = PHASES.index("event")
_REFILL: Final = PHASES.index("refill")
_FAR: Final = 40
"""Rounds looked ahead."""


class Gain(NamedTuple):
    """What one card brings at most, treasure before the boost of a trip."""

    ap: int
    """AP apart from treasure; likewise ``rp``."""
    rp: int
    each: int
    """Treasure for each member."""
    flat: int
    """Treasure besides."""
    scale: int
    """Times that it makes RP gains of other cards count."""
    explores: bool
    """It can boost a later trip."""


_NOTHING: Final = Gain(0, 0, 0, 0, 1, explores=False)


class Outlook:
    """Bounds for one ruleset and one set of goals."""

    def __init__(self, rulings: Rulings, goals: tuple[Goal, ...]) -> None:
        self._rulings = rulings
        self._goals = goals
        option, rules = rulings.options, rulings.rules
        self._applies = rulings.players == 1 and not option["explore_stack"]
        self._factor = rules["boost_factor"]
        self._worth = self._factor if option["explore_doubling"] == "compound" else 1
        cards = [card for card in rulings.cards.values() if card.count]
        self._any_gain = self._factor if option["explore_sources"] == "any_in_abyss" else 1
        self._gains = {card.id: self._gain(card) for card in rulings.cards.values()}
        self._all = {deck: frozenset(card.id for card in cards if card.deck == deck) for deck in (ACTIONS, EVENTS)}
        same = option["give_up_draw"] == "same_number"
        self._drawn = rules["give_up_most"] if same else rules["give_up_draw"]
        """Cards drawn at most in step B."""

    def _gain(self, card: Card) -> Gain:
        points = {"ap": 0, "rp": 0}
        for effect in card.effects:
            if effect.op in ("ap", "ap_abyss", "rp"):
                points[effect.op[:2]] += max(0, effect.args["amount"])
        treasures = [effect.args for effect in card.effects if effect.op == "treasure"]
        return Gain(
            ap=points["ap"],
            rp=points["rp"],
            each=sum(args["amount"] for args in treasures if args["per"] != "flat"),
            flat=sum(args["amount"] for args in treasures if args["per"] == "flat"),
            scale=max((effect.args["factor"] for effect in card.effects if effect.op == "scale_rp_gain"), default=1),
            explores=any(effect.args.get("flag") == "explore_pending" for effect in card.effects),
        )

    def least_stages(self, table: Table, index: int) -> int:
        """Return a number of stages that a goal not yet met needs at least; 1 where nothing better is known.

        It is 1 with several players, or where Explore cards add up.
        """
        if not self._applies:
            return 1
        rules = self._rulings.rules
        seat = table.seats[index]
        phase = PHASES.index(table.phase)
        teams = 2 if self._rulings.traits[seat.identity].two_cards else 1
        price = self._cheapest(seat)
        ap, rp, members = seat.ap, seat.rp, len(seat.partners) + seat.temps
        explored = bool(seat.explore_pending) or (bool(seat.boost) and phase > _CHOOSE)
        for later in range(int(phase == _REFILL), _FAR):
            cards = [self._gains[card] for card in self._cards(table, seat, phase, later)]
            event = _best([self._gains[card] for card in self._events(table, seat, phase, later)])
            boosted = explored if later or phase <= _CHOOSE else bool(seat.boost)
            more = self._any_gain if boosted else 1
            factor = self._factor * self._worth if boosted else 1
            hired = self._hired(seat, ap, members, price) if later or phase == 0 else 0
            held = 0 if later else seat.treasure * (self._worth if boosted else 1)
            reached = []
            for card in _uses(cards, teams):
                direct = ap + card.ap * more, rp + card.rp * max(more, event.scale)
                if (phase <= _ACT or later) and any(goal.is_met(*direct) for goal in self._goals):
                    return _stages(phase, later, _ACT)
                each = (card.each + event.each) * factor
                flat = (card.flat + event.flat) * factor + held
                paid_back = hired * max(0, each * rules["treasure_ap"] - price)
                brought = (each * members + flat) * rules["treasure_ap"] + event.ap * factor
                fame = (each * (members + hired) + flat) * rules["treasure_rp"] + event.rp
                reached.append((direct[0] + paid_back + brought, direct[1] + fame))
            if any(goal.is_met(*points) for points in reached for goal in self._goals):
                return _stages(phase, later, _EVENT)
            ap, rp = (max(column) for column in zip(*reached, strict=True))
            members += hired
            explored = explored or any(gain.explores for gain in cards)
        return _stages(phase, _FAR, 0)

    def _cheapest(self, seat: Seat) -> int:
        """Return the least price of a member."""
        traits = self._rulings.traits[seat.identity]
        return min(traits.prices if traits.temp_price is None else (*traits.prices, traits.temp_price))

    def _hired(self, seat: Seat, ap: int, members: int, price: int) -> int:
        """Return how many members can come at most."""
        rulings = self._rulings
        paid = max(0, ap) // price
        if rulings.cap is None:
            return paid
        temp_price = rulings.traits[seat.identity].temp_price
        outside = 0 if temp_price is None or rulings.options["cap_counts_temps"] else max(0, ap) // temp_price
        room = max(0, max(rulings.cap, len(seat.partners)) + outside - members)
        return room if rulings.options["hire_overdraft"] else min(paid, room)

    def _cards(self, table: Table, seat: Seat, phase: int, later: int) -> Iterable[str]:
        """Return the Action cards that the seat may use in a round, this one or a later one."""
        plan = seat.plan
        laid = [] if plan is None else [plan.card, plan.temp and plan.temp.card]
        waiting = [card for card in laid if card is not None]
        if not later and phase > _CHOOSE:
            return waiting if phase <= _ACT else ()
        draws = later * (self._drawn + self._rulings.rules["refill_cards"]) + (self._drawn if phase == 0 else 0)
        pile = (*table.actions.front, *table.actions.back)
        if draws and (draws > len(pile) or not self._rulings.chance.is_open("actions")):
            return self._all[ACTIONS]
        return {*seat.hand, *waiting, *pile[:draws]}

    def _events(self, table: Table, seat: Seat, phase: int, later: int) -> Iterable[str]:
        """Return the Events that may be turned up in a round, this one or a later one."""
        if not later and phase > _DEAL:
            return () if seat.event is None else (seat.event,)
        place = later if phase <= _DEAL else later - 1
        pile = (*table.events.front, *table.events.back)
        known = self._rulings.chance.is_open("events") and place < len(pile)
        return pile[place : place + 1] if known else self._all[EVENTS]


def _best(gains: Iterable[Gain]) -> Gain:
    """Return the best of each gain over several cards."""
    found = tuple(gains)
    return Gain(*(max(column) for column in zip(*found, strict=True))) if found else _NOTHING


def _uses(cards: Sequence[Gain], teams: int) -> list[Gain]:
    """Return what the cards of a round can bring: one card or none, or two teams with the best of everything each."""
    if teams == 1:
        return [_NOTHING, *dict.fromkeys(cards)]
    best = _best(cards)
    return [best._replace(ap=teams * best.ap, rp=teams * best.rp, flat=teams * best.flat)]


def _stages(phase: int, later: int, step: int) -> int:
    """Return the stages up to and with a step of a round."""
    return max(1, len(PHASES) * later + step + 1 - phase)
