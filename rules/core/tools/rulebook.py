"""What people read about a game: options and rules in words, chapters of a ruleset, differences, techniques.

A game keeps the words in files of its folder; a file that is not there leaves its part unsaid.

- ``options.toml`` has a table ``options`` by name: ``ruling``, ``rule``, ``question``, ``values`` or ``min`` and
  ``max``, and ``note``.
- ``rulebook.toml`` has a text ``about``, and a table ``rules`` by number: ``heading``, ``text``, and ``editions``.
  Braces hold a number of the ruleset. Where a variant changes the ``table`` of a rule, ``changed`` is its text.
  ``numbers`` has a sentence for each number of a ruleset, or for each word that stands there instead.
- ``techniques.toml`` names what a line of play turns on: its ``meaning``, and the kinds of ``events`` that show it.
  Where there is a key ``several``, the data of an event must hold more than one thing under it.
- ``ops.toml`` has ``ops`` by name, and ``modifiers`` where the game has such. Each has ``words``, a text with its keys
  in braces, and ``more`` by key where a value other than the default adds words. ``values`` says words that stand as
  values, ``conditions`` what ``when`` and ``unless`` name. A key may say that ``more`` or ``less`` of it is ``better``.
  ``compare`` says the same of the plain keys of an entry, or names the value that is better than any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from rules.core.errors import BestlineError, capitalised, counted, joined, nearest
from rules.core.files import KeyPath, data_file
from rules.core.registry import GameDefinition, Option, Ruleset
from rules.core.ruleset import load_ruleset
from rules.core.scripts import Event, Step
from rules.core.turns import Game, State


class OptionText(NamedTuple):
    """A question that the rules of a game leave open, in words."""

    name: str
    ruling: str = ""
    """Its number in the list of rulings, such as Q19; empty without one."""
    rule: str = ""
    """Number of the rule that the answer completes; empty where none is named."""
    question: str = ""
    values: Mapping[str, str] = MappingProxyType({})
    """What each value means; empty for a number."""
    min: int | None = None
    max: int | None = None
    note: str = ""

    @property
    def title(self) -> str:
        """The name with the number of the ruling."""
        return f"{self.ruling} {self.name}".strip()

    @property
    def range(self) -> tuple[int, int] | None:
        """Return the least and the greatest number, for a number."""
        return None if self.min is None or self.max is None else (self.min, self.max)

    def described(self, value: Option) -> str:
        """Return a value with its meaning in brackets, unless it speaks for itself."""
        meaning = self.values.get(option_value(value), "")
        return f"{option_value(value)} ({meaning})" if meaning else option_value(value)


@dataclass(frozen=True, slots=True)
class ChapterEntry:
    """One thing of a ruleset: a card, a leg, a rule."""

    id: str
    name: str
    text: str
    key: KeyPath = ()
    """Where it stands in the ruleset; empty where it is no part of the data."""
    copies: int = 1
    more: tuple[tuple[str, str], ...] = ()
    """Further facts, each with a label, for whoever asks for this one thing."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of what there is to say about a ruleset."""

    id: str
    title: str
    text: str = ""
    entries: tuple[ChapterEntry, ...] = ()


def option_value(value: Option) -> str:
    """Return a value as it is written in a file."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _rule_text(rule: Mapping[str, Any], edition: str, raw: Mapping[str, Any], printed: Mapping[str, Any]) -> str:
    """Return what a rule says: with the numbers of the ruleset, and otherwise where a variant changes its table."""
    table = rule.get("table", "")
    if table and any(raw[table][key] != value for key, value in printed[table].items()):
        words = {key: str(value).replace("_", " ") for key, value in raw[table].items()}
        return str(rule["changed"]).format(**{table: words})
    return str(rule.get("editions", {}).get(edition, rule["text"])).format(**raw)


SILENT: Final = ("provenance", "source", "note")
"""Keys that say where an entry comes from."""
_ORIGIN: Final = ("note", "source", "adapted_from")
_APART: Final = ("name", "summary", "effects", "modifiers", "provenance", "count_provenance", *_ORIGIN)
"""Keys of an entry that are told otherwise, or say nothing of play."""


def plain_words(value: Any) -> str:
    """Return a value of a ruleset in a line: what an entry says about itself, else its plain values."""
    if isinstance(value, Mapping):
        if value.get("summary"):
            return str(value["summary"])
        parts = (
            (key.replace("_", " "), part) for key, part in value.items() if key not in ("name", *SILENT) and part != []
        )
        return ", ".join(f"{key} {plain_words(part)}" for key, part in parts) or "nothing"
    if isinstance(value, list | tuple):
        told = [f"({plain_words(one)})" if isinstance(one, Mapping) else plain_words(one) for one in value]
        return "; ".join(told) or "none"
    return option_value(value)


def effects_of(entry: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return what an entry does, op by op."""
    return entry.get("effects") or entry.get("modifiers") or ()


