"""Two audits compared: what a change has brought, taken away, made worse or better."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from solver.audit.blame import REPLAYED, Undecided, holds, tried_with
from solver.audit.finding import Audit, Change, Finding, Level
from solver.search.budget import Budget


def compared(own: Audit, base: Audit, budget: Budget) -> Iterator[Finding]:
    """Yield the findings of an audit, each with how it differs from the base, and those that are gone.

    A finding is new only if its witness shows nothing under the base, and gone only if the base's witness shows nothing
    any more: an audit that looks at samples may simply have missed it.
    """
    before = {each.id: each for each in base.findings}
    found = {each.id for each in own.findings}
    for finding in own.findings:
        old = before.get(finding.id)
        if old is not None:
            yield replace(finding, change=_change(old, finding))
        else:
            yield replace(finding, change=_told(finding, base, budget, Change.NEW))
    for old in base.findings:
        if old.id not in found and tried_with(old) is not None:
            change = _told(old, own, budget, Change.GONE)
            if change is not None:
                yield replace(old, change=change)


def _told(finding: Finding, other: Audit, budget: Budget, missing: Change) -> Change | None:
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
