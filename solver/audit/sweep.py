"""Numbers of a ruleset at other values: what an audit finds along a number, and which value cures a finding."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from rules.core.errors import BestlineError, ContentError, nearest
from rules.core.files import data_file, path_text
from rules.core.registry import Ruleset
from rules.core.ruleset import copied, extended
from rules.core.tools.output import picked
from rules.core.tools.rulebook import Difference, differences
from solver.audit.blame import Look, laid, value_at
from solver.audit.finding import Audit, Finding
from solver.render import Row, table
from solver.screens.common import SCHEMA

MOST_VALUES: Final = 50
"""Values that a sweep tries at most."""

DEARER: Final = (1, 2, 3, 4)
"""How much more a new card is made to cost."""

Audited = Callable[[Ruleset], Audit]
"""Audits a ruleset."""


class Tried(NamedTuple):
    """One value of the number."""

    value: int
    audit: Audit | None
    fault: str = ""
    """Why there is no such ruleset, in words; empty where there is."""

    @property
    def findings(self) -> Sequence[Finding]:
        """Return what was found at it."""
        return self.audit.findings if self.audit else ()


def values_of(text: str) -> list[int]:
    """Return the values that a text names: ``2..5`` or ``2-5``, or ``1,2,8``.

    Raises:
        BestlineError: it names none, or too many.
    """
    ends = re.fullmatch(r"(-?\d+)(?:\.\.|-)(-?\d+)", text.replace(" ", ""))
    try:
        first, last = map(int, ends.groups()) if ends else (0, -1)
        found = [*range(first, min(last, first + MOST_VALUES) + 1)] or [int(part) for part in text.split(",")]
    except ValueError:
        found = []
    if not 0 < len(found) <= MOST_VALUES:
        raise BestlineError(f"'{text}' names no values; write 2..5 or 1,2,8, at most {MOST_VALUES} of them")
    return found


def number_at(ruleset: Ruleset, key: str) -> tuple[list[str | int], int]:
    """Return the parts of a key such as ``cards.move.effects[0].n``, places in lists as numbers, and the number there.

    Raises:
        BestlineError: there is no number.
    """
    path: list[str | int] = []
    value: Any = ruleset.raw
    for part in key.replace("[", ".").replace("]", "").split("."):
        known = {str(each): each for each in _places(value)}
        if part not in known:
            hint = nearest(part, list(known)) or (f"; keys here: {', '.join(known)}" if 0 < len(known) < 20 else "")
            raise BestlineError(f"{ruleset.id} has no number at '{key}': '{part}' is not there{hint}")
        path.append(known[part])
        value = value[known[part]]
    if type(value) is not int:
        raise BestlineError(f"'{key}' is no whole number in {ruleset.id}, so nothing can be tried along it")
    return path, value


def sweep(ruleset: Ruleset, key: str, values: Sequence[int], audited: Audited) -> Iterator[Tried]:
    """Yield what is found at each value of the number at a key, in order; the rest stays as it is."""
    path, _ = number_at(ruleset, key)
    whole = next((place for place, part in enumerate(path) if isinstance(part, int)), len(path))
    before = value_at(ruleset.raw, path[:whole])  # a list is said as a whole
    for value in values:
        try:
            variant = extended(ruleset, laid(path[:whole], _with(before, path[whole:], value)))
        except ContentError as fault:
            yield Tried(value, None, "; ".join(f"{each.key} {each.message}" for each in fault.faults))
            continue
        yield Tried(value, audited(variant))


def cured(finding: Finding, ruleset: Ruleset, base: Ruleset, look: Look) -> Finding:
    """Return a finding with the value nearest to its own at which it was not found any more.

    The one change that it hangs on is one number, or something else of which parts can be taken back. Values between a
    number and the base's are halved, and only what was looked at is told: nothing says that one cures all beyond it.
    """
    named = {cause.key for cause in finding.because}
    changes = [each for each in differences(base, ruleset) if path_text(each.key) in named]
    if len(changes) != 1:
        return finding
    places = list(_numbers(changes[0].old.value, changes[0].new.value))
    if len(places) != 1:
        return _cured_in_part(finding, ruleset, changes[0], look)
    path, well, ill = places[0]
    old, new = well, ill

    def is_found(value: int) -> bool:
        return look(finding, extended(ruleset, laid(changes[0].key, _with(changes[0].new.value, path, value))))

    try:
        while abs(well - ill) > 1:
            value = (well + ill) // 2
            well, ill = (well, value) if is_found(value) else (value, ill)
        # That every change of the value of a puzzle is one, is known.
        if well == old and (finding.code == "PAR" or is_found(old)):
            return finding
    except ContentError:
        return finding  # there is no such ruleset, so nothing is known of the values beyond it
    told = f"at {well} in place of {new} it is not found" + (", as in the base" if well == old else "")
    return replace(finding, cure=told + (f"; at {ill} it still is" if ill != new else ""))


def _cured_in_part(finding: Finding, ruleset: Ruleset, change: Difference, look: Look) -> Finding:
    """Return a finding with the first milder form of a change that is no number at which it was not found."""
    for words, overlay in _milder(ruleset, change):
        try:
            variant = extended(ruleset, overlay)
        except ContentError:
            continue
        if not look(finding, variant):
            return replace(finding, cure=f"{words} it is not found")
    return finding


def _milder(ruleset: Ruleset, change: Difference) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield milder forms of a change in words: other values of an option, higher costs, one effect less."""
    key, new = change.key, change.new.value
    if key[0] == "options":
        for value in ruleset.definition.option_table.rows.get(str(key[1]), {}).get("values", ()):
            if value not in (str(new).lower(), str(change.old.value).lower()):
                yield f"with '{value}'", laid(key, value)
        return
    entry = new if isinstance(new, Mapping) else {}
    for cost, better in data_file(ruleset.definition.folder, "ops").get("compare", {}).items():
        for more in DEARER if better == "less" and type(entry.get(cost)) is int else ():
            before = f", and at {entry[cost] + more - 1} it still is," if more > 1 else ""
            yield f"at {cost} {entry[cost] + more}{before}", laid((*key, cost), entry[cost] + more)
    path = (*key, "effects") if entry else key
    effects: Any = (entry.get("effects") if entry else new) if path[-1] == "effects" else ()
    for place, effect in enumerate(effects or ()):
        rest = [each for each in effects if each is not effect]
        yield f"without '{effect['op']}', effect {place + 1} of {len(effects)},", laid(path, rest)


