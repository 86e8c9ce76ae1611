"""Chances of risk cards against single steps by the rules: turns half played, and tables of rare kinds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from rules.core.turns import State
from rules.iditacards.state import Table
from solver.search.ventures import PlainOdds
from tests.rules.iditacards.boards import Board, seat

SECOND, FIRST, THIRD = "2019-02", "2017", "2019-08"
NEEDED = "husky"
BEGUN = "continue; deck lunch; pay a_hat breakfast"


def by_single_steps(board: Board, state: State[Table], known: dict[Table, Fraction]) -> Fraction:
    """Return the greatest chance that the dog which waits comes into play."""
    table = state.table
    if not state.pending:
        player = table.players[0]
        if any(dog.dog == NEEDED for dog in player.dogs):
            return Fraction(1)
        if not player.stack:
            return Fraction(0)
        if table in known:
            return known[table]
    game = board.game
    moves = [move for move in game.legal_moves(state) if move.text != "new_day"]
    if moves:
        value = max(by_single_steps(board, game.apply(state, move).state, known) for move in moves)
    else:
        value = sum(
            (
                each.probability * by_single_steps(board, game.apply(state, each).state, known)
                for each in game.chance_outcomes(state)
            ),
            Fraction(0),
        )
    if not state.pending:
        known[table] = value
    return value


@pytest.mark.parametrize("drawn", ["", "; deck mush", "; deck rest", "; deck mush; deck armour"])
def test_cards_that_were_drawn_before_the_question_are_not_drawn_again(drawn: str) -> None:
    player = seat(
        pos=50, hand="a_hat move first_aid breakfast", deck="lunch armour mush move rest mush", stack="husky:2:0"
    )
    board = Board(SECOND, player, known=("weather",), weather="sun").play(BEGUN + drawn)
    ventures = board.game.ventures(board.state.table)
    chance = PlainOdds(ventures, lambda: True).chance(ventures.table, None, board.state.pending)
    assert chance == by_single_steps(board, board.state, {})


CASES: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "a frame waits whose card is of no kind in the deck": (
        SECOND,
        {
            "pos": 130,
            "hand": "leather_hide iditarod_drift steam_engine caffeine",
            "deck": "bandage haste greyhound",
            "dogs": "chihuahua",
            "starvation": 2,
            "hypothermia": 2,
            "free_health": "armed",
            "stack": "iditarod_drift:1:0 makeshift_sled:1:0",
        },
        {"weather": "none"},
    ),
    "without dogs nothing is paid with one, and the deck not drawn empty": (
        THIRD,
        {
            "pos": 135,
            "hand": "band_aid",
            "deck": "smart_dog dog_shoes improvise eat_dog bear",
            "dogs": "wheel_dog retriever",
            "starvation": 2,
            "stack": "squirrel:1:0",
        },
        {"weather": "storm", "supply": "venison_steak"},
    ),
    "the same in another edition": (
        SECOND,
        {
            "pos": 50,
            "hand": "lunch move",
            "deck": "trade_dog armour eat_dog",
            "dogs": "wheel_dog",
            "stack": "husky:2:0",
        },
        {},
    ),
    "a card is counted before its second step": (
        THIRD,
        {
            "pos": 80,
            "hand": "coat harness eat_dog wheel_dog",
            "deck": "new_sled move",
            "starvation": 2,
            "stack": "russian_bear_dog:1:0",
        },
        {"weather": "cloud", "supply": "brandy", "options": {"second_step_in_risk": "parent_now"}},
    ),
    "all fizzles on the bridge before anything is drawn for a risk": (
        FIRST,
        {
            "pos": 80,
            "hand": "makeshift_sled",
            "deck": "meditate dinner reliable_dog",
            "dogs": "polar_bear+armour reliable_dog",
            "starvation": 1,
            "hypothermia": 3,
            "stack": "engineer_dog:1:0",
        },
        {},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_rare_tables_are_told_as_every_way_through_the_rules_tells_them(name: str) -> None:
    edition, player, shared = CASES[name]
    board = Board(edition, seat(**player), known=(), **shared)
    ventures = board.game.ventures(board.state.table)
    chance = PlainOdds(ventures, lambda: True).chance(ventures.table, None)
    assert ventures.chance(None, lambda: True) == (chance, True)
    low, high = ventures.between(None, lambda: True)
    assert low <= chance <= high


def test_a_card_that_may_only_be_played_where_it_can_be_paid_for() -> None:
    options = {"unaffordable_play": False}
    player = seat(pos=30, hand="greyhound husky mush", deck="haste move lunch rest")
    board = Board(SECOND, player, known=(), options=options)
    ventures = board.game.ventures(board.state.table)
    assert [card for card in ventures.cards() if ventures.playable(card)] == ["greyhound", "husky", "mush"]
    for card in ventures.cards():
        chance = PlainOdds(ventures, lambda: True).chance(ventures.table, card)
        assert ventures.chance(card, lambda: True) == (chance, True)
    poor = Board(SECOND, seat(pos=30, hand="husky", deck="haste move"), known=(), options=options)
    ventures = poor.game.ventures(poor.state.table)
    assert not ventures.playable("husky")
    assert PlainOdds(ventures, lambda: True).chance(ventures.table, "husky") == 0
