"""Questions of a player alone that count rounds, where the game may have a last one: those of complete play."""

from __future__ import annotations

import random
from typing import Any

import pytest

from puzzles.puzzle import question_of
from rules.core.position import Position
from rules.core.race import Race
from solver.engines.answers import solve
from solver.question import Status
from solver.search.budget import Budget
from tests.rules.abyss.boards import board, seat

CARDS = ("accept_bribes", "bribe", "digging", "explore_in_depth", "give_a_speech", "theft", "treatment")
EVENTS = ("abandoned_camp", "earthquake", "excavation", "forgotten_treasure", "riot", "safe", "traffic_jam")


def made(number: int) -> Position:
    """Return a small table near a goal, near the last round or without one."""
    dice = random.Random(number)
    last = dice.choice((1, 2, 2, None))
    crew = sorted((f"homeless:{dice.randint(1, 2)}" for _ in range(dice.randint(0, 2))), reverse=True)
    household = seat(
        identity=dice.choice(("adventurer", "employer", "leader")),
        ap=dice.choice((0, 2, 30, 36)),
        rp=dice.randint(14, 18),
        hand=sorted(dice.choice(CARDS) for _ in range(dice.randint(1, 2))),
        partners=crew,
    )
    options = {"partner_cap": len(crew)} | ({} if last is None else {"round_limit": last})
    actions = [dice.choice(CARDS) for _ in range(dice.randint(2, 4))]
    events = [dice.choice(EVENTS) for _ in range(dice.randint(2, 3))]
    return board(household, actions=actions, events=events, round=dice.choice((1, last or 1)), options=options)


def fewest(game: Race[Any], table: Any, most: int) -> int | None:
    """Return the fewest stages to a goal, by every way through every stage; nothing where there are more than so many.

    Where everything is open no chance is left.
    """
    layer = {table}
    for gone in range(most + 1):
        if any(game.progress(each) >= game.profile.target for each in layer):
            return gone
        layer = {end.table for each in layer if not game.is_over(each) for end in game.turn_ends(each)}
    return None


@pytest.mark.parametrize("number", range(24))
def test_fewest_rounds_are_those_of_complete_play(number: int) -> None:
    position = made(number)
    game = position.game
    assert isinstance(game, Race)
    most = game.most_turns(position.table())
    stages = fewest(game, position.table(), 12 if most is None else most)
    within = {} if most is not None else {"within_rounds": 2}
    aimed, goal = question_of({"objective": "AB-S1", **within}, position)
    report = solve(aimed, goal, Budget(states=50_000))
    if stages is None:
        assert (report.status, report.value) == (Status.INFEASIBLE, None)
    else:
        assert report.status is Status.OPTIMAL
        assert goal.in_rounds(report.value) == goal.counted(stages)
        assert report.value is not None
        assert report.value >= stages


def test_a_line_may_end_in_an_earlier_step_of_the_same_round_than_another() -> None:
    household = seat(
        identity="leader",
        ap=0,
        rp=18,
        hand=["explore_in_depth", "give_a_speech"],
        partners=["homeless:2", "homeless:2"],
    )
    actions = ["digging", "accept_bribes", "bribe", "give_a_speech", "bribe"]
    position = board(household, actions=actions, events=["forgotten_treasure", "riot", "traffic_jam"])
    aimed, goal = question_of({"objective": "AB-S1"}, position)
    report = solve(aimed, goal, Budget())
    assert (report.status, goal.in_rounds(report.value)) == (Status.OPTIMAL, 1)
    assert len(report.line) == report.value == report.bound
