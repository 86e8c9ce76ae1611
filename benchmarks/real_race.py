"""Whole races by the rules that are switched on: how far each is proved, from the bare track to the whole game.

``python -m benchmarks.real_race [--rulesets ID ...] [--seeds N] [--time SECONDS]``: minimum turns on the starting
positions of seeds 0 … N - 1, one player, all chance open. By default the rulesets are the whole game and what leads to
it: ``starter-race`` (the starter cards on bare spaces), the same with weather, over legs, and over both. A row shows
the line found and the bound, or the fewest turns where they are proved, and seconds of the clock and of the processor.
Each race runs in a process of its own, for its memory.
"""

from __future__ import annotations

import argparse
import resource
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from time import monotonic, process_time

from puzzles.puzzle import Goal, Objective
from rules.core.position import new_position
from solver import compiled_form
from solver.engines.answers import solve
from solver.question import Status
from solver.search.budget import Budget

RULESETS = (
    "iditacards/starter-race",
    "iditacards/starter-weather",
    "iditacards/starter-legs",
    "iditacards/starter-trail",
    "iditacards/2019-02",
)
FINISH = 161


def race(ruleset: str, seed: int, time_s: float) -> tuple[str, bool]:
    """Return a row about one race after so many seconds, and whether it is proved."""
    first: list[float] = []
    begun, spent = monotonic(), process_time()

    def tell(value: int | None, *_: int | None) -> None:
        if value is not None and not first:
            first.append(monotonic() - begun)

    report = solve(new_position(ruleset, seed=seed), Goal(Objective.MIN_TURNS, FINISH), Budget(time_s=time_s), tell)
    proved = report.status is Status.OPTIMAL
    turns = str(report.value) if proved else f"{report.bound}..{report.value or ''}"
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return (
        f"{ruleset:28} {seed:4} {turns:>7} {f'{first[0]:.1f}' if first else '-':>6} {monotonic() - begun:7.1f}"
        f" {process_time() - spent:7.1f} {report.statistics.generated:13,} {memory:6,.0f}"
    ), proved


def main(arguments: Sequence[str] | None = None) -> None:
    """Print one row for each race, and one for each ruleset."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rulesets", nargs="+", default=list(RULESETS))
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--time", type=float, default=60.0, help="seconds for each race")
    options = parser.parse_args(arguments)
    print(f"encoding: {compiled_form.build_state()}")
    head = f"{'ruleset':28} {'seed':>4} {'turns':>7} {'first':>6} {'s':>7} {'CPU s':>7} {'generated':>13} {'MB':>6}"
    print(head, flush=True)
    for ruleset in options.rulesets:
        proofs = 0
        with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as pool:
            for row, proved in pool.map(
                race, *zip(*[(ruleset, seed, options.time) for seed in range(options.seeds)], strict=True)
            ):
                print(row, flush=True)
                proofs += proved
        print(f"{ruleset}: proved {proofs}/{options.seeds}", flush=True)


if __name__ == "__main__":
    main()
