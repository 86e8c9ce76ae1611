"""Binding the packed search to a game's kernel, in plain Python or compiled by numba where that is installed.

The functions are the same in both; only their numbers live in lists and arrays here and in numpy arrays there. Compiled
code is cached on disk, so that the compiler runs once for each version of the sources.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from importlib.util import find_spec
from inspect import getsource
from types import FunctionType
from typing import Any

from solver.search import packed

Functions = dict[str, Any]


def is_installed() -> bool:
    """Return whether numba can be imported."""
    return find_spec("numba") is not None


def bound_functions(kernel: Sequence[Callable[..., Any]], *, compiled: bool = False) -> Functions:
    """Return the functions of ``packed`` and of a game's kernel by name, each calling the others of this very set."""
    functions: Functions = {}
    sources = [*kernel, *packed.FUNCTIONS]
    # numba's cache only looks at the file of the function itself: the names tell versions of the others apart.
    version = sha256("".join(getsource(function) for function in sources).encode()).hexdigest()[:12]
    for function in sources:
        assert isinstance(function, FunctionType)
        names = dict(function.__globals__)
        bound = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
        bound.__module__ = function.__module__
        bound.__qualname__ = f"{function.__qualname__}_{version}"
        functions[function.__name__] = _compiled(bound) if compiled else bound
    for function in functions.values():
        plain = function.py_func if compiled else function
        plain.__globals__.update(functions)
    return functions


def _compiled(function: Callable[..., Any]) -> Any:
    import numba  # optional, and slow to import

    return numba.njit(cache=True)(function)
