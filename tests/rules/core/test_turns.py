"""Ways through a turn."""

from __future__ import annotations

from rules.core.position import new_position


def test_a_state_that_tables_cannot_hold_settles_as_it_is() -> None:
    game, start = new_position("iditacards/2019-02", 1, 3).start()
    assert game.settled(start) == start
