"""What is said on a terminal while a search goes on, and where no terminal can take it."""

from __future__ import annotations

import io
import os
import sys

import pytest

from solver.commands.meanwhile import telling, wiped
from solver.commands.settings import Settings


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def on_terminal(monkeypatch: pytest.MonkeyPatch, **settings: str) -> Terminal:
    """Put a terminal of 40 columns where answers and notes go; pytest sets its own before each test."""
    screen = Terminal()
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, screen)
    monkeypatch.setattr("shutil.get_terminal_size", lambda *_: os.terminal_size((40, 24)))
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in {"TERM": "xterm", **settings}.items():
        monkeypatch.setenv(name, value)
    return screen


def test_a_line_to_be_written_over_is_never_wrapped(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch)
    tell = telling(Settings())
    assert tell is not None
    tell("so far: play husky pay armour upgrade_sled, about 32.75 after 28 playouts")
    wiped(Settings())
    told = terminal.getvalue()
    assert max(len(part) for part in told.replace("\x1b[K", "").split("\r")) < 40
    assert told.endswith("\r\x1b[K")


def test_a_terminal_that_knows_no_codes_gets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch, TERM="dumb")
    assert telling(Settings()) is None
    wiped(Settings())
    assert terminal.getvalue() == ""
    assert not Settings().style.colour
    assert Settings().style.width == 40


@pytest.mark.parametrize(("value", "colour"), [("1", False), ("", True)])
def test_no_color_counts_where_it_is_not_empty(monkeypatch: pytest.MonkeyPatch, value: str, *, colour: bool) -> None:
    on_terminal(monkeypatch, NO_COLOR=value)
    assert Settings().style.colour is colour
