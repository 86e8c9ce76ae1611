"""Solving with a memory: an answer proved once is known, and a long search goes on where it was stopped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from hashlib import sha256
from time import monotonic
from typing import Any, Final

from puzzles.goal import Goal, Objective
from puzzles.loader import goal_table
from rules.core.errors import BestlineError, DisagreementError
from rules.core.files import canonical_json
from rules.core.position import Position
from rules.core.race import Race
from rules.core.turns import State
from solver.answer import Annotation, TurnTold
from solver.best import with_deviations
from solver.lines import agreed, read_line, replayed_value
from solver.report import OnProgress, Progress, Proof, Report, Statistics, Status, TurnLine
from solver.search.budget import Budget
from solver.solve import searchable, solve
from solver.store import Store

SAVE_AFTER_S: Final = 0.5
"""Seconds after which a search puts down how far it has come."""
UNSOUND: Final = (BestlineError, DisagreementError, KeyError, TypeError, ValueError, AttributeError)
"""What an entry raises that is not of this question, or damaged."""
RECALLED: Final = "recalled"
"""Key of ``Report.extra``: true where an answer was known from an earlier run."""


SETTLED: Final = (Status.OPTIMAL, Status.INFEASIBLE)
"""What an answer is that is kept for good."""


def solve_remembering(
    position: Position,
    goal: Goal,
    limit: Budget | None = None,
    on_progress: OnProgress | None = None,
    store: Store | None = None,
) -> Report:
    """Return the answer of ``solve``, from the store where it is known, and keep what is found.

    Raises:
        UnsupportedRuleset: as in ``solve``.
        DisagreementError: as in ``solve``.
    """
    if store is None:
        return solve(position, goal, limit, on_progress)
    begun = monotonic()
    game, start = searchable(position), position.start()[1]
    name = question_name(position, goal)
    report = recalled(position, goal, store)
    if report is not None:
        return replace(report, statistics=replace(report.statistics, time_s=monotonic() - begun))
    try:
        known = _stored(game, start, goal, store.read(name), "known")
    except UNSOUND:
        store.forget(name)
        known = None
    saver = _Saver(store, name, known, on_progress)
    since = None if known is None else Progress(None, known.bound, known.proof.states, 0.0, known.proof.pruned)
    report = _better(solve(position, goal, limit, saver.tell, since), known, goal)
    if report.status in SETTLED:
        store.write(name, {"report": report_data(report)})
    else:
        saver.save(report.value, report.line)
    return report


def recalled(position: Position, goal: Goal, store: Store) -> Report | None:
    """Return the answer that an earlier run has proved, its line replayed, or nothing.

    Raises:
        UnsupportedRuleset: as in ``solve``.
    """
    game, start, name = searchable(position), position.start()[1], question_name(position, goal)
    try:
        return _stored(game, start, goal, store.read(name), "report")
    except UNSOUND:
        store.forget(name)
        return None


def deviations_remembering(
    position: Position, goal: Goal, told: Sequence[TurnTold[Any]], report: Report, store: Store | None = None
) -> tuple[TurnTold[Any], ...]:
    """Return what ``with_deviations`` returns, from the store where it is known.

    Raises:
        DisagreementError: as in ``with_deviations``.
    """
    if store is None:
        return with_deviations(position, goal, told, report)
    # What is compared depends on the line, so other lines of the question have names of their own.
    name = f"{question_name(position, goal)} {canonical_json([turn.steps for turn in told])}"
    notes = (store.read(name) or {}).get("notes")
    if notes is None:
        annotated = with_deviations(position, goal, told, report)
        added = [after.notes[len(before.notes) :] for before, after in zip(told, annotated, strict=True)]
        store.write(name, {"notes": [[[note.kind, note.data] for note in turn] for turn in added]})
        return annotated
    return tuple(
        replace(turn, notes=(*turn.notes, *(Annotation(kind, data) for kind, data in added)))
        for turn, added in zip(told, notes, strict=True)
    )


def question_name(position: Position, goal: Goal) -> str:
    """Return the digest of a question: the rules by their fingerprint, the position, the goal."""
    asked = [position.fingerprint, position.canonical(), goal_table(goal, position), sorted(goal.forbidden)]
    return sha256(canonical_json(asked).encode()).hexdigest()


class _Saver:
    """Puts down how far a search has come, and tells whoever else listens."""

    def __init__(self, store: Store, name: str, known: Report | None, also: OnProgress | None) -> None:
        self._store = store
        self._name = name
        self._known = known or Report(Status.UNKNOWN, None, None, (), Proof("none"), Statistics())
        self._now: Progress | None = None
        self._also = also

    def tell(self, now: Progress) -> None:
        """Keep what is new, once the search has taken a while."""
        if self._also is not None:
            self._also(now)
        self._now = now
        if now.time_s < SAVE_AFTER_S:
            return
        line = self._known.line
        if now.value is not None and now.value != self._known.value and now.line is not None:
            line = now.line()
        self.save(now.value if line else None, line)

    def save(self, value: int | None, line: tuple[TurnLine, ...]) -> None:
        """Keep what is known of a search that goes on, or was stopped."""
        known, now = replace(self._known, value=value, line=line), self._now
        if now is not None and now.bound != known.bound:
            known = replace(known, bound=now.bound, proof=Proof("none", states=now.states, pruned=now.pruned))
        if known != self._known:
            self._known = known
            self._store.write(self._name, {"known": report_data(known)})


def _better(report: Report, known: Report | None, goal: Goal) -> Report:
    """Return a report that says no less than what was known before."""
    if known is None or report.status in SETTLED or not known.line:
        return report
    ours, theirs = report.value, known.value
    assert theirs is not None
    farther = goal.objective is Objective.MAX_DISTANCE
    if ours is None or (theirs > ours if farther else theirs < ours):
        proof = replace(report.proof, checked_by=("replay",))
        return replace(report, status=Status.FEASIBLE, value=theirs, line=known.line, proof=proof)
    return report


# To and from the store


def _stored(game: Race[Any], start: State[Any], goal: Goal, entry: Mapping[str, Any] | None, key: str) -> Report | None:
    """Return what is stored under a key, its line replayed, or nothing if there is none.

    Raises:
        BestlineError: the line does not replay.
        DisagreementError: it is worth something else.
    """
    given = (entry or {}).get(key)
    if given is None:
        return None
    line, status, value = read_line(game, start, given["line"]), Status(given["status"]), given["value"]
    if line or status is Status.OPTIMAL:
        worth = replayed_value(game, start, line, goal)
        if status is Status.OPTIMAL or goal.objective is not Objective.REACH:
            agreed(value, worth)
    proof = {**given["proof"], **{name: tuple(given["proof"][name]) for name in ("projections", "checked_by")}}
    statistics = Statistics(**given["statistics"])
    return Report(status, value, given["bound"], line, Proof(**proof), statistics, extra={RECALLED: True})


def report_data(report: Report) -> dict[str, Any]:
    """Return an answer as the store keeps it."""
    return {
        "status": report.status.value,
        "value": report.value,
        "bound": report.bound,
        "line": [[step.text for step in turn.steps] for turn in report.line],
        "proof": asdict(report.proof),
        "statistics": asdict(report.statistics),
    }
