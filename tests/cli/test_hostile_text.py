"""Text from outside is shown escaped: no sign of it steers a terminal, hides, breaks a file, or begins a line of ours.

Every command is walked, whatever it is called, with the same text as argument, as value of an option and as name of a
file; and every text and key of every kind of file is replaced by it in turn.
"""

from __future__ import annotations

import inspect
import json
import re
import tomllib
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from rules.core.position import load_position
from solver.commands import HOMES
from solver.commands.settings import loaded
from tests.cli.tables import HIDDEN, RECORD, input_of

if TYPE_CHECKING:
    from tests.cli.conftest import Run, Runner

HOSTILE = "\x1b[31mno\x07\x9b2J\x7f\u202e\u200b\u2028\r\nFORGED\tproved best [red]{x}<b>"
UNFIT = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
QUICK = ("--time", "0.1")
FORMS = ("--plain", "--json", "--ascii", "--quiet")


def clean(run: Run, *, json_answer: bool = False) -> None:
    """Hold that nothing a run said is steered or forged from outside, and that it ended as commands end."""
    for said in (run.out, run.err):
        assert not UNFIT.search(said), ascii(said)
        assert not re.search("^FORGED", said, re.M), said
    assert run.code in (0, 1, 2, 3), run
    if json_answer and run.out:
        for line in run.out.splitlines():
            json.loads(line)


# Arguments, options, file names

VALUES = {
    "PUZZLE-or-STATE": "sprint-10",
    "STATE": "sprint-10",
    "PUZZLE": "sprint-10",
    "STATE-or-PLAN": "sprint-10",
    "RULESET-or-STATE": "sprint-10",
    "[RULESET-or-STATE]": "sprint-10",
    "RULESET": "iditacards/2019-02",
    "RULESET...": "iditacards/2019-02",
    "A": "iditacards/2019-02",
    "B": "iditacards/2019-08",
    "CARD": "move",
    "MOVE": "play move",
    "KIND": "position",
    "GAME": "record.toml",
    "CERTIFICATE": "none.proof",
    "FILE": "new.toml",
    "KEY": "cards.move.health",
    "SHEET": "cards.csv",
    "VALUES": "1,2",
}
"""What stands in a required place while another one is hostile, by the word of the help for it."""


def functions() -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the words of every command, and its function."""
    for word in HOMES:
        command = loaded(word)
        for name, inner in getattr(command, "commands", {"": command}).items():
            yield (word, name) if name else (word,), inner.callback


COMMANDS = dict(functions())


def asked(function: Any, name: str, value: str) -> list[str]:
    """Return the words of a command with ``value`` at one parameter, and right ones where places must be filled."""
    words: list[str] = []
    for parameter in inspect.signature(function).parameters.values():
        info = parameter.default
        is_option = bool(info.param_decls)
        if parameter.name == name:
            words += [_flag(parameter.name, info), value] if is_option else [value]
        elif is_option and info.default is ...:
            words += [_flag(parameter.name, info), VALUES[info.metavar]]
        elif not is_option and (info.default is ... or info.metavar in VALUES):
            words += [VALUES[info.metavar]] if name not in ("batch", "resume") else []
    return words


def _flag(name: str, info: Any) -> str:
    return next((each for each in info.param_decls if each.startswith("--")), f"--{name.replace('_', '-')}")


def texts(function: Any) -> list[str]:
    """Return the names of the parameters of a command that take a text or a file."""
    parameters = inspect.signature(function).parameters.values()
    return [each.name for each in parameters if re.search("str|Path", str(each.annotation))]


@pytest.mark.slow
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_arguments_and_options(
    bestline: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", input_of(f"{HOSTILE}\n{HOSTILE} ; {HOSTILE}\n"))
    Path("record.toml").write_text(RECORD.format(moves=""), "utf-8")
    for name, form in zip(texts(COMMANDS[words]), cycle(FORMS), strict=False):
        clean(bestline(*words, *asked(COMMANDS[words], name, HOSTILE), *QUICK, form), json_answer=form == "--json")
    clean(bestline(*words, f"--{HOSTILE}"))
    clean(bestline(*words, "a", "b", "c", HOSTILE))


def test_names_of_commands(bestline: Runner) -> None:
    clean(bestline(HOSTILE))
    clean(bestline("rules", HOSTILE))


# Texts, keys and names of files

RULESET = """\
extends = "iditacards/2019-02"

[meta]
title = "Light"
summary = "Mush costs nothing."

[cards.mush]
name = "Mush"
energy = 0

[cards.ballast]
name = "Ballast"
type = "movement"
tags = []
rarity = "starter"
deck = "starter"
copies = 2
energy = 3
health = 3
risk = 1
effects = [{ op = "move", n = 0 }]
summary = "Heavy."
provenance = "invented"

