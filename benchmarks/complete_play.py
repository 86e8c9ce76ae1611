"""Values by complete play: every way through every turn as the rules play it, and nothing else.

The control of all faster answers: no bound, no form of a game, nothing merged but equal tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Final

from puzzles.puzzle import Goal, Objective, allowed_steps, forbidden_step
from rules.core.race import Race
from rules.core.scripts import Barred, Forced, Step, every_way
from rules.core.turns import State, TurnEnd
from solver.search.expectimax import Allowed, Value, WeighedEnd, by_step, fold

LOST: Final = {Objective.REACH: Fraction(0), Objective.MIN_TURNS: None, Objective.MAX_DISTANCE: None}
"""What a turn is worth that must not be taken, and a game that ends without success."""


class TooLong(Exception):
    """Complete play would look at more ways through turns than it may."""


class CompletePlay:
    """The values of one goal in one game."""

    def __init__(self, game: Race[Any], goal: Goal, most: int) -> None:
        """``most`` ways through turns are looked at in all."""
        self._game = game
        self._goal = goal
        chance = getattr(game, "chance", None)
        # An open question for a distance is lost where no move is allowed; with a hidden deck the distance stands.
        self._stands = goal.objective is Objective.MAX_DISTANCE and chance is not None and not chance.is_open("deck")
        self._most = self._left = most
        self._known: dict[tuple[Any, int], Value] = {}

    def asking(self, goal: Goal) -> CompletePlay:
        """Return the like for another goal."""
        return CompletePlay(self._game, goal, self._most)

    def value(self, state: State[Any], turns: int) -> Value:
        """Return the best value from any state, a turn under way counted among so many turns left.

        Raises:
            TooLong: it would take too many ways through turns.
        """
        if not state.pending:
            return self._of_table(state.table, turns)
        return self._best(self._ends(state.table, turns, state.pending), len(state.pending))

    def moves(self, state: State[Any], turns: int) -> dict[str, Value]:
        """Return what every open move is worth, by its text; none where no further turn counts.

        Raises:
            TooLong: it would take too many ways through turns.
        """
        if not state.pending and self._settled(state.table, turns) is not None:
            return {}
        ends, depth = self._ends(state.table, turns, state.pending), len(state.pending)
        while depth < len(ends[0][0]) and isinstance(ends[0][0][depth], Forced):
            depth += 1
        if depth == len(ends[0][0]):  # the goal forbids all that is open
            return {}
        moves = {step.text: self._best(group, depth + 1) for step, group in by_step(ends, depth).items()}
        allowed = allowed_steps(self._game.legal_moves(state), self._goal.forbidden)
        return {move.text: moves[move.text] for move in allowed}

    def _best(self, ends: Sequence[WeighedEnd], depth: int) -> Value:
        return fold(ends, min if self._goal.objective is Objective.MIN_TURNS else max, depth)

    def _of_table(self, table: Any, turns: int) -> Value:
        settled = self._settled(table, turns)
        if settled is not None:
            return settled[0]
        key = table, turns
        if key not in self._known:
            self._known[key] = self._best(self._ends(table, turns, ()), 0)
        return self._known[key]

    def _ends(self, table: Any, turns: int, pending: Sequence[Step | Forced]) -> list[WeighedEnd]:
        """Return every way through the turn with its value."""
        found: list[WeighedEnd] = []
        lost = any(forbidden_step(step, self._goal.forbidden) for step in pending)
        allowing = partial(Allowed, forbidden=self._goal.forbidden, begun=len(pending))
        for script in every_way(allowing, tuple(pending)):
            self._left -= 1
            if self._left < 0:
                raise TooLong
            value = LOST[self._goal.objective]
            try:
                after = self._game.play_turn(table, script)
            except Barred:
                if self._stands and not lost:
                    value = Fraction(self._game.progress(table, self._goal.seat))  # it stands where no move is allowed
            else:
                if not lost and self._game.allows(table, TurnEnd(tuple(script.steps), after, script.orders)):
                    value = self._of_table(after, turns - 1)
                if self._goal.objective is Objective.MIN_TURNS and value is not None:
                    value += 1
            found.append((tuple(script.steps), script.orders, value))
        return found

    def _settled(self, table: Any, turns: int) -> tuple[Value] | None:
        """Return the value of a table from which no further turn counts, or nothing."""
        goal, progress = self._goal, self._game.progress(table, self._goal.seat)
        ended = turns <= 0 or self._game.is_over(table)
        if goal.objective is Objective.MAX_DISTANCE:
            return (Fraction(progress),) if ended else None
        if progress >= goal.target:
            return (Fraction(1 if goal.objective is Objective.REACH else 0),)
        return (LOST[goal.objective],) if ended else None
