"""Words that every game says alike, and text from outside made fit to be printed.

No sign of such a text moves the cursor, turns the reading, hides, or ends a line. Each way in and out sees to it once:

- ``rules.core.files.Source`` cleans every text of a file or a position code, so no title, name or id holds such a sign.
- ``rules.core.errors`` cleans every message, so a fault is one line whatever argument or file name it names.
- ``solver.render`` draws every row as one line, and the shared settings let nothing but line breaks and our own colours
  through.

Whoever puts a file name or an argument into other words calls ``escaped``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final


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


_UNFIT: Final = re.compile(
    "["
    "\\x00-\\x1f\\x7f-\\x9f"  # controls: C0, DEL, C1
    "\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e"  # no width, other lines, other directions of reading
    "\\u2060-\\u206f\\ufeff\\U000e0000-\\U000e007f"
    "\\ud800-\\udfff\\ufff9-\\ufffb\\ufffe\\uffff"  # half characters, and what XML forbids
    "]"
)
_COLOUR: Final = re.compile(r"(\x1b\[[0-9;]*m)")
_SPACES: Final = str.maketrans("\t\n\r", "   ")
_NAMED: Final = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}


def escaped(text: str) -> str:
    r"""Return a text on one line, with ``\n``, ``\x1b`` or ``\u202e`` for every sign that is not to be printed.

    From DEL on the escapes have four digits or eight, as JSON and TOML read them too.
    """
    return _UNFIT.sub(_escape, text)


def printable(text: str, *, colours: bool = False) -> str:
    """Return an answer of several lines with all but its line breaks escaped; ``colours`` keeps those of a terminal."""
    parts = _COLOUR.split(text) if colours else [text]
    return "".join(part if place % 2 else "\n".join(map(escaped, part.split("\n"))) for place, part in enumerate(parts))


def cleaned(data: Any) -> Any:
    """Return what a file says, each of its texts and keys escaped; line breaks and tabs in it are spaces."""
    if isinstance(data, str):
        return data if data.isprintable() else escaped(data.translate(_SPACES))
    if isinstance(data, Mapping):
        return {cleaned(key): cleaned(value) for key, value in data.items()}
    return [cleaned(part) for part in data] if isinstance(data, list) else data


def _escape(found: re.Match[str]) -> str:
    sign = found[0]
    if sign in _NAMED:
        return _NAMED[sign]
    number = ord(sign)
    return f"\\x{number:02x}" if number < 0x20 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
