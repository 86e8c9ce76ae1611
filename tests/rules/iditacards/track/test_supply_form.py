"""The form with gains against the engine: every turn and every line is one of the game; cards are gained and played."""

from __future__ import annotations

import pytest

from rules.core.chance import SplitMix64
from rules.core.position import new_position
from rules.iditacards.engine import Iditacards
from rules.iditacards.race.choice import scouts, supply_form
from rules.iditacards.state import Table
from rules.iditacards.track.form import NOWHERE, TrackForm
from rules.iditacards.track.guess import promise
from rules.iditacards.track.supply_form import SupplyForm
from solver.lines import played, real_line
from solver.report import Limit
from solver.search.layers import Watch
from solver.search.packed_search import PackedSearch
from tests.rules.iditacards.boards import start

REAL = "iditacards/2019-02"


def form_of(game: Iditacards, table: Table) -> SupplyForm:
    form = supply_form(game, table, 0, frozenset(), 161)
    assert form is not None
    return form


def stock_of(form: SupplyForm, position: tuple[int, int]) -> int:
    board = position[0] >> form.tables.board_shift & form.tables.board_mask
    return form.boards.packs[board].stock


@pytest.mark.parametrize("seed", range(3))
def test_every_turn_is_one_of_the_engine(seed: int) -> None:
    """Chance walks that gain when they can; the way back to the moves finds each turn, and what was gained is there."""
    game, table = start(REAL, seed)
    form = form_of(game, table)
    generator = SplitMix64(seed)
    for _ in range(12):
        here = form.project(table)
        positions = sorted(set(form.successors(here)))
        gaining = [each for each in positions if stock_of(form, each) != stock_of(form, here)]
        positions = gaining or positions
        chosen = positions[generator.below(len(positions))]
        end = form.way(table, {form.shape(chosen)})
        assert end is not None
        table = end.table
        assert form.project(table) != NOWHERE
    assert form.stock is not None
    state = form.stock.states[stock_of(form, form.project(table))]
    assert state.cards
    player = table.players[0]
    there = [*player.deck, *player.hand, *player.discard, *table.destroyed]
    there += [card for dog in player.dogs for card in (dog.dog, *dog.attachments)]
    there += [frame.card for frame in player.stack] + list(player.resolved)
    assert not set(state.cards) - set(there)


@pytest.mark.parametrize("cards", [("travel_light", "downhill_slide", "leather_jacket"), ("campfire", "tactical_play")])
def test_cards_that_change_conditions_or_double_a_distance(cards: tuple[str, ...]) -> None:
    """All turns with such cards in hand, one after the other, are turns of the engine."""
    game, table = start(REAL, 3)
    player = table.players[0]
    hand = (*cards, *player.hand[: 6 - len(cards)])
    table = table._replace(players=(player._replace(hand=tuple(sorted(hand)), pos=4, hypothermia=2, starvation=3),))
    form = form_of(game, table)
    tables = [table]
    met = 0
    for _ in range(2):
        ends = {end.table for each in tables for end in game.turn_ends(each, wanted=form.is_made)}
        shapes = {form.shape(form.project(each)) for each in ends}
        for each in [each for each in tables if form.project(each) != NOWHERE]:
            after = {form.shape(position) for position in form.successors(form.project(each))}
            assert after <= shapes
            met += len(after)
        tables = sorted(ends, key=str)[:40]
    assert met > 20


@pytest.mark.parametrize("seed", [0, 1, 6])
def test_a_beam_gains_cards_and_its_line_is_one_of_the_game(seed: int) -> None:
    """Sled cards that come up when nothing more is to be gained are among the turns."""
    game, state = new_position(REAL, seed=seed).start()
    assert isinstance(game, Iditacards)
    form = form_of(game, state.table)
    path = PackedSearch(form, Watch(Limit()), [form.root], patient=False).beam(100, 60, 161)
    assert path is not None
    assert form.gains(path)
    line = real_line(game, form, state, [{form.shape(each)} for each in path[1:]], frozenset(), any_line=True)
    assert game.progress(played(game, state, line)[-1], 0) >= 161


def test_the_next_form_grows_around_what_a_line_gained() -> None:
    game, table = start(REAL, 1)
    forms = scouts(game, table, 0, frozenset(), 161)
    assert type(next(forms)) is TrackForm
    form = forms.send(None)
    assert isinstance(form, SupplyForm)
    assert form.stock is not None
    gaining = next(board for board, pack in enumerate(form.boards.packs) if pack.stock == len(form.stock.states) - 1)
    path = [form.root, (gaining << form.tables.board_shift, 0)]
    after = forms.send(path)
    assert isinstance(after, SupplyForm)
    assert after.stock is not None
    assert set(form.gains(path)) <= set(after.stock.states)
    assert forms.send([after.root]) is after
    assert after.thorough
    assert forms.send(None) is form, "at last the widest beams of the first form"
    assert form.thorough
    with pytest.raises(StopIteration):
        forms.send([after.root])


def test_a_dog_that_still_waits_for_risk_cards_counts_in_the_guess() -> None:
    """Seed 2 has Husky in hand: of positions equal in all else, the one where it waits looks better."""
    game, table = start(REAL, 2)
    form = form_of(game, table)
    tables = form.tables
    waiting = {
        (key, place) for key, place in form.successors(form.root) if key >> tables.stack_shift & tables.stack_mask
    }
    assert waiting
    for key, place in waiting:
        without = key & ~(tables.stack_mask << tables.stack_shift)
        looks = [promise(each, place, (), tables, form.outlooks) for each in (key, without)]
        assert looks[0] > looks[1]


def test_a_day_that_would_cost_a_dog_is_not_called() -> None:
    """The forest takes a dog at the start of a day (R60): the form leaves such days out, all else is there."""
    game, table = start(REAL, 2)
    days = set()
    for pos in (100, 120):
        player = table.players[0]._replace(pos=pos, legendary=())
        form = form_of(game, table._replace(players=(player,)))
        form.ensure(1)
        days.add((pos, max(form.rounds(each) for each in form.successors(form.root))))
    assert days == {(100, 1), (120, 0)}


def test_what_a_roll_empties_is_not_taken_later() -> None:
    """Seed 7 rolls snow on the first days; whatever a state takes comes from the cards just turned over."""
    for seed, lasting in ((0, True), (7, False)):
        game, table = start(REAL, seed)
        form = form_of(game, table)
        assert form.stock is not None
        assert any(state.supply for state in form.stock.states) == lasting


def test_a_table_that_gained_otherwise_is_nowhere() -> None:
    game, table = start(REAL, 1)
    form = form_of(game, table)
    player = table.players[0]
    rich = table._replace(players=(player._replace(discard=("cat",)),))
    assert form.project(rich) == NOWHERE


def test_nothing_to_gain_means_no_such_form() -> None:
    game, table = start("iditacards/starter-trail", 1)
    assert supply_form(game, table, 0, frozenset(), 161) is None
