from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from puzzles.puzzle import load_puzzle
from rules.core.position import load_position
from tests.cli.tables import REACH

if TYPE_CHECKING:
    from tests.cli.conftest import Runner

WORDS = ["--target", "54", "--no-new-day"]


def test_every_open_move_is_compared(bestline: Runner, state: str) -> None:
    run = bestline("best", state, *WORDS, "--top", "99", "--json")
    assert (run.code, run.err) == (0, "")
    told = run.json
    moves = [move for move in bestline("moves", state, "--json").json["moves"] if move != "new_day"]
    assert (told["command"], told["status"], told["value"]) == ("best", "optimal", 2)
    assert told["open"] == told["considered"] == len(moves)
    assert sorted(each["move"] for each in told["moves"]) == moves
    assert told["moves"][0]["loss"] == 0
    assert told["moves"][0]["value"] == told["value"]
    assert told["line"]


def test_every_line_shown_replays_to_its_value(bestline: Runner, state: str) -> None:
    told = bestline("best", state, *WORDS, "--top", "99", "--json").json
    for each in told["moves"]:
        if each["value"] is None:
            continue
        assert each["line"][0] == each["move"]
        after = bestline("apply", state, "; ".join(each["line"]), "--json").json["position"]["state"]["players"][0]
        assert after["pos"] >= 54
        assert after["turns"] == each["value"] == told["value"] + each["loss"]


def test_only_the_top_is_shown(bestline: Runner, state: str) -> None:
    assert len(bestline("best", state, *WORDS, "--top", "2", "--json").json["moves"]) == 2
    out = bestline("best", state, *WORDS, "--top", "1").out
    assert out.count("  best\n") == 1
    assert "moves compared" in out


def test_people_see_the_move_the_others_and_the_plan(bestline: Runner, state: str) -> None:
    run = bestline("best", state, *WORDS)
    assert run.code == 0
    assert "\nBEST " in run.out
    assert "2 turns, proved best\n" in run.out
    assert "\nplan     1 " in run.out
    assert "\nproof " in run.out


def test_why_explains_the_plan(bestline: Runner, state: str) -> None:
    out = bestline("best", state, *WORDS, "--why").out
    assert "\n 1  " in out
    assert " automatic move " in out


def test_a_move_asked_about_is_compared(bestline: Runner, state: str) -> None:
    told = bestline("best", state, *WORDS, "--vs", "play breakfast", "--json").json
    assert told["versus"]["move"] == "play breakfast"
    out = bestline("best", state, *WORDS, "--vs", "play breakfast").out
    assert "\ninstead    play breakfast: " in out


def test_every_move_asked_about_is_compared(bestline: Runner, state: str, hidden: str) -> None:
    moves = bestline("moves", state, "--json").json["moves"][1:3]
    asked = ("--vs", moves[0], "--vs", moves[1])
    told = bestline("best", state, *WORDS, *asked, "--json").json
    assert [each["move"] for each in told["versus"]] == moves
    assert told["versus"][0]["value"] is not None
    assert bestline("best", state, *WORDS, *asked).out.count("\ninstead ") == 2
    words = (hidden, *REACH, "--vs", "play mush pay armour lunch", "--vs", "play armour pay lunch")
    told = bestline("best", *words, "--json").json
    assert [each["loss"] for each in told["versus"]] != [None, None]
    assert len(told["versus"]) == 2


def test_a_move_that_is_not_open_is_refused(bestline: Runner, state: str) -> None:
    run = bestline("best", state, *WORDS, "--vs", "play mush")
    assert (run.code, run.out) == (2, "")
    assert "illegal move 'play mush' (R14)" in run.err
    run = bestline("best", state, *WORDS, "--vs", "new_day")
    assert (run.code, run.out) == (2, "")
    assert "the goal forbids 'new_day'" in run.err


def test_the_same_question_twice_gives_the_same_bytes(bestline: Runner, state: str) -> None:
    for words in (["--json"], []):
        first = bestline("best", state, *WORDS, "--deterministic", *words).out
        assert bestline("best", state, *WORDS, "--deterministic", *words).out == first


