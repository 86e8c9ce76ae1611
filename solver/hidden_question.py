"""One question with hidden chance, answered exactly: the best policy's value, every move compared, and a plan."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import takewhile
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.errors import BestlineError
from rules.core.folding import Value
from rules.core.quest_race import peeks, secrets_of
from rules.core.race import Race
from rules.core.steps import Step
from rules.core.turns import State
from rules.core.ventures import OutOfReach
from solver.hidden_report import CERTAIN, RESTARTS, Behind, HiddenReport, Option
from solver.report import Limit, Statistics, Status
from solver.search.belief_start import BeliefStart
from solver.search.beliefs import BeliefSearch
from solver.search.ceilings import HORIZON, belief_form, ceiling, chance_above, is_excluded
from solver.search.every_day import EveryDayStart, every_day_start
from solver.search.first_turn import Branch, FirstTurn, PlainStart
from solver.search.floor_start import BelowStart, few_start, floor_start
from solver.search.information_sets import InformationSets, InformationStart
from solver.search.layers import LimitHit, Watch
from solver.search.onward import BELIEFS, Onward
from solver.search.plain import does_forbidden, forbidden_step, may_be_left_out
from solver.search.restarts import RestartStart, restart_start

TURNS: Final = 150_000
"""Ways through turns looked at where no time is given; the same answer on every machine."""
FURTHER: Final = 2
"""Turns looked further ahead for moves that are not certain to arrive as soon as the best one."""
AT_ONCE: Final = 3
"""Turns looked ahead one by one before all that are left of a day."""
BOUND_PART: Final = 0.3
"""Part of what is left of the time for each: chances by a smaller game, by a larger one, and in fewer turns."""
RESTART_PART: Final = 0.8
"""Part of what is left of the time for play with a restart soon;"""
EVERY_PART: Final = 0.4
"""and before that, for one on any turn, where that is told;"""
EVERY_S: Final = 6.0
"""seconds for that where no time is given,"""
RESTART_S: Final = 8.0
"""and for a restart soon,"""
TIMED: Final = 10_000
"""if at least so many ways through turns may be looked at, otherwise as many beliefs as take as long;"""
WHOLE_PART: Final = 0.4
"""and then part of what is left for an answer that leaves nothing out, or as long again as that took."""
PLAN_S: Final = 0.3
"""Seconds at least for the plans of an exact answer, where seconds are limited."""
BRANCHES: Final = 200
"""Results of chance that a plan tells apart at most, the likeliest first."""


class HiddenQuestion:
    """One question on its way to an answer."""

    def __init__(
        self,
        game: Race[Any],
        start: State[Any],
        goal: Goal,
        limit: Limit,
        *,
        most: int = TURNS,
        certain: bool = True,
        versus: Step | None = None,
        rivals: bool = True,
        thorough: bool = False,
        among_others: bool = False,
        restarts: bool = False,
    ) -> None:
        """``versus`` is a move of which the plan is wanted as well.

        ``among_others``: in the turns given, only the seat of the goal may have to decide anything.
        ``restarts``: where the whole is out of reach, moves are compared by play with a restart soon, if at all.
        ``certain``: an expected number of turns that may be infinite is refused, otherwise left open.
        ``rivals``: moves that lose something are followed further than the best one needs, to tell how much;
        ``thorough``: for all the turns given.
        """
        self._game = game
        self._start = start
        self._goal = self._asked = goal
        self._moves = [move for move in game.legal_moves(start) if not forbidden_step(move, goal.forbidden)]
        self._only = goal.seat if among_others else None
        self._form = None if start.pending or among_others else belief_form(game, start.table, goal)
        self._most = None if limit.time_s is not None else most
        self._certain = certain
        self._versus = versus
        self._rivals = rivals
        self._thorough = thorough
        self._restarts = restarts
        self._limit = limit
        self.watch = Watch(limit)
        self._search = self._searching(goal)
        self._value: Fraction | None = None
        self._bound: Fraction | None = None
        self._ahead = 0
        """Turns looked ahead for the value."""
        self._exact: dict[Step, Value] | None = None
        """Expected turns of moves as far as they are settled; none where what was looked ahead for settles all."""
        self._horizons: dict[Step, int] = {}
        """Turns looked ahead for what a move is worth, where these are not those of the best one."""
        self._is_partial = False
        """Moves that may fail were not followed for all the turns given, so that nothing is said of them."""
        self._below: BelowStart | None = None
        """What tells the greatest chance from below,"""
        self._every: tuple[EveryDayStart, Watch] | None = None
        """and what tells it where restarts may follow on any turn, with its own limits."""

    def _searching(self, goal: Goal, *, optimistic: bool = False) -> FirstTurn:
        if peeks(self._game):
            secrets = secrets_of(self._game)
            sets = InformationSets(self._game, goal, self.watch, optimistic, self._most, secrets=secrets)
            return InformationStart(sets, self._start)
        if self._form is None:
            plain = Onward(self._game, goal, self.watch, optimistic=optimistic, most=self._most, only=self._only)
            return PlainStart(plain, self._start)
        most = None if self._most is None else BELIEFS * self._most
        beliefs = BeliefSearch(self._form, goal, self.watch, optimistic=optimistic, most=most)
        return BeliefStart(beliefs, self._form, self._start.table, self._moves, goal)

    def answer(self) -> HiddenReport:
        """Return the report.

        Raises:
            OutOfReach: another player decides something in the turns that are left.
        """
        try:
            return self._answer()
        except OutOfReach:  # the packed form has met a turn that it does not carry
            self._form, self._exact, self._horizons, self._is_partial = None, None, {}, False
            self._ask(self._asked)
            return self._answer()

    def _answer(self) -> HiddenReport:
        interrupted = False
        options: tuple[Option, ...] = ()
        plan: tuple[Branch, ...] = ()
        instead: tuple[Branch, ...] = ()
        is_first = is_planned = False
        try:
            status = self._searched()
            self.watch.extend(self._limit.time_s)
            options = self._options()
        except LimitHit:
            status = Status.UNKNOWN if self._value is None else Status.FEASIBLE
        except KeyboardInterrupt:
            interrupted, self._rivals = True, False
            status = Status.UNKNOWN if self._value is None else Status.FEASIBLE
        below = self._below
        if self._every is not None and (below is None or not self._tells_all(below)):
            below = max(filter(None, (below, self._every[0])), key=lambda each: each.value_found)
        if status is not Status.OPTIMAL and below is not None and below.value_found > (self._value or 0):
            status = Status.FEASIBLE if self._takes(below) else status
        sure = below is not None and below is self._search and below.is_sure
        restart = below.restart.text if isinstance(below, RestartStart) and self._tells_all(below) else ""
        restart = restart if below is self._search and status is Status.FEASIBLE and not sure else ""
        if self._value is not None:
            with suppress(LimitHit):
                options = options or self._options()
            if not options and self._value:
                options, is_first = self._first_found(), True
            with suppress(LimitHit):
                if sure and (options or isinstance(below, RestartStart)):  # no chance is greater
                    status = Status.OPTIMAL if options else Status.FEASIBLE
                is_first = is_first and status is not Status.OPTIMAL
                if status is Status.OPTIMAL and not self.watch.has_time(PLAN_S):
                    self.watch.go_on(PLAN_S)
                plan = self._plan(options[0].move) if options else ()
                if status is Status.OPTIMAL and self._versus is not None:
                    instead = self._plan(self._versus)
                is_planned = True
        counters = self._search.counters
        behind = Behind(self._search, self.watch, self._ahead, self._horizons)
        return HiddenReport(
            status,
            self._goal,
            self._value,
            self._value if status in (Status.OPTIMAL, Status.INFEASIBLE) else self._bound,
            options if status in (Status.OPTIMAL, Status.INFEASIBLE) or restart else options[:1],
            plan[:BRANCHES],
            1 - sum((branch.probability for branch in plan[:BRANCHES]), Fraction(0)) if plan else Fraction(0),
            Statistics(self.watch.time_s, counters.generated, counters.expanded, self._search.engine),
            interrupted,
            instead=instead[:BRANCHES],
            method=CERTAIN if sure or self._is_partial else RESTARTS if restart else "expectimax",
            left_out=len(self._moves) - len(options) if options and not is_first else 0,
            restart=restart,
            is_cut=isinstance(below, RestartStart) and not below.is_done,
            is_planned=is_planned or self._value is None,
            untold=self._untold(options, status, is_first=is_first) if not restart else 0,
            behind=behind if status is Status.OPTIMAL and not sure else None,
        )

    def _tells_all(self, below: BelowStart) -> bool:
        """Return whether it tells what each open move is worth at least, by play with a restart soon, if at all."""
        return isinstance(below, RestartStart) and below.tells_all(self._moves)

    def _untold(self, options: Sequence[Option], status: Status, *, is_first: bool) -> int:
        """Return of how many moves nothing is told; ``is_first``: of all but one."""
        if is_first:
            return len(self._moves) - 1
        if not options and status is not Status.OPTIMAL:
            return len(self._moves)
        return len(options) - 1 if status not in (Status.OPTIMAL, Status.INFEASIBLE) else 0

    def _searched(self) -> Status:
        goal = self._goal
        if does_forbidden(self._start.pending, goal.forbidden):
            return Status.INFEASIBLE
        there = self._game.progress(self._start.table, goal.seat) >= goal.target
        if is_excluded(self._game, self._start.table, goal):
            return Status.INFEASIBLE
        if goal.objective is Objective.MIN_TURNS:
            if there and not self._start.pending:
                self._value = Fraction(0)
                return Status.OPTIMAL
            return self._expected_turns()
        turns = goal.within_turns or 0
        if goal.objective is Objective.REACH:
            return self._reached(turns)
        self._bound = ceiling(self._game, self._start, goal)
        self._look_for_restarts(turns)
        return Status.INFEASIBLE if self._adopted(turns) is None else Status.OPTIMAL

    def _reached(self, turns: int) -> Status:
        """Find the chance; what can be done in fewer turns is a lower bound."""
        self._bound = Fraction(1)
        is_slow = self._form is None or not self._form.is_bounded  # cards that come from elsewhere make many beliefs
        if self._reached_on_any_day(turns):
            return Status.OPTIMAL if self._value else Status.INFEASIBLE
        if self._look_for_restarts(turns):
            if self._below is not None and self._below.is_sure:
                self._takes(self._below)
            elif self._reached_after_all(turns):
                return Status.OPTIMAL if self._value else Status.INFEASIBLE
        elif is_slow and self._versus is None and self._only is None and not self._start.pending:
            self._look_from_both_sides(turns)
        if self._search is not self._below:
            for ahead in self._lookings(turns) if self._bound else ():
                if self._adopted(ahead) == self._bound:
                    break
        return Status.OPTIMAL if self._value else Status.INFEASIBLE

    def _look_from_both_sides(self, turns: int) -> None:
        """Find chances that a way to play has, and one that none exceeds, each with a part of what may be spent.

        Where they meet, and the whole game has no packed form, that is the answer. Not where a move is asked about: of
        others than those that are as good nothing is known then.
        """
        most = None if self._most is None else int(BELIEFS * self._most * BOUND_PART)
        asked = (self._game, self._start.table, self._moves, self._goal)
        below: list[BelowStart] = []
        floor = floor_start(*asked, self._part(), most)
        if floor is not None:
            floor.look(range(1, turns + 1))
            below.append(floor)
        if self._form is None and not (below and below[0].is_sure):
            above = self._bound = chance_above(self._game, self._start, self._goal, self._part(), most)
            few = few_start(*asked, self._part(), most) if above else None
            if few is not None:
                few.look(range(1, few.turns + 1))
                below.append(few)
            for each in below:
                each.most = above
        self._below = max(below, key=lambda each: each.value_found, default=None)
        if self._form is None and self._below is not None and self._below.is_sure and self._bound:
            self._takes(self._below)

    def _reached_on_any_day(self, turns: int) -> bool:
        """Find the chance where restarts may follow on any turn, in a part of the time; return whether it is told."""
        if not self._restarts or self._form is not None or self._only is not None:
            return False
        limit, most = self._limit, None
        if limit.time_s is not None:
            part = self._part(EVERY_PART)
        elif limit.steady or (self._most or 0) < TIMED:
            part, most = Watch(limit), BELIEFS * (self._most or TIMED)
        else:
            part = Watch(replace(limit, time_s=EVERY_S))
        start = every_day_start(self._game, self._start, self._moves, self._goal, part, most)
        if start is None:
            return False
        self._every = start, part
        return self._goes_on(start, turns)

    def _goes_on(self, start: EveryDayStart, turns: int) -> bool:
        """Go on where the same was cut short before; return whether the chance is told now."""
        with suppress(LimitHit, OutOfReach):
            for ahead in range(1, turns + 1):
                value = start.value(ahead)
                if value == 1 or ahead == turns:
                    start.moves(ahead)
                    self._search, self._value, self._ahead = start, value, ahead
                    return True
        return False

    def _reached_after_all(self, turns: int) -> bool:
        """Find the same with what is left of a time that was given."""
        if self._every is None or self._limit.time_s is None:
            return False
        start, part = self._every
        part.go_on(self._limit.time_s - self.watch.time_s)
        return self._goes_on(start, turns)

    def _look_for_restarts(self, turns: int) -> bool:
        """Find what each move is worth at least to who begins anew soon, if at all; return whether that is open."""
        if not self._restarts or self._form is not None or self._only is not None or self._start.pending or not turns:
            return False
        there = self._game.progress(self._start.table, self._goal.seat) >= self._goal.target
        if there and self._goal.objective is Objective.REACH:
            return False
        limit, most = self._limit, None
        if limit.time_s is not None:
            part = self._part(RESTART_PART)
        elif limit.steady or (self._most or 0) < TIMED:
            part, most = Watch(limit), BELIEFS * (self._most or TIMED)
        else:
            part = Watch(replace(limit, time_s=RESTART_S))
        start = restart_start(self._game, self._start.table, self._moves, self._goal, part, most)
        if start is None:
            return False
        begun = self.watch.time_s
        self._below = start
        start.look(sorted({*range(1, min(turns, AT_ONCE) + 1), turns}))
        if limit.time_s is not None:
            now = self.watch.time_s
            more = max(WHOLE_PART * (limit.time_s - now), now - begun)
            self.watch.extend(min(now + more, limit.time_s))
        return True

    def _part(self, part: float = BOUND_PART) -> Watch:
        """Return a watch with a part of what is left of the time."""
        limit = self._limit
        if limit.time_s is not None:
            limit = replace(limit, time_s=max(0.0, limit.time_s - self.watch.time_s) * part)
        return Watch(limit)

    def _takes(self, below: BelowStart) -> bool:
        """Answer by a smaller game or fewer turns, unless no move is known that has that chance."""
        try:
            with suppress(LimitHit):
                below.moves(below.ahead)
        except OutOfReach:
            return False
        self._search, self._value, self._ahead = below, below.value_found, below.ahead
        self._rivals = False  # it tells only of moves that are as good, or of fewer turns
        return True

    def _lookings(self, turns: int) -> list[int]:
        """Return how many turns to look ahead, one after the other, until all are looked ahead.

        Where play cannot go on for so many turns, those left do not count, and the whole of it is soon asked for.
        """
        lasts = turns if self._form is None else self._form.lasts(self._form.project(self._start.table, max(turns, 1)))
        few = turns if turns < lasts else min(turns, AT_ONCE)
        return sorted({*range(min(1, turns), few + 1), turns})

    def _expected_turns(self) -> Status:
        """Look further and further ahead until what must have arrived and what is taken to arrive are worth the same.

        A policy that surely arrives within some turns has a value; no policy has less than one for which everything
        that has not arrived by then arrives at once. Where only so many turns are given, the chance comes first: unless
        it is 1, it is what is asked for.
        """
        goal = self._goal
        if goal.within_turns is not None:
            rivals = self._rivals
            self._ask(replace(goal, objective=Objective.REACH))
            status = self._reached(goal.within_turns)
            if self._value != 1:
                return status
            self._ask(goal)
            self._rivals = rivals
        dreaming = self._searching(goal, optimistic=True)
        last = HORIZON if goal.within_turns is None else goal.within_turns
        for ahead in range(1, last + 1):
            self._bound = dreaming.value(ahead)
            self._adopted(ahead)
            if self._value is not None and (self._bound == self._value or ahead == goal.within_turns):
                self._compare(dreaming, last)
                return Status.OPTIMAL
            if self._bound is None:
                break
        if self._value is not None:
            return Status.FEASIBLE
        if not self._certain:
            return Status.UNKNOWN
        raise BestlineError(
            "success is not certain as far as was looked, so the expected number of turns is infinite; ask for the "
            "chance instead, with --goal reach --within-turns N"
        )

    def _ask(self, goal: Goal) -> None:
        """Begin anew with another goal."""
        self._goal, self._search = goal, self._searching(goal)
        self._value, self._bound, self._ahead, self._below = None, None, 0, None

    def _compare(self, dreaming: FirstTurn, last: int) -> None:
        """Find the expected turns of all moves, as far as some turns more settle them.

        As for the best move, a value stands where a policy that surely arrives and one that is taken to agree, or where
        no more turns are given. Before that another policy may need fewer turns on average and more at worst.
        """
        values = self._search.moves(self._ahead)
        self._exact = {move: value if value == self._value else None for move, value in values}
        with suppress(LimitHit):
            further = min(last, self._ahead + FURTHER)
            all_given = [last] if self._thorough and further < last == self._goal.within_turns else []
            for turns in [*range(self._ahead, further + 1), *all_given]:
                lacking = [move for move, value in self._exact.items() if value is None]
                is_last = turns == self._goal.within_turns
                if not lacking or not (is_last or self._rivals):
                    break
                real = dict(self._search.moves(turns))
                least = real if is_last else dict(dreaming.moves(turns))
                for move in lacking:
                    if real.get(move) == least.get(move):
                        self._exact[move], self._horizons[move] = real.get(move), turns

    def _adopted(self, turns: int) -> Value:
        """Return the value with so many turns to go, and make it the answer's if there is one."""
        value = self._search.value(turns)
        if value is not None:
            self._value, self._ahead = value, turns
        return value

    # What to do

    def _options(self) -> tuple[Option, ...]:
        if self._value is None:  # no turns were looked ahead for a value, so that nothing is known of any move
            return ()
        values = list(self._exact.items()) if self._exact is not None else self._search.moves(self._ahead)
        turns = self._goal.within_turns or 0
        if self._goal.objective is Objective.REACH and self._value == self._bound and self._ahead < turns:
            values = self._followed(values, turns)
        options = [
            Option(
                move,
                value,
                None if value is None or self._value is None else abs(value - self._value),
                is_settled=value is not None or self._exact is None or move in self._horizons,
            )
            for move, value in values
        ]
        return tuple(self._shortest_first(sorted(options, key=self._order)))

    def _shortest_first(self, options: list[Option]) -> list[Option]:
        """Return moves that are in order, before them one of the best that the turn needs, if there is one.

        Where something lies face down, what is open after a move may hang on it, and no order may tell that.
        """
        if peeks(self._game):
            return options
        alike = takewhile(lambda each: self._order(each)[:-1] == self._order(options[0])[:-1], options)
        needed = (each for each in alike if not may_be_left_out(self._game, self._start, each.move))
        first = next(needed, None) if len(options) > 1 else None
        return options if first is None else [first, *(each for each in options if each is not first)]

    def _first_found(self) -> tuple[Option, ...]:
        """Return a move that has the value found before a limit was hit; nothing where none can be told soon."""
        self._search.go_on()
        with suppress(LimitHit, OutOfReach):
            move = self._search.best(self._ahead, self._moves)
            return () if move is None else (Option(move, self._value, Fraction(0)),)
        return ()

    def _order(self, option: Option) -> tuple[bool, Fraction, int, str]:
        """Return by what options are sorted: of those as good, what was looked ahead for less is there sooner."""
        ahead = self._horizons.get(option.move, self._ahead)
        return option.loss is None, option.loss or Fraction(0), ahead, option.move.text

    def _followed(self, early: list[tuple[Step, Value]], turns: int) -> list[tuple[Step, Value]]:
        """Return what all moves are worth where the best ones are ``early``: nothing is better before the last turn.

        The others have all the turns. Where they cannot be followed for so long, they are left out.
        """
        sure = {move: value for move, value in early if value == self._value}
        if self._rivals and len(sure) < len(self._moves):
            self._rivals = False  # once is enough
            with suppress(LimitHit):
                found = self._search.moves(turns)
                self._horizons = {move: turns for move, _ in found if move not in sure}
                return found
        self._is_partial = len(sure) < len(self._moves)
        return list(sure.items())

    def _plan(self, best: Step) -> tuple[Branch, ...]:
        """Return a move with the best moves of the first turn that answer each result of chance."""
        branches = self._search.plan(best, self._horizons.get(best, self._ahead))
        return tuple(sorted(branches, key=lambda branch: (-branch.probability, branch.seen)))