def _numbers(old: Any, new: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], int, int]]:
    """Yield the whole numbers in which two values differ, each with its place, and twice where more differs."""
    if old == new:
        return
    if type(old) is int and type(new) is int:
        yield path, old, new
    elif isinstance(old, Mapping | list) and type(old) is type(new) and _places(old) == _places(new):
        for part in _places(new):
            yield from _numbers(old[part], new[part], (*path, part))
    else:
        yield from [(path, 0, 0)] * 2


def _places(value: Any) -> dict[Any, None]:
    """Return the names or places of what a value consists of, in order."""
    return dict.fromkeys(range(len(value)) if isinstance(value, list) else value if isinstance(value, Mapping) else ())


def _with(value: Any, path: Sequence[str | int], number: int) -> Any:
    """Return a value with another number at a place in it."""
    if not path:
        return number
    changed: Any = copied(value)
    changed[path[0]] = _with(changed[path[0]], path[1:], number)
    return changed


# What a sweep says


def sweep_data(ruleset: Ruleset, key: str, tried: Sequence[Tried]) -> dict[str, Any]:
    """Return a sweep as JSON."""
    return {
        "schema": SCHEMA,
        "command": "sweep",
        "ruleset": ruleset.id,
        "key": key,
        "now": number_at(ruleset, key)[1],
        "values": [
            {
                "value": each.value,
                "fingerprint": None if each.audit is None else each.audit.ruleset.fingerprint,
                "fault": each.fault or None,
                "complete": each.audit is not None and each.audit.complete,
                "findings": [
                    {
                        **picked(one, "id", "level"),
                        "size": one.size or None,
                        "claim": one.claim,
                        "cure": one.cure or None,
                    }
                    for one in each.findings
                ],
            }
            for each in tried
        ],
    }


def sweep_cells(key: str, tried: Sequence[Tried]) -> list[tuple[str, ...]]:
    """Return a table: what was found in rows, values of the number in columns, how large or how bad it is in cells."""
    # How bad each is, and how large without what the base has.
    found = [{one.id: f"{one.level} {one.size.partition(' (')[0]}".strip() for one in each.findings} for each in tried]
    names = list(dict.fromkeys(name for each in found for name in each))
    states = ["no ruleset" if not each.audit else "all" if each.audit.complete else "cut short" for each in tried]
    return [
        (key, *(str(each.value) for each in tried)),
        *((name, *(each.get(name, "-") for each in found)) for name in names),
        ("searched", *states),
    ]


def sweep_rows(ruleset: Ruleset, key: str, tried: Sequence[Tried]) -> list[Row]:
    """Return the screen of a sweep."""
    faults = [Row(f"{each.value}: {each.fault}", look="bad") for each in tried if each.fault]
    cures = [Row(f"{each.value}: {one.id}: {one.cure}") for each in tried for one in each.findings if one.cure]
    title = Row(f"{key}, now {number_at(ruleset, key)[1]} in {ruleset.id}", look="title")
    return [title, *table(sweep_cells(key, tried), headed=True), *cures, *faults]
