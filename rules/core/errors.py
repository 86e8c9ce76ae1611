"""Everything that can be wrong with what a person gave us, each with its place and its remedy; words for messages.

No sign of a text from outside moves the cursor, turns the reading, hides, or ends a line:

- ``rules.core.files.Source`` cleans every text of a file or a position code.
- The errors of this module clean every message.
- ``solver.render`` draws every row as one line. The shared settings let only line breaks and our own colours through.

Whoever puts a file name or an argument into other words calls ``escaped``.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final

LISTED: Final = 24
"""Words that a message has room for."""


def word_list(words: Iterable[str], most: int = LISTED) -> str:
    """Return words in a row for a message, the rest counted when there are many."""
    names = list(words)
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(f"'{name}'" for name in names[:most]) + more


class BestlineError(Exception):
    """A fault of the input, told in one clear message on one line; never a fault of ours."""

    def __str__(self) -> str:
        return escaped(super().__str__())


class SeveralFit(BestlineError):
    """What was typed may be any of several steps."""

    def __init__(self, typed: str, fitting: Sequence[str]) -> None:
        self.numbered = fitting[:LISTED]
        """The first of them, as the message numbers them."""
        shown = "; ".join(f"{number} {text}" for number, text in enumerate(self.numbered, 1))
        more = f"; and {len(fitting) - LISTED} more" if len(fitting) > LISTED else ""
        super().__init__(f"'{typed}' fits {len(fitting)} of them: {shown}{more}")


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault in a file."""

    message: str
    key: str = ""
    """Key path inside the file, such as ``cards.mush.energy``; empty for the whole file."""
    file: str = ""
    """File name as the user gave it; empty when the text has no file."""
    line: int | None = None
    """Line of the key, from 1, where it can be known."""

    def __post_init__(self) -> None:
        """Keep it on one line, whatever name or argument it tells of."""
        for name in ("message", "key", "file"):
            object.__setattr__(self, name, escaped(getattr(self, name)))

    @property
    def place(self) -> str:
        """File and line, as far as they are known."""
        return ":".join(part for part in (self.file, str(self.line or "")) if part)

    @property
    def where(self) -> str:
        """File, line and key, as far as they are known."""
        return " ".join(part for part in (self.place, self.key) if part)

    def __str__(self) -> str:
        return ": ".join(part for part in (self.place, self.key, self.message) if part)


class ContentError(BestlineError):
    """A file whose content cannot be used; carries every fault found, not only the first."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(faults)
        self.faults = tuple(faults)

    def __str__(self) -> str:
        return "\n".join(map(str, self.faults))


class NotationError(BestlineError):
    """A text that is no move, or that could mean several moves."""


class IllegalMoveError(BestlineError):
    """A move that the rules do not allow here.

    ``rule`` is the number of the rule that forbids it.
    """

    def __init__(self, move: str, rule: str, reason: str) -> None:
        super().__init__(f"illegal move '{move}' ({rule}): {reason}")
        self.move, self.rule, self.reason = move, rule, reason


class UnsupportedRuleset(BestlineError):
    """A ruleset with options or features that this engine does not carry; names each of them."""

    def __init__(self, features: Iterable[str]) -> None:
        self.features = tuple(features)
        super().__init__("; ".join(f"{feature} is not supported by this engine" for feature in self.features))


class DisagreementError(Exception):
    """Two engines, or a plan and its replay, differ: always a fault of ours, never the user's."""


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


def nearest(word: str, known: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the nearest known word, or an empty text.

    Case, and what parts the words of a name, make no difference. Of several that begin as the word, three are named.
    """
    names = {_folded(name): name for name in known}
    wanted = _folded(word)
    alike = [name for form, name in names.items() if form == wanted]
    longer = [name for form, name in names.items() if len(wanted) > 1 and form.startswith(wanted)]
    match = alike or longer[:3] or [names[form] for form in get_close_matches(wanted, list(names), n=1, cutoff=0.65)]
    shown = " or ".join(f"'{name}'" for name in match)
    return f"; did you mean {shown}?" if match else ""


def _folded(word: str) -> str:
    return "_".join(word.casefold().replace("-", " ").replace("_", " ").split())


def leads(typed: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether the first words begin as was typed."""
    return 0 < len(typed) <= len(words) and all(word.startswith(part) for part, word in zip(typed, words, strict=False))


def fits(typed: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether words begin as was typed, in order; words in between may be left out."""
    rest = iter(words)
    return bool(typed) and all(any(word.startswith(part) for word in rest) for part in typed)


def resembles(typed: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether names are typed with spaces, or after the first two words in any order, as cards that pay are."""
    is_spelt = fits("_".join(typed).split("_"), "_".join(words).split("_"))
    others = (any(word.startswith(part) for word in words[2:]) for part in typed[2:])
    return is_spelt or (leads(typed[:2], words) and all(others))


def tallies(typed: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether names are typed as often as numbers count them, in any order: ``hire b a a``, ``hire 1 b 2 a``."""
    every, names = unfolded(words), unfolded(typed)
    enough = (sum(word.startswith(name) for word in every) >= names.count(name) for name in names)
    return every != [*words] and len(every) == len(names) and leads(names[:1], every) and all(enough)


def unfolded(words: Sequence[str]) -> list[str]:
    """Return words without numbers, but each as often as the number before it says."""
    times = [1, *(int(word) if re.fullmatch(r"\d\d?", word) else 1 for word in words)]
    return [word for word, number in zip(words, times, strict=False) for _ in range(number) if not word.isdecimal()]


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


class Number(int):
    """A number that can be written with a noun, as in ``{number:partner}``."""

    def __format__(self, noun: str) -> str:
        """Return the number, with the noun in the right form if there is one."""
        return counted(int(self), noun) if noun else str(int(self))


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
    return ", ".join(name if number == 1 else f"{name} x{number}" for name, number in sorted(Counter(names).items()))


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
    number = ord(found[0])
    code = f"\\x{number:02x}" if number < 0x20 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
    return _NAMED.get(found[0], code)
