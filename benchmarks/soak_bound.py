"""The lower bound against what beams reach, without end: ``python -m benchmarks.soak_bound``.

What is overstated is printed with the table and the question; the exit code is then 1.
"""

from __future__ import annotations

import argparse
import random
import sys
from functools import partial
from itertools import count
from time import perf_counter

from solver.encodings.iditacards.encoding import Encoding
from tests.solver.encodings.positions import OWN_RULESETS
from tests.solver.encodings.reached import asked, overstated, some_successors
from tests.solver.encodings.wild import EVERY_OP


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--changed", type=int, default=6, help="options of a game at any value, at most")
    parser.add_argument("--turns", type=int, default=8)
    parser.add_argument("--width", type=int, default=24, help="positions of a turn that are gone on from")
    parser.add_argument("--ruleset", action="append")
    given = parser.parse_args()
    began, lines, wrong = perf_counter(), 0, 0
    for seed in count(given.seed):
        for ruleset in given.ruleset or (*OWN_RULESETS, EVERY_OP):
            for case, words, turns in asked(ruleset, seed, given.changed):
                if perf_counter() - began > given.seconds:
                    sys.stdout.write(f"{lines} beams up to seed {seed}, {wrong} overstated\n")
                    return int(wrong > 0)
                encoding = Encoding(case.game, case.table, words, turns=turns)
                successors = partial(some_successors, encoding)
                found = next(overstated(encoding, successors, given.turns, given.width, random.Random(seed)), None)
                lines += 1
                if found:
                    wrong += 1
                    sys.stdout.write(f"{case.name} without {sorted(words)}, {turns} turns: {found}\n")
                    sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
