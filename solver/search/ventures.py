"""The chance of a venture by exhausting every way it can go: exact for every game and position, and slow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rules.core.race import Fate, Opening, OutOfReach, Ventures
from rules.core.steps import Forced, Step
from rules.core.turns import fold

WORTH = {Fate.THROUGH: Fraction(1), Fate.LOST: Fraction(0)}
WITHOUT_END = None
"""A number of turns that is not limited."""


class PlainOdds:
    """The chances of ventures over whole tables; equal tables are looked at once."""

    def __init__(self, ventures: Ventures[Any], alive: Callable[[], bool]) -> None:
        self._ventures = ventures
        self.alive = alive
        """Asked before every way through a turn whether there is time left."""
        self._known: dict[tuple[Any, int | None, Fraction], Fraction] = {}

    def chance(self, table: Any, begin: str | None, pending: Sequence[Step | Forced] = ()) -> Fraction:
        """Return the greatest chance that a venture comes through, from the start of a turn or after some steps of it.

        Raises:
            OutOfReach: ``alive`` has said no.
        """
        return self._value(table, begin, pending, WITHOUT_END, Fraction(0))

    def within(
        self, table: Any, begin: str | None, turns: int, pending: Sequence[Step | Forced] = ()
    ) -> tuple[Fraction, Fraction]:
        """Return bounds for it: what still waits after so many turns is lost, or comes through.

        Every way to play has at least the one and at most the other, so the greatest chances have.

        Raises:
            OutOfReach: ``alive`` has said no.
        """
        low, high = (self._value(table, begin, pending, turns, Fraction(worth)) for worth in (0, 1))
        return low, high

    def attaining(self, card: str, chance: Fraction) -> Opening[Any] | None:
        """Return the first opening of a hand card from which a chance can be had, with all moves that lead to it.

        Raises:
            OutOfReach: ``alive`` has said no.
        """
        ventures = self._ventures
        for opening in ventures.openings(card):
            moves = {
                paid: move
                for paid, move in opening.moves.items()
                if self.chance(ventures.table, card, (*opening.before, move)) == chance
            }
            if moves:
                return replace(opening, moves=moves)
        return None

    def _value(
        self, table: Any, begin: str | None, pending: Sequence[Step | Forced], turns: int | None, beyond: Fraction
    ) -> Fraction:
        if turns == 0:
            return beyond
        plain = begin is None and not pending
        key = (table, turns, beyond)
        if plain and key in self._known:
            return self._known[key]
        ends = []
        for end in self._ventures.ends(table, begin, pending):
            if not self.alive():
                raise OutOfReach
            ends.append(end)
        left = None if turns is None else turns - 1
        worths = [
            (
                end.steps,
                end.orders,
                self._value(end.table, None, (), left, beyond) if end.fate is Fate.WAITING else WORTH[end.fate],
            )
            for end in ends
        ]
        value = fold(worths, depth=len(pending))
        assert value is not None  # every end has a fate
        if plain:
            self._known[key] = value
        return value
