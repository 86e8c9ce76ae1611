from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rules.core.position import load_position, new_position
from rules.core.turns import perft

if TYPE_CHECKING:
    from tests.cli.conftest import Runner

SLED = {"pos": 100, "hand": ["mush", "move", "lunch", "first_aid"]}


def test_a_new_position_is_a_file_that_reads_back(bestline: Runner, tmp_path: Path) -> None:
    told = bestline("position", "new", "iditacards/2019-08", "--players", "2", "--seed", "9", "--open", "deck,weather")
    assert (told.code, told.err) == (0, "")
    path = tmp_path / "p.toml"
    path.write_text(told.out, "utf-8")
    position = load_position(str(path))
    assert (position.players, position.chance.seed) == (2, 9)
    assert position.chance.open == {"deck", "weather"}
    shown = bestline("position", "show", str(path), "--json")
    assert shown.json == position.canonical()


@pytest.mark.parametrize(
    ("ruleset", "table", "key", "words"),
    [
        ("iditacards/2019-02", {"players": [SLED, {"hand": 4}]}, "state.players[1].deck", "; 4 of them in the hand"),
        ("iditacards/2019-02", {"players": [SLED, {}]}, "state.players[1].hand", "6 cards, unknown"),
        (
            "iditacards/2019-02",
            {"players": [SLED, {}]},
            "state.upgrade",
            "speed 53, attack 53, upgrade 53, ",
        ),
        ("abyss/2021", {"seats": [{"identity": "leader"}, {"hand": 3}]}, "state.action_pile", "front "),
        ("trench_rescue/2012", {"piles": {"1,1": ["6H"]}}, "state.piles", "15 more places, as dealt"),
    ],
)
def test_what_stands_for_what_is_left_out_is_told(
    bestline: Runner, tmp_path: Path, ruleset: str, table: dict[str, Any], key: str, words: str
) -> None:
    game, _, edition = ruleset.partition("/")
    path = tmp_path / "table.json"
    path.write_text(json.dumps({"game": game, "ruleset": edition, "state": table}), "utf-8")
    assert words in bestline("position", "check", str(path), "--json").json["inferred"][key]
    assert f"{key}, left out: " in bestline("position", "check", str(path)).out


