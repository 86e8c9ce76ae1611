"""The designer's own targets, the ``[[assert]]`` tables of a ruleset: passed, failed, or not enough evidence.

- ``shortest_win``: turns of the fastest win from the open deals of the audit. Failed by a line, passed by exclusion.
- ``puzzle:<id>``: the best value of a puzzle of the library under this ruleset, by exact search.

Any other metric is told as one that is not measured, never passed over in silence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from rules.core.errors import Fault, nearest
from solver.audit.finding import Finding, Judged, Level, Notebook, Searched, Witness
from solver.audit.rush import fastest_win
from solver.audit.suite import library_suite, solved

PUZZLE: Final = "puzzle:"
SHORTEST: Final = "shortest_win"
SEARCH_S: Final = 10.0
"""Seconds of search on a puzzle at most."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What is known of one number."""

    least: float
    """It is not below this."""
    most: float
    """It is not above this."""
    witness: Witness | None
    """A line that shows ``most``."""
    remark: str = ""
    """Why nothing is known, where that is so."""


def judge_targets(notebook: Notebook) -> None:
    """Judge every target of the ruleset, and write down a finding for each that is failed."""
    targets = notebook.ruleset.raw.get("assert", ())
    undecided = 0
    for place, target in enumerate(targets):
        measured = _measure(notebook, str(target["metric"]))
        verdict = _verdict(target, measured)
        undecided += verdict == "unknown"
        words = _words(target, measured)
        notebook.judged.append(Judged(target["metric"], verdict, words))
        if verdict == "fail":
            notebook.findings.append(_failed(target, measured, words, notebook.ruleset.place(("assert", place))))
    what = f"{len(targets)} targets of the ruleset, {undecided} of them not decided" if targets else "no target is set"
    notebook.searched.append(Searched("ASSERT", what, complete=not (undecided and notebook.budget.is_over)))


def _measure(notebook: Notebook, metric: str) -> Measured:
    if metric == SHORTEST:
        if notebook.fastest is None:
            notebook.fastest = fastest_win(notebook.ruleset, None, notebook.budget, notebook.seed)
        found = notebook.fastest
        return Measured(found.bound, float("inf") if found.value is None else found.value, found.witness)
    unknown = float("-inf"), float("inf"), None
    if metric.startswith(PUZZLE):
        fitting = {each.id: each for each in library_suite(notebook.ruleset)}
        id_ = metric.removeprefix(PUZZLE)
        if id_ not in fitting:
            return Measured(*unknown, f"no puzzle '{id_}' fits this ruleset{nearest(id_, fitting)}")
        answer = solved(fitting[id_], notebook.budget.limit(SEARCH_S))
        if answer.value is None or answer.value != answer.bound:
            return Measured(*unknown, "the time was too short for a proof")
        return Measured(answer.value, answer.value, answer.witness)
    return Measured(*unknown, f"nothing measures this; there are {SHORTEST} and {PUZZLE}<id>")


def _verdict(target: Mapping[str, Any], measured: Measured) -> str:
    """Return ``fail`` or ``pass`` where the bounds decide, else ``unknown``."""
    low, high = target.get("min"), target.get("max")
    if (low is not None and measured.most < low) or (high is not None and measured.least > high):
        return "fail"
    held = (low is None or measured.least >= low) and (high is None or measured.most <= high)
    return "pass" if held and not measured.remark else "unknown"


def _words(target: Mapping[str, Any], measured: Measured) -> str:
    wanted = " and ".join(
        f"at {word} {target[key]}" for key, word in (("min", "least"), ("max", "most")) if key in target
    )
    wanted = wanted or "no limit is set"
    if measured.remark:
        return f"{wanted}: {measured.remark}"
    least = f"{measured.least:g}" if measured.least > float("-inf") else "unknown"
    most = f"{measured.most:g}" if measured.most < float("inf") else "unknown"
    return f"{wanted}: {least}" if least == most else f"{wanted}: at least {least}, at most {most}"


def _failed(target: Mapping[str, Any], measured: Measured, words: str, place: Fault) -> Finding:
    metric = str(target["metric"])
    rush = metric == SHORTEST and measured.most < target.get("min", 0)
    return Finding(
        code="RUSH" if rush else "ASSERT",
        subject=f"target {metric}",
        level=Level.ERROR,
        claim=f"the target {metric} is not met: wanted {words}",
        place=place,
        witness=measured.witness,
        measure=-int(measured.most) if rush and measured.most < float("inf") else None,
        data={"min": target.get("min"), "max": target.get("max"), "witnessed": measured.witness is not None},
    )
