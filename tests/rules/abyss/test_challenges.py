"""The named challenges: what they ask, and that their bound never promises too little (13)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, takewhile
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.abyss.engine import Fortune
from rules.abyss.state import Table
from rules.core.challenge import Measure
from rules.core.position import Position
from rules.core.race import NEVER
from rules.core.scripts import SplitMix64
from rules.core.turns import State
from tests.rules.abyss.boards import FIRST_HAND, after, board, engine, seat
from tests.rules.abyss.dealt import positions
from tests.rules.games import steps_of

PUZZLE: dict[str, Any] = {
    "actions": ["digging", "accept_bribes", "transaction"],
    "events": ["flooding", "earthquake", "safe", "riot"],
}
HAND = ["bribe", "digging", "explore_in_depth", "flashlight", "treatment"]


def quest(position: Position, challenge: str = "AB-S1", index: int = 0) -> Fortune:
    made = position.towards(challenge, index, {}).game
    assert isinstance(made, Fortune)
    return made


@pytest.mark.parametrize(
    ("challenge", "ap", "rp", "reached"),
    [
        ("AB-S1", 40, 0, True),
        ("AB-S1", 0, 20, True),
        ("AB-S1", 39, 19, False),
        ("AB-S2", 40, 0, True),
        ("AB-S2", 0, 20, False),
        ("AB-S3", 40, 0, False),
        ("AB-S3", 0, 20, True),
        ("AB-S3", -1, 20, False),
        ("AB-A1", 40, 0, False),
    ],
)
def test_rule_13_1_what_a_challenge_asks(challenge: str, ap: int, rp: int, reached: bool) -> None:
    position = board(seat(ap=ap, rp=rp), phase="choose")
    asked = quest(position, challenge)
    assert asked.reached(position.table()) == reached
    assert (asked.bound(position.table()) == 0) == reached


@pytest.mark.parametrize(
    ("challenge", "ap", "rp", "unit", "progress", "target"),
    [
        ("AB-S1", 12, 9, "point", 18, 40),
        ("AB-S1", 45, -1, "point", 39, 40),
        ("AB-S2", 12, 9, "AP", 12, 40),
        ("AB-S2", 41, 0, "AP", 41, 40),
        ("AB-S3", 12, 9, "RP", 9, 20),
        ("AB-S3", -1, 25, "RP", 19, 20),
    ],
)
def test_rule_8_1_progress_is_counted_in_the_points_of_the_goal(
    challenge: str, ap: int, rp: int, unit: str, progress: int, target: int
) -> None:
    position = board(seat(ap=ap, rp=rp))
    asked = quest(position, challenge)
    assert (asked.profile.unit, asked.progress(position.table()), asked.profile.target) == (unit, progress, target)


def test_rule_17_six_stages_make_a_round() -> None:
    clock = quest(board(seat(), phase="choose")).clock()
    assert clock is not None
    assert (clock.turns, clock.gone, clock.rounds(5), clock.rounds(6)) == (6, 1, 1, 2)
    assert quest(board(seat(), seat()), "AB-A1").clock() is None


def test_rule_13_2_what_the_end_of_a_duel_is_worth() -> None:
    won = board(seat(ap=40), seat(), phase="over", winner=1)
    assert [quest(won, "AB-A1", index).done(won.table()) for index in (0, 1)] == [2, 0]
    going = board(seat(), seat())
    assert quest(going, "AB-A1").done(going.table()) == 1
    assert quest(won, "AB-S1", 1).bound(won.table()) == NEVER


def test_every_challenge_is_listed_with_its_measure() -> None:
    found = board().definition.challenges
    assert list(found) == ["AB-S1", "AB-S2", "AB-S3", "AB-S4", "AB-S5", "AB-A1", "AB-A2", "AB-A3"]
    assert all((challenge.players == 1) == (challenge.measure is Measure.ROUNDS) for challenge in found.values())


def test_the_bound_knows_events_and_cards_that_are_open() -> None:
    with_luck = board(seat(hand=HAND, identity="leader"), actions=["theft"], events=["forgotten_treasure"])
    assert quest(with_luck).bound(with_luck.table()) == 4
    without = board(seat(hand=HAND, identity="leader"), **PUZZLE)
    assert quest(without).bound(without.table()) == 6 + 4
    no_digging = board(seat(hand=["theft"]), actions=["theft", "bribe"] * 2, events=["safe", "riot", "safe"])
    assert quest(no_digging).bound(no_digging.table()) > 6
    capped = board(seat(hand=HAND, identity="leader"), options={"partner_cap": 3}, **PUZZLE)
    assert quest(capped).bound(capped.table()) > 6 + 4


def test_the_bound_knows_that_the_event_of_a_round_is_over_in_its_last_step() -> None:
    """The next Event is the first of the pile: with it one partner brings the two RP that are missing."""
    idle, events = ["theft"] * 3 + ["assassination"] * 3, ["forgotten_treasure", "safe", "safe", "safe"]
    one = seat(rp=18, hand=["digging"], partners=["homeless:2"], identity="leader")
    last = board(one, phase="refill", actions=idle, events=events)
    assert quest(last, "AB-S3").bound(last.table()) == 5


def test_the_bound_leaves_open_that_a_card_meets_the_goal_before_the_return() -> None:
    start = board(seat(hand=FIRST_HAND), events=["forgotten_treasure"])
    table = after(start, "give_up none", "hire 10 homeless", "plan digging abyss")
    assert engine(start).turns(table) == 5
    assert quest(start).bound(start.table()) == 4


HANDS = ["accept_bribes", "bribe", "digging", "explore_in_depth", "flashlight", "give_a_speech", "theft", "treatment"]


def played(position: Position, seed: int) -> list[Table]:
    """Return the tables between the stages of a game that goes for money and fame."""
    game = engine(position)
    generator = SplitMix64(seed)
    state: State[Table] = position.start()[1]
    tables = [state.table]
    while len(tables) < 60 and not game.is_over(state.table):
        steps = steps_of(game, state)
        tries = [steps[generator.below(len(steps))] for _ in range(3)]

        def promise(step: Any, here: State[Table] = state) -> tuple[int, int]:
            after_step = game.apply(here, step).state.table
            return game.progress(after_step), len(after_step.seats[0].partners)

        state = game.apply(state, max(tries, key=promise)).state
        if not state.pending:
            tables.append(state.table)
    return tables


@pytest.mark.parametrize("seed", range(24))
def test_the_bound_falls_by_at_most_one_a_stage(seed: int) -> None:
    """A certificate that leaves positions out by the bound needs that on every edge."""
    draw = SplitMix64(seed)
    team = (["homeless:2"], [], ["trained_person:5", "homeless:1"])[draw.below(3)]
    first = seat(
        ap=draw.below(8),
        rp=draw.below(16),
        hand=sorted(draw.shuffle(HANDS)[: 1 + draw.below(4)]),
        identity=("adventurer", "leader", "employer")[seed % 3],
        partners=team,
        explore_pending=bool(draw.below(2)),
    )
    events = draw.shuffle(["flooding", "safe", "riot", "forgotten_treasure", "excavation", "short_of_resource"])[:4]
    position = board(first, actions=draw.shuffle(HANDS)[:4], events=events, options={"partner_cap": draw.below(5)})
    asked = quest(position)
    tables = list(takewhile(lambda table: not asked.reached(table), played(position, seed)[:19]))
    for before, after_it in pairwise(tables):
        assert asked.bound(before) <= 1 + asked.bound(after_it)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(positions(), st.integers(0, 2**32), st.integers(0, 30), st.integers(0, 12))
def test_the_bound_never_exceeds_what_a_game_took(position: Position, seed: int, ap: int, rp: int) -> None:
    first = position.state["seats"][0]
    richer = {**first, "ap": first["ap"] + ap, "rp": rp}
    position = replace(position, state={**position.state, "seats": [richer, *position.state["seats"][1:]]})
    tables = played(position, seed)
    for challenge in ("AB-S1", "AB-S2", "AB-S3"):
        asked = quest(position, challenge)
        for place, table in enumerate(tables):
            if asked.reached(table):
                for earlier, before in enumerate(tables[:place]):
                    assert asked.bound(before) <= place - earlier
                break


def exact(asked: Fortune, most: int) -> int | None:
    """Return the fewest stages to the goal, by playing everything, or nothing where more than ``most`` are needed."""
    layer = {asked.start}
    for stage_number in range(most + 1):
        if any(asked.reached(table) for table in layer):
            return stage_number
        layer = {end.table for table in layer for end in asked.turn_ends(table)}
    return None


CARDS = ("accept_bribes", "bribe", "digging", "digging", "explore_in_depth", "give_a_speech", "treatment")
EVENTS = ("abandoned_camp", "earthquake", "excavation", "flooding", "forgotten_treasure", "riot", "safe")
TEAM = ("homeless:1", "homeless:2", "ordinary_citizen:1", "ordinary_citizen:3", "trained_person:3", "guardian:8")


def near_the_goal(seed: int) -> Position:
    """Return a small random table from which fame is one or two rounds away."""
    generator = SplitMix64(seed)

    def some(words: Sequence[str], number: int) -> list[str]:
        return [words[generator.below(len(words))] for _ in range(number)]

    start = seat(
        ap=generator.below(4) - 1,
        rp=12 + generator.below(7),
        hand=some(CARDS, 2),
        identity=some(("adventurer", "leader", "employer"), 1)[0],
        partners=some(TEAM, generator.below(3)),
        explore_pending=generator.below(3) == 0,
    )
    options = {"partner_cap": 3, "explore_sources": some(("abyss_cards", "any_in_abyss"), 1)[0]}
    plenty = {card: {"count": 20} for card in {*CARDS, *EVENTS}}
    ruleset = {"extends": "abyss/2021", "cards": plenty}
    return board(start, actions=some(CARDS, 4), events=some(EVENTS, 3), options=options, ruleset=ruleset)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(24))
def test_the_bound_never_exceeds_the_best_play_there_is(seed: int) -> None:
    asked = quest(near_the_goal(seed))
    stages = exact(asked, 11)
    assert stages is None or asked.bound(asked.start) <= stages


@pytest.mark.parametrize(
    ("identity", "cap"),
    [("adventurer", 10), ("adventurer", 6), ("leader", 6)],
    ids=["P2", "P4-adventurer", "P4-leader"],
)
def test_rule_13_3_puzzles_that_take_more_than_two_rounds(identity: str, cap: int) -> None:
    many = {"extends": "abyss/2021", "cards": {"theft": {"count": 20}, "safe": {"count": 20}}}
    start = board(
        seat(hand=HAND, identity=identity),
        actions=PUZZLE["actions"] + ["theft"] * 12,
        events=PUZZLE["events"] + ["safe"] * 12,
        options={"partner_cap": cap, "refill": "forced"},
        ruleset=many,
    )
    asked = quest(start)
    layer = {start.table()}
    for stage_number in range(1, 13):
        ends = {end.table for table in layer for end in asked.turn_ends(table)}
        assert not any(asked.reached(table) for table in ends)
        layer = {table for table in ends if stage_number + asked.bound(table) <= 12}
    assert not layer


def test_a_game_won_where_there_is_no_event_ends_with_the_card() -> None:
    start = board(seat(rp=17, ap=8, hand=["bribe", "theft"]), actions=["theft"], events=[])
    table = after(start, "give_up none", "hire none", "plan bribe city")
    assert table.winner == 0
    assert engine(start).turns(table) == 4


FREE = {"second_action": "free", "partner_cap": 0}
LONE: dict[str, Any] = {"ap": 5, "rp": 18, "identity": "employer", "partners": ["homeless:1"]}
BOTH = ["bribe", "flashlight"]
RICH: dict[str, Any] = {"ap": 28, "rp": 5, "partners": ["homeless:2"] * 6}


@pytest.mark.parametrize(
    ("one", "options", "events", "chosen", "stages"),
    [
        pytest.param({**LONE, "hand": BOTH}, FREE, ["safe"], "plan bribe city temp flashlight city", 4, id="first"),
        pytest.param({**LONE, "hand": BOTH}, FREE, ["safe"], "plan flashlight city temp bribe city", 4, id="second"),
        pytest.param({**RICH, "hand": ["digging"]}, {}, ["safe"], "plan digging abyss", 5, id="return"),
        pytest.param({**RICH, "hand": ["digging"]}, {}, [], "plan digging abyss", 5, id="return without an Event"),
        pytest.param({**LONE, "hand": ["bribe"]}, {}, [], "plan bribe abyss", 4, id="card without an Event"),
    ],
)
def test_rule_17_a_won_game_still_tells_how_many_stages_it_took(
    one: dict[str, Any], options: dict[str, Any], events: list[str], chosen: str, stages: int
) -> None:
    start = board(seat(**one), actions=["theft"], events=events, options={"partner_cap": 0, **options})
    table = after(start, "give_up none", chosen)
    assert table.winner == 0
    assert engine(start).turns(table) == stages


def test_rule_17_who_wins_on_the_return_does_so_after_everybody_has_had_the_step() -> None:
    rich, other = seat(**RICH, hand=["digging"]), seat(hand=["flashlight"])
    start = board(rich, other, actions=["theft"], events=["safe", "riot"], options={"partner_cap": 0})
    table = after(start, "give_up none", "give_up none", "plan digging abyss", "plan none")
    assert table.winner == 0
    assert [engine(start).turns(table, index) for index in (0, 1)] == [5, 5]
