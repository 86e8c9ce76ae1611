"""The first turn of a question with hidden chance: every open move with its value, what to do on what comes up."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import takewhile
from typing import Any, Final

from puzzles.goal import Objective
from rules.core.steps import ChanceOutcome, Forced, Step
from rules.core.turns import State, Value, WeighedEnd, by_step
from solver.search.budget import Counters
from solver.search.expectimax import Expectimax

MANY: Final = 12
"""Results of chance that a plan tells apart although nothing is decided by them, at most."""


@dataclass(frozen=True, slots=True)
class Branch:
    """What to do when chance brings something."""

    seen: tuple[str, ...]
    """Results of chance this turn, in the order in which the plan tells them apart."""
    then: tuple[str, ...]
    """Moves of the same turn that answer them."""
    probability: Fraction
    value: Fraction | None


def whatever_comes(plan: Sequence[Branch]) -> tuple[str, ...]:
    """Return the first moves of a turn that are the same whatever chance shows."""
    steps = zip(*(branch.then for branch in plan), strict=False)
    return tuple(each[0] for each in takewhile(lambda each: len(set(each)) == 1, steps))


def followed(
    ends: list[WeighedEnd], worth: Callable[[list[WeighedEnd], int], Value], depth: int, *, least: bool = False
) -> list[Branch]:
    """Return what is done for each result of chance by whoever chooses best, after so many steps.

    ``worth`` tells what ends are worth after some steps; ``least``: the least is best. Where very much may come up,
    what comes after the last decision is not told apart.
    """
    branches: list[Branch] = []
    decided: list[int] = []
    """Of each branch how many results come before its last decision."""

    def follow(
        ends: list[WeighedEnd],
        depth: int,
        seen: tuple[str, ...],
        done: tuple[str, ...],
        probability: Fraction,
        before: int = 0,
    ) -> None:
        steps, orders, value = ends[0]
        if depth == len(steps):
            branches.append(Branch(seen, done, probability * orders, value))
            decided.append(before)
            return
        groups = by_step(ends, depth)
        if isinstance(next(iter(groups)), ChanceOutcome):
            for step, group in groups.items():
                assert isinstance(step, ChanceOutcome)
                shown = (*seen, step.result) if len(groups) > 1 else seen
                follow(group, depth + 1, shown, done, probability * step.probability, before)
            return
        valued = [(worth(group, depth + 1), step, group) for step, group in groups.items()]
        possible = [each for each in valued if each[0] is not None] or valued
        best = min(possible, key=lambda each: ((each[0] or 0) * (1 if least else -1), each[1].text))
        # Nobody is asked about a step that has no alternative, and nobody can say it.
        told = done if isinstance(best[2][0][0][depth], Forced) else (*done, best[1].text)
        follow(best[2], depth + 1, seen, told, probability, before if told is done else len(seen))

    follow(ends, depth, (), (), Fraction(1))
    if len({branch.seen for branch in branches}) <= MANY:
        return branches
    return _merged(replace(branch, seen=branch.seen[:n]) for branch, n in zip(branches, decided, strict=True))


def _merged(branches: Iterable[Branch]) -> list[Branch]:
    """Return branches of which those that tell the same are one, with the mean of what they are worth."""
    alike: dict[tuple[tuple[str, ...], tuple[str, ...]], list[Branch]] = {}
    for branch in branches:
        alike.setdefault((branch.seen, branch.then), []).append(branch)
    found = []
    for (seen, then), same in alike.items():
        probability = sum((each.probability for each in same), Fraction(0))
        worths = [each.probability * each.value for each in same if each.value is not None]
        value = sum(worths, Fraction(0)) / probability if len(worths) == len(same) else None
        found.append(Branch(seen, then, probability, value))
    return found


class FirstTurn(ABC):
    """One position with a search over what its open moves lead to."""

    engine: str

    @property
    @abstractmethod
    def counters(self) -> Counters:
        """Return what the search has done so far."""

    @abstractmethod
    def value(self, turns: int) -> Value:
        """Return the best expected value with so many turns to go, none where there is no way to play on.

        Raises:
            BudgetExceeded: the time or the work allowed is used up.
        """

    @abstractmethod
    def moves(self, turns: int) -> list[tuple[Step, Value]]:
        """Return every open move with its value for a number of turns that has been asked for; none if all is over."""

    def best(self, turns: int, liked: Iterable[Step]) -> Step | None:
        """Return a best move, the first of those ``liked`` that is one; none where all is over or lost.

        Raises:
            BudgetExceeded: the time or the work allowed is used up.
            OutOfReach: the game's form does not carry a turn.
        """
        value = self.value(turns)
        found = {move for move, worth in self.moves(turns) if worth is not None and worth == value}
        return next((move for move in liked if move in found), None) or min(
            found, key=lambda move: move.text, default=None
        )

    def of_move(self, move: Step, turns: int) -> Value:
        """Return the value of one open move."""
        return dict(self.moves(turns)).get(move)

    @abstractmethod
    def later(self, start: State[Any], moves: Sequence[Step]) -> FirstTurn:
        """Return the same search at a later position, where some moves are open; what is known serves again."""

    @abstractmethod
    def plan(self, best: Step, turns: int) -> list[Branch]:
        """Return the best move with what answers each result of chance within the turn."""


class PlainStart(FirstTurn):
    """The first turn by the rules, every way through it."""

    engine = "expectimax"

    def __init__(self, search: Expectimax, start: State[Any]) -> None:
        self._search = search
        self._start = start
        self._ends: dict[int, list[WeighedEnd]] = {}
        """All ways through the first turn, by the turns to go; empty where it is settled already."""

    @property
    def counters(self) -> Counters:
        """Return what the search has done so far."""
        return self._search.counters

    def value(self, turns: int) -> Value:
        """Return the value of the position; what was known of the first turn for other turns to go is forgotten."""
        self._ends.clear()
        return self._value(turns)

    def _value(self, turns: int) -> Value:
        search, table, pending = self._search, self._start.table, self._start.pending
        if not pending and (turns <= 0 or search.settled(table, turns)):
            return search.value(table, turns)
        ends = search.ends(table, turns, pending)
        self._ends[turns] = ends
        return search.turn(ends, len(pending))

    def moves(self, turns: int) -> list[tuple[Step, Value]]:
        """Return every open move with its value."""
        if turns not in self._ends:
            self._value(turns)
        ends = self._ends.get(turns)
        return self._search.moves(ends, self._depth(ends)) if ends else []

    def later(self, start: State[Any], moves: Sequence[Step]) -> FirstTurn:
        """Return the same search at a later position."""
        return PlainStart(self._search, start)

    def plan(self, best: Step, turns: int) -> list[Branch]:
        """Return the move with the moves of the turn that its value comes from."""
        branches: list[Branch] = []
        if turns not in self._ends:
            self._value(turns)
        ends = self._ends.get(turns)
        if ends:
            depth = self._depth(ends)
            groups = by_step(ends, depth) if len(ends[0][0]) > depth else {}
            least = self._search.goal.objective is Objective.MIN_TURNS
            branches = followed(groups.get(best, ends), self._search.turn, depth, least=least)
        return branches

    def _depth(self, ends: list[WeighedEnd]) -> int:
        """Return after how many steps the first open question comes: forced ones are the same in all ways."""
        steps, depth = ends[0][0], len(self._start.pending)
        while depth < len(steps) and isinstance(steps[depth], Forced):
            depth += 1
        return depth
