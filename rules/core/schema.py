"""The shapes of data files, each of which finds every fault of a value, and the declarations that they are made of.

A declaration is a class of annotated fields, such as a ``NamedTuple``: it says which keys a table has, their types,
their meanings and their defaults. Its module evaluates annotations at once.

    Count = Annotated[int, Integer(), Default(0)]
    class Player(NamedTuple):
        pos: Annotated[Count, "the space; 0 is before the start line"]
        hand: Annotated[Zone, "cards in the hand"]

``table_of`` makes of it the shape that files are checked against, ``built`` a value of the class, and ``plain`` the
file's values again. A field without ``Default`` or ``LeftOut`` is required.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import MISSING as REQUIRED
from dataclasses import dataclass, field
from functools import cache
from inspect import get_annotations
from math import isfinite
from types import NoneType, UnionType
from typing import Annotated, Any, Final, NamedTuple, TypeVar, Union, get_args, get_origin

from rules.core.errors import shown, word_list
from rules.core.files import Faults, KeyPath
from rules.core.scripts import MOST, UNKNOWN

MISSING: Final = object()
"""What is left of a value that has not the shape asked for."""
LARGEST: Final = 1_000_000_000
"""The greatest whole number of a file where its shape names no other."""


class Schema:
    """The shape of one value."""

    values: type = object
    words: str = "another kind of value"
    """The shape in a few words, to follow "must be"."""

    def fits(self, value: Any) -> bool:
        """Return whether a value has the type of this shape, whatever is inside it."""
        return isinstance(value, self.values)

    def check(self, value: Any, path: KeyPath, faults: Faults) -> Any:
        """Note every fault of a value at ``path``; return it without them, ``MISSING`` where nothing is left."""
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
    forms: Mapping[str, str] = field(default_factory=dict, compare=False)
    """How else people write the choices, in small letters."""
    values = str

    def check_inside(self, value: Any, path: KeyPath, faults: Faults) -> Any:
        """Note a text outside the choices, with the nearest choice, or of another pattern."""
        value = self.forms.get(value.casefold(), value)
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
    or_empty: bool = False
    """An empty list will do, too, however many elements there are else."""
    values, words = list, "a list"

    def check_inside(self, value: Any, path: KeyPath, faults: Faults) -> Any:
        """Note a wrong length, equal elements, and the faults of each element; of a wrong length nothing is left."""
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
                known = repr(element) if isinstance(element, dict | list) else element
                if known in seen:
                    faults.add((*path, place), f"{shown(element)} stands twice in the list")
                seen.add(known)
        sound = [element for element in sound if element is not MISSING]
        return sound if self.least <= len(sound) <= (self.most or len(sound)) else MISSING


@dataclass(frozen=True)
class MapOf(Schema):
    """A table with free keys whose values all have one shape."""

    item: Schema
    key: Text = field(default_factory=Text)
    values, words = dict, "a table"

    def check_inside(self, value: Any, path: KeyPath, faults: Faults) -> Any:
        """Note wrong keys, and the faults of each value."""
        sound = {}
        for name, element in value.items():
            self.key.check(name, (*path, name), faults)
            sound[name] = self.item.check(element, (*path, name), faults)
        return {name: element for name, element in sound.items() if element is not MISSING}


class Field(NamedTuple):
    """One key of a table."""

    schema: Schema
    required: bool = True
    doc: str = ""
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
                hint = faults.nearest(name, missing) or faults.nearest(name, self.fields)
                faults.add((*path, name), f"unknown key{hint or f'; known keys: {word_list(self.fields)}'}")
        for name in missing:
            words = self.fields[name].schema.described()
            remedy = "" if words == Schema.words else f"; it must be {words}"
            faults.add(path, f"the key '{name}' is missing{remedy}")
        sound = {name: element for name, element in sound.items() if element is not MISSING}
        return sound if all(name in sound for name in required) else MISSING


@dataclass(frozen=True)
class Tagged(Schema):
    """A table whose keys depend on the word under one of them, such as an effect on its op."""

    tag: str
    shapes: Mapping[str, Table]
    """The shape of the table by the word that stands there, in which the tag itself comes first."""
    foreign: Mapping[str, str] = field(default_factory=dict)
    """Where other words belong, such as ``an op of a leg, not of a card``."""
    values = dict

    def check(self, value: Any, path: KeyPath, faults: Faults) -> Any:
        """Note a value that is no table, an unknown word, and every fault of the other keys."""
        if not self.fits(value):
            faults.add(path, f'must be a table such as {{ {self.tag} = "{next(iter(self.shapes))}" }}')
        elif self.tag not in value:
            faults.add(path, f"the key '{self.tag}' is missing; it names the effect")
        elif not isinstance(word := value[self.tag], str) or word not in (*self.shapes, *self.foreign):
            hint = faults.nearest(str(word), self.shapes) or f"; known: {word_list(self.shapes, 60)}"
            faults.add((*path, self.tag), f"unknown {self.tag} '{word}'{hint}")
        elif word in self.foreign:
            faults.add((*path, self.tag), f"'{word}' is {self.foreign[word]}{faults.nearest(word, self.shapes)}")
        else:
            return self.shapes[word].check(value, path, faults)
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
        likely = [option for option in self.options if option.values is type(value)]
        if len(likely) == 1 and not isinstance(likely[0], Text):
            return likely[0].check(value, path, faults)
        words = [word for option in likely if isinstance(option, Text) for word in option.choices or ()]
        hint = faults.nearest(value, words) if isinstance(value, str) else ""
        faults.add(path, f"must be {self.described()}, not {shown(value)}{hint}")
        return MISSING

    def described(self) -> str:
        """Return the shapes in words, but for the null that people do not write."""
        return ", or ".join(option.described() for option in self.options if not isinstance(option, Null))


T = TypeVar("T")


@dataclass(frozen=True)
class Default:
    """The value that a key has where it is left out."""

    value: Any


@dataclass(frozen=True)
class LeftOut:
    """The key may be left out; the words say what then stands for it, where that is not always the same."""

    words: str = ""


@dataclass(frozen=True)
class Named:
    """A shape that is passed under a name, such as the ids of a ruleset's cards, and the one where none is passed."""

    name: str
    otherwise: Schema = Text()


