"""Writing certificates, and asking a second engine: what a search has proved is proved once more, by other means."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any, Final

from puzzles.goal import Goal, Objective
from rules.core.errors import BestlineError, DisagreementError
from rules.core.position import Position
from rules.core.race import Race
from rules.core.ruleset import INLINE
from rules.core.turns import State
from solver.checker.certificate import Claim, write_certificate
from solver.checker.check import COUNTED_STATES, COUNTED_TURNS, TURNS, evidence, replayed
from solver.checker.layers import Astray, Budget, Reached, TooLarge, Unfit, count_best
from solver.facts import Unusable
from solver.model.agree import Opinion, second_opinion
from solver.report import Limit, Report, Status
from solver.solve import searchable

QUICK: Final = 5_000
"""Ways through a turn that are tried without the bound of the game; a second or less."""


PATIENCE: Final = 30.0
"""Seconds that the second engine takes where nobody says: it may need far longer than the search."""
SETTLED = (Status.OPTIMAL, Status.INFEASIBLE)


def asked_again(position: Position, goal: Goal, report: Report, limit: Limit | None = None) -> tuple[Report, Opinion]:
    """Return an answer with the second engine among those that checked it, and what that engine says.

    An opinion that a limit stopped says nothing, and the answer stays as it is; without a limit of time the second
    engine stops after ``PATIENCE`` seconds.

    Raises:
        BestlineError: the question is of a kind that the second engine does not carry.
        DisagreementError: both have an answer, and they differ; always a bug.
    """
    start = position.start()[1]
    if start.pending:
        raise BestlineError("--second-opinion begins with a whole turn, and this one is under way")
    limit = limit or Limit()
    patient = limit if limit.time_s is not None else replace(limit, time_s=PATIENCE)
    try:
        opinion = second_opinion(searchable(position), start.table, goal, patient)
    except Unusable as fault:
        raise BestlineError(f"--second-opinion does not carry this question: {fault}") from None
    if opinion.status not in SETTLED or report.status not in SETTLED:
        return report, opinion
    found, said = goal.told(report.value), goal.told(opinion.value)
    if (opinion.status, said) != (report.status, found):
        raise DisagreementError(
            f"the search finds {report.status.value} {found}, CP-SAT's {opinion.formulation} {opinion.status.value} "
            f"{said}"
        )
    proof = replace(report.proof, checked_by=(*report.proof.checked_by, f"CP-SAT, {opinion.formulation}"))
    return replace(report, proof=proof), opinion


def write_proof(
    position: Position, goal: Goal, report: Report, path: Path, time_s: float | None = None, *, unique: bool = False
) -> str:
    """Write the certificate of an answer that is proved, and return its seal; ``unique``: also of the line alone.

    What is small is played without the bound of the game, so that the certificate relies on nothing.

    Raises:
        TooLarge: nothing is proved yet, or playing everything again takes more than the limit.
        DisagreementError: the rules lead to something better than the answer; always a bug.
        BestlineError: the file cannot be written.
    """
    until = None if time_s is None else monotonic() + time_s
    game, start = searchable(position), position.start()[1]
    claim = _claim(position, goal, report)
    try:
        if unique:
            claim = replace(claim, ways=_counted(claim, game, start, time_s))
        replayed(game, start, claim)
        for bound, turns in ([("", QUICK), (game.bound_name, TURNS)] if game.bound_name else []) + [("", TURNS)]:
            left = None if until is None else max(0.0, until - monotonic())
            stated = replace(claim, bound=bound)
            found = evidence(stated, goal, game, start, Budget(turns, turns, left))
            if found.bound_name != bound:
                continue
            try:
                return write_certificate(path, stated, found.layers(claim.turns))
            except Astray:  # a bound that is right need not be consistent, and then cannot be checked edge by edge
                continue
            except TooLarge:
                if turns == TURNS or left == 0.0:
                    raise
        raise TooLarge("too large to certify within the limit")
    except Unfit as fault:
        raise TooLarge(f"layers do not carry this position: {fault}") from None
    except Reached as reached:
        if goal.objective is Objective.MAX_DISTANCE:
            raise DisagreementError(
                f"the search claims {report.value}, but the rules lead to {reached.progress}"
            ) from None
        raise DisagreementError(
            f"the search excludes {claim.turns} turns, but the rules get there in {reached.turn}"
        ) from None


def _claim(position: Position, goal: Goal, report: Report) -> Claim:
    return Claim(
        ruleset=position.ruleset.id if position.ruleset.is_shipped else INLINE,
        fingerprint=position.fingerprint,
        position=position.canonical(),
        goal=goal,
        status=report.status.value,
        value=report.value,
        line=tuple(tuple(step.text for step in turn.steps) for turn in report.line),
        bound="",
        turns=_excluded(goal, report),
    )


def _excluded(goal: Goal, report: Report) -> int | None:
    """Return the own turns that have to be excluded, or nothing for all.

    Raises:
        TooLarge: nothing is proved yet.
    """
    if report.status not in SETTLED:
        raise TooLarge("nothing is proved yet, so there is nothing to certify")
    if report.status is Status.INFEASIBLE or goal.objective is Objective.MAX_DISTANCE:
        return goal.within_turns
    return 0 if goal.objective is Objective.REACH else max(0, goal.least(report.value or 0) - 1)


def _counted(claim: Claim, game: Race[Any], start: State[Any], time_s: float | None) -> tuple[int, ...] | None:
    """Return how many tables lie on best lines, turn by turn, or nothing where no line can be the only one.

    Raises:
        TooLarge: playing all lines takes more than the limit.
        Unfit: layers do not carry this position.
    """
    if claim.status != Status.OPTIMAL.value or claim.goal.objective is Objective.REACH or claim.value is None:
        return None
    budget = Budget(COUNTED_TURNS, COUNTED_STATES, time_s)
    return count_best(evidence(claim, claim.goal, game, start, budget), claim.value)[0]
