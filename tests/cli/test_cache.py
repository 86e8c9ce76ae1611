"""The memory of ``solve`` and the commands about it, as they are typed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import solver.engines.answers
from tests.cli.conftest import Runner

EASY = "sprint-10"


def without_clock(answer: dict[str, Any]) -> dict[str, Any]:
    statistics = {key: value for key, value in answer["statistics"].items() if key not in ("time_s", "recalled")}
    return {**answer, "statistics": statistics}


def test_what_is_solved_is_known_next_time(bestline: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    first = bestline("solve", EASY, "--json").json
    assert bestline("cache", "info", "--json").json["solved"] == 1

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("the question was searched again")

    monkeypatch.setattr(solver.engines.answers, "in_rounds", refuse)
    again = bestline("solve", EASY, "--json")
    assert again.code == 0
    assert again.json["statistics"]["recalled"] is True
    assert without_clock(again.json) == without_clock(first)
    assert "Known from an earlier run." in " ".join(bestline("solve", EASY).out.split())


@pytest.mark.parametrize("option", ["--no-cache", "--deterministic"])
def test_the_store_can_be_left_alone(bestline: Runner, cache_folder: Path, option: str) -> None:
    before = bestline("solve", EASY, option, "--json").json
    assert list(cache_folder.iterdir()) == []
    bestline("solve", EASY)
    after = bestline("solve", EASY, option, "--json").json
    assert "recalled" not in after["statistics"]
    assert without_clock(after) == without_clock(before)


def test_the_cache_is_shown_and_cleared(bestline: Runner, cache_folder: Path) -> None:
    assert bestline("cache", "info", "--json").json == {
        "path": str(cache_folder),
        "solved": 0,
        "bytes": 0,
    }
    bestline("solve", EASY)
    shown = "".join(bestline("cache", "info").out.split())
    assert str(cache_folder) in shown
    assert "1solved," in shown
    assert bestline("cache", "clear").code == 0
    assert list(cache_folder.iterdir()) == []
    assert bestline("cache", "clear", "--json").json["cleared"] is True
    assert "recalled" not in bestline("solve", EASY, "--json").json["statistics"]


def test_a_damaged_cache_changes_no_answer(bestline: Runner, cache_folder: Path) -> None:
    first = bestline("solve", EASY, "--json").json
    for path in filter(Path.is_file, cache_folder.rglob("*")):
        path.write_bytes(b"junk" * 1000)
    again = bestline("solve", EASY, "--json")
    assert (again.code, again.err) == (0, "")
    assert without_clock(again.json) == without_clock(first)


def test_a_certificate_can_be_written_for_what_is_known(bestline: Runner, tmp_path: Path) -> None:
    bestline("solve", EASY)
    assert bestline("solve", EASY, "--proof", str(tmp_path / "proof")).code == 0
    assert bestline("verify", str(tmp_path / "proof")).code == 0
