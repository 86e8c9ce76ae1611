"""What a solver may ask of a game in which a card, once begun, may take several turns to come through.

A *venture* is one such card of one seat: it is begun by a move, gone on with turn after turn, and in the end it either
comes through or is lost. Everything here is for that aim alone: moves that give the venture up are left out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
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

    @abstractmethod
    def chance(self, begin: str | None, alive: Callable[[], bool]) -> tuple[Fraction, bool]:
        """Return the greatest chance that a venture comes through and true, or the chance of one way to play and false.

        ``begin`` is a hand card begun now, or none for the one under way. The second where cards cannot be merged, or
        where ``alive``, which is asked now and then, has said no.
        """
