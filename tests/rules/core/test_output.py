"""Files are written whole or not at all."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import pytest

from rules.core.errors import BestlineError
from rules.core.tools.output import whole_file, write_file


def test_a_file_is_written_and_written_over(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old", "utf-8")
    path.chmod(0o640)
    write_file(path, "new \ud800")
    assert path.read_text("utf-8") == "new \\ud800"
    assert path.stat().st_mode & 0o777 == 0o640
    write_file(path, b"\0")
    assert [each.name for each in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.parametrize("step", ["write_bytes", "replace"])
def test_what_cannot_be_written_leaves_all_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "a.txt"
    path.write_text("old", "utf-8")
    monkeypatch.setattr(Path, step, full)
    for target in (path, tmp_path / "b.txt"):
        with pytest.raises(BestlineError, match=rf"{target.name}: cannot be written: No space left"):
            write_file(target, "new")
    assert [each.name for each in tmp_path.iterdir()] == ["a.txt"]
    assert path.read_text("utf-8") == "old"


def test_a_fault_on_the_way_leaves_nothing(tmp_path: Path) -> None:
    def half_written() -> None:
        with whole_file(tmp_path / "a") as place:
            place.write_text("half", "utf-8")
            raise ValueError("ours")

    with pytest.raises(ValueError, match="ours"):
        half_written()
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_device_is_written_to_where_it_is() -> None:
    write_file(Path("/dev/null"), "x")
    assert Path("/dev/null").is_char_device()
    with pytest.raises(BestlineError, match="No space left"):
        write_file(Path("/dev/full"), "x")
