"""Recorded play: turns of random and of guided games, as material in which finders look for patterns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from math import sqrt
from typing import Any, Final

from rules.core.chance import SplitMix64, mix
from rules.core.position import Position, new_position
from rules.core.race import Race
from rules.core.registry import Ruleset
from rules.core.steps import Step
from rules.core.turns import State, TurnEnd
from solver.lines import taken

TURNS: Final = 60
"""Turns of a recorded game at most."""
LOOKED_AT: Final = 40
"""Ways through a turn that a guided player compares."""


Chooser = Callable[[Any], TurnEnd[Any]]
"""Says which way a turn from a table is played."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """One game as it was played, from its start on."""

    position: Position
    """The start."""
    ends: tuple[TurnEnd[Any], ...]
    """Its turns, in order."""

    @property
    def tables(self) -> list[Any]:
        """Return the tables at the turn boundaries, that of the start first."""
        return [self.position.table(), *(end.table for end in self.ends)]

    @property
    def table(self) -> Any:
        """Return the table at the end."""
        return self.tables[-1]

    @property
    def over(self) -> bool:
        """Return whether the game ended by its rules."""
        return self.position.game.is_over(self.table)

    @property
    def winners(self) -> tuple[int, ...]:
        """Return the seats that won; empty for a draw and for a game that was given up."""
        outcome = self.position.game.outcome(self.table)
        return () if outcome is None else outcome.winners

    def line(self, turns: int | None = None) -> tuple[str, ...]:
        """Return the texts of the steps of all turns, or of so many."""
        return tuple(text for end in self.ends[:turns] for text in texts(end))


def opening(ruleset: Ruleset, seed: int) -> Position:
    """Return the position after an open deal for as few players as the ruleset allows: alone where that can be.

    Raises:
        UnsupportedRuleset: the engine cannot carry an option of the ruleset.
    """
    return new_position(ruleset, ruleset.definition.players_allowed(ruleset)[0], seed)


def games(ruleset: Ruleset, seed: int) -> Iterator[Recorded]:
    """Yield recorded games for ever, guided and random in turns, each from a deal of its own.

    Raises:
        UnsupportedRuleset: the engine cannot carry an option of the ruleset.
    """
    for number in count():
        position = opening(ruleset, mix(seed ^ (number // 2)))
        yield play(position, guided(position, mix(number), 1 if number % 2 else LOOKED_AT), TURNS)


def play(
    position: Position,
    choose: Chooser,
    turns: int,
    *,
    target: int | None = None,
    stop: Callable[[Any], bool] | None = None,
) -> Recorded:
    """Return a game played from a position until it is over, for so many turns, to a target, or to where it ``stop``s.

    The target is the first seat's.
    """
    game, table = race_of(position), position.table()
    ends: list[TurnEnd[Any]] = []
    while len(ends) < turns and not game.is_over(table) and (target is None or game.progress(table) < target):
        if stop is not None and stop(table):
            break
        ends.append(choose(table))
        table = ends[-1].table
    return Recorded(position, tuple(ends))


def guided(position: Position, seed: int, looked_at: int) -> Chooser:
    """Return a player who compares so many random ways through a turn by the game's own guess and takes the best.

    Seats play alike. With a single way to look at it plays at random.
    """
    game, generator = race_of(position), SplitMix64(seed)

    def choose(table: Any) -> TurnEnd[Any]:
        if looked_at == 1:
            return game.sample_turn(table, generator)
        seat = mover(game, table)
        ways = [game.sample_turn(table, generator) for _ in range(looked_at)]
        return max(ways, key=lambda end: game.promise(end.table, seat))

    return choose


def race_of(position: Position) -> Race[Any]:
    """Return the game of a position that has progress."""
    return position.game


def mover(game: Race[Any], table: Any) -> int:
    """Return the seat that decides first in the turn from a table, 0 where none does."""
    return max(0, game.to_act(State(table)))


def kinds_of_ends(game: Race[Any], table: Any, most: int) -> Iterator[TurnEnd[Any]]:
    """Yield up to so many ways through the next turn for each kind of first move: equal in its first two words.

    Of a kind the shortest move begins, the one that pays least.
    """
    state: State[Any] = State(table)
    if game.to_act(state) < 0:
        return
    kinds: dict[tuple[str, ...], Step] = {}
    for move in sorted(game.legal_moves(state), key=lambda move: (len(move.text), move.text)):
        kinds.setdefault(tuple(move.text.split()[:2]), move)
    for move in kinds.values():
        yield from islice(game.turn_ends(table, game.begun(state, move)), most)


def texts(end: TurnEnd[Any]) -> tuple[str, ...]:
    """Return the texts of the steps of a turn that somebody or chance decided."""
    return tuple(step.text for step in taken(end))


# Seeded play of whole games, and what a sample of them says: shares and means with their 95 % intervals


SIGMA: Final = 1.96
"""Standard errors on either side of an estimate that make an interval of 95 %."""
WAYS: Final = 2
"""Ways through a turn of which the better one is taken."""
GAME_TURNS: Final = 1500
"""Turns of all players after which a game is given up,"""
HAND: Final = 15
"""and cards in the hand of whoever is to move: the ways to pay with more are too many to list."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a sample says of one number."""

    n: int
    value: float
    low: float
    high: float

    @property
    def words(self) -> str:
        """Return it with its interval and the size of the sample."""
        return f"{self.value:.3g} (95 % interval {self.low:.3g} to {self.high:.3g}, n = {self.n})"

    @property
    def numbers(self) -> dict[str, Any]:
        """Return it as data of a finding, to four places."""
        return {"share": round(self.value, 4), "low": round(self.low, 4), "high": round(self.high, 4), "n": self.n}


def dealt(ruleset: Ruleset, players: int, seed: int, number: int) -> Position:
    """Return an open deal, the same for every ruleset of a game.

    Raises:
        UnsupportedRuleset: the engine cannot carry an option of the ruleset.
    """
    return new_position(ruleset, players, mix(seed ^ mix(number)))


def played(position: Position, seed: int, turns: int = GAME_TURNS) -> Recorded:
    """Return a game in which every seat takes the better of a few random ways through each of its turns."""
    game = race_of(position)

    def has_too_many(table: Any) -> bool:
        return len(game.hand(table, mover(game, table))) > HAND

    return play(position, guided(position, mix(seed), WAYS), turns, stop=has_too_many)


def share(hits: int, n: int) -> Estimate:
    """Return a share with its Wilson interval (Wilson 1927), which holds for small samples and for none or all."""
    if n == 0:
        return Estimate(0, 0.0, 0.0, 1.0)
    part, square = hits / n, SIGMA**2
    middle = (part + square / (2 * n)) / (1 + square / n)
    half = SIGMA / (1 + square / n) * sqrt(part * (1 - part) / n + square / (4 * n * n))
    return Estimate(n, part, max(0.0, middle - half), min(1.0, middle + half))


def mean(values: Sequence[float]) -> Estimate:
    """Return a mean with its normal interval; without bounds for fewer than two values."""
    n = len(values)
    if n < 2:
        return Estimate(n, values[0] if values else 0.0, float("-inf"), float("inf"))
    middle = sum(values) / n
    half = SIGMA * sqrt(sum((value - middle) ** 2 for value in values) / (n - 1) / n)
    return Estimate(n, middle, middle - half, middle + half)
