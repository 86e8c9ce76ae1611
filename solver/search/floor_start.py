"""Chances from below: the first turn of a smaller game, each of whose ways to play is one of the real game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

from puzzles.goal import Goal
from rules.core.race import Race
from rules.core.steps import Step
from rules.core.ventures import OutOfReach
from solver.search.belief_start import BeliefStart
from solver.search.beliefs import BeliefSearch
from solver.search.layers import LimitHit, Watch


class FloorStart(BeliefStart):
    """The first turn by ``Race.belief_floor``; what a move is worth there, it is worth at least."""

    value_found: Fraction = Fraction(0)
    """The greatest chance found."""
    ahead: int = 0
    """Turns looked ahead for it."""

    @property
    def is_sure(self) -> bool:
        """Whether success is certain, so that no other way to play is better."""
        return self.value_found == 1

    def look(self, horizons: Iterable[int]) -> None:
        """Look ahead as far as the limit allows; no further once success is certain."""
        # Every chance found is that of a way to play, so those found before a limit, or before what the form does not
        # carry, stand as bounds from below.
        with suppress(LimitHit, OutOfReach):
            for ahead in horizons:
                value = self.value(ahead) or Fraction(0)
                if value > self.value_found:
                    self.value_found, self.ahead = value, ahead
                if value == 1:
                    return

    def moves(self, turns: int) -> list[tuple[Step, Fraction | None]]:
        """Return the moves that are certain; of others it is not known what they are worth."""
        return [(move, value) for move, value in super().moves(turns) if value == 1]


def floor_start(
    game: Race[Any], table: Any, moves: Sequence[Step], goal: Goal, watch: Watch, most: int | None
) -> FloorStart | None:
    """Return the first turn of the smaller game, or nothing where there is none; ``most`` beliefs are looked at."""
    form = game.belief_floor(table, goal.seat, goal.forbidden, goal.target, goal.within_turns or 0)
    if form is None:
        return None
    open_moves = [move for move in moves if form.opens(move)]
    return FloorStart(BeliefSearch(form, goal, watch, most=most), form, table, open_moves, goal)
