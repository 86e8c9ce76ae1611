"""A named challenge as a race: whoever measures progress and counts turns can answer it without knowing its rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from rules.core.belief import Secretive
from rules.core.challenge import NEVER, Challenger, Measure, Quest
from rules.core.errors import IllegalMoveError
from rules.core.race import Race
from rules.core.steps import Event, Forced, Outcome, Step
from rules.core.turns import Script, State, TurnEnd

T = TypeVar("T")

UNFINISHED: Final = -1_000_000
"""Progress towards a score while the game goes on: only its end counts."""


class QuestRace(Race[T]):
    """A game whose progress is that of one challenge: how much of it is done, or the points at the end of the game."""

    def __init__(self, game: Challenger[T], quest: Quest[T]) -> None:
        self.inner = game
        self.quest = quest
        self.unit = quest.unit
        self.routine = game.routine
        self.standing = game.standing
        self.last_resorts = game.last_resorts
        if quest.challenge.measure is not Measure.SCORE:
            self.bound_name = "fewest turns of the challenge"
        else:
            self.bound_name = "" if quest.most_score(quest.start) is None else "highest score of the challenge"

    def play_turn(self, table: T, script: Script) -> T:
        """Run one whole turn of the game."""
        return self.inner.play_turn(table, script)

    def turn_ends(
        self,
        table: T,
        pending: Sequence[Step | Forced] = (),
        indifferent: frozenset[str] = Script.indifferent,
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
        """Return how much of the challenge is done; under a score nothing counts before the end."""
        if self.quest.challenge.measure is Measure.SCORE:
            return self.quest.score(table) if self.is_over(table) else UNFINISHED
        return self.quest.progress(table)

    def turns(self, table: T, seat: int = 0) -> int:
        """Return the turns a player has finished."""
        return self.inner.turns(table, seat)

    def days(self, table: T, seat: int = 0) -> int:
        """Return the rounds a player has begun."""
        return self.inner.days(table, seat)

    def default_target(self) -> int:
        """Return the progress at which the challenge is met."""
        return self.quest.target

    def hand(self, table: T, seat: int = 0) -> Sequence[str]:
        """Return the cards a player may play or pay with."""
        return self.inner.hand(table, seat)

    def glance(self, table: T) -> Sequence[tuple[str, str]]:
        """Return the table in labelled lines."""
        return self.inner.glance(table)

    def brief(self, table: T) -> Sequence[tuple[str, str]]:
        """Return what is worth repeating of a table after every turn of a plan."""
        return self.inner.brief(table)

    def advance(self, before: int, after: int) -> str:
        """Return how much of the challenge a turn has done, in words; under a score nothing counts before the end."""
        if self.quest.challenge.measure is Measure.SCORE:
            return f"{self.unit} {after}" if after > UNFINISHED else ""
        return f"{self.unit} {before} → {after} of {self.quest.target}"

    def least_turns(self, table: T, seat: int, target: int) -> int:
        """Return a number of further own turns that the challenge needs at least."""
        if self.quest.challenge.measure is Measure.SCORE:
            most = self.quest.most_score(table)
            return super().least_turns(table, seat, target) if most is None or target <= most else NEVER
        if target > self.quest.target:
            return super().least_turns(table, seat, target)
        return self.quest.least_turns(table)

    def promise(self, table: T, seat: int) -> int:
        """Return a guess of how good a table is: few turns to come, or the points of the game's own progress."""
        if self.quest.challenge.measure is Measure.SCORE:
            return 2 * self.inner.progress(table, seat)
        return self.quest.promise(table)


def secrets_of(game: Race[T]) -> Secretive[T] | None:
    """Return the game as one that hides cards from some seats, or nothing where all see the same."""
    inner = game.inner if isinstance(game, QuestRace) else game
    return inner if isinstance(inner, Secretive) else None
