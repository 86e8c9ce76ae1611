"""Tables, advice, risks and reviews as people see them at three widths, and without signs, colours or columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from puzzles.puzzle import Goal, Objective
from rules.core.position import Position
from solver.engines.hidden import best_hidden
from solver.question import Question, Statistics
from solver.render import BAR, Row, Style, bar, draw, table
from solver.screens.answer import Answered
from solver.screens.cards import risk_rows
from solver.screens.common import position_rows
from solver.screens.games import review_rows
from solver.tools.review import Judged, Review, review
from solver.tools.risk import risks
from tests.bare import bare_position
from tests.rules.abyss.boards import x3
from tests.rules.trench_rescue.battles import Battle, both

SLEDS = """
game = "iditacards"
ruleset = "2019-02"
[state]
weather = "wind"
[[state.players]]
pos = 44
dogs = [{ dog = "wheel_dog", attachments = ["dog_chow"] }, { dog = "husky" }]
hand = ["armour", "lunch", "move", "mush"]
deck = ["breakfast", "dinner", "first_aid", "good_dog", "lead_dog", "move", "mush", "rest"]
"""
RIVAL = """
[[state.players]]
pos = 45
dogs = [{ dog = "wheel_dog", attachments = [] }]
hand = ["move", "dinner"]
deck = ["lunch", "rest"]
stack = [{ card = "husky", need = 2, paid = 1 }, { card = "mush", need = 1, paid = 0 }]
"""
FIELD = Battle("7S@2,2 9C@2,2+KD QD@3,4", {"2,2": "4H JC", "4,3": "2D"}, trench=both("AC", "KH"), deck=both("5C", "6H"))
GOAL = Goal(Objective.REACH, 81, 3, frozenset({"new_day"}))
STEPS = ("play mush pay armour lunch", "deck dinner", "deck mush", "continue", "deck first_aid")
STYLES = {
    **{str(width): Style(width=width) for width in (60, 100, 160)},
    "ascii": Style(ascii=True),
    "plain": Style(plain=True),
}


def tables() -> list[Row]:
    places = (bare_position(SLEDS + RIVAL), FIELD.position, x3("short_of_resource", "riot"))
    return [row for position in places for row in position_rows(position, GOAL)]


@cache
def sled() -> Position:
    return bare_position(SLEDS)


def advice() -> list[Row]:
    question = Question(sled(), GOAL)
    answer = replace(best_hidden(question), statistics=Statistics())  # what it cost changes with the search
    return Answered("best", question, answer, timed=False).rows()


def odds() -> list[Row]:
    return risk_rows(sled(), risks(sled()))


def looking_back() -> list[Row]:
    return review_rows(sled(), GOAL, review(sled(), GOAL, STEPS))


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("rows", [tables, advice, odds, looking_back])
def test_screens_at_every_width(golden: Callable[[str, str], None], rows: Callable[[], list[Row]], name: str) -> None:
    style = STYLES[name]
    shown = draw(rows(), style)
    golden(f"{rows.__name__.replace('_', '-')}-{name}", shown)
    lines = shown.splitlines()
    assert style.plain or all(len(line) <= style.width for line in lines if not line.startswith("code "))


@pytest.mark.parametrize(("seat", "is_told"), [(0, True), (None, False)], ids=["a decision", "chance"])
def test_only_a_decision_loses_the_goal_itself(seat: int | None, *, is_told: bool) -> None:
    found = Review(GOAL, (Judged("play move", seat, known=True),), impossible_after=(1,))
    shown = draw(review_rows(sled(), GOAL, found), Style())
    assert ("besides the goal itself" in " ".join(shown.split())) == is_told


@pytest.mark.parametrize("value", [0, 0.001, 0.5, 0.999, 1])
def test_a_bar_is_full_only_for_certainty(value: float) -> None:
    shown = bar(Fraction(value))
    assert (len(shown), "█" in shown, "░" in shown) == (BAR, value > 0, value < 1)
    quarter = BAR // 4
    assert bar(Fraction(1, 2), (0.25, 0.75)) == "█" * quarter + "▒" * 2 * quarter + "░" * quarter


@pytest.mark.parametrize(("style", "is_drawn"), [(Style(), True), (Style(width=30), False), (Style(plain=True), False)])
def test_bars_give_way_to_words(style: Style, is_drawn: bool) -> None:
    rows: Sequence[Sequence[str]] = [("mush", "█" * BAR, "a long text"), ("move", "", "another one")]
    assert ("█" in draw(table(rows, bars=1), style)) == is_drawn
