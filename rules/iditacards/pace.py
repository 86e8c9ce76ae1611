"""How fast a player gets on: a guess from the rules for plain play, never a bound.

A race is a row of days. A day begins with a roll and a hand; the cards of the hand keep it going for some turns, each
of which ends with the automatic move, and some of them move besides. Whoever calls the next day as soon as the weather
is not among the best k faces makes, in the long run,

    (what the k good days bring in T turns + what the others bring in one) / (k T + the others)

spaces a turn; the rate is the greatest of these numbers over k. All speeds, hand sizes and what legs do to who enters
them are asked of the rules. Where conditions decide whether the automatic move goes forward, how long they last is
reckoned as for two queues (``ailing``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from rules.core.scripts import Asking
from rules.iditacards.ailing import Queue
from rules.iditacards.costs import speed
from rules.iditacards.days import hand_size
from rules.iditacards.deeds import Distance
from rules.iditacards.movement import automatic_at, automatic_sum, cannot_move, condition_mod, conditions, enter_leg
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Dog, Table
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
USUAL_PACE: Final = 4.0
"""Spaces a turn with which the turns left are reckoned where conditions come with the spaces."""
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


class _Rates(dict[tuple[int, int], tuple[float, float]]):
    """By the points of a player in one place: the rate there, and the turns that all sections ahead take."""

    __slots__ = ("dogs",)

    def __init__(self, dogs: tuple[Dog, ...]) -> None:
        super().__init__()
        self.dogs = dogs


def lifted(rate: float) -> float:
    """Return a rate above nothing that grows wherever a rate grows."""
    return rate if rate > SLOW else SLOW * SLOW / (2 * SLOW - rate)


class Days:
    """The days that the die may bring in one place, with the rates that were found of them."""

    __slots__ = ("days", "parts", "rates")

    def __init__(self, days: tuple[Day, ...]) -> None:
        self.days = days
        self.rates: dict[tuple[int, int, int], float] = {}
        """By what moves among the own cards."""
        self.parts: dict[tuple[int, int, int], tuple[tuple[float, float], ...]] = {}
        """Likewise the automatic move of each day and what cards bring a turn, where conditions decide on the rest."""


class Entered(NamedTuple):
    """What a section makes of who enters it."""

    pos: int
    hypothermia: int
    starvation: int
    days: Days


class Place:
    """A player's place on a table, to try out what changes the pace.

    Whoever changes dogs or conditions of ``seat`` for a trial puts them back.
    """

    def __init__(
        self,
        rulings: Rulings,
        moving: Mapping[str, Distance],
        known: dict[Any, Any],
        table: Table,
        index: int,
        cures: Mapping[str, tuple[int, int]] = MappingProxyType({}),
    ) -> None:
        """``moving`` are the distances of cards that move; ``known`` remembers rates of the same ruleset.

        ``cures`` are the points of hypothermia and of starvation that cards take away.
        """
        self.rulings = rulings
        self.turn = Turn(rulings, table, Asking(()))
        self.seat: Seat = self.turn.seats[index]
        self._known = known
        seat = self.seat
        own = [*seat.hand, *seat.deck, *seat.discard, *seat.resolved, *seat.seen]
        own += [frame.card for frame in seat.stack if not frame.placed]
        printed = speeds = cold = hungry = 0
        for card in own:
            if card in moving:
                distance = moving[card]
                printed += distance.printed
                speeds += distance.speeds
            if card in cures:
                cured = cures[card]
                cold += cured[0]
                hungry += cured[1]
        self._moving = (printed, speeds, max(1, len(own)))
        self._cures = (cold, hungry)
        where = seat.pos
        here = rulings.section_at[where] if where < len(rulings.section_at) else len(rulings.board.sections)
        self._section = max(0, here)
        self._here = self._rates_here(table.players[index].dogs)
        stuck = cannot_move(self.turn, self.seat) is not None
        self._speed = None if stuck else speed(self.turn, self.seat)
        """The speed as things stand; none where nothing moves."""

    def reach(self, distance: Distance) -> int:
        """Return the spaces that a card moves as things stand, whatever is tried out."""
        return 0 if self._speed is None else distance.at(self._speed)

    def step(self) -> float:
        """Return the automatic move now; a little less than nothing where something holds a player back."""
        total = automatic_sum(self.turn, self.seat)
        if self.rulings.auto_base is not None and self.rulings.auto_move_by_condition:
            blocked = cannot_move(self.turn, self.seat) is not None
            return STUCK if blocked else float(max(0, total) * (1 - conditions(self.turn, self.seat)))
        return self._step(cannot_move(self.turn, self.seat) is not None, total)

    def _step(self, stuck: bool, total: int) -> float:
        """Return the automatic move of who is not held back by conditions alone, going so far if it goes at all."""
        if self.rulings.auto_base is None:
            return 0.0
        if stuck:
            return STUCK
        return total if total > 0 else SOFT * total

    def to_go(self) -> float:
        """Return a guess of the turns to the finish, as things stand."""
        return self._to_go(self._rates_here(self._dogs()), self.seat.hypothermia, self.seat.starvation)

    def to_go_with(self, hypothermia: int, starvation: int) -> float:
        """Return the same guess for who has other points, with the dogs that are on the table."""
        return self._to_go(self._here, hypothermia, starvation)

    def thinner(self) -> float:
        """Return the same guess for who has a card less, but none that moves or heals."""
        printed, speeds, cards = was = self._moving
        self._moving = (printed, speeds, max(1, cards - 1))
        turns = self.to_go()
        self._moving = was
        return turns

    def rate(self) -> float:
        """Return the spaces a turn in the long run, as things stand."""
        dogs = self._dogs()
        return self._rate_of(self._days_here(dogs), dogs)

    def _rate_of(self, found: Days, dogs: tuple[Dog, ...]) -> float:
        """Return the spaces a turn with such days."""
        if self.rulings.auto_move_by_condition:
            return self._queued(found, dogs)
        moving = self._moving
        rate = found.rates.get(moving)
        if rate is None:
            rate = found.rates[moving] = self._rate(found.days)
        return rate

    def _days_here(self, dogs: tuple[Dog, ...]) -> Days:
        """Return the days that the die may bring, as things stand."""
        turn, seat = self.turn, self.seat
        leg = turn.leg(seat)
        points = not self.rulings.auto_move_by_condition and (seat.hypothermia, seat.starvation)
        key = (None if leg is None else leg.id, dogs, points, seat.immune, turn.freeze, seat.pos > 0)
        found: Days | None = self._known.get(key)
        if found is None:
            found = self._known[key] = Days(self._days())
        return found

    def queues(self) -> tuple[Queue, Queue]:
        """Return how hypothermia and starvation come and go, where only their presence counts."""
        return self._queues(self._here.dogs)

    def _queues(self, dogs: tuple[Dog, ...]) -> tuple[Queue, Queue]:
        seat, turn = self.seat, self.turn
        key = (seat.pos, turn.legs, dogs, turn.weather, seat.immune, self._moving[2], self._cures)
        found: tuple[Queue, Queue] | None = self._known.get(key)
        if found is None:
            found = self._known[key] = self._reckoned()
        return found

    def _reckoned(self) -> tuple[Queue, Queue]:
        seat, rulings, board = self.seat, self.rulings, self.rulings.board
        hand, cards = hand_size(self.turn, seat), self._moving[2]
        turns = 1 + TURNS_A_CARD * hand
        faces = [rulings.weathers[face] for face in rulings.faces]
        rolled = sum(face.hypothermia for face in faces), sum(face.starvation for face in faces)
        left = max(1.0, (rulings.finish_at - seat.pos) / USUAL_PACE)
        harm = max(0, 1 + condition_mod(self.turn, seat))
        met = min(1.0, SEEN * hand / cards) / turns
        found = []
        for points, spaces, cured in zip(rolled, (board.cold, board.hungry), self._cures, strict=True):
            ahead = sum(space > seat.pos for space in spaces) * harm
            found.append(Queue(points / max(1, len(faces)) / turns + ahead / left, met * cured, left))
        return found[0], found[1]

    def _dogs(self) -> tuple[Dog, ...]:
        return tuple(sorted(team.frozen() for team in self.seat.dogs))

    def _rates_here(self, dogs: tuple[Dog, ...]) -> _Rates:
        """Return what is known here with such dogs, by the points of a player.

        The rates are the same from every space of a section, but for where points wait on spaces.
        """
        turn, seat = self.turn, self.seat
        spaces = (seat.pos, turn.weather, self._cures) if self.rulings.auto_move_by_condition else None
        key = (self._section, turn.legs, dogs, seat.immune, turn.freeze, self._moving, spaces)
        known = self._known
        found: _Rates | None = known.get(key)
        if found is None:
            if len(known) > KEPT:
                known.clear()
            found = known[key] = _Rates(dogs)
        return found

    def _to_go(self, known: _Rates, hypothermia: int, starvation: int) -> float:
        """Return the turns to the finish for who has such points here."""
        found = known.get((hypothermia, starvation))
        if found is None:
            found = known[hypothermia, starvation] = self._looked_ahead(known.dogs, hypothermia, starvation)
        rate, after = found
        sections = self.rulings.board.sections
        if self._section >= len(sections):
            return after
        return (min(sections[self._section].last + 1, self.rulings.finish_at) - self.seat.pos) / rate + after

    def _looked_ahead(self, dogs: tuple[Dog, ...], hypothermia: int, starvation: int) -> tuple[float, float]:
        """Return the rate here for who has such points and the turns that all sections ahead take."""
        seat, sections = self.seat, self.rulings.board.sections
        if self._section >= len(sections):
            return 1.0, 0.0
        was = seat.pos, seat.hypothermia, seat.starvation, seat.deck
        seat.pos, seat.deck = max(seat.pos, sections[self._section].first), []  # no toll is drawn for a guess
        seat.hypothermia, seat.starvation = hypothermia, starvation
        here = lifted(self._rate_of(self._days_here(dogs), dogs))
        turns = []
        for index in range(self._section + 1, len(sections)):
            seat.pos, seat.hypothermia, seat.starvation, days = self._entered(index, dogs)
            far = min(sections[index].last + 1, self.rulings.finish_at) - sections[index].first
            turns.append(far / lifted(self._rate_of(days, dogs)))
        seat.pos, seat.hypothermia, seat.starvation, seat.deck = was
        after = 0.0
        for each in reversed(turns):
            after = each + after
        return here, after

    def _entered(self, index: int, dogs: tuple[Dog, ...]) -> Entered:
        """Return what becomes of the player who enters a section now."""
        turn, seat = self.turn, self.seat
        key = (index, turn.legs, dogs, seat.hypothermia, seat.starvation, seat.immune, turn.freeze)
        found: Entered | None = self._known.get(key)
        if found is None:
            seat.pos = self.rulings.board.sections[index].first
            enter_leg(turn, seat, seat.pos - 1)
            found = Entered(seat.pos, seat.hypothermia, seat.starvation, self._days_here(dogs))
            self._known[key] = found
        return found

    def _days(self) -> tuple[Day, ...]:
        """Return the days that the die may bring, as things stand."""
        turn, seat = self.turn, self.seat
        now = turn.weather
        days = []
        for face in self.rulings.faces or (now,):
            turn.weather = face
            stuck, own = cannot_move(turn, seat) is not None, speed(turn, seat)
            total = automatic_at(turn, seat, own)
            step = float(max(0, total)) if self.rulings.auto_move_by_condition else self._step(stuck, total)
            days.append(Day(step, hand_size(turn, seat), None if stuck else own))
        turn.weather = now
        return tuple(days)

    def _queued(self, found: Days, dogs: tuple[Dog, ...]) -> float:
        """Return the spaces a turn where the automatic move needs a player without conditions."""
        cold, hungry = self._queues(dogs)
        free = (1 - cold.busy(self.seat.hypothermia)) * (1 - hungry.busy(self.seat.starvation))
        parts = found.parts.get(self._moving)
        if parts is None:
            parts = found.parts[self._moving] = tuple(self._parts(found.days))
        gone = 0.0
        for step, moved in parts:
            gone += step * free + moved
        return gone / len(parts)

    def _parts(self, days: tuple[Day, ...]) -> Iterator[tuple[float, float]]:
        """Yield of each day the automatic move of who has no conditions, and what cards bring a turn."""
        printed, speeds, cards = self._moving
        for step, hand, own in days:
            moved = 0.0 if own is None else MET * min(1.0, SEEN * hand / cards) * max(0, printed + speeds * own)
            yield step, moved / (1 + TURNS_A_CARD * hand)

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
