"""The commands that look at the installation itself and at what it keeps."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Callable
from functools import partial
from importlib.metadata import PackageNotFoundError, version

from puzzles.puzzle import library, load_puzzle
from rules.core.errors import BestlineError, escaped
from rules.core.ruleset import list_rulesets
from solver import compiled_form as form
from solver.commands import VERSION
from solver.commands.settings import Shown, exit_code
from solver.screens.common import facts_rows
from solver.store import Store

PACKAGES = ("typer", "rich", "prompt_toolkit", "ortools", "networkx")
"""What bestline stands on."""


def doctor() -> Shown:
    """Show versions and terminal, and check what comes along."""
    faults, store, installed = _shipped_faults(), Store(), {name: _installed(name) for name in PACKAGES}
    store.write("", {})  # no question has this name
    trouble = store.trouble
    store.forget("")
    facts = {
        "bestline": VERSION,
        "python": f"{platform.python_version()} on {platform.system()} {platform.machine()}",
        **{name: found or "missing; install what requirements.txt lists" for name, found in installed.items()},
        "compiled": _compiled(),
        "threads": str(os.cpu_count() or 1),
        "terminal": f"{shutil.get_terminal_size().columns} columns" if sys.stdout.isatty() else "none",
        "encoding": sys.stdout.encoding,
        "cache": _kept(store) + (f"; nothing can be remembered there: {trouble}" if trouble else ""),
        "data": "; ".join(faults) or "every ruleset and puzzle is sound",
    }
    sound = not faults and form.build_state() != "stale" and all(installed.values())
    return Shown({**facts, "sound": sound}, facts_rows(facts.items()), exit_code(negative=not sound))


def cache_info() -> Shown:
    """Show where solved questions are kept, and how many there are."""
    store = Store()
    return Shown(store.info(), facts_rows([("cache", _kept(store))]))


def cache_clear() -> Shown:
    """Forget every solved question."""
    store = Store()
    store.clear()
    return Shown({"path": str(store.path), "cleared": True}, escaped(f"{store.path}: cleared"))


def _installed(package: str) -> str:
    """Return the version of a package, or nothing."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _compiled() -> str:
    """Return whether the hot modules run compiled, and what to do where they do not."""
    if form.build_state() == "compiled":
        return f"yes, {', '.join('.'.join(name.split('.')[-2:]) for name in form.hot_modules())}"
    if form.build_state() == "stale":
        return f"not from these sources, so do not trust an answer; run: {form.remedy()}"
    why = form.record() if form.record().startswith("not compiled") else "not compiled"
    return f"{why}. Answers are the same and come slower. With a C compiler on the machine, run: {form.remedy()}"


def _kept(store: Store) -> str:
    """Return what a store holds."""
    info = store.info()
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
