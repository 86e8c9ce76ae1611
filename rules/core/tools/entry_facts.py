"""What entries of a ruleset do by their ops: in words, with the numbers of a text, and beside other entries.

A game with ops keeps them in ``ops.toml``: ``ops`` by name, and ``modifiers`` where it has such. Each has ``words``, a
text with its keys in braces, and ``more`` by key where a value other than the default adds words. ``values`` says words
that stand as values, ``conditions`` what ``when`` and ``unless`` name. A key may say that ``more`` or ``less`` of it is
``better``. ``compare`` says the same of the plain keys of an entry, or names the value that is better than any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any, Final

from rules.core.errors import Fault, capitalised, joined
from rules.core.files import KeyPath, data_file
from rules.core.registry import Ruleset
from rules.core.ruleset import load_ruleset

_NAMES: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_WORDS: Final = {name: number for number, name in enumerate(_NAMES)}
"""Numbers that a text may write as words."""
_APART: Final = ("copies", "count")
"""Keys of an entry that say nothing of what one copy of it does."""


def effect_words(ruleset: Ruleset, effect: Mapping[str, Any]) -> str:
    """Return an effect in few words."""
    told = data_file(ruleset.definition.folder, "ops")
    op = told["ops"][effect["op"]] if "op" in effect else told["modifiers"][effect["mod"]]
    names = told.get("values", {})
    values = {key: _value(ruleset, names, key, value) for key, value in effect.items()}
    text = str(op["words"]).format(**values)
    for key, addition in op.get("more", {}).items():
        if key in effect and effect[key] != op["keys"][key].get("default"):
            text += addition.format(**values)
    for key in ("when", "unless"):
        if key in effect:
            condition = told["conditions"][effect[key]]["meaning"]
            text = f"{'if' if key == 'when' else 'unless'} {condition}: {text}"
    return text


def _value(ruleset: Ruleset, names: Mapping[str, Any], key: str, value: Any) -> Any:
    """Return a value in words; the name of an option stands for its value."""
    if not isinstance(value, str):
        return value
    own = names.get(key, {})
    return own.get(value) or names.get(value) or ruleset.raw["options"].get(value, value)


def effects_text(ruleset: Ruleset, effects: Any) -> str:
    """Return effects as a sentence."""
    return f"{capitalised('; '.join(effect_words(ruleset, each) for each in effects)) or 'No effect'}."


def entry_text(ruleset: Ruleset, key: KeyPath) -> str:
    """Return what an entry does: its own summary, unless a variant changed the effects and not the summary."""
    entry = ruleset.raw[str(key[0])][key[1]]
    return str(entry["summary"]) if _is_own(ruleset, key) else effects_text(ruleset, _effects(entry))


def _effects(entry: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    return entry.get("effects") or entry.get("modifiers") or ()


def _is_own(ruleset: Ruleset, key: KeyPath) -> bool:
    """Return whether an entry has a summary, and it was written with the effects or after them."""
    told = ruleset.stated((*key, "summary")) if "summary" in ruleset.raw[str(key[0])][key[1]] else None
    changed = max(ruleset.stated((*key, part)) or 0 for part in ("effects", "modifiers"))
    return told is not None and told >= changed


def doubtful_entries(ruleset: Ruleset) -> Iterator[Fault]:
    """Yield entries of a variant that say a number which their effects have not, or are alike but for the name."""
    for table, facts in _acts(ruleset).items():
        for name in (each for each in facts if _is_changed(ruleset, (table, each))):
            wrong = _wrong_number(ruleset, (table, name))
            if wrong:
                yield replace(ruleset.place((table, name, "summary")), message=wrong)
            twins = [f"'{other}'" for other in facts if other != name and facts[other] == facts[name]]
            if twins and facts[name].get("effects"):
                message = f"does just what {joined(twins)} does; with another effect or cost it would be a choice"
                yield replace(ruleset.place((table, name)), message=message)


def doubtful_options(ruleset: Ruleset) -> Iterator[Fault]:
    """Yield the options that a variant states although no entry has any of the ops that they are about."""
    rows = ruleset.definition.option_table.rows
    there = {
        effect["op"]
        for table in ruleset.definition.collections
        for entry in ruleset.raw.get(table, {}).values()
        for effect in entry.get("effects", ())
    }
    for name in ruleset.raw["options"]:
        wanted = rows.get(name, {}).get("ops", ())
        if wanted and there.isdisjoint(wanted) and _is_changed(ruleset, ("options", name)):
            message = f"changes nothing: no card and no leg has an effect of {joined(list(wanted))}"
            yield replace(ruleset.place(("options", name)), message=message)


def _is_changed(ruleset: Ruleset, key: KeyPath) -> bool:
    """Return whether a text that does not come along says something of an entry."""
    return any(layer.reaches(key) for layer in ruleset.layers[len(load_ruleset(ruleset.shipped).layers) :])


def _wrong_number(ruleset: Ruleset, key: KeyPath) -> str:
    """Return that a text says a number which the effects have not, and leaves one of theirs out; empty where not."""
    entry = ruleset.raw[str(key[0])][key[1]]
    if not _effects(entry) or not _is_own(ruleset, key):
        return ""
    said = _numbers(entry["summary"])
    has = _numbers(" ".join(effect_words(ruleset, each) for each in _effects(entry)))
    others = {abs(value) for value in entry.values() if isinstance(value, int)}
    strange, missing = sorted(said - has - others - {1}), sorted(has - said - {0, 1})
    if not strange or not missing:
        return ""
    return f"says {joined(list(map(str, strange)))}, but the effects have {joined(list(map(str, missing)))}"


def _numbers(text: str) -> set[int]:
    words = re.findall(r"\d+|[a-z]+", text.lower())
    return {int(word) if word.isdigit() else _WORDS[word] for word in words if word.isdigit() or word in _WORDS}


def _acts(ruleset: Ruleset) -> dict[str, dict[str, dict[str, Any]]]:
    """Return by collection what one copy of each entry costs and does; those that are lists for play are left out."""
    facts = ruleset.definition.play_facts(ruleset.raw)
    tables = {table: facts.get(table, {}) for table in ruleset.definition.collections}
    return {
        table: {
            name: {key: value for key, value in entry.items() if key not in _APART} for name, entry in entries.items()
        }
        for table, entries in tables.items()
        if isinstance(entries, Mapping)
    }


def outdone(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield two entries of a collection of which the first costs no less and does no more than the second.

    In one thing at least it is worse; all that cannot be compared is equal.
    """
    for facts in _acts(ruleset).values():
        for worse, better in permutations(facts, 2):
            if facts[worse].keys() == facts[better].keys() and _is_outdone(ruleset, facts[worse], facts[better]):
                yield worse, better


