"""TOML and JSON text as plain tables, with the line of every key, so that each fault can name its place.

Canonical JSON is written here too: equal states are equal byte for byte in any program.
"""

from __future__ import annotations

import codecs
import hashlib
import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, BinaryIO, Final

from rules.core.errors import ContentError, Fault, cleaned, nearest

KeyPath = tuple[str | int, ...]
"""Where a value stands: table keys and list places from the outside in."""

Locate = Callable[[KeyPath, str], Fault]
"""Makes the fault of a message at a key path."""
MOST_FAULTS: Final = 100
"""Faults that are told; further ones are counted."""
MOST_BYTES: Final = 4 << 20
"""Bytes of a file or of standard input; what is read of them takes twenty times as many."""
_MOST_TOML: Final = 1 << 20
"""Characters of a TOML text, whose reader takes a second for some hundred thousand."""
_MOST_LINED: Final = 1 << 18
"""Characters of a text in which lines are looked for; in a longer one a fault has its key alone."""
_MOST_LEVELS: Final = 100
"""Levels of tables and lists in each other; files of ours have a tenth of that."""
_MOST_ENTRIES: Final = 10_000
"""Entries of one table or list."""
_MOST_LETTERS: Final = 100_000
"""Characters of one text."""
_MOST_NAMED: Final = 60
"""Characters of a key that are shown in a message."""
_MOST_BITS: Final = 4_000
"""Bits of a whole number; one with more may have no decimal form that Python writes."""
_DOTTED: Final = re.compile(r"(?:\.[^.=,\[\]{}\n#]*){100}")
"""A TOML key of very many parts, which its reader needs the square of their number for."""
_CODE: Final = re.compile(r"bl[0-9]+\.[\w.-]+", re.ASCII)
UTF16_MARKS: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_TOKEN: Final = re.compile(
    r"""\"{3}(?:\\.|[^\\])*?\"{3,5}|'{3}.*?'{3,5}|"(?:\\.|[^"\\])*"|'[^']*'|#[^\n]*|\s+|[][{}=:,.]|[^][{}=:,.\s"'#]+""",
    re.DOTALL,
)
"""The next string, comment, space, sign or word of a TOML or JSON text."""


