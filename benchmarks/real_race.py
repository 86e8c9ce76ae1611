"""Whole races by the rules that are switched on: how far each is proved, from the bare track to the whole game.

``python -m benchmarks.real_race [--rulesets ID ...] [--seeds N] [--time SECONDS] [--compiled]``: minimum turns on the
starting positions of seeds 0 … N - 1, one player, all chance open. By default the rulesets are the whole game and what
leads to it: ``starter-race`` (the starter cards on bare spaces), the same with weather, over legs, and over both. A row
shows the line found, the bound, and the gap between them; CPU seconds stand beside seconds, since machines are shared.
``--cpu`` gives each so many seconds of the processor, for machines that others use. ``--compiled`` waits for the
compiler first, as on a second run. Each race runs in a process of its own, for its memory.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from contextlib import suppress
from statistics import median
from time import monotonic, process_time
from typing import Any, cast

RULESETS = (
    "iditacards/starter-race",
    "iditacards/starter-weather",
    "iditacards/starter-legs",
    "iditacards/starter-trail",
    "iditacards/2019-02",
)
HEAD = f"{'ruleset':28} {'seed':>4} {'turns':>7} {'gap':>4} {'first':>6} {'s':>6} {'CPU s':>6} {'states':>12} {'MB':>6}"


def main() -> None:
    """Print one row for each race, and one for each ruleset."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rulesets", nargs="+", default=list(RULESETS))
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--time", type=float, default=600.0, help="seconds for each race")
    parser.add_argument("--compiled", action="store_true")
    parser.add_argument("--cpu", action="store_true", help="--time counts seconds of the processor")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(
            json.dumps(
                race(options.rulesets[0], options.first, options.time, compiled=options.compiled, cpu=options.cpu)
            )
        )
        return
    print(HEAD)
    for ruleset in options.rulesets:
        rows = []
        for seed in range(options.first, options.first + options.seeds):
            command = [sys.executable, "-m", "benchmarks.real_race", "--one", "--rulesets", ruleset]
            command += ["--first", str(seed), "--time", str(options.time), *(["--compiled"] * options.compiled)]
            command += ["--cpu"] * options.cpu
            row = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            rows.append(row)
            turns = str(row["value"]) if row["gap"] == 0 else f"{row['bound']}..{row['value'] or ''}"
            print(
                f"{ruleset:28} {seed:4} {turns:>7} {row['gap']!s:>4} {row['first']:6.1f} {row['wall']:6.1f}"
                f" {row['cpu']:6.1f} {row['states']:12,} {row['memory']:6,.0f}",
                flush=True,
            )
        gaps = [row["gap"] for row in rows if row["gap"] is not None]
        print(
            f"{ruleset}: proved {gaps.count(0)}/{len(rows)}, greatest gap {max(gaps, default='none')},"
            f" CPU s median {median(row['cpu'] for row in rows):.1f}",
            flush=True,
        )


def race(ruleset: str, seed: int, time_s: float, *, compiled: bool, cpu: bool) -> dict[str, Any]:
    """Return what is known of one race after so many seconds."""
    import resource

    from solver.search.packed_problem import PackedProblem
    from solver.search.packed_search import PackedSearch

    from puzzles.goal import Goal, Objective
    from rules.core.position import new_position
    from rules.core.race import Race
    from solver.question import Question
    from solver.report import Limit, Progress, Status
    from solver.search.layers import LimitHit

    position = new_position(ruleset, seed=seed)
    wall, spent = monotonic(), process_time()
    first: list[float] = []

    def told(progress: Progress) -> None:
        if progress.value is not None and not first:
            first.append(process_time() - spent)

    game, start = position.start()
    assert isinstance(game, Race)
    question = Question(
        game,
        start,
        Goal(Objective.MIN_TURNS, 161),
        Limit(time_s=time_s, clock=process_time if cpu else monotonic),
        told,
    )
    if compiled and isinstance(question.search, PackedSearch):
        problem = cast(PackedProblem, question.problem)
        with suppress(LimitHit):  # the answer says so
            question.search = PackedSearch(problem, question.search.watch, question.search.roots, compile_it=True)
    report = question.answer()
    gap = None if report.value is None or report.bound is None else report.value - report.bound
    assert (gap == 0) == (report.status is Status.OPTIMAL)
    return {
        "value": report.value,
        "bound": report.bound,
        "gap": gap,
        "first": first[0] if first else -1.0,
        "wall": monotonic() - wall,
        "cpu": process_time() - spent,
        "states": question.search.counters.states,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


if __name__ == "__main__":
    main()
