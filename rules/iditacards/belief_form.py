"""A day with a hidden deck in the form that a compiler takes over: the facts of ``solver.search.dealing_facts``.

Everything is asked of ``BeliefDay`` and so of the rules: boards and risk stacks as *stances*, what every card does on
each, and which cards are alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from rules.core.ventures import OutOfReach
from rules.iditacards.belief_facts import MOST_STANCES, FormFacts
from rules.iditacards.compact_plays import CONTINUES_IN_VAIN, Draw, End, Play

NOWHERE: Final = -1_000
"""A place from which no target is reached,"""
_NO_BOARD: Final = -1
"""and the number of the board that is there."""


class Dealt(NamedTuple):
    """A belief as a node."""

    deck: int
    hand: int
    size: int
    held: int
    stance: int
    won: int


class BeliefForm(FormFacts):
    """The facts of one question; grows while a search asks for them."""

    def dealt(self, board: int, stack: int, hand: int, deck: int) -> Dealt:
        """Return a belief as a node.

        Raises:
            OutOfReach: there are more of a kind than have room.
        """
        count = self._day.kinds.count
        won = self._day.boards.pos[board] - self._base if self._plain is not None else 0
        return Dealt(
            self._own(deck), self._own(hand), count(deck), count(hand), self._number(self._normal(board), stack), won
        )

    # Stances

    @property
    def stances(self) -> int:
        """How many stances have a number."""
        return len(self._stances)

    def _normal(self, board: int) -> int:
        if self._plain is None:
            return board
        boards = self._day.boards
        return boards.number(self._plain.normal(boards.board(board))._replace(pos=self._base))

    def _number(self, board: int, stack: int) -> int:
        name = (board, stack)
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self._stances)
            if number == MOST_STANCES:
                raise OutOfReach
            self._stances.append(name)
            at = self._at(number)
            self.facts[at + 1] = int(stack > 0)
            self.facts[at + 2] = NOWHERE if board == _NO_BOARD else self._day.boards.pos[board]
        return number

    def _at(self, stance: int) -> int:
        return int(self.facts[self._layout.header["STANCES"]]) + self._layout.stance * stance

    def answer(self, stance: int, grow: Callable[[int], None]) -> None:
        """Write down the facts of a stance; ``grow`` makes room for so many more numbers.

        Raises:
            OutOfReach: a play is not carried.
        """
        day, layout = self._day, self._layout
        board, stack = self._stances[stance]
        if board == _NO_BOARD:
            self._write_nowhere(stance, grow)
            return
        frees = [self._number(free, stack) for free in dict.fromkeys(map(self._normal, day.boards_to_act_on(board)))]
        fizzles = day.boards.fizzles(board)
        plays = [day.plays.play(board, stack, CONTINUES_IN_VAIN)]
        written = [self._record(play, board) for play in plays]
        for kind, name in enumerate(day.kinds.names):
            avoids = kind in day.avoided
            written.append(self._nowhere() if avoids else self._record(day.plays.play(board, stack, name), board))
        block = [len(frees), *frees, int(fizzles)]
        first = len(block) + len(written)
        places: list[int] = []
        records: list[int] = []
        for record in written:
            places.append(self.used + first + len(records))
            records += record
        block += [*places, *records]
        self._put(stance, block, grow)
        at = self._at(stance)
        for n in range(layout.near + 1):
            late = self._number(board, day.late(stack, n)) if stack else stance
            self.facts[at + layout.late + n] = late
            if self._target is not None:
                self.facts[at + layout.ahead + n] = self._ahead(board, stack, n, self._target)

    def _nowhere(self) -> list[int]:
        """Return the play of a card with which all is lost: it leads where no target is, and nothing leads on."""
        stance = self._number(_NO_BOARD, 0)
        return [0, 0, 1, stance, 0, 0, stance, 0, 0]

    def _write_nowhere(self, stance: int, grow: Callable[[int], None]) -> None:
        play = self._nowhere()
        names = len(self._day.kinds.names) + 1
        block = [1, stance, 1, *([self.used + 3 + names] * names), *play]
        self._put(stance, block, grow)
        at = self._at(stance)
        for n in range(self._layout.near + 1):
            self.facts[at + self._layout.late + n] = stance
            self.facts[at + self._layout.ahead + n] = NOWHERE

    def _put(self, stance: int, block: list[int], grow: Callable[[int], None]) -> None:
        """Append the facts of a stance."""
        grow(self.used + len(block))
        for place, number in enumerate(block, self.used):
            self.facts[place] = number
        self.facts[self._at(stance)] = self.used
        self.used += len(block)

    def _ahead(self, board: int, stack: int, turns: int, target: int) -> int:
        """Return a place that no line of so many turns passes, or the target where one may get there."""
        day = self._day
        boards, cards = day.boards, self._loose
        pos = boards.pos[board]
        if pos >= target:
            return pos
        if self._plain is None:
            too_far = day.too_far(board, stack, day.loose, cards, cards, turns, target)
            return pos if too_far else target
        low, high = 0, target - pos + 1  # the most spaces that may be won, with the bound for one target alone
        while high - low > 1:
            middle = (low + high) // 2
            there = boards.number(boards.board(board)._replace(pos=target - middle))
            if day.too_far(there, stack, day.loose, cards, cards, turns, target):
                high = middle
            else:
                low = middle
        return pos + low

    def _record(self, play: Play, board: int) -> list[int]:
        """Return what a play costs and leads to as numbers."""
        if play.energy < 0 or (play.late and any(end.orders for end in play.ends)):
            raise OutOfReach
        ends = [self._end(end, board) for end in self._best(play.ends)]
        ends = list(dict.fromkeys(ends))
        failed = (self._number(_NO_BOARD, 0), 0, 0) if self._day.must_pay else self._end(play.failed, board)
        return [
            play.energy,
            play.health,
            len(ends),
            *(n for end in (*ends, failed) for n in end),
        ]

    def _best(self, ends: tuple[End, ...]) -> list[End]:
        """Return the ends of which no other is at least as good for sure."""
        if self._plain is None or len(ends) == 1:
            return list(ends)
        boards = self._day.boards
        adding = [self._plain.adding(boards.board(end.board)) for end in ends]
        kept: list[int] = []
        for place, end in enumerate(ends):
            if not any(
                ends[other].stack == end.stack
                and boards.pos[ends[other].board] >= boards.pos[end.board]
                and adding[other] >= adding[place]
                and ends[other].orders == end.orders
                and (other < place or adding[other] > adding[place])
                for other in range(len(ends))
                if other != place
            ):
                kept.append(place)
        return [ends[place] for place in kept]

    def _end(self, end: End, board: int) -> tuple[int, int, int]:
        pos = self._day.boards.pos
        drawn = 0
        for order in end.orders:
            if not isinstance(order, Draw):
                raise OutOfReach
            drawn += order.n
        if self._plain is None:
            return self._number(end.board, end.stack), 0, drawn
        spaces = pos[end.board] - pos[board]
        if spaces < 0 or pos[end.board] >= self._day.finish:
            raise OutOfReach
        return self._number(self._normal(end.board), end.stack), spaces, drawn
