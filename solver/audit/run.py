"""One audit from beginning to end: its finders as tasks for an executor, within one budget, keeping what was found.

A task is some finders that share what they search. What each of them does is set in deals, games and positions, so that
an audit with enough time ends by itself; one with less gives each task its part. Several processes, or a cluster, carry
out several tasks at a time.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any, Final

from rules.core.errors import BestlineError, ContentError, Fault, UnsupportedRuleset
from rules.core.files import path_text
from rules.core.registry import Ruleset
from rules.core.ruleset import extended
from rules.core.tools.relaxation import under
from rules.core.tools.rulebook import Difference, differences
from solver.audit.finding import UNKNOWN, Audit, Change, Finder, Finding, Judged, Level, Notebook, Searched, Witness
from solver.audit.gap import find_gap
from solver.audit.loop import confirm, find_loops
from solver.audit.means import find_dead, find_dominated, find_must, find_spam
from solver.audit.recorded import race_of
from solver.audit.rush import find_rush
from solver.audit.seat import find_seat
from solver.audit.stall import find_stall
from solver.audit.suite import asked_from, edition_of, excludes, library_suite, solved
from solver.audit.targets import find_par, judge_targets
from solver.executor import executor, say
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
    (10, ("LOOP",)),
    (40, ("RUSH", "ASSERT")),
    (80, ("SEAT",)),
    (55, ("DEAD", "MUST", "SPAM", "DOMINATED")),
    (30, ("STALL",)),
    (8, ("GAP",)),
)
"""Finders that share what they search, each with its part of the time: about the seconds of processor time that they
take for all they set out to do. What one leaves goes to the next. What a change shows soonest comes first, then what
takes longest, so that no process is left alone with it at the end."""
SHARES: Final[Mapping[str, float]] = {"RUSH": 0.8}
"""Part of the time left for a task that a finder may take at most; all of it if not named."""
LOOKING: Final = 0.85
"""Part of a task's time for its finders where the rest is for what their findings hang on."""
COMPARED: Final = ("LOOP", "GAP", "STALL", "PAR")
"""What is looked for in a ruleset that another one is compared with; a rush is a comparison already."""
COMPARING: Final = 0.5
"""Weight of its tasks beside those of the ruleset itself."""


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
    work_s: float | None
    """Seconds of work, counted by what is done, where the same audit has to find the same; then nothing else counts."""
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
    repeatable: bool = False,
    codes: Collection[str] | None = None,
    tell: Callable[[str], None] = lambda _: None,
    tell_found: Callable[[Finding], None] = lambda _: None,
) -> Audit:
    """Return what the finders have found about a ruleset; Ctrl-C ends it early with what is known.

    Only findings of some ``codes`` are looked for where they are given. With ``against`` that ruleset is audited too,
    and each finding says how it differs. Where ``repeatable``, time is counted in work, so that the same audit finds
    the same everywhere. ``tell`` is told what is looked for, ``tell_found`` each finding once: as soon as it is there,
    on a cluster when its task is done.

    Raises:
        BestlineError: of the executor.
    """
    budget = Budget(time_s).start()
    wanted = [code for code in FINDERS if codes is None or code in codes]
    tasks = list(_tasks(ruleset, against, time_s, seed, jobs, wanted, repeatable=repeatable))
    done: list[Done] = []
    interrupted = False
    alone = not cluster and (jobs <= 1 or len(tasks) <= 1)
    once = _Once(tell, tell_found)
    try:
        with executor(1 if alone else jobs, cluster, once.hear) as where:
            for each in where.map(carried_out, tasks):
                done.append(each)
                if each.interrupted:
                    interrupted = True
                    break
                for finding in each.findings if each.task.blames else ():
                    once.hear(finding)
    except KeyboardInterrupt:
        interrupted = True
    told = _audit_of(ruleset, [each for each in done if each.task.blames], wanted)
    told = replace(told, against=against, interrupted=interrupted)
    if against is not None and not interrupted:
        before = _audit_of(against, [each for each in done if not each.task.blames], {*COMPARED} & {*wanted})
        tell("changes")
        told = _with_changes(told, before, Budget(time_s, clock=WorkClock()).start() if repeatable else budget)
    return replace(told, findings=tuple(ranked(told.findings)), time_s=budget.elapsed_s)


