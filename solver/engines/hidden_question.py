"""One question with hidden chance, answered exactly: the best policy's value, every move compared, and a plan."""

from __future__ import annotations

from bisect import bisect_left
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import takewhile
from typing import Any, Final

from puzzles.goal import Goal, Objective, allowed_steps, does_forbidden
from rules.core.race import Race, Unsupported, hides
from rules.core.scripts import Step
from rules.core.turns import State
from solver.encodings.turns import encoding_module, hidden_values, least_turns
from solver.question import CERTAIN, SETTLED, Answer, Continuation, MoveValue, Statistics, Status, may_be_left_out
from solver.search.budget import GRACE_S, Budget, BudgetExceeded
from solver.search.expectimax import Expectimax, Value
from solver.search.first_turn import Branch, FirstTurn

TURNS: Final = 150_000
"""Ways through turns looked at where no time is given; the same answer on every machine."""
FURTHER: Final = 2
"""Turns looked further ahead for moves that are not certain to arrive as soon as the best one."""
BRANCHES: Final = 200
"""Results of chance that a plan tells apart at most, the likeliest first."""
HORIZON: Final = 60
"""Turns looked ahead at most where a question with hidden chance sets no limit."""
ENTRY_BYTES: Final = 128
"""Memory for each value that an encoding may keep, beside what it is found by."""
BOUND_TURNS: Final = 6
"""Turns up to which the bound is asked how far they lead."""