@dataclass(frozen=True)
class Called:
    """The key that a file has for a field, where Python reads it otherwise."""

    name: str


@dataclass(frozen=True)
class Size:
    """How many elements a list may have, and whether they must differ."""

    least: int = 0
    most: int | None = None
    unique: bool = False


class Mark:
    """What is said of a field besides its type."""


@dataclass(frozen=True)
class Fact(Mark):
    """What counts of a field is made of its value by a function."""

    made: Callable[[Any], Any]


SORTED: Final = Fact(lambda value: value if isinstance(value, int | str) or dict in map(type, value) else sorted(value))
"""The order of the list says nothing: it is kept in ascending order."""
ORDERED: Final = Fact(lambda table: [{"id": key, **entry} for key, entry in table.items()])
"""The order of the entries counts."""
SET: Final = Fact(lambda table: {key: {name: it for name, it in row.items() if it} for key, row in table.items()})
"""Of each entry only what is neither false nor 0 counts."""
HELD: Final = Mark()
"""The list is a hand: the number of its cards, or ``?``, may stand for cards that are not known."""
APART: Final = Mark()
"""The field is not in the table: it is the key under which the table stands, or is worked out."""

_SCALARS: Final[Mapping[Any, Schema]] = {
    Any: Schema(),
    bool: Boolean(),
    int: Integer(None),
    float: Number(),
    str: Text(),
    NoneType: Null(),
}


def table_of(declared: type, **words: Schema) -> Table:
    """Return the shape of a table that a declaration names the keys of; ``words`` are the shapes that are ``Named``."""
    return Table({name: _field(hint, words) for name, hint in _hints(declared).items() if APART not in _marks(hint)[1]})


def built(declared: type[T], value: Mapping[str, Any], **apart: Any) -> T:
    """Return a table of the right shape as a value of its declaration, with the fields that stand ``apart``."""
    hint: Any = declared
    made: T = _builder(hint)({**value, **apart})
    return made


def plain(value: Any) -> Any:
    """Return a typed value as a file has it: tables by the alphabet for named tuples, lists for other tuples."""
    if not isinstance(value, tuple):
        return value
    if (order := _order(type(value))) is None:
        return [plain(part) for part in value] if value and isinstance(value[0], tuple) else list(value)
    return {name: plain(part) if isinstance(part := value[place], tuple) else part for name, place in order}


@cache
def _order(kind: Any) -> Sequence[tuple[str, int]] | None:
    """Return the names and places of the fields of a named tuple by the alphabet; nothing for other tuples."""
    return sorted((name, place) for place, name in enumerate(kind._fields)) if hasattr(kind, "_fields") else None


