"""How the tables of a variant are laid over those it extends."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, Final

from rules.core.files import KeyPath
from rules.core.registry import GameDefinition
from rules.core.schema import Faults, listed, shown

_MOST_CHANGED: Final = 1_000
"""Entries of a collection that a variant may change; new ones are compared with those that are there."""


def copied(value: Any) -> Any:
    """Return a copy that may be changed without touching the text it came from."""
    if isinstance(value, dict):
        return {key: copied(element) for key, element in value.items()}
    return [copied(element) for element in value] if isinstance(value, list) else value


def lay_over(raw: dict[str, Any], overlay: Mapping[str, Any], game: GameDefinition, faults: Faults) -> None:
    """Lay the tables of a variant over ``raw``, noting what cannot be removed."""
    for name, value in overlay.items():
        if name in game.collections and isinstance(value, dict) and isinstance(raw.get(name, {}), dict):
            _overlay_collection(raw.setdefault(name, {}), value, (name,), faults)
        else:
            _merge(raw, name, value)


def _overlay_collection(table: dict[str, Any], entries: Mapping[str, Any], path: KeyPath, faults: Faults) -> None:
    if len(entries) > _MOST_CHANGED:
        faults.add(path, f"has {len(entries):,} entries; a variant changes at most {_MOST_CHANGED:,}")
        return
    for key, entry in entries.items():
        if isinstance(entry, dict) and entry.get("replace") is True:
            table[key] = copied({name: value for name, value in entry.items() if name != "replace"})
        elif isinstance(entry, dict) and key not in table and "remove" not in entry and _is_slip(key, entry, table):
            faults.add(
                (*path, key), f"there is no '{key}' to change{faults.nearest(key, table)} A new one must be complete"
            )
        elif not isinstance(entry, dict) or "remove" not in entry:
            _merge(table, key, entry)
        elif entry["remove"] is not True:
            message = f"can only be true, not {shown(entry['remove'])}; leave it out to keep the entry"
            faults.add((*path, key, "remove"), message)
        elif len(entry) > 1:
            faults.add((*path, key), "'remove' stands alone: an entry is taken out, or its other keys are changed")
        elif key not in table:
            faults.add((*path, key), f"there is no '{key}' to remove{faults.nearest(key, table)}")
        else:
            del table[key]


def _is_slip(key: str, entry: Mapping[str, Any], table: Mapping[str, Any]) -> bool:
    """Return whether an unknown id looks like a known one written wrong.

    It resembles one, says little, and lacks what entries say first, such as their name.
    """
    similar = get_close_matches(key, table, n=1, cutoff=0.6)
    known = table[similar[0]] if similar else {}
    return bool(known) and 2 * len(entry) < len(known) and next(iter(known)) not in entry


def _merge(table: dict[str, Any], key: str, value: Any) -> None:
    """Lay a value over the old one: tables key by key, everything else as a whole."""
    if isinstance(value, dict) and isinstance(table.get(key), dict):
        for inner, element in value.items():
            _merge(table[key], inner, element)
    else:
        table[key] = copied(value)


def reorder(raw: dict[str, Any], order: Any, game: GameDefinition, faults: Faults) -> None:
    """Put the entries of collections into the order that a variant asks for."""
    if not isinstance(order, dict):
        faults.add(("order",), f"must be a table, not {shown(order)}")
        return
    for name, keys in order.items():
        if name not in game.ordered:
            hint = faults.nearest(name, game.ordered) or f"; known keys: {listed(game.ordered)}"
            faults.add(("order", name), f"unknown key{hint}")
        elif not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
            faults.add(("order", name), "must be a list of ids")
        elif not isinstance(raw.get(name), dict) or sorted(keys) != sorted(raw[name]):
            faults.add(("order", name), f"must name every entry of '{name}' once")
        else:
            raw[name] = {key: raw[name][key] for key in keys}
