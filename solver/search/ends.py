"""Turn ends of many positions at once, in arrays: what an encoding writes and a search reads."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from itertools import pairwise
from typing import Final

UNREACHABLE: Final = 30_000
"""Number of further turns where no line reaches the target."""
NO_TARGET: Final = -30_000
"""Target that every position has reached, for those who do not ask for a bound."""
KEY_BYTES: Final = 32
"""Bytes of a key for which there is place at the beginning."""


class Ends:
    """The distinct turn ends of some source positions, in the order of their sources.

    Key number i is ``keys[offsets[i]:offsets[i + 1]]``; only the first ``count`` entries count.
    """

    def __init__(self, capacity: int) -> None:
        """``capacity`` is the number of ends for which there is place at the beginning."""
        self.count = 0
        self.enough: Callable[[int], bool] = _never
        """Whether a source under way may be left with so many ends; asked now and then, and may stop it all."""
        self.steady = False
        """Whether slices are measured by work alone, so that nothing depends on how fast anything is."""
        self.sparing = False
        """Whether turns that give up something may be left out unless they call a new day: a beam goes without them."""
        self.keys = array("B", [0]) * (capacity * KEY_BYTES)
        self.offsets = array("q", [0]) * (capacity + 1)
        self.parents = array("i", [0]) * capacity
        """Number of the source that each end comes from."""
        self.progress = array("h", [0]) * capacity
        self.least = array("h", [0]) * capacity
        """Further turns to the target that no line falls below, 0 where it is reached."""
        self.days = array("h", [0]) * capacity
        """Rounds begun since the start of the question."""
        self.promise = array("i", [0]) * capacity
        """A guess of how good an end is, for beams; more is better."""
        self.over = array("B", [0]) * capacity
        """1 where the game has ended."""

    @property
    def capacity(self) -> int:
        """Return the number of ends for which there is place."""
        return len(self.parents)

    def listed(self) -> list[bytes]:
        """Return the keys of all ends."""
        keys = self.keys[: self.offsets[self.count]].tobytes()
        return [keys[start:end] for start, end in pairwise(self.offsets[: self.count + 1])]

    def grow(self) -> None:
        """Double the place for ends and for the bytes of their keys; what is there stays."""
        self.keys = _doubled(self.keys)
        self.offsets = self.offsets + array("q", [0]) * self.capacity
        for name in ("parents", "progress", "least", "days", "promise", "over"):
            setattr(self, name, _doubled(getattr(self, name)))


def _never(_: int) -> bool:
    return False


def _doubled(column: array[int]) -> array[int]:
    return column + array(column.typecode, [0]) * len(column)
