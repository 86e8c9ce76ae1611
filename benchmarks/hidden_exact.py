"""Exact values of days with a hidden deck: what is reached within a time, at how many beliefs, turn by turn.

``python -m benchmarks.hidden_exact [--time SECONDS] [--seeds N] [--ruleset NAME]``. Two questions for each seed, no new
day: the *opening* of the starter deck, hand dealt and all other cards hidden, looked 1, 2, … turns ahead for the
chance to be at a space and for the greatest expected distance; and a *middle* of a day, 14 cards hidden and 4 in hand,
for the chance to be at a space before the day ends, all of its turns asked for at once. The openings are asked for more
and more turns until the time is used up; the row shows the last number of turns that was answered exactly, its value,
and the seconds that all of them took. A *race* is looked into in the same way, where the edition has cards to gain: the
whole starter deck and some of those, 25 of them hidden, in the middle of the track. Where something stands against it,
the row says what, and tells the chance of the smaller game that is played plainly (``Race.belief_floor``): *at least*,
or exact where it is certain. A second row tells what is found in fewer turns, *at least*, and the chance of the larger
game (``Race.belief_ceiling``), *at most*. No more turns are asked for once a chance is certain. ``unpacked`` tells that
beliefs had no form for a compiler. A distance is *none* where nobody can be sure to play on for all turns: once that is
so for some, it is for more. ``--threads 2`` has two threads at work, and tells the processor time of the first,
which the answer waits for, beside that of both. ``--compile`` has the compiler run before the first question, as it
does once for each version; otherwise it starts beside the first one.

*Real* are tables of hidden races as a greedy player plays them (``hidden_real``), one race a seed: with up to 14 cards
hidden for the rest of the day, else four turns ahead. Where beliefs do not carry one, the rules themselves are asked
(``Expectimax``) for as long, and then the smaller game. ``--processor`` counts seconds of the processor for the time
that is allowed, on a machine that does other work too.
"""

from __future__ import annotations

import argparse
import random
from time import monotonic, process_time, thread_time
from typing import Any, Final

from benchmarks.hidden_real import goals, questions
from puzzles.goal import Goal, Objective
from rules.core.position import new_position
from rules.core.turns import State
from rules.core.ventures import OutOfReach
from rules.iditacards.belief.scope import missing
from rules.iditacards.engine import Iditacards
from solver.report import Limit
from solver.search.beliefs import BeliefSearch
from solver.search.ceilings import chance_above
from solver.search.dealing import dealt
from solver.search.expectimax import Expectimax
from solver.search.floor_start import few_start
from solver.search.layers import LimitHit, Watch

DAY = frozenset({"new_day"})
AHEAD = 4
"""Turns looked ahead one by one."""
HIDDEN, HELD = 14, 4
"""Cards in deck and hand in the middle of a day."""
DEEP: Final = 25
"""Cards in a deck that is looked four turns into."""
HAND: Final = 6
"""Cards in hand with it,"""
START: Final = 30
"""and the space where a race is looked into."""


def ahead(game: Iditacards, table: Any, goal: Goal, limit: Limit, most: int, *, by_rules: bool = False) -> str:
    """Return one row: the turns answered, the value, the time and the work.

    With ``by_rules`` the rules are asked before the smaller game.
    """
    target = None if goal.objective is Objective.MAX_DISTANCE else goal.target
    form = game.belief_turns(table, 0, goal.forbidden, target, most)
    lacking = ", ".join(missing(game.rulings, table, 0, goal.forbidden, most)) or "a leg or checkpoint within reach"
    if form is not None:
        try:
            return answered(form, table, goal, limit, most)
        except OutOfReach:
            lacking = "a turn that can go too many ways"
    if by_rules:
        wall, cpu = monotonic(), process_time()
        search = Expectimax(game, goal, Watch(limit))
        try:
            value = search.value(table, most)
        except LimitHit:
            lacking += "; the rules take longer"
        else:
            told = "none" if value is None else f"{float(value):.6f}  (by the rules, without: {lacking})"
            times = f"{monotonic() - wall:7.2f} s {process_time() - cpu:7.2f} CPU s"
            return f"{most:2} of {most:2} turns {times} {search.counters.expanded:9,} tables   {told}"
    floor = None if target is None else game.belief_floor(table, 0, goal.forbidden, target, most)
    if floor is None:
        return f"not carried: {lacking}"
    try:
        told = answered(floor, table, goal, limit, most, without=lacking)
    except OutOfReach:
        return f"not carried, nor plainly: {lacking}"
    return told if "certain without" in told else f"{told}\n{'':10}{both_sides(game, table, goal, limit)}"


