"""How long the first answer of ``best`` takes: every game, edition and number of players, opening and middle.

``python -m benchmarks.first_answer [--time SECONDS] [--middle TURNS] [--only WORD]``: for each ruleset and each number
of players that it allows, a position after the setup and one after some turns of seeded random play, with everything
known and with nothing known. Each is asked for the farthest in three turns with so much time; what is printed is how
long the answer took by the clock and by the processor. Machines are shared: compare the processor's seconds.
"""

from __future__ import annotations

import argparse
from statistics import median, quantiles
from time import monotonic, process_time

from puzzles.goal import Goal, Objective
from rules.core.chance import SplitMix64
from rules.core.errors import BestlineError
from rules.core.position import Position, new_position
from rules.core.race import Race
from rules.core.steps import CHANCE, OVER
from solver.best import best_moves
from solver.hidden import best_hidden
from solver.report import Limit

RULESETS = (
    "iditacards/2017",
    "iditacards/2019-02",
    "iditacards/2019-08",
    "trench_rescue/2012",
    "abyss/2021",
)


def positions(rulesets: list[str], middle: int) -> list[tuple[str, Position]]:
    """Return the positions with a name each."""
    found = []
    for ruleset in rulesets:
        for players in range(1, 5):
            for known in ("open", "hidden"):
                try:
                    position = new_position(
                        ruleset, players=players, seed=players, open_sources=None if known == "open" else []
                    )
                except BestlineError:
                    continue
                found.append((f"{ruleset} {players}p {known} opening", position))
                found.append((f"{ruleset} {players}p {known} middle", played_on(position, middle)))
    return found


def played_on(position: Position, turns: int) -> Position:
    """Return the position after so many turns of random play, or the last one before the end."""
    game, start = position.start()
    table, dice = start.table, SplitMix64(turns)
    for _ in range(turns):
        after = game.sample_turn(table, dice).table
        if game.is_over(after):
            break
        table = after
    return position.with_table(table)


def main() -> None:
    """Print one row for each position and one for all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--time", type=float, default=0.5, help="seconds for each answer")
    parser.add_argument("--middle", type=int, default=6)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    walls, cpus = [], []
    for name, position in positions([each for each in RULESETS if options.only in each], options.middle):
        game, start = position.start()
        if not isinstance(game, Race) or game.to_act(start) in (OVER, CHANCE):
            continue
        goal = Goal(Objective.MAX_DISTANCE, 0, options.turns, seat=max(0, game.to_act(start)))
        wall, cpu = monotonic(), process_time()
        try:
            if position.hidden or position.players > 1:
                found = best_hidden(position, goal, Limit(time_s=options.time))
                told = f"{found.method} {found.verdict}".strip()
            else:
                told = best_moves(position, goal, Limit(time_s=options.time)).report.status.value
        except BestlineError as error:
            told = f"refused: {error}"
        walls.append(monotonic() - wall)
        cpus.append(process_time() - cpu)
        print(f"{name:46} {walls[-1]:7.2f} s {cpus[-1]:7.2f} CPU s  {told[:60]}", flush=True)
    for name, times in (("seconds", walls), ("CPU seconds", cpus)):
        late = quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
        print(f"{name}: median {median(times):.2f}, 95 % {late:.2f}, max {max(times):.2f}, of {len(times)}")


if __name__ == "__main__":
    main()
