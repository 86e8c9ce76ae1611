"""Binding a search to a game's kernel, in plain Python or compiled by numba where that is installed.

The functions are the same in both; only their numbers live in lists and arrays here and in numpy arrays there. Compiled
code is cached on disk, so that the compiler runs once for each version of the sources; nobody waits for it: it runs in
a process of its own (``python -m solver.search.compiled``) while the search goes on in plain Python.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from inspect import getsource, getsourcefile
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from types import FunctionType
from typing import Any, Final

from solver.search.contests import packed as packed_contest
from solver.search.postponed import postponed

Kernel = Mapping[str, Callable[..., Any]]
"""A game's functions by the names that they call each other by."""

_RUNNING: Final[list[Popen[bytes]]] = []
"""Compilers that were started: one may outlive the search that asked for it, so that the next finds its work."""

LOADING_S: Final = 0.5
"""Seconds that a search must have left to load compiled code, which takes about as long with no look at the clock."""
_ROOT: Final = Path(__file__).parents[2]


@cache
def is_installed() -> bool:
    """Return whether numba can be imported."""
    return find_spec("numba") is not None


def bound_functions(kernel: Kernel, search: Sequence[Callable[..., Any]], *, compiled: bool = False) -> dict[str, Any]:
    """Return the functions of a search and of a game's kernel by name, each calling the others of this very set."""
    with postponed() if compiled else nullcontext():
        return _bound(kernel, search, compiled=compiled)


def _bound(kernel: Kernel, search: Sequence[Callable[..., Any]], *, compiled: bool) -> dict[str, Any]:
    functions: dict[str, Any] = {}
    names: list[dict[str, Any]] = []
    sources: Kernel = {**kernel, **{each.__name__: each for each in search}}
    mark = _version(sources)
    for name, function in sources.items():
        assert isinstance(function, FunctionType)
        names.append(dict(function.__globals__))
        bound = FunctionType(function.__code__, names[-1], function.__name__)
        bound.__module__ = function.__module__
        bound.__qualname__ = f"{function.__qualname__}_{mark}"
        bound.__annotations__ = function.__annotations__
        if compiled:
            functions[name] = _compiled(bound)
        else:
            functions[name] = bound
    for each in names:
        each.update(functions)
    return functions


def _version(sources: Kernel) -> str:
    """Return a name for some functions as they are: the cache only looks at the file of the function itself."""
    from importlib.metadata import version

    functions: list[Callable[..., Any]] = [*sources.values(), _compiled]
    parts = [getsource(function) for function in functions]
    parts += [*_constants(sources.values()), version("numba") if is_installed() else ""]
    return sha256("".join(parts).encode()).hexdigest()[:12]


def is_cached(kernel: Kernel, search: Sequence[Callable[..., Any]]) -> bool:
    """Return whether the last function of a search has been compiled since any of the sources was changed."""
    sources: Kernel = {**kernel, **{each.__name__: each for each in search}}
    files = {Path(getsourcefile(function) or "") for function in sources.values()}
    last = search[-1]
    home = Path(getsourcefile(last) or "")
    kept = (home.parent / "__pycache__").glob(f"{home.stem}.{last.__qualname__}_{_version(sources)}-*.nbi")
    changed = max(file.stat().st_mtime for file in files)
    return any(file.stat().st_mtime >= changed for file in kept)


def bound_once(kernel: Kernel, search: Sequence[Callable[..., Any]], *, compiled: bool = False) -> dict[str, Any]:
    """Return functions likewise, compiled for what their parameters say alone: numbers, pairs of them, and arrays.

    Kernels that call themselves need it, as each mix of constants and variables would be compiled apart, and what the
    cache keeps of such functions cannot be loaded again. Every function comes after those that it calls.
    """
    if not compiled:
        return bound_functions(kernel, search)
    with postponed():
        functions = bound_functions(kernel, search, compiled=True)
        import numba

        types: Any = numba.types
        number = types.int64
        kinds = {"int": number, "Wide": types.UniTuple(number, 2), "Ints": types.Array(number, 1, "C")}
        for function in functions.values():
            parameters = {**function.py_func.__annotations__}
            parameters.pop("return", None)
            function.compile(tuple(kinds[kind] for kind in parameters.values()))
            function.disable_compile()
    return functions


def _constants(functions: Iterable[Callable[..., Any]]) -> list[str]:
    """Return the numbers that functions take from their modules, which compilers write into the code of each caller."""
    numbers = {
        (function.__module__, name, str(function.__globals__[name]))
        for function in functions
        if isinstance(function, FunctionType)
        for name in function.__code__.co_names
        if isinstance(function.__globals__.get(name), int | tuple)
    }
    return [" ".join(each) for each in sorted(numbers)]


def _compiled(function: Callable[..., Any]) -> Any:
    import numba  # optional, and slow to import

    njit: Any = numba.njit
    # No function makes or keeps an array: none needs the counting of references, which takes most of the time; and none
    # touches an object of Python, so that other threads may run.
    return njit(cache=True, _nrt=False, nogil=True)(function)


class Compiler:
    """Fills the cache of compiled code in another process."""

    def __init__(
        self,
        sample: Callable[[], tuple[Any, ...]],
        patience: int,
        work: Callable[..., Any],
        cached: Callable[[], bool],
    ) -> None:
        """``sample`` gives the arguments of ``work`` once they are needed.

        ``cached`` tells whether compiled code is there, so that nothing has to be started.
        """
        self._sample = sample
        self._patience = patience
        self._work = work
        self._cached = cached
        self._process: Popen[bytes] | None = None
        self._given_up = not is_installed()

    def is_done(self, generated: int) -> bool:
        """Return whether compiled code can be loaded; start the compiler once a search has generated many positions."""
        if self._given_up or generated < self._patience:
            return False
        if self._process is None:
            if self._cached():
                return True
            self._start()
            return False
        status = self._process.poll()
        if status is not None:
            self._given_up = True
        return status == 0

    def _start(self) -> None:
        path = os.pathsep.join([str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
        try:
            self._process = Popen(
                [sys.executable, "-m", __name__],
                stdin=PIPE,
                stdout=DEVNULL,
                stderr=DEVNULL,
                env={**os.environ, "PYTHONPATH": path},
                start_new_session=True,  # Ctrl-C is for the search
            )
            _RUNNING.append(self._process)
            assert self._process.stdin is not None
            with self._process.stdin as stream:
                pickle.dump((self._work, self._sample()), stream)
        except OSError:
            self._given_up = True

    def close(self) -> None:
        """End the process if it is still at work."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait()
        self._given_up = True


def contest_is_compiled(kernel: Kernel) -> bool:
    """Return whether the functions of a packed contest can be loaded at once."""
    return is_cached(kernel, packed_contest.FUNCTIONS)


def compile_contest(kernel: Kernel) -> None:
    """Compile the functions of a packed contest, or load them from the cache."""
    bound_once(kernel, packed_contest.FUNCTIONS, compiled=True)


if __name__ == "__main__":
    function, arguments = pickle.load(sys.stdin.buffer)
    function(*arguments)