def path_text(path: KeyPath) -> str:
    """Return a key path as people write it, such as ``state.players[0].hand``."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            part = part if len(part) <= _MOST_NAMED else f"{part[:_MOST_NAMED]}..."
            shown = part if part and all(c.isalnum() or c in "_-" for c in part) else json.dumps(part)
            text += f".{shown}" if text else shown
    return text


class Faults:
    """Collects the faults of one or several texts; ``locate`` knows in which file and line a key stands."""

    def __init__(self, locate: Locate | None = None, most: int = MOST_FAULTS) -> None:
        self._locate: Locate = locate or (lambda path, message: Fault(message, path_text(path)))
        self._most = most
        self.found: list[Fault] = []
        """In the order in which they were found; after the first ``most`` without words."""

    def add(self, path: KeyPath, message: str) -> None:
        """Note one fault."""
        self.found.append(Fault("") if self.is_full else self._locate(path, message))

    def take(self, faults: Iterable[Fault]) -> None:
        """Note faults that have their places already."""
        self.found.extend(faults)

    @property
    def count(self) -> int:
        """Return how many there are, those included that are only counted."""
        return len(self.found)

    @property
    def is_full(self) -> bool:
        """Return whether further faults are only counted, so that nobody needs to find words for them."""
        return len(self.found) >= self._most

    def nearest(self, word: str, known: Iterable[str]) -> str:
        """Return a hint at the nearest known word, as long as it will be read."""
        return "" if self.is_full else nearest(word, known)

    def inside(self, prefix: KeyPath) -> Faults:
        """Return a collection that feeds this one, for a part of the text whose paths begin with ``prefix``."""
        part = Faults(lambda path, message: self._locate(prefix + path, message), self._most)
        part.found = self.found
        return part

    def raise_any(self) -> None:
        """Raise ``ContentError`` with the faults, if there are any, in the order of file and line."""
        if self.found:
            told = sorted(dict.fromkeys(self.found[: self._most]), key=lambda fault: (fault.file, fault.line or 0))
            beyond = len(self.found) - self._most
            more = [Fault(f"and {beyond:,} more", file=told[-1].file)] if beyond > 0 else []
            raise ContentError([*told, *more])


@dataclass(frozen=True)
class Source:
    """One text that was read, or a table inside it."""

    data: Mapping[str, Any]
    """Its tables; no text in them holds a line break or a sign that is not to be printed."""
    text: str
    file: str = ""
    """File name as the user gave it; empty when the text came from elsewhere."""
    prefix: KeyPath = ()
    """Where the table stands in the text."""
    rows: Mapping[KeyPath, int] = field(default_factory=dict)
    """Lines of its tables where they come from a sheet, and the text does not tell them."""

    def __post_init__(self) -> None:
        """Clean what came from outside, before any of it gets a name or a title."""
        object.__setattr__(self, "data", cleaned(self.data))

    @cached_property
    def lines(self) -> Mapping[KeyPath, int]:
        """Line of every key and list element, from 1, where the text is not too long; made when a fault needs it."""
        return self.rows or (_Scanner(self.text).lines if len(self.text) <= _MOST_LINED else {})

    def fault(self, path: KeyPath, message: str) -> Fault:
        """Return a fault at a key path of this text or table, with the line of the value or of the table around it."""
        path = self.prefix + path
        around = (self.lines.get(path[:length]) for length in range(len(path), 0, -1))
        return Fault(message, path_text(path), self.file, next(filter(None, around), None))

    def part(self, key: str) -> Source:
        """Return the table under a key as a source of its own."""
        return replace(self, data=self.data[key], prefix=(*self.prefix, key))

    def reaches(self, path: KeyPath) -> bool:
        """Return whether this text decides the value at ``path``."""
        value: Any = self.data
        for part in path:
            if not isinstance(value, dict):
                return True
            if part not in value:
                return False
            value = value[part]
        return True


def is_there(path: Path) -> bool:
    """Return whether there is a file or folder at a path; names no system allows are not there."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def is_stream(path: Path) -> bool:
    """Return whether a path stands for a device, a pipe, or what a program has open, and keeps nothing by itself."""
    return str(path.absolute()).startswith(("/dev/", "/proc/")) or (path.exists() and not path.is_file())


def read_file(path: Path, shown: str | None = None) -> Source:
    """Return the tables of a TOML or JSON file; ``shown`` is its name in messages.

    Raises:
        ContentError: the file is missing, is a folder, cannot be read, or is neither TOML nor JSON.
    """
    return read_text(file_text(path, shown), shown or str(path))


def file_text(path: Path, shown: str | None = None) -> str:
    """Return the text of a file; ``shown`` is its name in messages.

    Raises:
        ContentError: the file is missing, is a folder, cannot be read, or is no text.
    """
    file = shown or str(path)
    try:
        if path.is_dir():
            raise ContentError([Fault("this is a folder; give the file inside it", file=file)])
        with path.open("rb") as stream:
            raw = read_stream(stream, file)
    except FileNotFoundError:
        raise ContentError([Fault("there is no such file; check the name and the folder", file=file)]) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ContentError([Fault(f"the file cannot be read: {reason}", file=file)]) from None
    return decoded(raw, file)


@cache
def data_file(folder: Path, name: str) -> Mapping[str, Any]:
    """Return a data file of a game, such as ``ops`` in its folder; empty where it has none."""
    path = folder / f"{name}.toml"
    return read_file(path, f"{folder.name}/{name}.toml").data if is_there(path) else {}


def read_stream(stream: BinaryIO, file: str = "") -> bytes:
    """Return all that a stream holds.

    Raises:
        ContentError: it is more than any text of ours.
    """
    raw = stream.read(MOST_BYTES + 1)
    if len(raw) > MOST_BYTES:
        raise ContentError([Fault(f"larger than {MOST_BYTES >> 20} MB; this is no file of bestline", file=file)])
    return raw


def decoded(raw: bytes, file: str = "") -> str:
    """Return the text of bytes in UTF-8, or in UTF-16 with a byte order mark, without the mark.

    Raises:
        ContentError: they are neither.
    """
    try:
        return raw.decode("utf-16" if raw.startswith(UTF16_MARKS) else "utf-8-sig").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ContentError([Fault("not UTF-8 text; save the file in UTF-8", file=file, line=line)]) from None


