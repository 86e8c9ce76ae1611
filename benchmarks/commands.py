"""Two installs side by side: processor seconds of whole commands, each as a process of its own.

``python -m benchmarks.commands --against PROGRAM [--refused] [--runs N] [--only TEXT]``: PROGRAM is the command of
another install. The two take turns, each run with an empty cache; told are the medians of both and of the ratio of each
pair. ``--refused``: questions about Iditacards that the encoding refuses (``supports``), with what either answers. The
exit code is 1 where a median ratio is above ``--most``, an exact answer is lost, or a command ends otherwise.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, Final

HERE: Final = (sys.executable, str(Path(__file__).parents[1] / "cli.py"))
DUEL: Final = (
    "bl1.trench_rescue.2012.e83c2a23bc59.AoOLu050Aopu9WAtLE0tTT3HBJZf4eYW7upW7OoW6epW6Oq6immde7tbnGuHW54rEAAA.4afce5f9"
)
"""Two turns of a duel in the trenches."""
MADE: Final[Mapping[str, str]] = {
    "open": "position new 2019-02 --seed 3 --json",
    "hidden": "position new 2019-02 --seed 3 --open none --json",
    "race": "position new starter-race --seed 3 --open none --json",
    "several": "position new 2019-02 --seed 3 --open none --players 2 --json",
    "field": "position new trench_rescue/2012 --seed 3 --open none --json",
    "city": "position new abyss/2021 --seed 3 --players 2 --json",
    "sprint": "position show sprint-20 --json",
    "answer": "solve sprint-20 --json --deterministic",
}
"""Files that the commands are given, and the commands that print them."""
GOALS: Final[Mapping[str, Mapping[str, Any]]] = {
    "sprint-10": {"objective": "min_turns", "target": 10, "new_day": False},
    "sprint-20": {"objective": "min_turns", "target": 20, "new_day": False},
    "one-by-one": {"objective": "TR-S2"},
}
"""Puzzles that are written to files, with their goals."""
COMMANDS: Final = (
    "--help",
    "--version",
    "solve --help",
    "doctor",
    "cache info",
    "rules list",
    "rules show 2019-02",
    "rules show 2017 mush",
    "rules options 2019-02",
    "rules diff 2017 2019-02",
    "rules check {folder}/variant.toml",
    "rules schema position",
    "puzzle list",
    "puzzle show rope-bridge",
    "puzzle verify one-by-one sprint-10",
    "puzzle rate sprint-10 --deterministic",
    "puzzle generate starter-race --seed 1 --tries 20 --deterministic",
    "position new abyss/2021 --seed 1",
    "position show {open}",
    "position check {city}",
    "position encode {field}",
    "moves {open}",
    "moves {city}",
    "apply one-by-one end",
    "perft {sprint} --turns 2",
    "perft one-by-one --turns 2 --divide",
    "perft torchlight --turns 1",
    "solve sprint-10",
    "solve torchlight",
    "solve one-by-one --all",
    "solve rope-bridge --why --time 10",
    "solve sprint-20 --proof {folder}/made.proof",
    "solve --batch {batch} --time 10",
    "best sprint-20",
    "best {race} --target 8 --within-turns 2 --no-new-day",
    "best " + DUEL,
    "best {several} --target 6 --within-turns 1 --time 2",
    "hint sprint-20 --level move",
    "pay sprint-10 dog_chow",
    "risk {hidden}",
    "review {record} --time 10",
    "verify {proof}",
    "export {answer} --to html",
    "export sprint-10 --to dot",
    "simulate starter-race --games 1 --player plain --turns 40 --seed 1",
    "simulate {hidden} --games 1 --player greedy --turns 10 --seed 1",
    "audit iditacards/starter-race --time 3 --jobs 1",
)
"""What is compared; names in braces stand for files that are made beforehand."""

SOURCES: Final = ("deck", "legendary", "legs", "opponents", "upgrade", "weather")
NEAR: Final = {"objective": "min_turns", "target": 15, "within_turns": 5}
FAR: Final = {"objective": "max_distance", "within_turns": 3}
LUCKY: Final = {"objective": "reach", "target": 10, "within_turns": 2}
ANY_TIME: Final = {"sacrifice_timing": "any_time"}
REFRESH: Final = {"upgrade_refresh": True}
CROWD: Final = {"extends": "2017", "cards": {"move": {"copies": 60}}}
"""A deck of more cards than a row of the encoding holds."""
Asked = tuple[Any, Mapping[str, Any], Mapping[str, Any]]
"""The ruleset, the goal, and what the position says besides; ``hidden`` are sources of chance that are not open."""
REFUSED: Final[Mapping[str, Asked]] = {
    "sacrifices at any time, 2017": ("2017", NEAR, {"options": ANY_TIME}),
    "sacrifices at any time, 2019-02": ("2019-02", NEAR, {"options": ANY_TIME}),
    "sacrifices at any time, 2019-08": ("2019-08", NEAR, {"options": ANY_TIME}),
    "sacrifices at any time, starter race": ("starter-race", NEAR, {"options": ANY_TIME}),
    "sacrifices at any time, solitaire": ("solitaire-2018", NEAR, {"options": ANY_TIME}),
    "sacrifices at any time, 2017, far": ("2017", FAR, {"options": ANY_TIME}),
    "sacrifices at any time, 2019-02, far": ("2019-02", FAR, {"options": ANY_TIME}),
    "upgrades refreshed, 2017": ("2017", NEAR, {"options": REFRESH}),
    "upgrades refreshed, solitaire": ("solitaire-2018", NEAR, {"options": REFRESH}),
    "upgrades refreshed, 2019-02, far": ("2019-02", FAR, {"options": REFRESH}),
    "upgrades refreshed, 2019-08, far": ("2019-08", FAR, {"options": REFRESH}),
    "120 cards, 2017": (CROWD, NEAR, {}),
    "120 cards, 2017, far": (CROWD, FAR, {}),
    "hidden weather, 2017": ("2017", LUCKY, {"hidden": ["weather"]}),
    "hidden weather, 2019-08": ("2019-08", LUCKY, {"hidden": ["weather"]}),
    "hidden upgrades, 2017": ("2017", LUCKY, {"hidden": ["upgrade"]}),
    "hidden upgrades, 2019-02": ("2019-02", LUCKY, {"hidden": ["upgrade"]}),
    "two players, 2017": ("2017", LUCKY, {"players": 2}),
    "two players, 2019-02": ("2019-02", LUCKY, {"players": 2}),
    "two players, starter race": ("starter-race", LUCKY, {"players": 2}),
}
"""Questions that the encoding of Iditacards refuses, by what they are about."""


def main() -> int:
    """Print one row for each command, and what is slower than allowed; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--against", required=True, metavar="PROGRAM", help="the command of the other install")
    parser.add_argument("--refused", action="store_true", help="questions that the encoding refuses")
    parser.add_argument("--runs", type=int, default=5, help="runs of each command by either program")
    parser.add_argument("--only", default="", metavar="TEXT", help="only what has this in it")
    parser.add_argument("--most", type=float, help="greatest ratio allowed; 1.2 for commands, 3 for refused questions")
    parser.add_argument("--time", type=float, default=10, help="limit of each refused question")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.refused:
            words = _refused(Path(folder), options.time)
        else:
            words = _commands(Path(folder))
        chosen = {name: each for name, each in words.items() if options.only in name}
        most = options.most or (3 if options.refused else 1.2)
        bad = [name for name, each in chosen.items() if _row(name, each, options, Path(folder), most)]
    print(f"{len(chosen)} compared, {len(bad)} to look at", *bad, sep="\n  ")
    return int(bool(bad))


