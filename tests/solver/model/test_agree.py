"""The second opinion against the plainest search there is."""

from __future__ import annotations

import _thread
import subprocess
import sys
from threading import Timer
from typing import Any

import pytest

from puzzles.goal import Goal, Objective
from rules.core.errors import DisagreementError
from rules.core.position import Position
from rules.core.steps import Step
from rules.core.turns import State
from solver.facts import Unusable
from solver.facts_cards import CardFlow
from solver.model.agree import Opinion, second_opinion
from solver.report import Limit, Status
from tests.solver.model.small_positions import exhaustive, goals, position, random_position

NO_NEW_DAY = frozenset({"new_day"})


def asked(position: Position, goal: Goal, limit: Limit | None = None) -> Opinion:
    game: Any = position.game
    return second_opinion(game, position.table(), goal, limit)


def progress_after(position: Position, opinion: Opinion) -> list[int]:
    """Replay a plan move by move and return the progress after each turn."""
    game: Any = position.game
    state: State[Any] = State(position.table())
    reached = []
    for turn in opinion.plan:
        for step in turn.steps:
            state = game.apply(state, step).state
        assert not state.pending
        reached.append(game.progress(state.table))
    return reached


def check(position: Position, forbidden: frozenset[str], turns: int) -> int:
    """Compare every question about a position; return how many there were."""
    game: Any = position.game
    table = position.table()
    truth = exhaustive(game, table, forbidden, turns, 3_000)
    compared = 0
    for goal, status, value in goals(truth or [], game.progress(table), forbidden):
        opinion = asked(position, goal)
        assert (opinion.status.value, opinion.value) == (status, value), (goal, opinion)
        assert opinion.bound == opinion.value
        reached = progress_after(position, opinion)
        if goal.objective is Objective.MAX_DISTANCE and value is not None:
            assert reached[-1] == value
        elif value:
            assert reached[-1] >= goal.target
            assert all(progress < goal.target for progress in reached[:-1])
        compared += 1
    return compared


@pytest.mark.parametrize("ruleset", ["2017", "2019-02", "2019-08"])
@pytest.mark.parametrize("starter", [True, False], ids=["starter", "every deck"])
def test_it_agrees_with_playing_everything(ruleset: str, starter: bool) -> None:
    compared = 0
    for seed in range(10):
        start = random_position(ruleset, seed, starter=starter, cards=6)
        compared += 0 if start is None else check(start, NO_NEW_DAY, 3)
    assert compared > 20


@pytest.mark.parametrize("ruleset", ["2017", "2019-02", "2019-08"])
def test_it_agrees_where_days_end(ruleset: str) -> None:
    compared = 0
    for seed in range(100, 106):
        start = random_position(ruleset, seed, starter=True, cards=4)
        compared += 0 if start is None else check(start, frozenset(), 2)
    assert compared > 10


def risks() -> Position:
    """A card whose risk is paid with another risky card."""
    deck = ["a_hat", "dog_chow", "mush", "first_aid", "repair_sled", "breakfast", *["upgrade_sled"] * 2, "rest"]
    return position(
        hand=["armour", "dinner", "good_dog", "husky", "lunch"],
        deck=[*deck, "move", "move", "lunch"],
        dogs=["wheel_dog"],
    )


def test_a_risk_inside_a_risk() -> None:
    goal = Goal(Objective.MIN_TURNS, 72, forbidden=NO_NEW_DAY)
    opinion = asked(risks(), goal)
    assert (opinion.status, opinion.value, opinion.formulation) == (Status.OPTIMAL, 4, "card flow")
    assert progress_after(risks(), opinion)[-1] >= 72


def test_what_cannot_be_done_is_proved_impossible() -> None:
    goal = Goal(Objective.REACH, 72, 3, NO_NEW_DAY)
    opinion = asked(risks(), goal)
    assert (opinion.status, opinion.value, opinion.plan) == (Status.INFEASIBLE, 0, ())


