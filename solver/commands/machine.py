"""The command that looks at the installation itself."""

from __future__ import annotations

import typer

from solver.commands import VERSION
from solver.commands.settings import NEGATIVE, Settings, shared

HEADING = "Machine"

PACKAGES = ("typer", "rich", "ortools", "networkx")
"""What bestline stands on."""


@shared
def doctor(settings: Settings) -> None:
    """Show versions and terminal, and check what comes along."""
    import os
    import platform
    import shutil
    import sys
    from importlib.metadata import PackageNotFoundError, version

    from solver.render import draw
    from solver.screens import facts_rows

    def installed(package: str) -> str:
        try:
            return version(package)
        except PackageNotFoundError:
            return "missing; install what requirements.txt lists"

    faults = _shipped_faults()
    facts = {
        "bestline": VERSION,
        "python": f"{platform.python_version()} on {platform.system()} {platform.machine()}",
        **{package: installed(package) for package in PACKAGES},
        "threads": str(os.cpu_count() or 1),
        "terminal": f"{shutil.get_terminal_size().columns} columns" if sys.stdout.isatty() else "none",
        "encoding": sys.stdout.encoding,
        "data": "; ".join(faults) or "every ruleset and puzzle is sound",
    }
    sound = not faults and not any(facts[package].startswith("missing") for package in PACKAGES)
    if settings.json:
        settings.answer_json({**facts, "sound": sound})
    else:
        settings.answer(draw(facts_rows(facts.items()), settings.style))
    if not sound:
        raise typer.Exit(NEGATIVE)


def _shipped_faults() -> list[str]:
    """Return what is wrong with the rulesets and puzzles that come along."""
    from puzzles.loader import library, load_puzzle
    from rules.core.errors import BestlineError
    from rules.core.ruleset import list_rulesets

    faults: list[str] = []
    try:
        list_rulesets()
    except BestlineError as error:
        faults.append(str(error))
    for puzzle in library():
        try:
            load_puzzle(puzzle)
        except BestlineError as error:
            faults.append(str(error))
    return faults


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command("doctor", rich_help_panel=HEADING)(doctor)
