"""Every command and option of the stored list is there: scripts rely on them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from solver.commands import HOMES
from solver.commands.settings import loaded

STORED = Path(__file__).parents[1] / "stored" / "commands.txt"


def listed(command: Any, words: tuple[str, ...]) -> Iterator[str]:
    """Yield one line for each command: its words, how many arguments it has, and its options in order."""
    for name, inner in sorted(getattr(command, "commands", {}).items()):
        yield from listed(inner, (*words, name))
    if not hasattr(command, "commands"):
        names = sorted(name for each in command.params for name in (*each.opts, *each.secondary_opts))
        options = [name for name in names if name.startswith("-") and name != "--help"]
        yield " ".join([*words, str(len([name for name in names if not name.startswith("-")])), *options])


def test_no_command_and_no_option_is_lost() -> None:
    now = [line for word in sorted(HOMES) for line in listed(loaded(word), (word,))]
    assert now == STORED.read_text("utf-8").splitlines(), "a lost one stands in CHANGELOG.md; then store the list anew"
