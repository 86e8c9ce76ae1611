"""Whole rounds of a player alone: what one plan and one Event make of a crew, and which plans no other one excels.

A crew is one number: eight bits for each slot. What a round adds to AP and RP does not depend on them. A round is
therefore worked out once for each crew, plan and Event, and added to any purse. Cards in hand are not looked at.
Uses of cards that leave the same are found once for each crew.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import product
from typing import Final, NamedTuple

from rules.abyss.actions import TARGETED
from rules.abyss.bound import MOST
from rules.abyss.content import ACTIONS, EVENTS, Card, Goal, Rulings, Traits
from rules.abyss.state import ABYSS, ANY, CITY, Partner
from solver.encodings.abyss import layout as L
from solver.encodings.abyss.machine import play_alone
from solver.encodings.abyss.tables import PLACES, Tables

TEAMS: Final = 2
"""Teams that may use a card each: more copies make no difference to a round."""
_BITS: Final = 8


class Uses(NamedTuple):
    """What the teams do in a round: ids of cards, empty for none."""

    card: str
    place: str
    second: str = ""
    """Card of the temp team, empty where there is no such team."""
    second_place: str = ""


class Crew(NamedTuple):
    """What of a household is neither purse nor cards."""

    team: int
    explored: bool
    lit: bool


class Result(NamedTuple):
    """What a round makes of a purse and a crew."""

    highs: tuple[tuple[int, int], ...]
    """AP and RP added up to a check of the goals, those left out that another check is not below in either."""
    ap: int
    """Added by the end of the round; likewise ``rp``."""
    rp: int
    crew: Crew
    again: int
    """Times that what was paid for hires is paid once more, before anything else."""


class Rounds:
    """Rounds under one ruleset for one identity, towards some goals."""

    def __init__(self, rulings: Rulings, identity: str, goals: tuple[Goal, ...]) -> None:
        self.rulings = rulings
        self._goals = [(goal.ap, goal.rp) for goal in goals]
        self.traits = rulings.traits[identity]
        self._tables = tables = Tables(rulings, goals)
        self._row = array("i", bytes(4 * L.W))
        self._row[L.SEATS] = 1
        self._row[L.SEAT + L.IDENTITY] = tables.identities[identity]
        self._points = array("i", bytes(4 * 8))
        self.new = {kind: 1 << _BITS * tables.slot[kind, rulings.full_hp[kind]] for kind in rulings.types}
        """What one new partner of each type adds to a team."""
        self._steps = list(zip(self.traits.prices, self.new.values(), strict=True))
        self._results: dict[tuple[Crew, int, Uses, str], Result] = {}
        self._size: dict[int, int] = {}

    def team(self, partners: tuple[Partner, ...]) -> int:
        """Return partners as a number."""
        return sum(1 << _BITS * self._tables.slot[partner] for partner in partners)

    def partners(self, team: int) -> tuple[Partner, ...]:
        """Return the partners of a number, in canonical order (1.3)."""
        counts = zip(self._tables.slots, self._counts(team), strict=True)
        found = [Partner(*slot) for slot, number in counts for _ in range(number)]
        return tuple(sorted(found, key=lambda one: (self.rulings.place[one.type], -one.hp)))

    def _counts(self, team: int) -> bytes:
        return team.to_bytes(len(self._tables.slots), "little")

    def size(self, team: int) -> int:
        """Return how many partners a number stands for."""
        found = self._size.get(team)
        if found is None:
            found = self._size[team] = sum(self._counts(team))
        return found

    def hires(self, ap: int, team: int) -> Iterator[tuple[int, int, int]]:
        """Yield what can be hired: the team after it, temporary partners, AP paid (5.B)."""
        rulings = self.rulings
        steps = self._steps
        counted = rulings.options["cap_counts_temps"]
        hired = self.size(team)
        room = MOST - hired if rulings.cap is None else max(0, rulings.cap - hired)
        temp_price = self.traits.temp_price

        def of_type(place: int, left: int, room: int, team: int) -> Iterator[tuple[int, int, int]]:
            if place == len(steps):
                yield team, 0, ap - left
                if temp_price is not None:
                    most = left // temp_price
                    for temps in range(1, (min(most, room) if counted else most) + 1):
                        yield team, temps, ap - left + temps * temp_price
                return
            price, new = steps[place]
            for number in range(min(left // price, room) + 1):
                yield from of_type(place + 1, left - number * price, room - number, team + number * new)

        # Nothing is paid where AP is below 0, and nobody comes (5.B).
        if ap <= 0:
            yield team, 0, 0
        else:
            yield from of_type(0, ap, room, team)

    def wins(self, ap: int, rp: int) -> bool:
        """Return whether a purse meets a goal."""
        for least_ap, least_rp in self._goals:  # noqa: SIM110 (asked millions of times; a generator takes twice as long)
            if ap >= least_ap and rp >= least_rp:
                return True
        return False

    def play(self, crew: Crew, temps: int, uses: Uses, event: str) -> Result:
        """Return what a round does after the hires; ``event`` may be empty for none."""
        key = (crew, temps, uses, event)
        found = self._results.get(key)
        if found is None:
            found = self._results[key] = self._played(crew, temps, uses, event)
        return found

    def _played(self, crew: Crew, temps: int, uses: Uses, event: str) -> Result:
        row, tables, points = self._row, self._tables, self._points
        slots = len(tables.slots)
        place, team = L.SEAT, L.SEAT + L.TEAM
        row[place + L.AP] = row[place + L.RP] = 0
        row[place + L.TEMPS], row[place + L.N_TEAM] = temps, self.size(crew.team)
        row[place + L.EXPLORE], row[place + L.LIGHT] = crew.explored, crew.lit
        row[place + L.CARD], row[place + L.PLACE] = tables.card[uses.card], PLACES.index(uses.place)
        row[place + L.TEMP_CARD] = tables.card[uses.second]
        row[place + L.TEMP_PLACE] = PLACES.index(uses.second_place) if uses.second_place else 0
        row[team : team + slots] = array("i", list(self._counts(crew.team)))
        again = play_alone(row, tables.numbers, tables.card[event], points)
        highs = _maximal(list(zip(points[::2], points[1::2], strict=True)))
        left = int.from_bytes(bytes(row[team : team + slots].tolist()), "little")
        after = Crew(left, bool(row[place + L.EXPLORE]), bool(row[place + L.LIGHT]))
        return Result(highs, points[6], points[7], after, again)


def _maximal(points: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return the points that no other one is at least as high as in both."""
    best: list[tuple[int, int]] = []
    for ap, rp in sorted(set(points), reverse=True):
        if not best or rp > best[-1][1]:
            best.append((ap, rp))
    return tuple(best)


