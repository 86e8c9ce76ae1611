"""Everything that can be wrong with what a person gave us, each with its place and its remedy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from rules.core.wording import escaped


class BestlineError(Exception):
    """A fault of the input, told in one clear message on one line; never a fault of ours."""

    def __str__(self) -> str:
        return escaped(super().__str__())


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault in a file."""

    message: str
    """What is wrong, and what would be right."""
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
        self.move = move
        self.rule = rule
        self.reason = reason


class UnsupportedRuleset(BestlineError):
    """A ruleset with options or features that this engine does not carry; names each of them."""

    def __init__(self, features: Iterable[str]) -> None:
        self.features = tuple(features)
        super().__init__("; ".join(f"{feature} is not supported by this engine" for feature in self.features))


class DisagreementError(Exception):
    """Two engines, or a plan and its replay, differ: always a fault of ours, never the user's."""


LED_TO: Final = 3
"""Words named at most that begin as one that was given."""


def nearest(word: str, known: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the nearest known word, or an empty text.

    Case, and what parts the words of a name, make no difference; of the words that begin as the one given the first
    few are named.
    """
    names = {_folded(name): name for name in known}
    wanted = _folded(word)
    alike = [name for form, name in names.items() if form == wanted]
    longer = [name for form, name in names.items() if len(wanted) > 1 and form.startswith(wanted)]
    near = get_close_matches(wanted, list(names), n=1, cutoff=0.6)
    match = alike or longer[:LED_TO] or [names[form] for form in near]
    shown = " or ".join(f"'{name}'" for name in match)
    return f"; did you mean {shown}?" if match else ""


def _folded(word: str) -> str:
    return "_".join(word.casefold().replace("-", " ").replace("_", " ").split())
