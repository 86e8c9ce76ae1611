"""What a seat knows, and tables that fit it (4)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.position import new_position
from rules.core.scripts import UNKNOWN, SplitMix64
from rules.core.turns import State
from tests.rules.abyss.boards import HOME, board, covered_offer, engine, plan, seat, stage
from tests.rules.games import broken, census, play


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 4), st.sets(st.sampled_from(["actions", "events", "picks"])))
def test_an_imagined_table_looks_alike_and_could_be(seed: int, players: int, known: set[str]) -> None:
    position = new_position("abyss/2021", players, seed, sorted(known))
    game = engine(position)
    generator = SplitMix64(seed)
    state = position.start()[1]
    for _, _, transition in play(game, state, seed, 40):
        state = transition.state
        if state.pending or game.is_over(state.table):
            continue
        index = generator.below(players)
        other = game.sample_world(State(state.table), index, generator).table
        assert game.information_state(other, index) == game.information_state(state.table, index)
        assert not broken(position, other)
        assert census(position, other) == census(position, state.table)
        assert other.seats[index].identity == state.table.seats[index].identity


def test_a_seat_sees_its_own_cards_and_the_size_of_the_other_hands() -> None:
    start = board(
        seat(hand=["bribe"], plan=plan("theft", "city"), event="safe"),
        seat(hand=["digging", "digging"], plan=plan("treatment", "city"), event="riot"),
        phase="act",
        known=(),
        actions=["flashlight"],
        events=["flooding"],
    )
    seen = engine(start).information_state(start.table(), 0)
    assert seen.seats[0].hand == ("bribe",)
    assert seen.seats[0].event == seen.seats[1].event == UNKNOWN
    assert seen.seats[1].hand == (UNKNOWN, UNKNOWN)
    assert seen.seats[1].plan is not None
    assert (seen.seats[1].plan.card, seen.seats[1].plan.location) == (UNKNOWN, "city")
    assert seen.action_pile.front == ("digging", "digging", "flashlight", "treatment")
    assert seen.event_pile.front == ("flooding", "riot", "safe")


@pytest.mark.parametrize("secret", ["bribe city", "bribe abyss", "none"])
def test_while_plans_are_made_nobody_knows_those_of_others(secret: str) -> None:
    pair: list[Any] = [seat(hand=["bribe", "theft"], partners=["homeless:2"]), seat(hand=["digging"])]
    start = board(*pair, phase="choose")
    game = engine(start)
    chosen = stage(start, f"plan {secret}")
    assert game.information_state(chosen, 1) == game.information_state(start.table(), 1)
    assert game.sample_world(State(chosen), 1, SplitMix64(1)).table.seat == 0
    shown = board(*pair, phase="choose", options={"announcement": "sequential"})
    after = stage(shown, f"plan {secret}")
    assert engine(shown).information_state(after, 1).seats[0].plan == after.seats[0].plan


def test_ruling_15_a_plan_that_is_shown_is_known_to_all() -> None:
    start = board(
        seat(hand=["bribe"], plan=plan("theft", "city")),
        seat(hand=["digging"], plan=plan("treatment", "city"), partners=["homeless:2"]),
        phase="act",
        known=(),
        actions=["flashlight", "transaction"],
        options={"announcement": "sequential"},
    )
    game, table = engine(start), start.table()
    seen = game.information_state(table, 0)
    assert seen.seats[1].plan == table.seats[1].plan
    assert seen.seats[1].hand == (UNKNOWN,)
    assert seen.action_pile.front == ("digging", "flashlight", "transaction")
    dealt = [game.sample_world(State(table), 0, SplitMix64(seed)).table for seed in range(30)]
    assert {one.seats[1].plan for one in dealt} == {table.seats[1].plan}
    assert {one.seats[1].hand for one in dealt} == {("digging",), ("flashlight",), ("transaction",)}


def test_cards_shown_in_the_turn_under_way_stay_where_they_lie() -> None:
    start = board(
        seat(hand=["bribe", "digging", "theft"], plan=plan("transaction", "city")),
        seat(hand=["flashlight", "treatment"], plan=HOME),
        phase="act",
        known=(),
        actions=["flashlight", "treatment", "accept_bribes"],
    )
    game, table = engine(start), start.table()
    offer = next(move for move in game.legal_moves(start.start()[1]) if move.text == "offer bribe theft")
    offered = game.apply(start.start()[1], offer).state
    assert game.to_act(offered) == 1
    dealt = [game.sample_world(offered, 1, SplitMix64(seed)).table for seed in range(40)]
    assert {one.seats[0].plan for one in dealt} == {table.seats[0].plan}
    assert all({"bribe", "theft"} <= set(one.seats[0].hand) for one in dealt)
    assert {one.seats[0].hand for one in dealt} == {
        tuple(sorted(("bribe", "theft", third))) for third in ("accept_bribes", "digging", "flashlight", "treatment")
    }
    assert all(game.information_state(one, 1) == game.information_state(table, 1) for one in dealt)


def test_ruling_32_of_a_covered_offer_only_the_number_is_known() -> None:
    game, offered = covered_offer("offer bribe theft")
    for seed in range(20):
        world = game.sample_world(offered, 1, SplitMix64(seed))
        dealt, told = world.table, world.pending
        assert [len(step.cards) for step in told] == [2]
        assert not Counter(told[0].cards) - Counter(dealt.seats[0].hand)
    assert game.sample_world(offered, 0, SplitMix64(1)).pending == offered.pending


def test_ruling_32_an_offer_that_may_be_covered_is_not_seen_by_all() -> None:
    game, offered = covered_offer("offer theft", known=("actions", "events", "picks"))
    assert not game.is_common(offered.table)


def test_an_event_face_down_in_the_city_is_no_modifier() -> None:
    start = board(
        seat(plan=HOME, event="safe"), phase="act", known=(), events=["traffic_jam", "short_of_resource", "riot"]
    )
    generator = SplitMix64(3)
    dealt = Counter(
        engine(start).sample_world(State(start.table()), 0, generator).table.seats[0].event for _ in range(60)
    )
    assert set(dealt) == {"safe", "riot"}
    committed = board(
        seat(plan=HOME),
        seat(plan=plan("digging", "abyss"), partners=["homeless:2"]),
        phase="act",
        known=(),
        actions=["treatment", "theft", "bribe"],
    )
    plans = {
        engine(committed).sample_world(State(committed.table()), 0, generator).table.seats[1].plan for _ in range(60)
    }
    assert {one.card for one in plans if one is not None} == {"digging", "theft", "bribe"}
