"""A recorded game judged step by step: what each decision lost against the best, and what chance gave or took.

Values are exact where a search finds them. Elsewhere a decision is compared with the best move of a sample, on the same
draws and with no more than the player knew. Only a loss that the sample settles has a mark. In a game of several seats
values are those of everybody's best play. A loss that is not exact says how far the search looked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.contest import Contest
from rules.core.errors import UnsupportedRuleset
from rules.core.position import Position
from rules.core.race import Race
from rules.core.steps import CHANCE, OVER, ChanceOutcome, Step
from rules.core.turns import State, TurnEnd
from solver.answer import Answer, MoveValue, Status
from solver.engines.duel import ContestQuestion
from solver.engines.hidden import by_chance, compared
from solver.engines.hidden_contest import best_hidden_contest
from solver.engines.hidden_question import HiddenQuestion, Scope
from solver.question import Question
from solver.search.budget import Budget
from solver.search.contests.modelled import Model
from solver.search.problem import does_forbidden
from solver.tools.record_values import STEP_TURNS, Guess, Luck, RecordValues, Value, recorded_step, sampled_luck

MARKS: Final = ((Fraction(12, 100), "blunder"), (Fraction(6, 100), "mistake"), (Fraction(3, 100), "doubtful"))
"""Losses from which a decision has a mark: in chance, or as a part of the best value or of all that is at stake."""
QUESTION_PART: Final = 0.1
"""Part of the time to find out whether success is certain."""
LUCK_PART: Final = 0.3
"""Part of what is left of it for what chance brought where no value is known."""
SAMPLED: Final = 1_000
"""Most playouts for each of two comparisons of a decision where no time is given."""
ALL_SAMPLED: Final = 15_000
"""Most playouts for the first comparisons of all decisions where no time is given."""
BRANCHES: Final = 60
"""Most results of one chance event of several seats that are valued."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One step of the record."""

    text: str
    seat: int | None
    """Whose decision it was; none for chance."""
    before: Fraction | None
    """The best value before the step, of the first seat before chance; none where not known or impossible."""
    after: Fraction | None
    """The best value after it, for a single seat."""
    known: bool
    """``change`` is exact, or the goal was impossible."""
    change: Fraction | None
    """Loss of a decision, 0 or more; for chance, what it gave the first seat, less than 0 if it took."""
    mark: str
    """``doubtful``, ``mistake``, ``blunder``, ``only move`` or nothing."""
    guess: Guess | None = None
    """What a sample says of a decision without a known loss."""
    draws: int = 1
    """Results of chance that ``change`` is about, this one the last of them; 0 where a later one has them."""
    luck: Luck | None = None
    """What samples say of results of chance of which no value is known, at the last of them."""
    ahead: int | None = None
    """Turns that search looked ahead for a loss that is not exact, among several seats."""

    @property
    def by_chance(self) -> bool:
        """Whether chance decided it."""
        return self.seat is None


@dataclass(frozen=True, slots=True)
class Review:
    """A whole record of one seat."""

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


@dataclass(frozen=True, slots=True)
class ContestReview:
    """A whole record of several seats."""

    steps: tuple[Judged, ...]
    lost: tuple[Fraction, ...]
    """By seat: all losses that are known exactly."""
    luck: Fraction
    """What chance gave the first seat, and took from the second, as far as it is known."""
    thrown: tuple[int | None, ...]
    """By seat: number, from 1, of the first own decision after which nothing of the win was left to be had."""
    unknown: int
    """Steps of which no exact loss or luck is known."""
    interrupted: bool = False


def _sum(steps: Sequence[Judged], seat: int | None) -> Fraction:
    """Return all changes that are known by decisions of a seat, or by chance."""
    return sum((each.change for each in steps if each.change is not None and each.seat == seat), Fraction(0))


def _mark_of(part: Fraction) -> str:
    """Return the mark of a loss, as a part of what it is measured by; empty for a small one."""
    return next((mark for least, mark in MARKS if part >= least), "")