def both_sides(game: Iditacards, table: Any, goal: Goal, limit: Limit) -> str:
    """Return what a chance that is not carried is at least, by fewer turns, and at most, with the time of each."""
    before = process_time()
    few = few_start(game, table, [], goal, Watch(limit), None)
    if few is not None:
        few.look(range(1, few.turns + 1))
    between = process_time()
    above = chance_above(game, State(table), goal, Watch(limit), None)
    least = "nothing" if few is None else f"{float(few.value_found):.6f} in {few.ahead} turns"
    times = f"{between - before:.2f} and {process_time() - between:.2f} CPU s"
    return f"at least {least}, at most {float(above):.6f}: {times}"


def answered(form: Any, table: Any, goal: Goal, limit: Limit, most: int, without: str = "") -> str:
    """Return the same for beliefs; ``without`` is what they leave out.

    Raises:
        OutOfReach: they do not carry a turn.
    """
    wall, cpu, main = monotonic(), process_time(), thread_time()
    search = BeliefSearch(form, goal, Watch(limit))
    done, told, value, spent = 0, "", None, (0.0, 0.0, 0.0)
    certain = False
    try:
        for turns in range(1, most + 1) if most <= AHEAD else (most,):
            value = search.value(form.project(table, turns), turns)
            certain = value == 1 and goal.objective is Objective.REACH
            ended = value is None and goal.objective is Objective.MAX_DISTANCE
            done, told = most if certain or ended else turns, "none" if value is None else f"{float(value):.6f}"
            spent = (monotonic() - wall, process_time() - cpu, thread_time() - main)
            if certain or ended:
                break
    except LimitHit:
        told += f"  (time is up at {turns})"
    except OutOfReach:
        if not (without and done):
            raise
        told += f"  (too many ways at {turns})"
    told += "" if search.is_packed or not done else "  (unpacked)"
    if without:
        told += f"  ({'certain' if certain else 'at least'} without: {without})"
    counters = search.counters
    times = f"{spent[0]:7.2f} s {spent[1]:7.2f} CPU s"
    if limit.threads > 1:
        times += f" ({spent[2]:.2f} in the main thread)"
    return f"{done:2} of {most:2} turns {times} {counters.expanded:9,} beliefs  {told}"


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
    parser.add_argument("--threads", type=int, default=1, help="threads for each question")
    parser.add_argument("--compile", action="store_true", help="compile before the first question")
    parser.add_argument("--only", default="", help="the rows whose names begin with this")
    parser.add_argument("--processor", action="store_true", help="count seconds of the processor")
    options = parser.parse_args()
    if options.compile:
        dealt.load()
    limit = Limit(options.time, clock=process_time if options.processor else monotonic, threads=options.threads)
    if options.only != "real":
        made(options, limit)
    if "real".startswith(options.only):
        real(options, limit)


def real(options: argparse.Namespace, limit: Limit) -> None:
    """Print the rows of races as they are played."""
    for seed in range(1, options.seeds + 1):
        for game, asked in questions(options.ruleset, seed):
            player = asked.table.players[0]
            where = f"at {player.pos:3}, {len(player.hand):2} in hand, {len(player.deck):2} hidden"
            for name, goal in goals(asked):
                row = ahead(game, asked.table, goal, limit, asked.turns, by_rules=True)
                print(f"{seed:2} real, turn {asked.turn:2} {where}, {name} {row}", flush=True)


def made(options: argparse.Namespace, limit: Limit) -> None:
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
