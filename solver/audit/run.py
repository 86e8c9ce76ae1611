"""One audit from beginning to end: the finders in order, within one budget, each keeping what it found if stopped."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from rules.core.errors import ContentError
from rules.core.files import read_file
from rules.core.ruleset import Ruleset, load_ruleset
from rules.core.schema import Faults, Field, ListOf, Table, Text, optional
from solver.audit.against import compared
from solver.audit.blame import blamed
from solver.audit.dead import find_dead
from solver.audit.dominated import find_dominated
from solver.audit.finding import Audit, Budget, Finder, Finding, Level, Notebook, Searched
from solver.audit.gap import find_gap
from solver.audit.loop import find_loops
from solver.audit.must import find_must
from solver.audit.par import find_par
from solver.audit.rush import find_rush
from solver.audit.seat import find_seat
from solver.audit.spam import find_spam
from solver.audit.stall import find_stall
from solver.audit.targets import judge_targets

FINDERS: Final[Mapping[str, Finder]] = {
    "LOOP": find_loops,
    "RUSH": find_rush,
    "ASSERT": judge_targets,
    "GAP": find_gap,
    "STALL": find_stall,
    "PAR": find_par,
    "DEAD": find_dead,
    "MUST": find_must,
    "SPAM": find_spam,
    "DOMINATED": find_dominated,
    "SEAT": find_seat,
}
"""What looks for what, the quickest first."""
LOOKING: Final = 0.8
"""Part of the time for the finders; the rest is for what their findings hang on, and for the ruleset compared with."""
SHARES: Final[Mapping[str, float]] = {
    "LOOP": 0.25,
    "RUSH": 0.4,
    "ASSERT": 0.5,
    "GAP": 0.15,
    "STALL": 0.25,
    "PAR": 0.3,
    "DEAD": 0.6,
    "SEAT": 0.8,
}
"""Part of the time left that a finder may take at most, so that those after it have theirs; all of it if not named."""
COMPARED: Final = ("LOOP", "GAP", "STALL", "PAR")
"""What is looked for in a ruleset that another one is compared with; a rush is a comparison already."""

_BASELINE: Final = Table(
    {
        "accept": optional(
            ListOf(
                Table(
                    {
                        "finding": Field(Text(), doc="The id of a finding, as an audit prints it."),
                        "reason": Field(Text(), doc="Why it is accepted."),
                    }
                )
            )
        )
    }
)


def audit(
    ruleset: Ruleset,
    *,
    time_s: float | None = None,
    seed: int = 0,
    against: Ruleset | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Audit:
    """Return what the finders have found about a ruleset; Ctrl-C ends it early with what is known.

    With ``against`` that ruleset is audited too, and each finding says how it differs. ``tell`` is told what is looked
    for.
    """
    budget = Budget(time_s)
    base = base_of(ruleset, against)
    looking = budget.part(LOOKING)
    notebook = Notebook(ruleset, looking, seed, base, tell=tell)
    before = None if against is None else Notebook(against, budget, seed, tell=tell)
    interrupted = False
    findings: list[Finding] = notebook.findings
    try:
        _run(notebook, FINDERS)
        if base is not None:
            tell("causes")
            blame = [blamed(each, ruleset, base, budget) for each in findings]
            findings = notebook.findings = blame
        if before is not None:
            _run(before, COMPARED)
            tell("changes")
            findings = list(compared(_told(notebook, FINDERS), _told(before, COMPARED), budget))
    except KeyboardInterrupt:
        interrupted = True
    told = _told(notebook, FINDERS)
    return replace(
        told, findings=tuple(ranked(findings)), against=against, interrupted=interrupted, time_s=budget.spent_s
    )


def _run(notebook: Notebook, codes: Sequence[str] | Mapping[str, Finder]) -> None:
    for code in codes:
        if notebook.budget.is_over:
            return
        if code in FINDERS:
            notebook.tell(code)
            whole = notebook.budget
            notebook.budget = whole.part(SHARES.get(code, 1.0))
            try:
                FINDERS[code](notebook)
            finally:
                notebook.budget = whole


def _told(notebook: Notebook, codes: Sequence[str] | Mapping[str, Finder]) -> Audit:
    """Return what stands in a notebook; a finder that has not finished is told as such."""
    done = {each.code for each in notebook.searched}
    left = [Searched(code, "not finished", complete=False) for code in codes if code not in done]
    return Audit(notebook.ruleset, tuple(notebook.findings), (*notebook.searched, *left), judged=tuple(notebook.judged))


def base_of(ruleset: Ruleset, against: Ruleset | None) -> Ruleset | None:
    """Return what a ruleset is measured by: the one given, else the edition it is a variant of, else nothing."""
    if against is not None:
        return against
    edition = ruleset.layers[0].source.file
    return None if edition == ruleset.id else load_ruleset(edition)


def ranked(findings: Sequence[Finding]) -> list[Finding]:
    """Return findings the worst first, then by code and subject."""
    return sorted(findings, key=lambda each: (list(Level).index(each.level), each.code, each.subject))


def read_baseline(path: Path) -> dict[str, str]:
    """Return the reasons of the accepted findings of a baseline file, by the id of the finding.

    Raises:
        ContentError: every fault of the file.
    """
    source = read_file(path)
    faults = Faults.of(source)
    _BASELINE.check(source.data, (), faults)
    for place, entry in enumerate(source.data.get("accept", ()) if not faults.found else ()):
        if not entry["reason"].strip():
            faults.add(("accept", place, "reason"), "is empty; say why the finding is accepted")
    if faults.found:
        raise ContentError(faults.found)
    return {entry["finding"]: entry["reason"] for entry in source.data.get("accept", ())}
