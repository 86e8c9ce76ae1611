"""Turn ends of many positions at once, in arrays: what an encoding writes and a search reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

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
        self.keys = np.zeros(capacity * KEY_BYTES, np.uint8)
        self.offsets = np.zeros(capacity + 1, np.int64)
        self.parents = np.zeros(capacity, np.int32)
        """Number of the source that each end comes from."""
        self.progress = np.zeros(capacity, np.int16)
        self.least = np.zeros(capacity, np.int16)
        """Further turns to the target that no line falls below, 0 where it is reached."""
        self.days = np.zeros(capacity, np.int16)
        """Rounds begun in this turn."""
        self.promise = np.zeros(capacity, np.int32)
        """A guess of how good an end is, for beams; more is better."""
        self.over = np.zeros(capacity, np.uint8)
        """1 where the game has ended."""

    @property
    def capacity(self) -> int:
        """Return the number of ends for which there is place."""
        return len(self.parents)

    def key(self, number: int) -> bytes:
        """Return the key of one end."""
        return self.keys[self.offsets[number] : self.offsets[number + 1]].tobytes()

    def grow(self) -> None:
        """Double the place for ends and for the bytes of their keys; what is there stays."""
        self.keys = _doubled(self.keys)
        self.offsets = np.concatenate([self.offsets, np.zeros(self.capacity, np.int64)])
        for name in ("parents", "progress", "least", "days", "promise", "over"):
            setattr(self, name, _doubled(getattr(self, name)))


def _never(_: int) -> bool:
    return False


def _doubled(array: np.ndarray) -> np.ndarray:
    return np.concatenate([array, np.zeros_like(array)])
