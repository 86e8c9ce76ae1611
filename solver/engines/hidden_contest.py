"""The best move against others whose cards are hidden: playouts, in which each seat acts on what it knows.

Nothing in playouts is exact. The value of a move is their mean. What the seat does not see is dealt anew for each
playout, as likely as it is. An encoding that carries the question plays whole games, all seats by its rule of thumb.
Elsewhere the rules are played for some rounds: the seat greedily, the others as declared, and greedily for ``best``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import Final

from rules.core.errors import UnsupportedRuleset
from rules.core.race import ImperfectInformation
from rules.core.steps import Step
from solver.encodings.turns import contest_playouts
from solver.engines.duel import contest_question
from solver.engines.hidden import ROLLOUTS, spending
from solver.engines.playouts import ContestAim, PassedAim, Rollouts, rounds_ahead
from solver.engines.sampled import OnRound, Sample, TreeComparison, gaps
from solver.question import MIXED, Answer, ContestFacts, Question, Status, seat_to_choose
from solver.search.budget import Budget
from solver.search.contests.modelled import Model
from solver.search.rollout import MANY, OPPONENTS, Policy, Sampler, few_of

EXACT_PART: Final = 0.4
"""Part of the time for exact search before moves are compared by playouts."""
TRIED: Final = Fraction(1, 8)
"""Part of that in which exact search by the rules has to see through one turn, so that it is worth the rest."""
PRECISION: Final = 0.08
"""How wide the interval of the best move may be where whole games are not played for all the time."""
ROUNDS: Final = 100
"""Rounds played on for how often the seat is passed."""
PLAYOUTS: Final = "playouts by a rule of thumb"
"""Engine of answers for which all seats play by the game's rule of thumb."""


def best_hidden_contest(
    question: Question, *, moves: Sequence[Step] | None = None, on_round: OnRound | None = None
) -> Answer[Fraction]:
    """Return every open move of the seat to move with what it is worth in playouts.

    ``on_round`` hears how far playouts have come. Only ``moves`` are compared where some are named. The move that the
    question names is compared as carefully as the best.

    Raises:
        UnsupportedRuleset: the game is no contest.
        BestlineError: nobody has to decide anything.
    """
    position, limit, rounds = question.position, question.limit, question.rounds
    opponents, asked = Model(question.opponents or Model.BEST), question.versus
    game, start = position.start()
    if game.players < 2:
        raise UnsupportedRuleset(["a contest without opponents"])
    seat = seat_to_choose(position)
    budget = Budget(clock=limit.clock).start()
    ahead = rounds_ahead(game) if rounds is None else rounds
    aim = ContestAim(game, seat, ahead, stops=rounds is not None)
    open_now = game.legal_moves(start) if moves is None else moves
    compared = list(few_of(open_now) if moves is None else moves)
    if asked is not None and asked not in compared:
        compared.append(asked)
    playing = contest_playouts(game, start, compared, seat, rounds, question.seed) if opponents is Model.BEST else None
    played = Model.GREEDY if opponents is Model.BEST else opponents
    rollouts = Rollouts(game, start, aim, OPPONENTS[played.value](game), seed=question.seed)
    if playing is not None:
        ahead, aim.precision = playing.rounds, inf if game.stake else PRECISION

    def comparison(trees: Sampler) -> TreeComparison:
        samples = [Sample(move, game.begun(start, move), place=place) for place, move in enumerate(compared)]
        found = TreeComparison(trees, aim, samples, on_round=on_round, asked=asked, spend=budget.spend)
        found.run(spending(budget, limit), question.playouts)
        return found

    try:
        found = comparison(playing or rollouts)
    except OverflowError:  # a row needs more than the encoding has
        playing, ahead = None, aim.span
        found = comparison(rollouts)
    facts = ContestFacts(seat, game.stake, played, ahead, follows=(found.order[0].move.text,), guessed=rounds is None)
    apart = isinstance(game, ImperfectInformation) or game.is_common(start.table)
    simplified = "" if playing is None else playing.simplified
    facts = replace(facts, by_rule=playing is not None, apart=apart, simplified=simplified)
    if game.is_place and moves is None and not found.interrupted:
        facts = replace(facts, passed=_passed(question, seat, found.order[0].move, OPPONENTS[played.value](game)))
    passed_over = len(open_now) - len(compared) if moves is None else 0
    engine = ROLLOUTS if playing is None else PLAYOUTS
    answer = replace(found.answer(budget, engine, passed_over), contest=facts)
    if playing is None:
        return answer
    return replace(
        answer,
        verdict=_verdict(found, aim),
        moves=tuple(replace(each, win_chance=playing.win_chance(each.move)) for each in answer.moves),
    )


def _passed(question: Question, seat: int, move: Step, others: Policy) -> Fraction | None:
    """Return how often a seat is passed before its next turn after a move; nothing where nobody may pass it."""
    game, start = question.position.start()
    aim = PassedAim(game, start.table, seat)
    if not aim.behind:
        return None
    rollouts, begun = Rollouts(game, start, aim, others, seed=question.seed), game.begun(start, move)
    with suppress(KeyboardInterrupt):  # the answer itself is there
        return sum((Fraction(rollouts.play(begun, draw)) for draw in range(ROUNDS)), Fraction(0)) / ROUNDS
    return None


def _verdict(found: TreeComparison, aim: ContestAim) -> str:
    """Return the verdict of whole games: best moves that all the time does not tell apart are close."""
    spans = gaps(found.order[:2], aim, found.trees.width, 1) if found.verdict == "undecided" else None
    return "close" if spans and spans[0][0] < 0 and not found.interrupted else found.verdict


def against_others(
    question: Question, *, on_round: OnRound | None = None, on_detail: Callable[[str], None] | None = None
) -> Answer[Fraction]:
    """Return every open move of the seat to move with its value, exact or from playouts.

    The answer of exact search stands where it has settled the best move, and where moves are chosen at once. It also
    stands where it looks as far as playouts go in its part of the time; then it has the rest as well. Where a single
    turn is too wide to be seen through soon, there is none of it. Shallower search is no better than playouts that are
    given the same time (``benchmarks/figures/advice.md``). The loss of the move that the question names comes first
    after the best one. ``on_detail`` hears why there is no exact answer.

    Raises:
        UnsupportedRuleset: the game is no contest.
        BestlineError: nobody has to decide anything.
    """
    position, limit, opponents = question.position, question.limit, Model(question.opponents or Model.BEST)
    began = limit.clock()
    game, start = position.start()
    wide = len(game.legal_moves(start)) > MANY
    if game.players > 1 and game.is_common(start.table) and not wide:
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
