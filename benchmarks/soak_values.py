"""Answers of the search over the encoding against all positions, without end: ``python -m benchmarks.soak_values``.

What differs is printed with the table and the question; the exit code is then 1.
"""

from __future__ import annotations

import argparse
import sys
from itertools import count
from time import perf_counter

from solver.search.budget import Budget
from tests.solver.encodings.asked import expected, questions

MOST = 4_000
"""Positions of a turn up to which a question is compared."""


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--changed", type=int, default=6, help="options of a game at any value, at most")
    given = parser.parse_args()
    began, compared, left, wrong = perf_counter(), 0, 0, 0
    for seed in count(given.seed):
        for asked in questions(seed, given.changed):
            if perf_counter() - began > given.seconds:
                sys.stdout.write(f"{compared} answers up to seed {seed}, {left} too large, {wrong} differ\n")
                return int(wrong > 0)
            wanted = expected(asked, MOST)
            if wanted is None:
                left += 1
                continue
            compared += 1
            try:
                report = asked.reports(Budget(time_s=120))
                found: object = (report.status, report.value)
            except Exception as error:  # whatever it is, it is what a soak looks for
                found = error
            if found != wanted:
                wrong += 1
                sys.stdout.write(f"{asked.case.name}: {asked.goal} {asked.kept}: {found!r}, not {wanted}\n")
                sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
