"""Named challenges such as ``TR-S1``: what they ask, when they are answered, and a game that is asked for one.

A solver needs no word of the game for them. A challenge measured in turns asks for the fewest own turns after which
``Quest.done`` is at the target. One measured in points asks for the most of it where the game is over.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Any, Final, NamedTuple, TypeVar

from rules.core.race import NEVER, Race

T = TypeVar("T")

UNFINISHED: Final = -1_000_000
"""Progress towards a score while the game goes on: only its end counts."""


class Measure(StrEnum):
    """What makes one play of a challenge better than another."""

    TURNS = "turns"
    ROUNDS = "rounds"
    """Fewer rounds until the goal is reached, where an own turn is only a part of one; see ``Clock``."""
    SCORE = "score"


class Opponent(StrEnum):
    """How the other players choose."""

    NONE = "none"
    OPTIMAL = "optimal"
    RANDOM = "random"
    """Every open move equally likely."""
    NEVER = "never"
    """They end their turn at once."""


class ChanceMode(StrEnum):
    """Who decides what is not known."""

    KNOWN = "known"
    """Nobody: everything that matters is known in advance."""
    KIND = "kind"
    """The player: the best luck there can be."""
    CRUEL = "cruel"
    """An adversary who has seen the plan: the worst luck there can be."""


class Challenge(NamedTuple):
    """A kind of question, without a position; a table of the game's file ``challenges.toml``."""

    id: str
    """Name in the game's specification."""
    name: str
    """What is asked, in a few words."""
    summary: str
    """What is asked, in one sentence."""
    players: int
    measure: Measure
    facts: Mapping[str, Any]
    """All that the file says, with what only the game knows."""
    opponent: Opponent = Opponent.NONE
    fate: ChanceMode = ChanceMode.KNOWN
    variants: tuple[str, ...] = ("open", "hidden")
    """Kinds of information it can be asked under."""
    is_usual: bool = False
    """A player alone is taken to ask it where no goal is given."""


def challenges_of(tables: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Challenge]:
    """Return the challenges of a file's tables by their ids."""
    plain: dict[str, Callable[[Any], Any]] = {"name": str, "summary": str, "players": int, "is_usual": bool}
    kinds = {**plain, "measure": Measure, "opponent": Opponent, "fate": ChanceMode, "variants": tuple}
    return {
        name: Challenge(name, **{key: kind(facts[key]) for key, kind in kinds.items() if key in facts}, facts=facts)
        for name, facts in tables.items()
    }


class Aim(NamedTuple):
    """A named challenge, asked from one table for one seat."""

    challenge: str
    seat: int
    terms: Mapping[str, Any]
    """What the goal says besides the challenge, in the shape of its ``terms``."""
    start: Mapping[str, Any]
    """Canonical state object of the table it is asked from."""


class Clock(NamedTuple):
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


class Quest(Race[T]):
    """A game asked for one of its challenges: progress is how much of it is done, or the points at the end of the game.

    A class of the game has this one before the game's own class among its bases, and calls ``ask`` at its beginning.
    """

    def ask(self, challenge: Challenge, start: T, seat: int, unit: str, target: int = 1, question: str = "") -> None:
        """Ask a challenge from a table for a seat.

        ``unit`` is what its progress is counted in. The goal is reached where ``done`` is at least the ``target``. A
        ``question`` says in one sentence what is asked, where the summary of the challenge does not say it all.
        """
        self.challenge, self.start, self.seat = challenge, start, seat
        self.question = question or challenge.summary
        bound_name = "fewest turns of the challenge"
        if self.only_the_end_counts:
            bound_name = "" if self.bound(start) == NEVER else "highest score of the challenge"
        self.profile = replace(
            self.profile, unit=unit, target=target, bound_name=bound_name, is_place=True, bottom=None
        )

    @abstractmethod
    def done(self, table: T) -> int:
        """Return how much of the goal is done, or the points if the game ended here where only its end counts."""

    @abstractmethod
    def bound(self, table: T) -> int:
        """Return a number of further own turns that the goal needs at least, ``NEVER`` where it is out of reach.

        Where only the end counts, that is a score that no line exceeds, ``NEVER`` where none is known.
        """

    @property
    def only_the_end_counts(self) -> bool:
        """Whether nothing is done before the game is over."""
        return self.challenge.measure is Measure.SCORE

    def reached(self, table: T) -> bool:
        """Return whether the goal is reached; false where only the score counts."""
        return not self.only_the_end_counts and self.done(table) >= self.profile.target

    def clock(self) -> Clock | None:
        """Return how turns make up rounds where the challenge counts rounds, else nothing."""
        if self.challenge.measure is not Measure.ROUNDS:
            return None
        stages = self.profile.stages
        return Clock("stage", stages, self.turns(self.start, self.seat) % stages)

    def progress(self, table: T, seat: int = 0) -> int:
        """Return how much of the challenge is done; under a score nothing counts before the end."""
        return UNFINISHED if self.only_the_end_counts and not self.is_over(table) else self.done(table)

    def so_far(self, table: T, seat: int = 0) -> int:
        """Return how much of the challenge is done, or the points there would be if the game ended here."""
        return self.done(table)

    def advance(self, before: int, after: int) -> str:
        """Return how much of the challenge a turn has done, in words; under a score nothing counts before the end."""
        if self.only_the_end_counts:
            return f"{self.profile.unit} {after}" if after > UNFINISHED else ""
        return f"{self.profile.unit} {before} → {after} of {self.profile.target}"

    def least_turns(self, table: T, seat: int, target: int, forbidden: frozenset[str] = frozenset()) -> int:
        """Return a number of further own turns that the target needs at least.

        What the challenge knows is about its own target; of another one nothing is known.
        """
        if self.only_the_end_counts and target > self.bound(table):
            return NEVER
        if self.only_the_end_counts or target != self.profile.target:
            return int(self.progress(table) < target)
        return self.bound(table)

    def promise(self, table: T, seat: int) -> int:
        """Return a guess of how good a table is: few turns to come, or many points."""
        return self.done(table) if self.only_the_end_counts else -self.bound(table)


def at_the_end(progress: int | None) -> int | None:
    """Return progress that counts, or nothing where only the end of a game counts that still goes on."""
    return None if progress == UNFINISHED else progress
