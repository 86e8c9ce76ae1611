"""What legs, weather and conditions do to a seat, asked of the rules place by place, as tables for the kernel.

A *stretch* is a run of spaces on one leg; the start line is one of its own, for the weather does not reach it (Q57),
and so is what lies beyond the track. Two things are not asked in every combination but put together from parts: the
speed from its value without conditions and what conditions take off, and what entering legs makes of conditions from
the least that it leaves. That the parts add up is looked up here too, on boards, stretches and faces taken in turn;
``OverflowError`` says that a ruleset is of another kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rules.core.scripts import Exploring, every_way
from rules.iditacards.content import Card
from rules.iditacards.costs import costs_on_table, risk_cost
from rules.iditacards.days import hand_size, new_day
from rules.iditacards.dogs import kill_one
from rules.iditacards.movement import cannot_move, condition_mod, forward
from rules.iditacards.race.boards import Boards, Pack
from rules.iditacards.risk import fizzling_leg, put_on_table, run_alone
from rules.iditacards.rulings import Rulings
from rules.iditacards.speed import speed
from rules.iditacards.state import Table, in_play
from rules.iditacards.track.kernel import LEVELS, POS_MASK
from rules.iditacards.turn import Seat, Team, Turn, rolled

SPACES = POS_MASK + 1
MOST_DAYS = 60
"""New days that a race can have."""
_SAMPLES = 60
"""Boards, stretches and faces on which sums are looked up."""

MOODS = frozenset({"hypothermia", "starvation", "clear_hypothermia", "clear_starvation"})
"""Ops that change conditions and nothing else."""


class Track:
    """Everything about places that the kernel looks up."""

    def __init__(self, rulings: Rulings, table: Table, seat: int, boards: Boards) -> None:
        self._rulings = rulings
        self._seat = seat
        self._boards = boards
        player = table.players[seat]._replace(deck=(), discard=(), hand=(), legendary=(), resolved=(), stack=())
        self._table = table._replace(players=(player,), destroyed=(), supply=())
        self.section = self._stretches(table)
        self._first = [self.section.index(each) for each in range(self.section[-1] + 1)]
        self.sections = len(self._first)
        self.faces: dict[str, int] = {}
        self._event = table.counters.weather
        self.weather_now = table.weather
        self.weather: list[int] = [self._face(table.weather)]
        self.packs = range(len(boards.packs))
        # Nothing asked here sees who wears what: one board stands for all that have the same cards in play.
        cards = [tuple(sorted(in_play(pack.dogs))) for pack in boards.packs]
        alike = {each: board for board, each in reversed(list(enumerate(cards)))}
        self._alike = [alike[each] for each in cards]
        mods = self._by_board(0, self.weather_now, condition_mod)
        self._mods = list(dict.fromkeys(mods))
        self.classes = len(self._mods)
        self.board_class = [self._mods.index(mod) for mod in mods]
        self._member = [self.board_class.index(each) for each in range(self.classes)]
        for face in rulings.faces:
            self._face(face)
        self.drag, self.stuck = self._conditions()
        self.speed = list(self._speeds())
        self._check_sums()
        self.entry = self._entries()
        self.dawn = list(self._dawns())
        self.day_draws = [
            draws for face in self.faces for first in self._first for draws in self._by_board(first, face, hand_size)
        ]
        self.fizzles = [self._fizzles(first) for first in self._first]
        self.recovers = [self._recovers(first) for first in self._first]
        self.automatic = rulings.auto_base or 0
        self.losses = [losses for section in range(self.sections) for losses in self._all_losses(section)]

    def _stretches(self, table: Table) -> list[int]:
        track = self._rulings.track(table.legs)
        legs = [track[space] if space < len(track) else None for space in range(SPACES)]
        if len(track) > SPACES or self._rulings.finish_at >= SPACES - 60:
            raise OverflowError("a longer track than places have room for")
        sections = [0]
        for space in range(1, SPACES):
            sections.append(sections[-1] + (space == 1 or legs[space] is not legs[space - 1]))
        return sections

    def _face(self, face: str) -> int:
        return self.faces.setdefault(face, len(self.faces))

    def ensure(self, days: int) -> None:
        """Know the weather of the first ``days`` new days (R62); without a die it stays."""
        while len(self.weather) <= days:
            event = self._event + len(self.weather) - 1
            face = rolled(self._rulings, event) if self._rulings.faces else self._table.weather
            self.weather.append(self._face(face))

    # Asking

    def _question(
        self, pos: int, levels: int = 0, face: str | None = None, board: int = 0, script: Exploring | None = None
    ) -> tuple[Turn, Seat]:
        table = self._table if face is None else self._table._replace(weather=face)
        turn = Turn(self._rulings, table, script or Exploring((), []))
        seat = turn.seats[self._seat]
        seat.pos, seat.hypothermia, seat.starvation = pos, levels >> 3, levels & 7
        seat.dogs = [Team(dog.dog, dog.attachments) for dog in self._boards.packs[board].dogs]
        seat.finished = True  # the finish is the search's business
        return turn, seat

    def _ask(
        self, pos: int, levels: int = 0, face: str | None = None, board: int = 0, *, answer: Callable[[Turn, Seat], int]
    ) -> int:
        return answer(*self._question(pos, levels, face, board))

    def _by_board(self, pos: int, face: str, answer: Callable[[Turn, Seat], int]) -> list[int]:
        """Return the answer for every board."""
        found = {board: self._ask(pos, face=face, board=board, answer=answer) for board in set(self._alike)}
        return [found[board] for board in self._alike]

    def calm_speeds(self, section: int) -> list[int]:
        """Return the speed of every board on a stretch while the weather does not reach the seat (R67)."""
        return self._by_board(self._first[section], self.weather_now, _calm)

    def _conditions(self) -> tuple[list[int], list[int]]:
        """Return what conditions take off the speed of the root's board on the start line, and where they hold."""
        bare = self._ask(0, answer=speed)
        drag = [bare - self._ask(0, levels, answer=speed) for levels in range(LEVELS)]
        return drag, [int(cannot_move(*self._question(0, levels)) is not None) for levels in range(LEVELS)]

    def _speeds(self) -> Iterator[int]:
        for face in self.faces:
            for first in self._first:
                yield from self._by_board(first, face, speed)

    def _check_sums(self) -> None:
        faces = list(self.faces)
        for sample in range(_SAMPLES):
            face, section, board = sample % len(faces), sample * 7 % self.sections, sample * 11 % len(self.packs)
            base = self.speed[(face * self.sections + section) * len(self.packs) + board]
            pos = self._first[section]
            for levels in range(LEVELS):
                turn, seat = self._question(pos, levels, faces[face], board)
                if speed(turn, seat) != base - self.drag[levels]:
                    raise OverflowError("speeds that are no sums")
                if (cannot_move(turn, seat) is not None) != bool(self.stuck[levels]):
                    raise OverflowError("other things than conditions that keep from moving")

    def _entries(self) -> list[int]:
        by_class = [
            [self._entered(first, there, board) for first in range(self.sections) for there in range(self.sections)]
            for board in self._member
        ]
        return [least for board in self.packs for least in by_class[self.board_class[board]]]

    def _entered(self, section: int, there: int, board: int) -> int:
        """Return the least conditions after moving from the end of one stretch to the beginning of another."""
        if there <= section:
            return 0
        start = self._first[section + 1] - 1
        found = []
        for levels in (0, 2 << 3 | 3, 4 << 3 | 1):
            turn, seat = self._question(start, levels, board=board)
            forward(turn, seat, self._first[there] - start)
            found.append((seat.hypothermia, seat.starvation))
            cold, hunger = found[0]
            if found[-1] != (max(cold, levels >> 3), max(hunger, levels & 7)):
                raise OverflowError("legs that do more than raise conditions")
        return found[0][0] << 3 | found[0][1]

    def _dawns(self) -> Iterator[int]:
        """Yield the conditions after the roll and the start of a day, for each face, stretch, class and conditions."""
        for face in self.faces:
            for section in range(self.sections):
                for board in self._member:
                    same = [self._dawn(face, section, board, level << 3 | level) for level in range(8)]
                    for levels in range(LEVELS):
                        yield same[levels >> 3] >> 3 << 3 | same[levels & 7] & 7

    def _dawn(self, face: str, section: int, board: int, levels: int) -> int:
        turn, seat = self._question(self._first[section], levels, face, board, Exploring((), []))
        seat.finished = False
        if self._rulings.faces:
            event = self._event_of(face)
            if event is None:  # no day has this weather
                return levels
            turn.counters_weather = event
        new_day(turn, seat)
        return seat.hypothermia << 3 | seat.starvation

    def _event_of(self, face: str) -> int | None:
        """Return a roll that shows a face, of those that a race can have."""
        events = range(self._event, self._event + MOST_DAYS)
        return next((event for event in events if rolled(self._rulings, event) == face), None)

    def _all_losses(self, section: int) -> list[tuple[int, ...]]:
        """Return the boards that the start of a day on a stretch may leave, by board (R60 step 7).

        Where not all boards are there, days that would leave another are not called.
        """
        leg = self._question(self._first[section])[0].leg_at(self._first[section])
        if leg is None or "leg_day_start_kill_dog" not in leg.effects:
            return [(board,) for board in self.packs]
        return [self._losses(section, board) for board in self.packs]

    def _losses(self, section: int, board: int) -> tuple[int, ...]:
        found: dict[int, None] = {}
        for script in every_way(Exploring):
            turn, seat = self._question(self._first[section], board=board, script=script)
            kill_one(turn, seat)
            before = self._boards.packs[board]
            dead = tuple(sorted((*before.dead, *turn.destroyed)))
            pack = Pack(tuple(sorted(team.frozen() for team in seat.dogs)), dead, before.stock)
            if pack in self._boards.numbers:
                found[self._boards.numbers[pack]] = None
            elif self._boards.are_all:
                raise OverflowError("losses that free actions do not bring")
        return tuple(found)

    def _fizzles(self, first: int) -> int:
        return int(fizzling_leg(*self._question(first)) is not None)

    def _recovers(self, first: int) -> int:
        leg = Turn(self._rulings, self._table, Exploring((), [])).leg_at(first)
        return int(leg is not None and "leg_turn_end_recover" in leg.effects)

    # Cards

    def costs(self, card: Card) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], int]:
        """Return what a card makes of conditions when it is put on the table, and its costs, by conditions."""
        energy, health = [], []
        for levels in range(LEVELS):
            turn, seat = self._question(1, levels)
            costs = costs_on_table(turn, seat, card)
            assert costs.energy is not None
            energy.append(costs.energy)
            health.append(costs.health)
        return self.tabled(card), tuple(energy), tuple(health), risk_cost(*self._question(1), card)

    def tabled(self, card: Card) -> tuple[int, ...]:
        """Return what a card makes of conditions when it is put on the table (R21)."""
        left = []
        for levels in range(LEVELS):
            turn, seat = self._question(1, levels)
            put_on_table(turn, seat, card)
            left.append(seat.hypothermia << 3 | seat.starvation)
        return tuple(left)

    def mood(self, card: Card) -> tuple[int, ...]:
        """Return the conditions that a card's ops leave, by section and conditions; nothing where it has none such."""
        ops = [effect for effect in card.instant if effect.op in MOODS]
        if not ops:
            return ()
        left = []
        for first in self._first:
            for levels in range(LEVELS):
                turn, seat = self._question(first, levels)
                for effect in ops:
                    run_alone(turn, seat, card, effect)
                left.append(seat.hypothermia << 3 | seat.starvation)
        return tuple(left)


def _calm(turn: Turn, seat: Seat) -> int:
    seat.immune = True
    return speed(turn, seat)
