"""How fast a player gets on: a guess from the rules for plain play, never a bound.

A race is a row of days. A day begins with a roll and a hand; the cards of the hand keep it going for some turns, each
of which ends with the automatic move, and some of them move besides. Whoever calls the next day as soon as the weather
is not among the best k faces makes, in the long run,

    (what the k good days bring in T turns + what the others bring in one) / (k T + the others)

spaces a turn; the rate is the greatest of these numbers over k. All speeds, hand sizes and what legs do to who enters
them are asked of the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any, Final, NamedTuple

from rules.core.turns import Asking
from rules.iditacards.days import hand_size
from rules.iditacards.deeds import Distance
from rules.iditacards.movement import automatic_sum, cannot_move, conditions, enter_leg
from rules.iditacards.rulings import Rulings
from rules.iditacards.speed import speed
from rules.iditacards.state import Table
from rules.iditacards.turn import Seat, Turn

TURNS_A_CARD: Final = 0.9
"""Turns that a card of a new hand keeps a day going, what it draws and what it costs included."""
MET: Final = 0.5
"""Part of the own moving cards of a deck that a day can use, if it sees all of them."""
SEEN: Final = 1.5
"""Cards of a deck that a day sees for each card of its first hand."""
SOFT: Final = 0.1
"""Part of a speed below nothing that counts, so that less of what holds back is better before it is gone."""
STUCK: Final = -1.0
"""What stands for the automatic move of who cannot move at all."""
EACH: Final = 0.05
"""What a point more of a condition counts where only its presence matters: it is further from none."""
MOST_POINTS: Final = 20
"""Points that count so."""
SLOW: Final = 1.5
"""Spaces a turn under which rates are lifted above nothing."""
KEPT: Final = 50_000
"""Rates remembered for one ruleset."""


class Day(NamedTuple):
    """A day under one face of the die."""

    step: float
    """The automatic move; a little less than nothing where something holds the player back."""
    hand: int
    speed: int | None
    """None where nothing moves."""


def lifted(rate: float) -> float:
    """Return a rate above nothing that grows wherever a rate grows."""
    return rate if rate > SLOW else SLOW * SLOW / (2 * SLOW - rate)


class Place:
    """A player's place on a table, to try out what changes the pace.

    Whoever changes dogs or conditions of ``seat`` for a trial puts them back.
    """

    def __init__(
        self, rulings: Rulings, moving: Mapping[str, Distance], known: dict[Any, Any], table: Table, index: int
    ) -> None:
        """``moving`` are the distances of cards that move; ``known`` remembers rates of the same ruleset."""
        self.rulings = rulings
        self.turn = Turn(rulings, table, Asking(()))
        self.seat: Seat = self.turn.seats[index]
        self._known = known
        seat = self.seat
        own = [*seat.hand, *seat.deck, *seat.discard]
        distances = [moving[card] for card in own if card in moving]
        printed, speeds = sum(each.printed for each in distances), sum(each.speeds for each in distances)
        self._moving = (printed, speeds, max(1, len(own)))

    def reach(self, distance: Distance) -> int:
        """Return the spaces that a card moves now."""
        return 0 if cannot_move(self.turn, self.seat) is not None else distance.at(speed(self.turn, self.seat))

    def step(self) -> float:
        """Return the automatic move now; a little less than nothing where something holds a player back."""
        if self.rulings.options["auto_move"] == "none":
            return 0.0
        if cannot_move(self.turn, self.seat) is not None:
            return STUCK
        total = automatic_sum(self.turn, self.seat)
        if self.rulings.auto_move_by_condition:
            more = max(0, self.seat.hypothermia - 1) + max(0, self.seat.starvation - 1)
            return max(0, total) * (1 - conditions(self.turn, self.seat) - EACH * min(more, MOST_POINTS))
        return total if total > 0 else SOFT * total

    def to_go(self) -> float:
        """Return a guess of the turns to the finish, as things stand."""
        where, rulings = self.seat.pos, self.rulings
        here = rulings.section_at[where] if where < len(rulings.section_at) else len(rulings.board.sections)
        return self._from(max(0, here), self._dogs(), entered=False)

    def rate(self) -> float:
        """Return the spaces a turn in the long run, as things stand."""
        turn, seat = self.turn, self.seat
        leg = turn.leg(seat)
        conditions_now = (seat.hypothermia, seat.starvation, seat.immune, turn.freeze)
        key = (None if leg is None else leg.id, self._dogs(), conditions_now, seat.pos > 0)
        days: tuple[Day, ...] | None = self._known.get(key)
        if days is None:
            days = self._known[key] = self._days()
        return self._rate(days)

    def _dogs(self) -> tuple[tuple[str, ...], ...]:
        return tuple(sorted((team.dog, *sorted(team.attachments)) for team in self.seat.dogs))

    def _from(self, index: int, dogs: tuple[tuple[str, ...], ...], *, entered: bool) -> float:
        """Return the turns from a section on, which is entered now or stood on."""
        seat, sections = self.seat, self.rulings.board.sections
        if index >= len(sections):
            return 0.0
        where = sections[index].first if entered else seat.pos
        far = min(sections[index].last + 1, self.rulings.finish_at) - where
        # What lies ahead is the same from every space of a section.
        held = (seat.hypothermia, seat.starvation, seat.immune)
        key = (index, self.turn.legs, dogs, held, entered, self._moving)
        found: tuple[float, float] | None = self._known.get(key)
        if found is None:
            was = seat.pos, seat.hypothermia, seat.starvation, seat.deck
            seat.pos, seat.deck = max(where, sections[index].first), []  # no toll is drawn for a guess
            if entered:
                enter_leg(self.turn, seat, seat.pos - 1)
            rate = lifted(self.rate())
            after = self._from(index + 1, dogs, entered=True)
            seat.pos, seat.hypothermia, seat.starvation, seat.deck = was
            if len(self._known) > KEPT:
                self._known.clear()
            found = self._known[key] = (rate, after)
        rate, after = found
        return far / rate + after

    def _days(self) -> tuple[Day, ...]:
        """Return the days that the die may bring, as things stand."""
        turn, seat = self.turn, self.seat
        now = turn.weather
        days = []
        for face in self.rulings.faces or (now,):
            turn.weather = face
            own = None if cannot_move(turn, seat) is not None else speed(turn, seat)
            days.append(Day(self.step(), hand_size(turn, seat), own))
        turn.weather = now
        return tuple(days)

    def _rate(self, days: tuple[Day, ...]) -> float:
        printed, speeds, cards = self._moving
        whole: list[tuple[float, float, float]] = []
        for step, hand, own in days:
            turns = 1 + TURNS_A_CARD * hand
            seen = min(1.0, SEEN * hand / cards)
            moved = 0.0 if own is None else MET * seen * max(0, printed + speeds * own)
            whole.append((step + moved / turns, turns, step))
        whole.sort(reverse=True)
        gone, spent, best = sum(step for _, _, step in whole), float(len(whole)), -inf
        for each, turns, step in whole:
            gone += each * turns - step
            spent += turns - 1
            best = max(best, gone / spent)
        return best
