"""A first guess at a move, for the moment until search has something better: one way to end the turn after each move.

Nothing is claimed for it; it is shown while search goes on and enters no answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import Any, Final

from rules.core.challenge import secrets_of
from rules.core.chance import SplitMix64
from rules.core.position import Position
from rules.core.race import Race
from rules.core.steps import Forced, Step
from rules.core.turns import State
from solver.search.problem import forbidden_step
from solver.search.rollout import Draws, Playing, agreeing

PATIENCE: Final = 0.2
"""Seconds after which the moves not yet looked at are passed over."""
DEALS: Final = 4
"""Deals of what a seat does not see of which one should agree with what is asked."""


def first_look(position: Position, forbidden: frozenset[str] = frozenset()) -> Step | None:
    """Return the open move after which the table promises most, or nothing where nobody chooses.

    What the seat to move does not see is dealt at random, chance falls as it may, and every later choice of the turn
    is the first one open. Where no deal agrees with what the seat is asked, it is the first move.
    """
    game, start = position.start()
    moves = [move for move in game.legal_moves(start) if not forbidden_step(move, forbidden)]
    if not isinstance(game, Race) or not moves:
        return None
    seat = game.to_act(start)
    dealt = _dealt(game, start, seat, moves)
    if dealt is None:
        return moves[0]
    table, steps = dealt
    began = monotonic()
    best, most = moves[0], -float("inf")
    for move in moves:
        promise = game.promise(game.play_turn(table, Playing((*steps, move), Draws(0), _first)), seat)
        if promise > most:
            best, most = move, promise
        if monotonic() - began > PATIENCE:
            break
    return best


def _dealt(
    game: Race[Any], start: State[Any], seat: int, moves: Sequence[Step]
) -> tuple[Any, Sequence[Step | Forced]] | None:
    """Return a table, with the steps of the turn up to the question, with what a seat does not see dealt at random.

    Nothing where no deal tried agrees with what is asked: the table as it lies may show what the seat cannot know.
    """
    secrets = secrets_of(game)
    if secrets is None:
        return start.table, game.begun(start, moves[0])[:-1]
    rng = SplitMix64(0)
    for _ in range(DEALS):
        dealt = secrets.sample_world(start.table, seat, rng, start.pending)
        told = secrets.determinize(dealt, seat, rng, start.pending)
        steps = agreeing(game, dealt, told, seat, moves, some=True)
        if steps is not None:
            return dealt, steps
    return None


def _first(_: Playing, __: int, answers: Sequence[Step]) -> Step:
    return answers[0]