def test_a_day_that_runs_out_of_turns_is_proved_impossible_without_a_limit() -> None:
    start = position(hand=["move"], deck=["lunch"])
    opinion = asked(start, Goal(Objective.MIN_TURNS, 100, forbidden=NO_NEW_DAY))
    assert opinion.status is Status.INFEASIBLE
    assert asked(start, Goal(Objective.MAX_DISTANCE, 0, 2, NO_NEW_DAY)).status is Status.INFEASIBLE


def test_a_goal_that_holds_already_takes_no_turn() -> None:
    opinion = asked(position(), Goal(Objective.MIN_TURNS, 50))
    assert (opinion.status, opinion.value, opinion.plan) == (Status.OPTIMAL, 0, ())


def test_a_game_that_is_over_stays_as_it_is() -> None:
    start = position(hand=["move", "move"], pos=160)
    opinion = asked(start, Goal(Objective.MAX_DISTANCE, 0, 3, NO_NEW_DAY))
    assert (opinion.status, opinion.value, len(opinion.plan)) == (Status.OPTIMAL, 162, 1)


def test_a_limit_leaves_it_unknown_with_what_was_excluded() -> None:
    goal = Goal(Objective.MIN_TURNS, 72, forbidden=NO_NEW_DAY)
    for limit in (Limit(states=40), Limit(time_s=0.0)):
        opinion = asked(risks(), goal, limit)
        assert opinion.status is Status.UNKNOWN
        assert opinion.value is None
        assert opinion.bound is not None
        assert opinion.bound <= 4


@pytest.mark.usefixtures("no_collector")
def test_ctrl_c_stops_it() -> None:
    start = random_position("2019-02", 3, starter=True, cards=20)
    assert start is not None
    timer = Timer(1.0, _thread.interrupt_main)
    timer.start()
    try:
        opinion = asked(start, Goal(Objective.MAX_DISTANCE, 0, 12), Limit(time_s=30))
    finally:
        timer.cancel()  # a failure before must not stop the other tests
    assert opinion.interrupted
    assert opinion.status is Status.UNKNOWN


def test_the_same_question_has_the_same_answer() -> None:
    goal = Goal(Objective.MIN_TURNS, 72, forbidden=NO_NEW_DAY)
    assert asked(risks(), goal).plan == asked(risks(), goal).plan


def test_chance_and_other_players_are_refused() -> None:
    hidden = position(hand=["move", "lunch", "mush"], deck=["move", "rest"], chance={"seed": 1, "open": []})
    with pytest.raises(Unusable, match="hidden chance"):
        asked(hidden, Goal(Objective.MIN_TURNS, 60, 3, NO_NEW_DAY))
    two = position(hand=["move"], players=2)
    with pytest.raises(Unusable, match="several players"):
        asked(two, Goal(Objective.MIN_TURNS, 60, 3, NO_NEW_DAY))


def test_a_turn_that_the_rules_do_not_have_is_our_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CardFlow, "replay", lambda *_: None)
    with pytest.raises(DisagreementError, match="turn 1"):
        asked(risks(), Goal(Objective.MIN_TURNS, 52, forbidden=NO_NEW_DAY))


def test_nothing_heavy_is_loaded_before_a_question_is_asked() -> None:
    code = "import sys, solver.model.agree; sys.exit('ortools' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_forbidden_moves_are_not_taken() -> None:
    start = position(hand=["move", "move"], deck=["lunch"], dogs=["wheel_dog"])

    def words(step: Step) -> str:
        return step.text.split()[0]

    for forbidden in (NO_NEW_DAY, NO_NEW_DAY | {"sacrifice"}):
        opinion = asked(start, Goal(Objective.MAX_DISTANCE, 0, 2, forbidden))
        assert not forbidden & {words(step) for turn in opinion.plan for step in turn.steps}
    nothing = asked(start, Goal(Objective.MAX_DISTANCE, 0, 2, NO_NEW_DAY | {"play"}))
    assert nothing.status is Status.INFEASIBLE
