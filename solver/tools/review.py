"""A recorded game judged step by step: what each decision lost against the best, and what chance gave or took.

Values are exact where a search finds them. Elsewhere a decision is compared with the best move of a sample, on the same
draws and with no more than the player knew. Only a loss that the sample settles has a mark. In a game of several seats
values are those of everybody's best play. A loss that is not exact says how far the search looked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from puzzles.goal import Goal, Objective, does_forbidden
from rules.core.chance import UNKNOWN
from rules.core.errors import BestlineError, ContentError, Fault, UnsupportedRuleset
from rules.core.position import Position
from rules.core.race import Race
from rules.core.steps import CHANCE, OVER, ChanceOutcome, Step
from rules.core.turns import State, TurnEnd
from solver.engines.contest import ContestQuestion, best_hidden_contest
from solver.engines.hidden import Comparison, by_chance
from solver.engines.hidden_question import HiddenQuestion
from solver.question import Answer, Question, Status
from solver.search.budget import Budget
from solver.tools.record_values import SCOPE, Guess, Luck, RecordValues, Value, sampled_luck

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
    before: Fraction | None = None
    """The best value before the step, of the first seat before chance; none where not known or impossible."""
    after: Fraction | None = None
    """The best value after it, for a single seat."""
    known: bool = False
    """``change`` is exact, or the goal was impossible."""
    change: Fraction | None = None
    """Loss of a decision, 0 or more; for chance, what it gave the first seat, less than 0 if it took."""
    mark: str = ""
    """``doubtful``, ``mistake``, ``blunder``, ``only move`` or nothing."""
    guess: Guess | None = None
    """What a sample says of a decision without a known loss."""
    luck: Luck | None = None
    """What samples say of results of chance of which no value is known, at the last of them."""
    ahead: int | None = None
    """Turns that search looked ahead for a loss that is not exact, among several seats."""
    better: str = ""
    """A best move, where the step lost something."""

    @property
    def by_chance(self) -> bool:
        """Whether chance decided it."""
        return self.seat is None

    @property
    def loss(self) -> Fraction | None:
        """Return what a decision lost, exactly or in a sample."""
        return self.change if self.guess is None else self.guess.loss


@dataclass(frozen=True, slots=True)
class Review:
    """A whole record."""

    goal: Goal | None
    """What one seat is judged by: the chance where turns were asked for and success is not known to be certain.

    None for the game of several seats.
    """
    steps: tuple[Judged, ...]
    players: int = 1
    impossible_after: tuple[int | None, ...] = (None,)
    """By seat: number, from 1, of the first step after which nothing was left to be had; 0 where it never was."""
    interrupted: bool = False
    """The user stopped it; other steps were not judged."""
    broken: int | None = None
    """Number of the first step that does what the goal forbids: nothing after it meets the goal."""
    turning: tuple[int, ...] = ()
    """Numbers of the steps that lost the goal or, chance included, changed what could be had as much as a blunder."""
    past: int = 0
    """Steps of the record that come after its goal is met, or after the last turn that counts; they are not judged."""

    @property
    def lost(self) -> tuple[Fraction, ...]:
        """Return by seat all losses of decisions that are known exactly."""
        return tuple(map(self._sum, range(self.players)))

    @property
    def luck(self) -> Fraction:
        """Return all that chance gave the first seat, as far as it is known."""
        return self._sum(None)

    def _sum(self, seat: int | None) -> Fraction:
        return sum((each.change or Fraction(0) for each in self.steps if each.known and each.seat == seat), Fraction(0))

    @property
    def unknown(self) -> int:
        """Return how many steps could not be judged; among several seats, how many not exactly."""
        steps, lucky = self.steps, set[int]()
        for place, each in enumerate(steps):
            lucky |= set(range(place - each.luck.draws + 1, place + 1)) if each.luck else set()
        return sum(
            not each.known and place not in lucky and (self.goal is None or each.guess is None)
            for place, each in enumerate(steps)
        )


def review(
    position: Position, goal: Goal | None, record: Sequence[str], limit: Budget | None = None, *, seed: int = 0
) -> Review:
    """Return every step of a record judged, by a goal of one's own or, without one, by who wins.

    A record ends early where its goal is met or the game is over. ``seed`` is that of samples. The goal is about the
    whole record: later turns do not make good what it forbids.

    Raises:
        UnsupportedRuleset: several players have turns and one of them a goal, or the game is no contest.
        ContentError: a step is not possible where it stands.
        KeyboardInterrupt: it was stopped before anything was judged.
    """
    limit, players = limit or Budget(), position.players
    if goal is not None and players > 1:
        raise UnsupportedRuleset([f"reviewing games of {players} players"])
    if goal is None and players < 2:
        raise UnsupportedRuleset(["a review of a game without opponents"])
    if goal is None:
        return _contest(position, record, limit, seed)
    return _alone(position, _judged_goal(position, goal, limit), record, limit, seed)


def _replayed(
    position: Position, record: Sequence[str], goal: Goal | None, is_met: Callable[[State[Any]], bool]
) -> tuple[list[State[Any]], list[Step], int | None]:
    """Return the states and steps up to the end of what was asked, and the number of the first forbidden step."""
    game, state = position.start()
    states, steps, broken = [state], list[Step](), None
    for number, text in enumerate(record, start=1):
        if (broken is None and is_met(state)) or game.to_act(state) == OVER:
            break
        try:
            step = game.parse_step(state, text)
        except BestlineError as fault:
            raise ContentError([Fault(str(fault), key=f"moves[{number - 1}]")]) from None
        begun, state = state, game.apply(state, step).state
        states.append(state)
        steps.append(step)
        if broken is None and goal is not None:
            turn = (*begun.pending, step)
            ended = not state.pending and not game.allows(begun.table, TurnEnd(turn, state.table))
            broken = number if ended or does_forbidden(turn, goal.forbidden) else None
    return states, steps, broken


def _mark_of(part: Fraction) -> str:
    """Return the mark of a loss, as a part of what it is measured by; empty for a small one."""
    return next((mark for least, mark in MARKS if part >= least), "")


def _guess(question: Question, step: Step) -> Guess | None:
    """Return a step compared with the best move of a first sample, on fresh draws; nothing where that says nothing.

    Raises:
        KeyboardInterrupt: it was stopped.
    """

    def sample(asked: Question) -> Answer[Fraction]:
        return best_hidden_contest(asked) if asked.goal is None else Comparison(asked).sampled()

    found = sample(question)
    best = found.moves[0].move
    if best != step and not found.interrupted:
        found = sample(replace(question, seed=question.seed + 1, among=(best, step)))
    if found.interrupted:
        raise KeyboardInterrupt
    first, mine = found.moves[0], next(each for each in found.moves if each.move == step)
    if first.value is None or mine.loss is None or min(first.playouts, mine.playouts) < 2:
        return None
    return Guess(first.move.text, first.value, found.goal, mine.loss, found.verdict, first.interval)


def _guessed(judged: Judged, guess: Guess, part: Fraction) -> Judged:
    """Return a step with what a sample says of it; ``part`` is the loss as marks measure it."""
    mark = _mark_of(part) if guess.verdict == "decided" else ""
    return replace(judged, guess=guess, mark=mark, better=guess.best if guess.loss else "")


# One seat


def _judged_goal(position: Position, goal: Goal, limit: Budget) -> Goal:
    """Return what is judged where something is hidden: turns within a limit only where success is certain.

    Raises:
        KeyboardInterrupt: it was stopped.
    """
    chance = by_chance(position, goal)
    if chance == goal:
        return goal
    game, start = position.start()
    found = HiddenQuestion(game, start, chance, limit.part(QUESTION_PART), scope=SCOPE).answer()
    if found.interrupted:  # nothing was judged yet
        raise KeyboardInterrupt
    return goal if found.value == 1 else chance


def _alone(position: Position, goal: Goal, record: Sequence[str], limit: Budget, seed: int) -> Review:
    values = RecordValues(position.game, position, goal, limit)
    states, steps, broken = _replayed(position, record, goal, values.is_met)
    counted = len(steps) if broken is None else broken
    known = values.of_all(states if broken is None else states[:broken])
    known += [Value(values.lost, is_known=True)] * (len(states) - len(known))
    judged = [_judge(position.game, goal, states[n], step, *known[n : n + 2]) for n, step in enumerate(steps)]
    is_lost = [each.is_known and not _is_possible(each.value, goal) for each in known]
    impossible = next(
        (n for n in range(1, len(known)) if is_lost[n] and known[n - 1].is_known and not is_lost[n - 1]), None
    )
    # Turns that are not certain to be enough may be enough all the same.
    if steps and is_lost[0] and not (goal.objective is Objective.MIN_TURNS and position.hidden):
        impossible = 0
    interrupted = values.interrupted
    if position.hidden and not interrupted:
        try:
            _add_samples(position, goal, values, (states[: counted + 1], steps[:counted]), judged, seed)
        except KeyboardInterrupt:
            interrupted = True
    turning = tuple(
        number
        for number, each in enumerate(judged, start=1)
        if number == impossible
        or (each.change is not None and _mark_of(_part(abs(each.change), each.before, goal)) == "blunder")
    )
    past = len(record) - len(steps)
    return Review(goal, tuple(judged), 1, (impossible,), interrupted, broken, turning, past)


def _judge(game: Race[Any], goal: Goal, state: State[Any], step: Step, before: Value, after: Value) -> Judged:
    """Return one step judged by exact values alone."""
    is_known, is_luck = before.is_known and after.is_known, isinstance(step, ChanceOutcome)
    change: Fraction | None = None
    if is_known and before.value is not None and after.value is not None:
        change = before.value - after.value
        if goal.objective is Objective.MIN_TURNS:
            change = int(not game.apply(state, step).state.pending) - change
    judged = Judged(step.text, None if is_luck else goal.seat, before.value, after.value, is_known, change)
    if is_luck:
        return replace(judged, change=None if change is None else -change)
    if len(game.legal_moves(state)) == 1:
        return replace(judged, mark="only move")
    loses = is_known and _is_possible(before.value, goal) and not _is_possible(after.value, goal)
    mark = "blunder" if loses else "" if change is None else _mark_of(_part(change, before.value, goal))
    return replace(judged, mark=mark, better=before.best if loses or change else "")


def _is_possible(value: Fraction | None, goal: Goal) -> bool:
    return value is not None and (goal.objective is not Objective.REACH or value > 0)


def _part(change: Fraction, best: Fraction | None, goal: Goal) -> Fraction:
    """Return a loss as what marks are made by."""
    return change if goal.objective is Objective.REACH else change / max(abs(best or Fraction(0)), Fraction(1))


def _add_samples(
    position: Position,
    goal: Goal,
    values: RecordValues,
    played: tuple[Sequence[State[Any]], Sequence[Step]],
    judged: list[Judged],
    seed: int,
) -> None:
    """Add what samples say of decisions and luck of which nothing exact is known, the first steps first.

    Raises:
        KeyboardInterrupt: it was stopped.
    """
    game, (states, steps) = position.game, played
    for place, luck in sampled_luck(game, goal, states, steps, values.part_of_time(LUCK_PART), seed=seed).items():
        if not any(each.known for each in judged[place - luck.draws + 1 : place + 1]):
            judged[place] = replace(judged[place], luck=luck)
    unknown = [n for n in range(len(steps)) if not (judged[n].known or judged[n].by_chance or judged[n].mark)]
    for done, place in enumerate(unknown):
        limit = values.part_of_time(1 / (len(unknown) - done))
        if limit.time_s == 0:
            return
        state, step = states[place], steps[place]
        own, playouts = replace(goal, within_turns=values.left(state)), min(SAMPLED, ALL_SAMPLED // len(unknown))
        here, most = position.after(state), playouts if limit.time_s is None else None
        guess = _guess(Question(here, own, limit.part(0.5), seed=seed, versus=step, playouts=most), step)
        if guess is not None:
            asked = goal if guess.goal is None else guess.goal
            # A distance counts as a part of what its turns bring.
            is_distance = asked.objective is Objective.MAX_DISTANCE
            begun = game.progress(state.table, goal.seat) if is_distance else 0
            judged[place] = _guessed(judged[place], guess, _part(guess.loss, guess.value - begun, asked))


# Several seats


def _contest(position: Position, record: Sequence[str], limit: Budget, seed: int) -> Review:
    states, steps, _ = _replayed(position, record, None, lambda _: False)
    judge, judged = _ContestJudge(position, limit, len(record) + 1, seed), list[Judged]()
    with suppress(KeyboardInterrupt):
        for state, after, step in zip(states, states[1:], steps, strict=False):
            judged.append(judge.step(state, step, after))
    thrown: list[int | None] = [None] * position.players
    turning = []
    for number, (each, state) in enumerate(zip(judged, states, strict=False), start=1):
        if each.seat is not None and each.before and each.change == each.before and not position.game.stake:
            thrown[each.seat] = thrown[each.seat] or number
        if each.known and each.change and _mark_of(judge.part(state, abs(each.change))) == "blunder":
            turning.append(number)
    interrupted = len(judged) < len(steps)
    return Review(None, tuple(judged), position.players, tuple(thrown), interrupted, turning=tuple(turning))


class _ContestJudge:
    """Values of the states of one record of several seats; equal states are looked at once."""

    def __init__(self, position: Position, limit: Budget, parts: int, seed: int) -> None:
        self._game, start = position.start()
        self._position, self._seed = position, seed
        self._unseen = {seat for seat in range(position.players) if UNKNOWN in self._game.hand(start.table, seat)}
        """Seats whose decisions nobody can judge, as nobody knows what they held."""
        self._budget = limit.start()
        self._limit = limit.part(1 / parts)
        self._reports: dict[State[Any], Answer[Fraction]] = {}

    def step(self, state: State[Any], step: Step, following: State[Any]) -> Judged:
        """Return one step judged; in the end nothing is known of what there was no time for."""
        game, actor = self._game, self._game.to_act(state)
        unknown = Judged(step.text, None if actor == CHANCE else actor)
        if not self._budget.has_time(0) or actor in self._unseen:
            return unknown
        if actor == CHANCE:
            before, after = self._value(state), self._value(following)
            change = None if before is None or after is None else after - before
            return replace(unknown, before=before, change=change, known=change is not None)
        if len(game.legal_moves(state)) == 1:
            return replace(unknown, change=Fraction(0), known=True, mark="only move")
        if game.is_common(state.table):
            if game.is_secret(state.table):
                return unknown
            report = self._report(state, step)
            if report is not None:
                return self._compared(report, state, step, unknown)
        playouts = SAMPLED if self._limit.time_s is None else None
        seen = self._position.after(replace(state, table=game.covered(state.table, actor)))
        guess = _guess(Question(seen, limit=self._limit.part(0.5), seed=self._seed, playouts=playouts), step)
        return unknown if guess is None else _guessed(unknown, guess, self.part(state, guess.loss))

    def part(self, state: State[Any], loss: Fraction) -> Fraction:
        """Return a loss as a part of all that is at stake."""
        low, high = self._game.payoff_range(state.table)
        return loss / max(Fraction(high) - Fraction(low), Fraction(1))

    def _compared(self, report: Answer[Fraction], state: State[Any], step: Step, unknown: Judged) -> Judged:
        """Return a decision judged by an exact search, as far as it goes."""
        loss = next(each.loss for each in report.moves if each.move == step)
        if loss is None:
            return replace(unknown, before=report.value if report.status is Status.OPTIMAL else None)
        mark, better = _mark_of(self.part(state, loss)), report.moves[0].move.text if loss else ""
        judged = replace(unknown, change=loss, mark=mark, better=better)
        if report.status is Status.OPTIMAL:
            return replace(judged, before=report.value, known=True)
        return replace(judged, ahead=report.facts.turns)

    def _report(self, state: State[Any], step: Step | None = None) -> Answer[Fraction] | None:
        """Return the moves of a state compared, the one that was made before others.

        Nothing where somebody decides later on while cards are hidden.
        """
        report = self._reports.get(state)
        if report is None or any(each.move == step and each.at_least is not None for each in report.moves):
            try:
                report = ContestQuestion(Question(self._position.after(state), limit=self._limit, versus=step)).answer()
            except UnsupportedRuleset:
                return None
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
            report = self._report(state)
            if report is None or report.status is not Status.OPTIMAL or report.value is None:
                return None
            return report.value if actor == 0 else sum(game.payoffs(state.table), Fraction(0)) - report.value
        outcomes, mean = game.chance_outcomes(state), Fraction(0)
        for outcome in outcomes:
            value = self._value(game.apply(state, outcome).state) if len(outcomes) <= BRANCHES else None
            if value is None:
                return None
            mean += outcome.probability * value
        return mean
