"""Advice on a few lines: one move, one reason, one bar, and what comes next."""

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
from solver.screens.policy import level_moves
from solver.search.expectiminimax import Model
from tests.bare import bare_position

SLED = bare_position('game = "iditacards"\nruleset = "2019-02"\n[[state.players]]\nhand = ["move"]\n')
REACH = Goal(Objective.REACH, 81, 3)
MOVES = (
    MoveValue(Word("play move"), Fraction(3, 4), interval=(0.7, 0.8)),
    MoveValue(Word("play rest"), Fraction(1, 2)),
)
CHANCE: Answer[Any] = Answer(Status.FEASIBLE, MOVES[0].value, None, moves=MOVES, goal=REACH, verdict="close")
WHY = ("Plays Move.", "'play rest' loses 25.0 %.", "Space 1 → 3.")


def told(answer: Answer[Any], top: int = 3, why: tuple[str, ...] = ()) -> list[str]:
    question = Question(SLED, answer.goal)
    return draw(Answered("best", question, answer, top=top, reasons=why).brief_rows(), Style()).splitlines()


def contest(stake: str, verdict: str, *moves: MoveValue[Any]) -> Answer[Any]:
    facts = ContestFacts(0, stake, Model.BEST, None)
    value = moves[0].value
    return Answer(Status.FEASIBLE, value, None, moves=moves, verdict=verdict, method=SAMPLED, contest=facts)


def test_one_move_one_reason_one_bar_and_the_next() -> None:
    assert [line.split() for line in told(CHANCE, why=WHY)] == [
        ["best", "play", "move", "75.0", "%", "(3/4)"],
        ["because", "Space", "1", "→", "3."],
        ["███████████▒▒░░░", "95", "%", "interval", "70.0–80.0.", "Too", "close", "to", "call:", "1–2"],
        ["2", "play", "rest", "50.0", "%", "(1/2)"],
    ]
    assert len(told(CHANCE, 1)) == 2
    assert told(replace(CHANCE, moves=())) == []


def test_a_single_playout_tells_nothing_and_draws_are_counted() -> None:
    once = MoveValue(Word("play move"), Fraction(1), playouts=1)
    shown = told(contest("", "undecided", once))
    assert [line.split("  ")[-1].strip() for line in shown] == ["too few draws to tell", "1 draw. Not settled: 1–2"]
    often = replace(once, value=Fraction(3, 4), interval=(0.7, 0.8), playouts=64)
    shown = told(contest("", "close", often, once))
    words = "███████████▒▒░░░ 95 % interval 70.0–80.0, 64 draws. Too close to call: 1–2"
    assert words in " ".join(" ".join(shown).split())
    assert shown[-1].endswith("too few draws to tell")


def test_moves_are_told_by_what_they_are_ranked_by() -> None:
    end = MoveValue(Word("end"), Fraction(1, 2), Fraction(0), playouts=9, win_chance=Fraction(2, 5))
    cycle = MoveValue(Word("cycle 9S"), Fraction(1, 4), Fraction(1, 4), playouts=9, win_chance=Fraction(3, 5))
    spans = [replace(each, interval=(0.0, 1.0)) for each in (end, cycle)]
    shown = told(contest("card", "decided", *spans))
    assert [line.split("  ")[-1].strip() for line in (shown[0], shown[-1])] == ["40.0 % to win", "0.25 cards less"]


def test_what_is_not_settled_counts_all_that_was_compared() -> None:
    spans = [None, (0.1, 0.3), (0.4, 0.9), (0.0, 0.1)]
    assert [level_moves(verdict, 0.5, spans) for verdict in ("undecided", "close")] == [4, 2]
    assert level_moves("close", 0.5, [(0.4, 0.6), (0.3, 0.7), (0.0, 0.1)]) == 3
    level = tuple(MoveValue(Word(f"go {n}"), Fraction(3, 4), interval=(0.7, 0.8)) for n in range(9))
    assert told(replace(CHANCE, moves=level), 1)[-1].endswith("Too close to call: 1–9"), "only one of them is shown"


@pytest.mark.parametrize(
    ("answer", "worth"),
    [
        (Answer(Status.OPTIMAL, Fraction(5, 2), None, goal=Goal(Objective.MIN_TURNS, 81)), "2.5 turns (5/2)"),
        (Answer(Status.OPTIMAL, Fraction(52), None, goal=Goal(Objective.MAX_DISTANCE, 0, 2)), "space 52"),
        (replace(contest("card", "", MOVES[0]), method="", value=Fraction(1, 4)), "60.0 % to win"),
        (replace(contest("card", "", MOVES[0]), method="", value=Fraction(1, 4)), "0.25 cards ahead (1/4)"),
        (replace(contest("", "", MOVES[0]), method="", value=Fraction(1, 4)), "25.0 % to win"),
    ],
)
def test_a_move_says_what_it_is_worth(answer: Answer[Any], worth: str) -> None:
    chance = Fraction(3, 5) if worth.startswith("60") else None
    move = MoveValue(Word("play move"), answer.value, win_chance=chance)
    first, *_, last = told(replace(answer, status=Status.OPTIMAL, moves=(move,)))
    assert first.endswith(f"  {worth}")
    assert last.endswith("exact")
