"""Answers that were damaged on the way: what reads them names file and key, or does not need the value."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Runner

INSTEAD: tuple[Any, ...] = (None, True, 7, -1, 1e308, "x", [], {})
ASKED = {
    "solve": ("solve", "sprint-10"),
    "rounds": ("solve", "torchlight"),
    "best": ("best", "sprint-10"),
    "exact": ("best", "{hidden}", "--goal", "max_distance", "--within-turns", "1"),
    "sampled": ("best", "{hidden}", "--time", "0.5"),
    "risk": ("risk", "{hidden}"),
    "pay": ("pay", "{state}", "armour"),
    "hint": ("hint", "sprint-10"),
    "contest": ("best", "{contest}", "--time", "0.5"),
}
READ = ("line", "goal", "asked", "status", "value", "information", "method", "verdict", "payoff", "position_code")
"""Keys that readers of an answer look at; of the others one value of another type stands for all."""


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield where the values of an answer stand, of each list the first one only."""
    inner = list(value.items()) if isinstance(value, dict) else list(enumerate(value))[:1] if _is_list(value) else []
    for name, part in inner:
        yield (*path, name)
        yield from places(part, (*path, name))


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def damaged(answer: Any, path: tuple[Any, ...], value: Any) -> str:
    copy = json.loads(json.dumps(answer))
    inner = copy
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = value
    return json.dumps(copy)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ASKED)
def test_a_value_of_another_type_is_named_or_not_needed(
    bestline: Runner, tmp_path: Path, hidden: str, state: str, kind: str
) -> None:
    contest = tmp_path / "contest.toml"
    contest.write_text(bestline("position", "new", "abyss/2021").out, "utf-8")
    words = (word.format(hidden=hidden, state=state, contest=contest) for word in ASKED[kind])
    answer = bestline(*words, "--json").json
    path = tmp_path / "answer.json"
    path.write_text(json.dumps(answer), "utf-8")
    assert bestline("export", str(path)).code == 0
    for place in places(answer):
        if len(place) > 2 and place[0] not in READ and answer["information"] == "open":
            continue
        branches = place[0] in ("plan", "next_turn") and answer["information"] == "hidden"
        for value in INSTEAD if place[0] in READ or branches else INSTEAD[:1]:
            path.write_text(damaged(answer, place, value), "utf-8")
            run = bestline("export", str(path), "-q")
            assert run.code in (0, 2), (place, value, run.err)
            if run.code == 2:
                assert str(path) in run.err, (place, value, run.err)
                assert str(place[0]) in run.err or "step 1" in run.err, (place, value, run.err)


@pytest.mark.slow
@pytest.mark.parametrize("reader", [("review", "--time", "0"), ("position", "check")])
def test_a_damaged_saved_game_is_named(bestline: Runner, tmp_path: Path, state: str, reader: tuple[str, ...]) -> None:
    saved = {**bestline("position", "show", state, "--json").json, "moves": ["new_day"]}
    path = tmp_path / "game.json"
    for place in (each for each in places(saved) if len(each) < 3):
        for value in INSTEAD[:2] if len(place) > 1 else INSTEAD:
            path.write_text(damaged(saved, place, value), "utf-8")
            run = bestline(*reader, str(path), "-q")
            assert run.code in (0, 1, 2, 3), (place, value, run.err)
            if run.code == 2:
                assert str(path) in run.err or "moves[0]" in run.err, (place, value, run.err)


@pytest.mark.parametrize("value", INSTEAD)
def test_a_store_with_entries_of_another_shape_does_no_harm(value: Any) -> None:
    from puzzles.puzzle import load_puzzle
    from solver.engines.answers import solve
    from solver.store import Store, question_name

    puzzle = load_puzzle("sprint-10")
    store = Store()
    name = question_name(puzzle.position, puzzle.goal)
    for entry in ({"known": value}, {"line": value}):
        store.write(name, entry)
        assert solve(puzzle.position, puzzle.goal, store=store).value == 3
