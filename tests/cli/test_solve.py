from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from puzzles.puzzle import load_puzzle
from rules.core.position import load_position

if TYPE_CHECKING:
    from tests.cli.conftest import Run, Runner

EASY = "risk-in-risk"
"""A puzzle of the library that is proved at once."""


def replayed(bestline: Runner, position: str, line: list[str]) -> Run:
    return bestline("apply", position, "; ".join(line), "--json")


def test_an_answer_has_the_fields_that_programs_rely_on(bestline: Runner) -> None:
    puzzle = load_puzzle(EASY)
    run = bestline("solve", EASY, "--json")
    assert (run.code, run.err) == (0, "")
    told = run.json
    assert told["schema"] == "bestline/answer/1"
    assert (told["command"], told["ruleset"]) == ("solve", puzzle.position.ruleset.id)
    assert told["fingerprint"] == puzzle.position.fingerprint
    assert (told["information"], told["status"]) == ("open", "optimal")
    assert told["value"] == told["bound"] == len(told["plan"])
    assert told["proof"]["excluded_turns"] == told["value"] - 1
    assert told["proof"]["checked_by"] == ["replay"]
    assert told["statistics"]["generated"] > 0
    assert load_position(told["position_code"]) == puzzle.position


def test_the_line_replays_through_the_rules(bestline: Runner) -> None:
    puzzle = load_puzzle(EASY)
    told = bestline("solve", EASY, "--json").json
    assert told["line"] == [move for turn in told["plan"] for move in turn["moves"]]
    after = replayed(bestline, told["position_code"], told["line"]).json["position"]["state"]["players"][0]
    assert after["pos"] >= puzzle.goal.target
    assert after["turns"] == told["value"]
    assert told["plan"][-1]["to"] == after["pos"]


def test_people_see_the_verdict_the_plan_and_the_proof(bestline: Runner) -> None:
    run = bestline("solve", EASY)
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith("A Risk inside a Risk\nBe at space 72 or beyond in the fewest turns, without new_day.\n")
    assert "\nSOLVED 4 turns, proved best\n" in run.out
    assert "\nproof      No line of 3 turns gets to space 72: every one was searched," in run.out


def test_the_same_question_twice_gives_the_same_bytes(bestline: Runner) -> None:
    for words in (["--json"], []):
        first = bestline("solve", EASY, "--deterministic", *words).out
        assert bestline("solve", EASY, "--deterministic", *words).out == first


def test_a_position_takes_its_goal_from_the_options(bestline: Runner, state: str) -> None:
    told = bestline("solve", state, "--target", "54", "--no-new-day", "--json").json
    assert told["goal"] == {
        "objective": "min_turns",
        "target": 54,
        "within_turns": None,
        "forbidden": ["new_day"],
        "kept": [],
        "seat": 0,
    }
    assert (told["status"], told["value"]) == ("optimal", 2)


def test_options_change_the_goal_of_a_puzzle(bestline: Runner) -> None:
    told = bestline("solve", EASY, "--goal", "reach", "--within-turns", "4", "--json").json
    assert (told["goal"]["objective"], told["goal"]["target"], told["value"]) == ("reach", 72, 1)


def test_a_goal_that_holds_takes_no_turn(bestline: Runner, state: str) -> None:
    told = bestline("solve", state, "--target", "50", "--json").json
    assert (told["status"], told["value"], told["line"]) == ("optimal", 0, [])
    assert "SOLVED 0 turns: the goal is reached already" in bestline("solve", state, "--target", "50").out


def test_what_cannot_be_done_is_a_negative_answer(bestline: Runner, state: str) -> None:
    words = ["solve", state, "--goal", "reach", "--target", "120", "--within-turns", "2", "--no-new-day"]
    run = bestline(*words, "--json")
    assert (run.code, run.json["status"], run.json["value"]) == (1, "infeasible", 0)
    assert "IMPOSSIBLE proved: space 120 cannot be reached within 2 turns" in bestline(*words).out


def test_a_limit_gives_the_best_so_far_and_3(bestline: Runner) -> None:
    run = bestline("solve", "the-long-trail", "--time", "0.3", "--json")
    assert run.code == 3
    assert run.json["status"] in ("feasible", "unknown")
    assert run.json["bound"] is not None


