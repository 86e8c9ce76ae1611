"""The first turn by the rules, those after it by packed beliefs: equal to the rules alone, and sooner."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from puzzles.goal import Goal, Objective
from rules.core.steps import Step
from rules.core.turns import State
from rules.iditacards.moves import NEW_DAY
from rules.iditacards.state import Table
from solver.hidden_question import HiddenQuestion
from solver.report import Limit, Status
from solver.search.expectimax import Expectimax
from solver.search.first_turn import PlainStart
from solver.search.layers import LimitHit, Watch
from solver.search.onward import Onward
from tests.rules.iditacards.belief.two_steps import table_of, the_game, waiting

DAY = frozenset({NEW_DAY.text})
GAME = the_game()
CARDS = ("move", "lunch", "breakfast", "mush", "push", "haste", "first_aid", "wheel_dog", "improvise", "bear", "dinner")


def made(dice: random.Random) -> tuple[State[Any], Goal]:
    """Return a small table before the second step of a card, or in the middle of a turn, and a question."""
    cards = [dice.choice(CARDS) for _ in range(6)]
    upgrade = [[dice.choice(CARDS)], [dice.choice(CARDS)]]
    second = dice.choice(("", "", "", "repair_sled", "first_aid", "improvise"))
    stack = (waiting(second, "second"),) if second else ()
    seen = tuple(sorted(dice.sample(CARDS, 2))) if second == "first_aid" else ()
    supply = [dice.choice(CARDS) for _ in range(dice.randint(0, 2))]
    hypothermia = dice.randint(0, 1)
    table = table_of(cards[:3], cards[3:], upgrade, supply, pos=50, stack=stack, seen=seen, hypothermia=hypothermia)
    state = State(table)
    if not second:
        moves: list[Step] = [move for move in GAME.legal_moves(state) if move != NEW_DAY]
        after = GAME.apply(state, dice.choice(moves)).state
        state = after if after.pending else state
    if dice.random() < 0.5:
        return state, Goal(Objective.REACH, 50 + dice.choice((1, 3, 6)), 3, DAY)
    return state, Goal(Objective.MAX_DISTANCE, 0, 3, DAY)


def test_values_and_moves_are_those_of_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    packed = Onward._of_beliefs

    def listening(self: Onward, table: Table, turns: int) -> Fraction | None:
        value = packed(self, table, turns)
        asked.append(turns)
        return value

    monkeypatch.setattr(Onward, "_of_beliefs", listening)
    begun = 0
    for seed in range(12):
        state, goal = made(random.Random(seed))
        rules = PlainStart(Expectimax(GAME, goal, Watch(Limit())), state)
        onward = PlainStart(Onward(GAME, goal, Watch(Limit())), state)
        assert onward.value(3) == rules.value(3), seed
        assert onward.moves(3) == rules.moves(3), seed
        begun += bool(state.pending)
    assert begun > 0
    assert len(asked) > 4


def test_a_card_about_to_be_taken_is_asked_about_in_time() -> None:
    """By the rules alone it takes 60,000 ways through turns and more."""
    deck = ("breakfast", "dinner", "first_aid", "good_dog", "husky", "lunch", "lunch", "move", "mush", "wheel_dog")
    stack = (waiting("repair_sled", "second"),)
    table = table_of(["lunch", "mush"], deck, [["bear", "cat"], ["rush"]], ["push"], pos=50, stack=stack)
    goal = Goal(Objective.REACH, 64, 4, DAY)
    assert GAME.belief_turns(table, 0, DAY, 64, 4) is None
    plain = Expectimax(GAME, goal, Watch(Limit()), most=2_000)
    with pytest.raises(LimitHit):
        plain.value(table, 4)
    report = HiddenQuestion(GAME, State(table), goal, Limit(), most=2_000).answer()
    assert report.status is Status.OPTIMAL
    assert report.value == Fraction(1, 5)
