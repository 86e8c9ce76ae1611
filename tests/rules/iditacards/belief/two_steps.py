"""Small tables of the edition whose cards take two steps and gain others, everything hidden; what they are worth."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final
from unittest.mock import patch

from puzzles.goal import Goal
from rules.core.position import new_position
from rules.core.ventures import OutOfReach
from rules.iditacards.belief import facts as belief_facts
from rules.iditacards.engine import Iditacards
from rules.iditacards.state import Frame, Table
from solver.report import Limit
from solver.search.beliefs import BeliefSearch
from solver.search.expectimax import Expectimax
from solver.search.layers import Watch

DAY: Final = frozenset({"new_day"})
CHECKPOINTS: Final = (6, 36, 81, 116, 136)


def the_game() -> Iditacards:
    game = new_position("iditacards/2019-08", seed=1, open_sources=[]).game
    assert isinstance(game, Iditacards)
    return game


def waiting(card: str, step: str = "risk", need: int = 1) -> Frame:
    return Frame(card=card, need=need if step == "risk" else 0, paid=0, step=step, n=0, day=0)


def table_of(
    hand: Sequence[str],
    deck: Sequence[str],
    upgrade: Sequence[Sequence[str]] = ((), ()),
    supply: Sequence[str] = (),
    **others: Any,
) -> Table:
    """Return a table of one player; ``others`` are fields of the player."""
    table: Table = new_position("iditacards/2019-08", seed=1, open_sources=[]).table()
    cards: dict[str, Any] = {"hand": tuple(sorted(hand)), "deck": tuple(sorted(deck)), "legendary": ()}
    player = table.players[0]._replace(**{**cards, **others})
    piles = tuple(tuple(sorted(pile)) for pile in upgrade)
    return table._replace(players=(player,), upgrade=piles, supply=tuple(sorted(supply)))


def value(table: Table, goal: Goal, *, packed: bool, at_once: bool = False) -> Fraction | None:
    """Return the value over beliefs; ``at_once`` it is told by stance what counts however few nodes there are.

    Raises:
        OutOfReach: it is not carried.
    """
    turns = goal.within_turns or 0
    form = the_game().belief_turns(table, 0, DAY, goal.target or None, turns)
    if form is None:
        raise OutOfReach
    search = BeliefSearch(form, goal, Watch(Limit()), packed=packed)
    with patch.multiple(belief_facts, FAR=0 if at_once else belief_facts.FAR, MANY=0 if at_once else belief_facts.MANY):
        return search.value(form.project(table, turns), turns)


def by_rules(table: Table, goal: Goal) -> Fraction | None:
    return Expectimax(the_game(), goal, Watch(Limit())).value(table, goal.within_turns or 0)
