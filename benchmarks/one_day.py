"""One-day challenges of the starter deck: how long their proofs take.

``python -m benchmarks.one_day [--seeds N] [--time SECONDS]``: minimum turns to 20 and to 40 spaces, and the greatest
distance in 6 turns, on the starting positions of seeds 0 … N - 1 under the real rules, known order, no new day. Times
are of the clock and of the processor, from the position to the replayed line.
"""

from __future__ import annotations

import argparse
import resource
from statistics import median, quantiles
from time import perf_counter, process_time

from puzzles.goal import Goal, Objective
from rules.core.position import new_position
from solver import compiled_form
from solver.engines.open_question import solve
from solver.question import Status
from solver.search.budget import Budget

RULESET = "iditacards/2019-02"
NO_NEW_DAY = frozenset({"new_day"})
GOALS = {
    "turns to 20": Goal(Objective.MIN_TURNS, 20, forbidden=NO_NEW_DAY),
    "turns to 40": Goal(Objective.MIN_TURNS, 40, forbidden=NO_NEW_DAY),
    "far in 6": Goal(Objective.MAX_DISTANCE, 0, 6, forbidden=NO_NEW_DAY),
}


def main() -> None:
    """Print one row for each kind of challenge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--time", type=float, default=60.0, help="seconds for each challenge")
    options = parser.parse_args()
    print(f"encoding: {compiled_form.build_state()}")
    print(
        f"{'challenge':12} {'proved':>7} {'median s':>9} {'95 % s':>8} {'max s':>8} {'median cpu':>11} {'95 % cpu':>9}"
    )
    for name, goal in GOALS.items():
        times, cpu, proved = [], [], 0
        for seed in range(options.seeds):
            position = new_position(RULESET, seed=seed)
            clock, processor = perf_counter(), process_time()
            report = solve(position, goal, Budget(time_s=options.time))
            times.append(perf_counter() - clock)
            cpu.append(process_time() - processor)
            proved += report.status in (Status.OPTIMAL, Status.INFEASIBLE)
        print(
            f"{name:12} {f'{proved}/{len(times)}':>7} {median(times):9.3f} {_late(times):8.2f} {max(times):8.2f}"
            f" {median(cpu):11.3f} {_late(cpu):9.2f}",
            flush=True,
        )
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


def _late(times: list[float]) -> float:
    return quantiles(times, n=20)[-1] if len(times) > 1 else times[0]


if __name__ == "__main__":
    main()
