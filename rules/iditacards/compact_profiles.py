"""The best speeds of a seat by what it plays for them: the part of the bound that asks for speeds."""

from __future__ import annotations

from typing import Final, NamedTuple

from rules.iditacards.compact_board import BoardTables
from rules.iditacards.compact_speed import STUCK, Pack, SpeedTables
from rules.iditacards.compact_stock import SPEED_OPS, Raisers, Waiting
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


class Teams(NamedTuple):
    """What speed cards can make of the dogs in play."""

    packs: list[list[Pack]]
    """By the number of plays that they take."""
    best: dict[tuple[int, int, int, int], int]
    """Best speeds by plays, section and conditions, where they were worked out."""


class Profiles:
    """Speeds from every place on, whatever the cards of the day are; what it has worked out it remembers."""

    def __init__(self, rulings: Rulings, speeds: SpeedTables, boards: BoardTables) -> None:
        self._rulings = rulings
        self._speeds = speeds
        self._boards = boards
        self.automatic: Final = {"none": STUCK, "speed": 0}.get(str(rulings.options["auto_move"]), 1)
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
            teams = self._teams[pack, speeders] = Teams(self._packs(pack, speeders), {})
        packs = teams.packs
        everything = packs[-1][0]
        ways: list[tuple[int, int, int]] = []
        entered = (hypothermia, starvation)
        for there in range(section, last + 1):
            if there > section:
                entered = self._entered(entered, self._speeds.entry(there, everything))
            if there >= first:
                ways.append((there, *entered))
        steps = max(max(_steps(cold, relief[0]), _steps(hunger, relief[1])) for _, cold, hunger in ways)
        steps = steps if relief[2] else 2 * steps
        # With some plays for the conditions, and never more than those take, all others are for speed cards.
        relieved = [
            {(there, *each) for there, cold, hunger in ways for each in _relieved(cold, hunger, n, relief)}
            for n in range(steps + 1)
        ]
        known = teams.best
        best = [
            [
                max([known[dogs, *way] if (dogs, *way) in known else self._best(teams, dogs, *way) for way in each])
                for dogs in range(len(packs))
            ]
            for each in relieved
        ]
        profile: list[int] = []
        for plays in range(len(packs) + steps):
            speeds = [best[n][min(plays - n, len(packs) - 1)] for n in range(min(plays, steps) + 1)]
            profile.append(max(*speeds, profile[-1] if profile else STUCK))
        return profile

    def _best(self, teams: Teams, dogs: int, there: int, cold: int, hunger: int) -> int:
        """Return the best speed on a section after so many plays of speed cards."""
        name = (dogs, there, cold, hunger)
        best = teams.best.get(name)
        if best is None:
            best = max(self._speeds.best(there, cold, hunger, combined) for combined in teams.packs[dogs])
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
        pos, hypothermia, starvation, dogs = self._boards.board(board)
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


def _relieved(cold: int, hunger: int, plays: int, relief: tuple[int, int, bool]) -> list[tuple[int, int]]:
    """Return the conditions that some number of plays can leave."""
    by_cold, by_hunger, both = relief
    if both:
        return [(max(0, cold - plays * by_cold), max(0, hunger - plays * by_hunger))]
    return [(max(0, cold - n * by_cold), max(0, hunger - (plays - n) * by_hunger)) for n in range(plays + 1)]
