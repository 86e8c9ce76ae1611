"""The shapes of data files: each finds every fault of a value."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from types import NoneType
from typing import Any, Final

from rules.core.errors import ContentError, Fault, nearest, word_list
from rules.core.files import KeyPath, path_text

MISSING: Final = object()
"""What is left of a value that has not the shape asked for."""
MOST_FAULTS: Final = 100
"""Faults that are told; further ones are counted."""
LARGEST: Final = 1_000_000_000
"""The greatest whole number of a file where its shape names no other."""

Locate = Callable[[KeyPath, str], Fault]
"""Makes the fault of a message at a key path."""


class Faults:
    """Collects the faults of one or several texts; ``locate`` knows in which file and line a key stands."""

    def __init__(self, locate: Locate | None = None, most: int = MOST_FAULTS) -> None:
        self._locate: Locate = locate or (lambda path, message: Fault(message, path_text(path)))
        self._most = most
        self.found: dict[Fault, None] = {}
        """The first ones, in the order in which they were found."""
        self._beyond = [0]
        """How many more there are, in a list that parts share."""

    def add(self, path: KeyPath, message: str) -> None:
        """Note one fault."""
        self.take([Fault("") if self.is_full else self._locate(path, message)])

    def take(self, faults: Iterable[Fault]) -> None:
        """Note faults that have their places already."""
        for fault in faults:
            if self.is_full:
                self._beyond[0] += 1
            else:
                self.found[fault] = None

    @property
    def count(self) -> int:
        """Return how many there are, those included that are only counted."""
        return len(self.found) + self._beyond[0]

    @property
    def is_full(self) -> bool:
        """Return whether further faults are only counted, so that nobody needs to find words for them."""
        return len(self.found) >= self._most

    def nearest(self, word: str, known: Iterable[str]) -> str:
        """Return a hint at the nearest known word, as long as it will be read."""
        return "" if self.is_full else nearest(word, known)

    def inside(self, prefix: KeyPath) -> Faults:
        """Return a collection that feeds this one, for a part of the text whose paths begin with ``prefix``."""
        part = Faults(lambda path, message: self._locate(prefix + path, message))
        part.found, part._most, part._beyond = self.found, self._most, self._beyond
        return part

    def raise_any(self) -> None:
        """Raise ``ContentError`` with the faults, if there are any, in the order of file and line."""
        if self.count:
            told = sorted(self.found, key=lambda fault: (fault.file, fault.line or 0))
            more = [Fault(f"and {self._beyond[0]:,} more", file=told[-1].file)] if self._beyond[0] else []
            raise ContentError([*told, *more])


def shown(value: Any) -> str:
    """Return a value as it is named in a message, shortened."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dt.date | dt.time):
        return f"the date or time {value}"
    if type(value) is int and value.bit_length() > 200:
        return "a number of very many digits"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:57]}..."


class Schema:
    """The shape of one value."""

    values: type = object
    """Python's type of the values."""
    words: str = "another kind of value"
    """The shape in a few words, to follow "must be"."""

    def fits(self, value: Any) -> bool:
        """Return whether a value has the type of this shape, whatever is inside it."""
        return isinstance(value, self.values)

    def check(self, value: Any, path: KeyPath, faults: Faults) -> Any:
        """Note every fault of ``value``, which stands at ``path``, and return it without its faulty parts.

        Where nothing is left it is ``MISSING``.
        """
        if not self.fits(value):
            faults.add(path, f"must be {self.described()}, not {shown(value)}")
            return MISSING
        return self.check_inside(value, path, faults)

    def check_inside(self, value: Any, path: KeyPath, faults: Faults) -> Any:
        """Do the same for a value of the right type."""
        return value

    def accepts(self, value: Any) -> bool:
        """Return whether a value has this shape."""
        faults = Faults(most=0)
        self.check(value, (), faults)
        return not faults.count

    def described(self) -> str:
        """Return the shape in a few words, to follow "must be"."""
        return self.words


class Anything(Schema):
    """Any value at all."""


class Boolean(Schema):
    """``true`` or ``false``."""

    values, words = bool, "true or false"


class Number(Schema):
    """A number, whole or not, but neither infinite nor what is no number."""

    words = "a number"

    def fits(self, value: Any) -> bool:
        """Return whether it is one; ``true`` is none."""
        return type(value) is int or (type(value) is float and isfinite(value))


