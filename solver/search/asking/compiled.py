"""Compiled functions of the layered search, by the kernel of a form: loaded once, and warmed up in another process."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from typing import Any

from solver.search.arrays import Arrays
from solver.search.asking import kernel as asking
from solver.search.compiled import Kernel, bound_functions

_loaded: dict[int, dict[str, Any]] = {}
"""Compiled functions by the identity of their kernel, which stays for good."""


def is_loaded(kernel: Kernel) -> bool:
    """Return whether compiled functions of a kernel are there."""
    return id(kernel) in _loaded


def load(kernel: Kernel) -> dict[str, Any]:
    """Return the compiled functions of a kernel, from the cache where they are there."""
    functions = _loaded.get(id(kernel))
    if functions is None:
        functions = _loaded[id(kernel)] = bound_functions(kernel, asking.FUNCTIONS, compiled=True)
        gc.freeze()  # a compiler brings so many objects that to go through them again takes longer than most searches
    return functions


def warm(kernel: Kernel, tables: Callable[..., Any], columns: Sequence[str]) -> None:
    """Compile all functions of a form, or load them from the cache, by calling them with next to nothing to do.

    ``columns`` are the names of its columns and stores.
    """
    functions, arrays = load(kernel), Arrays(True)
    column = arrays.long(16)
    numbers: dict[str, Any] = dict.fromkeys((*columns, "asks", "notes"), column)
    table = tables(finish=0, bits=1, facts=arrays.long(16), **numbers)
    slots, short = arrays.empty_slots(2), arrays.short(2)
    state = arrays.long(asking.STATE)
    functions["explore"](*(0, 0, 0, table, column, short, column, short, short, slots, 1, state, column, column))
    functions["sift"](0, 0, 0, 0, table, column, short, state)
    functions["enter"](0, column, slots, 1)
    functions["mark"](0, 0, table, column, short, short, column, short, slots, 1, column, column)
    functions["meet"](0, 0, table, column, short)
    functions["judge"](0, table, column, arrays.scratch(1))
    functions["refile"](table, table)
    functions["lacking"](0, 0, 0, table)
    functions["family_of"](0, 0, table)