def test_the_middle_of_a_turn_can_be_solved(bestline: Runner, state: str) -> None:
    code = bestline("apply", state, "sacrifice wheel_dog", "--json").json["position_code"]
    told = bestline("solve", code, "--target", "52", "--no-new-day", "--json").json
    assert told["status"] == "optimal"
    assert replayed(bestline, code, told["line"]).json["position"]["state"]["players"][0]["pos"] >= 52


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--goal", "fastest"],
            '--goal: must be one of "min_turns", "reach", "max_distance", "win", or a',
        ),
        (["--goal", "max_distance"], "--within-turns: 'max_distance' needs this number of own turns"),
        (["--seat", "1"], "--seat: there is no seat 1; the last one is 0"),
        (["--time", "soon"], "Invalid value for '--time'"),
    ],
)
def test_a_goal_that_does_not_fit_is_refused(bestline: Runner, state: str, words: list[str], message: str) -> None:
    run = bestline("solve", state, *words)
    assert (run.code, run.out) == (2, "")
    assert message in run.err


def test_nothing_to_solve_is_bad_usage(bestline: Runner) -> None:
    run = bestline("solve")
    assert run.code == 2
    assert "give a PUZZLE-or-STATE, or --batch FILE" in run.err


def test_a_batch_solves_line_by_line(bestline: Runner, state: str, tmp_path: Path) -> None:
    position = load_position(state).canonical()
    puzzle = {
        "id": "p",
        "puzzle": {"id": "p", "title": "P"},
        "goal": {"objective": "min_turns", "target": 52},
        "position": position,
    }
    path = tmp_path / "b.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in ({"id": "s", **position}, puzzle, {"id": "x"})), "utf-8")
    run = bestline("solve", "--batch", str(path), "--target", "54", "--no-new-day")
    assert run.code == 1
    answers = [json.loads(line) for line in run.out.splitlines()]
    assert [answer["id"] for answer in answers] == ["s", "p", "x"]
    assert [answer.get("value") for answer in answers] == [2, 2, None]
    assert "the key 'ruleset' is missing" in answers[2]["error"]


def test_more_processes_give_the_same_answers_in_the_same_order(bestline: Runner, state: str, tmp_path: Path) -> None:
    position = load_position(state).canonical()
    path = tmp_path / "b.jsonl"
    lines = [{"id": "one", **position}, {"id": "bad"}, {"id": "three", **position, "ruleset": "2019-08"}]
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    words = ("solve", "--batch", str(path), "--target", "54", "--no-new-day", "--deterministic")
    alone = bestline(*words)
    both = bestline(*words, "--jobs", "2")
    assert (both.code, both.out) == (alone.code, alone.out)
    assert [json.loads(line)["id"] for line in both.out.splitlines()] == ["one", "bad", "three"]


def test_a_cluster_that_is_not_there_is_bad_input(bestline: Runner, tmp_path: Path) -> None:
    path = tmp_path / "b.jsonl"
    path.write_text("{}", "utf-8")
    run = bestline("solve", "--batch", str(path), "--cluster", "nonsense://x")
    assert run.code == 2
    assert "--cluster" in run.err


def test_interrupting_prints_the_best_so_far(interrupted: Runner) -> None:
    run = interrupted("solve", "the-long-trail", "--json", "--no-cache", after="looked")
    assert (run.code, run.err) == (130, "interrupted\n")
    assert run.json["interrupted"] is True
    assert run.json["status"] in ("feasible", "unknown")


def test_interrupting_ends_the_whole_batch(interrupted: Runner, tmp_path: Path) -> None:
    line = json.dumps(load_puzzle("the-long-trail").position.canonical())
    (tmp_path / "lines.jsonl").write_text(f"{line}\n{line}\n", "utf-8")
    words = ("--batch", str(tmp_path / "lines.jsonl"), "--no-cache")
    run = interrupted("solve", *words, after="looked")
    assert (run.code, len(run.out.splitlines())) == (130, 1)
    assert json.loads(run.out)["interrupted"] is True


@pytest.mark.parametrize(
    ("option", "broken_off", "note"),
    [
        ("--why", "solver.proofs.Loosening.explanation", "--why: stopped before the reasons were found"),
        ("--second-opinion", "solver.proofs.cross_check", "--second-opinion: stopped before every line was played"),
    ],
)
def test_interrupting_what_comes_after_the_search_keeps_its_answer_and_is_told(
    bestline: Runner, monkeypatch: pytest.MonkeyPatch, option: str, broken_off: str, note: str
) -> None:
    def pressed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(broken_off, pressed)
    run = bestline("solve", "sprint-10", option, "--no-cache", "--json")
    assert (run.code, run.json["value"], run.json["interrupted"]) == (130, 3, True)
    assert note in run.err


