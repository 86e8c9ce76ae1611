"""Games seen through one player's eyes: what may lie where, as far as that player knows."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import TypeVar

from rules.core.chance import SplitMix64
from rules.core.steps import Forced, Step
from rules.core.turns import Game

T = TypeVar("T")


class Secretive(Game[T]):
    """A game whose tables hold what some seats do not see, such as the hands of the others.

    What nobody has seen and what is still to be drawn is one and the same to a player, so a table may lie in any way
    that looks alike from a seat.
    """

    @abstractmethod
    def view(self, table: T, seat: int = 0) -> T:
        """Return what a seat sees: equal for tables that it cannot tell apart, and no table to play on."""

    @abstractmethod
    def imagined(self, table: T, seat: int, generator: SplitMix64, steps: Sequence[Step | Forced] = ()) -> T:
        """Return a table that looks alike from a seat, what it does not see dealt at random; for samples only.

        Cards that the ``steps`` of a turn under way have shown may be left where they lie: few deals would have them
        there. Whether a table agrees with the turn in everything else is for the caller to see.
        """

    def possible(self, table: T, seat: int) -> Iterable[tuple[T, int]]:
        """Yield all tables that look alike from a seat, each with how many deals that are equally likely lead to it.

        Nothing where the game does not tell them.
        """
        return ()

    def surmised(
        self, table: T, seat: int, generator: SplitMix64, steps: Sequence[Step | Forced]
    ) -> Sequence[Step | Forced]:
        """Return the steps of a turn under way on an imagined table, those parts drawn that a seat has not seen.

        By default everybody has seen every step.
        """
        return steps

    def foreseen(self, table: T) -> str:
        """Return in words what a player alone knows of hidden chance that is still to come, nothing by default."""
        return ""

    @property
    @abstractmethod
    def conceals(self) -> bool:
        """Return whether tables met in play can hold what the seat that decides does not see.

        Then the best of choices over tables would peek, and is no value of the player's.
        """
