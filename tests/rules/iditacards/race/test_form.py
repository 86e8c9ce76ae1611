"""The race form against the engine: the same turn ends over many days, and free actions that may wait."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.core.chance import SplitMix64
from rules.core.position import new_position
from rules.core.steps import Forced
from rules.core.turns import TurnEnd
from rules.iditacards.engine import Iditacards
from rules.iditacards.moves import Remove, Sacrifice
from rules.iditacards.race.bound import BoundTables
from rules.iditacards.race.form import RaceForm
from rules.iditacards.race.scope import missing
from rules.iditacards.state import Frame, Table
from solver.report import Limit
from solver.search.layers import Watch
from solver.search.packed_search import PackedSearch
from tests.rules.iditacards.boards import start

SEEDS = range(4)
RACE = "iditacards/starter-race"


def acts_freely(end: TurnEnd[Table]) -> bool:
    return any(isinstance(step, (Sacrifice, Remove)) for step in end.steps)


def calls_day(end: TurnEnd[Table]) -> bool:
    return any(not isinstance(step, Forced) and step.text == "new_day" for step in end.steps)


def in_play(end: TurnEnd[Table]) -> int:
    return sum(2 + len(dog.attachments) for dog in end.table.players[0].dogs)


@pytest.mark.parametrize("postpone", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_race_turns_are_the_turns_of_the_engine(seed: int, postpone: bool) -> None:
    """Turn by turn over several days; with postponing, free actions come on the turn of a new day only."""
    game, table = start(RACE, seed)
    form = RaceForm(game.rulings, table, 0, postpone=postpone)
    generator = SplitMix64(seed)
    compared = 0
    for _ in range(16):
        ends = [end for end in game.turn_ends(table) if not form.postpones or calls_day(end) or not acts_freely(end)]
        real = {form.shape(form.project(end.table)) for end in ends}
        told = {form.shape(place) for place in form.successors(form.project(table))}
        assert told == real
        compared += len(real)
        playing = [end for end in ends if not calls_day(end)] if generator.below(6) else ends
        playing = playing or ends
        fullest = max(map(in_play, playing))
        chosen = [end for end in playing if generator.below(3) == 0 or in_play(end) == fullest] or playing
        table = chosen[generator.below(len(chosen))].table
    assert compared > 100
    assert table.players[0].days > 1


@pytest.mark.parametrize("seed", SEEDS[:3])
def test_layers_have_as_many_positions_as_the_engine(seed: int) -> None:
    """All positions after one, two and three turns, the counts and the positions themselves."""
    game, full = start(RACE, seed)
    player = full.players[0]
    cut = player._replace(hand=player.hand[:3], deck=player.deck[:4], discard=())
    table = full._replace(players=(cut,))
    form = RaceForm(game.rulings, table, 0, postpone=False)
    tables, places = {table}, {form.project(table)}
    for _ in range(3):
        tables = {end.table for each in tables for end in game.turn_ends(each)}
        places = {after for each in places for after in form.successors(each)}
        assert {form.shape(place) for place in places} == {form.shape(form.project(each)) for each in tables}
    assert len(tables) > 100


@pytest.mark.parametrize("seed", SEEDS[:2])
def test_free_actions_may_wait_for_a_new_day(seed: int) -> None:
    """The control: with free actions open on every turn no race is shorter."""
    game, table = start(RACE, seed)
    waiting, free = (RaceForm(game.rulings, table, 0, postpone=postpone) for postpone in (True, False))
    assert waiting.postpones
    assert not free.postpones
    searches = [PackedSearch(form, Watch(Limit()), [form.root], patient=False) for form in (waiting, free)]
    value = next(turns for turns in range(20) if searches[0].earliest(24, turns).path is not None)
    assert searches[1].earliest(24, value - 1).path is None
    assert searches[1].earliest(24, value).path is not None


def test_what_the_race_form_lacks_is_named() -> None:
    game, table = start(RACE, 1)
    assert missing(game.rulings, table, 0, frozenset()) == []
    assert missing(game.rulings, table, 0, frozenset({"new_day"})) == ["forbidden moves"]
    player = table.players[0]
    hurt = table._replace(players=(player._replace(discard=(game.rulings.damage_card,)),))
    assert "damage cards" in missing(game.rulings, hurt, 0, frozenset())
    cold = table._replace(players=(player._replace(hypothermia=1),))
    assert "conditions" in missing(game.rulings, cold, 0, frozenset())
    real, state = new_position("iditacards/2019-02", seed=1).start()
    assert isinstance(real, Iditacards)
    lacking = missing(real.rulings, state.table, 0, frozenset())
    assert {"legs", "weather", "cards to gain"} <= set(lacking)
    assert "op heal in a race" in lacking


def test_a_table_of_another_race_is_refused() -> None:
    game, table = start(RACE, 1)
    _, other = start(RACE, 2)
    form = RaceForm(game.rulings, table, 0)
    with pytest.raises(LookupError, match="a deck that this race does not have"):
        form.project(other)


def test_decks_come_from_the_rules_chance() -> None:
    """A listed order takes the place of the seed's, for the first new day here (R74)."""
    position = new_position(RACE, seed=3)
    setting = position.setting
    cards = sorted({*position.table().players[0].deck, *position.table().players[0].hand})
    chance = replace(setting.chance, lists={"deck": [cards, cards[::-1]]})
    game, state = replace(position, setting=replace(setting, chance=chance)).start()
    assert isinstance(game, Iditacards)
    form = RaceForm(game.rulings, state.table, 0)
    days = [end for end in game.turn_ends(state.table) if calls_day(end)]
    real = {form.shape(form.project(end.table)) for end in days}
    assert real <= {form.shape(place) for place in form.successors(form.project(state.table))}
    assert any(end.table.players[0].hand[-1] == cards[-1] for end in days)


def test_speeds_that_are_no_sums_have_no_bound() -> None:
    game, table = start(RACE, 1)
    form = RaceForm(game.rulings, table, 0)
    form.tables.automatic[len(form.tables.automatic) // 2] += 1  # type: ignore[index]  # read as it stands
    with pytest.raises(OverflowError):
        BoundTables(form)


@pytest.mark.parametrize("ruleset", ["starter-race", "starter-trail"])
def test_risks_that_wait_for_more_than_they_ask_for_are_left_to_the_plain_form(ruleset: str) -> None:
    """Nothing that a form of races, with or without legs, has makes such a stack."""
    game, table = start(f"iditacards/{ruleset}", 1)
    player = table.players[0]
    hand = [*player.hand, *player.deck]
    hand.remove("mush")
    for need, carried in ((1, True), (3, False)):
        waiting = player._replace(
            hand=tuple(sorted(hand[:4])), deck=tuple(hand[4:8]), stack=(Frame("mush", 0, 0, need, 0, "risk"),)
        )
        assert (game.compact_turns(table._replace(players=(waiting,)), 0, frozenset(), 60, None) is not None) == carried
