"""Typed declarations: one class says which keys a table of a file has, their types, their meanings and their defaults.

A declaration is a class of annotated fields, such as a ``NamedTuple``. Its module evaluates annotations at once.

    Count = Annotated[int, Integer(), Default(0)]
    class Player(NamedTuple):
        pos: Annotated[Count, "the space; 0 is before the start line"]
        hand: Annotated[Zone, "cards in the hand"]

``table_of`` makes of it the shape that files are checked against, ``built`` a value of the class, and ``plain`` the
file's values again. A field without ``Default`` or ``LeftOut`` is required.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import MISSING as REQUIRED
from dataclasses import dataclass
from functools import cache
from inspect import get_annotations
from types import NoneType, UnionType
from typing import Annotated, Any, Final, TypeVar, Union, get_args, get_origin

from rules.core.schema import (
    MISSING,
    Anything,
    Boolean,
    Either,
    Field,
    Integer,
    ListOf,
    MapOf,
    Null,
    Number,
    Schema,
    Table,
    Tagged,
    Text,
)
from rules.core.scripts import MOST, UNKNOWN

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
    """A shape that is passed under a name, such as the ids of a ruleset's cards; any text where none is passed."""

    name: str


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


SORTED: Final = Mark()
"""The order of the list says nothing: it is kept in ascending order."""
HELD: Final = Mark()
"""The list is a hand: the number of its cards, or ``?``, may stand for cards that are not known."""
APART: Final = Mark()
"""The field is not in the table: it is the key under which the table stands, or is worked out."""
REMARK: Final = Mark()
"""The field says where a fact comes from."""
SHOWN: Final = Mark()
"""People read the field, and play does not depend on it."""
ENTRIES: Final = Mark()
"""The field is a collection: a table whose entries a variant may add and remove, each under its own id."""
ORDERED: Final = Mark()
"""The order of the entries of the collection counts."""
Remark = Annotated[str, LeftOut(), REMARK]
"""A text that says where a fact comes from."""
Title = Annotated[str, Default(""), SHOWN]
"""A text for people that may be left out."""

_SCALARS: Final[Mapping[Any, Schema]] = {
    Any: Anything(),
    bool: Boolean(),
    int: Integer(None),
    float: Number(),
    str: Text(),
    NoneType: Null(),
}


def table_of(declared: type, **words: Schema) -> Table:
    """Return the shape of a table that a declaration names the keys of; ``words`` are the shapes that are ``Named``."""
    hints = _hints(declared).items()
    return Table({name: _field(hint, words) for name, hint in hints if APART not in _marks(hint)[1]})


def built(declared: type[T], value: Mapping[str, Any], **apart: Any) -> T:
    """Return a table of the right shape as a value of its declaration, with the fields that stand ``apart``."""
    hint: Any = declared
    made: T = _builder(hint)({**value, **apart})
    return made


def plain(value: Any) -> Any:
    """Return a typed value as a file has it: tables by the alphabet for named tuples, lists for other tuples."""
    if not isinstance(value, tuple):
        return value
    order = _order(type(value))
    if order is None:
        return [plain(part) for part in value] if value and isinstance(value[0], tuple) else list(value)
    return {name: plain(value[place]) for name, place in order}


@cache
def _order(kind: Any) -> Sequence[tuple[str, int]] | None:
    """Return the names and places of the fields of a named tuple by the alphabet; nothing for other tuples."""
    return sorted((name, place) for place, name in enumerate(kind._fields)) if hasattr(kind, "_fields") else None


