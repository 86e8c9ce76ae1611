"""Values by the rules for the first turn, and by packed beliefs for those after it, where these carry them.

A question may begin where packed beliefs do not: in the middle of a turn, or before the second step of a card that
takes from the supply. After that turn it often is one that they carry.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from puzzles.goal import Objective
from rules.core.folding import Value
from rules.core.ventures import OutOfReach
from solver.search.beliefs import BeliefSearch
from solver.search.expectimax import Expectimax

REFUSALS: Final = 8
"""Tables that beliefs do not carry, after which no more are tried."""
LEAST: Final = 2
"""Turns left from which on beliefs are sooner done than the rules."""
BELIEFS: Final = 10
"""Packed beliefs that take about as long as one way through a turn by the rules."""


@dataclass(slots=True)
class Onward(Expectimax):
    """Expectimax over the tables that packed beliefs do not carry; the counters are those of both."""

    _refused: int = 0
    """Tables that beliefs did not carry."""

    def of_turn(self, table: Any, turns: int) -> Value:
        """Return the value of a turn that settles nothing by itself, by packed beliefs where these carry it."""
        if turns >= LEAST and self._refused < REFUSALS and self.goal.objective is not Objective.MIN_TURNS:
            try:
                return self._of_beliefs(table, turns)
            except OutOfReach:
                self._refused += 1
        return Expectimax.of_turn(self, table, turns)

    def _of_beliefs(self, table: Any, turns: int) -> Value:
        """Return the value by packed beliefs.

        Raises:
            LimitHit: the time or the work allowed is used up.
            OutOfReach: they do not carry it.
        """
        goal = replace(self.goal, within_turns=turns)
        target = None if goal.objective is Objective.MAX_DISTANCE else goal.target
        form = self.game.belief_turns(table, goal.seat, goal.forbidden, target, turns)
        if form is None:
            raise OutOfReach
        counters = self.counters
        most = None if self.most is None else max(0, BELIEFS * (self.most - counters.generated))
        search = BeliefSearch(form, goal, self.watch, most=most)
        try:
            return search.value(form.project(table, turns), turns)
        finally:
            counters.expanded += search.counters.expanded
            counters.generated += search.counters.generated // BELIEFS
