"""The stances of a day with a hidden deck, by number, and where plays lead from one to another.

A *stance* is a board with its risk stack, or a choice between some, or one on which cards are looked at first, or one
of several ends is picked: where these differ in more than boards, as in what a checkpoint gives, or in what happens to
the deck afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from rules.core.ventures import OutOfReach
from rules.iditacards.belief.aim import Aims
from rules.iditacards.belief.facts import MOST_STANCES, FormFacts, Layout
from rules.iditacards.belief.needs import Leading, Picks, Record, Sight
from rules.iditacards.compact.plays import Choice, Draw, End, Look, Play

if TYPE_CHECKING:
    from rules.iditacards.belief.day import BeliefDay

LEFT: Final = 1
"""Turns left up to which it is asked which of several ends is the best one."""
NOWHERE: Final = -1_000
"""A place from which no target is reached,"""
NO_BOARD: Final = -1
"""and the number of the board that is there; smaller ones stand for a choice between stances,"""
SIGHTS: Final = -1 - MOST_STANCES
"""from here on for cards to be looked at first,"""
PICKS: Final = SIGHTS - MOST_STANCES
"""from here on for an end to be picked first."""


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
        self._picks: Picks = {}
        self._picking: dict[tuple[Leading, ...], int] = {}
        """Likewise where an end is picked."""
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
            number = len(self._stances)
            if number == MOST_STANCES:
                raise OutOfReach
            self._numbers[name] = number
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

    def _choice(self, ends: tuple[Leading, ...]) -> int | None:
        """Return the stance that stands for a choice between some, made when all cards of a turn have been drawn.

        It is made before the next turn then, where nothing more has been seen; so what it may be, free actions of that
        turn make of it, and it is where the furthest of them is. Nothing where they differ in more than their boards.
        """
        stances = tuple(dict.fromkeys(end.stance for end in ends))
        members = [self._stances[each] for each in stances]
        waits = {stack > 0 for _, stack in members}
        bare = all(end == Leading(end.stance, 0, 0) for end in ends)
        bare = bare and all(board >= 0 and not self._day.takes(stack) for board, stack in members)
        if len(waits) > 1 or not bare or max(map(self._place, stances)) >= self._day.finish:
            return None
        if len(stances) == 1:
            return stances[0]
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

    def _pick(self, ends: tuple[Leading, ...]) -> int:
        """Return the stance on which one of some ends is picked, before anything else.

        Raises:
            OutOfReach: the race may be over on some of them only.
        """
        ends = tuple(dict.fromkeys(ends))
        found = self._picking.get(ends)
        if found is not None:
            return found
        places = [self._place(end.stance) for end in ends]
        if max(places) >= self._day.finish > min(places):
            raise OutOfReach
        stance = self._number(PICKS - len(self._picks), 0)
        self._picks[stance] = ends
        self._picking[ends] = stance
        self.facts[self._at(stance) + 2] = max(places)
        self.facts[self._at(stance) + self._layout.looking] = self._layout.header["PICKING"]
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
        if play.energy < 0 and self._plain is not None:
            raise OutOfReach
        chosen_late = play.late and any(end.orders for end in play.ends)
        if chosen_late and self._plain is None:
            ends = self._chosen_late(play, stack)
        else:
            ends = list(dict.fromkeys(self._end(end, board) for end in self._best(play.ends)))
            if chosen_late and len(ends) > 1:
                raise OutOfReach
        return Record(play.energy, play.health, tuple(ends), self._failed(play, board))

    def _failed(self, play: Play, board: int) -> Leading:
        """Return where a play on a board leads that cannot be paid."""
        if self._day.must_pay(board):
            return self._nowhere().failed
        ends = tuple(self._end(end, board) for end in play.failing)
        return ends[0] if len(ends) == 1 else Leading(self._pick(ends), 0, 0)

    def _chosen_late(self, play: Play, stack: int) -> list[Leading]:
        """Return where a play leads of whose ends some are chosen when cards have come off the deck.

        Raises:
            OutOfReach: it is not known when.
        """
        told = play.told
        ways = told.ways if isinstance(told, Choice) else ()
        if told is None or any(isinstance(way, Choice) or way.orders for way in ways):
            with suppress(OutOfReach):  # none of the others has to be told then
                return [self._told_end(self._covering(play.ends, stack))]
        if told is None:
            raise OutOfReach
        if isinstance(told, Choice) and not told.orders:
            return list(dict.fromkeys(map(self._told_end, told.ways)))
        return [self._told_end(told)]

    def _told_end(self, told: End | Choice) -> Leading:
        """Return where an end leads, or what is chosen once something has happened to the deck."""
        if isinstance(told, End):
            return self._end(told, told.board)
        ways = tuple(dict.fromkeys(map(self._told_end, told.ways)))
        stance = self._choice(ways)
        return self._ordered(self._pick(ways) if stance is None else stance, told.orders)

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
