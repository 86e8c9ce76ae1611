"""What every game promises, held over every shipped ruleset: nothing here knows which game it plays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest

from rules.core.errors import IllegalMoveError
from rules.core.position import Position, load_position
from rules.core.ruleset import load_ruleset
from rules.core.scripts import CHANCE, OVER, ChanceOutcome, Forced, Step
from rules.core.tools.rulebook import book_of, option_value
from rules.core.turns import Game, State
from tests.rules.games import RULESETS, VECTORS, Setup, broken, census, play, setups, steps_of, vector_position

TURNS = 8
"""Turns of a random game: enough for new days, risk and several players, few enough to try every move."""
SMALL = 150
"""Ways through a turn, with every order of cards drawn together, up to which it is walked step by step."""
every_setup = pytest.mark.parametrize("setup", setups(), ids=str)
some_vectors = pytest.mark.parametrize("name", sorted(VECTORS)[::7])


def boundaries(setup: Setup, seed: int = 5, turns: int = TURNS) -> Iterator[tuple[Position, State[Any]]]:
    """Yield the start of each turn of a random game."""
    position = setup.position(seed)
    game, start = position.start()
    yield position, start
    for _, _, transition in play(game, start, seed, turns):
        if not transition.state.pending:
            yield position, transition.state


@pytest.mark.parametrize("name", RULESETS)
def test_every_option_is_documented(name: str) -> None:
    ruleset = load_ruleset(name)
    values, rules = ruleset.raw["options"], book_of(ruleset).rules
    for option in book_of(ruleset).options.values():
        assert option.question.endswith("?"), option.name
        assert option.rule in rules, option.name
        value = values[option.name]
        named = any(option_value(value) in ruleset.raw.get(table, ()) for table in ruleset.definition.collections)
        assert option.range or option.values.get(option_value(value)) or named or option.note, option.name


@every_setup
def test_cards_are_conserved_and_no_invariant_breaks(setup: Setup) -> None:
    counts = []
    for position, state in boundaries(setup, turns=4 * TURNS):
        assert not broken(position, state.table)
        counts.append(census(position, state.table))
    assert all(count == counts[0] for count in counts)


@every_setup
def test_the_input_stays_as_it_was(setup: Setup) -> None:
    game, start = setup.position(7).start()
    for state, step, _ in play(game, start, 7, TURNS):
        before = hash(state), game.encode(state.table)
        game.legal_moves(state)
        game.apply(state, step)
        assert (hash(state), game.encode(state.table)) == before


@every_setup
def test_every_open_step_applies_and_its_text_names_it(setup: Setup) -> None:
    game, start = setup.position(8).start()
    for state, _, _ in play(game, start, 8, TURNS):
        steps = steps_of(game, state)
        assert len({step.text for step in steps}) == len(steps)
        assert [step.text for step in steps] == sorted(step.text for step in steps)
        for step in steps[:: 1 + len(steps) // 6]:
            assert game.parse_step(state, step.text) == step
            assert game.apply(state, step).state != state


@every_setup
def test_a_step_that_is_not_open_names_its_rule(setup: Setup) -> None:
    game, start = setup.position(9).start()
    seen: dict[str, Step] = {}
    refused = 0
    for state, step, _ in play(game, start, 9, TURNS):
        known = [open_step.text for open_step in steps_of(game, state)]
        for text, other in list(seen.items())[-20:]:
            if text in known or any(longer.startswith(f"{text} ") for longer in known):
                continue
            with pytest.raises(IllegalMoveError) as applied:
                game.apply(state, other)
            with pytest.raises(IllegalMoveError) as parsed:
                game.parse_step(state, text)
            assert applied.value.rule
            assert applied.value.rule == parsed.value.rule
            assert text in str(applied.value)
            refused += 1
        if refused > 60:
            break
        seen[step.text] = step
    assert refused


@every_setup
def test_exactly_one_of_players_chance_and_nobody_is_to_act(setup: Setup) -> None:
    game, start = setup.position(10).start()
    for state, _, _ in play(game, start, 10, TURNS):
        actor = game.to_act(state)
        assert actor != OVER
        assert (actor >= 0) == bool(game.legal_moves(state))
        assert (actor == CHANCE) == bool(game.chance_outcomes(state))
        if actor == CHANCE:
            assert sum(outcome.probability for outcome in game.chance_outcomes(state)) == 1


@every_setup
def test_a_position_is_read_back_from_its_text(setup: Setup) -> None:
    for position, state in boundaries(setup):
        text = position.with_table(state.table).text()
        again = load_position(text)
        assert again.text() == text
        assert again.table() == state.table


@every_setup
def test_a_turn_under_way_is_read_back_from_its_text(setup: Setup) -> None:
    position = setup.position(11)
    game, start = position.start()
    middles = [state for _, _, transition in play(game, start, 11, TURNS) if (state := transition.state).pending]
    for state in middles[:: 1 + len(middles) // 6]:
        text = position.after(state).text()
        again = load_position(text)
        assert again.start()[1] == state
        assert again.text() == text


@every_setup
def test_the_same_game_twice(setup: Setup) -> None:
    games = [setup.position(12).start() for _ in range(2)]
    first, second = ([step[2] for step in play(game, start, 12, TURNS)] for game, start in games)
    assert first == second


def weights(game: Game[Any], state: State[Any]) -> dict[Any, Fraction]:
    """Return each end of the turn with the chance of all lines to it, every move counting as taken, step by step."""
    found: dict[Any, Fraction] = defaultdict(Fraction)

    def walk(here: State[Any], chance: Fraction) -> None:
        for step in steps_of(game, here):
            after = game.apply(here, step).state
            part = chance * step.probability if isinstance(step, ChanceOutcome) else chance
            if after.pending:
                walk(after, part)
            else:
                found[after.table] += part

    walk(state, Fraction(1))
    return found


@some_vectors
def test_steps_and_whole_turns_lead_to_the_same_ends(name: str) -> None:
    game, start = vector_position(name).start()
    for step in steps_of(game, start):
        first = game.apply(start, step).state
        if not first.pending:
            assert {end.table for end in game.turn_ends(start.table, game.begun(start, step))} == {first.table}
            continue
        ends = list(islice(game.turn_ends(first.table, first.pending), SMALL + 1))
        if sum(end.orders for end in ends) <= SMALL:
            whole: dict[Any, Fraction] = defaultdict(Fraction)
            for end in ends:
                whole[end.table] += end.probability
            assert weights(game, first) == whole


@some_vectors
def test_where_chance_alone_decides_the_ends_add_to_one(name: str) -> None:
    game, start = vector_position(name).start()
    for step in steps_of(game, start):
        after = game.apply(start, step).state
        if not after.pending:
            continue
        ends = list(islice(game.turn_ends(after.table, after.pending), SMALL + 1))
        later = [taken for end in ends for taken in end.steps[len(after.pending) :]]
        if len(ends) <= SMALL and all(isinstance(taken, (ChanceOutcome, Forced)) for taken in later):
            assert sum(end.probability for end in ends) == 1


@pytest.mark.parametrize("name", [name for name in sorted(VECTORS) if '"terminal":0' not in VECTORS[name]])
def test_a_finished_game_says_who_won_and_by_which_rule(name: str) -> None:
    game, start = vector_position(name).start()
    over = [end.table for end in islice(game.turn_ends(start.table), SMALL) if game.is_over(end.table)]
    for table in over:
        outcome = game.outcome(table)
        assert outcome is not None
        assert outcome.rule
        assert game.to_act(State(table)) == OVER
        assert steps_of(game, State(table)) == ()
    if not game.is_over(start.table):
        assert game.outcome(start.table) is None
