"""Whole rounds of a player alone: what one plan and one Event make of a crew, and which plans no other one excels.

A crew is one number: eight bits for each slot. What a round adds to AP and RP does not depend on them. A round is
therefore worked out once for each crew, plan and Event, and added to any purse. Cards in hand are not looked at.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from rules.abyss.actions import TARGETED
from rules.abyss.bound import MOST, Harm
from rules.abyss.content import ACTIONS, EVENTS, Card, Rulings, Traits
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

    def is_no_worse(self, other: Result) -> bool:
        """Return whether a round that leaves the same crew is as good for every purse."""
        return (
            self.ap >= other.ap
            and self.rp >= other.rp
            and self.again <= other.again
            and all(any(ap >= less_ap and rp >= less_rp for ap, rp in self.highs) for less_ap, less_rp in other.highs)
        )


class Rounds:
    """Rounds under one ruleset for one identity."""

    def __init__(self, rulings: Rulings, identity: str) -> None:
        self.rulings = rulings
        self.traits = rulings.traits[identity]
        self._tables = tables = Tables(rulings, ())
        self._row = array("i", bytes(4 * L.W))
        self._row[L.SEATS] = 1
        self._row[L.SEAT + L.IDENTITY] = tables.identities[identity]
        self._points = array("i", bytes(4 * 8))
        self.new = {kind: 1 << _BITS * tables.slot[kind, rulings.full_hp[kind]] for kind in rulings.types}
        """What one new partner of each type adds to a team."""
        self._steps = list(zip(self.traits.prices, self.new.values(), strict=True))
        self.size = cache(lambda team: sum(self._counts(team)))
        """Returns how many partners a number stands for."""
        self.play = cache(self._play)

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

    def _play(self, crew: Crew, temps: int, uses: Uses, event: str) -> Result:
        """Return what a round does after the hires; ``event`` may be empty for none."""
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


def harm_of(abroad: Card, home: Card, traits: Traits) -> Harm:
    """Return what an adversary does for certain with one Event on every trip and one at home."""
    lost = abroad.args("damage")
    certain = lost is not None and lost["where"] == ABYSS and not abroad.flashlight_stops
    change, floor = traits.damage[ABYSS]
    return Harm(
        max(floor, int(lost["amount"]) + change) if lost is not None and certain else 0,
        idle=home.is_modifier and _cancels(home) and home.location in (ANY, CITY),
    )


def by_danger(cards: Sequence[Card]) -> list[str]:
    """Return the Events, those first that a player may fear most, wherever they work."""
    return [card.id for card in sorted(cards, key=lambda card: -max(danger(card, ABYSS), danger(card, CITY)))]


def danger(card: Card, place: str) -> int:
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


# Cards


class Stock(NamedTuple):
    """Cards that do the same for a player alone."""

    name: str
    names: frozenset[str]
    location: str


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
