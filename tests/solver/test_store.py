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

import solver.engines.answers
from puzzles.puzzle import Goal, Objective, load_puzzle
from solver.engines.answers import solve
from solver.question import Answer, Status
from solver.search.budget import Budget
from solver.store import Store, cache_folder, question_name, report_data

PUZZLE = load_puzzle("sprint-10")
NAME = question_name(PUZZLE.position, PUZZLE.goal)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def ask(store: Store | None, limit: Budget | None = None) -> Answer[int]:
    return solve(PUZZLE.position, PUZZLE.goal, limit, None, store)


def entry(bound: int) -> dict[str, Any]:
    """Return the entry of an answer with a bound."""
    report = Answer(Status.INFEASIBLE, None, bound)
    return dict(json.loads(json.dumps(report_data(report))))


def same(one: Answer[int], other: Answer[int]) -> bool:
    def bare(report: Answer[int]) -> Answer[int]:
        return replace(report, statistics=report.statistics._replace(time_s=0), recalled=False)

    return bare(one) == bare(other)


def refuse(*_: Any, **__: Any) -> Answer[int]:
    raise AssertionError("the question was searched again")


def test_a_question_solved_once_is_not_searched_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    first = ask(store)
    assert not first.recalled
    monkeypatch.setattr(solver.engines.answers, "in_rounds", refuse)
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
    first = solve(PUZZLE.position, goal, None, None, store)
    again = solve(PUZZLE.position, goal, None, None, store)
    assert same(first, again)
    assert again.recalled


def test_another_question_is_another_question(store: Store) -> None:
    ask(store)
    for goal in (replace(PUZZLE.goal, target=8), replace(PUZZLE.goal, within_turns=9)):
        assert not solve(PUZZLE.position, goal, None, None, store).recalled
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
        lambda entry: entry.update(value=2),
        lambda entry: entry["line"].pop(),
        lambda entry: entry["line"][0].append("new_day"),
        lambda entry: entry.update(line=[["play moonlight"]]),
        lambda entry: entry.update(status="certain"),
        lambda entry: entry.pop("proof"),
        lambda entry: entry.update(line=7),
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
    store.write(NAME, entry(1))
    alter(store, lambda altered: altered.update(bound=9), sign=False)
    assert ask(store).value == 3


def test_what_other_code_has_answered_is_forgotten(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    ask(store)
    monkeypatch.setattr("solver.store.code_digest", lambda: "other")
    assert store.info()["solved"] == 0
    assert not ask(store).recalled
    assert [path.name.startswith("answer-other-") for path in store.path.iterdir()] == [True]


def test_files_of_an_older_format_are_put_aside(store: Store) -> None:
    store.path.mkdir(parents=True, exist_ok=True)
    older = [store.path / name for name in ("answers.sqlite3", "answer-of-other-code")]
    for path in older:
        path.write_bytes(b"SQLite format 3\0" * 100)
    assert store.info()["solved"] == 0
    assert not ask(store).recalled
    assert ask(store).recalled
    assert store.trouble == ""
    assert [path.exists() for path in older] == [True, False]


def test_what_a_killed_process_left_half_written_is_deleted(store: Store) -> None:
    ask(store)
    parts = [store.path / f"answer-part-{number}-1" for number in range(2)]
    for part in parts:
        part.write_text("half", "utf-8")
    os.utime(parts[0], (0, 0))
    store.write("another question", entry(1))
    assert [part.exists() for part in parts] == [False, True]


def test_the_oldest_entries_make_room(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver.store, "MOST", 3)
    for number in range(5):
        store.write(f"question {number}", entry(number))
        os.utime(store.file(f"question {number}"), (number, number))
    kept = [number for number in range(5) if store.read(f"question {number}")]
    assert kept == [2, 3, 4]
    assert store.info()["solved"] == 3


def test_many_may_write_and_read_at_once(store: Store) -> None:
    entries = [entry(bound) for bound in range(40)]

    def use(one: dict[str, Any]) -> bool:
        own = Store(store.path)
        own.write(NAME, one)
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
    assert store.info()["solved"] == 0


def test_the_folder_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BESTLINE_CACHE_DIR", str(tmp_path / "own"))
    assert cache_folder() == tmp_path / "own"
    monkeypatch.delenv("BESTLINE_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "bestline"
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert cache_folder() == tmp_path / "home" / ".cache" / "bestline"
