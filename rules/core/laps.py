"""What a checker may ask of a race on a track whose places are alike: positions without their place, day after day.

In such a game nothing but the goal depends on how far a seat has come, and every card of the seat that is not on its
board will be shuffled into its next deck. So a position is a *board*, a hand and a deck, and its progress apart. A
``LapProbe`` takes tables apart that way and puts them together again, each a real table that the rules can play from;
it never says what a card does. A ``Ceiling`` says how much progress turns can bring at most, as a smaller game that a
checker plays through by itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

from rules.core.hands import Actions

T = TypeVar("T")


class Parted(NamedTuple, Generic[T]):
    """A table taken apart."""

    board: T
    """The table without hand, deck and what the next shuffle takes up, its progress and its clock at 0; hashable."""
    hand: tuple[str, ...]
    """Ascending, all copies."""
    deck: tuple[str, ...]
    """Top first."""
    progress: int


class Ceiling(ABC, Generic[T]):
    """A smaller game whose turns bring at least as much: the bound of a race.

    *Marks* are its positions. What has to hold, and is argued where a game defines its ceiling: for every turn of the
    race from a position of mark ``m`` there is one in ``moves(m)`` that brings at least as much and leads to a mark
    from which as many turns can bring at least as much.
    """

    name: str
    groups: tuple[frozenset[str], ...]
    """Cards that are counted, group by group."""

    @abstractmethod
    def mark(self, board: T, left: Sequence[int]) -> int:
        """Return the mark of a position by its board and how many cards of each group are in hand and deck together."""

    @abstractmethod
    def moves(self) -> Sequence[Sequence[tuple[int, int]]]:
        """Return for each mark what its turns bring and the marks they lead to."""


class LapProbe(Actions[T], Generic[T]):
    """The doors of one race from one table; all methods are pure."""

    @property
    @abstractmethod
    def cards(self) -> tuple[str, ...]:
        """Return every card of the seat, ascending, all copies."""

    @abstractmethod
    def missing(self) -> tuple[str, ...]:
        """Return what keeps board, hand and deck from telling all that matters, in words; empty where nothing does."""

    @abstractmethod
    def part(self, table: T) -> Parted[T]:
        """Take a table apart."""

    @abstractmethod
    def whole(self, board: T, hand: Sequence[str], deck: Sequence[str], progress: int) -> T:
        """Return the table of these parts; cards that lie nowhere else are where the next shuffle takes them up."""

    @abstractmethod
    def lying(self, board: T) -> Iterable[str]:
        """Return the cards of the seat that a board holds, those out of the game included."""

    @abstractmethod
    def after_free(self, board: T) -> Sequence[T]:
        """Return every board that free actions before a main action can make, the one of no action first."""

    @abstractmethod
    def shuffles(self, before: T, after: T) -> int:
        """Return how many shuffles lie between two boards; each puts the hand down and deals another."""

    @abstractmethod
    def ceiling(self) -> Ceiling[T] | None:
        """Return a bound of this race, or nothing where none is known."""