def unmarked(stream: BinaryIO, file: str = "") -> Iterator[bytes]:
    """Yield the lines of a stream as UTF-8, without the byte order mark that it may begin with.

    A line of more than ``MOST_BYTES`` comes in pieces of one byte more.

    Raises:
        ContentError: the mark is one of UTF-16, and the rest is not, or is too large.
    """
    first = stream.readline(MOST_BYTES + 1)
    if first.startswith(UTF16_MARKS):
        yield from decoded(first + read_stream(stream, file), file).encode().splitlines(keepends=True)
    else:
        yield first.removeprefix(codecs.BOM_UTF8)
        yield from iter(partial(stream.readline, MOST_BYTES + 1), b"")


def looks_like_code(text: str) -> bool:
    """Return whether a text has the outer form of a position code, of whatever version, intact or not."""
    return _CODE.fullmatch(text.strip()) is not None and text.count(".") >= 2


def read_text(text: str, file: str = "") -> Source:
    """Return the tables of a TOML text, or of a JSON text when it begins with a brace or bracket of JSON.

    A position code alone, however it is broken into lines, is a table with its ``position_code``, as answers have it.

    Raises:
        ContentError: the text is empty or malformed; the fault names the line.
    """
    if not text.strip():
        raise ContentError([Fault("the text is empty; give TOML or JSON", file=file)])
    if looks_like_code(code := "".join(text.split())):
        data = {"position_code": code}
        return Source(data, json.dumps(data), file)
    try:
        data = _parse(text)
        if excess := excess_of(data):
            raise ContentError([replace(excess, file=file)])
    except json.JSONDecodeError as error:
        fault = Fault(f"malformed JSON: {error.msg} (column {error.colno})", file=file, line=error.lineno)
        raise ContentError([fault]) from None
    except tomllib.TOMLDecodeError as error:
        raise ContentError([_toml_fault(str(error), text, file)]) from None
    except RecursionError:
        raise ContentError([Fault("nested too deeply", file=file)]) from None
    except ValueError as error:
        reason = "a number has too many digits" if "int_max_str_digits" in str(error) else error
        raise ContentError([Fault(f"malformed: {reason}", file=file)]) from None
    if not isinstance(data, dict):
        raise ContentError([Fault("must be one table at the top, not a list or a single value", file=file)])
    return Source(data, text, file)


def _parse(text: str) -> Any:
    """Return what a text says."""
    if text.lstrip()[0] == "{":
        return json_value(text)
    if len(text) > _MOST_TOML:
        raise ValueError(f"more than {_MOST_TOML >> 20} MB of TOML; this is no file of bestline")
    if _DOTTED.search(text):
        raise RecursionError
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        if text.lstrip()[0] == "[":
            with suppress(ValueError):
                return json.loads(text)
        raise


def json_value(text: str) -> Any:
    """Return what a JSON text says, in which no key may stand twice in a table.

    Raises:
        ValueError: it is none.
        RecursionError: it is nested too deeply.
    """
    return json.loads(text, object_pairs_hook=_table, parse_constant=_no_value)


def _table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise ValueError(f"the key '{twice}' stands twice")
    return found


def _no_value(word: str) -> None:
    raise ValueError(f"'{word}' is no JSON value")


def excess_of(data: Any) -> Fault | None:
    """Return the fault of data that is larger somewhere than in any file of ours, so that what is read stays small."""
    left: list[tuple[KeyPath, Any]] = [((), data)]
    while left:
        path, outer = left.pop()
        if len(path) >= _MOST_LEVELS:
            return Fault("nested too deeply")
        if len(outer) > _MOST_ENTRIES:
            return Fault(f"has {len(outer):,} entries; at most {_MOST_ENTRIES:,} are read", path_text(path))
        for name, inner in outer.items() if isinstance(outer, dict) else enumerate(outer):
            if isinstance(inner, dict | list):
                left.append(((*path, name), inner))
            elif isinstance(inner, str) and len(inner) > _MOST_LETTERS:
                return Fault(f"is a text of more than {_MOST_LETTERS:,} characters", path_text((*path, name)))
            elif type(inner) is int and inner.bit_length() > _MOST_BITS:
                return Fault("a number has too many digits", path_text((*path, name)))
    return None


