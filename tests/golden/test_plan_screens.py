"""Whole screens of answers, as people see them at width 80."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from puzzles.puzzle import Goal, Objective, load_puzzle
from rules.core.position import Position
from rules.core.race import Race
from solver.lines import explain_line
from solver.question import Answer, Proof, Question, Statistics, Status, TurnLine
from solver.render import Style, draw
from solver.screens.answer import Answered, reasons
from tests.bare import bare_position

POSITION = """
game = "iditacards"
ruleset = "2019-02"
chance = { seed = 1, open = ["deck", "upgrade", "weather", "legs", "legendary", "opponents"] }
[state]
weather = "storm"
[[state.players]]
pos = 50
dogs = [{ dog = "wheel_dog", attachments = [] }]
hand = ["armour", "dinner", "good_dog", "husky", "lunch"]
deck = [
    "a_hat", "dog_chow", "mush", "first_aid", "repair_sled", "breakfast", "upgrade_sled", "upgrade_sled", "rest",
    "move", "move", "lunch", "move", "grandma_soup", "lead_dog",
]
"""
TURNS = ("play husky pay armour good_dog", "continue pay dinner lunch", "continue", "continue")
RESCUE = (
    "enter KC x2; enter AC x2; end",
    "go KC+AC 2,3; end",
    "go KC+AC 2,4; end",
    "go KC+AC 2,2 take; end",
    "go KC+AC home; end",
)
GOAL = Goal(Objective.MIN_TURNS, 72, forbidden=frozenset({"new_day"}))


def screen(position: Position, report: Answer[int], goal: Goal = GOAL, style: Style | None = None) -> str:
    game, start = position.start()
    assert isinstance(game, Race)
    told = list(explain_line(game, start, report.line))
    if told:
        note = {"kind": "instead", "equal": 2, "nearest": "new_day", "loss": 1, "more": 9}
        told[0] = told[0]._replace(notes=(*told[0].notes, note))
    return draw(
        Answered(
            "solve",
            Question(position, goal),
            replace(report, turns=tuple(told)),
            "A Risk inside a Risk",
            timed=False,
        ).rows(),
        style or Style(),
    )


def line(position: Position) -> tuple[TurnLine, ...]:
    game, state = position.start()
    turns: list[TurnLine] = []
    for text in TURNS:
        step = game.parse_step(state, text)
        state = game.apply(state, step).state
        turns.append(TurnLine((step,)))
    return tuple(turns)


@pytest.fixture
def position() -> Position:
    return bare_position(POSITION)


@pytest.mark.parametrize(
    ("name", "style"),
    [("solved", Style()), ("solved-ascii", Style(ascii=True)), ("solved-plain", Style(plain=True))],
)
def test_solved(golden: Callable[[str, str], None], position: Position, name: str, style: Style) -> None:
    proof = Proof("layers", 3, 412, 98, "speed and cards left", ("discard pile", "supply"), ("replay",))
    statistics = Statistics(0.1, 1234, 400, "encoded")
    report = Answer(Status.OPTIMAL, 4, 4, line(position), proof, statistics)
    golden(name, screen(position, report, style=style))


def test_found(golden: Callable[[str, str], None], position: Position) -> None:
    proof = Proof("layers", 2, 51, checked_by=("replay",))
    report = Answer(Status.FEASIBLE, 4, 3, line(position)[:1], proof, Statistics(1.0, 99, 9, "plain"), interrupted=True)
    golden("found", screen(position, report))


def test_impossible(golden: Callable[[str, str], None], position: Position) -> None:
    goal = Goal(Objective.MIN_TURNS, 161, within_turns=3)
    report: Answer[int] = Answer(
        Status.INFEASIBLE, None, None, (), Proof("layers", 3, 77), Statistics(1.0, 99, 9, "plain")
    )
    golden("impossible", screen(position, report, goal))


@pytest.mark.parametrize(("name", "style"), [("rescue", Style()), ("rescue-ascii", Style(ascii=True))])
def test_a_rescue_with_a_picture_of_the_field(golden: Callable[[str, str], None], name: str, style: Style) -> None:
    puzzle = load_puzzle("too-far-out")
    goal = replace(puzzle.goal, within_turns=None)
    game, state = puzzle.position.start()
    assert isinstance(game, Race)
    turns = []
    for text in RESCUE:
        steps = []
        for move in text.split("; "):
            steps.append(game.parse_step(state, move))
            state = game.apply(state, steps[-1]).state
        turns.append(TurnLine(tuple(steps)))
    proof = Proof("layers", 4, 15, 321, game.profile.bound_name, (), ("replay",))
    report = Answer(Status.OPTIMAL, 5, 5, tuple(turns), proof, Statistics(0.1, 777, 40, "plain"))
    told = explain_line(game, puzzle.position.start()[1], report.line)
    golden(
        name,
        draw(
            Answered(
                "solve",
                Question(puzzle.position, goal),
                replace(report, turns=tuple(told)),
                "Far Out",
                timed=False,
            ).rows(),
            style,
        ),
    )


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (
            {"equal": 0, "nearest": None, "loss": None, "more": 4},
            "no other move does as well; 4 others lose much or all",
        ),
        ({"equal": 1, "nearest": "pass", "loss": 2, "more": 0}, "1 other move does as well; 'pass' loses 2 turns"),
        ({"equal": 3, "nearest": None, "loss": None, "more": 0}, "3 other moves do as well"),
    ],
)
def test_what_other_moves_cost_in_words(data: dict[str, Any], words: str) -> None:
    assert reasons([{"kind": "instead", **data}], "turn") == [("instead", words)]


def test_no_line_but_the_code_is_wider_than_the_screen(position: Position) -> None:
    report = Answer(Status.OPTIMAL, 4, 4, line(position), Proof("layers", 3, 412), Statistics())
    wide: list[Any] = [text for text in screen(position, report).splitlines() if len(text) > 80]
    assert [text.split()[0] for text in wide] == ["code"]