def test_a_code_tells_what_is_inferred_as_its_file_does(bestline: Runner, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    dogs = [{"dog": "wheel_dog", "attachments": ["dog_chow"]}, {"dog": "husky"}]
    table = {"weather": "wind", "players": [{"hand": ["mush"], "deck": ["move"], "dogs": dogs}]}
    path.write_text(json.dumps({"game": "iditacards", "ruleset": "2019-02", "state": table}), "utf-8")
    told = bestline("position", "check", str(path), "--json").json["inferred"]
    assert sorted(told) == ["state.legs", "state.upgrade"], "dogs lie in another order than they are written"
    code = bestline("position", "encode", str(path)).out.strip()
    assert bestline("position", "check", code, "--json").json["inferred"] == told


@pytest.mark.parametrize(("known", "sources"), [("all", 6), ("none", 0)])
def test_everything_or_nothing_may_be_open(bestline: Runner, known: str, sources: int) -> None:
    told = bestline("position", "new", "iditacards/2019-02", "--open", known, "--json")
    assert len(told.json["chance"]["open"]) == sources


def test_the_canonical_form_is_one_line_of_canonical_json(bestline: Runner, state: str) -> None:
    text = bestline("position", "show", state, "--json").out
    assert text == json.dumps(json.loads(text), sort_keys=True, separators=(",", ":")) + "\n"


def test_a_code_is_accepted_wherever_a_file_is(bestline: Runner, state: str) -> None:
    code = bestline("position", "encode", state).out.strip()
    assert bestline("position", "encode", code, "--json").json == {"position_code": code}
    assert bestline("moves", code).out == bestline("moves", state).out
    assert bestline("position", "show", code, "--json").out == bestline("position", "show", state, "--json").out


def test_a_position_is_shown_with_what_matters(bestline: Runner, state: str) -> None:
    lines = dict(
        line.split(maxsplit=1) for line in bestline("position", "show", state).out.splitlines() if line[0] != " "
    )
    assert lines["weather"] == "storm"
    assert lines["space"].startswith("50 on ")
    assert lines["hand"] == "◇armour, ●breakfast, ◆husky"
    assert lines["deck"].startswith("9 cards, top first: lunch, repair_sled")
    assert lines["code"] == bestline("position", "encode", state).out.strip()


def test_moves_as_json(bestline: Runner, state: str) -> None:
    assert bestline("moves", state, "--json").json == {
        "to_act": "player:0",
        "moves": [
            "new_day",
            "play armour pay breakfast",
            "play armour pay husky",
            "play breakfast",
            "play husky pay armour breakfast",
            "sacrifice wheel_dog",
        ],
        "chance": [],
    }


def test_moves_for_people(bestline: Runner, state: str) -> None:
    lines = bestline("moves", state).out.splitlines()
    assert lines[0] == "You have 6 moves"
    assert lines[1:3] == ["  new_day", "  play armour pay breakfast"]
    assert bestline("moves", new_position("abyss/2021", 2).code).out.startswith("Seat 1 has "), "as the table counts"


def test_outcomes_of_chance_add_to_one(bestline: Runner) -> None:
    hidden = new_position("iditacards/2019-02", seed=3, open_sources=()).code
    told = bestline("apply", hidden, "new_day", "--json").json
    outcomes = bestline("moves", told["position_code"], "--json").json
    assert outcomes["to_act"] == "chance"
    assert outcomes["moves"] == []
    assert {each["probability"] for each in outcomes["chance"]} == {"1/6"}
    assert len(outcomes["chance"]) == 6
    assert "chance has 6 outcomes" in bestline("moves", told["position_code"]).out


def test_steps_tell_what_the_rules_did(bestline: Runner, state: str) -> None:
    told = bestline("apply", state, "play husky pay armour breakfast; continue", "--json")
    assert set(told.json) == {"position", "events", "position_code"}
    player = told.json["position"]["state"]["players"][0]
    assert (player["pos"], player["turns"]) == (54, 2)
    assert {"R22", "R23", "R47"} <= {event["rule"] for event in told.json["events"]}
    assert all(event["text"] for event in told.json["events"])
    assert load_position(told.json["position_code"]).canonical() == told.json["position"]


def test_steps_for_people(bestline: Runner, state: str) -> None:
    told = bestline("apply", state, "play husky pay armour breakfast").out
    assert told.startswith("play husky pay armour breakfast\n")
    assert "R22" in told
    assert "\nspace      52" in told


def test_counts_agree_with_the_rules_core(bestline: Runner, state: str) -> None:
    counted = perft(*load_position(state).start(), 2)
    told = bestline("perft", state, "--turns", "2", "--json").json
    assert told == {
        "turns": 2,
        "positions": counted.positions,
        "lines": counted.lines,
        "terminal": counted.terminal,
        "digest": counted.digest,
    }
    assert f"positions  {counted.positions}\n" in bestline("perft", state, "--turns", "2").out
    listed = bestline("perft", state, "--turns", "2", "--list").out.splitlines()
    assert tuple(listed) == counted.texts
    assert bestline("perft", state, "--turns", "2", "--list", "--json").json["list"] == listed


def test_counts_end_with_the_whole_turns_there_is_time_for(bestline: Runner, state: str) -> None:
    words = ("perft", state, "--turns", "30", "--time", "0.2", "--deterministic")
    run = bestline(*words, "--json")
    assert run.code == 3
    counted = perft(*load_position(state).start(), run.json["turns"])
    assert (run.json["positions"], run.json["digest"]) == (counted.positions, counted.digest)
    assert (run.json["asked"], run.json["interrupted"]) == (30, False)
    assert "turns before it was stopped" in bestline(*words).err


def test_counts_divided_by_first_move(bestline: Runner, state: str) -> None:
    parts = bestline("perft", state, "--turns", "1", "--divide", "--json").json["divide"]
    assert set(parts) == set(bestline("moves", state, "--json").json["moves"])
    assert parts["play breakfast"]["positions"] == 1


def test_a_batch_answers_line_by_line_and_goes_on_after_faults(bestline: Runner, state: str, tmp_path: Path) -> None:
    position = load_position(state).canonical()
    lines = [
        json.dumps({"id": "a", **position, "turns": 1}),
        "{",
        "",
        json.dumps({"id": "b", **position, "turns": -1}),
        json.dumps({"id": "c", **position, "ruleset": "2019-2", "turns": 1}),
        json.dumps({**position, "turns": 0}),
        json.dumps(position),
        json.dumps({"puzzle": {}, "goal": {}, "position": position, "turns": 1}),
    ]
    path = tmp_path / "batch.jsonl"
    path.write_text("\n".join(lines), "utf-8")
    told = bestline("perft", "--batch", str(path))
    assert told.code == 1
    answers = [json.loads(line) for line in told.out.splitlines()]
    assert answers[0] == {"id": "a", **bestline("perft", state, "--turns", "1", "--json").json}
    assert list(answers[1]) == ["error"]
    assert answers[2] == {"id": "b", "error": "turns: must be a whole number of at least 0, not -1"}
    assert answers[3]["id"] == "c"
    assert "there is no ruleset '2019-2'; did you mean '2019-02'?" in answers[3]["error"]
    assert answers[4]["positions"] == 1
    assert answers[5] == {"error": 'turns: missing; say how many to look ahead, such as "turns": 2, or with --turns'}
    assert "turns:" not in answers[6]["error"]


def test_lines_of_a_batch_may_be_position_codes_and_leave_the_turns_to_the_option(
    bestline: Runner, state: str, tmp_path: Path
) -> None:
    code = bestline("position", "encode", state).out.strip()
    position = load_position(state).canonical()
    path = tmp_path / "codes.txt"
    lines = [code, *(json.dumps({"id": name, **position, "turns": n}) for name, n in (("own", 0), ("odd", None)))]
    path.write_text("\r\n".join([*lines, code[:-1]]), "utf-8")
    told = bestline("perft", "--batch", str(path), "--turns", "1")
    first, own, odd, cut = map(json.loads, told.out.splitlines())
    assert told.code == 1
    assert first == bestline("perft", state, "--turns", "1", "--json").json
    assert (own["id"], own["turns"]) == ("own", 0)
    assert odd == {"id": "odd", "error": "turns: must be a whole number of at least 0, not null"}
    assert "position code" in cut["error"]


@pytest.mark.parametrize("command", [("perft", "--turns", "1"), ("best",), ("solve",)])
def test_a_question_beside_a_batch_is_refused_not_passed_over(
    bestline: Runner, state: str, tmp_path: Path, command: tuple[str, ...]
) -> None:
    path = tmp_path / "none.jsonl"
    path.write_text("", "utf-8")
    told = bestline(*command, state, "--batch", str(path))
    assert (told.code, told.out) == (2, "")
    assert "leave one of the two out" in told.err


def test_an_answer_may_go_to_a_file(bestline: Runner, state: str, tmp_path: Path) -> None:
    target = tmp_path / "moves.txt"
    told = bestline("moves", state, "-o", str(target))
    assert (told.code, told.out, told.err) == (0, "", f"wrote {target}\n")
    assert bestline("moves", state, "-o", str(target), "-q").err == ""
    assert target.read_text("utf-8") == bestline("moves", state).out


def test_ascii_screens_are_ascii(bestline: Runner, state: str) -> None:
    told = bestline("apply", state, "play breakfast", "--ascii")
    assert told.out.isascii()
    assert "\n  - pays health with " in told.out


def test_the_table_in_the_middle_of_a_turn_is_shown_as_it_lies(bestline: Runner, state: str) -> None:
    told = bestline("apply", state, "sacrifice wheel_dog").out
    assert "\ndogs" not in told
    assert "\nthis turn  sacrifice wheel_dog\n" in told


@pytest.mark.parametrize(("puzzle", "move"), [("torchlight", "give_up none"), ("call-up", "enter AS x2")])
def test_the_first_step_of_a_turn_of_a_challenge_can_be_taken(bestline: Runner, puzzle: str, move: str) -> None:
    after = bestline("apply", puzzle, move, "--json").json["position"]
    assert after["state"]["pending"]["moves"] == [move]
    assert f"this turn  {move}" in " ".join(bestline("apply", puzzle, move).out.splitlines())


def test_an_answer_stands_for_its_position(bestline: Runner, process: Runner, state: str, tmp_path: Path) -> None:
    after = bestline("apply", state, "play breakfast", "--json")
    file = tmp_path / "after.json"
    file.write_text(after.out, "utf-8")
    moves = bestline("moves", after.json["position_code"], "--json").json
    assert bestline("moves", str(file), "--json").json == moves
    assert process("moves", "-", "--json", stdin=after.out).json == moves
    lines = tmp_path / "lines.jsonl"
    lines.write_text(json.dumps({"id": 1, "turns": 0, "position_code": after.json["position_code"]}), "utf-8")
    assert bestline("perft", "--batch", str(lines)).json["positions"] == 1
