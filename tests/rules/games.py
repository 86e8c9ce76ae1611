"""Games to test with: every shipped ruleset set up in several ways, every conformance vector, and repeatable play."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from rules.core.errors import IllegalMoveError, NotationError
from rules.core.files import Faults
from rules.core.position import Position, load_position, new_position
from rules.core.registry import find_game, game_names
from rules.core.ruleset import list_rulesets, load_ruleset
from rules.core.scripts import OVER, SplitMix64, Step
from rules.core.turns import Game, State, Transition

HERE = Path(__file__).parent
RULESETS = tuple(info.id for info in list_rulesets())
EDITIONS = tuple(info.id for info in list_rulesets() if not info.extends)
VECTORS: dict[str, str] = {
    json.loads(line)["id"]: line
    for game in game_names()
    for path in sorted((HERE / game / "vectors").glob("*.jsonl"))
    for line in path.read_text("utf-8").splitlines()
}
"""Lines of the conformance vectors, by id."""


class Setup(NamedTuple):
    """A way to begin a game."""

    ruleset: str
    players: int
    is_open: bool
    """Every source of chance is known in advance; otherwise none is."""

    def __str__(self) -> str:
        return f"{self.ruleset}-{self.players}-{'open' if self.is_open else 'hidden'}"

    def position(self, seed: int) -> Position:
        """Return the position after the setup."""
        return new_position(self.ruleset, self.players, seed, None if self.is_open else ())


def setups() -> list[Setup]:
    """Return every ruleset with the fewest and the most players, open and hidden."""
    found = []
    for name in RULESETS:
        ruleset = load_ruleset(name)
        least, most, _ = ruleset.definition.players_allowed(ruleset)
        found += [Setup(name, players, is_open) for players in sorted({least, most}) for is_open in (True, False)]
    return found


@cache
def vector_position(name: str) -> Position:
    """Return the position of a conformance vector."""
    return load_position(VECTORS[name])


def vector_is_open(vector: dict[str, Any]) -> bool:
    """Return whether a vector hides nothing."""
    return set(find_game(vector["game"]).sources) <= set(vector["chance"]["open"])


def steps_of(game: Game[Any], state: State[Any]) -> tuple[Step, ...]:
    """Return what can happen next: the open moves, or the outcomes of chance, or nothing when the game is over."""
    return game.legal_moves(state) or game.chance_outcomes(state)


def play(
    game: Game[Any], state: State[Any], seed: int, turns: int
) -> Iterator[tuple[State[Any], Step, Transition[Any]]]:
    """Yield the steps of a random game with the states they are taken in, until it is over or ``turns`` are done."""
    generator = SplitMix64(seed)
    while turns and game.to_act(state) != OVER:
        steps = steps_of(game, state)
        step = steps[generator.below(len(steps))]
        transition = game.apply(state, step)
        yield state, step, transition
        state = transition.state
        turns -= not state.pending


def broken(position: Position, table: Any) -> list[str]:
    """Return what no table of a game can be: every invariant it breaks, and a text that is not read back."""
    game = position.game
    encoded = game.encode(table)
    faults = Faults()
    position.definition.check_state(encoded, position, faults)
    found = [str(fault) for fault in faults.found]
    if game.decode(encoded) != table:
        found.append("the canonical form is not read back")
    return found


def census(position: Position, table: Any) -> Mapping[str, int]:
    """Return how many of each card there are; no turn changes it."""
    return position.definition.census(position.game.encode(table), position)


def answered(game: Game[Any], state: State[Any], text: str) -> str:
    """Return the step a text stands for, or the message that refuses it."""
    try:
        return game.parse_step(state, text).text
    except (IllegalMoveError, NotationError) as error:
        return str(error)


def so_often(times: int) -> Callable[[], bool]:
    """Return what says yes so many times."""
    left = iter(range(times))
    return lambda: next(left, None) is not None
