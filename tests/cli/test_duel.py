"""``best`` for several players, from outside."""

from __future__ import annotations

import json
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


@pytest.mark.parametrize(("challenge", "opponents"), [("TR-A1", "best"), ("TR-A2", "random"), ("TR-A3", "never")])
def test_a_puzzle_is_played_against_the_opponent_that_it_names(
    bestline: Any, tmp_path: Path, challenge: str, opponents: str
) -> None:
    battle = Battle(
        piles={"1,1": "5S", "2,1": "6H"},
        trench=both("9C", "4D"),
        size=2,
        starter="black",
        options={"turn_limit": 2, "deck_mode": "queue"},
    )
    path = tmp_path / "named.json"
    asked = {"puzzle": {"id": "named", "title": "A Named Opponent"}, "goal": {"objective": challenge}}
    path.write_text(json.dumps({**asked, "position": json.loads(battle.position.text())}), "utf-8")
    said = bestline("best", str(path), "--time", "300", "--plain", "--top", "99")
    assert said.out.startswith("A Named Opponent\nBest move of player 0, for the game: ")
    answer = bestline("best", str(path), "--time", "300", "--json").json
    assert (answer["opponents"], answer["goal"]) == (opponents, {"objective": "win", "within_rounds": None, "seat": 0})
    own = tmp_path / "own.json"
    own.write_text(battle.position.text(), "utf-8")
    plain = bestline("best", str(own), "--goal", challenge, "--time", "300", "--json").json
    assert (answer["status"], answer["value"]) == ("optimal", plain["value"])
    hint = bestline("hint", str(path), "--level", "move", "--json").json
    assert (hint["sure"], hint["hint"]) == (True, answer["moves"][0]["move"])


def test_an_unknown_way_to_play_is_refused(bestline: Any, duel: str) -> None:
    told = bestline("best", duel, "--opponents", "clever")
    assert told.code == 2
    assert "greedy" in told.err


@pytest.fixture
def covered(tmp_path: Path) -> str:
    """Return the file of a game in which each player hides a hand."""
    path = tmp_path / "covered.json"
    position = board(
        seat(ap=2, rp=15, hand=["bribe"]), seat(ap=1, hand=["theft"]), actions=["theft"], events=["safe"], known=()
    )
    path.write_text(position.text(), "utf-8")
    return str(path)


def test_cards_hidden_from_a_player_are_played_with_by_samples(bestline: Any, covered: str) -> None:
    told = bestline("best", covered, "--json", "--deterministic", "--top", "99")
    answer = told.json
    assert (told.code, told.err) == (3, "")
    assert (answer["method"], answer["opponents"], answer["goal"]["objective"]) == ("sampled", "best", "win")
    assert answer["proof"] == {"method": "none"}
    assert answer["guessed_beyond"]
    assert {each["move"] for each in answer["moves"]} == set(bestline("moves", covered, "--json").json["moves"])
    assert answer["considered"] == answer["open"] == len(answer["moves"])
    for each in answer["moves"]:
        if each["interval"] is not None:
            assert 0 <= each["interval"][0] <= each["decimal"] <= each["interval"][1] <= 1
    again = bestline("best", covered, "--json", "--deterministic", "--top", "99")
    assert again.out == told.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--opponents", "best"], "the others search for what is best for themselves"),
        (["--opponents", "greedy"], "the others try some moves"),
        (["--opponents", "random"], "each equally likely"),
        (["--opponents", "never"], "the others do nothing where they may, and end their turns at once"),
        (["--goal", "AB-A3", "--within-turns", "1"], "for 1 round: the others search"),
    ],
)
def test_the_screen_of_a_sample_says_who_plays_how(bestline: Any, covered: str, words: list[str], said: str) -> None:
    vs = bestline("moves", covered, "--json").json["moves"][-1]
    told = bestline("best", covered, "--time", "0.3", "--plain", "--vs", vs, *words)
    shown = " ".join(told.out.split())
    assert told.code == 3
    assert said in shown
    assert "95 % in" in shown
    assert f"instead: {vs}: " in shown
    assert any(f"the best move is {verdict}" in shown for verdict in ("decided", "close", "undecided"))


def dealt(bestline: Any, folder: Path, *words: str) -> str:
    """Return the file of a starting position with everything hidden."""
    path = folder / "dealt.toml"
    path.write_text(bestline("position", "new", *words, "--open", "none").out, "utf-8")
    return str(path)


def test_a_duel_with_hidden_cards_counts_cards_ahead(bestline: Any, tmp_path: Path) -> None:
    code = dealt(bestline, tmp_path, "trench_rescue/2012", "--seed", "3")
    answer = bestline("best", code, "--goal", "TR-A4", "--time", "0.4", "--json").json
    assert (answer["method"], answer["payoff"]) == ("sampled", "cards ahead")
    assert answer["opponents_know"] == "what this player knows"
    told = " ".join(bestline("best", code, "--time", "0.3", "--plain").out.split())
    assert "the others are taken to know what this player knows" in told


