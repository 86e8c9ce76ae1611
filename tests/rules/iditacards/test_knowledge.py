"""What a seat knows of the others' cards, and tables that fit it (R1, R73)."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.position import new_position
from rules.core.scripts import UNKNOWN, SplitMix64
from rules.core.turns import State
from rules.iditacards.engine import Iditacards
from tests.rules.games import broken, census, play
from tests.rules.iditacards.boards import Board, seat

EDITIONS = ("iditacards/2017", "iditacards/2019-02", "iditacards/2019-08")


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(EDITIONS),
    st.integers(0, 2**32),
    st.integers(1, 4),
    st.sets(st.sampled_from(["deck", "opponents", "legendary", "upgrade"])),
)
def test_an_imagined_table_looks_alike_and_could_be(edition: str, seed: int, players: int, known: set[str]) -> None:
    position = new_position(edition, players, seed, sorted(known))
    game = position.game
    assert isinstance(game, Iditacards)
    generator = SplitMix64(seed)
    state = position.start()[1]
    for _, _, transition in play(game, state, seed, 12):
        state = transition.state
        if state.pending:
            continue
        index = generator.below(players)
        other = game.sample_world(State(state.table), index, generator).table
        assert game.information_state(other, index) == game.information_state(state.table, index)
        assert other.players[index] == state.table.players[index]
        assert not broken(position, other)
        if "legendary" in known or not state.table.players[0].legendary:
            assert census(position, other) == census(position, state.table)


@pytest.mark.parametrize("known", [(), ("opponents",)])
def test_a_seat_sees_the_size_of_the_other_hands(known: tuple[str, ...]) -> None:
    board = Board(
        "2019-02",
        seat(hand="move lunch", deck="mush", legendary="puppy"),
        seat(hand="rest a_hat", deck="armour breakfast move", known=1, legendary="moose"),
        known=known,
    )
    mine, yours = board.game.information_state(board.state.table, 0).players
    assert (mine.hand, mine.deck) == (("lunch", "move"), ("mush",))
    if known:
        assert board.game.information_state(board.state.table, 0) == board.state.table
        return
    assert (yours.hand, yours.legendary) == ((UNKNOWN, UNKNOWN), (UNKNOWN,))
    assert yours.deck == ("armour", "a_hat", "breakfast", "move", "rest"), "what was put back in sight stays known"


def test_what_is_not_seen_is_dealt_evenly() -> None:
    mine, yours = seat(hand="move", deck="lunch mush"), seat(hand="rest a_hat", deck="armour breakfast move")
    board = Board("2019-02", mine, yours, known=())
    generator = SplitMix64(3)
    hands = Counter(
        board.game.sample_world(State(board.state.table), 0, generator).table.players[1].hand for _ in range(2000)
    )
    assert len(hands) == 10
    assert all(150 < times < 250 for times in hands.values())
    decks = {board.game.sample_world(State(board.state.table), 1, generator).table.players[0].deck for _ in range(20)}
    assert len(decks) > 1, "nobody knows which cards of the first deck are in the hand"
