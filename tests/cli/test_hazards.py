"""``risk`` in games whose dangers come by themselves: shells on soldiers, Events on partners."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Runner
from tests.rules.abyss.boards import EVENTS, board, seat
from tests.rules.trench_rescue.battles import Battle

BATTLE = Battle("4C@1,1 9S@3,2 5D@4,4", starter="black").position
HOUSEHOLD = board(
    seat(identity="leader", partners=["homeless:1", "guardian:8"]), known=("actions", "picks"), events=EVENTS
)


def told(bestline: Runner, code: str, *words: str) -> list[dict[str, Any]]:
    run = bestline("risk", code, *words, "--json")
    assert run.code == 0
    hazards: list[dict[str, Any]] = run.json["hazards"]
    return hazards


def test_every_soldier_on_the_field_with_its_chance(bestline: Runner) -> None:
    """Three soldiers draw one shell; the cells of section 6 take 1/9, 1/18 and 1/36."""
    found = [(each["seat"], each["subject"], each["chance"]) for each in told(bestline, BATTLE.code)]
    assert found == [(0, "4C", "1/9"), (0, "9S", "1/18"), (1, "5D", "1/36")]
    assert all(each["rule"] == "6.5" and each["method"] == "exact" for each in told(bestline, BATTLE.code))


def test_one_soldier_is_asked_for_by_name(bestline: Runner) -> None:
    assert [each["subject"] for each in told(bestline, BATTLE.code, "5d")] == ["5D"]
    run = bestline("risk", BATTLE.code, "KH")
    assert (run.code, run.out) == (2, "")
    assert "nothing threatens 'KH' now; threatened: 4C, 9S, 5D" in run.err


def test_the_screen_shows_bars_and_fractions(bestline: Runner) -> None:
    out = bestline("risk", BATTLE.code, "--plain").out
    assert "black: 4C is hit, 11.1 %, 1/9" in out
    out = bestline("risk", HOUSEHOLD.code).out
    assert "1 homeless (1 HP) dies in the Abyss  ███░░░░░░░░░░░░░  20.0 %  1/5" in out
    assert "1 homeless (1 HP) dies in the City   ██░░░░░░░░░░░░░░  10.0 %  1/10" in out
    assert "by rule    7 (Event cards)" in out


@pytest.mark.parametrize("name", ["call-up"])
def test_where_nothing_can_happen_it_says_so(bestline: Runner, name: str) -> None:
    assert bestline("risk", name).out.startswith("Nothing on the table is in danger now.")


def test_a_turn_under_way_is_looked_at_as_it_lies(bestline: Runner, tmp_path: Path) -> None:
    """A second soldier in the field draws the shell that one alone does not (12, F2)."""
    battle = Battle("4C@1,1", trench={"black": ["9S"], "red": []}, starter="black", to_move="black").position
    assert [each["chance"] for each in told(bestline, battle.code)] == ["0"]
    assert bestline("risk", battle.code).out.startswith("Nothing on the table is in danger now."), "0 % is no danger"
    after = bestline("apply", battle.code, "enter 9S x4", "--json").json["position"]
    path = tmp_path / "battle.json"
    path.write_text(json.dumps(after), "utf-8")
    assert [(each["subject"], each["chance"]) for each in told(bestline, str(path))] == [("4C", "1/9"), ("9S", "1/18")]
