"""The compact form against the engine: the same turn ends, state by state, and a bound that cuts no optimum."""

from __future__ import annotations

from itertools import product

import pytest

from puzzles.goal import Goal, Objective
from rules.core.chance import SplitMix64
from rules.iditacards.compact.board import Board, BoardTables
from rules.iditacards.compact.form import CompactDay
from rules.iditacards.compact.scope import PACK, missing
from rules.iditacards.compact.speed import SpeedTables
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Dog, Table
from solver.question import Question
from solver.report import Limit, Status
from solver.search.layers import LayeredSearch, Watch
from solver.search.plain import PlainTurns
from tests.rules.iditacards.boards import Board as Played
from tests.rules.iditacards.boards import ends_today, seat, start

REAL = "iditacards/2019-02"
ONE_DAY = frozenset({"new_day"})
SEEDS = range(6)


def small(table: Table, cards: int) -> Table:
    """Return the table with a deck so short that everything can be searched."""
    player = table.players[0]
    return table._replace(players=(player._replace(deck=player.deck[:cards]),))


class Unbounded(CompactDay):
    """The control: nothing is cut."""

    def promising(self, key: int, turns: int, target: int) -> bool:
        return True


@pytest.mark.parametrize("seed", SEEDS)
def test_compact_turns_are_the_turns_of_the_engine(seed: int) -> None:
    game, table = start(REAL, seed)
    assert not missing(game.rulings, table, 0, ONE_DAY)
    day = CompactDay(game.rulings, table, 0)
    generator = SplitMix64(seed)
    compared = 0
    for _ in range(12):
        after = list(dict.fromkeys(ends_today(game, table)))
        told = {single for key in day.successors(day.project(table)) for single in day.hands(key)}
        assert told == {day.project(each) for each in after}
        compared += len(told)
        if not after:
            break
        table = after[generator.below(len(after))]
        assert day.progress(day.project(table)) == table.players[0].pos
    assert compared > 20


@pytest.mark.parametrize("seed", SEEDS)
def test_the_bound_cuts_no_optimum(seed: int) -> None:
    game, full = start(REAL, seed)
    table = small(full, 9)
    for target in (8, 12, 16):
        found: list[int | None] = []
        for day in (CompactDay(game.rulings, table, 0), Unbounded(game.rulings, table, 0)):
            search = LayeredSearch(day, Watch(Limit()), [day.project(table)])
            lengths = (search.earliest(target, turns).path for turns in range(1, 9))
            found.append(next((len(path) - 1 for path in lengths if path is not None), None))
        assert found[0] == found[1]


def dealt(game: Iditacards, table: Table, seed: int) -> Table:
    """Return the table with few random cards, starter cards or any, and a random board."""
    generator = SplitMix64(seed)
    player = table.players[0]
    starters = (*player.hand, *player.deck)
    cards = game.rulings.cards.values()
    others = [
        card.id for card in cards if card.type in ("personal", "food", "dog", "attachment", "movement", "utility")
    ]
    dogs = [card.id for card in cards if card.type == "dog"]

    def some(most: int) -> tuple[str, ...]:
        pools = [starters if generator.below(2) else others for _ in range(generator.below(most))]
        return tuple(pool[generator.below(len(pool))] for pool in pools)

    player = player._replace(
        hand=some(6),
        deck=some(7),
        pos=(0, 4, 8, 30, 34, 44, 74, 79)[generator.below(8)],
        hypothermia=generator.below(5),
        starvation=generator.below(5),
        dogs=tuple(sorted(Dog(dogs[generator.below(len(dogs))], ()) for _ in range(generator.below(3)))),
    )
    return table._replace(players=(player,))


@pytest.mark.parametrize("weather", SEEDS[:3])
def test_no_position_gets_further_than_the_bound(weather: int) -> None:
    """The control: layers in full from random positions on, risks waiting or not, cards scarce."""
    game, full = start(REAL, weather)
    compared = cut = 0
    for seed in range(250 * weather, 250 * weather + 250):
        table = dealt(game, full, seed)
        if missing(game.rulings, table, 0, ONE_DAY):
            continue
        day = CompactDay(game.rulings, table, 0)
        key, generator = day.root, SplitMix64(seed)
        for _ in range(generator.below(3)):
            after = sorted(day.successors(key))
            key = after[generator.below(len(after))] if after else key
        layer = {key}
        for turns in range(1, 4):
            layer = {after for before in layer for after in day.successors(before)}
            if not 0 < len(layer) < 300:
                break
            far = max(map(day.progress, layer))
            assert day.promising(key, turns, far), (seed, turns)
            compared += 1
            cut += not day.promising(key, turns, far + 8)
    assert compared > 50
    assert cut > compared // 2


@pytest.mark.parametrize("food", ["waffle", "venison_carpaccio", "lunch", "slow_and_steady"])
def test_one_play_that_does_several_things_takes_one_turn(food: str) -> None:
    """Who eats is faster and draws what is played next, with hardly a card in hand."""
    game, full = start(REAL, 1)
    compared = 0
    for starving, copies, more in product((0, 2, 3), (1, 2, 4), ((), ("move",))):
        player = full.players[0]._replace(hand=(food, *more), deck=("move",) * copies, pos=0, starvation=starving)
        day = CompactDay(game.rulings, full._replace(players=(player,)), 0)
        layer = {day.root}
        for turns in range(1, 5):
            layer = {after for before in layer for after in day.successors(before)}
            if not layer:
                break
            assert day.promising(day.root, turns, max(map(day.progress, layer))), (starving, copies, more, turns)
            compared += 1
    assert compared > 20


