"""Reviews of games of several players, and the turning points of a record, from outside."""

from __future__ import annotations

import _thread
import json
import threading
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from puzzles.puzzle import load_puzzle
from rules.core.position import load_position
from solver.engines import answers
from solver.engines.answers import best_move
from solver.question import Answer, Question
from solver.render import Style, draw
from solver.screens.games import review_rows
from solver.search.budget import Budget
from solver.tools.advice import LEVELS
from solver.tools.review import Judged, Review
from solver.tools.table_entry import Companion
from tests.cli.tables import record
from tests.rules.abyss.boards import board, seat
from tests.rules.trench_rescue.battles import Battle, both
from tests.rules.trench_rescue.duels import Duel


@pytest.fixture
def duel() -> str:
    return Duel("A", 2).battle.position.text()


def game_of(folder: Path, position: str, *moves: str) -> str:
    path = folder / "game.json"
    path.write_text(json.dumps({**json.loads(position), "moves": list(moves)}), "utf-8")
    return str(path)


def test_the_best_line_gives_nothing_away(bestline: Any, tmp_path: Path, duel: str) -> None:
    start = tmp_path / "duel.json"
    start.write_text(duel, "utf-8")
    best = bestline("best", str(start), "--json").json
    run = bestline("review", game_of(tmp_path, duel, *best["line"][:4]), "--json")
    told = run.json
    assert run.code == 0
    assert told["lost"] == ["0", "0"]
    assert told["steps"][0]["before"] == best["value"]
    assert {each["seat"] for each in told["steps"] if each["by"] == "player"} == {0, 1}


def test_a_loss_is_what_best_says(bestline: Any, tmp_path: Path, duel: str) -> None:
    start = tmp_path / "duel.json"
    start.write_text(duel, "utf-8")
    worst = bestline("best", str(start), "--top", "99", "--json").json["moves"][-1]
    assert worst["loss"] != "0"
    path = game_of(tmp_path, duel, worst["move"])
    told = bestline("review", path, "--json").json
    assert (told["steps"][0]["loss"], told["steps"][0]["method"]) == (worst["loss"], "exact")
    assert told["lost"] == [worst["loss"], "0"]
    assert told["steps"][0]["better"] == bestline("best", str(start), "--json").json["moves"][0]["move"]
    assert "better: " in " ".join(bestline("review", path).out.split())


def test_a_step_that_cannot_be_is_named(bestline: Any, tmp_path: Path, duel: str) -> None:
    run = bestline("review", game_of(tmp_path, duel, "end", "fly home"))
    assert (run.code, run.out) == (2, "")
    assert "moves[1]" in run.err


def test_without_time_losses_are_not_called_exact(bestline: Any, tmp_path: Path) -> None:
    position = Duel("A", 12).battle.position.text()
    run = bestline("review", game_of(tmp_path, position, "end"), "--time", "0", "--json")
    assert run.code == 3
    assert run.json["steps"][0]["method"] != "exact"
    assert run.json["unknown"] == 1


def test_a_hint_against_others_is_the_best_move(bestline: Any, tmp_path: Path, duel: str) -> None:
    start = tmp_path / "duel.json"
    start.write_text(duel, "utf-8")
    best = bestline("best", str(start), "--json").json
    told = bestline("hint", str(start), "--level", "move", "--json").json
    assert (told["hint"], told["sure"]) == (best["moves"][0]["move"], True)
    line = bestline("hint", str(start), "--level", "line").out
    assert " ".join(line.split()).startswith("; ".join(best["line"]))


@pytest.mark.parametrize("words", ["sprint-20", "knife", "call-up", "RACE"])
def test_a_hint_is_the_move_that_best_names_first(bestline: Any, tmp_path: Path, words: str) -> None:
    race = tmp_path / "race.toml"
    sleds = "[[state.players]]\npos = 150\nhand = ['mush', 'move', 'lunch']\n[[state.players]]\npos = 149\nhand = 3\n"
    race.write_text(f'game = "iditacards"\nruleset = "2019-02"\nstate.weather = "sun"\n{sleds}', "utf-8")
    asked = (str(race) if words == "RACE" else words, "--deterministic", "--time", "1", "--json")
    best, told = bestline("best", *asked), bestline("hint", *asked, "--level", "move")
    assert told.json["hint"] == best.json["moves"][0]["move"]
    assert told.code == best.code


