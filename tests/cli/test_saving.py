"""Files that commands write: links are followed, devices and pipes stay what they are, and - is no file."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run, Runner
from tests.cli.tables import input_of

WRITING = {
    "answer": ("position", "new", "iditacards/2019-02", "-o", "{}"),
    "game": ("play", "iditacards/2019-02", "--save", "{}"),
    "proof": ("solve", "easy.toml", "--no-cache", "--proof", "{}"),
    "ruleset": ("rules", "new", "{}", "--extends", "iditacards/2019-02", "--force"),
}
"""A command for each kind of file that is written."""
REPORTS = {name: ("audit", "abyss/2021", f"--{name}", "{}") for name in ("html", "junit", "sarif")}
"""Written in the same way, after much work."""
EASY = """
[puzzle]
id = "easy"
title = "Easy"
[goal]
objective = "min_turns"
target = 1
[position]
game = "iditacards"
ruleset = "2019-02"
[position.chance]
seed = 1
open = ["deck", "upgrade", "weather", "legs", "legendary", "opponents"]
"""


@pytest.fixture
def write(tmp_path: Path, bestline: Runner, monkeypatch: pytest.MonkeyPatch) -> Runner:
    """Run the command that writes one kind of file to a path."""
    puzzle = tmp_path / "easy.toml"
    puzzle.write_text(EASY)

    def run(kind: str, path: str) -> Run:
        words = [puzzle.as_posix() if word == "easy.toml" else word.format(path) for word in WRITING[kind]]
        monkeypatch.setattr(sys, "stdin", input_of("moves\n1\n"))
        return bestline(*words)

    return run


@pytest.mark.parametrize("kind", WRITING)
def test_a_link_is_followed_and_permissions_stay(write: Runner, tmp_path: Path, kind: str) -> None:
    kept, link, dangling = tmp_path / "kept", tmp_path / "link", tmp_path / "dangling"
    kept.write_text("old")
    kept.chmod(0o640)
    link.symlink_to(kept)
    dangling.symlink_to(tmp_path / "new")
    for path in (link, dangling):
        assert write(kind, str(path)).err.count("error") == 0
        assert path.is_symlink()
        assert path.read_bytes() not in (b"", b"old")
    assert kept.stat().st_mode & 0o777 == 0o640
    assert {each.name for each in tmp_path.iterdir()} == {"kept", "link", "dangling", "new", "easy.toml"}


@pytest.mark.parametrize("kind", WRITING)
def test_a_device_or_a_pipe_is_never_replaced(write: Runner, tmp_path: Path, kind: str) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert write(kind, str(pipe)).code == 2  # nobody reads it
    assert pipe.is_fifo()
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    refused = "error" in write(kind, str(pipe)).err
    assert refused == (os.read(reader, 10) == b"")
    os.close(reader)
    assert pipe.is_fifo()
    write(kind, os.devnull)
    assert Path(os.devnull).is_char_device()


@pytest.mark.parametrize("kind", [*WRITING, *REPORTS])
def test_no_file_is_called_after_standard_output(
    bestline: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    (tmp_path / "easy.toml").write_text(EASY)
    monkeypatch.chdir(tmp_path)
    ended = bestline(*(word.format("-") for word in (WRITING | REPORTS)[kind]))
    assert not Path("-").exists()
    assert ended.out.startswith("game = ") if kind == "answer" else (ended.code == 2 and "error: -:" in ended.err)
