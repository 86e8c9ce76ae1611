"""The best move now: every open move with its value, what it loses against the best, and the line behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from puzzles.goal import Goal, Objective
from rules.core.position import Position
from rules.core.steps import Step
from solver.answer import nothing_to_choose
from solver.hidden import compared, unlimited
from solver.hidden_report import HiddenReport
from solver.question import Question
from solver.report import Limit, OnProgress, Report, Status, TurnLine
from solver.sampled import OnRound
from solver.search.coasting import coasts
from solver.search.layers import Watch
from solver.search.plain import PlainTurns, forbidden_step
from solver.solve import searchable

FURTHER: Final = 3
"""Turns above the best value up to which a losing move's value is looked for."""


FURTHER_ROUNDS: Final = 1
"""Likewise in rounds, where a question counts them: each is many turns."""
SAMPLED_PART: Final = 0.3
"""Part of the time in which moves are compared by playouts where a proof is far away."""
AT_LEAST_S: Final = 0.2
"""Seconds for that where the time is up and nothing is known."""
SAMPLES: Final = 200
"""Playouts for that where no time is given."""


Sampling = Callable[[Position, Goal, Limit], HiddenReport]
"""Compares the open moves of a position by playouts, within a limit."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One move that is open now."""

    move: Step
    status: Status
    """``optimal``: the value is exact; ``infeasible``: the goal is lost with it, as far as was looked."""
    value: int | None
    bound: int | None
    """The best value not excluded for it."""
    loss: int | None
    """What it costs against the best move, in turns or progress; none where its value is not known exactly."""
    line: tuple[TurnLine, ...]
    """The best line that begins with it, this turn from its start."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """All moves that are open now, the best first."""

    report: Report
    """The answer to the question itself; the best candidate has its value."""
    candidates: tuple[Candidate, ...]
    """Sorted by value, then the first move of the line, then by text; moves that the goal forbids are left out."""
    considered: int
    """How many were compared before a limit was hit."""
    sampled: HiddenReport | None = None
    """All moves compared by playouts with what is known, where nothing is proved."""


def best_moves(
    position: Position,
    goal: Goal,
    limit: Limit | None = None,
    on_progress: OnProgress | None = None,
    *,
    sampling: Sampling | None = None,
) -> Ranking:
    """Return every move that is open now with its exact value, as far as the limit allows.

    Where no exact value is found, moves are compared by ``sampling``, if that is given: beforehand where the goal is
    far and only the plain engine carries the question, otherwise afterwards where not even a line is known.

    Raises:
        UnsupportedRuleset: chance is hidden, several players have turns, or the game has no progress.
        BestlineError: nobody has to decide anything.
        DisagreementError: the replay of a line gives another value; always a bug.
    """
    game = searchable(position)
    _, start = position.start()
    moves = [move for move in game.legal_moves(start) if not forbidden_step(move, goal.forbidden)]
    if not moves:
        raise nothing_to_choose(position)
    limit = limit or Limit()
    question = Question(game, start, goal, limit, on_progress)
    sampled: HiddenReport | None = None
    if sampling and question.problem.engine == PlainTurns.engine and coasts(game, goal, start.table):
        part = None if limit.time_s is None else limit.time_s * SAMPLED_PART
        sampled = sampling(position, goal, replace(limit, time_s=part))
    report = question.given_up() if sampled and sampled.interrupted else question.answer()
    if report.status is Status.INFEASIBLE:
        return Ranking(report, (), 0)
    if report.status is not Status.OPTIMAL or report.value == 0 or report.value is None:
        if sampling and sampled is None and report.status is Status.UNKNOWN:
            sampled = sampling(position, goal, replace(limit, time_s=AT_LEAST_S))
        return Ranking(report, (), 0, sampled)
    candidates: list[Candidate] = []
    considered, interrupted = 0, False
    for move in moves:
        own = Question(
            game,
            start,
            _capped(goal, report.value),
            Limit(),
            problem=question.problem,
            watch=question.search.watch,
            known=goal.least(report.value) if goal.objective is Objective.MIN_TURNS else report.value,
            begun=game.begun(start, move),
        )
        answer = own.answer()
        interrupted = interrupted or answer.interrupted
        candidates.append(_candidate(move, answer, report.value, goal))
        if answer.status in (Status.UNKNOWN, Status.FEASIBLE):
            break
        considered += 1
    told = report.line[0].steps if report.line else ()
    order = sorted(candidates, key=lambda each: (_rank(each, goal), each.move not in told[:1], each.move.text))
    return Ranking(replace(report, interrupted=interrupted), tuple(order), considered)


def by_playouts(seed: int = 0, asked: Step | None = None, told: OnRound | None = None) -> Sampling:
    """Return what compares moves by playouts with draws of a seed, the one ``asked`` about as carefully as the best.

    ``told`` hears how far they have come.
    """

    def sampling(position: Position, goal: Goal, limit: Limit) -> HiddenReport:
        watch = Watch(unlimited(limit))
        return compared(position, goal, limit, watch, seed=seed, playouts=SAMPLES, asked=asked, told=told)

    return sampling


def _capped(goal: Goal, value: int) -> Goal:
    """Look for a losing move's value only so far above the best."""
    if goal.objective is not Objective.MIN_TURNS:
        return goal
    most = value + FURTHER if goal.clock is None else goal.clock.turns_in(goal.clock.rounds(value) + FURTHER_ROUNDS)
    return replace(goal, within_turns=most if goal.within_turns is None else min(most, goal.within_turns))


def _candidate(move: Step, report: Report, best: int, goal: Goal) -> Candidate:
    exact = report.value if report.status is Status.OPTIMAL else None
    loss = None if exact is None else abs((goal.told(exact) or 0) - (goal.told(best) or 0))
    return Candidate(move, report.status, exact, report.bound, loss, report.line)


def _rank(candidate: Candidate, goal: Goal) -> tuple[int, int]:
    if candidate.value is None:
        return (1, 0)
    return (0, -candidate.value if goal.objective is not Objective.MIN_TURNS else candidate.value)
