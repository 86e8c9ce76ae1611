"""The compact form of questions with something to keep, against the race that leaves turns out, state by state."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rules.core.chance import SplitMix64
from rules.core.keeping import KeepingRace
from rules.core.position import Position
from rules.iditacards.compact import shared as compact_shared
from rules.iditacards.compact.form import CompactDay
from rules.iditacards.compact.scope import missing
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Table
from tests.rules.iditacards.boards import ends_today
from tests.rules.iditacards.long_day.layers import layers_of
from tests.solver.model.small_positions import random_position

ONE_DAY = frozenset({"new_day"})
FAR = 100
"""Spaces from which on the end of the race may be too near."""


def positions(seeds: range) -> Iterator[tuple[Position, Iditacards, Table]]:
    for seed in seeds:
        position = random_position("2019-02", seed, starter=bool(seed % 2), cards=9)
        if position is None:
            continue
        game, table = position.game, position.table()
        assert isinstance(game, Iditacards)
        if table.players[0].pos < FAR and not missing(game.rulings, table, 0, ONE_DAY):
            yield position, game, table


def keeping(position: Position, card: str) -> tuple[KeepingRace[Table], CompactDay]:
    game = position.keeping([card], 0).game
    assert isinstance(game, KeepingRace)
    day = game.compact_turns(position.table(), 0, ONE_DAY, None, 2)
    assert isinstance(day, CompactDay)
    return game, day


def cards_of(game: Iditacards, table: Table) -> list[str]:
    return sorted(game.held(table))


def test_turns_that_keep_a_card_are_those_of_the_rules() -> None:
    """Cards in hand, deck and play, and waiting ones; from every position on, whatever is kept."""
    compared = left_out = 0
    for position, game, start in positions(range(40)):
        generator = SplitMix64(len(start.players[0].deck))
        for card in cards_of(game, start):
            race, day = keeping(position, card)
            free = CompactDay(game.rulings, start, 0)
            table = start
            for _ in range(4):
                after = list(dict.fromkeys(ends_today(race, table)))
                told = {single for key in day.successors(day.project(table)) for single in day.hands(key)}
                assert told == {day.project(each) for each in after}
                every = {single for key in free.successors(free.project(table)) for single in free.hands(key)}
                compared, left_out = compared + len(told), left_out + len(every) - len(told)
                if not after:
                    break
                table = after[generator.below(len(after))]
    assert compared > 1_000
    assert left_out > 1_000


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.needs_compiler)])
def test_facts_lead_to_the_keys_that_keep_a_card(compiled: bool) -> None:
    compared = 0
    for position, game, start in positions(range(40)):
        for card in cards_of(game, start)[::2]:
            _, day = keeping(position, card)
            layers = layers_of(day, compiled=compiled)
            generator, key = SplitMix64(compared), day.root
            for _ in range(6):
                expected = set(day.successors(key))
                assert layers.after(key) == expected
                compared += len(expected)
                if not expected:
                    break
                key = sorted(expected)[generator.below(len(expected))]
    assert compared > 300


def test_facts_with_and_without_something_to_keep_do_not_mix() -> None:
    position, game, table = next(positions(range(1, 40)))
    compact_shared.forget()
    days = [CompactDay(game.rulings, table, 0), *(keeping(position, card)[1] for card in cards_of(game, table)[:2])]
    expected = [set(day.successors(day.root)) for day in days]
    searches = [layers_of(day) for day in days]
    assert [search.after(day.root) for search, day in zip(searches, days, strict=True)] == expected
    assert len({id(search._kept) for search in searches}) == len(days)


def test_no_turn_leaps_further_than_is_said() -> None:
    """And near the end of the race, where a card might come back or stay on the table, the form is not used."""
    turns = 0
    for position, game, start in positions(range(40)):
        card = cards_of(game, start)[0]
        race, day = keeping(position, card)
        most, table = day.leap(game.rulings.finish_at), start
        generator = SplitMix64(turns)
        for _ in range(5):
            after = list(dict.fromkeys(ends_today(race, table)))
            assert all(each.players[0].pos - table.players[0].pos <= most for each in after)
            turns += len(after)
            if not after:
                break
            table = after[generator.below(len(after))]
        assert race.compact_turns(start, 0, ONE_DAY, 156, None) is None
    assert turns > 300


def test_what_is_not_all_there_is_left_to_the_plain_form() -> None:
    position, game, table = next(positions(range(1, 40)))
    card = cards_of(game, table)[0]
    race, _ = keeping(position, card)
    more = KeepingRace(game, {card: race.kept[card] + 1}, 0)
    assert more.compact_turns(table, 0, ONE_DAY, None, 2) is None
    legendary = table._replace(players=(table.players[0]._replace(legendary=("rescue",)),))
    assert not missing(game.rulings, legendary, 0, ONE_DAY)
    assert KeepingRace(game, {"rescue": 1}, 0).compact_turns(legendary, 0, ONE_DAY, None, 2) is None
