"""Writing certificates, and asking a second engine: what a search has proved is proved once more, by other means."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Final

from puzzles.goal import Goal, Objective
from rules.core.errors import BestlineError, DisagreementError
from rules.core.output import write_file
from rules.core.position import Position
from rules.core.quest_race import at_the_end
from rules.core.ruleset import INLINE
from solver.checker.archive import write_archive
from solver.checker.bounded import Bounded, Reached
from solver.checker.certificate import Certificate, Layer
from solver.checker.closed import Budget, TooLarge, Unfit
from solver.checker.evidence import FORMS, best_ways, closed_layers
from solver.facts import Unusable
from solver.model.agree import Opinion, second_opinion
from solver.report import Limit, Report, Status
from solver.solve import searchable

TURNS: Final = 4_000_000
"""Ways through a turn that a certificate may stand for; some minutes of checking."""
STATES: Final = 400_000
"""Positions that it may list."""
SOON_TURNS: Final = 200_000
"""Likewise where a large certificate would carry the claim too: some seconds, before that is written instead,"""
SOON_STATES: Final = 50_000
"""and positions, also of the search behind the answer."""


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
    """Write the certificate of an answer in the form that suits its size, and return its seal.

    Raises:
        TooLarge: nothing is proved yet, or playing everything again takes more than the limit.
        DisagreementError: the rules lead to something better than the answer; always a bug.
        BestlineError: the file cannot be written.
    """
    begun = monotonic()
    large = not unique and _excluded(goal, report) is not None and goal.objective is not Objective.MAX_DISTANCE
    small = Budget(SOON_TURNS, SOON_STATES, time_s) if large else Budget(TURNS, STATES, time_s)
    if not large or report.proof.states <= SOON_STATES:
        try:
            certificate = certify(position, goal, report, unique=unique, budget=small)
        except TooLarge:
            if not large:
                raise
        else:
            write_certificate(certificate, path)
            return certificate.seal
    left = None if time_s is None else max(0.0, time_s - (monotonic() - begun))
    return write_large(position, goal, report, path, left)


def write_large(position: Position, goal: Goal, report: Report, path: Path, time_s: float | None = None) -> str:
    """Write a certificate as a database, layer by layer, and return its seal.

    Raises:
        TooLarge: nothing is proved yet, or playing everything again takes more than the limit.
        DisagreementError: the rules lead to something better than the answer; always a bug.
        BestlineError: the file cannot be written.
    """
    claim = _claim(position, goal, report, Bounded.form, _excluded(goal, report), (), None)
    try:
        return write_archive(path, claim, searchable(position), position.start()[1], time_s)
    except Reached as reached:
        raise DisagreementError(
            f"the search excludes {claim.turns} turns, but the rules get there in {reached.turn}"
        ) from None


def certify(
    position: Position,
    goal: Goal,
    report: Report,
    time_s: float | None = None,
    *,
    unique: bool = False,
    budget: Budget | None = None,
) -> Certificate:
    """Return the certificate of an answer that is proved; with ``unique`` also of whether another line does as well.

    Raises:
        TooLarge: nothing is proved yet, or playing everything again takes more than the limit.
        DisagreementError: the rules lead to something better than the answer; always a bug.
    """
    turns = _excluded(goal, report)
    budget = budget or Budget(TURNS, STATES, time_s)
    form, layers = _evidence(position, goal, turns, budget)
    for layer in layers:
        if goal.objective is not Objective.MAX_DISTANCE and (layer.furthest or 0) >= goal.target:
            raise DisagreementError(f"the search excludes {turns} turns, but the rules get there in {layer.turn}")
    if goal.objective is Objective.MAX_DISTANCE and layers and at_the_end(layers[-1].furthest) != report.value:
        raise DisagreementError(f"the search claims {report.value}, but the rules lead to {layers[-1].furthest}")
    ways = _ways(position, goal, report, budget) if unique else None
    return _claim(position, goal, report, form, turns, layers, ways).with_seal()


def write_certificate(certificate: Certificate, path: Path) -> None:
    """Write a certificate, as gzip where the name ends so; a file is there whole or not at all.

    Raises:
        BestlineError: the file cannot be written.
    """
    write_file(path, certificate.data(compress=path.suffix == ".gz"))


def _claim(
    position: Position,
    goal: Goal,
    report: Report,
    form: str,
    turns: int | None,
    layers: tuple[Layer, ...],
    ways: tuple[int, ...] | None,
) -> Certificate:
    return Certificate(
        ruleset=position.ruleset.id if position.ruleset.is_shipped else INLINE,
        fingerprint=position.fingerprint,
        position=position.canonical(),
        goal=goal,
        status=report.status.value,
        value=report.value,
        line=tuple(tuple(step.text for step in turn.steps) for turn in report.line),
        form=form,
        turns=turns,
        layers=layers,
        ways=ways,
    )


def _excluded(goal: Goal, report: Report) -> int | None:
    """Return the own turns that have to be excluded, or nothing for all.

    Raises:
        TooLarge: nothing is proved yet.
    """
    if report.status not in (Status.OPTIMAL, Status.INFEASIBLE):
        raise TooLarge("nothing is proved yet, so there is nothing to certify")
    if report.status is Status.INFEASIBLE or goal.objective is Objective.MAX_DISTANCE:
        return goal.within_turns
    return 0 if goal.objective is Objective.REACH else max(0, goal.least(report.value or 0) - 1)


def _evidence(position: Position, goal: Goal, turns: int | None, budget: Budget) -> tuple[str, tuple[Layer, ...]]:
    """Return the smallest form that carries the position, and its layers."""
    game, start = searchable(position), position.start()[1]
    for form in FORMS:
        try:
            return form, tuple(closed_layers(game, start, goal, form, turns, budget))
        except Unfit:
            continue
    raise TooLarge("no form of certificate carries this position")


def _ways(position: Position, goal: Goal, report: Report, budget: Budget) -> tuple[int, ...] | None:
    """Return how many tables lie on best lines, turn by turn, or nothing where no line can be the only one.

    Raises:
        TooLarge: playing all lines takes more than the limit.
    """
    if report.status is not Status.OPTIMAL or goal.objective is Objective.REACH or report.value is None:
        return None
    game, start = searchable(position), position.start()[1]
    farthest = goal.objective is Objective.MAX_DISTANCE
    turns, least = (goal.within_turns or 0, report.value) if farthest else (report.value, goal.target)
    try:
        return best_ways(game, start, goal, turns, least, budget)[0]
    except Unfit as fault:
        raise TooLarge(f"lines cannot be counted from this position: {fault}") from None