def event_names(rulings: Rulings) -> list[str]:
    """Return the Events in the box."""
    return [card.id for card in rulings.cards.values() if card.deck == EVENTS and card.count]


# Events of a cruel fate


class Worst(NamedTuple):
    """Answers of an adversary who knows two Events: whoever can hold out against every Event can against these."""

    abroad: str
    """The Event where a team is in the Abyss."""
    home: str
    """The Event where none is."""
    harm: int
    """Printed loss of HP by the first one in the Abyss; nothing stops it."""
    idle: bool
    """By the second one no card that is used in the City has any effect."""

    def loss(self, traits: Traits) -> int:
        """Return the HP that each partner loses on a trip at least (10.2)."""
        change, floor = traits.damage[ABYSS]
        return max(floor, self.harm + change) if self.harm else 0

    def of(self, uses: Uses) -> str:
        """Return the Event of a round."""
        return self.abroad if ABYSS in (uses.place, uses.second_place) else self.home


def worst_of(cards: Sequence[Card]) -> Worst:
    """Return the Events that leave least, of a box with at least one."""
    abroad = max(cards, key=lambda card: _danger(card, ABYSS))
    home = max(cards, key=lambda card: _danger(card, CITY))
    lost = abroad.args("damage")
    certain = lost is not None and lost["where"] == ABYSS and not abroad.flashlight_stops
    return Worst(
        abroad=abroad.id,
        home=home.id,
        harm=int(lost["amount"]) if lost is not None and certain else 0,
        idle=home.is_modifier and _cancels(home) and home.location in (ANY, CITY),
    )


def by_danger(cards: Sequence[Card]) -> list[str]:
    """Return the Events, those first that a player may fear most, wherever they work."""
    return [card.id for card in sorted(cards, key=lambda card: -max(_danger(card, ABYSS), _danger(card, CITY)))]


def _danger(card: Card, place: str) -> int:
    """Return a guess of how much somebody at a place fears an Event: which one is taken is a matter of speed only."""
    if card.location not in (ANY, place):
        return 0
    lost = card.args("damage")
    if lost is not None:
        return 2 * int(lost["amount"]) if lost["where"] == place else 0
    return 3 * (_cancels(card) and place == CITY) + card.is_modifier


def _cancels(card: Card) -> bool:
    args = card.args("cancel_actions")
    return args is not None and args["where"] == CITY


# Menus


class Serving(NamedTuple):
    """What some uses of cards make of a round under one Event."""

    uses: tuple[Uses, ...]
    """Several only where fate is cruel: those of which that Event makes the same."""
    event: str
    result: Result
    used: tuple[int, ...]
    """Copies used of each kind of card that may run out."""


class Stock(NamedTuple):
    """Cards that do the same for a player alone."""

    name: str
    names: frozenset[str]
    location: str


