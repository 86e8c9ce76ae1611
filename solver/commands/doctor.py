"""The commands that look at the installation itself and at what it keeps."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from puzzles.puzzle import library, load_puzzle
from rules.core.errors import BestlineError, escaped
from rules.core.ruleset import list_rulesets
from solver.commands import VERSION
from solver.commands.settings import Shown, exit_code
from solver.screens.common import facts_rows

if TYPE_CHECKING:
    from solver.store import Store

PACKAGES = ("typer", "rich", "prompt_toolkit", "ortools", "networkx")
"""What bestline stands on."""


def doctor() -> Shown:
    """Show versions and terminal, and check what comes along."""
    import platform

    from solver.compiled_form import build_state
    from solver.store import Store

    faults = _shipped_faults()
    facts = {
        "bestline": VERSION,
        "python": f"{platform.python_version()} on {platform.system()} {platform.machine()}",
        **{package: _installed(package) or "missing; install what requirements.txt lists" for package in PACKAGES},
        "compiled": _compiled(),
        "threads": str(os.cpu_count() or 1),
        "terminal": f"{shutil.get_terminal_size().columns} columns" if sys.stdout.isatty() else "none",
        "encoding": sys.stdout.encoding,
        "cache": _cache(Store()),
        "data": "; ".join(faults) or "every ruleset and puzzle is sound",
    }
    sound = not faults and build_state() != "stale" and all(_installed(package) for package in PACKAGES)
    return Shown({**facts, "sound": sound}, facts_rows(facts.items()), exit_code(negative=not sound))


def cache_info() -> Shown:
    """Show where solved questions are kept, and how many there are."""
    from solver.store import Store

    info = Store().info()
    return Shown(info, facts_rows([("cache", _info_text(info))]))


def cache_clear() -> Shown:
    """Forget every solved question."""
    from solver.store import Store

    store = Store()
    store.clear()
    return Shown({"path": str(store.path), "cleared": True}, escaped(f"{store.path}: cleared"))


def _installed(package: str) -> str:
    """Return the version of a package, or nothing."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _compiled() -> str:
    """Return whether the hot modules run compiled, and what to do where they do not."""
    from solver.compiled_form import build_state, hot_modules, record, remedy

    if build_state() == "compiled":
        return f"yes, {', '.join('.'.join(name.split('.')[-2:]) for name in hot_modules())}"
    if build_state() == "stale":
        return f"not from these sources, so do not trust an answer; run: {remedy()}"
    why = record() if record().startswith("not compiled") else "not compiled"
    return f"{why}. Answers are the same and come slower. With a C compiler on the machine, run: {remedy()}"


def _cache(store: Store) -> str:
    """Return what the cache holds, and whether it can be written to."""
    store.write("", {})  # no question has this name
    trouble = store.trouble
    store.forget("")
    return _info_text(store.info()) + (f"; nothing can be remembered there: {trouble}" if trouble else "")


def _info_text(info: Mapping[str, Any]) -> str:
    return f"{info['path']}: {info['solved']} solved, {info['bytes']:,} bytes"


def _shipped_faults() -> list[str]:
    """Return what is wrong with the rulesets and puzzles that come along."""
    faults: list[str] = []
    checks: list[Callable[[], object]] = [list_rulesets, *(partial(load_puzzle, puzzle) for puzzle in library())]
    for check in checks:
        try:
            check()
        except BestlineError as error:
            faults.append(str(error))
    return faults
