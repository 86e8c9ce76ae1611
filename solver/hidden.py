"""Answers where chance is hidden: exact values of the best policy where they are in reach, otherwise playouts."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.challenge import unwrapped
from rules.core.contest import Contest
from rules.core.errors import UnsupportedRuleset
from rules.core.position import Position
from rules.core.race import Race, Unsupported
from rules.core.turns import State
from solver.answer import IDLE, SETTLED, Answer
from solver.ceilings import ceiling
from solver.comparing import Comparison, OnGoal, by_chance, run_out, unlimited, until
from solver.hidden_question import HiddenQuestion
from solver.question import Question
from solver.row_trees import is_far
from solver.search.budget import Budget
from solver.search.problem import does_forbidden

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
STOPPED_S: Final = 0.3
"""Seconds for playouts where the search was stopped before there were any; every move is tried at least."""


def best_hidden(question: Question, *, rivals: bool = True, on_goal: OnGoal | None = None) -> Answer[Fraction]:
    """Return every open move compared: exactly where that is within reach, otherwise by tree search.

    Where others play ``best``, each searches for its own progress. Without ``rivals`` moves that lose something are
    not followed further than the best one needs. ``on_goal`` hears how far playouts have come.

    Raises:
        UnsupportedRuleset: the game has no progress.
    """
    position, goal = question.position, question.asked
    game, start = position.start()
    if not isinstance(game, Race):
        raise UnsupportedRuleset(["a game without progress"])
    engine = _Engine(question, unlimited(question.limit).start(), on_goal)
    among_others = position.players > 1 and _is_this_turn(game, start, goal)
    broken = does_forbidden(start.pending, goal.forbidden)
    fewest = goal.objective is Objective.MIN_TURNS and not start.pending
    if fewest and game.progress(start.table, goal.seat) >= goal.target:  # nothing is left to do, whatever is hidden
        return HiddenQuestion(game, start, goal, question.limit, certain=False).answer()
    if broken or among_others or position.players == 1:
        return engine.exactly_or_not(rivals=rivals, among_others=among_others)
    return engine.by_playouts()


class _Engine:
    """One question: exact search has all of the time but a reserve, and playouts have that."""

    def __init__(self, question: Question, budget: Budget, on_goal: OnGoal | None) -> None:
        self._question, self._budget, self._on_goal = question, budget, on_goal
        self._goal, self._limit, self._playouts = question.asked, question.limit, question.playouts
        self._exact: Answer[Fraction] | None = None
        """What exact search has found."""
        self._comparison: Comparison | None = None

    def exactly_or_not(self, *, rivals: bool, among_others: bool) -> Answer[Fraction]:
        """Return the exact answer where it is found within the limit, otherwise what playouts say besides."""
        game, start = self._question.position.start()
        assert isinstance(game, Race)
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
                most=FIRST_TURNS if playouts is None else WAYS_FOR_A_PLAYOUT * playouts,
                certain=False,
                versus=self._question.versus,
                rivals=rivals,
                among_others=among_others,
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
        self._begin().run(until(self._budget, self._budget.elapsed_s + STOPPED_S))
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
        run_out(comparison, self._limit, self._budget, self._playouts)
        return self._reported(comparison)

    def _reported(self, comparison: Comparison) -> Answer[Fraction]:
        """Return what is known, with the bound of the goal where moves are compared by how far they get."""
        answer, position = comparison.report(self._exact), self._question.position
        is_distance = answer.answered.objective is Objective.MAX_DISTANCE
        if not is_distance or self._goal.objective is Objective.MAX_DISTANCE:
            return answer
        asked, game = by_chance(position, self._goal), position.game
        assert isinstance(game, Race)
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
    rules = unwrapped(game)
    return own and goal.within_turns == 1 and isinstance(rules, Contest) and rules.is_common(start.table, seat)


def solve_hidden(position: Position, goal: Goal, limit: Budget | None = None) -> Answer[Fraction]:
    """Return the best policy's value, exact or between bounds, with every open move compared.

    Raises:
        UnsupportedRuleset: several players have turns, or the game has no progress.
        BestlineError: success is not certain within the turns looked ahead and the goal sets no limit.
    """
    game = position.game
    if not isinstance(game, Race):
        raise UnsupportedRuleset(["a game without progress"])
    if position.players > 1:
        raise UnsupportedRuleset([f"solving for {position.players} players ('best' compares moves among several)"])
    # What a move may fail in all the turns given can take much longer than the answer, and is for 'best' to tell.
    rivals = goal.objective is Objective.MIN_TURNS
    return HiddenQuestion(game, position.start()[1], goal, limit or Budget(), rivals=rivals).answer()
