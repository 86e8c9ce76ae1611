"""Answers where chance is hidden: exact values of the best policy where they are in reach, otherwise playouts.

Playouts compare all open moves a stretch at a time: what is known can be said after each, and gone on with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, Final

from puzzles.goal import Goal, Objective, allowed_steps, does_forbidden
from rules.core.errors import UnsupportedRuleset
from rules.core.position import Position
from rules.core.race import Race, Unsupported
from rules.core.steps import Step
from rules.core.turns import State
from solver.engines.hidden_question import HiddenQuestion, Scope, ceiling
from solver.engines.playouts import GoalAim, Rollouts, RowTrees, is_far, row_trees, within_playouts
from solver.engines.sampled import OnRound, Sample, TreeComparison
from solver.question import IDLE, SETTLED, Answer, MoveValue, Question, Status
from solver.search.budget import GRACE_S, Budget
from solver.search.rollout import OPPONENTS, few_of

FIRST_TURNS: Final = 12_000
"""Ways through turns looked at before moves are compared by playouts instead, where no time is given."""
WAYS_FOR_A_PLAYOUT: Final = 4
"""Likewise for every playout, where their number is given."""
RESERVE: Final = 0.3
"""Part of the time that is kept for playouts where exact search does not answer."""
FIRST_PART: Final = 0.05
"""Part of the time for playouts before, so that a move is there at once."""
LEAST_PART: Final = 0.1
"""Part of the time that exact search has at least, however long loading has taken."""
SAMPLED_PART: Final = 0.2
"""Part of the time given that playouts have at least, where a step of the exact search took longer than all of it."""
TREES: Final = "information-set tree search"
"""The engine of answers sampled over rows."""
ROLLOUTS: Final = "flat rollouts"
"""The engine of answers sampled by the rules."""

OnGoal = Callable[[Goal], OnRound]
"""Makes what hears of playouts for a goal."""
Spent = Callable[[], float]
"""Tells the part that is gone of the time given."""


def best_hidden(question: Question, *, rivals: bool = True, on_goal: OnGoal | None = None) -> Answer[Fraction]:
    """Return every open move compared: exactly where that is within reach, otherwise by playouts.

    Where others play ``best``, playouts have each play greedily for its own progress. Without ``rivals`` moves that
    lose something are not followed further than the best one needs. ``on_goal`` hears how far playouts have come.

    Raises:
        UnsupportedRuleset: the game has no progress.
    """
    position, goal = question.position, question.own_goal
    game, start = position.start()
    engine = _Engine(question, Budget(clock=question.limit.clock).start(), on_goal)
    among_others = position.players > 1 and _is_this_turn(game, start, goal)
    broken = does_forbidden(start.pending, goal.forbidden)
    fewest = goal.objective is Objective.MIN_TURNS and not start.pending
    if fewest and game.progress(start.table, goal.seat) >= goal.target:  # nothing is left to do, whatever is hidden
        return HiddenQuestion(game, start, goal, question.limit, scope=Scope(certain=False)).answer()
    if broken or among_others or position.players == 1:
        return engine.exactly_or_not(rivals=rivals, among_others=among_others)
    return engine.by_playouts()


class _Engine:
    """One question: exact search has all of the time but a reserve, and playouts have that."""

    def __init__(self, question: Question, budget: Budget, on_goal: OnGoal | None) -> None:
        self._question, self._budget, self._on_goal = question, budget, on_goal
        self._goal, self._limit, self._playouts = question.own_goal, question.limit, question.playouts
        self._exact: Answer[Fraction] | None = None
        """What exact search has found."""
        self._comparison: Comparison | None = None

    def exactly_or_not(self, *, rivals: bool, among_others: bool) -> Answer[Fraction]:
        """Return the exact answer where it is found within the limit, otherwise what playouts say besides."""
        game, start = self._question.position.start()
        time_s, playouts = self._limit.time_s, self._playouts
        try:
            if time_s is not None and not among_others:
                self._begin().run(until(self._budget, self._budget.elapsed_s + FIRST_PART * time_s))
                if self._begin().interrupted:
                    return self._stopped()
            if time_s is not None:
                part = LEAST_PART if not among_others and is_far(game, start, self._goal) else 1 - RESERVE
                time_s = max(LEAST_PART * time_s, part * time_s - self._budget.elapsed_s)
            exact = self._exact = HiddenQuestion(
                *(game, start, self._goal, replace(self._limit, time_s=time_s)),
                scope=Scope(
                    most=FIRST_TURNS if playouts is None else WAYS_FOR_A_PLAYOUT * playouts,
                    certain=False,
                    rivals=rivals,
                    among_others=among_others,
                ),
                versus=self._question.versus,
            ).answer()
        except Unsupported:  # another player decides something
            return self.by_playouts()
        except KeyboardInterrupt:
            return self._stopped()
        is_enough = among_others or exact.value == exact.bound
        if exact.status in SETTLED or (exact.interrupted and is_enough and _is_advice(exact)):
            return replace(exact, others=IDLE) if among_others else exact
        if exact.interrupted:
            return self._stopped()
        fewest = exact.goal is not None and exact.goal.objective is Objective.MIN_TURNS
        certain = fewest and self._goal.objective is Objective.MIN_TURNS and bool(exact.moves)
        return exact if certain else self.by_playouts()  # a way to play that is certain to arrive is advice

    def _stopped(self) -> Answer[Fraction]:
        """Return the best so far: whoever stops it wants to move."""
        self._begin().run(until(self._budget, self._budget.elapsed_s + GRACE_S))
        return replace(self._reported(self._begin()), interrupted=True)

    def _begin(self) -> Comparison:
        """Return the comparison of the question as exact search has put it."""
        question, goal = self._question, None if self._exact is None else self._exact.goal
        goal = goal or by_chance(question.position, self._goal)
        if self._comparison is None or self._comparison.wanted != goal:
            self._comparison = Comparison(replace(question, goal=goal), self._budget, on_goal=self._on_goal)
        return self._comparison

    def by_playouts(self) -> Answer[Fraction]:
        """Return what playouts say, with what exact search has proved on the way."""
        comparison = self._begin()
        comparison.run(spending(self._budget, self._limit), self._playouts)
        return self._reported(comparison)

    def _reported(self, comparison: Comparison) -> Answer[Fraction]:
        """Return what is known, with the bound of the goal where moves are compared by how far they get."""
        answer, position = comparison.report(self._exact), self._question.position
        is_distance = answer.answered.objective is Objective.MAX_DISTANCE
        if not is_distance or self._goal.objective is Objective.MAX_DISTANCE:
            return answer
        asked, game = by_chance(position, self._goal), position.game
        return replace(answer, instead_of=asked, instead_bound=ceiling(game, position.start()[1].table, asked))


def _is_advice(answer: Answer[Fraction]) -> bool:
    """Return whether an answer that was stopped names a move that is good for something."""
    is_chance = answer.goal is not None and answer.goal.objective is Objective.REACH
    return bool(answer.moves) and (not is_chance or bool(answer.value))


def _is_this_turn(game: Race[Any], start: State[Any], goal: Goal) -> bool:
    """Return whether one of several players asks about this turn only, and sees all that does not come by chance.

    The others do not count then, unless they have to decide something in it. Where the turn of another one is under
    way, that is not the turn which is asked about.
    """
    seat = goal.seat
    own = game.to_act(start) == seat == game.to_act(State(start.table))
    return own and goal.within_turns == 1 and game.is_common(start.table, seat)


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
        return HiddenQuestion(game, position.start()[1], goal, limit or Budget(), scope=Scope(rivals=rivals)).answer()
    except Unsupported:
        what = "solving while a card lies face down before a player ('best' compares moves by playouts)"
        raise UnsupportedRuleset([what]) from None


# Playouts


def by_chance(position: Position, goal: Goal) -> Goal:
    """Return the question that is asked where something is hidden: the chance of arriving within so many turns.

    An expected number of turns there is only where arriving is certain, which is for exact search to tell.
    """
    asks_turns = goal.objective is Objective.MIN_TURNS and goal.within_turns is not None
    return replace(goal, objective=Objective.REACH) if asks_turns and position.hidden else goal


def _played(opponents: str | None) -> str:
    """Return how others play in playouts: greedily where nothing simpler is said."""
    return "greedy" if opponents is None or opponents not in OPPONENTS else opponents


class Comparison:
    """All open moves of one position, compared for one goal."""

    def __init__(
        self,
        question: Question,
        budget: Budget,
        *,
        on_goal: OnGoal | None = None,
        among: Sequence[Step] | None = None,
    ) -> None:
        """The move that the question names is compared as carefully as the best.

        ``among`` some only moves are compared, where these are given.

        Raises:
            UnsupportedRuleset: the game has no progress.
        """
        position, goal = question.position, question.own_goal
        game, start = position.start()
        self._question, self._game, self._start, self._budget = question, game, start, budget
        open_now = allowed_steps(among or game.legal_moves(start), goal.forbidden)
        self._moves = list(few_of(open_now))
        if question.versus in open_now and question.versus not in self._moves:
            self._moves.append(question.versus)
        self._passed_over = len(open_now) - len(self._moves)
        self._others, self._on_goal = _played(question.opponents), on_goal
        self._alone = position.players == 1
        self.wanted = self._goal = goal
        rows = row_trees(game, start, goal, question.seed) if self._alone and position.hidden else None
        self._engine = TREES
        self._now = self._by_rules() if rows is None else self._comparison(rows, rows.aim)

    def _by_rules(self) -> TreeComparison:
        """Return the comparison by the rules, for a goal within their reach."""
        self._goal, self._engine = within_playouts(self.wanted), ROLLOUTS
        game, aim = self._game, GoalAim(self._game, self._goal)
        others = OPPONENTS[self._others](game)
        rollouts = Rollouts(game, self._start, aim, others, seed=self._question.seed, alone=self._alone)
        return self._comparison(rollouts, aim)

    def _comparison(self, trees: Rollouts | RowTrees, aim: GoalAim) -> TreeComparison:
        begun = trees.begun if isinstance(trees, RowTrees) else partial(self._game.begun, self._start)
        samples = [Sample(move, begun(move), place=place) for place, move in enumerate(self._moves)]
        on_round = None if self._on_goal is None else self._on_goal(self._goal)
        return TreeComparison(
            trees, aim, samples, on_round=on_round, asked=self._question.versus, spend=self._budget.spend
        )

    @property
    def interrupted(self) -> bool:
        """Whether the user has stopped it."""
        return self._now.interrupted

    def run(self, spent: Spent | None, playouts: int | None = None) -> None:
        """Go on until the best move is settled, the time is up, all playouts are played, or the user stops it.

        Once stopped it stays so. ``spent`` is none where playouts are counted, those of all runs together.
        """
        if self._now.interrupted:
            return
        try:
            self._now.run(spent, playouts)
        except OverflowError:  # a row needs more than the encoding has
            self._now = self._by_rules()
            self._now.run(spent, playouts)

    def report(self, exact: Answer[Fraction] | None = None) -> Answer[Fraction]:
        """Return what is known, with what an ``exact`` search has proved on the way."""
        goal, bound = self._goal, None
        answer = self._now.answer(self._budget, self._engine, self._passed_over)
        answer = replace(answer, goal=goal, others="" if self._alone else self._others)
        if exact is not None and exact.goal == goal:
            answer, bound = _with_proved(answer, exact), exact.bound
        elif exact is not None and goal.objective is exact.answered.objective is Objective.MIN_TURNS:
            bound = exact.bound
        if bound is None and self._alone:
            bound = ceiling(self._game, self._start.table, goal)
        return replace(answer, bound=bound)


def compared(
    question: Question,
    budget: Budget | None = None,
    *,
    on_goal: OnGoal | None = None,
    among: Sequence[Step] | None = None,
) -> Answer[Fraction]:
    """Return every open move compared, whatever is hidden; ``budget`` says how much of the time is gone.

    Raises:
        UnsupportedRuleset: the game has no progress.
    """
    budget = budget or Budget(clock=question.limit.clock).start()
    question = replace(question, goal=by_chance(question.position, question.own_goal))
    comparison = Comparison(question, budget, on_goal=on_goal, among=among)
    comparison.run(spending(budget, question.limit), question.playouts)
    return comparison.report()


def spending(budget: Budget, limit: Budget) -> Spent | None:
    """Return what tells the part that is gone of the time from now on; nothing where no time is given."""
    time_s = limit.time_s
    return None if time_s is None else until(budget, max(time_s, budget.elapsed_s + SAMPLED_PART * time_s))


def until(budget: Budget, last_s: float) -> Spent:
    """Return what tells the part that is gone of the time from now until so many seconds are over."""
    begun = budget.elapsed_s
    return lambda: (budget.elapsed_s - begun) / max(last_s - begun, 1e-6)


def _with_proved(answer: Answer[Fraction], exact: Answer[Fraction]) -> Answer[Fraction]:
    """Return an answer of playouts with what is proved.

    The move with a proved value comes first where playouts show no better value of any other.
    """
    least = answer.answered.objective is Objective.MIN_TURNS
    if answer.answered.objective is Objective.REACH:
        answer = replace(answer, least=exact.value)
    if not exact.moves or exact.value is None or not (exact.value or least):
        return answer
    first, move, value = answer.moves[0], exact.moves[0].move, exact.moves[0].value
    if value is None or (first.value is not None and (value > first.value if least else value < first.value)):
        return answer
    sign = 1 if least else -1
    rest = [
        replace(each, loss=None if each.value is None else max(Fraction(0), sign * (each.value - value)))
        for each in answer.moves
        if each.move != move
    ]
    playouts = sum(each.playouts for each in answer.moves if each.move == move)
    best = MoveValue(move, value, Fraction(0), playouts=playouts, is_proved=True)
    stays = first.move == move
    return replace(
        answer,
        status=Status.FEASIBLE,
        value=value,
        moves=(best, *rest),
        verdict=answer.verdict if stays else "undecided",
        kind=answer.kind if stays else "",
    )
