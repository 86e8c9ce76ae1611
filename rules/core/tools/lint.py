"""What a ruleset says in vain, and which entry outdoes another one, seen in its texts without any play."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Any, Final

from rules.core.errors import Fault, joined, sharing
from rules.core.files import KeyPath, data_file
from rules.core.registry import Doubt, Ruleset
from rules.core.ruleset import load_ruleset
from rules.core.tools.rulebook import book_of, effects_of, option_value

_NAMES: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_WORDS: Final = {name: number for number, name in enumerate(_NAMES)}
"""Numbers that a text may write as words."""
_APART: Final = ("copies", "count")
"""Keys of an entry that say nothing of what one copy of it does."""


def new_doubts(ruleset: Ruleset) -> list[Doubt]:
    """Return the doubts of the game that its shipped text, which the ruleset begins with, does not raise."""
    known = {(each.key, each.message) for each in ruleset.definition.doubts(load_ruleset(ruleset.shipped))}
    return [each for each in ruleset.definition.doubts(ruleset) if (each.key, each.message) not in known]


def doubtful_names(ruleset: Ruleset) -> Iterator[Fault]:
    """Yield the names that several entries of a collection print, each where the last text gives it."""
    for table in ruleset.definition.collections:
        for keys in sharing(ruleset.raw.get(table, {})):
            later = max(keys, key=lambda key: ruleset.stated((table, key, "name")) or 0)
            others = joined([f"'{key}'" for key in keys if key != later])
            message = f"prints the same name as {others}; with another one players can tell them apart"
            yield ruleset.place((table, later, "name"), message)


def doubtful_entries(ruleset: Ruleset) -> Iterator[Fault]:
    """Yield entries of a variant that say a number which their effects have not, or are alike but for the name."""
    for table, facts in _acts(ruleset).items():
        for name in (each for each in facts if _is_changed(ruleset, (table, each))):
            if wrong := _wrong_number(ruleset, (table, name)):
                yield ruleset.place((table, name, "summary"), wrong)
            twins = [f"'{other}'" for other in facts if other != name and facts[other] == facts[name]]
            if twins and facts[name].get("effects"):
                message = f"does just what {joined(twins)} does; with another effect or cost it would be a choice"
                yield ruleset.place((table, name), message)


def doubtful_options(ruleset: Ruleset) -> Iterator[Fault]:
    """Yield the options that a variant states although nothing here is about them, or another answer rules them out."""
    raw, tables = ruleset.raw, (ruleset.raw.get(name, {}) for name in ruleset.definition.collections)
    told = {**raw["rules"], **raw["options"]}
    effects = [effect for entries in tables for entry in entries.values() for effect in effects_of(entry)]
    there = {word for effect in effects for word in effect.values() if isinstance(word, str)}
    for name, row in ruleset.definition.option_table.rows.items():
        if not _is_changed(ruleset, ("options", name)):
            continue
        wanted = row.get("ops", ())
        why = f"no entry has an effect of {joined(list(wanted))}" if wanted and there.isdisjoint(wanted) else ""
        for other, values in row.get("idle", {}).items():
            why = why or (f"{other} is {option_value(told[other])}" if told[other] in values else "")
        if why:
            yield ruleset.place(("options", name), f"changes nothing: {why}")


def _is_changed(ruleset: Ruleset, key: KeyPath) -> bool:
    """Return whether a text that does not come along says something of an entry."""
    return any(layer.reaches(key) for layer in ruleset.layers[len(load_ruleset(ruleset.shipped).layers) :])


def _wrong_number(ruleset: Ruleset, key: KeyPath) -> str:
    """Return that a text says a number which the effects have not, and leaves one of theirs out; empty where not."""
    entry = ruleset.raw[str(key[0])][key[1]]
    if not effects_of(entry) or not book_of(ruleset).is_own(key):
        return ""
    said = _numbers(re.sub(r"\b[Aa]n?\b", "1", entry["summary"]))
    has = _numbers(" ".join(book_of(ruleset).effect_words(each) for each in effects_of(entry)))
    others = {abs(value) for value in entry.values() if isinstance(value, int)}
    strange, missing = sorted((said - has).keys() - others - {1}), sorted((has - said).keys() - {0})
    if not strange or not missing:
        return ""
    return f"says {joined(list(map(str, strange)))}, but the effects have {joined(list(map(str, missing)))}"


def _numbers(text: str) -> Counter[int]:
    words = re.findall(r"\d+|[a-z]+", text.lower())
    return Counter(int(word) if word.isdigit() else _WORDS[word] for word in words if word.isdigit() or word in _WORDS)


def _acts(ruleset: Ruleset) -> dict[str, dict[str, dict[str, Any]]]:
    """Return by collection what one copy of each entry costs and does; those that are lists for play are left out."""
    facts = ruleset.definition.facts(ruleset.raw)
    tables = {name: facts[name] for name in ruleset.definition.collections if isinstance(facts.get(name), Mapping)}
    return {
        table: {name: {key: entry[key] for key in entry if key not in _APART} for name, entry in entries.items()}
        for table, entries in tables.items()
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
    worse, better = ({key: _said(ruleset, value) for key, value in entry.items()} for entry in (worse, better))
    signs = [_sign(told.get("compare", {}).get(key, ""), worse[key], better[key]) for key in worse if key != "effects"]
    acts = [entry.get("effects", ()) for entry in (worse, better)]
    ours, theirs = (
        {each["op"]: {key: _said(ruleset, each[key]) for key in each} for each in effects} for effects in acts
    )
    if [len(ours), len(theirs)] != [*map(len, acts)]:  # an op stands twice
        return False
    for name in {*ours, *theirs}:
        mine, other = ours.get(name, {}), theirs.get(name, {})
        both, who = name in ours and name in theirs, (mine or other).get("who")
        keys = told["ops"][name].get("keys", {})
        ways = {key: keys[key].get("better", "") for key in keys if keys[key].get("who", who) == who}
        if not both and not any(ways.values()):
            return False
        for key in {*mine, *other}:
            way = ways.get(key, "")
            if way or both:
                usual = keys[key].get("default", 0) if way else None
                signs.append(_sign(way, mine.get(key, usual), other.get(key, usual)))
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


def _said(ruleset: Ruleset, value: Any) -> Any:
    return ruleset.raw["options"].get(value, value) if isinstance(value, str) else value
