"""What a game may bring besides its rules, held over every shipped ruleset that brings it; no game is named here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import islice
from typing import Any, cast

import pytest

from puzzles.puzzle import question_of
from rules.core.challenge import Clock, Measure, Quest
from rules.core.files import Faults, Source, data_file
from rules.core.position import read_position
from rules.core.race import ImperfectInformation, Race, tally
from rules.core.registry import find_game, game_names
from rules.core.ruleset import load_ruleset
from rules.core.scripts import OVER, Forced, SplitMix64, mix
from rules.core.tools.rulebook import met
from rules.core.turns import Game, State, TurnEnd, perft
from tests.rules.games import EDITIONS, Setup, broken, census, setups

TURNS = 12
MOST = 40
"""Ways through a turn that are looked at."""
WIDE = 1000
"""Ways through a first turn that are too many to count."""
EDITIONS_ONLY = [setup for setup in setups() if setup.ruleset in EDITIONS]


def over(wanted: Iterable[Setup]) -> pytest.MarkDecorator:
    """Ask a test of these setups, of one at least."""
    asked = list(wanted)
    assert asked
    return pytest.mark.parametrize("setup", asked, ids=str)


def those_that_bring(kind: type) -> list[Setup]:
    """Return the setups of the games that have a capability."""
    return [setup for setup in EDITIONS_ONLY if isinstance(setup.position(3).game, kind)]


def game_of(setup: Setup, kind: type) -> Any:
    """Return the game of a setup that brings a capability."""
    game = setup.position(3).game
    assert isinstance(game, kind)
    return game


every_setup = over(EDITIONS_ONLY)


def played(setup: Setup, game: Game[Any], seed: int = 3) -> Iterator[tuple[Any, TurnEnd[Any]]]:
    """Yield the tables of a random game at its turn boundaries, each with the turn taken there."""
    table, generator = setup.position(seed).table(), SplitMix64(seed)
    for _ in range(TURNS):
        if game.to_act(State(table)) == OVER:
            return
        end = game.sample_turn(table, generator)
        yield table, end
        table = end.table


@every_setup
def test_a_sampled_turn_is_one_of_its_ends_and_sampling_leaves_no_trace(setup: Setup) -> None:
    game = setup.position(3).game
    for table, end in played(setup, game):
        again = game.sample_turn(table, SplitMix64(9))
        assert again == game.sample_turn(table, SplitMix64(9))
        assert 0 < end.probability <= 1


@every_setup
def test_perft_counts_the_ends_of_the_first_turn(setup: Setup) -> None:
    game, start = setup.position(3).start()
    ends = list(islice(game.turn_ends(start.table), WIDE))
    if len(ends) == WIDE:
        assert not setup.is_open, "what is open has few ways through a turn"
        return
    tables = {end.table for end in ends}
    count = perft(game, start, 1)
    ended = sum(game.is_over(table) for table in tables)
    assert (count.positions, count.terminal) == (len(tables) - ended, ended)


@over(those_that_bring(Race))
def test_race_progress_turns_and_bounds_fit_play(setup: Setup) -> None:
    game = game_of(setup, Race)
    first = 0
    bounds: list[tuple[int, int]] = []
    reached: list[int] = []
    tables = [table for table, _ in played(setup, game)]
    for table in tables:
        first = max(first, game.progress(table))
    for table in tables:
        bounds.append((game.turns(table), game.least_turns(table, 0, first)))
        reached.append(game.progress(table))
        assert game.days(table) >= 1
        assert game.least_turns(table, 0, game.progress(table)) == 0
        assert all(label or text for label, text in game.glance(table))
        assert all(label or text for label, text in game.brief(table))
        assert all(isinstance(card, str) for card in game.hand(table))
    assert game.profile.target > 0
    assert sorted(turns for turns, _ in bounds) == [turns for turns, _ in bounds]
    goal = reached.index(first)
    for turns, bound in bounds[:goal]:
        assert bound <= bounds[goal][0] - turns


@over(those_that_bring(Race))
def test_clocks_and_goods_are_fields_of_the_state(setup: Setup) -> None:
    game = game_of(setup, Race)
    changes = list(game.exchanges().values())
    for table, _ in played(setup, game):
        found = tally(game, table)
        assert bool(found.goods) == bool(game.profile.goods)
        assert found.gains(found) == {}
        for change in changes:
            assert set(change) <= set(found.goods)


@over(setup for setup in EDITIONS_ONLY if setup.players > 1)
def test_contest_payoffs_add_up_and_lie_within_their_bounds(setup: Setup) -> None:
    game = setup.position(3).game
    sums = set()
    for table, end in played(setup, game):
        payoffs, guesses = game.payoffs(table), game.payoffs(table, guess=True)
        low, high = game.profile.payoffs
        assert len(payoffs) == len(guesses) == game.players
        assert low <= payoffs[0] <= high
        assert low <= high
        sums.add(sum(payoffs))
        assert sum(guesses) in sums
        assert 0 <= game.rounds(table) <= game.rounds(end.table)
        assert game.pace(table) <= game.pace(end.table)
        undecided = game.undecided(table)
        assert undecided is None or game.undecided(undecided) == undecided
        assert game.is_common(table) in (True, False)
        assert all(game.is_common(table, seat) for seat in range(game.players)) >= game.is_common(table)
    assert len(sums) == 1


@over(those_that_bring(ImperfectInformation))
def test_what_a_seat_imagines_looks_like_what_it_sees(setup: Setup) -> None:
    game = game_of(setup, ImperfectInformation)
    position = setup.position(3)
    for table, _ in played(setup, game):
        for seat in range(setup.players):
            seen = game.information_state(table, seat)
            assert seen == game.information_state(table, seat)
            imagined = game.sample_world(State(table), seat, SplitMix64(4)).table
            assert imagined == game.sample_world(State(table), seat, SplitMix64(4)).table
            assert game.information_state(imagined, seat) == seen
            assert not broken(position, imagined)
            # Which of the cards dealt to nobody another player holds is imagined, too; how many there are is not.
            assert sum(census(position, imagined).values()) == sum(census(position, table).values())


@over(EDITIONS_ONLY)
def test_hazards_are_chances_the_likeliest_first(setup: Setup) -> None:
    game = setup.position(3).game
    for table, _ in played(setup, game):
        for seat in range(setup.players):
            chances = [hazard.chance for hazard in game.hazards(table, seat) or ()]
            assert chances == sorted(chances, reverse=True)
            assert all(0 <= chance <= 1 for chance in chances)
            assert all(hazard.subject and hazard.what and hazard.rule for hazard in game.hazards(table, seat) or ())


@over(EDITIONS_ONLY)
def test_challenges_ask_what_can_be_asked(setup: Setup) -> None:
    position = setup.position(3)
    start = position.table()
    for name, challenge in position.definition.challenges.items():
        assert (challenge.id, bool(challenge.summary)) == (name, True)
        terms = position.definition.terms_schema(position.ruleset, name)
        faults = Faults()
        terms.check({}, (), faults)
        if faults.found or challenge.players > setup.players:
            continue
        quest = position.towards(name, 0, {}).game
        assert isinstance(quest, Quest)
        assert (quest.progress(start) >= quest.profile.target) == (
            quest.reached(start) and quest.profile.target > 0
        ) or not quest.profile.target
        if challenge.measure is Measure.SCORE:
            assert quest.bound(start) >= quest.done(start)
            continue
        assert quest.bound(start) >= int(not quest.reached(start))
        for end in islice(quest.turn_ends(start), MOST):
            assert quest.allows(start, end)
        clock = quest.clock()
        assert (clock is not None) == (challenge.measure is Measure.ROUNDS)
        if clock is not None:
            held_by(clock)


def held_by(clock: Clock) -> None:
    """Hold that rounds and own turns count the same thing."""
    for rounds in range(1, 4):
        turns = clock.turns_in(rounds)
        assert clock.rounds(turns) == rounds
        assert clock.rounds(turns + 1) == rounds + 1


@every_setup
def test_a_turn_that_is_forced_says_so(setup: Setup) -> None:
    """Steps with one option are marked, so that nobody is told to decide what is decided already."""
    game = setup.position(3).game
    for table, end in played(setup, game):
        state = State(table)
        for taken in end.steps:
            if isinstance(taken, Forced):
                continue
            options = game.legal_moves(state) or game.chance_outcomes(state)
            assert cast(Any, taken) in options
            state = game.apply(state, taken).state
        assert (state.table, state.pending) == (end.table, ())


def test_techniques_name_what_the_game_tells() -> None:
    """A technique that no event can show would never be met."""
    brought = [
        (name, each) for name in game_names() for each in data_file(find_game(name).folder, "techniques").values()
    ]
    assert brought
    for name, each in brought:
        told = import_module(f"rules.{name}.words").SENTENCES
        assert each["meaning"]
        assert each["events"]
        assert set(each["events"]) <= set(told)


def test_techniques_are_met_in_play() -> None:
    for name in game_names():
        edition = next(setup for setup in EDITIONS_ONLY if setup.ruleset.startswith(f"{name}/") and setup.is_open)
        position = edition.position(3)
        game, start = position.start()
        turns = [[step for step in end.steps if not isinstance(step, Forced)] for _, end in played(edition, game)]
        found = met(position.definition, game, start, turns)
        assert set(found) <= set(data_file(position.definition.folder, "techniques"))
        assert found or not data_file(position.definition.folder, "techniques")


@pytest.mark.parametrize("name", EDITIONS)
def test_compositions_are_questions(name: str) -> None:
    """What a game makes up is a position of its own, the same for the same numbers, and can be asked what it says."""
    ruleset = load_ruleset(name)
    definition = ruleset.definition
    for number in range(6):
        made, again = (definition.compose(ruleset, SplitMix64(mix(number))) for _ in range(2))
        if made is None:
            return
        assert made == again
        data = {"game": ruleset.game, "ruleset": name.partition("/")[2], **made.position}
        position = read_position(Source(data, "", ""))
        assert position.information == "open"
        assert made.goals
        for goal in made.goals:
            question_of(goal, position)
