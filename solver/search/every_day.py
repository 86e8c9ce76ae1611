"""Chances where a restart may follow on any turn, told exactly where the game tells what each one puts together.

What a restart is worth hangs on the board and on the turns left alone, so it is one number for all hands and decks: a
*floor* of what a belief is worth there. It is the mean over all new hands of what these are worth with a turn less,
where a restart may follow again. So values of beliefs and floors of boards are worked out in turn, and nothing is left
out; where anything is not told, no value is given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final, Protocol, TypeVar

from puzzles.goal import Goal, Objective
from rules.core.folding import WeighedEnd, fold
from rules.core.race import Race
from rules.core.restarts import Restart, RestartedBeliefs
from rules.core.steps import Step
from rules.core.turns import State
from rules.core.ventures import OutOfReach
from solver.search.belief_start import BeliefStart
from solver.search.beliefs import BELIEF_S, BeliefSearch, Worth
from solver.search.first_turn import Branch, followed
from solver.search.floor_start import BelowStart
from solver.search.layers import Counters, LimitHit, Watch

LEAST_PACKED: Final = 2
"""Turns left from which on beliefs are asked of a compiled search; with one, what a restart deals out is as well."""


Told = TypeVar("Told")
PATIENCE: Final = 30_000
"""Beliefs that are gone through one by one before a compiled search takes over: it takes as long to begin with."""


class Lengthy(LimitHit):
    """So many beliefs have been gone through one by one that a compiled search is the quicker way."""


class EveryDay(Protocol):
    """The beliefs of one question before and after all restarts."""

    def day_of(self, table: Any) -> Any | None:
        """Return the beliefs of a table that the question comes to, at the start of a turn."""

    def restarted(self, restart: Restart, turns: int) -> RestartedBeliefs | None:
        """Return what follows a restart with so many turns left, or nothing; beliefs that may be shared are."""


class Floors:
    """What restarts are worth, any number of them one after the other."""

    def __init__(
        self,
        game: Race[Any],
        days: EveryDay,
        goal: Goal,
        watch: Watch,
        most: int | None,
        *,
        patience: int | None = PATIENCE,
    ) -> None:
        """``goal`` is asked without restarts; ``most`` beliefs are looked at in all.

        After ``patience`` of them it is time for a compiled search (``Lengthy``); where it is none, never.
        """
        self._patience = patience
        self._is_packed = patience == 0
        self._game = game
        self._days = days
        self._goal = goal
        self._watch = watch
        self.most = most
        self.counters = Counters()
        self.told = 0
        """Beliefs that the watch has heard of."""
        self._searches: dict[int, FlooredSearch] = {}
        self._known: dict[tuple[Any, int, int, int], Fraction] = {}

    def value(self, table: Any, turns: int) -> Fraction:
        """Return the chance of a restart on this turn with so many turns left after it.

        Raises:
            LimitHit: the time or the work allowed is used up.
            OutOfReach: it is not told.
        """
        value = fold(self.ends(table, turns))
        if value is None:
            raise OutOfReach
        return value

    def pack(self, *, packed: bool) -> None:
        """Have beliefs asked of compiled searches from now on, or never again."""
        self._is_packed, self._patience = packed, None
        for search in self._searches.values():
            search.pack(packed=packed)

    def ends(self, table: Any, turns: int) -> list[WeighedEnd]:
        """Return every way through a restart with what it is worth; raises as ``value`` does."""
        found = self._game.restarts(table, self._goal.seat)
        if found is None:
            raise OutOfReach
        return [(steps, orders, self._of(restart, turns)) for steps, orders, restart in found.ends]

    def _of(self, restart: Restart | None, turns: int) -> Fraction:
        game, goal = self._game, self._goal
        if restart is None:
            raise OutOfReach
        if game.progress(restart.table, goal.seat) >= goal.target:
            return Fraction(1)
        if turns == 0 or game.is_over(restart.table):
            return Fraction(0)
        table = game.essence(restart.table, goal.seat, frozenset(), goal.target, turns + 1)
        key = (table, restart.drawn, restart.paid, turns)
        if key not in self._known:
            begun = self._days.restarted(restart, turns)
            if begun is None:
                raise OutOfReach
            self.look()
            search = self._search(begun.beliefs)
            self._known[key] = Fraction(search.mean(begun.ways, turns)) / begun.orders
        return self._known[key]

    def search_of(self, table: Any) -> FlooredSearch:
        """Return a search that a table is carried by.

        Raises:
            OutOfReach: there is none.
        """
        beliefs = self._days.day_of(table)
        if beliefs is None:
            raise OutOfReach
        return self._search(beliefs)

    def _search(self, beliefs: Any) -> FlooredSearch:
        search = self._searches.get(id(beliefs))
        if search is None:
            search = self._searches[id(beliefs)] = FlooredSearch(
                *(beliefs, self._goal, self._watch, False, self.most, self.counters), floors=self, packed=False
            )
            search.pack(packed=self._is_packed)
        return search

    def look(self) -> None:
        """Look at the clock and at the work done by all searches.

        Raises:
            LimitHit: the time or the work allowed is used up.
            Lengthy: it is time for a compiled search.
        """
        generated = self.counters.generated
        self._watch.spend((generated - self.told) * BELIEF_S)
        self.told = generated
        self._watch.check()
        if self.most is not None and generated > self.most:
            raise LimitHit
        if self._patience and generated > self._patience:
            raise Lengthy


@dataclass(slots=True)
class FlooredSearch(BeliefSearch):
    """Worths of beliefs each of which a restart may follow."""

    floors: Floors | None = None
    _floors: dict[tuple[int, int], Fraction] = field(default_factory=dict)
    _begun: dict[tuple[int, int], Fraction] = field(default_factory=dict)

    def __post_init__(self) -> None:
        BeliefSearch.__post_init__(self)
        self._packed_from = 1

    def pack(self, *, packed: bool) -> None:
        """Have beliefs asked of a compiled search from now on, or not any more."""
        form: Any = self.beliefs
        self.packed, self._dealt = packed, None
        if packed:
            form.leave_by(self.leaving)

    def worth(self, belief: int, turns: int) -> Worth:
        """Return the value of a belief times its orders."""
        while len(self._known) <= turns:
            self._known.append({})
        known = self._known[turns]
        if belief not in known:
            packed = None if self.settled(belief, turns) or turns < LEAST_PACKED else self._from_packed(belief, turns)
            found = self._worth(belief, turns) if packed is None else packed
            orders = self.beliefs.orders(belief)
            if found < orders and not self.settled(belief, turns):
                found = max(found, self.floor(belief, turns) * orders)
            known[belief] = found
        return known[belief]

    def _look(self) -> None:
        assert self.floors is not None
        self.floors.look()
        self._told = self.counters.generated

    def floor(self, belief: int, turns: int) -> Fraction:
        """Return what it is worth to begin anew with so many turns left, this one included, after any free actions."""
        form: Any = self.beliefs
        return self.leaving(form.board_of(belief), turns)

    def leaving(self, board: int, turns: int) -> Fraction:
        """Return the same for a board, by number."""
        form: Any = self.beliefs
        found = self._floors.get((board, turns))
        if found is None:
            found = max(self._begun_on(each, turns) for each in form.boards_to_act_on(board))
            self._floors[board, turns] = found
        return found

    def told_of(self, board: int, turns: int) -> Fraction | None:
        """Return what ``_begun_on`` does, if that is known."""
        return self._begun.get((board, turns))

    def _begun_on(self, board: int, turns: int) -> Fraction:
        """Return the same without free actions."""
        form: Any = self.beliefs
        found = self._begun.get((board, turns))
        if found is None:
            assert self.floors is not None
            found = self._begun[board, turns] = self.floors.value(form.rested(board), turns - 1)
        return found


class EveryDayStart(BelowStart):
    """The first turn of a question in which a restart may follow on any turn.

    What was told before a limit stands from below: chances of fewer turns, and what a restart at once is worth.
    """

    def __init__(
        self, floors: Floors, search: FlooredSearch, table: Any, moves: Sequence[Step], goal: Goal, restart: Step
    ) -> None:
        """``moves`` are those open, ``restart`` may be one of them."""
        BeliefStart.__init__(self, search, search.beliefs, table, [move for move in moves if move != restart], goal)
        self._floors = floors
        self.restart = restart
        self._is_open = restart in moves
        self._told = 0
        """Turns for which the value has been told."""

    def value(self, turns: int) -> Fraction | None:
        """Return the value of the position; raises as ``BeliefStart.value`` does."""
        try:
            found = self._asked(lambda: BeliefStart.value(self, turns))
        finally:
            begun = self._begun(turns)
            if begun > self.value_found:
                self.value_found, self.ahead = begun, turns
        self._told = max(self._told, turns)
        if found is not None and found > self.value_found:
            self.value_found, self.ahead = found, turns
        return found

    def _begun(self, turns: int) -> Fraction:
        """Return what a restart at once is known to be worth."""
        board = self._form.board_of(self._form.project(self._table, turns))
        assert isinstance(self.search, FlooredSearch)
        return (self.search.told_of(board, turns) if self._is_open else None) or Fraction(0)

    def _asked(self, ask: Callable[[], Told]) -> Told:
        """Return an answer: beliefs are gone through one by one, then asked of a compiled search, if that can tell."""
        try:
            return ask()
        except Lengthy:
            self._floors.pack(packed=True)
        try:
            return ask()
        except OutOfReach:
            self._floors.pack(packed=False)
            return ask()

    def moves(self, turns: int) -> list[tuple[Step, Fraction | None]]:
        """Return every open move with its value; where the whole has not been told, a restart at once alone."""
        try:
            return self._asked(lambda: self._all_moves(turns))
        except LimitHit:
            if turns > self._told and self._begun(turns):
                return [(self.restart, self._begun(turns))]
            raise

    def _all_moves(self, turns: int) -> list[tuple[Step, Fraction | None]]:
        found = BeliefStart.moves(self, turns)
        if self._is_open and not self.search.settled(self._form.project(self._table, turns), turns):
            found.append((self.restart, self._floors.value(self._table, turns - 1)))
        return found

    def later(self, table: Any, moves: Sequence[Step]) -> EveryDayStart:
        """Return the same search at a later table, of this day or another one."""
        search = self._floors.search_of(table)
        return EveryDayStart(self._floors, search, table, moves, search.goal, self.restart)

    def plan(self, best: Step, turns: int) -> list[Branch]:
        """Return the best move with the best answer to what is shown at once: a card turned over, or the weather."""
        if best == self.restart:
            ends = self._asked(lambda: self._floors.ends(self._table, turns - 1))
            return followed(ends, lambda group, depth: fold(group, depth=depth), 0)
        return self._asked(lambda: BeliefStart.plan(self, best, turns))


def every_day_start(
    game: Race[Any],
    start: State[Any],
    moves: Sequence[Step],
    goal: Goal,
    watch: Watch,
    most: int | None,
    *,
    patience: int | None = PATIENCE,
) -> EveryDayStart | None:
    """Return the first turn of a chance with restarts on any turn, or nothing where these are not told.

    ``most`` beliefs are looked at, ``patience`` is that of ``Floors``.
    """
    turns, table = goal.within_turns, start.table
    if start.pending or turns is None or goal.objective is not Objective.REACH:
        return None
    restarts = game.restarts(table, goal.seat)
    if restarts is None or restarts.move.text in goal.forbidden:
        return None
    days = game.every_day(table, goal.seat, goal.forbidden, goal.target, turns)
    if days is None or days.day_of(table) is None:
        return None
    without = replace(goal, forbidden=goal.forbidden | {restarts.move.text})
    floors = Floors(game, days, without, watch, most, patience=patience)
    return EveryDayStart(floors, floors.search_of(table), table, moves, without, restarts.move)
