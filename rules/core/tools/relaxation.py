"""Relaxations: a rule made harmless, as data of a game, so that one can ask what an impossibility hangs on.

A game that lists some has a file ``relaxations.toml``. Each entry has ``holds``, the rule as a cause to follow
"because", and ``rules``, its numbers in the rulebook. Two keys say what changes in a ruleset when it is loosened:

- ``set`` is laid over the ruleset like a variant.
- Each entry of ``each`` is laid over entries of the collection ``in`` that have every value of ``where``. With
  ``effect`` they also have an effect with every value of that.

A key that an edition does not have stays away from it. Options are the exception: every edition has all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules.core.errors import BestlineError, ContentError
from rules.core.files import data_file
from rules.core.position import Position
from rules.core.registry import Ruleset
from rules.core.ruleset import extended, merge
from rules.core.schema import Faults


@dataclass(frozen=True, slots=True)
class Relaxation:
    """One rule that can be loosened."""

    id: str
    holds: str
    """The rule as a cause, in words that follow "because"."""
    rules: tuple[str, ...]
    """Its numbers in the rulebook."""
    change: Mapping[str, Any]
    """Tables of a variant that loosens it in one ruleset."""


def relaxations(position: Position) -> tuple[Relaxation, ...]:
    """Return what can be loosened in a position and is not loose there already, in the order of the game's file."""
    definition = position.definition
    found = []
    for name, table in data_file(definition.folder, "relaxations").items():
        relaxation = Relaxation(name, table["holds"], tuple(table["rules"]), _change(position.ruleset.raw, table))
        loosened = relaxed(position, (relaxation,))
        if loosened is not None and loosened.fingerprint != position.fingerprint:
            found.append(relaxation)
    return tuple(found)


def relaxed(position: Position, loose: Iterable[Relaxation]) -> Position | None:
    """Return a position with some rules loosened, or nothing where it is no position under those rules."""
    change: dict[str, Any] = {}
    for relaxation in loose:
        merge(change, relaxation.change)
    try:
        ruleset = extended(position.ruleset, change) if change else position.ruleset
    except ContentError:
        return None
    decided = change.get("options", {})
    options = {name: value for name, value in position.setting.options.items() if name not in decided}
    return under(replace(position, setting=replace(position.setting, options=options)), ruleset)


def under(position: Position, ruleset: Ruleset) -> Position | None:
    """Return a position under another ruleset of its game, or nothing where it is none there."""
    moved = replace(position, setting=replace(position.setting, ruleset=ruleset))
    definition = ruleset.definition
    faults = Faults()
    definition.state_schema(ruleset).check(moved.state, (), faults)
    if faults.count:
        return None
    definition.check_state(moved.state, moved.setting, faults)
    if faults.found or definition.unsupported(moved.setting):
        return None
    try:
        moved.start()
    except BestlineError:
        return None
    return moved


def _change(raw: Mapping[str, Any], table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tables of a variant that a relaxation comes to in one ruleset."""
    change: dict[str, Any] = {}
    known = {
        name: {key: value for key, value in entries.items() if name == "options" or key in raw.get(name, {})}
        for name, entries in table.get("set", {}).items()
    }
    merge(change, {name: entries for name, entries in known.items() if entries})
    for rule in table.get("each", ()):
        where, effect = rule.get("where", {}), rule.get("effect")
        chosen = {
            name: {key: value for key, value in rule["set"].items() if entry.get(key, value) != value}
            for name, entry in raw.get(rule["in"], {}).items()
            if where.items() <= entry.items()
            and (effect is None or any(effect.items() <= each.items() for each in entry["effects"]))
        }
        merge(change, {rule["in"]: {name: new for name, new in chosen.items() if new}})
    return {name: entries for name, entries in change.items() if entries}
