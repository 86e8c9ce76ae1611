"""One-day challenges of the starter deck: how long proofs take, how many positions they generate, how much memory.

``python -m benchmarks.one_day [--seeds N] [--time SECONDS]``: minimum turns to 20 and to 40 spaces, and the greatest
distance in 6 turns, on the starting positions of seeds 0 … N - 1 under the real rules, known order, no new day.
"""

from __future__ import annotations

import argparse
import resource
from statistics import median, quantiles

from puzzles.goal import Goal, Objective
from rules.core.position import new_position
from solver.report import Limit, Status
from solver.solve import solve

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
    parser.add_argument("--seeds", type=int, default=60)
    parser.add_argument("--time", type=float, default=60.0, help="seconds for each challenge")
    options = parser.parse_args()
    print(f"{'challenge':12} {'proved':>8} {'median s':>9} {'95 % s':>8} {'max s':>8} {'generated/s':>12}")
    for name, goal in GOALS.items():
        limit = Limit(time_s=options.time)
        reports = [solve(new_position(RULESET, seed=seed), goal, limit) for seed in range(options.seeds)]
        times = [report.statistics.time_s for report in reports]
        proved = sum(report.status in (Status.OPTIMAL, Status.INFEASIBLE) for report in reports)
        rate = sum(report.statistics.generated for report in reports) / sum(times)
        late = quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
        share = f"{proved}/{len(reports)}"
        print(f"{name:12} {share:>8} {median(times):9.2f} {late:8.2f} {max(times):8.2f} {rate:12,.0f}", flush=True)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


if __name__ == "__main__":
    main()
