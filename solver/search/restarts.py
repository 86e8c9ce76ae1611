"""Chances and distances from below where a move deals a new hand: who begins anew at most once, and soon.

Packed beliefs carry play without a new hand. What a restart is worth hangs on the table alone, not on hand and deck,
so it is worked out once for each table, as the mean over all new hands (``FreshStarts``). A player who may begin anew
on this turn or on the next one, and not after that, has the better of a restart and of play without one on that turn: a
real way to play, so that what it is worth is a bound from below.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.folding import Value, WeighedEnd, fold
from rules.core.race import Race
from rules.core.restarts import Restart, Restarts
from rules.core.steps import Step
from rules.core.turns import State
from rules.core.ventures import OutOfReach
from solver.search.belief_start import BeliefStart
from solver.search.beliefs import BeliefSearch, RestingBeliefs, Worth
from solver.search.ceilings import belief_form
from solver.search.first_turn import Branch
from solver.search.floor_start import BelowStart
from solver.search.layers import Counters, LimitHit, Watch

ONE: Final = Fraction(1)


class FreshStarts:
    """What it is worth to begin anew on some table, and not again after that."""

    def __init__(self, game: Race[Any], goal: Goal, watch: Watch, most: int | None) -> None:
        """``most`` beliefs are looked at in all."""
        self._game = game
        self._goal = goal
        self._watch = watch
        self._most = most
        self.counters = Counters()
        self.so_far: Value = None
        """What the last one asked for is worth at least, where a limit was hit."""
        self._known: dict[tuple[Hashable, int, int, int], Value] = {}

    def value(self, table: Any, turns: int) -> Value:
        """Return the value of a restart on this turn with so many turns left after it, none where that is not told.

        Raises:
            LimitHit: the time or the work allowed is used up; ``so_far`` is what was found by then.
        """
        self.so_far = None
        found = self._game.restarts(table, self._goal.seat)
        if found is None:
            return None
        worths: list[Value] = []
        try:
            for _, _, restart in found.ends:
                worths.append(self._of(restart, found.move, turns))
        except LimitHit:
            if self._goal.objective is Objective.REACH:  # the others may come to nothing
                worths += [Fraction(0)] * (len(found.ends) - len(worths))
                self.so_far = fold(_weighed(found, worths))
            raise
        return fold(_weighed(found, worths))

    def _of(self, restart: Restart | None, move: Step, turns: int) -> Value:
        if restart is None:
            return None
        game, goal = self._game, self._goal
        reach = goal.objective is Objective.REACH
        progress = game.progress(restart.table, goal.seat)
        if reach and progress >= goal.target:
            return ONE
        if turns == 0 or game.is_over(restart.table):
            return Fraction(0 if reach else progress)
        target = goal.target if reach else None
        forbidden = goal.forbidden | {move.text}
        # Cards still come off the deck before those turns, as on one more.
        table = game.essence(restart.table, goal.seat, forbidden, target, turns + 1)
        key = (table, restart.drawn, restart.paid, turns)
        if key not in self._known:
            self._known[key] = self._after(restart, forbidden, target, turns)
        return self._known[key]

    def _after(self, restart: Restart, forbidden: frozenset[str], target: int | None, turns: int) -> Value:
        try:
            begun = self._game.belief_restart(restart, self._goal.seat, forbidden, target, turns)
        except OutOfReach:
            return None
        if begun is None:
            return None
        goal = replace(self._goal, forbidden=forbidden, within_turns=turns)
        most = None if self._most is None else max(0, self._most - self.counters.generated)
        search = BeliefSearch(begun.beliefs, goal, self._watch, most=most)
        try:
            worth = search.mean(begun.ways, turns)
        except OutOfReach:
            return None
        finally:
            self.counters.expanded += search.counters.expanded
            self.counters.generated += search.counters.generated
        return None if abs(worth) == float("inf") else Fraction(worth) / begun.orders


def _weighed(restarts: Restarts, worths: Sequence[Value]) -> list[WeighedEnd]:
    ends = zip(restarts.ends, worths, strict=True)
    return [(steps, orders, worth) for (steps, orders, _), worth in ends]


@dataclass(slots=True)
class RestingSearch(BeliefSearch):
    """Worths of beliefs of which those with so many turns left may be followed by a restart."""

    rest_at: int = -1
    resting: RestingBeliefs | None = None
    """The beliefs, which tell from where to begin anew."""
    fresh: FreshStarts | None = None
    _fresh_worths: dict[int, Value] = field(default_factory=dict)
    """By board, for the number of turns left at which a restart may follow."""

    def rest(self, turns: int) -> None:
        """Let a restart follow with so many turns left; none does with -1."""
        if turns != self.rest_at:
            self.rest_at, self._known, self._fresh_worths = turns, [], {}

    def worth(self, belief: int, turns: int) -> Worth:
        """Return the value of a belief times its orders."""
        is_new = turns >= len(self._known) or belief not in self._known[turns]
        found = BeliefSearch.worth(self, belief, turns)
        if turns != self.rest_at or not is_new or self.settled(belief, turns):
            return found
        rest = self._rested(belief, turns - 1)
        if rest is not None:
            found = max(found, rest * self.beliefs.orders(belief))
        self._known[turns][belief] = found
        return found

    def _rested(self, belief: int, turns: int) -> Value:
        if self.resting is None or self.fresh is None:
            return None
        board = self.resting.board_of(belief)
        if board not in self._fresh_worths:
            table = self.resting.rested(board)
            self._fresh_worths[board] = None if table is None else self.fresh.value(table, turns)
        return self._fresh_worths[board]

    def of_dealing(self, dealing: Any, after: int) -> Worth:
        """Return the worth of a belief of which cards are still to be drawn and paid."""
        if after == self.rest_at:
            with suppress(OutOfReach):
                return self.mean(self.beliefs.dealt_out(dealing, after), after)
        return BeliefSearch.of_dealing(self, dealing, after)


class RestartStart(BelowStart):
    """The first turn of a player who may begin anew on it or on the next one."""

    def __init__(
        self, search: RestingSearch, form: Any, table: Any, moves: Sequence[Step], goal: Goal, restart: Step
    ) -> None:
        """``search`` is over ``form``, for ``goal`` without restarts; ``restart`` is the move that is one."""
        assert search.fresh is not None
        super().__init__(search, form, table, [move for move in moves if form.opens(move)], goal)
        self.restart = restart
        self.fresh = search.fresh
        self._resting, self._is_open = search, restart in moves
        self._found: dict[Step, Fraction | None] = {}
        self._reaches = goal.objective is Objective.REACH
        self._is_told = False
        self.is_done = False
        """Whether it was looked ahead to the end."""

    @property
    def counters(self) -> Counters:
        """Return what the search has done so far, that for restarts included."""
        own, fresh = self._resting.counters, self.fresh.counters
        return replace(own, expanded=own.expanded + fresh.expanded, generated=own.generated + fresh.generated)

    @property
    def is_sure(self) -> bool:
        """Whether no way to play is better; of distances that is never known."""
        return self._reaches and super().is_sure

    def look(self, horizons: Iterable[int]) -> None:
        """Look so many turns ahead: without a restart, then with one at once, then with one on the next turn.

        What was found before a limit stands, as each is worth no less than what comes before it. Of all horizons but
        the last one only a chance without a restart is asked for, which is one for more turns too.
        """
        for _ in self.stages(horizons):
            pass

    def stages(self, horizons: Iterable[int]) -> Iterator[Fraction]:
        """Yield what the best move is known to be worth after each step of ``look`` that came to its end."""
        *fewer, turns = horizons
        if self._reaches:
            super().look(fewer)
            if self.is_sure:
                self.is_done = True
                return
        with suppress(LimitHit):
            self._without(turns)
            self.ahead = turns
            yield self.value_found
            self._is_told = True
            if self._is_open:
                self._begin_anew(turns)
            yield self.value_found
            if turns > 1:
                self._on_the_next(turns)
            self.is_done = True
            yield self.value_found

    def _begin_anew(self, turns: int) -> None:
        try:
            self._keep(self.restart, self.fresh.value(self._table, turns - 1))
        except LimitHit:
            self._keep(self.restart, self.fresh.so_far)
            raise

    def tells_all(self, moves: Sequence[Step]) -> bool:
        """Return whether each of some moves has a value, at least without a restart."""
        return self._is_told and all(self._found.get(move) is not None for move in moves)

    def best(self, turns: int, liked: Iterable[Step]) -> Step | None:
        """Return a best move without a restart."""
        self._resting.rest(-1)
        return super().best(turns, liked)

    def _without(self, turns: int) -> None:
        self._resting.rest(-1)
        with suppress(OutOfReach):
            for move, value in BeliefStart.moves(self, turns):
                self._keep(move, value)

    def _on_the_next(self, turns: int) -> None:
        self._resting.rest(turns - 1)
        for move in sorted(self._moves, key=self._order):
            with suppress(OutOfReach):
                self._rest_after(move, turns)

    def _rest_after(self, move: Step, turns: int) -> None:
        """Look at a restart after a move: on the next turn, or after a free action on the same one.

        Raises:
            OutOfReach: the form does not carry it.
        """
        opened = self._form.opened(self._table, move, turns)
        if isinstance(opened, list):
            if self._form.rests_after(move):
                self._keep(move, self._of(move, turns))
        elif self._is_open:
            for table in opened:
                self._keep(move, self.fresh.value(table, turns - 1))

    def _order(self, move: Step) -> tuple[Fraction, str]:
        return -(self._found.get(move) or Fraction(0)), move.text

    def _keep(self, move: Step, value: Fraction | None) -> None:
        known = self._found.get(move)
        if known is None or (value is not None and value > known):
            self._found[move] = value
        if value is not None and value > self.value_found:
            self.value_found = value

    def moves(self, turns: int) -> list[tuple[Step, Fraction | None]]:
        """Return what each move is worth at least, as far as that was found."""
        return list(self._found.items())

    def plan(self, best: Step, turns: int) -> list[Branch]:
        """Return the best move, with what answers a card turned over at once.

        Raises:
            LimitHit: the time or the work allowed is used up.
        """
        value = self._found.get(best)
        if best not in self._moves:
            return [Branch((), (best.text,), Fraction(1), value)]
        if value is not None:
            with suppress(OutOfReach):
                opened = self._form.opened(self._table, best, turns)
                answers = [text for each in opened for text, _ in each.answers] if isinstance(opened, list) else [""]
                if len(answers) == 1:
                    return [Branch((), tuple(filter(None, (best.text, *answers))), Fraction(1), value)]
        self._resting.rest(turns - 1 if self._form.rests_after(best) else -1)
        return BeliefStart.plan(self, best, turns)


def may_restart(game: Race[Any], start: State[Any], goal: Goal) -> bool:
    """Return whether a question of so many turns may be asked with a restart soon, if at all."""
    if start.pending or goal.within_turns is None:
        return False
    restarts = game.restarts(start.table, goal.seat)
    return restarts is not None and restarts.move.text not in goal.forbidden


def restart_start(
    game: Race[Any], table: Any, moves: Sequence[Step], goal: Goal, watch: Watch, most: int | None
) -> RestartStart | None:
    """Return the first turn of a player who may begin anew on it or on the next one, or nothing where none may.

    ``most`` beliefs are looked at for play without a restart, and as many for restarts.
    """
    restarts = game.restarts(table, goal.seat)
    if restarts is None or not may_restart(game, State(table), goal):
        return None
    without = replace(goal, forbidden=goal.forbidden | {restarts.move.text})
    turns, reach = goal.within_turns or 0, goal.objective is Objective.REACH
    form = belief_form(game, table, without, resting=True)
    if form is None and reach:
        form = game.belief_floor(table, goal.seat, without.forbidden, goal.target, turns, resting=True)
    if form is None:
        return None
    search = RestingSearch(form, without, watch, most=most, resting=form, fresh=FreshStarts(game, goal, watch, most))
    return RestartStart(search, form, table, moves, without, restarts.move)
