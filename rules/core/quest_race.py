"""A named challenge as a race: whoever measures progress and counts turns can answer it without knowing its rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

from rules.core.belief import Secretive
from rules.core.challenge import NEVER, Challenger, Measure, Quest
from rules.core.contest import Contest
from rules.core.race import Race
from rules.core.steps import Forced, Step
from rules.core.turns import TurnEnd
from rules.core.wrapped import WrappedRace

T = TypeVar("T")

UNFINISHED: Final = -1_000_000
"""Progress towards a score while the game goes on: only its end counts."""


def at_the_end(progress: int | None) -> int | None:
    """Return progress that counts, or nothing where only the end of a game counts that still goes on."""
    return None if progress == UNFINISHED else progress


class QuestRace(WrappedRace[T]):
    """A game whose progress is that of one challenge: how much of it is done, or the points at the end of the game."""

    def __init__(self, game: Challenger[T], quest: Quest[T]) -> None:
        super().__init__(game)
        self.quest = quest
        self.only_the_end_counts = quest.challenge.measure is Measure.SCORE
        """Nothing is done before the game is over."""
        self.unit, self.is_place = quest.unit, True
        self.bottom = None
        if not self.only_the_end_counts:
            self.bound_name = "fewest turns of the challenge"
        else:
            self.bound_name = "" if quest.most_score(quest.start) is None else "highest score of the challenge"

    def turn_ends(
        self,
        table: T,
        pending: Sequence[Step | Forced] = (),
        wanted: Callable[[Step], bool] | None = None,
    ) -> Iterator[TurnEnd[T]]:
        """Yield one way to every table that a turn can end in without breaking what the challenge forbids."""
        yield from self.quest.ends(table, pending)

    def distinct_ends(self, table: T, pending: Sequence[Step | Forced] = ()) -> Iterator[TurnEnd[T]]:
        """Yield one way to every table that a turn can end in without breaking what the challenge forbids."""
        yield from self.quest.ends(table, pending)

    def allows(self, table: T, end: TurnEnd[T]) -> bool:
        """Return whether a turn that the rules allow breaks nothing that the challenge forbids."""
        return self.quest.allows(table, end)

    def progress(self, table: T, seat: int = 0) -> int:
        """Return how much of the challenge is done; under a score nothing counts before the end."""
        if self.only_the_end_counts:
            return self.quest.score(table) if self.is_over(table) else UNFINISHED
        return self.quest.progress(table)

    def so_far(self, table: T, seat: int = 0) -> int:
        """Return how much of the challenge is done, or the points there would be if the game ended here."""
        return self.quest.score(table) if self.only_the_end_counts else self.progress(table, seat)

    def default_target(self) -> int:
        """Return the progress at which the challenge is met."""
        return self.quest.target

    def advance(self, before: int, after: int) -> str:
        """Return how much of the challenge a turn has done, in words; under a score nothing counts before the end."""
        if self.only_the_end_counts:
            return f"{self.unit} {after}" if after > UNFINISHED else ""
        return f"{self.unit} {before} → {after} of {self.quest.target}"

    def least_turns(self, table: T, seat: int, target: int, forbidden: frozenset[str] = frozenset()) -> int:
        """Return a number of further own turns that the target needs at least.

        What the challenge knows is about its own target; of another one nothing is known.
        """
        if self.only_the_end_counts:
            most = self.quest.most_score(table)
            return super().least_turns(table, seat, target) if most is None or target <= most else NEVER
        if target != self.quest.target:
            return super().least_turns(table, seat, target)
        return self.quest.least_turns(table)

    def promise(self, table: T, seat: int) -> int:
        """Return the challenge's guess of how good a table is."""
        return self.quest.promise(table)


def secrets_of(game: Race[T]) -> Secretive[T] | None:
    """Return the game as one that hides cards from some seats, or nothing where all see the same."""
    while isinstance(game, WrappedRace):
        game = game.inner
    return game if isinstance(game, Secretive) else None


def tells_all(game: Race[T], table: T, seat: int) -> bool:
    """Return whether nothing lies on a table that a seat of several does not see, beside what is chance."""
    while isinstance(game, WrappedRace):
        game = game.inner
    return isinstance(game, Contest) and game.tells_all(table, seat)


def peeks(game: Race[T]) -> bool:
    """Return whether the best choice for every table would know what lies face down on it."""
    secrets = secrets_of(game)
    return secrets is not None and secrets.conceals
