"""The README is run as it stands: its two commands by ``.ci/run``, every example here."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import cli
from puzzles.loader import library

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


EXAMPLES = [line[2:] for block in blocks("console") for line in block.splitlines() if line.startswith("$ ")]


def test_the_first_two_shell_lines_solve_and_test() -> None:
    solve, tests = blocks("sh")[0].splitlines()
    for command in (solve, tests):
        assert command.startswith("python3 -m venv .venv && .venv/bin/pip install -q -r requirements")
    assert solve.split()[-3:-1] == [".venv/bin/bestline", "solve"]
    assert solve.split()[-1] in library()
    assert "pytest" in tests


def test_the_second_line_ends_in_the_tests_alone() -> None:
    # .ci/run puts the linter and the type checker between the setup and the tests.
    setup, _, tests = blocks("sh")[0].splitlines()[1].rpartition(" && ")
    assert tests.startswith(".venv/bin/python -m pytest")
    assert "pytest" not in setup


def named(folder: Path) -> None:
    """Write the files whose name is the first line of what is shown."""
    for block in blocks("toml"):
        name = re.match(r"# (\S+\.toml)\n", block)
        if name is not None:
            (folder / name[1]).write_text(block, "utf-8")


def test_examples_run_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    named(tmp_path)
    for example in EXAMPLES:
        program, *words = shlex.split(example)
        assert program == "bestline"
        code = cli.main(words)
        captured = capsys.readouterr()
        # Whoever sets a time may run out of it (exit code 3), on a slow machine more often than not.
        assert code in ((0, 3) if "--time" in words else (0,)), f"{example}: {captured.err}"


@pytest.mark.parametrize("block", [block for block in blocks("console") if not block.splitlines()[-1].startswith("$ ")])
def test_answers_begin_as_shown(
    block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    named(tmp_path)
    example, _, answer = block.partition("\n")
    cli.main(shlex.split(example)[2:])
    assert capsys.readouterr().out.startswith(answer)


def test_examples_show_every_command() -> None:
    used = {shlex.split(example)[1] for example in EXAMPLES}
    assert {"best", "solve", "moves", "apply", "perft", "position", "puzzle", "rules"} <= used


@pytest.mark.parametrize("block", blocks("toml"))
def test_files_shown_are_valid(block: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "shown.toml"
    path.write_text(block, "utf-8")
    assert cli.main(["puzzle", "show", str(path)]) == 0, capsys.readouterr().err


def test_the_options_shown_exist() -> None:
    for option in re.findall(r"`(--[a-z-]+)", README):
        assert any(option in path.read_text("utf-8") for path in (ROOT / "solver" / "commands").glob("*.py")), option
