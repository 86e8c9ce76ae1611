"""The command that audits rulesets."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import partial
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from rules.core.errors import BestlineError, nearest
from rules.core.files import read_file
from rules.core.ruleset import load_ruleset
from rules.core.schema import Faults, Field, ListOf, Table, Text, optional
from rules.core.tools.output import write_file
from solver.commands.process import exit_code
from solver.commands.settings import CLUSTER, RULESET, Settings, refuse_unwritable, shared, telling, waiting

if TYPE_CHECKING:
    from rules.core.registry import Ruleset
    from solver.audit.finding import Audit, Level

BUDGET_S = 170.0
"""Seconds an audit takes at most unless ``--time`` says otherwise."""
PLOTS_PART = 0.1
"""Part of that which the games for the plot of a ruleset may take after it."""


_ACCEPTED: Final = Table(
    {
        "finding": Field(Text(), doc="The id of a finding, as an audit prints it."),
        "reason": Field(Text(), doc="Why it is accepted."),
    }
)
_BASELINE: Final = Table({"accept": optional(ListOf(_ACCEPTED))})


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """What the options say about files beside the answer."""

    baseline: Annotated[
        Path | None, typer.Option("--baseline", metavar="FILE", help="Findings that are accepted, with reasons.")
    ] = None
    sarif: Annotated[Path | None, typer.Option("--sarif", metavar="FILE", help="Write a SARIF 2.1.0 log too.")] = None
    junit: Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML too.")] = None
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write one HTML file with a plot of whole games too.")
    ] = None

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

    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="CODE", help="Look for this only, such as LOOP; repeatable.")
    ] = None
    skip: Annotated[list[str] | None, typer.Option("--skip", metavar="CODE", help="Leave this out; repeatable.")] = None

    margin: Annotated[
        float,
        typer.Option("--margin", metavar="POINTS", min=0, help="Per cent by which a share must exceed the base's."),
    ] = 5.0

    cure: Annotated[
        bool, typer.Option("--cure", help="Try other values of a changed number that brings a finding.")
    ] = False

    @property
    def codes(self) -> list[str]:
        """Return the codes that are looked for.

        Raises:
            BestlineError: one is unknown, none is left, or the margin is no number.
        """
        from solver.audit.reports import CODES

        for code in (*(self.only or ()), *(self.skip or ())):
            if code.upper() not in CODES:
                hint = nearest(code.upper(), CODES)
                raise BestlineError(f"there is no code '{code}'{hint}; codes: {', '.join(CODES)}")
        left_out = {code.upper() for code in self.skip or ()}
        left = [code for code in map(str.upper, self.only or CODES) if code not in left_out]
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
            tell=partial(_say, settings, telling_of),
            **more,
        )


@shared
def audit(
    ruleset: RULESET,
    settings: Settings,
    against: Annotated[
        str | None, typer.Option("--against", metavar="BASE", help="Say what is new, gone, better or worse.")
    ] = None,
    fail_on: Annotated[
        Literal["error", "warning", "note"], typer.Option("--fail-on", help="Worst level accepted.")
    ] = "warning",
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", min=1, metavar="N", help="Processes that share the work; as many as there are cores."),
    ] = None,
    cluster: CLUSTER = "",
    *,
    scope: Scope,
    files: Files,
) -> None:
    """Look for strategies that break a ruleset, each with a witness.

    What is found is told on standard error as soon as its part is done; the answer tells all of it, with its causes.

    The exit code is 1 if there is a finding at or above --fail-on, else 3 if the time was too short.
    """
    from solver.audit import reports
    from solver.audit.finding import Level
    from solver.audit.reports import audit_rows
    from solver.executor import cores

    level = Level(fail_on)
    refuse_unwritable(files.sarif, files.junit, files.html)
    accepted = {} if files.baseline is None else read_baseline(files.baseline)
    waiting(settings, "looking for strategies that break it")
    found = scope.audit(
        load_ruleset(ruleset),
        BUDGET_S if settings.time_s is None else settings.left_s,
        settings,
        "looking for ",
        against=None if against is None else load_ruleset(against),
        jobs=settings.jobs(jobs or cores()),
        cluster=cluster,
        tell_found=lambda finding: settings.note(f"found {finding.level} {finding.code}: {finding.claim}"),
    ).accepting(accepted)
    stale = sorted(set(accepted) - {each.id for each in found.findings})
    if found.complete:
        for each in stale:
            settings.note(f"{files.baseline}: '{each}' is not found any more; it can go")
    timed = not settings.deterministic
    settings.show(
        lambda: reports.audit_answer(found, level, timed=timed), lambda _: audit_rows(found, level, timed=timed)
    )
    files.write(found, level, settings)
    failing = bool(found.failing(level))
    raise typer.Exit(exit_code(interrupted=found.interrupted, negative=failing, limit=not found.complete))


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
    """Return the audit as HTML, with whole games played under the ruleset and what measures it."""
    from solver.audit.play import sampled
    from solver.audit.reports import Lengths, audit_page
    from solver.audit.run import base_of

    played: list[Lengths] = []
    seed, part_s = settings.seed or 0, PLOTS_PART * (BUDGET_S if settings.time_s is None else settings.time_s)
    try:
        for each in filter(None, (found.ruleset, base_of(found.ruleset, found.against))):
            _say(settings, "playing ", each.id)
            budget = replace(settings.limit, time_s=part_s).start()
            least = each.definition.players_allowed(each)[0]
            played += [Lengths(each.title, sampled(each, least, seed, budget), seed)]
    except KeyboardInterrupt:
        settings.warn("stopped: the plot of what was not played is left out")
    except Exception as fault:  # the findings are told all the same
        settings.warn(f"the plot of what was not played is left out: {type(fault).__name__}: {fault}")
    return audit_page(found, level, played, timed=not settings.deterministic)


def _say(settings: Settings, what: str, more: str) -> None:
    """Tell what goes on, where anybody is to hear it."""
    tell = telling(settings)
    if tell is not None:
        tell(f"{what}{more}")


@shared
def sweep(
    ruleset: RULESET,
    key: Annotated[str, typer.Argument(metavar="KEY", help="A number of it, such as cards.move.cost.health.")],
    values: Annotated[str, typer.Argument(metavar="VALUES", help="2..5, or 1,2,8.")],
    settings: Settings,
    csv: Annotated[bool, typer.Option("--csv", help="Answer as a table of comma-separated values.")] = False,
    *,
    scope: Scope,
) -> None:
    """Audit a ruleset at several values of one number. --time is for all of them."""
    from solver.audit.sweep import number_at, sweep_cells, sweep_data, sweep_rows, values_of
    from solver.audit.sweep import sweep as swept
    from solver.executor import cores

    resolved, named, tried = load_ruleset(ruleset), values_of(values), []
    number_at(resolved, key)
    part_s = (BUDGET_S if settings.time_s is None else settings.time_s) / len(named)

    def audited(variant: Ruleset) -> Audit:
        return scope.audit(variant, part_s, settings, f"{key}: ", jobs=settings.jobs(cores()))

    for each in swept(resolved, key, named, audited):
        tried.append(each)
        if each.audit is not None and each.audit.interrupted:
            break
    if csv and not settings.json:
        settings.answer("".join(f"{','.join(row)}\n" for row in sweep_cells(key, tried)))
    else:
        settings.show(lambda: sweep_data(resolved, key, tried), lambda style: sweep_rows(resolved, key, tried, style))
    cut = len(tried) < len(named) or any(each.audit is not None and not each.audit.complete for each in tried)
    stopped = any(each.audit is not None and each.audit.interrupted for each in tried)
    raise typer.Exit(exit_code(interrupted=stopped, limit=cut))


COMMANDS = {"audit": audit, "sweep": sweep}
