"""Two rulesets compared by meaning: what plays differently, not what is written differently."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from rules.core.errors import BestlineError
from rules.core.files import KeyPath
from rules.core.rulebook import option_texts
from rules.core.ruleset import Ruleset

_ABSENT: Final = object()
_ORDER: Final = "order"
"""Stands for the order of the entries of a collection, and for the table in which a variant gives another."""
_SHOWN: Final = "name"
"""The key of an entry that people read; it never affects play, and is worth a word all the same."""


@dataclass(frozen=True, slots=True)
class Side:
    """What one of the two rulesets has."""

    value: Any
    """The value; nothing where there is none."""
    words: str
    file: str
    """Where it is written; empty where no text states it and the game's default holds."""
    line: int | None


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing in which two rulesets differ."""

    key: KeyPath
    kind: str
    """``changed``, ``added`` or ``removed``."""
    what: str
    """What differs, in words."""
    old: Side
    new: Side
    plays: bool = True
    """Whether it affects play."""


def differences(old: Ruleset, new: Ruleset) -> list[Difference]:
    """Return everything in which ``new`` differs from ``old``, options first, then in the order of the ruleset.

    A number that only follows from others, such as the size of a deck, is left out: no text states it anew.

    Raises:
        BestlineError: they belong to different games.
    """
    if old.game != new.game:
        raise BestlineError(f"'{old.id}' and '{new.id}' are rulesets of different games and cannot be compared")
    game = old.definition
    pairs = _walk((), game.play_facts(old.raw), game.play_facts(new.raw))
    found = [_difference(old, new, key, *values) for key, *values in pairs]
    stated = [each for each in found if not _follows(old, new, each)]
    return sorted([*stated, *_renamed(old, new)], key=lambda each: each.key[0] != "options")


def _walk(key: KeyPath, old: Any, new: Any) -> Iterator[tuple[KeyPath, Any, Any]]:
    """Yield every key whose values differ, entries of lists with ids under those, a whole entry where one lacks it."""
    if old == new and type(old) is type(new):
        return
    old_ids, new_ids = _by_id(old), _by_id(new)
    if old_ids is not None and new_ids is not None:
        yield from _walk(key, old_ids, new_ids)
        common = [name for name in old_ids if name in new_ids]
        if common != [name for name in new_ids if name in old_ids]:
            yield (*key, _ORDER), list(old_ids), list(new_ids)
    elif isinstance(old, Mapping) and isinstance(new, Mapping):
        for name in [*old, *(name for name in new if name not in old)]:
            yield from _walk((*key, name), old.get(name, _ABSENT), new.get(name, _ABSENT))
    else:
        yield key, old, new


def _by_id(value: Any) -> dict[str, Any] | None:
    """Return the entries of a list by their ids, or nothing where they have none."""
    if not isinstance(value, list) or not all(isinstance(entry, Mapping) and "id" in entry for entry in value):
        return None
    return {entry["id"]: {name: part for name, part in entry.items() if name != "id"} for entry in value}


def _difference(old: Ruleset, new: Ruleset, key: KeyPath, before: Any, after: Any) -> Difference:
    kind = "added" if before is _ABSENT else "removed" if after is _ABSENT else "changed"
    owner = new if kind == "added" else old
    if key[0] == "options" and len(key) == 2:
        text = option_texts(owner)[str(key[1])]
        what = f"{text.ruling} {text.name}: {text.question}".strip(" :")
        return Difference(
            key, kind, what, _side(old, key, before, text.told(before)), _side(new, key, after, text.told(after))
        )
    what = old.definition.key_words(owner, key)
    return Difference(key, kind, what, _side(old, key, before), _side(new, key, after))


def _side(ruleset: Ruleset, key: KeyPath, value: Any, words: str = "") -> Side:
    path = key
    if key[-1] == _ORDER:
        path, words = (_ORDER, *key[:-1]), ", ".join(value)
    place = ruleset.place(path) if ruleset.stated(path) is not None else None
    told = "" if value is _ABSENT else words or ruleset.definition.value_words(ruleset, key, value)
    return Side(None if value is _ABSENT else value, told, place.file if place else "", place.line if place else None)


def _follows(old: Ruleset, new: Ruleset, found: Difference) -> bool:
    """Return whether a changed value is written nowhere: both sides point to the same line of the same text."""
    same_text = _text_of(old, found.key) == _text_of(new, found.key) != ""
    return found.kind == "changed" and same_text and found.old.line == found.new.line


def _text_of(ruleset: Ruleset, key: KeyPath) -> str:
    place = ruleset.stated(key)
    return "" if place is None else ruleset.layers[place].source.text


def _renamed(old: Ruleset, new: Ruleset) -> Iterator[Difference]:
    """Yield the entries that both have under different names."""
    for table in old.definition.collections:
        before, after = old.raw.get(table, {}), new.raw.get(table, {})
        for name in before:
            first, second = (entries.get(name, {}).get(_SHOWN) for entries in (before, after))
            if name in after and first != second:
                key = (table, name, _SHOWN)
                what = old.definition.key_words(old, key)
                yield Difference(key, "changed", what, _side(old, key, first), _side(new, key, second), plays=False)
