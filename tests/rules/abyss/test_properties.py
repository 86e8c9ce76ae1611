"""What holds in every game of Abyss, under whatever rulings."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.abyss import vocabulary
from rules.abyss.engine import Abyss
from rules.abyss.state import Table
from rules.abyss.words import SENTENCES
from rules.core.chance import SplitMix64
from rules.core.position import Position, load_position, new_position
from rules.core.steps import OVER, Forced
from rules.core.turns import State
from tests.rules.abyss.boards import OPEN
from tests.rules.games import broken, census, play

NUMBERS: dict[str, list[Any]] = {
    "speech_rp": [0, 1, 3],
    "partner_supply": [2, {"homeless": 3}],
    "first_refill_round": [2],
    "partner_cap": [0, 2, 5],
    "treasure_supply": [3],
    "temp_hp": [1, 3],
    "round_limit": [2],
    "event_counts": [{"flooding": 12, "riot": 12}],
}
"""Numbers and tables to try, beside the values that are words."""


def answers(name: str) -> list[Any]:
    row = vocabulary.OPTIONS.rows[name]
    if isinstance(row["neutral"], bool):
        return [True, False]
    return [*row.get("values", {}), *NUMBERS.get(name, [])]


OPTIONS = st.dictionaries(st.sampled_from(sorted(vocabulary.OPTIONS.rows)), st.integers(0, 9), max_size=8).map(
    lambda chosen: {name: answers(name)[number % len(answers(name))] for name, number in chosen.items()}
)
IDENTITIES = st.sampled_from(["adventurer", "employer", "leader"])


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Draw a starting position under some rulings, with somewhat more to spend than usual."""
    options = draw(OPTIONS)
    if options.get("hire_overdraft"):
        options |= {"partner_cap": 4, "cap_counts_temps": True}
    identities = draw(st.lists(IDENTITIES, min_size=1, max_size=3, unique=options.get("identity_choice") == "unique"))
    known = draw(st.sets(st.sampled_from(OPEN)))
    data = json.loads(new_position("abyss/2021", len(identities), draw(st.integers(0, 99)), sorted(known)).text())
    data["options"] = options
    del data["state"]["action_pile"], data["state"]["event_pile"]  # they hold the rest of the box under these options
    for seat, identity in zip(data["state"]["seats"], identities, strict=True):
        seat |= {"identity": identity, "ap": draw(st.integers(-2, 8)), "explore_pending": draw(st.booleans())}
    return load_position(json.dumps(data))


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
            assert (game.progress(state.table, index) >= game.default_target()) == met
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
