"""What a model may ask of a game in which one hand both plays and pays: positions taken apart and put together.

In such a game a turn plays one card and pays with others, and nothing else of the turn depends on which cards the
hand holds. A ``HandProbe`` lets a caller find out what turns do without knowing a rule: it splits a table into a
*board* and two zones of cards, puts boards together with any hand and deck, and the caller plays turns from there. It
never says what a card does.

A board leaves out the *history*: zones and records that nothing in the position reads any more. A probe does not
promise that, it watches it: every table it puts together has marked cards in those zones, and ``split`` refuses an end
of a turn where a mark has gone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

from rules.core.steps import Move, Step

T = TypeVar("T")


class HistoryRead(Exception):
    """A turn read a zone that boards leave out, so that boards do not tell the whole position."""

    def __init__(self, zone: str) -> None:
        super().__init__(zone)
        self.zone = zone


class Split(NamedTuple, Generic[T]):
    """A table taken apart."""

    board: T
    """The table without hand, deck and history, its clock at 0; hashable."""
    hand: tuple[str, ...]
    """Ascending, all copies."""
    deck: tuple[str, ...]
    """Top first."""


class MainAction(NamedTuple):
    """What a move that ends the free part of a turn takes from the hand."""

    card: str | None
    """The card played, or nothing where the action needs none."""
    paid: tuple[str, ...]
    """Cards given up for it."""


class Actions(ABC, Generic[T]):
    """What every probe says of the moves of a turn; all methods are pure."""

    @abstractmethod
    def main_action(self, move: Step) -> MainAction | None:
        """Return what a main action takes from the hand, or nothing for a free action before it."""

    @abstractmethod
    def plays_cards(self, board: T) -> bool:
        """Return whether the next main action may play a card from the hand."""


class HandProbe(Actions[T], Generic[T]):
    """The doors of one game from one table; all methods are pure."""

    @property
    @abstractmethod
    def filler(self) -> str:
        """Return a card that may pay and that is in no zone of the position."""

    @abstractmethod
    def missing(self, *, turns: bool = True) -> tuple[str, ...]:
        """Return what keeps boards from telling the whole position, in words; empty where nothing does.

        Without ``turns`` only what lies on the table now is told, not what becomes of it turn by turn.
        """

    @abstractmethod
    def keeping(self, zone: str) -> HandProbe[T] | None:
        """Return a probe whose boards hold a zone that turned out to be read, or nothing if they cannot."""

    @abstractmethod
    def split(self, table: T) -> Split[T]:
        """Take a table apart.

        Raises:
            HistoryRead: the table comes from ``join`` and a marked card has left its zone.
        """

    @abstractmethod
    def join(self, board: T, hand: Sequence[str], deck: Sequence[str]) -> T:
        """Return the table of a board with these cards, and marked cards in the zones left out."""

    @abstractmethod
    def start(self, table: T) -> Split[T]:
        """Take apart a table that is not from ``join``."""

    @abstractmethod
    def lying(self, board: T) -> Iterable[str]:
        """Return the cards that a board holds."""

    @abstractmethod
    def after_free(self, board: T, move: Step) -> Sequence[tuple[tuple[Step, ...], Split[T]]]:
        """Return the ways a free action can go: the steps, and the board, still before the main action.

        The hand of a result holds the cards that came to it.
        """

    @abstractmethod
    def payable(self, cards: Iterable[str]) -> frozenset[str]:
        """Return the cards that may be given up for a cost."""

    @abstractmethod
    def face_up(self, board: T) -> int:
        """Return how many cards on top of the deck the next turn may turn up and act on."""

    @abstractmethod
    def is_plain(self, card: str) -> bool:
        """Return whether a card that is taken from the deck without being played is like any other."""

    @abstractmethod
    def shuffled(self, board: T, cards: Sequence[str]) -> tuple[str, ...]:
        """Return the order that the next shuffle after this board gives to these cards."""

    @abstractmethod
    def shuffles(self, before: T, after: T) -> int:
        """Return how many shuffles of the deck lie between two boards."""

    @abstractmethod
    def settles(self) -> bool:
        """Return whether only draws take cards from the deck between a shuffle and the end of the turn."""

    @abstractmethod
    def different(self, moves: Sequence[Move], *, last: bool) -> Sequence[Move]:
        """Return the moves without those that differ from another one in the history only.

        On the ``last`` turn that counts also without those that differ in where cards end up, as far as that cannot
        change the progress of the same turn.
        """

    @abstractmethod
    def affordable(self, table: T) -> frozenset[str]:
        """Return the hand cards that could be played and paid for from this table; the deck must be open."""
