"""Whole numbers of two words for kernels: ``high * base + low`` with ``0 <= low < base``, compared high word first.

Compilers know 64 bits; means over several barrages, dice or draws need more to stay exact. ``base`` leaves room for
sums over all cases of one chance in either word.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence
from typing import Any, Final

Wide = tuple[int, int]
Ints = MutableSequence[int]
"""The arrays of a kernel."""

INEXACT: Final = 0
"""Place in the notes of a kernel that is set once a mean did not come out even."""
ROOM_BITS: Final = 51
"""Bits that ``base`` may take, so that the sum over all cases stays below 62."""


def less(a: int, b: int, c: int, d: int) -> bool:
    """Return whether the first of two numbers is less than the second."""
    return a < c or (a == c and b < d)


def negated(a: int, b: int, base: int) -> Wide:
    """Return a number with the other sign."""
    if b == 0:
        return -a, 0
    return -a - 1, base - b


def carried(a: int, b: int, base: int) -> Wide:
    """Return a number whose low word was left too great or below zero."""
    over = b // base
    return a + over, b - over * base


def share(a: int, b: int, parts: int, base: int) -> Wide:
    """Return the greatest number that is no more than one of several equal parts; the low word may be too great."""
    a, b = carried(a, b, base)
    whole = a // parts
    a, b = carried(whole, ((a - whole * parts) * base + b) // parts, base)
    return a, b


def mean(a: int, b: int, cases: int, base: int, notes: Ints) -> Wide:
    """Return the mean of a sum over all cases, noting where it does not come out even."""
    a, b = carried(a, b, base)
    whole = a // cases
    rest = (a - whole * cases) * base + b
    low = rest // cases
    if low * cases != rest:
        notes[INEXACT] = 1
    return carried(whole, low, base)


def words_for(cases: int) -> Wide:
    """Return how many parts a whole has in the high word, and the base; both are powers of the number of cases."""
    base = unit = 1
    while base * cases < 1 << ROOM_BITS:
        base *= cases
    while unit * cases < 1 << (ROOM_BITS - 4):
        unit *= cases
    return unit, base


FUNCTIONS: Final[tuple[Callable[..., Any], ...]] = (less, negated, carried, share, mean)
