"""``best`` for several players, from outside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.rules.abyss.boards import board, seat
from tests.rules.trench_rescue.battles import Battle, both
from tests.rules.trench_rescue.duels import Duel


@pytest.fixture
def duel(tmp_path: Path) -> str:
    path = tmp_path / "duel.json"
    path.write_text(Duel("A", 2).battle.position.text(), "utf-8")
    return str(path)


def test_values_losses_and_what_follows(bestline: Any, duel: str) -> None:
    told = bestline("best", duel, "--json", "--deterministic")
    assert told.code == 0
    answer = told.json
    assert (answer["status"], answer["opponents"], answer["method"]) == ("optimal", "best", "expectiminimax")
    assert answer["moves"][0]["loss"] == "0"
    assert answer["considered"] == answer["open"]
    replayed = bestline("apply", duel, "; ".join(answer["line"][:2]), "--json")
    assert replayed.code == 0


def test_the_screen_names_how_the_others_play(bestline: Any, duel: str) -> None:
    for word, said in (("best", "play their best"), ("random", "equally likely"), ("greedy", "look best at the end")):
        shown = bestline("best", duel, "--opponents", word, "--plain", "--vs", "end")
        assert shown.code == 0
        assert said in " ".join(shown.out.split())


def test_a_challenge_of_the_game_names_the_opponent(bestline: Any, duel: str) -> None:
    answer = bestline("best", duel, "--goal", "TR-A3", "--json").json
    assert (answer["opponents"], answer["goal"]["objective"]) == ("never", "win")


def test_an_unknown_way_to_play_is_refused(bestline: Any, duel: str) -> None:
    told = bestline("best", duel, "--opponents", "clever")
    assert told.code == 2
    assert "greedy" in told.err


def test_cards_hidden_from_a_player_leave_the_own_goal(bestline: Any, tmp_path: Path) -> None:
    path = tmp_path / "hidden.json"
    position = board(
        seat(ap=12, rp=15, hand=["bribe"]), seat(ap=3, hand=["theft"]), actions=["theft"], events=["safe"], known=()
    )
    path.write_text(position.text(), "utf-8")
    told = bestline("best", str(path), "--json", "--time", "0.5")
    assert told.json["method"] == "sampled"
    assert "hidden" in told.err


def test_a_limit_is_told_by_the_exit_code(bestline: Any, tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    battle = Battle("9C@1,1 8C@2,2 TD@3,4", {"3,3": "5S", "2,2": "6H"}, trench=both("7C", "4D"), starter="black")
    path.write_text(battle.position.text(), "utf-8")
    told = bestline("best", str(path), "--time", "0.3")
    assert told.code == 3
    assert "undecided" in told.out
    assert "best so far" in told.out
    assert "beyond that a guess" in " ".join(told.out.split())


def test_what_is_looked_at_to_its_end_is_called_best(bestline: Any, duel: str) -> None:
    shown = " ".join(bestline("best", duel, "--plain").out.split())
    assert "best so far" not in shown
    assert "guess" not in shown


def test_no_payment_is_looked_for_where_cards_cost_none(bestline: Any, duel: str) -> None:
    told = bestline("pay", duel, "AS")
    assert told.code == 2
    assert "no card is paid for with other cards of a hand here" in told.err
