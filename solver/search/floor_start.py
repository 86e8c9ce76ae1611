"""Chances from below: the first turn of a smaller game, or of fewer turns, that is found sooner than the whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from puzzles.goal import Goal
from rules.core.race import Race
from rules.core.steps import Step
from rules.core.ventures import OutOfReach
from solver.search.belief_start import BeliefStart
from solver.search.beliefs import BeliefSearch
from solver.search.ceilings import belief_form
from solver.search.layers import LimitHit, Watch

FEW: Final = 6
"""Turns up to which it is tried whether packed beliefs carry them."""


class BelowStart(BeliefStart):
    """A first turn of which a chance found is one that a way to play has at least, and may be all that there is."""

    value_found: Fraction = Fraction(0)
    """The greatest chance found."""
    ahead: int = 0
    """Turns looked ahead for it."""
    most: Fraction = Fraction(1)
    """What no way to play exceeds."""

    @property
    def is_sure(self) -> bool:
        """Whether no way to play is better."""
        return self.value_found == self.most

    def look(self, horizons: Iterable[int]) -> None:
        """Look ahead as far as the limit allows; no further once nothing is better."""
        # Every chance found is that of a way to play, so those found before a limit, or before what the form does not
        # carry, stand as bounds from below.
        with suppress(LimitHit, OutOfReach):
            for ahead in horizons:
                value = self.value(ahead) or Fraction(0)
                if value > self.value_found:
                    self.value_found, self.ahead = value, ahead
                if self.is_sure:
                    return


class FewStart(BelowStart):
    """The first turn of the whole game, in as many turns as packed beliefs carry."""

    def __init__(
        self, search: BeliefSearch, form: Any, table: Any, moves: Sequence[Step], goal: Goal, turns: int
    ) -> None:
        """``turns`` are those that ``form`` is for."""
        super().__init__(search, form, table, moves, goal)
        self.turns = turns


class FloorStart(BelowStart):
    """The first turn by ``Race.belief_floor``; what a move is worth there, it is worth at least."""

    def moves(self, turns: int) -> list[tuple[Step, Fraction | None]]:
        """Return the moves that nothing is better than; of others it is not known what they are worth."""
        return [(move, value) for move, value in super().moves(turns) if value == self.most]


def floor_start(
    game: Race[Any], table: Any, moves: Sequence[Step], goal: Goal, watch: Watch, most: int | None
) -> FloorStart | None:
    """Return the first turn of the smaller game, or nothing where there is none; ``most`` beliefs are looked at."""
    form = game.belief_floor(table, goal.seat, goal.forbidden, goal.target, goal.within_turns or 0)
    if form is None:
        return None
    open_moves = [move for move in moves if form.opens(move)]
    return FloorStart(BeliefSearch(form, goal, watch, most=most), form, table, open_moves, goal)


def few_start(
    game: Race[Any], table: Any, moves: Sequence[Step], goal: Goal, watch: Watch, most: int | None
) -> FewStart | None:
    """Return the first turn of the whole game in as many turns as packed beliefs carry, or nothing."""
    found: tuple[Any, int] | None = None
    for turns in range(1, min(FEW, goal.within_turns or 0) + 1):
        form = belief_form(game, table, replace(goal, within_turns=turns))
        if form is None:
            break
        found = form, turns
    if found is None:
        return None
    form, turns = found
    search = BeliefSearch(form, replace(goal, within_turns=turns), watch, most=most)
    return FewStart(search, form, table, moves, goal, turns)