def facts(shape: Schema, value: Any, silent: Collection[Mark] = (), *, whole: bool = True) -> Any:
    """Return a value of the right shape without ``silent`` fields, an effect always with its defaults.

    With ``whole`` every default is written out, and of every ``Fact`` what counts of it.
    """
    if isinstance(shape, Tagged):
        return facts(shape.shapes[value[shape.tag]], value, silent, whole=True)
    if isinstance(shape, ListOf):
        return [facts(shape.item, part, silent, whole=whole) for part in value]
    if isinstance(shape, MapOf):
        return {name: facts(shape.item, part, silent, whole=whole) for name, part in value.items()}
    if not isinstance(shape, Table):
        return value
    fields = {name: part for name, part in shape.fields.items() if not any(mark in silent for mark in part.marks)}
    kept = {name: facts(fields[name].schema, value[name], silent, whole=whole) for name in value if name in fields}
    for name, part in fields.items() if whole else ():
        if name not in kept and part.default is not MISSING:
            kept[name] = part.default
        for mark in part.marks:
            if isinstance(mark, Fact) and name in kept:
                kept[name] = mark.made(kept[name])
    return kept


def _hints(declared: type) -> Mapping[str, Any]:
    hints = {name: hint for owner in reversed(declared.__mro__) for name, hint in get_annotations(owner).items()}
    fields = getattr(declared, "__dataclass_fields__", {})
    given = getattr(declared, "_field_defaults", {name: field.default for name, field in fields.items()})
    for name in hints.keys() & {name for name, value in given.items() if value is not REQUIRED}:
        hints[name] = Annotated[hints[name], Default(given[name])]
    names = {name: mark.name for name, hint in hints.items() for mark in _marks(hint)[1] if isinstance(mark, Called)}
    return {names.get(name, name): hint for name, hint in hints.items()}


def _marks(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return a type and what is said about it, the last word first."""
    return (hint.__origin__, hint.__metadata__[::-1]) if get_origin(hint) is Annotated else (hint, ())


def _field(hint: Any, words: Mapping[str, Schema]) -> Field:
    marks = _marks(hint)[1]
    doc = next((mark for mark in marks if isinstance(mark, str)), "")
    left_out = next((mark for mark in marks if isinstance(mark, Default | LeftOut)), None)
    if isinstance(left_out, LeftOut) and left_out.words:
        doc = f"{doc}; left out: {left_out.words}"
    schema = _schema(hint, words)
    default = plain(left_out.value) if isinstance(left_out, Default) else MISSING
    default = default if schema.accepts(default) else MISSING
    return Field(schema, left_out is None, doc, default, tuple(mark for mark in marks if isinstance(mark, Mark)))


def _schema(hint: Any, words: Mapping[str, Schema]) -> Schema:
    bare, marks = _marks(hint)
    for mark in marks:
        if isinstance(mark, Schema | Named):
            return mark if isinstance(mark, Schema) else words.get(mark.name, mark.otherwise)
    origin, inner = get_origin(bare), get_args(bare)
    if origin in (Union, UnionType):
        return Either(tuple(_schema(option, words) for option in sorted(inner, key=lambda one: one is not NoneType)))
    if origin in (tuple, frozenset):
        size = next((mark for mark in marks if isinstance(mark, Size)), Size(unique=origin is frozenset))
        cards = ListOf(_schema(inner[0], words), size.least, size.most, size.unique)
        return Either((cards, Integer(0, MOST), Text((UNKNOWN,)))) if HELD in marks else cards
    if origin is not None:
        key = _schema(inner[0], words)
        return MapOf(_schema(inner[1], words), key if isinstance(key, Text) else Text())
    return _SCALARS[bare] if bare in _SCALARS else table_of(bare, **words)


@cache
def _builder(hint: Any) -> Callable[[Any], Any]:
    """Return what makes a typed value out of a file's."""
    bare, marks = _marks(hint)
    origin, inner = get_origin(bare), get_args(bare)
    if any(isinstance(mark, Named) or mark is APART for mark in marks):
        return _same
    if origin in (Union, UnionType) and NoneType in inner:
        some = _builder(next(option for option in inner if option is not NoneType))
        return lambda value: None if value is None else some(value)
    if origin in (tuple, frozenset):
        one = _builder(inner[0])
        if SORTED in marks and origin is tuple:
            return lambda value: tuple(sorted(value if one is _same else map(one, value)))
        return origin if one is _same else lambda value: origin(map(one, value))
    if bare in _SCALARS or origin is not None:
        return _same
    parts = [(name, _builder(part), part) for name, part in _hints(bare).items()]
    left_out = {name: mark.value for name, _, part in parts for mark in _marks(part)[1] if isinstance(mark, Default)}
    return lambda value: bare(*[make(value[name] if name in value else left_out[name]) for name, make, _ in parts])


def _same(value: Any) -> Any:
    return value
