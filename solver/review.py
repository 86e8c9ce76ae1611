"""A recorded game judged step by step: what each decision lost against the best, and what chance gave or took.

Where something is hidden and values are out of reach, decisions are compared with the best move of a sample, on the
same draws and with no more than the player knew; only a loss that the sample settles has a mark.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.challenge import peeks
from rules.core.errors import BestlineError, ContentError, Fault, UnsupportedRuleset
from rules.core.position import Position
from rules.core.race import OutOfReach, Race
from rules.core.steps import OVER, ChanceOutcome, Step
from rules.core.turns import Game, State, TurnEnd
from solver.comparing import by_chance, compared
from solver.forms import first_turn
from solver.fortune import Fortune, fortunes
from solver.hidden_question import HiddenQuestion
from solver.question import Question
from solver.report import Status
from solver.row_trees import is_far
from solver.search.budget import Budget, BudgetExceeded
from solver.search.first_turn import FirstTurn
from solver.search.plain import does_forbidden, forbidden_step

MARKS: Final = ((Fraction(12, 100), "blunder"), (Fraction(6, 100), "mistake"), (Fraction(3, 100), "doubtful"))
"""Losses from which a decision has a mark: in chance, or as a part of the best value or of all that is at stake."""
STEP_TURNS: Final = 5_000
"""Ways through turns looked at for each step where no time is given; what one leaves is for those before it."""
EXACT_PART: Final = 0.5
"""Part of the time for exact values where something is hidden."""
ASKED_PART: Final = 0.1
"""Part of the time to find out what is asked."""
FORTUNE_PART: Final = 0.3
"""Part of what is left of it for what chance brought where no value is known."""
SAMPLED: Final = 1_000
"""Playouts for each of two comparisons of a decision where no time is given,"""
ALL_SAMPLED: Final = 15_000
"""or an equal part of so many where there are many decisions."""


@dataclass(frozen=True, slots=True)
class Guess:
    """What a sample says of a decision."""

    best: str
    """The best move that it finds."""
    value: Fraction
    """What that one is worth,"""
    goal: Goal
    """and what is measured."""
    loss: Fraction
    """How much less the move that was made is worth, 0 or more."""
    verdict: str
    """How sure that is: ``decided``, ``close`` or ``undecided``."""


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
    guess: Guess | None = None
    """What a sample says of a decision without a known loss."""
    draws: int = 1
    """Results of chance that ``change`` is about, this one the last of them; 0 where it is told at a later one."""
    fortune: Fortune | None = None
    """What samples say of results of chance of which no value is known, told at the last of them."""


@dataclass(frozen=True, slots=True)
class Review:
    """A whole record."""

    goal: Goal
    """What it is judged by: the chance where turns were asked for and success is not known to be certain."""
    steps: tuple[Judged, ...]
    lost: Fraction
    """All losses of decisions that are known."""
    luck: Fraction
    """All that chance gave, as far as it is known."""
    impossible_after: int | None
    """Number, from 1, of the first step after which the goal could not be met any more; 0 where it never could."""
    unknown: int
    """Steps that could not be judged within the limit, not even by a sample."""
    interrupted: bool
    """The user stopped it; earlier steps were not judged."""
    broken: int | None = None
    """Number of the first step that does what the goal forbids: nothing after it meets the goal."""
    turning: tuple[int, ...] = ()
    """Numbers of the steps that lost the goal or, chance included, changed what could be had as much as a blunder."""
    past: int = 0
    """Steps of the record that come after its goal is met, or after the last turn that counts; they are not judged."""


def review(
    position: Position, goal: Goal, record: Sequence[str], limit: Budget | None = None, *, seed: int = 0
) -> Review:
    """Return every step of a record judged; a record ends early where its goal is met.

    ``seed`` is that of samples.

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
    goal = _asked(game, position, state, goal, limit or Budget())
    values = _Values(game, position, goal, state, limit or Budget())
    states, steps = [state], []
    broken: int | None = None
    for number, text in enumerate(record, start=1):
        if (broken is None and values.met(state)) or game.to_act(state) == OVER:
            break
        step = recorded_step(game, state, number, text)
        begun, state = state, game.apply(state, step).state
        states.append(state)
        steps.append(step)
        if broken is None and _breaks(game, goal, begun, step, state):
            broken = number
    known = values.of_all(states if broken is None else states[:broken], steps)
    known += [(values.lost, True)] * (len(states) - len(known))
    judged: list[Judged] = []
    # Turns that are not certain to be enough may be enough all the same.
    is_sure = goal.objective is not Objective.MIN_TURNS or not position.hidden
    impossible = 0 if steps and is_sure and known[0][1] and not _possible(known[0][0], goal) else None
    for number, step in enumerate(steps, start=1):
        (before, known_before), (after, known_after) = known[number - 1], known[number]
        change = None
        if known_before and known_after:
            change = _change(before, after, goal, ends=not states[number].pending)
        by_chance = isinstance(step, ChanceOutcome)
        lost_it = known_before and known_after and _possible(before, goal) and not _possible(after, goal)
        if lost_it and impossible is None:
            impossible = number
        alone = len(game.legal_moves(states[number - 1])) == 1
        mark = "" if by_chance else "only move" if alone else _mark(change, before, goal, lost_it=lost_it)
        given = None if change is None else -change if by_chance else change
        judged.append(Judged(step.text, by_chance, before, after, known_before and known_after, given, mark))
    _tell_luck_together(judged, known, states, goal)
    sampling = _Sampling(game, position, goal, values, seed)
    counted = judged if broken is None else judged[:broken]
    judged[: len(counted)] = sampling.of_all(counted, states, steps)
    lost = sum((each.change for each in judged if each.change is not None and not each.by_chance), Fraction(0))
    luck = sum((each.change for each in judged if each.change is not None and each.by_chance), Fraction(0))
    told = {
        place - back
        for place, each in enumerate(judged)
        if each.fortune is not None
        for back in range(each.fortune.draws)
    }
    unknown = sum(not each.known and each.guess is None and place not in told for place, each in enumerate(judged))
    turning = tuple(number for number, each in enumerate(judged, start=1) if number == impossible or _turns(each, goal))
    interrupted = values.interrupted or sampling.interrupted
    past = len(record) - len(steps)
    return Review(goal, tuple(judged), lost, luck, impossible, unknown, interrupted, broken, turning, past)