class Menus:
    """What each crew can make of a round under one ruleset.

    ``scarce`` says of each stock and ``rare`` of each Event whether it may run out; ``by_hand``, that a round which
    uses fewer cards is better. ``worst`` are the Events of a cruel fate: then every use is kept, together with those of
    which its Event makes the same.
    """

    def __init__(
        self,
        rounds: Rounds,
        stocks: Sequence[Stock],
        scarce: Sequence[bool],
        rare: Mapping[str, bool],
        *,
        by_hand: bool,
        worst: Worst | None = None,
    ) -> None:
        self._rounds = rounds
        self._stocks = stocks
        self._scarce = scarce
        self._rare = rare
        self._by_hand = by_hand
        self._worst = worst
        self._plans: dict[tuple[bool, bool, tuple[int, ...]], list[tuple[Uses, tuple[int, ...]]]] = {}
        self._menus: dict[Hashable, list[Serving]] = {}

    def servings(
        self, crew: Crew, temps: int, cards: int, held: tuple[int, ...], events: tuple[str, ...]
    ) -> list[Serving]:
        """Return what can be made of a round with at most so many cards of those held, under one of the Events."""
        key = (crew, temps, cards, held, events)
        found = self._menus.get(key)
        if found is None:
            plays = (
                Serving((uses,), event, self._rounds.play(crew, temps, uses, event), spent)
                for uses, spent in self._uses(self._rounds.size(crew.team) > 0, temps > 0, held)
                if cards_of(uses) <= cards
                for event in (events if self._worst is None else (self._worst.of(uses),))
            )
            found = self._menus[key] = self._best(plays) if self._worst is None else _together(plays)
        return found

    def _best(self, plays: Iterator[Serving]) -> list[Serving]:
        """Return, of those that leave the same crew and use up the same, those that no other is at least as good as."""
        best: dict[Hashable, list[Serving]] = {}
        for serving in plays:
            result, event = serving.result, serving.event
            rare, by_hand = self._rare[event] and event, self._by_hand and cards_of(serving.uses[0])
            same = best.setdefault((result.crew, serving.used, rare, by_hand), [])
            if not any(_at_least(other.result, result) for other in same):
                same[:] = [other for other in same if not _at_least(result, other.result)]
                same.append(serving)
        return [serving for same in best.values() for serving in same]

    def _uses(self, hired: bool, temps: bool, left: tuple[int, ...]) -> list[tuple[Uses, tuple[int, ...]]]:
        """Return what the teams may do with the cards that are left, and how many of each scarce stock that takes."""
        key = (hired, temps, left)
        found = self._plans.get(key)
        if found is None:
            found = self._plans[key] = list(self._new_uses(hired, temps, left))
        return found

    def _new_uses(self, hired: bool, temps: bool, left: tuple[int, ...]) -> Iterator[tuple[Uses, tuple[int, ...]]]:
        single = list(self._team(hired or temps, left))
        yield Uses("", CITY), self._spent()
        for place, where in single:
            yield Uses(self._stocks[place].name, where), self._spent(place)
        if not (temps and self._rounds.traits.two_cards):
            return
        mains = [(None, CITY), *self._team(hired, left)]
        for (first, where), (second, there) in product(mains, self._team(True, left)):
            if first == second and left[second] < 2:
                continue
            card = "" if first is None else self._stocks[first].name
            spent = self._spent(second) if first is None else self._spent(first, second)
            yield Uses(card, where, self._stocks[second].name, there), spent

    def _team(self, members: bool, left: tuple[int, ...]) -> Iterator[tuple[int, str]]:
        for place, stock in enumerate(self._stocks):
            if left[place] <= 0:
                continue
            if stock.location != ABYSS:
                yield place, CITY
            if stock.location in (ABYSS, ANY) and members:
                yield place, ABYSS

    def _spent(self, *places: int) -> tuple[int, ...]:
        return tuple(self._scarce[place] * places.count(place) for place in range(len(self._stocks)))


def _together(plays: Iterator[Serving]) -> list[Serving]:
    """Return the servings with equal results as one."""
    alike: dict[tuple[str, Result], Serving] = {}
    for serving in plays:
        key = serving.event, serving.result
        known = alike.get(key)
        alike[key] = serving if known is None else known._replace(uses=known.uses + serving.uses)
    return list(alike.values())


def stocks_of(cards: Mapping[str, Card]) -> list[Stock]:
    """Return the Action cards, those that do the same for a player alone together, by the first name."""
    alike: dict[tuple[str, str], list[str]] = {}
    for name in sorted(cards):
        card = cards[name]
        if card.deck == ACTIONS and card.count:
            idle = any(effect.op in TARGETED or effect.op == "exchange_cards" for effect in card.effects)
            effects = [] if idle else [(effect.op, sorted(effect.args.items())) for effect in card.effects]
            alike.setdefault((card.location, repr(effects)), []).append(name)
    return [Stock(names[0], frozenset(names), location) for (location, _), names in alike.items()]


def cards_of(uses: Uses) -> int:
    """Return how many cards are used."""
    return bool(uses.card) + bool(uses.second)


def _at_least(one: Result, other: Result) -> bool:
    """Return whether a round that leaves the same crew is as good for every purse."""
    return (
        one.ap >= other.ap
        and one.rp >= other.rp
        and one.again <= other.again
        and all(any(ap >= less_ap and rp >= less_rp for ap, rp in one.highs) for less_ap, less_rp in other.highs)
    )