def _row(name: str, words: Sequence[str], options: argparse.Namespace, folder: Path, most: float) -> bool:
    """Print the medians of one command; return whether it is too slow, or answered in another way."""
    here, there, ratios = [], [], []
    answers: list[str] = []
    for _ in range(options.runs):
        spent, told = _run((options.against,), words, folder)
        there.append(spent)
        answers = [told]
        spent, told = _run(HERE, words, folder)
        here.append(spent)
        answers.append(told)
        ratios.append(here[-1] / there[-1])
    differs = answers[0] != answers[1] and (not options.refused or answers[0].startswith("exact"))
    said = " | ".join(dict.fromkeys(answers)) if options.refused or differs else ""
    slow = "SLOWER" if median(ratios) > most else ""
    print(f"{median(there):7.2f} {median(here):7.2f} {median(ratios):6.2f} {slow:6} {name[:60]:60} {said}", flush=True)
    return bool(slow) or differs


def _run(program: Sequence[str], words: Sequence[str], folder: Path) -> tuple[float, str]:
    """Return the processor seconds of a run with all that it starts, and its answer in a few words."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "BESTLINE_CACHE_DIR": cache}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [*program, *words], check=False, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, _said(done) if "--json" in words else f"exit {done.returncode}"


def _said(done: subprocess.CompletedProcess[bytes]) -> str:
    """Return whether an answer is exact, with its value or bounds."""
    if not done.stdout.startswith(b"{"):
        return f"exit {done.returncode}: {done.stderr.decode(errors='replace').strip()[:100]}"
    answer = json.loads(done.stdout)
    value = answer.get("value", answer["moves"][0]["value"] if answer.get("moves") else None)
    if answer.get("status") in ("optimal", "infeasible"):
        return f"exact {value}"
    about = ("bound", "interval", "at_least", "at_most")
    return " ".join([f"{answer.get('status')} {value}", *(f"{k} {answer[k]}" for k in about if answer.get(k))])


def _commands(folder: Path) -> dict[str, list[str]]:
    """Make the files that the commands are given; return the words of each command."""
    files = {"folder": str(folder), "batch": str(folder / "batch.jsonl"), "proof": str(folder / "given.proof")}
    for name, command in MADE.items():
        files[name] = str(folder / f"{name}.json")
        Path(files[name]).write_text(_printed(command), "utf-8")
    _printed(f"rules new {folder}/variant.toml --extends 2017")
    _printed(f"solve sprint-20 --proof {files['proof']}")
    files["record"] = str(folder / "record.json")
    answer = json.loads(Path(files["answer"]).read_text("utf-8"))
    Path(files["record"]).write_text(json.dumps({**_puzzle("sprint-20"), "moves": answer["line"]}), "utf-8")
    lines = [json.dumps(_puzzle(name)) for name in GOALS]
    Path(files["batch"]).write_text("\n".join(lines), "utf-8")
    return {command: shlex.split(command.format(**files)) for command in COMMANDS}


def _puzzle(name: str) -> dict[str, Any]:
    """Return a puzzle of the library as a file has it."""
    position = json.loads(_printed(f"position show {name} --json"))
    return {"position": position, "puzzle": {"id": name, "title": name}, "goal": GOALS[name]}


def _printed(command: str) -> str:
    return subprocess.run([*HERE, *command.split()], check=True, capture_output=True, text=True).stdout


def _refused(folder: Path, time_s: float) -> dict[str, list[str]]:
    """Write the questions that are refused as files; return the words that ask them."""
    words: dict[str, list[str]] = {}
    for name, (ruleset, goal, about) in REFUSED.items():
        rest = dict(about)
        hidden = rest.pop("hidden", ())
        chance = {"open": [source for source in SOURCES if source not in hidden], "seed": 3}
        position = {"game": "iditacards", "ruleset": ruleset, "chance": chance, **rest}
        path = folder / f"{len(words)}.json"
        puzzle = {"id": f"refused-{len(words)}", "title": name}
        path.write_text(
            json.dumps({"puzzle": puzzle, "goal": {**goal, "new_day": False}, "position": position}), "utf-8"
        )
        command = "best" if hidden or "players" in rest else "solve"
        words[name] = [command, str(path), "--json", "--time", f"{time_s:g}"]
    return words


if __name__ == "__main__":
    sys.exit(main())
