"""Random tables without end, each turn by the rules and by the encoding: ``python -m benchmarks.soak_encoding``.

Some tables are of random games, some are dealt, and some are such as no game comes to. ``--changed N`` has up to N
options of a game at any value, ``--ruleset`` asks one ruleset only. What differs is printed with the name of the table;
the exit code is then 1.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count
from time import perf_counter

from tests.solver.encodings.lockstep import MOST, lockstep
from tests.solver.encodings.positions import OWN_RULESETS, Case, dealt, played
from tests.solver.encodings.wild import EVERY_OP, wild

TURNS = 12
"""Turns of a random game."""
DEALT = 8
"""Tables dealt for each random game."""


def cases(rulesets: Sequence[str], seed: int, changed: int) -> Iterator[Case]:
    """Yield tables for ever."""
    for number in count(seed):
        for ruleset in rulesets:
            yield from played(ruleset, number, TURNS, changed)
            for place in range(DEALT):
                yield dealt(ruleset, DEALT * number + place)
        for ruleset in (*rulesets, EVERY_OP):
            wilds = (wild(ruleset, DEALT * number + place, 2 * changed) for place in range(DEALT))
            yield from filter(None, wilds)


def soak(rulesets: Sequence[str], seed: int, seconds: float, changed: int, most: int) -> int:
    """Compare until the time is up, print what was found, and return the number of differences."""
    began, tables, ends, different = perf_counter(), 0, 0, 0
    left_out: Counter[str] = Counter()
    for case in cases(rulesets, seed, changed):
        if perf_counter() - began > seconds:
            break
        compared = lockstep(case.game, case.table, most)
        tables, ends = tables + 1, ends + compared.ends
        left_out.update(compared.lacking)
        if compared.difference:
            different += 1
            sys.stdout.write(f"{case.name}\n{compared.difference}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{tables} tables, {ends} ends, {different} differ\n")
    sys.stdout.writelines(f"not compared: {number} with {words}\n" for words, number in left_out.most_common())
    return different


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--changed", type=int, default=6, help="options of a random game at any value, at most")
    parser.add_argument("--most", type=int, default=MOST, help="ways through a turn up to which it is compared")
    parser.add_argument("--ruleset", action="append", choices=OWN_RULESETS)
    given = parser.parse_args()
    return int(soak(given.ruleset or OWN_RULESETS, given.seed, given.seconds, given.changed, given.most) > 0)


if __name__ == "__main__":
    sys.exit(main())
