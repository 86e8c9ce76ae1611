"""One-day challenges of the starter deck: how long proofs take, in plain Python and compiled, side by side.

``python -m benchmarks.one_day [--seeds N] [--time SECONDS]``: minimum turns to 20 and to 40 spaces, and the greatest
distance in 6 turns, on the starting positions of seeds 0 … N - 1 under the real rules, known order, no new day. Each
challenge is asked in plain Python and then, where numba is installed, with compiled functions that were loaded before
(how long that took is the first line). Both must give the same value where both prove one. Times are of the clock and
of the processor, from the position to the replayed line.
"""

from __future__ import annotations

import argparse
import resource
from itertools import compress
from statistics import median, quantiles
from time import perf_counter, process_time
from typing import Any
from unittest import mock

from solver.search.asking import compiled as asking_compiled
from solver.search.asking import search as asking_search

from puzzles.goal import Goal, Objective
from rules.core.position import new_position
from rules.iditacards.compact import shared as compact_shared
from solver.forms import search_problem
from solver.report import Limit, Report, Status
from solver.search.compiled import is_installed
from solver.solve import searchable, solve

RULESET = "iditacards/2019-02"
NO_NEW_DAY = frozenset({"new_day"})
GOALS = {
    "turns to 20": Goal(Objective.MIN_TURNS, 20, forbidden=NO_NEW_DAY),
    "turns to 40": Goal(Objective.MIN_TURNS, 40, forbidden=NO_NEW_DAY),
    "far in 6": Goal(Objective.MAX_DISTANCE, 0, 6, forbidden=NO_NEW_DAY),
}
PROVED = (Status.OPTIMAL, Status.INFEASIBLE)


def main() -> None:
    """Print one row for each kind of challenge and each way to search."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=60)
    parser.add_argument("--time", type=float, default=60.0, help="seconds for each challenge")
    parser.add_argument("--forget", action="store_true", help="begin each challenge without what others have left")
    parser.add_argument("--only", choices=("plain", "compiled"), help="ask in one way")
    options = parser.parse_args()
    ways = ["plain"] if options.only != "compiled" else []
    # Nothing is compiled while plain Python is measured.
    mock.patch.object(asking_search, "PATIENCE", 1 << 60).start()
    if options.only != "plain" and is_installed():
        ways.append("compiled")
    print(f"{'challenge':12} {'way':9} {'proved':>7} {'median s':>9} {'95 % s':>8} {'max s':>8}", end=" ")
    print(f"{'median cpu':>11} {'95 % cpu':>9} {'generated/s':>12}", flush=True)
    values: dict[tuple[str, int], int | None] = {}
    for way in ways:
        if way == "compiled":
            _warm()
        for name, goal in GOALS.items():
            reports: list[Report] = []
            times: list[float] = []
            cpu: list[float] = []
            for seed in range(options.seeds):
                position = new_position(RULESET, seed=seed)
                position.start()
                if options.forget:
                    compact_shared.forget()
                clock, processor = perf_counter(), process_time()
                report = solve(position, goal, Limit(time_s=options.time))
                times.append(perf_counter() - clock)
                cpu.append(process_time() - processor)
                reports.append(report)
                if report.status in PROVED and values.setdefault((name, seed), report.value) != report.value:
                    raise SystemExit(f"{name}, seed {seed}: {report.value}, not {values[name, seed]}")
            proved = [report.status in PROVED for report in reports]
            rate = sum(report.statistics.generated for report in reports) / sum(cpu)
            share = f"{sum(proved)}/{len(reports)}"
            print(f"{name:12} {way:9} {share:>7} {median(times):9.3f} {_late(times):8.2f} {max(times):8.2f}", end=" ")
            print(f"{median(cpu):11.3f} {_late(cpu):9.2f} {rate:12,.0f}", flush=True)
            unproved = list(compress(range(options.seeds), [not each for each in proved]))
            if unproved:
                print(f"{'':12} not proved in time: seeds {', '.join(map(str, unproved))}", flush=True)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


def _late(times: list[float]) -> float:
    return quantiles(times, n=20)[-1] if len(times) > 1 else times[0]


def _warm() -> None:
    """Load compiled functions, from the cache or by compiling them."""
    position = new_position(RULESET, seed=0)
    day: Any = search_problem(searchable(position), position.start()[1], GOALS["turns to 20"])
    form = day.form()
    clock = perf_counter()
    asking_compiled.warm(form.kernel, form.tables, (*form.columns, *form.stores))
    print(f"compiled or loaded in {perf_counter() - clock:.1f} s", flush=True)


if __name__ == "__main__":
    main()
