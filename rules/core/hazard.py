"""What can happen to a player's things before that player decides again, and how likely it is."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from rules.core.turns import Game

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Hazard:
    """One thing that may happen."""

    subject: str
    """Whom or what it happens to, as the game names it, such as a card."""
    what: str
    """What happens, to stand behind the subject, such as ``is hit``."""
    rule: str
    """Number of the rule by which it happens."""
    chance: Fraction
    """How likely it is, 0 and 1 where it is known."""


class Hazardous(Game[T]):
    """A game that can say what threatens."""

    @abstractmethod
    def hazards(self, table: T, seat: int = 0) -> Sequence[Hazard]:
        """Return what threatens a seat's things if everybody ends the turn as the table lies, most likely first."""
