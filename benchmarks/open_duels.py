"""Values of the open duels of Trench Rescue against the specification: ``python -m benchmarks.open_duels``.

Some take minutes each, so that the tests work out the short ones only.
"""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any, Final

from tests.rules.trench_rescue.duels import EACH, MIN_ONE, Duel

EXPECTED: Final[list[tuple[str, int, dict[str, Any], Fraction, list[str]]]] = [
    ("A", 4, {}, Fraction(5, 8), ["enter 9C x2"]),
    ("A", 4, {"starter": "red"}, Fraction(5, 8), ["enter 4D x2"]),
    ("A", 4, MIN_ONE, Fraction(3, 8), ["enter 9C x1", "enter 9C x2"]),
    ("A", 4, MIN_ONE | EACH, Fraction(9, 128), ["enter 9C x1", "enter 9C x2"]),
    ("A", 4, {"starter": "red"} | EACH, Fraction(9, 16), ["enter 4D x1", "enter 4D x2"]),
    ("C", 4, EACH, Fraction(3, 32), ["enter 9C x1", "enter 9C x2"]),
    ("D", 4, MIN_ONE, Fraction(0), ["end"]),
    ("D", 4, MIN_ONE | EACH, Fraction(0), ["end"]),
    ("D", 4, {}, Fraction(0), ["end", "enter 9C x1", "enter 9C x2"]),
]
"""Duel, turns, options, value, and the only first half-turns that reach it."""


def main() -> None:
    """Print each value, what the specification says, and the time it took."""
    for name, turns, options, value, best in EXPECTED:
        begun = time.perf_counter()
        duel = Duel(name, turns, **options)
        found = duel.value(duel.start)
        agrees = (found, duel.best) == (value, best)
        spent = time.perf_counter() - begun
        shown = " ".join(str(part) for part in options.values()) or "default"
        print(
            f"{name} {turns} {shown:<40} {found!s:>6} {value!s:>6} {'agrees' if agrees else 'DIFFERS'} {spent:6.1f} s"
        )


if __name__ == "__main__":
    main()
