"""Where searches over numbers keep them, in plain Python and compiled."""

from __future__ import annotations

from array import array
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

    def fixed(self, values: list[int]) -> Any:
        """Return numbers that no kernel changes."""
        return values if self._numpy is None else self._numpy.array(values, self._numpy.int64)
