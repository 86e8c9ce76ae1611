"""Whole races with hidden chance: the adviser against plain ways to play, on the same draws."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.tables import HIDDEN

if TYPE_CHECKING:
    from tests.cli.conftest import Runner

STATE = HIDDEN.replace('"a_hat"', '"move"')
SHORT = ["--target", "62", "--turns", "12", "--playouts", "30", "--deterministic", "--seed", "3"]


@pytest.fixture
def hidden(tmp_path: Path) -> str:
    """Return the file of a position whose deck is hidden."""
    path = tmp_path / "hidden.toml"
    path.write_text(STATE, "utf-8")
    return str(path)


@pytest.mark.slow
def test_players_meet_the_same_draws_and_are_compared_game_by_game(bestline: Runner, hidden: str) -> None:
    run = bestline("simulate", hidden, *SHORT, "--games", "3", "--json")
    assert run.code == 0, run.err
    told = run.json
    assert (told["asked"], told["games"], told["effort"]) == (3, 3, {"playouts": 30})
    assert [each["player"] for each in told["players"]] == ["best", "plain", "greedy", "random"]
    for each in told["players"]:
        assert len(each["turns"]) == 3
        assert each["mean"] == pytest.approx(sum(each["turns"]) / 3)
        assert each["interval"][0] <= each["mean"] <= each["interval"][1]
    best, _, greedy = (each["turns"] for each in told["players"][:3])
    assert told["differences"][1]["players"] == ["best", "greedy"]
    assert told["differences"][1]["mean"] == pytest.approx(sum(best) / 3 - sum(greedy) / 3)
    assert bestline("simulate", hidden, *SHORT, "--games", "3", "--json").out == run.out
    again = bestline("simulate", hidden, *SHORT, "--games", "2", "--player", "greedy", "--player", "greedy", "--json")
    assert [each["turns"] for each in again.json["players"]] == [greedy[:2]]


def test_people_read_means_and_what_the_sample_settles(bestline: Runner, hidden: str) -> None:
    run = bestline("simulate", hidden, *SHORT, "--games", "2", "--player", "random", "--player", "greedy")
    assert run.code == 0
    assert "Be at space 62 or beyond in the fewest turns." in run.out
    assert "random and greedy" in run.out
    assert "2 of 2, on the same cards and rolls; seed 3" in run.out


def test_a_ruleset_is_dealt_anew_for_each_game(bestline: Runner) -> None:
    words = ["--games", "4", "--player", "random", "--turns", "30", "--target", "12", "--json"]
    for name in ("iditacards/2017", "2019-08"):
        turns = bestline("simulate", name, *words).json["players"][0]["turns"]
        assert len(set(turns)) > 1


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["--player", "nobody"], "no way to play; there are best, plain, greedy, random"),
        (["--move-time", "1", "--deterministic"], "--move-time goes neither with"),
    ],
)
def test_what_cannot_be_simulated_is_refused(bestline: Runner, hidden: str, words: list[str], fault: str) -> None:
    run = bestline("simulate", hidden, *words)
    assert run.code == 2
    assert fault in " ".join(run.err.replace("│", "").split())


def test_open_positions_and_several_players_are_refused(bestline: Runner, state: str, tmp_path: Path) -> None:
    assert "nothing is hidden here" in bestline("simulate", state).err
    path = tmp_path / "two.toml"
    bestline("position", "new", "2017", "--players", "2", "--open", "none", "-o", str(path))
    run = bestline("simulate", str(path))
    assert (run.code, "2 players" in run.err) == (2, True)


def test_what_is_played_before_the_limit_counts(bestline: Runner) -> None:
    run = bestline(
        "simulate", "2017", "--games", "900", "--player", "random", "--turns", "5", "--time", "0.3", "--json"
    )
    assert run.code == 3
    assert 0 < run.json["games"] < 900


def test_ctrl_c_keeps_the_games_that_are_done(interrupted: Runner) -> None:
    words = ["--games", "100000", "--player", "random", "--turns", "5"]
    run = interrupted("simulate", "2017", *words, after="looked")
    assert run.code == 130
    assert "random" in run.out


def test_races_given_up_are_no_numbers_of_turns(bestline: Runner, hidden: str) -> None:
    words = ["--target", "90", "--turns", "4", "--games", "3", "--player", "random", "--player", "greedy"]
    told = bestline("simulate", hidden, *words, "--json", "--deterministic").json
    for each in told["players"]:
        assert (each["finished"], each["turns"], each["bound"]) == (0, [None] * 3, "at least")
    assert [told["differences"][0][name] for name in ("mean", "quicker", "slower")] == [None, 0, 0]
    out = " ".join(bestline("simulate", hidden, *words).out.split())
    assert "at least 4.00 turns 0 of 3 there" in out
    assert "random is quicker in 0, slower in 0" in out
    assert "races not over after 4 turns: counted as longer" in out


def test_several_processes_play_the_same_games(bestline: Runner, hidden: str) -> None:
    words = ["simulate", hidden, *SHORT, "--games", "3", "--player", "random", "--player", "greedy", "--json"]
    assert bestline(*words, "--jobs", "2").json == bestline(*words).json


def test_a_race_stops_where_its_work_is_used_up(bestline: Runner, hidden: str) -> None:
    words = ["--games", "1", "--player", "greedy", "--deterministic", "--time", "0.02"]
    run = bestline("simulate", hidden, *words)
    assert run.code == 3
    assert "no game was played to its end before the limit" in run.out
