"""Answers where chance is hidden: exact values of the best policy where they are in reach, otherwise playouts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.challenge import tells_all
from rules.core.errors import BestlineError, UnsupportedRuleset
from rules.core.position import Position
from rules.core.race import OutOfReach, Race
from rules.core.steps import CHANCE, OVER, Step
from rules.core.turns import State
from solver.answer import nothing_to_choose
from solver.comparing import Comparison, OnGoal, by_chance, run_out, unlimited, until
from solver.hidden_question import SETTLED, HiddenQuestion
from solver.hidden_report import IDLE, HiddenReport
from solver.row_trees import is_far
from solver.search.budget import Budget
from solver.search.plain import does_forbidden, forbidden_step

FIRST_TURNS: Final = 12_000
"""Ways through turns looked at before moves are compared by playouts instead, where no time is given."""
WAYS_FOR_A_PLAYOUT: Final = 4
"""Likewise for every playout, where their number is given."""
APPLY: Final = "chance decides next; apply what came up, then ask again ('bestline moves' lists it)"
"""What to do where nothing can be chosen yet."""
RESERVE: Final = 0.3
"""Part of the time that is kept for playouts where exact search does not answer."""
FIRST_PART: Final = 0.05
"""Part of the time for playouts before, so that a move is there at once."""
LEAST_PART: Final = 0.1
"""Part of the time that exact search has at least, however long loading has taken."""
STOPPED_S: Final = 0.3
"""Seconds for playouts where the search was stopped before there were any; every move is tried at least."""


def best_hidden(
    position: Position,
    goal: Goal,
    limit: Budget | None = None,
    *,
    seed: int = 0,
    others: str = "greedy",
    playouts: int | None = None,
    versus: Step | None = None,
    rivals: bool = True,
    told: OnGoal | None = None,
) -> HiddenReport:
    """Return every open move compared: exactly where that is within reach, otherwise by tree search.

    ``others`` is how other players play: a name of ``OPPONENTS``, or ``best``: each searches for its own progress.
    ``playouts`` is how many there are where no time is given. ``versus`` is a move of which the plan is wanted as well;
    without ``rivals`` moves that lose something are not followed further than the best one needs.
    ``told`` hears how far playouts have come.

    Raises:
        UnsupportedRuleset: the game has no progress.
    """
    game, start = position.start()
    if not isinstance(game, Race):
        raise UnsupportedRuleset(["a game without progress"])
    budget = unlimited(limit).start()
    asking = _Asking(position, goal, limit, budget, seed=seed, others=others, versus=versus, told=told)
    among_others = position.players > 1 and _is_this_turn(game, start, goal)
    broken = does_forbidden(start.pending, goal.forbidden)
    fewest = goal.objective is Objective.MIN_TURNS and not start.pending
    if fewest and game.progress(start.table, goal.seat) >= goal.target:  # nothing is left to do, whatever is hidden
        return HiddenQuestion(game, start, goal, limit or Budget(), certain=False).answer()
    if broken or among_others or position.players == 1:
        return asking.exactly_or_not(playouts, rivals=rivals, among_others=among_others)
    return asking.by_playouts(playouts)


class _Asking:
    """One question: exact search has all of the time but a reserve, and playouts have that."""

    def __init__(
        self,
        position: Position,
        goal: Goal,
        limit: Budget | None,
        budget: Budget,
        *,
        seed: int,
        others: str,
        versus: Step | None,
        told: OnGoal | None,
    ) -> None:
        self._position, self._goal, self._limit, self._budget = position, goal, limit, budget
        self._seed, self._others, self._versus, self._told = seed, others, versus, told
        self._exact: HiddenReport | None = None
        """What exact search has found."""
        self._comparison: Comparison | None = None

    def exactly_or_not(self, playouts: int | None, *, rivals: bool, among_others: bool) -> HiddenReport:
        """Return the exact answer where it is found within the limit, otherwise what playouts say besides."""
        game, start = self._position.start()
        assert isinstance(game, Race)
        try:
            if self._limit is not None and self._limit.time_s is not None and not among_others:
                self._begin().run(until(self._budget, self._budget.elapsed_s + FIRST_PART * self._limit.time_s))
                if self._begin().interrupted:
                    return self._stopped()
            time_s = None if self._limit is None else self._limit.time_s
            if time_s is not None:
                part = LEAST_PART if not among_others and is_far(game, start, self._goal) else 1 - RESERVE
                time_s = max(LEAST_PART * time_s, part * time_s - self._budget.elapsed_s)
            exact = self._exact = HiddenQuestion(
                *(game, start, self._goal, replace(self._limit or Budget(), time_s=time_s)),
                most=FIRST_TURNS if playouts is None else WAYS_FOR_A_PLAYOUT * playouts,
                certain=False,
                versus=self._versus,
                rivals=rivals,
                among_others=among_others,
            ).answer()
        except OutOfReach:  # another player decides something
            return self.by_playouts(playouts)
        except KeyboardInterrupt:
            return self._stopped()
        is_enough = among_others or exact.value == exact.bound
        if exact.status in SETTLED or (exact.interrupted and is_enough and _is_advice(exact)):
            return replace(exact, others=IDLE) if among_others else exact
        if exact.interrupted:
            return self._stopped()
        certain = self._goal.objective is exact.goal.objective is Objective.MIN_TURNS and bool(exact.options)
        return exact if certain else self.by_playouts(playouts)  # a way to play that is certain to arrive is advice

    def _stopped(self) -> HiddenReport:
        """Return the best so far: whoever stops it wants to move."""
        self._begin().run(until(self._budget, self._budget.elapsed_s + STOPPED_S))
        return replace(self._begin().report(self._exact), interrupted=True)

    def _begin(self) -> Comparison:
        """Return the comparison of the question as exact search has put it."""
        goal = by_chance(self._position, self._goal) if self._exact is None else self._exact.goal
        if self._comparison is None or self._comparison.wanted != goal:
            self._comparison = Comparison(
                *(self._position, goal, self._budget),
                seed=self._seed,
                others=self._others,
                asked=self._versus,
                told=self._told,
            )
        return self._comparison

    def by_playouts(self, playouts: int | None) -> HiddenReport:
        """Return what playouts say, with what exact search has proved on the way."""
        comparison = self._begin()
        run_out(comparison, self._limit, self._budget, playouts)
        return comparison.report(self._exact)


def _is_advice(report: HiddenReport) -> bool:
    """Return whether an answer that was stopped names a move that is good for something."""
    return bool(report.options) and (report.goal.objective is not Objective.REACH or bool(report.value))


def _is_this_turn(game: Race[Any], start: State[Any], goal: Goal) -> bool:
    """Return whether one of several players asks about this turn only, and sees all that does not come by chance.

    The others do not count then, unless they have to decide something in it. Where the turn of another one is under
    way, that is not the turn which is asked about.
    """
    seat = goal.seat
    own = game.to_act(start) == seat == game.to_act(State(start.table))
    return own and goal.within_turns == 1 and tells_all(game, start.table, seat)


def solve_hidden(position: Position, goal: Goal, limit: Budget | None = None) -> HiddenReport:
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


def chance_is_next(position: Position) -> bool:
    """Return whether there is nothing to choose before chance has decided."""
    game, start = position.start()
    return game.to_act(start) == CHANCE


def asked_move(position: Position, goal: Goal, text: str | None) -> Step | None:
    """Return the move that a text names, seeing to it that there is a move to choose at all.

    Raises:
        BestlineError: chance or another player decides next, no move is open, or the goal forbids the one named.
        NotationError: the text is no move here.
        IllegalMoveError: it is not open.
    """
    game, start = position.start()
    if chance_is_next(position):
        raise BestlineError(APPLY)
    actor = game.to_act(start)
    if position.players > 1 and actor not in (OVER, goal.seat):
        raise BestlineError(
            f"player {actor} decides here, and the goal is player {goal.seat}'s; ask with --seat {actor}"
        )
    if all(forbidden_step(move, goal.forbidden) for move in game.legal_moves(start)):
        raise nothing_to_choose(position)
    move = None if text is None else game.parse_step(start, text)
    if move is not None and forbidden_step(move, goal.forbidden):
        raise BestlineError(f"the goal forbids '{move.text}', so it cannot be compared")
    return move
