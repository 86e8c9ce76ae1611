from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import cli
from tests.cli.tables import HIDDEN

Runner = Callable[..., "Run"]
"""Takes the words of a command and returns how it ended."""

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Run:
    """How one command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def bestline(capsys: pytest.CaptureFixture[str]) -> Runner:
    """Run a command inside this process."""

    def run(*arguments: str) -> Run:
        code = cli.main(arguments)
        captured = capsys.readouterr()
        return Run(code, captured.out, captured.err)

    return run


@pytest.fixture
def process() -> Runner:
    """Run a command as a process of its own, the way people do."""

    def run(*arguments: str, stdin: bytes | str = b"", **environment: str) -> Run:
        ended = subprocess.run(
            [sys.executable, "-m", "cli", *arguments],
            cwd=ROOT,
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            env={**os.environ, "COLUMNS": "80", **environment},
            check=False,
            timeout=120,
        )
        return Run(ended.returncode, ended.stdout.decode(), ended.stderr.decode())

    return run


# A shell that runs us in the background has children ignore Ctrl-C; people at a terminal do not.
STARTED = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
import cli
from solver.search.budget import Budget

looks, check = 0, Budget.check

def counted(budget, states=0):
    global looks
    looks += 1
    if looks == 20:
        print("looked", file=sys.stderr, flush=True)
    check(budget, states)

Budget.check = counted
sys.exit(cli.main(sys.argv[1:]))
"""


@pytest.fixture
def interrupted() -> Runner:
    """Run a command that takes for ever as a process of its own, and press Ctrl-C as soon as it says ``after``.

    Whatever the command, ``looked`` is said when its search has looked at the clock some times.
    """

    def run(*arguments: str, after: str) -> Run:
        with subprocess.Popen(
            [sys.executable, "-c", STARTED, *arguments],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as running:
            try:
                assert running.stderr is not None
                assert any(line.startswith(after) for line in iter(running.stderr.readline, ""))
                assert running.poll() is None
                running.send_signal(signal.SIGINT)
                out, err = running.communicate(timeout=120)
            finally:
                running.kill()
        return Run(running.returncode, out, err)

    return run


@pytest.fixture
def hidden(tmp_path: Path) -> str:
    """Return the file of a position whose deck is hidden."""
    path = tmp_path / "hidden.toml"
    path.write_text(HIDDEN, "utf-8")
    return str(path)


@pytest.fixture
def state(tmp_path: Path) -> str:
    """Return the file of a small open position."""
    path = tmp_path / "state.toml"
    path.write_text(STATE, "utf-8")
    return str(path)


STATE = """\
game = "iditacards"
ruleset = "2019-02"

[chance]
seed = 1
open = ["deck", "upgrade", "weather", "legs", "legendary", "opponents"]

[state]
weather = "storm"

[[state.players]]
pos = 50
dogs = [{ dog = "wheel_dog", attachments = [] }]
hand = ["armour", "breakfast", "husky"]
deck = ["lunch", "repair_sled", "breakfast", "upgrade_sled", "move", "dinner", "first_aid", "move", "good_dog"]
"""