def test_each_hint_tells_more_in_every_game(bestline: Any) -> None:
    rescue = Battle("9S@1,1+5C", trench=both(red="4D"), size=2, starter="black", options={"turn_limit": 1})
    explorer = seat(identity="leader", hand=["bribe", "digging"], partners=["homeless:2"])
    household = board(explorer, seat(identity="adventurer", hand=["theft"]), phase="choose", events=["safe", "safe"])
    for start, more in ((rescue.position, "end"), (household, "what follows was not worked out")):
        told = [bestline("hint", start.code, "--level", level, "--time", "1") for level in LEVELS]
        nudge, card, move, line = (each.out.splitlines()[0].partition(" (the best found")[0] for each in told)
        first, second, _ = move.split()
        assert (nudge, card) == (f"try '{first}'", f"{first} {second}")
        assert line.startswith(f"{move}; {more}")


def test_a_hint_does_not_take_for_ever(bestline: Any) -> None:
    run = bestline("hint", "the-long-trail", "--time", "0.2")
    assert run.code == 3
    assert "not proved" in run.out or "--time" in run.err


def test_whoever_stops_a_hint_gets_the_best_move_so_far(bestline: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(question: Question, **_: Any) -> Answer[Any]:
        return replace(best_move(replace(question, limit=Budget(time_s=0.0))), interrupted=True)

    monkeypatch.setattr(answers, "best_move", stopped)
    run = bestline("hint", "the-long-trail", "--level", "move", "--json")
    assert run.code == 130
    assert not run.json["sure"]
    assert run.json["hint"] in bestline("moves", "the-long-trail", "--json").json["moves"]


@pytest.mark.parametrize("words", [("hint", "the-long-trail"), ("puzzle", "verify")])
def test_ctrl_c_ends_what_asks_for_one_move_or_many_puzzles(bestline: Any, words: tuple[str, ...]) -> None:
    stopping = threading.Timer(1, _thread.interrupt_main)
    stopping.start()
    try:
        run = bestline(*words)
    finally:
        stopping.cancel()
    assert run.code == 130
    assert "warm-up" not in run.out
    assert run.err.endswith("interrupted\n")


def test_turning_points_are_told_with_their_kind(bestline: Any, tmp_path: Path) -> None:
    path = record(tmp_path, "play mush pay armour lunch", "deck rest", "deck a_hat", "continue", "deck breakfast")
    told = bestline("review", path, "--json").json
    changes = {
        number: Fraction(each["luck"])
        for number, each in enumerate(told["steps"], start=1)
        if each["by"] == "chance" and each["luck"]
    }
    assert told["turning_points"] == [number for number, change in changes.items() if abs(change) >= Fraction(12, 100)]
    assert "(luck)" in bestline("review", path).out


def test_decisions_under_hidden_cards_are_judged_by_samples(bestline: Any, tmp_path: Path) -> None:
    dealt = tmp_path / "dealt.json"
    words = ["--open", "none", "--seed", "3", "--json"]
    dealt.write_text(bestline("position", "new", "trench_rescue/2012", *words).out, "utf-8")
    first = bestline("moves", str(dealt), "--json").json["moves"][-1]
    path = game_of(tmp_path, dealt.read_text("utf-8"), first, "end")
    run = bestline("review", path, "--json", "--time", "1")
    told = run.json
    assert run.code == 3
    judged, forced = told["steps"]
    assert (judged["step"], judged["method"], judged["before"]) == (first, "sampled", None)
    assert judged["verdict"] in ("decided", "close", "undecided")
    assert Fraction(judged["loss"]) >= 0
    assert not judged["mark"] or judged["verdict"] == "decided", "only what is settled has a mark"
    assert forced["mark"] == "only move"
    assert told["lost"] == ["0", "0"], "only exact losses are added up"
    shown = bestline("review", path, "--time", "1").out
    assert "the best move that a sample finds, with what the player knew" in " ".join(shown.split())


@pytest.mark.slow
def test_what_others_hold_does_not_change_how_a_decision_is_judged(bestline: Any, tmp_path: Path) -> None:
    dealt = tmp_path / "dealt.json"
    words = ["--players", "2", "--open", "none", "--seed", "3", "--json"]
    dealt.write_text(bestline("position", "new", "iditacards/2019-02", *words).out, "utf-8")
    first = bestline("moves", str(dealt), "--json").json["moves"][-1]
    data = json.loads(dealt.read_text("utf-8"))
    other = data["state"]["players"][1]
    other["hand"][0], other["deck"][0] = other["deck"][0], other["hand"][0]
    other["hand"].sort()
    other["deck"].sort()
    judged = []
    for text in (dealt.read_text("utf-8"), json.dumps(data)):
        path = game_of(tmp_path, text, first)
        judged.append(bestline("review", path, "--json", "--deterministic", "--time", "2").json["steps"])
    assert judged[0] == judged[1]


@pytest.mark.parametrize(("luck", "seat"), [(1, "black"), (-1, "red")])
def test_luck_is_told_of_the_same_player_step_by_step_and_in_the_sum(duel: str, luck: int, seat: str) -> None:
    # Luck is what chance gave the first seat.
    step = Judged("shell 1,1", None, Fraction(0), None, True, Fraction(luck))
    found = Review(None, (step,), (None, None))
    out = draw(review_rows(load_position(duel), None, found), Style())
    assert out.count(f"luck of {seat}, 1") == 2


def test_sums_say_where_not_all_is_known(bestline: Any, tmp_path: Path) -> None:
    told = bestline("review", record(tmp_path, "play mush pay armour lunch"), "--time", "0").out
    assert "lost       0.0 % by decisions, as far as is known" in told


@pytest.mark.slow
@pytest.mark.parametrize(
    ("puzzle", "move", "heading", "summed"),
    [
        ("sprint-10", "play dog_chow pay first_aid", "turns", "0 turns by decisions"),
        ("knife", "sacrifice wheel_dog", "space ", "spaces by decisions"),
        ("the-courier", "give_up none", "stages", "0 stages by decisions"),
    ],
)
def test_values_are_told_with_what_they_count(
    bestline: Any, tmp_path: Path, puzzle: str, move: str, heading: str, summed: str
) -> None:
    game = tmp_path / "game.json"
    Companion(load_puzzle(puzzle), [move]).save(game)
    told = bestline("review", str(game)).out
    assert heading in told
    assert summed in told
    assert ".00" not in told


def test_decisions_of_a_seat_whose_hand_nobody_saw_are_not_judged(bestline: Any, tmp_path: Path) -> None:
    file = tmp_path / "game.toml"
    file.write_text(
        'moves = ["play move", "play move"]\ngame = "iditacards"\nruleset = "2019-02"\n'
        '[state]\nweather = "wind"\n'
        '[[state.players]]\npos = 44\nhand = ["armour", "lunch", "move", "mush"]\n'
        "[[state.players]]\npos = 40\nhand = 4\n",
        "utf-8",
    )
    run = bestline("review", str(file), "--time", "1", "--json")
    assert run.code in (0, 3)
    assert run.json["steps"][1]["loss"] is None


@pytest.mark.parametrize("command", ["review", "simulate"])
def test_whoever_plays_alone_writes_the_own_hand(bestline: Any, tmp_path: Path, command: str) -> None:
    path = Path(record(tmp_path, "new_day"))
    path.write_text(path.read_text("utf-8").replace('"armour"', '"?"'), "utf-8")
    run = bestline(command, str(path), "--json")
    assert (run.code, run.out) == (2, "")
    assert "state.players[0].hand: has unknown cards" in run.err
