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


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (
            "--goal win --without KC --no-new-day",
            "--no-new-day, --without: says nothing where the question is who wins",
        ),
        ("--without KC", "--without: says nothing where the question is who wins"),
        ("--goal TR-A3 --without KC", "--without: says nothing where the question is who wins"),
        ("--goal win --seat 1", "black is to move, not red"),
    ],
)
def test_what_the_question_who_wins_cannot_carry_is_refused(bestline: Any, duel: str, words: str, error: str) -> None:
    run = bestline("best", duel, *words.split())
    assert (run.code, run.err.startswith(f"error: {error}")) == (2, True)


def test_the_chance_to_win_stands_beside_an_exact_lead(bestline: Any) -> None:
    short = Battle("9S@1,1+5C", trench=both(red="4D"), size=2, starter="black", options={"turn_limit": 1})
    told = bestline("best", short.position.code)
    assert "SOLVED 1 card ahead, proved best; 100.0 % to win\n" in told.out
    long = Battle(
        "9C@1,1 4C@1,1", {"1,1": "5S"}, trench=both(red="4D"), size=2, starter="black", options={"turn_limit": 2}
    )
    told = bestline("best", long.position.code, "--plain")
    assert "% to win (95 % interval" in " ".join(told.out.split())
    answer = bestline("best", long.position.code, "--json").json
    low, high = answer["win_interval"]
    assert (answer["method"], low <= answer["win_chance"] <= high) == ("expectiminimax", True)
    assert answer["moves"][0]["win_interval"] == [low, high]


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
    assert said.out.startswith("A Named Opponent\nYour best move, for the game: ")
    answer = bestline("best", str(path), "--time", "300", "--json").json
    assert (answer["opponents"], answer["goal"]) == (opponents, {"objective": "win", "within_rounds": None, "seat": 0})
    own = tmp_path / "own.json"
    own.write_text(battle.position.text(), "utf-8")
    plain = bestline("best", str(own), "--goal", challenge, "--time", "300", "--json").json
    assert (answer["status"], answer["value"]) == ("optimal", plain["value"])
    hint = bestline("hint", str(path), "--level", "move", "--time", "300", "--json").json
    assert (hint["sure"], hint["hint"]) == (True, answer["moves"][0]["move"])


@pytest.mark.parametrize("command", ["best", "solve", "hint"])
def test_an_unknown_way_to_play_is_refused(bestline: Any, duel: str, command: str) -> None:
    told = bestline(command, duel, "--opponents", "clever")
    assert told.code == 2
    assert "greedy" in told.err


