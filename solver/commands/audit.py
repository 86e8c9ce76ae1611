"""The commands that check: rulesets for strategies that break them, and the installation with what it keeps."""

from __future__ import annotations

import json
import os
import platform
import shutil
import sys
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from puzzles.puzzle import library, load_puzzle
from rules.core.errors import BestlineError, escaped, nearest
from rules.core.files import Faults, read_file
from rules.core.ruleset import list_rulesets, load_ruleset
from rules.core.schema import Field, ListOf, Table, Text, optional
from rules.core.tools.output import refuse_unwritable, write_file
from solver import compiled_form as form
from solver.commands import VERSION
from solver.commands.line_input import CLUSTER
from solver.commands.question import RULESET
from solver.commands.settings import Settings, Shown, argument, exit_code, option
from solver.screens.common import facts_rows
from solver.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rules.core.registry import Ruleset
    from solver.audit.finding import Audit, Level
    from solver.audit.play import Sample

BUDGET_S = 170.0
"""Seconds an audit takes at most unless ``--time`` says otherwise."""
PLOTS_PART = 0.1
"""Part of that which the games for the plot of a ruleset may take after it."""
PACKAGES = ("typer", "rich", "prompt_toolkit", "ortools", "networkx")


_BASELINE: Final = Table({"accept": optional(ListOf(Table(dict.fromkeys(("finding", "reason"), Field(Text())))))})


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """What the options say about files beside the answer."""

    baseline: Path | None = option("Findings that are accepted, with reasons.", metavar="FILE")
    sarif: Path | None = option("Write a SARIF 2.1.0 log too.", metavar="FILE")
    junit: Path | None = option("Write JUnit XML too.", metavar="FILE")
    html: Path | None = option("Write one HTML file with a plot of whole games too.", metavar="FILE")

    def write(self, found: Audit, level: Level, settings: Settings) -> None:
        """Write all that are asked for.

        Raises:
            BestlineError: one cannot be written.
        """
        from solver.audit import reports

        if self.sarif is not None:
            write_file(self.sarif, json.dumps(reports.sarif(found), indent=2) + "\n")
        if self.junit is not None:
            write_file(self.junit, reports.junit(found, level))
        if self.html is not None:
            write_file(self.html, _page(found, level, settings))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What the options say about what is looked for."""

    only: list[str] | None = option("Look for this only, such as LOOP or DEAD,MUST; repeatable.", metavar="CODE")
    skip: list[str] | None = option("Leave this out; repeatable.", metavar="CODE")
    margin: float = option("Per cent by which a share must exceed the base's.", 5.0, metavar="POINTS", min=0)
    cure: bool = option("Try milder forms of the change that brings a finding.", False)

    @property
    def codes(self) -> list[str]:
        """Return the codes that are looked for.

        Raises:
            BestlineError: one is unknown, none is left, or the margin is no number.
        """
        from solver.audit.reports import CODES

        only, skip = (
            [code.strip().upper() for each in named or () for code in each.split(",")]
            for named in (self.only, self.skip)
        )
        for code in (*only, *skip):
            if code not in CODES:
                raise BestlineError(f"there is no code '{code}'{nearest(code, CODES)}; codes: {', '.join(CODES)}")
        left = [code for code in only or CODES if code not in skip]
        if not left:
            raise BestlineError("--skip leaves nothing of what --only names; leave one of the two out")
        if not isfinite(self.margin):
            raise BestlineError(f"--margin takes a number of per cent, not '{self.margin}'")
        return left

    def audit(self, ruleset: Ruleset, time_s: float | None, settings: Settings, telling_of: str, **more: Any) -> Audit:
        """Audit a ruleset, and tell on a terminal what is looked for; ``more`` goes to the audit as it is.

        Raises:
            BestlineError: a code or the margin does not fit.
        """
        from solver.audit.run import audit

        return audit(
            ruleset,
            time_s=time_s,
            seed=settings.seed or 0,
            repeatable=settings.deterministic,
            codes=self.codes,
            margin=self.margin / 100,
            cures=self.cure,
            tell=lambda what: settings.report(f"{telling_of}{what}"),
            **more,
        )


def audit(
    settings: Settings,
    ruleset: str = RULESET,
    against: str | None = option("Say what is new, gone, better or worse.", metavar="BASE"),
    fail_on: Literal["error", "warning", "note"] = option("Worst level accepted.", "warning"),
    jobs: int | None = option("Processes that share the work; as many as there are cores.", min=1, metavar="N"),
    cluster: str = CLUSTER,
    *,
    scope: Scope,
    files: Files,
) -> int:
    """Look for strategies that break a ruleset, each with a witness.

    What is found is told on standard error as soon as its part is done; the answer tells all of it, with its causes.

    The exit code is 1 if there is a finding at or above --fail-on, else 3 if the time was too short.
    """
    from solver.audit import reports
    from solver.audit.finding import Level
    from solver.executor import cores

    level = Level(fail_on)
    refuse_unwritable(files.sarif, files.junit, files.html)
    accepted = {} if files.baseline is None else read_baseline(files.baseline)
    settings.wait("looking for strategies that break it")
    found = scope.audit(
        load_ruleset(ruleset),
        settings.limit_of(BUDGET_S).time_s,
        settings,
        "looking for ",
        against=None if against is None else load_ruleset(against),
        jobs=settings.jobs(jobs or cores()),
        cluster=cluster,
        tell_found=lambda finding: settings.note(f"found {finding.level} {finding.code}: {finding.claim}"),
    )
    found = found._replace(findings=tuple(replace(each, accepted=accepted.get(each.id, "")) for each in found.findings))
    for stale in sorted(accepted.keys() - {each.id for each in found.findings}) if found.complete else ():
        settings.note(f"{files.baseline}: '{stale}' is not found any more; it can go")
    timed = not settings.deterministic
    data = reports.audit_answer(found, level, timed=timed)
    code = exit_code(interrupted=found.interrupted, negative=bool(found.failing(level)), limit=not found.complete)
    settings.show(Shown(data, reports.audit_rows(found, level, timed=timed)))
    files.write(found, level, settings)
    return code


def read_baseline(path: Path) -> dict[str, str]:
    """Return the reasons of the accepted findings of a baseline file, by the id of the finding.

    Raises:
        ContentError: every fault of the file.
    """
    source = read_file(path)
    faults = Faults(source.fault)
    _BASELINE.check(source.data, (), faults)
    for place, entry in enumerate(source.data.get("accept", ()) if not faults.count else ()):
        if not entry["reason"].strip():
            faults.add(("accept", place, "reason"), "is empty; say why the finding is accepted")
    faults.raise_any()
    return {entry["finding"]: entry["reason"] for entry in source.data.get("accept", ())}


def _page(found: Audit, level: Level, settings: Settings) -> str:
    from solver.audit.play import sampled
    from solver.audit.reports import audit_page
    from solver.audit.run import base_of

    played: list[tuple[str, Sample]] = []
    seed, part_s = settings.seed or 0, PLOTS_PART * (BUDGET_S if settings.time_s is None else settings.time_s)
    try:
        for each in filter(None, (found.ruleset, base_of(found.ruleset, found.against))):
            settings.report(f"playing {each.id}")
            budget = replace(settings.limit, time_s=part_s).start()
            played += [(each.title, sampled(each, each.definition.players_allowed(each)[0], seed, budget))]
    except KeyboardInterrupt:
        settings.warn("stopped: the plot of what was not played is left out")
    except Exception as fault:  # the findings are told all the same
        settings.warn(f"the plot of what was not played is left out: {type(fault).__name__}: {fault}")
    return audit_page(found, level, played, timed=not settings.deterministic)


def sweep(
    settings: Settings,
    *,
    ruleset: str = RULESET,
    key: str = argument("KEY", "A number of it, such as cards.move.health."),
    values: str = argument("VALUES", "2..5, or 1,2,8."),
    csv: bool = option("Answer as a table of comma-separated values.", False),
    scope: Scope,
) -> Shown:
    """Audit a ruleset at several values of one number. --time is for all of them."""
    resolved = load_ruleset(ruleset)  # a fault is told before anything heavy is loaded
    from solver.audit.sweep import number_at, sweep_cells, sweep_data, sweep_rows, values_of
    from solver.audit.sweep import sweep as swept
    from solver.executor import cores

    named, tried = values_of(values), []
    number_at(resolved, key)
    part_s = (BUDGET_S if settings.time_s is None else settings.time_s) / len(named)

    def audited(variant: Ruleset) -> Audit:
        return scope.audit(variant, part_s, settings, f"{key}: ", jobs=settings.jobs(cores()))

    for each in swept(resolved, key, named, audited):
        tried.append(each)
        if each.audit is not None and each.audit.interrupted:
            break
    cut = len(tried) < len(named) or any(each.audit is not None and not each.audit.complete for each in tried)
    stopped = any(each.audit is not None and each.audit.interrupted for each in tried)
    rows = _comma_separated(sweep_cells(key, tried)) if csv else sweep_rows(resolved, key, tried)
    return Shown(sweep_data(resolved, key, tried), rows, exit_code(interrupted=stopped, limit=cut))


def balance(
    settings: Settings,
    ruleset: str = RULESET,
    *,
    games: int = option("Whole games that are played.", 60, min=1, metavar="N"),
    csv: bool = option("Answer as a table of comma-separated values.", False),
) -> Shown:
    """Tell what each card is to whole games."""
    from solver.tools.simulate import balance as balanced
    from solver.tools.simulate import balance_cells, balance_data, balance_rows

    found = balanced(load_ruleset(ruleset), games, settings.seed or 0, settings.limit_of(BUDGET_S).start())
    rows = _comma_separated(balance_cells(found)) if csv else balance_rows(found)
    return Shown(balance_data(found), rows, exit_code(limit=not found.complete))


def _comma_separated(cells: Iterable[Sequence[str]]) -> str:
    return "".join(f"{','.join(row)}\n" for row in cells)


# The installation


def doctor() -> Shown:
    """Show versions and terminal, and check what comes along."""
    faults, store, installed = _shipped_faults(), Store(), {name: _installed(name) for name in PACKAGES}
    store.write("", {})  # no question has this name
    trouble = store.trouble
    store.forget("")
    facts = {
        "bestline": VERSION,
        "python": f"{platform.python_version()} on {platform.system()} {platform.machine()}",
        **{name: found or "missing; install what requirements.txt lists" for name, found in installed.items()},
        "compiled": _compiled(),
        "threads": str(os.cpu_count() or 1),
        "terminal": f"{shutil.get_terminal_size().columns} columns" if sys.stdout.isatty() else "none",
        "encoding": sys.stdout.encoding,
        "cache": _kept(store) + (f"; nothing can be remembered there: {trouble}" if trouble else ""),
        "data": "; ".join(faults) or "every ruleset and puzzle is sound",
    }
    sound = not faults and form.build_state() != "stale" and all(installed.values())
    return Shown({**facts, "sound": sound}, facts_rows(facts.items()), exit_code(negative=not sound))


def cache_info() -> Shown:
    """Show where solved questions are kept, and how many there are."""
    store = Store()
    return Shown(store.info(), facts_rows([("cache", _kept(store))]))


def cache_clear() -> Shown:
    """Forget every solved question."""
    store = Store()
    store.clear()
    return Shown({"path": str(store.path), "cleared": True}, escaped(f"{store.path}: cleared"))


def _installed(package: str) -> str:
    """Return the version of a package, or nothing."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _compiled() -> str:
    if form.build_state() == "compiled":
        return f"yes, {', '.join('.'.join(name.split('.')[-2:]) for name in form.hot_modules())}"
    if form.build_state() == "stale":
        return f"not from these sources, so do not trust an answer; run: {form.remedy()}"
    why = form.record() if form.record().startswith("not compiled") else "not compiled"
    return f"{why}. Answers are the same and come slower. With a C compiler on the machine, run: {form.remedy()}"


def _kept(store: Store) -> str:
    info = store.info()
    return f"{info['path']}: {info['solved']} solved, {info['bytes']:,} bytes"


def _shipped_faults() -> list[str]:
    faults: list[str] = []
    checks: list[Callable[[], object]] = [list_rulesets, *(partial(load_puzzle, puzzle) for puzzle in library())]
    for check in checks:
        try:
            check()
        except BestlineError as error:
            faults.append(str(error))
    return faults
