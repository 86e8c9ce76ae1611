"""How likely this round's Event kills partners of a seat, as the table lies (5.E, 5.G, 7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from rules.abyss.knowledge import reaches, unseen_events
from rules.abyss.state import ABYSS, CITY, OVER_PHASE, PHASES, Partner, Plan, Seat, Table
from rules.core.race import Hazard
from rules.core.steps import ChanceOutcome, Forced, Step

if TYPE_CHECKING:
    from rules.abyss.engine import Abyss

_PLACES: Final = {CITY: "in the City", ABYSS: "in the Abyss"}
Law = Mapping[Table, Fraction]


def hazards(game: Abyss, table: Table, index: int) -> list[Hazard]:
    """Return the chance of each kind of partner to be killed by the Event of this round, most likely first.

    A team that has not chosen yet is told twice, once for each place where it may go. A card that the seat has laid
    aside is used before the Event comes (5.F), with the first answer to whatever it asks; what other seats still do to
    this one is left out. An Event that lies face down is any that nobody has seen and that would not have been turned
    up (5.E).
    """
    seat = table.seats[index]
    if not seat.partners or table.phase in (OVER_PHASE, PHASES[-1]):
        return []
    if seat.plan is not None:
        return _told(game, table, index, seat.plan.location)
    found = []
    for location in (ABYSS, CITY):
        boost = seat.explore_pending if location == ABYSS else 0
        there = seat._replace(
            plan=Plan(None, location, None), boost=boost, explore_pending=seat.explore_pending - boost
        )
        found += _told(game, _with(table, index, there), index, location)
    return sorted(found, key=lambda hazard: -hazard.chance)


def _told(game: Abyss, table: Table, index: int, location: str) -> list[Hazard]:
    """Return what threatens a team in one place: each kind of partner, and all of them where there are several."""
    before = Counter(table.seats[index].partners)
    killed: dict[Partner, Fraction] = dict.fromkeys(before, Fraction(0))
    everybody = Fraction(0)
    for after, chance in _ends(game, table, index).items():
        left = _survivors(before, Counter(partner.type for partner in after.seats[index].partners))
        for partner in before:
            killed[partner] += chance * (partner not in left)
        everybody += chance * (not left)
    where = _PLACES[location]
    found = [
        Hazard(f"{number} {kind.type} ({kind.hp} HP)", f"{_dies(number)} {where}", "7", killed[kind])
        for kind, number in before.items()
    ]
    if len(found) > 1:
        found.append(Hazard("all partners", f"die {where}", "7", everybody))
    return sorted(found, key=lambda hazard: -hazard.chance)


def _dies(number: int) -> str:
    return "dies" if number == 1 else "die"


def _survivors(before: Mapping[Partner, int], left: Mapping[str, int]) -> set[Partner]:
    """Return the kinds of partners that live: losses are alike, so of each type the healthiest are left."""
    alive: set[Partner] = set()
    room = dict(left)
    for partner in sorted(before, key=lambda one: -one.hp):
        if room.get(partner.type, 0) > 0:
            alive.add(partner)
            room[partner.type] -= before[partner]
    return alive


def _ends(game: Abyss, table: Table, index: int) -> Law:
    """Return the tables after the Events that can touch the seat, with their chances."""
    rulings = game.rulings
    shared = rulings.everyone or rulings.icon_for_all
    seats = rulings.order(table.round) if shared else (index,)
    law: Law = {table: Fraction(1)}
    phase = PHASES.index(table.phase)
    if phase <= PHASES.index("deal"):
        dealt = [other for other in seats if table.seats[other].event is None]
        for other in dealt:
            law = _after(game, law, "deal", other)
    elif not rulings.chance.is_open("events"):
        for other in seats:
            law = _turned_over(game, law, other)
    if phase <= PHASES.index("act"):
        law = _after(game, law, "act", index)
    for other in seats:
        law = _after(game, law, "event", other)
    return law


def _after(game: Abyss, law: Law, phase: str, index: int) -> Law:
    """Return the law after one seat's share of a step; questions get their first answer."""
    found: dict[Table, Fraction] = {}
    for table, chance in law.items():
        if table.phase == OVER_PHASE:
            found[table] = found.get(table, Fraction(0)) + chance
            continue
        for end, part in _first_way(game, table._replace(phase=phase, seat=index)):
            found[end] = found.get(end, Fraction(0)) + chance * part
    return found


def _first_way(game: Abyss, table: Table) -> Iterator[tuple[Table, Fraction]]:
    """Yield the ends of a stage in which every decision takes the first answer."""
    first: list[Step | Forced] | None = None
    for end in game.turn_ends(table):
        moves = [step for step in end.steps if not isinstance(step, ChanceOutcome)]
        first = first or moves
        if moves == first:
            yield end.table, end.probability


def _turned_over(game: Abyss, law: Law, index: int) -> Law:
    """Return the law in which an Event face down is any of those it may be."""
    found: dict[Table, Fraction] = {}
    whole = game.rulings.options["modifier_timing"] == "whole_round"
    for table, chance in law.items():
        seat = table.seats[index]
        if seat.event is None or seat.event_up:
            found[table] = found.get(table, Fraction(0)) + chance
            continue
        cards = [game.rulings.cards[card] for card in unseen_events(table)]
        may = Counter(card.id for card in cards if not (whole and card.is_modifier and reaches(seat, card)))
        for card, number in may.items():
            end = _with(table, index, seat._replace(event=card))
            found[end] = found.get(end, Fraction(0)) + chance * Fraction(number, may.total())
    return found


def _with(table: Table, index: int, seat: Seat) -> Table:
    return table._replace(seats=(*table.seats[:index], seat, *table.seats[index + 1 :]))
