"""Whole rounds over packed numbers, in step with the rules; what can be reached in some rounds, in step with play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from rules.abyss.state import CITY, Plan, Seat, Table
from rules.abyss.turn import Choose, Hire
from rules.core.challenge import ChanceMode
from rules.core.position import Position
from rules.core.scripts import SplitMix64, Step
from rules.core.turns import State
from solver.encodings.abyss.rounds import Crew, Rounds, RoundSearch, round_search
from solver.encodings.abyss.sampling import lacks
from tests.rules.abyss.boards import board, engine, seat

CARDS = (
    *("accept_bribes", "assassination", "bribe", "digging", "explore_in_depth", "flashlight", "give_a_speech", "theft"),
    *("transaction", "treatment", "unreasonable_clause"),
)
EVENTS = (
    *("abandoned_camp", "be_theft", "earthquake", "excavation", "flooding", "forgotten_treasure", "riot", "safe"),
    *("short_of_resource", "traffic_jam"),
)
TEAM = ("homeless:1", "homeless:2", "ordinary_citizen:1", "ordinary_citizen:3", "trained_person:2", "guardian:8")
OPTIONS: Sequence[dict[str, Any]] = (
    {},
    {"explore_doubling": "compound"},
    {"treasure_needs": "own_carrier"},
    {"partner_cap": 3},
    {"partner_cap": 2, "cap_counts_temps": False},
)


def some(generator: SplitMix64, words: Sequence[str], most: int) -> list[str]:
    return [words[generator.below(len(words))] for _ in range(generator.below(most + 1))]


def household_at(seed: int) -> tuple[Position, SplitMix64]:
    """Return a random household at the start of a round, its next Event known."""
    generator = SplitMix64(seed)
    identities = ("adventurer", "leader", "employer", "employer")
    one = seat(
        ap=generator.below(14) - 2,
        rp=generator.below(21) - 2,
        hand=[*some(generator, CARDS, 3), "digging"],
        identity=identities[generator.below(len(identities))],
        partners=some(generator, TEAM, 3),
        explore_pending=generator.below(2) == 0,
        flashlight=generator.below(3) == 0,
    )
    options = OPTIONS[generator.below(len(OPTIONS))]
    plenty = {"extends": "abyss/2021", "cards": {card: {"count": 20} for card in (*CARDS, *EVENTS)}}
    events = [EVENTS[generator.below(len(EVENTS))]]
    return board(one, actions=["theft"] * 3, events=events, options=options, ruleset=plenty), generator


def played(position: Position, generator: SplitMix64) -> tuple[Table, list[Step]]:
    """Play one round at random, keeping the hand; return the table after it and the moves."""
    game, state = position.start()
    moves: list[Step] = []
    here: State[Table] = state
    while here.table.round == state.table.round and not game.is_over(here.table):
        steps = [step for step in game.legal_moves(here) if not step.text.startswith("give_up ") or "none" in step.text]
        step = steps[generator.below(len(steps))]
        moves.append(step)
        here = game.apply(here, step).state
    return here.table, moves


def plan_of(moves: Sequence[Step]) -> tuple[Hire, Plan]:
    """Return what was hired and planned; where nothing else was open nobody was asked."""
    hire = next((step for step in moves if isinstance(step, Hire)), Hire(()))
    return hire, next((step.plan for step in moves if isinstance(step, Choose)), Plan(None, CITY, None))


@pytest.mark.parametrize("seed", range(150))
def test_a_round_is_what_the_rules_make_of_it(seed: int) -> None:
    position, generator = household_at(seed)
    game, table = engine(position), position.table()
    before = table.seats[0]
    if game.goal_reached(table):
        return
    rounds = Rounds(game.rulings, before.identity)
    after, moves = played(position, generator)
    hire, plan = plan_of(moves)
    hired = sum(number * rounds.new[kind] for kind, number in hire.numbers)
    paid = sum(number * rounds.traits.prices[game.rulings.place[kind]] for kind, number in hire.numbers)
    paid += hire.temps * (rounds.traits.temp_price or 0)
    assert (hired, hire.temps, paid) in rounds.hires(before.ap, rounds.team(before.partners))
    crew = Crew(rounds.team(before.partners) + hired, bool(before.explore_pending), bool(before.flashlight))
    result = rounds.play(crew, hire.temps, plan, table.event_pile.front[0])
    ap = before.ap - paid * (1 + result.again)
    won = any(
        ap + more >= goal.ap and before.rp + fame >= goal.rp for goal in game.goals for more, fame in result.highs
    )
    assert won == (after.winner == 0)
    if not won:
        end = after.seats[0]
        assert (ap + result.ap, before.rp + result.rp) == (end.ap, end.rp)
        assert result.crew == Crew(rounds.team(end.partners), bool(end.explore_pending), bool(end.flashlight))


@pytest.mark.parametrize("seed", range(30))
def test_what_can_be_hired_is_what_the_rules_let_be_hired(seed: int) -> None:
    position, _ = household_at(seed)
    game, state = position.start()
    state = game.apply(state, game.parse_step(state, "give_up none")).state
    one: Seat = state.table.seats[0]
    rounds = Rounds(engine(position).rulings, one.identity)
    ways = {(hired, temps) for hired, temps, _ in rounds.hires(one.ap, rounds.team(one.partners))}
    steps = game.legal_moves(state)
    if len(ways) == 1:
        assert not any(step.text.startswith("hire") and step.text != "hire none" for step in steps)
        return
    hires = [step for step in steps if isinstance(step, Hire)]
    assert ways == {(sum(number * rounds.new[kind] for kind, number in step.numbers), step.temps) for step in hires}


@pytest.mark.parametrize("seed", range(40))
def test_no_round_of_play_beats_the_bound(seed: int) -> None:
    """What a random game did in some rounds the bound of the round form does not exclude."""
    position, generator = household_at(seed)
    game, table = engine(position), position.table()
    if game.goal_reached(table):
        return
    search = RoundSearch(game.rulings, table, 0, ChanceMode.KNOWN, game.goals)
    after, _ = played(position, generator)
    if after.winner == 0:
        assert search.reachable(search.start, 0, 1)


def test_rulings_that_a_round_does_not_follow_are_told() -> None:
    def lacking(*seats: Any, **options: Any) -> tuple[str, ...]:
        return lacks(engine(board(*seats, options=options)).rulings)

    assert lacking() == ()
    assert lacking(hire_when="end_of_round", penalty_base="paid") == ("hire_when = end_of_round", "penalty_base = paid")


def test_only_whole_rounds_of_the_right_luck_are_searched() -> None:
    position = board(seat(hand=["digging"]), actions=["theft"] * 3, events=["safe"])
    table = position.table()
    assert round_search(position.towards("AB-S1", 0, {}).game, table) is not None
    assert round_search(position.towards("AB-S4", 0, {}).game, table) is None
    assert round_search(position.towards("AB-S1", 0, {}).game, table._replace(phase="choose")) is None
