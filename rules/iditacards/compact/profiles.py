"""The best speeds of a seat by what it plays for them: the part of the bound that asks for speeds."""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

from rules.iditacards.compact.board import BoardTables
from rules.iditacards.compact.speed import STUCK, Pack, SpeedTables
from rules.iditacards.compact.stock import SPEED_OPS, Raisers, Waiting
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Dog

_MOST_COMBINED: Final = 6
"""Speed cards combined exactly; with more of them one play counts as all."""

Place = tuple[int, int, int, Pack]
"""Section, hypothermia, starvation, and the dogs in play with what matters for speed."""


class Profile(NamedTuple):
    """Speeds by the number of plays that raise it; the last stands for all further ones."""

    number: int
    """Equal for equal speeds."""
    speeds: tuple[int, ...]
    moved: tuple[int, ...]
    """Automatic moves of as many turns, each with one more play done."""


class Teams:
    """What speed cards can make of the dogs in play, and the best speeds with it as far as they were worked out."""

    def __init__(self, packs: list[list[Pack]]) -> None:
        """``packs`` has the dogs in play by the number of plays that they take."""
        self.packs = packs
        self.dogs = tuple(sorted({dog for level in packs for pack in level for dog in pack}))
        """Each dog with what it may wear."""
        place = {dog: number for number, dog in enumerate(self.dogs)}
        self.members = [sorted({tuple(place[dog] for dog in pack) for pack in level}) for level in packs]
        """The same packs as places of their dogs."""
        self.gains: dict[tuple[int, ...], tuple[int, ...]] = {}
        """By what each dog adds to the speed: the most that a pack adds, by plays;"""
        self.best: dict[tuple[int, int, int], tuple[int, ...]] = {}
        """by section and conditions: best speeds by plays for dogs,"""
        self.profiles: dict[tuple[int, int, int, tuple[int, int, bool]], tuple[int, ...]] = {}
        """and by these and relief: best speeds by all plays."""