@dataclass
class HiddenQuestion:
    """One question on its way to an answer."""

    game: Race[Any]
    start: State[Any]
    goal: Goal
    limit: Budget
    most: int = TURNS
    """Ways through turns looked at where no time is given."""
    rivals: bool = True
    """Moves that lose something are followed further than the best one needs, to tell how much."""
    thorough: bool = False
    """They are followed for all the turns given."""
    among_others: bool = False
    """In the turns given, only the seat of the goal may have to decide anything."""
    versus: Step | None = None
    """A move of which the plan is wanted as well."""
    is_uncertain: bool = False
    """The search is over, and no way to play that is certain to arrive was found: expected turns are infinite."""

    def __post_init__(self) -> None:
        self._moves = allowed_steps(self.game.legal_moves(self.start), self.goal.forbidden)
        self._only = self.goal.seat if self.among_others else None
        self._most = None if self.limit.time_s is not None else self.most
        self._encoded = True
        self.budget = self.limit.start()
        self._ask(self.goal)

    def _ask(self, goal: Goal) -> None:
        """Begin anew with a goal."""
        self._goal, self._search, self._rivals = goal, self._searching(goal), self.rivals
        self._value: Fraction | None = None
        self._bound: Fraction | None = None
        self._ahead = 0
        """Turns looked ahead for the value."""
        self._exact: dict[Step, Value] | None = None
        """Expected turns of moves as far as they are settled; none where what was looked ahead for settles all."""
        self._horizons: dict[Step, int] = {}
        """Turns looked ahead for what a move is worth, where these are not those of the best one."""
        self._sure: FirstTurn | None = None
        """What has found that success is certain, and tells no other chance."""
        self._is_partial = False
        """Moves that may fail were not followed for all the turns given, so that nothing is said of them."""

    def _searching(self, goal: Goal, *, optimistic: bool = False) -> FirstTurn:
        asked = (self.game, self.start, goal, self.budget)
        return first_turn(*asked, most=self._most, optimistic=optimistic, only=self._only, encoded=self._encoded)

    def _certainty(self, turns: int) -> FirstTurn | None:
        """Return what finds soon that success is certain within some turns, where there is such a thing."""
        if not self._encoded or self._only is not None:
            return None
        goal = replace(self._goal, objective=Objective.REACH, within_turns=turns)
        found = first_turn(self.game, self.start, goal, self.budget, most=self._most, certain=True)
        return found if found.engine == "encoded" else None

    def answer(self) -> Answer[Fraction]:
        """Return the report.

        Raises:
            Unsupported: another player decides something in the turns that are left.
        """
        try:
            return self._answer()
        except Unsupported:
            if not self._encoded or self._only is not None:
                raise
            self._encoded = False  # the encoding has met a turn that it does not carry
            self._ask(self.goal)
            return self._answer()

    def _answer(self) -> Answer[Fraction]:
        interrupted = is_cut = False
        options: tuple[MoveValue[Fraction], ...] = ()
        plan: tuple[Branch, ...] = ()
        instead: tuple[Branch, ...] = ()
        status = Status.UNKNOWN
        try:
            status = self._searched()
            self.budget.extend(self.limit.time_s)
            options = self._options()
        except BudgetExceeded:
            is_cut = True
            if status not in SETTLED and self._value is not None:
                status = Status.OPTIMAL if self._value == self._bound else Status.FEASIBLE
        except KeyboardInterrupt:
            interrupted, self._rivals = True, False
            status = Status.UNKNOWN if self._value is None else Status.FEASIBLE
        if self._value is not None:
            if not options and self._sure is not None:
                self.budget.go_on(GRACE_S)
                with suppress(BudgetExceeded):
                    options = self._options()
            if not options and self._value:
                options = self._first_found()
                if is_cut and status is Status.OPTIMAL:
                    self._is_partial, status = True, status if options else Status.FEASIBLE
            with suppress(BudgetExceeded):
                if status in SETTLED and not self.budget.has_time(GRACE_S):
                    self.budget.go_on(GRACE_S)
                plan = self._plan(options[0].move) if options and not self._is_hopeless else ()
                if status is Status.OPTIMAL and self.versus is not None:
                    instead = self._plan(self.versus)
        counters = self._search.counters
        others = len(self._moves) - len(options)
        shown = sum((branch.probability for branch in plan[:BRANCHES]), Fraction(0))
        later = Continuation(self._search, self.budget, self._ahead, self._horizons)
        return Answer(
            status,
            self._value,
            self._value if status in SETTLED else self._bound,
            statistics=Statistics(self.budget.elapsed_s, counters.generated, counters.expanded, self._search.engine),
            interrupted=interrupted,
            moves=options,
            goal=self._goal,
            method=CERTAIN if self._is_partial else "expectimax",
            left_out=others if options and status in SETTLED else 0,
            unproved=0 if status in SETTLED else others,
            plan=plan[:BRANCHES],
            omitted=1 - shown if plan else Fraction(0),
            instead=instead[:BRANCHES],
            continuation=later if status is Status.OPTIMAL else None,
        )

    def _searched(self) -> Status:
        goal = self._goal
        table, turns = self.start.table, goal.within_turns or 0
        if does_forbidden(self.start.pending, goal.forbidden):
            return Status.INFEASIBLE
        if goal.objective is Objective.MIN_TURNS:
            if not self.start.pending and self.game.progress(table, goal.seat) >= goal.target:
                self._value = Fraction(0)
                return Status.OPTIMAL
            return self._expected_turns()
        self._bound = ceiling(self.game, table, goal)
        if goal.objective is Objective.REACH:
            return self._reached(turns)
        return Status.INFEASIBLE if self._adopted(turns) is None else Status.OPTIMAL

    def _reached(self, turns: int) -> Status:
        """Find the chance; what can be done in fewer turns is a lower bound."""
        self._bound, sure = ceiling(self.game, self.start.table, self._goal), self._certainty(turns)
        for ahead in range(min(1, turns), turns + 1):
            if self._is_hopeless:
                self._value, self._ahead = Fraction(0), turns
                break
            if sure is not None and sure.value(ahead) == 1:
                self._value, self._ahead, self._sure = Fraction(1), ahead, sure
                break
            if self._adopted(ahead) == self._bound:
                break
        return Status.OPTIMAL if self._value else Status.INFEASIBLE

    @property
    def _is_hopeless(self) -> bool:
        """Whether the bound excludes that any move leads to the goal."""
        return self._goal.objective is Objective.REACH and self._bound == 0

    def _expected_turns(self) -> Status:
        """Look further and further ahead until what must have arrived and what is taken to arrive are worth the same.

        A policy that surely arrives within some turns has a value; no policy has less than one for which everything
        that has not arrived by then arrives at once. Nor has one less than the sum of the chances not to have arrived
        after 0, 1, 2, … turns, each the least there is. Where only so many turns are given, the chance comes first:
        unless it is 1, it is what is asked for.
        """
        goal = self._goal
        if goal.within_turns is not None:
            self._ask(replace(goal, objective=Objective.REACH))
            status = self._reached(goal.within_turns)
            if self._value != 1:
                return status
            self._ask(goal)
        dreaming = self._searching(goal, optimistic=True)
        last = HORIZON if goal.within_turns is None else goal.within_turns
        sure, arriving = self._certainty(last), None
        if sure is not None:  # the rules alone would take as long for each chance as for the turns
            arriving = self._searching(replace(goal, objective=Objective.REACH, within_turns=last))
        self._bound = ceiling(self.game, self.start.table, goal)
        first = max(1, int(self._bound or 0))
        late = Fraction(first - 1)
        for ahead in range(first, last + 1):
            if arriving is not None:
                late += 1 - (arriving.value(ahead - 1) or 0)
                self._bound = late
            if sure is not None and self._value is None and sure.value(ahead) == 1:
                self._value, self._ahead, self._sure = Fraction(ahead), ahead, sure
            least = dreaming.value(ahead)
            self._bound = None if least is None else max(least, late)
            self._adopted(ahead)
            if self._value is not None and (self._bound == self._value or ahead == goal.within_turns):
                self._compare(dreaming, last)
                return Status.OPTIMAL
            if self._bound is None:
                break
        if self._value is not None:
            return Status.FEASIBLE
        self.is_uncertain = True
        return Status.UNKNOWN

    def _compare(self, dreaming: FirstTurn, last: int) -> None:
        """Find the expected turns of all moves, as far as some turns more settle them.

        As for the best move, a value stands where a policy that surely arrives and one that is taken to agree, or where
        no more turns are given. Before that another policy may need fewer turns on average and more at worst.
        """
        values = self._search.moves(self._ahead)
        self._exact = {move: value if value == self._value else None for move, value in values}
        with suppress(BudgetExceeded):
            further = min(last, self._ahead + FURTHER)
            all_given = [last] if self.thorough and further < last == self._goal.within_turns else []
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
            self._value, self._ahead, self._sure = value, turns, None
        return value

    # What to do

    def _options(self) -> tuple[MoveValue[Fraction], ...]:
        if self._value is None:  # no turns were looked ahead for a value, so that nothing is known of any move
            return ()
        if self._goal.objective is Objective.REACH and self._value == 1:  # what else is certain need not be known
            self.budget.go_on(max(GRACE_S, self.budget.elapsed_s))
        values: list[tuple[Step, Value]]
        if self._is_hopeless:
            values = [(move, self._value) for move in self._moves]
        elif self._sure is not None:
            values = [(move, self._value) for move, value in self._sure.moves(self._ahead) if value == 1]
            self._is_partial = len(values) < len(self._moves)
        elif self._exact is not None:
            values = list(self._exact.items())
        else:
            values = self._search.moves(self._ahead)
        turns = self._goal.within_turns or 0
        follows = self._ahead < turns or self._sure is not None
        if self._goal.objective is Objective.REACH and self._value == self._bound and follows:
            values = self._followed(values, turns)
        options = [
            MoveValue(
                move,
                value,
                None if value is None or self._value is None else abs(value - self._value),
                is_settled=value is not None or self._exact is None or move in self._horizons,
            )
            for move, value in values
        ]
        return tuple(self._shortest_first(sorted(options, key=self._order)))

    def _shortest_first(self, options: list[MoveValue[Fraction]]) -> list[MoveValue[Fraction]]:
        """Return moves that are in order, before them one of the best that the turn needs, if there is one."""
        alike = takewhile(lambda each: self._order(each)[:-1] == self._order(options[0])[:-1], options)
        needed = (each for each in alike if not may_be_left_out(self.game, self.start, each.move))
        first = next(needed, None) if len(options) > 1 else None
        return options if first is None else [first, *(each for each in options if each is not first)]

    def _first_found(self) -> tuple[MoveValue[Fraction], ...]:
        """Return a move that has the value found before a limit was hit; nothing where none can be told soon."""
        self.budget.go_on(GRACE_S)
        with suppress(BudgetExceeded, Unsupported):
            move = (self._sure or self._search).best(self._ahead, ())
            return () if move is None else (MoveValue(move, self._value, Fraction(0)),)
        return ()

    def _order(self, option: MoveValue[Fraction]) -> tuple[bool, Fraction, int, str]:
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
            with suppress(BudgetExceeded):
                found = self._search.moves(turns)
                self._horizons = {move: turns for move, _ in found if move not in sure}
                return found
        self._is_partial = len(sure) < len(self._moves)
        return list(sure.items())

    def _plan(self, best: Step) -> tuple[Branch, ...]:
        """Return a move with the best moves of the first turn that answer each result of chance."""
        search = self._search if self._sure is None or best in self._horizons else self._sure
        if search is self._sure and self._goal.objective is Objective.MIN_TURNS:
            return ()  # it tells chances, not turns
        branches = search.plan(best, self._horizons.get(best, self._ahead))
        return tuple(sorted(branches, key=lambda branch: (-branch.probability, branch.seen)))


