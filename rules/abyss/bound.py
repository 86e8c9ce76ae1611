"""How soon a player alone can meet a goal at best: an admissible bound in rounds, and in stages from within a round.

It follows every use of cards within reach in a kinder world. Every member comes at the least price, and only for a trip
on which their treasure pays it. Cards take nothing and are never used up once they are within reach. Nobody loses HP
or is paid for when dead. The cap counts hired partners alone. In that world nothing takes AP before a trip, so members
cost no more then. What is out of reach there is out of reach in the game.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

from rules.abyss.content import ACTIONS, EVENTS, Card, Goal, Rulings, Traits
from rules.abyss.state import ABYSS, CITY, PHASES, Seat, Table

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
        place=card.location if card.location in (ABYSS, CITY) else "",
    )


class Harm(NamedTuple):
    """What an adversary does for certain: the same Event on every trip, another one at home."""

    loss: int
    """HP that each member loses on a trip, the identity's change included; 0 for none."""
    idle: bool
    """No card that is used at home has any effect."""


NO_HARM: Final = Harm(0, idle=False)


class Standing(NamedTuple):
    """What a seat has between two rounds."""

    ap: int
    rp: int
    weak: int
    """Hired partners whom the harm of a trip kills even at full HP."""
    strong: int
    """The others."""
    explored: bool
    """The next trip counts more."""