class Null(Schema):
    """JSON's ``null``, which TOML cannot write: there the key is left out."""

    values, words = NoneType, "null"


@dataclass(frozen=True)
class Integer(Schema):
    """A whole number; ``true`` and ``2.0`` are none."""

    low: int | None = 0
    high: int | None = None

    def fits(self, value: Any) -> bool:
        """Return whether it is one in the range."""
        if type(value) is not int:
            return False
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def check_inside(self, value: Any, path: KeyPath, faults: Faults) -> Any:
        """Note a number that is too large for anything."""
        if self.high is not None or abs(value) <= LARGEST:
            return value
        faults.add(path, f"must be a whole number of at most {LARGEST}, not {shown(value)}")
        return MISSING

    def described(self) -> str:
        """Return the range in words."""
        if self.low is not None and self.high is not None:
            return f"a whole number from {self.low} to {self.high}"
        if self.low is not None:
            return f"a whole number of at least {self.low}"
        return "a whole number" if self.high is None else f"a whole number of at most {self.high}"


@dataclass(frozen=True)
class Text(Schema):
    """A text, free, from a closed list, or of a pattern."""

    choices: tuple[str, ...] | None = None
    """The only values allowed, such as the cards of a ruleset, of which there may be none; any text if left out."""
    pattern: str = ""
    """Regular expression that the whole text must match."""
    kind: str = ""
    """What the text is, in a few words, such as ``a card id of this ruleset``."""
    values = str

    def check_inside(self, value: Any, path: KeyPath, faults: Faults) -> Any:
        """Note a text outside the choices, with the nearest choice, or of another pattern."""
        if self.choices is not None and value not in self.choices:
            hint = faults.nearest(value, self.choices) or f"; known: {word_list(self.choices)}"
            faults.add(path, f"{shown(value)} is not {self.kind or 'allowed here'}{hint}")
        elif self.pattern and not re.fullmatch(self.pattern, value):
            faults.add(path, f"{shown(value)} is not {self.kind or self.pattern}")
        else:
            return value
        return MISSING

    def described(self) -> str:
        """Return the kind, the choices when they are few, or "a text"."""
        if not self.kind and self.choices and len(self.choices) <= 8:
            few = ", ".join(f'"{choice}"' for choice in self.choices)
            return few if len(self.choices) == 1 else f"one of {few}"
        return self.kind or "a text"


@dataclass(frozen=True)
class ListOf(Schema):
    """A list whose elements all have one shape."""

    item: Schema
    least: int = 0
    most: int | None = None
    unique: bool = False
    """No two elements may be equal."""
    or_empty: bool = False
    """An empty list will do, too, however many elements there are else."""
    marks: tuple[Any, ...] = ()
    """What a declaration says of the list besides."""
    values, words = list, "a list"

    def check_inside(self, value: Any, path: KeyPath, faults: Faults) -> Any:
        """Note a wrong length, equal elements, and the faults of each element; nothing is left of too short a list."""
        if self.or_empty and not value:
            return value
        if len(value) < self.least or (self.most is not None and len(value) > self.most):
            limits = f"at least {self.least}" if self.most is None else f"{self.least} to {self.most}"
            limits = str(self.least) if self.least == self.most else limits
            faults.add(path, f"must have {limits} elements, not {len(value)}")
        seen: set[Any] = set()
        sound = []
        for place, element in enumerate(value):
            sound.append(self.item.check(element, (*path, place), faults))
            if self.unique:
                known = json.dumps(element, default=str) if isinstance(element, dict | list) else element
                if known in seen:
                    faults.add((*path, place), f"{shown(element)} stands twice in the list")
                seen.add(known)
        sound = [element for element in sound if element is not MISSING]
        return sound if len(sound) >= self.least else MISSING


@dataclass(frozen=True)
class MapOf(Schema):
    """A table with free keys whose values all have one shape."""

    item: Schema
    key: Text = field(default_factory=Text)
    """Shape of the keys."""
    values, words = dict, "a table"

    def check_inside(self, value: Any, path: KeyPath, faults: Faults) -> Any:
        """Note wrong keys, and the faults of each value."""
        sound = {}
        for name, element in value.items():
            self.key.check(name, (*path, name), faults)
            sound[name] = self.item.check(element, (*path, name), faults)
        return {name: element for name, element in sound.items() if element is not MISSING}


