"""How fast the rules are: ``python -m benchmarks.rules_core``.

One table, a line for each edition and number of players, open and hidden chance side by side. ``ends`` are ways
through a whole turn, each a new table; ``steps`` are single moves and chance outcomes applied with their events told.
Positions come from random games, the same on every machine.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from itertools import islice
from time import perf_counter
from typing import Any

from rules.core.turns import Game, State
from tests.rules.games import EDITIONS, Setup, play

PLAYERS = (1, 2, 4)
TURNS = 30
"""Turns of the random game that the positions come from, for each player."""
MOST_ENDS = 3000
"""Ends of one turn after which the next turn is taken: a hidden hand of six has too many."""


def boundaries(game: Game[Any], start: State[Any], turns: int) -> list[State[Any]]:
    """Return the states between the turns of a random game."""
    return [state for state, _, _ in play(game, start, seed=1, turns=turns) if not state.pending]


def ends_a_second(game: Game[Any], states: Iterable[State[Any]], seconds: float) -> float:
    """Return the ends of turns found in a second."""
    count, start = 0, perf_counter()
    for state in states:
        count += sum(1 for _ in islice(game.turn_ends(state.table), MOST_ENDS))
        if perf_counter() - start > seconds:
            break
    return count / (perf_counter() - start)


def steps_a_second(game: Game[Any], start: State[Any], seconds: float) -> float:
    """Return the steps of random games applied in a second, finding out what is open included."""
    count, begin, seed = 0, perf_counter(), 0
    while perf_counter() - begin < seconds:
        seed += 1
        count += sum(1 for _ in play(game, start, seed, turns=10))
    return count / (perf_counter() - begin)


def measured(edition: str, players: int, is_open: bool, seconds: float) -> tuple[float, float]:
    """Return ends and steps a second of one kind of game."""
    game, start = Setup(edition, players, is_open).position(seed=1).start()
    states = boundaries(game, start, TURNS * players)
    return ends_a_second(game, states, seconds), steps_a_second(game, start, seconds)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks.rules_core", description="Speed of the rules by edition.")
    parser.add_argument("--seconds", type=float, default=1.0, help="time for each number (default 1)")
    seconds = parser.parse_args(arguments).seconds
    print(f"{'':24}{'open':>22}{'hidden':>24}")
    print(f"{'ruleset':<18}{'players':>8}{'ends/s':>12}{'steps/s':>12}{'ends/s':>12}{'steps/s':>12}")
    for edition in EDITIONS:
        for players in PLAYERS:
            numbers = [rate for is_open in (True, False) for rate in measured(edition, players, is_open, seconds)]
            print(f"{edition:<18}{players:>8}{''.join(f'{number:>12,.0f}' for number in numbers)}", flush=True)


if __name__ == "__main__":
    main()
