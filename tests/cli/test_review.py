"""Reviews of games of several players, and the turning points of a record, from outside."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_hidden import record
from tests.rules.trench_rescue.duels import Duel


@pytest.fixture
def duel() -> str:
    return Duel("A", 2).battle.position.text()


def game_of(folder: Path, position: str, *moves: str) -> str:
    path = folder / "game.json"
    path.write_text(json.dumps({**json.loads(position), "moves": list(moves)}), "utf-8")
    return str(path)


def test_the_best_line_gives_nothing_away(bestline: Any, tmp_path: Path, duel: str) -> None:
    start = tmp_path / "duel.json"
    start.write_text(duel, "utf-8")
    best = bestline("best", str(start), "--json").json
    run = bestline("review", game_of(tmp_path, duel, *best["line"][:4]), "--json")
    told = run.json
    assert run.code == 0
    assert told["lost"] == ["0", "0"]
    assert told["steps"][0]["before"] == best["value"]
    assert {each["seat"] for each in told["steps"] if each["by"] == "player"} == {0, 1}


def test_a_loss_is_what_best_says(bestline: Any, tmp_path: Path, duel: str) -> None:
    start = tmp_path / "duel.json"
    start.write_text(duel, "utf-8")
    worst = bestline("best", str(start), "--top", "99", "--json").json["moves"][-1]
    assert worst["loss"] != "0"
    path = game_of(tmp_path, duel, worst["move"])
    told = bestline("review", path, "--json").json
    assert (told["steps"][0]["loss"], told["steps"][0]["method"]) == (worst["loss"], "exact")
    assert told["lost"] == [worst["loss"], "0"]
    assert "gives away" in bestline("review", path).out


def test_a_step_that_cannot_be_is_named(bestline: Any, tmp_path: Path, duel: str) -> None:
    run = bestline("review", game_of(tmp_path, duel, "end", "fly home"))
    assert (run.code, run.out) == (2, "")
    assert "moves[1]" in run.err


def test_without_time_losses_are_not_called_exact(bestline: Any, tmp_path: Path) -> None:
    position = Duel("A", 12).battle.position.text()
    run = bestline("review", game_of(tmp_path, position, "end"), "--time", "0", "--json")
    assert run.code == 3
    assert run.json["steps"][0]["method"] != "exact"
    assert run.json["unknown"] == 1


def test_turning_points_are_told_with_their_kind(bestline: Any, tmp_path: Path) -> None:
    path = record(tmp_path, "play mush pay armour lunch", "deck rest", "deck a_hat", "continue", "deck breakfast")
    told = bestline("review", path, "--json").json
    changes = {
        number: Fraction(each["luck"])
        for number, each in enumerate(told["steps"], start=1)
        if each["by"] == "chance" and each["luck"]
    }
    assert told["turning_points"] == [number for number, change in changes.items() if abs(change) >= Fraction(12, 100)]
    assert "(luck)" in bestline("review", path).out