def _with_changes(told: Audit, before: Audit, budget: Budget) -> Audit:
    """Return an audit whose findings say how they differ from those of another one."""
    try:
        return replace(told, findings=tuple(compared(told, before, budget)))
    except KeyboardInterrupt:
        return replace(told, interrupted=True)
    except Exception as fault:  # what else was found is told all the same
        return replace(told, searched=(*told.searched, _failed("CHANGE", "what differs from the other", fault)))


class _Once:
    """Tells what tasks say, each finding once, from whatever thread."""

    def __init__(self, tell: Callable[[str], None], tell_found: Callable[[Finding], None]) -> None:
        self._tell = tell
        self._tell_found = tell_found
        self._known: set[str] = set()
        self._lock = Lock()

    def hear(self, words: str | Finding) -> None:
        with self._lock:
            if isinstance(words, str):
                self._tell(words)
            elif words.id not in self._known:
                self._known.add(words.id)
                self._tell_found(words)


def _tasks(
    ruleset: Ruleset,
    against: Ruleset | None,
    time_s: float | None,
    seed: int,
    jobs: int,
    codes: Collection[str],
    *,
    repeatable: bool = False,
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
        if own:
            yield Task(ruleset, base, wanted, seed, share, until, work_s, blames=True)
        elif against is not None:
            yield Task(against, None, wanted, seed, share, until, work_s, blames=False)


def carried_out(task: Task, clock: Callable[[], float] = time.monotonic) -> Done:
    """Return what a task has brought, saying what it looks for and finds on the way; Ctrl-C ends it early."""
    if task.work_s is not None:
        budget = Budget(task.work_s, clock=WorkClock()).start()
    else:
        left = None if task.until is None else max(0.0, task.until - time.time())
        budget = Budget(None if left is None else task.share * left, clock=clock).start()
    traced = task.blames and task.base is not None and not set(REPLAYED).isdisjoint(task.codes)
    looking = budget.share(LOOKING if traced else 1.0)
    notebook = Notebook(task.ruleset, looking, task.seed, task.base, tell=say)
    if task.blames:
        notebook.tell_found = say
    findings = notebook.findings  # kept up to date: those of a finder that is stopped are told too
    interrupted = False
    try:
        for code in task.codes:
            if looking.is_over:
                break
            say(code if task.blames else f"{code} in {task.ruleset.id}")
            notebook.budget = looking.share(SHARES.get(code, 1.0))
            try:
                FINDERS[code](notebook)
            except (ContentError, UnsupportedRuleset):  # these are faults of the ruleset
                raise
            except Exception as fault:  # one finder that fails does not end the audit
                notebook.searched.append(_failed(code, "what it was looking at", fault))
        if task.blames and task.base is not None:
            for place, each in enumerate(notebook.findings):
                try:
                    findings[place] = blamed(each, task.ruleset, task.base, budget)
                except Exception as fault:  # the finding stands without it
                    notebook.searched.append(_failed(each.code, "the changes that a finding hangs on", fault))
    except KeyboardInterrupt:
        interrupted = True
    return Done(task, tuple(findings), tuple(notebook.searched), tuple(notebook.judged), interrupted)


def _failed(code: str, what: str, fault: Exception) -> Searched:
    """Return that a finder was ended by a fault of ours, which leaves those beside it alone."""
    frames = traceback.extract_tb(fault.__traceback__)
    place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return Searched(code, what, complete=False, failed=f"{type(fault).__name__}: {fault}{place}")


def _audit_of(ruleset: Ruleset, done: Sequence[Done], codes: Iterable[str]) -> Audit:
    """Return what some tasks have brought; a finder that has not finished is told as such."""
    searched = [each for part in done for each in part.searched]
    told = [
        entry
        for code in codes
        for entry in [each for each in searched if each.code == code]
        or [Searched(code, "not finished", complete=False)]
    ]
    findings = tuple(each for part in done for each in part.findings)
    judged = [each for part in done for each in part.judged]
    known = {each.metric for each in judged}
    left = [each for each in ruleset.raw.get("assert", ()) if each["metric"] not in known]
    judged += [Judged(str(each["metric"]), UNKNOWN, "not looked at") for each in left]
    return Audit(ruleset, findings, tuple(told), tuple(judged))


def base_of(ruleset: Ruleset, against: Ruleset | None) -> Ruleset | None:
    """Return what a ruleset is measured by: the one given, else the edition it is a variant of, else nothing."""
    if against is not None:
        return against
    edition = edition_of(ruleset)
    return None if edition is ruleset else edition


def ranked(findings: Sequence[Finding]) -> list[Finding]:
    """Return findings the worst first, then by code and subject."""
    return sorted(findings, key=lambda each: (list(Level).index(each.level), each.code, each.subject))


# Which change of a ruleset a finding hangs on: changes are undone one by one, and the finding is tried again


SEARCH_S: Final = 8.0
"""Seconds of search on a puzzle that is solved again."""


REPLAYED: Final = ("LOOP", "RUSH", "ASSERT", "PAR")
"""Codes of findings that hold where their witness does what it did."""


class Undecided(Exception):
    """The time was too short to try a finding again."""


def blamed(finding: Finding, ruleset: Ruleset, base: Ruleset, budget: Budget) -> Finding:
    """Return a finding with the changes against the base that it hangs on; as it was where that cannot be told."""
    changes = [each for each in differences(base, ruleset) if each.plays]
    if not changes or tried_with(finding) is None:
        return finding
    if finding.code not in REPLAYED:
        # The base does not have it, so that a single change is the one; of several none is told apart.
        return _with_blame(finding, changes) if finding.shown and len(changes) == 1 else finding
    try:
        needed = _needed(finding, ruleset, base, changes, budget)
    except Undecided:
        return finding
    if not needed:
        return finding  # the base has it too, and what is known of it already stays
    return _with_blame(finding, needed)


def tried_with(finding: Finding) -> Witness | None:
    """Return the line with which a finding can be tried again, or the position of the question that it is about."""
    return finding.shown[-1].witness if finding.shown else finding.witness


def _with_blame(finding: Finding, needed: Sequence[Difference]) -> Finding:
    because = tuple(_cause(each) for each in needed)
    named = [each for each in because if each.file]
    return replace(finding, because=because, place=replace(named[0], message="") if named else finding.place)


def _needed(
    finding: Finding, ruleset: Ruleset, base: Ruleset, changes: Sequence[Difference], budget: Budget
) -> list[Difference]:
    """Return changes that are enough for a finding and of which none can be spared; none where it does not hold."""
    if finding.code != "PAR" and not holds(finding, ruleset, budget):
        return []
    needed: list[Difference] = []
    now = ruleset
    for change in changes:
        if budget.is_over:
            raise Undecided
        overlay = undone(change, base)
        try:
            without = None if overlay is None else extended(now, overlay)
        except ContentError:
            without = None  # another change stands on this one, so that nothing is said of it
        if without is not None and holds(finding, without, budget):
            now = without
        elif without is not None:
            needed.append(change)
    return needed


def holds(finding: Finding, ruleset: Ruleset, budget: Budget) -> bool:
    """Return whether what a finding claims can be shown under another ruleset with its own witness.

    Raises:
        Undecided: the search on a puzzle took too long, or a replay alone says nothing of such a finding.
    """
    witness = tried_with(finding)
    if witness is None:
        return False
    if finding.code not in REPLAYED:
        raise Undecided
    if finding.code == "PAR":
        return _par_holds(finding, ruleset, budget)
    position = under(witness.position, ruleset)
    if position is None:
        return False
    moved = replace(witness, position=position)
    try:
        return _loop_holds(finding, moved) if witness.cycle else _line_holds(finding, moved)
    except BestlineError:
        return False


def _loop_holds(finding: Finding, witness: Witness) -> bool:
    game = race_of(witness.position)
    start = replace(witness, repeats=0, rest=()).replay()
    turns = finding.data["cycle"]
    certificate = confirm(game, start.table, tuple(map(tuple, turns)), game.default_target())
    return certificate is not None and bool(certificate.gains) == bool(finding.data["gains"])


def _line_holds(finding: Finding, witness: Witness) -> bool:
    game = race_of(witness.position)
    target = finding.data.get("target", game.default_target())
    end = witness.replay().table
    return bool(game.progress(end) >= target)


def _par_holds(finding: Finding, ruleset: Ruleset, budget: Budget) -> bool:
    asked = next((each for each in library_suite(ruleset) if each.id == finding.subject), None)
    tried = tried_with(finding)
    if asked is None and tried is not None:
        position = under(tried.position, ruleset)
        asked = None if position is None else asked_from(finding.subject, position, finding.data["was"])
    if asked is None or asked.fingerprint == ruleset.fingerprint:
        return False  # what it is compared with was proved there to be another value
    answer = solved(asked, budget.within(SEARCH_S))
    if finding.data["excluded"] and excludes(asked, answer):
        return True
    if not answer.proved:
        raise Undecided
    return bool(answer.value == finding.data["is"])


def undone(change: Difference, base: Ruleset) -> dict[str, Any] | None:
    """Return the variant that takes one change back, or nothing where no variant can say it."""
    key = change.key
    collections = base.definition.collections
    if change.kind == "added":
        value: Any = {"remove": True}
        if len(key) != 2 or key[0] not in collections:
            return None
    else:
        value = _value(base.raw, key)
        if value is None:
            value = change.old.value
        if value is None:
            return None
    for part in reversed(key):
        value = {part: value}
    table: dict[str, Any] = value
    return table


def _value(raw: Mapping[str, Any], key: Sequence[str | int]) -> Any:
    value: Any = raw
    for part in key:
        if not isinstance(value, Mapping) or part not in value:
            return None
        value = value[part]
    return value


def _cause(change: Difference) -> Fault:
    side = change.old if change.kind == "removed" else change.new
    words = {
        "added": f"{change.what} is new",
        "removed": f"{change.what} is gone",
        "changed": f"{change.what}: {change.old.words}, now {change.new.words}",
    }[change.kind]
    return Fault(words, path_text(change.key), side.file, side.line)


# Two audits compared: what a change has brought, taken away, made worse or better


def compared(own: Audit, base: Audit, budget: Budget) -> Iterator[Finding]:
    """Yield the findings of an audit, each with how it differs from the base, and those that are gone.

    A finding is new only if its witness shows nothing under the base. It is gone only if the base's witness shows
    nothing any more. An audit looks at samples, and may simply have missed it.
    """
    before = {each.id: each for each in base.findings}
    found = {each.id for each in own.findings}
    for finding in own.findings:
        old = before.get(finding.id)
        if old is not None:
            yield replace(finding, change=_change(old, finding))
        else:
            yield replace(finding, change=_unless_shown(finding, base, budget, Change.NEW))
    for old in base.findings:
        if old.id not in found and tried_with(old) is not None:
            change = _unless_shown(old, own, budget, Change.GONE)
            if change is not None:
                yield replace(old, change=change)


def _unless_shown(finding: Finding, other: Audit, budget: Budget, missing: Change) -> Change | None:
    """Return ``missing`` where the other ruleset does not have a finding, nothing where that cannot be told in time."""
    if tried_with(finding) is None or (finding.shown and finding.code not in REPLAYED):
        return missing  # what compares answers has asked the base already
    try:
        return Change.SAME if holds(finding, other.ruleset, budget) else missing
    except Undecided:
        return None


def _change(old: Finding, new: Finding) -> Change:
    levels = list(Level)
    step = levels.index(old.level) - levels.index(new.level)
    if step == 0 and old.measure is not None and new.measure is not None:
        # The measure of a loop hangs on the game in which it was met, so that only its level is compared.
        step = 0 if new.witness is not None and new.witness.cycle else new.measure - old.measure
    return Change.SAME if step == 0 else Change.WORSE if step > 0 else Change.BETTER
