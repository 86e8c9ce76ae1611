"""How many turn ends the encoding of Iditacards makes: ``python -m benchmarks.encoding``.

One line for each edition: distinct turn ends in a second of processor time, from tables of random games.
The first line says whether the machine is compiled.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from time import process_time

from solver.compiled_form import build_state
from solver.encodings.iditacards.encoding import Encoding
from tests.solver.encodings.positions import EARLY, Case, played

EDITIONS = ("2017", "2019-02", "2019-08")
SEEDS = 6
TURNS = range(8, 24, 3)
"""Turns of each random game whose tables are expanded."""


def tables_of(edition: str) -> list[Case]:
    """Return tables in the middle of random games."""
    ruleset = f"iditacards/{edition}"
    return [case for seed in range(SEEDS) for n, case in enumerate(played(ruleset, seed, TURNS.stop)) if n in TURNS]


def ends_a_second(edition: str, seconds: float) -> float:
    """Return the distinct turn ends found in a second of processor time."""
    encodings = [Encoding(case.game, case.table, rules=EARLY) for case in tables_of(edition)]
    for encoding in encodings:
        encoding.successors(encoding.root)  # fills in all chance that it asks for
    ends, begun = 0, process_time()
    while process_time() - begun < seconds:
        ends += sum(len(encoding.successors(encoding.root)) for encoding in encodings)
    return ends / (process_time() - begun)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks.encoding", description="Speed of the encoding by edition.")
    parser.add_argument("--seconds", type=float, default=2.0, help="time for each edition (default 2)")
    parsed = parser.parse_args(arguments)
    print("compiled" if build_state() == "compiled" else "plain Python")
    for edition in EDITIONS:
        print(f"{edition:>8} {ends_a_second(edition, parsed.seconds):>12,.0f} turn ends a second")


if __name__ == "__main__":
    main()
