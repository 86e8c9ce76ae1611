"""What a solver may ask of a game in which one hand both plays and pays: which card a move plays, and what pays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

from rules.core.steps import Step

T = TypeVar("T")


class MainAction(NamedTuple):
    """What a move takes from the hand that plays a card."""

    card: str
    paid: tuple[str, ...]
    """Cards given up for it."""


class HandProbe(ABC, Generic[T]):
    """The payments of one seat; all methods are pure."""

    @abstractmethod
    def missing(self) -> tuple[str, ...]:
        """Return what keeps payments from being choices of cards of the hand alone, in words; mostly nothing."""

    @abstractmethod
    def main_action(self, move: Step) -> MainAction | None:
        """Return what playing a card takes from the hand, or nothing for any other move."""

    @abstractmethod
    def payable(self, cards: Iterable[str]) -> frozenset[str]:
        """Return the cards that may be given up for a cost."""

    @abstractmethod
    def affordable(self, table: T, hand: Sequence[str] | None = None) -> frozenset[str]:
        """Return the hand cards that could be played and paid for from this table, or from it with another hand.

        The deck must be open.
        """
