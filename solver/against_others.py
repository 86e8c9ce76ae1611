"""The best move against others: exact search where everybody sees all and it looks far enough, else tree search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from rules.core.contest import Contest
from rules.core.errors import UnsupportedRuleset
from rules.core.position import Position
from rules.core.steps import Step
from solver.duel import MIXED, ContestReport, contest_question
from solver.hidden_contest import HiddenContestReport, best_hidden_contest
from solver.report import Status
from solver.sampled import OnRound
from solver.search.aims import rounds_ahead
from solver.search.budget import Budget
from solver.search.contests.modelled import Model
from solver.search.kinds import MANY

EXACT_PART: Final = 0.4
"""Part of the time for exact search before moves are compared by playouts."""
TRIED: Final = Fraction(1, 8)
"""Part of that in which exact search by the rules has to see through one turn, so that it is worth the rest."""


@dataclass(frozen=True, slots=True)
class WhoWins:
    """The question who of several players wins, or who is how far ahead."""

    opponents: Model = Model.BEST
    """How the others play."""
    rounds: int | None = None
    """Play is taken to stop after so many rounds, the one under way included; none for the whole game."""


def against_others(
    position: Position,
    limit: Budget,
    opponents: Model = Model.BEST,
    rounds: int | None = None,
    *,
    seed: int = 0,
    asked: Step | None = None,
    told: OnRound | None = None,
    detail: Callable[[str], None] | None = None,
) -> ContestReport | HiddenContestReport:
    """Return every open move of the seat to move with its value, exact or from playouts.

    What exact search finds stands where it has settled the best move, where moves are chosen at once, or where it looks
    as far as playouts go in its part of the time, or, compiled, play is over by then: it has the rest as well then.
    Where a single turn is too wide to be seen through soon, there is none of it. Shallower search loses to trees that
    are given the same time (``benchmarks/figures/advice.md``). ``asked``: the move whose loss is wanted first after the
    best one. ``detail`` hears why there is no exact answer.

    Raises:
        UnsupportedRuleset: the game is no contest.
        BestlineError: nobody has to decide anything.
    """
    began = limit.clock()
    game, start = position.start()
    wide = len(game.legal_moves(start)) > MANY
    if isinstance(game, Contest) and game.is_common(start.table) and not wide:
        part_s = None if limit.time_s is None else limit.time_s * EXACT_PART
        tried = limit if part_s is None else replace(limit, time_s=part_s * TRIED)
        try:
            question = contest_question(position, tried, opponents, rounds, asked)
            report = question.answer(TRIED)
            if question.has_begun and not report.interrupted and report.status is not Status.OPTIMAL:
                question.budget.extend(part_s)
                report = question.answer()
        except UnsupportedRuleset as fault:
            if detail is not None:
                detail(f"{fault}; playing on instead")
        else:
            if report.interrupted or _is_settled(report):
                return report
            ahead, left = rounds_ahead(game) * game.stages * position.players, question.turns_left
            mixed = report.method == MIXED and report.value is not None
            if mixed or (report.turns or 0) >= ahead or (left is not None and left <= ahead):
                question.budget.extend(limit.time_s)
                return report if limit.time_s is None else question.answer()
            if detail is not None:
                detail("exact search looks hardly ahead; playing on instead")
        if limit.time_s is not None:
            limit = replace(limit, time_s=max(0.0, limit.time_s - (limit.clock() - began)))
    return best_hidden_contest(position, limit, opponents, rounds, seed=seed, asked=asked, told=told)


def _is_settled(report: ContestReport) -> bool:
    return report.status is Status.OPTIMAL or report.verdict != "undecided"
