"""Ways through a turn."""

from __future__ import annotations

from rules.core.position import new_position
from rules.core.steps import Forced, Step


def test_a_state_that_tables_cannot_hold_settles_as_it_is() -> None:
    game, start = new_position("iditacards/2019-02", 1, 3).start()
    assert game.settled(start) == start


def test_ways_in_order_leave_out_what_is_not_wanted_and_ask_no_further_than_they_go() -> None:
    game, start = new_position("iditacards/2019-02", 1, 3).start()
    asked: list[str] = []

    def wanted(step: Step) -> bool:
        asked.append(step.text)
        return not step.text.startswith("play m")

    every = game.ordered_ends(start.table, (), None, 10_000)
    some = game.ordered_ends(start.table, (), wanted, 10_000)
    kept = [end for end in every if all(isinstance(step, Forced) or wanted(step) for step in end.steps)]
    asked.clear()
    first = next(some)
    assert len(set(asked)) < len(game.legal_moves(start)) / 2
    assert [first, *some] == kept
