"""Advice under hidden cards as a player reads it: what is as good, what comes next, why nothing can be had."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from puzzles.puzzle import Goal, Objective
from rules.core.position import new_position
from solver.engines.hidden import HiddenQuestion, best_hidden
from solver.question import Answer, Question
from solver.search.budget import Budget
from tests.rules.iditacards.boards import Board, seat

if TYPE_CHECKING:
    from tests.cli.conftest import Runner

DAY = frozenset({"new_day"})
STORM = seat(pos=50, hand="armour breakfast husky lunch", deck="dinner move first_aid move", dogs="wheel_dog")
ASKED = ("--goal", "reach", "--target", "60", "--within-turns", "3", "--no-new-day")


def code(edition: str, player: dict[str, object], weather: str = "storm") -> str:
    """Return the code of a position in which everything is hidden."""
    return Board(edition, player, known=(), weather=weather).position.code


def words(text: str) -> str:
    """Return a screen without its line breaks."""
    return " ".join(text.split())


@pytest.mark.slow
def test_a_plan_that_ends_with_this_turn_says_how_to_go_on(bestline: Runner) -> None:
    assert "Next turn" in bestline("best", code("2019-02", STORM), *ASKED).out
    position = new_position("iditacards/starter-race", seed=1, open_sources=[])
    player = dict(position.state["players"][0])
    player |= {"pos": 20, "deck": player["deck"][:9]}  # six are drawn, in any order
    position = replace(position, state={**position.state, "players": [player]})
    out = bestline(
        "best", position.code, "--goal", "reach", "--target", "29", "--within-turns", "3", "--no-new-day"
    ).out
    assert "Next turn" not in out
    assert "the next turn hangs on what comes up" in words(out)


def test_a_distance_stands_where_no_move_is_left(bestline: Runner) -> None:
    player = seat(pos=1, hand="first_aid", deck="lunch move")
    run = bestline(
        "best", code("2017", player, "snow"), "--goal", "max_distance", "--within-turns", "2", "--no-new-day"
    )
    assert run.code == 0
    assert "SOLVED space 1, proved best" in words(run.out)


def test_what_simply_going_on_has_is_told_beside_a_bound_of_the_best_play(bestline: Runner) -> None:
    """A leg gives a card back at the end of a turn; the dog has to go, or Move would end the race before Mush (R68)."""
    player = seat(pos=157, hand="move mush lunch", deck="move dinner breakfast", dogs="wheel_dog")
    told = words(bestline("risk", code("2017", player, "sun"), "--time", "20").out)
    assert "33.3 % or more" in told
    assert "mush: exactly 0 (0.0 %) just going on" in told
    assert "just going on has" not in bestline("risk", code("2019-02", STORM)).out


def test_short_answers_bear_their_position_too(bestline: Runner) -> None:
    table = code("2019-02", STORM)
    assert table in bestline("pay", table, "breakfast").out
    nothing = code("2019-02", seat(pos=50, hand="lunch", deck="move", dogs="wheel_dog"))
    assert nothing in bestline("risk", nothing).out


def test_a_payment_without_the_value_that_was_asked_for_has_hit_a_limit(bestline: Runner) -> None:
    table = code("2019-02", STORM)
    assert bestline("pay", table, "husky", *ASKED).code == 0
    far = ("--goal", "reach", "--target", "80", "--within-turns", "6")
    run = bestline("pay", table, "husky", *far, "--time", "0")
    assert run.code == 3
    assert "allow more with --time" in words(run.out)


def test_a_card_that_cannot_be_paid_for_is_a_negative_answer(bestline: Runner) -> None:
    table = code("2019-02", seat(hand="mush lunch", deck="move move rest"))
    run = bestline("pay", table, "mush")
    assert (run.code, run.err) == (1, "")
    assert "NO the cost of 'mush' cannot be paid here; it may be played all the same" in words(run.out)
    run = bestline("pay", table, "mush", "--json")
    assert (run.code, run.json["best"], run.json["payments"], run.json["fails"]) == (1, None, [], [[]])
    assert "play mush" in bestline("moves", table, "--json").json["moves"]
    assert bestline("pay", table, "husky").code == 2


def test_the_move_that_arrives_at_once_keeps_its_plan_when_others_take_all_the_time() -> None:
    player = seat(pos=157, hand="move mush lunch", deck="move dinner breakfast", dogs="wheel_dog")
    board = Board("2017", player, known=(), weather="sun")
    report = best_hidden(Question(board.position, Goal(Objective.MIN_TURNS, 160)))
    assert not all(each.is_settled for each in report.moves), "the others were not followed to the end"
    assert [branch.then for branch in report.plan] == [("play move",)]


@pytest.mark.parametrize("found", [False, True])
def test_a_stop_before_anything_was_found_tries_every_move(found: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    real = HiddenQuestion.answer

    def answer(self: HiddenQuestion) -> Answer[Fraction]:
        told = real(self)
        value = told.value if found else told.value and 0 * told.value
        return replace(told, status=told.status.FEASIBLE, value=value, interrupted=True)

    monkeypatch.setattr(HiddenQuestion, "answer", answer)
    board = Board("2019-02", STORM, known=(), weather="storm")
    report = best_hidden(Question(board.position, Goal(Objective.REACH, 60, 3, DAY), Budget(300)))
    assert report.interrupted
    assert report.method == ("expectimax" if found else "sampled")
    assert report.moves[0].move.text.startswith("play")


def test_moves_that_come_before_chance_are_told_before_it(bestline: Runner) -> None:
    """The weather comes up in the new day, not between the dog's end and the new day."""
    player = seat(pos=158, hand="", deck="lunch move", dogs="wheel_dog")
    told = words(bestline("best", code("2019-02", player, "sun"), "--vs", "sacrifice wheel_dog").out)
    assert "sacrifice wheel_dog; new_day, then rain or wind" in told
    assert "This turn, with 'sacrifice wheel_dog'" in told


