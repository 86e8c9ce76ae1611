"""How far a race can get at most in the turns left: a race whose cards cost nothing and come in any order.

The bound of a position is the exact optimum of a simpler race, worked out once for all positions by dynamic
programming. Cards that move are *jumps* if they carry a risk, else *steps*; cards that raise the automatic move by
being in play are *speeders*. In the simpler race nobody pays, and a turn is one of:

- **a step**, while one is left today; it moves as far as a step can at this speed;
- **the start of a jump**, while one is left today: it waits;
- **a resolution**: one risk card comes up, which may be a step or a speeder or nothing, then all waiting jumps land;
- **a speeder**, which counts from this very turn, even if it carries a risk;
- **a new day**, after which nothing waits and all jumps and steps of the race are there again;

and after each the sled moves by itself. Every turn of the real race is one of these with at most this gain: a turn
plays one card (R14) or turns up one risk card (R33); a card with a risk takes effect on a later turn (R24), and then
the frames below it may, in the same turn (R31, R38); the risk card itself takes effect first, so a speeder among risk
cards counts for the jumps that land with it. What the real turn leaves is never more than what the simpler one leaves:
jumps, steps and speeders are counted in hand and deck together, waiting ones in the stack, and a new day gives at most
all (R61). More of anything never makes the simpler race slower, since every plan for less is open with more. So its
optimum is admissible. It holds for a track on which spaces are alike (``race_form.missing``), for speeds that are the
sum of what the cards in play add, and for cards that go as far as their number plus the speed; both are checked on
every board, and a ruleset where they do not hold has no bound of this kind (``OverflowError``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rules.iditacards.state import in_play

if TYPE_CHECKING:
    from rules.iditacards.race.form import RaceForm


class Outlook(NamedTuple):
    """What ``free_outlook`` looks up."""

    level: Sequence[int]
    """By board and speeders waiting: the speed with the waiting ones counted."""
    most_waiting: int
    """Speeders that can wait at the same time."""
    speeders_waiting: Sequence[int]
    """By stack: its speeders, and its jumps."""
    jumps_waiting: Sequence[int]
    jumps: Sequence[int]
    """Kinds that move and carry a risk, and kinds that move and carry none."""
    steps: Sequence[int]
    jump_size: int
    """One more than the jumps of the race; likewise for steps."""
    step_size: int


Level = tuple[int, tuple[int, ...]]
"""The automatic move, and what each speeder not in play would add to it, most first."""


class BoundTables:
    """Optima of the simpler race by turns left, speed, jumps and steps left today, and jumps waiting."""

    def __init__(self, form: RaceForm) -> None:
        tables, boards = form.tables, form.boards
        kinds = range(tables.kinds)
        automatic = tables.automatic
        movers: dict[int, int] = {}
        for board in range(len(boards.packs)):
            for kind in kinds:
                for _, spaces, _ in form.facts[kind][board][3]:
                    if spaces and movers.setdefault(kind, spaces - automatic[board]) != spaces - automatic[board]:
                        raise OverflowError("cards that do not move by a number plus speed")
        risky = {kind for kind in kinds if any(risk for _, _, risk, _ in form.facts[kind])}
        jumps = [kind for kind in movers if kind in risky]
        steps = [kind for kind in movers if kind not in risky]
        self.jump = max((movers[kind] for kind in jumps), default=0)
        self.step = max((movers[kind] for kind in steps), default=0)
        self._all_jumps = sum(form.copies[kind] for kind in jumps)
        self._all_steps = sum(form.copies[kind] for kind in steps)
        adds = _speeders(form)
        levels = [_level(form, adds, board) for board in range(len(boards.packs))]
        self._levels: list[Level] = list(dict.fromkeys(levels))
        for level in self._levels:  # grows meanwhile
            if level[1] and _faster(level) not in self._levels:
                self._levels.append(_faster(level))
        number = {level: place for place, level in enumerate(self._levels)}
        self._faster = [number[_faster(level)] if level[1] else -1 for level in self._levels]
        speeding = {form.kind[card] for card in adds}
        frames = list(form.stacks)
        speeders = [sum(kind in speeding for kind, _ in stack) for stack in frames]
        by_board: list[int] = []
        for first in levels:
            at = number[first]
            for _ in range(max(speeders) + 1):
                by_board.append(at)
                at = self._faster[at] if self._faster[at] >= 0 else at
        self.tables = Outlook(
            level=by_board,
            most_waiting=max(speeders),
            speeders_waiting=speeders,
            jumps_waiting=[sum(kind in jumps for kind, _ in stack) for stack in frames],
            jumps=jumps,
            steps=steps,
            jump_size=self._all_jumps + 1,
            step_size=self._all_steps + 1,
        )
        self.rows = len(self._levels) * self.tables.jump_size**2 * self.tables.step_size
        """Entries for each number of turns."""
        self.most: list[int] = [0] * self.rows
        """Spaces at most, at ``turns * rows + free_outlook(key)``."""

    def fresh(self, board: int) -> int:
        """Return the entry of a day that begins with a board."""
        level = self.tables.level[board * (self.tables.most_waiting + 1)]
        jumps, steps = self.tables.jump_size, self.tables.step_size
        return ((level * jumps + jumps - 1) * jumps) * steps + steps - 1

    def ensure(self, turns: int) -> None:
        """Work out the entries of up to so many turns."""
        while len(self.most) <= turns * self.rows:
            self._next()

    def _next(self) -> None:
        before = self.most[-self.rows :]
        jumps, steps = self.tables.jump_size, self.tables.step_size

        def at(level: int, left: int, waiting: int, small: int) -> int:
            return before[((level * jumps + left) * jumps + waiting) * steps + small]

        for level, (automatic, _) in enumerate(self._levels):
            faster = self._faster[level]
            day = automatic + at(level, self._all_jumps, 0, self._all_steps)
            for left in range(jumps):
                for waiting in range(jumps):
                    for small in range(steps):
                        best = max(day, automatic + at(level, left, waiting, small))
                        landing = waiting * (self.jump + automatic)
                        best = max(best, landing + automatic + at(level, left, 0, small))
                        if small:
                            step = self.step + 2 * automatic
                            best = max(best, landing + step + at(level, left, 0, small - 1))
                            best = max(best, step + at(level, left, waiting, small - 1))
                        if left and waiting + 1 < jumps:
                            best = max(best, automatic + at(level, left - 1, waiting + 1, small))
                        if faster >= 0:
                            speed = self._levels[faster][0]
                            landing = waiting * (self.jump + speed)
                            best = max(best, landing + speed + at(faster, left, 0, small))
                            best = max(best, speed + at(faster, left, waiting, small))
                        self.most.append(best)


def falls_short(key: int, spaces: int, row: int, most: Any, tables: Any, bound: Any, _counts: Any) -> bool:
    """Return whether the entries from ``row`` on exclude that so many spaces are made from a position."""
    return bool(most[row + free_outlook(key, tables, bound)] < spaces)


def outlook(key: int, tables: Any, bound: Any, _counts: Any) -> int:
    """Return the entry of a position among those of the same number of turns."""
    return free_outlook(key, tables, bound)


def free_outlook(key: int, tables: Any, bound: Any) -> int:
    """Return the entry of a position among those of the same number of turns."""
    deck = key >> tables.deck_shift
    row = deck * tables.row
    stack = (key >> tables.stack_shift) & tables.stack_mask
    board = (key >> tables.board_shift) & tables.board_mask
    taken = (key >> tables.taken_shift) & tables.taken_mask
    cards = (key & tables.hand_mask) + tables.drawn[row + tables.size[deck]] - tables.drawn[row + taken]
    jumps = steps = 0
    for kind in bound.jumps:
        jumps += (cards >> tables.shift[kind]) & tables.mask[kind]
    for kind in bound.steps:
        steps += (cards >> tables.shift[kind]) & tables.mask[kind]
    level: int = bound.level[board * (bound.most_waiting + 1) + bound.speeders_waiting[stack]]
    waiting: int = bound.jumps_waiting[stack]
    jump_size: int = bound.jump_size
    step_size: int = bound.step_size
    return ((level * jump_size + jumps) * jump_size + waiting) * step_size + steps


KERNEL: Final = (free_outlook, outlook, falls_short)
"""The functions of this module, for a compiler."""


def _speeders(form: RaceForm) -> dict[str, int]:
    """Return what each card that can be in play adds to the automatic move, checked on every board."""
    boards, automatic = form.boards, form.tables.automatic
    adds: dict[str, int] = {}
    for board, placed in enumerate(boards.placed):
        for card, afters in placed.items():
            for after in afters:
                before, now = in_play(boards.packs[board].dogs), in_play(boards.packs[after].dogs)
                if len(now) == len(before) + 1:
                    adds.setdefault(card, automatic[after] - automatic[board])
    base = automatic[0] - sum(adds.get(card, 0) for card in in_play(boards.packs[0].dogs))
    for board, pack in enumerate(boards.packs):
        if automatic[board] != base + sum(adds.get(card, 0) for card in in_play(pack.dogs)):
            raise OverflowError("speeds that are no sums")
    if any(add < 0 for add in adds.values()):
        raise OverflowError("cards that slow down")
    return {card: add for card, add in adds.items() if add}


def _level(form: RaceForm, adds: dict[str, int], board: int) -> Level:
    pack = form.boards.packs[board]
    there = [*in_play(pack.dogs), *pack.dead]
    left = [add for card, add in adds.items() for _ in range(form.cards[card] - there.count(card))]
    return form.tables.automatic[board], tuple(sorted(left, reverse=True))


def _faster(level: Level) -> Level:
    automatic, adds = level
    return automatic + adds[0], adds[1:]