class RoundBound:
    """Says whether a goal may be met in some rounds; ``uses`` and ``events`` are what each round may bring.

    Beyond their end rounds are as the last ones. With ``harm`` partners who do not survive a trip are gone after it;
    the others are never hurt. Somebody has to survive to bring treasure home. Temporary partners always do; where they
    can go by themselves, everybody else may stay at home. Where the harm leaves cards at home without effect, a round
    at home is one round less and nothing else.
    """

    def __init__(
        self,
        rulings: Rulings,
        traits: Traits,
        goals: tuple[Goal, ...],
        uses: Sequence[Iterable[Gain]],
        events: Sequence[Iterable[Gain]],
        harm: Harm = NO_HARM,
    ) -> None:
        self._rulings, self._traits, self._harm = rulings, traits, harm
        self._goals = [(goal.ap, goal.rp) for goal in goals]
        rules, option = rulings.rules, rulings.options
        # What a second card adds is only there for who can pay somebody to use it.
        self._single = [_undominated(gains) for gains in uses]
        self._paired = [_undominated(pairs(gains)) for gains in uses] if traits.two_cards else self._single
        self._events = [_undominated(gains) for gains in events]
        self._steady = all(row == rows[0] for rows in (self._single, self._paired, self._events) for row in rows)
        self._counted = option["cap_counts_temps"]
        self._cap = MOST if rulings.cap is None else rulings.cap
        self._factor = rules["boost_factor"]
        self._compound = self._factor if option["explore_doubling"] == "compound" else 1
        self._any_gain = self._factor if option["explore_sources"] == "any_in_abyss" else 1
        self.stays = option["explore_expires"] != "next_trip"
        """A mark may outlast a trip."""
        self._treasure = rules["treasure_ap"], rules["treasure_rp"]
        temp_price = traits.temp_price
        priced = list(zip(rulings.types, traits.prices, strict=True))
        lasting = [price for kind, price in priced if rulings.full_hp[kind] > harm.loss]
        if not harm.loss and temp_price is not None:
            lasting.append(temp_price)
        self._lasting = min(lasting, default=0)
        """The least price of a member who comes home and stays; 0 where nobody does."""
        passing = [(price, traits.penalties[kind]) for kind, price in priced if rulings.full_hp[kind] <= harm.loss]
        if rulings.own_carrier:
            passing = []  # What they carry is lost with them.
        if temp_price is not None:
            passing.append((temp_price, 0))
        self._passing = min((price for price, _ in passing), default=0)
        """What a member for one trip has to be paid at least; 0 where there is none. Likewise ``_spent`` in the end."""
        self._spent = min((price + penalty for price, penalty in passing), default=0)
        self._purses: defaultdict[tuple[int, ...], tuple[list[Purse], list[Purse]]] = defaultdict(lambda: ([], []))
        """The least purses that may reach a goal and the greatest that cannot, by the rest of a standing and rounds."""

    def company(self, kinds: Iterable[str]) -> tuple[int, int]:
        """Return the weak and the strong among partners of these types; whoever can be healed counts as healed."""
        lasting = [self._rulings.full_hp[kind] > self._harm.loss for kind in kinds]
        return len(lasting) - sum(lasting), sum(lasting)

    def meets(self, ap: int, rp: int) -> bool:
        """Return whether a purse meets a goal."""
        for least_ap, least_rp in self._goals:  # noqa: SIM110 (asked millions of times; a generator takes twice as long)
            if ap >= least_ap and rp >= least_rp:
                return True
        return False

    def reachable(self, now: Standing, gone: int, left: int, *, by_card: bool = False) -> bool:
        """Return false only where no goal can be met in ``left`` rounds, after ``gone`` others.

        ``by_card``: before the Event of the last of them is turned up.
        """
        if self.meets(now.ap, now.rp):
            return True
        if left <= 0:
            return False
        ap, rp, *rest = now
        reached, lost = self._purses[(*rest, 0 if self._steady else gone, -left if by_card else left)]
        if any(more_ap >= ap and more_rp >= rp for more_ap, more_rp in lost):
            return False
        if any(less_ap <= ap and less_rp <= rp for less_ap, less_rp in reached):
            return True
        if by_card and left == 1:
            found = any(self.meets(*self.points(now, *each)) for each in self._uses(now, gone))
        else:
            found = any(
                self.reachable(after, gone + 1, left - 1, by_card=by_card)
                for use, event in self._uses(now, gone)
                for after in self.after(now, use, event)
            )
        if found:
            reached[:] = [*(one for one in reached if one[0] < ap or one[1] < rp), (ap, rp)]
        else:
            lost[:] = [*(one for one in lost if one[0] > ap or one[1] > rp), (ap, rp)]
        return found

    def points(self, now: Standing, use: Gain, event: Gain) -> tuple[int, int]:
        """Return AP and RP right after a card."""
        more = self._any_gain if now.explored else 1
        return now.ap + use.ap * more, now.rp + use.rp * max(more, event.scale)

    def _uses(self, now: Standing, gone: int) -> Iterator[tuple[Gain, Gain]]:
        """Yield what cards and an Event may bring in a round."""
        temp_price = self._traits.temp_price
        second = (temp_price is not None and now.ap >= temp_price) or self._rulings.options["second_action"] == "free"
        for use in (self._paired if second else self._single)[min(gone, len(self._single) - 1)]:
            for event in self._events[min(gone, len(self._events) - 1)]:
                yield use, event

    def after(
        self,
        now: Standing,
        use: Gain,
        event: Gain,
        *,
        place: str = "",
        hires: bool = True,
        temps: int = 0,
        treasure: int = 0,
    ) -> Iterator[Standing]:
        """Yield what a round can make of a standing; ``place`` is where a plan sends everybody, if it is known.

        Without ``hires`` there are ``temps`` on the way; ``treasure`` is already found.
        """
        if use.place != ABYSS and place != ABYSS and not self._harm.idle:
            rp = now.rp + use.rp * event.scale
            yield Standing(now.ap + use.ap, rp, now.weak, now.strong, now.explored or use.explores)
        if use.place == CITY or place == CITY:
            return
        factor = self._factor if now.explored else 1
        multiple = factor * (self._compound if now.explored else 1)
        each = (use.each + event.each) * multiple
        flat = (use.flat + event.flat) * multiple + treasure * (multiple // factor)
        # A card used at home may count more while the other team finds treasure.
        ap, rp = self.points(now, use, event)
        ap += event.ap * factor
        explored = use.explores or (self.stays and now.explored)
        purse = (10**6 if self._rulings.options["hire_overdraft"] else max(0, now.ap)) if hires else 0
        more_ap, more_rp = self._treasure
        for members, paid, weak, strong in self._crews(now.weak, now.strong, each, purse):
            found = each * (members + temps) + flat
            yield Standing(ap - paid + found * more_ap, rp + found * more_rp, weak, strong, explored)

    def _crews(self, weak: int, strong: int, each: int, purse: int) -> Iterator[tuple[int, int, int, int]]:
        """Yield who may dig on a trip, what they are paid, and the weak and strong left, for all numbers that stay."""
        room = max(0, self._cap - weak - strong)
        if not self._harm.loss:
            hired = min(room, purse // self._lasting) if each else 0
            temps = self._outside(purse - hired * self._lasting) if each else 0
            paid = hired * self._cost(self._lasting, each) + temps * self._cost(self._passing, each)
            yield strong + hired + temps, paid, 0, strong + hired
            return
        temp_price = self._traits.temp_price
        alone = temp_price is not None and purse >= temp_price
        if temp_price is not None and alone:
            temps = purse // temp_price
            temps = min(temps, room) if self._counted else temps
            yield temps, temps * self._cost(temp_price, each), weak, strong
        price = self._lasting
        carrying = 0 if self._rulings.own_carrier else weak
        spent = self._cost(self._spent, each)
        for staying in range((min(room, purse // price) if price else 0) + 1):
            back = strong + staying
            if not back and not alone:
                # Nobody brings anything home, but a card that lasts works all the same.
                yield 0, 0, 0, 0
                continue
            left = purse - staying * price
            passing = min(room - staying, left // self._passing) if each and self._passing else 0
            temps = self._outside(left - passing * self._passing) if each else 0
            paid = staying * price + (passing + temps) * spent
            yield back + carrying + passing + temps, paid, 0, back

    def _outside(self, ap: int) -> int:
        """Return how many temporary partners come besides, whatever the cap."""
        price = self._traits.temp_price
        return 0 if price is None or self._counted else ap // price

    def _cost(self, price: int, each: int) -> int:
        """Return what a member costs; nobody comes who does not make good for it, so it never takes AP."""
        return min(price, each * self._treasure[0])


class StageBound:
    """Bounds by stages on all tables that play can lead to from one table; nothing with several players."""

    def __init__(self, rulings: Rulings, goals: tuple[Goal, ...], table: Table, index: int) -> None:
        self._rulings, self._first = rulings, table.round
        seat, chance, rules = table.seats[index], rulings.chance, rulings.rules
        self._gains = {card.id: gain_of(card) for card in rulings.cards.values()}
        every = [self._gained(c.id for c in rulings.cards.values() if c.deck == deck and c.count) for deck in _DECKS]
        given = rules["give_up_most" if rulings.options["give_up_draw"] == "same_number" else "give_up_draw"]
        each = given + rules["refill_cards"]
        pile = (*table.actions.front, *table.actions.back) if chance.is_open("actions") else ()
        # Up to the first reshuffle: what is used before it does not come back.
        rounds = range((len(pile) - given) // each + 1 if each and len(pile) > given else 0)
        uses = [self._gained((*seat.hand, *seat.laid, *pile[: given + gone * each])) for gone in rounds]
        events = (*table.events.front, *table.events.back) if chance.is_open("events") else ()
        dealt = (seat.event,) if seat.event else ()
        known = [{self._gains[name]} for name in (*dealt, *events)]
        self._events = [*known, every[1]]
        self._bound = RoundBound(rulings, rulings.traits[seat.identity], goals, [*uses, every[0]], self._events)
        self._applies = rulings.players == 1 and not rulings.options["explore_stack"]

    def _gained(self, cards: Iterable[str]) -> set[Gain]:
        return {NOTHING, *(self._gains[name] for name in cards)}

    def least(self, table: Table, index: int) -> int:
        """Return a number of stages that a goal not yet met needs at least; 1 where nothing better is known."""
        if not self._applies:
            return 1
        seat, phase, gone = table.seats[index], PHASES.index(table.phase), table.round - self._first
        company = self._bound.company(partner.type for partner in seat.partners)
        now = Standing(seat.ap, seat.rp, *company, explored=bool(seat.explore_pending))
        nows, by_card = ([now], False) if phase in (0, _REFILL) else self._this_round(seat, phase, gone, now)
        if by_card or (phase and any(self._bound.meets(one.ap, one.rp) for one in nows)):
            return max(1, (_ACT if by_card else _EVENT) + 1 - phase)
        started = int(phase > 0)
        for left in range(1, _FAR):
            if any(self._bound.reachable(one, gone + started, left) for one in nows):
                by_card = any(self._bound.reachable(one, gone + started, left, by_card=True) for one in nows)
                return len(PHASES) * (left + started - 1) + (_ACT if by_card else _EVENT) + 1 - phase
        return len(PHASES) * _FAR

    def _this_round(self, seat: Seat, phase: int, gone: int, now: Standing) -> tuple[list[Standing], bool]:
        """Return what the round under way can make of a seat that has hired, and whether a card can meet a goal."""
        cards = [*seat.hand] if phase <= _CHOOSE else seat.laid
        if seat.temps or self._rulings.options["second_action"] == "free":
            uses = pairs(self._gained(cards))
        else:
            uses = [self._gains[card] for card in cards] or [NOTHING]
        uses = [*uses, NOTHING] if phase <= _CHOOSE else uses
        place = ""
        if phase > _CHOOSE and seat.plan is not None and seat.plan.temp is None:
            place = seat.plan.location
        if phase > _CHOOSE and place != CITY:
            now = now._replace(explored=bool(seat.boost))
        if phase > _DEAL:
            events: Iterable[Gain] = {self._gains[seat.event] if seat.event else NOTHING}
        else:
            events = self._events[min(gone, len(self._events) - 1)]
        after = partial(self._bound.after, now, place=place, hires=False, temps=seat.temps, treasure=seat.treasure)
        rounds = [(use, event) for use in _undominated(uses) for event in events]
        by_card = any(self._bound.meets(*self._bound.points(now, use, event)) for use, event in rounds)
        found = [(use, one) for use, event in rounds for one in after(use, event)]
        if phase <= _CHOOSE:
            return [one for _, one in found], by_card
        # A mark is used up by the trip of this round, whatever the team at home does; only a new one waits.
        waits = bool(seat.explore_pending or (self._bound.stays and seat.boost))
        return [one._replace(explored=waits or use.explores) for use, one in found], by_card


_DECKS: Final = (ACTIONS, EVENTS)


def pairs(gains: Iterable[Gain]) -> list[Gain]:
    """Return what one team or two can bring: both cards' points, but every member digs once."""
    found = list(gains)
    for one, other in combinations_with_replacement(tuple(found), 2):
        places = {one.place, other.place}
        found.append(
            Gain(
                ap=one.ap + other.ap,
                rp=one.rp + other.rp,
                each=max(one.each, other.each),
                flat=one.flat + other.flat,
                scale=max(one.scale, other.scale),
                explores=one.explores or other.explores,
                place=ABYSS if ABYSS in places else CITY if places == {CITY} else "",
            )
        )
    return found


def _undominated(gains: Iterable[Gain]) -> list[Gain]:
    """Return the gains that no other one is above in everything, wherever that works."""
    found = list(dict.fromkeys(gains))
    return [gain for gain in found if not any(_above(other, gain) for other in found)]


def _above(one: Gain, other: Gain) -> bool:
    more = one != other and all(mine >= its for mine, its in zip(one[:-1], other[:-1], strict=True))
    return more and one.place in ("", other.place)
