"""What is known of a game beforehand: how long it lasts, what nobody ever has, what a hidden deal looks like."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules.core.errors import ContentError
from rules.core.race import NEVER
from rules.core.scripts import SplitMix64
from rules.trench_rescue.engine import TrenchRescue
from tests.bare import bare_position

CASES: list[dict[str, Any]] = [
    {},
    {"withdrawal": "instant"},
    {"barrage_timing": "after_each", "starter_order": "alternate"},
    {"score": "home", "reinforcement": "draw_when_empty"},
    {"withdrawal_hit": "rescuable", "shell_rule": "floor_half_min_one"},
    {"drop_cost": "move", "rescued_acts_now": True},
]


def _dealt(seed: int, players: int, options: dict[str, Any]) -> TrenchRescue:
    chance = {"seed": seed, "open": ["cards", "deck", "shells"]}
    table = {"game": "trench_rescue", "ruleset": "2012", "players": players, "chance": chance}
    position = bare_position(json.dumps({**table, "options": {"turn_limit": 3 + seed % 4, **options}}))
    assert isinstance(position.game, TrenchRescue)
    return position.game


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("options", CASES, ids=lambda options: "-".join(options) or "default")
def test_no_game_lasts_longer_and_no_score_is_greater_than_is_known_beforehand(
    players: int, options: dict[str, Any]
) -> None:
    for seed in range(6):
        game = _dealt(seed, players, options)
        tables, generator = [game.initial_table()], SplitMix64(seed)
        while not game.is_over(tables[-1]):
            tables.append(game.sample_turn(tables[-1], generator).table)
        for seat in range(players):
            last, best = game.turns(tables[-1], seat), 0
            for table in reversed(tables):
                best = max(best, game.progress(table, seat))
                most = game.most_turns(table, seat)
                assert most is not None
                assert last - game.turns(table, seat) <= most
                assert game.least_turns(table, seat, best) < NEVER
                assert game.least_turns(table, seat, 53) == NEVER


def test_a_withdrawal_without_end_has_no_last_turn() -> None:
    for options in ({"withdrawal": "free"}, {"withdrawal_trench": True}):
        game = _dealt(1, 1, options)
        assert game.most_turns(game.initial_table()) is None


def test_cards_carried_home_again_and_again_have_no_limit() -> None:
    game = _dealt(1, 1, {"score": "rescued"})
    assert game.least_turns(game.initial_table(), 0, 60) < NEVER


def test_a_hidden_deal_is_what_only_the_soldiers_tell() -> None:
    told = 'game = "trench_rescue"\nruleset = "2012"\n[state]\ntrench = { black = ["7C"], red = ["3H"] }\n'
    state = bare_position(told).state
    assert state["piles"] == [["?"]] * 16
    assert [len(state["deck"][colour]) for colour in ("black", "red")] == [17, 17]
    assert state["view"] == "black"
    alone = bare_position(told.replace(', red = ["3H"]', "").replace("[state]", "players = 1\n[state]")).state
    assert [len(alone["deck"][colour]) for colour in ("black", "red")] == [17, 18]


def test_what_does_not_add_up_says_where_cards_lie() -> None:
    told = 'game = "trench_rescue"\nruleset = "2012"\n[state]\ntrench = { black = ["7C"], red = ["3H"] }\n'
    told += f"piles = {[[]] * 16}\n"
    with pytest.raises(ContentError, match=r"34 cards lie unknown \(0 in the piles, 17 and 17 in the decks\), but 50"):
        bare_position(told)
