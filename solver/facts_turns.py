"""Turns told as a graph of whole tables: the form for every game and every feature, as far as it fits into memory."""

from __future__ import annotations

from typing import Generic, TypeVar

from puzzles.goal import Goal
from rules.core.race import Race
from rules.core.steps import OVER
from rules.core.turns import State, TurnEnd
from solver.facts import (
    NO_CARD,
    Arc,
    Final,
    HorizonFacts,
    Layers,
    Meter,
    Taken,
    Unusable,
    ends,
    fewest_moves,
    single_seat,
)

T = TypeVar("T")


class TurnGraph(Layers[T], Generic[T]):
    """Layers of tables; an arc takes nothing from any hand."""

    formulation = "turn graph"

    def __init__(self, game: Race[T], table: T, goal: Goal, meter: Meter) -> None:
        super().__init__(game, table, goal, meter)
        self._tables: list[T] = [table]
        self._layer: dict[T, int] = {table: 0}

    def extend(self) -> bool:
        """Add one turn to every line and return whether there is any node after it."""
        arcs: dict[Arc, None] = {}
        after: dict[T, int] = {}
        for table, source in self._layer.items():
            for end in self._ends(table):
                number = after.get(end)
                if number is None:
                    number = after[end] = len(self._tables)
                    self._tables.append(end)
                    self.meter.count()
                arcs[Arc(source, number, NO_CARD, 0, (), False)] = None
        self.turns.append(list(arcs))
        self._layer = after
        return bool(after)

    def horizon(self) -> HorizonFacts:
        """Return the facts of a horizon one turn longer than the turns extended so far."""
        finals = []
        for table, source in self._layer.items():
            progress = [self.game.progress(end, self.goal.seat) for end in self._ends(table)]
            if progress:
                finals.append(Final(source, NO_CARD, 0, max(progress)))
                self.meter.count()
        return HorizonFacts(0, (), (), 0, tuple(self.turns), (), finals)

    def _ends(self, table: T) -> list[T]:
        """Return the tables one turn later; a game that is over stays as it is."""
        if self.game.is_over(table):
            return [table]
        found = [end.table for end in ends(self.game, table, self.meter, forbidden=self.goal.forbidden)]
        for after in found:
            single_seat(self.game, table, after, self.goal.seat)
            if not self.turns and self.game.to_act(State(after)) not in (self.goal.seat, OVER):
                raise Unusable("several players")
        return found

    def replay(self, table: T, taken: Taken, least: int | None) -> TurnEnd[T] | None:
        """Return a turn of the game from ``table`` that is the one taken, the one with the fewest moves."""
        (arc,) = taken.arcs

        def fits(after: T) -> bool:
            if isinstance(arc, Final):
                return self.game.progress(after, self.goal.seat) >= (least or 0)
            return after == self._tables[arc.target]

        found = ends(self.game, table, self.meter, forbidden=self.goal.forbidden)
        return fewest_moves([end for end in found if fits(end.table)])
