"""Advice on a few lines: the verdict, one reason, and the best moves."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from puzzles.puzzle import Goal, Objective
from rules.core.scripts import Word
from solver.question import SAMPLED, Answer, ContestFacts, MoveValue, Question, Status
from solver.render import Style, draw
from solver.screens.answer import Answered
from solver.screens.common import payoff_words, tells_nothing
from solver.screens.policy import level_moves
from solver.search.expectiminimax import Model
from tests.bare import bare_position

SLED = bare_position('game = "iditacards"\nruleset = "2019-02"\n[[state.players]]\nhand = ["move"]\n')
REACH = Goal(Objective.REACH, 81, 3)
MOVES = (
    MoveValue(Word("play move"), Fraction(3, 4), interval=(0.7, 0.8), playouts=64),
    MoveValue(Word("play rest"), Fraction(1, 2), interval=(0.4, 0.6), playouts=64),
)
CHANCE: Answer[Any] = Answer(
    Status.FEASIBLE, MOVES[0].value, None, moves=MOVES, goal=REACH, method=SAMPLED, verdict="close"
)
WHY = ("Plays Move.", "'play rest' loses 25.0 %.", "Space 1 → 3.")


def told(answer: Answer[Any], top: int = 3, why: tuple[str, ...] = ()) -> list[str]:
    question = Question(SLED, answer.goal)
    return draw(Answered("best", question, answer, top=top, reasons=why).brief_rows(), Style()).splitlines()


def contest(stake: str, verdict: str, *moves: MoveValue[Any]) -> Answer[Any]:
    facts = ContestFacts(0, stake, Model.BEST, None)
    value = moves[0].value
    return Answer(Status.FEASIBLE, value, None, moves=moves, verdict=verdict, method=SAMPLED, contest=facts)


def test_the_best_move_one_reason_and_the_runner_ups() -> None:
    assert [" ".join(line.split()) for line in told(CHANCE, why=WHY)] == [
        "SAMPLED play move: about 75.0 %. Too close to call: the first 2 are level",
        "because Space 1 → 3.",
        "1 play move ███████████▒▒░░░ 75.0 % 95 % interval 70.0–80.0, 64 playouts",
        "2 play rest ██████▒▒▒▒░░░░░░ 50.0 % 95 % interval 40.0–60.0, 64 playouts",
    ]
    assert len(told(CHANCE, 1)) == 2
    assert told(replace(CHANCE, moves=())) == []


def test_a_single_playout_tells_nothing_and_playouts_are_counted() -> None:
    once = MoveValue(Word("play move"), Fraction(1), playouts=1)
    *verdict, move, _ = told(contest("", "undecided", once, once._replace(move=Word("play rest"))))
    said = "SAMPLED play move: too few playouts to tell. Not settled: the first 2 may be best"
    assert " ".join(map(str.strip, verdict)) == said
    assert move.endswith("too few playouts to tell  1 playout")
    wide = (0.0, 1.0)
    assert [tells_nothing(playouts, wide) for playouts in (1, 0)] == [True, False], "bounds without a draw are proved"


def test_cards_ahead_are_told_in_tenths() -> None:
    moves = [
        MoveValue(Word(name), value, loss=Fraction(4, 5) - value, interval=(0.71, 0.89), playouts=40)
        for name, value in (("end", Fraction(4, 5)), ("cycle 9S", Fraction(7, 9)))
    ]
    verdict, *_, first, _ = told(contest("card", "close", *moves))
    assert verdict.startswith("SAMPLED end: about 0.8 cards ahead, ")
    assert first == "  1  end       0.8 cards ahead  95 % interval +0.7 to +0.9, 40 playouts"
    words = payoff_words("card")
    assert (words.loss(Fraction(1, 45)), words.value(Fraction(16, 25))) == ("< 0.1 cards", "0.6 cards ahead (16/25)")


@pytest.mark.parametrize(("span", "outlook"), [((0.5, 1.5), "ahead"), ((-0.5, 2.5), "level"), ((-3.0, -0.1), "behind")])
def test_where_no_chance_is_told_the_screen_says_who_is_ahead(span: tuple[float, float], outlook: str) -> None:
    value = Fraction(1) if span[1] > 0 else Fraction(-1)
    move = MoveValue(Word("end"), value, interval=span, playouts=40)
    answer = contest("card", "undecided", move, other := move._replace(move=Word("cycle 9S")))
    later = replace(answer, contest=answer.facts._replace(rounds=6, guessed=True))
    assert f", {outlook} after 6 rounds. Not settled" in told(later)[0]
    chance = replace(later, moves=(move._replace(win_chance=Fraction(1, 2)), other))
    assert ", 50.0 % to win. Not settled" in told(chance)[0]


@pytest.mark.parametrize("verdict", ["undecided", "close", "decided"])
def test_an_only_move_is_not_said_to_be_level_with_another(verdict: str) -> None:
    move = MoveValue(Word("go_on"), Fraction(3, 4), interval=(0.7, 0.8), playouts=90)
    assert told(contest("", verdict, move))[0] == "SAMPLED about 75.0 % to win; go_on is the only move"


def test_moves_that_end_alike_are_told_as_such() -> None:
    pair = (None, (0, 0, 90), (50, 0, 60))
    moves = tuple(MoveValue(Word(f"go {n}"), Fraction(1, 2), playouts=90, paired=each) for n, each in enumerate(pair))
    shown = " ".join(" ".join(told(contest("", "decided", *moves))).split())
    assert "; the first 2 end alike, and no move is better " in shown


def test_what_is_not_settled_counts_all_that_was_compared() -> None:
    spans = [None, (0.1, 0.3), (0.4, 0.9), (0.0, 0.1)]
    assert [level_moves(verdict, 0.5, spans) for verdict in ("undecided", "close")] == [4, 2]
    assert level_moves("close", 0.5, [(0.4, 0.6), (0.3, 0.7), (0.0, 0.1)]) == 3
    level = tuple(MoveValue(Word(f"go {n}"), Fraction(3, 4), interval=(0.7, 0.8)) for n in range(9))
    shown = told(replace(CHANCE, moves=level), 1)[0]
    assert shown.endswith("Too close to call: the first 9 are level"), "only one of them is shown"


@pytest.mark.parametrize(
    ("goal", "worth"),
    [
        (Goal(Objective.MIN_TURNS, 81), "2.5 turns (5/2)"),
        (Goal(Objective.MAX_DISTANCE, 0, 2), "space 2.5 (5/2)"),
    ],
)
def test_a_move_says_what_it_is_worth(goal: Goal, worth: str) -> None:
    move = MoveValue(Word("play move"), Fraction(5, 2), Fraction(0))
    exact: Answer[Any] = Answer(Status.OPTIMAL, move.value, None, goal=goal, moves=(move,), method="expectimax")
    verdict, row = told(exact)
    assert verdict == f"SOLVED play move: {worth}, proved best"
    assert row.endswith(f"  {worth}  best")