@pytest.mark.parametrize("seed", SEEDS[:3])
def test_what_the_rules_did_not_look_at_changes_no_price(seed: int) -> None:
    """Prices and speeds that follow from earlier questions, each against a board asked alone."""
    game, full = start(REAL, seed)
    shared = BoardTables(game.rulings, full, 0)
    speeds = SpeedTables(game.rulings, full, 0)
    summed = told = 0
    for number in range(24):
        player = dealt(game, full, 1000 * seed + number // 2).players[0]
        board = Board(player.pos + number % 2, player.hypothermia, player.starvation, player.dogs)
        alone = BoardTables(game.rulings, full, 0)
        there, here = shared.number(board), alone.number(board)
        assert shared.fizzles(there) == alone.fizzles(here)
        for card in game.rulings.cards.values():
            one, other = shared.price(there, card), alone.price(here, card)
            assert one[1:] == other[1:]
            assert shared.board(one.board) == alone.board(other.board)
            told += 1
        parts = speeds.parts(section := speeds.section_of(board.pos), *board[1:3], board.dogs)
        if parts is not None:
            subsets = SpeedTables(game.rulings, full, 0).best(section, *board[1:3], board.dogs)
            assert parts[0] + sum(parts[1]) == subsets
            summed += 1
    assert told > sum(len(witness) for witness in shared._priced.values())
    assert summed


def test_food_helps_though_it_cannot_be_paid_for() -> None:
    """R21 and R26: it lowers starvation on the table, and with it what slows the next automatic move down."""
    game, full = start(REAL, 0)
    player = full.players[0]._replace(pos=0, starvation=1, hand=("breakfast",), deck=())
    day = CompactDay(game.rulings, full._replace(players=(player,)), 0)
    assert max(map(day.progress, day.successors(day.root))) == 2
    assert day.promising(day.root, 1, 2)
    assert not day.promising(day.root, 1, 3)


@pytest.mark.parametrize("seed", SEEDS[:3])
def test_projections_change_no_answer(seed: int) -> None:
    """The control for what keys leave out: whole tables of the plain game, turn by turn, get exactly as far."""
    game, full = start(REAL, seed)
    player = full.players[0]
    plain_hand = tuple(card for card in player.hand if game.content.cards[card].type != "personal")
    table = small(full, 5)._replace(upgrade=tuple(deck[:2] for deck in full.upgrade))
    table = table._replace(players=(table.players[0]._replace(hand=plain_hand),))
    day, plain = CompactDay(game.rulings, table, 0), PlainTurns(game, 0, ONE_DAY)
    keys, tables = {day.project(table)}, {table}
    for _ in range(3):
        keys = {after for key in keys for after in day.successors(key)}
        tables = {after for each in tables for after in plain.successors(each)}
        assert {single for key in keys for single in day.hands(key)} == {day.project(each) for each in tables}
    assert tables


def test_what_the_compact_form_lacks_is_named() -> None:
    game, table = start(REAL, 1)
    assert "new days" in missing(game.rulings, table, 0, frozenset())
    player = table.players[0]
    recovering = table._replace(players=(player._replace(hand=(*player.hand, "torch")),))
    assert "op recover" in missing(game.rulings, recovering, 0, ONE_DAY)
    assert game.compact_turns(recovering, 0, ONE_DAY, 20, None) is None


def test_packs_too_large_to_try_every_choice_of_are_left_to_the_plain_form() -> None:
    game, table = start(REAL, 1)
    player = table.players[0]
    dogs = [card.id for card in game.content.cards.values() if card.type in ("dog", "attachment")][:PACK]
    many = table._replace(players=(player._replace(deck=(*dogs, "chihuahua")),))
    assert "large packs whose speeds are no sum" in missing(game.rulings, many, 0, ONE_DAY)
    few = table._replace(players=(player._replace(deck=("chihuahua",)),))
    assert "large packs whose speeds are no sum" not in missing(game.rulings, few, 0, ONE_DAY)


def test_nothing_waits_when_the_automatic_move_ends_the_game() -> None:
    player = seat(pos=159, hand="mush lunch armour a_hat", deck="dinner breakfast rest", dogs="wheel_dog")
    board = Played("iditacards/open-track", player, options={"last_turns": "none", "finish_at": 160})
    forbidden = frozenset({"new_day", "play lunch", "play armour", "play a_hat", "sacrifice"})
    day = board.game.compact_turns(board.state.table, 0, ONE_DAY, 160, 3)
    assert isinstance(day, CompactDay)
    real = {day.project(end) for end in ends_today(board.game, board.state.table) if end.players[0].stack}
    told = {single for key in day.successors(day.project(board.state.table)) for single in day.hands(key)}
    assert real
    assert real <= told
    report = Question(board.game, board.state, Goal(Objective.MIN_TURNS, 160, None, forbidden), Limit()).answer()
    assert (report.status, report.value) == (Status.OPTIMAL, 1)


def test_nothing_waits_when_the_race_ends_with_the_turn() -> None:
    """The automatic move passes the finish while a risk waits, and the line to there is found in the game."""
    player = seat(
        pos=121, hand="haste", deck="damaged downhill_slide buffer_panel", stack="bear:2:0", passed=[6, 36, 81, 116]
    )
    board = Played("iditacards/light-mush", player, options={"finish_at": 124}, weather="rain")
    day = board.game.compact_turns(board.state.table, 0, ONE_DAY, None, 2)
    assert isinstance(day, CompactDay)
    ends = list(ends_today(board.game, board.state.table))
    assert any(end.over and end.players[0].stack for end in ends)
    assert {single for key in day.successors(day.root) for single in day.hands(key)} == {day.project(e) for e in ends}
    report = Question(board.game, board.state, Goal(Objective.MAX_DISTANCE, 0, 2, ONE_DAY), Limit()).answer()
    assert report.status is Status.OPTIMAL
