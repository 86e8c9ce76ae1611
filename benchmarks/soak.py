"""Random games without end, every invariant held after every turn: ``python -m benchmarks.soak --games N``.

Plays each edition with one to four players, open and hidden, every other game from the middle: a position of the
conformance vectors with its options; ``--each N`` plays N games of each edition and number of players from the start,
faster, every turn in one run. Stops when the number of games or the time is reached. What breaks is printed with the
position before the turn and its steps, ready to be replayed; the exit code is then 1.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import cycle, islice
from time import perf_counter
from typing import Any

from rules.core.position import Position, load_position
from rules.core.race import Race
from rules.core.registry import find_game
from rules.core.ruleset import load_ruleset
from rules.core.scripts import OVER, Forced, SplitMix64, Step
from rules.core.turns import Game, State
from tests.rules.games import EDITIONS, VECTORS, Setup, broken, census, steps_of, vector_position

MOST_TURNS = 200
"""Turns after which a game that does not end is left, where nothing else is said."""
READ_BACK = 20
"""Every so many turns the whole position is printed, read and compared."""


def every_setup() -> list[Setup]:
    """Return each edition with each number of players, open and hidden."""
    found = []
    for edition in EDITIONS:
        ruleset = load_ruleset(edition)
        least, most, _ = find_game(ruleset.game).players_allowed(ruleset)
        found += [Setup(edition, n, is_open) for n in range(least, most + 1) for is_open in (True, False)]
    return found


class Player:
    """Chooses at random, and among moves often the one that leads further, so that games end."""

    def __init__(self, seed: int) -> None:
        self.generator = SplitMix64(seed)

    def choose(self, game: Game[Any], state: State[Any], steps: Sequence[Step]) -> Step:
        """Return one of ``steps``."""
        actor = game.to_act(state)
        step = steps[self.generator.below(len(steps))]
        if actor < 0 or not isinstance(game, Race) or self.generator.below(2):
            return step
        other = steps[self.generator.below(len(steps))]
        return max(step, other, key=lambda tried: game.progress(game.apply(state, tried).state.table, actor))


def turns(position: Position, seed: int, most: int = MOST_TURNS) -> Iterator[tuple[State[Any], list[str], list[str]]]:
    """Yield each turn of one game: the state before it, its steps, and what it broke."""
    game, state = position.start()
    player = Player(seed)
    cards = census(position, state.table)
    for number in range(1, most + 1):
        if game.to_act(state) == OVER:
            return
        before, taken = state, list[str]()
        while state is before or state.pending:
            step = player.choose(game, state, steps_of(game, state))
            taken.append(step.text)
            transition = game.apply(state, step)
            for event in transition.events:
                game.sentence(event)
            state = transition.state
        found = broken(position, state.table)
        if census(position, state.table) != cards:
            found.append("cards are lost or made")
        if number % READ_BACK == 0 and load_position(position.with_table(state.table).text()).table() != state.table:
            found.append("the position is not read back")
        yield before, taken, found


def sampled_turns(
    position: Position, seed: int, most: int = MOST_TURNS
) -> Iterator[tuple[State[Any], list[str], list[str]]]:
    """Yield each turn of one game as ``turns`` does, with every question of a turn answered in one run at random."""
    game, state = position.start()
    generator = SplitMix64(seed)
    cards = census(position, state.table)
    table = state.table
    for _ in range(most):
        if game.is_over(table):
            return
        end = game.sample_turn(table, generator)
        found = broken(position, end.table)
        if census(position, end.table) != cards:
            found.append("cards are lost or made")
        steps = [step.text for step in end.steps if not isinstance(step, Forced)] if found else []
        yield State(table), steps, found
        table = end.table


def each_setup(games: int, game: str, seed: int) -> Iterator[tuple[str, Position]]:
    """Yield so many beginnings of every edition of a game with every number of players, half of them open."""
    for setup in every_setup():
        if setup.ruleset.startswith(f"{game}/"):
            for number in range(games // 2):
                yield str(setup), setup.position(seed + number)


def beginnings(seed: int) -> Iterator[tuple[str, Position]]:
    """Yield positions to begin at, with a name for the kind of game, for ever."""
    middles = cycle(sorted(VECTORS, key=lambda name: name[::-1]))  # by their last digits, so that editions alternate
    for number, setup in enumerate(cycle(every_setup())):
        yield str(setup), setup.position(seed + number)
        position = vector_position(next(middles))
        yield f"{position.ruleset.id} from the middle", position


def in_time(starts: Iterable[tuple[str, Position]], seconds: float) -> Iterator[tuple[int, str, Position]]:
    """Yield the positions with their kinds, numbered from 0, until the time is over."""
    start = perf_counter()
    for number, (kind, position) in enumerate(starts):
        if perf_counter() - start > seconds:
            return
        yield number, kind, position


Played = Callable[[Position, int, int], Iterator[tuple[State[Any], list[str], list[str]]]]


def soak(
    starts: Iterable[tuple[str, Position]], seconds: float, seed: int, most: int = MOST_TURNS, play: Played = turns
) -> int:
    """Play, print what broke and a table of what was played, and return the number of broken turns."""
    played, taken, faults = Counter[str](), Counter[str](), 0
    start = perf_counter()
    for number, kind, position in in_time(starts, seconds):
        played[kind] += 1
        try:
            for before, steps, found in play(position, seed + number, most):
                taken[kind] += 1
                faults += bool(found)
                for fault in found:
                    print(f"{kind}: {fault}\n  {position.after(before).text()}\n  {'; '.join(steps)}", flush=True)
        except Exception as error:  # whatever it is, it is what a soak looks for, and the other games go on
            faults += 1
            print(f"{kind}: game {number}: {type(error).__name__}: {error}\n  {position.text()}", flush=True)
    print(f"{'game':<36}{'games':>8}{'turns':>10}")
    for name in sorted(played):
        print(f"{name:<36}{played[name]:>8,}{taken[name]:>10,}")
    print(f"{'all':<36}{played.total():>8,}{taken.total():>10,}   {faults} broken, {perf_counter() - start:,.0f} s")
    return faults


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, soak, and return the exit code."""
    parser = argparse.ArgumentParser(prog="benchmarks.soak", description="Random games with every invariant held.")
    parser.add_argument("--games", type=int, default=240, help="games in all (default 240)")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after this time")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first game (default 1)")
    parser.add_argument("--turns", type=int, default=MOST_TURNS, help=f"turns of a game at most (default {MOST_TURNS})")
    parser.add_argument("--each", type=int, help="so many games of each edition and player count, whole turns sampled")
    parser.add_argument("--game", default="iditacards", help="the game of --each (default iditacards)")
    given = parser.parse_args(arguments)
    if given.each is not None:
        starts = each_setup(given.each, given.game, given.seed)
        return int(soak(starts, given.seconds, given.seed, given.turns, sampled_turns) > 0)
    return int(soak(islice(beginnings(given.seed), given.games), given.seconds, given.seed, given.turns) > 0)


if __name__ == "__main__":
    sys.exit(main())
