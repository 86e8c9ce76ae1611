"""Plans that branch on what was drawn: parts that add to the whole, and tables answered by a search of their own."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from puzzles.goal import Goal, Objective
from rules.core.errors import DisagreementError
from solver.hidden import best_hidden
from solver.next_turn import coming
from tests.rules.iditacards.boards import Board, seat

TOWARDS = Goal(Objective.MAX_DISTANCE, 0, 4, forbidden=frozenset({"new_day"}))


def small() -> Board:
    fields = {"pos": 50, "hand": "mush lunch armour", "deck": "rest breakfast lunch a_hat move move"}
    return Board("2019-02", seat(**fields, dogs="wheel_dog"), known=(), weather="storm")


def test_the_parts_add_to_the_whole() -> None:
    position = small().position
    report = best_hidden(position, TOWARDS)
    best = report.options[0]
    told = coming(position, report, best.move, best.value)
    assert best.move.text.startswith("play lunch")
    assert len(told) > 1
    assert sum(each.probability for each in told) == 1
    assert sum((each.probability * (each.value or 0) for each in told), Fraction(0)) == best.value
    # Three of six cards are drawn: every draw is told once.
    draws = [seen for each in told for seen in each.after]
    assert len(draws) == len(set(draws))
    assert all(len(seen) == 3 for seen in draws)


def test_a_wrong_value_is_noticed() -> None:
    position = small().position
    report = best_hidden(position, TOWARDS)
    best = report.options[0]
    assert best.value is not None
    with pytest.raises(DisagreementError):
        coming(position, report, best.move, best.value + 1)


def test_nothing_is_told_of_the_last_turn_or_of_samples() -> None:
    position = small().position
    last = best_hidden(position, replace(TOWARDS, within_turns=1))
    assert coming(position, last, last.options[0].move, last.options[0].value) == ()
    report = best_hidden(position, TOWARDS, playouts=1)
    if report.method == "sampled":
        assert coming(position, report, report.options[0].move, report.options[0].value) == ()


def test_a_move_that_was_asked_about_has_a_plan_of_its_own() -> None:
    position = small().position
    game, start = position.start()
    other = game.parse_step(start, "sacrifice wheel_dog")
    report = best_hidden(position, TOWARDS, versus=other)
    option = next(each for each in report.options if each.move == other)
    assert option.loss
    assert report.instead
    assert all(each.then[0] == other.text for each in report.instead)
    mean = sum((each.probability * (each.value or 0) for each in report.instead), Fraction(0))
    assert mean == option.value
