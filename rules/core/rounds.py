"""Whole rounds as one edge: the form in which a game answers how few rounds a goal takes, chance known, kind or cruel.

A key is what matters between two rounds, in two parts: a purse, of which more is never worse while the rest is equal,
and the rest. Whatever the form leaves out of a position it must leave out in the player's favour, so that what no key
can reach in so many rounds no position can; whether a line of the game does what the form found is shown by playing it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any, Generic, NamedTuple, TypeVar

from rules.core.steps import Step

T = TypeVar("T")

Purse = tuple[int, ...]


class Fate(StrEnum):
    """Who decides what is not known."""

    KNOWN = "known"
    """Nobody: everything that matters is known in advance."""
    KIND = "kind"
    """The player: the best luck there can be."""
    CRUEL = "cruel"
    """An adversary who has seen the plan: the worst luck there can be."""


class Key(NamedTuple):
    """What matters between two rounds."""

    rest: Any
    """Hashable."""
    purse: Purse


class Way(NamedTuple):
    """What one choice and one answer of fate make of a key."""

    choice: Any
    """Hashable: what the player does in the round; equal for all ways that differ in fate only."""
    fate: Any
    """Hashable: what fate answers."""
    after: Key | None
    """Nothing where the goal is reached within the round."""


class Offer(NamedTuple):
    """Choices of which one answer of fate makes the same; a single choice where fate is not cruel."""

    way: Way
    """What that answer makes of each of them."""
    choices: Sequence[Any]


class RoundForm(ABC, Generic[T]):
    """One question about one table, round by round."""

    fate: Fate
    start: Key
    horizon: int
    """Rounds for which the form holds; nothing is said about more."""
    relaxations: tuple[str, ...]
    """What the form leaves out in the player's favour, in words."""

    @abstractmethod
    def prepare(self, rounds: int, *, lax: bool) -> None:
        """Get ready for a search of at most so many rounds; where ``lax``, nothing ever runs out in it."""

    @abstractmethod
    def fits(self, ways: Sequence[Way]) -> bool:
        """Return whether there is enough of everything for these ways in a row."""

    @abstractmethod
    def offers(self, key: Key, gone: int) -> Iterator[Offer]:
        """Yield what can be done in a key after so many of the rounds prepared for.

        Where fate is kind its answers are choices too. Ways that are hopeless may be left out, and so may a way that
        another one is at least as good as: equal in the rest, and no purse of it is emptier, at its end or on the way.
        """

    @abstractmethod
    def answers(self, key: Key, gone: int, choice: Any) -> Iterator[Way]:
        """Yield what every answer of a cruel fate makes of a choice, those soonest that are likely to be the worst."""

    @abstractmethod
    def hopeless(self, key: Key, gone: int, left: int) -> bool:
        """Return true only where the goal is out of reach in ``left`` rounds, after ``gone`` others."""

    @abstractmethod
    def tries(self, ways: Sequence[Way], steps: Sequence[Step]) -> Sequence[Step]:
        """Return those of the open steps of a game that do what the first way says, as far as it says anything.

        The likeliest to keep to all the ways comes first; whoever plays a line comes back to the others.
        """

    @abstractmethod
    def is_boundary(self, table: T) -> bool:
        """Return whether a table lies between two rounds."""
