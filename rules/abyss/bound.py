"""How soon a player alone can meet a goal at best: an admissible bound in rounds, and in stages from within a round.

It follows every use of cards within reach in a kinder world. Every member comes at the least price, and only for a trip
on which their treasure pays it. Cards take nothing and are never used up once they are within reach. Nobody loses HP
or is paid for when dead. The cap counts hired partners alone. In that world nothing takes AP before a trip, so members
cost no more then. What is out of reach there is out of reach in the game.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

from rules.abyss.content import ACTIONS, EVENTS, Card, Goal, Rulings, Traits
from rules.abyss.state import ABYSS, CITY, PHASES, Seat, Table
from rules.core.scripts import UNKNOWN

Purse = tuple[int, int]
"""AP and RP."""
MOST: Final = 120
"""Members of one seat that anybody looks at where there is no cap."""
_FAR: Final = 40
"""Rounds looked ahead by stages."""
_CHOOSE, _DEAL, _ACT, _EVENT, _REFILL = range(1, len(PHASES))


class Gain(NamedTuple):
    """What a card brings at most, treasure before the boost of a trip."""

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
    place: str
    """Where it works, empty for anywhere."""


NOTHING: Final = Gain(0, 0, 0, 0, 1, explores=False, place="")


def gain_of(card: Card) -> Gain:
    """Return what a card brings at most."""
    points = {
        name: sum(max(0, effect.args["amount"]) for effect in card.effects if effect.op in (name, f"{name}_abyss"))
        for name in ("ap", "rp")
    }
    treasures = [effect.args for effect in card.effects if effect.op == "treasure"]
    return Gain(
        **points,
        each=sum(args["amount"] for args in treasures if args["per"] != "flat"),
        flat=sum(args["amount"] for args in treasures if args["per"] == "flat"),
        scale=max((effect.args["factor"] for effect in card.effects if effect.op == "scale_rp_gain"), default=1),
        explores=any(effect.args.get("flag") == "explore_pending" for effect in card.effects),
        place=card.location if card.location in (ABYSS, CITY) else "",
    )


class Standing(NamedTuple):
    """What a seat has between two rounds."""

    ap: int
    rp: int
    hired: int
    explored: bool
    """The next trip counts more."""


class RoundBound:
    """Says whether a goal may be met in some rounds; ``uses`` and ``events`` are what each round may bring.

    Beyond their end rounds are as the last ones.
    """

    def __init__(
        self,
        rulings: Rulings,
        traits: Traits,
        goals: tuple[Goal, ...],
        uses: Sequence[Iterable[Gain]],
        events: Sequence[Iterable[Gain]],
    ) -> None:
        self._rulings, self._temp_price = rulings, traits.temp_price
        self._goals = [(goal.ap, goal.rp) for goal in goals]
        rules, option = rulings.rules, rulings.options
        # What a second card adds is only there for who can pay somebody to use it.
        self._single = [_undominated(gains) for gains in uses]
        self._paired = [_undominated(pairs(gains)) for gains in uses] if traits.two_cards else self._single
        self._events = [_undominated(gains) for gains in events]
        self._steady = all(row == rows[0] for rows in (self._single, self._paired, self._events) for row in rows)
        self._cap = MOST if rulings.cap is None else rulings.cap
        self._factor = rules["boost_factor"]
        self._compound = self._factor if option["explore_doubling"] == "compound" else 1
        self._any_gain = self._factor if option["explore_sources"] == "any_in_abyss" else 1
        self.stays = option["explore_expires"] != "next_trip"
        """A mark may outlast a trip."""
        self._treasure = rules["treasure_ap"], rules["treasure_rp"]
        self._price = min(*traits.prices, *([] if traits.temp_price is None else [traits.temp_price]), MOST)
        """The least price of a member; temporary partners are taken to stay."""
        self._purses: defaultdict[tuple[int, ...], tuple[list[Purse], list[Purse]]] = defaultdict(lambda: ([], []))
        """The least purses that may reach a goal and the greatest that cannot, by the rest of a standing and rounds."""

    def meets(self, ap: int, rp: int) -> bool:
        """Return whether a purse meets a goal."""
        for least_ap, least_rp in self._goals:  # noqa: SIM110 (asked millions of times; a generator takes twice as long)
            if ap >= least_ap and rp >= least_rp:
                return True
        return False

    def reachable(self, now: Standing, gone: int, left: int) -> bool:
        """Return false only where no goal can be met in ``left`` rounds, after ``gone`` others."""
        if self.meets(now.ap, now.rp):
            return True
        if left <= 0:
            return False
        ap, rp, *rest = now
        reached, lost = self._purses[(*rest, 0 if self._steady else gone, left)]
        if any(more_ap >= ap and more_rp >= rp for more_ap, more_rp in lost):
            return False
        if any(less_ap <= ap and less_rp <= rp for less_ap, less_rp in reached):
            return True
        found = any(
            self.reachable(after, gone + 1, left - 1)
            for use, event in self._uses(now, gone)
            for after in self.after(now, use, event)
        )
        if found:
            reached[:] = [*(one for one in reached if one[0] < ap or one[1] < rp), (ap, rp)]
        else:
            lost[:] = [*(one for one in lost if one[0] > ap or one[1] > rp), (ap, rp)]
        return found

    def _uses(self, now: Standing, gone: int) -> Iterator[tuple[Gain, Gain]]:
        """Yield what cards and an Event may bring in a round."""
        pays = self._temp_price is not None and now.ap >= self._temp_price
        second = pays or self._rulings.options["second_action"] == "free"
        for use in (self._paired if second else self._single)[min(gone, len(self._single) - 1)]:
            for event in self._events[min(gone, len(self._events) - 1)]:
                yield use, event

    def after(
        self, now: Standing, use: Gain, event: Gain, *, place: str = "", seat: Seat | None = None
    ) -> Iterator[Standing]:
        """Yield what a round can make of a standing; ``place`` is where a plan sends everybody, if it is known.

        Of a round under way a ``seat`` says who has been taken along for it, and what has been found.
        """
        more = self._any_gain if now.explored else 1
        # A card used at home may count more while the other team finds treasure.
        ap, rp = now.ap + use.ap * more, now.rp + use.rp * max(more, event.scale)
        if use.place != ABYSS and place != ABYSS:
            yield Standing(ap, rp, now.hired, now.explored or use.explores)
        if use.place == CITY or place == CITY:
            return
        factor = self._factor if now.explored else 1
        multiple = factor * (self._compound if now.explored else 1)
        each = (use.each + event.each) * multiple
        found = (use.flat + event.flat) * multiple
        if seat is None:
            hired, taken, paid = self._hires(now, each)
        else:
            hired, taken, paid = 0, seat.temps, 0
            found += seat.treasure * (multiple // factor)
        found += each * (now.hired + hired + taken)
        more_ap, more_rp = self._treasure
        yield Standing(
            ap + event.ap * factor - paid + found * more_ap,
            rp + found * more_rp,
            now.hired + hired,
            use.explores or (self.stays and now.explored),
        )

    def _hires(self, now: Standing, each: int) -> tuple[int, int, int]:
        """Return who comes along where each finds so much: those hired, those whom no cap counts, and their price.

        Nobody comes who does not make good for the price, so it never takes AP.
        """
        if not each:
            return 0, 0, 0
        options, price = self._rulings.options, self._temp_price
        purse = 10**6 if options["hire_overdraft"] else max(0, now.ap)
        hired = min(max(0, self._cap - now.hired), purse // self._price)
        outside = 0 if price is None or options["cap_counts_temps"] else (purse - hired * self._price) // price
        worth = each * self._treasure[0]
        return hired, outside, hired * min(self._price, worth) + outside * min(price or 0, worth)


class StageBound:
    """Bounds by stages on all tables that play can lead to from one table; nothing with several players.

    Stages of one round are not told apart after the first in which a goal may be met, that of the cards.
    """

    def __init__(self, rulings: Rulings, goals: tuple[Goal, ...], table: Table, index: int) -> None:
        self._rulings, self._first = rulings, table.round
        seat, chance = table.seats[index], rulings.chance
        self._gains = {card.id: gain_of(card) for card in rulings.cards.values()}
        box = [[c.id for c in rulings.cards.values() if c.deck == deck and c.count] for deck in (ACTIONS, EVENTS)]
        every = [self._gained(names) for names in box]
        pile = (*table.action_pile.front, *table.action_pile.back) if chance.is_open("actions") else ()
        uses = [self._gained((*seat.hand, *seat.laid, *pile[:seen])) for seen in cards_seen(rulings, len(pile))]
        events = (*table.event_pile.front, *table.event_pile.back) if chance.is_open("events") else ()
        over = [{NOTHING}] if table.phase == PHASES[_REFILL] else []  # the Event of the round is gone
        self._unknown = every[1]
        dealt = [self._dealt(seat)] if seat.event else []
        self._events = [*over, *dealt, *({self._gains[name]} for name in events), every[1]]
        self._bound = RoundBound(rulings, rulings.traits[seat.identity], goals, [*uses, every[0]], self._events)
        self._applies = rulings.players == 1 and not rulings.options["explore_stack"]

    def _gained(self, cards: Iterable[str]) -> set[Gain]:
        return {NOTHING, *(self._gains[name] for name in cards)}

    def _dealt(self, seat: Seat) -> set[Gain]:
        return self._unknown if seat.event in (None, UNKNOWN) else {self._gains[seat.event]}

    def least(self, table: Table, index: int) -> int:
        """Return a number of stages that a goal not yet met needs at least; 1 where nothing better is known."""
        if not self._applies:
            return 1
        seat, phase, gone = table.seats[index], PHASES.index(table.phase), table.round - self._first
        now = Standing(seat.ap, seat.rp, len(seat.partners), explored=bool(seat.explore_pending))
        nows = self._this_round(seat, phase, gone, now) if 0 < phase < _REFILL else [now]
        for left in range(_FAR):
            if any(self._bound.reachable(one, gone + (phase > 0), left) for one in nows):
                return max(1, len(PHASES) * (left - (not phase)) + _ACT + 1 - phase)
        return len(PHASES) * _FAR

    def _this_round(self, seat: Seat, phase: int, gone: int, now: Standing) -> list[Standing]:
        """Return what the round under way can make of a seat that has hired."""
        cards = [*seat.hand] if phase <= _CHOOSE else seat.laid
        uses, place = [NOTHING, *(self._gains[card] for card in cards)], ""
        if seat.temps or self._rulings.options["second_action"] == "free":
            uses = pairs(dict.fromkeys(uses))
        if phase > _CHOOSE and seat.plan is not None:
            place = seat.plan.location if seat.plan.temp is None else ""
            now = now._replace(explored=bool(seat.boost)) if place != CITY else now
        if phase > _DEAL:
            events: Iterable[Gain] = self._dealt(seat) if seat.event else {NOTHING}
        else:
            events = self._events[min(gone, len(self._events) - 1)]
        rounds = [(use, event) for use in _undominated(uses) for event in events]
        found = [
            (use, one) for use, event in rounds for one in self._bound.after(now, use, event, place=place, seat=seat)
        ]
        if phase <= _CHOOSE:
            return [one for _, one in found]
        # A mark is used up by the trip of this round, whatever the team at home does; only a new one waits.
        waits = bool(seat.explore_pending or (self._bound.stays and seat.boost))
        return [one._replace(explored=waits or use.explores) for use, one in found]


def cards_seen(rulings: Rulings, size: int) -> list[int]:
    """Return how many cards of a pile are within reach in each round that comes before its first reshuffle.

    What is used before that does not come back.
    """
    rules = rulings.rules
    given = rules["give_up_most" if rulings.options["give_up_draw"] == "same_number" else "give_up_draw"]
    each = given + rules["refill_cards"]
    return [given + gone * each for gone in range((size - given) // each + 1 if each else _FAR)]


def pairs(gains: Iterable[Gain]) -> list[Gain]:
    """Return what one team or two can bring: both cards' points, but every member digs once."""
    found = list(gains)
    for one, other in combinations_with_replacement(tuple(found), 2):
        places = {one.place, other.place}
        place = ABYSS if ABYSS in places else CITY if places == {CITY} else ""
        points = one.ap + other.ap, one.rp + other.rp, max(one.each, other.each), one.flat + other.flat
        explores = one.explores or other.explores
        found.append(Gain(*points, scale=max(one.scale, other.scale), explores=explores, place=place))
    return found


def _undominated(gains: Iterable[Gain]) -> list[Gain]:
    """Return the gains that no other one is above in everything, wherever that works."""
    found = list(dict.fromkeys(gains))
    return [gain for gain in found if not any(_above(other, gain) for other in found)]


def _above(one: Gain, other: Gain) -> bool:
    more = one != other and all(mine >= its for mine, its in zip(one[:-1], other[:-1], strict=True))
    return more and one.place in ("", other.place)