class ToWin:
    """Files of puzzles about a small duel that ask who wins."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.battle = Battle(
            piles={"1,1": "5S", "2,1": "6H"},
            trench=both("9C", "4D"),
            size=2,
            starter="black",
            options={"turn_limit": 2, "deck_mode": "queue"},
        )
        self.bare = self._write("bare", json.loads(self.battle.position.text()))

    def asking(self, *, solution: Any = None, **goal: Any) -> str:
        """Return the file of a puzzle with this goal table, and perhaps what it states."""
        position = json.loads(self.battle.position.text())
        about = {"id": "to-win", "title": "To Win"}
        stated = {} if solution is None else {"solution": solution}
        return self._write("puzzle", {"puzzle": about, "goal": goal, "position": position, **stated})

    def _write(self, name: str, data: dict[str, Any]) -> str:
        path = self._folder / f"{name}.json"
        path.write_text(json.dumps(data), "utf-8")
        return str(path)


@pytest.mark.slow
@pytest.mark.parametrize("opponents", [None, "best", "random", "greedy", "never"])
def test_a_puzzle_asks_who_wins(bestline: Any, tmp_path: Path, opponents: str | None) -> None:
    files = ToWin(tmp_path)
    words = [] if opponents is None else ["--opponents", opponents]
    puzzle = files.asking(objective="win")
    by_option = bestline("best", files.bare, "--goal", "win", *words, "--json", "--deterministic").json
    answers = {name: bestline(name, puzzle, *words, "--json", "--deterministic").json for name in ("best", "solve")}
    for command, answer in answers.items():
        assert answer == {**by_option, "command": command}
    assert (by_option["status"], by_option["opponents"]) == ("optimal", opponents or "best")
    hint = bestline("hint", puzzle, "--level", "move", *words, "--time", "300", "--json").json
    assert (hint["sure"], hint["hint"]) == (True, by_option["moves"][0]["move"])
    assert bestline("best", puzzle, *words, "--plain").out.startswith("To Win\nYour best move, for the game: ")


def test_a_puzzle_asks_who_is_ahead_after_some_rounds(bestline: Any, tmp_path: Path) -> None:
    files = ToWin(tmp_path)
    told = bestline("best", files.bare, "--goal", "win", "--within-turns", "1", "--json", "--deterministic").json
    assert told["goal"]["within_rounds"] == 1
    for within in ({"within_rounds": 1}, {"within_turns": 1}):
        assert bestline("best", files.asking(objective="win", **within), "--json", "--deterministic").json == told
    puzzle = files.asking(objective="win")
    assert bestline("best", puzzle, "--within-turns", "1", "--json", "--deterministic").json == told
    shown = bestline("puzzle", "show", files.asking(objective="win", within_rounds=1), "--plain")
    assert "at the end of 1 round, when play is taken to stop" in " ".join(shown.out.split())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"target": 3}, "goal.target: 'win' asks who wins"),
        ({"seat": 1}, "goal.seat: 'win' is asked for who moves, and here that is player 0"),
        ({"new_day": False}, "goal.new_day"),
        ({"within_rounds": 0}, "goal.within_rounds: must be at least 1"),
        ({"within_rounds": 1, "within_turns": 1}, "leave one of the two out"),
    ],
)
def test_faults_of_a_goal_to_win_are_named(bestline: Any, tmp_path: Path, given: dict[str, Any], said: str) -> None:
    told = bestline("best", ToWin(tmp_path).asking(objective="win", **given))
    assert told.code == 2
    assert said in told.err


def test_a_puzzle_to_win_counts_the_stages_of_its_rounds(bestline: Any, tmp_path: Path) -> None:
    position = board(
        seat(ap=12, rp=16, hand=["give_a_speech"]),
        seat(ap=7, rp=18, hand=["bribe", "give_a_speech"]),
        actions=["unreasonable_clause", "accept_bribes"],
        events=["safe", "riot"],
        phase="choose",
        round=5,
    )
    path = tmp_path / "stages.json"
    about = {"puzzle": {"id": "stages", "title": "Stages"}, "position": json.loads(position.text())}
    answers = []
    for within in ({"within_rounds": 1}, {"within_turns": 5}):
        path.write_text(json.dumps({**about, "goal": {"objective": "win", **within}}), "utf-8")
        answers.append(bestline("solve", str(path), "--json", "--deterministic").json)
    assert answers[0] == answers[1]
    assert (answers[0]["status"], answers[0]["goal"]["within_rounds"]) == ("optimal", 1)
    path.write_text(json.dumps({**about, "goal": {"objective": "win", "within_turns": 4}}), "utf-8")
    assert "does not end with a round" in bestline("solve", str(path)).err


def test_who_wins_is_no_question_of_one_who_plays_alone(bestline: Any, tmp_path: Path) -> None:
    path = tmp_path / "alone.toml"
    path.write_text(bestline("position", "new", "2019-02").out, "utf-8")
    told = bestline("solve", str(path), "--goal", "win")
    assert told.code == 2
    assert "here one plays alone" in told.err


def test_options_beside_a_puzzle_to_win(bestline: Any, tmp_path: Path) -> None:
    puzzle = ToWin(tmp_path).asking(objective="win")
    assert "--target: 'win' asks who wins" in bestline("best", puzzle, "--target", "3").err
    for words in (["--second-opinion"], ["--proof", str(tmp_path / "proof.json")]):
        told = bestline("solve", puzzle, *words)
        assert told.code == 2
        assert "here several play" in told.err
    assert (
        bestline("solve", puzzle, "--all", "--json").json["moves"]
        == bestline("best", puzzle, "--top", "99", "--json").json["moves"]
    )


@pytest.mark.parametrize(("value", "code"), [("3/4", 0), ("-3/4", 1), (1, 1), ("impossible", 1)])
def test_a_stated_value_of_a_game_is_proved_anew(bestline: Any, tmp_path: Path, value: Any, code: int) -> None:
    puzzle = ToWin(tmp_path).asking(solution={"value": value}, objective="win")
    told = bestline("puzzle", "verify", puzzle)
    assert (told.code, "3/4 is " in told.out) == (code, True)


def test_a_puzzle_of_hidden_cards_is_played_against_opponents(bestline: Any, tmp_path: Path) -> None:
    files = ToWin(tmp_path)
    position = json.loads(
        bestline("position", "new", "trench_rescue/2012", "--seed", "3", "--open", "none", "--json").out
    )
    about = {"puzzle": {"id": "hidden-duel", "title": "Hidden Duel"}, "goal": {"objective": "TR-A4"}}
    path = tmp_path / "hidden.json"
    path.write_text(json.dumps({**about, "position": position}), "utf-8")
    told = bestline("best", str(path), "--time", "0.3", "--json")
    assert (told.code, told.err) == (3, "")
    found = told.json["opponents"], told.json["method"], told.json["payoff"]
    assert found == ("rule of thumb", "sampled", "cards ahead")
    refused = bestline("best", files.asking(objective="TR-A4"))
    assert (refused.code, "is asked with all that comes hidden" in refused.err) == (2, True)


def test_a_challenge_asked_of_other_information_says_what_is_assumed(bestline: Any, tmp_path: Path) -> None:
    bare = ToWin(tmp_path).bare
    told = bestline("best", bare, "--goal", "TR-A4", "--json", "--deterministic")
    assert told.json == bestline("best", bare, "--json", "--deterministic").json
    assert "TR-A4 is asked with hidden cards; here all see everything" in " ".join(told.err.split())
    hidden = dealt(bestline, tmp_path, "trench_rescue/2012", "--seed", "3")
    told = bestline("best", hidden, "--goal", "TR-A1", "--time", "0.3")
    assert "TR-A1 is asked with cards that all see; here cards are hidden" in " ".join(told.err.split())
    assert bestline("best", hidden, "--goal", "TR-A4", "--time", "0.3").err == ""


@pytest.fixture
def covered(tmp_path: Path) -> str:
    """Return the file of a game in which each player hides a hand."""
    path = tmp_path / "covered.json"
    position = board(
        seat(ap=2, rp=15, hand=["bribe"]), seat(ap=1, hand=["theft"]), actions=["theft"], events=["safe"], known=()
    )
    path.write_text(position.text(), "utf-8")
    return str(path)


@pytest.mark.slow
def test_cards_hidden_from_a_player_are_played_with_by_samples(bestline: Any, covered: str) -> None:
    words = ("best", covered, "--json", "--deterministic", "--time", "1", "--top", "99")
    told = bestline(*words)
    answer = told.json
    assert (told.code, told.err) == (3, "")
    assert (answer["method"], answer["opponents"], answer["goal"]["objective"]) == ("sampled", "rule of thumb", "win")
    assert answer["proof"] == {"method": "none"}
    assert answer["guessed_beyond"]
    assert {each["move"] for each in answer["moves"]} == set(bestline("moves", covered, "--json").json["moves"])
    assert answer["considered"] == answer["open"] == len(answer["moves"])
    for each in answer["moves"]:
        if each["interval"] is not None:
            assert 0 <= each["interval"][0] <= each["decimal"] <= each["interval"][1] <= 1
    assert bestline(*words).out == told.out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--opponents", "best"], "everybody plays on by one rule of thumb"),
        (["--opponents", "greedy"], "the others make their own table look best at the end of each turn"),
        (["--opponents", "random"], "each equally likely"),
        (["--opponents", "never"], "the others do nothing where they may, and end their turns at once"),
        (["--goal", "AB-A3", "--within-turns", "1"], "for 1 round: everybody plays on by one rule of thumb"),
    ],
)
def test_the_screen_of_a_sample_says_who_plays_how(bestline: Any, covered: str, words: list[str], said: str) -> None:
    vs = bestline("moves", covered, "--json").json["moves"][-1]
    told = bestline("best", covered, "--deterministic", "--time", "0.5", "--plain", "--vs", vs, *words)
    shown = " ".join(told.out.split())
    assert told.code == 3
    assert said in shown
    assert "95 % interval" in shown
    assert f"instead: {vs}: " in shown
    assert any(
        sure in shown
        for sure in (
            "is clearly best",
            "is the only move",
            "no move is better",
            "Not settled: the first ",
            "Too close to call: the first ",
        )
    )


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
    assert "everybody plays on by one rule of thumb" in told


def test_ctrl_c_keeps_the_best_so_far(bestline: Any, interrupted: Any, tmp_path: Path) -> None:
    code = dealt(bestline, tmp_path, "trench_rescue/2012", "--seed", "3")
    run = interrupted("best", code, "-v", "--time", "300", after="so far: ")
    assert run.code == 130
    assert "Not settled: the first " in " ".join(run.out.split())


def test_whoever_is_to_move_has_the_name_of_the_table(bestline: Any, tmp_path: Path) -> None:
    for ruleset, words in (("trench_rescue/2012", "is to move, not "), ("abyss/2021", "seat 1 is to move, not seat 2")):
        run = bestline("best", dealt(bestline, tmp_path, ruleset, "--seed", "3"), "--seat", "1")
        assert run.code == 2
        assert words in run.err
        assert "player" not in run.err
        assert "--seat 0" not in run.err, "on the table they count from 1"


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
    assert "player 1 is to move, and the goal is player 0's" in refused.err


def test_a_limit_is_told_by_the_exit_code(bestline: Any, tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    battle = Battle("9C@1,1 8C@2,2 TD@3,4", {"3,3": "5S", "2,2": "6H"}, trench=both("7C", "4D"), starter="black")
    path.write_text(battle.position.text(), "utf-8")
    told = bestline("best", str(path), "--time", "0.3")
    assert told.code == 3
    assert "\nSAMPLED " in told.out
    assert "games to their end" in " ".join(told.out.split())
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
    for words in ((), ("--goal", "max_distance", "--within-turns", "1")):
        told = " ".join(bestline("pay", asked, card, *words).out.split())
        assert "not taken into account: what the others do, and who wins; 'bestline best' compares" in told
    assert "not taken into account" not in bestline("pay", str(alone), card).out
    answer = bestline("hint", asked, "--level", "move", "--json", "--time", "0.3").json
    assert answer["hint"] in moves
    assert not answer["sure"]
