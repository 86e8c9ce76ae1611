"""Plain play over rows gets a sled to the finish, a fast one that conditions drive backwards too."""

from __future__ import annotations

from statistics import fmean

import pytest

from rules.core.position import load_position, new_position
from solver.encodings import whole_games

TABLE = """
game = "iditacards"
ruleset = "2019-08"
players = 1
chance = { open = [] }
state.weather = "sun"
[[state.players]]
pos = 58
dogs = [DOGS]
hand = ["move", "mush"]
deck = ["armour", "dinner", "dog_chow", "first_aid", "grandma_soup", "lunch", "move", "repair_sled", "upgrade_sled"]
discard = ["a_hat", "breakfast", "breakfast", "good_dog", "harness", "lunch", "move", "move", "mush", "repair_sled"]
"""


@pytest.mark.parametrize("dogs", ['{dog="husky"}', '{dog="husky"}, {dog="wheel_dog", attachments=["tiara"]}'])
def test_conditions_do_not_hold_a_sled_for_ever(dogs: str) -> None:
    game, start = load_position(TABLE.replace("DOGS", dogs)).start()
    play = whole_games(game, start)
    assert play is not None
    assert fmean(play(start.table, seed).length for seed in range(100)) < 120


def test_a_whole_race_is_no_long_walk() -> None:
    game, start = new_position("iditacards/2017", 1, 3, ()).start()
    play = whole_games(game, start)
    assert play is not None
    assert fmean(play(start.table, seed).length for seed in range(100)) < 94
