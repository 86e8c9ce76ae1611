"""What a puzzle asks for (interface section 3); ``win`` asks to win, or to be as far ahead as possible at a stop."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, TypeVar

from rules.core.challenge import Clock, Measure
from rules.core.position import Position
from rules.core.race import Race
from rules.core.schema import Faults
from rules.core.scripts import Forced

S = TypeVar("S")


class Objective(StrEnum):
    """The kinds of question that any game with turns and progress can be asked."""

    MIN_TURNS = "min_turns"
    """Fewest own turns, counted when finished, after which progress is at or past the target."""
    REACH = "reach"
    """1 if progress is at or past the target at the end of some own turn within the limit, else 0."""
    MAX_DISTANCE = "max_distance"
    """Greatest progress at the end of the last of the given number of own turns."""
    WIN = "win"
    """To win against the others, or to be as far ahead as possible, perhaps only until a round is over."""


MEASURES: Final[Mapping[Measure, Objective]] = {
    Measure.TURNS: Objective.MIN_TURNS,
    Measure.ROUNDS: Objective.MIN_TURNS,
    Measure.SCORE: Objective.MAX_DISTANCE,
}
"""What a challenge asks for, by what makes one play of it better."""


@dataclass(frozen=True, slots=True)
class Goal:
    """One question about one seat."""

    objective: Objective
    target: int
    """Progress to be at or past; ignored by ``max_distance`` and ``win``."""
    within_turns: int | None = None
    """Own turns allowed: required for ``reach`` and ``max_distance``, an upper limit for ``min_turns``; for ``win``
    those after which play stops."""
    forbidden: frozenset[str] = frozenset()
    """First words of moves that are not allowed, such as ``new_day`` or ``play mush``."""
    seat: int = 0
    """Whose goal it is."""
    kept: frozenset[str] = frozenset()
    """Names of what the seat may not have less of, at the end of any own turn, than at the start."""
    challenge: str = ""
    """Id of the game's own challenge that progress is measured by; empty for the game's progress."""
    terms: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """What the challenge asks besides, in the shape that the game gives it."""
    clock: Clock | None = field(default=None, compare=False)
    """How own turns make up rounds, where turns are to be told in rounds."""

    def counted(self, turns: int) -> int:
        """Return a number of own turns as the question counts them: in rounds where it has a clock."""
        return turns if self.clock is None else self.clock.rounds(turns)

    def least(self, turns: int) -> int:
        """Return the fewest own turns that count as much as so many: those that end in the same round."""
        return turns if self.clock is None else min(turns, self.clock.turns_in(self.clock.rounds(turns) - 1) + 1)

    def in_rounds(self, value: int | None) -> int | None:
        """Return a value of a report as the question counts it."""
        return value if value is None or self.objective is not Objective.MIN_TURNS else self.counted(value)


def forbids(forbidden: frozenset[str], text: str) -> bool:
    """Return whether a move's text begins with forbidden words."""
    return any(text == words or text.startswith(f"{words} ") for words in forbidden)


def forbidden_step(step: object, forbidden: frozenset[str]) -> bool:
    """Return whether a step is a move that begins with forbidden words."""
    if isinstance(step, Forced):
        return False
    return forbids(forbidden, getattr(step, "text", ""))


def allowed_steps(steps: Iterable[S], forbidden: frozenset[str]) -> list[S]:
    """Return those of some steps that are not forbidden."""
    return [step for step in steps if not forbidden_step(step, forbidden)]


def does_forbidden(steps: Iterable[object], forbidden: frozenset[str]) -> bool:
    """Return whether some of the steps of a turn are forbidden, be it that they were taken before a question came."""
    return bool(forbidden) and any(forbidden_step(step, forbidden) for step in steps)


_FOREIGN: Final = ("target", "without", "keep", "terms")
"""What a goal of one's own says, and winning does not."""


def win_goal(given: Mapping[str, Any], position: Position, faults: Faults) -> Goal:
    """Return the goal of a table that asks who wins, and note what does not fit the position.

    It is asked for the seat to move, and for the whole game unless a number of rounds is given; own turns stand for
    rounds where they end with one.
    """
    game, start = position.start()
    for name in _FOREIGN:
        if name in given:
            faults.add((name,), "'win' asks who wins, and of nothing else; leave this out")
    if not given.get("new_day", True):
        faults.add(("new_day",), "'win' forbids no moves; leave this out")
    actor = game.to_act(start)
    seat = given.get("seat", max(0, actor))
    if position.players < 2:
        faults.add(("objective",), "'win' is asked where several play against each other; here one plays alone")
        return Goal(Objective.WIN, target=0, seat=seat)
    if seat != actor >= 0:
        faults.add(("seat",), f"'win' is asked for who moves, and here that is player {actor}")
    clock = round_clock(game, start.table, seat)
    within = turns_within(given, Objective.WIN, clock, faults)
    return Goal(Objective.WIN, target=0, within_turns=within, seat=seat, clock=clock)


def round_clock(game: Race[Any], table: Any, seat: int) -> Clock:
    """Return how a seat's own turns make up rounds from a table on."""
    stages = game.profile.stages
    return Clock("turn", stages, game.turns(table, seat) - stages * game.rounds(table))


def rounds_left(goal: Goal) -> int | None:
    """Return the rounds that a goal to win still asks about, the one under way included; nothing for the whole game."""
    if goal.within_turns is None or goal.clock is None:
        return None
    return (goal.within_turns + goal.clock.gone) // goal.clock.turns


def turns_within(given: Mapping[str, Any], name: str, clock: Clock | None, faults: Faults) -> int | None:
    """Return how many own turns there are, where that is said in turns or in rounds; nothing where it is not said.

    Turns that end within a round stand for all of it, but ``win`` asks for whole rounds.
    """
    within: int | None = given.get("within_turns")
    rounds: int | None = given.get("within_rounds")
    if clock is None:
        if rounds is not None:
            faults.add(("within_rounds",), f"'{name}' counts turns; say 'within_turns'")
        return within
    if rounds is not None:
        if name == Objective.WIN and within is not None:
            faults.add(("within_turns",), "'within_rounds' says the same; leave one of the two out")
        if name == Objective.WIN and not rounds:
            faults.add(("within_rounds",), "must be at least 1, the round under way")
        return clock.turns_in(rounds)
    whole = None if within is None else clock.turns_in(clock.rounds(within))
    if name == Objective.WIN and within is not None and (not within or whole != within):
        faults.add(("within_turns",), "does not end with a round; say 'within_rounds'")
    return whole
