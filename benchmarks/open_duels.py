"""Values of the open duels of Trench Rescue against the specification: ``python -m benchmarks.open_duels``."""

from __future__ import annotations

import time
from fractions import Fraction

from solver.search.expectiminimax import Model
from tests.rules.trench_rescue.duels import MIN_ONE, VALUES, Duel


def main() -> None:
    """Print each value, what the specification says, and the time it took."""
    for name, turns, options, value, best in VALUES:
        begun = time.process_time()
        duel = Duel(name, turns, **options)
        report = duel.report()
        found = duel.value(report)
        agrees = (found, duel.best(report)) == (value, best or duel.best(report))
        spent = time.process_time() - begun
        shown = " ".join(str(part) for part in options.values()) or "default"
        told = "agrees" if agrees else "DIFFERS"
        print(f"{name} {turns} {shown:<40} {found!s:>6} {value!s:>6} {told} {spent:6.2f} s cpu")
    for options, value in (({}, Fraction(2)), (MIN_ONE, Fraction(31, 32))):
        begun = time.process_time()
        found = Duel("S", 5, **options).report(Model.NEVER).value
        told = "agrees" if found == value else "DIFFERS"
        print(f"S 5 against who never enters {options} {found} {value} {told} {time.process_time() - begun:6.2f} s cpu")


if __name__ == "__main__":
    main()
