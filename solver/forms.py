"""The first turn of a question with hidden chance, over the fastest form of the game that carries it."""

from __future__ import annotations

from typing import Any, Final

from puzzles.goal import Goal
from rules.core.challenge import peeks, secrets_of
from rules.core.race import Race
from rules.core.turns import State
from solver.encodings.turns import encoding_module, hidden_values
from solver.search.budget import Budget
from solver.search.expectimax import Expectimax
from solver.search.first_turn import EncodedStart, EncodedTables, FirstTurn, PlainStart, Rows
from solver.search.information_sets import InformationSets, InformationStart
from solver.search.problem import forbidden_step

HORIZON: Final = 60
"""Turns looked ahead at most where a question with hidden chance sets no limit."""
ENTRY_BYTES: Final = 128
"""Memory for each value that an encoding may keep, beside what it is found by."""


def first_turn(
    game: Race[Any],
    start: State[Any],
    goal: Goal,
    budget: Budget,
    *,
    most: int | None = None,
    optimistic: bool = False,
    only: int | None = None,
    encoded: bool = True,
) -> FirstTurn:
    """Return the first turn of a question with hidden chance, over the fastest form that carries it.

    ``most`` ways through turns are looked at. ``only`` that seat may have to decide anything, where it is given.
    ``optimistic``: what has not arrived when no turns are left is taken to arrive at once. Without ``encoded`` the
    rules themselves play all turns.
    """
    if peeks(game):
        return InformationStart(InformationSets(game, goal, budget, optimistic, most, secrets=secrets_of(game)), start)
    found = None
    if encoded and only is None:
        found = encoded_turn(game, start, goal, budget, most=most, optimistic=optimistic)
    return found or PlainStart(Expectimax(game, goal, budget, optimistic, most, only), start)


def encoded_turn(
    game: Race[Any],
    start: State[Any],
    goal: Goal,
    budget: Budget,
    *,
    most: int | None = None,
    optimistic: bool = False,
    certain: bool = False,
) -> EncodedStart | None:
    """Return the same over the encoding of the game, or nothing; ``certain``: a chance below 1 counts as none."""
    rows = Rows(budget, most)
    turns = HORIZON if goal.within_turns is None else goal.within_turns
    asked = (game, start.table, goal, max(turns, 1), budget.max_states * ENTRY_BYTES, rows.pause)
    values = None if peeks(game) else hidden_values(*asked, optimistic=optimistic, certain=certain)
    if values is None:
        return None
    rows.values = values
    tables = EncodedTables(game, goal, budget, optimistic, most, values=values)
    moves = [move for move in game.legal_moves(start) if not forbidden_step(move, goal.forbidden)]
    return EncodedStart(tables, rows, start, moves)


def venture_odds(game: Race[Any], table: Any, seat: int, begin: str | None, *, at_once: bool = False) -> Any:
    """Return the chances of a card of a seat over the encoding of the game, or nothing where none carries it.

    ``begin`` is a hand card begun now, or none for the one under way; ``at_once`` lets nothing come before it.
    """
    inner, _, module = encoding_module(game, "hidden.ventures")
    return None if module is None else module.venture_odds(inner, table, seat, begin, at_once=at_once)