def _plain(word: str) -> str:
    return "".join(sign for sign in word.lower() if sign.isalnum())


class Rulebook:
    """A ruleset in words, as any game's can be told; a game that can say more derives its own."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset, self.raw, self.game = ruleset, ruleset.raw, ruleset.definition
        self.told = data_file(self.game.folder, "rulebook")

    @cached_property
    def options(self) -> dict[str, OptionText]:
        """Return every option of a ruleset's game in words."""
        keys = OptionText._fields
        rows = self.game.option_table.rows.items()
        return {name: OptionText(name, **{key: row[key] for key in keys if key in row}) for name, row in rows}

    @cached_property
    def rules(self) -> dict[str, ChapterEntry]:
        """Return the rules by number, each under its heading; a variant reads like the edition it builds on."""
        edition = self.ruleset.layers[0].file.partition("/")[2]
        printed = load_ruleset(self.ruleset.layers[0].file).raw
        return {
            number: ChapterEntry(number, rule["heading"], _rule_text(rule, edition, self.raw, printed))
            for number, rule in self.told.get("rules", {}).items()
        }

    def changed_options(self) -> dict[str, Option]:
        """Return the options whose value is not that of the edition underneath."""
        own = load_ruleset(self.ruleset.layers[0].file).raw["options"]
        return {name: value for name, value in self.raw["options"].items() if value != own.get(name)}

    def key_words(self, key: KeyPath) -> str:
        """Return what a key of a ruleset, as ``facts`` has it, is called."""
        table, *rest = map(str, key)
        if not rest:
            return table
        entry = rest[0]
        name = self.ruleset.names.get(table, {}).get(entry, entry)
        owner = "" if table == "rules" or name != entry else f"{table.removesuffix('s')} "
        return owner + ", ".join([name, *rest[1:]]).replace("_", " ")

    def value_words(self, key: KeyPath, value: Any) -> str:
        """Return the value of a key in a line of words."""
        if key[0] == "rules" and len(key) == 2:
            return self.number_words(str(key[1]), value) or plain_words(value)
        if key[-1] in ("effects", "modifiers"):
            return self.effects_text(value)
        entries = (entry for chapter in self.chapters() for entry in chapter.entries) if len(key) == 2 else ()
        return next((entry.text for entry in entries if entry.key == key), plain_words(value))

    def number_words(self, name: str, value: Any) -> str:
        """Return a number of the ruleset, or a word that stands there, as a sentence; empty where it says nothing."""
        told = self.told.get("numbers", {}).get(name, "")
        n = joined(value) if isinstance(value, list) else value
        return str(told if isinstance(told, str) else told[option_value(value)]).format(n=n)

    def chapters(self) -> Iterator[Chapter]:
        """Yield the ruleset in sentences."""
        yield self.opening()
        for table in self.game.collections:
            told = []
            for key, name in self.ruleset.names[table].items():
                entry, place = self.raw[table][key], (table, key)
                acts = bool({"effects", "modifiers"} & entry.keys())
                text = self.entry_text(place) if acts else plain_words(entry)
                facts = ((part, plain_words(value)) for part, value in entry.items() if part not in _APART)
                more = ("id", key), *(facts if "summary" in entry else ()), *self.entry_facts(entry)
                told.append(ChapterEntry(key, name, text, place, entry.get("count", 1), more))
            if told:
                yield Chapter(table, f"{table.capitalize()}: {len(told)}", "", tuple(told))
        yield self.options_chapter()
        yield from self.rules_chapter()

    def opening(self, *sentences: str) -> Chapter:
        """Return the first chapter: what the game is, what the ruleset says about itself, and what it builds on."""
        least, most, _ = self.game.players_allowed(self.ruleset)
        players = f"For {f'{least} to {most} players' if most > least else counted(least, 'player')}."
        extends = " and then ".join(f"'{layer.file}'" for layer in reversed(self.ruleset.layers[:-1]))
        built = f"It changes {extends}." if extends else ""
        summary = str(self.ruleset.layers[-1].data.get("meta", {}).get("summary", ""))
        about = self.told.get("about", "")
        return Chapter("game", self.ruleset.title, " ".join(filter(None, (about, summary, built, players, *sentences))))

    def options_chapter(self) -> Chapter:
        """Return the options that differ from the edition underneath, and how many do not."""
        texts, changed = self.options, self.changed_options()
        entries = tuple(
            ChapterEntry(name, text.title, f"{text.question} {capitalised(text.described(value))}.")
            for name, value in changed.items()
            for text in [texts[name]]
        )
        kept = f"{len(texts) - len(changed)} {'others are' if changed else 'options are'} as the edition has them"
        title = "Options changed" if changed else "Options"
        return Chapter("options", title, f"{kept}; 'rules options' tells them all.", entries)

    def rules_chapter(self) -> Iterator[Chapter]:
        """Yield the rules by number, where the game has them in words."""
        told = tuple(replace(rule, name=f"{rule.id} {rule.name}") for rule in self.rules.values())
        if told:
            built = len(self.ruleset.layers) > 1
            text = "As the edition underneath has them; what is said above goes first." if built else ""
            yield Chapter("rules", "Rules", text, told)

    def entry_facts(self, entry: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Yield each effect of an entry with its exact meaning, then where the entry comes from."""
        for effect in effects_of(entry) if data_file(self.game.folder, "ops") else ():
            kind, meaning = "op" if "op" in effect else "mod", self._op(effect)["meaning"]
            told = ((key, option_value(value)) for key, value in effect.items() if key not in (kind, "while"))
            args = ", ".join(map(" ".join, told))
            yield f"{kind} {effect[kind]}", f"{meaning} Here: {args}." if args else meaning
        yield from ((key, str(entry[key])) for key in _ORIGIN if key in entry)

    def _op(self, effect: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what the game's file says of the op or the modifier that an effect names."""
        told = data_file(self.game.folder, "ops")
        op: Mapping[str, Any] = told["ops"][effect["op"]] if "op" in effect else told["modifiers"][effect["mod"]]
        return op

    def effect_words(self, effect: Mapping[str, Any]) -> str:
        """Return an effect in few words."""
        told, op = data_file(self.game.folder, "ops"), self._op(effect)
        values = {key: self._value(told.get("values", {}), key, value) for key, value in effect.items()}
        text = str(op["words"]).format(**values)
        for key, addition in op.get("more", {}).items():
            if key in effect and effect[key] != op["keys"][key].get("default"):
                text += addition.format(**values)
        for key in ("when", "unless"):
            if key in effect:
                condition = told["conditions"][effect[key]]["meaning"]
                text = f"{'if' if key == 'when' else 'unless'} {condition}: {text}"
        return text

    def _value(self, names: Mapping[str, Any], key: str, value: Any) -> Any:
        """Return a value in words; the name of an option stands for its value."""
        if not isinstance(value, str):
            return value
        return names.get(key, {}).get(value) or names.get(value) or self.raw["options"].get(value, value)

    def effects_text(self, effects: Any) -> str:
        """Return effects as a sentence."""
        return f"{capitalised('; '.join(self.effect_words(each) for each in effects)) or 'No effect'}."

    def entry_text(self, key: KeyPath) -> str:
        """Return what an entry does: its own summary, unless a variant changed the effects and not the summary."""
        entry = self.raw[str(key[0])][key[1]]
        return str(entry["summary"]) if self.is_own(key) else self.effects_text(effects_of(entry))

    def is_own(self, key: KeyPath) -> bool:
        """Return whether an entry has a summary, and it was written with the effects or after them."""
        told = self.ruleset.stated((*key, "summary")) if "summary" in self.raw[str(key[0])][key[1]] else None
        changed = max(self.ruleset.stated((*key, part)) or 0 for part in ("effects", "modifiers"))
        return told is not None and told >= changed

    def find_entry(self, word: str) -> Chapter:
        """Return the chapter, or a chapter of the one entry, that a person asks for by id, number or name.

        Raises:
            BestlineError: there is no such thing in the ruleset.
        """
        told, wanted = list(self.chapters()), _plain(word)
        for chapter in told:
            if wanted in (_plain(chapter.id), _plain(chapter.title)):
                return chapter
        for option in self.options.values():
            if wanted in (_plain(option.name), _plain(option.ruling)):
                return Chapter(option.name, "Options", "", (self.option_entry(option),))
        entries = [(chapter, entry) for chapter in told for entry in chapter.entries]
        found = [each for each in entries if wanted == _plain(each[1].id)][:1]
        # Where others print the same, the id stands beside the name.
        names = [{_plain(entry.name), _plain(entry.name.removesuffix(f" ({entry.id})"))} for _, entry in entries]
        found = found or [each for each, printed in zip(entries, names, strict=True) if wanted in printed]
        if found:
            chapter, entry = found[0]
            return Chapter(entry.id, chapter.title, "", tuple(entry for _, entry in found))
        known = [chapter.id for chapter in told] + [entry.id for _, entry in entries]
        hint = nearest(word, [*known, *self.options])
        parts = ", ".join(chapter.id for chapter in told)
        raise BestlineError(
            f"'{self.ruleset.id}' has no '{word}'{hint or f'; give an id, a rule number, or one of: {parts}'}"
        )

    def option_entry(self, option: OptionText) -> ChapterEntry:
        """Return everything about one option: its question, its answers, and which of them holds here."""
        value = self.raw["options"][option.name]
        limits = f"Any number from {option.range[0]} to {option.range[1]}." if option.range else ""
        rule = self.rules.get(option.rule)
        here = ("here", option_value(value)), ("rule", f"{option.rule}, {rule.name}" if rule else option.rule)
        more = (*option.values.items(), *here)
        text = " ".join(filter(None, (option.question, limits, option.note)))
        return ChapterEntry(option.name, option.title, text, ("options", option.name), 1, more)


def book_of(ruleset: Ruleset) -> Rulebook:
    """Return a ruleset in words, as its game tells it, else as any game's can be told."""
    name = f"rules.{ruleset.game}.chapters"
    kind: type[Rulebook] = import_module(name).Chapters if find_spec(name) else Rulebook
    return kind(ruleset)


_ABSENT: Final = object()
_ORDER: Final = "order"
"""Stands for the order of the entries of a collection, and for the table in which a variant gives another."""


class Side(NamedTuple):
    """What one of the two rulesets has."""

    value: Any
    """The value; nothing where there is none."""
    words: str
    file: str
    """Where it is written; empty where no text states it and the game's default holds."""
    line: int | None


class Difference(NamedTuple):
    """One thing in which two rulesets differ."""

    key: KeyPath
    kind: str
    """``changed``, ``added`` or ``removed``."""
    what: str
    old: Side
    new: Side


def differences(old: Ruleset, new: Ruleset) -> list[Difference]:
    """Return all in which ``new`` plays differently from ``old``, options first, then in the order of the ruleset.

    A number that only follows from others, such as the size of a deck, is left out: no text states it anew.

    Raises:
        BestlineError: they belong to different games.
    """
    if old.game != new.game:
        raise BestlineError(f"'{old.id}' and '{new.id}' are rulesets of different games and cannot be compared")
    game = old.definition
    books = book_of(old), book_of(new)
    found = [_difference(*books, key, *values) for key, *values in _walk((), game.facts(old.raw), game.facts(new.raw))]
    return sorted([each for each in found if not _follows(old, new, each)], key=lambda each: each.key[0] != "options")


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


def _difference(old: Rulebook, new: Rulebook, key: KeyPath, before: Any, after: Any) -> Difference:
    kind = "added" if before is _ABSENT else "removed" if after is _ABSENT else "changed"
    owner, words = new if kind == "added" else old, ("", "")
    what = owner.key_words(key)
    if key[0] == "options" and len(key) == 2:
        text = owner.options[str(key[1])]
        what, words = f"{text.title}: {text.question}".strip(" :"), (text.described(before), text.described(after))
    return Difference(key, kind, what, _side(old, key, before, words[0]), _side(new, key, after, words[1]))


def _side(book: Rulebook, key: KeyPath, value: Any, words: str = "") -> Side:
    path = key
    if key[-1] == _ORDER:
        path, words = (_ORDER, *key[:-1]), ", ".join(value)
    place = book.ruleset.place(path) if book.ruleset.stated(path) is not None else None
    told = "" if value is _ABSENT else words or book.value_words(key, value)
    return Side(None if value is _ABSENT else value, told, place.file if place else "", place.line if place else None)


def _follows(old: Ruleset, new: Ruleset, found: Difference) -> bool:
    """Return whether a changed value is written nowhere: both sides point to the same line of the same text."""
    places = [(side, side.stated(found.key)) for side in (old, new)]
    texts = [side.layers[place].text for side, place in places if place is not None]
    same_text = len(texts) == 2 and texts[0] == texts[1] != ""
    return found.kind == "changed" and same_text and found.old.line == found.new.line


def met(
    definition: GameDefinition, game: Game[Any], start: State[Any], turns: Sequence[Sequence[Step]]
) -> tuple[str, ...]:
    """Return the names of the techniques that a line of turns shows, in the order of the game's file.

    Raises:
        IllegalMoveError: the line does not fit the start.
    """
    events: list[Event] = []
    state = start
    for step in chain.from_iterable(turns):
        after = game.apply(state, step)
        events += after.events
        state = after.state

    def shown(kinds: Sequence[str], several: str = "") -> bool:
        return any(each.kind in kinds and (not several or len(each.data[several]) > 1) for each in events)

    known = data_file(definition.folder, "techniques")
    return tuple(name for name, told in known.items() if shown(told["events"], told.get("several", "")))
