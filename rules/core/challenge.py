"""Questions that a game's own specification gives a name, such as ``TR-S1``: what they ask, and when they are answered.

A solver needs no word of the game for them. For a challenge measured in turns it looks for the fewest own turns after
which ``Quest.reached`` holds, each turn one of ``Quest.ends``; for one measured in points for the play that makes
``Quest.score`` greatest where the game is over.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Generic, TypeVar

from rules.core.race import Race
from rules.core.schema import Table
from rules.core.steps import Forced, Step
from rules.core.turns import TurnEnd

T = TypeVar("T")

NEVER: Final = 1_000_000_000
"""What ``Quest.least_turns`` says where the goal is out of reach for good."""


class Measure(StrEnum):
    """What makes one play of a challenge better than another."""

    TURNS = "turns"
    """Fewer own turns until the goal is reached."""
    ROUNDS = "rounds"
    """Fewer rounds until the goal is reached, where an own turn is only a part of one; see ``Clock``."""
    SCORE = "score"
    """More points at the end."""


class Opponent(StrEnum):
    """How the other players choose."""

    NONE = "none"
    """There is nobody else."""
    OPTIMAL = "optimal"
    """As well as possible for themselves."""
    RANDOM = "random"
    """Every open move equally likely."""
    NEVER = "never"
    """They end their turn at once."""


class Fate(StrEnum):
    """Who decides what is not known."""

    KNOWN = "known"
    """Nobody: everything that matters is known in advance."""
    KIND = "kind"
    """The player: the best luck there can be."""
    CRUEL = "cruel"
    """An adversary who has seen the plan: the worst luck there can be."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """A kind of question, without a position."""

    id: str
    """Name in the game's specification."""
    name: str
    """The same in words joined by underscores."""
    summary: str
    """What is asked, in one sentence."""
    players: int
    measure: Measure
    opponent: Opponent = Opponent.NONE
    variants: tuple[str, ...] = ("open", "hidden")
    """Kinds of information it can be asked under."""


def challenges_of(tables: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Challenge]:
    """Return the challenges of a file's tables by their ids."""
    return {
        name: Challenge(
            name,
            facts["name"],
            facts["summary"],
            facts["players"],
            Measure(facts["measure"]),
            Opponent(facts.get("opponent", Opponent.NONE)),
            tuple(facts.get("variants", ("open", "hidden"))),
        )
        for name, facts in tables.items()
    }


@dataclass(frozen=True, slots=True)
class Clock:
    """How own turns make up the rounds of a game in which a turn is only a part of one."""

    turn: str
    """What a turn is called, in the singular."""
    turns: int
    """Own turns of each round."""
    gone: int
    """Those of the round under way that are over at the start of the question."""

    def rounds(self, turns: int) -> int:
        """Return the rounds, the one under way included, that so many further own turns go into; 0 for none."""
        return -(-(turns + self.gone) // self.turns) if turns > 0 else 0

    def turns_in(self, rounds: int) -> int:
        """Return the further own turns until the end of so many rounds, the one under way included."""
        return max(0, rounds * self.turns - self.gone)


class Quest(ABC, Generic[T]):
    """A challenge asked from one table, for one seat."""

    challenge: Challenge
    start: T
    seat: int
    unit: str = "goal"
    """What ``progress`` is counted in, in the singular."""
    target: int = 1
    """Progress at which the goal is reached, and only then."""

    def progress(self, table: T) -> int:
        """Return how much of the goal is done, at least ``target`` exactly where it is reached."""
        return int(self.reached(table))

    def asked(self) -> str:
        """Return what is asked, in one sentence."""
        return self.challenge.summary

    def clock(self) -> Clock | None:
        """Return how turns make up rounds where the challenge counts rounds, else nothing."""
        return None

    @property
    def fate(self) -> Fate:
        """Who decides what is not known."""
        return Fate.KNOWN

    def promise(self, table: T) -> int:
        """Return a guess of how good a table is, for beams only; more is better: few turns to come, or many points."""
        return self.score(table) if self.challenge.measure is Measure.SCORE else -self.least_turns(table)

    @abstractmethod
    def reached(self, table: T) -> bool:
        """Return whether the goal is reached; false where only the score counts."""

    @abstractmethod
    def score(self, table: T) -> int:
        """Return the points that a table at the end of the game is worth to the seat."""

    @abstractmethod
    def ends(self, table: T, pending: Sequence[Step | Forced] = ()) -> Iterator[TurnEnd[T]]:
        """Yield one way to every table that the next turn can end in without breaking what the challenge forbids."""

    def allows(self, table: T, end: TurnEnd[T]) -> bool:
        """Return whether one way through the next turn breaks nothing that the challenge forbids."""
        return any(other.table == end.table for other in self.ends(table))

    def least_turns(self, table: T) -> int:
        """Return a number of further own turns that the goal needs at least, ``NEVER`` where it is out of reach."""
        return int(not self.reached(table))

    def most_score(self, table: T) -> int | None:
        """Return a score that no line from a table exceeds, or nothing where none is known."""
        return None


class Challenger(Race[T]):
    """A game with named challenges."""

    usual_challenge: str = ""
    """Id of what a player alone is taken to ask where no goal is given; empty for the fewest turns to the finish."""

    @abstractmethod
    def challenges(self) -> Mapping[str, Challenge]:
        """Return every challenge of the game by its id."""

    @abstractmethod
    def goal_schema(self, challenge: str) -> Table:
        """Return the shape of what a goal of this challenge says besides the challenge itself."""

    @abstractmethod
    def quest(self, challenge: str, table: T, seat: int, goal: Mapping[str, Any]) -> Quest[T]:
        """Return a challenge asked from a table; ``goal`` has the shape of ``goal_schema``.

        Raises:
            ContentError: the goal does not fit the table.
        """
