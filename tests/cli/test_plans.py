"""What is said of moves where chance comes between them: plans, hints, goals, and every line by itself."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.tables import HIDDEN, REACH

if TYPE_CHECKING:
    from tests.cli.conftest import Runner

DAWN = """
game = "iditacards"
ruleset = "2019-02"

[state]
weather = "storm"

[[state.players]]
pos = 50
dogs = []
hand = []
deck = ["move", "mush", "lunch"]
"""


@pytest.fixture
def dawn(tmp_path: Path) -> str:
    path = tmp_path / "dawn.toml"
    path.write_text(DAWN, "utf-8")
    return str(path)


def test_a_plan_tells_moves_before_what_comes_up_and_leaves_out_what_always_does(bestline: Runner, dawn: str) -> None:
    out = bestline("best", dawn, "--goal", "max_distance", "--within-turns", "2").out
    assert re.search(r"  50.0 %   new_day, then cloud or snow or storm +space", out)
    assert "  50.0 %   after cloud or snow or storm: new_day " in out  # lunch, move and mush are drawn in any case


def test_why_there_is_nothing_to_choose(bestline: Runner, dawn: str) -> None:
    run = bestline("best", dawn, *REACH, "--no-new-day")
    assert run.code == 2
    assert "there is no move to choose: only new_day is open, and the goal forbids it" in run.err


def test_plan_and_hint_tell_moves_that_can_be_said(bestline: Runner, tmp_path: Path) -> None:
    path = tmp_path / "engine.toml"
    waiting = 'stack = [{ card = "steam_engine", need = 3, paid = 2, step = "risk" }]'
    hand, deck = 'hand = ["dog_collar", "cat"]', 'deck = ["makeshift_sled", "slow_and_steady"]'
    head = 'game = "iditacards"\nruleset = "2017"\nstate.weather = "cloud"'
    path.write_text(f"{head}\n[[state.players]]\npos = 6\n{hand}\n{deck}\n{waiting}\n", "utf-8")
    words = [str(path), "--goal", "max_distance", "--within-turns", "1", "--no-new-day"]
    plan = bestline("best", *words, "--json").json["plan"]
    # Slow and Steady costs nothing, so that nobody is asked what pays for it.
    assert {each["seen"][0]: each["moves"] for each in plan} == {
        "makeshift_sled": ["continue", "pay cat"],
        "slow_and_steady": ["continue"],
    }
    for each in plan:
        first, *rest = each["moves"]
        assert bestline("apply", str(path), "; ".join([first, f"deck {each['seen'][0]}", *rest])).code == 0
    assert "continue; after makeshift_sled: pay cat" in bestline("best", *words).out
    assert bestline("hint", *words, "--level", "line").out.startswith("continue\n")


def test_moves_that_are_compared_are_those_that_are_open(bestline: Runner, tmp_path: Path) -> None:
    # Who has nothing plans nothing: that is not asked, and the first question is the one after it.
    path = tmp_path / "poor.json"
    seats = [{"hand": [], "rp": 0, "identity": "adventurer"}]
    told = {"game": "abyss", "ruleset": "2021", "players": 1, "chance": {"open": ["actions", "events"], "seed": 40}}
    path.write_text(json.dumps({**told, "state": {"phase": "choose", "round": 7, "seats": seats}}), "utf-8")
    told = bestline("best", str(path), "--goal", "max_distance", "--within-turns", "1", "--json").json
    assert [each["move"] for each in told["moves"]] == bestline("moves", str(path), "--json").json["moves"]
    assert told["plan"][0]["moves"] == ["go_on"]


@pytest.fixture
def deal(bestline: Runner, tmp_path: Path) -> str:
    path = str(tmp_path / "deal.toml")
    bestline("position", "new", "abyss/2021", "--seed", "3", "--players", "1", "--open", "none", "-q", "-o", path)
    return path


def test_a_goal_that_says_how_luck_goes_is_not_answered_by_chance(bestline: Runner, deal: str) -> None:
    first = next(step for step in bestline("solve", deal, "--goal", "AB-S4", "--json").json["line"] if step)
    run = bestline("best", deal, "--goal", "AB-S4")
    assert run.code == 2
    assert "'bestline solve' answers it" in run.err
    hint = bestline("hint", deal, "--goal", "AB-S4", "--level", "move")
    assert (hint.code, hint.out.splitlines()[0]) == (0, first)


def test_what_moves_are_compared_by_is_told_beside_what_was_asked(bestline: Runner, deal: str) -> None:
    out = " ".join(bestline("best", deal, "--goal", "min_turns", "--time", "0.3").out.split())
    assert out.startswith("Have 40 points or more in the fewest turns. That is too far to be followed to its end:")
    assert "how many points there are after 6 turns." in out


def test_bounds_of_a_goal_in_rounds_name_its_turns(bestline: Runner, tmp_path: Path) -> None:
    path = str(tmp_path / "deal.toml")
    words = ["--seed", "3", "--players", "1", "--open", "actions,events", "-q", "-o", path]
    bestline("position", "new", "abyss/2021", *words)
    out = bestline("solve", path, "--goal", "AB-S1", "--time", "0.3", "--deterministic").out
    assert re.search(r"\d+ stages?, 6 to a round may be possible", out)


def test_every_plain_line_names_its_card(bestline: Runner, tmp_path: Path) -> None:
    path = tmp_path / "several.toml"
    hand = '["mush", "move", "repair_sled", "lunch", "husky"]'
    deck = '["move", "mush", "lunch", "rest", "first_aid", "breakfast", "dinner", "armour"]'
    text = HIDDEN.replace('["mush", "lunch", "armour"]', hand).replace('["rest", "breakfast", "lunch", "a_hat"]', deck)
    path.write_text(text, "utf-8")
    told = {each["card"]: each for each in bestline("risk", str(path), "--table", "--json").json["cards"]}
    lines = bestline("risk", str(path), "--table", "--plain").out.splitlines()
    named = {card: [line for line in lines if line.startswith((f"{card}, ", f"{card}: "))] for card in told}
    assert set(told) == {"husky", "mush"}
    assert all(named.values())
    assert Fraction(told["husky"]["face_down"]["chance"]["exact"]) < Fraction(told["husky"]["chance"])
