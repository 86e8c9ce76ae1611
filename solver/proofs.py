"""Certificates and cross-checks: what a search has proved is proved once more, by playing the rules."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, Final, TypeVar

from puzzles.goal import Goal, Objective
from rules.core.errors import BestlineError, DisagreementError
from rules.core.position import Position
from rules.core.race import Race, Unsupported
from rules.core.ruleset import INLINE
from rules.core.turns import State
from solver.checker.certificate import Claim, write_certificate
from solver.checker.check import TURNS, Rejected, excluded_turns, hold_claim
from solver.checker.layers import Allowance, Evidence, Layer, Reached, TooLarge, UnsoundBound
from solver.engines.open_question import searchable
from solver.question import SETTLED, Answer
from solver.search.budget import SECOND_OPINION_S, Budget

QUICK: Final = 5_000
"""Ways through a turn that are tried without the bound of the game; a second or less."""
CHECKED_BY: Final = "closed layers"
"""What a cross-check adds to those that checked an answer."""

R = TypeVar("R")


def cross_check(position: Position, goal: Goal, report: Answer[int], limit: Budget | None = None) -> Answer[int]:
    """Return an answer with closed layers among what checked it; unchanged where a limit stops them.

    The rules play everything that could be better, as for a certificate; without a limit of time they stop after
    ``SECOND_OPINION_S`` seconds.

    Raises:
        BestlineError: the question is of a kind that layers do not carry.
        DisagreementError: the answer is not what the rules say; always a bug.
    """
    if report.status not in SETTLED:
        return report
    time_s = SECOND_OPINION_S if limit is None or limit.time_s is None else limit.time_s
    game, start, claim = searchable(position), position.start()[1], _claim(position, goal, report)
    try:
        hold_claim(claim, goal, game, start)
        _play(claim, game, start, time_s, (limit and limit.states) or TURNS, lambda _, layers: deque(layers, 0))
    except Rejected as fault:
        raise DisagreementError(f"the search is refuted by the rules: {fault}") from None
    except Unsupported as fault:
        raise BestlineError(f"--second-opinion does not carry this question: {fault}") from None
    except TooLarge:
        return report
    return replace(report, proof=replace(report.proof, checked_by=(*report.proof.checked_by, CHECKED_BY)))


def write_proof(
    position: Position,
    goal: Goal,
    report: Answer[int],
    path: Path,
    time_s: float | None = None,
) -> str:
    """Write the certificate of an answer that is proved, and return its seal.

    Raises:
        TooLarge: nothing is proved yet, or playing everything again takes more than the limit.
        DisagreementError: the rules lead to something better than the answer; always a bug.
        BestlineError: the file cannot be written.
    """
    game, start, claim = searchable(position), position.start()[1], _claim(position, goal, report)
    try:
        hold_claim(claim, goal, game, start)
        return _play(claim, game, start, time_s, TURNS, partial(write_certificate, path))
    except Rejected as fault:
        raise DisagreementError(f"the search is refuted by the rules: {fault}") from None
    except Unsupported as fault:
        raise TooLarge(f"layers do not carry this position: {fault}") from None


def _play(
    claim: Claim,
    game: Race[Any],
    start: State[Any],
    time_s: float | None,
    states: int,
    use: Callable[[Claim, Iterator[Layer]], R],
) -> R:
    """Return what is made of a claim and its layers.

    What is small is played without the bound of the game, so that the claim relies on nothing.

    Raises:
        TooLarge: the limit was hit.
        Unsupported: layers do not carry this position.
        DisagreementError: the rules lead to something better than the claim; always a bug.
    """
    until = None if time_s is None else monotonic() + time_s
    tries = [("", QUICK), (game.profile.bound_name, TURNS), ("", TURNS)] if game.profile.bound_name else [("", TURNS)]
    for bound, turns in tries:
        left = None if until is None else max(0.0, until - monotonic())
        stated = replace(claim, bound=bound)
        played = Evidence(game, start, claim.goal, Allowance(min(turns, states), left), claim.value, cuts=bool(bound))
        if played.bound_name != bound:
            continue
        try:
            return use(stated, played.layers(claim.turns))
        except UnsoundBound:  # a bound that is right need not be consistent, and then cannot be checked edge by edge
            continue
        except TooLarge:
            if turns == TURNS or left == 0.0:
                raise
        except Reached as reached:
            if claim.goal.objective is Objective.MAX_DISTANCE:
                better = f"claims {claim.value}, but the rules lead to {reached.progress}"
            else:
                better = f"excludes {claim.turns} turns, but the rules get there in {reached.turn}"
            raise DisagreementError(f"the search {better}") from None
    raise TooLarge("too large to certify within the limit")


def _claim(position: Position, goal: Goal, report: Answer[int]) -> Claim:
    """Return what an answer claims.

    Raises:
        TooLarge: nothing is proved yet.
    """
    if report.status not in SETTLED:
        raise TooLarge("nothing is proved yet, so there is nothing to certify")
    return Claim(
        ruleset=position.ruleset.id if position.ruleset.is_shipped else INLINE,
        fingerprint=position.fingerprint,
        position=position.canonical(),
        goal=goal,
        status=report.status.value,
        value=report.value,
        line=tuple(tuple(step.text for step in turn.steps) for turn in report.line),
        bound="",
        turns=excluded_turns(report.status.value, goal, report.value),
    )