def recorded_step(game: Game[Any], state: State[Any], number: int, text: str) -> Step:
    """Return the step with this number in a record.

    Raises:
        ContentError: it is not possible where it stands.
    """
    try:
        return game.parse_step(state, text)
    except BestlineError as fault:
        raise ContentError([Fault(str(fault), key=f"moves[{number - 1}]")]) from None


def _asked(game: Race[Any], position: Position, start: State[Any], goal: Goal, limit: Budget) -> Goal:
    """Return what is asked where something is hidden: turns within a limit only where success is certain.

    Raises:
        KeyboardInterrupt: it was stopped.
    """
    chance = by_chance(position, goal)
    if chance == goal:
        return goal
    part = replace(limit, time_s=None if limit.time_s is None else limit.time_s * ASKED_PART)
    found = HiddenQuestion(game, start, chance, part, most=STEP_TURNS, certain=False, rivals=False).answer()
    if found.interrupted:  # nothing was judged yet
        raise KeyboardInterrupt
    return goal if found.value == 1 else chance


def _change(before: Fraction | None, after: Fraction | None, goal: Goal, *, ends: bool) -> Fraction | None:
    """Return by how much less can be had after some steps, which may end a turn; none where nothing can be had."""
    if before is None or after is None:
        return None
    if goal.objective is not Objective.MIN_TURNS:
        return before - after
    return after + (1 if ends else 0) - before


def _tell_luck_together(
    judged: list[Judged], known: Sequence[tuple[Fraction | None, bool]], states: Sequence[State[Any]], goal: Goal
) -> None:
    """Tell what chance brought in a turn at its last result, where it is not known of each and nothing was decided."""
    first = 0
    for last in range(1, len(states)):
        if states[last].pending:
            continue
        draws = [place for place in range(first + 1, last) if judged[place].by_chance]
        rest = [judged[place] for place in range(first + 1, last)]
        if draws and not all(each.known for each in rest) and all(each.by_chance or each.mark for each in rest):
            (before, is_known), (after, is_known_after) = known[first + 1], known[last]
            change = _change(before, after, goal, ends=True)
            if is_known and is_known_after and change is not None:
                for place in draws:
                    judged[place] = replace(judged[place], known=True, change=None, draws=0)
                judged[draws[-1]] = replace(judged[draws[-1]], change=-change, draws=len(draws))
        first = last


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
    return mark_of(part)


