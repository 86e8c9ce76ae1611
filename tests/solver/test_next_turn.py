"""Plans that branch on what was drawn: parts that add to the whole, and what the rules say of every draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import count
from typing import Any

import pytest

from puzzles.puzzle import Goal, Objective
from rules.core.errors import DisagreementError
from rules.core.position import new_position
from rules.core.race import Race
from rules.core.scripts import ChanceOutcome, Forced
from rules.core.turns import State
from solver.engines.hidden import best_hidden
from solver.engines.next_turn import next_moves
from solver.question import NextMove, Question, Status
from solver.search.budget import Budget
from tests.rules.iditacards.boards import Board, seat

TOWARDS = Goal(Objective.MAX_DISTANCE, 0, 4, forbidden=frozenset({"new_day"}))


def small() -> Board:
    fields = {"pos": 50, "hand": "mush lunch armour", "deck": "rest breakfast lunch a_hat move move"}
    return Board("2019-02", seat(**fields, dogs="wheel_dog"), known=(), weather="storm")


def test_the_parts_add_to_the_whole() -> None:
    position = small().position
    report = best_hidden(Question(position, Goal(Objective.REACH, 60, 4, TOWARDS.forbidden)))
    best = report.moves[0]
    told = next_moves(position, report, best, report.plan)
    assert len(told) > 1
    assert sum(each.probability for each in told) == 1
    assert sum((each.probability * (each.value or 0) for each in told), Fraction(0)) == best.value
    assert [bool(each.when) for each in told] == [True] * (len(told) - 1) + [False]


def test_a_wrong_value_is_noticed() -> None:
    position = small().position
    report = best_hidden(Question(position, TOWARDS))
    best = report.moves[0]
    assert best.value is not None
    with pytest.raises(DisagreementError):
        next_moves(position, report, best._replace(value=best.value + 1), report.plan)


def test_nothing_is_told_of_the_last_turn_or_of_samples() -> None:
    position = small().position
    last = best_hidden(Question(position, replace(TOWARDS, within_turns=1)))
    assert next_moves(position, last, last.moves[0], last.plan) == ()
    report = best_hidden(Question(position, TOWARDS, playouts=1))
    if report.method == "sampled":
        assert next_moves(position, report, report.moves[0], report.plan) == ()


def test_a_move_that_was_asked_about_has_a_plan_of_its_own() -> None:
    position = small().position
    game, start = position.start()
    other = game.parse_step(start, "sacrifice wheel_dog")
    report = best_hidden(Question(position, TOWARDS, versus=other))
    option = next(each for each in report.moves if each.move == other)
    assert option.loss
    assert report.instead
    assert all(each.then[0] == other.text for each in report.instead)
    mean = sum((each.probability * (each.value or 0) for each in report.instead), Fraction(0))
    assert mean == option.value


def test_a_plan_says_what_the_rules_say_of_every_draw() -> None:
    """The first line that fits a draw has a move that is best at every table that the draw leads to."""
    position = small().position
    game, start = position.start()
    assert isinstance(game, Race)
    shown = 0
    for goal in (replace(TOWARDS, within_turns=3), Goal(Objective.REACH, 60, 3, TOWARDS.forbidden)):
        report = best_hidden(Question(position, goal))
        known: dict[Any, set[str]] = {}
        for option in report.moves[:4]:
            if option.value is None:
                continue
            told = next_moves(position, report, option, report.plan if option == report.moves[0] else ())
            shown += len(told) > 1
            for end in game.turn_ends(start.table, (option.move,)) if told else ():
                steps = [step.step if isinstance(step, Forced) else step for step in end.steps]
                seen = [step.result for step in steps if isinstance(step, ChanceOutcome)]
                line = next(each for each in told if not each.when or any(fits(when, seen) for when in each.when))
                if end.table not in known:
                    found = best_hidden(Question(position.after(State(end.table)), replace(goal, within_turns=2)))
                    known[end.table] = {each.move.text for each in found.moves if found.value and not each.loss}
                good = known[end.table]
                assert (line.move in good) if good else (not line.move or line.value == 1)
    assert shown


def fits(when: Sequence[str], seen: Sequence[str]) -> bool:
    return not Counter(when) - Counter(seen)


def mean(told: Sequence[NextMove]) -> Fraction:
    return sum((each.probability * (each.value or 0) for each in told), Fraction(0))


def test_many_draws_are_told_by_what_decides() -> None:
    """Of two cards drawn from ten only one matters, whatever pays for it."""
    position = new_position("iditacards/starter-race", seed=3, open_sources=[])
    player = dict(position.state["players"][0])
    player |= {"pos": 20, "deck": player["deck"][:10]}
    position = replace(position, state={**position.state, "players": [player]})
    report = best_hidden(Question(position, replace(TOWARDS, within_turns=3)))
    best = report.moves[0]
    told = next_moves(position, report, best, report.plan)
    assert [(each.move, each.when, each.probability) for each in told] == [
        ("play dog_chow", (("dog_chow",),), Fraction(3, 10)),
        ("play move", (), Fraction(7, 10)),
    ]
    assert told[0].is_payment_open
    assert mean(told) == best.value


@pytest.mark.parametrize("step", [0.0005, 0.001, 0.002, 0.004])
def test_an_exact_answer_has_its_plans_however_slow_the_clock_makes_the_first_search(step: float) -> None:
    position = small().position
    game, start = position.start()
    other = game.parse_step(start, "sacrifice wheel_dog")
    now = count()
    report = best_hidden(Question(position, TOWARDS, Budget(clock=lambda: next(now) * step), versus=other))
    assert report.status is Status.OPTIMAL
    assert report.plan
    assert report.instead
