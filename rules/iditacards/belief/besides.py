"""What two turns are worth after cards have come from a supply, where no day of its own tells it (``belief.gains``).

These are cards that begin a new day on the last turn, or that destroy the hand of who has no other card, and dogs that
die to the hand.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from math import factorial
from typing import TYPE_CHECKING, NamedTuple

from rules.core.picking import Ended
from rules.core.ventures import OutOfReach
from rules.iditacards.belief.last import Ways
from rules.iditacards.compact.board import Board
from rules.iditacards.compact.plays import CONTINUES_IN_VAIN, End, Play
from rules.iditacards.rulings import Rulings
from rules.iditacards.state import Dog

if TYPE_CHECKING:
    from rules.iditacards.belief.day import BeliefDay


class Turned(NamedTuple):
    """What counts of a card that is turned over for one that begins a new day."""

    energy: int
    health: int
    failed: Fraction
    """What it is worth if it is not paid,"""
    mean: Fraction | None
    """and if it is; nothing where it takes risk cards of its own."""


class Besides:
    """Two turns on one table."""

    def __init__(self, day: BeliefDay, rulings: Rulings, banned: frozenset[str]) -> None:
        """``day`` is the one that the cards are taken on."""
        self._day = day
        self._rulings = rulings
        self._banned = banned
        self._turned: dict[tuple[int, str, str], Turned] = {}

    def left_with_nothing(self, acts: Sequence[Play], card: str, size: int) -> Iterator[int]:
        """Yield the boards on which all is settled after playing a card that destroys the hand, having no other.

        Who has no other card destroys none, and has no second step (R40), nor anything to play on the turn after.

        Raises:
            OutOfReach: cards may come to the hand, or a card waits.
        """
        day = self._day
        for end in dict.fromkeys(end for act in acts for end in act.ends):
            if not end.stack and day.is_settled(end.board):
                yield end.board
        for board in self._left_to_play(acts):
            for at in day.boards_to_act_on(board):
                play = day.plays.play(at, 0, card)
                for end in play.failing if play.energy > 0 or play.health > size else play.ends:
                    if day.is_settled(end.board):
                        yield end.board
                    elif end.orders or end.gifts or self._goes_on(end):
                        raise OutOfReach

    def _goes_on(self, end: End) -> bool:
        """Return whether a turn follows an end without a card in hand: one waits, or what follows is not carried.

        That may be a checkpoint passed which gives one.
        """
        return end.stack > 0 and not self._day.plays.is_second(self._day.plays.stack(end.stack))

    def until_a_day(self, acts: Sequence[Play], card: str, hand: int, deck: int, more: int) -> Iterator[Ways]:
        """Yield what two turns are worth of which the first plays a card that begins a new day on the last one.

        It is a mean over the card turned over, and over the weather, once it is chosen what to do before. What it is
        worth is told as so many orders of a belief that is worth one of them.

        Raises:
            OutOfReach: it costs something, or may begin the day at once.
        """
        day, kinds = self._day, self._day.kinds
        size, held = kinds.count(deck), kinds.count(hand) + more
        for free in self.boards_before_a_day(acts, card):
            if size:  # else all comes to nothing, which is told by the plays
                ways: Ways = []
                for kind, copies in kinds.cards(deck):
                    mean = self._turned_over(free, card, kinds.names[kind], held, size - 1)
                    ways.append((copies * factorial(size - 1) * mean, Ended(day.ended(self._unit()))))
                yield ways

    def boards_before_a_day(self, acts: Sequence[Play], card: str) -> Iterator[int]:
        """Yield the boards on which one is turned over for a card that begins a new day, where that is told apart.

        Raises:
            OutOfReach: the card costs something, or may begin the day at once.
        """
        day = self._day
        for board in self._left_to_play(acts) if day.plays.told_apart else ():
            for at in day.boards_to_act_on(board):
                play = day.plays.play(at, 0, card)
                if play.energy or play.health:
                    raise OutOfReach
                for end in play.ends:
                    if end.orders or end.gifts or day.plays.stack(end.stack) != ((card, 1),):
                        raise OutOfReach
                    yield from (free for free in day.boards_to_act_on(end.board) if not day.boards.fizzles(free))

    def _unit(self) -> int:
        """Return a board that is worth 1."""
        day = self._day
        return day.boards.number(Board(1 if day.target is None else day.target, 0, 0, ()))

    def _turned_over(self, board: int, card: str, turned: str, held: int, size: int) -> Fraction:
        """Return the mean worth of a last turn that turns one card over for another that begins a new day."""
        turn = self.turned(board, card, turned)
        return turn.failed if turn.mean is None or turn.energy > held or turn.health > size else turn.mean

    def turned(self, board: int, card: str, turned: str) -> Turned:
        """Return what counts of a last turn that turns one card over for another that begins a new day."""
        name = (board, card, turned)
        if name not in self._turned:
            day = self._day
            price = day.boards.price(board, self._rulings.cards[turned])
            end = day.plays.play(price.board, 0, CONTINUES_IN_VAIN).failed
            mean = None if price.risk else day.plays.mean_of(price.board, card, turned, self._worth)
            failed = Fraction(self._worth(day.boards.pos[end.board]))
            self._turned[name] = Turned(price.energy, price.health, failed, mean)
        return self._turned[name]

    def _worth(self, place: int) -> int:
        return place if self._day.target is None else int(place >= self._day.target)

    def given_up(self, acts: Sequence[Play], dog: str, others: Iterable[str], number: int, size: int) -> Iterator[int]:
        """Yield boards after two turns of which the first plays a dog, and the last one gives it up to pay with it.

        Raises:
            OutOfReach: cards come off the deck otherwise.
        """
        day = self._day
        for board in self._left_to_play(acts):
            for at in day.boards_to_act_on(board):
                play = day.plays.play(at, 0, dog)
                if play.energy < 0:
                    raise OutOfReach
                if play.energy > number or play.health > size:
                    continue
                for free in self._without(play, at, dog):
                    held = number - play.energy
                    for name in (dog, *(others if held else ())):
                        if name not in self._banned:
                            yield day.furthest_after(free, name, held, size - play.health)

    def boards_without(self, acts: Sequence[Play], dog: str) -> Iterator[int]:
        """Yield the boards on which a dog has been played and given up again.

        Raises:
            OutOfReach: cards come off the deck otherwise.
        """
        for board in self._left_to_play(acts):
            for at in self._day.boards_to_act_on(board):
                yield from self._without(self._day.plays.play(at, 0, dog), at, dog)

    def _without(self, play: Play, at: int, dog: str) -> Iterator[int]:
        had = self._day.boards.board(at).dogs
        for after in self._left_to_play([play]):
            for free in self._day.boards_to_act_on(after):
                if _copies(self._day.boards.board(free).dogs, dog) <= _copies(had, dog):
                    yield free

    def last(self, board: int, card: str) -> Hashable:
        """Return what counts of a last turn that plays a card from the hand without any free action."""
        play, pos = self._day.plays.play(board, 0, card), self._day.boards.pos
        most = max(pos[end.board] for end in play.ends)
        return play.energy, play.health, self._worth(most), self._worth(pos[play.failed.board])

    def _left_to_play(self, acts: Sequence[Play]) -> Iterator[int]:
        """Yield the boards after a turn on which a card is played from the hand next."""
        for end in dict.fromkeys(end for act in acts for end in act.ends):
            if end.orders or end.gifts:
                raise OutOfReach
            if not end.stack and not self._day.is_settled(end.board):
                yield end.board


def _copies(dogs: Sequence[Dog], name: str) -> int:
    return sum(dog.dog == name for dog in dogs)
