"""Values with a hidden deck against complete play, without end: ``python -m benchmarks.soak_hidden``.

What differs is printed with the table and the question; the exit code is then 1.
"""

from __future__ import annotations

import argparse
import sys
from fractions import Fraction
from itertools import count
from time import perf_counter

from puzzles.goal import Objective
from solver.search.layers import LimitHit
from tests.solver.encodings.hidden_questions import hidden_questions


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most", type=int, default=3_000, help="ways through turns of complete play")
    given = parser.parse_args()
    began, compared, left, wrong = perf_counter(), 0, 0, 0
    for seed in count(given.seed):
        for asked in hidden_questions(range(seed, seed + 1)):
            try:
                value = asked.expected(given.most)
            except LimitHit:
                left += 1
                continue
            found = asked.value()
            lost = Fraction(0) if asked.goal.objective is Objective.REACH else None
            compared += 1
            if (lost if found is None else found) != value:
                wrong += 1
                sys.stdout.write(f"{asked.case.name}: {asked.goal}: {found}, not {value}\n")
                sys.stdout.flush()
        if perf_counter() - began > given.seconds:
            sys.stdout.write(f"{compared} values up to seed {seed}, {left} too large, {wrong} differ\n")
            return int(wrong > 0)
    return 0


if __name__ == "__main__":
    sys.exit(main())