def _is_outdone(ruleset: Ruleset, worse: Mapping[str, Any], better: Mapping[str, Any]) -> bool:
    told = data_file(ruleset.definition.folder, "ops")
    signs = [_sign(told.get("compare", {}).get(key, ""), worse[key], better[key]) for key in worse if key != "effects"]
    ours, theirs = (_by_op(ruleset, entry.get("effects", ())) for entry in (worse, better))
    if ours is None or theirs is None:
        return False
    for name in {*ours, *theirs}:
        keys = told["ops"][name].get("keys", {})
        amounts = [key for key in keys if "better" in keys[key]]
        if (name not in ours or name not in theirs) and not amounts:
            return False
        mine, other = ours.get(name, {}), theirs.get(name, {})
        for key in {*mine, *other}:
            way = keys.get(key, {}).get("better", "")
            if way or (name in ours and name in theirs):
                signs.append(_sign(way, mine.get(key, 0 if way else None), other.get(key, 0 if way else None)))
    return min(signs) >= 0 and max(signs) > 0


def _sign(way: str, worse: Any, better: Any) -> int:
    """Return 1 where the second value is better, 0 where it is the same, -1 where it is not known to be better."""
    if worse == better:
        return 0
    if way in ("more", "less"):
        if not isinstance(worse, int) or not isinstance(better, int):
            return -1
        return 1 if (better > worse) == (way == "more") else -1
    return 1 if way and better == way else -1


def _by_op(ruleset: Ruleset, effects: Any) -> dict[str, Mapping[str, Any]] | None:
    """Return effects by op, options written out; nothing where an op stands twice."""
    values = ruleset.raw["options"]
    found: dict[str, Mapping[str, Any]] = {
        each["op"]: {
            key: values.get(value, value) if isinstance(value, str) else value
            for key, value in each.items()
            if key != "op"
        }
        for each in effects
    }
    return found if len(found) == len(effects) else None
