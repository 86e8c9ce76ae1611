"""Why a move is best: sentences about tables that the rules reached, in every game, whatever is hidden."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rules.core.position import Position, new_position
from solver.screens.common import FEW, about
from solver.tools.advice import _consequences
from tests.rules.iditacards.boards import Board, seat
from tests.rules.trench_rescue.battles import Battle, both
from tests.rules.trench_rescue.duels import Duel

if TYPE_CHECKING:
    from tests.cli.conftest import Run, Runner

HOME = seat(
    pos=44,
    hand="armour lunch move mush",
    deck="breakfast dinner first_aid good_dog lead_dog move mush rest",
    dogs="wheel_dog+dog_chow husky",
)
REACH = ("--goal", "reach", "--target", "81", "--within-turns", "3", "--no-new-day")


def hidden_sled() -> Position:
    """Return a table of Iditacards whose deck is hidden."""
    return Board("2019-02", HOME, known=(), weather="wind").position


@pytest.fixture
def asked(bestline: Runner, tmp_path: Path) -> Runner:
    """Ask for the best move of a position, with reasons."""

    def ask(position: Position, *words: str) -> Run:
        path = tmp_path / "table.json"
        path.write_text(position.text(), "utf-8")
        return bestline("best", str(path), "--why", *words)

    return ask


def test_a_reason_names_what_is_gained_kept_and_lacking(asked: Runner) -> None:
    told = asked(hidden_sled(), *REACH, "--json").json
    assert told["moves"][0]["move"] == "play lunch pay armour mush"
    assert told["why"][-5:] == [
        "Space 44 → 51 in all 16 playouts.",
        "It keeps move for the next turn: 'play move'.",
        "It can get there only after move or mush (64.3 %).",
        "'play move' loses 8.9 %.",
        "To keep armour, lunch and mush, 'play move' is best: it loses 8.9 %.",
    ]


def test_what_a_soldier_does_besides_what_was_asked_is_told() -> None:
    game, start = Battle("KC@2,2", {"2,2": "5C"}, deck=both("9C", "6H")).position.start()
    step = game.parse_step(start, "go KC 2,1 take")
    assert [each.kind for each in _consequences(game.apply(start, step).events, step)] == ["picks_up"]


def test_a_move_said_again_is_no_reason() -> None:
    game, start = Board("2019-08", seat(pos=50, hand="move", dogs="wheel_dog+tiara"), known=()).position.start()
    step = game.parse_step(start, "sacrifice wheel_dog+tiara")
    assert [each.kind for each in _consequences(game.apply(start, step).events, step)] == ["dog_dies"]


def test_few_draws_are_no_reason(asked: Runner) -> None:
    told = asked(new_position("iditacards/2019-02", 2, 3, ()), "--time", "0.01", "--deterministic", "--json").json
    assert told["moves"][0]["playouts"] < FEW
    claims = (" loses about ", " as well.", "playout of both", "To keep ")
    assert not any(claim in each for claim in claims for each in told["why"])


def test_a_loss_of_next_to_nothing_is_not_about_less_than_it() -> None:
    assert [about("< 0.1 %"), about("0.4 %"), about("0.4 %", False)] == ["less than 0.1 %", "about 0.4 %", "0.4 %"]
    assert about("> 99.9 %") == "more than 99.9 %"


def test_a_reason_names_the_draws_on_which_the_next_best_move_falls_behind(asked: Runner) -> None:
    player = seat(pos=50, hand="move move", deck="rest lunch", dogs="wheel_dog")
    position = Board("2019-02", player, known=(), weather="storm").position
    why = asked(position, "--goal", "reach", "--target", "54", "--within-turns", "2", "--json").json["why"]
    assert "Space 50 → 54." in why
    # A cloud takes the speed of the one dog.
    assert "'new_day' does worst after cloud (16.7 %)." in why


def test_a_screen_says_because_under_the_verdict(asked: Runner) -> None:
    lines = asked(hidden_sled(), *REACH).out.splitlines()
    place = next(place for place, line in enumerate(lines) if line.startswith("SOLVED "))
    assert lines[place + 1].startswith("because    ")
    assert "           'play move' loses 8.9 %." in lines


@pytest.mark.parametrize(
    "position",
    [
        Duel("A", 2).battle.position,
        new_position("trench_rescue/2012", 2, 3, ()),
        new_position("abyss/2021", 2, 3, ()),
        new_position("iditacards/2019-02", 2, 3, ()),
        new_position("iditacards/2019-02", 1, 3, ()),
    ],
    ids=["open duel", "trench", "abyss", "two sleds", "sled"],
)
def test_every_game_gives_reasons(asked: Runner, position: Position) -> None:
    run = asked(position, "--time", "0.5", "--json")
    assert "--why" not in run.err
    why = run.json["why"]
    assert any(sentence.startswith("'") or sentence.endswith(" as well.") for sentence in why)
    assert all(sentence.endswith(".") and "''" not in sentence for sentence in why)


def test_an_answer_without_a_move_has_a_reason_too(asked: Runner) -> None:
    words = ("--goal", "reach", "--target", "160", "--within-turns", "1", "--no-new-day", "--json")
    assert asked(hidden_sled(), *words).json["why"] == ["No way to play does what is asked; that is proved."]


def test_a_review_names_what_was_better(bestline: Runner, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    worse = "play mush pay armour lunch"
    path.write_text(json.dumps({**hidden_sled().canonical(), "moves": [worse]}), "utf-8")
    step = bestline("review", str(path), *REACH, "--json").json["steps"][0]
    assert (step["loss"], step["better"]) == ("5/56", "play lunch pay armour mush")
    assert "better: play lunch pay armour mush" in " ".join(bestline("review", str(path), *REACH).out.split())
