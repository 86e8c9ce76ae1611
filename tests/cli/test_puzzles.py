"""``puzzle rate`` and ``puzzle generate``: what they say, what they write, and that it holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from puzzles.puzzle import load_puzzle
from solver.tools.puzzle import GRADES

if TYPE_CHECKING:
    from tests.cli.conftest import Runner

SHORT = ("iditacards/2019-02", "--seed", "1", "--goal", "max_distance", "--within-turns", "3")
"""A request whose second deal is the first that fits."""
SEEDED = (*SHORT, "--deterministic")


def test_a_rating_says_what_it_is_made_of(bestline: Runner) -> None:
    told = bestline("puzzle", "rate", "pay-the-price", "--json").json
    assert (told["id"], told["status"], told["value"], told["stated"]) == ("pay-the-price", "optimal", 85, 4)
    assert told["grade"] == told["stated"]
    assert told["grade"] == 1 + sum(told["bits"] >= least for least in told["grades_from_bits"])
    assert told["solutions"] == {"lines": 3, "exact": True}
    assert (told["unique"], told["only_moves"], told["open"]) == (False, 4, [])
    assert "payment" in told["techniques"]
    assert told["turns"][0]["decoys"][0] == {"move": "play push pay haste"}


def test_a_rating_is_shown(bestline: Runner) -> None:
    run = bestline("puzzle", "rate", "pay-the-price")
    assert run.code == 0
    assert "solutions  3, told apart by the tables between turns" in run.out
    assert "turn 1: play push pay haste" in run.out
    assert f"{len(GRADES) + 1} from {GRADES[-1]:g}" in " ".join(run.out.split())
    for look in ("--plain", "--ascii"):
        assert bestline("puzzle", "rate", "pay-the-price", look).out.isascii()


def test_what_cannot_be_done_is_no_puzzle_to_grade(bestline: Runner) -> None:
    run = bestline("puzzle", "rate", "too-far")
    assert run.code == 1
    assert "none: there is nothing to find; the puzzle states 3" in run.out


def test_what_the_time_left_open_is_said(bestline: Runner) -> None:
    run = bestline("puzzle", "rate", "sprint-40", "--time", "0")
    assert run.code == 3
    assert "left open  the answer itself; --time allows more" in run.out
    told = bestline("puzzle", "rate", "sprint-40", "--time", "0", "--json").json
    assert (told["grade"], told["solutions"], told["open"]) == (None, None, ["answer"])


def test_a_hidden_puzzle_is_refused(bestline: Runner, tmp_path: Path) -> None:
    text = Path("puzzles/library/iditacards/knife.toml").read_text("utf-8")
    file = tmp_path / "hidden.toml"
    file.write_text(text.replace('open = ["deck", ', "open = ["), "utf-8")
    run = bestline("puzzle", "rate", str(file))
    assert run.code == 2
    assert "hidden chance" in run.err


def test_a_puzzle_is_made_alike_every_time_and_holds(bestline: Runner, tmp_path: Path) -> None:
    one = bestline("puzzle", "generate", *SEEDED)
    assert one.code == 0, one.err
    assert bestline("puzzle", "generate", *SEEDED).out == one.out
    file = tmp_path / "made.toml"
    file.write_text(one.out, "utf-8")
    puzzle = load_puzzle(str(file))
    assert puzzle.solution is not None
    assert puzzle.solution.unique is True
    verified = bestline("puzzle", "verify", str(file))
    assert verified.code == 0
    assert verified.out.endswith("is proved best, by one line\n")
    assert bestline("solve", str(file), "--json").json["value"] == puzzle.solution.value
    told = bestline("puzzle", "rate", str(file), "--json").json
    assert (told["grade"], told["unique"], tuple(told["techniques"])) == (puzzle.difficulty, True, puzzle.themes)


def test_nothing_more_can_be_taken_out(bestline: Runner, tmp_path: Path) -> None:
    """Of what was dealt only what matters is left: without any card of the deck it is another puzzle."""
    from dataclasses import replace

    from solver.engines.answers import solve
    from solver.tools.generate import without

    file = tmp_path / "made.toml"
    file.write_text(bestline("puzzle", "generate", *SEEDED).out, "utf-8")
    puzzle = load_puzzle(str(file))
    assert puzzle.solution is not None
    last = len(puzzle.position.state["players"][0]["deck"]) - 1
    smaller = without(puzzle.position, ("players", 0, "deck", last))
    assert smaller is not None
    report = solve(replace(smaller), puzzle.goal)
    assert report.value != puzzle.solution.value


def test_wishes_are_kept(bestline: Runner, tmp_path: Path) -> None:
    wishes = ("--theme", "payment", "--grade", "2")
    run = bestline("puzzle", "generate", *SHORT, *wishes, "--out", str(tmp_path), "--json")
    assert run.code == 0, run.err
    (made,) = run.json["puzzles"]
    assert "payment" in made["themes"]
    assert made["grade"] == 2
    puzzle = load_puzzle(made["file"])
    assert (puzzle.id, puzzle.difficulty) == (made["id"], 2)
    assert (puzzle.goal.objective, puzzle.goal.within_turns) == ("max_distance", 3)
    assert sum(run.json["left_out"].values()) == run.json["deals"] - 1
    other = bestline("puzzle", "generate", *SHORT, "--theme", "payment", "--grade", "5", "--tries", "2", "--json")
    assert (other.code, other.json["puzzles"], other.json["deals"]) == (3, [], 2)
    assert other.json["left_out"]["another grade"] == 1


def test_tries_end(bestline: Runner) -> None:
    run = bestline("puzzle", "generate", *SEEDED, "--grade", "5", "--tries", "1")
    assert run.code == 3
    assert run.out == ""
    assert "deals: 1 looked at" in run.err
    assert "0 of 1 found; --tries allows more" in run.err
    run = bestline("puzzle", "generate", *SEEDED, "--time", "0")
    assert run.code == 3
    assert "--time allows more" in run.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("iditacards/2019-02", "--theme", "riks"), "--theme: Iditacards has no 'riks'; did you mean 'risk'?"),
        (("iditacards/2019-02", "--goal", "reach"), "--goal: puzzles of Iditacards are not made for 'reach'"),
        (("iditacards/2019-03",), "2019-03"),
        (("iditacards/2019-02", "--count", "2"), "--count above 1 goes with --out DIR"),
        (("iditacards/2019-02", "--out", "no/such"), "there is no such folder; make it first"),
        (("iditacards/2019-02", "--grade", "6"), "--grade"),
    ],
)
def test_wishes_that_cannot_be_kept_are_refused(bestline: Runner, words: tuple[str, ...], told: str) -> None:
    run = bestline("puzzle", "generate", *words)
    assert run.code == 2
    assert told in " ".join(run.err.split())


def test_ctrl_c_keeps_what_was_found(interrupted: Runner, tmp_path: Path) -> None:
    out = tmp_path / "made"
    out.mkdir()
    words = ("puzzle", "generate", *SHORT, "--count", "500", "--tries", "100000")
    run = interrupted(*words, "--out", str(out), "-v", after="deal 2")
    assert run.code == 130
    assert len(list(out.glob("*.toml"))) >= 1
