"""A recorded game judged step by step: what each decision lost against the best, and what chance gave or took."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.errors import BestlineError, ContentError, Fault, UnsupportedRuleset
from rules.core.position import Position
from rules.core.race import Race
from rules.core.steps import OVER, ChanceOutcome, Step
from rules.core.turns import State, TurnEnd
from solver.hidden_question import HiddenQuestion
from solver.question import Question
from solver.report import Limit, Status
from solver.search.expectimax import Expectimax
from solver.search.layers import LimitHit, Watch
from solver.search.plain import does_forbidden

MARKS: Final = ((Fraction(12, 100), "blunder"), (Fraction(6, 100), "mistake"), (Fraction(3, 100), "doubtful"))
"""Losses from which a decision has a mark: in chance, or as a part of the best value."""
STEP_TURNS: Final = 20_000
"""Ways through turns looked at for each step where no time is given; what one leaves is for those before it."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One step of the record."""

    text: str
    by_chance: bool
    before: Fraction | None
    """The best value that could be had before the step; none where it is not known or the goal was impossible."""
    after: Fraction | None
    """Likewise after it."""
    known: bool
    """Both are known, be it that the goal was impossible."""
    change: Fraction | None
    """Loss of a decision, 0 or more; for chance, what it gave, less than 0 if it took; none where not known."""
    mark: str
    """``doubtful``, ``mistake``, ``blunder``, ``only move`` or nothing."""


@dataclass(frozen=True, slots=True)
class Review:
    """A whole record."""

    steps: tuple[Judged, ...]
    lost: Fraction
    """All losses of decisions that are known."""
    luck: Fraction
    """All that chance gave, as far as it is known."""
    impossible_after: int | None
    """Number, from 1, of the first step after which the goal could not be met any more."""
    unknown: int
    """Steps that could not be judged within the limit."""
    interrupted: bool
    """The user stopped it; earlier steps were not judged."""
    broken: int | None = None
    """Number of the first step that does what the goal forbids: nothing after it meets the goal."""
    turning: tuple[int, ...] = ()
    """Numbers of the steps that lost the goal or, chance included, changed what could be had as much as a blunder."""


def review(position: Position, goal: Goal, record: Sequence[str], limit: Limit | None = None) -> Review:
    """Return every step of a record judged; a record ends early where its goal is met.

    A goal is one about the whole record: what it forbids is not made good by the turns after it.

    Raises:
        UnsupportedRuleset: several players have turns, or the game has no progress.
        ContentError: a step is not possible where it stands.
    """
    game, state = position.start()
    if not isinstance(game, Race):
        raise UnsupportedRuleset(["a game without progress"])
    if position.players > 1:
        raise UnsupportedRuleset([f"reviewing games of {position.players} players"])
    values = _Values(game, position, goal, state, limit or Limit())
    states, steps = [state], []
    broken: int | None = None
    for number, text in enumerate(record, start=1):
        if (broken is None and values.met(state)) or game.to_act(state) == OVER:
            break
        try:
            step = game.parse_step(state, text)
        except BestlineError as fault:
            raise ContentError([Fault(str(fault), key=f"moves[{number - 1}]")]) from None
        begun, state = state, game.apply(state, step).state
        states.append(state)
        steps.append(step)
        if broken is None and _breaks(game, goal, begun, step, state):
            broken = number
    known = values.of_all(states if broken is None else states[:broken])
    known += [(values.lost, True)] * (len(states) - len(known))
    judged: list[Judged] = []
    impossible: int | None = None
    for number, step in enumerate(steps, start=1):
        (before, known_before), (after, known_after) = known[number - 1], known[number]
        change = None
        if known_before and known_after and before is not None and after is not None:
            paid = 1 if goal.objective is Objective.MIN_TURNS and not states[number].pending else 0
            change = after + paid - before if goal.objective is Objective.MIN_TURNS else before - after
        by_chance = isinstance(step, ChanceOutcome)
        lost_it = known_before and known_after and _possible(before, goal) and not _possible(after, goal)
        if lost_it and impossible is None:
            impossible = number
        alone = len(game.legal_moves(states[number - 1])) == 1
        mark = "" if by_chance else "only move" if alone else _mark(change, before, goal, lost_it=lost_it)
        given = None if change is None else -change if by_chance else change
        judged.append(Judged(step.text, by_chance, before, after, known_before and known_after, given, mark))
    lost = sum((each.change for each in judged if each.change is not None and not each.by_chance), Fraction(0))
    luck = sum((each.change for each in judged if each.change is not None and each.by_chance), Fraction(0))
    unknown = sum(not each.known for each in judged)
    turning = tuple(number for number, each in enumerate(judged, start=1) if number == impossible or _turns(each, goal))
    return Review(tuple(judged), lost, luck, impossible, unknown, values.interrupted, broken, turning)


