"""One audit from beginning to end: its finders as tasks for an executor, within one budget, keeping what was found.

A task is some finders that share what they search. In this process they run one after the other, and each is told its
findings at once; several processes, or a cluster, carry out several tasks at a time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
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
from solver.audit.finding import Audit, Budget, Finder, Finding, Judged, Level, Notebook, Searched
from solver.audit.gap import find_gap
from solver.audit.loop import find_loops
from solver.audit.must import find_must
from solver.audit.par import find_par
from solver.audit.rush import find_rush
from solver.audit.seat import find_seat
from solver.audit.spam import find_spam
from solver.audit.stall import find_stall
from solver.audit.targets import judge_targets
from solver.executor import executor

FINDERS: Final[Mapping[str, Finder]] = {
    "PAR": find_par,
    "LOOP": find_loops,
    "RUSH": find_rush,
    "ASSERT": judge_targets,
    "GAP": find_gap,
    "STALL": find_stall,
    "DEAD": find_dead,
    "MUST": find_must,
    "SPAM": find_spam,
    "DOMINATED": find_dominated,
    "SEAT": find_seat,
}
"""What looks for what; what a changed number shows first comes first."""
TASKS: Final[Sequence[tuple[float, tuple[str, ...]]]] = (
    (15, ("PAR",)),
    (15, ("LOOP",)),
    (45, ("RUSH", "ASSERT", "SEAT")),
    (10, ("GAP",)),
    (15, ("STALL",)),
    (40, ("DEAD", "MUST", "SPAM", "DOMINATED")),
)
"""Finders that share what they search or play, each with its part of the time; what one leaves goes to the next."""
SHARES: Final[Mapping[str, float]] = {"RUSH": 0.5, "ASSERT": 0.5}
"""Part of the time left for a task that a finder may take at most; all of it if not named."""
LOOKING: Final = 0.85
"""Part of a task's time for its finders; the rest is for what their findings hang on."""
COMPARED: Final = ("LOOP", "GAP", "STALL", "PAR")
"""What is looked for in a ruleset that another one is compared with; a rush is a comparison already."""
COMPARING: Final = 0.5
"""Weight of its tasks beside those of the ruleset itself."""

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


@dataclass(frozen=True, slots=True)
class Task:
    """Some finders on one ruleset, as a task for an executor."""

    ruleset: Ruleset
    base: Ruleset | None
    codes: tuple[str, ...]
    seed: int
    share: float
    """Part of the time left that it may take when it begins."""
    until: float | None
    """When the audit has to end, by the clock of the wall; nothing where it may take its time."""
    blames: bool
    """Whether its findings are told with the changes they hang on."""


@dataclass(frozen=True, slots=True)
class Done:
    """What a task has brought."""

    task: Task
    findings: tuple[Finding, ...]
    searched: tuple[Searched, ...]
    judged: tuple[Judged, ...]
    interrupted: bool = False


def audit(
    ruleset: Ruleset,
    *,
    time_s: float | None = None,
    seed: int = 0,
    against: Ruleset | None = None,
    jobs: int = 1,
    cluster: str = "",
    tell: Callable[[str], None] = lambda _: None,
    tell_found: Callable[[Finding], None] = lambda _: None,
) -> Audit:
    """Return what the finders have found about a ruleset; Ctrl-C ends it early with what is known.

    With ``against`` that ruleset is audited too, and each finding says how it differs. ``tell`` is told what is looked
    for, ``tell_found`` each finding: at once in this process, else when its task is done.

    Raises:
        BestlineError: of the executor.
    """
    budget = Budget(time_s)
    tasks = list(_tasks(ruleset, against, time_s, seed, jobs))
    done: list[Done] = []
    interrupted = False
    alone = not cluster and (jobs <= 1 or len(tasks) <= 1)
    try:
        with executor(1 if alone else jobs, cluster) as where:
            for each in where.map(partial(carried_out, tell, tell_found) if alone else carried_out_quietly, tasks):
                done.append(each)
                if each.interrupted:
                    interrupted = True
                    break
                if not alone:
                    tell(" ".join(each.task.codes))
                    for finding in each.findings:
                        tell_found(finding)
    except KeyboardInterrupt:
        interrupted = True
    told = _told(ruleset, [each for each in done if each.task.blames], FINDERS)
    findings: Sequence[Finding] = told.findings
    if against is not None and not interrupted:
        before = _told(against, [each for each in done if not each.task.blames], COMPARED)
        try:
            tell("changes")
            findings = list(compared(told, before, budget))
        except KeyboardInterrupt:
            interrupted = True
    return replace(
        told, findings=tuple(ranked(findings)), against=against, interrupted=interrupted, time_s=budget.spent_s
    )


def _tasks(ruleset: Ruleset, against: Ruleset | None, time_s: float | None, seed: int, jobs: int) -> Iterator[Task]:
    """Yield the tasks of an audit, in order."""
    until = None if time_s is None else time.time() + time_s
    base = base_of(ruleset, against)
    parts: list[tuple[float, tuple[str, ...], bool]] = []
    for own in (True, False) if against is not None else (True,):
        for weight, codes in TASKS:
            wanted = tuple(code for code in codes if code in FINDERS and (own or code in COMPARED))
            if wanted:
                parts.append((weight if own else COMPARING * weight, wanted, own))
    for place, (weight, codes, own) in enumerate(parts):
        share = min(1.0, jobs * weight / sum(left for left, _, _ in parts[place:]))
        if own:
            yield Task(ruleset, base, codes, seed, share, until, blames=True)
        elif against is not None:
            yield Task(against, None, codes, seed, share, until, blames=False)


def carried_out_quietly(task: Task) -> Done:
    """Return what a task has brought, telling nothing on the way: for another process."""
    return carried_out(lambda _: None, lambda _: None, task)


def carried_out(tell: Callable[[str], None], tell_found: Callable[[Finding], None], task: Task) -> Done:
    """Return what a task has brought; Ctrl-C ends it early."""
    left = None if task.until is None else max(0.0, task.until - time.time())
    budget = Budget(None if left is None else task.share * left)
    looking = budget.part(LOOKING)
    notebook = Notebook(task.ruleset, looking, task.seed, task.base, tell=tell, tell_found=tell_found)
    if not task.blames:
        notebook.tell_found = lambda _: None
    findings = notebook.findings
    interrupted = False
    try:
        for code in task.codes:
            if looking.is_over:
                break
            tell(code if task.blames else f"{code} in {task.ruleset.id}")
            notebook.budget = looking.part(SHARES.get(code, 1.0))
            FINDERS[code](notebook)
        if task.blames and task.base is not None:
            findings = [blamed(each, task.ruleset, task.base, budget) for each in notebook.findings]
    except KeyboardInterrupt:
        interrupted = True
    return Done(task, tuple(findings), tuple(notebook.searched), tuple(notebook.judged), interrupted)


def _told(ruleset: Ruleset, done: Sequence[Done], codes: Iterable[str]) -> Audit:
    """Return what some tasks have brought; a finder that has not finished is told as such."""
    searched = {each.code: each for part in done for each in part.searched}
    told = [searched.get(code, Searched(code, "not finished", complete=False)) for code in codes]
    findings = tuple(each for part in done for each in part.findings)
    return Audit(ruleset, findings, tuple(told), judged=tuple(each for part in done for each in part.judged))


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
