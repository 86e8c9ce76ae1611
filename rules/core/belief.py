"""Games seen through one player's eyes: what may lie where, as far as that player knows."""

from __future__ import annotations

from abc import abstractmethod
from typing import TypeVar

from rules.core.chance import SplitMix64
from rules.core.turns import Game

T = TypeVar("T")


class Veiled(Game[T]):
    """A game whose tables can hide cards from somebody."""

    @abstractmethod
    def viewer(self, table: T) -> int | None:
        """Return the seat through whose eyes a table is seen, or nothing where it hides no card."""

    @abstractmethod
    def layout(self, table: T, generator: SplitMix64) -> tuple[Game[T], T]:
        """Return the rules with open cards, and one way in which the hidden ones may lie.

        Every way that agrees with what the viewer knows is equally likely; for samples, never for proofs.
        """