class Profiles:
    """Speeds from every place on, whatever the cards of the day are; what it has worked out it remembers."""

    def __init__(self, rulings: Rulings, speeds: SpeedTables, boards: BoardTables) -> None:
        self._rulings = rulings
        self._speeds = speeds
        self._boards = boards
        self.automatic: Final = STUCK if rulings.auto_base is None else rulings.auto_base
        """Spaces of an automatic move at speed 0 (R47)."""
        self.by_board: list[int] = []
        """The number of what matters for speed on each board, as far as it was asked for."""
        self.sections: list[int] = []
        """The section of each such number."""
        self._places: list[Place] = []
        self._numbers: dict[Place, int] = {}
        self._profiles: dict[tuple[int, int, int, tuple[str, ...], tuple[int, int, bool], int], Profile] = {}
        self._distinct: dict[tuple[int, ...], Profile] = {}
        self._teams: dict[tuple[Pack, tuple[str, ...]], Teams] = {}

    def place(self, board: int) -> int:
        """Return the number of what matters for speed on a board."""
        while len(self.by_board) <= board:
            self.by_board.append(self._place(len(self.by_board)))
        return self.by_board[board]

    def profile(self, place: int, first: int, last: int, raisers: Raisers, waiting: Waiting) -> Profile:
        """Return the best speeds on sections ``first`` to ``last``; waiting cards have arrived from the start."""
        relief = raisers.relief
        if any(waiting.relief):
            relief = (relief[0] + waiting.relief[0], relief[1] + waiting.relief[1], True)
        speeders = tuple(sorted((*raisers.speeders, *waiting.speeders))) if waiting.speeders else raisers.speeders
        free = len(waiting.speeders) + any(waiting.relief)
        name = (place, first, last, speeders, relief, free)
        profile = self._profiles.get(name)
        if profile is None:
            whole = self._make_profile(place, first, last, speeders, relief)
            speeds = tuple(whole[min(free, len(whole) - 1) :])
            moved = [0]
            for speed in speeds[1:]:
                moved.append(moved[-1] + max(0, self.automatic + speed))
            profile = self._distinct.setdefault(speeds, Profile(len(self._distinct), speeds, tuple(moved)))
            self._profiles[name] = profile
        return profile

    def _make_profile(
        self, place: int, first: int, last: int, speeders: tuple[str, ...], relief: tuple[int, int, bool]
    ) -> list[int]:
        section, hypothermia, starvation, pack = self._places[place]
        teams = self._teams.get((pack, speeders))
        if teams is None:
            teams = self._teams[pack, speeders] = Teams(self._packs(pack, speeders))
        everything = teams.packs[-1][0]
        each: list[tuple[int, ...]] = []
        entered = (hypothermia, starvation)
        for there in range(section, last + 1):
            if there > section:
                entered = self._entered(entered, self._speeds.entry(there, everything))
            if there >= first:
                name = (there, *entered, relief)
                on_it = teams.profiles.get(name)
                if on_it is None:
                    on_it = teams.profiles[name] = self._on(teams, there, *entered, relief)
                if on_it not in each:
                    each.append(on_it)
        if len(each) == 1:
            return [*each[0]]
        plays = range(max(map(len, each)))
        return [max([speeds[min(n, len(speeds) - 1)] for speeds in each]) for n in plays]

    def _on(self, teams: Teams, there: int, cold: int, hunger: int, relief: tuple[int, int, bool]) -> tuple[int, ...]:
        """Return the best speeds on one section that is entered with these conditions, by plays.

        Those on several sections are the greatest of each: plays beyond what the conditions of one section can use
        leave it as it is, and speeds never fall with more plays.
        """
        ways = _relieved(cold, hunger, relief)
        packs = len(teams.packs)
        # With some plays for the conditions, and never more than those take, all others are for speed cards.
        speeds = [STUCK] * (packs + len(ways) - 1)
        for n, conditions in enumerate(ways):
            for left in conditions:
                for plays, speed in enumerate(self._best(teams, there, *left), n):
                    if speed > speeds[plays]:
                        speeds[plays] = speed
        return tuple(accumulate(speeds, max))

    def _best(self, teams: Teams, there: int, cold: int, hunger: int) -> tuple[int, ...]:
        """Return the best speeds on a section by the number of plays of speed cards.

        Where each dog adds to the speed by itself, packs are compared once for all places where it adds the same.
        """
        name = (there, cold, hunger)
        best = teams.best.get(name)
        if best is None:
            parts = self._speeds.parts(there, cold, hunger, teams.dogs)
            if parts is None:
                speeds = self._speeds
                best = tuple([max([speeds.best(there, cold, hunger, pack) for pack in level]) for level in teams.packs])
            elif parts[0] == STUCK:
                best = (STUCK,) * len(teams.packs)
            else:
                alone, added = parts
                gains = teams.gains.get(added)
                if gains is None:
                    levels = ([sum([added[dog] for dog in pack]) for pack in level] for level in teams.members)
                    gains = teams.gains[added] = tuple(map(max, levels))
                best = tuple([alone + gain for gain in gains])
            teams.best[name] = best
        return best

    def _entered(self, before: tuple[int, int], entry: tuple[int, int]) -> tuple[int, int]:
        """Return the least conditions on a leg for a seat that had ``before`` on the leg before it (R49, Q10)."""
        raised = self._rulings.options["leg_entry"] != "set" and self._rulings.every_leg
        pick = max if raised else min
        return pick(before[0], entry[0]), pick(before[1], entry[1])

    def _packs(self, pack: Pack, speeders: tuple[str, ...]) -> list[list[Pack]]:
        """Return what 0, 1, 2, … of the speed cards can make of the dogs in play, limits left aside."""
        if len(speeders) > _MOST_COMBINED:
            packs = {pack}
            for card in speeders:
                packs = {more for before in packs for more in self._with(before, card)}
            return [[pack], sorted(packs)]
        levels = [{(pack, speeders)}]
        for _ in speeders:
            levels.append(
                {
                    (more, (*left[:place], *left[place + 1 :]))
                    for before, left in levels[-1]
                    for place, card in enumerate(left)
                    for more in self._with(before, card)
                }
            )
        return [sorted({combined for combined, _ in level}) for level in levels]

    def _with(self, pack: Pack, card: str) -> list[Pack]:
        if self._rulings.cards[card].type == "dog":
            return [tuple(sorted((*pack, Dog(card, ()))))]
        worn = [
            tuple(sorted((*pack[:place], Dog(dog.dog, tuple(sorted((*dog.attachments, card)))), *pack[place + 1 :])))
            for place, dog in enumerate(pack)
        ]
        return worn or [pack]

    def _place(self, board: int) -> int:
        pos, hypothermia, starvation, dogs = self._boards.board(board)[:4]
        pack = tuple(sorted(Dog(dog.dog, tuple(filter(self._changes_speed, dog.attachments))) for dog in dogs))
        place = (self._speeds.section_of(pos), hypothermia, starvation, pack)
        number = self._numbers.get(place)
        if number is None:
            number = self._numbers[place] = len(self._places)
            self._places.append(place)
            self.sections.append(place[0])
        return number

    def _changes_speed(self, attachment: str) -> bool:
        passive = self._rulings.cards[attachment].passive
        return any(op in passive for op in SPEED_OPS)


def _steps(level: int, by: int) -> int:
    return -(-level // by) if by else 0


@lru_cache(maxsize=4096)
def _relieved(cold: int, hunger: int, relief: tuple[int, int, bool]) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return by the number of plays, up to as many as can matter, the conditions that so many can leave."""
    by_cold, by_hunger, both = relief
    steps = max(_steps(cold, by_cold), _steps(hunger, by_hunger))
    if both:
        return tuple(((max(0, cold - n * by_cold), max(0, hunger - n * by_hunger)),) for n in range(steps + 1))
    ways = (
        [(max(0, cold - n * by_cold), max(0, hunger - (plays - n) * by_hunger)) for n in range(plays + 1)]
        for plays in range(2 * steps + 1)
    )
    return tuple(tuple(dict.fromkeys(each)) for each in ways)
