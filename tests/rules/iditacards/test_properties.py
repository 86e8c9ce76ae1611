"""Properties of every game that can be reached: random play from starts and from all conformance positions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.files import Faults
from rules.core.position import Position, load_position
from rules.core.scripts import OVER
from rules.iditacards.engine import Iditacards
from tests.rules.games import VECTORS, setups, steps_of

SORTED = ("discard", "foods", "hand", "legendary", "passed", "resolved", "seen")
COUNTED = ("days", "hypothermia", "known", "personal", "pos", "starvation", "turns")

OWN = [name for name, line in sorted(VECTORS.items()) if json.loads(line)["game"] == "iditacards"]
SETUPS = [setup for setup in setups() if setup.ruleset.startswith("iditacards/")]

vectors = st.sampled_from(OWN).map(lambda name: load_position(VECTORS[name]))
starts = st.builds(lambda setup, seed: setup.position(seed), st.sampled_from(SETUPS), st.integers(0, 2**64 - 1))
positions = st.one_of(vectors, starts)
choices = st.lists(st.integers(0, 2**16), min_size=1, max_size=40)


def texts(position: Position, chosen: Sequence[int]) -> list[str]:
    """Return what was taken, out of what, and the last state, as texts."""
    game, state = position.start()
    told = []
    for number in chosen:
        steps = steps_of(game, state)
        if not steps:
            break
        step = steps[number % len(steps)]
        transition = game.apply(state, step)
        told += [step.text, str(len(steps)), *(game.sentence(event) for event in transition.events)]
        state = transition.state
    return [*told, json.dumps(game.encode(state.table))]


def turns(position: Position, chosen: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Yield the canonical state at every turn boundary of a game, the first one included."""
    game, state = position.start()
    yield game.encode(state.table)
    for number in chosen:
        steps = steps_of(game, state)
        if not steps:
            break
        state = game.apply(state, steps[number % len(steps)]).state
        if not state.pending:
            yield game.encode(state.table)


@settings(deadline=None, max_examples=120)
@given(positions, choices)
def test_no_invariant_ever_breaks(position: Position, chosen: list[int]) -> None:
    for state in turns(position, chosen):
        faults = Faults()
        position.definition.check_state(state, position, faults)
        assert not faults.found


@settings(deadline=None, max_examples=120)
@given(positions, choices)
def test_zones_stay_sorted_and_numbers_at_0_or_more(position: Position, chosen: list[int]) -> None:
    for state in turns(position, chosen):
        assert state["destroyed"] == sorted(state["destroyed"])
        assert state["supply"] == sorted(state["supply"])
        for player in state["players"]:
            for zone in SORTED:
                assert player[zone] == sorted(player[zone])
            dogs = [(dog["dog"], dog["attachments"]) for dog in player["dogs"]]
            assert dogs == sorted((dog, sorted(worn)) for dog, worn in dogs)
            assert min(player[name] for name in COUNTED) >= 0
            hidden = player["deck"][player["known"] :]
            if "deck" in position.chance.open:
                assert player["known"] == 0
            else:
                assert hidden == sorted(hidden)


@settings(deadline=None, max_examples=80)
@given(positions, choices)
def test_cards_are_conserved(position: Position, chosen: list[int]) -> None:
    counts = [position.definition.census(state, position) for state in turns(position, chosen)]
    assert all(count == counts[0] for count in counts)


@settings(deadline=None, max_examples=80)
@given(positions, choices)
def test_one_turn_is_counted_at_a_time_and_nobody_unfinishes(position: Position, chosen: list[int]) -> None:
    for before, after in pairwise(turns(position, chosen)):
        gained = [new["turns"] - old["turns"] for old, new in zip(before["players"], after["players"], strict=True)]
        assert gained == [int(seat == before["active"]) for seat in range(len(gained))]
        assert 0 <= after["day"] - before["day"] <= 1
        assert after["legs"] == before["legs"]
        for old, new in zip(before["players"], after["players"], strict=True):
            assert new["finished"] >= old["finished"]
            assert set(old["passed"]) <= set(new["passed"])
            assert new["days"] - old["days"] in (0, after["day"] - before["day"])


@settings(deadline=None, max_examples=60)
@given(positions, choices)
def test_the_same_choices_always_lead_to_the_same(position: Position, chosen: list[int]) -> None:
    assert texts(position, chosen) == texts(load_position(position.text()), chosen)


@settings(deadline=None, max_examples=60)
@given(positions, choices, st.randoms(use_true_random=False))
def test_equal_cards_may_change_places(position: Position, chosen: list[int], order: Any) -> None:
    data = json.loads(position.text())
    state = data["state"]
    for cards in [
        state["destroyed"],
        state["supply"],
        *(player[zone] for player in state["players"] for zone in SORTED),
    ]:
        order.shuffle(cards)
    for player in state["players"]:
        order.shuffle(player["dogs"])
    mixed = load_position(json.dumps(data))
    assert mixed.text() == position.text()
    assert texts(mixed, chosen[:8]) == texts(position, chosen[:8])


@settings(deadline=None, max_examples=60)
@given(vectors, choices)
def test_whoever_could_act_is_not_over(position: Position, chosen: list[int]) -> None:
    game, state = position.start()
    assert isinstance(game, Iditacards)
    for number in chosen:
        steps = steps_of(game, state)
        over = not state.pending and state.table.over
        assert (game.to_act(state) == OVER) == over == (not steps)
        if over:
            outcome = game.outcome(state.table)
            assert outcome is not None
            assert all(state.table.players[seat].finished for seat in outcome.winners)
            break
        state = game.apply(state, steps[number % len(steps)]).state
