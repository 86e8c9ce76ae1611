"""Text from outside made fit to be printed: no sign of it moves the cursor, turns the reading, hides, or ends a line.

Each way in and each way out asks for this once:

- ``rules.core.files.Source`` cleans every text of a file or a position code, so no title, name or id holds such a sign.
- ``rules.core.errors`` cleans every message, so a fault is one line whatever argument or file name it names.
- ``solver.render`` draws every row as one line, and the shared settings let nothing but line breaks and our own colours
  through.

Whoever puts a file name or an argument into other words calls ``escaped``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

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
