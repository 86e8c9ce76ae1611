"""Answers where chance is hidden: exact values of the best policy where they are in reach, otherwise playouts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.errors import BestlineError, UnsupportedRuleset
from rules.core.position import Position
from rules.core.quest_race import tells_all
from rules.core.race import Race
from rules.core.steps import CHANCE, OVER, Step
from rules.core.turns import State
from rules.core.ventures import OutOfReach
from solver.answer import nothing_to_choose
from solver.clairvoyant import foresight, is_asked
from solver.comparing import Comparison, OnGoal, by_chance, run_out, unlimited, until
from solver.hidden_question import HiddenQuestion
from solver.hidden_report import IDLE, HiddenReport
from solver.report import Limit, Status
from solver.search.coasting import is_far
from solver.search.layers import Watch
from solver.search.plain import does_forbidden, forbidden_step
from solver.search.restarts import may_restart

FIRST_TURNS: Final = 12_000
"""Ways through turns looked at before moves are compared by playouts instead, where no time is given."""
WAYS_FOR_A_PLAYOUT: Final = 4
"""Likewise for every playout, where their number is given."""
FIRST_WAYS: Final = 40
"""One in so many of these ways is looked at before the first playouts."""
EXACT_PART: Final = 0.5
"""Part of the time given that is over when exact search gives up,"""
RESTART_PART: Final = 0.9
"""and where it may compare all moves by play with a restart soon, if at all."""
LEAST_PART: Final = 0.1
"""Part of the time that exact search has each time at least, be it that loading or playouts have taken long."""
FAR_PART: Final = 0.1
"""The same where a playout does not arrive."""
LONG_S: Final = 1.0
"""Seconds from which on exact search and playouts take turns, so that there is an answer soon."""
FIRST_EXACT: Final = 0.1
FIRST_EXACT_S: Final = 0.3
"""Part of the time, and seconds at most, that are over when exact search gives way to the first playouts,"""
FIRST_PLAYOUTS: Final = 300
"""Playouts then where no time is given."""
FIRST_SAMPLED: Final = 0.25
FIRST_SAMPLED_S: Final = 0.8
"""and when it is taken up again."""
STOPPED_S: Final = 0.3
"""Seconds for playouts where the search was stopped before there were any; every move is tried at least."""
SETTLED: Final = (Status.OPTIMAL, Status.INFEASIBLE)
"""What needs no playouts, and no bound."""
FORESIGHT_PART: Final = 0.15
FORESIGHT_S: Final = 1.5
"""Part of the time, and seconds at most, for a bound of what is not told exactly."""


def best_hidden(
    position: Position,
    goal: Goal,
    limit: Limit | None = None,
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
    watch = Watch(unlimited(limit))
    asking = _Asking(position, goal, limit, watch, seed=seed, others=others, versus=versus, told=told)
    among_others = position.players > 1 and _is_this_turn(game, start, goal)
    broken = does_forbidden(start.pending, goal.forbidden)
    fewest = goal.objective is Objective.MIN_TURNS and not start.pending
    if fewest and game.progress(start.table, goal.seat) >= goal.target:  # nothing is left to do, whatever is hidden
        return HiddenQuestion(game, start, goal, limit or Limit(), certain=False).answer()
    if broken or among_others or position.players == 1:
        return asking.exactly_or_not(playouts, rivals=rivals, among_others=among_others)
    return asking.by_playouts(playouts)


def best_bounded(
    position: Position,
    goal: Goal,
    limit: Limit,
    *,
    seed: int = 0,
    others: str = "greedy",
    versus: Step | None = None,
    told: OnGoal | None = None,
) -> HiddenReport:
    """Return every open move compared as by ``best_hidden``, and where that is not exact what bounds it.

    That is what whoever knew every card would reach, for which a small part of the time is kept.

    Raises:
        UnsupportedRuleset: the game has no progress.
    """
    time_s, watch = limit.time_s, Watch(unlimited(limit))
    is_short = time_s is not None and time_s < LONG_S
    wanted = by_chance(position, goal)
    kept_s = 0.0 if is_short or not is_asked(position, wanted) else FORESIGHT_S
    if time_s is not None:
        kept_s = min(kept_s, FORESIGHT_PART * time_s)
        limit = replace(limit, time_s=time_s - kept_s)
    report = best_hidden(position, goal, limit, seed=seed, others=others, versus=versus, told=told)
    if not kept_s or report.status in SETTLED or report.interrupted:
        return report
    left = kept_s if time_s is None else min(FORESIGHT_S, time_s - watch.time_s)
    if left <= 0:
        return report
    try:
        return replace(report, foresight=foresight(position, wanted, replace(limit, time_s=left), seed))
    except KeyboardInterrupt:
        return replace(report, interrupted=True)


class _Asking:
    """One question, asked exactly and by playouts in turns, so that there is an answer soon and a better one later."""

    def __init__(
        self,
        position: Position,
        goal: Goal,
        limit: Limit | None,
        watch: Watch,
        *,
        seed: int,
        others: str,
        versus: Step | None,
        told: OnGoal | None,
    ) -> None:
        self._position, self._goal, self._limit, self._watch = position, goal, limit, watch
        self._seed, self._others, self._versus, self._told = seed, others, versus, told
        self._exact: HiddenReport | None = None
        """What exact search has found so far,"""
        self._comparison: Comparison | None = None
        """and playouts."""

    def exactly_or_not(self, playouts: int | None, *, rivals: bool, among_others: bool) -> HiddenReport:
        """Return the exact answer where it is found within a part of the limit, otherwise what playouts say besides."""
        game, start = self._position.start()
        assert isinstance(game, Race)
        time_s = None if self._limit is None else self._limit.time_s
        most = FIRST_TURNS if playouts is None else WAYS_FOR_A_PLAYOUT * playouts
        part = RESTART_PART if may_restart(game, start, self._goal) else EXACT_PART
        last = None if time_s is None else part * time_s
        alone = not among_others
        is_long = alone and playouts is None and (time_s is None or time_s >= LONG_S)
        if last is not None and time_s is not None and alone and is_far(game, start, self._goal):
            last, is_long = FAR_PART * time_s, False

        def asked(until_s: float | None, ways: int) -> bool:
            """Return whether exact search has answered with its plans, or was stopped."""
            # However long it took to get here: most of what is in reach at all is answered in a moment.
            least = LEAST_PART * (time_s or 0.0)
            left = None if until_s is None else max(least, until_s - self._watch.time_s)
            found = HiddenQuestion(
                *(game, start, self._goal, replace(self._limit or Limit(), time_s=left)),
                most=ways,
                certain=False,
                versus=self._versus,
                rivals=rivals,
                among_others=among_others,
                restarts=not among_others,
            ).answer()
            self._exact = _better(self._exact, found)
            is_answered = found.status in SETTLED and found.is_planned
            return found.interrupted or is_answered or (bool(found.restart) and not found.is_cut)

        try:
            if is_long:
                soon = None if self._steady else FIRST_EXACT_S
                if asked(soon if time_s is None else min(FIRST_EXACT * time_s, FIRST_EXACT_S), most // FIRST_WAYS):
                    return self._answered(among_others)
                if not self._is_settled:
                    comparison = self._begin()
                    if time_s is None:
                        comparison.run(None, FIRST_PLAYOUTS)
                    else:
                        comparison.run(until(self._watch, min(FIRST_SAMPLED * time_s, FIRST_SAMPLED_S)))
                    if comparison.interrupted:
                        return comparison.report(self._exact)
            if asked(last, most) or self._is_settled or (self._exact is not None and self._exact.restart):
                return self._answered(among_others)
        except OutOfReach:  # another player decides something
            self._exact = None
        except KeyboardInterrupt:  # between two searches
            return self._stopped()
        return self.by_playouts(playouts)

    @property
    def _is_settled(self) -> bool:
        return self._exact is not None and self._exact.status in SETTLED

    @property
    def _steady(self) -> bool:
        return self._limit is not None and self._limit.steady

    def _answered(self, among_others: bool) -> HiddenReport:
        """Return the exact answer, or where that was stopped the best so far."""
        exact = self._exact
        assert exact is not None
        is_best = (
            exact.status in SETTLED
            or bool(exact.restart)
            or (_is_advice(exact) and (among_others or exact.value == exact.bound))
        )
        if is_best:
            return replace(exact, others=IDLE) if among_others else exact
        return self._stopped()

    def _stopped(self) -> HiddenReport:
        """Return the best so far: whoever stops it wants to move."""
        if self._comparison is None:
            self._begin().run(until(self._watch, self._watch.time_s + STOPPED_S))
        return replace(self._begin().report(self._exact), interrupted=True)

    def _begin(self) -> Comparison:
        """Return the comparison of the question as exact search has put it."""
        goal = by_chance(self._position, self._goal) if self._exact is None else self._exact.goal
        if self._comparison is None or self._comparison.wanted != goal:
            self._comparison = Comparison(
                *(self._position, goal, self._watch),
                seed=self._seed,
                others=self._others,
                asked=self._versus,
                told=self._told,
            )
        return self._comparison

    def by_playouts(self, playouts: int | None) -> HiddenReport:
        """Return what playouts say, with what exact search has proved on the way."""
        comparison = self._begin()
        run_out(comparison, self._limit, self._watch, playouts)
        return comparison.report(self._exact)


def _better(known: HiddenReport | None, found: HiddenReport) -> HiddenReport:
    """Return the report that says more: a longer search may have spent its time on other things."""
    if known is not None and known.status in SETTLED and not found.is_planned:
        return replace(known, interrupted=found.interrupted)
    if known is None or found.status in SETTLED or known.goal != found.goal or known.value is None:
        return found
    worse = found.value is None or (
        found.value > known.value if found.goal.objective is Objective.MIN_TURNS else found.value < known.value
    )
    return replace(known, interrupted=found.interrupted) if worse else found


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


def solve_hidden(position: Position, goal: Goal, limit: Limit | None = None) -> HiddenReport:
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
    return HiddenQuestion(game, position.start()[1], goal, limit or Limit(), rivals=rivals, restarts=True).answer()


def asked_move(position: Position, goal: Goal, text: str | None) -> Step | None:
    """Return the move that a text names, seeing to it that there is a move to choose at all.

    Raises:
        BestlineError: chance or another player decides next, no move is open, or the goal forbids the one named.
        NotationError: the text is no move here.
        IllegalMoveError: it is not open.
    """
    game, start = position.start()
    if game.to_act(start) == CHANCE:
        raise BestlineError("chance decides next; apply what came up, then ask again ('bestline moves' lists it)")
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
