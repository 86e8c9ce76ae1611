"""The goal ``win`` of several players: to win the game, or to be as far ahead as possible when it stops."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.challenge import Clock
from rules.core.contest import Contest
from rules.core.position import Position
from rules.core.schema import Faults

_FOREIGN: Final = ("target", "without", "keep", "terms")
"""What a goal of one's own says, and winning does not."""


def win_goal(given: Mapping[str, Any], position: Position, faults: Faults) -> Goal:
    """Return the goal of a table that asks who wins, and note what does not fit the position.

    It is asked for the seat to move, and for the whole game unless a number of rounds is given; own turns stand for
    rounds where they end with one.
    """
    game, start = position.start()
    for name in _FOREIGN:
        if name in given:
            faults.add((name,), "'win' asks who wins, and of nothing else; leave this out")
    if not given.get("new_day", True):
        faults.add(("new_day",), "'win' forbids no moves; leave this out")
    actor = game.to_act(start)
    seat = given.get("seat", max(0, actor))
    if position.players < 2 or not isinstance(game, Contest):
        faults.add(("objective",), "'win' is asked where several play against each other; here one plays alone")
        return Goal(Objective.WIN, target=0, seat=seat)
    if seat != actor >= 0:
        faults.add(("seat",), f"'win' is asked for who moves, and here that is player {actor}")
    clock = round_clock(game, start.table, seat) if seat < position.players else None
    return Goal(Objective.WIN, target=0, within_turns=_within(given, clock, faults), seat=seat, clock=clock)


def round_clock(game: Contest[Any], table: Any, seat: int) -> Clock:
    """Return how a seat's own turns make up rounds from a table on."""
    return Clock("turn", game.stages, game.turns(table, seat) - game.stages * game.rounds(table))


def rounds_left(goal: Goal) -> int | None:
    """Return the rounds that a goal to win still asks about, the one under way included; nothing for the whole game."""
    if goal.within_turns is None or goal.clock is None:
        return None
    return (goal.within_turns + goal.clock.gone) // goal.clock.turns


def _within(given: Mapping[str, Any], clock: Clock | None, faults: Faults) -> int | None:
    """Return the own turns after which play stops, at the end of a round; nothing for the whole game."""
    if clock is None:
        return None
    if "within_rounds" in given:
        if "within_turns" in given:
            faults.add(("within_turns",), "'within_rounds' says the same; leave one of the two out")
        if not given["within_rounds"]:
            faults.add(("within_rounds",), "must be at least 1, the round under way")
        return clock.turns_in(given["within_rounds"])
    within: int | None = given.get("within_turns")
    if within is not None and (not within or clock.turns_in(clock.rounds(within)) != within):
        faults.add(("within_turns",), "does not end with a round; say 'within_rounds'")
    return within
