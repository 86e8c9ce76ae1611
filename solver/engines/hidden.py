"""Questions with hidden chance: the best policy's value, every move compared, and a plan.

They are answered exactly where that is within reach, otherwise by playouts.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import takewhile
from typing import Any, Final
from weakref import proxy

from puzzles.puzzle import Goal, Objective, allowed_steps, does_forbidden
from rules.core.errors import BestlineError, UnsupportedRuleset
from rules.core.position import Position
from rules.core.race import Race, Unsupported, hides
from rules.core.scripts import Step
from rules.core.turns import State
from solver.encodings import ceiling, hidden_values
from solver.engines.playouts import Comparison, is_far
from solver.question import CERTAIN, IDLE, Answer, Continuation, MoveValue, Question, Statistics, Status, is_optional
from solver.search.budget import GRACE_S, Budget, BudgetExceeded
from solver.search.expectimax import Branch, Expectimax, FirstTurn, Value, chance_of

TURNS: Final = 150_000
"""Ways through turns looked at where no time is given; the same answer on every machine."""
FURTHER: Final = 2
"""Turns looked further ahead for moves that are not certain to arrive as soon as the best one."""
BRANCHES: Final = 200
"""Results of chance that a plan tells apart at most, the likeliest first."""
FIRST_TURNS: Final = 12_000
"""Ways through turns looked at before moves are compared by playouts instead, where no time is given."""
WAYS_FOR_A_PLAYOUT: Final = 4
"""Likewise for every playout, where their number is given."""
RESERVE: Final = 0.3
"""Part of the time that is kept for playouts where exact search does not answer."""
FIRST_PART: Final = 0.02
"""Part of the time for playouts before, so that a move is there at once."""
LEAST_PART: Final = 0.1
"""Part of the time that exact search has at least, however long loading has taken."""
HORIZON: Final = 60
"""Turns looked ahead at most where a question with hidden chance sets no limit."""
ENTRY_BYTES: Final = 128
"""Memory for each value that an encoding may keep, beside what it is found by."""


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
    only: int | None = None
    """In the turns given, only this seat may have to decide anything, where there is one."""
    versus: Step | None = None
    """A move of which the plan is wanted as well."""
    is_uncertain: bool = False
    """The search is over, and no way to play that is certain to arrive was found: expected turns are infinite."""

    def __post_init__(self) -> None:
        self._moves = allowed_steps(self.game.legal_moves(self.start), self.goal.forbidden)
        self._most = None if self.limit.time_s is not None else self.most
        self.budget = self.limit.start()
        self._ask(self.goal)

    def _ask(self, goal: Goal) -> None:
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
        return first_turn(*asked, most=self._most, optimistic=optimistic, only=self.only)

    def _certainty(self, turns: int) -> FirstTurn | None:
        """Return what finds soon that success is certain within some turns, where there is such a thing."""
        if self.only is not None:
            return None
        goal = replace(self._goal, objective=Objective.REACH, within_turns=turns)
        found = first_turn(self.game, self.start, goal, self.budget, most=self._most, certain=True)
        return found if found.engine == "encoded" else None

    def _succeeds(self, sure: FirstTurn | None, turns: int) -> bool:
        return sure is not None and sure.engine == "encoded" and sure.value(turns) == 1

    def answer(self) -> Answer[Fraction]:
        """Return the report.

        Raises:
            Unsupported: another player decides something in the turns that are left.
        """
        interrupted = is_cut = False
        options: tuple[MoveValue[Fraction], ...] = ()
        plan: tuple[Branch, ...] = ()
        instead: tuple[Branch, ...] = ()
        status = Status.UNKNOWN
        try:
            status = self._searched()
            self.budget.time_s = self.limit.time_s
            options = self._options()
        except BudgetExceeded:
            is_cut = True
            if not status.is_settled and self._value is not None:
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
                if status.is_settled and not self.budget.has_time(GRACE_S):
                    self.budget.go_on(GRACE_S)
                plan = self._plan(options[0].move) if options and not self._is_hopeless else ()
                if status is Status.OPTIMAL and self.versus is not None:
                    instead = self._plan(self.versus)
        counters = self._search.counters
        later = Continuation(self._search, self.budget, self._ahead, self._horizons)
        return Answer(
            status,
            self._value,
            self._value if status.is_settled else self._bound,
            statistics=Statistics(self.budget.elapsed_s, counters.generated, counters.expanded, self._search.engine),
            interrupted=interrupted,
            moves=options,
            goal=self._goal,
            method=CERTAIN if self._is_partial else "expectimax",
            besides=len(self._moves) - len(options) if options or not status.is_settled else 0,
            plan=plan[:BRANCHES],
            omitted=1 - chance_of(plan[:BRANCHES]) if plan else Fraction(0),
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
            if self._succeeds(sure, ahead):
                self._value, self._ahead, self._sure = Fraction(1), ahead, sure
                break
            if self._adopted(ahead) == self._bound:
                break
        return Status.OPTIMAL if self._value else Status.INFEASIBLE

    @property
    def _is_hopeless(self) -> bool:
        return self._goal.objective is Objective.REACH and self._bound == 0

    def _expected_turns(self) -> Status:
        """Look further and further ahead until what must have arrived and what is taken to arrive are worth the same.

        A policy that surely arrives within some turns has a value. No policy has less than one for which everything
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
            if arriving is not None and arriving.engine == "encoded":
                late += 1 - (arriving.value(ahead - 1) or 0)
                self._bound = late
            if self._value is None and self._succeeds(sure, ahead):
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

        A value stands where a policy that surely arrives and one that is taken to agree, or where no more turns are
        given. Before that another policy may need fewer turns on average and more at worst.
        """
        self._exact = {move: value if value == self._value else None for move, value in self._search.moves(self._ahead)}
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
        if (value := self._search.value(turns)) is not None:
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
        options.sort(key=self._order)
        # One of the best that the turn needs comes before all that it does not need, if there is one.
        alike = takewhile(lambda each: self._order(each)[:-1] == self._order(options[0])[:-1], options)
        needed = (each for each in alike if not is_optional(self.game, self.start, each.move))
        first = next(needed, None) if len(options) > 1 else None
        return tuple(options if first is None else (first, *(each for each in options if each is not first)))

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
) -> FirstTurn:
    """Return the first turn of a question with hidden chance, over the fastest form that carries it.

    ``most`` ways through turns are looked at. ``only`` that seat may have to decide anything, where it is given.
    ``optimistic``: what has not arrived when no turns are left is taken to arrive at once. ``certain``: to an encoding
    a chance below 1 counts as none.

    Raises:
        Unsupported: something lies face down, and the goal is not reached yet.
    """
    arrived = goal.objective is not Objective.MAX_DISTANCE and game.progress(start.table, goal.seat) >= goal.target
    if hides(game, start.table) and not arrived:
        raise Unsupported
    search = Expectimax(game, goal, budget, optimistic, most, only)
    if only is None:
        turns = HORIZON if goal.within_turns is None else max(1, goal.within_turns)
        here = proxy(search)  # it keeps the values: a cycle would hold their memory until it is looked for
        asked = (game, start.table, goal, turns, budget.max_states * ENTRY_BYTES, lambda: here.pause())
        search.values = hidden_values(*asked, optimistic=optimistic, certain=certain)
    return FirstTurn(search, start)


# Exact answers and playouts


def best_hidden(question: Question, *, rivals: bool = True) -> Answer[Fraction]:
    """Return every open move compared: exactly where that is within reach, otherwise by playouts.

    Exact search has all of the time but a reserve, and playouts have that. Without ``rivals`` moves that lose something
    are not followed further than the best one needs.

    Raises:
        UnsupportedRuleset: the game has no progress.
    """
    goal, limit, playouts = question.own_goal, question.limit, question.playouts
    game, start = question.position.start()
    fewest = goal.objective is Objective.MIN_TURNS
    if fewest and not start.pending and game.progress(start.table, goal.seat) >= goal.target:
        return HiddenQuestion(game, start, goal, limit).answer()  # nothing is left to do, whatever is hidden
    comparison, time_s = Comparison(question), limit.time_s
    among_others = question.position.players > 1
    if among_others:
        # Who asks about the own turn alone and sees all that does not come by chance: the others do not count then.
        own = game.to_act(start) == goal.seat == game.to_act(State(start.table))
        among_others = own and goal.within_turns == 1 and game.is_common(start.table, goal.seat)
        if not among_others and not does_forbidden(start.pending, goal.forbidden):
            return comparison.sampled()
    try:
        if time_s is not None and not among_others:
            comparison.run(comparison.budget.elapsed_s + FIRST_PART * time_s)
            if comparison.interrupted:
                return comparison.stopped()
        if time_s is not None:
            part = LEAST_PART if not among_others and is_far(game, start, goal) else 1 - RESERVE
            time_s = max(LEAST_PART * time_s, part * time_s - comparison.budget.elapsed_s)
        most = FIRST_TURNS if playouts is None else WAYS_FOR_A_PLAYOUT * playouts
        only = goal.seat if among_others else None
        asked = (game, start, goal, replace(limit, time_s=time_s), most, rivals, False, only, question.versus)
        exact = HiddenQuestion(*asked).answer()
    except Unsupported:  # another player decides something
        return comparison.sampled()
    except KeyboardInterrupt:
        return comparison.stopped()
    is_enough = among_others or exact.value == exact.bound
    is_chance = exact.goal is not None and exact.goal.objective is Objective.REACH
    is_advice = exact.moves and (exact.value or not is_chance)  # it names a move that is good for something
    if exact.status.is_settled or (exact.interrupted and is_enough and is_advice):
        return replace(exact, others=IDLE) if among_others else exact
    comparison.ask(exact.answered)
    if exact.interrupted:
        return comparison.stopped(exact)
    is_certain = fewest and exact.answered.objective is Objective.MIN_TURNS and exact.moves
    return exact if is_certain else comparison.sampled(exact)  # what is certain to arrive is advice


def solve_hidden(position: Position, goal: Goal, limit: Budget | None = None) -> Answer[Fraction]:
    """Return the best policy's value, exact or between bounds, with every open move compared.

    Raises:
        UnsupportedRuleset: several players have turns, or the game has no progress.
        BestlineError: success is not certain within the turns looked ahead and the goal sets no limit.
    """
    game = position.game
    if position.players > 1:
        raise UnsupportedRuleset([f"solving for {position.players} players ('best' compares moves among several)"])
    # What a move may fail in all the turns given can take much longer than the answer, and is for 'best' to tell.
    rivals = goal.objective is Objective.MIN_TURNS
    try:
        asked = HiddenQuestion(game, position.start()[1], goal, limit or Budget(), rivals=rivals)
        answer = asked.answer()
    except Unsupported:
        what = "solving while a card lies face down before a player ('best' compares moves by playouts)"
        raise UnsupportedRuleset([what]) from None
    if asked.is_uncertain:
        raise BestlineError(
            "success is not certain as far as was looked, so the expected number of turns is infinite; ask for the "
            "chance instead, with --goal reach --within-turns N"
        )
    return answer
