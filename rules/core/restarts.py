"""Fresh starts of a race with hidden cards: moves that put a seat's cards together again and deal a new hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from rules.core.steps import Forced, Step


class Restart(NamedTuple):
    """A table after a turn that deals a new hand, told as it is before the first of its cards is known."""

    table: Any
    """The cards to be dealt and paid are still in the hidden deck; the hand has what is known to come besides."""
    drawn: int
    """Cards that then come to the hand off the deck,"""
    paid: int
    """and cards that leave it for good."""


class Restarts(NamedTuple):
    """All that a move may lead to which begins anew."""

    move: Step
    ends: tuple[tuple[Sequence[Step | Forced], int, Restart | None], ...]
    """Every way through the turn, the orders it stands for, and how it ends; no way sees the new hand.

    Nothing stands for an end that is not told.
    """


class RestartedBeliefs(NamedTuple):
    """What follows a restart over packed beliefs (``solver.search.beliefs``)."""

    beliefs: Any
    """The ``Beliefs``, which may be those of the smaller game of ``Race.belief_floor``,"""
    ways: list[Any]
    """the ways that the deal may come out,"""
    orders: int
    """and the orders of the hidden cards before it."""
