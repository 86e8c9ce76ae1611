"""What a search asks of a game: turns over hashable keys, progress, and how far a key can still get at most."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable
from typing import Any, Protocol, TypeVar

from rules.core.steps import Step
from rules.core.turns import TurnEnd

K = TypeVar("K", bound=Hashable)
T_contra = TypeVar("T_contra", contravariant=True)


class SearchProblem(Protocol[T_contra, K]):
    """One seat's open question as a layered graph: a key is a position between turns, an edge is one own turn.

    A key may stand for several positions that differ in a choice decided late; ``shape`` is then the part they share.
    Two forms serve it: ``plain.PlainTurns`` for every game, and the encoding that a game may have.
    """

    @property
    def engine(self) -> str:
        """Name of the form: ``plain`` or ``encoded``."""

    @property
    def projections(self) -> tuple[str, ...]:
        """What keys leave out, each with an argument in the form's own documentation."""

    @property
    def decides_late(self) -> bool:
        """Whether a key can stand for several positions; if not, ``shape`` is the key."""

    @property
    def bound_name(self) -> str:
        """Name of the admissible bound behind ``lacking``; empty where there is none."""

    def project(self, table: T_contra) -> K:
        """Return the key of a table."""

    def shape(self, key: K) -> Any:
        """Return what all positions of a key share; equal keys have equal shapes."""

    def successors(self, key: K) -> Iterable[K]:
        """Return the keys after every way through the next turn, none when the game is over; repeats allowed."""

    def some_successors(self, key: K) -> Iterable[K]:
        """Return successors for a beam: all of them, or a choice where there are very many."""

    def progress(self, key: K) -> int:
        """Return how far the seat has come."""

    def rounds(self, key: K) -> int:
        """Return what breaks ties between equally many turns: fewer is better."""

    def promise(self, key: K) -> int:
        """Return a guess of how good a key is, for beams only; more is better."""

    def is_over(self, key: K) -> bool:
        """Return whether the game has ended."""

    def lacking(self, key: K, turns: int, target: int) -> int:
        """Return how many more turns than these any line to progress ``target`` needs at least; 0 if none is known."""

    def way(self, table: T_contra, shapes: Container[Any]) -> TurnEnd[Any] | None:
        """Return a turn that ``some_successors`` met from this table to one of ``shapes``, where that is remembered."""

    def wanted(self, table: T_contra, shapes: Container[Any]) -> Callable[[Step], bool] | None:
        """Return what is false only for moves without which no turn from this table to ``shapes`` loses anything.

        Nothing where that is not known.
        """

    def most_turns(self, key: K) -> int | None:
        """Return a number of turns that no line from here exceeds, or nothing where lines may go on for ever."""
