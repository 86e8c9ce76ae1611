"""What people get wrong: a clear message on standard error, the right exit code."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Run, Runner

ROOT = Path(__file__).parents[2]


def refused(run: Run, *parts: str, code: int = 2) -> None:
    """Hold that a run ended with ``code``, silent on standard output, its message in whole lines without traceback."""
    assert run.code == code
    assert run.out == ""
    assert "Traceback" not in run.err
    for part in parts:
        assert part in run.err


def test_malformed_toml_names_the_line(bestline: Runner, tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_text('game = "iditacards"\nruleset = \n', "utf-8")
    refused(bestline("moves", str(path)), f"error: {path}:2: malformed TOML: ")


def test_every_fault_of_a_position_is_told_at_once(bestline: Runner, state: str) -> None:
    path = Path(state)
    text = path.read_text("utf-8").replace("pos = 50", 'pos = "50"').replace('"husky"]', '"huski"]')
    path.write_text(text.replace("weather = ", "wether = "), "utf-8")
    run = bestline("moves", state)
    refused(
        run,
        f"error: {state}:9: state.wether: unknown key; did you mean 'weather'?",
        f'error: {state}:12: state.players[0].pos: must be a whole number of at least 0, not "50"',
        f"error: {state}:14: state.players[0].hand[2]: \"huski\" is not a card of this ruleset; did you mean 'husky'?",
    )
    assert len(run.err.splitlines()) == 3


def test_an_impossible_position_is_refused(bestline: Runner, state: str) -> None:
    path = Path(state)
    path.write_text(path.read_text("utf-8").replace('"breakfast", "husky"]', '"husky", "husky"]'), "utf-8")
    refused(bestline("moves", state), "'husky' lies on the table 2 times, but the box has 1 for 1 player")
    checked = bestline("position", "check", state)
    assert (checked.code, checked.err) == (1, "")
    assert "'husky' lies on the table 2 times" in checked.out
    checked = bestline("position", "check", state, "--json")
    assert checked.json["ok"] is False
    assert [(fault["line"], fault["key"]) for fault in checked.json["faults"]] == [(14, "state.players[0].hand")]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("missing.toml", None, "there is no such file"),
        ("folder.toml", "", "this is a folder"),
        ("junk.toml", bytes(range(128, 256)), "not UTF-8 text"),
        ("empty.toml", b"\n\n", "the text is empty"),
        ("list.json", b"[1, 2]", "must be one table at the top"),
        ("half.json", b'{"game": "iditacards", ', "malformed JSON"),
    ],
)
def test_files_that_are_none(
    bestline: Runner, tmp_path: Path, name: str, content: bytes | str | None, message: str
) -> None:
    path = tmp_path / name
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content is not None:
        path.mkdir()
    refused(bestline("position", "show", str(path)), f"error: {path}", message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "<stdin>: the text is empty"),
        (b"\xff\xfe\x00", "error: "),
        (b"nonsense", "'nonsense' is no file, no position code and no puzzle id"),
        (b"game = 'iditacards'", "the key 'ruleset' is missing"),
    ],
)
def test_standard_input_that_is_no_position(process: Runner, text: bytes, message: str) -> None:
    refused(process("moves", "-", stdin=text), message)


def test_a_damaged_code_is_refused(process: Runner, bestline: Runner, state: str) -> None:
    code = bestline("position", "encode", state).out.strip()
    place = len(code) // 2
    damaged = code[:place] + ("a" if code[place] != "a" else "b") + code[place + 1 :]
    refused(process("moves", damaged), "error: ", "code")


def test_a_position_and_its_code_come_through_a_pipe(process: Runner, bestline: Runner, state: str) -> None:
    told = bestline("moves", state).out
    assert process("moves", "-", stdin=Path(state).read_bytes()).out == told
    assert process("moves", "-", stdin=bestline("position", "encode", state).out).out == told
    assert process("moves", "-", stdin=bestline("position", "show", state, "--json").out).out == told


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("play lunch", "illegal move 'play lunch' (R14)"),
        ("continue", "illegal move 'continue' (R14)"),
        ("play husky pay armour lunch", "illegal move"),
        ("fly", "'fly' is no move here"),
        ("play armour", "'play armour' could be any of 2 moves"),
        ("play breakfast; play lunch", "error: "),
        (" ; ", "give at least one move"),
    ],
)
def test_moves_that_are_not_open(bestline: Runner, state: str, move: str, message: str) -> None:
    refused(bestline("apply", state, move), message)


@pytest.mark.parametrize(
    "words",
    [
        ["fly"],
        ["moves"],
        ["moves", "x", "--nope"],
        ["perft", "x", "--turns", "many"],
        ["perft", "x", "--turns", "-1"],
        ["perft", "x"],
        ["position", "new", "iditacards/2019-02", "--seed", "-1"],
        ["position", "new", "iditacards/2019-02", "--players", "9"],
        ["position", "new", "iditacards/2019-02", "--open", "deck,wether"],
        ["position", "new", "iditacards/2020"],
        ["perft", "--batch", "missing.jsonl"],
    ],
)
def test_bad_usage(process: Runner, words: list[str]) -> None:
    refused(process(*words))


def test_an_unknown_command_names_the_nearest(process: Runner) -> None:
    assert "moves" in process("move").err


def test_an_unwritable_file_is_told(bestline: Runner, state: str, tmp_path: Path) -> None:
    refused(bestline("moves", state, "-o", str(tmp_path / "no" / "file")), "cannot be written")


def test_rulesets_with_faults_are_a_negative_answer(bestline: Runner, tmp_path: Path) -> None:
    path = tmp_path / "variant.toml"
    path.write_text('extends = "iditacards/2019-02"\n[cards.mush]\nenery = 1\nhealth = "2"\n', "utf-8")
    run = bestline("rules", "check", str(path))
    assert (run.code, run.err) == (1, "")
    assert f"{path}:3: cards.mush.enery: unknown key; did you mean 'energy'?" in run.out
    assert f"{path}:4: cards.mush.health: " in run.out
    assert bestline("rules", "check", str(tmp_path / "none.toml")).code == 2


def test_a_ruleset_is_no_table(bestline: Runner, tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('extends = "iditacards/2019-02"\n\n[options]\nauto_move = "speed"\n', "utf-8")
    for command in ("best", "review", "solve", "export", "position show", "moves"):
        run = bestline(*command.split(), str(path))
        assert (run.code, run.out, run.err.count("\n")) == (2, "", 1), command
        assert "this is a ruleset; 'bestline position new' deals a table of it" in run.err


def test_a_closed_pipe_is_no_fault(state: str) -> None:
    command = f"{sys.executable} -m cli perft {state} --turns 3 --list | head -n 1"
    ended = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ended.stderr == ""
    assert ended.returncode == 0
    assert ended.stdout.startswith('{"active":')


@pytest.mark.parametrize(
    ("where", "code", "message"), [("> /dev/full", 2, "cannot be written: No space"), (">&-", 0, "")]
)
def test_output_that_goes_nowhere_is_no_internal_fault(state: str, where: str, code: int, message: str) -> None:
    command = f"{sys.executable} -m cli moves {state} {where}"
    ended = subprocess.run(
        ["bash", "-c", command],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (ended.returncode, ended.stdout) == (code, "")
    assert message in ended.stderr if message else not ended.stderr


def test_an_internal_fault_is_one_line_and_70(bestline: Runner, state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("two\nlines")

    monkeypatch.setattr("solver.commands.position.read_position", broken)
    run = bestline("moves", state)
    assert (run.code, run.out) == (70, "")
    assert run.err == "internal error: RuntimeError: two lines (run again with --debug for the traceback)\n"
    with pytest.raises(RuntimeError):
        bestline("moves", state, "--debug")


LOADING = """
import sys

