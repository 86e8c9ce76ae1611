"""The values of the states of a recorded game: exact ones by search, and by samples what chance brought.

Luck is a difference of two playouts of plain play, from before and from after what came up. Both measure the distance
after the same turn and read nothing that is hidden. Draws that are still unknown are the same in both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from math import sqrt
from typing import Any, Final, NamedTuple

from puzzles.puzzle import Goal, Objective
from rules.core.position import Position
from rules.core.race import Race, Unsupported, hides
from rules.core.scripts import CHANCE, OVER, ChanceOutcome, Step
from rules.core.turns import State
from solver.engines.contest import ContestQuestion
from solver.engines.hidden import HiddenQuestion, first_turn
from solver.engines.open_search import OpenSearch
from solver.engines.playouts import RowTrees, is_far, row_trees
from solver.engines.sampled import average, interval
from solver.question import Answer, Question, Status
from solver.search.budget import Budget, BudgetExceeded
from solver.search.expectimax import FirstTurn
from solver.search.rollout import AHEAD

STEP_TURNS: Final = 5_000
"""Turns looked at for each step where no time is given; what one leaves is for those before it."""
EXACT_PART: Final = 0.5
"""Part of the time for exact values where something is hidden, or several play."""
BRANCHES: Final = 60
"""Most results of one chance event of several seats that are valued."""
PAIRS: Final = 60
"""Most pairs of playouts for what chance brought between two decisions, where no time is given."""
ALL_PAIRS: Final = 600
"""Most pairs of playouts for all that chance brought, where no time is given."""
LEAST: Final = 4
"""Pairs under which nothing is said."""
TURNS: Final = 9
"""Own turns after which the distance is taken, the one under way included."""


class Value(NamedTuple):
    """The best value from one state."""

    value: Fraction | None = None
    """None where the goal is impossible, or where it is not known."""
    is_known: bool = False
    best: str = ""
    """A best move from there; empty where chance comes next or nothing helps."""


class Guess(NamedTuple):
    """What a sample says of a decision."""

    best: str
    """The best move that it finds."""
    value: Fraction
    """The value of that move."""
    goal: Goal | None
    """What is measured; none for the game against others."""
    loss: Fraction
    """How much less the move that was made is worth, 0 or more."""
    verdict: str
    """How sure that is: ``decided``, ``close`` or ``undecided``."""
    interval: tuple[float, float] | None = None
    """Where the value of the best move lies with 95 % confidence."""


class RecordValues:
    """The best values from the states of one record: by a goal of one seat, or for the first of two who play to win."""

    def __init__(self, position: Position, goal: Goal | None, limit: Budget) -> None:
        self._game, self._start = position.start()
        self._position, self._goal, self._limit = position, goal, limit.start()
        self._hidden = bool(position.hidden)
        self._exact = limit.part(EXACT_PART if self._hidden or goal is None else 1.0).start()
        """The time for exact values."""
        self._last = None
        if goal is not None and goal.within_turns is not None:
            self._last = goal.within_turns + self._game.turns(self._start.table, goal.seat)
        self._budget = limit.start()
        self._search: FirstTurn | None = None
        """The search for hidden chance; none before it is needed."""
        self._most: int | None = None
        self._known: dict[State[Any], Value] = {}
        """Values of those who play to win."""
        self.interrupted = False

    def is_met(self, state: State[Any]) -> bool:
        """Return whether a goal of one seat is met, or no turn is left for it."""
        goal = self._goal
        if state.pending or goal is None:
            return False
        there = self._game.progress(state.table, goal.seat) >= goal.target
        return self.left(state) == 0 or (there and goal.objective is not Objective.MAX_DISTANCE)

    def left(self, state: State[Any]) -> int | None:
        """Return the turns left for the goal, none where it sets no limit."""
        if self._goal is None or self._last is None:
            return None
        return max(0, self._last - self._game.turns(state.table, self._goal.seat))

    def part_of_time(self, part: float) -> Budget:
        """Return a part of the time that is left as a limit; none where no time is given."""
        return self._limit.within(None, self._limit.states).part(part)

    def of_all(self, states: Sequence[State[Any]]) -> list[Value]:
        """Return the best value of each state.

        The last comes first, since those before it need its results and have what it leaves of the time. Those that
        are not known are looked at once more with what is left in the end.
        """
        values = [Value()] * len(states)
        if self._goal is not None and self._hidden and any(hides(self._game, state.table) for state in states):
            return values  # exact values would know what nobody sees
        self._most = None if self._limit.time_s is not None else STEP_TURNS * len(states)
        with suppress(KeyboardInterrupt):
            for _ in range(1 if self._goal is None else 2):
                unknown = [place for place in reversed(range(len(states))) if not values[place].is_known]
                for done, place in enumerate(unknown):
                    limit = self._exact.within(None, self._limit.states).part(1 / (len(unknown) - done))
                    if limit.time_s == 0:  # a form takes its time to lay out before it looks at any clock
                        return values
                    value = self._of(states[place], limit)
                    values[place] = value if value.is_known else Value()
            return values
        self.interrupted = True
        return values

    def _of(self, state: State[Any], limit: Budget) -> Value:
        """Return the best value of a state.

        Raises:
            KeyboardInterrupt: the user stopped it.
        """
        if self._goal is None:
            return self._won(state, limit)
        goal = replace(self._goal, within_turns=self.left(state))
        answer: Answer[Any]
        if not self._hidden:
            answer = OpenSearch(self._game, state, goal, limit).answer()
            best, is_asked = [step.text for turn in answer.line[:1] for step in turn.steps], True
        elif goal.objective is not Objective.MIN_TURNS:
            return self._expected(goal, state, limit)
        elif is_far(self._game, state, goal):
            return Value()
        else:
            answer = HiddenQuestion(self._game, state, goal, limit, STEP_TURNS, rivals=False).answer()
            best = [each.move.text for each in answer.moves]
            is_asked = answer.answered.objective is Objective.MIN_TURNS
        if answer.interrupted:
            raise KeyboardInterrupt
        value = Fraction(answer.value) if is_asked and answer.value is not None else None
        return Value(value, answer.status.is_settled, "".join(best[:1]))

    def _expected(self, goal: Goal, state: State[Any], limit: Budget, *, encoded: bool = True) -> Value:
        """Return a value where something is hidden and no number of turns is asked for."""
        left = goal.within_turns or 0
        # One search from the start of the record serves all its states.
        if self._search is None or not encoded:
            asked = (self._game, self._start, self._goal or goal, self._budget)
            self._search = first_turn(*asked, most=self._most, encoded=encoded)
        if limit.time_s is not None:
            self._budget.go_on(limit.time_s)
        first, best = self._search.later(state), None
        try:
            value = first.value(left)
            with suppress(BudgetExceeded):
                best = first.best(left, ())
        except BudgetExceeded:
            return Value()
        except Unsupported:
            return self._expected(goal, state, limit, encoded=False) if encoded else Value()
        return Value(value, True, best.text if best else "")

    def _won(self, state: State[Any], limit: Budget) -> Value:
        """Return what the first of two seats has at the best play of both, where all see the same."""
        game, actor = self._game, self._game.to_act(state)
        if state in self._known:
            return self._known[state]
        if actor == OVER:
            return Value(game.payoffs(state.table)[0], True)
        if game.players != 2 or game.is_secret(state.table) or not game.is_common(state.table):
            return Value()
        value, best = Fraction(0), ""
        if actor == CHANCE:
            outcomes = game.chance_outcomes(state)
            for outcome in outcomes:
                after = self._won(game.apply(state, outcome).state, limit) if len(outcomes) <= BRANCHES else Value()
                if after.value is None:
                    return Value()
                value += outcome.probability * after.value
        else:
            report = ContestQuestion(Question(self._position.after(state), limit=limit)).answer()
            if report.interrupted:
                raise KeyboardInterrupt
            if report.status is not Status.OPTIMAL or report.value is None:
                return Value()
            value, best = report.value, report.moves[0].move.text
            value = sum(game.payoffs(state.table), Fraction(0)) - value if actor else value
        self._known[state] = Value(value, True, best)
        return self._known[state]


class Luck(NamedTuple):
    """What chance brought, in units of progress."""

    luck: Fraction
    """The mean over the playouts; less than 0 for bad luck."""
    interval: tuple[float, float]
    """Where it lies with 95 % confidence."""
    turns: int
    """Own turns after which the distance is taken, the one under way included."""
    draws: int
    """Results of chance that it is about."""

    @property
    def is_settled(self) -> bool:
        """Whether it is luck for sure, or bad luck."""
        low, high = self.interval
        return low > 0 or high < 0


def sampled_luck(
    game: Race[Any], goal: Goal, states: Sequence[State[Any]], steps: Sequence[Step], limit: Budget, *, seed: int
) -> dict[int, Luck]:
    """Return what chance brought, by the place of the last of the results that it is about.

    ``goal`` is that of the first of ``states``; each of ``steps`` leads from one to the next. Nothing is said where the
    goal is not far.
    """
    stretches = dict(_stretches(game, goal, states, steps, seed))
    pairs = {last: list[float]() for last in stretches}
    budget = limit.start()
    most = max(LEAST, min(PAIRS, ALL_PAIRS // (len(stretches) or 1)))
    with suppress(BudgetExceeded):
        while stretches and (limit.time_s is not None or any(len(each) < most for each in pairs.values())):
            for last, (_, _, sides) in stretches.items():
                budget.check()
                spent_s = sum(side.spent_s for side in sides)
                before, after = (float(side.play(side.here(), len(pairs[last]))) for side in sides)
                pairs[last].append(after - before)
                budget.spend(sum(side.spent_s for side in sides) - spent_s)
    return {
        last: Luck(average(pairs[last]), interval(pairs[last], sum(side.width for side in sides)), turns, draws)
        for last, (draws, turns, sides) in stretches.items()
        if len(pairs[last]) >= LEAST
    }


def _stretches(
    game: Race[Any], goal: Goal, states: Sequence[State[Any]], steps: Sequence[Step], seed: int
) -> Iterator[tuple[int, tuple[int, int, Sequence[RowTrees]]]]:
    """Yield the last places of results of chance between two decisions, as long as the goal is far.

    With them come their number, the own turns played after them, and playouts from before them and from after them.
    """
    first, end = game.turns(states[0].table, goal.seat), 0
    for is_luck, group in groupby(steps, lambda step: isinstance(step, ChanceOutcome)):
        begin = end
        end += len(list(group))
        before, after = states[begin], states[end]
        left = None if goal.within_turns is None else goal.within_turns - game.turns(before.table, goal.seat) + first
        if not is_luck or (left is not None and left <= AHEAD):
            continue
        turns = TURNS if left is None else min(TURNS, left)
        sides = [
            row_trees(game, state, replace(goal, objective=Objective.MAX_DISTANCE, within_turns=ahead), seed)
            for state, ahead in ((before, turns), (after, turns if after.pending else turns - 1))
        ]
        known = [side for side in sides if side is not None]
        if len(known) == len(sides):
            yield end - 1, (end - begin, turns, known)


def total_luck(lucks: Sequence[Luck]) -> tuple[Fraction, float]:
    """Return all that chance brought, and how far off that may be with 95 % confidence."""
    total = sum((each.luck for each in lucks), Fraction(0))
    return total, sqrt(sum(((high - low) / 2) ** 2 for low, high in (each.interval for each in lucks)))
