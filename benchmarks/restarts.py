"""What a new day is worth under hidden decks: openings as they are dealt, new days open, four turns ahead.

``python -m benchmarks.restarts [--seeds N] [--ruleset NAME] [--target SPACE] [--turns N] [--time SECONDS]``. For each
seed the chance to be at a space is told from below, for the best move each: without a new day; with one on this turn;
and with one on this turn or the next (``solver/search/restarts.py``), with the seconds by the clock after which each
was known and the beliefs worked out. *playouts* is what tree search says of its best move after ``--playouts`` of them,
with its 95 % interval, and what the bounds say of that move; where none of them arrives it is chosen by distance.
"""

from __future__ import annotations

import argparse
from time import monotonic
from typing import Any

from puzzles.goal import Goal, Objective
from rules.core.position import Position, new_position
from rules.core.race import Race
from solver.comparing import compared
from solver.report import Limit
from solver.search.dealing import dealt
from solver.search.layers import Watch
from solver.search.restarts import restart_start


def row(position: Position, goal: Goal, time_s: float, playouts: int) -> str:
    """Return what is found for one opening."""
    game, start = position.start()
    assert isinstance(game, Race)
    moves = game.legal_moves(start)
    limit = Limit(time_s=time_s, threads=2)
    begun, watch = monotonic(), Watch(limit)
    first = restart_start(game, start.table, moves, goal, watch, None)
    if first is None:
        return "not carried"
    times: list[float] = []
    shown: list[str] = []
    for fact in first.stages([goal.within_turns or 0]):
        times.append(monotonic() - begun)
        shown.append(f"{float(fact):.4f}")
    told: dict[str, Any] = {move.text: value for move, value in first.moves(goal.within_turns or 0)}
    best = max(told, key=lambda text: (told[text] or 0, text), default="")
    seconds = " ".join(f"{each:5.1f}" for each in times)
    work = first.counters.generated
    shown += ["-"] * (3 - len(shown))
    line = f"{' '.join(f'{each:>7}' for each in shown)}  {seconds:17} s {work:10,}  {best}"
    if not playouts:
        return line
    report = compared(position, goal, None, Watch(Limit()), playouts=playouts)
    sampled = report.options[0]
    low, high = sampled.interval or (0.0, 0.0)
    known = told.get(sampled.move.text)
    proved = "-" if known is None else f"{float(known):.4f}"
    mean = "none arrives" if report.missed else f"{float(sampled.value or 0):.4f} ({low:.3f} to {high:.3f})"
    return f"{line}\n{'':8}playouts: {mean}, at least {proved}: {sampled.move.text}"


def main() -> None:
    """Print a row for each seed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--ruleset", default="iditacards/starter-race")
    parser.add_argument("--target", type=int, default=16)
    parser.add_argument("--turns", type=int, default=4)
    parser.add_argument("--time", type=float, default=30.0)
    parser.add_argument("--playouts", type=int, default=0)
    asked = parser.parse_args()
    dealt.load()
    goal = Goal(Objective.REACH, asked.target, asked.turns)
    print("seed    without   now or next turn   seconds after which each was known")
    for seed in range(1, asked.seeds + 1):
        position = new_position(asked.ruleset, seed=seed, open_sources=[])
        print(f"{seed:4}  {row(position, goal, asked.time, asked.playouts)}", flush=True)


if __name__ == "__main__":
    main()
