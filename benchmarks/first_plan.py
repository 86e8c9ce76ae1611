"""The first complete plan of every puzzle of the library: how long it takes in process and from the command line.

``python -m benchmarks.first_plan [--cli] [ID …]``: seconds until a search tells of its first value with a line behind
it, or of its answer, whichever comes first, nothing remembered; with ``--cli`` also the whole run of ``bestline solve
--time 2 --no-cache`` as a process of its own, whose answer is a plan unless it says that nothing was found. Processor
seconds stand beside those of the wall, since machines are shared.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from statistics import median
from time import monotonic, process_time

from puzzles.loader import Puzzle, library, load_puzzle
from solver.engines.open_question import solve
from solver.question import Progress, Status
from solver.search.budget import Budget

AIM_S = 2.0


class Enough(Exception):
    """Raised once the first plan is there."""


def main() -> None:
    """Print one row for each puzzle and one for all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cli", action="store_true", help="also as processes of their own")
    parser.add_argument("ids", nargs="*")
    options = parser.parse_args()
    walls, cpus = [], []
    print(f"{'puzzle':24} {'seconds':>8} {'CPU s':>8}  {'first':24} {'command s':>10}")
    for name in options.ids or library():
        wall, cpu, found = first_plan(load_puzzle(name))
        walls.append(wall)
        cpus.append(cpu)
        run = f"{command(name):10.1f}" if options.cli else ""
        print(f"{name:24} {wall:8.2f} {cpu:8.2f}  {found:24} {run}", flush=True)
    late = [each for each in cpus if each > AIM_S]
    print(f"CPU seconds: median {median(cpus):.2f}, most {max(cpus):.2f}, over {AIM_S:g} s: {len(late)} of {len(cpus)}")
    print(f"seconds: median {median(walls):.2f}, most {max(walls):.2f}")


def first_plan(puzzle: Puzzle) -> tuple[float, float, str]:
    """Return the seconds of wall and processor to the first plan, and what it was."""
    wall, cpu = monotonic(), process_time()
    first: list[str] = []

    def tell(now: Progress) -> None:
        if now.value is not None:
            first.append(f"line of {now.value}")
            raise Enough

    try:
        report = solve(puzzle.position, puzzle.goal, Budget(time_s=20.0), tell)
        nothing = report.status in (Status.UNKNOWN, Status.INFEASIBLE)
        first.append(report.status.value if nothing else f"{report.status.value} {report.value}")
    except Enough:
        pass
    return monotonic() - wall, process_time() - cpu, first[0]


def command(name: str) -> float:
    """Return the seconds of a whole run that may search for two."""
    begun = monotonic()
    arguments = [sys.executable, "cli.py", "solve", name, "--time", f"{AIM_S:g}", "--no-cache", "--json", "-q"]
    subprocess.run(arguments, check=False, stdout=subprocess.DEVNULL)
    return monotonic() - begun


if __name__ == "__main__":
    main()
