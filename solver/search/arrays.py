"""Where the packed search keeps its numbers, in plain Python and compiled."""

from __future__ import annotations

from array import array
from heapq import nlargest
from typing import Any


class Arrays:
    """Makes room for numbers: Python's own arrays and lists, or numpy's for compiled code."""

    def __init__(self, compile_it: bool) -> None:
        self._numpy: Any = None
        if compile_it:
            import numpy as np  # comes with the compiler

            self._numpy = np

    def long(self, size: int) -> Any:
        """Return zeros of 64 bits."""
        return array("q", bytes(8 * size)) if self._numpy is None else self._numpy.zeros(size, self._numpy.int64)

    def short(self, size: int) -> Any:
        """Return zeros of 32 bits."""
        return array("i", bytes(4 * size)) if self._numpy is None else self._numpy.zeros(size, self._numpy.int32)

    def tiny(self, size: int) -> Any:
        """Return zeros of 8 bits."""
        return array("b", bytes(size)) if self._numpy is None else self._numpy.zeros(size, self._numpy.int8)

    def empty_slots(self, size: int) -> Any:
        """Return numbers of 32 bits, all -1."""
        if self._numpy is None:
            return array("i", [-1]) * size
        return self._numpy.full(size, -1, self._numpy.int32)

    def scratch(self, size: int) -> Any:
        """Return zeros for a kernel to work with."""
        return [0] * size if self._numpy is None else self._numpy.zeros(size, self._numpy.int64)

    def grown(self, old: Any, size: int) -> Any:
        """Return an array of another size that begins with an old one."""
        new = self.short(size) if old.itemsize == 4 else self.long(size)
        new[: len(old)] = old
        return new

    def taken(self, numbers: Any, places: Any) -> list[int]:
        """Return the numbers at some places of an array."""
        return [numbers[place] for place in places] if self._numpy is None else numbers[places].tolist()

    def put(self, numbers: Any, first: int, values: list[int]) -> None:
        """Write values into an array, one after the other."""
        new = array(numbers.typecode, values) if self._numpy is None else values
        numbers[first : first + len(values)] = new

    def best(self, scores: Any, width: int) -> Any:
        """Return the places of the greatest numbers, ascending; of equal ones the first."""
        np = self._numpy
        if np is None:
            return sorted(nlargest(width, range(len(scores)), key=scores.__getitem__))
        least = np.partition(scores, len(scores) - width)[len(scores) - width]
        better = np.flatnonzero(scores > least)
        equal = np.flatnonzero(scores == least)[: width - len(better)]
        return np.sort(np.concatenate((better, equal)))

    def keep(self, numbers: Any, first: int, places: Any) -> None:
        """Move the numbers at ``places``, counted from ``first`` on, together there."""
        if self._numpy is None:
            for place, kept in enumerate(places, first):
                numbers[place] = numbers[first + kept]
        else:
            numbers[first : first + len(places)] = numbers[first + places]

    def fixed(self, values: list[int]) -> Any:
        """Return numbers that no kernel changes."""
        return values if self._numpy is None else self._numpy.array(values, self._numpy.int64)

    def tables(self, tables: Any) -> Any:
        """Return a named tuple with its lists where this kind of code can read them."""
        if self._numpy is None:
            return tables
        return type(tables)(*[self._readable(value) for value in tables])

    def _readable(self, value: Any) -> Any:
        if isinstance(value, list):
            return self.fixed(value)
        return self.tables(value) if isinstance(value, tuple) else value
