"""Every decision a player of Trench Rescue can take, one frozen type per kind (4.1, 4.2).

A move's text names cards by code, and a group as in ``7S+9C``. It names a front cell by its column as in ``x2``, any
other cell by column and row as in ``2,3``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rules.core.steps import Word

HOME: Final = "home"
"""The destination in the own trench."""


@dataclass(frozen=True, slots=True)
class Act:
    """What one soldier does where it is: ``cycle``, ``peek`` or ``drop`` (4.1)."""

    verb: str
    card: str

    @property
    def text(self) -> str:
        """``cycle 3H``."""
        return f"{self.verb} {self.card}"


@dataclass(frozen=True, slots=True)
class Enter:
    """One soldier, or a stack of them, leaves the trench (4.1, TR-Q10)."""

    cards: tuple[str, ...]
    """In canonical order."""
    where: str
    """The front cell, or the cell a stack goes on to."""

    @property
    def text(self) -> str:
        """``enter 7C x1`` or ``enter 4C+9S 2,3``."""
        return f"enter {'+'.join(self.cards)} {self.where}"


@dataclass(frozen=True, slots=True)
class Go:
    """A soldier or a stack of one cell moves (4.2)."""

    cards: tuple[str, ...]
    """In canonical order."""
    where: str
    """A cell, or ``home``."""
    take: bool = False
    """The top card of the pile comes along."""
    carrier: str | None = None
    """Who carries in the end, where that is chosen (TR-Q13)."""

    @property
    def text(self) -> str:
        """``go 7S+9C home take`` or ``go 4C+9S 2,3 take by 4C``."""
        take = " take" if self.take else ""
        by = f" by {self.carrier}" if self.carrier else ""
        return f"go {'+'.join(self.cards)} {self.where}{take}{by}"


END: Final = Word("end")
"""The half-turn ends (4.0.4)."""
