"""The store of solved questions: quick when sound, harmless when not, never believed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import solver.store
from puzzles.goal import Goal, Objective
from puzzles.loader import load_puzzle
from solver.answer import Answer, Progress, Proof, Statistics, Status
from solver.engines.solve import solve
from solver.search.budget import Budget
from solver.store import Store, cache_folder, question_name, report_data, solve_remembering

PUZZLE = load_puzzle("sprint-10")
NAME = question_name(PUZZLE.position, PUZZLE.goal)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def ask(store: Store | None, limit: Budget | None = None) -> Answer[int]:
    return solve_remembering(PUZZLE.position, PUZZLE.goal, limit, None, store)


def begun(bound: int, value: int | None, line: list[list[str]], states: int = 0, pruned: int = 0) -> dict[str, Any]:
    """Return the entry of a search that was stopped."""
    known = Answer(Status.FEASIBLE, value, bound, (), Proof("none", states=states, pruned=pruned), Statistics())
    return {"known": {**json.loads(json.dumps(report_data(known))), "line": line}}


def same(one: Answer[int], other: Answer[int]) -> bool:
    def bare(report: Answer[int]) -> Answer[int]:
        return replace(report, statistics=replace(report.statistics, time_s=0), recalled=False)

    return bare(one) == bare(other)


def refuse(*_: Any, **__: Any) -> Answer[int]:
    raise AssertionError("the question was searched again")


def test_a_question_solved_once_is_not_searched_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    first = ask(store)
    assert not first.recalled
    monkeypatch.setattr(solver.store, "solve", refuse)
    again = ask(store)
    assert same(first, again)
    assert again.recalled


@pytest.mark.parametrize(
    "goal",
    [
        Goal(Objective.MAX_DISTANCE, 161, 2, frozenset({"new_day"})),
        Goal(Objective.REACH, 8, 2, frozenset({"new_day"})),
        Goal(Objective.REACH, 30, 2, frozenset({"new_day"})),
        Goal(Objective.MIN_TURNS, 0),
    ],
    ids=str,
)
def test_every_kind_of_answer_is_recalled(store: Store, goal: Goal) -> None:
    first = solve_remembering(PUZZLE.position, goal, None, None, store)
    again = solve_remembering(PUZZLE.position, goal, None, None, store)
    assert same(first, again)
    assert again.recalled


def test_another_question_is_another_question(store: Store) -> None:
    ask(store)
    for goal in (replace(PUZZLE.goal, target=8), replace(PUZZLE.goal, within_turns=9)):
        assert not solve_remembering(PUZZLE.position, goal, None, None, store).recalled
    other = load_puzzle("tailwind").position
    assert question_name(other, PUZZLE.goal) != NAME


def test_without_a_store_nothing_is_kept(cache_folder: Path) -> None:
    assert not ask(None).recalled
    assert list(cache_folder.iterdir()) == []


def junk(path: Path) -> None:
    path.write_bytes(b"\xffthis is no entry at all" * 100)


def torn(path: Path) -> None:
    raw = path.read_bytes()
    path.write_bytes(raw[: len(raw) // 2] + bytes(len(raw) // 2))


def empty(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("damage", [junk, torn, empty])
def test_a_damaged_file_is_begun_again(store: Store, damage: Callable[[Path], None]) -> None:
    ask(store)
    damage(store.file(NAME))
    report = ask(store)
    assert (report.status, report.value, report.recalled) == (Status.OPTIMAL, 3, False)
    assert ask(store).recalled


def alter(store: Store, change: Callable[[dict[str, Any]], None], *, sign: bool) -> None:
    entry = store.read(NAME)
    assert entry is not None
    change(entry)
    if sign:
        store.write(NAME, entry)
    else:
        digest = store.file(NAME).read_text("utf-8").partition("\n")[0]
        store.file(NAME).write_text(f"{digest}\n{json.dumps(entry)}", "utf-8")


@pytest.mark.parametrize("sign", [False, True])
@pytest.mark.parametrize(
    "change",
    [
        lambda entry: entry["report"].update(value=2),
        lambda entry: entry["report"]["line"].pop(),
        lambda entry: entry["report"]["line"][0].append("new_day"),
        lambda entry: entry["report"].update(line=[["play moonlight"]]),
        lambda entry: entry["report"].update(status="certain"),
        lambda entry: entry["report"].pop("proof"),
        lambda entry: entry["report"].update(line=7),
    ],
)
def test_an_altered_entry_is_not_believed(
    store: Store, change: Callable[[dict[str, Any]], None], *, sign: bool
) -> None:
    """Unsigned changes fail by their digest; signed ones because the line is played."""
    ask(store)
    alter(store, change, sign=sign)
    report = ask(store)
    assert (report.status, report.value, report.recalled) == (Status.OPTIMAL, 3, False)
    assert ask(store).recalled


def test_a_bound_without_its_digest_is_not_believed(store: Store) -> None:
    store.write(NAME, begun(1, None, []))
    alter(store, lambda entry: entry["known"].update(bound=9), sign=False)
    assert ask(store).value == 3


def test_what_other_code_has_answered_is_forgotten(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    ask(store)
    monkeypatch.setattr("solver.store.code_digest", lambda: "other")
    assert store.info().solved == 0
    assert not ask(store).recalled
    assert [path.name.startswith("answer-other-") for path in store.path.iterdir()] == [True]


def test_files_of_an_older_format_are_put_aside(store: Store) -> None:
    store.path.mkdir(parents=True, exist_ok=True)
    older = [store.path / name for name in ("answers.sqlite3", "answer-of-other-code")]
    for path in older:
        path.write_bytes(b"SQLite format 3\0" * 100)
    assert store.info().solved == 0
    assert not ask(store).recalled
    assert ask(store).recalled
    assert store.trouble == ""
    assert [path.exists() for path in older] == [True, False]


def test_the_oldest_entries_make_room(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver.store, "MOST", 3)
    for number in range(5):
        store.write(f"question {number}", begun(number, None, []))
        os.utime(store.file(f"question {number}"), (number, number))
    kept = [number for number in range(5) if store.read(f"question {number}")]
    assert kept == [2, 3, 4]
    assert store.info().begun == 3


def test_many_may_write_and_read_at_once(store: Store) -> None:
    entries = [begun(bound, None, [["end"] * 50]) for bound in range(40)]

    def use(entry: dict[str, Any]) -> bool:
        own = Store(store.path)
        own.write(NAME, entry)
        return own.trouble == "" and own.read(NAME) in entries

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(use, entries))
    assert [path.name for path in store.path.iterdir()] == [store.file(NAME).name]


def test_a_store_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", "utf-8")
    store = Store(blocked / "folder")
    assert ask(store).value == 3
    assert store.trouble
    assert store.info().solved == 0


# Going on where a search was stopped


class Killed(Exception):
    """Stands for the end of the process."""


def test_a_search_goes_on_where_it_was_killed(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = load_puzzle("sprint-20")
    monkeypatch.setattr(solver.store, "SAVE_AFTER_S", 0.0)
    whole = solve(puzzle.position, puzzle.goal)

    def killed(now: Progress) -> None:
        if now.bound == 4:
            raise Killed

    with pytest.raises(Killed):
        solve_remembering(puzzle.position, puzzle.goal, None, killed, store)
    assert store.info().begun == 1
    told: list[Progress] = []
    report = solve_remembering(puzzle.position, puzzle.goal, None, told.append, store)
    assert [now.bound for now in told] == [4]
    assert (report.status, report.value, report.bound) == (Status.OPTIMAL, whole.value, whole.bound)
    assert report.line == whole.line
    assert store.info().begun == 0
    assert store.info().solved == 1


def test_nothing_is_lost_when_time_runs_out(store: Store) -> None:
    puzzle = load_puzzle("sprint-20")
    best = solve(puzzle.position, puzzle.goal)
    line = [[step.text for step in turn.steps] for turn in best.line]
    name = question_name(puzzle.position, puzzle.goal)
    store.write(name, begun(3, 4, line, 5, 6))
    report = solve_remembering(puzzle.position, puzzle.goal, Budget(time_s=0), None, store)
    assert (report.status, report.value, report.bound) == (Status.FEASIBLE, 4, 3)
    assert report.line == best.line
    assert store.read(name) == begun(3, 4, line, 5, 6)


def test_a_bound_that_meets_the_line_is_the_proof(store: Store) -> None:
    puzzle = load_puzzle("sprint-20")
    name = question_name(puzzle.position, puzzle.goal)
    store.write(name, begun(4, None, [], 53, 86))
    report = solve_remembering(puzzle.position, puzzle.goal, None, None, store)
    assert (report.status, report.value) == (Status.OPTIMAL, 4)
    assert report.proof.excluded_turns == 3


def test_the_folder_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BESTLINE_CACHE_DIR", str(tmp_path / "own"))
    assert cache_folder() == tmp_path / "own"
    monkeypatch.delenv("BESTLINE_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "bestline"
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert cache_folder() == tmp_path / "home" / ".cache" / "bestline"
