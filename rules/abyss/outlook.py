"""How soon a goal can be met at best: an admissible bound on the stages it takes, for a player alone.

Round by round it follows every use of one card that can be at hand by then, in a world that is kinder than the game:
no card but Digging and its like is ever used up, no card costs anything, hires are the cheapest there are and are paid
only where that is made good, nobody is hurt in the City, and AP, RP and members are each as many as if the round had
been played for them alone. What it does follow: a trip doubles only after an Explore card was used, and where the Event
of a trip is known, those whom it must kill are gone, their penalty is paid, and somebody must live to bring the
treasure home. New members wait for a trip that pays: nothing in that kinder world ever takes AP, so they cost no more
then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from rules.abyss.content import ACTIONS, EVENTS, Goal
from rules.abyss.gains import NOTHING, Gain, above, gain_of
from rules.abyss.rulings import Rulings
from rules.abyss.state import ABYSS, CITY, PHASES, Seat, Table

_CHOOSE: Final = PHASES.index("choose")
_DEAL: Final = PHASES.index("deal")
_ACT: Final = PHASES.index("act")
_EVENT: Final = PHASES.index("event")
_REFILL: Final = PHASES.index("refill")
_FAR: Final = 40
"""Rounds looked ahead."""
_REMEMBERED: Final = 50_000
"""Rounds of which what is known is kept."""


class Hope(NamedTuple):
    """What a seat can have at most at the end of a round, in one of the ways to play until then."""

    ap: int
    rp: int
    members: int
    explored: bool
    """The next trip counts more."""
    thinned: bool
    """Those who were there at the start and had to die have been counted out."""
    dug: int
    """Cards used that find treasure for each member."""


class Round(NamedTuple):
    """What is known about one round to come."""

    gains: tuple[tuple[Gain, int], ...]
    """What may be used, each with the number of copies within reach; one that brings nothing is always among them."""
    event: Gain
    damage: int | None
    """Loss of HP by the Event on a trip, before the boost; nothing where no loss is certain."""


_MANY: Final = 99
"""Copies within reach where a reshuffle may bring back any number."""
_WIDE: Final = 24
"""Hopes of one round above which the best of each is taken instead."""


class Outlook:
    """Bounds for one ruleset and one set of goals."""

    def __init__(self, rulings: Rulings, goals: tuple[Goal, ...]) -> None:
        self._rulings = rulings
        self._goals = goals
        option, rules = rulings.options, rulings.rules
        self._applies = rulings.players == 1 and not option["explore_stack"]
        self._factor = rules["boost_factor"]
        self._worth = self._factor if option["explore_doubling"] == "compound" else 1
        self._stays = option["explore_expires"] != "next_trip"
        """A boost may outlive its trip."""
        cards = [card for card in rulings.cards.values() if card.count]
        self._any_gain = self._factor if option["explore_sources"] == "any_in_abyss" else 1
        self._gains = {card.id: gain_of(card) for card in rulings.cards.values()}
        self._all = {deck: frozenset(card.id for card in cards if card.deck == deck) for deck in (ACTIONS, EVENTS)}
        same = option["give_up_draw"] == "same_number"
        self._drawn = rules["give_up_most"] if same else rules["give_up_draw"]
        """Cards drawn at most in step B."""
        self._rounds: dict[Hashable, Round] = {}

    def least_stages(self, table: Table, index: int) -> int:
        """Return a number of stages that a goal not yet met needs at least; 1 where nothing better is known.

        It is 1 with several players, or where Explore cards add up.
        """
        if not self._applies:
            return 1
        seat = table.seats[index]
        phase = PHASES.index(table.phase)
        explored = bool(seat.explore_pending) or (self._stays and bool(seat.boost))
        members = len(seat.partners) + seat.temps
        hopes = [Hope(seat.ap, seat.rp, members, explored, thinned=False, dug=0)]
        for later in range(int(phase == _REFILL), _FAR):
            coming = self._round(table, seat, phase, later)
            reached: dict[Hope, None] = {}
            for hope in hopes:
                for gain, copies in coming.gains:
                    if gain.each and hope.dug >= copies:
                        continue
                    for after, direct in self._played(hope, gain, coming, seat, phase, later):
                        if (phase <= _ACT or later) and self._met(*direct):
                            return _stages(phase, later, _ACT)
                        reached[after] = None
            if any(self._met(hope.ap, hope.rp) for hope in reached):
                return _stages(phase, later, _EVENT)
            hopes = _highest(list(reached))
        return _stages(phase, _FAR, 0)

    def _met(self, ap: int, rp: int) -> bool:
        return any(ap >= goal.ap and rp >= goal.rp for goal in self._goals)

    def _played(
        self, hope: Hope, gain: Gain, coming: Round, seat: Seat, phase: int, later: int
    ) -> Iterator[tuple[Hope, tuple[int, int]]]:
        """Yield what one use of a card can lead to, at home and on a trip, with AP and RP right after the card."""
        event = coming.event
        decided = seat.plan if not later and phase > _CHOOSE else None
        where = None if decided is None or decided.temp is not None else decided.location
        home = not gain.is_abroad and where != ABYSS
        if home:
            points = hope.ap + gain.ap, hope.rp + gain.rp * event.scale
            yield hope._replace(ap=points[0], rp=points[1], explored=hope.explored or gain.explores), points
        held = seat.treasure and not later
        pays = gain.each or gain.flat or event.each or event.flat or event.ap or held or gain.explores
        if where == CITY or (home and not pays and self._any_gain == 1):
            return
        boosted = bool(seat.boost) if not later and phase > _CHOOSE else hope.explored
        more = self._any_gain if boosted else 1
        points = hope.ap + gain.ap * more, hope.rp + gain.rp * max(more, event.scale)
        hiring = bool(later) or phase == 0
        explored = gain.explores or (hope.explored and (self._stays or (not later and phase > _CHOOSE)))
        yield self._trip(hope, gain, coming, seat, points, boosted, explored, hiring, not later), points

    def _trip(
        self,
        hope: Hope,
        gain: Gain,
        coming: Round,
        seat: Seat,
        points: tuple[int, int],
        boosted: bool,
        explored: bool,
        hiring: bool,
        now: bool,
    ) -> Hope:
        """Return what a trip can lead to at most."""
        rules, traits = self._rulings.rules, self._rulings.traits[seat.identity]
        event, (ap, rp) = coming.event, points
        factor = self._factor * self._worth if boosted else 1
        each = (gain.each + event.each) * factor
        flat = (gain.flat + event.flat) * factor
        if now:
            flat += seat.treasure * (self._worth if boosted else 1)
        price = self._cheapest(seat)
        hired = self._hired(seat, hope.ap, hope.members, price) if hiring else 0
        stay, lost, fine, safe = hope.members, 0, 0, price
        if coming.damage is not None:
            loss = self._loss(coming.damage, boosted, seat)
            full = self._rulings.full_hp
            safe = min((traits.prices[self._rulings.place[kind]] for kind in full if full[kind] > loss), default=0)
            if loss and not hope.thinned:
                lost = sum((partner.hp if now else full[partner.type]) <= loss for partner in seat.partners)
            if loss and min(full.values()) <= loss:
                fine = min(traits.penalties[kind] for kind in full if full[kind] <= loss)
            stay -= lost
        courier = self._hired(seat, hope.ap, hope.members, safe) if hiring and safe else 0
        ap += event.ap * factor - fine * lost
        if stay + courier <= 0:
            each = flat = 0
        elif not stay and not self._rulings.options["hire_overdraft"]:
            hired = min(hired, 1 + max(0, hope.ap - safe) // price)
        gained = max(0, each * rules["treasure_ap"] - price - (fine if safe != price else 0))
        if courier:
            gained = max(gained, each * rules["treasure_ap"] - safe)
        kept = courier if each else min(1, courier)
        return Hope(
            ap=ap + hired * gained + (each * hope.members + flat) * rules["treasure_ap"],
            rp=rp + (each * (hope.members + hired) + flat) * rules["treasure_rp"] + event.rp,
            members=stay + (kept if each or not stay else 0),
            explored=explored,
            thinned=hope.thinned or bool(lost),
            dug=hope.dug + bool(gain.each),
        )

    def _loss(self, damage: int, boosted: bool, seat: Seat) -> int:
        """Return the HP that each partner on a trip loses at least (10.2)."""
        change, floor = self._rulings.traits[seat.identity].damage[ABYSS]
        return max(floor, damage + (self._rulings.rules["boost_damage"] if boosted else 0) + change)

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

    def _round(self, table: Table, seat: Seat, phase: int, later: int) -> Round:
        """Return what is known about a round, this one or a later one."""
        # A card laid aside comes back into play later, so that the plan counts for every round.
        known = (seat.hand, phase, later, seat.identity, seat.event, seat.plan)
        key = (table.actions.front, table.actions.back, table.events.front, table.events.back, known)
        found = self._rounds.get(key)
        if found is None:
            teams = 2 if self._rulings.traits[seat.identity].two_cards else 1
            events = list(self._events(table, seat, phase, later))
            gains = tuple(_uses(self._cards(table, seat, phase, later), self._gains, teams))
            found = Round(gains, _best([self._gains[card] for card in events]), self._damage(events, seat))
            if len(self._rounds) >= _REMEMBERED:
                self._rounds.clear()
            self._rounds[key] = found
        return found

    def _damage(self, events: Sequence[str], seat: Seat) -> int | None:
        """Return the printed loss on a trip by the Event that is known to come, where nothing takes it away."""
        rulings = self._rulings
        escapes = rulings.traits[seat.identity].temp_price is not None or rulings.options["dismiss"]
        if escapes or len(events) != 1:
            return None
        card = rulings.cards[events[0]]
        losses = [args["amount"] for args in [card.args("damage")] if args and args["where"] == ABYSS]
        return losses[0] if losses and not card.flashlight_stops else None

    def _cards(self, table: Table, seat: Seat, phase: int, later: int) -> Counter[str]:
        """Return the Action cards that the seat may use in a round, this one or a later one, with their copies."""
        plan = seat.plan
        laid = [] if plan is None else [plan.card, plan.temp and plan.temp.card]
        waiting = [card for card in laid if card is not None]
        if not later and phase > _CHOOSE:
            return Counter(waiting if phase <= _ACT else ())
        draws = later * (self._drawn + self._rulings.rules["refill_cards"]) + (self._drawn if phase == 0 else 0)
        pile = (*table.actions.front, *table.actions.back)
        if draws and (draws > len(pile) or not self._rulings.chance.is_open("actions")):
            return Counter(dict.fromkeys(self._all[ACTIONS], _MANY))
        return Counter((*seat.hand, *waiting, *pile[:draws]))

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
    return Gain(*(max(column) for column in zip(*found, strict=True)))._replace(place="") if found else NOTHING


def _uses(cards: Counter[str], gains: Mapping[str, Gain], teams: int) -> Iterator[tuple[Gain, int]]:
    """Yield what the cards of a round can bring: one card or none, or two teams with the best of everything each.

    With each comes the number of copies within reach of all cards that find treasure for each member.
    """
    copies = sum(number for card, number in cards.items() if gains[card].each)
    if teams == 1:
        found = list(dict.fromkeys([NOTHING, *(gains[card] for card in cards)]))
        yield from ((gain, copies) for gain in found if not any(_serves(other, gain) for other in found))
        return
    best = _best([NOTHING, *(gains[card] for card in cards)])
    yield best._replace(ap=teams * best.ap, rp=teams * best.rp, flat=teams * best.flat), _MANY
    yield NOTHING, _MANY


def _serves(one: Gain, other: Gain) -> bool:
    """Return whether another card brings as much of everything wherever the first one works, and is no rarer."""
    return above(one, other) and not one.each


def _highest(hopes: list[Hope]) -> list[Hope]:
    """Return hopes that no other one is above in everything; of very many, one that is above them all."""
    kept: list[Hope] = []
    for hope in sorted(hopes, reverse=True):
        if not any(_above(other, hope) for other in kept):
            kept.append(hope)
    if len(kept) <= _WIDE:
        return kept
    ap, rp, members, explored, thinned, _ = (max(column) for column in zip(*kept, strict=True))
    return [Hope(ap, rp, members, bool(explored), bool(thinned), min(hope.dug for hope in kept))]


def _above(one: Hope, other: Hope) -> bool:
    return (
        one.ap >= other.ap
        and one.rp >= other.rp
        and one.members >= other.members
        and one.explored >= other.explored
        and one.thinned >= other.thinned
        and one.dug <= other.dug
    )


def _stages(phase: int, later: int, step: int) -> int:
    """Return the stages up to and with a step of a round."""
    return max(1, len(PHASES) * later + step + 1 - phase)