def test_the_middle_of_a_turn_has_a_best_move(bestline: Runner) -> None:
    puzzle = load_puzzle("risk-in-risk")
    code = bestline("apply", "risk-in-risk", "sacrifice wheel_dog", "--json").json["position_code"]
    told = bestline("best", code, "--target", "60", "--no-new-day", "--json").json
    assert told["status"] == "optimal"
    assert puzzle.goal.target > 60


def test_a_batch_answers_line_by_line(bestline: Runner, state: str, tmp_path: Path) -> None:
    position = load_position(state).canonical()
    path = tmp_path / "b.jsonl"
    path.write_text(json.dumps({"id": 1, **position}) + "\nno\n", "utf-8")
    run = bestline("best", "--batch", str(path), *WORDS)
    assert run.code == 1
    first, second = map(json.loads, run.out.splitlines())
    assert (first["id"], first["command"], first["value"]) == (1, "best", 2)
    assert second["error"] == f"{path}:2: must be one JSON object, or the code of a position"


def test_opponents_that_are_not_there_are_noted(bestline: Runner) -> None:
    run = bestline("best", "sprint-10", "--opponents", "greedy")
    assert run.code == 0
    assert "--opponents changes nothing here" in run.err


def test_moves_of_a_far_goal_are_compared_by_playouts(bestline: Runner, tmp_path: Path) -> None:
    far = tmp_path / "far.toml"
    far.write_text(bestline("position", "new", "iditacards/2019-02", "--seed", "5").out)
    words = ["best", str(far), "--vs", "play rest", "--time", "0.05", "--deterministic"]
    told = bestline(*words, "--json")
    assert (told.code, told.json["status"], told.json["method"]) == (3, "unknown", "sampled")
    assert 1 < told.json["considered"] <= told.json["open"]
    assert len(told.json["moves"]) == 3
    assert told.json["line"] == [told.json["moves"][0]["move"]]
    assert told.json["versus"]["move"] == "play rest"
    assert told.json["moves_goal"]["objective"] == "max_distance"
    shown = bestline(*words).out
    assert "UNKNOWN nothing found before the limit" in shown
    assert "\nSAMPLED about space " in shown
    assert f"\n  1  {told.json['line'][0]} " in shown
    assert "\ninstead    play rest: " in shown


def test_what_is_proved_is_not_sampled(bestline: Runner, state: str) -> None:
    assert "method" not in bestline("best", state, *WORDS, "--json").json


@pytest.mark.slow
def test_the_best_move_comes_first_and_the_others_before_a_limit(bestline: Runner) -> None:
    told = bestline("best", "the-courier", "--json", "--top", "9", "--time", "300").json
    assert [each["move"] for each in told["moves"] if each["loss"] == 0] == ["give_up none", "give_up bribe"]
    assert told["moves"][0]["line"] == told["line"]
    assert told["considered"] == told["open"] == 4
    assert {each["bound"] for each in told["moves"][2:]} == {4}  # no three rounds do: four are not excluded
    shown = bestline("best", "the-courier", "--time", "300").out
    assert "give_up bribe digging            loses 2 rounds or more" in shown
    assert "all 4 moves compared: 2 best, 2 worse" in shown


@pytest.mark.slow
def test_other_moves_are_followed_where_nothing_is_proved(bestline: Runner) -> None:
    words = ["best", "three-hands", "--deterministic", "--time", "2", "--vs", "end"]
    told = bestline(*words, "--json")
    assert (told.code, told.json["status"]) == (3, "feasible")
    assert told.json["considered"] > 1
    best, other = told.json["moves"][0], told.json["versus"]
    assert (best["value"], best["line"]) == (told.json["value"], told.json["line"])
    assert (other["status"], other["line"][0], other["loss"]) == ("feasible", "end", None)
    assert other["value"] >= other["bound"] >= told.json["bound"]
    shown = bestline(*words).out
    assert f"{other['value']} turns found  {other['bound']} turns may be possible" in shown
    assert "moves followed that far, none proved; --time allows more" in shown
