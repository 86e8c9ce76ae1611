"""Files of any size and kind: a clear line and the right exit code, soon and with little memory."""

from __future__ import annotations

import json
import resource
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

import pytest

from rules.core.files import MOST_BYTES
from rules.core.position import new_position
from rules.core.ruleset import load_ruleset

if TYPE_CHECKING:
    from tests.cli.conftest import Runner

HEAD = 'game = "iditacards"\nruleset = "2019-02"\n'
MANY = 9_000
CPU_S = 6.0
HOSTILE: dict[str, str | bytes] = {
    "unknown-keys.toml": HEAD + "[state]\n" + "".join(f"k{n} = {n}\n" for n in range(MANY)),
    "unknown-tables.toml": "".join(f"[a{n}.b]\nx = 1\n" for n in range(MANY)),
    "unknown-cards.json": json.dumps({"ruleset": "2019-02", "state": {"players": [{"hand": ["muhs"] * MANY}]}}),
    "equal-lists.json": json.dumps({"puzzle": {"themes": [[n] for n in range(MANY)] * 2}}),
    "themes.json": json.dumps({"puzzle": {"id": "a", "title": "t", "themes": [f"x{n}" for n in range(MANY)]}}),
    "entries.json": json.dumps({"a": [[]] * 50_000}),
    "deep.json": '{"a":' + "[" * 100_000,
    "deep.toml": "a = " + "[" * 100_000,
    "dotted.toml": "a" + ".a" * 100_000 + " = 1",
    "dotted-table.toml": "[a" + ".a" * 100_000 + "]\n",
    "digits.toml": HEAD + "players = 1" + "0" * 4000,
    "more-digits.toml": HEAD + "players = 1" + "0" * 5000,
    "hex-digits.toml": HEAD + "players = 0x" + "f" * 500_000,
    "infinite.toml": HEAD + "players = inf",
    "nan.json": '{"ruleset": "2019-02", "players": NaN}',
    "twice.json": "{" + ",".join(['"a": 1'] * 100_000) + "}",
    "long-text.json": json.dumps({"game": "x" * 1_000_000}),
    "long-key.json": json.dumps({"x" * 90_000: 1}),
    "wide.toml": HEAD.encode("utf-32"),
    "nul.toml": b"\0" * 1000,
    "far-away.json": json.dumps({"ruleset": "a\0b" * 1000}),
    "new-cards.toml": 'extends = "iditacards/2019-02"\n' + "".join(f"[cards.mushh{n}]\n" for n in range(MANY)),
    "effects.toml": 'extends = "iditacards/2019-02"\n[cards.mush]\neffects = [' + "{op='x'}," * MANY + "]\n",
    "too-large.toml": b"#" * (MOST_BYTES + 1),
}
READERS = {
    "position check": ("position", "check"),
    "rules check": ("rules", "check"),
    "review": ("review", "--time", "1"),
    "export": ("export",),
    "baseline": ("audit", "iditacards/treadmill", "--baseline"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_no_file_is_too_much_for_any_reader(bestline: Runner, tmp_path: Path, name: str) -> None:
    path, content = tmp_path / name, HOSTILE[name]
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    for command, words in READERS.items():
        began = process_time()
        run = bestline(*words, str(path))
        assert process_time() - began < CPU_S, command
        assert run.code in ((1, 2) if command.endswith("check") else (2,)), command
        told = (run.out + run.err).splitlines()
        assert 0 < len(told) <= 110, command
        assert max(map(len, told)) < 2_500, command
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 900_000  # of all tests in this process so far


def test_what_is_too_many_faults_is_counted(bestline: Runner, tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_text(HOSTILE["unknown-keys.toml"], "utf-8")  # type: ignore[arg-type]
    run = bestline("position", "check", str(path))
    assert run.code == 1
    assert any(f"and {MANY - 99:,} more" in line or f"and {MANY - 100:,} more" in line for line in run.out.splitlines())


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/full", "/dev/null", "/"])
def test_what_is_no_file_is_refused(bestline: Runner, device: str) -> None:
    for words in [("position", "check", device), ("review", device), ("perft", "--turns", "0", "--batch", device)]:
        run = bestline(*words)
        assert run.code == (0 if words[0] == "perft" and device == "/dev/null" else 2), words
        assert "Traceback" not in run.err


@pytest.mark.slow
@pytest.mark.parametrize("stdin", [b"\0" * (MOST_BYTES + 1), b"[" * 100_000, b"\xff\n\xfe"])
def test_standard_input_has_the_same_bounds(process: Runner, stdin: bytes) -> None:
    for words in [("export", "-"), ("review", "-"), ("play", "iditacards/2019-02", "-q")]:
        run = process(*words, stdin=stdin)
        assert run.code in (0, 2) if words[0] == "play" else run.code == 2, words
        assert "Traceback" not in run.err
        assert len(run.err) < 5_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("best", "{hidden}", "--within-turns", "1000000000"),
        ("best", "{hidden}", "--within-turns", "1000000", "--goal", "reach"),
        ("solve", "warm-up", "--target", "1" + "0" * 30),
        ("position", "new", "iditacards/2019-02", "--players", "1" + "0" * 9),
        ("export", "{state}", "--to", "dot", "--turns", "1000000000"),
        ("perft", "{state}", "--turns", "1000000000"),
        ("best", "{state}", "--top", "1000000000"),
    ],
)
def test_numbers_of_any_size_end_in_time(bestline: Runner, hidden: str, state: str, words: tuple[str, ...]) -> None:
    began = process_time()
    run = bestline(*(word.format(hidden=hidden, state=state) for word in words), *TIME.get(words[0], ()))
    assert run.code in (0, 2, 3)
    assert process_time() - began < CPU_S


TIME = dict.fromkeys(("best", "solve", "export", "perft"), ("--time", "1"))


def test_a_review_out_of_time_says_what_it_did_not_judge(bestline: Runner, tmp_path: Path) -> None:
    position = new_position(load_ruleset("iditacards/2019-02"), seed=7)
    game, state = position.start()
    moves: list[str] = []
    for _ in range(16):
        step = (game.legal_moves(state) or game.chance_outcomes(state))[-1]
        moves.append(step.text)
        state = game.apply(state, step).state
    path = tmp_path / "game.json"
    path.write_text(json.dumps({**position.canonical(), "moves": moves}), "utf-8")
    began = process_time()
    run = bestline("review", str(path), "--time", "0.3", "--json")
    assert (run.code, run.json["unknown"] > 0) == (3, True)
    assert process_time() - began < CPU_S
