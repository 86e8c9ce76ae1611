"""Whole rounds of a player alone: what one plan and one Event make of a crew, and who can be hired.

A crew is one number: eight bits for each slot. Every gain and loss of a round is added to AP and RP whatever they are,
so a round is worked out once for each crew, plan and Event and added to any purse. Cards in hand are not looked at.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from rules.abyss.bound import MOST
from rules.abyss.content import EVENTS, Goal
from rules.abyss.rulings import Rulings
from rules.abyss.state import Partner
from solver.encodings.abyss import layout as L
from solver.encodings.abyss.machine import play_alone
from solver.encodings.abyss.tables import PLACES, Tables

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
        self._steps = dict(zip(rulings.types, zip(self.traits.prices, self.new.values(), strict=True), strict=True))
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

    def hires(self, ap: int, team: int, kinds: Collection[str] | None = None) -> Iterator[tuple[int, int, int]]:
        """Yield what can be hired, of some kinds or of all: the team after it, temporary partners, AP paid (5.B)."""
        rulings = self.rulings
        steps = [step for kind, step in self._steps.items() if kinds is None or kind in kinds]
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
