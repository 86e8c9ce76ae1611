"""Exact values with a hidden deck: what is reached within a time, turn by turn.

``python -m benchmarks.hidden_exact [--time SECONDS] [--seeds N] [--ruleset NAME]``. Several questions for each seed, no
new day: the *opening* of the starter deck, hand dealt and all other cards hidden, for the chance to be at a space and
for the greatest expected distance; a *middle* of a day, 14 cards hidden and 4 in hand, for the chance to be at a space
before the day ends; and a *race*, where the edition has cards to gain: the whole starter deck and some of those, 25 of
them hidden, in the middle of the track. *Real* are tables of hidden races as a greedy player plays them
(``hidden_real``), one race a seed: with up to 14 cards hidden for the rest of the day, else four turns ahead.

More and more turns are asked for until the time is used up; the row shows the last number of turns that was answered
exactly, its value, and the seconds that all of them took. ``--processor`` counts seconds of the processor.
"""

from __future__ import annotations

import argparse
import random
from time import monotonic, process_time
from typing import Any, Final

from benchmarks.hidden_real import goals, questions
from puzzles.puzzle import Goal, Objective
from rules.core.position import new_position
from rules.core.race import Unsupported
from rules.core.turns import State
from rules.iditacards.engine import Iditacards
from solver.engines.hidden import first_turn
from solver.search.budget import Budget, BudgetExceeded

DAY = frozenset({"new_day"})
HIDDEN, HELD = 14, 4
"""Cards in deck and hand in the middle of a day."""
DEEP: Final = 25
"""Cards in a deck that is looked four turns into."""
HAND: Final = 6
"""Cards in hand with it,"""
START: Final = 30
"""and the space where a race is looked into."""


def ahead(game: Iditacards, table: Any, goal: Goal, limit: Budget, most: int) -> str:
    """Return one row: the turns answered, the value, the time and the work."""
    wall, cpu = monotonic(), process_time()
    first = first_turn(game, State(table), goal, limit.start())
    done, told, spent = 0, "", (0.0, 0.0)
    try:
        for turns in range(1, most + 1):
            value = first.value(turns)
            certain = value == 1 and goal.objective is Objective.REACH
            done, told = most if certain else turns, "none" if value is None else f"{float(value):.6f}"
            spent = (monotonic() - wall, process_time() - cpu)
            if certain:
                break
    except BudgetExceeded:
        told += f"  (time is up at {turns})"
    except Unsupported:
        told += f"  (not carried at {turns})"
    work = f"{first.counters.generated:11,} positions, {first.engine}"
    return f"{done:2} of {most:2} turns {spent[0]:7.2f} s {spent[1]:7.2f} CPU s {work}  {told}"


def deep(position_table: Any, seed: int) -> Any:
    """Return a table with all of a starter hand and 25 cards hidden: six of the starter cards are there twice."""
    player = position_table.players[0]
    again = random.Random(seed).sample([*player.hand, *player.deck], DEEP - len(player.deck))
    player = player._replace(deck=tuple(sorted((*player.deck, *again))))
    return position_table._replace(players=(player,))


def race(position_table: Any, seed: int) -> Any:
    """Return a table at space 30 with as many gained cards that 25 are hidden and 6 are in hand."""
    dice = random.Random(seed)
    player = position_table.players[0]
    gained = sorted({card for deck in position_table.upgrade for card in deck})
    cards = [*player.hand, *player.deck]
    cards += dice.sample(gained, HAND + DEEP - len(cards))
    dice.shuffle(cards)
    player = player._replace(pos=START, hand=tuple(sorted(cards[:HAND])), deck=tuple(sorted(cards[HAND:])))
    return position_table._replace(players=(player,))


def middle(position_table: Any, seed: int) -> Any:
    """Return a table with 14 cards hidden and 4 in hand, the others discarded."""
    player = position_table.players[0]
    cards = [*player.hand, *player.deck]
    random.Random(seed).shuffle(cards)
    hand, deck, rest = cards[:HELD], cards[HELD : HELD + HIDDEN], cards[HELD + HIDDEN :]
    player = player._replace(hand=tuple(sorted(hand)), deck=tuple(sorted(deck)), discard=tuple(sorted(rest)))
    return position_table._replace(players=(player,))


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--time", type=float, default=10.0, help="seconds for each question")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--ruleset", default="iditacards/starter-race")
    parser.add_argument("--only", default="", help="the rows whose names begin with this")
    parser.add_argument("--processor", action="store_true", help="count seconds of the processor")
    options = parser.parse_args()
    limit = Budget(options.time, clock=process_time if options.processor else monotonic)
    if options.only != "real":
        made(options, limit)
    if "real".startswith(options.only):
        real(options, limit)


def real(options: argparse.Namespace, limit: Budget) -> None:
    """Print the rows of races as they are played."""
    for seed in range(1, options.seeds + 1):
        for game, asked in questions(options.ruleset, seed):
            player = asked.table.players[0]
            where = f"at {player.pos:3}, {len(player.hand):2} in hand, {len(player.deck):2} hidden"
            for name, goal in goals(asked):
                row = ahead(game, asked.table, goal, limit, asked.turns)
                print(f"{seed:2} real, turn {asked.turn:2} {where}, {name} {row}", flush=True)


def made(options: argparse.Namespace, limit: Budget) -> None:
    """Print the rows of tables made for the question."""
    for seed in range(1, options.seeds + 1):
        position = new_position(options.ruleset, seed=seed, open_sources=[])
        game, start = position.start()
        assert isinstance(game, Iditacards)
        table = start.table
        day = 2 * (HIDDEN + HELD)
        rows = [
            ("opening, chance of 16", Goal(Objective.REACH, 16, 4, DAY), table, 4),
            ("opening, distance", Goal(Objective.MAX_DISTANCE, 0, 4, DAY), table, 4),
            ("deep, chance of 16", Goal(Objective.REACH, 16, 4, DAY), deep(table, seed), 4),
            ("middle, chance of 24", Goal(Objective.REACH, 24, day, DAY), middle(table, seed), day),
        ]
        if any(table.upgrade):
            rows.append(("race, chance of 16 on", Goal(Objective.REACH, START + 16, 4, DAY), race(table, seed), 4))
        for name, goal, where, most in rows:
            if name.startswith(options.only):
                print(f"{seed:2} {name:22} {ahead(game, where, goal, limit, most)}", flush=True)


if __name__ == "__main__":
    main()
