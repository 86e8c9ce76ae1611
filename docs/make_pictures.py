"""Draw the pictures of README and docs: ``python -m docs.make_pictures`` writes all of them anew.

A picture is what the program prints in a terminal of 84 columns, colours and all, for light and dark. It loads nothing
from elsewhere. The tables in the middle of a game lie beside the pictures.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import Final
from unittest.mock import patch

import cli
from solver.render import Line, svg

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ROOT / "docs" / "pictures"
WIDTH: Final = 84
COMMANDS: Final[Mapping[str, str]] = {
    "best": "bestline best table.toml --goal reach --target 81 --within-turns 3 --no-new-day",
    "risk": "bestline risk table.toml mush --table",
    "race": "bestline position show race.toml",
    "trench": "bestline position show trench.toml",
    "abyss": "bestline position show abyss.toml",
}
"""What each picture shows, by its name; ``--deterministic`` is added, which no picture needs to tell."""


_ANSI: Final = {"1": "title", "2": "quiet", "1;32": "good", "1;31": "bad", "1;33": "open"} | {
    str(number): colour for number, colour in enumerate(("red", "green", "yellow", "blue", "magenta", "cyan"), start=31)
}
"""Looks and colours by their codes."""


class _Terminal(io.StringIO):
    """A stream that takes itself for a terminal, so that answers come in colour."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def blocks(page: str, language: str) -> list[str]:
    """Return the fenced blocks of one language on a page, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def named_files(page: str) -> Iterator[tuple[str, str]]:
    """Yield name and text of each file shown whose first line is a comment with its name."""
    for block in blocks(page, "toml"):
        if name := re.match(r"# (\S+\.toml)\n", block):
            yield name[1], block


def draw(name: str) -> str:
    """Return a picture as SVG; the files that its command reads are those of the README."""
    terminal = _Terminal()
    settings = {"TERM": "xterm-256color", "COLUMNS": str(WIDTH), "LINES": "50", "NO_COLOR": ""}
    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, settings), chdir(folder):
        for file, text in named_files((ROOT / "README.md").read_text("utf-8")):
            Path(file).write_text(text, "utf-8")
        for table in FOLDER.glob("*.toml"):
            shutil.copy(table, folder)
        with redirect_stdout(terminal):
            cli.main([*shlex.split(COMMANDS[name])[1:], "--deterministic", "--quiet"])
    shown = [_line(line) for line in terminal.getvalue().splitlines()]
    return svg([[(f"$ {COMMANDS[name]}", "title")], [], *shown], "bestline", WIDTH)


def _line(line: str) -> Line:
    """Return a line of a terminal in parts, each with its look or colour."""
    first, *parts = re.split(r"\x1b\[([0-9;]*)m", line)
    return [(first, ""), *((text, _ANSI.get(code, "")) for code, text in zip(parts[::2], parts[1::2], strict=True))]


def main() -> None:
    """Write every picture."""
    FOLDER.mkdir(exist_ok=True)
    for name in COMMANDS:
        (FOLDER / f"{name}.svg").write_text(draw(name), "utf-8")


if __name__ == "__main__":
    main()