def mark_of(part: Fraction) -> str:
    """Return the mark of a loss, as a part of what it is measured by; empty for a small one."""
    return next((mark for least, mark in MARKS if part >= least), "")


class _Sampling:
    """Decisions of which no exact loss is known, compared with the best move of a sample."""

    def __init__(self, game: Race[Any], position: Position, goal: Goal, values: _Values, seed: int) -> None:
        self._game, self._position, self._goal = game, position, goal
        self._values, self._seed = values, seed
        self.interrupted = False

    def of_all(self, judged: Sequence[Judged], states: Sequence[State[Any]], steps: Sequence[Step]) -> list[Judged]:
        """Return what was judged, with what samples say of the rest; the first comes first."""
        found = list(judged)
        if not self._position.hidden or self._values.interrupted:
            return found
        try:
            self._tell_fortunes(found, states, steps)
        except KeyboardInterrupt:
            self.interrupted = True
            return found
        asked = [
            number
            for number, each in enumerate(judged)
            if not each.known and not each.by_chance and each.mark != "only move"
        ]
        for done, number in enumerate(asked):
            limit = self._values.part_of_time(1 / (len(asked) - done))
            if limit.time_s == 0:
                return found
            try:
                guess = self._of(states[number], steps[number], limit, min(SAMPLED, ALL_SAMPLED // len(asked)))
            except KeyboardInterrupt:
                self.interrupted, guess = True, None
            if self.interrupted:
                return found
            if guess is not None:
                mark = _guessed_mark(guess, self._game.progress(states[number].table, self._goal.seat))
                found[number] = replace(found[number], guess=guess, mark=mark)
        return found

    def _tell_fortunes(self, judged: list[Judged], states: Sequence[State[Any]], steps: Sequence[Step]) -> None:
        """Tell what chance brought where that is not known and the goal is far."""
        end = len(judged)
        limit = self._values.part_of_time(FORTUNE_PART)
        for place, fortune in fortunes(
            self._game, self._goal, states[: end + 1], steps[:end], limit, seed=self._seed
        ).items():
            pieces = judged[place - fortune.draws + 1 : place + 1]
            if not any(each.known for each in pieces):
                judged[place] = replace(judged[place], fortune=fortune)

    def _of(self, state: State[Any], step: Step, limit: Budget, playouts: int) -> Guess | None:
        """Return a decision compared with the best move that a first sample finds, on fresh draws, if there is time."""
        here = self._position.after(state)
        goal = replace(self._goal, within_turns=self._values.left(state))
        half = replace(limit, time_s=None if limit.time_s is None else limit.time_s / 2)
        most = playouts if half.time_s is None else None
        found = compared(here, goal, half, limit.start(), seed=self._seed, playouts=most, asked=step)
        best = found.options[0]
        if best.move != step and not found.interrupted:
            found = compared(
                *(here, goal, half, limit.start()),
                seed=self._seed + 1,
                playouts=most,
                asked=step,
                among=(best.move, step),
            )
        self.interrupted = found.interrupted
        mine = next(each for each in found.options if each.move == step)
        best = found.options[0]
        if best.value is None or mine.loss is None or min(best.playouts, mine.playouts) < 2:
            return None  # one playout says nothing
        return Guess(best.move.text, best.value, found.goal, mine.loss, found.verdict)


def _guessed_mark(guess: Guess, start: int) -> str:
    """Return the mark of a loss that a sample settles: of a distance, as a part of what the turns measured bring."""
    if not guess.loss or guess.verdict != "decided":
        return ""
    brought = guess.value - start if guess.goal.objective is Objective.MAX_DISTANCE else guess.value
    return _mark(guess.loss, brought, guess.goal, lost_it=False)


class _Values:
    """The best values from the states of one record."""

    def __init__(self, game: Race[Any], position: Position, goal: Goal, start: State[Any], limit: Budget) -> None:
        self._game = game
        self._goal = goal
        self._hidden = bool(position.hidden)
        self._first = game.turns(start.table, goal.seat)
        self._limit = limit
        self._began = limit.clock()
        self._start = start
        self._budget = limit.start()
        self._search: FirstTurn | None = None
        """What tells values where something is hidden; none before it is needed."""
        self._most: int | None = None
        self._moved: Fraction | None = None
        """What the first move of the turn that was looked at last is worth, if that is known."""
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
        return self.left(state) == 0 or (there and self._goal.objective is not Objective.MAX_DISTANCE)

    def left(self, state: State[Any]) -> int | None:
        """Return the turns left for the goal, none where it sets no limit."""
        if self._goal.within_turns is None:
            return None
        return max(0, self._goal.within_turns - (self._game.turns(state.table, self._goal.seat) - self._first))

    def part_of_time(self, part: float, most: float = 1.0) -> Budget:
        """Return a part of the time that is left of ``most`` of it as a limit; none where no time is given."""
        limit = self._limit
        if limit.time_s is None:
            return limit
        left = most * limit.time_s - (limit.clock() - self._began)
        return replace(limit, time_s=max(0.0, left) * part)

    def of_all(self, states: Sequence[State[Any]], steps: Sequence[Step]) -> list[tuple[Fraction | None, bool]]:
        """Return the best value of each, none where the goal is impossible or it is not known, and whether it is known.

        The last comes first: what it takes is needed by those before it, and they have what it leaves of the time. With
        what is left in the end, those that are not known are looked at once more.
        """
        found: list[tuple[Fraction | None, bool]] = [(None, False)] * len(states)
        if self._hidden and peeks(self._game):
            return found  # exact values would know what nobody sees
        self._most = None if self._limit.time_s is not None else STEP_TURNS * len(states)
        for _ in range(2):
            unknown = [place for place in reversed(range(len(states))) if not found[place][1]]
            for done, place in enumerate(unknown):
                limit = self.part_of_time(1 / (len(unknown) - done), EXACT_PART if self._hidden else 1.0)
                if limit.time_s == 0:  # a form takes its time to lay out before it looks at any clock
                    return found
                step = steps[place] if place + 1 < len(states) and not states[place].pending else None
                value, known = self._of(states[place], step, limit)
                found[place] = (value, True) if known else (None, False)
                if self._moved is not None and not found[place + 1][1]:
                    is_over = self._goal.objective is Objective.MIN_TURNS and not states[place + 1].pending
                    found[place + 1] = (self._moved - is_over, True)
                if self.interrupted:
                    return found
        return found

    def _of(self, state: State[Any], step: Step | None, limit: Budget) -> tuple[Fraction | None, bool]:
        """Return a value and whether it is known; what a ``step`` at the start of a turn is worth is kept."""
        left, self._moved = self.left(state), None
        goal = replace(self._goal, within_turns=left)
        if self._hidden and self._goal.objective is not Objective.MIN_TURNS:
            return self._expected(state, step, left or 0, limit)
        if self._hidden:
            if is_far(self._game, state, goal):
                return None, False
            question = HiddenQuestion(
                *(self._game, state, goal, limit), most=STEP_TURNS, certain=False, versus=step, rivals=False
            )
            report = question.answer()
            self.interrupted = report.interrupted
            if report.status is Status.OPTIMAL and report.goal == goal:
                self._moved = next((each.value for each in report.options if each.move == step), None)
            certain = report.goal.objective is Objective.MIN_TURNS
            return (report.value if certain else None), report.status in (Status.OPTIMAL, Status.INFEASIBLE)
        answer = Question(self._game, state, goal, limit).answer()
        self.interrupted = answer.interrupted
        exact = answer.status in (Status.OPTIMAL, Status.INFEASIBLE)
        return (None if answer.value is None else Fraction(answer.value)), exact

    def _searching(self, *, encoded: bool = True) -> FirstTurn:
        """Return a search from the start of the record; what it has found serves for all later states."""
        return first_turn(self._game, self._start, self._goal, self._budget, most=self._most, encoded=encoded)

    def _expected(self, state: State[Any], step: Step | None, left: int, limit: Budget) -> tuple[Fraction | None, bool]:
        """Return a value where something is hidden and no number of turns is asked for, and whether it is known."""
        self._search = self._search or self._searching()
        if limit.time_s is not None:
            self._budget.go_on(limit.time_s)
        moves = [move for move in self._game.legal_moves(state) if not forbidden_step(move, self._goal.forbidden)]
        first = self._search.later(state, moves)
        try:
            value = first.value(left)
            if step in moves and value is not None:
                with suppress(BudgetExceeded):
                    self._moved = first.of_move(step, left)
        except BudgetExceeded:
            return None, False
        except OutOfReach:
            self._search = self._searching(encoded=False)
            return self._expected(state, step, left, limit)
        except KeyboardInterrupt:
            self.interrupted = True
            return None, False
        return value, True