def _twice_sampled(
    question: Question, step: Step, sample: Callable[[Question, Sequence[Step] | None], Answer[Fraction]]
) -> tuple[Answer[Fraction], MoveValue[Fraction]]:
    """Return a step compared with the best move of a first sample, on fresh draws, and what is known of the step."""
    found = sample(question, None)
    best = found.moves[0].move
    if best != step and not found.interrupted:
        found = sample(replace(question, seed=question.seed + 1), (best, step))
    return found, next(each for each in found.moves if each.move == step)


# One seat


def review(
    position: Position, goal: Goal, record: Sequence[str], limit: Budget | None = None, *, seed: int = 0
) -> Review:
    """Return every step of a record judged; a record ends early where its goal is met.

    ``seed`` is that of samples. The goal is about the whole record: later turns do not make good what it forbids.

    Raises:
        UnsupportedRuleset: several players have turns, or the game has no progress.
        ContentError: a step is not possible where it stands.
        KeyboardInterrupt: it was stopped before anything was judged.
    """
    game, start = position.start()
    if position.players > 1:
        raise UnsupportedRuleset([f"reviewing games of {position.players} players"])
    limit = limit or Budget()
    goal = _judged_goal(game, position, goal, limit)
    values = RecordValues(game, position, goal, limit)
    states, steps, broken = _replayed(game, values, goal, start, record)
    counted = len(steps) if broken is None else broken
    known = values.of_all(states if broken is None else states[:broken], steps)
    known += [Value(values.lost, is_known=True)] * (len(states) - len(known))
    judged = [_judge(game, goal, states, step, place, known) for place, step in enumerate(steps)]
    # Turns that are not certain to be enough may be enough all the same.
    is_sure = goal.objective is not Objective.MIN_TURNS or not position.hidden
    lost = [
        place + 1
        for place in range(len(steps))
        if known[place].is_known and known[place + 1].is_known and _loses(known[place], known[place + 1], goal)
    ]
    impossible = lost[0] if lost else None
    if steps and is_sure and known[0].is_known and not _is_possible(known[0].value, goal):
        impossible = 0
    _join_luck(judged, known, states, goal)
    samples = _Samples(game, position, goal, values, seed)
    judged[:counted] = samples.of_all(judged[:counted], states, steps)
    with_luck = {place - back for place, each in enumerate(judged) if each.luck for back in range(each.luck.draws)}
    return Review(
        goal,
        tuple(judged),
        _sum(judged, goal.seat),
        _sum(judged, None),
        impossible,
        sum(not each.known and each.guess is None and place not in with_luck for place, each in enumerate(judged)),
        values.interrupted or samples.interrupted,
        broken,
        tuple(
            number
            for number, each in enumerate(judged, start=1)
            if number == impossible
            or _mark(None if each.change is None else abs(each.change), each.before, goal) == "blunder"
        ),
        len(record) - len(steps),
    )


def _judged_goal(game: Race[Any], position: Position, goal: Goal, limit: Budget) -> Goal:
    """Return what is judged where something is hidden: turns within a limit only where success is certain.

    Raises:
        KeyboardInterrupt: it was stopped.
    """
    chance = by_chance(position, goal)
    if chance == goal:
        return goal
    scope = Scope(most=STEP_TURNS, certain=False, rivals=False)
    found = HiddenQuestion(game, position.start()[1], chance, limit.part(QUESTION_PART), scope=scope).answer()
    if found.interrupted:  # nothing was judged yet
        raise KeyboardInterrupt
    return goal if found.value == 1 else chance


def _replayed(
    game: Race[Any], values: RecordValues, goal: Goal, state: State[Any], record: Sequence[str]
) -> tuple[list[State[Any]], list[Step], int | None]:
    """Return the states and steps up to the end of what was asked, and the number of the first forbidden step."""
    states: list[State[Any]] = [state]
    steps: list[Step] = []
    broken: int | None = None
    for number, text in enumerate(record, start=1):
        if (broken is None and values.is_met(state)) or game.to_act(state) == OVER:
            break
        step = recorded_step(game, state, number, text)
        begun, state = state, game.apply(state, step).state
        states.append(state)
        steps.append(step)
        if broken is None:
            turn = (*begun.pending, step)
            ended = not state.pending and not game.allows(begun.table, TurnEnd(turn, state.table))
            broken = number if ended or does_forbidden(turn, goal.forbidden) else None
    return states, steps, broken


