"""The best move against others: exact search where everybody sees all and it looks far enough, else tree search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Final

from rules.core.contest import Contest
from rules.core.errors import UnsupportedRuleset
from solver.answer import MIXED, Answer
from solver.duel import contest_question
from solver.hidden_contest import best_hidden_contest
from solver.question import Question
from solver.report import Status
from solver.sampled import OnRound
from solver.search.contests.modelled import Model
from solver.search.rollout import MANY, rounds_ahead

EXACT_PART: Final = 0.4
"""Part of the time for exact search before moves are compared by playouts."""
TRIED: Final = Fraction(1, 8)
"""Part of that in which exact search by the rules has to see through one turn, so that it is worth the rest."""


def against_others(
    question: Question, *, on_round: OnRound | None = None, on_detail: Callable[[str], None] | None = None
) -> Answer[Fraction]:
    """Return every open move of the seat to move with its value, exact or from playouts.

    What exact search finds stands where it has settled the best move, where moves are chosen at once, or where it looks
    as far as playouts go in its part of the time, or, compiled, play is over by then: it has the rest as well then.
    Where a single turn is too wide to be seen through soon, there is none of it. Shallower search loses to trees that
    are given the same time (``benchmarks/figures/advice.md``). The loss of the move that the question
    names comes first after the best one. ``on_detail`` hears why there is no exact answer.

    Raises:
        UnsupportedRuleset: the game is no contest.
        BestlineError: nobody has to decide anything.
    """
    position, limit, opponents = question.position, question.limit, Model(question.opponents or Model.BEST)
    began = limit.clock()
    game, start = position.start()
    wide = len(game.legal_moves(start)) > MANY
    if isinstance(game, Contest) and game.is_common(start.table) and not wide:
        part_s = None if limit.time_s is None else limit.time_s * EXACT_PART
        tried = limit if part_s is None else replace(limit, time_s=part_s * TRIED)
        try:
            search = contest_question(position, tried, opponents, question.rounds, question.versus)
            report = search.answer(TRIED)
            if search.has_begun and not report.interrupted and report.status is not Status.OPTIMAL:
                search.budget.extend(part_s)
                report = search.answer()
        except UnsupportedRuleset as fault:
            if on_detail is not None:
                on_detail(f"{fault}; playing on instead")
        else:
            if report.interrupted or _is_settled(report):
                return report
            ahead, left = rounds_ahead(game) * game.stages * position.players, search.turns_left
            turns = None if report.contest is None else report.contest.turns
            mixed = report.method == MIXED and report.value is not None
            if mixed or (turns or 0) >= ahead or (left is not None and left <= ahead):
                search.budget.extend(limit.time_s)
                return report if limit.time_s is None else search.answer()
            if on_detail is not None:
                on_detail("exact search looks hardly ahead; playing on instead")
        if limit.time_s is not None:
            limit = replace(limit, time_s=max(0.0, limit.time_s - (limit.clock() - began)))
    return best_hidden_contest(replace(question, limit=limit), on_round=on_round)


def _is_settled(report: Answer[Fraction]) -> bool:
    return report.status is Status.OPTIMAL or report.verdict != "undecided"