def test_ctrl_c_keeps_the_best_so_far(bestline: Any, interrupted: Any, tmp_path: Path) -> None:
    code = dealt(bestline, tmp_path, "trench_rescue/2012", "--seed", "3")
    run = interrupted("best", code, "-v", "--time", "300", after="so far: ")
    assert run.code == 130
    assert "the best move is" in " ".join(run.out.split())


def test_own_goals_are_those_of_the_player_to_move(bestline: Any, tmp_path: Path) -> None:
    code = dealt(bestline, tmp_path, "2019-02", "--players", "2")
    move = bestline("moves", code, "--json").json["moves"][-1]
    after = bestline("apply", code, move, "--json").json["position_code"]
    while bestline("moves", after, "--json").json["to_act"] != "player:1":
        found = bestline("moves", after, "--json").json
        step = found["moves"][0] if found["moves"] else found["chance"][0]["outcome"]
        after = bestline("apply", after, step, "--json").json["position_code"]
    words = ["--goal", "max_distance", "--within-turns", "1", "--time", "0.2"]
    answer = bestline("best", after, *words, "--json", "--opponents", "never").json
    assert (answer["goal"]["seat"], answer["opponents"]) == (1, "never")
    refused = bestline("best", after, *words, "--seat", "0")
    assert refused.code == 2
    assert "player 1 decides here, and the goal is player 0's; ask with --seat 1" in refused.err


def test_a_limit_is_told_by_the_exit_code(bestline: Any, tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    battle = Battle("9C@1,1 8C@2,2 TD@3,4", {"3,3": "5S", "2,2": "6H"}, trench=both("7C", "4D"), starter="black")
    path.write_text(battle.position.text(), "utf-8")
    told = bestline("best", str(path), "--time", "0.3")
    assert told.code == 3
    assert "undecided" in told.out
    assert "\nSAMPLED about " in told.out
    assert "playing 6 rounds on, then by a guess" in " ".join(told.out.split())
    assert "taken to know" not in told.out, "everybody sees all"


def test_what_is_looked_at_to_its_end_is_called_best(bestline: Any, duel: str) -> None:
    shown = " ".join(bestline("best", duel, "--plain").out.split())
    assert "best so far" not in shown
    assert "guess" not in shown


def test_no_payment_is_looked_for_where_cards_cost_none(bestline: Any, duel: str) -> None:
    told = bestline("pay", duel, "AS")
    assert told.code == 2
    assert "no card is paid for with other cards of a hand here" in told.err


@pytest.mark.parametrize("known", ["none", "all"])
def test_pay_and_hint_answer_for_one_of_several(bestline: Any, tmp_path: Path, known: str) -> None:
    path, alone = tmp_path / "two.toml", tmp_path / "one.json"
    told = bestline("position", "new", "2019-02", "--players", "2", "--seed", "3", "--open", known).out
    path.write_text(told, "utf-8")
    asked = str(path)
    moves = bestline("moves", asked, "--json").json["moves"]
    card = next(move.split()[1] for move in moves if " pay " in move)
    ways = {tuple(sorted(move.split()[3:])) for move in moves if move.startswith(f"play {card} pay ")}
    paid = bestline("pay", asked, card, "--json").json
    assert paid["considered"] == len(ways)
    assert {tuple(way["pay"]) for way in paid["payments"]} <= ways
    # What stays playable is what a player alone with the same table could play: nobody else has a say in it.
    data = bestline("position", "show", asked, "--json").json
    data["players"], data["state"]["players"] = 1, data["state"]["players"][:1]
    data["state"]["counters"]["deck"] = data["state"]["counters"]["deck"][:1]
    alone.write_text(json.dumps(data), "utf-8")
    single = bestline("pay", str(alone), card, "--json").json
    assert [(way["pay"], way["playable"]) for way in paid["payments"]] == [
        (way["pay"], way["playable"]) for way in single["payments"]
    ]
    told = bestline("pay", asked, card, "--goal", "max_distance", "--within-turns", "1").out
    assert "values against others are not exact" in " ".join(told.split())
    answer = bestline("hint", asked, "--level", "move", "--json", "--time", "0.3").json
    assert answer["hint"] in moves
    assert not answer["sure"]


@pytest.mark.parametrize("words", [["2019-02", "--players", "2"], ["2019-02"], ["trench_rescue/2012"], ["abyss/2021"]])
@pytest.mark.parametrize("known", ["none", "all"])
def test_a_first_guess_is_shown_before_the_answer(bestline: Any, tmp_path: Path, words: list[str], known: str) -> None:
    path = tmp_path / "table.toml"
    path.write_text(bestline("position", "new", *words, "--open", known).out, "utf-8")
    goal = ["--goal", "max_distance", "--within-turns", "1"]
    told = bestline("best", str(path), *goal, "--time", "0.1", "-v", "--json")
    guess = next(line for line in told.err.splitlines() if line.startswith("first guess: "))
    assert guess.partition(": ")[2] in bestline("moves", str(path), "--json").json["moves"]
    assert "first guess" not in told.out
    assert bestline("best", str(path), *goal, "--time", "0.1").err == "", "pipes hear nothing unless they ask"
