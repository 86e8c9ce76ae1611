"""The plain form of a search problem: every turn is asked of the game itself, nothing is left out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final, Generic, TypeVar

from puzzles.goal import forbids
from rules.core.chance import SplitMix64
from rules.core.race import Race
from rules.core.steps import Forced

T = TypeVar("T")

SAMPLES: Final = 24
"""Ways through a turn that a beam looks at."""


class PlainTurns(Generic[T]):
    """Whole tables as keys, turns from ``Game.turn_ends``; works for every game and feature, without any bound."""

    engine = "plain"
    projections: tuple[str, ...] = ()
    indifferent: frozenset[str] = frozenset()
    bound_name = ""

    def __init__(self, game: Race[T], seat: int, forbidden: frozenset[str]) -> None:
        self._game = game
        self._seat = seat
        self._forbidden = forbidden

    def project(self, table: T) -> T:
        """Return the table."""
        return table

    def shape(self, key: T) -> T:
        """Return the table: nothing is decided late."""
        return key

    def successors(self, key: T) -> Iterator[T]:
        """Yield the table after every way through the next turn that uses no forbidden move."""
        if self._game.is_over(key):
            return
        for end in self._game.turn_ends(key):
            if not self._forbidden or not any(forbidden_step(step, self._forbidden) for step in end.steps):
                yield end.table

    def some_successors(self, key: T) -> Iterator[T]:
        """Yield all successors where they are few, else a random choice of them, the same for every run."""
        few = list(islice(self.successors(key), SAMPLES))
        if len(few) < SAMPLES:
            yield from few
            return
        generator = SplitMix64(self.progress(key))
        for _ in range(SAMPLES):
            end = self._game.sample_turn(key, generator)
            if not any(forbidden_step(step, self._forbidden) for step in end.steps):
                yield end.table

    def progress(self, key: T) -> int:
        """Return how far the seat has come."""
        return self._game.progress(key, self._seat)

    def rounds(self, key: T) -> int:
        """Return the rounds begun."""
        return self._game.days(key, self._seat)

    def promise(self, key: T) -> int:
        """Return a guess for beams: progress counts double, then cards in hand."""
        return 2 * self.progress(key) + len(self._game.hand(key, self._seat))

    def is_over(self, key: T) -> bool:
        """Return whether the game has ended."""
        return self._game.is_over(key)

    def promising(self, key: T, turns: int, target: int) -> bool:
        """Return true while turns are left: there is no bound."""
        return (turns > 0 and not self._game.is_over(key)) or self.progress(key) >= target

    def most_turns(self, key: T) -> int | None:  # nothing is known of the game
        """Return nothing."""
        return None

    def forget(self) -> None:
        """Remember nothing anyway."""


def forbidden_step(step: object, forbidden: frozenset[str]) -> bool:
    """Return whether a step is a move that begins with forbidden words."""
    if isinstance(step, Forced):
        return False
    return forbids(forbidden, getattr(step, "text", ""))
