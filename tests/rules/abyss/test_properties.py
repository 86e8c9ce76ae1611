"""What holds in every game of Abyss, under whatever rulings."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.abyss.engine import Abyss
from rules.abyss.state import Table
from rules.abyss.words import SENTENCES
from rules.core.position import Position, load_position, new_position
from rules.core.scripts import OVER, Forced, SplitMix64
from rules.core.turns import State
from tests.rules.abyss.dealt import positions
from tests.rules.games import broken, census, play


@settings(max_examples=120, deadline=None)
@given(positions(), st.integers(0, 2**32))
def test_no_game_breaks_an_invariant_or_loses_a_card(position: Position, seed: int) -> None:
    game, start = position.start()
    counted = census(position, start.table)
    for state, _, transition in play(game, start, seed, 40):
        assert game.to_act(state) != OVER
        for event in transition.events:
            assert event.kind in SENTENCES
            assert game.sentence(event)
        if not transition.state.pending:
            assert broken(position, transition.state.table) == []
            assert census(position, transition.state.table) == counted


@settings(max_examples=40, deadline=None)
@given(positions(), st.integers(0, 2**32), st.integers(1, 60))
def test_positions_under_any_ruling_are_read_back(position: Position, seed: int, steps: int) -> None:
    game, state = position.start()
    for place, (_, _, transition) in enumerate(play(game, state, seed, 60)):
        state = transition.state
        if place == steps:
            break
    middle = position.after(state)
    for form in (middle.text(), middle.to_toml(), middle.code):
        assert load_position(form) == middle


@settings(max_examples=40, deadline=None)
@given(positions(), st.integers(0, 2**32))
def test_progress_and_stages_fit_the_table(position: Position, seed: int) -> None:
    game = position.game
    assert isinstance(game, Abyss)
    before: dict[int, int] = {}
    state: State[Table] = position.start()[1]
    for _, _, transition in play(game, state, seed, 30):
        state = transition.state
        if state.pending:
            continue
        for index in range(position.players):
            met = game.goal_reached(state.table, index)
            assert (game.progress(state.table, index) >= game.profile.target) == met
            stages = game.turns(state.table, index)
            assert stages >= before.get(index, 0)
            before[index] = stages


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 5))
def test_no_plan_shows_before_everybody_has_chosen(seed: int, turn: int) -> None:
    position = new_position("abyss/2021", 3, seed)
    game, start = position.start()
    generator = SplitMix64(seed + turn)
    state = start
    while state.table.phase == "prepare":
        steps = game.legal_moves(state)
        state = game.apply(state, steps[generator.below(len(steps))]).state
    open_to_second = []
    for first in (game.legal_moves(state)[0], game.legal_moves(state)[-1]):
        transition = game.apply(state, first)
        assert not any("card" in event.data or "location" in event.data for event in transition.events)
        open_to_second.append([move.text for move in game.legal_moves(transition.state)])
    assert open_to_second[0] == open_to_second[1]
    assert all(not isinstance(step, Forced) for step in state.pending)
