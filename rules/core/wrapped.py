"""A race asked with something more in mind: the rules stay those of the race inside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from rules.core.errors import IllegalMoveError
from rules.core.race import Race
from rules.core.scripts import Script
from rules.core.steps import Event, Outcome
from rules.core.turns import State

T = TypeVar("T")


class WrappedRace(Race[T]):
    """Answers as the race inside it; subclasses say what is measured or allowed besides.

    Fast forms of the race inside know nothing of that, so none is passed on unless a subclass tells them.
    """

    inner: Race[T]

    def __init__(self, inner: Race[T]) -> None:
        self.inner = inner
        self.unit, self.is_place = inner.unit, inner.is_place
        self.bottom = inner.bottom
        self.routine = inner.routine
        self.idle = inner.idle
        self.standing = inner.standing

    def play_turn(self, table: T, script: Script) -> T:
        """Run one whole turn of the game."""
        return self.inner.play_turn(table, script)

    def is_over(self, table: T) -> bool:
        """Return whether the game has ended."""
        return self.inner.is_over(table)

    def outcome(self, table: T) -> Outcome | None:
        """Return how the game ended."""
        return self.inner.outcome(table)

    def encode(self, table: T) -> dict[str, Any]:
        """Return the canonical ``state`` object of a table."""
        return self.inner.encode(table)

    def decode(self, state: Mapping[str, Any]) -> T:
        """Return the table of a canonical ``state`` object."""
        return self.inner.decode(state)

    def sentence(self, event: Event) -> str:
        """Return an event in words."""
        return self.inner.sentence(event)

    def why_illegal(self, state: State[T], text: str) -> IllegalMoveError | None:
        """Return the rule that forbids a move here."""
        return self.inner.why_illegal(state, text)

    def progress(self, table: T, seat: int = 0) -> int:
        """Return how far a player has come."""
        return self.inner.progress(table, seat)

    def so_far(self, table: T, seat: int = 0) -> int:
        """Return how far a player would have come if play stopped here."""
        return self.inner.so_far(table, seat)

    def turns(self, table: T, seat: int = 0) -> int:
        """Return the turns a player has finished."""
        return self.inner.turns(table, seat)

    def most_turns(self, table: T, seat: int = 0) -> int | None:
        """Return further own turns after which the game is over at the latest."""
        return self.inner.most_turns(table, seat)

    def days(self, table: T, seat: int = 0) -> int:
        """Return the rounds a player has begun."""
        return self.inner.days(table, seat)

    def default_target(self) -> int:
        """Return the progress at which a player has finished."""
        return self.inner.default_target()

    def hand(self, table: T, seat: int = 0) -> Sequence[str]:
        """Return the cards a player may play or pay with."""
        return self.inner.hand(table, seat)

    def held(self, table: T, seat: int = 0) -> Mapping[str, int]:
        """Return what a player has and could lose."""
        return self.inner.held(table, seat)

    def glance(self, table: T) -> Sequence[tuple[str, str]]:
        """Return the table in labelled lines."""
        return self.inner.glance(table)

    def brief(self, table: T) -> Sequence[tuple[str, str]]:
        """Return what is worth repeating of a table after every turn of a plan."""
        return self.inner.brief(table)

    def advance(self, before: int, after: int) -> str:
        """Return what a turn did to a player's progress, in words."""
        return self.inner.advance(before, after)
