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
    """A fast form does not carry a question, or has used up what it may use."""


class Ventures(ABC, Generic[T]):
    """The ventures of one seat from one table; other players are left out of account."""

    @property
    @abstractmethod
    def under_way(self) -> str | None:
        """Return the card that was begun on an earlier turn and still waits, if there is one."""

    @abstractmethod
    def cards(self) -> Sequence[str]:
        """Return the hand cards that take more than the turn they are begun on, ascending."""

    @abstractmethod
    def ends(self, table: T, begin: str | None, pending: Sequence[Step | Forced] = ()) -> Iterator[VentureEnd[T]]:
        """Yield every way through the next turn: ``begin`` a hand card, or go on when it is none.

        ``pending`` are steps of that turn already taken. Chance and choices are branched as in ``Game.turn_ends``.
        """

    @abstractmethod
    def chance(self, begin: str | None, alive: Callable[[], bool]) -> Fraction:
        """Return the greatest chance that a venture comes through, by a form that merges what cannot matter.

        ``begin`` is a hand card begun now, or none for the one under way; ``alive`` is asked now and then.

        Raises:
            OutOfReach: the form does not carry the position, or ``alive`` has said no.
        """
