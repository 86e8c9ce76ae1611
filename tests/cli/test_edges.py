"""Small things at the edges of all commands: what is read, what a limit of turns means, what is said at the end."""

from __future__ import annotations

import json
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from tests.cli.conftest import Runner
from tests.cli.tables import input_of

RULESETS = {"abyss": "abyss/2021", "iditacards": "iditacards/2019-08", "trench_rescue": "trench_rescue/2012"}


@pytest.fixture
def late(tmp_path: Path, bestline: Runner) -> str:
    """Return the file of a race of which the first turns cannot reach the finish."""
    path = str(tmp_path / "late.toml")
    assert bestline("position", "new", "iditacards/open-track", "-o", path).code == 0
    return path


def typed(monkeypatch: pytest.MonkeyPatch, raw: bytes) -> None:
    """Have standard input say something."""
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(raw)))


def saved(bestline: Runner, monkeypatch: pytest.MonkeyPatch, folder: Path, game: str, players: str = "1") -> str:
    """Return the file of a game with its first step taken."""
    path = str(folder / f"{game}.json")
    monkeypatch.setattr(sys, "stdin", input_of("moves\n1\n"))
    assert bestline("play", RULESETS[game], "--players", players, "--save", path, "-q").code == 0
    return path


# Reading


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("kind", ["position", "code", "broken code", "answer", "game"])
def test_what_one_command_writes_the_others_read(
    bestline: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, encoding: str, kind: str
) -> None:
    code = bestline("position", "encode", "sprint-10").out.strip()
    text = {
        "position": bestline("position", "show", "sprint-10", "--json").out,
        "code": f" {code} \n\n",
        "broken code": f"{code[:70]}\n{code[70:]}\n",
        "answer": json.dumps({"command": "solve", "goal": {"objective": "min_turns"}, "position_code": code}),
        "game": json.dumps({**bestline("position", "show", "sprint-10", "--json").json, "moves": []}),
    }[kind]
    path = tmp_path / "file.txt"
    path.write_bytes(text.encode(encoding))
    for command in (("position", "encode"), ("export", "--to", "json"), ("moves",)):
        from_file = bestline(*command, str(path))
        typed(monkeypatch, path.read_bytes())
        assert (from_file.code, bestline(*command, "-").out) == (0, from_file.out)
    assert bestline("position", "encode", str(path)).out.strip() == code
    if kind != "broken code":
        assert bestline("perft", "--batch", str(path), "--turns", "0").code == 0
        typed(monkeypatch, path.read_bytes())
        assert bestline("perft", "--batch", "-", "--turns", "0").code == 0


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_mark_before_what_is_typed_says_nothing(
    bestline: Runner, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    code = bestline("position", "encode", "sprint-10").out.strip()
    assert bestline("position", "check", f"\ufeff{code}").code == 0
    typed(monkeypatch, "undo\n".encode(encoding))
    assert "there is nothing to take back" in bestline("play", "sprint-10").out


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_damaged_code_cannot_be_read_wherever_it_stands(
    bestline: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, wrapped: bool
) -> None:
    code = bestline("position", "encode", "sprint-10").out.strip() + "x"
    path = tmp_path / "file.txt"
    path.write_text(json.dumps({"command": "solve", "position_code": code}) if wrapped else code, "utf-8")
    typed(monkeypatch, path.read_bytes())
    for where in (str(path), "-", *(() if wrapped else (code,))):
        ended = bestline("position", "check", where)
        assert (ended.code, ended.out) == (2, "")
        assert "its checksum does not fit" in ended.err


@pytest.mark.parametrize("command", ["puzzle show", "puzzle verify", "rules check", "review", "verify"])
def test_a_code_where_none_can_be_meant_is_refused(bestline: Runner, tmp_path: Path, command: str) -> None:
    path = tmp_path / "code.txt"
    path.write_text(bestline("position", "encode", "sprint-10").out)
    ended = bestline(*command.split(), str(path))
    assert ended.code in (1, 2)
    assert len((ended.err + ended.out).splitlines()) == 1


@pytest.mark.parametrize("game", RULESETS)
@pytest.mark.parametrize("players", ["1", "2"])
def test_a_saved_game_is_a_position(
    bestline: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, game: str, players: str
) -> None:
    path = saved(bestline, monkeypatch, tmp_path, game, players)
    begun, step = json.loads(Path(path).read_text()), json.loads(Path(path).read_text())["moves"][0]
    start = tmp_path / "start.json"
    start.write_text(json.dumps({key: value for key, value in begun.items() if key != "moves"}))
    applied = bestline("apply", str(start), step, "--json").json["position"]
    assert bestline("position", "show", path, "--json").json == applied
    for words in ("position check", "position encode", "moves", "risk", "perft --turns 0", "export --to svg"):
        assert bestline(*words.split(), path).code == 0, words
    for words in ("best --time 0.1", "hint --time 0.1", "review --time 0.1"):
        ended = bestline(*words.split(), path)
        assert ended.code in (0, 3) or "chance decides next" in ended.err, words
    batch = tmp_path / "batch.jsonl"
    batch.write_text(json.dumps({"id": 7, "turns": 0, **begun}))
    assert bestline("perft", "--batch", str(batch)).json["id"] == 7


# Limits of turns


@pytest.mark.parametrize("words", ["solve", "best", "hint", "solve --goal reach", "hint --level line", "review"])
def test_turns_below_a_proved_bound_are_impossible(
    bestline: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, late: str, words: str
) -> None:
    if words == "review":
        monkeypatch.setattr(sys, "stdin", input_of("moves\n1\n"))
        bestline("play", late, "--save", str(tmp_path / "game.json"), "-q")
        late = str(tmp_path / "game.json")
    ended = bestline(*words.split(), late, "--within-turns", "2", "--deterministic", "--time", "5")
    assert ended.code == 1
    assert "no move serves the goal" in ended.out if words.startswith("hint") else "IMPOSSIBLE proved" in ended.out
    assert "SAMPLED" not in ended.out


@pytest.mark.parametrize("command", ["best", "hint", "solve"])
def test_no_way_to_play_beats_the_bound_of_a_game_whatever_is_hidden(
    bestline: Runner, tmp_path: Path, command: str
) -> None:
    path = str(tmp_path / "hidden.toml")
    bestline("position", "new", "abyss/2021", "--players", "1", "--open", "none", "-o", path)
    ended = bestline(command, path, "--goal", "AB-S2", "--within-turns", "0", "--time", "1")
    assert ended.code == 1


@pytest.mark.parametrize(("game", "asked"), [("abyss", "Reach either goal"), ("trench_rescue", "The largest gain")])
@pytest.mark.parametrize("command", ["best", "solve", "play"])
def test_a_limit_of_turns_leaves_the_usual_goal(
    bestline: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, game: str, asked: str, command: str
) -> None:
    path = str(tmp_path / "alone.toml")
    bestline("position", "new", RULESETS[game], "--players", "1", "-o", path)
    monkeypatch.setattr(sys, "stdin", input_of(""))
    assert asked in bestline(command, path, "--within-turns", "3", "--time", "1").out


@pytest.mark.parametrize("game", RULESETS)
def test_a_limit_of_turns_among_several_asks_who_wins(
    bestline: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, game: str
) -> None:
    path = str(tmp_path / "several.toml")
    bestline("position", "new", RULESETS[game], "--players", "2", "-o", path)
    monkeypatch.setattr(sys, "stdin", input_of(""))
    assert "ahead of the others" in bestline("play", path, "--within-turns", "3").out.splitlines()[0]


def test_a_puzzle_keeps_its_goal(bestline: Runner) -> None:
    assert "space 10 or beyond" in bestline("best", "sprint-10", "--within-turns", "2").out


# What is known, and what is not found


@pytest.mark.parametrize(("command", "told"), [("hint --level line", "3 turns, proved"), ("best", "earlier run")])
def test_what_was_proved_is_known(bestline: Runner, command: str, told: str) -> None:
    assert bestline("solve", "sprint-10", "-q").code == 0
    assert told in bestline(*command.split(), "sprint-10").out


def test_nothing_found_is_said_quietly_too(bestline: Runner, tmp_path: Path) -> None:
    ended = bestline("puzzle", "generate", "iditacards/2019-02", "-q", "--tries", "1", "--grade", "5")
    assert (ended.code, ended.out) == (3, "")
    assert "0 of 1 found" in ended.err
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n")
    assert "no line to answer" in bestline("perft", "--batch", str(empty), "--turns", "1", "-q").err