def _breaks(game: Race[Any], goal: Goal, begun: State[Any], step: Step, after: State[Any]) -> bool:
    """Return whether a step does what the goal forbids, or ends a turn that does."""
    steps = (*begun.pending, step)
    if does_forbidden(steps, goal.forbidden):
        return True
    return not after.pending and not game.allows(begun.table, TurnEnd(steps, after.table))


def _turns(step: Judged, goal: Goal) -> bool:
    """Return whether a step changed what could be had by as much as a blunder."""
    change = None if step.change is None else abs(step.change)
    return _mark(change, step.before, goal, lost_it=False) == "blunder"


def _possible(value: Fraction | None, goal: Goal) -> bool:
    return value is not None and (goal.objective is not Objective.REACH or value > 0)


def _mark(change: Fraction | None, best: Fraction | None, goal: Goal, *, lost_it: bool) -> str:
    if lost_it:
        return "blunder"
    if change is None or best is None:
        return ""
    part = change if goal.objective is Objective.REACH else change / max(abs(best), Fraction(1))
    return next((mark for least, mark in MARKS if part >= least), "")


class _Values:
    """The best values from the states of one record."""

    def __init__(self, game: Race[Any], position: Position, goal: Goal, start: State[Any], limit: Limit) -> None:
        self._game = game
        self._goal = goal
        self._hidden = bool(position.hidden)
        self._first = game.turns(start.table, goal.seat)
        self._limit = limit
        self._search = Expectimax(game, goal, Watch(Limit()))
        self.interrupted = False

    @property
    def lost(self) -> Fraction | None:
        """Return the value of what cannot meet the goal."""
        return Fraction(0) if self._goal.objective is Objective.REACH else None

    def met(self, state: State[Any]) -> bool:
        """Return whether the goal is met, or no turn is left for it."""
        if state.pending:
            return False
        there = self._game.progress(state.table, self._goal.seat) >= self._goal.target
        return self._left(state) == 0 or (there and self._goal.objective is not Objective.MAX_DISTANCE)

    def _left(self, state: State[Any]) -> int | None:
        if self._goal.within_turns is None:
            return None
        return max(0, self._goal.within_turns - (self._game.turns(state.table, self._goal.seat) - self._first))

    def of_all(self, states: Sequence[State[Any]]) -> list[tuple[Fraction | None, bool]]:
        """Return the best value of each, none where the goal is impossible or it is not known, and whether it is known.

        The last comes first: what it takes is needed by those before it, and they have what it leaves of the time. With
        what is left in the end, those that are not known are looked at once more.
        """
        found: list[tuple[Fraction | None, bool]] = [(None, False)] * len(states)
        limit, began, room = self._limit, self._limit.clock(), STEP_TURNS * len(states)
        for _ in range(2):
            unknown = [place for place in reversed(range(len(states))) if not found[place][1]]
            for done, place in enumerate(unknown):
                left = len(unknown) - done
                if limit.time_s is not None:
                    self._limit = replace(limit, time_s=max(0.0, limit.time_s - (limit.clock() - began)) / left)
                before = self._search.counters.generated
                value, known = self._of(states[place], self._left(states[place]), room // left)
                room -= self._search.counters.generated - before
                found[place] = (value, True) if known else (None, False)
                if self.interrupted:
                    return found
        return found

    def _of(self, state: State[Any], left: int | None, ways: int) -> tuple[Fraction | None, bool]:
        if self._hidden and self._goal.objective is not Objective.MIN_TURNS:
            return self._expected(state, left or 0, ways)
        goal = replace(self._goal, within_turns=left)
        if self._hidden:
            question = HiddenQuestion(
                self._game, state, goal, self._limit, most=STEP_TURNS, certain=False, rivals=False
            )
            report = question.answer()
            self.interrupted = report.interrupted
            certain = report.goal.objective is Objective.MIN_TURNS
            return (report.value if certain else None), report.status in (Status.OPTIMAL, Status.INFEASIBLE)
        answer = Question(self._game, state, goal, self._limit).answer()
        self.interrupted = answer.interrupted
        exact = answer.status in (Status.OPTIMAL, Status.INFEASIBLE)
        return (None if answer.value is None else Fraction(answer.value)), exact

    def _expected(self, state: State[Any], left: int, ways: int) -> tuple[Fraction | None, bool]:
        search = self._search
        search.watch = Watch(self._limit)
        search.most = None if self._limit.time_s is not None else search.counters.generated + ways
        try:
            if not state.pending:
                return search.value(state.table, left), True
            return search.turn(search.ends(state.table, left, state.pending), len(state.pending)), True
        except LimitHit:
            return None, False
        except KeyboardInterrupt:
            self.interrupted = True
            return None, False