@dataclass(frozen=True)
class Field:
    """One key of a table."""

    schema: Schema
    required: bool = True
    doc: str = ""
    """What the key means; printed in the JSON Schema."""
    default: Any = MISSING
    """What is taken where the key is left out, if that is always the same."""
    marks: tuple[Any, ...] = ()
    """What a declaration says of the key besides."""


def optional(schema: Schema, doc: str = "") -> Field:
    """Return a field that may be left out."""
    return Field(schema, required=False, doc=doc)


@dataclass(frozen=True)
class Table(Schema):
    """A table with a closed list of keys."""

    fields: Mapping[str, Field]
    open: bool = False
    """Further keys are kept without a look at them."""
    values, words = dict, "a table"

    def check_inside(self, value: Any, path: KeyPath, faults: Faults) -> Any:
        """Note unknown and missing keys, and the faults of each value; a required key must be left."""
        required = [name for name, part in self.fields.items() if part.required]
        missing = [name for name in required if name not in value]
        sound = {}
        for name, element in value.items():
            if name in self.fields:
                sound[name] = self.fields[name].schema.check(element, (*path, name), faults)
            elif not self.open:
                faults.add((*path, name), "" if faults.is_full else self._unknown(name, missing))
        for name in missing:
            words = self.fields[name].schema.described()
            remedy = "" if words == Schema.words else f"; it must be {words}"
            faults.add(path, f"the key '{name}' is missing{remedy}")
        sound = {name: element for name, element in sound.items() if element is not MISSING}
        return sound if all(name in sound for name in required) else MISSING

    def _unknown(self, name: str, missing: Sequence[str]) -> str:
        hint = nearest(name, missing) or nearest(name, self.fields) or f"; known keys: {word_list(self.fields)}"
        return f"unknown key{hint}"


@dataclass(frozen=True)
class Tagged(Schema):
    """A table whose keys depend on the word under one of them, such as an effect on its op."""

    tag: str
    names: tuple[str, ...]
    """Words that may stand there."""
    shape: Callable[[str], Table]
    """Returns the shape of the table with one of them, in which the tag itself comes first."""
    foreign: Mapping[str, str] = field(default_factory=dict)
    """Where other words belong, such as ``an op of a leg, not of a card``."""
    values = dict

    def check(self, value: Any, path: KeyPath, faults: Faults) -> Any:
        """Note a value that is no table, an unknown word, and every fault of the other keys."""
        tag = self.tag
        if not self.fits(value):
            faults.add(path, f'must be a table such as {{ {tag} = "{self.names[0]}" }}')
        elif tag not in value:
            faults.add(path, f"the key '{tag}' is missing; it names the effect")
        elif not isinstance(word := value[tag], str) or word not in (*self.names, *self.foreign):
            hint = faults.nearest(str(word), self.names) or f"; known: {word_list(self.names, 60)}"
            faults.add((*path, tag), f"unknown {tag} '{word}'{hint}")
        elif word in self.foreign:
            faults.add((*path, tag), f"'{word}' is {self.foreign[word]}{faults.nearest(word, self.names)}")
        else:
            return self.shape(word).check(value, path, faults)
        return MISSING

    def described(self) -> str:
        """Return the kind of value in words."""
        return f"a table with the key '{self.tag}'"


@dataclass(frozen=True)
class Either(Schema):
    """A value of one of several simple shapes, such as a number or the word "all"."""

    options: tuple[Schema, ...]

    def fits(self, value: Any) -> bool:
        """Return whether it has one of the shapes."""
        return any(option.accepts(value) for option in self.options)

    def check(self, value: Any, path: KeyPath, faults: Faults) -> Any:
        """Note a value that has none of the shapes; where only one has its type, with that one's own message."""
        if self.fits(value):
            return value
        kinds = {dict: (Table, MapOf), list: (ListOf,), str: (Text,), int: (Integer, Number)}
        likely = [option for option in self.options if isinstance(option, kinds.get(type(value), ()))]
        if len(likely) == 1 and not isinstance(likely[0], Text | Integer):
            return likely[0].check(value, path, faults)
        words = [word for option in likely if isinstance(option, Text) for word in option.choices or ()]
        hint = faults.nearest(value, words) if isinstance(value, str) else ""
        faults.add(path, f"must be {self.described()}, not {shown(value)}{hint}")
        return MISSING

    def described(self) -> str:
        """Return the shapes in words, but for the null that people do not write."""
        return ", or ".join(option.described() for option in self.options if not isinstance(option, Null))