class Stopped:
    def find_spec(self, name, *more):
        if name == "{module}":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Stopped())
import cli
sys.exit(cli.main(["best", "-"]))
"""


@pytest.mark.parametrize("module", ["solver.commands.settings", "typer", "rules.core.errors"])
def test_interrupting_while_the_commands_are_loaded_leaves_no_traceback(module: str) -> None:
    words = [sys.executable, "-c", LOADING.format(module=module)]
    ended = subprocess.run(words, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=120)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, b"", b"interrupted\n")


def test_interrupting_ends_with_130(interrupted: Runner, state: str) -> None:
    run = interrupted("perft", state, "--turns", "30", after="looked")
    assert (run.code, run.err.splitlines()[-1]) == (130, "interrupted")


def test_output_that_cannot_show_a_glyph_does_not_fail(process: Runner, state: str) -> None:
    run = process("apply", state, "play breakfast", PYTHONIOENCODING="ascii")
    assert run.code == 0
    assert "- pays health" in run.out


@pytest.mark.parametrize(
    ("command", "option"),
    [
        (("audit", "iditacards/2019-02"), "--html"),
        (("audit", "iditacards/2019-02"), "--sarif"),
        (("solve", "sprint-30"), "--proof"),
        (("solve", "sprint-30"), "-o"),
    ],
)
def test_files_that_cannot_be_written_are_told_before_the_work(
    bestline: Runner, tmp_path: Path, command: tuple[str, ...], option: str
) -> None:
    refused(bestline(*command, option, str(tmp_path / "no" / "file")), "there is no folder")
    refused(bestline(*command, option, str(tmp_path)), "this is a folder")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"game": ' + '{"a": ' * 300 + "1" + "}" * 301, "nested too deeply"),
        ("a = " + "[" * 300 + "]" * 300, "nested too deeply"),
        ('{"chance": {"seed": ' + "9" * 5000 + "}}", "a number has too many digits"),
    ],
)
def test_files_that_no_reader_could_carry(bestline: Runner, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "odd.json"
    path.write_text(text, "utf-8")
    run = bestline("moves", str(path))
    assert (run.code, message in run.err) == (2, True)
    lines = bestline("perft", "--batch", str(path)).json
    assert "error" in lines


def test_a_code_in_several_lines_is_read(bestline: Runner, process: Runner, state: str) -> None:
    code = bestline("position", "encode", state).out.strip()
    broken = "\n".join([code[:40], f" {code[40:80]}", code[80:]])
    assert bestline("position", "encode", broken).out.strip() == code
    assert process("position", "encode", "-", stdin=broken).out.strip() == code


def test_whoever_asks_for_a_file_that_is_missing_is_named(bestline: Runner, tmp_path: Path) -> None:
    position = tmp_path / "p.toml"
    position.write_text('game = "iditacards"\nruleset = "../gone.toml"\n', "utf-8")
    refused(bestline("moves", str(position)), f"error: {position}:2: ruleset: there is no file '", "gone.toml'")
    variant = tmp_path / "v.toml"
    variant.write_text('extends = "../gone.toml"\n', "utf-8")
    refused(bestline("rules", "show", str(variant)), f"error: {variant}:1: extends: there is no file '", "gone.toml'")


def test_a_source_of_chance_is_opened_once(bestline: Runner) -> None:
    run = bestline("position", "new", "iditacards/2019-02", "--open", "deck,deck")
    refused(run, 'open[1]: "deck" stands twice in the list')


def test_a_target_is_not_passed_over(bestline: Runner, state: str) -> None:
    words = ("--goal", "max_distance", "--within-turns", "1")
    for command in ("solve", "best", "hint"):
        refused(bestline(command, state, *words, "--target", "52"), "--target: 'max_distance' gets as far as possible")
    asked = bestline("solve", "sprint-10", *words, "--json")
    assert (asked.code, asked.json["goal"]["objective"]) == (0, "max_distance"), "the target was that of another goal"


def test_two_screens_at_once_are_refused(bestline: Runner, state: str) -> None:
    words = ("perft", state, "--turns", "1", "--list", "--divide")
    refused(bestline(*words), "--list and --divide")
    both = bestline(*words, "--json").json
    assert len(both["list"]) == both["positions"]
    assert sum(part["lines"] for part in both["divide"].values()) == both["lines"]


def test_answers_to_faulty_lines_are_json(bestline: Runner, tmp_path: Path) -> None:
    batch = tmp_path / "batch.jsonl"
    batch.write_text('{"id": NaN}\n{"id": [1e999]}\n{"id": 3}\n', "utf-8")
    run = bestline("best", "--batch", str(batch))
    assert run.code == 1

    def none(name: str) -> None:
        raise AssertionError(name)

    told = [json.loads(line, parse_constant=none) for line in run.out.splitlines()]
    assert [each.get("id") for each in told] == [None, None, 3]
    assert all("error" in each for each in told)
