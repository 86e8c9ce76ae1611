"""What holds whatever the options, the information and the moves."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.errors import ContentError
from rules.core.position import Position, new_position
from rules.core.scripts import OVER, SplitMix64
from rules.core.turns import Game, State
from rules.trench_rescue import content
from tests.bare import bare_position
from tests.rules.games import broken, census, steps_of

TURNS = 10
"""Half-turns of a random game, the last of them in the withdrawal."""


def values(name: str) -> st.SearchStrategy[Any]:
    """Return every value of an option; short games, so that their ends are reached."""
    option = content.OPTIONS.rows[name]
    if "min" in option:
        return st.integers(1, 4)
    if isinstance(option["neutral"], bool):
        return st.booleans()
    return st.sampled_from(sorted(option["values"]))


options = st.fixed_dictionaries(
    {"turn_limit": values("turn_limit")},
    optional={name: values(name) for name in content.OPTIONS.rows if name != "turn_limit"},
)
sources = st.sets(st.sampled_from(["cards", "deck", "shells"]))


def fresh(size: int, players: int, seed: int, known: set[str], changed: dict[str, Any]) -> Position | None:
    """Return a starting position on a field of a size, or nothing where its options say nothing together."""
    table: dict[str, Any] = {
        "game": "trench_rescue",
        "players": players,
        "ruleset": {"extends": "trench_rescue/2012", "rules": {"field_size": size}},
        "options": changed,
        "chance": {"open": sorted(known), "seed": seed},
    }
    try:
        return bare_position(json.dumps(table))
    except ContentError:
        return None


def busy(game: Game[Any], state: State[Any], generator: SplitMix64) -> Any:
    """Return a random step, rarely the end of a half-turn and never going back for another card twice."""
    steps = steps_of(game, state)
    lively = [step for step in steps if step.text != "end" and not step.text.startswith(("cycle", "peek"))]
    choice = lively if lively and generator.below(5) else steps
    return choice[generator.below(len(choice))]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([2, 4, 6]), st.sampled_from([1, 2]), st.integers(0, 2**64 - 1), sources, options)
def test_every_mixture_of_options_plays_on_and_breaks_nothing(
    size: int, players: int, seed: int, known: set[str], changed: dict[str, Any]
) -> None:
    position = fresh(size, players, seed, known, changed)
    if position is None:
        return
    game, state = position.start()
    generator = SplitMix64(seed)
    counts = census(position, state.table)
    turns = 0
    for _ in range(150):
        if game.to_act(state) == OVER or turns > TURNS:
            break
        state = game.apply(state, busy(game, state, generator)).state
        turns += not state.pending
        if not state.pending:
            assert not broken(position, state.table)
            assert census(position, state.table) == counts
    text = position.after(state).text()
    assert bare_position(text).text() == text
    assert replace(position.after(state), pending=()).code


@settings(max_examples=40, deadline=None)
@given(st.sampled_from([1, 2]), st.integers(0, 2**64 - 1), sources, options)
def test_walking_equal_middles_once_loses_no_end(
    players: int, seed: int, known: set[str], changed: dict[str, Any]
) -> None:
    position = fresh(2, players, seed, known, changed)
    if position is None:
        return
    game, state = position.start()
    generator = SplitMix64(seed)
    for _ in range(30):
        if game.to_act(state) == OVER:
            break
        ways = list(islice(game.turn_ends(state.table, state.pending), 400))
        if len(ways) < 400:
            ends = list(game.distinct_ends(state.table, state.pending))
            assert {end.table for end in ends} == {way.table for way in ways}
            assert len(ends) == len({end.table for end in ends})
            for end in ends[:3]:
                assert next(iter(game.turn_ends(state.table, end.steps))).table == end.table
        state = game.apply(state, busy(game, state, generator)).state


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**64 - 1), st.integers(1, 25))
def test_the_middle_of_a_half_turn_is_a_position_of_its_own(seed: int, steps: int) -> None:
    """Who has moved and what is fresh stand in the state, so that the rest of the half-turn needs no history (3)."""
    position = new_position("trench_rescue/2012", 2, seed, ("cards",))
    game, state = position.start()
    generator = SplitMix64(seed)
    for _ in range(steps):
        state = game.apply(state, busy(game, state, generator)).state
    settled = game.settled(state)
    assert steps_of(game, settled) == steps_of(game, state)
    assert game.settled(settled) == settled
    if game.chance_outcomes(state):
        return
    assert settled == State(game.unfinished(state))
    middle = position.with_table(game.unfinished(state))
    assert not broken(middle, middle.table())
    again, start = middle.start()
    assert [move.text for move in again.legal_moves(start)] == [move.text for move in game.legal_moves(state)]


@pytest.mark.parametrize("name", content.OPTIONS.rows)
def test_every_option_says_what_it_asks_and_what_each_answer_means(name: str) -> None:
    option = content.OPTIONS.rows[name]
    assert option["question"].endswith("?")
    assert option["ruling"].startswith("TR-")
    assert content.OPTIONS.schema.fields[name].schema.accepts(option["neutral"])
    if "min" in option:
        return
    assert len(option["values"]) >= 2
    assert all(option["values"].values())
    assert str(option["neutral"]).lower() in option["values"]
    if isinstance(option["neutral"], bool):
        assert set(option["values"]) == {"true", "false"}
