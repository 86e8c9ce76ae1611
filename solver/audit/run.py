"""One audit from beginning to end: the finders in order, within one budget, each keeping what it found if stopped."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from rules.core.errors import ContentError
from rules.core.files import read_file
from rules.core.ruleset import Ruleset, load_ruleset
from rules.core.schema import Faults, Field, ListOf, Table, Text, optional
from solver.audit.finding import Audit, Budget, Finder, Finding, Level, Notebook, Searched
from solver.audit.loop import find_loops
from solver.audit.par import find_par
from solver.audit.rush import find_rush
from solver.audit.targets import judge_targets

FINDERS: Final[Mapping[str, Finder]] = {"LOOP": find_loops, "RUSH": find_rush, "ASSERT": judge_targets, "PAR": find_par}
"""What looks for what, the quickest first."""

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

    ``tell`` is told which finder is at work.
    """
    budget = Budget(time_s)
    notebook = Notebook(ruleset, budget, seed, base_of(ruleset, against), tell=tell)
    interrupted = False
    try:
        _run(notebook)
    except KeyboardInterrupt:
        interrupted = True
    done = {each.code for each in notebook.searched}
    left = [Searched(code, "not finished", complete=False) for code in FINDERS if code not in done]
    return Audit(
        ruleset=ruleset,
        findings=tuple(ranked(notebook.findings)),
        searched=(*notebook.searched, *left),
        judged=tuple(notebook.judged),
        against=against,
        interrupted=interrupted,
        time_s=budget.spent_s,
    )


def _run(notebook: Notebook) -> None:
    for code, finder in FINDERS.items():
        if notebook.budget.is_over:
            return
        notebook.tell(code)
        finder(notebook)


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
