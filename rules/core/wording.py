"""Words that every game says alike: numbers of things, and several things in a row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def joined(words: Sequence[str]) -> str:
    """Return ``a, b and c``, or ``nothing``."""
    if len(words) < 2:
        return words[0] if words else "nothing"
    return f"{', '.join(words[:-1])} and {words[-1]}"


def capitalised(text: str) -> str:
    """Return a text that begins with a capital letter, the rest as it is."""
    return text[:1].upper() + text[1:]


def counted(number: int, noun: str) -> str:
    """Return ``1 card`` or ``2 cards``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def told_names(entries: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return the name that people read of each entry, by id; the id stands beside it where several print the same."""
    shared = {key for keys in sharing(entries) for key in keys}
    names = {key: str(entry.get("name", key)) for key, entry in entries.items()}
    return {key: f"{name} ({key})" if key in shared else name for key, name in names.items()}


def sharing(entries: Mapping[str, Mapping[str, Any]]) -> list[list[str]]:
    """Return the ids that print the same name, name by name; capital letters and spaces make no difference."""
    keys: dict[str, list[str]] = {}
    for key, entry in entries.items():
        if "name" in entry:
            keys.setdefault("".join(str(entry["name"]).casefold().split()), []).append(key)
    return [each for each in keys.values() if len(each) > 1]


def with_copies(names: Iterable[str]) -> str:
    """Return names without order, copies counted: ``lunch, move x2``."""
    copies = sorted(Counter(names).items())
    return ", ".join(name if number == 1 else f"{name} x{number}" for name, number in copies)