# The search over the fastest form


def first_turn(
    game: Race[Any],
    start: State[Any],
    goal: Goal,
    budget: Budget,
    *,
    most: int | None = None,
    optimistic: bool = False,
    certain: bool = False,
    only: int | None = None,
    encoded: bool = True,
) -> FirstTurn:
    """Return the first turn of a question with hidden chance, over the fastest form that carries it.

    ``most`` ways through turns are looked at. ``only`` that seat may have to decide anything, where it is given.
    ``optimistic``: what has not arrived when no turns are left is taken to arrive at once. ``certain``: to an encoding
    a chance below 1 counts as none. Without ``encoded`` the rules themselves play all turns.

    Raises:
        Unsupported: something lies face down.
    """
    if hides(game, start.table):
        raise Unsupported
    search = Expectimax(game, goal, budget, optimistic, most, only)
    if encoded and only is None:
        turns = HORIZON if goal.within_turns is None else max(1, goal.within_turns)
        memory = budget.max_states * ENTRY_BYTES
        asked = (game, start.table, goal, turns, memory, search.pause)
        search.values = hidden_values(*asked, optimistic=optimistic, certain=certain)
    return FirstTurn(search, start)


def venture_odds(game: Race[Any], table: Any, seat: int, begin: str | None, *, at_once: bool = False) -> Any:
    """Return the chances of a card of a seat over the encoding of the game, or nothing where none carries it.

    ``begin`` is a hand card begun now, or none for the one under way; ``at_once`` lets nothing come before it.
    """
    module = encoding_module(game, "hidden.ventures")
    return None if module is None else module.venture_odds(game, table, seat, begin, at_once=at_once)


# Bounds


def ceiling(game: Race[Any], table: Any, goal: Goal) -> Fraction | None:
    """Return what no way to play exceeds, not even one that knows all cards; none where nothing is known.

    A distance short of the usual target; a chance, 0 or 1; or a number of turns that none falls below.
    """
    least = least_turns(game, table, goal)
    if goal.objective is Objective.REACH:
        return Fraction(goal.within_turns is None or least(goal.target) <= goal.within_turns)
    if goal.objective is Objective.MIN_TURNS:
        return Fraction(least(goal.target))
    if goal.within_turns is None or goal.within_turns > BOUND_TURNS:
        return None
    turns, here = goal.within_turns, game.progress(table, goal.seat)
    targets = range(here + 1, game.default_target() + 1)
    excluded = bisect_left(targets, True, key=lambda target: least(target) > turns)
    return Fraction(here + excluded) if excluded < len(targets) else None