def test_what_the_next_turn_brings_after_another_move_is_told(bestline: Runner) -> None:
    table, vs = code("2019-02", STORM), "play husky pay armour breakfast"
    run = bestline("best", table, *ASKED, "--vs", vs)
    assert f"Next turn, with '{vs}'" in run.out
    parts = bestline("best", table, *ASKED, "--vs", vs, "--json").json["versus"]
    assert sum(Fraction(each["probability"]) * Fraction(each["value"]) for each in parts["next_turn"]) == Fraction(1, 6)


def test_a_goal_that_is_far_is_measured_itself(bestline: Runner) -> None:
    told = bestline("best", code("2019-02", STORM), "--json", "--time", "0.2").json
    assert (told["goal"]["objective"], told["method"], "moves_goal" in told) == ("min_turns", "sampled", False)
    assert "moves_goal" not in bestline("best", code("2019-02", STORM), *ASKED, "--json").json


def test_a_hint_at_the_only_move_is_sure(bestline: Runner) -> None:
    run = bestline("hint", code("2019-08", seat(pos=3)), "--level", "move", "--time", "0.2")
    assert (run.code, run.out.splitlines()[0]) == (0, "new_day")


def test_the_next_turn_is_told_after_a_card_that_was_turned_over_and_paid(bestline: Runner) -> None:
    player = seat(pos=40, hand="lunch move armour", deck="rest move good_dog mush breakfast lunch", dogs="wheel_dog")
    table = code("2019-02", {**player, "stack": [{"card": "husky", "need": 3, "paid": 1}]}, "rain")
    goal = ("--goal", "reach", "--target", "49", "--within-turns", "3", "--no-new-day")
    run = bestline("best", table, *goal, "--vs", "continue")
    assert "continue; after lunch or mush: pay armour lunch" in words(run.out)
    assert "continue: 90.0 % (9/10), the best move itself" in words(run.out)
    assert "This turn, with" not in run.out
    told = bestline("best", table, *goal, "--json").json
    mean = sum(Fraction(each["probability"]) * Fraction(each["value"]) for each in told["next_turn"])
    assert mean == Fraction(9, 10)


def test_a_goal_that_is_reached_already_is_said_to_be(bestline: Runner) -> None:
    asked = ("--goal", "reach", "--target", "50", "--within-turns", "2")
    assert "the goal is reached already" in words(bestline("best", code("2019-02", STORM), *asked).out)


def test_of_moves_as_good_the_one_that_is_there_sooner_comes_first(bestline: Runner) -> None:
    player = seat(pos=99, hand="move lunch armour", deck="rest move dinner breakfast", dogs="wheel_dog")
    asked = ("--goal", "reach", "--target", "102", "--within-turns", "2", "--no-new-day", "--deterministic", "--json")
    moves = bestline("best", code("2019-02", player), *asked).json["moves"]
    assert [each["move"] for each in moves] == ["play move", "play armour pay lunch", "play armour pay move"]
    assert {each["value"] for each in moves} == {"1"}


def test_of_moves_that_are_as_good_the_one_that_the_turn_needs_comes_first(bestline: Runner) -> None:
    """Giving up a dog before the second step gains nothing, so that nobody is told to do it."""
    player = seat(pos=40, hand="move", deck="armour breakfast dinner move move", dogs="wheel_dog")
    waiting = {"card": "first_aid", "need": 0, "paid": 0, "step": "second", "n": 0, "day": 0}
    player |= {"seen": ["a_hat", "mush"], "stack": [waiting]}
    asked = (code("2019-08", player, "sun"), "--goal", "max_distance", "--no-new-day", "--json")
    moves = bestline("best", *asked, "--within-turns", "2").json["moves"]
    assert [(each["move"], each["loss"]) for each in moves] == [("second", "0"), ("sacrifice wheel_dog", "0")]
    player |= {"seen": [], "stack": [], "hand": ["first_aid", "lunch", "mush"]}
    asked = (code("2019-08", player, "sun"), "--goal", "max_distance", "--no-new-day", "--json")
    told = bestline("best", *asked, "--within-turns", "2", "--vs", "play first_aid pay lunch mush").json
    assert {each["move"] for each in told["versus"]["next_turn"]} == {"second"}


def test_what_comes_up_together_is_told_apart_from_what_may_come_up_instead(bestline: Runner) -> None:
    board = Board("2019-02", STORM, options={"fizzle_scope": "failed_card"}, known=(), weather="storm")
    told = words(bestline("best", board.position.code, *ASKED).out)
    assert " with " in told.partition("This turn")[2].partition("Next turn")[0]
    assert ", " not in told.partition("This turn")[2].partition("Next turn")[0].replace(", then ", " then ")
