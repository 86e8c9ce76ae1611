"""What a turn can come to, seen as one decision and the chance after it."""

from __future__ import annotations

from itertools import islice

import pytest

from rules.core.errors import UnsupportedRuleset
from rules.core.position import load_position, new_position
from rules.core.steps import Forced, Step

NEW_DAY_ONLY = """
game = "iditacards"
ruleset = "2019-02"
[chance]
open = ["deck"]
seed = 1
[[state.players]]
pos = 50
"""


def test_without_chance_every_end_of_a_turn_is_a_lottery_of_its_own() -> None:
    game, start = new_position("iditacards/2019-02", 1, 3).start()
    lotteries = list(game.lotteries(start.table))
    assert all([chance for _, chance in lottery.ends] == [1] for lottery in lotteries)
    ends = {table for lottery in lotteries for table, _ in lottery.ends}
    assert ends == {end.table for end in game.distinct_ends(start.table)}
    assert len(ends) == len(lotteries)


def test_chance_after_the_last_decision_makes_several_ends() -> None:
    game, start = load_position(NEW_DAY_ONLY).start()
    (lottery,) = game.lotteries(start.table)
    assert [step.text for step in lottery.steps] == ["new_day"]
    assert len(lottery.ends) > 1
    assert sum(chance for _, chance in lottery.ends) == 1


def test_a_decision_after_chance_is_no_lottery() -> None:
    game, start = new_position("iditacards/2019-02", 1, 3, ()).start()
    with pytest.raises(UnsupportedRuleset, match="a choice after chance"):
        list(islice(game.lotteries(start.table), 1))


def test_a_state_that_tables_cannot_hold_settles_as_it_is() -> None:
    game, start = new_position("iditacards/2019-02", 1, 3).start()
    assert game.settled(start) == start


def test_ways_in_order_leave_out_what_is_not_wanted_and_ask_no_further_than_they_go() -> None:
    game, start = new_position("iditacards/2019-02", 1, 3).start()
    asked: list[str] = []

    def wanted(step: Step) -> bool:
        asked.append(step.text)
        return not step.text.startswith("play m")

    every = game.ordered_ends(start.table, (), frozenset(), None, 10_000)
    some = game.ordered_ends(start.table, (), frozenset(), wanted, 10_000)
    kept = [end for end in every if all(isinstance(step, Forced) or wanted(step) for step in end.steps)]
    asked.clear()
    first = next(some)
    assert len(set(asked)) < len(game.legal_moves(start)) / 2
    assert [first, *some] == kept
