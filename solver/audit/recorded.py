"""Recorded play: turns of random and of guided games, as material in which finders look for patterns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from rules.core.chance import SplitMix64, mix
from rules.core.position import Position, new_position
from rules.core.race import Race
from rules.core.ruleset import Ruleset
from rules.core.steps import Forced, Step
from rules.core.turns import State, TurnEnd

TURNS: Final = 60
"""Turns of a recorded game at most."""
LOOKED_AT: Final = 40
"""Ways through a turn that a guided player compares."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """One game as it was played, from the setup on."""

    position: Position
    """The start."""
    ends: tuple[TurnEnd[Any], ...]
    """Its turns, in order."""
    guided: bool
    """Each turn was the most promising of several, otherwise any."""

    @property
    def tables(self) -> list[Any]:
        """Return the tables at the turn boundaries, that of the start first."""
        return [self.position.table(), *(end.table for end in self.ends)]


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
    number = 0
    while True:
        position = opening(ruleset, mix(seed ^ (number // 2)))
        yield play(position, SplitMix64(mix(number)), guided=number % 2 == 0)
        number += 1


def play(
    position: Position,
    generator: SplitMix64,
    *,
    guided: bool,
    turns: int = TURNS,
    target: int | None = None,
    looked_at: int = LOOKED_AT,
) -> Recorded:
    """Return a game played from a position.

    A guided player compares ``looked_at`` turns at random by the game's own guess and takes the best; seats play alike.
    It ends after so many turns, or where the first seat reaches the target.
    """
    game = position.game
    assert isinstance(game, Race)
    table = position.table()
    ends: list[TurnEnd[Any]] = []
    while len(ends) < turns and not game.is_over(table) and (target is None or game.progress(table) < target):
        end = _best(game, table, generator, looked_at) if guided else game.sample_turn(table, generator)
        ends.append(end)
        table = end.table
    return Recorded(position, tuple(ends), guided)


def _best(game: Race[Any], table: Any, generator: SplitMix64, looked_at: int) -> TurnEnd[Any]:
    seat = mover(game, table)
    ways = [game.sample_turn(table, generator) for _ in range(looked_at)]
    return max(ways, key=lambda end: game.promise(end.table, seat))


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


def decided(end: TurnEnd[Any]) -> tuple[Step, ...]:
    """Return the steps of a turn that somebody or chance decided."""
    return tuple(step for step in end.steps if not isinstance(step, Forced))
