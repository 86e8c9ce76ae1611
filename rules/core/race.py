"""Games that count: somebody gets somewhere, turn by turn, and can be asked how far and what the table looks like."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeVar

from rules.core.turns import Game

if TYPE_CHECKING:
    from rules.core.hands import HandProbe
    from rules.core.ventures import Ventures

T = TypeVar("T")

TIME: Final = ("day", "round", "turn")
"""What counters of time are called where a game does not say it."""


NOTHING: Final[Mapping[str, int]] = MappingProxyType({})
"""What a question keeps that keeps nothing."""


class Race(Game[T]):
    """A game with progress: what solvers measure and screens show, in the game's own words."""

    unit: str
    """What progress is counted in, in the singular, such as ``space``."""
    is_place: bool = True
    """Progress says where somebody is, as ``space 12`` does, and not how much somebody has, as ``12 cards`` does."""
    bottom: int | None = None
    """Progress that nobody ever falls below; none where there is no such."""
    routine: frozenset[str]
    """Kinds of events that only repeat what a move or another event says; a short account leaves them out."""
    standing: tuple[str, ...]
    """Labels of ``glance`` worth repeating after every turn of a plan."""

    clocks: tuple[str, ...] = TIME
    """Fields of the ``state`` object that only tell the time, as paths of ``rules.core.tally``."""
    idle: frozenset[str] = frozenset()
    """Texts of moves by which a seat does nothing, or no more of what it is asked about."""
    goods: tuple[str, ...] = ()
    """Fields of which more takes nothing away from anybody, likewise: numbers, or lists as multisets."""

    @abstractmethod
    def progress(self, table: T, seat: int = 0) -> int:
        """Return how far a player has come, in units."""

    def so_far(self, table: T, seat: int = 0) -> int:
        """Return how far a player would have come if play stopped here; for playouts that are cut off.

        That is progress, unless only the end of the game counts.
        """
        return self.progress(table, seat)

    @abstractmethod
    def turns(self, table: T, seat: int = 0) -> int:
        """Return the turns a player has finished."""

    @abstractmethod
    def days(self, table: T, seat: int = 0) -> int:
        """Return the rounds of the game a player has begun; what breaks a tie between equal numbers of turns."""

    @abstractmethod
    def default_target(self) -> int:
        """Return the progress at which a player has finished."""

    @abstractmethod
    def hand(self, table: T, seat: int = 0) -> Sequence[str]:
        """Return the cards a player may play or pay with, all copies."""

    def held(self, table: T, seat: int = 0) -> Mapping[str, int]:
        """Return what a player has and could lose, by the names that players know it by; all where it may lie."""
        return Counter(self.hand(table, seat))

    @abstractmethod
    def glance(self, table: T) -> Sequence[tuple[str, str]]:
        """Return the table at a turn boundary in labelled lines for people; what is empty is left out."""

    def brief(self, table: T) -> Sequence[tuple[str, str]]:
        """Return what is worth repeating of a table after every turn of a plan, in labelled lines."""
        return [(label, text) for label, text in self.glance(table) if label in self.standing]

    def advance(self, before: int, after: int) -> str:
        """Return what a turn did to a player's progress, in words."""
        return f"{self.unit} {before} → {after}" if self.is_place else f"{before} → {after} {self.unit}s"

    bound_name: str = ""
    """What ``least_turns`` argues from; empty where it knows nothing."""

    def least_turns(self, table: T, seat: int, target: int, forbidden: frozenset[str] = frozenset()) -> int:
        """Return a number of further own turns that no line to ``target`` falls below; admissible, never a guess.

        No move of these lines begins with ``forbidden`` words.
        """
        return int(self.progress(table, seat) < target)

    def most_turns(self, table: T, seat: int = 0) -> int | None:
        """Return the own turns after which the game is over at the latest, or nothing where it may go on for ever."""
        return None

    def exchanges(self) -> Mapping[str, Mapping[str, int]]:
        """Return what single cards do to the first seat's ``goods`` where it has nothing else, by the name of the good.

        Names as in ``rules.core.tally``; only cards that come back once used, and change numbers. A game without such
        cards returns nothing.
        """
        return {}

    def promise(self, table: T, seat: int) -> int:
        """Return a guess of how good a table is, for beams only: progress counts double, then cards in hand."""
        return 2 * self.progress(table, seat) + len(self.hand(table, seat))

    def hand_probe(self, table: T, seat: int = 0) -> HandProbe[T] | None:
        """Return what there is to know of a seat's payments, or nothing where no card is paid for with cards."""
        return None

    def ventures(self, table: T, seat: int = 0) -> Ventures[T] | None:
        """Return what may be asked about cards that take several turns to come through, where the game has such."""
        return None
