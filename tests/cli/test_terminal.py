"""What is said on a terminal while a search goes on, and where no terminal can take it."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from fractions import Fraction
from itertools import count
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import pytest

import cli
from puzzles.puzzle import Goal, Objective
from rules.core.position import new_position
from solver.commands import line_input
from solver.commands.question import observed
from solver.commands.settings import Settings, hushed
from solver.question import Question

ASKED = Question(new_position("iditacards/2019-02", 1, 3, ()), Goal(Objective.MIN_TURNS, 10))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def on_terminal(monkeypatch: pytest.MonkeyPatch, **settings: str) -> Terminal:
    """Put a terminal of 40 columns where answers and notes go; pytest sets its own before each test."""
    screen = Terminal()
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, screen)
    monkeypatch.setattr("shutil.get_terminal_size", lambda *_, **__: os.terminal_size((40, 24)))
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in {"TERM": "xterm", **settings}.items():
        monkeypatch.setenv(name, value)
    return screen


def test_a_line_to_be_written_over_is_never_wrapped(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch)
    Settings().report("so far: play husky pay armour upgrade_sled, about 32.75 after 28 playouts")
    hushed()
    told = terminal.getvalue()
    assert max(len(part) for part in told.replace("\x1b[K", "").split("\r")) < 40
    assert told.endswith("\r\x1b[K")


def test_notes_and_prompts_break_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, asked = on_terminal(monkeypatch), list[str]()
    Settings().note("Type names or how they begin, several at once: mush, 2 move.")
    assert terminal.getvalue() == "Type names or how they begin, several at\nonce: mush, 2 move.\n"
    monkeypatch.setattr(line_input, "_session", lambda: SimpleNamespace(prompt=lambda text, **_: asked.append(text())))
    line_input.Terminal().line("Your dogs, each with what it wears (such as husky): ")
    assert asked == ["Your dogs, each with what it wears (such\nas husky): "]
    line_input.Terminal().line("You> ", above=lambda: "play move, 7 playouts, 95 % interval 78.3 to 93.8")
    assert asked[1] == "play move, 7 playouts, 95 % interval\n78.3 to 93.8\nYou> ", "what stands above it, too"


def test_whoever_waits_sees_the_seconds_go_by(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.commands.settings.TICK_S", 0.02)
    monkeypatch.setattr("solver.commands.settings.monotonic", count(step=5).__next__)
    terminal = on_terminal(monkeypatch)
    tell = observed(Settings(), ASKED).on_progress
    assert tell is not None
    waited = Event()
    while "searching (" not in terminal.getvalue():
        waited.wait(0.01)
    tell(7, 3, 1234)
    assert "best so far 7 turns, 3 turns not (" in terminal.getvalue()
    Settings().note("a word")
    assert "\r\x1b[Ka word\n" in terminal.getvalue()
    Settings().answer("done")
    assert terminal.getvalue().endswith("\r\x1b[Kdone\n")
    shown = terminal.getvalue()
    waited.wait(0.1)
    assert terminal.getvalue() == shown, "nothing moves after the answer"


def test_a_hint_tells_nothing_more_while_it_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch)
    cli.main(("hint", ASKED.position.code, "--time", "0.3"))
    assert "try" in terminal.getvalue() or "play" in terminal.getvalue()
    assert "so far" not in terminal.getvalue()


def test_a_chance_that_few_playouts_agree_on_is_not_told(capsys: pytest.CaptureFixture[str]) -> None:
    asked = observed(Settings(verbose=True), Question(new_position("iditacards/2019-02", 2, 3, ())))
    move = next(each for each in asked.moves() if each.text == "new_day")
    assert asked.on_round is not None
    for value in (Fraction(1), Fraction(3, 4)):
        asked.on_round(None, move, value, 9)
    told = [line for line in capsys.readouterr().err.splitlines() if line.startswith("so far")]
    assert told == ["so far: new_day after 9 playouts", "so far: new_day, about 75.0 % to win after 9 playouts"]


def test_off_a_terminal_only_what_is_new_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert observed(Settings(), ASKED).on_progress is None
    tell = observed(Settings(verbose=True), ASKED).on_progress
    assert tell is not None
    assert capsys.readouterr().err == f"searching {ASKED.position.code}\n"
    for value, states in ((None, 10), (None, 20), (7, 30)):
        tell(value, 3, states)
    assert capsys.readouterr().err == (
        "no line so far, 3 turns not ruled out\nbest so far 7 turns, 3 turns not ruled out\n"
    )


def test_a_terminal_that_knows_no_codes_gets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch, TERM="dumb")
    assert not Settings().is_heard
    Settings().report("so far")
    hushed()
    assert terminal.getvalue() == ""
    assert not Settings().style.colour
    assert Settings().style.width == 40


def test_only_our_own_codes_reach_a_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    terminal = on_terminal(monkeypatch)
    hostile = "\x1b[31mno\x07\x9b2J\n\x1b[1mHOLDS"
    path = tmp_path / "light.json"
    path.write_text(json.dumps({"extends": "iditacards/2019-02", "meta": {"title": hostile, "summary": hostile}}))
    for words in (("rules", "show", str(path), "mush"), ("solve", hostile), ("solve", "sprint-10", f"--{hostile}")):
        cli.main(words)
    Settings().report(hostile)
    hushed()
    shown = terminal.getvalue()
    assert "\x1b[1m" in shown, "titles are bold"
    assert "\x07" not in shown
    assert "\x9b" not in shown
    assert "\x1b[31m" not in shown
    assert not re.search(r"^(\x1b\[[0-9;]*m)*HOLDS", shown, re.M)


@pytest.mark.parametrize(("value", "colour"), [("1", False), ("", True)])
def test_no_color_counts_where_it_is_not_empty(monkeypatch: pytest.MonkeyPatch, value: str, *, colour: bool) -> None:
    on_terminal(monkeypatch, NO_COLOR=value)
    assert Settings().style.colour is colour
