"""Named challenges such as ``TR-S1``: what they ask, when they are answered, and the race that measures one.

A solver needs no word of the game for them. A challenge measured in turns asks for the fewest own turns after which
``Quest.reached`` holds, each turn one of ``Quest.ends``. One measured in points asks for the greatest ``Quest.score``
where the game is over.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, Generic, TypeVar

from rules.core.race import ImperfectInformation, Race
from rules.core.schema import Table
from rules.core.steps import Forced, Step
from rules.core.turns import State, TurnEnd

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


class ChanceMode(StrEnum):
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
    plain: dict[str, Callable[[Any], Any]] = {"name": str, "summary": str, "players": int}
    kinds = {**plain, "measure": Measure, "opponent": Opponent, "variants": tuple}
    return {
        name: Challenge(name, **{key: kind(facts[key]) for key, kind in kinds.items() if key in facts})
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

    def question(self) -> str:
        """Return what is asked, in one sentence."""
        return self.challenge.summary

    def clock(self) -> Clock | None:
        """Return how turns make up rounds where the challenge counts rounds, else nothing."""
        return None

    @property
    def fate(self) -> ChanceMode:
        """Who decides what is not known."""
        return ChanceMode.KNOWN

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


def _passed_on(name: str) -> Any:
    """Return a method that asks the race inside."""

    def method(self: WrappedRace[Any], *given: Any, **named: Any) -> Any:
        return getattr(self.inner, name)(*given, **named)

    method.__name__ = name
    method.__doc__ = f"Return what ``{name}`` of the race inside returns."
    return method


class WrappedRace(Race[T]):
    """Answers as the race inside it; subclasses say what is measured or allowed besides.

    Fast forms of the race inside know nothing of that, so none is passed on unless a subclass tells them.
    """

    inner: Race[T]

    def __init__(self, inner: Race[T]) -> None:
        self.inner = inner
        for name in ("unit", "is_place", "bottom", "routine", "idle", "standing"):
            setattr(self, name, getattr(inner, name))

    initial_table = _passed_on("initial_table")
    play_turn = _passed_on("play_turn")
    is_over = _passed_on("is_over")
    outcome = _passed_on("outcome")
    encode = _passed_on("encode")
    decode = _passed_on("decode")
    sentence = _passed_on("sentence")
    why_illegal = _passed_on("why_illegal")
    progress = _passed_on("progress")
    so_far = _passed_on("so_far")
    turns = _passed_on("turns")
    most_turns = _passed_on("most_turns")
    days = _passed_on("days")
    default_target = _passed_on("default_target")
    hand = _passed_on("hand")
    owned = _passed_on("owned")
    glance = _passed_on("glance")
    brief = _passed_on("brief")
    advance = _passed_on("advance")
    promise = _passed_on("promise")


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
        held = self.inner.owned(table, self._seat)
        return all(held.get(name, 0) >= copies for name, copies in self.kept.items())

    def allows(self, table: T, end: TurnEnd[T]) -> bool:
        """Return whether a turn loses nothing and breaks nothing else."""
        return self.keeps(end.table) and self.inner.allows(table, end)

    def promise(self, table: T, seat: int) -> int:
        """Return the guess of the race inside, none of it where something is lost already."""
        return self.inner.promise(table, seat) if self.keeps(table) else UNFINISHED

    def distinct_ends(self, table: T, pending: Sequence[Step | Forced] = ()) -> Iterator[TurnEnd[T]]:
        """Yield one way to every table that a turn can end in without losing anything."""
        yield from (end for end in self.inner.distinct_ends(table, pending) if self.keeps(end.table))

    def least_turns(self, table: T, seat: int, target: int, forbidden: frozenset[str] = frozenset()) -> int:
        """Return a number of further own turns that no line falls below; never where something is lost already."""
        return self.inner.least_turns(table, seat, target, forbidden) if self.keeps(table) else NEVER


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


def unwrapped(game: Race[T]) -> Race[T]:
    """Return the game itself, without what is asked of it."""
    while isinstance(game, WrappedRace):
        game = game.inner
    return game


def secrets_of(game: Race[T]) -> ImperfectInformation[T] | None:
    """Return the game as one that hides cards from some seats, or nothing where all see the same."""
    game = unwrapped(game)
    return game if isinstance(game, ImperfectInformation) else None


def as_seen(game: Race[T], state: State[T], seat: int) -> State[T]:
    """Return a state with unknown cards in the place of those that a seat does not see in other hands."""
    secrets = secrets_of(game)
    return state if secrets is None else replace(state, table=secrets.covered(state.table, seat))


def hides(game: Race[T], table: T) -> bool:
    """Return whether something on a table is hidden from a seat, so that the best choice there would know it."""
    return peeks(game) and not unwrapped(game).is_common(table)


def peeks(game: Race[T]) -> bool:
    """Return whether the best choice for every table would know what lies face down on it."""
    secrets = secrets_of(game)
    return secrets is not None and secrets.conceals
