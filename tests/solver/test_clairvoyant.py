"""What whoever knew every card would reach: held against all orders, one by one, and against the best policy."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from unittest.mock import Mock

import pytest

from puzzles.goal import Goal, Objective
from rules.core.chance import Chance, SplitMix64
from rules.core.position import new_position
from rules.core.turns import State
from rules.iditacards.engine import Iditacards
from solver import clairvoyant as module
from solver import hidden
from solver.clairvoyant import foresight, is_asked, opened
from solver.comparing import compared
from solver.hidden import best_bounded
from solver.hidden_question import HiddenQuestion
from solver.question import Question
from solver.render import Style
from solver.report import Limit, Status, WorkClock
from solver.screens.hidden import hidden_answer, hidden_rows
from solver.search.layers import Watch
from tests.rules.iditacards.boards import Board, seat

DAY = frozenset({"new_day"})
CASES = (
    ("move mush lunch armour", "rest breakfast lunch a_hat move", Goal(Objective.REACH, 59, 3, DAY)),
    ("mush armour dinner", "move breakfast lunch move good_dog", Goal(Objective.REACH, 61, 3, DAY)),
    ("mush armour dinner", "move breakfast lunch move good_dog", Goal(Objective.MAX_DISTANCE, 0, 3, DAY)),
    ("husky armour dinner lunch", "move breakfast lunch rest mush", Goal(Objective.MAX_DISTANCE, 0, 2, DAY)),
)


def table(hand: str, deck: str) -> Board:
    return Board("2019-02", seat(pos=50, hand=hand, deck=deck, dogs="wheel_dog"), known=(), weather="storm")


def over_all_orders(board: Board, goal: Goal) -> Fraction:
    """Return the mean of the best values over all orders of the deck, each solved openly."""
    drawn = opened(board.position, 0, SplitMix64(1))
    assert drawn is not None
    game, start = drawn
    values = []
    for deck in permutations(start.table.players[0].deck):
        player = start.table.players[0]._replace(deck=deck)
        report = Question(game, State(start.table._replace(players=(player,))), goal, Limit()).answer()
        assert report.status in (Status.OPTIMAL, Status.INFEASIBLE)
        values.append(report.value or 0)
    return Fraction(sum(values), len(values))


@pytest.mark.parametrize(("hand", "deck", "goal"), CASES)
def test_it_is_no_less_than_the_best_policy_has_and_the_sample_holds_it(hand: str, deck: str, goal: Goal) -> None:
    board = table(hand, deck)
    exact = HiddenQuestion(board.game, board.state, goal, Limit()).answer()
    assert exact.status is Status.OPTIMAL
    assert exact.value is not None
    known = over_all_orders(board, goal)
    assert known >= exact.value
    found = foresight(board.position, goal, Limit(), seed=3)
    assert found is not None
    assert (found.orders, found.solved) == (module.ORDERS, module.ORDERS)
    assert found.interval[0] <= known <= found.interval[1]
    assert found.interval[0] <= found.mean <= found.interval[1]


def test_knowing_the_cards_can_be_worth_much() -> None:
    hand, deck, goal = CASES[0]
    board = table(hand, deck)
    exact = HiddenQuestion(board.game, board.state, goal, Limit()).answer().value
    assert exact is not None
    assert over_all_orders(board, goal) > exact


def test_what_is_hidden_is_dealt_and_what_is_known_stays() -> None:
    board = table("mush", "move breakfast lunch rest")
    start = board.table
    player = start.players[0]._replace(known=1, deck=("rest", "breakfast", "lunch", "move"))
    position = board.position.with_table(start._replace(players=(player,)))
    seen: Counter[tuple[str, ...]] = Counter()
    generator = SplitMix64(5)
    for _ in range(600):
        drawn = opened(position, 0, generator)
        assert drawn is not None
        game, state = drawn
        assert isinstance(game, Iditacards)
        assert not position.definition.hidden_sources(replace(position.setting, chance=game.chance))
        dealt = state.table.players[0]
        assert dealt._replace(deck=player.deck, known=1) == player
        seen[dealt.deck] += 1
    assert {order[0] for order in seen} == {"rest"}
    assert len(seen) == 6
    assert max(seen.values()) < 2 * min(seen.values()), "each order is as likely as another"


def test_upgrade_decks_are_dealt_too() -> None:
    position = new_position("iditacards/2019-02", 1, 3, ())
    before = position.table().upgrade
    drawn = opened(position, 0, SplitMix64(2))
    assert drawn is not None
    after = drawn[1].table.upgrade
    assert after != before
    assert [Counter(deck) for deck in after] == [Counter(deck) for deck in before]


def test_it_is_not_asked_where_it_would_say_something_else() -> None:
    board = table(*CASES[0][:2])
    goal = CASES[0][2]
    assert is_asked(board.position, goal)
    setting = board.position.setting
    seeded = replace(board.position, setting=replace(setting, chance=Chance(frozenset({"weather"}), 3)))
    assert not is_asked(seeded, goal), "the rolls to come are known, and no other seed may take their place"
    assert not is_asked(new_position("iditacards/2019-02", 2, 3, ()), goal)
    assert not is_asked(new_position("iditacards/2019-02", 1, 3, ()), Goal(Objective.MIN_TURNS, 161))
    assert foresight(new_position("trench_rescue/2012", 1, 3, ()), goal, Limit()) is None


def test_orders_that_are_not_solved_count_as_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    board, goal = table(*CASES[0][:2]), CASES[0][2]
    whole = foresight(board.position, goal, Limit(), seed=3)
    assert whole is not None
    solve, asked = Question.answer, 0

    def some(question: Question) -> object:
        nonlocal asked
        asked += 1
        report = solve(question)
        return report if asked % 2 else replace(report, status=Status.UNKNOWN, value=None, bound=1)

    monkeypatch.setattr(Question, "answer", some)
    found = foresight(board.position, goal, Limit(), seed=3)
    assert found is not None
    assert found.solved == found.orders / 2
    assert found.mean > whole.mean


def test_an_answer_that_is_not_exact_is_told_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    board, goal = table(*CASES[0][:2]), CASES[0][2]
    assert best_bounded(board.position, goal, Limit(clock=WorkClock())).foresight is None, "exact answers need none"
    report = compared(board.position, goal, None, Watch(Limit()), playouts=200)
    monkeypatch.setattr(hidden, "best_hidden", Mock(return_value=report))
    report = best_bounded(board.position, goal, Limit(clock=WorkClock()))
    assert report.method == "sampled"
    assert report.foresight is not None
    told = hidden_answer("best", board.position, report, 3, None, timed=False)
    assert told["clairvoyant"]["orders"] == report.foresight.orders
    assert Fraction(told["clairvoyant"]["value"]) == report.foresight.mean
    shown = " ".join(
        row.text for row in hidden_rows("", board.position, report, Style(plain=True), 3, None, timed=False)
    )
    assert "whoever knew every card beforehand would be there in" in shown
    assert "nobody who does not know them has more than that" in shown


def test_a_stop_meanwhile_keeps_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    board, goal = table(*CASES[0][:2]), CASES[0][2]
    report = hidden.best_hidden(board.position, goal, playouts=50)
    monkeypatch.setattr(hidden, "foresight", Mock(side_effect=KeyboardInterrupt))
    monkeypatch.setattr(hidden, "best_hidden", Mock(return_value=replace(report, status=Status.FEASIBLE)))
    found = best_bounded(board.position, goal, Limit(clock=WorkClock()))
    assert found.interrupted
    assert found.options == report.options
