"""What a solver may ask of a game in which a card, once begun, may take several turns to come through.

A *venture* is one such card of one seat: it is begun by a move, gone on with turn after turn, and in the end it either
comes through or is lost. Everything here is for that aim alone: moves that give the venture up are left out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from fractions import Fraction
from typing import Generic, TypeVar

from rules.core.steps import Forced, Step

T = TypeVar("T")


class Fate(Enum):
    """What has become of a venture by the end of a turn."""

    THROUGH = auto()
    """It has come through; the rest of the turn is not played."""
    LOST = auto()
    WAITING = auto()


@dataclass(frozen=True, slots=True)
class VentureEnd(Generic[T]):
    """One way through a turn of a venture."""

    steps: tuple[Step | Forced, ...]
    orders: int
    """As in ``TurnEnd``."""
    fate: Fate
    table: T | None
    """The table after the turn, with the same seat to act; none unless the venture waits."""


class OutOfReach(Exception):
    """A form does not carry a question, or has used up what it may use."""


@dataclass(frozen=True, slots=True)
class TurnedUp:
    """A card that the first risk of a venture may turn up."""

    card: str
    probability: Fraction
    chance: Fraction
    """The chance that the venture comes through after it, for whoever simply goes on."""


@dataclass(frozen=True, slots=True)
class Opening(Generic[T]):
    """One way to come to begin a hand card, and the moves that begin it then."""

    before: tuple[Step | Forced, ...]
    """Steps of the same turn that are taken first; none of them is left to chance."""
    table: T
    """The table by then."""
    moves: Mapping[tuple[str, ...], Step]
    """The moves that begin the card, by the hand cards that pay, ascending."""


class Ventures(ABC, Generic[T]):
    """The ventures of one seat from one table on; other players are left out of account."""

    @property
    @abstractmethod
    def table(self) -> T:
        """Return the table at the start of the turn, the seat to act."""

    @property
    @abstractmethod
    def under_way(self) -> str | None:
        """Return the card that was begun on an earlier turn and still waits, if there is one."""

    @abstractmethod
    def cards(self) -> Sequence[str]:
        """Return the hand cards that take more than the turn they are begun on, ascending; none while one waits."""

    @abstractmethod
    def playable(self, card: str) -> bool:
        """Return whether a card can be begun now."""

    def openings(self, card: str) -> Iterator[Opening[T]]:
        """Yield the ways to come to begin a hand card, the fewest moves before it first; nothing where it cannot be."""
        return iter(())

    @abstractmethod
    def begun(self, pending: Sequence[Step | Forced]) -> tuple[str | None, bool]:
        """Return the card that the steps of an unfinished turn begin, and whether they begin or go on with any."""

    @abstractmethod
    def with_more(self, cards: int) -> Ventures[T]:
        """Return the ventures with so many more cards in hand that can do nothing but pay."""

    @abstractmethod
    def ends(self, table: T, begin: str | None, pending: Sequence[Step | Forced] = ()) -> Iterator[VentureEnd[T]]:
        """Yield every way through the next turn: ``begin`` a hand card, or go on when it is none.

        ``pending`` are steps of that turn already taken. Chance and choices are branched as in ``Game.turn_ends``.
        """
