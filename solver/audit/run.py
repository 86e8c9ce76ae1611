"""One audit from beginning to end: its finders as tasks for an executor, within one budget, keeping what was found.

A task is some finders that share what they search. What each of them does is set in deals, games and positions, so that
an audit with enough time ends by itself. One with less gives each task its part. Several processes, or a cluster, carry
out several tasks at a time.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from rules.core.errors import ContentError, UnsupportedRuleset
from rules.core.registry import Ruleset
from rules.core.ruleset import load_ruleset
from rules.core.tools.rulebook import differences
from solver.audit.blame import BESIDE_BASE, Look, Undecided, blamed, compared
from solver.audit.finding import MARGIN, UNKNOWN, Audit, Finder, Finding, Judged, Level, Notebook, Searched
from solver.audit.gap import find_gap
from solver.audit.loop import find_loops
from solver.audit.restricted import find_dead, find_dominated, find_must, find_spam
from solver.audit.rush import find_rush
from solver.audit.seat import find_seat
from solver.audit.stall import find_stall
from solver.audit.sweep import cured
from solver.audit.targets import find_par, judge_targets
from solver.executor import executor
from solver.search.budget import Budget, WorkClock

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
"""What looks for what, in the order in which it is told what was searched."""
TASKS: Final[Sequence[tuple[float, tuple[str, ...]]]] = (
    (45, ("PAR",)),
    (30, ("LOOP",)),
    (25, ("ASSERT", "RUSH")),
    (20, ("SEAT",)),
    (30, ("DEAD", "MUST", "SPAM", "DOMINATED")),
    (20, ("STALL",)),
    (8, ("GAP",)),
)
"""Finders that share what they search, each with its part of the time: about the seconds of processor time that they
take for all they set out to do. What one leaves goes to the next. What a change shows soonest comes first, then what
takes longest, so that no process is left alone with it at the end."""
LOOKING: Final = 0.85
"""Part of the time for finding where the rest is for what findings hang on, or for cures."""
BLAME_S: Final = 15.0
"""Seconds of counted work for what the findings of a task hang on."""
COMPARED: Final = ("LOOP", "GAP", "STALL")
"""What is looked for in a ruleset that another one is compared with; the rest is a comparison already."""
COMPARING: Final = 0.5
"""Weight of its tasks beside those of the ruleset itself."""


class Task(NamedTuple):
    """Some finders on one ruleset, as a task for an executor."""

    ruleset: Ruleset
    base: Ruleset | None
    codes: tuple[str, ...]
    seed: int
    share: float
    """Part of the time left that it may take when it begins."""
    until: float | None
    """When the audit has to end, by the clock of the wall; nothing where it may take its time."""
    work_s: float | None
    """Seconds of work, counted by what is done, where the same audit has to find the same; then nothing else counts."""
    margin: float
    blames: bool
    """Whether its findings are told with the changes they hang on."""


def audit(
    ruleset: Ruleset,
    *,
    time_s: float | None = None,
    seed: int = 0,
    against: Ruleset | None = None,
    jobs: int = 1,
    cluster: str = "",
    repeatable: bool = False,
    codes: Collection[str] | None = None,
    margin: float = MARGIN,
    cures: bool = False,
    tell: Callable[[str], None] = lambda _: None,
    tell_found: Callable[[Finding], None] = lambda _: None,
) -> Audit:
    """Return what the finders have found about a ruleset; Ctrl-C ends it early with what is known.

    Only findings of some ``codes`` are looked for where they are given. A share has to be larger than under the base by
    more than the ``margin``. With ``against`` that ruleset is audited too, and each finding says how it differs.
    With ``cures`` other values of a changed number are tried. Where ``repeatable``, time is counted in work, so that
    the same audit finds the same everywhere. ``tell`` is told what is looked for, ``tell_found`` each finding once: as
    soon as it is there, where there are several processes when its task is done.

    Raises:
        BestlineError: of the executor.
    """
    budget = Budget(time_s).start()
    wanted = [code for code in FINDERS if codes is None or code in codes]
    part_s = None if time_s is None else time_s * (LOOKING if cures else 1.0)
    tasks = list(_tasks(ruleset, against, part_s, seed, jobs, wanted, repeatable=repeatable, margin=margin))
    done: list[tuple[Task, Audit]] = []
    interrupted = False
    alone = not cluster and (jobs <= 1 or len(tasks) <= 1)
    carry_out = partial(carried_out, tell=tell, tell_found=tell_found) if alone else carried_out
    try:
        with executor(1 if alone else jobs, cluster) as where:
            for task, each in zip(tasks, where.map(carry_out, tasks), strict=False):
                done.append((task, each))
                if not alone:
                    tell(", ".join(code for left in tasks[len(done) :] for code in left.codes))
                if each.interrupted:
                    interrupted = True
                    break
                for finding in each.findings if task.blames and not alone else ():
                    tell_found(finding)
    except KeyboardInterrupt:
        interrupted = True
    lack = "stopped by Ctrl-C" if interrupted else ""
    told = _audit_of(ruleset, [each for task, each in done if task.blames], wanted, lack)
    told = told._replace(against=against, interrupted=interrupted)
    spare = Budget(time_s, clock=WorkClock()).start() if repeatable else budget
    if against is not None and not interrupted:
        before = _audit_of(against, [each for task, each in done if not task.blames], {*COMPARED} & {*wanted})
        tell("changes")
        told = _with_changes(told, before, partial(looked_again, Notebook(ruleset, spare, seed)))
    base = base_of(ruleset, against)
    if cures and base is not None and not told.interrupted:
        told = _with_cures(told, base, seed, margin, spare, tell)
    findings = sorted(told.findings, key=lambda each: (list(Level).index(each.level), each.code, each.subject))
    return told._replace(findings=tuple(findings), time_s=budget.elapsed_s)


def _with_cures(
    told: Audit, base: Ruleset, seed: int, margin: float, budget: Budget, tell: Callable[[str], None]
) -> Audit:
    """Return an audit whose findings at or above a warning name a value that cures them; what has no time is told."""
    findings, searched = list(told.findings), list(told.searched)
    notebook = Notebook(told.ruleset, budget, seed, base, margin=margin)
    for place, finding in enumerate(findings):
        if finding.counts and finding.level.reaches(Level.WARNING):
            tell(f"a cure for {finding.code}")
            try:
                # Another value of a puzzle is no cure: it has to be what it was.
                data = {**finding.data, "excluded": True}
                found = cured(replace(finding, data=data), told.ruleset, base, partial(looked_again, notebook))
                findings[place] = replace(finding, cure=found.cure)
            except Undecided:
                searched.append(Searched(finding.code, f"a cure for {finding.id}", complete=False))
    return told._replace(findings=tuple(findings), searched=tuple(searched))


def looked_again(notebook: Notebook, finding: Finding, ruleset: Ruleset) -> bool:
    """Return whether a finder finds something again under another ruleset, measured and seeded as in a notebook.

    Raises:
        Undecided: it was cut short.
    """
    again = replace(notebook, ruleset=ruleset, about=finding.subject, findings=[], searched=[], judged=[])
    again.fastest = None
    again.tell_found = lambda _: None
    FINDERS[finding.code](again)
    found = [each for each in again.findings if each.id == finding.id]
    if any(finding.data.get("excluded") or each.data.get("is") == finding.data.get("is") for each in found):
        return True
    if not all(each.complete for each in again.searched):
        raise Undecided
    return False


def _with_changes(told: Audit, before: Audit, look: Look) -> Audit:
    """Return an audit whose findings say how they differ from those of another one."""
    try:
        return told._replace(findings=tuple(compared(told, before, look)))
    except KeyboardInterrupt:
        return told._replace(interrupted=True)
    except Exception as fault:  # what else was found is told all the same
        return told._replace(searched=(*told.searched, _failed("CHANGE", "what differs from the other", fault)))


def _tasks(
    ruleset: Ruleset,
    against: Ruleset | None,
    time_s: float | None,
    seed: int,
    jobs: int,
    codes: Collection[str],
    *,
    repeatable: bool = False,
    margin: float = MARGIN,
) -> Iterator[Task]:
    """Yield the tasks of an audit that looks for some codes, in order."""
    until = None if time_s is None or repeatable else time.time() + time_s
    base = base_of(ruleset, against)
    parts: list[tuple[float, tuple[str, ...], bool]] = []
    for own in (True, False) if against is not None else (True,):
        for weight, together in TASKS:
            wanted = tuple(code for code in together if code in codes and (own or code in COMPARED))
            if wanted:
                parts.append((weight if own else COMPARING * weight, wanted, own))
    whole = sum(weight for weight, _, _ in parts)
    for place, (weight, wanted, own) in enumerate(parts):
        share = min(1.0, jobs * weight / sum(left for left, _, _ in parts[place:]))
        work_s = time_s * weight / whole if repeatable and time_s is not None else None
        audited = ruleset if own or against is None else against
        yield Task(audited, base if own else None, wanted, seed, share, until, work_s, margin, blames=own)


def carried_out(
    task: Task,
    clock: Callable[[], float] = time.monotonic,
    tell: Callable[[str], None] = lambda _: None,
    tell_found: Callable[[Finding], None] = lambda _: None,
) -> Audit:
    """Return what a task has brought, telling what it looks for and finds on the way; Ctrl-C ends it early."""
    left = None if task.until is None else max(0.0, task.until - time.time())
    counts = task.work_s is not None
    whole = (Budget(task.work_s, clock=WorkClock()) if counts else Budget(left, clock=clock)).start()
    budget = whole.share(1.0 if counts else task.share)
    # What the base is known not to have hangs on the only change, if there is one only.
    known = set(task.codes) <= set(BESIDE_BASE) and task.base and len(differences(task.base, task.ruleset)) == 1
    looking = budget.share(LOOKING if task.blames and task.base is not None and not known else 1.0)
    notebook = Notebook(task.ruleset, looking, task.seed, task.base, margin=task.margin)
    if task.blames:
        notebook.tell_found = tell_found
    findings = notebook.findings  # kept up to date: those of a finder that is stopped are told too
    interrupted = False
    try:
        for code in task.codes:
            if looking.is_over:
                break
            tell(code if task.blames else f"{code} in {task.ruleset.id}")
            try:
                FINDERS[code](notebook)
            except ContentError:  # these are faults of the ruleset
                raise
            except UnsupportedRuleset as limit:
                notebook.searched.append(Searched(code, "what it was looking at", complete=False, lack=str(limit)))
            except Exception as fault:  # one finder that fails does not end the audit
                notebook.searched.append(_failed(code, "what it was looking at", fault))
        if task.blames and task.base is not None:
            notebook.budget = budget = whole.counted(BLAME_S).start()
            # Work counts, so that a busy machine says the same. What texts alone show is looked at again at once.
            for place, each in sorted(enumerate(findings), key=lambda told: told[1].code != "DOMINATED"):
                try:
                    findings[place] = blamed(each, task.ruleset, task.base, budget, partial(looked_again, notebook))
                except Exception as fault:  # the finding stands without it
                    notebook.searched.append(_failed(each.code, "the changes that a finding hangs on", fault))
    except KeyboardInterrupt:
        interrupted = True
    searched, judged = tuple(notebook.searched), tuple(notebook.judged)
    return Audit(task.ruleset, tuple(findings), searched, judged, interrupted=interrupted)


def _failed(code: str, what: str, fault: Exception) -> Searched:
    """Return that a finder was ended by a fault of ours, which leaves those beside it alone."""
    frames = traceback.extract_tb(fault.__traceback__)
    place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return Searched(code, what, complete=False, failed=f"{type(fault).__name__}: {fault}{place}")


def _audit_of(ruleset: Ruleset, done: Sequence[Audit], codes: Iterable[str], lack: str = "") -> Audit:
    """Return what some tasks have brought; a finder that has not finished is told as such, with what it lacked."""
    searched = [each for part in done for each in part.searched]
    told = [
        entry
        for code in codes
        for entry in [each for each in searched if each.code == code]
        or [Searched(code, "not finished", complete=False, lack=lack)]
    ]
    findings = tuple(each for part in done for each in part.findings)
    judged = [each for part in done for each in part.judged]
    known = {each.metric for each in judged}
    left = [each for each in ruleset.raw.get("assert", ()) if each["metric"] not in known]
    judged += [Judged(str(each["metric"]), UNKNOWN, "not looked at") for each in left]
    return Audit(ruleset, findings, tuple(told), tuple(judged))


def base_of(ruleset: Ruleset, against: Ruleset | None) -> Ruleset | None:
    """Return what a ruleset is measured by: the one given, else the edition it is a variant of, else nothing."""
    edition = ruleset.layers[0].file
    return against or (None if edition == ruleset.id else load_ruleset(edition))
