"""The best move against others whose cards are hidden: tree search over what each seat knows.

Nothing here is exact. Every move's value is the mean of playouts in which the seat acts on what it knows, the others as
declared; what it does not see is dealt anew for each playout, as likely as it is. Where a game does not keep apart what
each seat knows, the others are taken to know what is known to whoever asks. An encoding that carries the question plays
whole games instead, all seats by its rule of thumb.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from rules.core.challenge import secrets_of
from rules.core.contest import Contest
from rules.core.errors import UnsupportedRuleset
from rules.core.steps import Step
from solver.answer import SAMPLED, Answer, ContestFacts
from solver.comparing import TREES, options_of, spending, unlimited
from solver.encodings.turns import contest_playouts
from solver.question import Question, seat_to_choose
from solver.report import Statistics, Status
from solver.sampled import OnRound, sampled
from solver.search.contests.modelled import Model
from solver.search.rollout import OPPONENTS, ContestAim, few_of, rounds_ahead

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
    if not isinstance(game, Contest) or position.players < 2:
        raise UnsupportedRuleset(["a contest without opponents"])
    seat = seat_to_choose(position)
    budget = unlimited(limit).start()
    ahead = rounds_ahead(game) if rounds is None else rounds
    aim = ContestAim(game, start.table, seat, ahead, stops=rounds is not None)
    policy = None if opponents is Model.BEST else OPPONENTS[opponents.value](game)
    open_now = game.legal_moves(start) if moves is None else moves
    compared = list(few_of(open_now) if moves is None else moves)
    if asked is not None and asked not in compared:
        compared.append(asked)
    spent = spending(budget, limit)
    playing = contest_playouts(game, start, compared, seat, rounds, question.seed) if opponents is Model.BEST else None
    if playing is not None and rounds is None:
        ahead = playing.rounds
    found = sampled(
        *(game, start, aim, compared, spent),
        seed=question.seed,
        policy=policy,
        playouts=question.playouts,
        asked=asked,
        on_round=on_round,
        spend=budget.spend,
        playing=playing,
    )
    options = options_of(found)
    if playing is not None:
        options = tuple(replace(each, win_chance=playing.win_chance(each.move)) for each in options)
    facts = ContestFacts(
        seat,
        game.stake,
        opponents,
        ahead,
        follows=(options[0].move.text,),
        guessed=rounds is None,
        by_rule=playing is not None,
        apart=secrets_of(game) is not None or game.is_common(start.table),
    )
    return Answer(
        Status.UNKNOWN if options[0].value is None else Status.FEASIBLE,
        options[0].value,
        None,
        statistics=Statistics(budget.elapsed_s, found.playouts, found.nodes, TREES if playing is None else PLAYOUTS),
        interrupted=found.interrupted,
        moves=options,
        method=SAMPLED,
        verdict=found.verdict,
        kind=found.kind,
        passed_over=len(open_now) - len(compared) if moves is None else 0,
        contest=facts,
    )
