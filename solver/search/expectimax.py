"""Exact values where chance is hidden: the best choice for whoever knows no more than the table shows.

A table is a belief: a hidden deck is kept as what is known of it, and every order that agrees is equally likely. So
nothing is ever decided on cards that nobody has seen. Values are exact fractions; equal tables with equally many turns
left are looked at once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any, Final, TypeVar

from puzzles.puzzle import Goal, Objective, allowed_steps, does_forbidden
from rules.core.race import Opening, Race, Unsupported, hides
from rules.core.scripts import Answered, Barred, ChanceOutcome, Exploring, Forced, Step, every_way
from rules.core.turns import TurnEnd
from solver.search.budget import Budget, BudgetExceeded, Counters

ZERO: Final = Fraction(0)
ONE: Final = Fraction(1)
LOOK: Final = 64
"""Ways through turns between two looks at the clock."""
WAY_S: Final = 0.0002
"""About the seconds of a way through a turn."""
ROWS: Final = 200
"""Rows of an encoding that take about as long as one way through a turn by the rules."""
ROW_S: Final = 0.000_001
"""About the seconds of a row."""

Value = Fraction | None
"""What something is worth; none where it must not happen at all."""
WeighedEnd = tuple[Sequence[Step | Forced], int, Value]
"""Steps of one way through a turn, the orders it stands for, and what its end is worth."""
End = TypeVar("End", bound=tuple[Any, ...])
Best = Callable[[Iterable[Fraction]], Fraction]
"""``max`` or ``min``."""


class Allowed(Exploring):
    """Explores the turns that a goal allows; ``Barred`` where it forbids every open move."""

    __slots__ = ("_forbidden", "_only")

    def __init__(
        self,
        steps: Sequence[Step | Forced],
        queue: list[Answered],
        forbidden: frozenset[str],
        begun: int,
        only: int | None = None,
    ) -> None:
        super().__init__(steps, queue, begun=begun)
        self._forbidden = forbidden
        self._only = only

    def _fresh(self, actor: int, answers: Sequence[Step]) -> Step:
        if actor >= 0 and self._only not in (None, actor):
            raise Unsupported
        if actor >= 0 and self._forbidden:
            answers = allowed_steps(answers, self._forbidden)
        return super()._fresh(actor, answers)


@dataclass(slots=True)
class Expectimax:
    """Values of one goal in one game; the counters add up over all questions.

    With ``optimistic`` a table short of the target at the horizon of ``min_turns`` counts as arrived: values are lower
    bounds. Otherwise it counts as lost: they are values of real policies.
    """

    game: Race[Any]
    goal: Goal
    budget: Budget
    optimistic: bool = False
    most: int | None = None
    """Ways through turns to look at before giving up; any number when none is given."""
    only: int | None = None
    """The seat that has to be the only one to decide anything; whoever does when none is given."""
    values: Any = None
    """Exact values of tables and moves by an encoding, where there is one (``HiddenValues``)."""
    rows: int = 0
    """Rows of the encoding looked at, as far as they are paid for."""
    counters: Counters = field(default_factory=Counters)
    _known: dict[tuple[Hashable, int], Value] = field(default_factory=dict)

    def value(self, table: Any, turns: int) -> Value:
        """Return the best expected value from the start of a turn with so many turns left.

        Raises:
            BudgetExceeded: the time or the memory allowed is used up.
            Unsupported: another seat than ``only`` has to decide something, or the encoding does not carry the table.
        """
        settled = self.settled(table, turns)
        if settled is not None:
            return settled[0]
        key = (table, turns)
        if key not in self._known:
            self._known[key] = self._encoded(table, turns) if self.values else self.turn(self.ends(table, turns))
            self.counters.states += 1
        return self._known[key]

    def _encoded(self, table: Any, turns: int) -> Value:
        try:
            value: Value = self.values.value(table, turns)
        except OverflowError as error:
            raise Unsupported from error
        return value

    def pause(self) -> None:
        """Look at the limits while the encoding is at work.

        Raises:
            BudgetExceeded: one of them is used up.
        """
        count = int(self.values.search.count)
        self.budget.spend((count - self.rows) * ROW_S)
        self.rows = count
        self.budget.check()
        if self.most is not None and count > ROWS * self.most:
            raise BudgetExceeded

    def turn(self, ends: Sequence[WeighedEnd], depth: int = 0) -> Value:
        """Return the value of a turn from its ends, the first ``depth`` steps taken for granted."""
        least = self.goal.objective is Objective.MIN_TURNS
        return fold(ends, min if least else max, depth)

    def ends(
        self,
        table: Any,
        turns: int,
        begun: tuple[Step | Forced, ...] = (),
    ) -> list[WeighedEnd]:
        """Return every way through the next turn with its value, this turn counted.

        A turn that has begun with what the goal forbids is lost, however it goes on.

        Raises:
            BudgetExceeded: the time or the work allowed is used up.
            Unsupported: something has to be decided while something lies face down.
        """
        found: list[WeighedEnd] = []
        self.counters.expanded += 1
        cost = ONE if self.goal.objective is Objective.MIN_TURNS else ZERO
        lost = does_forbidden(begun, self.goal.forbidden)
        allowing = partial(Allowed, forbidden=self.goal.forbidden, begun=len(begun), only=self.only)
        for script in every_way(allowing, begun):
            self.counters.generated += 1
            if self.counters.generated % LOOK == 0:
                self.budget.spend(LOOK * WAY_S)
                self.budget.check(len(self._known))
            if self.most is not None and self.counters.generated > self.most:
                raise BudgetExceeded
            try:
                after = self.game.play_turn(table, script)
            except Barred:
                value = self._lost
                if self.goal.objective is Objective.MAX_DISTANCE and not lost:
                    value = Fraction(self.game.so_far(table, self.goal.seat))  # it stands where no move is allowed
            else:
                allowed = not lost and self.game.allows(table, TurnEnd(tuple(script.steps), after))
                value = self.value(after, turns - 1) if allowed else self._lost
                value = None if value is None else value + cost
            found.append((tuple(script.steps), script.orders, value))
        if hides(self.game, table) and _decides(found):
            raise Unsupported
        return found

    @property
    def _lost(self) -> Value:
        """Return what a turn is worth that must not be taken."""
        return ZERO if self.goal.objective is Objective.REACH else None

    def settled(self, table: Any, turns: int) -> tuple[Value] | None:
        """Return the value of a table, alone, where no further turn counts; nothing where one does."""
        progress = self.game.so_far(table, self.goal.seat)
        is_over = self.game.is_over(table)
        ended = turns <= 0 or is_over
        if self.goal.objective is Objective.MAX_DISTANCE:
            return (Fraction(progress),) if ended else None
        there = progress >= self.goal.target
        if self.goal.objective is Objective.REACH:
            return (Fraction(there),) if there or ended else None
        if there or (self.optimistic and ended and not is_over):
            return (ZERO,)
        return (None,) if ended else None


def _decides(ends: Iterable[WeighedEnd]) -> bool:
    """Return whether ways through a turn differ in more than what chance brings."""
    return len({tuple(step for step in steps if not isinstance(step, ChanceOutcome)) for steps, _, _ in ends}) > 1


class PlainOdds:
    """The chances of ventures over whole tables; equal tables are looked at once."""

    def __init__(self, ventures: Any, alive: Callable[[], bool]) -> None:
        """``alive`` is asked before every way through a turn whether there is time left."""
        self._ventures, self._alive = ventures, alive
        self._known: dict[tuple[Any, int | None, Fraction], Fraction] = {}

    def chance(
        self,
        table: Any,
        begin: str | None,
        pending: Sequence[Step | Forced] = (),
        turns: int | None = None,
        beyond: Fraction = ZERO,
    ) -> Fraction:
        """Return the greatest chance that a venture comes through, from the start of a turn or after some steps of it.

        What still waits after so many ``turns``, where these are given, is worth ``beyond``. With 0 and 1 that gives
        bounds: every way to play has at least the one and at most the other, so the greatest chances have.

        Raises:
            Unsupported: ``alive`` has said no.
        """
        if turns == 0:
            return beyond
        plain = begin is None and not pending
        key = (table, turns, beyond)
        if plain and key in self._known:
            return self._known[key]
        left = None if turns is None else turns - 1
        ends: list[WeighedEnd] = []
        for end in self._ventures.ends(table, begin, pending):
            if not self._alive():
                raise Unsupported
            worth = Fraction(end.is_through) if end.table is None else self.chance(end.table, None, (), left, beyond)
            ends.append((end.steps, end.orders, worth))
        value = fold(ends, depth=len(pending))
        assert value is not None  # every end has a fate
        if plain:
            self._known[key] = value
        return value

    def attaining(self, card: str, chance: Fraction) -> Opening[Any] | None:
        """Return the first opening of a hand card from which a chance can be had, with all moves that lead to it.

        Raises:
            Unsupported: ``alive`` has said no.
        """
        ventures = self._ventures
        openings: Iterable[Opening[Any]] = ventures.openings(card)
        for opening in openings:
            moves = {
                paid: move
                for paid, move in opening.moves.items()
                if self.chance(ventures.table, card, (*opening.before, move)) == chance
            }
            if moves:
                return replace(opening, moves=moves)
        return None


def fold(ends: Sequence[WeighedEnd], best: Best = max, depth: int = 0) -> Value:
    """Return the best expected value of a turn, given all ways through it with what their ends are worth.

    Choices depend on the steps before them and on nothing else. The first ``depth`` steps are taken for granted.

    Where orders of cards taken together are merged, outcomes have the weights of the one order listed, and the end
    counts all orders. That factor is linear in the chance steps and the same for all ends after a choice, so the best
    choice stays the best.
    """
    steps, orders, value = ends[0]
    if depth == len(steps):
        return None if value is None else orders * value
    groups = by_step(ends, depth)
    if not isinstance(next(iter(groups)), ChanceOutcome):
        values = [fold(group, best, depth + 1) for group in groups.values()]
        possible = [value for value in values if value is not None]
        return best(possible) if possible else None
    mean = Fraction(0)
    for step, group in groups.items():
        value = fold(group, best, depth + 1)
        if value is None:
            return None
        mean += value * step.probability if isinstance(step, ChanceOutcome) and step.ways != step.cases else value
    return mean


def by_step(ends: Sequence[End], depth: int) -> dict[Step, list[End]]:
    """Return some ends, of which the first part are their steps, by the step they take after ``depth`` others."""
    groups: dict[Step, list[End]] = {}
    for end in ends:
        taken = end[0][depth]
        groups.setdefault(taken.step if isinstance(taken, Forced) else taken, []).append(end)
    return groups
