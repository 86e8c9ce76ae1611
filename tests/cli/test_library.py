from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from puzzles.puzzle import Puzzle, library, load_puzzle, read_question
from rules.core.files import Source
from solver import compiled_form
from solver.commands import VERSION, audit
from solver.commands import puzzle as commands
from solver.store import FOLDER

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Runner


def test_puzzles_are_listed(bestline: Runner) -> None:
    told = bestline("puzzle", "list", "--json").json["puzzles"]
    assert [each["id"] for each in told] == list(library())
    games = bestline("puzzle", "list").out.split("\n\n")
    met: list[str] = []
    for title, head, *lines in map(str.splitlines, games):
        assert head.split() == ["puzzle", "grade", "goal", "title"]
        names, grades, *_ = zip(*(line.split()[:2] for line in lines), strict=True)
        assert {load_puzzle(name).position.definition.title for name in names} == {title}
        assert list(grades) == sorted(grades)
        met += names
    assert sorted(met) == list(library())


def test_a_puzzle_is_shown_without_its_solution(bestline: Runner) -> None:
    for name in library():
        puzzle = load_puzzle(name)
        told = bestline("puzzle", "show", name, "--json").json
        assert told["title"] == puzzle.title
        assert told["goal"]["objective"] == (puzzle.goal.challenge or puzzle.goal.objective)
        assert told["position"] == puzzle.position.canonical()
        assert "solution" not in told
        read = read_question(Source(told, "", ""))
        assert isinstance(read, Puzzle)
        assert (read.id, read.goal, read.solution) == (puzzle.id, puzzle.goal, None)
        assert read.position.canonical() == puzzle.position.canonical()
        assert bestline("puzzle", "show", name).out.startswith(f"{puzzle.title}\n")


def test_the_library_is_verified_but_for_what_states_no_solution(
    bestline: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = {name: library()[name] for name in ("sprint-10", "the-long-trail")}
    monkeypatch.setattr(commands, "library", lambda: few)
    run = bestline("puzzle", "verify")
    assert (run.code, run.out) == (0, "holds  sprint-10  3 is proved best\n")
    assert run.err == "nothing to verify in the-long-trail: no solution is stated\n"
    assert bestline("puzzle", "verify", "the-long-trail").code == 1


def test_doctor_is_content(bestline: Runner) -> None:
    run = bestline("doctor", "--json")
    assert run.code == 0
    assert run.json["sound"] is True
    assert run.json["bestline"] == VERSION
    assert "every ruleset and puzzle is sound" in bestline("doctor").out


def test_doctor_names_what_is_missing(bestline: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "PACKAGES", ("typer", "no-such-package"))
    run = bestline("doctor")
    assert run.code == 1
    assert "missing; install what requirements.txt lists" in run.out


@pytest.mark.parametrize(
    ("form", "code", "words"), [("compiled", 0, "yes"), ("plain", 0, "come slower"), ("stale", 1, "do not trust")]
)
def test_doctor_says_whether_modules_are_compiled(
    form: str, code: int, words: str, bestline: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled_form, "build_state", lambda: form)
    run = bestline("doctor", "--json")
    assert (run.code, run.json["sound"]) == (code, not code)
    assert words in run.json["compiled"]
    assert (compiled_form.remedy() in run.json["compiled"]) == (form != "compiled")


def test_doctor_says_whether_the_cache_can_be_written(
    bestline: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "cache"))
    assert "nothing can be remembered" not in bestline("doctor", "--json").json["cache"]
    (tmp_path / "file").touch()
    monkeypatch.setenv(FOLDER, str(tmp_path / "file" / "cache"))
    run = bestline("doctor", "--json")
    assert run.code == 0
    assert f"{tmp_path / 'file'}" in run.json["cache"]
    assert "nothing can be remembered there: " in run.json["cache"]


def test_the_version(bestline: Runner) -> None:
    assert bestline("--version").out == f"bestline {VERSION}\n"


def test_help_lists_every_command_under_a_heading(bestline: Runner) -> None:
    run = bestline("--help")
    assert run.code == 0
    heading = ""
    found: dict[str, str] = {}
    for line in run.out.splitlines():
        if line and line[0] != " " and line.endswith(":"):
            heading = line
        elif line.startswith("  ") and heading and line.split():
            found.setdefault(line.split()[0], heading)
    assert found["solve"] == "Answers:"
    assert found["puzzle"] == "Library:"
    assert found["perft"] == "Rules core:"
    assert "..." not in run.out.replace("[ARGS]...", ""), "a summary is too long"
    assert max(map(len, run.out.splitlines())) <= 80


@pytest.mark.parametrize("words", [["solve"], ["position", "new"], ["perft"], ["rules", "check"]])
def test_every_command_takes_the_shared_options(bestline: Runner, words: list[str]) -> None:
    told = bestline(*words, "--help").out
    for option in (
        "--json",
        "--time",
        "--seed",
        "--deterministic",
        "--threads",
        "--ascii",
        "--plain",
        "-o",
        "-q",
        "-v",
    ):
        assert f"{option}" in told


def test_json_is_one_line(bestline: Runner) -> None:
    out = bestline("puzzle", "list", "--json").out
    assert out.count("\n") == 1
    assert json.loads(out)