def _toml_fault(message: str, text: str, file: str) -> Fault:
    """Take the line out of tomllib's message, where it stands as words."""
    what, _, place = message.rpartition(" (at ")
    if place.startswith("line "):
        return Fault(f"malformed TOML: {what}", file=file, line=int(place[5:].partition(",")[0]))
    if place.startswith("end of document"):
        return Fault(f"malformed TOML: {what} (at the end)", file=file, line=text.rstrip().count("\n") + 1)
    return Fault(f"malformed TOML: {message}", file=file)


class _Scanner:
    """Walks over a text that is already known to be valid and notes where each key stands.

    One walk serves TOML and JSON: an inline table is a JSON object with another sign between key and value.
    """

    def __init__(self, text: str) -> None:
        self.is_json = text.lstrip()[:1] == "{"
        tokens: list[tuple[str, int]] = []
        line = 1
        for token in _TOKEN.findall(text):
            if not token.isspace() and token[0] != "#":
                tokens.append((token, line))
            line += token.count("\n")
        self.left = tokens[::-1]
        """The words, strings and signs still to come, the next one last, each with its line."""
        self.lines: dict[KeyPath, int] = {}
        self.counts: dict[KeyPath, int] = {}
        table: KeyPath = ()
        while self.left:
            if self.is_json:
                self.value(())
            elif self.sign == "[":
                table = self.header()
            else:
                self.pair(table)

    @property
    def sign(self) -> str:
        """The token that comes next, empty at the end."""
        return self.left[-1][0] if self.left else ""

    def skip(self, sign: str) -> int:
        """Pass over a sign, as often as it stands there, and return how often."""
        number = 0
        while self.sign == sign:
            self.left.pop()
            number += 1
        return number

    def header(self) -> KeyPath:
        line = self.left[-1][1]
        several = self.skip("[") > 1
        path: KeyPath = ()
        for part in self.key():
            path = (*self.inside(path), part)
        self.skip("]")
        if several:
            self.counts[path] = self.counts.get(path, 0) + 1
            self.lines.setdefault(path, line)
        path = self.inside(path)
        self.lines.setdefault(path, line)
        return path

    def inside(self, path: KeyPath) -> KeyPath:
        """Return the path of the last element where ``path`` is an array of tables."""
        return (*path, self.counts[path] - 1) if path in self.counts else path

    def pair(self, table: KeyPath) -> None:
        line = self.left[-1][1]
        path = table + self.key()
        for length in range(len(table) + 1, len(path) + 1):
            self.lines.setdefault(path[:length], line)
        self.left.pop()  # the sign between key and value
        self.value(path)

    def key(self) -> tuple[str, ...]:
        parts = [self.name()]
        while self.skip("."):
            parts.append(self.name())
        return tuple(parts)

    def name(self) -> str:
        """Return a part of a key, unescaped; JSON and TOML differ in some escapes."""
        token, _ = self.left.pop()
        if token[0] == "'":
            token = token[1:-1]
        elif token[0] == '"':
            token = str(json.loads(token) if self.is_json else tomllib.loads(f"x = {token}")["x"])
        return str(cleaned(token))

    def value(self, path: KeyPath) -> None:
        token, line = self.left.pop()
        if token in ("{", "["):
            place = 0
            while self.sign not in ("}", "]"):
                if token == "{":
                    self.pair(path)
                else:
                    self.lines.setdefault((*path, place), self.left[-1][1])
                    self.value((*path, place))
                place += 1
                self.skip(",")
            self.left.pop()
            return
        while token[0] not in "\"'" and self.left and self.left[-1][1] == line and self.sign not in ",]}":
            self.left.pop()  # numbers and times can be several words


def canonical_json(value: Any) -> str:
    """Return the one-line JSON text of ``value``: sorted keys, no spaces, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def digest(texts: Iterable[str]) -> str:
    """Return the SHA-256 of the texts, sorted, each followed by a newline."""
    return hashlib.sha256("".join(f"{text}\n" for text in sorted(texts)).encode("ascii")).hexdigest()


def rest_of(deck: Sequence[str], elsewhere: Mapping[str, int]) -> list[str]:
    """Return a deck in its order without the cards that lie elsewhere: they came off its top."""
    left = Counter(elsewhere)
    kept = []
    for card in deck:
        if left[card] > 0:
            left[card] -= 1
        else:
            kept.append(card)
    return kept
