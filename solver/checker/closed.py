"""Closed layers: every position one own turn later, then two, … found by playing the rules and nothing else.

No bound cuts anything here and no position is left out. Two forms say what counts as one position. *Tables* compares
whole tables, works for every game, and leaves nothing to argue. *Hands* compares tables without their history and
decides late which cards have paid; what it relies on, and how that is watched, is said in ``boards``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
from time import monotonic
from typing import Any, Generic, TypeVar

from puzzles.goal import Goal, forbids
from rules.core.errors import BestlineError
from rules.core.files import canonical_json
from rules.core.race import Race
from rules.core.scripts import Answered, Exploring, every_way
from rules.core.steps import ChanceOutcome, Forced, Step
from rules.core.turns import State, TurnEnd

T = TypeVar("T")

Choice = Callable[[Sequence[Any]], Sequence[Any]]
"""What leaves some of the moves that are open, in their order."""

_DIGITS = 16
"""Hexadecimal digits that name a position in a certificate."""


class TooLarge(BestlineError):
    """The search that a certificate stands for does not fit into the limit."""


class Unfit(Exception):
    """These positions cannot be told in this form; the message says why."""


class Budget:
    """What an exhausted search may cost."""

    def __init__(self, turns: int, states: int, time_s: float | None = None) -> None:
        """``turns`` are ways through a turn that may be played, ``states`` positions of one search."""
        self._turns = turns
        self._states = states
        self._until = None if time_s is None else monotonic() + time_s

    def play(self) -> None:
        """Count one way through a turn.

        Raises:
            TooLarge: that was one too many, or time is up.
        """
        self._turns -= 1
        self._check(self._turns)

    def keep(self, states: int = 1) -> None:
        """Count positions.

        Raises:
            TooLarge: those were too many, or time is up.
        """
        self._states -= states
        self._check(self._states)

    def _check(self, left: int) -> None:
        if left < 0:
            raise TooLarge("too large to certify within the limit")
        if left % 64 == 0 and self._until is not None and monotonic() > self._until:
            raise TooLarge("too large to certify within the time")


class Chosen(Exploring):
    """Explores a turn with the moves that a choice leaves of those that are open."""

    __slots__ = ("_choice",)

    def __init__(self, steps: Sequence[Step | Forced], queue: list[Answered], choice: Choice) -> None:
        super().__init__(steps, queue)
        self._choice = choice

    def _fresh(self, actor: int, answers: Sequence[Step]) -> Step:
        if any(isinstance(step, ChanceOutcome) for step in answers):
            raise Unfit("hidden chance")
        left = self._choice(answers)
        if not left:
            raise DeadEnd
        return super()._fresh(actor, left)


class DeadEnd(Exception):
    """No move is left that is allowed."""


class Layers(ABC, Generic[T]):
    """The positions of one question turn by turn; a new one holds the start."""

    form: str
    """Name of what counts as one position."""

    def __init__(self, game: Race[T], start: State[T], goal: Goal, budget: Budget) -> None:
        self.game = game
        self.start = start
        self.goal = goal
        self.budget = budget

    @abstractmethod
    def advance(self) -> None:
        """Go on to the positions one own turn later; games that are over stay as they are.

        Raises:
            TooLarge: the limit was hit.
            Unfit: this form cannot tell these positions.
        """

    @abstractmethod
    def names(self) -> list[str]:
        """Return a short digest of each position of the layer, ascending."""

    @abstractmethod
    def furthest(self) -> int | None:
        """Return the greatest progress in the layer, or nothing if it is empty."""

    @abstractmethod
    def furthest_next(self) -> int | None:
        """Return the greatest progress one own turn later, or nothing if no turn is left.

        Raises:
            TooLarge: the limit was hit.
            Unfit: this form cannot tell these positions.
        """

    @abstractmethod
    def holds(self, table: T) -> bool:
        """Return whether a table is one of the layer."""

    @property
    @abstractmethod
    def alive(self) -> bool:
        """Whether any position of the layer has a game that goes on."""

    def ends(self, table: T, pending: Sequence[Step | Forced] = (), choice: Choice | None = None) -> list[TurnEnd[T]]:
        """Return every way through the next turn that the goal allows and a choice leaves.

        Raises:
            TooLarge: the limit was hit.
            Unfit: chance or somebody else decides something in it.
        """
        goal = self.goal
        found: list[TurnEnd[T]] = []
        if any(is_forbidden(step, goal) for step in pending):
            return found

        def allowed(moves: Sequence[Any]) -> Sequence[Any]:
            left = [move for move in moves if not is_forbidden(move, goal)]
            return left if choice is None or not left else choice(left)

        for script in every_way(partial(Chosen, choice=allowed), pending):
            self.budget.play()
            try:
                after = self.game.play_turn(table, script)
            except DeadEnd:
                continue
            if self.game.turns(after, goal.seat) != self.game.turns(table, goal.seat) + 1:
                raise Unfit("several players")
            end = TurnEnd(tuple(script.steps), after)
            if self.game.allows(table, end):
                found.append(end)
        return found


class Tables(Layers[T]):
    """Whole tables."""

    form = "tables"

    def __init__(self, game: Race[T], start: State[T], goal: Goal, budget: Budget) -> None:
        super().__init__(game, start, goal, budget)
        self._tables: set[T] = {start.table}
        self._pending = start.pending

    def advance(self) -> None:
        """Go on to the tables one own turn later."""
        self._tables = self._after()
        self._pending = ()

    def advance_with_edges(self) -> dict[T, set[T]]:
        """Go on to the tables one own turn later, and return each with the tables before it."""
        edges: dict[T, set[T]] = {}
        for table in self._tables:
            found = self._one_later(table)
            self.budget.keep(len(found))
            for after in found:
                edges.setdefault(after, set()).add(table)
        self._tables = set(edges)
        self._pending = ()
        return edges

    def _after(self) -> set[T]:
        after: set[T] = set()
        for table in self._tables:
            before = len(after)
            after |= self._one_later(table)
            self.budget.keep(len(after) - before)
        return after

    def _one_later(self, table: T) -> set[T]:
        if not self._pending and self.game.is_over(table):
            return {table}
        return {end.table for end in self.ends(table, self._pending)}

    @property
    def tables(self) -> frozenset[T]:
        """The tables of the layer."""
        return frozenset(self._tables)

    def names(self) -> list[str]:
        """Return a short digest of each table, ascending."""
        return sorted(name_of(self.game.encode(table)) for table in self._tables)

    def furthest(self) -> int | None:
        """Return the greatest progress of a table, or nothing if there is none."""
        return max((self.game.progress(table, self.goal.seat) for table in self._tables), default=None)

    def furthest_next(self) -> int | None:
        """Return the greatest progress one own turn later, or nothing if no turn is left."""
        return max((self.game.progress(table, self.goal.seat) for table in self._after()), default=None)

    def holds(self, table: T) -> bool:
        """Return whether a table is one of the layer."""
        return table in self._tables

    @property
    def alive(self) -> bool:
        """Whether the game goes on at any of the tables."""
        return any(not self.game.is_over(table) for table in self._tables)


def is_forbidden(step: Step | Forced, goal: Goal) -> bool:
    """Return whether a step is a move that the goal forbids; a forced step is nobody's choice."""
    return not isinstance(step, Forced) and forbids(goal.forbidden, step.text)


def name_of(value: Any) -> str:
    """Return the short digest of a canonical value."""
    return sha256(canonical_json(value).encode()).hexdigest()[:_DIGITS]
