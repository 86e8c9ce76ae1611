"""A second engine asked the same question: CP-SAT over turns that the game itself plays; who disagrees raises."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from puzzles.goal import Goal
from rules.core.errors import BestlineError, DisagreementError
from rules.core.position import Position
from solver.facts import Unusable
from solver.model.agree import Opinion, second_opinion
from solver.report import Limit, Report, Status
from solver.solve import searchable

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
