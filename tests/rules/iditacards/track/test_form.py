"""The track form against the engine: the same turn ends over legs, weather, conditions and many days."""

from __future__ import annotations

import pytest

from rules.core.chance import SplitMix64
from rules.iditacards.engine import Iditacards
from rules.iditacards.race.kernel import WORK
from rules.iditacards.state import Dog, Table
from rules.iditacards.track.form import NOWHERE, TrackForm
from rules.iditacards.track.layout import ROOM
from rules.iditacards.track.scope import scope
from solver.report import Limit
from solver.search import placed
from solver.search.compiled import bound_functions
from solver.search.layers import LayeredSearch, Watch
from solver.search.packed_search import PackedSearch
from solver.search.placed import Seen
from solver.search.plain import PlainTurns
from tests.rules.iditacards.boards import start

TRAIL = "iditacards/starter-trail"
REAL = "iditacards/2019-02"


def form_of(game: Iditacards, table: Table, target: int = 161) -> TrackForm:
    return TrackForm(game.rulings, table, 0, scope(game.rulings, table, 0, frozenset()), target, game)


def short(table: Table, hand: int, deck: int, pos: int = 0) -> Table:
    """Return the table with fewer cards, at another space, its legs not entered."""
    player = table.players[0]
    return table._replace(players=(player._replace(hand=player.hand[:hand], deck=player.deck[:deck], pos=pos),))


