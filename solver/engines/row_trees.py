"""Playouts of one player's own goal over the encoding of the game: what ``ismcts`` does for tables, by rows."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf
from typing import Any, Final, TypeAlias

from puzzles.goal import Goal, Objective
from rules.core.chance import SplitMix64, mix
from rules.core.race import Race
from rules.core.steps import Forced, Step
from rules.core.turns import State, TurnEnd
from solver.encodings.turns import playout_values
from solver.search.first_turn import ROW_S
from solver.search.problem import forbidden_step
from solver.search.rollout import Draws, GoalAim, GreedyPolicy, Playing
from solver.search.row_playouts import RowPlayouts

MOST_TURNS: Final = 400
"""Turns that a playout lasts at most."""
ENTRIES: Final = 1 << 18
"""Places of the tree, a power of 2."""
FAR: Final = 6
"""Turns beyond which none are worked out exactly,"""
TRIES: Final = 8
"""if so many playouts of plain play do not arrive."""
LAST_ROWS: Final = 1 << 15
"""Rows of a last turn up to which it is valued exactly."""
RULES_S: Final = 0.002
"""About the seconds of the rest of a turn by the rules, with the tries of plain play."""
MEMORY: Final = 1 << 26
"""Bytes for values of last turns."""

Begun: TypeAlias = "array[int] | Sequence[Step | Forced]"
"""A row whose turn has begun with a move, or the steps of a turn that rows do not tell apart."""


class RowTrees:
    """The tree of one question, grown by ``grow`` and played by ``play``."""

    most_playouts = 10_000
    most_turns = 200_000

    def __init__(self, game: Race[Any], start: State[Any], aim: GoalAim, values: Any, seed: int) -> None:
        self._game, self._start, self.aim = game, start, aim
        self._values, self._turns = values, aim.span
        self._seed = mix(seed ^ 0x1515)
        self.bounds = aim.bounds
        self._rows = RowPlayouts(values.search, ENTRIES, LAST_ROWS)
        self._greedy = GreedyPolicy(game, self._looks)
        self._core = 0
        """Turns played by the rules."""

    @property
    def played(self) -> int:
        """Turns played in all."""
        return int(self._rows.turns) + self._core

    @property
    def spent_s(self) -> float:
        """About the seconds of all playouts, from what was played alone."""
        return ROW_S * int(self._values.search.count) + RULES_S * self._core

    @property
    def nodes(self) -> int:
        """Nodes of the tree."""
        return int(self._rows.filled)

    @property
    def width(self) -> float:
        """How far the values of all playouts so far lie apart."""
        low, high = self.bounds
        return float(self._rows.high - self._rows.low if high == inf else high - low)

    def begun(self, move: Step) -> Begun:
        """Return what a playout of a move begins with."""
        if not self._start.pending:
            with suppress(LookupError):
                row: array[int] = self._values.row_after(self._start.table, move, self._turns)
                return row
        return self._game.begun(self._start, move)

    def looks(self, table: Any, move: Step) -> float:
        """Return how good a move at the start of a turn looks to plain play; least where rows do not tell it apart."""
        try:
            self._values.row_after(table, move, self._turns)
        except LookupError:
            return -inf
        return float(self._values.search.guess(0))

    def liked(self, table: Any, script: Playing, seat: int, answers: Sequence[Step], generator: SplitMix64) -> Step:
        """Return what plain play answers (a ``Policy``): the move that looks best, within a turn after some tries."""
        allowed = [each for each in answers if not forbidden_step(each, self.aim.forbidden)] or list(answers)
        if script.steps:
            return self._greedy(table, script, seat, allowed, generator)
        return max(allowed, key=lambda move: self.looks(table, move))

    def here(self) -> Begun:
        """Return what a playout of the position itself begins with."""
        start = self._start
        return start.pending or self._values.row_of(start.table, self._turns)

    def grow(self, begun: Begun, number: int) -> float:
        """Play once more, and learn from it; return what it was worth. Equal numbers bring equal draws."""
        return self._run(begun, mix(self._seed ^ number), learns=True)

    def play(self, begun: Begun, number: int) -> float:
        """Play once with the best known moves and draws that no ``grow`` has met; return what it was worth."""
        return self._run(begun, mix(mix(self._seed) ^ number), learns=False)

    def progress(self) -> int:
        """Return how far the last playout got."""
        return int(self._values.search.space)

    def _looks(self, table: Any) -> float:
        """Return how good a table at the end of the turn under way looks to plain play."""
        self._values.row_of(table, self._turns - 1)
        return float(self._values.search.guess(0))

    def _run(self, begun: Begun, seed: int, *, learns: bool) -> float:
        if not isinstance(begun, array):
            return self._by_rules(begun, seed, learns=learns)
        value = float(self._rows.play(begun, seed, learns))
        return -value if self.aim.least else value

    def _by_rules(self, begun: Sequence[Step | Forced], seed: int, *, learns: bool) -> float:
        """Play the turn under way by the rules, and the others by rows."""
        game, aim, table = self._game, self.aim, self._start.table
        self._core += 1
        generator = SplitMix64(mix(seed ^ 3))

        def answer(made: Playing, seat: int, answers: Sequence[Step]) -> Step:
            return self.liked(table, made, seat, answers, generator)

        script = Playing(begun, Draws(seed), answer)
        after = game.play_turn(table, script)
        allowed = game.allows(table, TurnEnd(tuple(script.steps), after))
        value = aim.arrived(after, 1) if allowed else aim.lost
        if value is None and (self._turns == 1 or game.is_over(after)):
            value = aim.ended(after)
        if value is not None:
            return float(value)
        return self._run(self._values.row_of(after, self._turns - 1), seed, learns=learns)


def is_far(game: Race[Any], start: State[Any], goal: Goal) -> bool:
    """Return whether the number of turns to a goal is asked for, and plain play takes many of them."""
    trees = row_trees(game, start, goal, 0) if goal.objective is Objective.MIN_TURNS else None
    return trees is not None and min(trees.play(trees.here(), draw) for draw in range(TRIES)) > FAR


def row_trees(game: Race[Any], start: State[Any], goal: Goal, seed: int) -> RowTrees | None:
    """Return the playouts of a question, or nothing where no encoding carries it."""
    turns = MOST_TURNS if goal.within_turns is None else min(goal.within_turns, MOST_TURNS)
    values = playout_values(game, start.table, goal, turns, MEMORY)
    if values is None:
        return None
    return RowTrees(game, start, GoalAim(game, replace(goal, within_turns=turns)), values, seed)
