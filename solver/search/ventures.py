"""The chance of a venture by exhausting every way it can go: exact for every game and position, and slow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from rules.core.folding import fold
from rules.core.steps import Forced, Step
from rules.core.ventures import Fate, OutOfReach, Ventures

T = TypeVar("T")

WORTH = {Fate.THROUGH: Fraction(1), Fate.LOST: Fraction(0)}


class PlainOdds:
    """The chances of ventures over whole tables; equal tables are looked at once."""

    def __init__(self, ventures: Ventures[Any], alive: Callable[[], bool]) -> None:
        self._ventures = ventures
        self._alive = alive
        self._known: dict[Any, Fraction] = {}

    def chance(self, table: Any, begin: str | None, pending: Sequence[Step | Forced] = ()) -> Fraction:
        """Return the greatest chance that a venture comes through, from the start of a turn or after some steps of it.

        Raises:
            OutOfReach: ``alive`` has said no.
        """
        plain = begin is None and not pending
        if plain and table in self._known:
            return self._known[table]
        ends = []
        for end in self._ventures.ends(table, begin, pending):
            if not self._alive():
                raise OutOfReach
            ends.append(end)
        value = fold(
            (end.steps, end.orders, self.chance(end.table, None) if end.fate is Fate.WAITING else WORTH[end.fate])
            for end in ends
        )
        assert value is not None  # every end has a fate
        if plain:
            self._known[table] = value
        return value
