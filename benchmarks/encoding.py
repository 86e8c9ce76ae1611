"""How many turn ends the encoding of Iditacards makes: ``python -m benchmarks.encoding``.

One line for each edition: turn ends in a second of processor time, duplicates included, from tables of random games.
The first line says whether the machine is compiled. Only the machine is measured, not the keys.
"""

from __future__ import annotations

import argparse
from array import array
from collections.abc import Sequence
from time import process_time

from solver.encodings.iditacards import layout as L
from solver.encodings.iditacards import machine
from solver.encodings.iditacards.rows import Rows
from solver.encodings.iditacards.tables import Tables
from tests.solver.encodings.positions import Case, played

EDITIONS = ("2017", "2019-02", "2019-08")
SEEDS = 6
TURNS = range(8, 24, 3)
"""Turns of each random game whose tables are expanded."""
CAPACITY = 4000


def tables_of(edition: str) -> list[Case]:
    """Return tables in the middle of random games."""
    ruleset = f"iditacards/{edition}"
    return [case for seed in range(SEEDS) for n, case in enumerate(played(ruleset, seed, TURNS.stop)) if n in TURNS]


def sources(cases: Sequence[Case], out: array[int]) -> list[tuple[array[int], array[int]]]:
    """Return rows that fit in ``out`` with their tables, all chance that they ask for filled in."""
    ready = []
    for case in cases:
        tables = Tables(case.game, case.table)
        row = Rows(tables).row(case.table)
        while True:
            try:
                if machine.expand(row, 0, tables.array, out, CAPACITY) > 0:
                    ready.append((row, tables.array))
                break
            except machine.RowError as error:
                tables.fill(error.code, error.a, error.b)
    return ready


def ends_a_second(edition: str, seconds: float) -> float:
    """Return the turn ends found in a second of processor time."""
    out = array("h", bytes(2 * L.W * CAPACITY))
    ready = sources(tables_of(edition), out)
    ends, begun = 0, process_time()
    while process_time() - begun < seconds:
        for row, table in ready:
            ends += machine.expand(row, 0, table, out, CAPACITY)
    return ends / (process_time() - begun)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks.encoding", description="Speed of the encoding by edition.")
    parser.add_argument("--seconds", type=float, default=2.0, help="time for each edition (default 2)")
    parsed = parser.parse_args(arguments)
    print("compiled" if machine.is_compiled() else "plain Python")
    for edition in EDITIONS:
        print(f"{edition:>8} {ends_a_second(edition, parsed.seconds):>12,.0f} turn ends a second")


if __name__ == "__main__":
    main()