@pytest.mark.parametrize(("seed", "pos"), [(0, 0), (1, 30), (2, 70), (3, 110), (5, 130)])
def test_turns_are_the_turns_of_the_engine(seed: int, pos: int) -> None:
    """Turn by turn: free actions, conditions, risks that fizzle on the bridge, dogs lost in the forest."""
    game, full = start(TRAIL, seed)
    player = full.players[0]
    table = full._replace(players=(player._replace(pos=pos),))
    form = form_of(game, table)
    assert form.exact
    generator = SplitMix64(seed)
    compared = 0
    for _ in range(14):
        ends = list(game.turn_ends(table))
        real = {form.shape(form.project(end.table)) for end in ends}
        told = {form.shape(position) for position in form.successors(form.project(table))}
        assert told == real
        compared += len(real)
        ends.sort(key=lambda end: (end.table.players[0].pos, len(end.table.players[0].dogs)))
        ends = ends if generator.below(3) else ends[-max(1, len(ends) // 3) :]
        table = ends[generator.below(len(ends))].table
        if game.is_over(table):
            break
    assert compared > 100


@pytest.mark.parametrize("pos", [4, 34, 115])
def test_layers_have_the_positions_of_the_engine(pos: int) -> None:
    """All positions after one, two and three turns across the edge of a leg, with two dogs to lose."""
    game, full = start(TRAIL, 1)
    table = short(full, 3, 4, pos)
    dogs = (Dog("lead_dog", ()), Dog("wheel_dog", ("armour",)))
    names = {"lead_dog", "armour"}
    player = table.players[0]
    hand = tuple(card for card in player.hand if card not in names)
    deck = tuple(card for card in player.deck if card not in names)
    table = table._replace(players=(player._replace(dogs=dogs, hand=hand, deck=deck),))
    form = form_of(game, table)
    tables, positions = {table}, {form.project(table)}
    for _ in range(3):
        tables = {end.table for each in tables for end in game.turn_ends(each)}
        positions = {after for each in positions for after in form.successors(each)}
        assert {form.shape(each) for each in positions} == {form.shape(form.project(each)) for each in tables}
    assert len(tables) > 100


@pytest.mark.parametrize("seed", range(4))
def test_with_the_real_rules_every_turn_is_one_of_the_engine(seed: int) -> None:
    """A part of the turns only; the way back to the moves finds each of them."""
    game, table = start(REAL, seed)
    form = form_of(game, table)
    assert not form.exact
    generator = SplitMix64(seed)
    for _ in range(10):
        positions = sorted(set(form.successors(form.project(table))))
        chosen = positions[generator.below(len(positions))]
        end = form.way(table, {form.shape(chosen)})
        assert end is not None
        assert form.shape(form.project(end.table)) == form.shape(chosen)
        table = end.table
    assert table.players[0].turns == 10


def test_what_the_form_leaves_out_is_named() -> None:
    game, table = start(REAL, 1)
    found = scope(game.rulings, table, 0, frozenset())
    assert found.missing == ()
    assert {"supply", "legendary cards", "what personal cards do"} <= set(found.loose)
    assert "forbidden moves" in scope(game.rulings, table, 0, frozenset({"new_day"})).missing
    player = table.players[0]
    hurt = table._replace(players=(player._replace(discard=(game.rulings.damage_card,)),))
    assert "damage cards" in scope(game.rulings, hurt, 0, frozenset()).missing
    old, first = start("iditacards/2017", 1)
    assert scope(old.rulings, first, 0, frozenset()).missing


def test_a_table_of_another_race_is_nowhere() -> None:
    game, table = start(TRAIL, 1)
    _, other = start(TRAIL, 2)
    form = form_of(game, table)
    assert form.project(other) == NOWHERE
    assert form.shape(NOWHERE) == NOWHERE


@pytest.mark.parametrize(("seed", "pos", "target"), [(0, 0, 8), (1, 33, 40), (4, 84, 92)])
def test_the_bound_changes_no_optimum(seed: int, pos: int, target: int) -> None:
    """The controls: the same form without its bound, and the plain game with neither form nor bound."""
    game, full = start(TRAIL, seed)
    table = short(full, 3, 3, pos)
    form = form_of(game, table, target)
    bounded, control = (
        PackedSearch(form, Watch(Limit()), [form.root], patient=False, prunes=prunes) for prunes in (True, False)
    )
    plain: LayeredSearch[Table] = LayeredSearch(PlainTurns(game, 0, frozenset()), Watch(Limit()), [table])
    value = next(turns for turns in range(12) if bounded.earliest(target, turns).path is not None)
    assert value >= 2
    for search in (control, plain):
        assert search.earliest(target, value - 1).path is None
        assert search.earliest(target, value).path is not None


@pytest.mark.parametrize("seed", range(3))
def test_the_bound_is_never_above_what_is_needed(seed: int) -> None:
    """From many positions, no three turns bring more than the bound allows."""
    game, full = start(TRAIL, seed)
    table = short(full, 3, 4, 30)
    form = form_of(game, table)
    layer = {form.root}
    for _ in range(2):
        layer = {after for each in layer for after in form.successors(each)}
    for position in sorted(layer)[:: max(1, len(layer) // 25)]:
        reached = {position}
        for turns in range(1, 4):
            reached = {after for each in reached for after in form.successors(each)}
            assert form.promising(position, turns, max(map(form.progress, reached)))


def test_a_bound_for_all_that_can_be_gained() -> None:
    """The real game from the root: fewer turns than the own cards need, more than none, and less with less to gain."""
    game, table = start(REAL, 0)
    form = form_of(game, table)
    assert 1 < form.least_turns(500)[0] <= form.bound.least(form.root, 161)
    poor = table._replace(upgrade=tuple(() for _ in table.upgrade))
    assert form_of(game, poor).least_turns(4000)[0] >= form.least_turns(3500)[0] >= 8


@pytest.mark.parametrize(
    ("pos", "hand", "deck", "gains"),
    [
        (4, ("repair_sled", "move", "rest"), ("lunch", "move", "mush"), ("greyhound", "downhill_slide")),
        (34, ("upgrade_sled", "move", "dog_chow"), ("rest", "move", "lunch"), ("problem_dog", "travel_light")),
        (79, ("move", "mush", "rest"), ("repair_sled", "lunch", "move", "dinner"), ("torch", "push")),
        (100, ("mush", "move", "rest"), ("repair_sled", "upgrade_sled", "lunch", "move"), ("torch", "push")),
        (44, ("repair_sled", "move", "first_aid"), ("lunch", "move", "dinner"), ("leather_jacket", "engineer_dog")),
    ],
)
def test_the_bound_for_all_that_can_be_gained_is_never_above_what_is_needed(
    pos: int, hand: tuple[str, ...], deck: tuple[str, ...], gains: tuple[str, ...]
) -> None:
    """The control is the whole game, every turn of it, without any bound: how far it gets in up to four turns."""
    game, table = start(REAL, 3)
    player = table.players[0]
    legendary = ("moose", "waffle")
    player = player._replace(pos=pos, hand=tuple(sorted(hand)), deck=deck, legendary=legendary)
    if pos == 44:
        player = player._replace(hypothermia=1, starvation=1)
    if pos == 100:  # risks of 1 are none
        player = player._replace(dogs=(Dog("wheel_dog", ("dog_collar",)),))
    table = table._replace(players=(player,), upgrade=(gains, *[()] * (len(table.upgrade) - 1)))
    tables = {table}
    for turns in range(1, 5):
        tables = {end.table for each in tables for end in game.turn_ends(each)}
        farthest = max(each.players[0].pos for each in tables)
        assert form_of(game, table, farthest).least_turns()[0] <= turns
    assert any(each.players[0].days > 1 and len(each.upgrade[0]) < len(gains) for each in tables)


def test_every_turn_is_a_turn_of_every_view() -> None:
    """Both ends of a turn folded: the view, played without any bound, has it too."""
    game, full = start(TRAIL, 2)
    table = full._replace(players=(full.players[0]._replace(pos=32),))
    form = form_of(game, table)
    kernel = bound_functions(form.kernel, placed.FUNCTIONS)
    keys, places, work = [0] * ROOM, [0] * ROOM, [0] * WORK
    generator = SplitMix64(7)
    for view in form.views():
        fold = Seen(0, [], [], [], [], view.mask, view.parts, view.fold)
        position, turns = form.root, 0
        for _ in range(12):
            ends = sorted(set(form.successors(position)))
            key, place = kernel["folded"](position[0], fold), position[1]
            view.ensure(form.rounds(position) + 1)
            found = kernel["successors"](key, place, view.tables, keys, places, work, -1, (), None)
            assert {(kernel["folded"](key, fold), place) for key, place in ends} <= set(
                zip(keys[:found], places[:found], strict=True)
            )
            turns += len(ends)
            position = ends[generator.below(len(ends))]
        assert turns > 100
