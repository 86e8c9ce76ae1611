"""Which change of a ruleset a finding hangs on, and what a change has brought, taken away, made worse or better.

Changes are undone, at once or one by one, and the finding is tried again with its own witness, or looked for again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from rules.core.errors import BestlineError, ContentError, Fault
from rules.core.files import path_text
from rules.core.registry import Ruleset
from rules.core.ruleset import extended
from rules.core.tools.rulebook import Difference, differences
from solver.audit.finding import Audit, Change, Finding, Level, Witness
from solver.audit.loop import confirm
from solver.audit.stall import DEAD_END, NO_END, stuck
from solver.search.budget import Budget

BESIDE_BASE: Final = ("RUSH", "SEAT", "DEAD", "MUST", "SPAM", "DOMINATED")
"""Codes of findings that the base is known not to have, unless a line alone shows them."""


class Undecided(Exception):
    """The time was too short to try a finding again."""


Look = Callable[[Finding, Ruleset], bool]
"""Returns whether a finder finds something again under another ruleset, or raises ``Undecided``."""


def blamed(finding: Finding, ruleset: Ruleset, base: Ruleset, budget: Budget, look: Look | None = None) -> Finding:
    """Return a finding with the changes against the base that it hangs on; as it was where that cannot be told."""
    try:
        needed = _needed(finding, ruleset, base, budget, look)
    except Undecided:
        needed = []
    if not needed:
        return finding  # the base has it too, and what is known of it already stays
    because = tuple(map(_cause, needed))
    named = [each for each in because if each.file]
    return replace(finding, because=because, place=replace(named[0], message="") if named else finding.place)


def _needed(finding: Finding, ruleset: Ruleset, base: Ruleset, budget: Budget, look: Look | None) -> list[Difference]:
    """Return changes that are enough for a finding and of which none can be spared; none where it does not hold."""
    if is_replayed(finding) and not holds(finding, ruleset):
        return []
    left, needed, now = differences(base, ruleset), list[Difference](), ruleset
    beside = finding.code in BESIDE_BASE and (bool(finding.shown) or finding.witness is None)
    names = {*re.findall(r"\w+", finding.subject)}
    strange = [each for each in left if names.isdisjoint(each.key)]
    # What has another name is most often undone at once, in a single look.
    for group in ([strange] if 1 < len(strange) < len(left) else []) + [[each] for each in left]:
        if beside and len(left) == 1:
            return left  # the base does not have it
        if budget.is_over:
            raise Undecided
        without = _without(group, now, base) if group[0] in left else None
        if without is not None and holds(finding, without, look):
            now, left = without, [each for each in left if each not in group]
        elif without is not None:
            needed += group if len(group) == 1 else []
    return needed


def _without(changes: Sequence[Difference], ruleset: Ruleset, base: Ruleset) -> Ruleset | None:
    """Return a ruleset without some changes; nothing where no variant can say it, or another one stands on them."""
    for change in changes:
        overlay = undone(change, base)
        if overlay is None:
            return None
        try:
            ruleset = extended(ruleset, overlay)
        except ContentError:
            return None
    return ruleset


def is_replayed(finding: Finding) -> bool:
    """Return whether a finding holds where its line does what it did."""
    line = finding.witness
    fast = finding.code == "RUSH" or finding.subject.endswith(" shortest_win")
    return line is not None and (bool(line.cycle) or fast)


def holds(finding: Finding, ruleset: Ruleset, look: Look | None = None) -> bool:
    """Return whether what a finding claims can be shown under another ruleset.

    Raises:
        Undecided: what looks for it again was cut short.
    """
    beside = look is None and finding.subject in (DEAD_END, NO_END)  # else another line may show it
    if finding.witness is None or not (is_replayed(finding) or beside):
        if look is None:
            raise Undecided
        return look(finding, ruleset)
    if (position := finding.witness.position.under(ruleset)) is None:
        return False
    moved = finding.witness._replace(position=position)
    try:
        return _loop_holds(finding, moved) if moved.cycle else _line_holds(finding, moved)
    except BestlineError:
        return False


def _loop_holds(finding: Finding, witness: Witness) -> bool:
    game = witness.position.game
    start = witness._replace(repeats=0, rest=()).replay()
    if game.most_turns(start.table) is not None:
        return False  # the rules end the game, so that nothing goes on for ever
    certificate = confirm(game, start.table, tuple(map(tuple, finding.data["cycle"])), game.profile.target)
    return certificate is not None and bool(certificate.gains) == bool(finding.data["gains"])


def _line_holds(finding: Finding, witness: Witness) -> bool:
    game, end = witness.position.game, witness.replay().table
    if finding.subject == DEAD_END:
        return bool(stuck(witness.position, end))
    if finding.subject == NO_END:
        return game.most_turns(end) is None and not game.is_over(end)
    return bool(game.progress(end) >= finding.data.get("target", game.profile.target))


def undone(change: Difference, base: Ruleset) -> dict[str, Any] | None:
    """Return the variant that takes one change back, or nothing where no variant can say it."""
    key = change.key
    if change.kind == "added":
        return laid(key, {"remove": True}) if len(key) == 2 and key[0] in base.definition.collections else None
    value = value_at(base.raw, key)
    value = change.old.value if value is None else value
    return None if value is None else laid(key, value)


def laid(key: Sequence[str | int], value: Any) -> dict[str, Any]:
    """Return the variant that says one value."""
    for part in reversed(key):
        value = {part: value}
    variant: dict[str, Any] = value
    return variant


def value_at(raw: Mapping[str, Any], key: Sequence[str | int]) -> Any:
    """Return the value at a key, outside lists; nothing without one."""
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


def compared(own: Audit, base: Audit, look: Look | None = None) -> Iterator[Finding]:
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
            yield replace(finding, change=_unless_shown(finding, base, Change.NEW, look))
    for old in base.findings:
        if old.id not in found and old.line is not None:
            change = _unless_shown(old, own, Change.GONE, look)
            if change is not None:
                yield replace(old, change=change)


def _unless_shown(finding: Finding, other: Audit, missing: Change, look: Look | None) -> Change | None:
    """Return ``missing`` where the other ruleset does not have a finding, nothing where that cannot be told in time."""
    if finding.line is None or "base" in finding.data or finding.shown or finding.code == "PAR":
        return missing  # what compares answers or samples has asked the base already
    try:
        # What needs a sample to be seen again may be missed again.
        again = look if finding.code == "LOOP" else None
        return Change.SAME if holds(finding, other.ruleset, again) else missing
    except Undecided:
        return None


def _change(old: Finding, new: Finding) -> Change:
    levels = list(Level)
    step = levels.index(old.level) - levels.index(new.level)
    if step == 0 and old.measure is not None and new.measure is not None:
        # The measure of a loop hangs on the game in which it was met, so that only its level is compared.
        step = 0 if new.witness is not None and new.witness.cycle else new.measure - old.measure
    return Change.SAME if step == 0 else Change.WORSE if step > 0 else Change.BETTER