def facts(shape: Schema, value: Any, silent: Collection[Mark] = (), *, whole: bool = True) -> Any:
    """Return a value of the right shape without ``silent`` fields, an effect always with its defaults.

    With ``whole`` every default is written out, and every list of single values is sorted whose order says nothing.
    """
    if isinstance(shape, Tagged):
        return facts(shape.shape(value[shape.tag]), value, silent, whole=True)
    if isinstance(shape, ListOf):
        parts = [facts(shape.item, part, silent, whole=whole) for part in value]
        is_sorted = whole and SORTED in shape.marks and not any(isinstance(part, dict) for part in parts)
        return sorted(parts) if is_sorted else parts
    if isinstance(shape, MapOf):
        return {name: facts(shape.item, part, silent, whole=whole) for name, part in value.items()}
    if not isinstance(shape, Table):
        return value
    fields = {name: field for name, field in shape.fields.items() if not any(mark in silent for mark in field.marks)}
    kept = {name: facts(fields[name].schema, value[name], silent, whole=whole) for name in value if name in fields}
    left_out = {name: field.default for name, field in fields.items() if whole and name not in kept}
    return {**kept, **{name: default for name, default in left_out.items() if default is not MISSING}}


def _hints(declared: type) -> Mapping[str, Any]:
    owners = [get_annotations(owner) for owner in reversed(declared.__mro__)]
    hints = {name: hint for owner in owners for name, hint in owner.items()}
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
    kept = tuple(mark for mark in marks if isinstance(mark, Mark))
    return Field(schema, left_out is None, doc, default if schema.accepts(default) else MISSING, kept)


def _schema(hint: Any, words: Mapping[str, Schema]) -> Schema:
    bare, marks = _marks(hint)
    for mark in marks:
        if isinstance(mark, Schema | Named):
            return mark if isinstance(mark, Schema) else words.get(mark.name, Text())
    origin, inner = get_origin(bare), get_args(bare)
    if origin in (Union, UnionType):
        return Either(tuple(_schema(option, words) for option in sorted(inner, key=lambda one: one is not NoneType)))
    if origin in (tuple, frozenset):
        size = next((mark for mark in marks if isinstance(mark, Size)), Size(unique=origin is frozenset))
        kept = tuple(mark for mark in marks if isinstance(mark, Mark))
        cards = ListOf(_schema(inner[0], words), size.least, size.most, size.unique, marks=kept)
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


ID: Final = Text(pattern=r"[a-z][a-z0-9_]*", kind="an id: small letters, digits and _, beginning with a letter")


class Meta:
    """What a ruleset says about itself."""

    title: Annotated[Remark, "name for people"]
    summary: Annotated[Remark, "what it is, in a sentence"]
    author: Annotated[Remark, "who made it"]
    game: Annotated[Remark, "name of the game"]
    edition: Annotated[Remark, "name of the edition"]
    version: Annotated[Remark, "version of the ruleset"]
    date: Annotated[Remark, "when it was published"]
    notes: Annotated[tuple[str, ...], LeftOut(), "what else there is to say"]


class Target:
    """What a designer wants of a ruleset."""

    metric: Annotated[str, "what is measured"]
    min: Annotated[float, LeftOut("no lower limit"), "least value"]
    max: Annotated[float, LeftOut("no upper limit"), "greatest value"]


def ruleset_table(meta: type, rules: type, options: Table, **tables: Schema | Field) -> Table:
    """Return the shape of a resolved ruleset out of its declared tables; ``tables`` are those of one game."""
    target = Table(table_of(Target).fields, open=True)
    return Table(
        {
            "meta": Field(table_of(meta), required=False, marks=(REMARK,)),
            "rules": Field(table_of(rules)),
            "options": Field(options),
            **{name: shape if isinstance(shape, Field) else Field(shape) for name, shape in tables.items()},
            "assert": Field(ListOf(target), False, "the designer's own targets", marks=(REMARK,)),
        }
    )


def entry_of(declared: type, remarks: tuple[str, ...], **words: Schema) -> Table:
    """Return the shape of a declared entry that may also say where its facts come from."""
    told = {name: Field(Text(), required=False, marks=(REMARK,)) for name in remarks}
    return Table({**table_of(declared, **words).fields, **told})


def entries(entry: Table, *marks: Mark) -> Field:
    """Return a collection of entries under their ids."""
    return Field(MapOf(entry, ID), marks=(ENTRIES, *marks))