def _judge(
    game: Race[Any], goal: Goal, states: Sequence[State[Any]], step: Step, place: int, known: Sequence[Value]
) -> Judged:
    """Return one step judged by exact values alone."""
    (before, known_before), (after, known_after) = known[place : place + 2]
    is_known, by_chance_alone = known_before and known_after, isinstance(step, ChanceOutcome)
    change = _change(before, after, goal, ends=not states[place + 1].pending) if is_known else None
    if by_chance_alone:
        change, mark = None if change is None else -change, ""
    elif len(game.legal_moves(states[place])) == 1:
        mark = "only move"
    else:
        mark = "blunder" if is_known and _loses(known[place], known[place + 1], goal) else _mark(change, before, goal)
    return Judged(step.text, None if by_chance_alone else goal.seat, before, after, is_known, change, mark)


def _change(before: Fraction | None, after: Fraction | None, goal: Goal, *, ends: bool) -> Fraction | None:
    """Return by how much less can be had after some steps, which may end a turn; none where nothing can be had."""
    if before is None or after is None:
        return None
    if goal.objective is not Objective.MIN_TURNS:
        return before - after
    return after + (1 if ends else 0) - before


def _join_luck(judged: list[Judged], known: Sequence[Value], states: Sequence[State[Any]], goal: Goal) -> None:
    """Put what chance brought in a turn at its last result, where it is not known of each and nothing was decided."""
    first = 0
    for last in range(1, len(states)):
        if states[last].pending:
            continue
        draws = [place for place in range(first + 1, last) if judged[place].by_chance]
        rest = judged[first + 1 : last]
        if draws and not all(each.known for each in rest) and all(each.by_chance or each.mark for each in rest):
            before, after = known[first + 1], known[last]
            change = _change(before.value, after.value, goal, ends=True)
            if before.is_known and after.is_known and change is not None:
                for place in draws:
                    judged[place] = replace(judged[place], known=True, change=None, draws=0)
                judged[draws[-1]] = replace(judged[draws[-1]], change=-change, draws=len(draws))
        first = last


def _is_possible(value: Fraction | None, goal: Goal) -> bool:
    return value is not None and (goal.objective is not Objective.REACH or value > 0)


def _loses(before: Value, after: Value, goal: Goal) -> bool:
    """Return whether the goal could be met before a step, and cannot after it."""
    return _is_possible(before.value, goal) and not _is_possible(after.value, goal)


def _mark(change: Fraction | None, best: Fraction | None, goal: Goal) -> str:
    if change is None or best is None:
        return ""
    return _mark_of(change if goal.objective is Objective.REACH else change / max(abs(best), Fraction(1)))


