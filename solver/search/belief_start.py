"""The first turn of a question over packed beliefs: every open move with its value, and what to do on what comes up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.steps import Step
from rules.core.ventures import OutOfReach
from solver.search.beliefs import BeliefSearch
from solver.search.first_turn import Branch, FirstTurn
from solver.search.layers import Counters, LimitHit

LITTLE: Final = 3_000
"""Beliefs that may be looked at for a move that is no better than another, however quick all else was."""
LITTLE_S: Final = 0.05
"""Seconds for a move that has a value found before the limit."""


class BeliefStart(FirstTurn):
    """One table, its open moves, and a search over what they lead to."""

    engine = "beliefs"

    def __init__(self, search: BeliefSearch, form: Any, table: Any, moves: Sequence[Step], goal: Goal) -> None:
        """``form`` is the game's ``Beliefs``, which also opens moves at the start of a turn."""
        self.search = search
        self._form = form
        self._packed = search.packed
        self._table = table
        self._moves = moves
        self._least = goal.objective is Objective.MIN_TURNS

    @property
    def counters(self) -> Counters:
        """Return what the search has done so far."""
        return self.search.counters

    def value(self, turns: int) -> Fraction | None:
        """Return the value of the position.

        Raises:
            OutOfReach: the game's form does not carry a turn.
        """
        return self.search.value(self._form.project(self._table, turns), turns)

    def go_on(self) -> None:
        """Allow what it takes to tell a move that has the value found last: its worth is known already."""
        self.search.go_on(LITTLE, LITTLE_S)

    def moves(self, turns: int) -> list[tuple[Step, Fraction | None]]:
        """Return every open move with its value.

        A free action that is proved to be no better than none is left out where it takes more work than all else.
        """
        start = self._form.project(self._table, turns)
        if self.search.settled(start, turns):
            return []
        found: dict[Step, Fraction | None] = {}
        missing: list[Step] = []
        for move in self._moves:
            if not self._form.leaves_out(move):
                try:
                    found[move] = self._of(move, turns)
                except OutOfReach:
                    missing.append(move)
        if missing:
            found[missing[0]] = self._of_the_best(missing, found.values(), turns)
        most = max(LITTLE, self.counters.generated)
        for move in self._moves:
            if move not in found:
                try:
                    found[move] = self._changed(self._form.opened(self._table, move, turns), turns, most)
                except LimitHit:
                    self.search.watch.check()
        return [(move, found[move]) for move in self._moves if move in found]

    def best(self, turns: int, liked: Iterable[Step]) -> Step | None:
        """Return a best move; those liked are tried first, one by one."""
        value = self.value(turns)
        if value is None or self.search.settled(self._form.project(self._table, turns), turns):
            return None
        for move in liked:
            if move in self._moves and not self._form.leaves_out(move):
                with suppress(OutOfReach):
                    if self._of(move, turns) == value:
                        return move
        return super().best(turns, ())

    def later(self, table: Any, moves: Sequence[Step]) -> BeliefStart:
        """Return the same search at a later table of the same day."""
        return BeliefStart(self.search, self._form, table, moves, self.search.goal)

    def _of_the_best(self, missing: Sequence[Step], others: Iterable[Fraction | None], turns: int) -> Fraction:
        """Return the value of a move that is not carried by itself: that of the position, where all others have less.

        What comes off the deck may be too much to be told apart card by card, and yet be carried by whole turns. Moves
        that are left out are no better than some that are not.

        Raises:
            OutOfReach: the value is not that of the one move for sure.
        """
        value = self.value(turns) if len(missing) == 1 else None
        if value is None or any(other is not None and self._best([other, value]) == other for other in others):
            raise OutOfReach
        return value

    def _changed(self, tables: Sequence[Any], turns: int, most: int | None) -> Fraction | None:
        """Return the value of the same turn after a free action that is no part of the question itself."""
        return self._best(self._anew(table, turns, most) for table in tables)

    def _best(self, values: Iterable[Fraction | None]) -> Fraction | None:
        """Return the best of some values, none where there is none."""
        return (min if self._least else max)((value for value in values if value is not None), default=None)

    def _anew(self, table: Any, turns: int, most: int | None) -> Fraction | None:
        known = self.search
        form = self._form.anew(table)
        search = BeliefSearch(form, known.goal, known.watch, known.optimistic, most, packed=self._packed)
        try:
            return search.value(form.project(table, turns), turns)
        finally:
            known.counters.expanded += search.counters.expanded
            known.counters.generated += search.counters.generated

    def _of(self, move: Step, turns: int) -> Fraction | None:
        opened = self._form.opened(self._table, move, turns)
        if not isinstance(opened, list):
            return self._best(self.search.value(self._form.project(table, turns), turns) for table in opened)
        start = self._form.project(self._table, turns)
        worth = sum(each.orders * self.search.best([ways for _, ways in each.answers], turns - 1) for each in opened)
        return self._counted(self.search.fraction(worth, start))

    def _counted(self, value: Fraction | None) -> Fraction | None:
        """Return a value with this turn counted."""
        return value + 1 if self._least and value is not None else value

    def plan(self, best: Step, turns: int) -> list[Branch]:
        """Return the best move with the best answer to each card that is turned over at once.

        What is drawn or paid afterwards is answered on the next turn.

        Raises:
            OutOfReach: the move is not carried, and another may be as good.
        """
        try:
            opened = self._form.opened(self._table, best, turns)
        except OutOfReach:
            return [Branch((), (best.text,), Fraction(1), dict(self.moves(turns))[best])]
        if not isinstance(opened, list):
            left_out = self._form.leaves_out(best)
            value = self._changed(opened, turns, self.search.most) if left_out else self._of(best, turns)
            return [Branch((), (best.text,), Fraction(1), value)]
        start = self._form.project(self._table, turns)
        total = sum(each.orders for each in opened)
        found = []
        for each in opened:
            worths = [(self.search.best([ways], turns - 1), text) for text, ways in each.answers]
            worth, text = min(worths, key=lambda pair: (pair[0] if self._least else -pair[0], pair[1]))
            value = self._counted(self.search.fraction(worth * total, start))
            seen = (each.seen,) if each.seen and len(opened) > 1 else ()
            then = (best.text, text) if text else (best.text,)
            found.append(Branch(seen, then, Fraction(each.orders, total), value))
        return found
