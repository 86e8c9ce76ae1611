"""The stances of a day with a hidden deck, by number, and where plays lead from one to another.

A *stance* is a board with its risk stack, or a choice between some, or one on which cards are looked at first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rules.core.ventures import OutOfReach
from rules.iditacards.belief_aim import Aims
from rules.iditacards.belief_facts import MOST_STANCES, FormFacts, Layout
from rules.iditacards.belief_needs import Leading, Record, Sight
from rules.iditacards.compact_plays import Draw, End, Look, Play

if TYPE_CHECKING:
    from rules.iditacards.belief_day import BeliefDay

LEFT: Final = 1
"""Turns left up to which it is asked which of several ends is the best one."""
NOWHERE: Final = -1_000
"""A place from which no target is reached,"""
NO_BOARD: Final = -1
"""and the number of the board that is there; smaller ones stand for a choice between stances,"""
SIGHTS: Final = -1 - MOST_STANCES
"""from here on for cards to be looked at first."""


class FormStances(FormFacts):
    """The stances of one question; more are met while a search asks for them."""

    def __init__(self, day: BeliefDay, target: int | None, turns: int, layout: Layout) -> None:
        """The arguments are those of ``FormFacts``.

        Raises:
            OutOfReach: the question does not fit.
        """
        super().__init__(day, target, turns, layout)
        self._numbers: dict[tuple[int, int], int] = {}
        self._stances: list[tuple[int, int]] = []
        self._choices: list[tuple[int, ...]] = []
        self._sights: dict[int, Sight] = {}
        """By stance: what is looked at there before anything else,"""
        self._seeing: dict[Sight, int] = {}
        """and the other way round."""
        self._is_covering = False
        self.aims: Aims | None = None
        """What counts with two turns left; nothing where it is not told by stance."""

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
            self.facts[at + 1] = int(stack > 0 and board > SIGHTS)
            self.facts[at + self._layout.looking] = self.facts[at + self._layout.taking] = 0
            if board >= 0:
                self.facts[at + 2] = self._day.boards.pos[board]
            else:
                members = self._members(board)
                self.facts[at + 2] = max([self._place(each) for each in members]) if members else NOWHERE
        return number

    def _members(self, board: int) -> tuple[int, ...]:
        """Return the stances that a board which is none stands for."""
        return self._choices[NO_BOARD - 1 - board] if SIGHTS < board < NO_BOARD else ()

    def _choice(self, stances: tuple[int, ...]) -> int:
        """Return the stance that stands for a choice between some, made when all cards of a turn have been drawn.

        It is made before the next turn then, where nothing more has been seen; so what it may be, free actions of that
        turn make of it, and it is where the furthest of them is.

        Raises:
            OutOfReach: they differ in more than their boards.
        """
        if len(stances) == 1:
            return stances[0]
        waits = {self._stances[each][1] > 0 for each in stances}
        if len(waits) > 1 or self._plain is not None or max(map(self._place, stances)) >= self._day.finish:
            raise OutOfReach
        name = tuple(sorted(stances))
        if name not in self._choices:
            self._choices.append(name)
        return self._number(NO_BOARD - 1 - self._choices.index(name), int(waits.pop()))

    def _sight(self, sight: Sight) -> int:
        """Return the stance on which cards are looked at before what is told as its stance."""
        found = self._seeing.get(sight)
        if found is not None:
            return found
        stance = self._number(SIGHTS - len(self._sights), 0)
        self._sights[stance] = sight
        self._seeing[sight] = stance
        self.facts[self._at(stance) + 2] = self._place(sight.stance)
        self.facts[self._at(stance) + self._layout.looking] = 1
        return stance

    def _at(self, stance: int) -> int:
        return int(self.facts[self._layout.header["STANCES"]]) + self._layout.stance * stance

    def _place(self, stance: int) -> int:
        return int(self.facts[self._at(stance) + 2])

    def _nowhere(self) -> Record:
        """Return the play of a card with which all is lost: it leads where no target is, and nothing leads on."""
        end = Leading(self._number(NO_BOARD, 0), 0, 0)
        return Record(0, 0, (end,), end)

    # Plays

    def _record(self, play: Play, board: int, stack: int) -> Record:
        """Return what a play costs and leads to, above a risk stack."""
        chosen_last = play.late and any(end.orders for end in play.ends)
        if play.energy < 0 and self._plain is not None:
            raise OutOfReach
        if chosen_last and not play.last:
            play = play._replace(ends=(self._covering(play.ends, stack),))
            chosen_last = False
        if chosen_last and any(end.gifts for end in play.ends):
            ends = self._given_last(play.ends, board)
        elif chosen_last and self._plain is None:
            ends = [self._chosen_last(play.ends)]
        else:
            ends = list(dict.fromkeys(self._end(end, board) for end in self._best(play.ends)))
        if chosen_last and len(ends) > 1 and not ends[0].late:
            raise OutOfReach
        failed = self._nowhere().failed if self._day.must_pay(board) else self._end(play.failed, board)
        return Record(play.energy, play.health, tuple(ends), failed)

    def _covering(self, ends: tuple[End, ...], stack: int) -> End:
        """Return the end that no other is better than, of some between which it is chosen amid what comes off the deck.

        It takes a turn to have a card wait, so that few turns are left where several do.

        Raises:
            OutOfReach: there is none, or it is not known.
        """
        plays = self._day.plays
        begun = len(plays.stack(self._day.begun))
        left = self._most_turns - 1 - max(0, len(plays.stack(stack)) - begun)
        if (
            self.aims is None
            or left > LEFT
            or self._is_covering
            or not self._day.is_bounded
            or any(end.gifts for end in ends)
        ):
            raise OutOfReach
        # Where a look ends if a card is discarded that stops it does not count: no such card is there.
        orders = {tuple(order[:2] for order in end.orders) for end in ends}
        if len(orders) > 1:
            raise OutOfReach
        self._is_covering = True
        try:
            stances = [self._number(end.board, end.stack) for end in ends]
            return ends[self.aims.covering(stances, left)]
        finally:
            self._is_covering = False

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

    def _given_last(self, ends: tuple[End, ...], board: int) -> list[Leading]:
        """Return ends between which it is chosen when all cards have been drawn, some of them with one more card.

        Raises:
            OutOfReach: other things happen to the deck.
        """
        if any(
            end.orders != ends[0].orders or not all(isinstance(order, Draw) for order in end.orders) for end in ends
        ):
            raise OutOfReach
        return [self._end(end, board)._replace(late=True) for end in ends]

    def _chosen_last(self, ends: tuple[End, ...]) -> Leading:
        """Return where ends lead between which it is chosen when all that happens to the deck has happened.

        Raises:
            OutOfReach: not the same happens to it.
        """
        if any(end.orders != ends[0].orders for end in ends):
            raise OutOfReach
        stances = tuple(dict.fromkeys(self._number(end.board, end.stack) for end in ends))
        return self._ordered(self._choice(stances), ends[0].orders)

    def _ordered(self, last: int, orders: Sequence[Draw | Look]) -> Leading:
        """Return where orders to the deck lead that come before a stance.

        Raises:
            OutOfReach: cards are looked at, and worths have no scale for that.
        """
        stance, size = last, self._day.hidden
        drawn = more = 0
        for order in reversed(orders):
            if isinstance(order, Draw):
                drawn += order.n
                continue
            if not self._scale:
                raise OutOfReach
            more += drawn
            stance = self._sight(Sight(stance, min(order.n, size), min(order.destroy, size), drawn, last, more))
            drawn = 0
        return Leading(stance, 0, drawn)

    def _end(self, end: End, board: int) -> Leading:
        pos = self._day.boards.pos
        if self._plain is None:
            led = self._ordered(self._number(end.board, end.stack), end.orders)
            if len(end.gifts) > 1:
                raise OutOfReach
            return led._replace(gift=self._day.kinds.index[end.gifts[0]]) if end.gifts else led
        drawn = 0
        for order in end.orders:
            if not isinstance(order, Draw):
                raise OutOfReach
            drawn += order.n
        spaces = pos[end.board] - pos[board]
        if spaces < 0 or pos[end.board] >= self._day.finish:
            raise OutOfReach
        return Leading(self._number(self._normal(end.board), end.stack), spaces, drawn)
