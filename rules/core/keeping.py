"""Questions with something to keep: lines on which a seat never has less of it, at the end of any turn, than before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from rules.core.challenge import NEVER
from rules.core.race import Race
from rules.core.steps import Forced, Step
from rules.core.turns import TurnEnd
from rules.core.wrapped import WrappedRace

T = TypeVar("T")


class KeepingRace(WrappedRace[T]):
    """A race in which turns are left out that lose what is to be kept.

    What the bound of the race inside excludes stays excluded: lines are only left out here, never added.
    """

    def __init__(self, inner: Race[T], kept: Mapping[str, int], seat: int) -> None:
        """``kept`` says how many of each name the seat must have at the end of every turn."""
        super().__init__(inner)
        self.kept = dict(kept)
        self._seat = seat
        self.bound_name = inner.bound_name

    def keeps(self, table: T) -> bool:
        """Return whether nothing is lost at a table."""
        held = self.inner.held(table, self._seat)
        return all(held.get(name, 0) >= copies for name, copies in self.kept.items())

    def allows(self, table: T, end: TurnEnd[T]) -> bool:
        """Return whether a turn loses nothing and breaks nothing else."""
        return self.keeps(end.table) and self.inner.allows(table, end)

    def distinct_ends(self, table: T, pending: Sequence[Step | Forced] = ()) -> Iterator[TurnEnd[T]]:
        """Yield one way to every table that a turn can end in without losing anything."""
        yield from (end for end in self.inner.distinct_ends(table, pending) if self.keeps(end.table))

    def least_turns(self, table: T, seat: int, target: int, forbidden: frozenset[str] = frozenset()) -> int:
        """Return a number of further own turns that no line falls below; never where something is lost already."""
        return self.inner.least_turns(table, seat, target, forbidden) if self.keeps(table) else NEVER

    def promise(self, table: T, seat: int) -> int:
        """Return the guess of the race inside."""
        return self.inner.promise(table, seat)
