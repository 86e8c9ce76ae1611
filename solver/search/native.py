"""Types of numbers in hot modules, and what these take from C, here as plain Python has it.

``buildtools/headers.py`` says what becomes of each type. A list of numbers is a pointer in compiled functions, and a
view of an array's memory elsewhere: ``shorts`` and the others make the one of the other.
"""

from __future__ import annotations

from array import array
from collections.abc import MutableSequence, Sequence
from math import log as log
from math import sqrt as sqrt
from typing import Any, TypeAlias

Word: TypeAlias = int
"""A number of 64 bits without a sign."""
Shorts: TypeAlias = "MutableSequence[int] | memoryview[int]"
Row: TypeAlias = Shorts
Table: TypeAlias = "Sequence[int] | memoryview[int]"
"""Numbers of int32 that only Python writes."""
Ints: TypeAlias = "MutableSequence[int] | memoryview[int]"
Longs: TypeAlias = "MutableSequence[int] | memoryview[int]"
Words: TypeAlias = "MutableSequence[int] | memoryview[int]"
Halves: TypeAlias = "MutableSequence[int] | memoryview[int]"
"""Numbers of 32 bits without a sign."""
Doubles: TypeAlias = "MutableSequence[float] | memoryview[float]"
Letters: TypeAlias = "MutableSequence[int] | memoryview[int]"
"""Bytes."""
Key: TypeAlias = "Sequence[int] | memoryview[int]"
"""Bytes that are only read."""


def _plain(numbers: Any) -> Any:
    """Return numbers with items of Python."""
    return numbers if isinstance(numbers, array) else memoryview(numbers)


letters = chars = shorts = ints = longs = doubles = _plain


def copy(to: Any, at: int, start: Any, first: int, n: int) -> None:
    """Copy n numbers of int16 from a place in one list to a place in another, or within one."""
    memoryview(to)[at : at + n] = memoryview(start)[first : first + n]