[[assert]]
metric = "shortest_win"
min = 1
"""
PUZZLE = (
    RECORD.format(moves="")
    .partition("\n\n")[2]
    .replace("[goal]", 'summary = "s"\nauthor = "a"\nthemes = ["t"]\n\n[goal]')
)
BASELINE = """\
[[accept]]
finding = "LOOP-0123"
reason = "known"
"""


def samples() -> dict[str, Any]:
    """Return what a file of each kind says."""
    read = {
        name: tomllib.loads(text)
        for name, text in {
            "ruleset": RULESET,
            "puzzle": PUZZLE,
            "position": HIDDEN,
            "record": RECORD.format(moves='"play mush"'),
            "baseline": BASELINE,
        }.items()
    }
    code = load_position(json.dumps(read["position"])).code
    variant = {key: read["ruleset"][key] for key in ("extends", "meta")}
    witness = {"position_code": code, "line": ["play mush"], "cycle": {"from": 0, "length": 0, "repeats": 0}}
    finding = {"id": "LOOP-1", "code": "LOOP", "claim": "c", "witness": witness, "data": {}}
    return {
        **read,
        "variant": {**read["position"], "ruleset": variant},
        "batch": {"id": "a", "goal": "finish", **read["position"]},
        "answer": ANSWER | {"position_code": code},
        "audit": {"command": "audit", "findings": [finding]},
    }


ANSWER = {
    "status": "optimal",
    "goal": {"objective": "reach", "target": 60, "within_turns": 2, "forbidden": ["new_day"]},
    "value": 2,
    "line": [],
    "plan": [],
}
READERS = {
    "ruleset": (
        "rules check {}",
        "rules show {}",
        "rules show {} ballast",
        "rules show {} --json",
        "rules diff iditacards/2019-02 {} --plain",
        "position new {} --seed 1",
    ),
    "puzzle": (
        "position check {}",
        "puzzle show {} --plain",
        "solve {} --plain",
        "export {}",
        "export {} --to html",
        "export {} --to svg",
    ),
    "position": ("position check {}", "position show {}", "position encode {}"),
    "variant": ("position check {}", "position show {} --plain", "export {} --to graphml"),
    "record": ("review {}", "export {}", "play --resume {}"),
    "baseline": ("audit iditacards/2019-02 --jobs 1 --baseline {}",),
    "batch": ("solve --batch {}", "best --batch {}", "perft --batch {}"),
    "answer": ("export {}", "export {} --to html", "export {} --to svg", "position show {}"),
    "audit": ("verify {}", "verify {} --json"),
}
"""Commands that read a kind of file; where the first one refuses it, the others are spared."""


def spoiled(data: Any) -> Iterator[Any]:
    """Yield what a file says with one text or key after the other replaced; of a list only its first entry."""
    if isinstance(data, str):
        yield HOSTILE
    elif isinstance(data, list) and data:
        yield from ([part, *data[1:]] for part in spoiled(data[0]))
    elif isinstance(data, dict):
        for name, value in data.items():
            yield {HOSTILE if key == name else key: each for key, each in data.items()}
            yield from ({**data, name: part} for part in spoiled(value))


@pytest.mark.slow
@pytest.mark.parametrize("kind", READERS)
def test_texts_and_keys_of_files(bestline: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    path = tmp_path / "file.json"
    for data in spoiled(samples()[kind]):
        path.write_text(json.dumps(data), "utf-8")
        for words in READERS[kind]:
            monkeypatch.setattr("sys.stdin", input_of("moves\n"))
            run = bestline(*words.format(path).split(), *QUICK)
            clean(run, json_answer="--json" in words or "--batch" in words)
            if run.code and words == READERS[kind][0]:
                break
            if words.endswith(("svg", "graphml", "html")) and run.out:
                ET.fromstring(run.out)


@pytest.mark.parametrize("kind", ["puzzle", "ruleset"])
def test_names_of_files(bestline: Runner, tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"{HOSTILE}.json"
    path.write_text(json.dumps(samples()[kind]), "utf-8")
    for words in READERS[kind]:
        clean(bestline(*[str(path) if word == "{}" else word for word in words.split()], *QUICK))


def test_reports_of_an_audit(bestline: Runner, tmp_path: Path) -> None:
    rules = samples()["ruleset"]
    rules["meta"]["title"] = rules["cards"]["mush"]["name"] = HOSTILE
    path = tmp_path / f"{HOSTILE}.json"
    path.write_text(json.dumps(rules), "utf-8")
    files = {form: tmp_path / f"report.{form}" for form in ("sarif", "junit", "html")}
    options = [word for form, file in files.items() for word in (f"--{form}", str(file))]
    clean(bestline("audit", str(path), *QUICK, "--jobs", "1", *options))
    texts_of = {form: file.read_text("utf-8") for form, file in files.items()}
    for text in texts_of.values():
        assert not UNFIT.search(text)
        assert not re.search("^FORGED", text, re.M)
    json.loads(texts_of["sarif"])
    ET.fromstring(texts_of["junit"])


def test_values_of_the_environment(bestline: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BESTLINE_CACHE_DIR", str(tmp_path / HOSTILE))
    for words in ("cache info", "cache info --json", "cache clear", "doctor"):
        clean(bestline(*words.split()))
