"""The plain form of a search problem: every turn is asked of the game itself, nothing is left out."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from itertools import islice
from typing import Any, Final, Generic, TypeVar

from puzzles.goal import forbids
from rules.core.challenge import NEVER
from rules.core.chance import SplitMix64
from rules.core.race import Race
from rules.core.steps import Forced, Step
from rules.core.turns import State, TurnEnd

T = TypeVar("T")

REMEMBERED: Final = 2_000_000
"""Successors kept in memory: a run to a further horizon comes by the same tables, and playing a turn is slow."""
FEW: Final = 120
"""Successors up to which a beam looks at all of them."""
SAMPLES: Final = 24
"""Ways through a turn that a beam looks at where there are more."""


class PlainTurns(Generic[T]):
    """Whole tables as keys, turns from ``Game.turn_ends``, the bound of the game; works for every game and feature."""

    engine = "plain"
    projections: tuple[str, ...] = ()
    decides_late = False

    def __init__(self, game: Race[T], seat: int, forbidden: frozenset[str]) -> None:
        self._game = game
        self._seat = seat
        self._forbidden = forbidden
        self.bound_name = game.bound_name
        self._successors: dict[T, tuple[T, ...]] = {}
        self._room = REMEMBERED
        self._least: dict[tuple[T, int], int] = {}
        """What the game's bound said, by table and target."""
        self._sampled: dict[T, dict[T, TurnEnd[T]]] = {}
        """Turns met at random by the table before and the one after: among all ways they might never be found again."""

    def project(self, table: T) -> T:
        """Return the table."""
        return table

    def shape(self, key: T) -> T:
        """Return the table: nothing is decided late."""
        return key

    def successors(self, key: T) -> Iterator[T]:
        """Yield every table after the next turn that some way without a forbidden move leads to, once each."""
        known = self._successors.get(key)
        if known is not None:
            yield from known
            return
        if self._game.is_over(key):
            return
        met: dict[T, None] = {}
        ends = self._game.turn_ends(key) if self._forbidden else self._game.distinct_ends(key)
        for end in ends:
            if end.table in met:
                continue
            if not does_forbidden(end.steps, self._forbidden):
                met[end.table] = None
                yield end.table
        if len(met) <= self._room:
            self._room -= len(met)
            self._successors[key] = tuple(met)

    def some_successors(self, key: T) -> Iterator[T]:
        """Yield all successors where they are few, else a random choice of them, the same for every run."""
        # Without a bound all promises look alike, and only a random choice keeps a beam from walking in one rut.
        most = FEW if self.bound_name else SAMPLES
        few = list(islice(self.successors(key), most))
        if len(few) < most:
            yield from few
            return
        generator = SplitMix64(self.progress(key))
        sampled = self._sampled.setdefault(key, {})
        for _ in range(SAMPLES):
            end = self._game.sample_turn(key, generator)
            if not does_forbidden(end.steps, self._forbidden) and self._game.allows(key, end):
                sampled[end.table] = end
                yield end.table

    def way(self, table: T, shapes: Container[Any]) -> TurnEnd[T] | None:
        """Return a sampled turn from a table to one of ``shapes``."""
        return next((end for after, end in self._sampled.get(table, {}).items() if after in shapes), None)

    def wanted(self, table: T, shapes: Container[Any]) -> None:  # nothing is known of the game's moves
        """Return nothing."""

    def progress(self, key: T) -> int:
        """Return how far the seat has come."""
        return self._game.progress(key, self._seat)

    def rounds(self, key: T) -> int:
        """Return the rounds begun."""
        return self._game.days(key, self._seat)

    def promise(self, key: T) -> int:
        """Return the game's guess for beams."""
        return self._game.promise(key, self._seat)

    def is_over(self, key: T) -> bool:
        """Return whether the game has ended."""
        return self._game.is_over(key)

    def lacking(self, key: T, turns: int, target: int) -> int:
        """Return how many more turns than those left the target needs at least, by the game's bound."""
        asked = key, target
        least = self._least.get(asked)
        if least is None:
            least = self._least_turns(key, target)
            if len(self._least) < REMEMBERED:
                self._least[asked] = least
        return max(0, least - turns)

    def _least_turns(self, key: T, target: int) -> int:
        if not self._game.is_over(key):
            return self._game.least_turns(key, self._seat, target, self._forbidden)
        return 0 if self.progress(key) >= target else NEVER

    def most_turns(self, key: T) -> int | None:
        """Return the game's own number of turns after which it is over."""
        return self._game.most_turns(key, self._seat)


def forbidden_step(step: object, forbidden: frozenset[str]) -> bool:
    """Return whether a step is a move that begins with forbidden words."""
    if isinstance(step, Forced):
        return False
    return forbids(forbidden, getattr(step, "text", ""))


def does_forbidden(steps: Iterable[object], forbidden: frozenset[str]) -> bool:
    """Return whether some of the steps of a turn are forbidden, be it that they were taken before a question came."""
    return bool(forbidden) and any(forbidden_step(step, forbidden) for step in steps)


def may_be_left_out(game: Race[Any], state: State[Any], move: Step) -> bool:
    """Return whether the turn goes on after a move as it could without it: ways with it are longer by a move."""
    after = game.apply(state, move).state
    if not after.pending or game.to_act(after) != game.to_act(state):
        return False
    return not set(game.legal_moves(after)).isdisjoint(game.legal_moves(state))
