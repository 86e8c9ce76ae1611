"""Answers where chance is hidden: exact values of the best policy where they are in reach, otherwise playouts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.errors import BestlineError, UnsupportedRuleset
from rules.core.position import Position
from rules.core.quest_race import secrets_of, tells_all
from rules.core.race import Race
from rules.core.steps import CHANCE, OVER, Step
from rules.core.turns import State
from rules.core.ventures import OutOfReach
from solver.answer import nothing_to_choose
from solver.far import far
from solver.hidden_question import HiddenQuestion
from solver.hidden_report import IDLE, HiddenReport, Option
from solver.report import Limit, Statistics, Status
from solver.sampled import OnRound, Sampled, sampled
from solver.search.aims import GoalAim
from solver.search.ceilings import ceiling
from solver.search.coasting import CoastingAim, coasts, is_far, is_soon
from solver.search.layers import Watch
from solver.search.plain import does_forbidden, forbidden_step
from solver.search.rollout import OPPONENTS, within_playouts

FIRST_TURNS: Final = 12_000
"""Ways through turns looked at before moves are compared by playouts instead, where no time is given."""
WAYS_FOR_A_PLAYOUT: Final = 4
"""Likewise for every playout, where their number is given."""
EXACT_PART: Final = 0.4
"""Part of the time given for the exact answer before moves are compared by playouts."""
FAR_PART: Final = 0.1
"""The same where a playout does not arrive."""
LEAST_PART: Final = 0.2
"""Part of the time given that playouts have at least, where a step of the exact search took longer than all of it."""
TREES: Final = "information-set tree search"
PLAIN: Final = "playouts of plain play"
"""Engines of sampled answers."""


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
    told: OnRound | None = None,
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
    time_s = None if limit is None else limit.time_s
    watch = Watch(unlimited(limit))
    exact: HiddenReport | None = None
    share = EXACT_PART
    among_others = position.players > 1 and _is_this_turn(game, start, goal)
    broken = does_forbidden(start.pending, goal.forbidden)
    if broken or among_others or (position.players == 1 and not peeks(game)):
        if time_s is not None and not among_others and is_far(game, start, goal):
            share = FAR_PART
        question = HiddenQuestion(
            *(game, start, goal, replace(limit or Limit(), time_s=None if time_s is None else time_s * share)),
            most=FIRST_TURNS if playouts is None else WAYS_FOR_A_PLAYOUT * playouts,
            certain=False,
            versus=versus,
            rivals=rivals,
            among_others=among_others,
        )
        with suppress(OutOfReach):  # another player decides something
            exact = question.answer()
    if exact is not None:
        if exact.status in (Status.OPTIMAL, Status.INFEASIBLE) or (exact.interrupted and _is_advice(exact)):
            return replace(exact, others=IDLE) if among_others else exact
        if exact.interrupted:  # whoever stops it wants to move, so every move is tried at least
            short = replace(unlimited(limit), time_s=0.0)
            tried = compared(position, goal, short, watch, seed=seed, others=others, asked=versus, told=told)
            return replace(tried, interrupted=True)
    report = compared(
        position, goal, limit, watch, seed=seed, others=others, playouts=playouts, asked=versus, told=told
    )
    if exact is None or report.goal != goal:
        return report
    return replace(report, bound=exact.bound)


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


def compared(
    position: Position,
    goal: Goal,
    limit: Limit | None,
    watch: Watch,
    *,
    seed: int = 0,
    others: str = "greedy",
    playouts: int | None = None,
    asked: Step | None = None,
    told: OnRound | None = None,
    among: Sequence[Step] | None = None,
) -> HiddenReport:
    """Return every open move compared by tree search, whatever is hidden; ``watch`` tells what is gone of the time.

    The move ``asked`` about is compared as carefully as the best; ``among`` some moves only where these are given.

    Raises:
        UnsupportedRuleset: the game has no progress.
    """
    game, start = position.start()
    if not isinstance(game, Race):
        raise UnsupportedRuleset(["a game without progress"])
    moves = [move for move in among or game.legal_moves(start) if not forbidden_step(move, goal.forbidden)]
    spent = spending(watch, limit)
    policy = OPPONENTS[others](game) if others in OPPONENTS else None
    alone = position.players == 1
    coasted, stopped = 0, False
    if alone and coasts(game, goal, start.table):
        soon = False
        try:
            soon = is_soon(game, start, goal, moves)
        except KeyboardInterrupt:  # the first move is tried all the same
            playouts, spent, stopped = 1, None, True
        coasting = CoastingAim(game, goal, start.table, soon=soon)
        goal, coasted = coasting.goal, coasting.span
        found = far(
            *(game, start, coasting, moves, spent),
            seed=seed,
            playouts=playouts,
            asked=asked,
            told=told,
            spend=watch.spend,
        )
    else:
        goal = within_playouts(goal)
        aim = GoalAim(game, goal)
        opinion = game.plain_play(start.table, goal.seat) if alone else None
        if opinion is not None:  # between equals, and before there are playouts, plain play decides
            liked = {move: opinion(move) for move in moves}
            moves.sort(key=lambda move: (-liked[move], move.text))
        found = sampled(
            *(game, start, aim, moves, spent),
            seed=seed,
            policy=policy,
            alone=alone,
            playouts=playouts,
            asked=asked,
            told=told,
            spend=watch.spend,
        )
    options = options_of(found, least=goal.objective is Objective.MIN_TURNS)
    return HiddenReport(
        Status.UNKNOWN if options[0].value is None else Status.FEASIBLE,
        goal,
        options[0].value,
        None if coasted or not alone else ceiling(game, start, goal),
        options,
        (),
        Fraction(0),
        Statistics(watch.time_s, found.playouts, found.nodes, PLAIN if coasted else TREES),
        found.interrupted or stopped,
        method="sampled",
        verdict=found.verdict,
        others="" if alone else others,
        coasting=coasted,
    )


def unlimited(limit: Limit | None) -> Limit:
    """Return no limit, on the same clock."""
    return Limit() if limit is None else Limit(clock=limit.clock)


def spending(watch: Watch, limit: Limit | None) -> Callable[[], float] | None:
    """Return what tells the part that is gone of the time from now on; nothing where no time is given."""
    time_s = None if limit is None else limit.time_s
    if time_s is None:
        return None
    begun = watch.time_s
    last = max(time_s, begun + LEAST_PART * time_s)
    return lambda: (watch.time_s - begun) / max(last - begun, 1e-6)


def options_of(found: Sampled, *, least: bool = False) -> tuple[Option, ...]:
    """Return the moves of a sample with what they are worth, the best first; none for moves not tried before a stop.

    ``least``: less is better. What is better on average than the first move, but in too few playouts, loses nothing.
    """
    best = found.samples[0]
    if not best.shown:
        return tuple(Option(each.move, None, None) for each in found.samples)
    sign = -1 if least else 1
    return tuple(
        Option(each.move, each.mean, max(Fraction(0), sign * (best.mean - each.mean)), each.interval, len(each.shown))
        if each.shown
        else Option(each.move, None, None)
        for each in found.samples
    )


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
    if peeks(game):
        reason = "exact answers where cards lie that the player does not see ('best' compares moves by samples)"
        raise UnsupportedRuleset([reason])
    # What a move may fail in all the turns given can take much longer than the answer, and is for 'best' to tell.
    rivals = goal.objective is Objective.MIN_TURNS
    return HiddenQuestion(game, position.start()[1], goal, limit or Limit(), rivals=rivals).answer()


def peeks(game: Race[Any]) -> bool:
    """Return whether the best choice for every table would know what lies face down on it."""
    secrets = secrets_of(game)
    return secrets is not None and secrets.conceals


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
