"""The example variants do what they say about themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rules.core.errors import ContentError
from rules.core.position import Position, new_position
from rules.core.ruleset import extended, load_ruleset
from rules.core.scripts import OVER
from tests.bare import bare_position
from tests.rules.games import play

OPEN = 'open = ["deck", "upgrade", "weather", "legs", "legendary", "opponents"]'


def position(ruleset: str, hand: str, deck: str = "", more: str = "") -> Position:
    """Return a solitaire position with these cards, everything known."""
    cards = [", ".join(f'"{card}"' for card in cards.split()) for cards in (hand, deck)]
    return bare_position(
        f'game = "iditacards"\nruleset = "{ruleset}"\n[chance]\nseed = 1\n{OPEN}\n'
        f"[[state.players]]\nhand = [{cards[0]}]\ndeck = [{cards[1]}]\n{more}"
    )


def taken(start: Position, *moves: str) -> Any:
    """Return the table after some moves."""
    game, state = start.start()
    for move in moves:
        state = game.apply(state, game.parse_step(state, move)).state
    return state.table


def test_a_breather_is_a_turn_in_which_only_the_sled_moves() -> None:
    after = taken(position("breather", "move"), "pass").players[0]
    assert (after.pos, after.turns, after.hand) == (1, 1, ("move",))
    game, state = position("2019-02", "move").start()
    assert "pass" not in [move.text for move in game.legal_moves(state)]


def test_light_mush_costs_one_card_of_the_hand() -> None:
    game, state = position("light-mush", "mush lunch rest", "move move move").start()
    plays = {move.text for move in game.legal_moves(state) if move.text.startswith("play mush")}
    assert plays == {"play mush pay lunch", "play mush pay rest"}


def test_tailwind_draws_for_those_who_have_eaten() -> None:
    deck = "move move move rest"
    hungry = taken(position("tailwind", "tailwind lunch", deck), "play tailwind pay lunch").players[0]
    fed = taken(position("tailwind", "tailwind lunch", deck, 'foods = ["lunch"]'), "play tailwind pay lunch").players[0]
    assert (hungry.pos, hungry.hand) == (4, ())
    assert (fed.pos, fed.hand) == (4, ("move",))


def test_the_long_race_is_over_behind_its_last_space() -> None:
    assert taken(position("long-race", "move", more="pos = 160"), "play move").over is False
    assert taken(position("long-race", "move", more="pos = 239"), "play move").over is True


@pytest.mark.parametrize("ruleset", ["open-track", "starter-race"])
def test_an_open_track_knows_no_weather_no_legs_and_no_gain(ruleset: str) -> None:
    start = new_position(ruleset, 1, 4)
    assert new_position(ruleset, 1, 4, ["deck", "upgrade", "legendary", "legs"]).information == "open"
    assert bare_position(start.text()).text() == start.text()
    game, state = start.start()
    days = 1
    for _, _, transition in play(game, state, 4, 120):
        table = transition.state.table
        player = table.players[0]
        assert (table.weather, table.supply, table.counters.weather) == ("none", (), 0)
        assert (player.hypothermia, player.starvation, player.legendary, player.passed) == (0, 0, (), ())
        days = player.days
    assert days > 1


def test_the_cards_of_the_starter_race_are_never_fewer() -> None:
    start = new_position("starter-race", 1, 9)
    game, state = start.start()
    for _, _, transition in play(game, state, 9, 100):
        dead = [card for card in transition.state.table.destroyed if card not in ("good_dog", "husky", "lead_dog")]
        assert dead == []


def test_two_treadmills_run_for_ever() -> None:
    game, state = position("treadmill", "treadmill treadmill").start()
    for _ in range(100):
        if game.to_act(state) == OVER:
            break
        before = state.table.players[0]
        state = game.apply(state, game.parse_step(state, "play treadmill")).state
        while state.pending:  # the village brings a card back as well
            state = game.apply(state, game.parse_step(state, "recover treadmill")).state
        after = state.table.players[0]
        assert after.pos > before.pos
        assert "treadmill" in after.hand
    last = state.table.players[0]
    assert (last.finished, last.days, last.deck) == (True, 1, ())
    assert last.turns < 18


@pytest.fixture
def variant(tmp_path: Path) -> Any:
    def written(text: str) -> str:
        path = tmp_path / "variant.toml"
        path.write_text(f'extends = "iditacards/2019-02"\n{text}', "utf-8")
        return str(path)

    return written


def test_a_removed_deck_takes_its_cards_along(variant: Any) -> None:
    ruleset = load_ruleset(variant('[decks.attack]\nremove = true\n[cards.salvage]\ndeck = "speed"\n'))
    assert "attack" not in ruleset.raw["decks"]
    assert not [card for card in ruleset.raw["cards"].values() if card["deck"] == "attack"]
    assert ruleset.raw["cards"]["salvage"]["deck"] == "speed"
    assert ruleset.raw["decks"]["speed"]["cards"] == 57


def test_a_deck_that_is_stated_again_holds_the_cards_stated_since() -> None:
    cards = load_ruleset("iditacards/2019-02").raw["cards"]
    change = {"decks": {"legendary": {"role": "legendary", "cards": 1}}, "cards": {"spare": {**cards["moose"]}}}
    ruleset = extended(load_ruleset("iditacards/open-track"), change)
    assert [name for name, card in ruleset.raw["cards"].items() if card["deck"] == "legendary"] == ["spare"]


def test_the_die_has_six_faces_or_none(variant: Any) -> None:
    assert load_ruleset(variant("[rules]\nweather = []\n")).raw["rules"]["weather"] == []
    with pytest.raises(ContentError, match="must have 6 elements, not 2"):
        load_ruleset(variant('[rules]\nweather = ["sun", "rain"]\n'))
