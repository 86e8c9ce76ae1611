"""A recorded game judged step by step: what each decision lost against the best, and what chance gave or took.

Values are exact where a search finds them. Elsewhere a decision is compared with the best move of a sample, on the same
draws and with no more than the player knew. Only a loss that the sample settles has a mark. Where two play to win and
see the same, values are those of the best play of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from puzzles.puzzle import Goal, Objective, does_forbidden
from rules.core.errors import BestlineError, ContentError, Fault, UnsupportedRuleset
from rules.core.position import Position
from rules.core.race import ImperfectInformation, Unsupported, hides
from rules.core.scripts import CHANCE, OVER, UNKNOWN, Step
from rules.core.turns import State, TurnEnd
from solver.engines.contest import ContestQuestion
from solver.engines.hidden import HiddenQuestion, first_turn
from solver.engines.open_search import OpenSearch
from solver.engines.playouts import Comparison, by_chance, is_far
from solver.question import Answer, Question, Status, refuse_unknown
from solver.search.budget import Budget, BudgetExceeded
from solver.search.expectimax import FirstTurn

if TYPE_CHECKING:
    from solver.tools.simulate import Luck

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
STEP_TURNS: Final = 5_000
"""Turns looked at for each step where no time is given; what one leaves is for those before it."""
EXACT_PART: Final = 0.5
"""Part of the time for exact values where something is hidden, or several play."""
BRANCHES: Final = 60
"""Most results of one chance event of several seats that are valued."""


class Value(NamedTuple):
    """The best value from one state."""

    value: Fraction | None = None
    """None where the goal is impossible, or where it is not known."""
    is_known: bool = False
    best: str = ""
    """A best move from there; empty where chance comes next or nothing helps."""


class Guess(NamedTuple):
    """What a sample says of a decision: the best move that it finds, and its value."""

    best: str
    value: Fraction
    goal: Goal | None
    """What is measured; none for the game against others."""
    loss: Fraction
    """How much less the move that was made is worth, 0 or more."""
    verdict: str
    """How sure that is: ``decided``, ``close`` or ``undecided``."""
    interval: tuple[float, float] | None = None
    """Where the value of the best move lies with 95 % confidence."""


class Judged(NamedTuple):
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


class Review(NamedTuple):
    """A whole record."""

    goal: Goal | None
    """What one seat is judged by: the chance where turns were asked for and success is not known to be certain.

    None for the game of several seats.
    """
    steps: tuple[Judged, ...]
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
        return tuple(map(self._sum, range(len(self.impossible_after))))

    @property
    def luck(self) -> Fraction:
        """Return all that chance gave the first seat, as far as it is known."""
        return self._sum(None)

    def _sum(self, seat: int | None) -> Fraction:
        return sum((each.change or Fraction(0) for each in self.steps if each.known and each.seat == seat), Fraction(0))

    @property
    def unknown(self) -> int:
        """Return how many steps could not be judged; among several seats, how many not exactly."""
        lucks = [(place, each.luck) for place, each in enumerate(self.steps) if each.luck]
        lucky = {place - draw for place, luck in lucks for draw in range(luck.draws)}
        open_ones = (not each.known and (self.goal is None or each.guess is None) for each in self.steps)
        return sum(is_open and place not in lucky for place, is_open in enumerate(open_ones))


def review(
    position: Position, goal: Goal | None, record: Sequence[str], limit: Budget | None = None, *, seed: int = 0
) -> Review:
    """Return every step of a record judged, by a goal of one's own or, without one, by who wins.

    A record ends early where its goal is met or the game is over. ``seed`` is that of samples. The goal is about the
    whole record: later turns do not make good what it forbids.

    Raises:
        UnsupportedRuleset: several players have turns and one of them a goal, or the game is no contest.
        BestlineError: a lone player's own hand has unknown cards.
        ContentError: a step is not possible where it stands.
        KeyboardInterrupt: it was stopped before anything was judged.
    """
    limit, players = limit or Budget(), position.players
    if goal is not None:
        if players > 1:
            raise UnsupportedRuleset([f"reviewing games of {players} players"])
        refuse_unknown(position, goal.seat)
        goal = _judged_goal(position, goal, limit)
    elif players < 2:
        raise UnsupportedRuleset(["a review of a game without opponents"])
    return Reviewer(position, goal, limit, seed).judged(record)


def _judged_goal(position: Position, goal: Goal, limit: Budget) -> Goal:
    """Return what is judged where something is hidden: turns within a limit only where success is certain."""
    chance = by_chance(position, goal)
    if chance == goal:
        return goal
    game, start = position.start()
    found = HiddenQuestion(game, start, chance, limit.part(QUESTION_PART), STEP_TURNS, rivals=False).answer()
    if found.interrupted:  # nothing was judged yet
        raise KeyboardInterrupt
    return goal if found.value == 1 else chance


def _mark_of(part: Fraction) -> str:
    """Return the mark of a loss, as a part of what it is measured by; empty for a small one."""
    return next((mark for least, mark in MARKS if part >= least), "")


def _is_possible(value: Fraction | None, goal: Goal) -> bool:
    return value is not None and (goal.objective is not Objective.REACH or value > 0)


class Reviewer:
    """The states of one record, valued by a goal of one seat, or for the first of two who play to win."""

    def __init__(self, position: Position, goal: Goal | None, limit: Budget, seed: int) -> None:
        self._game, self._start = position.start()
        self._position, self._goal, self._limit, self._seed = position, goal, limit.start(), seed
        self._hidden = bool(position.hidden)
        self._exact = limit.part(EXACT_PART if self._hidden or goal is None else 1.0).start()
        """The time for exact values."""
        self._budget = limit.start()
        self._search: FirstTurn | None = None
        self._most: int | None = None
        self._won_from: dict[State[Any], Value] = {}
        """Values of those who play to win."""
        self._interrupted = False

    def judged(self, record: Sequence[str]) -> Review:
        """Return the review of the record."""
        goal = self._goal
        states, steps, broken = self._replayed(record)
        counted = len(steps) if broken is None else broken
        known = self._values(states if broken is None else states[:broken])
        nothing = Fraction(0) if goal is not None and goal.objective is Objective.REACH else None
        known += [Value(nothing, is_known=True)] * (len(states) - len(known))
        judged = [self._exactly(states[n], step, *known[n : n + 2]) for n, step in enumerate(steps)]
        try:
            if not self._interrupted and (goal is None or self._hidden):
                self._add_samples(states[: counted + 1], steps[:counted], judged)
        except KeyboardInterrupt:
            self._interrupted = True
        impossible = self._impossible(known, judged)
        turning = tuple(
            number
            for number, (each, state) in enumerate(zip(judged, states, strict=False), start=1)
            if (goal is not None and number == impossible[0])
            or (each.known and each.change and _mark_of(self._part(state, abs(each.change), each.before)) == "blunder")
        )
        past = 0 if goal is None else len(record) - len(steps)
        return Review(goal, tuple(judged), impossible, self._interrupted, broken, turning, past)

    def _replayed(self, record: Sequence[str]) -> tuple[list[State[Any]], list[Step], int | None]:
        """Return states and steps up to the end of what was asked, and the number of the first forbidden step."""
        game, goal, state = self._game, self._goal, self._start
        states, steps, broken = [state], list[Step](), None
        for number, text in enumerate(record, start=1):
            if (broken is None and self._is_met(state)) or game.to_act(state) == OVER:
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

    def _is_met(self, state: State[Any]) -> bool:
        """Return whether a goal of one seat is met, or no turn is left for it."""
        goal = self._goal
        if state.pending or goal is None:
            return False
        there = self._game.progress(state.table, goal.seat) >= goal.target
        return self._left(state) == 0 or (there and goal.objective is not Objective.MAX_DISTANCE)

    def _left(self, state: State[Any]) -> int | None:
        """Return the turns left for the goal, none where it sets no limit."""
        goal, game = self._goal, self._game
        if goal is None or goal.within_turns is None:
            return None
        return max(0, goal.within_turns + game.turns(self._start.table, goal.seat) - game.turns(state.table, goal.seat))

    def _impossible(self, known: Sequence[Value], judged: Sequence[Judged]) -> tuple[int | None, ...]:
        """Return by seat the number of the first step after which nothing was left to be had, 0 where it never was."""
        goal, seats = self._goal, range(self._position.players)
        if goal is None:
            lost = [
                (each.seat, number)
                for number, each in enumerate(judged, start=1)
                if each.before and each.change == each.before and not (each.by_chance or self._game.stake)
            ]
            return tuple(next((number for who, number in lost if who == seat), None) for seat in seats)
        is_lost = [each.is_known and not _is_possible(each.value, goal) for each in known]
        # Turns that are not certain to be enough may be enough all the same.
        if judged and is_lost[0] and not (goal.objective is Objective.MIN_TURNS and self._hidden):
            return (0,)
        had = [each.is_known and not lost for each, lost in zip(known, is_lost, strict=True)]
        return (next((number for number in range(1, len(known)) if is_lost[number] and had[number - 1]), None),)

    # Exact values

    def _values(self, states: Sequence[State[Any]]) -> list[Value]:
        """Return the best value of each state.

        The last comes first, since those before it need its results and have what it leaves of the time. Those that
        are not known are looked at once more with what is left in the end.
        """
        values = [Value()] * len(states)
        if self._goal is not None and self._hidden and any(hides(self._game, state.table) for state in states):
            return values  # exact values would know what nobody sees
        self._most = None if self._limit.time_s is not None else STEP_TURNS * len(states)
        try:
            for _ in range(1 if self._goal is None else 2):
                unknown = [place for place in reversed(range(len(states))) if not values[place].is_known]
                for done, place in enumerate(unknown):
                    limit = self._exact.share(1 / (len(unknown) - done))
                    if limit.time_s == 0:  # a form takes its time to lay out before it looks at any clock
                        return values
                    values[place] = self._value(states[place], limit)
        except KeyboardInterrupt:
            self._interrupted = True
        return values

    def _value(self, state: State[Any], limit: Budget) -> Value:
        if self._goal is None:
            return self._won(state, limit)
        goal = replace(self._goal, within_turns=self._left(state))
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
        if not answer.status.is_settled:
            return Value()
        return Value(Fraction(answer.value) if is_asked and answer.value is not None else None, True, "".join(best[:1]))

    def _expected(self, goal: Goal, state: State[Any], limit: Budget) -> Value:
        """Return a value where something is hidden and no number of turns is asked for."""
        left = goal.within_turns or 0
        # One search from the start of the record serves all its states.
        if self._search is None:
            self._search = first_turn(self._game, self._start, self._goal or goal, self._budget, most=self._most)
        if limit.time_s is not None:
            self._budget.go_on(limit.time_s)
        first, best = self._search.later(state), None
        try:
            value = first.value(left)
            with suppress(BudgetExceeded):
                best = first.best(left, ())
        except (BudgetExceeded, Unsupported):
            return Value()
        return Value(value, True, best.text if best else "")

    def _won(self, state: State[Any], limit: Budget) -> Value:
        """Return what the first of two seats has at the best play of both, where all see the same."""
        game, actor = self._game, self._game.to_act(state)
        if state in self._won_from:
            return self._won_from[state]
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
        self._won_from[state] = Value(value, True, best)
        return self._won_from[state]

    # What a step is worth, by these or else by samples

    def _part(self, state: State[Any], change: Fraction, best: Fraction | None, goal: Goal | None = None) -> Fraction:
        """Return a loss as what marks are made by: of the best value, or of all that is at stake among several."""
        goal = goal or self._goal
        if goal is None:
            low, high = self._game.profile.payoffs
            return change / max(Fraction(high) - Fraction(low), Fraction(1))
        return change if goal.objective is Objective.REACH else change / max(abs(best or Fraction(0)), Fraction(1))

    def _exactly(self, state: State[Any], step: Step, before: Value, after: Value) -> Judged:
        game, goal, actor = self._game, self._goal, self._game.to_act(state)
        value, change, is_known = before.value, None, before.is_known and after.is_known
        is_others = actor > 0 and goal is None  # values are those of the first seat
        if is_known and before.value is not None and after.value is not None:
            change = before.value - after.value
            if goal is not None and goal.objective is Objective.MIN_TURNS:
                change = int(not game.apply(state, step).state.pending) - change
            change = -change if is_others or actor == CHANCE else change
        if is_others and value is not None:
            value = sum(game.payoffs(state.table), Fraction(0)) - value
        seat = None if actor == CHANCE else actor
        judged = Judged(step.text, seat, value, None if goal is None else after.value, is_known, change)
        if seat is None:
            return judged
        if len(game.legal_moves(state)) == 1:
            only = judged._replace(mark="only move")
            return only if goal is not None else only._replace(change=Fraction(0), known=True)
        loses = goal is not None and is_known and _is_possible(value, goal) and not _is_possible(after.value, goal)
        mark = "blunder" if loses else "" if change is None else _mark_of(self._part(state, change, value))
        return judged._replace(mark=mark, better=before.best if loses or change else "")

    def _add_samples(self, states: Sequence[State[Any]], steps: Sequence[Step], judged: list[Judged]) -> None:
        """Add what samples say of decisions and luck of which nothing exact is known, the first steps first."""
        game, goal = self._game, self._goal
        if goal is not None:
            from solver.tools.simulate import sampled_luck

            limit = self._limit.share(LUCK_PART)
            for place, luck in sampled_luck(game, goal, states, steps, limit, seed=self._seed).items():
                if not any(each.known for each in judged[place - luck.draws + 1 : place + 1]):
                    judged[place] = judged[place]._replace(luck=luck)
        unknown = [place for place in range(len(steps)) if self._is_open(states[place], judged[place])]
        for done, place in enumerate(unknown):
            limit, state = self._limit.share(1 / (len(unknown) - done)), states[place]
            if limit.time_s == 0:
                return
            playouts = min(SAMPLED, ALL_SAMPLED // len(unknown)) if limit.time_s is None else None
            if (guess := self._guess(state, steps[place], limit.part(0.5), playouts)) is None:
                continue
            # A distance counts as a part of what its turns bring.
            is_distance = guess.goal is not None and guess.goal.objective is Objective.MAX_DISTANCE
            begun = game.progress(state.table, guess.goal.seat) if guess.goal is not None and is_distance else 0
            part = self._part(state, guess.loss, guess.value - begun, guess.goal)
            mark = _mark_of(part) if guess.verdict == "decided" else ""
            judged[place] = judged[place]._replace(guess=guess, mark=mark, better=guess.best if guess.loss else "")

    def _is_open(self, state: State[Any], judged: Judged) -> bool:
        """Return whether a decision is left to samples: nobody can judge what a hand that nobody knows has decided."""
        game = self._game
        if judged.known or judged.seat is None or judged.mark:
            return False
        if self._goal is not None:
            return True
        is_secret = game.is_common(state.table) and game.is_secret(state.table)
        return not is_secret and UNKNOWN not in game.hand(self._start.table, judged.seat)

    def _guess(self, state: State[Any], step: Step, limit: Budget, playouts: int | None) -> Guess | None:
        """Return a step compared with the best move of a first sample, on fresh draws, if that says anything."""
        game, goal = self._game, self._goal
        if goal is not None:
            goal = replace(goal, within_turns=self._left(state))
        elif isinstance(game, ImperfectInformation):
            state = state._replace(table=game.covered(state.table, game.to_act(state)))
        named = step if goal else None
        question = Question(self._position.after(state), goal, limit, seed=self._seed, versus=named, playouts=playouts)
        found = Comparison(question).sampled()
        best = found.moves[0].move
        if best != step and not found.interrupted:
            found = Comparison(replace(question, seed=self._seed + 1, among=(best, step))).sampled()
        if found.interrupted:
            raise KeyboardInterrupt
        first, mine = found.moves[0], next(each for each in found.moves if each.move == step)
        if first.value is None or mine.loss is None or min(first.playouts, mine.playouts) < 2:
            return None
        return Guess(first.move.text, first.value, found.goal, mine.loss, found.verdict, first.interval)
