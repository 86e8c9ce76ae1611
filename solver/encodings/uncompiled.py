"""What stands in for ``cython`` and for C functions where a hot module runs as plain Python."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any, Final

compiled: Final = False
nogil: Final = nullcontext()


def address(item: Any) -> Any:
    """Stand in for a C pointer; only compiled code calls it."""
    raise NotImplementedError(item)


def fetch_ahead(place: Any) -> None:
    """Stand in for the processor's prefetch; only compiled code calls it."""
    raise NotImplementedError(place)


def itself(array: Any) -> Any:
    """Return the array: plain code takes it where compiled code takes a pointer to its first item."""
    return array


ints = longs = shorts = itself


def memcpy(to: Any, start: Any, size: int) -> Any:
    """Stand in for the function of C; only compiled code calls it."""
    raise NotImplementedError(to, start, size)