class _Samples:
    """Decisions and luck of which nothing exact is known, by samples."""

    def __init__(self, game: Race[Any], position: Position, goal: Goal, values: RecordValues, seed: int) -> None:
        self._game, self._position, self._goal = game, position, goal
        self._values, self._seed = values, seed
        self.interrupted = False

    def of_all(self, judged: Sequence[Judged], states: Sequence[State[Any]], steps: Sequence[Step]) -> list[Judged]:
        """Return the steps with what samples say of the rest; the first comes first."""
        found = list(judged)
        if not self._position.hidden or self._values.interrupted:
            return found
        try:
            self._add_luck(found, states, steps)
            unknown = [place for place, each in enumerate(judged) if not (each.known or each.by_chance or each.mark)]
            for done, place in enumerate(unknown):
                limit = self._values.part_of_time(1 / (len(unknown) - done))
                if limit.time_s == 0:
                    return found
                guess = self._guess(states[place], steps[place], limit, min(SAMPLED, ALL_SAMPLED // len(unknown)))
                if self.interrupted:
                    return found
                if guess is not None:
                    found[place] = replace(found[place], guess=guess, mark=self._mark(guess, states[place]))
        except KeyboardInterrupt:
            self.interrupted = True
        return found

    def _add_luck(self, judged: list[Judged], states: Sequence[State[Any]], steps: Sequence[Step]) -> None:
        """Add what chance brought where that is not known and the goal is far."""
        end, limit = len(judged), self._values.part_of_time(LUCK_PART)
        lucks = sampled_luck(self._game, self._goal, states[: end + 1], steps[:end], limit, seed=self._seed)
        for place, luck in lucks.items():
            if not any(each.known for each in judged[place - luck.draws + 1 : place + 1]):
                judged[place] = replace(judged[place], luck=luck)

    def _guess(self, state: State[Any], step: Step, limit: Budget, playouts: int) -> Guess | None:
        """Return a decision compared with the best move that a first sample finds, on fresh draws, if there is time."""
        here = self._position.after(state)
        goal = replace(self._goal, within_turns=self._values.left(state))
        most = playouts if limit.time_s is None else None
        question = Question(here, goal, limit.part(0.5), seed=self._seed, versus=step, playouts=most)
        found, mine = _twice_sampled(question, step, lambda asked, among: compared(asked, limit.start(), among=among))
        self.interrupted = found.interrupted
        best = found.moves[0]
        if best.value is None or mine.loss is None or min(best.playouts, mine.playouts) < 2:
            return None  # one playout says nothing
        return Guess(best.move.text, best.value, found.goal, mine.loss, found.verdict, best.interval)

    def _mark(self, guess: Guess, state: State[Any]) -> str:
        """Return the mark of a loss that a sample settles; a distance counts as a part of what its turns bring."""
        if not guess.loss or guess.verdict != "decided" or guess.goal is None:
            return ""
        is_distance = guess.goal.objective is Objective.MAX_DISTANCE
        begun = self._game.progress(state.table, self._goal.seat) if is_distance else 0
        return _mark(guess.loss, guess.value - begun, guess.goal)


# Several seats


def review_contest(
    position: Position, record: Sequence[str], limit: Budget | None = None, *, seed: int = 0
) -> ContestReview:
    """Return every step of a record judged; it ends early where the game does, or where the user stops it.

    Raises:
        UnsupportedRuleset: the game is no contest.
        ContentError: a step is not possible where it stands.
    """
    game, state = position.start()
    if not isinstance(game, Contest) or position.players < 2:
        raise UnsupportedRuleset(["a review of a game without opponents"])
    judge = _ContestJudge(game, position, limit or Budget(), len(record) + 1, seed)
    steps: list[Judged] = []
    thrown: list[int | None] = [None] * game.players
    interrupted = False
    for number, text in enumerate(record, start=1):
        if game.to_act(state) == OVER:
            break
        step = recorded_step(game, state, number, text)
        try:
            judged = judge.step(state, step)
        except KeyboardInterrupt:
            interrupted = True
            break
        if judged.seat is not None and judged.before and judged.change == judged.before and not game.stake:
            thrown[judged.seat] = thrown[judged.seat] or number
        steps.append(judged)
        state = game.apply(state, step).state
    exact = [each for each in steps if each.known]
    lost = tuple(_sum(exact, seat) for seat in range(game.players))
    unknown = len(steps) - len(exact)
    return ContestReview(tuple(steps), lost, _sum(exact, None), tuple(thrown), unknown, interrupted)


class _ContestJudge:
    """Values of the states of one record of several seats; equal states are looked at once."""

    def __init__(self, game: Contest[Any], position: Position, limit: Budget, parts: int, seed: int) -> None:
        self._game, self._position, self._seed = game, position, seed
        self._budget = limit.start()
        self._limit = limit.part(1 / parts)
        self._reports: dict[State[Any], Answer[Fraction]] = {}

    def step(self, state: State[Any], step: Step) -> Judged:
        """Return one step judged; in the end nothing is known of what there was no time for."""
        game, actor = self._game, self._game.to_act(state)
        seat = None if actor == CHANCE else actor
        unknown = Judged(step.text, seat, None, None, False, None, "")
        if not self._budget.has_time(0):
            return unknown
        if seat is None:
            before, after = self._value(state), self._value(game.apply(state, step).state)
            given = None if before is None or after is None else after - before
            return replace(unknown, before=before, change=given, known=given is not None)
        if len(game.legal_moves(state)) == 1:
            return replace(unknown, change=Fraction(0), known=True, mark="only move")
        if game.is_common(state.table):
            if game.is_secret(state.table):
                return unknown
            try:
                return self._compared(state, step, unknown)
            except UnsupportedRuleset:  # somebody decides later on while cards are hidden
                pass
        return self._sampled(state, step, unknown)

    def _compared(self, state: State[Any], step: Step, unknown: Judged) -> Judged:
        """Return a decision judged by an exact search, as far as it goes."""
        report = self._report(state, step)
        loss = next(each.loss for each in report.moves if each.move == step)
        mark = "" if loss is None else self._mark(state, loss)
        if report.status is Status.OPTIMAL:
            return replace(unknown, before=report.value, change=loss, known=loss is not None, mark=mark)
        return replace(unknown, change=loss, ahead=None if loss is None else report.facts.turns, mark=mark)

    def _sampled(self, state: State[Any], step: Step, unknown: Judged) -> Judged:
        """Return a decision judged by what its seat knew: against the best move of a sample, on draws of their own."""
        here = self._position.after(state)
        playouts = SAMPLED if self._limit.time_s is None else None
        question = Question(here, limit=self._limit.part(0.5), seed=self._seed, playouts=playouts)
        found, mine = _twice_sampled(question, step, lambda asked, among: best_hidden_contest(asked, moves=among))
        if found.interrupted:
            raise KeyboardInterrupt
        first, loss = found.moves[0], mine.loss
        if loss is None or first.value is None:
            return unknown
        mark = self._mark(state, loss) if found.verdict == "decided" and loss else ""
        return replace(unknown, guess=Guess(first.move.text, first.value, None, loss, found.verdict), mark=mark)

    def _mark(self, state: State[Any], loss: Fraction) -> str:
        low, high = self._game.payoff_range(state.table)
        return _mark_of(loss / max(Fraction(high) - Fraction(low), Fraction(1)))

    def _report(self, state: State[Any], step: Step | None = None) -> Answer[Fraction]:
        """Return the moves of a state compared, the one that was made before others."""
        report = self._reports.get(state)
        if report is None or any(each.move == step and each.at_least is not None for each in report.moves):
            seat = self._game.to_act(state)
            report = ContestQuestion(self._game, state, seat, Model.BEST, self._limit, None, step).answer()
            if report.interrupted:
                raise KeyboardInterrupt
            self._reports[state] = report
        return report

    def _value(self, state: State[Any]) -> Fraction | None:
        """Return what the first of two seats has at the best play of both, or nothing where it is not known."""
        game, actor = self._game, self._game.to_act(state)
        if actor == OVER:
            return game.payoffs(state.table)[0]
        if game.players != 2 or game.is_secret(state.table) or not game.is_common(state.table):
            return None
        if actor != CHANCE:
            try:
                report = self._report(state)
            except UnsupportedRuleset:  # somebody decides later on while cards are hidden
                return None
            if report.status is not Status.OPTIMAL or report.value is None:
                return None
            return report.value if actor == 0 else sum(game.payoffs(state.table), Fraction(0)) - report.value
        outcomes = game.chance_outcomes(state)
        if len(outcomes) > BRANCHES:
            return None
        mean = Fraction(0)
        for outcome in outcomes:
            value = self._value(game.apply(state, outcome).state)
            if value is None:
                return None
            mean += outcome.probability * value
        return mean