def test_a_second_opinion_ends_though_nobody_sets_a_limit(bestline: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.commands.answers.SECOND_S", 0.1)
    assert "not every line could be played" in bestline("solve", "too-far", "--second-opinion", "--no-cache").err


def test_no_second_opinion_is_asked_for_after_an_interrupted_search(interrupted: Runner) -> None:
    run = interrupted("solve", "the-long-trail", "--json", "--no-cache", "--second-opinion", after="looked")
    assert run.code == 130
    assert "--second-opinion: stopped before it began" in run.err
    assert run.json["interrupted"] is True


def test_a_card_can_be_left_unplayed(bestline: Runner) -> None:
    words = ("sprint-20", "--without", "mush", "--json")
    told = bestline("solve", *words).json
    assert (told["status"], told["value"]) == ("optimal", 6)
    assert not [move for move in told["line"] if move.startswith("play mush")]
    best = bestline("best", *words).json
    assert best["value"] == 6
    assert not [each for each in best["moves"] if each["move"].startswith("play mush")]
    run = bestline("solve", "sprint-20", "--without", "mosh")
    assert run.code == 2
    assert "there is no card 'mosh'; did you mean 'mush'?" in run.err


@pytest.mark.slow
def test_why_it_is_impossible_is_told_and_stays_the_same(bestline: Runner) -> None:
    told = bestline("solve", "too-far-out", "--why", "--no-cache", "--plain")
    assert told.code == 1
    assert "Because soldiers leave the trench one by one" in " ".join(told.out.split())
    arguments = ("solve", "too-far-out", "--why", "--no-cache", "--json", "--deterministic")
    first = bestline(*arguments)
    assert [cause["id"] for cause in first.json["because"]["causes"]] == ["stack_from_trench"]
    assert first.json["because"]["minimal"] is True
    assert bestline(*arguments).out == first.out


def test_why_says_so_where_nothing_is_proved_impossible(bestline: Runner) -> None:
    told = bestline("solve", "sprint-10", "--why", "--no-cache", "--json", "--time", "0")
    assert "nothing is proved impossible" in told.err
    assert "because" not in told.json


def test_a_second_opinion_comes_with_an_answer(bestline: Runner) -> None:
    run = bestline("solve", "sprint-10", "--target", "2", "--second-opinion", "--json")
    assert run.code == 0
    assert run.json["proof"]["checked_by"][-1] == "closed layers"
    assert "the rules agree" in run.err


def test_what_is_to_be_kept_is_told(bestline: Runner) -> None:
    run = bestline("solve", "sprint-10", "--keep", "mush", "--json")
    assert (run.code, run.json["status"], run.json["goal"]["kept"]) == (1, "infeasible", ["mush"])
    refused = bestline("solve", "sprint-10", "--keep", "husk")
    assert refused.code == 2
    assert "did you mean 'husky'" in refused.err


def test_all_lines_that_do_as_well(bestline: Runner) -> None:
    told = bestline("solve", "knife", "--all", "--json").json
    assert told["lines"]["count"] == len(told["lines"]["lines"]) == 3
    assert told["lines"]["exact"] is True
    assert told["lines"]["lines"][0] == ["; ".join(turn["moves"]) for turn in told["plan"]]
    screen = bestline("solve", "knife", "--all")
    assert screen.code == 0
    assert "all lines  3 are as good" in screen.out
    assert "line 3" in screen.out


def test_all_moves_where_chance_is_hidden(bestline: Runner, tmp_path: Path) -> None:
    hidden = tmp_path / "hidden.toml"
    hidden.write_text(
        'game = "iditacards"\nruleset = "2019-02"\n[state]\nweather = "storm"\n[[state.players]]\npos = 50\n'
        'dogs = [{ dog = "wheel_dog", attachments = [] }]\n'
        'hand = ["armour", "breakfast", "rest", "lunch"]\ndeck = ["dinner", "first_aid", "move", "move"]\n'
    )
    asked = ("solve", str(hidden), "--goal", "reach", "--target", "60", "--within-turns", "3", "--no-new-day", "--json")
    few, every = bestline(*asked).json, bestline(*asked, "--all").json
    assert len(few["moves"]) == 3
    assert len(every["moves"]) == every["considered"] == 9
